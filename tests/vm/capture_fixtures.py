# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the captured trees of tests/data/roots anew.

python -m tests.vm.capture_fixtures [NAME ...]; each tree is what ``destutter capture`` of this
checkout writes as root inside a guest.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.vm.guest import GuestError, Machine, boot
from tests.vm.image import Image, ImageError, ensure_image
from tests.vm.run import CHECKOUT, project_files

TARGET = CHECKOUT / "tests" / "data" / "roots"
TIMEOUT_S = 300
SCRIPT = """#!/bin/sh -eu
export PYTHONPATH=helper:app:.
{prepare}
python3 -B -m destutter capture {options} --out out/capture.tar.gz
"""
# Disks appear in /proc/diskstats whether or not anything was ever read from them.
USE_DISKS = (
    "for d in nvme0n1 sda vdc; do dd if=/dev/$d of=/dev/null bs=1M count=8; done 2>/dev/null"
)
LOAD = """
modprobe zram
echo 768M >/sys/block/zram0/disksize
mkswap -q /dev/zram0
swapon -p 100 /dev/zram0
mkfifo ready
python3 -B -m tests.vm.load /dev/nvme0n1 /dev/sda >ready &
game=$!
read -r word <ready
sleep 5
"""


@dataclass(frozen=True)
class Fixture:
    """A machine, and what is done on it before its files are read."""

    machine: Machine
    prepare: str = USE_DISKS
    options: str = ""


FIXTURES = {
    "debian12-guest": Fixture(Machine()),
    "debian12-psi-off": Fixture(Machine(arguments=("psi=0",))),
    "debian12-one-cpu-small": Fixture(Machine(cpus=1, memory_mib=1024)),
    "debian12-under-load": Fixture(Machine(memory_mib=1024), LOAD, "--pid $game"),
    "debian12-backports-two-nodes": Fixture(Machine("6.12.", cpus=4, numa_nodes=2)),
}


def main(names: Sequence[str]) -> int:
    """Make the named trees, or all; 2 for a name that does not exist."""
    unknown = [name for name in names if name not in FIXTURES]
    if unknown:
        sys.stderr.write(f"no such tree: {', '.join(unknown)} (of {', '.join(FIXTURES)})\n")
        return 2
    try:
        image = ensure_image()
        for name in names or FIXTURES:
            data = _capture(image, FIXTURES[name])
            (TARGET / f"{name}.tar.gz").write_bytes(data)
            sys.stdout.write(f"{name}: {len(data)} bytes\n")
    except (ImageError, GuestError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _capture(image: Image, fixture: Fixture) -> bytes:
    script = SCRIPT.format(prepare=fixture.prepare, options=fixture.options)
    job: dict[str, bytes | Path] = {"run": script.encode(), **project_files()}
    result = boot(image, fixture.machine, job, TIMEOUT_S)
    if result.exit_status != 0 or "capture.tar.gz" not in result.files:
        said = "\n".join(result.lines)
        raise GuestError(f"nothing was captured (status {result.exit_status}):\n{said}")
    return result.files["capture.tar.gz"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
