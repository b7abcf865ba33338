# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes as the classic files of sysctl.d, udev and tmpfiles.d, for people without the helper.

The names sort behind 99-sysctl.conf, which most distributions have: of two files that set the
same value, the one whose name sorts last counts.
"""

from collections.abc import Sequence

from destutter.tuning.exported import ExportedChange, check, in_order
from destutter_helper.api.setting_files import (
    SYSCTL_FILE,
    UDEV_FILE,
    sysctl_line,
    udev_rule,
)
from destutter_helper.api.tunables import SYSCTLS

SYSCTL_NAME, UDEV_NAME = SYSCTL_FILE, UDEV_FILE
TMPFILES_NAME = "zz-destutter.conf"

_FOLDERS = {
    SYSCTL_NAME: "/etc/sysctl.d",
    UDEV_NAME: "/etc/udev/rules.d",
    TMPFILES_NAME: "/etc/tmpfiles.d",
}
_HEAD = """\
# Kernel settings chosen with Destutter; written {written}.
# To use it: copy this file to {folder} and restart. To be rid of it: delete it and restart.
"""


def config_files(changes: Sequence[ExportedChange], written: str) -> dict[str, str]:
    """Texts by file name; only those files that have something to say.

    Raises ``NotExportableError``.
    """
    check(changes)
    ordered = in_order(changes)
    bodies = {
        SYSCTL_NAME: [
            sysctl_line(each.id, each.value) for each in ordered if each.path.startswith(SYSCTLS)
        ],
        UDEV_NAME: _rules([each for each in ordered if _is_attribute(each)]),
        TMPFILES_NAME: [
            f"w {each.path} - - - - {each.value}"
            for each in ordered
            if each.path and not each.path.startswith((SYSCTLS, "/dev/")) and not each.device
        ],
    }
    return {
        name: _HEAD.format(written=written, folder=_FOLDERS[name]) + "\n".join(lines) + "\n"
        for name, lines in bodies.items()
        if lines
    }


def left_out(changes: Sequence[ExportedChange]) -> list[str]:
    """Ids that no such file can set: what is held, and policies of threads."""
    return [
        each.id for each in in_order(changes) if not each.path or each.path.startswith("/dev/")
    ]


def _is_attribute(change: ExportedChange) -> bool:
    return bool(change.device) and "{device}/" in change.tunable.path


def _rules(changes: Sequence[ExportedChange]) -> list[str]:
    lines = []
    for each in changes:
        kind = each.tunable.device_kind
        match = each.identity or f'KERNEL=="{each.device}"'
        if not each.identity:
            lines.append(f"# {each.device} says nothing of itself: known by its name only")
        lines.append(udev_rule(kind, match, [(each.id, each.value)]))
    return lines
