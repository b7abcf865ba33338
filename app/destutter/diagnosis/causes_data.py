# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about memory and drives, as data."""

from destutter.core.statement import Statement
from destutter.diagnosis import rules_drives, rules_memory, suspects
from destutter.diagnosis.cause import CauseSpec, unjudged
from destutter.diagnosis.finding import Group

_MIB = 1024.0 * 1024.0

_SLEEPS = {
    # So many wake-ups are what "chance" asks for at least.
    "events": 8.0,
    # Nearly all reads after a rest are slow, and nearly all of these alike; hardly any others are.
    "share": 0.8,
    "others": 0.2,
    # Looked at once a second at most: in an hour four accidents among a thousand such drives.
    "chance": 1e-6,
    # A system's own reads beside the game's, such as of its log, are few.
    "own_share": 0.7,
}

DATA_CAUSES: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="memcg_reclaim",
        group=Group.MEMORY,
        rule=rules_memory.memcg_reclaim,
        suspects=suspects.who_filled_the_group,
        # As for direct reclaim: the same work, done for another reason. The kernel tries to charge
        # 64 pages at once (MEMCG_CHARGE_BATCH), so five misses of the limit are 320 pages.
        limits={"pages_per_s": 500.0, "hits_per_s": 5.0, "pressure_pct": 0.1},
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
        rule=rules_memory.kswapd_overwhelmed,
        suspects=suspects.who_filled_memory,
        limits={
            "cpu_pct": 50.0,
            "quickly_per_s": 1.0,
            "refault_pct": 20.0,
            # Below 4 MB a second a share of refaults says nothing.
            "pages_per_s": 1000.0,
            # Nearly every page that was looked at could be freed: clean and used once.
            "easy_pct": 90.0,
            "pressure_pct": 0.1,
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
        rule=rules_memory.compaction_stall,
        suspects=suspects.who_filled_memory,
        limits={"stalls_per_s": 1.0, "pressure_pct": 0.1},
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
        rule=rules_memory.swap_thrash,
        suspects=suspects.who_made_it_swap,
        limits={
            "disk_pages_per_s": 50.0,
            "zram_pages_per_s": 5000.0,
            "some_pages_per_s": 20.0,
            "game_faults_per_s": 20.0,
            "pressure_pct": 0.1,
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
        rule=rules_memory.dropped_caches,
        suspects=suspects.nobody,
        # Once a second is five times that, and enters at once: nobody does it by chance.
        limits={"drops_per_s": 0.2},
        watches=("memory.drop_caches_per_s", "game.pressure_some_pct"),
        needs=(frozenset({"vmstat_more"}),),
    ),
    CauseSpec(
        id="zone_exhaustion",
        group=Group.MEMORY,
        rule=rules_memory.zone_exhaustion,
        suspects=suspects.nobody,
        limits={
            # With the setting at 0 there is none at all; each one is work of who asks for memory.
            "attempts_per_s": 1.0,
            # 4 MB a second from the far node.
            "misses_per_s": 1000.0,
            "low_pct": 100.0,
            "other_pct": 300.0,
            "pressure_pct": 0.1,
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
    CauseSpec(
        id="io_unfairness",
        group=Group.STORAGE,
        rule=rules_drives.io_unfairness,
        suspects=suspects.who_used_the_disk,
        limits={
            "ssd_ms": 20.0,
            "hdd_ms": 60.0,
            "reads_per_s": 10.0,
            # One read of the usual readahead; the other: what no browser or log moves.
            "game_bytes_per_s": 64 * 1024.0,
            "other_bytes_per_s": 8 * _MIB,
            "times": 10.0,
            # What one program that waits for each read keeps in a queue.
            "queue": 1.0,
            # As much of the time as a wait for a core may take.
            "waited_pct": 5.0,
            # The game's own, and somebody else's half of the time (drive_load.py).
            "requests": 1.5,
            "swap_pages_per_s": 50.0,
        },
        watches=(
            "memory.swap_in_per_s",
            "game.dirty_wait_pct",
            "game.journal_wait_pct",
            "game.read_bytes_per_s",
            "game.pressure_some_pct",
            "pressure.some_pct",
            "disk.reads_per_s",
            "disk.read_await_ms",
            "disk.read_bytes_per_s",
            "disk.write_bytes_per_s",
            "disk.queue_depth",
        ),
        needs=(frozenset({"disk", "game_status"}),),
        tunables=("block.scheduler",),
        alarm=2.5,
    ),
    CauseSpec(
        id="wbt_throttling",
        group=Group.STORAGE,
        rule=unjudged,
        suspects=suspects.nobody,
        limits={},
        tunables=("block.wbt_lat_usec",),
        unmeasurable=Statement("coverage.only_trace"),
    ),
    CauseSpec(
        id="nvme_power_state",
        group=Group.STORAGE,
        rule=rules_drives.nvme_power_state,
        suspects=suspects.which_device,
        limits=_SLEEPS,
        watches=(
            "disk.reads_per_s",
            "disk.read_await_ms",
            "disk.read_bytes_per_s",
            "game.read_bytes_per_s",
        ),
        needs=(frozenset({"disk"}),),
        tunables=("nvme.latency_tolerance",),
        # The pattern enters at once; twice as many wake-ups as are enough are an alarm.
        alarm=10.0,
    ),
    CauseSpec(
        id="link_power",
        group=Group.STORAGE,
        rule=rules_drives.link_power,
        suspects=suspects.which_device,
        limits={
            **_SLEEPS,
            "motor_rest_s": 300.0,
            "motor_ms": 2000.0,
        },
        watches=(
            "disk.reads_per_s",
            "disk.read_await_ms",
            "disk.read_bytes_per_s",
            "game.read_bytes_per_s",
        ),
        needs=(frozenset({"disk"}),),
        tunables=("sata.link_power",),
        # The pattern enters at once; twice as many wake-ups as are enough are an alarm.
        alarm=10.0,
    ),
    CauseSpec(
        id="filesystem_commit",
        group=Group.STORAGE,
        rule=rules_drives.filesystem_commit,
        suspects=suspects.who_wrote_to_the_disk,
        # A flush waits like a read: the same limits. One tick in ten in the commit is 100 ms.
        limits={"ssd_ms": 20.0, "hdd_ms": 60.0, "waits_pct": 10.0, "pressure_pct": 1.0},
        watches=(
            "game.journal_wait_pct",
            "disk.flushes_per_s",
            "disk.flush_await_ms",
            "disk.reads_per_s",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"disk"}),),
        tunables=(
            "vm.dirty_bytes",
            "vm.dirty_background_bytes",
        ),
        alarm=2.5,
        yields_to=("dirty_throttling",),
    ),
    CauseSpec(
        id="page_cache_write",
        group=Group.STORAGE,
        rule=rules_drives.page_cache_write,
        suspects=suspects.who_wrote,
        # Idle, the worst of 30,000 such writes takes well below 1 ms; with a slow refill of buffer
        # heads 40 ms were seen. From 10 ms on it costs a frame at 100 Hz.
        limits={"write_ms": 10.0, "dirty_pct": 50.0},
        watches=(
            "write.worst_write_ms",
            "write.worst_wake_ms",
            "memory.dirty_of_threshold_pct",
        ),
        needs=(frozenset({"write"}),),
        alarm=4.0,
        yields_to=(
            "dirty_throttling",
            "direct_reclaim",
            "filesystem_commit",
        ),
    ),
)
