# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel settings of a made-up computer: the kernel's defaults, then what differs.

Documentation/admin-guide/sysctl/{vm,kernel}.rst, Documentation/admin-guide/mm/transhuge.rst.
"""

from collections.abc import Mapping

from tests.data.roots.synthetic.tree import Content, Tree

VM: Mapping[str, Content] = {
    "compaction_proactiveness": 20,
    "dirty_background_bytes": 0,
    "dirty_background_ratio": 10,
    "dirty_bytes": 0,
    "dirty_expire_centisecs": 3000,
    "dirty_ratio": 20,
    "dirty_writeback_centisecs": 500,
    "max_map_count": 65530,
    "min_free_kbytes": 67584,
    "page-cluster": 3,
    "stat_interval": 1,
    "swappiness": 60,
    "vfs_cache_pressure": 100,
    "watermark_boost_factor": 15000,
    "watermark_scale_factor": 10,
    "zone_reclaim_mode": 0,
}
KERNEL: Mapping[str, Content] = {
    "nmi_watchdog": 1,
    "numa_balancing": 0,
    "perf_event_paranoid": 2,
    "sched_autogroup_enabled": 1,
    "sched_schedstats": 0,
    "sched_rt_period_us": 1000000,
    "sched_rt_runtime_us": 950000,
    "task_delayacct": 0,
    "timer_migration": 1,
    "watchdog": 1,
}
HUGE_PAGES: Mapping[str, Content] = {
    "enabled": "always [madvise] never",
    "defrag": "always defer defer+madvise [madvise] never",
    "shmem_enabled": "always within_size advise [never] deny force",
    "use_zero_page": 1,
    "khugepaged/defrag": 1,
    "khugepaged/max_ptes_none": 511,
    "khugepaged/scan_sleep_millisecs": 10000,
    "khugepaged/alloc_sleep_millisecs": 60000,
    "khugepaged/pages_to_scan": 4096,
}


def add_settings(tree: Tree, vm: Mapping[str, Content], more: Mapping[str, Content]) -> None:
    """Memory settings; ``more`` are other files by their full path."""
    tree.put_all("/proc/sys/vm", {**VM, **vm})
    tree.put_all("/sys/kernel/mm/transparent_hugepage", HUGE_PAGES)
    tree.put_all("/sys/kernel/mm/lru_gen", {"enabled": "0x0007", "min_ttl_ms": 0})
    zswap: dict[str, Content] = {"enabled": "N", "compressor": "lzo", "max_pool_percent": 20}
    tree.put_all("/sys/module/zswap/parameters", zswap)
    policy = "[default] performance powersave powersupersave "
    tree.put("/sys/module/pcie_aspm/parameters/policy", policy)
    for path, content in more.items():
        tree.put(path, content)
