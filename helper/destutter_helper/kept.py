# SPDX-License-Identifier: GPL-3.0-or-later
"""What outlives a trial: the profile for every start, and the volatile files of this boot.

The profile is a part of the journal. The files below /run make other tools set our values again
instead of the distribution's: systemd-sysctl reads the name that sorts last, udev applies the
rules at every change of a drive. Both are written from checked values only and vanish at the next
restart.
"""

import re

from destutter_helper.api.setting_files import identity_match, sysctl_line, udev_rule
from destutter_helper.api.tunables import BY_ID, HOLD, SYSCTLS
from destutter_helper.device import Device
from destutter_helper.journal import Entry, KeptChange, Wish
from destutter_helper.kernel_writer import entry_error

_HEADER = "# Written by Destutter for this boot only; `destutter undo --all` removes it."
_VALUE = re.compile(r"[a-z0-9_.:,+-]{1,32}")


def with_entries(profile: tuple[KeptChange, ...], entries: list[Entry]) -> tuple[KeptChange, ...]:
    """The profile with what is on trial added or replaced."""
    added = tuple(
        KeptChange(wish.id, wish.value, entry.device) for entry in entries for wish in entry.tried
    )
    return tuple(old for old in profile if not any(_replaces(new, old) for new in added)) + added


def check_keepable(entry: Entry) -> None:
    """HelperError Unsupported when the values cannot be set at every start."""
    tunable = BY_ID[entry.tried[0].id]
    if tunable.kind == HOLD:
        reason = "lasts only as long as it is held, so it can be kept until the restart at most"
        raise entry_error("Unsupported", reason, tunable, None)
    if entry.device is not None and not entry.device.is_recognisable:
        reason = "this drive has no serial number by which it is recognised after a restart"
        raise entry_error("Unsupported", reason, tunable, entry.device)


def render_sysctl(entries: tuple[Entry, ...]) -> str:
    """The sysctl.d file for the kept entries; empty when there is nothing to say."""
    kept = [wish for _, wish in _kept(entries) if BY_ID[wish.id].path.startswith(SYSCTLS)]
    return _text([sysctl_line(wish.id, wish.value) for wish in kept])


def render_udev(entries: tuple[Entry, ...]) -> str:
    """The udev rules for the kept entries; a drive without a plain identity has none."""
    rules: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for device, wish in _kept(entries):
        match = identity_match(device.kind, device.wwid, device.serial) if device else ""
        if device and match:
            rules.setdefault((device.kind, match), []).append((wish.id, wish.value))
    return _text([udev_rule(*device, values) for device, values in rules.items()])


def _text(lines: list[str]) -> str:
    return "\n".join([_HEADER, *lines, ""]) if lines else ""


def _kept(entries: tuple[Entry, ...]) -> list[tuple[Device | None, Wish]]:
    """What to set again: kept, still ours, and of a form that no file can misread."""
    return [
        (entry.device, wish)
        for entry in entries
        for wish in entry.kept
        if not entry.conflict and _VALUE.fullmatch(wish.value)
    ]


def _replaces(new: KeptChange, old: KeptChange) -> bool:
    if new.id not in {old.id, BY_ID[old.id].twin}:
        return False
    if old.device is None or new.device is None:
        return old.device is new.device
    return old.device.is_same_hardware(new.device)
