"""The agent and its broker with a network between them that can be cut: two namespaces and a cable."""
import contextlib
import os
import subprocess
import unittest

from support import Agent, Broker, wait_until

HERE, THERE = "compass-test-a", "compass-test-b"
BROKER_ADDRESS = "10.231.77.2"


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def may_make_namespaces():
    if os.geteuid() != 0:
        return False
    try:
        ip("netns", "add", HERE)
        ip("netns", "delete", HERE)
        return True
    except (OSError, subprocess.CalledProcessError):
        return False


@contextlib.contextmanager
def cable():
    """Two namespaces, joined."""
    try:
        for name in HERE, THERE:
            ip("netns", "add", name)
        ip("link", "add", "boat", "netns", HERE, "type", "veth", "peer", "name", "shore", "netns", THERE)
        ip("-n", HERE, "address", "add", "10.231.77.1/24", "dev", "boat")
        ip("-n", THERE, "address", "add", f"{BROKER_ADDRESS}/24", "dev", "shore")
        for name, end in (HERE, "boat"), (THERE, "shore"):
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", end, "up")
        yield
    finally:
        for name in HERE, THERE:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


class InNamespace:
    """Starts the process inside a namespace."""

    namespace = HERE

    def launch(self, arguments, **options):
        super().launch(["ip", "netns", "exec", self.namespace, *arguments], **options)


class FarAgent(InNamespace, Agent):
    pass


class FarBroker(InNamespace, Broker):
    namespace = THERE

    def start(self):
        config = f"listener {self.port} {BROKER_ADDRESS}\nallow_anonymous true\nlog_dest stderr\n"
        (self.folder / "mosquitto.conf").write_text(config)
        self.launch(["/usr/sbin/mosquitto", "-c", str(self.folder / "mosquitto.conf")])
        wait_until(lambda: "running" in self.log, 10, "the broker runs")

    def online(self):
        """Whether `online` is retained."""
        heard = subprocess.run(
            ["ip", "netns", "exec", THERE, "mosquitto_sub", "-h", BROKER_ADDRESS, "-p", str(self.port), "-W", "1",
             "-t", "compass/test/status"], capture_output=True, text=True)
        return heard.stdout.split()[:1] == ["online"]


@unittest.skipUnless(may_make_namespaces(), "network namespaces need root")
class CutNetwork(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(cable())
        self.broker = stack.enter_context(FarBroker())
        self.agent = stack.enter_context(
            FarAgent(self.broker, {"mqtt": {"host": BROKER_ADDRESS, "keepalive": "5"}}))
        wait_until(lambda: ": connected" in self.agent.log, 10, lambda: self.agent.log)

    def test_cut_is_noticed_by_both_and_mended_within_seconds(self):
        ip("-n", THERE, "link", "set", "shore", "down")
        wait_until(lambda: self.agent.log.count("<4>broker") >= 1, 5 * 2 + 4, lambda: self.agent.log)
        wait_until(lambda: "exceeded timeout" in self.broker.log, 5 * 1.5 + 6, lambda: self.broker.log)
        ip("-n", THERE, "link", "set", "shore", "up")
        wait_until(self.broker.online, 31, lambda: self.agent.log)
        self.assertLessEqual(self.agent.log.count("broker "), 6, self.agent.log)

    def test_stops_within_3_seconds_with_the_cable_out(self):
        ip("-n", HERE, "link", "set", "boat", "down")
        self.agent.stop(3)


@unittest.skipUnless(may_make_namespaces(), "network namespaces need root")
class NoNetworkAtStart(unittest.TestCase):
    def test_starts_without_a_network_and_connects_when_there_is_one(self):
        with cable(), FarBroker() as broker:
            ip("-n", HERE, "link", "set", "boat", "down")
            ip("-n", HERE, "link", "set", "lo", "down")
            with FarAgent(broker, {"mqtt": {"host": BROKER_ADDRESS}, "gps": {"enabled": "yes"}}) as agent:
                wait_until(lambda: "Network is unreachable" in agent.log, 5, lambda: agent.log)
                self.assertTrue(agent.is_running)
                ip("-n", HERE, "link", "set", "boat", "up")
                wait_until(broker.online, 31, lambda: agent.log)


if __name__ == "__main__":
    unittest.main()
