# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kernel file that samplers, facts and tunables read: what a capture of a computer holds.

A "*" stands for any name of that folder, also as a part of a name. Serial numbers, host names,
user names and the command lines of other programs are not on the list; of configuration files
only the lines about settings are taken (``setting_files``).
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from destutter.core.kernel_files import KernelFileError, KernelFiles, names_if_shown
from destutter.sampling.capturing.setting_files import SETTING_PATTERNS
from destutter.sampling.files.process_files import PROC, list_pids, list_threads, read_process_stat
from destutter.sampling.gpu.drm_clients import drm_descriptors

PATTERNS = tuple(
    """
    /etc/os-release
    /proc/vmstat /proc/meminfo /proc/stat /proc/diskstats /proc/interrupts /proc/softirqs
    /proc/schedstat /proc/zoneinfo /proc/buddyinfo /proc/swaps /proc/uptime /proc/loadavg
    /proc/cpuinfo /proc/net/softnet_stat
    /proc/pressure/*
    /proc/sys/vm/*
    /proc/sys/kernel/osrelease /proc/sys/kernel/task_delayacct
    /proc/sys/kernel/split_lock_mitigate /proc/sys/kernel/sched_autogroup_enabled
    /proc/sys/kernel/sched_rt_runtime_us /proc/sys/kernel/sched_rt_period_us
    /proc/sys/kernel/sched_schedstats /proc/sys/kernel/numa_balancing
    /proc/sys/kernel/nmi_watchdog /proc/sys/kernel/watchdog /proc/sys/kernel/timer_migration
    /proc/driver/nvidia/version /proc/driver/nvidia/gpus/*/information
    /proc/irq/*/smp_affinity_list /proc/irq/*/effective_affinity_list
    /sys/block/*/stat /sys/block/*/inflight /sys/block/*/size /sys/block/*/removable
    /sys/block/*/hidden
    /sys/block/*/disksize /sys/block/*/mm_stat /sys/block/*/comp_algorithm
    /sys/block/*/dm/name /sys/block/*/loop/backing_file
    /sys/block/*/device/model /sys/block/*/device/uevent /sys/block/*/device/transport
    /sys/block/*/queue/* /sys/block/*/queue/iosched/*
    /sys/bus/pci/drivers/nvidia/*/power/runtime_status
    /sys/bus/pci/drivers/nvidia/*/power/control
    /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name
    /sys/class/drm/card*-*/enabled /sys/class/drm/card*-*/modes
    /sys/class/drm/card*/device/uevent /sys/class/drm/card*/device/vendor
    /sys/class/drm/card*/device/device /sys/class/drm/card*/device/product_name
    /sys/class/drm/card*/device/power/runtime_status /sys/class/drm/card*/device/power/control
    /sys/class/drm/card*/device/gpu_busy_percent /sys/class/drm/card*/device/mem_busy_percent
    /sys/class/drm/card*/device/mem_info_* /sys/class/drm/card*/device/gpu_metrics
    /sys/class/drm/card*/device/pp_dpm_sclk /sys/class/drm/card*/device/pp_dpm_mclk
    /sys/class/drm/card*/device/power_dpm_force_performance_level
    /sys/class/drm/card*/device/current_link_* /sys/class/drm/card*/device/max_link_*
    /sys/class/drm/card*/device/hwmon/hwmon*/*
    /sys/class/drm/card*/gt_* /sys/class/drm/card*/gt/gt*/*
    /sys/class/drm/card*/device/tile*/gt*/freq*/*
    /sys/class/drm/card*/device/tile*/gt*/freq*/throttle/*
    /sys/class/hwmon/hwmon*/name /sys/class/hwmon/hwmon*/temp*
    /sys/class/hwmon/hwmon*/power*_* /sys/class/hwmon/hwmon*/device/power/control
    /sys/class/nvme/*/power/pm_qos_latency_tolerance_us /sys/class/nvme/*/model
    /sys/class/power_supply/*/type /sys/class/power_supply/*/online
    /sys/class/power_supply/*/scope
    /sys/class/scsi_host/*/link_power_management_*
    /sys/class/thermal/thermal_zone*/type /sys/class/thermal/thermal_zone*/temp
    /sys/class/thermal/thermal_zone*/trip_point_*
    /sys/devices/system/clocksource/clocksource0/*_clocksource
    /sys/devices/system/cpu/online /sys/devices/system/cpu/possible
    /sys/devices/system/cpu/cpufreq/boost /sys/devices/system/cpu/cpufreq/policy*/*
    /sys/devices/system/cpu/intel_pstate/* /sys/devices/system/cpu/amd_pstate/*
    /sys/devices/system/cpu/smt/active
    /sys/devices/system/cpu/cpu*/cpuidle/state*/*
    /sys/devices/system/cpu/cpu*/thermal_throttle/*
    /sys/devices/system/cpu/cpu*/topology/core_id
    /sys/devices/system/cpu/cpu*/topology/physical_package_id
    /sys/devices/system/cpu/cpu*/power/pm_qos_resume_latency_us
    /sys/devices/system/node/node*/numastat
    /sys/firmware/acpi/interrupts/gpe*
    /sys/firmware/acpi/platform_profile /sys/firmware/acpi/platform_profile_choices
    /sys/hypervisor/type
    /sys/kernel/mm/lru_gen/enabled /sys/kernel/mm/lru_gen/min_ttl_ms
    /sys/kernel/mm/transparent_hugepage/* /sys/kernel/mm/transparent_hugepage/khugepaged/*
    /sys/module/nvme_core/parameters/default_ps_max_latency_us
    /sys/module/pcie_aspm/parameters/policy
    /sys/module/zswap/parameters/*
    """.split()
    + list(SETTING_PATTERNS)
)

# Reading these does something, or they are only for writing.
_ACTING = frozenset({"compact_memory", "drop_caches", "stat_refresh", "unbind_clocksource"})

_EVERY_PROCESS = ("stat",)
_GAME_FILES = ("stat", "status", "io", "schedstat", "cmdline", "cgroup", "wchan")
_THREAD_FILES = ("stat", "schedstat")


def kernel_paths(files: KernelFiles, extra: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """The files that exist, and the patterns that match nothing on this computer.

    ``extra`` are more patterns. Processes are not among them: see ``process_paths``.
    """
    found: dict[str, None] = {}
    absent = []
    for pattern in (*PATTERNS, *extra):
        paths = [path for path in expand(files, pattern) if is_wanted(files, path)]
        found.update(dict.fromkeys(paths))
        if not paths:
            absent.append(pattern)
    return list(found), absent


def expand(files: KernelFiles, pattern: str) -> Iterator[str]:
    """The paths below the root that a pattern names."""
    bases = [""]
    for part in pattern.split("/")[1:]:
        if "*" in part:
            bases = [
                f"{base}/{name}"
                for base in bases
                for name in names_if_shown(files, base or "/")
                if fnmatchcase(name, part)
            ]
        else:
            bases = [f"{base}/{part}" for base in bases]
    return (base for base in bases if files.exists(base))


def is_wanted(files: KernelFiles, path: str) -> bool:
    """Whether a path is a file that may be read without any effect."""
    return path.rpartition("/")[2] not in _ACTING and files.is_file(path)


def process_paths(
    files: KernelFiles, pids: Iterable[int] | None = None, game: int | None = None
) -> Iterator[str]:
    """Files of processes: the line "stat" of each, and of the game all that is measured.

    ``pids``: only these; all of them without it.
    """
    for pid in list_pids(files) if pids is None else pids:
        if pid != game:
            yield from (f"{PROC}/{pid}/{name}" for name in _EVERY_PROCESS)
            if _is_realtime(files, pid):
                yield f"{PROC}/{pid}/task/{pid}/stat"
    if game is not None:
        yield from (f"{PROC}/{game}/{name}" for name in _GAME_FILES)
        for tid in list_threads(files, game):
            yield from (f"{PROC}/{game}/task/{tid}/{name}" for name in _THREAD_FILES)
        for name in drm_descriptors(files, game):
            yield f"{PROC}/{game}/fdinfo/{name}"


def _is_realtime(files: KernelFiles, pid: int) -> bool:
    try:
        stat = read_process_stat(files, pid)
    except KernelFileError:
        return False
    return stat is not None and stat.rt_priority > 0
