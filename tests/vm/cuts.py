# SPDX-License-Identifier: GPL-3.0-or-later
"""Power cuts at every step of apply, keep and undo.

One guest is cut off and started again, over and over, from the same disk. Each start first looks
at what the last cut left, then does the next thing and is cut off in the middle of it: by the
kernel itself (sysrq b) at a counted step of the helper's own writing, or by the end of QEMU after
a moment. Every value must then be stock or kept whole.

A start is the same each time until the helper's disk is mounted: it is made once, short and
without systemd, saved, and every start goes on from there, with a boot id of its own in the
helper's eyes. Nothing but that disk outlives a cut; the system's own is read-only. After many cuts
a whole start follows, of a system that has what all of them have left.
"""

import os
import subprocess
import tempfile
import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.vm.guest import DATA_DISK_BYTES, Guest, GuestError, Job, Machine, running
from tests.vm.image import HERE, Image
from tests.vm.run import Outcome

TIMEOUT_S = 300
FEW_CUTS, MANY_CUTS = 51, 102
MACHINE = Machine(cpus=1, memory_mib=1024, disks=("sata", "state"), is_lean=True)
WHOLE = replace(MACHINE, is_lean=False)
INSIDE = "PYTHONPATH=/usr/libexec/destutter:. exec python3 -B -m tests.vm.cut_inside"
PREPARE = f"""#!/bin/sh
dpkg -i packages/destutter-helper_*.deb >/dev/null
mkdir -p -m 700 /var/lib/destutter
sync
mount -o remount,ro /
{INSIDE} wait
"""
LOOK = f"#!/bin/sh\n{INSIDE} look\n"
READY, NOW, HANDED_OVER = "# ready", "# now", "handed over"
ACTIONS = ("apply", "keep", "undo")
PAUSES_S = (0.05, 0.2, 0.4, 0.8)
"""How long after its beginning QEMU is ended in every fourth cut; the others count steps."""


def run_cuts(image: Image, packages: Path, wanted: int) -> Outcome:
    """Cut the power so many times, spread evenly over the three actions and their steps."""
    lines = [f"1..{wanted + 1}"]
    with tempfile.TemporaryDirectory(prefix="destutter-guest-") as work:
        saved, folder = Path(work, "saved"), Path(work, "cuts")
        try:
            _save(image, packages, saved)
        except GuestError as error:
            return Outcome((*lines, *(f"# {line}" for line in str(error).splitlines())), False)
        _make_state_disk(folder)
        for number in range(wanted + 1):
            began = time.monotonic()
            try:
                told = _start(image, folder, saved, number, wanted)
            except GuestError as error:
                told = tuple(str(error).splitlines())
            passed = is_good_start(told)
            outcome = "ok" if passed else "not ok"
            notes = "; ".join(line.removeprefix("ok - ") for line in told)
            lines.append(f"{outcome} {number + 1} - {notes} ({time.monotonic() - began:.0f} s)")
            if not passed:
                return Outcome(tuple(lines), is_good=False)
    return Outcome(tuple(lines), is_good=True)


def is_good_start(told: Sequence[str]) -> bool:
    """Whether a start found what it should, and complained of nothing until it was cut off."""
    complaints = [line for line in told if line.startswith(("not ok", "Traceback"))]
    return any(line.startswith("ok - ") for line in told) and not complaints


def _save(image: Image, packages: Path, folder: Path) -> None:
    """Start the guest with the helper installed, to the moment before it mounts its disk."""
    folder.mkdir()
    helper = next(packages.glob("destutter-helper_*.deb"))
    job = {"run": PREPARE.encode(), f"packages/{helper.name}": helper, **_code()}
    with running(image, MACHINE, job, folder) as guest:
        guest.wait_for_line(READY, TIMEOUT_S)
        guest.save(folder / "state")


def _make_state_disk(folder: Path) -> None:
    folder.mkdir()
    disk = folder / "state.img"
    disk.touch()
    os.truncate(disk, DATA_DISK_BYTES)
    subprocess.run(["mkfs.ext4", "-q", disk], check=True)


def _start(image: Image, folder: Path, saved: Path, number: int, wanted: int) -> tuple[str, ...]:
    """One start: looks at what is there, and is cut off unless it is the last one."""
    turn, turns = number // len(ACTIONS), max(wanted // len(ACTIONS), 1)
    action = ACTIONS[number % len(ACTIONS)]
    if number == wanted:
        return _last_start(image, folder, saved, is_whole=wanted >= MANY_CUTS)
    if turn % 4 != 3:
        return _started(image, folder, saved, f"{action} --part {turn}/{turns}")
    with running(image, MACHINE, _order(f"{action} --wait"), folder, saved) as guest:
        guest.wait_for_line(NOW, TIMEOUT_S)
        time.sleep(PAUSES_S[(turn // 4) % len(PAUSES_S)])
        guest.cut_power()
        return (*_told(guest), f"{action}, QEMU ended")


def _last_start(image: Image, folder: Path, saved: Path, *, is_whole: bool) -> tuple[str, ...]:
    if not is_whole:
        return _started(image, folder, saved, "look")
    told = _started(image, folder, saved, "hand-over")
    if told != (HANDED_OVER,):
        return told
    with running(image, WHOLE, {"run": LOOK.encode(), **_code()}, folder) as guest:
        guest.wait(TIMEOUT_S)
        return _told(guest) or tuple(guest.console_tail().splitlines())


def _started(image: Image, folder: Path, saved: Path, words: str) -> tuple[str, ...]:
    with running(image, MACHINE, _order(words), folder, saved) as guest:
        guest.wait(TIMEOUT_S)
        return _told(guest) or tuple(guest.console_tail().splitlines())


def _order(words: str) -> Job:
    """What a saved guest waits for: the boot id of this start, and what to do in it."""
    return {"words": f"{uuid.uuid4()} {words}\n".encode()}


def _code() -> Job:
    return {"tests/__init__.py": b"", "tests/vm": HERE}


def _told(guest: Guest) -> tuple[str, ...]:
    return tuple(line for line in guest.lines() if not line.startswith("#"))
