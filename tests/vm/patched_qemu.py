# SPDX-License-Identifier: GPL-3.0-or-later
"""A QEMU whose NVMe drives fall asleep: Debian's source with power_states/power-states.patch.

QEMU's own have no power states. It is built with no more than our guests need, some minutes on two
processors, and kept in ``.cache/vm`` under a hash of what decides it.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.vm.image import CACHE, HERE, ImageError, own_mirror
from tests.vm.releases import BOOKWORM

PATCH = HERE / "power_states" / "power-states.patch"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
TOOLS = ("apt-get", "dpkg-source", "patch", "gcc", "meson", "ninja", "pkg-config", "flex", "bison")
LIBRARIES = ("glib-2.0", "pixman-1", "zlib")
NEEDED = (
    "dpkg-dev patch gcc meson ninja-build pkg-config flex bison libglib2.0-dev libpixman-1-dev "
    "libfdt-dev zlib1g-dev"
)
"""The Debian packages that have them."""
OPTIONS = (
    *("--target-list=x86_64-softmmu", "--meson=/usr/bin/meson", "--enable-system", "--enable-tcg"),
    *("--disable-werror", "--disable-docs", "--disable-tools"),
    *("--without-default-features", "--without-default-devices", "--with-devices-x86_64=nvme"),
)
PROGRAM = "qemu-system-x86_64"
FIRMWARE = ("/usr/share/seabios", "/usr/share/qemu")


def patched_qemu() -> Path:
    """Where it is, or will be once it is built."""
    key = hashlib.sha256(Path(__file__).read_bytes() + PATCH.read_bytes()).hexdigest()[:16]
    return CACHE / f"qemu-{key}" / "qemu"


def ensure_patched_qemu() -> None:
    """Build it when there is none yet; ``ImageError`` if that does not work."""
    qemu = patched_qemu()
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock-qemu").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two runs want it
        if not qemu.exists():
            _build(qemu)


def _build(qemu: Path) -> None:
    _check_tools()
    work = CACHE / "building-qemu"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    with (CACHE / "build-qemu.log").open("w") as log:
        _fetch(work, log.fileno())
        source = work / "source"
        with PATCH.open() as patch:
            _run(["patch", "-p1"], source, log.fileno(), patch.fileno())
        build = source / "build"
        build.mkdir()
        _run(["../configure", *OPTIONS], build, log.fileno())
        _run(["ninja", PROGRAM], build, log.fileno())
    for old in CACHE.glob("qemu-*"):
        shutil.rmtree(old)
    qemu.parent.mkdir()
    shutil.move(build / PROGRAM, qemu.parent / PROGRAM)
    firmware = " ".join(f"-L {folder}" for folder in FIRMWARE)
    qemu.write_text(f'#!/bin/sh\nexec "{qemu.parent / PROGRAM}" {firmware} "$@"\n')
    qemu.chmod(0o755)
    shutil.rmtree(work)


def _check_tools() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not missing:
        query = ["pkg-config", "--print-errors", "--exists", *LIBRARIES]
        missing = [] if subprocess.run(query, check=False).returncode == 0 else ["libraries"]
    if missing:
        raise ImageError(f"QEMU cannot be built here, {', '.join(missing)} missing: {NEEDED}")


def _fetch(work: Path, log: int) -> None:
    """Debian's source, by lists of our own: this computer's apt stays as it is."""
    lists = work / "lists"
    (lists / "partial").mkdir(parents=True)
    sources = work / "sources.list"
    sources.write_text(
        f"deb-src [signed-by={KEYS}] {own_mirror(os.environ)} {BOOKWORM.suite} main\n"
    )
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={sources}", "-o"]
    apt += ["Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={lists}"]
    apt += ["-o", "APT::Sandbox::User=root"]
    _run([*apt, "update"], work, log)
    _run([*apt, "source", "--download-only", "qemu"], work, log)
    (description,) = work.glob("qemu_*.dsc")
    _run(["dpkg-source", "--no-copy", "-x", str(description), "source"], work, log)


def _run(command: Sequence[str], folder: Path, log: int, given: int = subprocess.DEVNULL) -> None:
    done = subprocess.run(command, cwd=folder, stdin=given, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise ImageError(f"{command[0]} failed; see {CACHE / 'build-qemu.log'}")
