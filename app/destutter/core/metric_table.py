# SPDX-License-Identifier: GPL-3.0-or-later
"""Every metric of the program. Ids are in recordings' exports and in rules: never rename one."""

from destutter.core.metrics import MetricSpec, Op

_CPU_ALL = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
_KIB = 1024.0
_PCT_OF_US = 1e-4
"""Microseconds in a second as a share of it: 1,000,000 are 100 %."""


def _level(id_: str, unit: str, source: str, fields: str, scale: float = 1.0) -> MetricSpec:
    return MetricSpec(id_, unit, source, Op.LEVEL, tuple(fields.split()), (), scale)


def _rate(id_: str, unit: str, source: str, fields: str, scale: float = 1.0) -> MetricSpec:
    return MetricSpec(id_, unit, source, Op.RATE, tuple(fields.split()), (), scale)


def _page_level(id_: str, source: str, fields: str) -> MetricSpec:
    return MetricSpec(id_, "B", source, Op.LEVEL, tuple(fields.split()), is_in_pages=True)


def _page_rate(id_: str, source: str, fields: str) -> MetricSpec:
    return MetricSpec(id_, "B/s", source, Op.RATE, tuple(fields.split()), is_in_pages=True)


def _mean(
    id_: str, unit: str, source: str, above: str, below: tuple[str, ...], scale: float = 1.0
) -> MetricSpec:
    return MetricSpec(id_, unit, source, Op.MEAN, tuple(above.split()), below, scale)


def _share(
    id_: str, source: str, above: str, below: tuple[str, ...], op: Op = Op.MEAN
) -> MetricSpec:
    return MetricSpec(id_, "%", source, op, tuple(above.split()), below, 100.0)


_MEMORY = (
    _rate(
        "memory.allocstall_per_s",
        "/s",
        "vmstat",
        "allocstall_dma allocstall_dma32 allocstall_normal allocstall_movable allocstall_device",
    ),
    _rate("memory.direct_scan_per_s", "pages/s", "vmstat", "pgscan_direct"),
    _rate("memory.direct_reclaim_per_s", "pages/s", "vmstat", "pgsteal_direct"),
    _rate("memory.kswapd_scan_per_s", "pages/s", "vmstat", "pgscan_kswapd"),
    _rate("memory.kswapd_reclaim_per_s", "pages/s", "vmstat", "pgsteal_kswapd"),
    _share("memory.kswapd_efficiency_pct", "vmstat", "pgsteal_kswapd", ("pgscan_kswapd",)),
    _rate("memory.kswapd_low_quickly_per_s", "/s", "vmstat_more", "kswapd_low_wmark_hit_quickly"),
    _rate("memory.refault_file_per_s", "pages/s", "vmstat", "workingset_refault_file"),
    _rate("memory.refault_anon_per_s", "pages/s", "vmstat", "workingset_refault_anon"),
    _rate("memory.compact_stall_per_s", "/s", "vmstat", "compact_stall"),
    _rate("memory.thp_fault_per_s", "/s", "vmstat", "thp_fault_alloc"),
    _rate("memory.thp_fallback_per_s", "/s", "vmstat_more", "thp_fault_fallback"),
    _rate("memory.thp_collapse_per_s", "/s", "vmstat_more", "thp_collapse_alloc"),
    _rate("memory.swap_in_per_s", "pages/s", "vmstat", "pswpin"),
    _rate("memory.swap_out_per_s", "pages/s", "vmstat", "pswpout"),
    _rate("memory.zswap_in_per_s", "pages/s", "vmstat_more", "zswpin"),
    _rate("memory.major_faults_per_s", "/s", "vmstat", "pgmajfault"),
    _rate("memory.page_faults_per_s", "/s", "vmstat_more", "pgfault"),
    _rate(
        "memory.zone_reclaim_per_s",
        "/s",
        "vmstat_more",
        "zone_reclaim_failed zone_reclaim_success",
    ),
    _rate("memory.numa_miss_per_s", "pages/s", "vmstat_more", "numa_miss"),
    _rate("memory.drop_caches_per_s", "/s", "vmstat_more", "drop_pagecache"),
    _page_rate(
        "memory.alloc_bytes_per_s",
        "vmstat_more",
        "pgalloc_dma pgalloc_dma32 pgalloc_normal pgalloc_movable",
    ),
    _page_rate("memory.dirtied_bytes_per_s", "vmstat", "nr_dirtied"),
    _page_rate("memory.written_bytes_per_s", "vmstat", "nr_written"),
    _rate("memory.throttled_written_per_s", "pages/s", "vmstat", "nr_throttled_written"),
    _page_level("memory.dirty_bytes", "vmstat", "nr_dirty"),
    _page_level("memory.writeback_bytes", "vmstat", "nr_writeback"),
    _page_level("memory.dirty_threshold_bytes", "vmstat", "nr_dirty_threshold"),
    _page_level("memory.dirty_background_bytes", "vmstat", "nr_dirty_background_threshold"),
    _share(
        "memory.dirty_of_threshold_pct",
        "vmstat",
        "nr_dirty nr_writeback",
        ("nr_dirty_threshold",),
        Op.FRACTION,
    ),
    # Writers run freely up to the middle of both thresholds (dirty_freerun_ceiling in
    # mm/page-writeback.c), so 50 is where the kernel begins to hold them back.
    _share(
        "memory.dirty_of_sum_pct",
        "vmstat",
        "nr_dirty nr_writeback",
        ("nr_dirty_threshold", "nr_dirty_background_threshold"),
        Op.FRACTION,
    ),
    _level("memory.free_bytes", "B", "meminfo", "MemFree", _KIB),
    _level("memory.available_bytes", "B", "meminfo", "MemAvailable", _KIB),
    _level("memory.total_bytes", "B", "meminfo", "MemTotal", _KIB),
    _level("memory.cached_bytes", "B", "meminfo", "Cached Buffers", _KIB),
    _level("memory.anonymous_bytes", "B", "meminfo", "AnonPages", _KIB),
    _level("memory.swap_total_bytes", "B", "meminfo", "SwapTotal", _KIB),
    _level("memory.swap_free_bytes", "B", "meminfo", "SwapFree", _KIB),
    _page_level("zone.free_bytes", "zone", "free"),
    _page_level("zone.low_bytes", "zone", "low"),
    _share("zone.free_of_low_pct", "zone", "free", ("low",), Op.FRACTION),
    _level("swap.used_bytes", "B", "swap", "used_kib", _KIB),
)

_PRESSURE = (
    _rate("pressure.some_pct", "%", "pressure", "some_us", _PCT_OF_US),
    _rate("pressure.full_pct", "%", "pressure", "full_us", _PCT_OF_US),
)

_STORAGE = (
    _rate("disk.reads_per_s", "/s", "disk", "reads"),
    _rate("disk.writes_per_s", "/s", "disk", "writes"),
    _rate("disk.read_bytes_per_s", "B/s", "disk", "sectors_read", 512.0),
    _rate("disk.write_bytes_per_s", "B/s", "disk", "sectors_written", 512.0),
    _rate("disk.flushes_per_s", "/s", "disk", "flushes"),
    _mean("disk.read_await_ms", "ms", "disk", "read_ms", ("reads",)),
    _mean("disk.write_await_ms", "ms", "disk", "write_ms", ("writes",)),
    _mean("disk.discard_await_ms", "ms", "disk", "discard_ms", ("discards",)),
    _mean("disk.flush_await_ms", "ms", "disk", "flush_ms", ("flushes",)),
    _rate("disk.queue_depth", "requests", "disk", "weighted_ms", 1e-3),
    _rate("disk.busy_pct", "%", "disk", "io_ms", 0.1),
    _level("disk.reads_in_flight", "requests", "disk", "reads_in_flight"),
    _level("disk.writes_in_flight", "requests", "disk", "writes_in_flight"),
)

_CPU = (
    _share("cpu.busy_pct", "stat", "user nice system irq softirq steal", _CPU_ALL),
    _share("cpu.system_pct", "stat", "system irq softirq", _CPU_ALL),
    _share("cpu.steal_pct", "stat", "steal", _CPU_ALL),
    _share("cpu.iowait_pct", "stat", "iowait", _CPU_ALL),
    _rate("cpu.interrupts_per_s", "/s", "stat", "interrupts"),
    _rate("cpu.context_switches_per_s", "/s", "stat", "context_switches"),
    _rate("cpu.forks_per_s", "/s", "stat", "forks"),
    _level("cpu.running", "tasks", "stat", "procs_running"),
    _level("cpu.blocked", "tasks", "stat", "procs_blocked"),
    _share("core.busy_pct", "cpu", "user nice system irq softirq steal", _CPU_ALL),
    _share("core.steal_pct", "cpu", "steal", _CPU_ALL),
    _share("core.irq_pct", "cpu", "irq softirq", _CPU_ALL),
    _rate("core.run_delay_ms_per_s", "ms/s", "runqueue", "run_delay_ns", 1e-6),
    _rate("core.interrupts_per_s", "/s", "cpu_interrupt", "count"),
    _rate("core.softirq_timer_per_s", "/s", "softirq", "timer hrtimer"),
    _rate("core.softirq_net_per_s", "/s", "softirq", "net_rx net_tx"),
    _rate("core.softirq_block_per_s", "/s", "softirq", "block irq_poll"),
    _rate("core.softirq_other_per_s", "/s", "softirq", "hi tasklet sched rcu"),
    _rate("interrupt.per_s", "/s", "interrupt", "count"),
    _rate("firmware.events_per_s", "/s", "firmware_event", "count"),
    _rate("softnet.dropped_per_s", "/s", "softnet", "dropped"),
    _rate("softnet.squeezed_per_s", "/s", "softnet", "squeezed"),
    _level("wakeup.worst_ms", "ms", "wakeup", "worst_us", 1e-3),
    MetricSpec("wakeup.average_ms", "ms", "wakeup", Op.FRACTION, ("total_us",), ("wakes",), 1e-3),
    _level("wakeup.over_4ms", "wakes", "wakeup", "over_4ms"),
    _level("wakeup.over_10ms", "wakes", "wakeup", "over_10ms"),
    _level("write.worst_write_ms", "ms", "write", "worst_write_us", 1e-3),
    _level("write.worst_wake_ms", "ms", "write", "worst_wake_us", 1e-3),
    _level("write.worst_corrected_ms", "ms", "write", "worst_corrected_us", 1e-3),
)

_GAME = (
    # Of the main thread: /proc/PID/schedstat does not add up the others (see "thread").
    _rate("game.run_delay_ms_per_s", "ms/s", "game", "run_delay_ns", 1e-6),
    _rate("game.main_cpu_ms_per_s", "ms/s", "game", "run_ns", 1e-6),
    _rate("game.cpu_ms_per_s", "ms/s", "game", "user_ticks system_ticks", 10.0),
    _rate("game.major_faults_per_s", "/s", "game", "major_faults"),
    _rate("game.blkio_delay_ms_per_s", "ms/s", "game", "blkio_ticks", 10.0),
    _rate("game.system_ms_per_s", "ms/s", "game", "system_ticks", 10.0),
    _rate("game.page_faults_per_s", "/s", "game", "minor_faults"),
    _rate("game.timeslices_per_s", "/s", "game", "timeslices"),
    _level("game.stopped_pct", "%", "game", "is_stopped", 100.0),
    _level("game.blocked_pct", "%", "game", "is_blocked", 100.0),
    _level("game.dirty_wait_pct", "%", "game", "waits_for_dirty_limit", 100.0),
    _level("game.journal_wait_pct", "%", "game", "waits_for_journal", 100.0),
    _level("game.threads_stopped", "threads", "game_wait", "stopped"),
    _level("game.threads_waiting_io", "threads", "game_wait", "io"),
    _level("game.threads_waiting_memory", "threads", "game_wait", "memory"),
    _level("game.threads_waiting_dirty", "threads", "game_wait", "dirty"),
    _level("game.threads_waiting_journal", "threads", "game_wait", "journal"),
    _level("game.threads_waiting_maps", "threads", "game_wait", "maps"),
    _level("game.threads_waiting_other", "threads", "game_wait", "other"),
    _level("game.threads_waiting_frozen", "threads", "game_wait", "frozen"),
    _level("game.main_in_futex", "threads", "game_wait", "main_futex"),
    _level("game.main_in_socket", "threads", "game_wait", "main_socket"),
    _level("game.main_in_pipe", "threads", "game_wait", "main_pipe"),
    _level("game.main_in_events", "threads", "game_wait", "main_events"),
    _level("game.main_in_timer", "threads", "game_wait", "main_timer"),
    _level("game.main_in_gpu", "threads", "game_wait", "main_gpu"),
    _level("game.main_in_other", "threads", "game_wait", "main_other"),
    _level("game.main_in_server", "threads", "game_wait", "main_server"),
    _level("game.main_untimed", "threads", "game_wait", "main_untimed"),
    _level("thread.waiting", "", "blocked_thread", "io memory dirty journal maps other frozen"),
    _level("thread.found_running", "", "unusual_thread", "running"),
    _level("thread.found_in_socket", "", "unusual_thread", "socket"),
    _level("thread.found_in_pipe", "", "unusual_thread", "pipe"),
    _level("thread.found_in_events", "", "unusual_thread", "events"),
    _level("thread.found_in_timer", "", "unusual_thread", "timer"),
    _level("thread.found_in_gpu", "", "unusual_thread", "gpu"),
    _level("thread.found_in_server", "", "unusual_thread", "server"),
    _level("thread.found_in_other", "", "unusual_thread", "other"),
    _level("holder.traces", "", "holder", "traces"),
    _level("holder.locks", "", "holder", "locks"),
    _level("holder.serves", "", "holder", "serves"),
    _level("holder.child", "", "holder", "child"),
    _level("holder.reads", "", "holder", "reads"),
    # Of the threads of processes that share memory with a game that waits in it.
    _rate("partner.cpu_ms_per_s", "ms/s", "partner", "run_ns", 1e-6),
    _rate("partner.run_delay_ms_per_s", "ms/s", "partner", "run_delay_ns", 1e-6),
    _level("partner.stopped", "", "partner", "is_stopped"),
    _level("partner.in_storage", "", "partner", "in_storage"),
    _level("partner.blocked", "", "partner", "is_blocked"),
    _level("partner.at_end", "", "partner", "is_at_end"),
    _level("partner.asking", "", "partner", "is_asking"),
    _level("partner.napping", "", "partner", "is_napping"),
    _rate("partner.io_bytes_per_s", "B/s", "partner", "read_bytes write_bytes"),
    _rate("worker.cpu_ms_per_s", "ms/s", "busy_thread", "run_ns", 1e-6),
    _rate("worker.run_delay_ms_per_s", "ms/s", "busy_thread", "run_delay_ns", 1e-6),
    _rate("game.pressure_some_pct", "%", "game_pressure", "some_us", _PCT_OF_US),
    _rate("game.read_bytes_per_s", "B/s", "game_status", "read_bytes"),
    _rate("game.write_bytes_per_s", "B/s", "game_status", "write_bytes"),
    _rate("game.voluntary_switches_per_s", "/s", "game_status", "voluntary_switches"),
    _rate("game.involuntary_switches_per_s", "/s", "game_status", "involuntary_switches"),
    _level("game.rss_bytes", "B", "game", "rss_kib", _KIB),
    _level("game.swap_bytes", "B", "game_status", "swap_kib", _KIB),
    _level("game.threads", "threads", "game", "threads"),
    _rate("thread.run_delay_ms_per_s", "ms/s", "thread", "run_delay_ns", 1e-6),
    _rate("thread.cpu_ms_per_s", "ms/s", "thread", "run_ns", 1e-6),
    _rate("thread.timeslices_per_s", "/s", "thread", "timeslices"),
    _level("thread.processor", "CPU", "thread", "processor"),
    _rate("cgroup.limit_events_per_s", "/s", "game_cgroup", "high_events max_events"),
    _rate("cgroup.direct_reclaim_per_s", "pages/s", "game_cgroup", "pgsteal_direct"),
    _rate("cgroup.pressure_some_pct", "%", "game_cgroup", "some_us", _PCT_OF_US),
    _level("cgroup.io_limits", "", "game_cgroup", "io_limits"),
    _level("cgroup.read_limit_bytes_per_s", "B/s", "drive_limit", "read_bytes_per_s"),
    _level("cgroup.read_limit_per_s", "/s", "drive_limit", "reads_per_s"),
    _level("cgroup.write_limit_bytes_per_s", "B/s", "drive_limit", "write_bytes_per_s"),
    _level("cgroup.write_limit_per_s", "/s", "drive_limit", "writes_per_s"),
    _rate("cgroup.cpu_limit_ms_per_s", "ms/s", "game_cgroup", "throttled_us", 1e-3),
)

_POWER = (
    _level("cpufreq.current_mhz", "MHz", "cpufreq", "current_khz", 1e-3),
    _share("cpufreq.of_max_pct", "cpufreq", "current_khz", ("max_khz",), Op.FRACTION),
    _share("cpufreq.limit_pct", "cpufreq", "max_khz", ("hardware_max_khz",), Op.FRACTION),
    _rate("throttle.core_ms_per_s", "ms/s", "throttle", "core_ms"),
    _rate("throttle.package_ms_per_s", "ms/s", "throttle", "package_ms"),
    _rate("throttle.events_per_s", "/s", "throttle", "core_count package_count"),
    _rate("cpuidle.entered_per_s", "/s", "cpuidle", "usage"),
    _rate("cpuidle.time_ms_per_s", "ms/s", "cpuidle", "time_us", 1e-3),
    _level("temperature.critical_celsius", "°C", "temperature", "critical", 1e-3),
    _level("temperature.celsius", "°C", "temperature", "millidegrees", 1e-3),
    _level("power.watts", "W", "power", "microwatts", 1e-6),
)

_GPU = (
    _level("gpu.busy_pct", "%", "gpu", "busy_pct"),
    _level("gpu.vram_used_bytes", "B", "gpu", "vram_used_bytes"),
    _level("gpu.vram_total_bytes", "B", "gpu", "vram_total_bytes"),
    _share("gpu.vram_used_pct", "gpu", "vram_used_bytes", ("vram_total_bytes",), Op.FRACTION),
    _level("gpu.gtt_used_bytes", "B", "gpu", "gtt_used_bytes"),
    _level("gpu.clock_mhz", "MHz", "gpu", "clock_mhz"),
    _level("gpu.power_w", "W", "gpu", "power_mw", 1e-3),
    _level("gpu.temperature_celsius", "°C", "gpu", "temperature_mdeg", 1e-3),
    _level("gpu.throttle_reasons", "bits", "gpu", "throttle_reasons"),
    _share("gpu.link_width_pct", "gpu", "pcie_width", ("pcie_width_max",), Op.FRACTION),
    _share("gpu.link_speed_pct", "gpu", "pcie_generation", ("pcie_generation_max",), Op.FRACTION),
    _level("gpu_stretch.busy_pct", "%", "gpu_stretch", "busy_pct"),
    _level("gpu_stretch.end_s", "s", "gpu_stretch", "end_ns", 1e-9),
    _level("gpu_stretch.length_ms", "ms", "gpu_stretch", "length_us", 1e-3),
    _level("gpu_process.used_pct", "%", "gpu_process", "used_pct"),
    _rate("gpu.engine_busy_pct", "%", "gpu_engine", "busy_ns", 1e-7),
    _level("gpu.region_bytes", "B", "gpu_region", "resident_bytes"),
)

_PROCESS = (
    MetricSpec("process.cpu_pct", "%", "process", Op.FRACTION, ("cpu_us",), ("interval_us",), 100),
    MetricSpec(
        "process.system_pct", "%", "process", Op.FRACTION, ("system_us",), ("interval_us",), 100
    ),
    MetricSpec(
        "process.children_pct",
        "%",
        "process",
        Op.FRACTION,
        ("children_us",),
        ("interval_us",),
        100,
    ),
    _level("process.major_faults", "faults", "process", "major_faults"),
    _level("process.rss_bytes", "B", "process", "rss_kib", _KIB),
    _level("process.began_s", "s", "process", "starttime_ticks", 0.01),
    _level("process.of_game", "", "process", "is_of_game"),
    _level("process.nice", "", "process", "nice"),
    _level("process.policy", "", "process", "policy"),
    _level("process.parent_pid", "", "process", "parent_pid"),
    _level("process.shares_cores", "", "process", "shares_cores"),
    _level("process_drive.has_files", "", "process_drive", "has_files"),
    _level("process.in_game_group", "", "process", "in_game_group"),
    _level("process.same_name", "", "process", "same_name"),
    MetricSpec(
        "process.same_name_pct",
        "%",
        "process",
        Op.FRACTION,
        ("same_name_cpu_us",),
        ("interval_us",),
        100,
    ),
    MetricSpec(
        "process.blkio_pct", "%", "process", Op.FRACTION, ("blkio_us",), ("interval_us",), 100
    ),
    MetricSpec(
        "process.io_bytes_per_s",
        "B/s",
        "process",
        Op.FRACTION,
        ("read_bytes", "write_bytes"),
        ("interval_us",),
        1e6,
    ),
    MetricSpec(
        "process.write_bytes_per_s",
        "B/s",
        "process",
        Op.FRACTION,
        ("write_bytes",),
        ("interval_us",),
        1e6,
    ),
    MetricSpec(
        "realtime.cpu_pct", "%", "realtime", Op.FRACTION, ("cpu_us",), ("interval_us",), 100
    ),
    _rate("realtime.run_ms_per_s", "ms/s", "realtime_run", "run_ns", 1e-6),
    _level("realtime.processor", "CPU", "realtime", "processor"),
    _rate("kernel_thread.run_delay_ms_per_s", "ms/s", "kernel_thread", "run_delay_ns", 1e-6),
    _rate("self.sampler_cpu_ms_per_s", "ms/s", "self", "sampler_cpu_us", 1e-3),
    _level("self.rss_bytes", "B", "self", "rss_kib", _KIB),
)

METRICS: tuple[MetricSpec, ...] = (
    *_MEMORY,
    *_PRESSURE,
    *_STORAGE,
    *_CPU,
    *_GAME,
    *_POWER,
    *_GPU,
    *_PROCESS,
)

METRIC_BY_ID: dict[str, MetricSpec] = {spec.id: spec for spec in METRICS}
