# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that rest on the kernel's trace, and those that it refutes.

Only of stutters that the trace measured in full. What a counter of the game itself measured stands
beside it. Waits of less than 4 ms are told alone only where they follow each other at once; of all
others the trace has the sum, and nobody waited longer than that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from destutter.core.traced import (
    COMPACTION,
    CORE,
    DIRTY_PAUSE,
    MEMCG_RECLAIM,
    RECLAIM,
    REQUEST,
    SPLIT_LOCK,
    THROTTLED,
    WBT,
)
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import (
    MEMORY_KINDS,
    WaitInside,
    longest,
    together_ms,
)
from destutter.diagnosis.shares import A_GOOD_PART, CLEARLY_MOST, TRACED_PART
from destutter.diagnosis.stutters.spikes import STUTTER_MS

REALTIME = "realtime"
"""The kind of a wait for a core that a real-time thread had."""

KINDS_OF = {
    "direct_reclaim": (RECLAIM, THROTTLED),
    "memcg_reclaim": (MEMCG_RECLAIM,),
    "compaction_stall": (COMPACTION,),
    "dirty_throttling": (DIRTY_PAUSE,),
    "slow_device": (REQUEST,),
    "io_unfairness": (REQUEST,),
    "wbt_throttling": (WBT,),
    "run_queue_delay": (CORE,),
    "rt_runaway": (CORE,),
    "split_lock": (SPLIT_LOCK,),
}
"""What a thread of the game waits in, by cause, where that cause holds it up."""

CAUSE_OF = {
    RECLAIM: "direct_reclaim",
    THROTTLED: "direct_reclaim",
    MEMCG_RECLAIM: "memcg_reclaim",
    COMPACTION: "compaction_stall",
    DIRTY_PAUSE: "dirty_throttling",
    WBT: "wbt_throttling",
    REALTIME: "rt_runaway",
    SPLIT_LOCK: "split_lock",
}
"""The cause of a traced wait; of the kinds that are not here it is found as without a trace."""

_KINDS_IN = {
    WhereTimeWent.MEMORY: MEMORY_KINDS,
    WhereTimeWent.STORAGE: (REQUEST, DIRTY_PAUSE, WBT),
    WhereTimeWent.CPU: (CORE, SPLIT_LOCK),
}
_SEEN_IN = {
    "direct_reclaim": ("memory",),
    "memcg_reclaim": ("memory",),
    "compaction_stall": ("memory",),
    "dirty_throttling": ("dirty",),
    "slow_device": ("io", "journal", "dirty"),
    "io_unfairness": ("io", "journal", "dirty"),
}
_NO_REQUESTS = ("journal", "dirty")
"""What a look finds a thread waiting in that asks a drive for nothing itself."""

_SOME_FAULTS = 3.0  # pages that a thread of the game waited for (drive_waits.py)


def by_trace(met: Circumstances, where: WhereTimeWent, before: Blame | None) -> Blame | None:
    """The answer for one kind of wait: measured in the kernel, or else what it was without that.

    ``before`` is the answer without a trace. A request of the game's alone holds nobody up who
    fetches it later: it counts where a wait for a drive is possible anyhow.
    """
    if met.traced is None or (where is WhereTimeWent.CPU and met.held_ms > 0.0):
        return before  # who is held by its own limit waits behind whoever happens to run
    if before is not None and where is WhereTimeWent.STORAGE:
        before = _as_long_as_it_slept(before, met)
    waits = met.traced.of(_KINDS_IN[where])
    mine = longest(waits)
    if mine is not None and (where is not WhereTimeWent.STORAGE or _can_wait(met, before, mine)):
        # Of many workers one always stands in a run queue; what holds any of them up otherwise
        # counts as pressure does.
        waited_ms = mine.ms if where is WhereTimeWent.CPU else together_ms(waits)
        waited_ms = min(waited_ms, met.duration_ms)
        is_short = where is WhereTimeWent.CPU and met.duration_ms < STUTTER_MS
        if met.share(waited_ms) >= (CLEARLY_MOST if is_short else TRACED_PART):
            # In a run queue the main thread has no name (circumstances.py, delayed).
            is_main = where is WhereTimeWent.CPU and met.traced.is_of_main(mine)
            name = "" if is_main else f"{mine.thread.tid} {mine.thread.name}"
            certainty = Certainty.SEEN if name and _has_run(met) else Certainty.MEASURED
            return Blame(where, certainty, waited_ms, name, kind=_kind(mine))
    commit = _by_commit(met, before) if where is WhereTimeWent.STORAGE else None
    if commit is not None:
        return commit
    if before is None or before.certainty is Certainty.MEASURED:
        return before
    if before.where is not where or _is_above(where, before, met):
        return before  # kept above the drives, where nobody asks them for anything
    return None if _is_refuted_in(where, met, waits) else _no_longer(before, met)


def _is_above(where: WhereTimeWent, before: Blame, met: Circumstances) -> bool:
    """Whether a limit of its group keeps the game: of a read that waits there is no request."""
    return where is WhereTimeWent.STORAGE and met.is_limited(before.ms)


def _as_long_as_it_slept(before: Blame, met: Circumstances) -> Blame:
    """What looks have of a wait for a drive, where requests were lost and the sleeps of the main
    thread were not: one of two looks found it waiting, and half of 124 ms was not known.

    It slept so that no signal wakes it, and was found waiting for a drive whenever it did.
    """
    if met.traced is None or met.main is None or REQUEST in met.traced.told:
        return before
    if not met.main_blocked or met.main_blocked != met.seen.get("io"):
        return before
    memory_ms = together_ms(met.traced.of(MEMORY_KINDS))
    slept_ms = min(met.main.deep_ms - memory_ms, met.duration_ms)
    return replace(before, ms=max(before.ms, slept_ms))


def _has_run(met: Circumstances) -> bool:
    """Whether the main thread ran nearly all the while: who waited beside it held it up only if it
    looked for that one again and again, which cannot be told from work of its own.
    """
    thread, ran_ms = met.runner
    return not thread and met.share(ran_ms) >= CLEARLY_MOST


def _no_longer(before: Blame, met: Circumstances) -> Blame:
    """What a look or a counter says, and no longer than what the trace has in all.

    A drive without a request of the game's is not meant: who waits for a file of a server, or of a
    file system outside of the kernel, asks none.
    """
    at_most_ms = met.traced.at_most_ms(_KINDS_IN[before.where]) if met.traced else None
    return replace(before, ms=min(before.ms, at_most_ms)) if at_most_ms else before


def _by_commit(met: Circumstances, before: Blame | None) -> Blame | None:
    """A look found a thread of the game waiting for a commit, and the kernel timed that one."""
    if before is None or met.traced is None or not met.seen.get("journal"):
        return None
    inside_ms = max((each.inside_ms for each in met.traced.commits), default=0.0)
    waited_ms = min(inside_ms, met.duration_ms)
    if met.share(waited_ms) < A_GOOD_PART:
        return None
    return replace(before, certainty=Certainty.MEASURED, ms=max(before.ms, waited_ms))


def is_refuted(cause: str, met: Circumstances) -> bool:
    """Whether the trace shows that no thread of the game waited for a cause in a stutter, and no
    look at its threads found one that did.
    """
    kinds = KINDS_OF.get(cause)
    if kinds is None or met.traced is None or not met.traced.told.issuperset(kinds):
        return False
    seen = any(met.seen.get(kind) for kind in _SEEN_IN.get(cause, ()))
    is_known = not seen or met.traced.beside.intersection(kinds)
    return bool(is_known) and not met.traced.of(kinds)


def is_beside(met: Circumstances, where: WhereTimeWent) -> bool:
    """Whether threads of the game waited so, all of them without anybody who waited for them."""
    if met.traced is None:
        return False
    kinds = _KINDS_IN[where]
    return bool(met.traced.beside.intersection(kinds)) and not met.traced.of(kinds)


def is_awaited(answer: Blame, met: Circumstances) -> bool:
    """Whether an answer is of a thread for which the main thread slept, by the kernel's word."""
    if met.main is None or met.traced is None:
        return False
    tid = answer.thread.partition(" ")[0]
    return tid.isdecimal() and int(tid) in met.traced.awaited


def _can_wait(met: Circumstances, before: Blame | None, mine: WaitInside) -> bool:
    if before is not None or mine.kind in (DIRTY_PAUSE, WBT):
        return True
    # Who fetches it later sleeps so that a signal wakes it, if at all.
    if met.traced is None or met.main is None or not met.traced.is_of_main(mine):
        return False
    return met.main.deep_ms >= CLEARLY_MOST * mine.ms


def _kind(wait: WaitInside) -> str:
    return REALTIME if wait.kind == CORE and wait.is_behind_realtime else wait.kind


def _is_refuted_in(where: WhereTimeWent, met: Circumstances, waits: Sequence[WaitInside]) -> bool:
    """Whether what only fell together with a stutter did not hold the game up.

    Memory that was taken away comes back in page faults, which are in no trace.
    """
    # A kernel without a console tells of no split locks, which no counter is taken for.
    kinds = set(_KINDS_IN[where]) - {SPLIT_LOCK}
    if met.traced is None or not met.traced.told.issuperset(kinds):
        return False
    at_most_ms = None if where is WhereTimeWent.CPU else met.traced.at_most_ms(kinds)
    if at_most_ms is not None and (at_most_ms or where is WhereTimeWent.MEMORY):
        is_commit = any(met.seen.get(kind) for kind in _NO_REQUESTS)
        # A look finds who waits within memory.high as well, which no event tells; but one that
        # found a request found one of these.
        is_memory = _has_faults(met) or _is_seen(met, where)
        has_others = is_commit if where is WhereTimeWent.STORAGE else is_memory
        return met.share(at_most_ms) < A_GOOD_PART and not has_others
    if waits:
        return False
    if where is WhereTimeWent.CPU:
        return True
    return not _has_faults(met) and not met.limit_hits and not _is_seen(met, where)


def _has_faults(met: Circumstances) -> bool:
    return met.faults >= _SOME_FAULTS or bool(met.swap_ins)


def _is_seen(met: Circumstances, where: WhereTimeWent) -> bool:
    kinds: Iterable[str] = (
        ("memory",) if where is WhereTimeWent.MEMORY else ("io", "journal", "dirty")
    )
    # Whom a look found may be one that nobody waited for.
    return not is_beside(met, where) and any(met.seen.get(kind) for kind in kinds)
