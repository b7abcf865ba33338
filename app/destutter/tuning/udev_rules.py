# SPDX-License-Identifier: GPL-3.0-or-later
"""What udev rules write into the attributes of a device.

Only matches on name, subsystem, kind of device and attributes can be decided without udev; a
rule with any other match "may" set the value. The last rule counts, as in udev.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.tuning.config_files import (
    ConfigLine,
    config_folders,
    config_lines,
    config_paths,
)
from destutter.tuning.sysctl_files import Assignment, normalised

_TERM = re.compile(r'([A-Z_]+)(?:\{([^}"]*)\})?\s*(==|!=|\+=|-=|:=|=)\s*[ei]?"((?:[^"\\]|\\.)*)"')
_WRITES = ("=", ":=")
_FOLDERS = (*config_folders("udev/rules.d"), "/lib/udev/rules.d")


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a rule, such as ATTR{queue/rotational}=="0"."""

    key: str
    attribute: str
    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class UdevRule:
    """One rule; ``is_reached`` is False when a jump before it may leave it out."""

    terms: tuple[Term, ...]
    line: ConfigLine
    is_reached: bool


@dataclass(frozen=True, slots=True)
class UdevDevice:
    """A device as rules see it: its folder, name and subsystem."""

    folder: str
    name: str
    subsystem: str


class UdevRules:
    """All rules of one computer that write attributes or sysctls."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._rules: list[UdevRule] = []
        for path in config_paths(files, _FOLDERS, ".rules"):
            jumps: set[str] = set()
            for line in config_lines(files, path):
                self._take(line, jumps)

    def _take(self, line: ConfigLine, jumps: set[str]) -> None:
        terms = parse_terms(line.text)
        for term in terms:
            if term.key == "LABEL":
                jumps.discard(term.value)
        if any(term.key in ("ATTR", "SYSCTL") and term.operator in _WRITES for term in terms):
            self._rules.append(UdevRule(terms, line, is_reached=not jumps))
        jumps.update(term.value for term in terms if term.key == "GOTO")

    def attribute(self, device: UdevDevice, attribute: str) -> Assignment | None:
        """What the last rule that may match writes into an attribute of a device."""
        found = None
        for rule in self._rules:
            for term in rule.terms:
                if (term.key, term.attribute) == ("ATTR", attribute) and term.operator in _WRITES:
                    found = self._assignment(rule, term, device) or found
        return found

    def sysctl(self, path: str) -> Assignment | None:
        """What a rule writes into a path below /proc/sys; when it does depends on devices."""
        for rule in reversed(self._rules):
            for term in rule.terms:
                is_it = term.key == "SYSCTL" and normalised(term.attribute) == path
                if is_it and term.operator in _WRITES:
                    return Assignment(term.value, rule.line, is_certain=False)
        return None

    def _assignment(self, rule: UdevRule, term: Term, device: UdevDevice) -> Assignment | None:
        verdicts = [self._holds(match, device) for match in rule.terms]
        if any(verdict is False for verdict in verdicts):
            return None
        is_certain = rule.is_reached and None not in verdicts and "$" not in term.value
        return Assignment(term.value, rule.line, is_certain)

    def _holds(self, term: Term, device: UdevDevice) -> bool | None:
        """Whether a match holds; None when that cannot be told, True for what is no match."""
        if term.operator not in ("==", "!="):
            return True
        known: Mapping[str, str] = {"KERNEL": device.name, "SUBSYSTEM": device.subsystem}
        present = known.get(term.key)
        if term.key == "ACTION":
            present = "add" if _matches("add", term.value) else "change"
        elif term.key == "ENV" and term.attribute == "DEVTYPE" and device.subsystem == "block":
            present = "disk"
        elif term.key == "ATTR":
            present = self._present(f"{device.folder}/{term.attribute}", term.value)
        elif term.key == "ATTRS" and term.operator == "==":
            return self._of_parents(device, term)
        if present is None:
            return None
        return _matches(present, term.value) == (term.operator == "==")

    def _of_parents(self, device: UdevDevice, term: Term) -> bool | None:
        """Whether the device or what it hangs on has it; farther ones are not looked at."""
        paths = (f"{device.folder}{below}/{term.attribute}" for below in ("", "/device"))
        found = (self._present(path, term.value) for path in paths)
        is_there = any(each is not None and _matches(each, term.value) for each in found)
        return True if is_there else None

    def _present(self, path: str, pattern: str) -> str | None:
        """An attribute; udev leaves out blanks at its end where the pattern does not ask for any.

        Serial numbers are padded to a fixed length (``serial_show`` in drivers/nvme/host/sysfs.c).
        """
        try:
            text = self._files.read_text(path)
        except (KernelFileError, ValueError):
            return None
        return text if text is None or pattern[-1:].isspace() else text.rstrip()


def parse_terms(text: str) -> tuple[Term, ...]:
    """The parts of a rule that read as udev writes them; others are left out."""
    return tuple(
        Term(match[1], match[2] or "", match[3], match[4]) for match in _TERM.finditer(text)
    )


def _matches(text: str, pattern: str) -> bool:
    return any(fnmatchcase(text, each) for each in pattern.split("|"))
