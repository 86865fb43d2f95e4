"""An unmodified Debian kernel with its modules, fetched with apt into a cache; nothing is installed.

Debian does not build the IIO software triggers (hrtimer, sysfs), which a buffer without an interrupt line needs. They are
built from Debian's own kernel source.
"""
import glob
import hashlib
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

GUEST = pathlib.Path(__file__).parent / "guest"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "compass-mqtt" / "kernel"
TRIGGER_SOURCES = ("trigger/iio-trig-hrtimer.c", "trigger/iio-trig-sysfs.c", "industrialio-configfs.c", "industrialio-sw-trigger.c")
TRIGGER_MODULES = ("iio_trig_hrtimer", "iio_trig_sysfs")


def output_of(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {(result.stdout + result.stderr)[-2000:]}")
    return result.stdout


def fetch(package, folder):
    """Downloads a package and unpacks it."""
    with tempfile.TemporaryDirectory() as download:
        output_of("apt-get", "-q", "download", package, cwd=download)
        output_of("dpkg-deb", "-x", glob.glob(download + "/*.deb")[0], folder)


def made_once(name, make):
    """The folder `name` of the cache, filled by make(folder) where it is not there; whole or not at all."""
    folder = CACHE / name
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        new = pathlib.Path(tempfile.mkdtemp(prefix=name + ".", dir=CACHE))
        try:
            make(new)
            new.rename(folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return folder


def release():
    """The kernel in the cache, else the one that Debian's meta package names today."""
    cached = sorted(CACHE.glob("linux-*-amd64"), key=os.path.getmtime)
    if cached:
        return cached[-1].name.removeprefix("linux-")
    match = re.search(r"Depends: linux-image-(\S+-amd64)", output_of("apt-cache", "depends", "linux-image-amd64"))
    if not match:
        raise RuntimeError("apt knows no linux-image-amd64: apt-get update")
    return match.group(1)


def folder(version):
    """`vmlinuz`, `vmlinux` where it can be unpacked, and `modules`."""
    def make(into):
        print(f"fetching Debian's kernel {version}", file=sys.stderr)
        fetch("linux-image-" + version, into / "x")
        os.rename(into / f"x/boot/vmlinuz-{version}", into / "vmlinuz")
        modules = next(path for path in (into / "x/usr/lib/modules", into / "x/lib/modules") if path.is_dir())
        os.rename(modules / version, into / "modules")
        shutil.rmtree(into / "x")
        unpack_kernel(into)
    return made_once("linux-" + version, make)


def unpack_kernel(into):
    """Booting the uncompressed kernel saves the seconds that unpacking takes under emulation."""
    packed = (into / "vmlinuz").read_bytes()
    start = packed.find(b"\xfd7zXZ\0")
    if start < 0:
        return
    try:
        kernel = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(packed[start:])
    except lzma.LZMAError:
        return
    if kernel.startswith(b"\x7fELF"):
        (into / "vmlinux").write_bytes(kernel)


def triggers(version):
    def make(into):
        print(f"building the IIO software triggers for {version}", file=sys.stderr)
        headers, source = "linux-headers-" + version, "linux-source-" + re.match(r"\d+\.\d+", version).group()
        packages = into / "packages"
        for package in (headers, source, *build_packages(headers, version)):
            fetch(package, packages)
        build = into / "build"
        unpack_trigger_sources(next((packages / "usr/src").glob("linux-source-*.tar.*")), build)
        makefile = packages / "usr/src" / headers / "Makefile"
        makefile.write_text(makefile.read_text().replace("/usr/src/", f"{packages}/usr/src/"))
        output_of("make", "-C", makefile.parent, f"M={build}", "modules")
        for module in build.glob("*.ko"):
            output_of("strip", "-g", module)
            shutil.move(module, into)
        shutil.rmtree(packages)
        shutil.rmtree(build)
    return made_once("triggers-" + version, make)


def build_packages(headers, version):
    named = re.findall(r"(linux-\S+)", output_of("apt-cache", "depends", "--no-recommends", "--no-suggests", headers))
    wanted = ("linux-headers-" + version.removesuffix("-amd64"), "linux-kbuild", "linux-compiler")
    return [name for name in named if name != headers and name.startswith(wanted)]


def unpack_trigger_sources(archive, build):
    build.mkdir()
    top = archive.name.split(".tar")[0]
    members = [f"{top}/drivers/iio/{source}" for source in TRIGGER_SOURCES]
    output_of("tar", "-xf", archive, "-C", build, "--strip-components=3", *members)
    for source in TRIGGER_SOURCES:
        if "/" in source:
            shutil.move(build / source, build)
    objects = (os.path.basename(source)[:-2] + ".o" for source in TRIGGER_SOURCES)
    (build / "Kbuild").write_text("obj-m := " + " ".join(objects) + "\n")


def guest_programs():
    """The folder with the programs of `guest/`, compiled without need of a library."""
    sources = sorted(GUEST.glob("*.c"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]

    def make(into):
        for source in sources:
            output_of("cc", "-O2", "-Wall", "-Werror", "-static", "-o", into / source.stem, source, "-lm")
    return made_once("programs-" + digest, make)


class Modules:
    """The modules of a kernel, in the order in which they must be loaded."""

    def __init__(self, kernel_folder, more=()):
        paths = [*(kernel_folder / "modules").rglob("*.ko*"), *more]
        self.paths = {module_name(path.name.split(".ko")[0]): path for path in paths}
        builtin = kernel_folder / "modules/modules.builtin"
        self.builtin = {module_name(pathlib.Path(line).stem) for line in builtin.read_text().splitlines()}
        self.contents = {}

    def in_order(self, names):
        """The named modules after all that they depend on."""
        order = []
        for name in map(module_name, names):
            if name in self.builtin or name in order:
                continue
            found = re.search(rb"\0depends=([^\0]*)\0", self._content(name))
            needed = found.group(1).decode().split(",") if found and found.group(1) else []
            order += [other for other in [*self.in_order(needed), name] if other not in order]
        return order

    def _content(self, name):
        if name not in self.contents:
            if name not in self.paths:
                raise RuntimeError(f"the kernel has no module {name}")
            data = self.paths[name].read_bytes()
            self.contents[name] = lzma.decompress(data) if self.paths[name].suffix == ".xz" else data
        return self.contents[name]


def module_name(name):
    return name.replace("-", "_")
