# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of a change set before the kernel is looked at; a client checks it first.

Each HelperError names the entry and the reason: UnknownKey, InvalidArgument or OutOfRange.
"""

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet
from destutter_helper.api.safe_values import refusal
from destutter_helper.api.statement import Said
from destutter_helper.api.states import part_of
from destutter_helper.api.tunables import BY_ID, POLICY


def check_change_set(change_set: ChangeSet, memory_kib: int) -> None:
    """Its ids, values (on a computer with that much RAM), devices, contradictions."""
    seen: dict[str, list[Change]] = {}
    for change in change_set.changes:
        if change.id not in BY_ID:
            raise _error("UnknownKey", change, Said("helper.request.unknown_setting"))
        tunable = BY_ID[change.id]
        reason = refusal(tunable, change.value, memory_kib)
        if reason is not None:
            raise _error("OutOfRange", change, reason)
        if change.device and not tunable.device_kind:
            raise _error("InvalidArgument", change, Said("helper.value.without_device"))
        if tunable.device_kind and not change.device and tunable.kind != POLICY:
            raise _error("InvalidArgument", change, Said("helper.value.needs_device"))
        name = part_of(tunable.id)
        for other in seen.setdefault(name, []):
            # A policy without a device is for all of them.
            if other.device == change.device or "" in {other.device, change.device}:
                contradiction = Said("helper.value.contradicts", {"name": other.id})
                raise _error("InvalidArgument", change, contradiction)
        seen[name].append(change)


def _error(name: str, change: Change, reason: Said) -> HelperError:
    return HelperError(name, reason, id=change.id, device=change.device)
