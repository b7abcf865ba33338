# SPDX-License-Identifier: GPL-3.0-or-later
"""What this computer is made of and how its kernel is set, for the page that shows all of it.

It reads a few hundred small files: for a thread of its own, not for a tick.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sandbox import hiding_sandbox
from destutter.core.statement import Statement
from destutter.core.swap_areas import read_swaps
from destutter.tuning.drive_details import DriveDetails, read_drive
from destutter.tuning.machine_profile import NO_ZONE, MachineProfile, PartReader, read_profile
from destutter.tuning.other_programs import OtherPrograms, read_other_programs
from destutter_helper.api.choices import active_choice

_CLOCK = "/sys/devices/system/clocksource/clocksource0"
_THP = "/sys/kernel/mm/transparent_hugepage"
_RT_PRIORITY, _POLICY = 37, 38  # fields of /proc/PID/stat after the name (proc_pid_stat(5))
_POLICIES = {"1": "FIFO", "2": "RR", "6": "DEADLINE"}


@dataclass(frozen=True, slots=True)
class Zone:
    """One memory zone, in pages (/proc/zoneinfo)."""

    name: str
    free: int
    min: int
    low: int
    high: int
    managed: int


@dataclass(frozen=True, slots=True)
class SwapDetails:
    """One swap area: sizes in KiB; ``algorithm`` and ``stored`` only of a zram device.

    ``stored``: (bytes before, bytes after) compression.
    """

    name: str
    size_kib: int
    used_kib: int
    priority: int
    algorithm: str | None = None
    stored: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """Names rather than numbers; None: this kernel does not have it.

    ``is_partly_hidden``: or it is in /sys/kernel or /sys/module, which the sandbox hides.
    """

    release: str | None = None
    command_line: str | None = None
    preemption: str | None = None
    clocksource: str | None = None
    clocksources: tuple[str, ...] = ()
    thp: str | None = None
    thp_defrag: str | None = None
    zswap: bool | None = None
    cgroup: str | None = None
    is_cgroup_v2: bool = False
    rt_runtime_us: int | None = None
    aspm: str | None = None
    nvme_max_latency_us: int | None = None
    is_partly_hidden: bool = False


@dataclass(frozen=True, slots=True)
class SystemReading:
    """Everything at one moment. ``threads``: policy and priority by "PID/TID"."""

    profile: MachineProfile
    drives: tuple[DriveDetails, ...] = ()
    zones: tuple[Zone, ...] = ()
    swaps: tuple[SwapDetails, ...] = ()
    kernel: KernelSettings = field(default_factory=KernelSettings)
    programs: OtherPrograms = field(default_factory=OtherPrograms)
    threads: dict[str, str] = field(default_factory=dict)
    problems: tuple[Statement, ...] = ()


def read_system(files: KernelFiles, threads: Iterable[str] = ()) -> SystemReading:
    """The computer below the root of ``files``; ``threads`` are "PID/TID" to look up."""
    parts = PartReader()
    profile = read_profile(files)
    return SystemReading(
        profile,
        tuple(read_drive(files, drive) for drive in profile.drives),
        parts.get(lambda: parse_zones(files.read_text("/proc/zoneinfo") or "")) or (),
        parts.get(lambda: _swaps(files)) or (),
        _kernel(files, parts),
        parts.get(lambda: read_other_programs(files)) or OtherPrograms(),
        {each: policy for each in threads if (policy := _policy(files, each))},
        (*profile.problems, *parts.problems),
    )


def parse_zones(text: str) -> tuple[Zone, ...]:
    """The zones that have pages.

    Raises ``KernelFileError`` when a line does not read as the kernel writes it.
    """
    zones: list[Zone] = []
    for block in text.split("\nNode ") if text else ():
        name, _, body = block.removeprefix("Node ").partition("\n")
        words = name.replace(",", " ").split()
        if len(words) != 3 or words[1] != "zone":
            raise KernelFileError("/proc/zoneinfo", None, NO_ZONE)
        found: dict[str, int] = {}
        for line in body.replace("pages free", "free").splitlines():
            pair = line.split()
            if len(pair) == 2 and pair[0] in ("free", "min", "low", "high", "managed"):
                found.setdefault(pair[0], _whole("/proc/zoneinfo", pair[1]))
        if found.get("managed"):
            zones.append(_zone(f"node{words[0]}/{words[2]}", found))
    return tuple(zones)


def _zone(name: str, found: dict[str, int]) -> Zone:
    try:
        return Zone(
            name, found["free"], found["min"], found["low"], found["high"], found["managed"]
        )
    except KeyError as missing:
        reason = Statement("tuning.file.lacks_line", {"zone": name, "line": str(missing)})
        raise KernelFileError("/proc/zoneinfo", None, reason) from None


def _swaps(files: KernelFiles) -> tuple[SwapDetails, ...]:
    areas = []
    for area in read_swaps(files):
        device, algorithm, stored = area.device, None, None
        if area.is_zram:
            algorithm = _chosen(files, f"/sys/block/{device}/comp_algorithm")
            stored = _stored(files, device)
        sizes = area.size_kib, area.used_kib
        areas.append(SwapDetails(area.name, *sizes, area.priority, algorithm, stored))
    return tuple(areas)


def _stored(files: KernelFiles, device: str) -> tuple[int, int] | None:
    words = (files.read_text(f"/sys/block/{device}/mm_stat") or "").split()
    if len(words) < 2:
        return None
    return _whole("mm_stat", words[0]), _whole("mm_stat", words[1])


def _kernel(files: KernelFiles, parts: PartReader) -> KernelSettings:
    available = parts.get(lambda: files.read_text(f"{_CLOCK}/available_clocksource")) or ""
    zswap = parts.get(lambda: files.read_text("/sys/module/zswap/parameters/enabled"))
    cgroup = parts.get(lambda: files.read_text("/proc/self/cgroup")) or ""
    # Version 1 has a line for each of its hierarchies; a sandbox hides /sys/fs.
    is_v2 = files.exists("/sys/fs/cgroup/cgroup.controllers") or (
        cgroup.startswith("0::") and "\n" not in cgroup.strip()
    )
    version = parts.get(lambda: files.read_text("/proc/version")) or ""
    nvme = "/sys/module/nvme_core/parameters/default_ps_max_latency_us"
    return KernelSettings(
        release=parts.get(lambda: files.read_text("/proc/sys/kernel/osrelease")),
        command_line=parts.get(lambda: files.read_text("/proc/cmdline")),
        preemption=_preemption(version),
        clocksource=parts.get(lambda: files.read_text(f"{_CLOCK}/current_clocksource")),
        clocksources=tuple(available.split()),
        thp=parts.get(lambda: _chosen(files, f"{_THP}/enabled")),
        thp_defrag=parts.get(lambda: _chosen(files, f"{_THP}/defrag")),
        zswap=None if zswap is None else zswap[:1] in ("Y", "1"),
        cgroup=_own_cgroup(cgroup),
        is_cgroup_v2=is_v2,
        rt_runtime_us=parts.get(lambda: files.read_int("/proc/sys/kernel/sched_rt_runtime_us")),
        aspm=parts.get(lambda: _chosen(files, "/sys/module/pcie_aspm/parameters/policy")),
        nvme_max_latency_us=parts.get(lambda: files.read_int(nvme)),
        is_partly_hidden=hiding_sandbox(files) is not None,
    )


def _preemption(version: str) -> str | None:
    """How the kernel was built to be interrupted: PREEMPT_RT, PREEMPT_DYNAMIC, PREEMPT."""
    return next((word for word in version.split() if word.startswith("PREEMPT")), None)


def _own_cgroup(text: str) -> str | None:
    """The control group of this process: its line of version 2, else its first."""
    lines = text.splitlines()
    own = next((line for line in lines if line.startswith("0::")), lines[0] if lines else "")
    return own.rpartition(":")[2] or None


def _chosen(files: KernelFiles, path: str) -> str | None:
    return active_choice(files.read_text(path) or "") or None


def _policy(files: KernelFiles, thread: str) -> str | None:
    """Policy and priority of a thread, such as "FIFO 50"; None when it has gone."""
    pid, _, tid = thread.partition("/")
    if not (pid.isdecimal() and tid.isdecimal()):
        return None
    try:
        stat = files.read_text(f"/proc/{pid}/task/{tid}/stat") or ""
    except KernelFileError:
        return None
    fields = stat.rpartition(") ")[2].split()
    if len(fields) <= _POLICY or fields[_POLICY] not in _POLICIES:
        return None
    return f"{_POLICIES[fields[_POLICY]]} {fields[_RT_PRIORITY]}"


def _whole(path: str, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        reason = Statement("core.not_whole", {"text": f"{word[:40]!a}"})
        raise KernelFileError(path, None, reason) from None
