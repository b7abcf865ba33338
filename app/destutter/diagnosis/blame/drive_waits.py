# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game waited for at a drive, or above it, within one stutter."""

from dataclasses import replace
from typing import TypeGuard

from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.drive_load import MOST, MUCH_BYTES
from destutter.diagnosis.shares import (
    A_GOOD_PART,
    BEYOND_USUAL,
    SLOW_SSD_MS,
    SOME_BYTES,
    SOME_WORK,
)

_SOME_FAULTS = 3  # one or two pages of a library that comes back are in many a second
QUICK_MS = 5.0  # on average in a tick; the trace calls longer ones slow (SLOW_REQUEST_NS)
_DRIVE_SHARE = 0.3  # of the wait: a drive that worked less was not what it waited for


def storage(met: Circumstances) -> Blame | None:
    """The wait for a drive; one that the kernel counts as such while no drive had work, and the
    game moved nothing, is told as a wait elsewhere.

    The kernel books as input and output what sleeps in ``io_schedule`` or waits for a ring of
    io_uring, and that may be an answer of a server.
    """
    found = _io_wait(met)
    if _is_served(met):
        waited_ms = max(seen_ms(met, "other"), found.ms if _is_sure(found) else 0.0)
        return held(met, WhereTimeWent.ELSEWHERE, waited_ms)
    in_kernel = _in_kernel(met)
    if in_kernel is not None and (found is None or found.ms < in_kernel.ms):
        return in_kernel
    named = met.seen.get("dirty") or met.seen.get("journal") or met.swap_ins
    if found is None or named:
        return found
    is_sure = _is_sure(found)
    if not _has_drive(met, found.ms):
        return replace(found, where=WhereTimeWent.ELSEWHERE) if is_sure else None
    if met.is_limited(found.ms) or met.can_be_drive(found.ms):
        return found
    return held(met, WhereTimeWent.HELD, found.ms, found.certainty) if is_sure else None


def _is_served(met: Circumstances) -> bool:
    """Whether the file that was waited for is of a program's file system (FUSE), not of a drive.

    The kernel books that as input and output as well, and a busy drive beside it is no reason.
    """
    served = sum(looks for (how, _), looks in met.holders.items() if how == "serves")
    return served > met.seen.get("io", 0)


def _is_sure(found: Blame | None) -> TypeGuard[Blame]:
    return found is not None and found.certainty > Certainty.POSSIBLE


def held(
    met: Circumstances, where: WhereTimeWent, ms: float, certainty: Certainty = Certainty.SEEN
) -> Blame:
    """A thread that the kernel keeps above the drives; that of the main thread's wait, if any."""
    thread = waiter(met)
    return Blame(where, certainty, ms, thread, is_awaited=bool(thread and met.handed_on))


def _in_kernel(met: Circumstances) -> Blame | None:
    """A thread that could not be woken while the game's own group waited for no drive at all.

    Whoever waits for a drive or is held back by a limit for one sleeps in ``io_schedule``, which
    pressure counts; who waits for a lock of the kernel or a frozen file system does not.
    """
    waited_ms = seen_ms(met, "io")
    is_most = met.share(waited_ms) >= A_GOOD_PART
    is_pressed = met.own_ms is None or met.share(met.own_ms.get("io", 0.0)) >= SOME_WORK
    return None if is_pressed or not is_most else held(met, WhereTimeWent.HELD, waited_ms)


def _has_drive(met: Circumstances, waited_ms: float) -> bool:
    """Whether a drive can be what was waited for: not known without a drive that is measured."""
    if met.drive_ms is None or met.own_bytes >= SOME_BYTES:
        return True
    return max(met.drive_ms, met.await_ms) >= _DRIVE_SHARE * waited_ms


def _io_wait(met: Circumstances) -> Blame | None:
    own = own_wait(met, WhereTimeWent.STORAGE, "io")
    # A wait for the file system's commit is in no pressure (fs/jbd2/journal.c); any other is, so
    # that a blocked thread beside an own group without pressure waits for something else.
    kinds = ("io", "dirty", "journal") if met.own_ms is None else ("journal",)
    if own is None and any(met.seen.get(kind) for kind in kinds):
        # A thread that streams all the time is found waiting whenever somebody looks.
        is_usual = met.streams and not met.main_blocked and not met.seen.get("dirty")
        is_chance = is_usual or _is_one_moment(met)
        seen = Certainty.POSSIBLE if is_chance else Certainty.SEEN
        return Blame(WhereTimeWent.STORAGE, seen, seen_ms(met, *kinds), waiter(met))
    if own is not None or met.own_ms is not None:
        return own
    lost_ms = met.lost_ms.get("io", 0.0)
    if met.share(lost_ms) < A_GOOD_PART:
        return None
    # Pages that the game itself had to wait for while somebody waited for a drive.
    if met.faults >= _SOME_FAULTS and met.swap_ins < met.faults:
        return Blame(WhereTimeWent.STORAGE, Certainty.SEEN, lost_ms)
    # Several looks that found no thread of the game blocked speak against it, but for a main
    # thread that waits for one that waits in another way than blocked, or for another process.
    is_handed_on = any(map(met.asleep.get, ("futex", "pipe", "socket")))
    is_possible = met.looks < 2 or is_handed_on
    return Blame(WhereTimeWent.STORAGE, Certainty.POSSIBLE, lost_ms) if is_possible else None


def _is_one_moment(met: Circumstances) -> bool:
    """Whether a single look found another thread waiting, and no drive took long for a request.

    A reader's wait of a millisecond is found as well as one of 60, and stood for all of a stutter.
    """
    is_single = met.looks == 1 and not met.main_blocked and not met.seen.get("dirty")
    is_quick = bool(met.drive) and 0.0 < met.await_ms < QUICK_MS
    return is_single and is_quick and not met.seen.get("journal")


def reads_itself(met: Circumstances) -> bool:
    """Whether it read much that the drive had just been asked for, and answered as usual."""
    is_much = met.own_read >= max(MUCH_BYTES, MOST * met.drive_bytes)
    is_quick = met.await_ms < (QUICK_MS if met.is_write else SLOW_SSD_MS)
    return is_much and is_quick


def own_wait(met: Circumstances, where: WhereTimeWent, resource: str) -> Blame | None:
    """The wait of the game's own group, where it is a good part of the stutter and out of the
    ordinary: a thread that streams all the time waits in every tick, and holds nobody up.
    """
    if met.own_ms is None:
        return None
    waited_ms = met.own_ms.get(resource, 0.0)
    share, usual = met.share(waited_ms), met.own_usual.get(resource, 0.0)
    if share < A_GOOD_PART:
        return None
    is_more = share - usual >= BEYOND_USUAL
    certainty = Certainty.MEASURED if is_more else Certainty.POSSIBLE
    return Blame(where, certainty, waited_ms, waiter(met))


def seen_ms(met: Circumstances, *kinds: str) -> float:
    """The part of the looks that found a thread blocked stands for that part of the time."""
    seen = max((met.seen.get(kind, 0) for kind in kinds), default=0)
    return met.duration_ms * min(seen / met.looks, 1.0) if met.looks else 0.0


def waiter(met: Circumstances) -> str:
    """The thread that was found blocked most often."""
    return max(met.waiters, key=lambda name: met.waiters[name], default="")
