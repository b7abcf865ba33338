# SPDX-License-Identifier: GPL-3.0-or-later
"""What else the main thread may have waited for in one stutter than what a finding says.

A main thread in a futex waits for another thread, and nothing tells for which. Where two of them
stood out at the same time, each explains the stutter alone, and neither is more than a guess.
"""

from collections.abc import Sequence

from destutter.diagnosis.blame.drive_waits import reads_itself
from destutter.diagnosis.blame.partner_blame import by_partner
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.cause_ids import SLOW_DEVICE
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Group
from destutter.diagnosis.shares import BEYOND_USUAL, CLEARLY_MOST

_QUICK_MS = (
    1.0  # what is made to be slow takes 8 ms and more; an idle solid-state drive 0.02 to 0.2
)
_ALWAYS_BUSY = 0.5  # requests in it on average
_ANSWERS = (WhereTimeWent.SOCKET, WhereTimeWent.PIPE)
_ASLEEP = ("timer", "socket", "pipe", "server")

Doubt = tuple[str, str]
"""The id of what is said of it, and the name of a thread, which is empty for none."""

_QUICK, _NO_DRIVE = "reason.quick", "reason.no_drive"
OF_DRIVES = (_QUICK, _NO_DRIVE)
"""Doubts that the drive was slow, and none that it was waited for."""


def other_reason(
    cause: str, group: Group, blames: Sequence[Blame], met: Circumstances
) -> Doubt | None:
    """What else explains a stutter that a finding of this group explains; None for nothing.

    ``blames`` are its answers, the first one first.
    """
    if not blames:
        return None
    first = blames[0]
    if group is Group.STORAGE and met.drive_ms is None and met.looks:
        return _NO_DRIVE, ""
    if cause == SLOW_DEVICE and _is_quick(first, met):
        return _QUICK, ""
    if group is Group.STORAGE and first.where in _ANSWERS:
        return "reason.asked", ""
    worked = next((each for each in blames if _is_worked_through(each, met)), None)
    if group is Group.STORAGE and worked is not None and not met.main_blocked:
        name = _name(worked.thread)
        return ("reason.worked", name) if name else ("reason.worked_untold", "")
    where = {Group.CPU: WhereTimeWent.CPU, Group.STORAGE: WhereTimeWent.STORAGE}.get(group)
    return _sleeper(first, met) if first.where is where and first.thread else None


def _is_quick(first: Blame, met: Circumstances) -> bool:
    """Whether the drive answered each request at once: then their number took the time.

    As where the pages of a game's files are thrown out of its memory and come back one by one.
    """
    load = met.loads.get(met.drive)
    if load is None or met.is_limited(first.ms) or reads_itself(met):
        return False
    # One that is seldom asked held nothing up by their number: something above it does.
    return 0.0 < load.await_ms < _QUICK_MS and load.requests >= _ALWAYS_BUSY


def _is_worked_through(answer: Blame, met: Circumstances) -> bool:
    """Whether a thread beside the main one computed all through a stutter, as it seldom does.

    A main thread that runs may wait for others; a thread with a name of its own that starts to
    run only then is given work, and the main thread waits until it is done. So is one that nobody
    follows (``is_brief``).
    """
    if answer.where is not WhereTimeWent.OWN_WORK or answer.kernel is not None:
        return False
    if not (answer.thread or answer.is_brief) or answer.certainty is not Certainty.MEASURED:
        return False
    usual = 0.0 if answer.is_brief else met.runner_usual
    share = met.share(answer.ms)
    return share - usual >= BEYOND_USUAL and share >= CLEARLY_MOST


def _sleeper(first: Blame, met: Circumstances) -> Doubt | None:
    """A thread asleep where it never is while all is well, as another one stood in a run queue or
    waited for a drive; not one that waits for a program that does so itself.
    """
    behind = by_partner(met)
    if behind is not None and behind.where is first.where:
        return None
    thread, place, times = met.kept
    is_other = bool(thread) and thread != first.thread and place in _ASLEEP
    is_found = times >= CLEARLY_MOST * met.handed_on > 0
    return ("reason.slept", _name(thread)) if is_other and is_found else None


def _name(thread: str) -> str:
    return thread.partition(" ")[2]
