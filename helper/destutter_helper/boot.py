# SPDX-License-Identifier: GPL-3.0-or-later
"""Setting what is kept at a start, and not setting it again when that may have broken the start.

The intent to set it counts the start; a user's session or three minutes of running clear the
count. Two starts that nobody confirmed mean that the computer did not come up with these values:
from then on they are left out, until something is kept or undone anew.
"""

from destutter_helper.api.names import KEEP_ALWAYS, HelperError
from destutter_helper.api.payload import Change, ChangeSet, Result
from destutter_helper.api.tunables import BY_ID, is_accepted
from destutter_helper.change_set import Target, resolve
from destutter_helper.journal import IDLE, Document, Entry, KeptChange, Wish
from destutter_helper.kernel_writer import KernelWriter

SWITCH_OFF = "destutter=off"
STARTS_MAX = 2


def reason_to_wait(kernel: KernelWriter, document: Document) -> str:
    """Why the profile must not be set now; empty when it may."""
    if document.phase != IDLE:
        return "what is kept was not set, because the journal is not in order"
    if SWITCH_OFF in kernel.command_line():
        return f"what is kept was not set, because of {SWITCH_OFF} at the start"
    if document.starts >= STARTS_MAX:
        return "what is kept was not set, because the last two starts with it were not finished"
    return ""


def targets_of(kernel: KernelWriter, document: Document) -> tuple[list[Target], list[Result]]:
    """What can be set on this computer as it is today, and what cannot, with the reason.

    What this boot has set already is left out without a word.
    """
    left_out: list[Result] = []
    changes: list[Change] = []
    done = {(wish.id, e.device_name) for e in document.entries for wish in e.kept}
    for kept in document.profile:
        names = _device_names(kernel, kept)
        changes += [Change(kept.id, kept.value, name) for name in names]
        changes = [one for one in changes if (one.id, one.device) not in done]
        if not names:
            left_out.append(Result(kept.id, kept.change.device, "gone", None, None, "not here"))
    while changes:
        try:
            return resolve(kernel, ChangeSet(tuple(changes))), left_out
        except HelperError as error:
            wrong = [one for one in changes if (one.id, one.device) == (error.id, error.device)]
            if not wrong:
                raise
            left_out += [
                Result(one.id, one.device, "failed", None, None, error.reason) for one in wrong
            ]
            changes = [one for one in changes if one not in wrong]
    return [], left_out


def expected(kernel: KernelWriter, document: Document) -> tuple[Entry, ...]:
    """What udev shall set as if it had an entry: at a drive that comes late, or has come so.

    Nothing in a start that does not set what is kept.
    """
    is_set_here = not reason_to_wait(kernel, document)
    return tuple(
        Entry(one.cell, one.device, "", wishes=(Wish(one.id, one.value, KEEP_ALWAYS),))
        for one in document.profile
        if is_set_here and one.device
        if not _device_names(kernel, one) or set_by_others(kernel, document, [one])
    )


def set_by_others(
    kernel: KernelWriter, document: Document, dropped: list[KeptChange]
) -> list[Result]:
    """Values that udev set by our rule at a drive that came later: nobody recorded what was there.

    They go with the drive or the restart.
    """
    note = "was set by our rule when the drive came; gone with the drive or a restart"
    results = []
    for kept in dropped:
        tunable = BY_ID[kept.id]
        for name in _device_names(kernel, kept):
            device = kernel.device(tunable.device_kind, name) if name else None
            is_set = is_accepted(tunable, kept.value, kernel.value(tunable, device))
            if is_set and document.find(tunable.cell, device) is None:
                results.append(Result(kept.id, name, "until-restart", kept.value, None, note))
    return results


def _device_names(kernel: KernelWriter, kept: KeptChange) -> list[str]:
    """The kernel's names, today, of the device that a value is for; [""] when it is for none."""
    if kept.device is None:
        return [""]
    present = kernel.devices(kept.device.kind)
    return [device.name for device in present if device.is_same_hardware(kept.device)]
