# SPDX-License-Identifier: GPL-3.0-or-later
"""A guest that is up already: one boot, from which every run of that computer begins.

To boot takes an emulated processor a minute, and is the subject of `restarts` and `cuts` alone.
The state of the computer is saved when systemd has nothing left to do and both users are logged
in, beside its disk; a run goes on from there on disks of its own. QEMU cannot save the state of
an NVMe drive, so that comes later, by plugging it in.
"""

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.vm.guest import DISK_FILE, Machine, command_line, running
from tests.vm.image import Image

BOOTED = Machine(cpus=1, memory_mib=3072, disks=("sata", "virtio"), unplugged=("nvme",))
"""The computer that is saved."""
UP = "# up"
TIMEOUT_S = 600
WAIT = f"""#!/bin/sh
# Waits until all is up; once that is saved, goes on with the job that the disk then has.
disk=/dev/disk/by-id/virtio-exchange
first() {{ dd if=$disk iflag=direct bs=4096 count=1 2>/dev/null | cksum; }}
before=$(first)
systemctl is-system-running --wait >/dev/null
both() {{ [ -S /run/user/1000/session-tty1 ] && loginctl list-sessions | grep -q tty2; }}
until both; do sleep 0.2; done
find . -mindepth 1 -not -name out -delete
sync
echo "{UP}"
while [ "$(first)" = "$before" ]; do sleep 0.2; done
blockdev --flushbufs $disk
tar --warning=no-timestamp -xf $disk
exec ./run
"""


def ensure_booted(image: Image) -> Path:
    """The folder with the saved state and its disk, made first when anything of it has changed."""
    folder = image.folder / f"booted-{_inputs_key()}"
    if not folder.exists():
        for old in image.folder.glob("booted-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=image.folder) as work:
            with running(image, BOOTED, {"run": WAIT.encode()}, Path(work)) as guest:
                guest.wait_for_line(UP, TIMEOUT_S)
                guest.save(Path(work, "state"))
            _keep(Path(work), folder)
    return folder


def _keep(work: Path, folder: Path) -> None:
    kept = work / "kept"
    kept.mkdir()
    for name in ("state", DISK_FILE):
        (work / name).rename(kept / name)
    kept.rename(folder)


def _inputs_key() -> str:
    """A hash of what decides the state beside the image: our code and QEMU's version."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    command = command_line(Image(Path("image"), (BOOTED.kernel,)), BOOTED, Path("guest"))
    digest.update("\0".join(command).encode())
    digest.update(subprocess.check_output(["qemu-system-x86_64", "--version"]))
    return digest.hexdigest()[:16]
