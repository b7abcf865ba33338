# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about memory."""

from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import (
    BARELY_NOT,
    CauseSpec,
    Limits,
    Signal,
    is_felt,
    with_own_wait,
    worst,
)
from destutter.diagnosis.finding import Evidence, Group
from destutter.diagnosis.history.window import Window
from destutter.diagnosis.shares import LIMIT_HITS_PER_S, SWAP_INS_PER_S

# Pages that somebody had to free for himself: a tenth of the alarm; the X-Plane study's stock run
# had 75,000 a second.
_RECLAIMED_PER_S = 500.0
# Of a tick of 100 ms it is 0.1 ms: by pressure somebody waited at all, where no game is watched.
_FELT_PCT = 0.1


def _signal(
    window: Window, strength: float, evidence: tuple[Evidence, ...], limits: Limits
) -> Signal:
    """A signal with the game's own wait for memory; below the threshold when nobody waited."""
    if not is_felt(window, "memory", limits["pressure_pct"]):
        strength = min(strength, BARELY_NOT)
    return with_own_wait(window, "memory", Signal(strength, evidence))


def direct_reclaim(window: Window, limits: Limits) -> Signal | None:
    """Programs that asked for memory had to free some first (mm/page_alloc.c, mm/vmscan.c).

    The kernel counts passes of direct reclaim (``allocstall_*``: entries, not time) and the pages
    that they freed, 32 or more in a pass. Or direct reclaim did a noticeable share of all reclaim
    while the number is worth mentioning: kswapd did not keep up.

    No signal while somebody drops the caches by hand. Where the game's own group lost no time to
    memory, others had to wait; where PSI reports that nobody did, the passes were too short.
    """
    stalls = window.mean("memory.allocstall_per_s")
    pages = window.mean("memory.direct_reclaim_per_s")
    if stalls is None and pages is None:
        return None
    if (window.peak("memory.drop_caches_per_s", seconds=3) or (0.0, 0))[0] > 0:
        return None
    strength = max(
        (stalls or 0.0) / limits["allocstall_per_s"],
        (pages or 0.0) / limits["pages_per_s"],
        _share_strength(window, pages or 0.0, limits),
    )
    # Who needs connected memory frees some on the way: that is the business of compaction.
    if stalls and (window.mean("memory.compact_stall_per_s") or 0.0) >= stalls:
        strength = min(strength, BARELY_NOT)
    evidence = (
        *worst(window, "memory.direct_reclaim_per_s", limits["pages_per_s"]),
        *worst(window, "memory.allocstall_per_s", limits["allocstall_per_s"]),
        *worst(window, "pressure.some_pct", limits["pressure_pct"], "memory"),
    )
    return _signal(window, strength, evidence, limits)


def _share_strength(window: Window, pages: float, limits: Limits) -> float:
    """Strength by the share of direct reclaim in all reclaim; a high share is an alarm."""
    if pages < limits["pages_for_share_per_s"]:
        return 0.0
    background = window.mean("memory.kswapd_reclaim_per_s") or 0.0
    share_pct = 100.0 * pages / (pages + background)
    return share_pct / limits["share_pct"] * limits["share_strength"]


def memcg_reclaim(window: Window, limits: Limits) -> Signal | None:
    """The game's control group reached its memory limit (mm/memcontrol.c).

    Such reclaim is in none of the computer's own counters, so what the group's members freed
    beyond what direct reclaim freed everywhere is due to the limit. Where the pressure of the
    group says that nobody lost time, it was too short to be felt.
    """
    pages = window.mean("cgroup.direct_reclaim_per_s", seconds=2)
    hits = window.mean("cgroup.limit_events_per_s", seconds=2)
    if pages is None and hits is None:
        return None
    everywhere = window.mean("memory.direct_reclaim_per_s", seconds=2) or 0.0
    own = max((pages or 0.0) - everywhere, 0.0)
    strength = max(own / limits["pages_per_s"], (hits or 0.0) / limits["hits_per_s"])
    lost = window.peak("cgroup.pressure_some_pct", seconds=2)
    if lost is not None and lost[0] < limits["pressure_pct"]:
        strength = min(strength, BARELY_NOT)
    evidence = (
        *worst(window, "cgroup.limit_events_per_s", limits["hits_per_s"], seconds=2),
        *worst(window, "cgroup.direct_reclaim_per_s", limits["pages_per_s"], seconds=2),
        *worst(window, "cgroup.pressure_some_pct", limits["pressure_pct"], seconds=2),
    )
    return _signal(window, strength, evidence, limits)


def kswapd_overwhelmed(window: Window, limits: Limits) -> Signal | None:
    """The background cleaner does not keep up, or frees what is needed again at once.

    kswapd uses more than half a core, hits the low mark again quickly after it went to sleep
    (``kswapd_low_wmark_hit_quickly``), or pages of files come back soon after they were dropped
    (``workingset_refault_file``; mm/vmscan.c, mm/workingset.c). One large copy makes kswapd work
    too, with nearly every page that it looks at: that hurts nobody.
    """
    freed = window.mean("memory.kswapd_reclaim_per_s", seconds=5)
    quickly = window.mean("memory.kswapd_low_quickly_per_s", seconds=3)
    if freed is None and quickly is None:
        return None
    back = window.mean("memory.refault_file_per_s", seconds=5) or 0.0
    share_pct = 100.0 * back / freed if freed and freed >= limits["pages_per_s"] else 0.0
    cleaner, cleaner_pct = _cleaner(window)
    strength = max(
        (quickly or 0.0) / limits["quickly_per_s"],
        share_pct / limits["refault_pct"],
        cleaner_pct / limits["cpu_pct"],
    )
    if _is_harmless_copy(window, share_pct, limits):
        strength = min(strength, BARELY_NOT)
    evidence = (
        *worst(window, "memory.kswapd_low_quickly_per_s", limits["quickly_per_s"], seconds=3),
        *worst(window, "process.cpu_pct", limits["cpu_pct"], cleaner, 5),
        *worst(window, "memory.refault_file_per_s", limits["pages_per_s"], seconds=5),
    )
    return _signal(window, strength, evidence, limits)


def _cleaner(window: Window) -> tuple[str | None, float]:
    """The busiest kswapd and its share of a core in the last look."""
    shares = {
        name: window.last("process.cpu_pct", name, 5) or 0.0
        for name in window.instances("process.cpu_pct", 5)
        if name.partition(" ")[2].startswith("kswapd")
    }
    name = max(shares, key=lambda each: shares[each], default=None)
    return name, shares[name] if name is not None else 0.0


def _is_harmless_copy(window: Window, share_pct: float, limits: Limits) -> bool:
    efficiency = window.mean("memory.kswapd_efficiency_pct", seconds=5)
    stalls = window.mean("memory.allocstall_per_s", seconds=3) or 0.0
    is_easy = efficiency is not None and efficiency >= limits["easy_pct"]
    return is_easy and share_pct < limits["refault_pct"] and stalls < 1.0


def compaction_stall(window: Window, limits: Limits) -> Signal | None:
    """A program had to wait while the kernel moved pages together (mm/compaction.c).

    ``compact_stall`` counts such waits in the caller. Start of a virtual machine and dropped
    caches move the counter too: dropped caches are left out, and so is what nobody lost time to.
    Where memory had to be freed more often than put together, that was the wait.
    """
    stalls = window.mean("memory.compact_stall_per_s", seconds=3)
    if stalls is None:
        return None
    if (window.peak("memory.drop_caches_per_s", seconds=3) or (0.0, 0))[0] > 0:
        return None
    strength = stalls / limits["stalls_per_s"]
    if (window.mean("memory.allocstall_per_s", seconds=3) or 0.0) > stalls:
        strength = min(strength, BARELY_NOT)
    evidence = (
        *worst(window, "memory.compact_stall_per_s", limits["stalls_per_s"], seconds=3),
        *worst(window, "pressure.some_pct", limits["pressure_pct"], "memory"),
    )
    return _signal(window, strength, evidence, limits)


def dropped_caches(window: Window, limits: Limits) -> Signal | None:
    """Somebody wrote to drop_caches: what games had read has to be read again (fs/drop_caches.c).

    ``drop_pagecache`` counts the times. A cleaner of memory does that, and no kernel by itself.
    Who it was is not in any file.
    """
    drops = window.mean("memory.drop_caches_per_s")
    if drops is None:
        return None
    evidence = worst(window, "memory.drop_caches_per_s", limits["drops_per_s"])
    return with_own_wait(window, "io", Signal(drops / limits["drops_per_s"], evidence))


def swap_thrash(window: Window, limits: Limits) -> Signal | None:
    """Memory comes back from swap while somebody waits for it (mm/page_io.c).

    From a drive each page costs its delay; compressed memory gives thousands of pages back
    unnoticed, so it has another threshold. The game's own faults together with swap-ins count as
    well. Pages that only leave are good news: cold memory makes room. Pages that come back to
    others while a watched game has no such faults are not what it waits for.
    """
    pages = window.mean("memory.swap_in_per_s", seconds=2)
    if pages is None:
        return None
    kind = window.facts.get("swap.kind", "")
    limit = limits["zram_pages_per_s" if kind == "zram" else "disk_pages_per_s"]
    strength = pages / limit
    faults = window.mean("game.major_faults_per_s", seconds=2)
    if faults is not None and pages >= limits["some_pages_per_s"]:
        by_game = faults / limits["game_faults_per_s"]
        strength = max(strength, by_game) if by_game >= 1.0 else min(strength, BARELY_NOT)
    evidence = (
        *worst(window, "memory.swap_in_per_s", limit, seconds=2),
        *worst(window, "game.major_faults_per_s", limits["game_faults_per_s"], seconds=2),
    )
    signal = _signal(window, strength, evidence, limits)
    # What is read from a drive is a wait for the drive, the rest one for memory (mm/page_io.c).
    by_drive = with_own_wait(window, "io", signal)
    return max(signal, by_drive, key=lambda each: each.stall_ms or 0.0)


def zone_exhaustion(window: Window, limits: Limits) -> Signal | None:
    """One memory node is full while another has room (mm/page_alloc.c).

    With ``zone_reclaim_mode`` set, whoever asks for memory cleans up in the near node first:
    each such attempt is counted. Without it, a node below its low mark beside one with several
    times as much sends allocations to the far one.
    """
    attempts = window.mean("memory.zone_reclaim_per_s", seconds=2)
    shares = _free_of_low(window)
    if attempts is None and len(shares) < 2:
        return None
    strength = (attempts or 0.0) / limits["attempts_per_s"]
    misses = window.mean("memory.numa_miss_per_s", seconds=2) or 0.0
    fullest = min(shares, key=lambda zone: shares[zone], default=None)
    has_room = max(shares.values(), default=0.0) >= limits["other_pct"]
    if fullest is not None and has_room and shares[fullest] < limits["low_pct"]:
        strength = max(strength, misses / limits["misses_per_s"])
    evidence = (
        *worst(window, "memory.zone_reclaim_per_s", limits["attempts_per_s"], seconds=2),
        *worst(window, "memory.numa_miss_per_s", limits["misses_per_s"], seconds=2),
    )
    return _signal(window, strength, evidence, limits)


def _free_of_low(window: Window) -> dict[str, float]:
    """Free memory of each node's ordinary zone, in percent of its low mark."""
    metric = "zone.free_of_low_pct"
    return {
        name: share
        for name in window.instances(metric, 3)
        if name.endswith("/Normal") and (share := window.last(metric, name, 3)) is not None
    }


MEMORY: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="direct_reclaim",
        group=Group.MEMORY,
        rule=direct_reclaim,
        suspects=suspects.who_filled_memory,
        limits={
            # A tenth of the alarm; the X-Plane study's stock run had 1,000 a second.
            "allocstall_per_s": 5.0,
            "pages_per_s": _RECLAIMED_PER_S,
            # Where kswapd keeps up, hardly anybody frees by himself; below 4 MB a second a share
            # says nothing.
            "share_pct": 5.0,
            "pages_for_share_per_s": 1000.0,
            # As strong as "alarm" below: a high share is an alarm whatever the number.
            "share_strength": 10.0,
            "pressure_pct": _FELT_PCT,
        },
        # Fifty stalls or 5,000 pages a second are out of the ordinary on any computer.
        alarm=10.0,
        watches=(
            "memory.allocstall_per_s",
            "memory.direct_reclaim_per_s",
            "memory.kswapd_reclaim_per_s",
            "memory.compact_stall_per_s",
            "memory.drop_caches_per_s",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"vmstat"}),),
        # What comes back from swap is what the kernel had to free: the narrower answer.
        yields_to=("swap_thrash",),
        tunables=("vm.watermark_scale_factor", "vm.watermark_boost_factor", "vm.min_free_kbytes"),
    ),
    CauseSpec(
        id="memcg_reclaim",
        group=Group.MEMORY,
        rule=memcg_reclaim,
        suspects=suspects.who_filled_the_group,
        # As for direct reclaim: the same work, done for another reason.
        limits={
            "pages_per_s": _RECLAIMED_PER_S,
            "hits_per_s": LIMIT_HITS_PER_S,
            "pressure_pct": _FELT_PCT,
        },
        watches=(
            "cgroup.direct_reclaim_per_s",
            "cgroup.limit_events_per_s",
            "cgroup.pressure_some_pct",
            "memory.direct_reclaim_per_s",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"game_cgroup"}),),
    ),
    CauseSpec(
        id="kswapd_overwhelmed",
        group=Group.MEMORY,
        rule=kswapd_overwhelmed,
        suspects=suspects.who_filled_memory,
        limits={
            # Half a core, the low mark hit again at once, or a fifth of what was freed read again:
            # the working set does not fit.
            "cpu_pct": 50.0,
            "quickly_per_s": 1.0,
            "refault_pct": 20.0,
            # Below 4 MB a second a share of refaults says nothing.
            "pages_per_s": 1000.0,
            # Nearly every page that was looked at could be freed: clean and used once.
            "easy_pct": 90.0,
            "pressure_pct": _FELT_PCT,
        },
        watches=(
            "memory.kswapd_reclaim_per_s",
            "memory.kswapd_efficiency_pct",
            "memory.kswapd_low_quickly_per_s",
            "memory.refault_file_per_s",
            "memory.allocstall_per_s",
            "process.cpu_pct",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"vmstat"}),),
        tunables=(
            "vm.watermark_scale_factor",
            "vm.watermark_boost_factor",
        ),
        yields_to=(
            "direct_reclaim",
            "swap_thrash",
        ),
    ),
    CauseSpec(
        id="compaction_stall",
        group=Group.MEMORY,
        rule=compaction_stall,
        suspects=suspects.who_filled_memory,
        # Each makes an allocation wait until pages are moved together (mm/compaction.c).
        limits={"stalls_per_s": 1.0, "pressure_pct": _FELT_PCT},
        watches=(
            "memory.compact_stall_per_s",
            "memory.allocstall_per_s",
            "memory.drop_caches_per_s",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"vmstat"}),),
        tunables=(
            "thp.defrag",
            "thp.enabled",
            "thp.khugepaged_defrag",
            "vm.compaction_proactiveness",
        ),
        yields_to=("direct_reclaim",),
    ),
    CauseSpec(
        id="swap_thrash",
        group=Group.MEMORY,
        rule=swap_thrash,
        suspects=suspects.who_made_it_swap,
        limits={
            # A page costs the drive's delay from a disk, and microseconds from compressed memory.
            "disk_pages_per_s": SWAP_INS_PER_S,
            "zram_pages_per_s": 5000.0,
            "some_pages_per_s": 20.0,
            # The game's own faults together with swap-ins are proof from so many on.
            "game_faults_per_s": 20.0,
            "pressure_pct": _FELT_PCT,
        },
        watches=(
            "memory.swap_in_per_s",
            "game.major_faults_per_s",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"vmstat"}),),
        # What a group has to free for its own limit goes to swap, and comes back from there: no
        # setting of swap makes the group larger.
        yields_to=("memcg_reclaim",),
        tunables=(
            "vm.swappiness",
            "vm.page-cluster",
        ),
    ),
    CauseSpec(
        id="dropped_caches",
        group=Group.STORAGE,
        rule=dropped_caches,
        suspects=suspects.nobody,
        # Once a second is five times that, and enters at once: nobody does it by chance.
        limits={"drops_per_s": 0.2},
        watches=("memory.drop_caches_per_s", "game.pressure_some_pct"),
        needs=(frozenset({"vmstat_more"}),),
    ),
    CauseSpec(
        id="zone_exhaustion",
        group=Group.MEMORY,
        rule=zone_exhaustion,
        suspects=suspects.nobody,
        limits={
            # With the setting at 0 there is none at all; each one is work of who asks for memory.
            "attempts_per_s": 1.0,
            # 4 MB a second from the far node.
            "misses_per_s": 1000.0,
            # Below its low mark, beside a node with several times as much.
            "low_pct": 100.0,
            "other_pct": 300.0,
            "pressure_pct": _FELT_PCT,
        },
        watches=(
            "memory.zone_reclaim_per_s",
            "memory.numa_miss_per_s",
            "zone.free_of_low_pct",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"vmstat"}),),
        tunables=("vm.zone_reclaim_mode",),
        yields_to=("direct_reclaim",),
    ),
)
