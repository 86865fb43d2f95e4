"""The guest's initial file system: a cpio archive in the "newc" form, built in memory."""
import io
import os
import re
import shutil
import stat
import subprocess
import tempfile


class Image:
    def __init__(self):
        self.archive, self.names, self.inode = io.BytesIO(), set(), 1

    def file(self, name, data, mode=0o644):
        self._add(name, 0o100000 | mode, data.encode() if isinstance(data, str) else data)

    def link(self, name, target):
        self._add(name, 0o120777, target.encode())

    def character_device(self, name, major, minor):
        self._add(name, 0o020600, device=(major, minor))

    def program(self, source, name=None):
        """An executable without its symbols, and every library that the loader will ask for."""
        with tempfile.NamedTemporaryFile() as stripped:
            subprocess.run(["strip", "-o", stripped.name, source], check=True)
            self.file(name or "/usr/bin/" + os.path.basename(source), _bytes(stripped.name), 0o755)
        for library in libraries(source):
            self.file(_standard_place(library), _bytes(library), 0o755)

    def finish(self):
        self._add("TRAILER!!!", 0)
        return self.archive.getvalue()

    def _add(self, name, mode, data=b"", device=(0, 0)):
        name = name.strip("/")
        if name in self.names:
            return
        if os.path.dirname(name):
            self._add(os.path.dirname(name), 0o040755)
        self.names.add(name)
        path = name.encode() + b"\0"
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(path), 0)
        self.inode += 1
        self._padded(b"070701" + b"".join(b"%08X" % field for field in fields) + path)
        self._padded(data)

    def _padded(self, data):
        self.archive.write(data)
        self.archive.write(b"\0" * (-self.archive.tell() % 4))


class Tree(Image):
    """The same in a folder that holds a system already, whose own files stay as they are."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def _add(self, name, mode, data=b"", device=(0, 0)):
        path = self.folder / name.strip("/")
        if stat.S_ISCHR(mode) or os.path.lexists(path):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if stat.S_ISLNK(mode):
            path.symlink_to(data.decode())
        else:
            path.write_bytes(data)
            path.chmod(stat.S_IMODE(mode))


def libraries(program):
    listing = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    missing = [line.strip() for line in listing.splitlines() if "not found" in line]
    if missing:
        raise RuntimeError(f"{program}: {'; '.join(missing)}")
    return re.findall(r"(?:=> )?(/\S+) \(0x", listing)


def _standard_place(library):
    """Where the guest's loader looks, wherever the host keeps the library."""
    if re.match(r"/(usr/)?lib(64)?/(x86_64-linux-gnu/)?[^/]+$", library):
        return library
    return "/usr/lib/x86_64-linux-gnu/" + os.path.basename(library)


def _bytes(path):
    with open(path, "rb") as file:
        return file.read()


def busybox():
    return _bytes(shutil.which("busybox") or "/bin/busybox")
