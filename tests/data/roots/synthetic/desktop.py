# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop: Intel hybrid processor with its own graphics, SATA disks, two NUMA nodes.

It stutters: one node is used up while the other has room and zone_reclaim_mode is on, the clock
source is slow, the processor throttles, and a disk is far behind.
"""

from tests.data.roots.synthetic.computer import Computer, Cpu, Interrupt, add_proc, pressure
from tests.data.roots.synthetic.cpu_files import (
    BASE,
    Frequency,
    IdleState,
    add_frequency,
    add_idle_states,
    add_throttling,
    add_topology,
)
from tests.data.roots.synthetic.device_files import add_hwmon, add_i915_card, add_thermal_zone
from tests.data.roots.synthetic.disk_files import (
    Disk,
    Work,
    add_disks,
    add_sata_host,
    add_swaps,
)
from tests.data.roots.synthetic.memory import (
    MIB_PAGES,
    SINCE_6_11,
    SINCE_6_12,
    SINCE_6_14,
    Memory,
    Zone,
    add_memory,
)
from tests.data.roots.synthetic.process_files import (
    Process,
    Thread,
    add_processes,
    fdinfo,
    kernel_thread,
)
from tests.data.roots.synthetic.sysctls import KERNEL, add_settings
from tests.data.roots.synthetic.tree import Tree, cpu_list

NOTE = """\
This is not a capture: no such computer was read, and none like it is sold, since a hybrid
processor has no two NUMA nodes. It is what the kernel's documentation says of each part
(tests/data/roots/make_synthetic.py), put together so that readers of hardware which the tests do
not have are run at all: intel_pstate, thermal_throttle, hybrid cores, i915, SATA links that save
power, and two nodes of memory.
"""

PCI = "/sys/devices/pci0000:00"
AHCI = f"{PCI}/0000:00:17.0"
CARD = f"{PCI}/0000:00:02.0"

# Eight big cores with two neighbouring threads each, then eight small ones.
BIG = tuple(Cpu(n, n // 2 * 4, (n // 2 * 2, n // 2 * 2 + 1), node=n // 8) for n in range(16))
SMALL = tuple(Cpu(n, n + 16, (n,), node=(n - 16) // 4, is_efficient=True) for n in range(16, 24))
CPUS = (*BIG, *SMALL)
NODES = {node: [cpu.number for cpu in CPUS if cpu.node == node] for node in (0, 1)}
# drivers/idle/intel_idle.c: C1E replaces C1 on these processors.
BIG_STATES = (
    IdleState("POLL", 0, 0),
    IdleState("C1", 1, 1, is_disabled=True),
    IdleState("C1E", 2, 4),
    IdleState("C6", 220, 600),
    IdleState("C8", 280, 800),
    IdleState("C10", 680, 2000),
)
ZONES = (
    Zone(0, "DMA", 15 * MIB_PAGES, 2816),
    Zone(0, "DMA32", 1900 * MIB_PAGES, 401_122),
    Zone(0, "Normal", 14_100 * MIB_PAGES, 1_612_334),
    Zone(0, "Movable", 0, 0),
    Zone(0, "Device", 0, 0),
    Zone(1, "DMA", 0, 0),
    Zone(1, "DMA32", 0, 0),
    Zone(1, "Normal", 16_050 * MIB_PAGES, 12_301),
    Zone(1, "Movable", 0, 0),
    Zone(1, "Device", 0, 0),
)
MEMORY = Memory(
    ZONES,
    min_free_kib=67_584,
    scale_factor=10,
    meminfo_kib={
        "MemAvailable": 14_912_334,
        "Buffers": 812_334,
        "Cached": 9_112_233,
        "SwapCached": 0,
        "Active": 15_112_233,
        "Inactive": 6_912_334,
        "SwapTotal": 20_971_516,
        "SwapFree": 20_971_516,
        "Dirty": 2_912_334,
        "Writeback": 401_122,
        "AnonPages": 12_112_233,
        "Mapped": 2_112_334,
        "Shmem": 401_122,
        "Slab": 912_334,
        "SReclaimable": 701_122,
        "SUnreclaim": 211_212,
        "AnonHugePages": 6_144_000,
    },
    counters={
        "numa_hit": 812_233_445,
        "numa_miss": 31_223_344,
        "numa_foreign": 31_223_344,
        "numa_local": 801_122_334,
        "numa_other": 42_334_455,
        "nr_file_pages": 2_481_141,
        "nr_anon_pages": 3_028_058,
        "nr_dirty": 728_083,
        "nr_writeback": 100_280,
        "nr_dirty_threshold": 801_223,
        "nr_dirty_background_threshold": 400_112,
        "nr_dirtied": 61_223_344,
        "nr_written": 60_112_233,
        "nr_throttled_written": 412_233,
        "allocstall_normal": 91,
        "allocstall_movable": 812,
        "pgalloc_dma32": 31_223_344,
        "pgalloc_normal": 812_233_445,
        "pgfault": 912_233_445,
        "pgmajfault": 91_223,
        "pgpgin": 201_122_334,
        "pgpgout": 241_122_334,
        "pgscan_kswapd": 41_223_344,
        "pgsteal_kswapd": 40_112_233,
        "pgscan_direct": 912_334,
        "pgsteal_direct": 901_122,
        "zone_reclaim_success": 4_112,
        "zone_reclaim_failed": 61_223,
        "compact_stall": 12,
        "thp_fault_alloc": 81_223,
    },
    missing_counters=frozenset(SINCE_6_11 | SINCE_6_12 | SINCE_6_14),
)


def build() -> Tree:
    """The whole tree."""
    tree = Tree()
    tree.put("/SYNTHETIC", NOTE.encode())
    tree.put("/etc/os-release", 'NAME="Made-up Linux"\nPRETTY_NAME="Made-up Linux (desktop)"')
    computer = _computer()
    add_proc(tree, computer)
    add_memory(tree, MEMORY, NODES)
    _add_cpus(tree, computer)
    _add_disks(tree)
    _add_devices(tree)
    add_processes(tree, _processes())
    desktop_vm = {"zone_reclaim_mode": 1, "dirty_bytes": 0, "stat_interval": 1}
    clock = "/sys/devices/system/clocksource/clocksource0"
    other = {
        f"{clock}/current_clocksource": "hpet",
        f"{clock}/available_clocksource": "hpet acpi_pm ",
        "/sys/class/dmi/id/sys_vendor": "Made-up",
        "/sys/class/dmi/id/product_name": "Desktop",
        "/sys/class/dmi/id/chassis_type": 3,
    }
    add_settings(tree, desktop_vm, other)
    return tree


def _computer() -> Computer:
    interrupts = (
        Interrupt(0, 0, 8_112_233, "IR-IO-APIC    2-edge      timer"),
        Interrupt(9, 4, 12, "IR-IO-APIC    9-fasteoi   acpi"),
        Interrupt(124, 2, 4_112_233, "IR-PCI-MSI-0000:00:17.0    0-edge      ahci[0000:00:17.0]"),
        Interrupt(125, 6, 61_223_344, "IR-PCI-MSI-0000:00:14.0    0-edge      xhci_hcd"),
        Interrupt(148, 0, 31_223_344, "IR-PCI-MSI-0000:00:02.0    0-edge      i915"),
        Interrupt(150, 8, 9_112_233, "IR-PCI-MSIX-0000:03:00.0    0-edge      eno1-TxRx-0"),
    )
    return Computer(
        release="6.8.0-made-up",
        command_line="BOOT_IMAGE=/boot/vmlinuz root=/dev/sda2 ro quiet splash tsc=unstable",
        vendor="GenuineIntel",
        model="Intel(R) Core(TM) i7 (made up)",
        cpu_flags="fpu tsc hwp hwp_epp split_lock_detect",
        cpus=CPUS,
        uptime_s=91_223,
        busy_ticks=(812_334, 41_122, 201_122, 7_112_233, 212_334, 0, 41_223, 0, 0, 0),
        local_counts={"LOC": 41_223_344, "RES": 912_334, "CAL": 4_112_233, "TLB": 2_112_233},
        interrupts=interrupts,
        pressure={
            "cpu": pressure(4_112_233_445, 0, 0.91),
            "memory": pressure(31_223_344, 12_334_455, 0.12),
            "io": pressure(912_233_445, 812_233_445, 31.41),
        },
        schedstat_version=15,
        sysctl={**KERNEL, "numa_balancing": 1, "split_lock_mitigate": 1},
    )


def _add_cpus(tree: Tree, computer: Computer) -> None:
    add_topology(tree, computer, "intel_idle")
    for name, cpus in (("core", BIG), ("atom", SMALL)):
        tree.put(f"/sys/devices/cpu_{name}/cpus", cpu_list([cpu.number for cpu in cpus]))
    pstate = {"status": "active", "no_turbo": 0, "min_perf_pct": 15, "max_perf_pct": 100}
    tree.put_all(f"{BASE}/intel_pstate", {**pstate, "num_pstates": 47, "turbo_pct": 39})
    preferences = "default performance balance_performance balance_power power "
    small_states = tuple(state for state in BIG_STATES if state.name != "C1")
    for cpu in CPUS:
        add_idle_states(tree, cpu, small_states if cpu.is_efficient else BIG_STATES)
        maximum, base = (4_100_000, 2_400_000) if cpu.is_efficient else (5_300_000, 3_400_000)
        current = maximum * 6 // 10
        policy = Frequency(
            "intel_pstate", 800_000, maximum, current, "balance_performance", preferences
        )
        add_frequency(tree, cpu, policy, base_frequency=base)
        add_throttling(tree, cpu, core_ms=412 if cpu.core == 8 else 0, package_ms=9_112)


def _add_disks(tree: Tree) -> None:
    folders = [
        f"{AHCI}/ata{port}/host{port - 1}/target{port - 1}:0:0/{port - 1}:0:0:0" for port in (1, 2)
    ]
    fast = Disk(
        "sda",
        f"{folders[0]}/block/sda",
        "8:0",
        1_953_525_168,
        3,
        Work(
            reads=(1_912_334, 91_223, 201_122_334, 812_334),
            writes=(912_334, 801_122, 141_122_334, 2_112_334),
            queue=(0, 1_912_334, 3_041_122),
            discards=(41_223, 0, 412_233_445, 61_223),
            flushes=(91_223, 55_231),
        ),
        queue={"scheduler": "none [mq-deadline] kyber bfq ", "nr_requests": 64, "fua": 0},
        partitions=2,
    )
    slow = Disk(
        "sdb",
        f"{folders[1]}/block/sdb",
        "8:16",
        7_814_037_168,
        4,
        Work(
            reads=(412_334, 31_223, 91_223_344, 9_112_334),
            writes=(312_334, 701_122, 101_122_334, 41_223_344),
            queue=(31, 21_912_334, 52_447_911),
            flushes=(4_112, 2_112_233),
        ),
        in_flight=(3, 28),
        queue={
            "scheduler": "none [mq-deadline] kyber bfq ",
            "nr_requests": 64,
            "rotational": 1,
            "wbt_lat_usec": 75_000,
            "add_random": 1,
            "fua": 0,
        },
        partitions=1,
    )
    add_disks(tree, [fast, slow])
    for name, folder, model in zip("ab", folders, ("SSD 1TB", "HDD 4TB"), strict=True):
        device = {
            "vendor": "ATA     ",
            "model": f"Made-up {model} ",
            "type": 0,
            "state": "running",
            "uevent": "DEVTYPE=scsi_device\nDRIVER=sd\nMODALIAS=scsi:t-0x00",
        }
        tree.put_all(folder, {**device, "queue_depth": 32})
        tree.link(f"{folder}/block/sd{name}/device", folder)
    for port in (1, 2, 3):
        host = f"{AHCI}/ata{port}/host{port - 1}/scsi_host/host{port - 1}"
        add_sata_host(tree, f"host{port - 1}", host, "med_power_with_dipm")
    add_swaps(tree, [("/swap.img", "file", 20_971_516, 0, -2)])


def _add_devices(tree: Tree) -> None:
    add_i915_card(tree, CARD, {"pl1": 1})
    sensors: dict[str, str | int | bytes] = {
        "temp1_label": "Package id 0",
        "temp1_input": 99_000,
        "temp1_max": 80_000,
        "temp1_crit": 100_000,
        "temp1_crit_alarm": 0,
    }
    cores = sorted({cpu.core for cpu in CPUS})
    for core in cores:
        stem = f"temp{core + 2}"
        sensors |= {f"{stem}_label": f"Core {core}", f"{stem}_input": 61_000 + 500 * core}
        sensors |= {f"{stem}_max": 80_000, f"{stem}_crit": 100_000}
    add_hwmon(tree, "hwmon0", "coretemp", "/sys/devices/platform/coretemp.0", sensors)
    disk = f"{AHCI}/ata2/host1/target1:0:0/1:0:0:0"
    add_hwmon(tree, "hwmon1", "drivetemp", disk, {"temp1_input": 41_000, "temp1_crit": 60_000})
    add_thermal_zone(tree, "acpitz", 27_800, 119_000)


def _processes() -> list[Process]:
    kernel = [
        kernel_thread(2, "kthreadd"),
        *(kernel_thread(16 + 6 * n, f"ksoftirqd/{n}", processor=n) for n in range(24)),
        kernel_thread(201, "kcompactd0"),
        kernel_thread(202, "kcompactd1"),
        kernel_thread(211, "kswapd0", system_ticks=112),
        kernel_thread(212, "kswapd1", system_ticks=61_223),
        kernel_thread(230, "irq/9-acpi", policy=1, rt_priority=50),
        kernel_thread(401, "jbd2/sdb1-8", system_ticks=4_112),
    ]
    shell = Thread(1500, "gnome-shell", 61_223, 21_223)
    used = {11: _graphics(5, 91_223_344_556, 401_122)}
    system = [
        Process((Thread(1, "systemd"),), 0, ("/sbin/init",), 3_112, start_ticks=2),
        Process((shell,), 1, ("/usr/bin/gnome-shell",), 91_223, graphics=used),
        Process(
            (Thread(7100, "rsync", 9_112, 31_223, processor=20),),
            1,
            ("rsync", "-a", "/data", "/backup"),
            2_112,
            start_ticks=8_112_233,
            read_bytes=81_223_344_556,
            write_bytes=80_112_233_445,
        ),
    ]
    return [*kernel, *system, _simulator()]


def _simulator() -> Process:
    names = [f"worker {n}" for n in range(70)]  # more threads than are followed at once
    threads = [Thread(8000, "X-Plane", 412_233, 41_223, 6_112_233_445, processor=4)]
    for index, name in enumerate(names):
        ticks = 91_223 // (index + 1)
        threads.append(Thread(8001 + index, name, ticks, ticks // 7, processor=index % 24))
    return Process(
        tuple(threads),
        1500,
        ("./X-Plane-x86_64",),
        rss_pages=3_012_334,
        major_faults=31_223,
        nice=-5,
        start_ticks=7_112_233,
        read_bytes=41_223_344_556,
        write_bytes=112_233_445,
        graphics={33: _graphics(21, 3_112_233_445_566, 3_912_334)},
    )


def _graphics(client: int, render_ns: int, resident_kib: int) -> str:
    """fdinfo as i915 prints it since 6.8, with its engine group of two."""
    regions = ("system0", "stolen-system0")
    pairs: dict[str, str | int] = {
        "drm-driver": "i915",
        "drm-client-id": client,
        "drm-pdev": "0000:00:02.0",
    }
    for region in regions:
        kib = resident_kib if region == "system0" else 0
        for kind in ("total", "shared", "active", "resident", "purgeable"):
            size = kib if kind in ("total", "resident") else 0
            pairs[f"drm-{kind}-{region}"] = f"{size} KiB" if size else 0
    pairs |= {
        "drm-engine-render": f"{render_ns} ns",
        "drm-engine-copy": f"{render_ns // 100} ns",
        "drm-engine-video": "0 ns",
        "drm-engine-capacity-video": 2,
        "drm-engine-video-enhance": "0 ns",
    }
    return fdinfo(pairs)
