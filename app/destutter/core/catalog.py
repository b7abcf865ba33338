# SPDX-License-Identifier: GPL-3.0-or-later
"""The raw values that exist: every source, its fields, and how often it is worth reading.

A sampler delivers exactly the fields named here, in this order, with None for what its kernel
does not have. ``destutter.core.metrics`` and the recording format build on these names, so a
field is never renamed or reused; a new one stands where its sampler reads it.
"""

from dataclasses import dataclass
from enum import Enum


class Cadence(Enum):
    """How often a source is read."""

    TICK = "every tick"
    SECOND = "once a second"
    SLOW = "every few seconds, outside the tick"


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One source: its fields, whether it has instances (disks, CPUs, zones), its cadence."""

    name: str
    cadence: Cadence
    fields: tuple[str, ...]
    is_instanced: bool = False


def _spec(name: str, cadence: Cadence, fields: str, *, instanced: bool = False) -> SourceSpec:
    return SourceSpec(name, cadence, tuple(fields.split()), instanced)


SOURCES: dict[str, SourceSpec] = {
    spec.name: spec
    for spec in (
        # Names as in /proc/vmstat; pages unless the name says otherwise. First what a stall of
        # a tenth of a second shows in, then the rest of the same file.
        _spec(
            "vmstat",
            Cadence.TICK,
            """
            nr_free_pages nr_dirty nr_writeback nr_dirty_threshold nr_dirty_background_threshold
            nr_dirtied nr_written nr_throttled_written
            allocstall_dma allocstall_dma32 allocstall_normal allocstall_movable
            allocstall_device pgscan_direct pgsteal_direct pgscan_kswapd pgsteal_kswapd
            workingset_refault_file workingset_refault_anon compact_stall thp_fault_alloc
            pswpin pswpout pgmajfault
            """,
        ),
        _spec(
            "vmstat_more",
            Cadence.SECOND,
            """
            nr_file_pages nr_anon_pages pgscan_direct_throttle pgscan_khugepaged
            pgsteal_khugepaged pgscan_proactive pgsteal_proactive pginodesteal slabs_scanned
            kswapd_low_wmark_hit_quickly kswapd_high_wmark_hit_quickly pageoutrun
            nr_vmscan_write nr_vmscan_immediate_reclaim compact_fail compact_success
            compact_daemon_wake compact_migrate_scanned thp_fault_fallback thp_collapse_alloc
            thp_split_page pgfault pgpgin pgpgout swap_ra swap_ra_hit zswpin zswpout zswpwb
            numa_miss numa_foreign zone_reclaim_failed zone_reclaim_success drop_pagecache
            oom_kill pgalloc_dma pgalloc_dma32 pgalloc_normal pgalloc_movable
            """,
        ),
        # KiB, names as in /proc/meminfo.
        _spec(
            "meminfo",
            Cadence.SECOND,
            """
            MemTotal MemFree MemAvailable Buffers Cached SwapCached SwapTotal SwapFree Dirty
            Writeback AnonPages Mapped Shmem Slab SReclaimable Zswap Zswapped
            """,
        ),
        # Clock ticks of all CPUs together (USER_HZ), then plain counts.
        _spec(
            "stat",
            Cadence.TICK,
            """
            user nice system idle iowait irq softirq steal guest guest_nice interrupts
            context_switches forks procs_running procs_blocked
            """,
        ),
        # Microseconds of stall since boot; instance: cpu, memory, io, irq.
        _spec("pressure", Cadence.TICK, "some_us full_us", instanced=True),
        # Fields 4 to 20 of /proc/diskstats, then those of queue inflight; instance: device.
        _spec(
            "disk",
            Cadence.TICK,
            """
            reads reads_merged sectors_read read_ms writes writes_merged sectors_written
            write_ms in_flight io_ms weighted_ms discards discards_merged sectors_discarded
            discard_ms flushes flush_ms reads_in_flight writes_in_flight
            """,
            instanced=True,
        ),
        # The watched game: clock ticks, faults and memory of the whole process; run_* (ns) are
        # those of its main thread, as the kernel keeps them. The last four are 1 while the main
        # thread is stopped, or sleeps until the kernel has done something for it, and what that
        # is by the function that it sleeps in.
        _spec(
            "game",
            Cadence.TICK,
            """
            user_ticks system_ticks minor_faults major_faults blkio_ticks threads
            run_ns run_delay_ns timeslices rss_kib is_stopped is_blocked
            waits_for_dirty_limit waits_for_journal
            """,
        ),
        # What is dearer to read of it; the switches are those of its main thread.
        _spec(
            "game_status",
            Cadence.TICK,
            "swap_kib voluntary_switches involuntary_switches read_bytes write_bytes",
        ),
        # What its threads were seen waiting for, in ticks in which somebody seems to wait: looks
        # so far, then numbers of threads: stopped, blocked by what
        # (destutter.sampling.game.wait_places names them), and 1 for where the main thread sleeps.
        # main_untimed is 1 while its futex has no time of its own, after which it would go on.
        _spec(
            "game_wait",
            Cadence.TICK,
            """
            looks stopped io memory dirty journal maps other frozen
            main_futex main_socket main_pipe main_events main_timer main_gpu main_other
            main_server main_untimed
            """,
        ),
        # The blocked ones among them by name, 1 for what each waits for; instance "TID NAME".
        _spec(
            "blocked_thread",
            Cadence.TICK,
            "io memory dirty journal maps other frozen",
            instanced=True,
        ),
        # While the main thread waits for another: those that were found where they never were
        # while all was well, 1 for what each does; instance "TID NAME".
        _spec(
            "unusual_thread",
            Cadence.TICK,
            "running socket pipe events timer gpu server other",
            instanced=True,
        ),
        # Who keeps those that were looked at, 1 for how: it traces a thread that stands still, has
        # the lock of a file that one waits for, is the file system that one waits for (of a
        # program: FUSE), is a program that the game started and waits for, or reads its memory
        # map; instance "PID NAME", "0 NAME" without a process, "0" where nobody tells.
        _spec("holder", Cadence.TICK, "traces locks serves child reads", instanced=True),
        # While the main thread waits for another process: the threads of at most three that share
        # memory with the game, or are at the other end of a pipe or socket; instance
        # "PID/TID NAME". run_* from schedstat, 1 while it is stopped, sleeps in storage, or for
        # something else in the kernel; bytes of the whole process, with its first thread only;
        # is_at_end is 1 where a pipe or socket joins it to the game; is_asking and is_napping of
        # its first thread, which sleeps for an answer at a pipe or socket, or on a timer.
        _spec(
            "partner",
            Cadence.TICK,
            """
            run_ns run_delay_ns is_stopped in_storage is_blocked read_bytes write_bytes
            is_at_end is_asking is_napping
            """,
            instanced=True,
        ),
        # Its busiest threads; instance "TID NAME".
        _spec("busy_thread", Cadence.TICK, "run_ns run_delay_ns", instanced=True),
        # Its threads; instance "TID NAME". run_* from schedstat, ticks from stat.
        _spec(
            "thread",
            Cadence.SECOND,
            "run_ns run_delay_ns timeslices user_ticks system_ticks major_faults processor",
            instanced=True,
        ),
        # Clock ticks; instance: cpu0, cpu1, ...
        _spec(
            "cpu",
            Cadence.SECOND,
            "user nice system idle iowait irq softirq steal guest guest_nice",
            instanced=True,
        ),
        # Counts per CPU; instance: cpu0, ...
        _spec(
            "softirq",
            Cadence.SECOND,
            "hi timer net_tx net_rx block irq_poll tasklet sched hrtimer rcu",
            instanced=True,
        ),
        # Interrupts summed over CPUs; instance: "24 nvme0q1" or "TLB".
        _spec("interrupt", Cadence.SECOND, "count", instanced=True),
        # Interrupts summed over lines; instance: cpu0, ...
        _spec("cpu_interrupt", Cadence.SECOND, "count", instanced=True),
        # /proc/schedstat (only kernels with CONFIG_SCHEDSTATS); instance: cpu0, ...
        _spec("runqueue", Cadence.SECOND, "run_ns run_delay_ns timeslices", instanced=True),
        # softnet drops and budget exhaustion per CPU.
        _spec("softnet", Cadence.SECOND, "processed dropped squeezed", instanced=True),
        # Pages; instance "node0/Normal". boost is part of the printed min, low and high.
        _spec(
            "zone",
            Cadence.SECOND,
            "free boost min low high promo spanned present managed",
            instanced=True,
        ),
        # kHz; instance: policy0, ... min and max are the limits in force.
        _spec(
            "cpufreq",
            Cadence.SECOND,
            "current_khz min_khz max_khz hardware_max_khz",
            instanced=True,
        ),
        # Summed over CPUs; instance "C6 133us".
        _spec("cpuidle", Cadence.SLOW, "usage time_us rejected", instanced=True),
        # Intel only, summed over cores and over packages.
        _spec(
            "throttle",
            Cadence.SECOND,
            "core_count core_ms package_count package_ms",
        ),
        # instance: zone type or chip and label; millidegrees.
        _spec("temperature", Cadence.SLOW, "millidegrees critical", instanced=True),
        # Microwatts; instance: chip and label.
        _spec("power", Cadence.SLOW, "microwatts", instanced=True),
        # instance: the swap device or file; KiB.
        _spec("swap", Cadence.SLOW, "size_kib used_kib priority", instanced=True),
        # Bytes; instance: zram0, ...
        _spec(
            "zram",
            Cadence.SLOW,
            "original_bytes compressed_bytes used_bytes limit_bytes",
            instanced=True,
        ),
        # What the busiest processes did since the last look; instance "PID NAME".
        # policy: as sched(7): 0 other, 1 fifo, 2 rr, 3 batch, 5 idle, 6 deadline.
        # in_game_group: 1 for one that shares the memory limit of the game's own control group.
        # shares_cores: 0 for one that may run on none of the cores on which the game may.
        # children_us: what the programs that it had started, and that ended, used since then.
        _spec(
            "process",
            Cadence.SLOW,
            """
            interval_us cpu_us major_faults blkio_us read_bytes write_bytes rss_kib policy
            rt_priority nice starttime_ticks in_game_group system_us children_us
            same_name same_name_cpu_us is_of_game parent_pid shares_cores
            """,
            instanced=True,
        ),
        # On which drives those that moved much have files open; instance "DRIVE PID NAME".
        _spec("process_drive", Cadence.SLOW, "has_files", instanced=True),
        # Threads under a real-time policy; instance "PID/TID NAME".
        _spec(
            "realtime",
            Cadence.SLOW,
            "policy rt_priority cpu_us interval_us processor",
            instanced=True,
        ),
        # The busiest of them: nanoseconds on a core.
        _spec("realtime_run", Cadence.TICK, "run_ns", instanced=True),
        # instance: "0 NVIDIA GeForce ..." or "card0 amdgpu". None where a driver is silent.
        # throttle_reasons has NVML's bits for every driver: 0x4 power limit, 0x8 hardware
        # slowdown, 0x20 and 0x40 temperature, 0x80 power brake.
        _spec(
            "gpu",
            Cadence.SLOW,
            """
            busy_pct memory_busy_pct vram_used_bytes vram_total_bytes gtt_used_bytes clock_mhz
            memory_clock_mhz power_mw power_limit_mw temperature_mdeg throttle_reasons
            pcie_generation pcie_generation_max pcie_width pcie_width_max
            """,
            instanced=True,
        ),
        # The latest stretches for which a driver counted how long its card worked; instance
        # "CARD/0", the newest, to "CARD/7". end_ns is by CLOCK_MONOTONIC.
        _spec("gpu_stretch", Cadence.SLOW, "busy_pct end_ns length_us", instanced=True),
        # Whoever had work on a card since the last reading; instance "PID NAME".
        _spec("gpu_process", Cadence.SLOW, "used_pct", instanced=True),
        # DRM clients of the game: busy nanoseconds per engine, resident bytes per region.
        _spec("gpu_engine", Cadence.SLOW, "busy_ns", instanced=True),
        _spec("gpu_region", Cadence.SLOW, "resident_bytes", instanced=True),
        # The game's control group: limit hits, pages freed by who asked for them, microseconds
        # of stall by memory, microseconds in which the limit of CPU time held the group back,
        # drives for which the group has a limit of its own.
        _spec(
            "game_cgroup",
            Cadence.SECOND,
            """
            high_events max_events pgscan_direct pgsteal_direct some_us full_us throttled_us
            io_limits
            """,
        ),
        # The limits that it has for drives: bytes and requests a second; instance: device.
        _spec(
            "drive_limit",
            Cadence.SECOND,
            "read_bytes_per_s reads_per_s write_bytes_per_s writes_per_s",
            instanced=True,
        ),
        # Microseconds of stall of the game's own control group; instance: cpu, memory, io.
        _spec("game_pressure", Cadence.TICK, "some_us full_us", instanced=True),
        # Events that the firmware raised; instance: gpe6F, ...
        _spec("firmware_event", Cadence.SLOW, "count", instanced=True),
        # The kernel's own threads per CPU, summed since the start; instance: ksoftirqd/0, ...
        _spec("kernel_thread", Cadence.SLOW, "run_ns run_delay_ns", instanced=True),
        # The wake-up probe: lateness of its wakes since its last message.
        _spec(
            "wakeup",
            Cadence.TICK,
            "wakes worst_us total_us over_1ms over_4ms over_10ms over_50ms worst_at_ns cpu_us",
        ),
        # The write probe: worst write and worst wake of the bucket, and the worst latency
        # corrected for coordinated omission.
        _spec(
            "write",
            Cadence.TICK,
            """
            writes worst_write_us worst_wake_us worst_corrected_us over_50us over_100us over_1ms
            over_5ms over_10ms over_40ms worst_at_ns cpu_us
            """,
        ),
        # This program's own processes: CPU time since start and memory.
        _spec("self", Cadence.SECOND, "sampler_cpu_us rss_kib skipped_ticks"),
    )
}

PROBES = frozenset({"wakeup", "write"})
"""Sources that come from the probes: processes beside the sampler, with ticks of their own."""

SLOW_PERIODS_S: dict[str, float] = {
    "process": 3.0,
    "realtime": 3.0,
    "kernel_thread": 3.0,
    "gpu": 1.0,
    "gpu_engine": 2.0,
    "temperature": 5.0,
    "power": 5.0,
    "swap": 5.0,
    "zram": 5.0,
    "cpuidle": 10.0,
    "firmware_event": 3.0,
}
"""How often the samplers outside the tick are read, by the first source that each delivers.
Whoever looks back for that looks back by these."""
