"""A throw-away virtual machine with real Linux IIO drivers on simulated chips."""
