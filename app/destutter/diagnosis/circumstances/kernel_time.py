# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel worked for within the game's own time, as far as that is known.

A thread in a page fault, in ``munmap`` or in ``fork`` runs, and no wait of it is counted anywhere.
Yet that is no computing, and not always the game's own doing: a page that somebody paged out
(MADV_PAGEOUT, ``memory.reclaim``, full memory) comes back by a fault of the game. As long as it is
still in the swap cache that is a minor fault, without a drive, pressure or a page swapped in
(``do_swap_page`` in mm/memory.c); out of zswap it is a major one, but no page swapped in either.
What tells them from faults on fresh memory is the swap of the game itself, which moves.
"""

from enum import StrEnum

from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.shares import A_GOOD_PART, CLEARLY_MOST, LIMIT_HITS_PER_S, SOME_WORK
from destutter.diagnosis.stutters.spikes import STUTTER_MS

# Who frees memory is in the kernel: 46 to 95 % of a stutter in the middle half, less among a crowd
# that does the same, but then for 84 % and more of all that it runs. Else a game is there for less
# than 13 % of 19 stutters in 20.
_OF_KERNEL = 0.4
_ALL_KERNEL = 0.7
_PAGE = 4096.0
SOME_SWAPPED = 1024.0 * 1024.0
"""Bytes of the game's own swap: fewer are pages that rested, and nobody has to wait for them."""

# The game's swap is read once a second, while what leaves and what comes back cancel out: in 40
# stutters of two games that were paged out it moved by 14 to 129 % of what their faults brought;
# this is a third of the least.
_OF_FAULTS = 0.05
# In those there were 139 to 435 for each millisecond of the kernel's time; at a limit of the
# game's own group 64 to 172. Who has fewer than a sixth of that spends the time on something else.
_FAULTS_PER_MS = 10.0
_FREES = 0.4  # of the stutter, by pressure: then it is the freeing that takes the time
_SWAPS_PAGES = 256.0  # 1 MiB, as SOME_SWAPPED
_TAKES = 0.5  # of what its faults bring


EVICTED = "evicted"
"""The kind of finding in which files had been thrown out of memory that nobody was short of."""

PAGED = "paged"
"""The kind of finding in which memory came back that had been paged out, mostly unread."""


class Work(StrEnum):
    """What the kernel worked for."""

    FRESH = "fresh"
    FAULTS = "faults"
    CALLS = "calls"


def frees_memory(met: Circumstances, lost_ms: float) -> bool:
    """Whether the game works for the kernel as who frees memory does; nothing else of it does so
    for long.

    Where several free memory at the same time they stand in line for the cores too, and what the
    game has of those goes into the kernel all the same.
    """
    is_long = met.share(min(met.system_ms, lost_ms)) >= _OF_KERNEL
    is_all = met.share(met.system_ms) >= SOME_WORK and met.system_ms >= _ALL_KERNEL * met.cpu_ms
    return may_free(met) and (is_long or (is_all and met.allocstalls > 0))


def is_behind_reclaim(met: Circumstances) -> bool:
    """Whether a thread of the game stood in line for a core behind those that freed memory.

    Where memory is short everybody who wants a page frees some first, in the kernel, beside kswapd
    that does nothing else: with two cores a game waits longer for a core than for its own pages.
    Closing whoever computes would help nobody then.
    """
    is_short = met.share(met.lost_ms.get("memory", 0.0)) >= CLEARLY_MOST and met.allocstalls > 0
    is_in_line = met.share(met.delayed[1]) >= A_GOOD_PART and not met.held_ms
    return is_short and is_in_line and met.others_kernel >= _ALL_KERNEL


def may_free(met: Circumstances) -> bool:
    """Whether the game can have been among those that waited for memory.

    Where nobody frees any for the whole computer, the game has no limit that it reached, and
    nothing of its own comes back, whoever waits is at the limit of another group: a game that
    takes new memory meanwhile is as long in the kernel, and waits for nobody
    (psi_memstall_enter in mm/: reclaim, compaction, and pages that come back).
    """
    is_short = met.allocstalls or met.reclaimed or met.compactions or met.limit_hits
    return bool(is_short or met.faults or (met.own_swapped or 0.0) >= SOME_SWAPPED)


def is_evicted(met: Circumstances) -> bool:
    """Whether files of the game were read again that had been in memory, and nobody freed any.

    What ``memory.reclaim`` or ``memory.force_empty`` of a group throws out is in no count of the
    whole computer but that it comes back (``workingset_refault`` in mm/workingset.c).
    """
    is_short = met.allocstalls or met.reclaimed or met.freed or met.limit_hits >= LIMIT_HITS_PER_S
    is_much = _PAGE * met.refaults >= SOME_SWAPPED
    return is_much and not is_short and met.faults > 0 and met.refaults >= met.faults / 2


def is_paged(met: Circumstances) -> bool:
    """Whether memory of the game that had been paged out came back, and nobody freed any for it.

    One that is at its own limit, or frees memory itself, has that as the reason.
    """
    if met.limit_hits >= LIMIT_HITS_PER_S or not _has_faults(met):
        return False
    lost_ms = met.lost_ms.get("memory")
    is_freeing = met.allocstalls > 0 if lost_ms is None else met.share(lost_ms) >= _FREES
    return not is_freeing and _has_swapped(met)


def paged_ms(met: Circumstances) -> float:
    """How long the kernel worked on such pages within a stutter; 0 where it is not most of it."""
    is_most = met.share(met.system_ms) >= _OF_KERNEL
    return kernel_ms(met) if is_most and is_paged(met) else 0.0


def kernel_ms(met: Circumstances) -> float:
    """How long the kernel worked for the game within a stutter, and no longer than it lasted.

    Late frames follow each other while memory comes back, and the ticks of one have the work of
    its neighbours: that has as much of the kernel in it, by which this one is measured.
    """
    return min(met.system_ms, met.kernel_part * met.duration_ms)


def is_by_faults(met: Circumstances) -> bool:
    """Whether the kernel worked on page faults of the game through much of a stutter."""
    return _is_by_kernel(met) and _has_faults(met)


def swaps(met: Circumstances) -> bool:
    """Whether pages left for swap meanwhile, or came from there: anybody's, or the game's own."""
    moved = met.swap_outs + met.swap_ins
    return moved >= _SWAPS_PAGES or (met.own_swapped or 0.0) >= SOME_SWAPPED


def work(met: Circumstances, run_ms: float) -> Work | None:
    """What the kernel worked for while a thread ran so long; None where that computed.

    The kernel's time is known of the whole game only: what the game has outside of it cannot all
    have been of another thread.
    """
    kernel_ms = min(met.system_ms, run_ms)
    least_ms = run_ms - max(met.cpu_ms - met.system_ms, 0.0)
    if not _is_by_kernel(met) or kernel_ms < run_ms / 2 or least_ms < run_ms / 4:
        return None
    if not _has_faults(met):
        return Work.CALLS
    is_new = met.taken_bytes >= _TAKES * _PAGE * (met.minor_faults + met.faults)
    may_be_back = swaps(met) and (met.own_swapped is None or _has_swapped(met))
    return Work.FRESH if is_new and not may_be_back else Work.FAULTS


def _is_by_kernel(met: Circumstances) -> bool:
    # Its part is counted in steps of 10 ms (USER_HZ): of a hitch it says nothing.
    return met.duration_ms >= STUTTER_MS and met.share(met.system_ms) >= _OF_KERNEL


def _has_faults(met: Circumstances) -> bool:
    """Whether there were as many faults as such a time of the kernel has."""
    faults = met.minor_faults + met.faults
    return faults > 0 and faults >= _FAULTS_PER_MS * met.system_ms


def _has_swapped(met: Circumstances) -> bool:
    brought = _PAGE * (met.minor_faults + met.faults)
    return (met.own_swapped or 0.0) >= max(SOME_SWAPPED, _OF_FAULTS * brought)
