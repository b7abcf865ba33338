# SPDX-License-Identifier: GPL-3.0-or-later
"""What outlives a trial: the profile for every start, and the volatile files of this boot.

``kept.json`` in the state directory is the only thing that outlives the boot. The files below
/run make other tools set our values again instead of the distribution's: systemd-sysctl reads
the name that sorts last, udev applies the rules at every change of a drive. Both are written
from checked values only and vanish at the next restart.
"""

import re
from dataclasses import dataclass

from destutter_helper.api.payload import Change
from destutter_helper.api.tunables import BY_ID, HOLD, SYSCTLS
from destutter_helper.device import Device
from destutter_helper.journal import VERSION, Entry, NewerFormat, Wish, seal, unseal
from destutter_helper.kernel_writer import entry_error
from destutter_helper.storage import Storage

PROFILE = "kept.json"
ATTEMPTS = "boot-attempt.json"
SYSCTL_FILE = "99-zz-destutter.conf"
UDEV_FILE = "99-zz-destutter.rules"

_HEADER = "# Written by Destutter for this boot only; `destutter undo --all` removes it.\n"
_PLAIN_IDENTITY = re.compile(r"[A-Za-z0-9 _.:+/-]{1,128}")  # nothing that is a pattern for udev
_VALUE = re.compile(r"[a-z0-9_.:,+-]{1,32}")


@dataclass(frozen=True, slots=True)
class KeptChange:
    """One value for every start, and the hardware that it is for."""

    id: str
    value: str
    device: Device | None

    @property
    def change(self) -> Change:
        """The same for people, with the kernel's name that the device had."""
        return Change(self.id, self.value, self.device.name if self.device else "")


@dataclass(frozen=True, slots=True)
class Profile:
    """What is set at every start. ``txid`` is the trial that was kept last."""

    txid: str = ""
    changes: tuple[KeptChange, ...] = ()
    version: int = VERSION
    min_reader: int = 1


def load_profile(storage: Storage) -> tuple[Profile, str]:
    """The profile and what is wrong with its file, in words."""
    try:
        data = storage.read(PROFILE)
        profile = Profile() if data is None else unseal(Profile, data)
    except (ValueError, NewerFormat, OSError) as error:
        return Profile(), f"what is kept for every start cannot be read: {error}"
    known = tuple(change for change in profile.changes if change.id in BY_ID)
    return Profile(profile.txid, known), ""


def save_profile(storage: Storage, profile: Profile) -> None:
    """Makes it durable, and its starts count anew; an empty one is no file at all. OSError."""
    if profile.changes:
        storage.replace(PROFILE, seal(profile))
    else:
        storage.remove(PROFILE)
    storage.remove(ATTEMPTS)


def with_entries(profile: Profile, txid: str, entries: list[Entry]) -> Profile:
    """The profile with the entries' wishes added or replaced."""
    added = tuple(
        KeptChange(wish.id, wish.value, entry.device) for entry in entries for wish in entry.wishes
    )
    rest = tuple(old for old in profile.changes if not any(_replaces(new, old) for new in added))
    return Profile(txid, rest + added)


def check_keepable(entry: Entry) -> None:
    """HelperError Unsupported when the values cannot be set at every start."""
    tunable = BY_ID[entry.wishes[0].id]
    if tunable.kind == HOLD:
        reason = "lasts only as long as it is held, so it can be kept until the restart at most"
        raise entry_error("Unsupported", reason, tunable, None)
    if entry.device is not None and not entry.device.is_recognisable:
        reason = "this drive has no serial number by which it is recognised after a restart"
        raise entry_error("Unsupported", reason, tunable, entry.device)


def render_sysctl(entries: tuple[Entry, ...]) -> str:
    """The sysctl.d file for the kept entries; empty when there is nothing to say."""
    lines = [
        f"{wish.id} = {wish.value}\n"
        for _, wish in _kept(entries)
        if BY_ID[wish.id].path.startswith(SYSCTLS)
    ]
    return _HEADER + "".join(lines) if lines else ""


def render_udev(entries: tuple[Entry, ...]) -> str:
    """The udev rules for the kept entries; a drive without a plain identity has none."""
    rules: dict[str, list[tuple[int, str]]] = {}
    for device, wish in _kept(entries):
        match = _udev_match(device) if device and device.kind != "cpu" else ""
        if match:
            tunable = BY_ID[wish.id]
            attribute = tunable.path.partition("{device}/")[2]
            rules.setdefault(match, []).append(
                (tunable.rank, f'ATTR{{{attribute}}}="{wish.value}"')
            )
    lines = [
        ", ".join([match, *(text for _, text in sorted(assignments))]) + "\n"
        for match, assignments in rules.items()
    ]
    return _HEADER + "".join(lines) if lines else ""


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


def _udev_match(device: Device) -> str:
    """The matching half of a rule, by what the hardware says of itself."""
    identity = device.wwid if device.kind == "block" and device.wwid else device.serial
    if not _PLAIN_IDENTITY.fullmatch(identity):
        return ""
    key = {
        "block": f'ENV{{DEVTYPE}}=="disk", ATTRS{{{"wwid" if device.wwid else "serial"}}}',
        "nvme": "ATTR{serial}",
        "scsi_host": "DEVPATH",
    }[device.kind]
    if device.kind == "scsi_host":
        identity = f"*/{identity}/host*"
    return f'ACTION=="add|change", SUBSYSTEM=="{device.kind}", {key}=="{identity}"'
