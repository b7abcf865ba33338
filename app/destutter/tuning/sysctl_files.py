# SPDX-License-Identifier: GPL-3.0-or-later
"""What files of sysctl.d give to each setting at the next start, as systemd-sysctl reads them."""

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase

from destutter.core.kernel_files import KernelFiles
from destutter.tuning.config_files import (
    ConfigLine,
    config_folders,
    config_lines,
    config_paths,
)

SYSCTL_CONF = "/etc/sysctl.conf"
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value that a line gives to a setting. ``is_certain`` is False where it is not sure that
    the line is about this setting, or that it is read at all."""

    value: str
    line: ConfigLine
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class SysctlLine:
    """One line: the path below /proc/sys, perhaps with wildcards; without value it exempts."""

    path: str
    value: str | None
    line: ConfigLine


class SysctlFiles:
    """All files of one computer."""

    def __init__(self, files: KernelFiles) -> None:
        self._lines: list[SysctlLine] = []
        paths = config_paths(files, config_folders("sysctl.d"), ".conf")
        for path in paths:
            self._lines += [each for line in config_lines(files, path) if (each := _parsed(line))]
        # Debian and its children link it as 99-sysctl.conf; nothing else reads it at the start.
        self._by_hand: list[SysctlLine] = []
        if not any(path.endswith("/99-sysctl.conf") for path in paths):
            lines = config_lines(files, SYSCTL_CONF)
            self._by_hand = [each for line in lines if (each := _parsed(line))]

    def assigned(self, path: str, without: Collection[str] = ()) -> Assignment | None:
        """What a path below /proc/sys, such as "vm/swappiness", is set to; the last line counts.

        A line that names the path beats lines with wildcards, wherever they stand. The files
        ``without`` are passed over.
        """
        return _last([each for each in self._lines if each.line.path not in without], path)

    def assigned_by_hand(self, path: str) -> Assignment | None:
        """What /etc/sysctl.conf says where only the command ``sysctl`` reads it."""
        found = _last(self._by_hand, path)
        return found and Assignment(found.value, found.line, is_certain=False)


def _last(lines: list[SysctlLine], path: str) -> Assignment | None:
    exact = [each for each in lines if each.path == path]
    if exact:
        last = exact[-1]
        return None if last.value is None else Assignment(last.value, last.line)
    for each in reversed(lines):
        if each.value is not None and _GLOB & set(each.path) and fnmatchcase(path, each.path):
            return Assignment(each.value, each.line)
    return None


def normalised(key: str) -> str:
    """A key as a path: the first separator decides what the others mean (sysctl.d(5))."""
    first = next((letter for letter in key if letter in "./"), "/")
    return key if first == "/" else key.translate(str.maketrans("./", "/."))


def _parsed(line: ConfigLine) -> SysctlLine | None:
    key, equals, value = line.text.partition("=")
    name = key.strip()
    is_optional = name.startswith("-")
    name = name.removeprefix("-").strip()
    if not name or (not equals and not is_optional):
        return None
    return SysctlLine(normalised(name), value.strip() if equals else None, line)
