# SPDX-License-Identifier: GPL-3.0-or-later
"""A gaming laptop on battery: AMD processor and two amdgpu cards, zram, a game of Steam's.

It stutters: swap in zram, direct reclaim, a card at its power limit and almost out of memory.
"""

from tests.data.roots.synthetic.computer import Computer, Cpu, Interrupt, add_proc, pressure
from tests.data.roots.synthetic.cpu_files import (
    BASE,
    Frequency,
    IdleState,
    add_frequency,
    add_idle_states,
    add_topology,
)
from tests.data.roots.synthetic.device_files import (
    AmdCard,
    add_amd_card,
    add_battery,
    add_hwmon,
    add_thermal_zone,
)
from tests.data.roots.synthetic.disk_files import (
    Disk,
    Work,
    add_disks,
    add_nvme,
    add_zram_swap,
)
from tests.data.roots.synthetic.memory import MIB_PAGES, Memory, Zone, add_memory
from tests.data.roots.synthetic.process_files import (
    Process,
    Thread,
    add_processes,
    fdinfo,
    kernel_thread,
)
from tests.data.roots.synthetic.sysctls import KERNEL, add_settings
from tests.data.roots.synthetic.tree import Tree

NOTE = """\
This is not a capture: no such computer was read. It is a gaming laptop as the kernel's
documentation says that it would look (tests/data/roots/make_synthetic.py), so that readers of
hardware which the tests do not have are run at all: amdgpu, a battery, amd-pstate, k10temp, an
NVMe drive that may save power, swap in zram, and a game that Steam started.
"""

PCI = "/sys/devices/pci0000:00"
NVME = f"{PCI}/0000:00:02.4/0000:04:00.0/nvme/nvme0"
CARD = f"{PCI}/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0"
INNER_CARD = f"{PCI}/0000:00:08.1/0000:c4:00.0"
GIB = 1 << 30

# Eight cores of two threads; Linux numbers the second threads after all first ones.
CPUS = tuple(Cpu(n, n % 8, (n % 8, n % 8 + 8)) for n in range(16))
IDLE_STATES = (
    IdleState("POLL", 0, 0),
    IdleState("C1", 1, 2),
    IdleState("C2", 18, 36),
    IdleState("C3", 350, 700),
)
ZONES = (
    Zone(0, "DMA", 15 * MIB_PAGES, 2816),
    Zone(0, "DMA32", 2200 * MIB_PAGES, 24_100),
    Zone(0, "Normal", 12_700 * MIB_PAGES, 33_507, boost=1024),
    Zone(0, "Movable", 0, 0),
    Zone(0, "Device", 0, 0),
)
MEMORY = Memory(
    ZONES,
    min_free_kib=67_584,
    scale_factor=10,
    meminfo_kib={
        "MemAvailable": 1_012_344,
        "Buffers": 3_452,
        "Cached": 4_198_004,
        "SwapCached": 51_876,
        "Active": 9_102_556,
        "Inactive": 3_871_020,
        "SwapTotal": 8_388_604,
        "SwapFree": 3_871_228,
        "Zswap": 0,
        "Zswapped": 0,
        "Dirty": 18_244,
        "Writeback": 96,
        "AnonPages": 9_310_772,
        "Mapped": 1_402_116,
        "Shmem": 601_228,
        "Slab": 512_404,
        "SReclaimable": 301_122,
        "SUnreclaim": 211_282,
        "KernelStack": 29_888,
        "PageTables": 101_220,
        "AnonHugePages": 3_104_768,
    },
    counters={
        "nr_file_pages": 1_062_472,
        "nr_anon_pages": 2_327_693,
        "nr_dirty": 4_561,
        "nr_writeback": 24,
        "nr_dirty_threshold": 48_211,
        "nr_dirty_background_threshold": 24_075,
        "nr_dirtied": 9_812_334,
        "nr_written": 9_611_002,
        "allocstall_normal": 412,
        "allocstall_movable": 12_472,
        "pgalloc_dma32": 41_223_001,
        "pgalloc_normal": 912_334_556,
        "pgfault": 804_112_334,
        "pgmajfault": 412_334,
        "pgpgin": 91_223_344,
        "pgpgout": 40_112_233,
        "pswpin": 1_912_334,
        "pswpout": 3_402_112,
        "pgscan_kswapd": 61_223_344,
        "pgsteal_kswapd": 51_112_233,
        "pgscan_direct": 3_112_233,
        "pgsteal_direct": 2_401_122,
        "pgscan_proactive": 40_112,
        "pgsteal_proactive": 31_223,
        "workingset_refault_file": 4_112_233,
        "workingset_refault_anon": 1_801_223,
        "slabs_scanned": 8_112_233,
        "pageoutrun": 91_223,
        "kswapd_low_wmark_hit_quickly": 30_112,
        "kswapd_high_wmark_hit_quickly": 21_223,
        "compact_stall": 1_204,
        "compact_fail": 910,
        "compact_success": 294,
        "compact_daemon_wake": 812,
        "thp_fault_alloc": 40_112,
        "thp_fault_fallback": 9_112,
        "thp_collapse_alloc": 2_112,
        "thp_split_page": 1_912,
        "swap_ra": 4_112,
        "swap_ra_hit": 2_011,
        "swpin_zero": 112_233,
        "swpout_zero": 301_122,
    },
)


def build() -> Tree:
    """The whole tree."""
    tree = Tree()
    tree.put("/SYNTHETIC", NOTE.encode())
    tree.put("/etc/os-release", 'NAME="Made-up Linux"\nPRETTY_NAME="Made-up Linux (laptop)"')
    add_proc(tree, _computer())
    add_memory(tree, MEMORY, {0: [cpu.number for cpu in CPUS]})
    _add_cpus(tree)
    _add_disks(tree)
    _add_devices(tree)
    add_processes(tree, _processes())
    laptop_vm = {"swappiness": 150, "page-cluster": 0, "max_map_count": 1048576}
    clock = "/sys/devices/system/clocksource/clocksource0"
    profile = "/sys/firmware/acpi/platform_profile"
    other = {
        f"{clock}/current_clocksource": "tsc",
        f"{clock}/available_clocksource": "tsc hpet acpi_pm ",
        profile: "balanced",
        f"{profile}_choices": "low-power balanced performance",
        "/sys/class/dmi/id/sys_vendor": "Made-up",
        "/sys/class/dmi/id/product_name": "Laptop",
        "/sys/class/dmi/id/chassis_type": 10,
    }
    add_settings(tree, laptop_vm, other)
    return tree


def _computer() -> Computer:
    interrupts = [
        Interrupt(1, 1, 41_223, "IR-IO-APIC    1-edge      i8042"),
        Interrupt(9, 9, 91_223, "IR-IO-APIC    9-fasteoi   acpi"),
        Interrupt(37, 3, 8_112_233, "IR-PCI-MSIX-0000:c4:00.3    0-edge      xhci_hcd"),
        Interrupt(87, 5, 31_223_344, "IR-PCI-MSI-0000:03:00.0    0-edge      amdgpu"),
        Interrupt(93, 6, 2_112_233, "IR-PCI-MSI-0000:05:00.0    0-edge      mt7921e"),
    ]
    for queue in range(17):
        text = f"IR-PCI-MSIX-0000:04:00.0 {queue:>4}-edge      nvme0q{queue}"
        count = 112 if queue == 0 else 401_122 + queue
        interrupts.append(Interrupt(60 + queue, max(queue - 1, 0), count, text))
    return Computer(
        release="6.14.8-made-up",
        command_line="BOOT_IMAGE=/vmlinuz root=/dev/nvme0n1p2 rw quiet amd_pstate=active",
        vendor="AuthenticAMD",
        model="AMD Ryzen 7 (made up)",
        cpu_flags="fpu tsc constant_tsc nonstop_tsc cppc pku",
        cpus=CPUS,
        uptime_s=7412,
        busy_ticks=(212_334, 412, 61_223, 441_122, 2_112, 3_112, 1_912, 0, 0, 0),
        local_counts={"LOC": 9_112_233, "RES": 401_122, "CAL": 1_912_334, "TLB": 912_334},
        interrupts=tuple(sorted(interrupts, key=lambda interrupt: interrupt.number)),
        pressure={
            "cpu": pressure(912_233_445, 0, 4.12),
            "memory": pressure(81_223_344, 31_223_344, 6.41),
            "io": pressure(41_223_344, 20_112_233, 1.02),
            "irq": "full avg10=0.11 avg60=0.09 avg300=0.08 total=4112233",
        },
        schedstat_version=16,
        sysctl={**KERNEL, "split_lock_mitigate": 1},
    )


def _add_cpus(tree: Tree) -> None:
    computer = _computer()
    add_topology(tree, computer, "acpi_idle")
    tree.put_all(f"{BASE}/amd_pstate", {"status": "active", "prefcore": "enabled"})
    tree.put(f"{BASE}/cpufreq/boost", 1)
    preferences = "default performance balance_performance balance_power power "
    for cpu in CPUS:
        add_idle_states(tree, cpu, IDLE_STATES)
        current = 3_193_921 - 41_000 * cpu.number
        policy = Frequency(
            "amd-pstate-epp", 400_000, 5_137_000, current, "balance_power", preferences
        )
        perf = {"amd_pstate_max_freq": 5_137_000, "amd_pstate_lowest_nonlinear_freq": 1_096_000}
        add_frequency(tree, cpu, policy, **perf, amd_pstate_highest_perf=196, boost=1)


def _add_disks(tree: Tree) -> None:
    drive = Disk(
        "nvme0n1",
        f"{NVME}/nvme0n1",
        "259:0",
        2_000_409_264,
        9,
        Work(
            reads=(912_334, 1_912, 81_223_344, 201_122),
            writes=(401_122, 201_112, 61_223_344, 812_334),
            queue=(2, 301_122, 1_041_122),
            discards=(9_112, 0, 91_223_344, 4_112),
            flushes=(41_223, 23_544),
        ),
        in_flight=(1, 1),
        files={"wwid": "eui.0000000000000001", "nsid": 1},
        partitions=2,
    )
    swap = Disk(
        "zram0",
        "/sys/devices/virtual/block/zram0",
        "252:0",
        16_777_216,
        10,
        Work(
            reads=(1_912_334, 0, 15_298_672, 4_112),
            writes=(3_402_112, 0, 27_216_896, 61_223),
            queue=(0, 66_112, 65_335),
            discards=(91_223, 0, 729_784, 112),
        ),
        queue={"scheduler": "none", "nr_requests": 128, "wbt_lat_usec": 0, "fua": 0},
    )
    add_disks(tree, [drive, swap])
    # zram is a device without a queue of requests, so it has no write-back throttling either.
    del tree.files["/sys/devices/virtual/block/zram0/queue/wbt_lat_usec"]
    model = {"model": "Made-up NVMe 1TB", "serial": "0000000000000001", "firmware_rev": "1.0"}
    add_nvme(tree, "nvme0", NVME, {**model, "address": "0000:04:00.0"})
    tree.link(f"{NVME}/nvme0n1/device", NVME)
    mm_stat = (4_625_629_184, 1_391_223_344, 1_441_792_000, 0, 1_612_334_080)
    add_zram_swap(tree, 8 * GIB, 4_517_376, (*mm_stat, 91_223, 41_122, 2_112, 3_112))


def _add_devices(tree: Tree) -> None:
    add_amd_card(
        tree,
        AmdCard(
            "card1",
            "0000:03:00.0",
            CARD,
            "0x7480",
            busy_percent=97,
            vram_mib=8176,
            vram_used_mib=7_990,
            gtt_used_mib=1_912,
            clocks_mhz=(500, 1290, 2615),
            clock_level=2,
            power_uw=98_000_000,
            power_cap_uw=100_000_000,
            edge_mdeg=78_000,
            hwmon="hwmon3",
            link=("16.0 GT/s PCIe", 8),
            throttle=1 << 0,
        ),
    )
    add_amd_card(
        tree,
        AmdCard(
            "card0",
            "0000:c4:00.0",
            INNER_CARD,
            "0x15bf",
            busy_percent=11,
            vram_mib=512,
            vram_used_mib=401,
            gtt_used_mib=212,
            clocks_mhz=(800, 1100, 2700),
            clock_level=0,
            power_uw=31_223_000,
            power_cap_uw=None,
            edge_mdeg=71_000,
            hwmon="hwmon4",
        ),
    )
    tree.put(f"{INNER_CARD}/power/control", "on")
    cpu_sensor = {"temp1_input": 88_625, "temp1_label": "Tctl"}
    add_hwmon(tree, "hwmon2", "k10temp", f"{PCI}/0000:00:18.3", cpu_sensor)
    drive = {"temp1_input": 51_850, "temp1_label": "Composite", "temp1_crit": 84_850}
    add_hwmon(tree, "hwmon1", "nvme", NVME, {**drive, "temp1_max": 79_850, "temp1_alarm": 0})
    add_thermal_zone(tree, "acpitz", 71_000, 105_000)
    add_battery(tree, is_plugged=False, capacity_percent=63)


def _processes() -> list[Process]:
    kernel = [
        kernel_thread(2, "kthreadd"),
        *(
            kernel_thread(15 + 6 * n, f"migration/{n}", policy=1, rt_priority=99, processor=n)
            for n in range(2)
        ),
        *(kernel_thread(16 + 6 * n, f"ksoftirqd/{n}", processor=n) for n in range(16)),
        kernel_thread(131, "kcompactd0", system_ticks=412),
        kernel_thread(132, "khugepaged", system_ticks=91),
        kernel_thread(141, "kswapd0", system_ticks=91_223),
        kernel_thread(212, "irq/87-amdgpu", policy=1, rt_priority=50),
        kernel_thread(4711, "kworker/3:1H-kblockd"),
    ]
    reaper = ("reaper", "SteamLaunch", "AppId=1000", "--")
    home = "/home/player/.steam"
    system = [
        _program(Thread(1, "systemd"), 0, "/sbin/init", start_ticks=3),
        _program(Thread(1400, "pipewire", policy=2, rt_priority=88), 1, "/usr/bin/pipewire"),
        Process(
            (Thread(1512, "kwin_wayland", 9_112, 4_112),),
            1,
            ("/usr/bin/kwin_wayland",),
            41_223,
            graphics={12: _graphics("0000:c4:00.0", 4, 812_334_556, 0, 91_223)},
        ),
        _program(Thread(2301, "steam"), 1, f"{home}/ubuntu12_32/steam", rss_pages=61_223),
        Process((Thread(9001, "reaper"),), 2301, (*reaper, "game.exe"), 512),
        _program(Thread(9010, "pv-bwrap"), 9001, "pv-bwrap"),
        _program(Thread(9015, "wineserver", 4_112), 9010, "wineserver"),
    ]
    return [*kernel, *system, _game()]


def _game() -> Process:
    names = ["RenderThread 0", "RHIThread", "dxvk-submit", "dxvk-frame", "dxvk-cs"]
    names += ["TaskGraphThread" for _ in range(6)] + ["AudioThread", "dxvk-shader-0"]
    threads = [Thread(9020, "Made-up Game.ex", 301_122, 20_112, 9_112_233_445, processor=2)]
    for index, name in enumerate(names):
        ticks = 151_122 if index == 0 else 31_122 // (index + 1)
        delay_ns = 4_112_233_445 // (index + 1)
        thread = Thread(9030 + index, name, ticks, ticks // 9, delay_ns, processor=index % 16)
        threads.append(thread)
    used = _graphics("0000:03:00.0", 31, 4_812_334_556_677, 91_223_344_556, 7_612_334)
    idle = _graphics("0000:03:00.0", 33, 1_112_233, 0, 4_112)
    return Process(
        tuple(threads),
        9010,
        ("Z:\\games\\Made-up Game.exe", "-windowed"),
        rss_pages=1_912_334,
        swap_kib=2_112_334,
        major_faults=81_223,
        start_ticks=301_122,
        read_bytes=61_223_344_556,
        write_bytes=412_233_445,
        # The same client twice: a program that sums descriptors would count it double.
        graphics={57: used, 58: used, 61: idle},
    )


def _program(
    thread: Thread, parent: int, argument: str, rss_pages: int = 4_112, start_ticks: int = 4000
) -> Process:
    return Process((thread,), parent, (argument,), rss_pages, start_ticks=start_ticks)


def _graphics(slot: str, client: int, gfx_ns: int, dma_ns: int, vram_kib: int) -> str:
    """fdinfo as amdgpu prints it since 6.14, with the older key beside the newer ones."""
    pairs: dict[str, str | int] = {
        "drm-driver": "amdgpu",
        "drm-client-id": client,
        "drm-pdev": slot,
        "pasid": 32_770 + client,
        "drm-total-vram": f"{vram_kib + 4096} KiB",
        "drm-shared-vram": "128 KiB",
        "drm-resident-vram": f"{vram_kib} KiB",
        "drm-total-gtt": "1048576 KiB",
        "drm-shared-gtt": "0",
        "drm-resident-gtt": f"{vram_kib // 4} KiB",
        "drm-memory-vram": f"{vram_kib} KiB",
        "drm-memory-gtt": f"{vram_kib // 4} KiB",
        "amd-evicted-vram": f"{vram_kib // 100} KiB",
        "drm-engine-gfx": f"{gfx_ns} ns",
        "drm-engine-dma": f"{dma_ns} ns",
    }
    return fdinfo(pairs)
