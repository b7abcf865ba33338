# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory of a made-up computer: zones with the watermarks that the kernel would compute.

Watermarks: __setup_per_zone_wmarks() in mm/page_alloc.c. Names and their order: mm/vmstat.c and
fs/proc/meminfo.c of Linux 6.12, with what other versions lack or add.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.data.roots.synthetic.tree import Content, Tree, cpu_list

PAGE_KIB = 4
MIB_PAGES = 256

VMSTAT_NAMES = """
nr_free_pages nr_zone_inactive_anon nr_zone_active_anon nr_zone_inactive_file nr_zone_active_file
nr_zone_unevictable nr_zone_write_pending nr_mlock nr_bounce nr_zspages nr_free_cma nr_unaccepted
numa_hit numa_miss numa_foreign numa_interleave numa_local numa_other
nr_inactive_anon nr_active_anon nr_inactive_file nr_active_file nr_unevictable
nr_slab_reclaimable nr_slab_unreclaimable nr_isolated_anon nr_isolated_file workingset_nodes
workingset_refault_anon workingset_refault_file workingset_activate_anon
workingset_activate_file workingset_restore_anon workingset_restore_file
workingset_nodereclaim nr_anon_pages nr_mapped nr_file_pages nr_dirty nr_writeback
nr_writeback_temp nr_shmem nr_shmem_hugepages nr_shmem_pmdmapped nr_file_hugepages
nr_file_pmdmapped nr_anon_transparent_hugepages nr_vmscan_write nr_vmscan_immediate_reclaim
nr_dirtied nr_written nr_throttled_written nr_kernel_misc_reclaimable nr_foll_pin_acquired
nr_foll_pin_released nr_kernel_stack nr_page_table_pages nr_sec_page_table_pages nr_iommu_pages
nr_swapcached pgpromote_success pgpromote_candidate pgdemote_kswapd pgdemote_direct
pgdemote_khugepaged pgdemote_proactive nr_dirty_threshold nr_dirty_background_threshold
nr_memmap_pages nr_memmap_boot_pages pgpgin pgpgout pswpin pswpout pgalloc_dma pgalloc_dma32
pgalloc_normal pgalloc_movable pgalloc_device allocstall_dma allocstall_dma32 allocstall_normal
allocstall_movable allocstall_device pgskip_dma pgskip_dma32 pgskip_normal pgskip_movable
pgskip_device pgfree pgactivate pgdeactivate pglazyfree pgfault pgmajfault pglazyfreed pgrefill
pgreuse pgsteal_kswapd pgsteal_direct pgsteal_khugepaged pgsteal_proactive pgscan_kswapd
pgscan_direct pgscan_khugepaged pgscan_proactive pgscan_direct_throttle pgscan_anon pgscan_file
pgsteal_anon pgsteal_file zone_reclaim_success zone_reclaim_failed pginodesteal slabs_scanned
kswapd_inodesteal kswapd_low_wmark_hit_quickly kswapd_high_wmark_hit_quickly pageoutrun pgrotated
drop_pagecache drop_slab oom_kill numa_pte_updates numa_huge_pte_updates numa_hint_faults
numa_hint_faults_local numa_pages_migrated pgmigrate_success pgmigrate_fail
thp_migration_success thp_migration_fail thp_migration_split compact_migrate_scanned
compact_free_scanned compact_isolated compact_stall compact_fail compact_success
compact_daemon_wake compact_daemon_migrate_scanned compact_daemon_free_scanned
htlb_buddy_alloc_success htlb_buddy_alloc_fail unevictable_pgs_culled unevictable_pgs_scanned
unevictable_pgs_rescued unevictable_pgs_mlocked unevictable_pgs_munlocked
unevictable_pgs_cleared unevictable_pgs_stranded thp_fault_alloc thp_fault_fallback
thp_fault_fallback_charge thp_collapse_alloc thp_collapse_alloc_failed thp_file_alloc
thp_file_fallback thp_file_fallback_charge thp_file_mapped thp_split_page thp_split_page_failed
thp_deferred_split_page thp_underused_split_page thp_split_pmd thp_scan_exceed_none_pte
thp_scan_exceed_swap_pte thp_scan_exceed_share_pte thp_split_pud thp_zero_page_alloc
thp_zero_page_alloc_failed thp_swpout thp_swpout_fallback balloon_inflate balloon_deflate
balloon_migrate swap_ra swap_ra_hit swpin_zero swpout_zero ksm_swpin_copy cow_ksm zswpin zswpout
zswpwb direct_map_level2_splits direct_map_level3_splits nr_unstable
""".split()
SINCE_6_14 = {"pgsteal_proactive", "pgscan_proactive", "pgdemote_proactive"}
SINCE_6_12 = {"thp_underused_split_page", "swpin_zero", "swpout_zero", "nr_iommu_pages"}
SINCE_6_11 = {"nr_memmap_pages", "nr_memmap_boot_pages"}


@dataclass(frozen=True)
class Zone:
    """A zone of a node, in pages; ``boost`` is what fragmentation added to its watermarks."""

    node: int
    name: str
    managed: int
    free: int
    boost: int = 0


@dataclass(frozen=True)
class Memory:
    """All memory. ``counters`` are the lines of /proc/vmstat that are not 0."""

    zones: tuple[Zone, ...]
    min_free_kib: int
    scale_factor: int
    meminfo_kib: Mapping[str, int]
    counters: Mapping[str, int]
    missing_counters: frozenset[str] = frozenset()

    @property
    def total_kib(self) -> int:
        """MemTotal: what the zones manage."""
        return sum(zone.managed for zone in self.zones) * PAGE_KIB


def add_memory(tree: Tree, memory: Memory, nodes: Mapping[int, list[int]]) -> None:
    """Zones, counters and sizes; ``nodes`` are the CPUs of each NUMA node."""
    cpus = sum(len(cpus) for cpus in nodes.values())
    free = sum(zone.free for zone in memory.zones)
    sizes = {"MemTotal": memory.total_kib, "MemFree": free * PAGE_KIB, **memory.meminfo_kib}
    tree.put(
        "/proc/meminfo", "\n".join(f"{name + ':':<16}{kib:>8} kB" for name, kib in sizes.items())
    )
    counters = {"nr_free_pages": free, **memory.counters}
    names = [name for name in VMSTAT_NAMES if name not in memory.missing_counters]
    unknown = counters.keys() - set(names)
    if unknown:
        raise ValueError(f"no such counters in this kernel: {sorted(unknown)}")
    tree.put("/proc/vmstat", "\n".join(f"{name} {counters.get(name, 0)}" for name in names))
    tree.put("/proc/zoneinfo", "\n".join(_zone(memory, zone, cpus) for zone in memory.zones))
    tree.put("/proc/buddyinfo", "\n".join(_buddies(zone) for zone in memory.zones if zone.managed))
    _add_nodes(tree, memory, nodes)


def watermarks(memory: Memory, zone: Zone) -> tuple[int, int, int, int]:
    """min, low, high and promo of a zone in pages, boost included as the kernel prints them."""
    lowmem = sum(other.managed for other in memory.zones if other.name != "Movable")
    pages_min = memory.min_free_kib // PAGE_KIB
    share = pages_min * zone.managed // lowmem
    minimum = min(max(zone.managed // 1024, 32), 128) if zone.name == "Movable" else share
    step = max(share // 4, zone.managed * memory.scale_factor // 10000)
    marks = (minimum, minimum + step, minimum + 2 * step, minimum + 3 * step)
    return tuple(mark + zone.boost for mark in marks)  # type: ignore[return-value]


def _zone(memory: Memory, zone: Zone, cpus: int) -> str:
    first = zone == next(other for other in memory.zones if other.node == zone.node)
    minimum, low, high, promo = watermarks(memory, zone)
    lines = [f"Node {zone.node}, zone {zone.name:>8}"]
    if first:
        lines += [
            "  per-node stats",
            "      nr_inactive_anon 104857",
            "      nr_active_anon 655360",
        ]
    pairs = {
        "pages free    ": zone.free,
        "      boost   ": zone.boost,
        "      min     ": minimum,
        "      low     ": low,
        "      high    ": high,
        "      promo   ": promo,
        "      spanned ": zone.managed + 4096,
        "      present ": zone.managed + 1024,
        "      managed ": zone.managed,
        "      cma     ": 0,
    }
    lines += [f"  {name} {value}" for name, value in pairs.items()]
    lines += ["        protection: (0, 0, 0, 0, 0)", f"      nr_free_pages {zone.free}"]
    if zone.managed:
        lines += ["  pagesets"]
        for cpu in range(cpus):
            lines += [f"    cpu: {cpu}", "              count: 112", "              high:  1874"]
            lines += ["              batch: 63", "  vm stats threshold: 84"]
        lines += ["  node_unreclaimable:  0", "  start_pfn:           4096"]
    return "\n".join(lines)


def _buddies(zone: Zone) -> str:
    """Free blocks of each order: mostly small ones, as in a zone that is fragmented."""
    left = zone.free
    counts = []
    for order in range(10, -1, -1):
        count = left // 8 >> order if order else left
        counts.append(count)
        left -= count << order
    return f"Node {zone.node}, zone {zone.name:>8} " + "".join(f"{n:>6} " for n in counts[::-1])


def _add_nodes(tree: Tree, memory: Memory, nodes: Mapping[int, list[int]]) -> None:
    base = "/sys/devices/system/node"
    for name in ("online", "possible", "has_cpu", "has_memory", "has_normal_memory"):
        tree.put(f"{base}/{name}", cpu_list(list(nodes)))
    for node, cpus in nodes.items():
        zones = [zone for zone in memory.zones if zone.node == node]
        total = sum(zone.managed for zone in zones) * PAGE_KIB
        free = sum(zone.free for zone in zones) * PAGE_KIB
        sizes = {"MemTotal": total, "MemFree": free, "MemUsed": total - free}
        lines = [f"Node {node} {name + ':':<16}{kib:>8} kB" for name, kib in sizes.items()]
        counts = "numa_hit numa_miss numa_foreign interleave_hit local_node other_node".split()
        stat = [f"{name} {91_234_567 * (position == 0)}" for position, name in enumerate(counts)]
        distances = " ".join("10" if other == node else "21" for other in nodes)
        files: dict[str, Content] = {
            "cpulist": cpu_list(cpus),
            "meminfo": "\n".join(lines),
            "numastat": "\n".join(stat),
            "distance": distances,
        }
        tree.put_all(f"{base}/node{node}", files)
