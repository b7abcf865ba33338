# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a stutter was the game's own doing: its work, or a sleep that it chose."""

from dataclasses import replace

from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import (
    Work,
    is_evicted,
    is_paged,
    may_free,
    work,
)
from destutter.diagnosis.shares import A_GOOD_PART, BEYOND_USUAL, CLEARLY_MOST, SOME_WORK
from destutter.diagnosis.stutters.spikes import STUTTER_MS

_COMPUTED = 0.4  # outside the kernel, of a thread that ran for 60 % and more


def own_sleep(met: Circumstances) -> Blame | None:
    """A main thread that slept on a timer, once, waited for no worker, whoever ran meanwhile."""
    is_one = met.on_timer and met.in_one_sleep and not are_timers_late(met)
    return Blame(WhereTimeWent.TIMER, Certainty.SEEN, met.duration_ms) if is_one else None


def own_work(met: Circumstances) -> Blame | None:
    """A thread of the game that ran nearly all the time, and not for the kernel's sake.

    What it runs in the kernel is its own all the same (the pages of a fork, memory that it gave
    back and takes again) unless the kernel frees memory meanwhile.
    """
    thread, run_ms = met.runner
    if thread or met.main is None:
        run_ms = _at_most(run_ms, met)
    is_freeing = frees(met)
    is_long = met.duration_ms >= STUTTER_MS
    if is_long:
        is_freeing = is_freeing or bool(met.compactions or met.limit_hits or met.swap_ins)
    is_computing = is_long and met.share(run_ms - met.system_ms) >= _COMPUTED
    if is_paged(met) or is_evicted(met):
        run_ms -= min(met.system_ms, run_ms)
        is_much = is_long and met.share(run_ms) >= _COMPUTED
        return (
            Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, run_ms, thread) if is_much else None
        )
    if met.share(run_ms + met.held_ms) < CLEARLY_MOST or (is_freeing and not is_computing):
        return None
    if met.share(run_ms) < A_GOOD_PART:
        return None
    return Blame(
        WhereTimeWent.OWN_WORK, Certainty.MEASURED, run_ms, thread, kernel=work(met, run_ms)
    )


def _at_most(run_ms: float, met: Circumstances) -> float:
    """What of the work that counters have can be of the late frame; they have others' as well."""
    # What the limit withheld was in the late frame; work beside it may be of the one before.
    run_ms = min(run_ms, met.duration_ms - met.held_ms)
    if not met.runner[0] and met.looks:
        # Nobody runs who is found blocked; a tick has the work of other frames as well.
        run_ms = min(run_ms, met.duration_ms * (1.0 - met.main_blocked / met.looks))
    return run_ms


def frees(met: Circumstances) -> bool:
    """Whether memory was freed meanwhile, and the game may have been among those who did."""
    is_waited_for = met.share(met.lost_ms.get("memory", 0.0)) >= SOME_WORK
    return met.allocstalls > 0 or (is_waited_for and may_free(met))


def brief_work(met: Circumstances) -> Blame | None:
    """Work of a thread that was started for it and ended with it, which no list ever had.

    Only while the main thread waits for another, as far as was looked, and where the kernel does
    not free memory meanwhile: the time of a process is counted in steps of 10 ms.
    """
    is_waiting = met.handed_on >= A_GOOD_PART * met.looks
    is_freeing = frees(met)
    is_computed = met.share(met.brief_ms - met.system_ms) >= _COMPUTED
    is_own = is_computed or _is_for_itself(met)
    is_most = met.duration_ms >= STUTTER_MS and met.share(met.brief_ms) >= CLEARLY_MOST
    if not (is_waiting and is_own and is_most) or is_freeing or is_paged(met):
        return None
    run_ms = min(met.brief_ms, met.duration_ms)
    thread, place, times = met.kept
    if place != "running" or times < A_GOOD_PART * met.looks:
        thread = ""
    found = Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, run_ms, thread, is_brief=not thread)
    return found if is_computed else replace(found, kernel=Work.CALLS)


def _is_for_itself(met: Circumstances) -> bool:
    """Whether the kernel worked for calls of the game: nothing that it does for memory.

    A job that reads the clock in each turn of its loop is there for 80 % of its time, on a
    computer whose clock needs the kernel.
    """
    for_memory = met.compactions or met.limit_hits or met.swap_ins or is_evicted(met)
    return not for_memory and work(met, met.brief_ms) is Work.CALLS


def are_timers_late(met: Circumstances) -> bool:
    """Whether the wake-up probe, which asks for as short a sleep as a game, overslept as well.

    Then the game did not choose how long it slept: hosts that took 10 of 30 ms from both cores
    of a guest made the probe 30 ms late, and the main thread was found on its timer.
    """
    return met.share(met.wake_ms) >= A_GOOD_PART or met.share(met.steal_ms) >= BEYOND_USUAL
