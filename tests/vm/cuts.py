# SPDX-License-Identifier: GPL-3.0-or-later
"""Power cuts at every step of apply, keep and undo.

One guest is cut off and started again, over and over, from the same disk. Each start first looks
at what the last cut left, then does the next thing and is cut off in the middle of it: by the
kernel itself (sysrq b) at a counted step of the helper's own writing, or by the end of QEMU after
a moment. Every value must then be stock or kept whole. These starts are short ones without
systemd; the last, after many cuts, is a whole one, on the disk that all of them have left.
"""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tests.vm.guest import Guest, GuestError, Job, Machine, running
from tests.vm.image import HERE, Image
from tests.vm.run import Outcome

TIMEOUT_S = 300
FEW_CUTS, MANY_CUTS = 9, 60
MACHINE = Machine(cpus=1, memory_mib=1024, disks=("sata",), is_lean=True)
WHOLE = replace(MACHINE, is_lean=False)
SCRIPT = """#!/bin/sh
helper=/usr/libexec/destutter/destutter-helper
[ -e $helper ] || dpkg -i packages/destutter-helper_*.deb >/dev/null
PYTHONPATH=/usr/libexec/destutter:. exec python3 -B -m tests.vm.cut_inside {arguments}
"""
ACTIONS = ("apply", "keep", "undo")
PAUSES_S = (0.05, 0.2, 0.4, 0.8)
"""How long after its beginning QEMU is ended in every fourth cut; the others count steps."""


def run_cuts(image: Image, packages: Path, wanted: int) -> Outcome:
    """Cut the power so many times, spread evenly over the three actions and their steps."""
    lines = [f"1..{wanted + 1}"]
    is_good = True
    with tempfile.TemporaryDirectory(prefix="destutter-guest-") as folder:
        for number in range(wanted + 1):
            began = time.monotonic()
            try:
                told = _start(image, packages, Path(folder), number, wanted)
            except GuestError as error:
                told = tuple(str(error).splitlines())
            passed = any(line.startswith("ok") for line in told)
            is_good = is_good and passed
            outcome = "ok" if passed else "not ok"
            notes = "; ".join(line.removeprefix("ok - ") for line in told)
            lines.append(f"{outcome} {number + 1} - {notes} ({time.monotonic() - began:.0f} s)")
            if not passed:
                break
    return Outcome(tuple(lines), is_good)


def _start(
    image: Image, packages: Path, folder: Path, number: int, wanted: int
) -> tuple[str, ...]:
    """One start: looks at what is there, and is cut off unless it is the last one."""
    action = ACTIONS[number % len(ACTIONS)]
    turn = number // len(ACTIONS)
    turns = max(wanted // len(ACTIONS), 1)
    is_timed = turn % 4 == 1
    if number == wanted:
        arguments = "look"
    elif is_timed:
        arguments = f"{action} --wait"
    else:
        arguments = f"{action} --part {turn}/{turns}"
    helper = next(packages.glob("destutter-helper_*.deb"))
    script = SCRIPT.format(arguments=arguments).encode()
    job: Job = {
        "run": script,
        f"packages/{helper.name}": helper,
        "tests/__init__.py": b"",
        "tests/vm": HERE,
    }
    machine = WHOLE if number == wanted >= MANY_CUTS else MACHINE
    with running(image, machine, job, folder) as guest:
        if number < wanted and is_timed:
            guest.wait_for_line("# now", TIMEOUT_S)
            time.sleep(PAUSES_S[(turn // 4) % len(PAUSES_S)])
            guest.cut_power()
            return (*_told(guest), f"{action}, QEMU ended")
        guest.wait(TIMEOUT_S)
        return _told(guest) or tuple(guest.console_tail().splitlines())


def _told(guest: Guest) -> tuple[str, ...]:
    return tuple(line for line in guest.lines() if not line.startswith("#"))
