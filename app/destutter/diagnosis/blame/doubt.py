# SPDX-License-Identifier: GPL-3.0-or-later
"""What else the main thread may have waited for in one stutter than what a finding says.

A main thread in a futex waits for another thread, and nothing tells for which. Where two of them
stood out at the same time, each explains the stutter alone, and neither is more than a guess.
"""

from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Group
from destutter.diagnosis.shares import BEYOND_USUAL, NEARLY_ALL

_SLOW = "slow_device"
_QUICK_MS = (
    1.0  # what is made to be slow takes 8 ms and more; an idle solid-state drive 0.02 to 0.2
)
_ALWAYS_BUSY = 0.5  # requests in it on average
_ANSWERS = (WhereTimeWent.SOCKET, WhereTimeWent.PIPE)
_ASLEEP = ("timer", "socket", "pipe", "server")

Doubt = tuple[str, str]
"""The id of what is said of it, and the name of a thread, which is empty for none."""


def other_reason(
    cause: str, group: Group, first: Blame | None, met: Circumstances
) -> Doubt | None:
    """What else explains a stutter that a finding of this group explains; None for nothing.

    ``first`` is the first answer.
    """
    if first is None:
        return None
    if cause == _SLOW and _is_quick(first, met):
        return "reason.quick", ""
    if group is Group.STORAGE and first.where in _ANSWERS:
        return "reason.asked", ""
    if group is Group.STORAGE and _is_worked_through(first, met):
        return "reason.worked", _name(first.thread)
    if group is Group.CPU and first.where is WhereTimeWent.CPU and first.thread:
        return _sleeper(first, met)
    return None


def _is_quick(first: Blame, met: Circumstances) -> bool:
    """Whether the drive answered each request at once: then their number took the time.

    As where the pages of a game's files are thrown out of its memory and come back one by one.
    """
    load = met.loads.get(met.drive)
    if load is None or met.is_limited(first.ms):
        return False
    # One that is seldom asked held nothing up by their number: something above it does.
    return 0.0 < load.await_ms < _QUICK_MS and load.requests >= _ALWAYS_BUSY


def _is_worked_through(first: Blame, met: Circumstances) -> bool:
    """Whether a thread beside the main one computed all through a stutter, as it seldom does.

    A main thread that runs may wait for others; a thread with a name of its own that starts to
    run only then is given work, and the main thread waits until it is done.
    """
    if first.where is not WhereTimeWent.OWN_WORK or not first.thread or first.kernel is not None:
        return False
    is_beyond = met.share(first.ms) - met.runner_usual >= BEYOND_USUAL
    is_measured = first.certainty is Certainty.MEASURED
    return is_measured and is_beyond and met.share(first.ms) >= NEARLY_ALL


def _sleeper(first: Blame, met: Circumstances) -> Doubt | None:
    """A thread asleep where it never is while all is well, as another one stood in a run queue."""
    thread, place, times = met.kept
    is_other = bool(thread) and thread != first.thread and place in _ASLEEP
    is_found = times >= NEARLY_ALL * met.handed_on > 0
    return ("reason.slept", _name(thread)) if is_other and is_found else None


def _name(thread: str) -> str:
    return thread.partition(" ")[2]
