# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration files that may give values to settings, for a capture of a computer.

Of these files only lines about settings that Destutter knows are captured, the others as empty
lines, so that the numbers of lines stay. Serial numbers in them are hidden.
"""

import re
from fnmatch import fnmatchcase

from destutter_helper.api.tunables import SYSCTLS, TUNABLES

_FOLDERS = ("/etc", "/run", "/usr/local/lib", "/usr/lib")

SETTING_PATTERNS = (
    "/proc/cmdline",
    "/etc/sysctl.conf",
    "/etc/tlp.conf",
    "/etc/tlp.d/*.conf",
    "/etc/tuned/active_profile",
    "/etc/tuned/*/tuned.conf",
    "/etc/tuned/profiles/*/tuned.conf",
    "/usr/lib/tuned/*/tuned.conf",
    "/usr/lib/tuned/profiles/*/tuned.conf",
    "/lib/udev/rules.d/*.rules",
    "/lib/modprobe.d/*.conf",
    *(
        f"{folder}/{kind}"
        for folder in _FOLDERS
        for kind in (
            "sysctl.d/*.conf",
            "udev/rules.d/*.rules",
            "tmpfiles.d/*.conf",
            "modprobe.d/*.conf",
        )
    ),
)

_WHOLE = frozenset({"/etc/tuned/active_profile"})
_CMDLINE = "/proc/cmdline"
_SYSCTLS = (
    re.escape(tunable.path.removeprefix(SYSCTLS)).replace("/", "[./]")
    for tunable in TUNABLES
    if tunable.path.startswith(SYSCTLS)
)
_ABOUT = re.compile(
    rb"\bvm[./]|queue/|pm_qos_latency|link_power|transparent_hugepage"
    rb"|default_ps_max_latency|mobile_lpm_policy|DISK_IOSCHED|SATA_LINKPWR|MAX_LOST_WORK"
    rb"|elevator|readahead|alpm|GOTO|LABEL|^\s*\[|^\s*include|" + "|".join(_SYSCTLS).encode()
)
_SERIAL = re.compile(rb'((?:SERIAL|serial|WWN|wwid|UUID|uuid)\w*\}\s*[!=]=\s*[ei]?")[^"]*(")')


def is_setting_file(path: str) -> bool:
    """Whether a path is one of those of which only some lines are captured."""
    return any(fnmatchcase(path, pattern) for pattern in SETTING_PATTERNS)


def only_settings(path: str, data: bytes) -> bytes:
    """The content of such a file without what is about something else."""
    if path in _WHOLE:
        return data
    if path == _CMDLINE:
        return b" ".join(word for word in data.split() if _ABOUT.search(word)) + b"\n"
    kept: list[bytes] = []
    for group in _logical_lines(data):
        is_about = any(_ABOUT.search(line) and not _is_comment(line) for line in group)
        kept += [_SERIAL.sub(rb"\1hidden\2", line) if is_about else b"" for line in group]
    return b"\n".join(kept)


def _logical_lines(data: bytes) -> list[list[bytes]]:
    """Lines, with those together that a trailing backslash joins."""
    groups: list[list[bytes]] = [[]]
    for line in data.split(b"\n"):
        groups[-1].append(line)
        if not line.rstrip().endswith(b"\\"):
            groups.append([])
    return [group for group in groups if group]


def _is_comment(line: bytes) -> bool:
    return line.lstrip()[:1] in (b"#", b";")
