# SPDX-License-Identifier: GPL-3.0-or-later
"""Who set a value, and which value the next start will bring.

The kernel does not remember who wrote a setting. A file that gives the present value is named as
its origin; one that gives another value is what the next start will bring. Where neither the
kernel's default nor a file fits, somebody or some program wrote it after the start.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from destutter.core.kernel_files import KernelFiles
from destutter.core.sandbox import read_sandbox
from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import KERNEL, UNKNOWN, kernel_default
from destutter.tuning.defaults import set_by as set_by_value
from destutter.tuning.keys import key_of
from destutter.tuning.other_settings import (
    command_line_value,
    modprobe_value,
    running_tools,
    tlp_settings,
    tmpfiles_value,
    tuned_value,
)
from destutter.tuning.sysctl_files import Assignment, SysctlFiles
from destutter.tuning.udev_rules import UdevDevice, UdevRules
from destutter_helper.api.setting_files import SYSCTL_FILE, UDEV_FILE
from destutter_helper.api.tunables import BY_ID, DEVICE_KINDS, Tunable

NO_FILE = Statement("tuning.owner.no_file")
BY_FILE = "tuning.owner.file"
_PERHAPS, _RUNNING = "tuning.owner.perhaps", "tuning.owner.running"

_SYSCTL = "/proc/sys/"
_OF_THIS_START = frozenset({f"/run/sysctl.d/{SYSCTL_FILE}", f"/run/udev/rules.d/{UDEV_FILE}"})


@dataclass(frozen=True, slots=True)
class Ownership:
    """One setting.

    ``set_by`` is the kernel, a file with its line, a program, or nobody that is known.
    ``next_boot`` is the value that files (or the kernel) will give it, None when that cannot be
    told, and ``next_boot_by`` who does. ``is_chosen``: somebody wanted the present value.
    """

    id: str
    device: str
    set_by: Statement
    is_chosen: bool
    next_boot: str | None = None
    next_boot_by: Statement | None = None

    @property
    def key(self) -> str:
        """The setting as "ID" or "ID@DEVICE"."""
        return key_of(self.id, self.device)


def read_ownership(
    files: KernelFiles, values: Sequence[CurrentValue], *, is_helper_asked: bool = False
) -> dict[tuple[str, str], Ownership]:
    """Who set each value that is there, by id and device.

    What the helper keeps until the restart and what for every start stands in the same files.
    With ``is_helper_asked`` the caller knows which, and the next start is told without them; else
    it cannot be told where they set a value. In a sandbox no file and no program that sets values
    can be seen, and those of its runtime set nothing.
    """
    if read_sandbox(files) is not None:
        return {
            (value.id, value.device): Ownership(value.id, value.device, *_by_value_alone(value))
            for value in values
            if value.value is not None
        }
    reader = _Sources(files)
    found = {
        (value.id, value.device): _owner(
            value,
            list(reader.assignments(value)),
            reader.tools,
            is_helper_asked=is_helper_asked,
        )
        for value in values
        if value.value is not None
    }
    for value in values:
        twin = found.get((BY_ID[value.id].twin, value.device))
        if not value.is_active and twin is not None:
            # The member of a pair that does not count is 0 because somebody set the other one.
            found[value.id, value.device] = replace(
                twin, id=value.id, next_boot=None, next_boot_by=None
            )
    return found


def chosen_keys(owners: Iterable[Ownership]) -> frozenset[str]:
    """Settings whose present value somebody wanted, by "ID" or "ID@DEVICE"."""
    return frozenset(owner.key for owner in owners if owner.is_chosen)


def is_guess(set_by: Statement) -> bool:
    """Whether somebody only may have set it."""
    return set_by.id in (_PERHAPS, _RUNNING)


def _by_value_alone(value: CurrentValue) -> tuple[Statement, bool]:
    """Who set it as far as the value tells, and whether somebody must have wanted it."""
    set_by = set_by_value(value)
    return set_by, set_by != KERNEL and kernel_default(value.id) is not None and value.is_active


class _Sources:
    """All files of one computer that give values to settings."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._sysctl = SysctlFiles(files)
        self._udev = UdevRules(files)
        self._tlp = tlp_settings(files)
        self.tools = running_tools(files)

    def assignments(self, value: CurrentValue) -> Iterator[Assignment]:
        """What is written at a start, the last writer last."""
        tunable = BY_ID[value.id]
        path = tunable.path_on(value.device)
        is_sysctl = path.startswith(_SYSCTL)
        name = path.removeprefix(_SYSCTL) if is_sysctl else ""
        files, id_ = self._files, value.id
        tuned = tuned_value(files, id_, name)
        # tuned writes files of sysctl.d again after its own values; other settings it has last.
        found = [command_line_value(files, id_, name), modprobe_value(files, id_)]
        if is_sysctl:
            found += [tuned, self._sysctl.assigned_by_hand(name)]
            found += [self._sysctl.assigned(name, _OF_THIS_START), self._sysctl.assigned(name)]
            found += [self._udev.sysctl(name), self._tlp.get(id_)]
        else:
            found += [self._by_rule(tunable, value.device)]
            found += [tmpfiles_value(files, path) if path else None, self._tlp.get(id_), tuned]
        yield from (each for each in found if each is not None)

    def _by_rule(self, tunable: Tunable, name: str) -> Assignment | None:
        kind = DEVICE_KINDS.get(tunable.device_kind)
        attribute = tunable.path.partition("{device}/")[2]
        if kind is None or not attribute:
            return None
        device = UdevDevice(f"{kind.directory}/{name}", name, tunable.device_kind)
        return self._udev.attribute(device, attribute)


def _owner(
    value: CurrentValue,
    assignments: Sequence[Assignment],
    tools: Mapping[str, str],
    *,
    is_helper_asked: bool,
) -> Ownership:
    default = kernel_default(value.id)
    # The helper's own files end with this start; what it sets at the next, only it knows.
    outlasting = [each for each in assignments if each.line.path not in _OF_THIS_START]
    is_known = is_helper_asked or len(outlasting) == len(assignments)
    coming = [each for each in outlasting if each.is_certain and is_known]
    last = coming[-1] if coming else None
    next_boot = last.value if last else (None if outlasting or not is_known else default)
    by = _by_file(last) if last else (KERNEL if next_boot is not None else None)
    set_by, is_chosen = _present_owner(value, assignments, tools)
    return Ownership(value.id, value.device, set_by, is_chosen, next_boot, by)


def _present_owner(
    value: CurrentValue, assignments: Sequence[Assignment], tools: Mapping[str, str]
) -> tuple[Statement, bool]:
    fitting = [each for each in assignments if each.value == value.value]
    if fitting:
        last = fitting[-1]
        if last.is_certain:
            return _by_file(last), True
        return Statement(_PERHAPS, {"place": last.line.place}), True
    default = kernel_default(value.id)
    if value.value == default:
        return KERNEL, False
    if value.id in tools:
        return Statement(_RUNNING, {"program": tools[value.id]}), True
    # Without a default of the kernel that is the same everywhere, nobody need have chosen it.
    return (NO_FILE, False) if default is None else (UNKNOWN, True)


def _by_file(assignment: Assignment) -> Statement:
    return Statement(BY_FILE, {"place": assignment.line.place})
