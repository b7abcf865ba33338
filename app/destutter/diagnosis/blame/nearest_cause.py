# SPDX-License-Identifier: GPL-3.0-or-later
"""The cause that comes nearest to what the game waited for within one stutter."""

from destutter.diagnosis.blame.blame import AT_LIMIT_PER_S, GROUP_OF, Blame, WhereTimeWent
from destutter.diagnosis.blame.card_blame import SATURATED, by_card
from destutter.diagnosis.blame.partner_blame import with_partner
from destutter.diagnosis.blame.traced_blame import CAUSE_OF
from destutter.diagnosis.cause_ids import (
    CPU_STEAL,
    DIRECT_RECLAIM,
    FILESYSTEM_COMMIT,
    IO_UNFAIRNESS,
    OWN_MEMORY,
    RUN_QUEUE_DELAY,
    SLOW_DEVICE,
    SWAP_THRASH,
)
from destutter.diagnosis.causes.graphics import is_compiler
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import is_evicted, is_paged
from destutter.diagnosis.shares import (
    LIMIT_HITS_PER_S,
    OTHER_BYTES_PER_S,
    SOME_SWAP_INS,
    TIMES_THE_GAME,
)

DROPPED = "dropped_caches"

_GOOD_PART = 0.3  # of the stutter: less made it longer and did not make it
_LITTLE = 0.5  # of a wait: a host that took less made it longer and did not make it
_SLOW_REQUEST_MS = 25.0  # a hard disk that is awake turns and seeks in 8 to 15 ms


def nearest_cause(blame: Blame, met: Circumstances) -> str | None:
    """The cause that comes nearest to a wait; None for what is no cause of the computer's."""
    if blame.kind in CAUSE_OF and blame.where in GROUP_OF:
        return CAUSE_OF[blame.kind]
    if blame.where is WhereTimeWent.STORAGE:
        return _of_storage(with_partner(blame, met), blame.ms)
    if blame.where is WhereTimeWent.MEMORY:
        return _of_memory(met)
    if blame.where is WhereTimeWent.GPU:
        return SATURATED if by_card(met) is not None else None
    if blame.where in (WhereTimeWent.OWN_WORK, WhereTimeWent.OWN_CROWD) and is_compiler(
        blame.thread
    ):
        return "shader_compilation"
    return _of_cpu(blame, met) if blame.where is WhereTimeWent.CPU else None


def _of_storage(met: Circumstances, waited_ms: float) -> str:
    if is_swap(met):
        return OWN_MEMORY if _is_own_memory(met) else SWAP_THRASH
    if met.limit_hits >= AT_LIMIT_PER_S and met.faults:
        return OWN_MEMORY  # what its own limit dropped has to come again
    if met.seen.get("dirty", 0) > max(met.seen.get("io", 0), met.seen.get("journal", 0)):
        return "dirty_throttling"
    if met.is_limited(waited_ms):
        return SLOW_DEVICE
    others = met.others_bytes
    seconds = max(met.duration_ms / 1e3, 0.1)
    own = met.drive_bytes - others
    is_much = others >= max(TIMES_THE_GAME * own, OTHER_BYTES_PER_S * seconds)
    if is_much and met.is_crowded(waited_ms):
        return IO_UNFAIRNESS
    is_reading = not (met.is_write or met.seen.get("journal") or met.seen.get("dirty"))
    if is_evicted(met) and met.limit_nearby >= LIMIT_HITS_PER_S:
        return OWN_MEMORY  # the same, when the limit is reached no more
    if is_evicted(met) or (met.dropped and is_reading):
        return DROPPED
    if met.seen.get("journal", 0) > met.seen.get("io", 0) and not commits_slowly(met):
        return FILESYSTEM_COMMIT
    return SLOW_DEVICE


def commits_slowly(met: Circumstances) -> bool:
    """Whether a commit took long because the drive did for each of its few requests.

    Otherwise it took long because there was much to write, or others had as much.
    """
    return met.request_ms >= _SLOW_REQUEST_MS


def _of_memory(met: Circumstances) -> str:
    if _is_own_memory(met):
        return OWN_MEMORY
    if is_swap(met) or is_paged(met):
        return SWAP_THRASH
    if met.compactions and met.compactions >= met.allocstalls:
        return "compaction_stall"
    if met.allocstalls or met.reclaimed:
        return DIRECT_RECLAIM
    # Neither freed by the game nor brought back from swap: what was dropped had to come again.
    return SLOW_DEVICE if met.faults else "kswapd_overwhelmed"


def _is_own_memory(met: Circumstances) -> bool:
    return met.limit_hits >= LIMIT_HITS_PER_S and not is_short_everywhere(met)


def is_short_everywhere(met: Circumstances) -> bool:
    """Whether programs freed memory for the whole computer as often as for the game's limit.

    No larger limit makes the game's memory stay then.
    """
    return met.allocstalls > 0 and met.allocstalls >= met.limit_hits


def is_swap(met: Circumstances) -> bool:
    """Whether pages that the game had to wait for came from swap."""
    return met.swap_ins >= SOME_SWAP_INS and met.faults > 0


def _of_cpu(blame: Blame, met: Circumstances) -> str:
    is_limited = met.held_ms >= blame.ms
    if met.share(met.realtime[1]) >= _GOOD_PART and not is_limited:
        return "rt_runaway"
    return CPU_STEAL if not is_limited and may_be_stolen(blame, met) else RUN_QUEUE_DELAY


def may_be_stolen(blame: Blame | None, met: Circumstances) -> bool:
    """Whether the host of a virtual machine took enough to be the reason beside an answer.

    The time in a run queue goes on while the host has the core, and belongs to whoever had more of
    it. What a thread waited for in another way it did not wait for the host. The kernel may count
    what was taken as work (without PARAVIRT_TIME_ACCOUNTING), so that any good part counts there.
    """
    is_wait = blame is not None and blame.where in GROUP_OF
    least_ms = _LITTLE * blame.ms if blame is not None and is_wait else 0.0
    return met.share(met.steal_ms) >= _GOOD_PART and met.steal_ms >= least_ms
