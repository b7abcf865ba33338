# SPDX-License-Identifier: GPL-3.0-or-later
"""One guest through five boots and a power cut: python -m tests.vm.restarts.

What is kept is set at each start, what was on trial is gone, destutter=off switches all of it
off, and two starts that nobody confirmed suspend it. Says Test Anything Protocol lines, exits
with 1 when anything failed.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.vm.guest import Guest, GuestError, Job, Machine, running
from tests.vm.image import Image, ImageError, ensure_image
from tests.vm.run import INSTALLED, all_passed, project_files

TIMEOUT_S = 300
POWER_CUT = "# cut the power"
BOOTS: tuple[tuple[str, str], ...] = (
    ("start_keep", ""),
    ("start_kept", ""),
    ("start_off", "destutter=off"),
    ("start_again", ""),
    ("start_guarded", ""),
)
"""The scenarios of each boot, and what its kernel command line has besides."""
ENDS_IN_A_POWER_CUT = "start_kept"


def main() -> int:
    """Boot one guest after the other from the same disks."""
    try:
        image = ensure_image()
    except ImageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="destutter-guest-") as folder:
        outcomes = [_boot(image, Path(folder), *one) for one in BOOTS]
    return int(not all(outcomes))


def _boot(image: Image, folder: Path, module: str, argument: str) -> bool:
    script = f"#!/bin/sh\nPYTHONPATH=helper:app:. exec python3 -B -m tests.vm.inside {module}\n"
    job: Job = {"run": script.encode(), **project_files(*INSTALLED)}
    machine = Machine(arguments=(argument,), disks=("sata",))
    sys.stdout.write(f"# {module}\n")
    try:
        with running(image, machine, job, folder) as guest:
            lines = _lines(guest, module)
    except GuestError as error:
        sys.stdout.write(f"not ok - {module}\n")
        sys.stderr.write(f"{error}\n")
        return False
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return all_passed(lines) or _passed_until_the_power_cut(lines)


def _lines(guest: Guest, module: str) -> Sequence[str]:
    if module != ENDS_IN_A_POWER_CUT:
        return guest.wait(TIMEOUT_S).lines
    guest.wait_for_line(POWER_CUT, TIMEOUT_S)
    guest.cut_power()
    return guest.lines()


def _passed_until_the_power_cut(lines: Sequence[str]) -> bool:
    return POWER_CUT in lines and any(line.startswith("ok 1 ") for line in lines)


if __name__ == "__main__":
    sys.exit(main())
