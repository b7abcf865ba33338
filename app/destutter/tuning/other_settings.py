# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that come from tmpfiles.d, the kernel's command line, modprobe.d and tuned, and the
programs that change settings while they run."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.tuning.config_files import ConfigLine, config_folders, config_lines, config_paths
from destutter.tuning.sysctl_files import Assignment, normalised

CMDLINE = "/proc/cmdline"
_ACTIVE_PROFILE = "/etc/tuned/active_profile"
_PROFILE_FOLDERS = (
    "/etc/tuned/profiles",
    "/etc/tuned",
    "/usr/lib/tuned/profiles",
    "/usr/lib/tuned",
)
_DEEPEST = 5  # profiles include each other, and a damaged one itself
_MODPROBE = (*config_folders("modprobe.d"), "/lib/modprobe.d")
_PARAMETERS = {
    "nvme.latency_tolerance": ("nvme_core.default_ps_max_latency_us",),
    "thp.enabled": ("transparent_hugepage",),
    "sata.link_power": ("ahci.mobile_lpm_policy",),
}
"""Parameters of the kernel and its modules that decide what a setting starts with."""

_TUNED_KEYS = {
    ("vm", "transparent_hugepages"): "thp.enabled",
    ("vm", "transparent_hugepage"): "thp.enabled",
    ("vm", "transparent_hugepage.defrag"): "thp.defrag",
    ("disk", "elevator"): "block.scheduler",
    ("disk", "readahead"): "block.read_ahead_kb",
    ("scsi_host", "alpm"): "sata.link_power",
}

_TOOLS = {
    "power-profiles-": ("power-profiles-daemon", ("cpu.power_profile",)),
    "gamemoded": ("GameMode", ("kernel.split_lock_mitigate", "cpu.power_profile")),
    "auto-cpufreq": ("auto-cpufreq", ("cpu.power_profile",)),
}
"""Programs by the first 15 letters of their name, and what they change while they run."""

_TLP_KEYS = {
    "DISK_IOSCHED": "block.scheduler",
    "SATA_LINKPWR_ON_AC": "sata.link_power",
    "SATA_LINKPWR_ON_BAT": "sata.link_power",
    "MAX_LOST_WORK_SECS_ON_AC": "vm.dirty_writeback_centisecs",
    "MAX_LOST_WORK_SECS_ON_BAT": "vm.dirty_writeback_centisecs",
}


def tmpfiles_value(files: KernelFiles, path: str) -> Assignment | None:
    """What tmpfiles.d writes into a file at the start; of several lines the first counts."""
    for name in config_paths(files, config_folders("tmpfiles.d"), ".conf"):
        for line in config_lines(files, name):
            fields = line.text.split(maxsplit=6)
            if len(fields) == 7 and fields[0][0] == "w" and fnmatchcase(path, fields[1]):
                return Assignment(fields[6].strip("\"'"), line)
    return None


def command_line_value(files: KernelFiles, tunable: str, path: str) -> Assignment | None:
    """What the kernel was started with for a setting; ``path`` is that below /proc/sys."""
    try:
        text = files.read_text(CMDLINE) or ""
    except KernelFileError:
        return None
    found = None
    for word in text.split():
        key, equals, value = word.partition("=")
        is_sysctl = key.startswith("sysctl.") and normalised(key[7:]) == path
        if equals and (is_sysctl or key in _PARAMETERS.get(tunable, ())):
            found = Assignment(value, ConfigLine(CMDLINE, 1, word))
    return found


def modprobe_value(files: KernelFiles, tunable: str) -> Assignment | None:
    """What a module is loaded with; it only counts where it is not part of the kernel."""
    found = None
    for name in config_paths(files, _MODPROBE, ".conf"):
        for line in config_lines(files, name):
            words = line.text.split()
            if words[0] != "options" or len(words) < 3:
                continue
            for word in words[2:]:
                key, _, value = word.partition("=")
                if f"{words[1].replace('-', '_')}.{key}" in _PARAMETERS.get(tunable, ()):
                    found = Assignment(value, line, is_certain=False)
    return found


def tuned_profile(files: KernelFiles) -> tuple[str, ...]:
    """The names of tuned's active profiles."""
    lines = list(config_lines(files, _ACTIVE_PROFILE))
    return tuple(lines[0].text.split()) if lines else ()


def tuned_value(files: KernelFiles, tunable: str, path: str) -> Assignment | None:
    """What tuned's active profile, or one that it includes, gives to a setting."""
    found = None
    for profile in tuned_profile(files):
        for section, key, value, line in _tuned_lines(files, profile, _DEEPEST):
            is_sysctl = section == "sysctl" and normalised(key) == path
            if is_sysctl or _TUNED_KEYS.get((section, key)) == tunable:
                found = Assignment(value, line, is_certain=section == "sysctl")
    return found


def _tuned_lines(
    files: KernelFiles, profile: str, depth: int
) -> Iterator[tuple[str, str, str, ConfigLine]]:
    """Section, key, value and line of a profile, those that it includes first."""
    if depth == 0 or not re.fullmatch(r"[\w.-]+", profile):
        return
    path = next(
        (
            name
            for base in _PROFILE_FOLDERS
            if files.is_file(name := f"{base}/{profile}/tuned.conf")
        ),
        None,
    )
    if path is None:
        return
    section, own = "", []
    for line in config_lines(files, path):
        if line.text.startswith("["):
            section = line.text.strip("[]")
            continue
        key, equals, value = (part.strip() for part in line.text.partition("="))
        if section == "main" and key == "include":
            for name in re.split(r"[\s,;]+", value):
                yield from _tuned_lines(files, name, depth - 1)
        elif equals:
            own.append((section, key, value, line))
    yield from own


def running_tools(files: KernelFiles) -> dict[str, str]:
    """Settings by id, and the programs running now that change them."""
    names = set()
    for pid in files.list_names("/proc"):
        if pid.isdecimal():
            names.add(_name_of(files, pid))
    return {
        tunable: words
        for name, (words, tunables) in _TOOLS.items()
        if name in names
        for tunable in tunables
    }


def tlp_settings(files: KernelFiles) -> dict[str, Assignment]:
    """Settings by id that TLP's own configuration names."""
    found = {}
    paths = config_paths(files, ("/etc/tlp.d",), ".conf")
    for path in (*paths, "/etc/tlp.conf"):
        for line in config_lines(files, path):
            key, equals, value = line.text.partition("=")
            if equals and key.strip() in _TLP_KEYS:
                value = value.strip().strip('"').split(" ")[0]
                found[_TLP_KEYS[key.strip()]] = Assignment(value, line, is_certain=False)
    return found


def _name_of(files: KernelFiles, pid: str) -> str:
    try:
        text = files.read_text(f"/proc/{pid}/stat") or ""
    except KernelFileError:
        return ""
    return text.partition(" (")[2].rpartition(") ")[0]
