# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of causes: thresholds as data, one rule and one list of suspects each.

A new cause is one entry here, one function in a ``rules_*`` module, its texts in the catalogue and
a page ``resources/explanations/en/cause.ID.md``. Ids are in users' files: never rename one.
"""

from collections.abc import Iterable

from destutter.diagnosis import rules_cpu, rules_memory, rules_storage, suspects
from destutter.diagnosis.cause import CauseSpec
from destutter.diagnosis.causes_data import DATA_CAUSES
from destutter.diagnosis.causes_processor import PROCESSOR_CAUSES
from destutter.diagnosis.finding import Group

_MIB = 1024.0 * 1024.0

CAUSES: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="direct_reclaim",
        group=Group.MEMORY,
        rule=rules_memory.direct_reclaim,
        suspects=suspects.who_filled_memory,
        limits={
            "allocstall_per_s": 5.0,
            "pages_per_s": 500.0,
            "share_pct": 5.0,
            "pages_for_share_per_s": 1000.0,
            "share_strength": 10.0,
            "pressure_pct": 0.1,
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
        id="dirty_throttling",
        group=Group.STORAGE,
        rule=rules_storage.dirty_throttling,
        suspects=suspects.who_wrote,
        limits={
            # Where a recording has no background threshold.
            "share_pct": 80.0,
            # What logs and caches write on a resting desktop stays below it.
            "dirtied_bytes_per_s": _MIB,
            "writeback_bytes": 256 * _MIB,
            "read_factor": 3.0,
            "read_floor_ms": 5.0,
            "write_ms": 20.0,
            "game_bytes_per_s": _MIB,
            # One tick in ten; three of them are an alarm.
            "paused_pct": 10.0,
            "pressure_pct": 1.0,
        },
        # Unwritten data can never be three times what the limit allows: short of proof that the
        # game itself was put to sleep, twice the free run is what there is at most.
        alarm=1.5,
        watches=(
            "game.dirty_wait_pct",
            "game.pressure_some_pct",
            "memory.dirty_of_sum_pct",
            "memory.dirty_of_threshold_pct",
            "memory.dirtied_bytes_per_s",
            "memory.writeback_bytes",
            "disk.reads_per_s",
            "disk.read_await_ms",
            "game.write_bytes_per_s",
            "write.worst_write_ms",
            "pressure.some_pct",
        ),
        remembers=("disk.read_await_ms",),
        needs=(frozenset({"vmstat", "disk"}), frozenset({"vmstat", "write"})),
        tunables=(
            "vm.dirty_bytes",
            "vm.dirty_background_bytes",
            "vm.dirty_ratio",
            "vm.dirty_background_ratio",
        ),
    ),
    CauseSpec(
        id="slow_device",
        group=Group.STORAGE,
        rule=rules_storage.slow_device,
        suspects=suspects.who_used_the_disk,
        limits={
            "ssd_ms": 20.0,
            "hdd_ms": 60.0,
            "reads_per_s": 10.0,
            # A drive of 50 MB/s moves this much within the limit for hard disks.
            "request_bytes": _MIB,
            # A fifth of the time; or at once as long as three refreshes at 60 Hz: a stutter.
            "blocked_pct": 20.0,
            "waited_pct": 20.0,
            "waited_ms": 50.0,
            "game_bytes_per_s": 64 * 1024.0,
            "swap_pages_per_s": 50.0,
            # Of a drive that is waited for all the time; there is one at least (drive_load.py).
            "requests": 0.5,
        },
        alarm=2.5,
        watches=(
            "memory.swap_in_per_s",
            "game.dirty_wait_pct",
            "game.journal_wait_pct",
            "game.blocked_pct",
            "game.pressure_some_pct",
            "game.read_bytes_per_s",
            "game.write_bytes_per_s",
            "disk.reads_per_s",
            "disk.read_bytes_per_s",
            "disk.read_await_ms",
            "disk.reads_in_flight",
            "disk.queue_depth",
            "cgroup.io_limits",
        ),
        needs=(frozenset({"disk"}),),
        tunables=("block.scheduler", "block.wbt_lat_usec", "block.nr_requests"),
        explained_by=("io_unfairness", "nvme_power_state", "link_power"),
        yields_to=(
            "dropped_caches",
            "io_unfairness",
            "nvme_power_state",
            "link_power",
            "swap_thrash",
            "dirty_throttling",
            "filesystem_commit",
            # A host that gives its processors to others is late to answer for its drives too.
            "cpu_steal",
        ),
    ),
    CauseSpec(
        id="run_queue_delay",
        group=Group.CPU,
        rule=rules_cpu.run_queue_delay,
        suspects=suspects.who_held_the_cpu,
        limits={
            "delay_ms_per_s": 50.0,
            # A main or render thread: a helper that works less than a tenth of the time is none.
            "busy_ms_per_s": 100.0,
            # Half a task more than cores on average: one that waits every other moment.
            "waiting_tasks": 0.5,
            "steal_pct": 1.0,
            "pressure_pct": 1.0,
        },
        alarm=3.0,
        watches=(
            "game.run_delay_ms_per_s",
            "game.main_cpu_ms_per_s",
            "game.pressure_some_pct",
            "cgroup.cpu_limit_ms_per_s",
            "thread.run_delay_ms_per_s",
            "thread.cpu_ms_per_s",
            "cpu.running",
            "cpu.busy_pct",
            "cpu.steal_pct",
            "core.busy_pct",
            "pressure.some_pct",
        ),
        needs=(frozenset({"game"}), frozenset({"stat", "cpu"})),
        yields_to=(
            "rt_runaway",
            "irq_storm",
            "cpu_steal",
            "direct_reclaim",
            "memcg_reclaim",
            "compaction_stall",
            "swap_thrash",
            # A game's own compilers, as many as cores, stand in each other's way.
            "shader_compilation",
        ),
    ),
    *DATA_CAUSES,
    *PROCESSOR_CAUSES,
)

CAUSE_BY_ID: dict[str, CauseSpec] = {spec.id: spec for spec in CAUSES}


def watched_metrics(causes: Iterable[CauseSpec] = CAUSES) -> frozenset[str]:
    """Every metric that a rule reads."""
    return frozenset(metric for spec in causes for metric in spec.watches)


def remembered_metrics(causes: Iterable[CauseSpec] = CAUSES) -> frozenset[str]:
    """Every metric of which a rule needs the median of the last minutes."""
    return frozenset(metric for spec in causes for metric in spec.remembers)
