"""Boots the guest and runs commands in it.

The guest's network is QEMU's user mode: 10.0.2.2 is the host's loopback. Commands go through a virtio-serial port and run as
root with /bin/sh (busybox); `plug`, `unplug`, `sim`, `iio-dump` and `iio-trig` are explained in guest/.
"""
import base64
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from . import kernel
from .chips import ADDRESSES, CHIPS, HID_MODULES
from .image import Image, busybox

I2C_TOOLS = ("i2cget", "i2cset")
FIRST_MODULES = ("virtio_pci", "virtio_net", "virtio_console", "i2c-dev", "i2c-stub")
BUFFER_MODULES = ("industrialio-triggered-buffer", "kfifo_buf", "configfs")
DISK_MODULES = ("virtio_blk", "ext4", "crc32c_generic")
BOOT_LIMIT = 120
DISK_BOOT_LIMIT = 600
KVM_BOOT_LIMIT = 15
HOST = "10.0.2.2"

USERS = """root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/:/bin/sh
compass-mqtt:x:990:990::/:/bin/sh
"""
GROUPS = """root:x:0:
nogroup:x:65534:
compass-mqtt:x:990:
"""


class GuestError(Exception):
    """A command failed in the guest, or the guest itself."""


class Machine:
    """`disk` is an ext4 image with a system on it that is booted, has what `furnish` adds, and starts /usr/bin/serve; without one
    the guest is bare."""

    def __init__(self, programs=(), disk=None):
        self.disk = disk
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="compass-kernel", dir="/tmp"))     # socket paths are short
        self.process = self.control = None
        try:
            version = kernel.release()
            self.kernel = kernel.folder(version)
            self.image = self.folder / "initrd"
            image = Image()
            furnish(image, self.kernel, version, programs, DISK_MODULES if disk else ())
            self.image.write_bytes(image.finish())
            self._boot_with_what_works()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def run(self, command, timeout=60):
        """What the command wrote to both its outputs. Raises GuestError where it fails."""
        status, output = self.try_run(command, timeout)
        if status:
            raise GuestError(f"{command}: status {status}: {output}")
        return output

    def try_run(self, command, timeout=60):
        """Exit status and output."""
        try:
            self.control.settimeout(timeout)
            self.control.sendall(base64.b64encode(command.encode()) + b"\n")
            status, output = self._reply().split(b" ")
        except (OSError, ValueError) as error:
            raise GuestError(f"{command}: {error or 'no answer'}: {self.console()[-2000:]}") from error
        return int(status), base64.b64decode(output).decode(errors="replace")

    def write(self, path, text):
        self.run(f"base64 -d > {path} <<'END'\n{base64.b64encode(text.encode()).decode()}\nEND")

    def start(self, command, log):
        """Starts a command in the background; gives its process id."""
        return int(self.run(f"setsid {command} </dev/null >{log} 2>&1 3>&- & echo $!"))

    def console(self):
        try:
            return (self.folder / "console").read_text(errors="replace")
        except OSError:
            return ""

    def close(self):
        if self.control:
            self.control.close()
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = self.control = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _reply(self):
        while b"\n" not in self.received:
            data = self.control.recv(65536)
            if not data:
                raise OSError("the guest is gone")
            self.received += data
        line, self.received = self.received.split(b"\n", 1)
        return line

    def _boot_with_what_works(self):
        """/dev/kvm may be there and still not run a kernel (machines in machines): tried once and remembered."""
        limit = DISK_BOOT_LIMIT if self.disk else BOOT_LIMIT
        remembered = kernel.CACHE / "kvm"
        if not os.access("/dev/kvm", os.R_OK | os.W_OK) or (remembered.exists() and remembered.read_text() == "no"):
            return self._boot("tcg", limit)
        try:
            self._boot("kvm", KVM_BOOT_LIMIT)
            remembered.write_text("yes")
        except GuestError:
            remembered.write_text("no")
            self._boot("tcg", limit)

    def _boot(self, accelerator, limit):
        started = time.monotonic()
        path = self.folder / f"control-{accelerator}"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(1)
            listener.settimeout(limit)
            with open(self.folder / "qemu", "wb") as log:
                self.process = subprocess.Popen(self._qemu(accelerator, path), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.received = b""
            try:
                self.control, _ = listener.accept()
                self.control.settimeout(limit)
                self.ready = self._reply()
            except OSError as error:
                self.process.kill()
                self.process.wait()
                raise GuestError(f"the guest did not start with {accelerator}: {error}: "
                                 f"{(self.folder / 'qemu').read_text()}{self.console()[-3000:]}") from error
        self.boot_seconds = time.monotonic() - started

    def _qemu(self, accelerator, control):
        unpacked = self.kernel / "vmlinux"
        return [
            "setpriv", "--pdeathsig", "KILL",       # ends with this program, however that ends
            "qemu-system-x86_64", "-M", "q35,hpet=off", "-accel", accelerator, "-cpu", "max", "-smp", "2", "-m", "768",
            "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-monitor", "none",
            "-serial", f"file:{self.folder}/console", "-initrd", self.image,
            "-kernel", unpacked if unpacked.exists() else self.kernel / "vmlinuz",
            "-append", "console=ttyS0 panic=-1 quiet loglevel=4 tsc=reliable no_timer_check net.ifnames=0",
            *(["-drive", f"file={self.disk},if=virtio,format=raw"] if self.disk else []),
            "-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile=",
            "-device", "virtio-serial-pci", "-chardev", f"socket,id=control,path={control},server=off",
            "-device", "virtserialport,chardev=control,name=control"]


def furnish(image, kernel_folder, version, programs=(), more_modules=()):
    """Puts into an image all that the guest is made of."""
    modules = kernel.Modules(kernel_folder, kernel.triggers(version).glob("*.ko"))
    image.character_device("/dev/console", 5, 1)
    image.character_device("/dev/null", 1, 3)
    image.file("/bin/busybox", busybox(), 0o755)
    image.link("/bin/sh", "busybox")
    image.file("/init", (kernel.GUEST / "init").read_bytes(), 0o755)
    image.file("/etc/passwd", USERS)
    image.file("/etc/group", GROUPS)
    image.file("/etc/addresses", ",".join(map(hex, ADDRESSES)))
    add_modules(image, modules, more_modules)
    for script in ("serve", "plug", "unplug", "iio-dump", "iio-trig"):
        image.file("/usr/bin/" + script, (kernel.GUEST / script).read_bytes(), 0o755)
    tools = [shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin") for tool in I2C_TOOLS]
    for program in [*kernel.guest_programs().iterdir(), *filter(None, tools), *programs]:
        image.program(program)


def add_modules(image, modules, more):
    order = modules.in_order((*FIRST_MODULES, *more, *BUFFER_MODULES, *kernel.TRIGGER_MODULES))
    image.file("/etc/modules", "\n".join(order) + "\n")
    image.file("/etc/chips/hid/modules", "\n".join(modules.in_order(HID_MODULES)) + "\n")
    for chip in CHIPS.values():
        image.file(f"/etc/chips/{chip.name}/modules", "\n".join(modules.in_order([chip.module])) + "\n")
        image.file(f"/etc/chips/{chip.name}/address", f"0x{chip.address:02x}\n")
        image.file(f"/etc/chips/{chip.name}/registers", chip.description())
    for name, content in modules.contents.items():
        image.file(f"/lib/modules/{name}.ko", content)
