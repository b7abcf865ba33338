# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that run now and change settings or priorities by themselves."""

from dataclasses import dataclass

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import COMM_LENGTH
from destutter.core.sandbox import hiding_sandbox
from destutter.core.statement import Statement

_SCHED_EXT = "/sys/kernel/sched_ext"

KNOWN = {
    "tuned": ("tuned", "by_profile"),
    "power-profiles-daemon": ("power-profiles-daemon", "power_profile"),
    "gamemoded": ("GameMode", "game"),
    "auto-cpufreq": ("auto-cpufreq", "clock"),
    "tlp-pd": ("TLP", "power_saving"),
    "thermald": ("thermald", "power_limits"),
    "irqbalance": ("irqbalance", "interrupts"),
    "ananicy-cpp": ("ananicy-cpp", "priorities"),
    "ananicy": ("ananicy", "priorities"),
    "uresourced": ("uresourced", "resources"),
    "earlyoom": ("earlyoom", "memory"),
    "nohang": ("nohang", "memory"),
    "systemd-oomd": ("systemd-oomd", "groups"),
    "zram-generator": ("zram-generator", "swap"),
    "system76-power": ("system76-power", "power_profile"),
    "cosmic-settings-daemon": ("COSMIC settings", "power_profile"),
}
"""Programs by the name of their process: what they are called, and what they change."""

SCHEDULER_CHANGES = Statement("tuning.changes.cores")
"""What a sched_ext scheduler changes."""

_BY_COMM = {name[:COMM_LENGTH]: name for name in KNOWN}
_INTERPRETED = ("python", "python3")


@dataclass(frozen=True, slots=True)
class OtherProgram:
    """One program: its key in ``KNOWN``, and a number of its process."""

    key: str
    pid: int

    @property
    def name(self) -> str:
        return KNOWN[self.key][0]

    @property
    def changes(self) -> Statement:
        return Statement(f"tuning.changes.{KNOWN[self.key][1]}")


@dataclass(frozen=True, slots=True)
class OtherPrograms:
    """``scheduler``: the sched_ext scheduler that is loaded, None without one.

    ``are_hidden``: a sandbox shows neither.
    """

    running: tuple[OtherProgram, ...] = ()
    scheduler: str | None = None
    are_hidden: bool = False


def read_other_programs(files: KernelFiles) -> OtherPrograms:
    """The known programs that run now. In a container others are invisible."""
    if hiding_sandbox(files) is not None:
        return OtherPrograms(are_hidden=True)
    found: dict[str, OtherProgram] = {}
    for pid in files.list_names("/proc"):
        if pid.isdecimal():
            key = _key_of(files, pid)
            if key is not None:
                found.setdefault(key, OtherProgram(key, int(pid)))
    return OtherPrograms(
        tuple(sorted(found.values(), key=lambda each: each.key)), _sched_ext(files)
    )


def _key_of(files: KernelFiles, pid: str) -> str | None:
    comm = _read(files, f"/proc/{pid}/comm") or ""
    if comm in _BY_COMM:
        return _BY_COMM[comm]
    if not comm.startswith(_INTERPRETED):
        return None
    # tuned and nohang are scripts: the name of the file is their second word.
    words = (_read(files, f"/proc/{pid}/cmdline") or "").split("\0")
    names = {word.rpartition("/")[2] for word in words[1:3]}
    return next((name for name in names if name in KNOWN), None)


def _sched_ext(files: KernelFiles) -> str | None:
    if _read(files, f"{_SCHED_EXT}/state") != "enabled":
        return None
    return _read(files, f"{_SCHED_EXT}/root/ops") or "sched_ext"


def _read(files: KernelFiles, path: str) -> str | None:
    """A file of a process that may end, or belong to somebody, at any moment."""
    try:
        return files.read_text(path)
    except KernelFileError:
        return None
