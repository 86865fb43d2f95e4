"""What the package tests share: the package that was built, and fresh Debian roots to install it in.

A root is a throw-away layer over one that tools/debian-root has made, with name spaces of its own: its mounts and processes end with it.
It has the machine's network, so the system tests' broker on a loopback port can be reached from inside.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "Tests/System"))

ENVIRONMENT = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
# What apt, dpkg and the tests themselves write.
NOT_OURS = r"/(proc|sys|dev|tmp|run|var/cache|var/log|var/lib/apt|var/lib/dpkg|var/lib/systemd/deb-systemd-user-helper-enabled)(/|$)"


def package():
    packages = list((PROJECT / ".build/deb").glob("compass-mqtt_*.deb"))
    if len(packages) != 1:
        raise AssertionError(f"no package, or several, in .build/deb: make deb ({packages})")
    return packages[0]


@functools.cache
def why_no_root():
    """What keeps this machine from making roots, as in a container that may not mount; empty where nothing does."""
    if os.geteuid() != 0:
        return "a root can only be made by root"
    script = "mount -t tmpfs none /mnt && cd /mnt && mkdir lower upper work root && " \
             "mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work root"
    tried = subprocess.run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", script], capture_output=True, text=True)
    return f"no layers of file systems here: {tried.stderr.strip()}" if tried.returncode else ""


class Root:
    """A Debian of one suite, as bare as it gets."""

    def __init__(self, suite):
        if reason := why_no_root():
            raise unittest.SkipTest(reason)
        base = subprocess.run(
            [PROJECT / "tools/debian-root", suite, suite], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="compass-root-"))
        # What apt fetches is kept beside the root: the next one has it already.
        kept = pathlib.Path(base + "-apt")
        for part in ("lists", "archives"):
            (kept / part / "partial").mkdir(parents=True, exist_ok=True)
        script = f"""set -e
            mount -t tmpfs none {self.folder}
            cd {self.folder} && mkdir upper work root
            mount -t overlay none -o lowerdir={base},upperdir=upper,workdir=work root
            mount -t proc none root/proc
            mount --bind {kept}/lists root/var/lib/apt/lists
            mount --bind {kept}/archives root/var/cache/apt/archives
            for device in null zero full random urandom tty; do mknod -m 666 root/dev/$device c 1 3 2>/dev/null || :; done
            for device in null zero full random urandom; do mount --bind /dev/$device root/dev/$device; done
            cp /etc/resolv.conf root/etc/resolv.conf
            echo ready
            exec sleep infinity"""
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script], stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "ready\n":
            self.close()
            raise AssertionError(f"no root of {suite}")
        self.first = subprocess.run(
            ["pgrep", "-P", str(self.holder.pid)], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.run("apt-get update -q")

    def close(self):
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()
        self.folder.rmdir()

    def arguments(self, command):
        return ["nsenter", f"--target={self.first}", "--mount", "--pid", "chroot", f"/proc/self/root{self.folder}/root",
                "/usr/bin/env", "-i", *(f"{name}={value}" for name, value in ENVIRONMENT.items()), "sh", "-c", command]

    def run(self, command):
        """What the command wrote. An AssertionError where it fails."""
        done = subprocess.run(
            self.arguments(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def succeeds(self, command):
        return subprocess.run(self.arguments(command), stdin=subprocess.DEVNULL, capture_output=True).returncode == 0

    def bring(self, file, path):
        """Copies a file of this machine into the root."""
        with open(file, "rb") as source:
            subprocess.run(self.arguments(f"cat > {path}"), check=True, stdin=source)

    def write(self, path, text):
        subprocess.run(self.arguments(f"cat > {path}"), check=True, input=text, text=True)

    @property
    def path(self):
        """The root as this machine's programs see it."""
        return pathlib.Path(f"/proc/{self.first}/root{self.folder}/root")

    def make_disk(self, disk, size="1G"):
        """Writes all of the root as an ext4 file system, without what is mounted in it."""
        root = f"{self.folder}/root"
        with open(disk, "wb"):
            script = f"umount {root}/proc {root}/dev/* {root}/var/lib/apt/lists {root}/var/cache/apt/archives; exec mke2fs -q -t ext4 -O ^has_journal -d {root} {disk} {size}"
            subprocess.run(["nsenter", f"--target={self.first}", "--mount", "sh", "-c", script], check=True, capture_output=True)

    def files(self):
        names = self.run("find / -xdev").splitlines()
        return {name for name in names if not re.match(NOT_OURS, name)}


def altered(package, folder, version, edit):
    """The same package with another version and config: `edit` maps the config's text."""
    tree = pathlib.Path(folder) / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.M))
    config = tree / "etc/compass-mqtt.conf"
    config.write_text(edit(config.read_text()))
    result = pathlib.Path(folder) / f"compass-mqtt_{version}.deb"
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "--build", tree, result], check=True, stdout=subprocess.DEVNULL)
    return result
