# SPDX-License-Identifier: GPL-3.0-or-later
"""What the list of all settings says of each: group, range, who set it, what is advised."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.helper_statements import statement_of
from destutter.bridge.tuning_model import TuningModel
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import KERNEL, UNKNOWN
from destutter.tuning.ownership import NO_FILE
from destutter.ui.words.change_words import left_to_right
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import said, spoken
from destutter_helper.api.safe_values import safe_range
from destutter_helper.api.tunables import CHOICE, HOLD, POLICY, Tunable

translate = QCoreApplication.translate

MEMORY, DIRTY, HUGE, POWER, PROCESSOR, ABSENT = (
    "memory",
    "dirty",
    "huge",
    "power",
    "processor",
    "absent",
)
_GROUP_PREFIXES = (
    ("vm.dirty_", DIRTY),
    ("vm.", MEMORY),
    ("thp.", HUGE),
    ("nvme.", POWER),
    ("sata.", POWER),
    ("cpu.", PROCESSOR),
    ("softirq.", PROCESSOR),
    ("kernel.split_lock_mitigate", PROCESSOR),  # sysctls kernel.* are of many subjects
)


def group_of(value: CurrentValue, *, is_known: bool) -> str:
    """The group of a setting: one of the words above, or the name of a drive."""
    if not is_known:
        return ABSENT
    if value.id.startswith("block."):
        return value.device
    return next(group for prefix, group in _GROUP_PREFIXES if value.id.startswith(prefix))


def group_name(group: str) -> str:
    names = {
        MEMORY: translate("Tunables", "Memory"),
        DIRTY: translate("Tunables", "Unwritten data"),
        HUGE: translate("Tunables", "Huge pages"),
        POWER: translate("Tunables", "Power saving of drives"),
        PROCESSOR: translate("Tunables", "Processor and kernel threads"),
        ABSENT: translate("Tunables", "Not here"),
    }
    return names.get(group) or translate("Tunables", "Drive {name}").format(name=group)


def set_by(model: TuningModel, key: str) -> str:
    """Who set the present value, in words."""
    if any(each.key == key and not each.is_drifted for each in model.journal_changes):
        return translate("Tunables", "Destutter")
    owner = model.owners.get(key)
    if owner is None or owner.set_by == UNKNOWN:
        return translate("Tunables", "not known")
    text = said(owner.set_by)
    return text if owner.set_by in (KERNEL, NO_FILE) else left_to_right(text)


def accepted(tunable: Tunable, memory_kib: int | None, words: SettingWords) -> str:
    """What may be asked for here: a range, or choices."""
    if tunable.kind == POLICY:
        low, high = tunable.safe or (tunable.low, tunable.high)
        return translate("Tunables", "other, fifo:{low} to fifo:{high}").format(low=low, high=high)
    limits = tunable.safe if memory_kib is None else safe_range(tunable, memory_kib)
    if limits is None:
        return spoken().enumerated(tunable.offered)
    return translate("Tunables", "{low} to {high}").format(
        low=words.value(tunable.id, str(limits[0])), high=words.value(tunable.id, str(limits[1]))
    )


def kernel_range(tunable: Tunable) -> str:
    """What the kernel itself takes, in its own unit; empty for choices."""
    if tunable.kind in (CHOICE, POLICY) or tunable.choices or tunable.kind == HOLD:
        return ""
    if not tunable.unit:
        text = translate("Tunables", "{low} to {high}")
        return text.format(low=tunable.low, high=tunable.high)
    text = translate("Tunables", "{low} to {high} ({unit})", "a range of numbers and their unit")
    unit = spoken().measures.unit(tunable.unit)
    return text.format(low=tunable.low, high=tunable.high, unit=unit)


def unavailable(value: CurrentValue, model: TuningModel, key: str) -> str:
    """Why there is no value; the helper may know better than what may be read without rights."""
    told = model.tunables.get(key)
    if told is not None and told.current is None and told.unavailable is not None:
        return said(statement_of(told.unavailable))
    return "" if value.why is None else said(value.why)


def shown_value(value: CurrentValue, present: str | None, words: SettingWords) -> str:
    """The value as people write it; of two that exclude each other one is not in force."""
    if present is None:
        return "–"
    if not value.is_active:
        return translate("Tunables", "not in force")
    return words.value(value.id, present)


def present_value(value: CurrentValue, model: TuningModel, key: str) -> str | None:
    """The value of now; what only the helper can read comes from it."""
    told = model.tunables.get(key)
    if value.value is None and told is not None:
        return told.current
    return value.value
