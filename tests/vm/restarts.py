# SPDX-License-Identifier: GPL-3.0-or-later
"""One guest that is up, through five starts and a power cut.

What is kept is set at each start, also at a drive that comes late; what was on trial is gone;
destutter=off switches all of it off; two starts that nobody confirmed suspend it; and after an
undo the next start is stock.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.vm.booted import BOOTED, ensure_booted
from tests.vm.guest import Guest, GuestError, running
from tests.vm.image import Image
from tests.vm.run import TIMEOUT_S, Outcome, all_passed, scenario_job

POWER_CUT = "# cut the power"
STARTS: tuple[tuple[str, str], ...] = (
    ("start_keep", ""),
    ("start_kept", ""),
    ("start_off", "destutter=off"),
    ("start_again", ""),
    ("start_guarded", ""),
    ("start_stock", ""),
)
"""The scenarios of each start, and what its kernel command line has besides."""
FIRST = STARTS[0][0]
ENDS_IN_A_POWER_CUT = "start_kept"
WITHOUT_USERS = "systemd.mask=getty.target"
WITH_A_LATE_DRIVE = replace(BOOTED, disks=("sata",))
"""Every start; at the first, which goes on from a saved one, something is kept for NVMe, too."""


def run_restarts(image: Image, packages: Path) -> Outcome:
    """Boot one guest after the other from the same disks."""
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="destutter-guest-") as folder:
        for module, argument in STARTS:
            outcomes.append(_boot(image, packages, Path(folder), module, argument))
            if not outcomes[-1].is_good:
                break
    lines = tuple(line for outcome in outcomes for line in outcome.lines)
    return Outcome(lines, all(outcome.is_good for outcome in outcomes))


def _boot(image: Image, packages: Path, folder: Path, module: str, argument: str) -> Outcome:
    is_up = module == FIRST
    machine = BOOTED if is_up else replace(WITH_A_LATE_DRIVE, arguments=(WITHOUT_USERS, argument))
    saved = ensure_booted(image) if is_up else None
    job = scenario_job(packages, module, machine)
    try:
        with running(image, machine, job, folder, saved) as guest:
            lines = _lines(guest, module)
    except GuestError as error:
        said = (f"# {line}" for line in str(error).splitlines())
        return Outcome((f"not ok - {module}", *said), is_good=False)
    is_good = all_passed(lines) or _passed_until_the_power_cut(lines)
    return Outcome((f"# {module}", *lines), is_good)


def _lines(guest: Guest, module: str) -> Sequence[str]:
    if module != ENDS_IN_A_POWER_CUT:
        return guest.wait(TIMEOUT_S).lines
    guest.wait_for_line(POWER_CUT, TIMEOUT_S)
    guest.cut_power()
    return guest.lines()


def _passed_until_the_power_cut(lines: Sequence[str]) -> bool:
    """Whether the plan was told, and everything before the last scenario passed."""
    passed = [line for line in lines if line.startswith("ok ")]
    failed = [line for line in lines if line.startswith("not ok ")]
    return POWER_CUT in lines and f"1..{len(passed) + 1}" in lines and not failed
