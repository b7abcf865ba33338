# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording what is there before a change, and what the kernel made of it afterwards."""

from destutter_helper.api.names import HelperError
from destutter_helper.api.tunables import BY_ID, Tunable
from destutter_helper.change_set import SCHEDULER, Target
from destutter_helper.device import Device
from destutter_helper.journal import Document, Entry
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.restore import scheduler_of


def capture(kernel: KernelWriter, document: Document, targets: list[Target]) -> None:
    """Puts an entry into the document for every target and for all that the kernel will move.

    The origin of a value of ours stays the one from before Destutter; a value that somebody else
    set since is the new origin (``foreign_entries``). HelperError Conflict when only a part of a
    queue is foreign, because then neither origin would be right.
    """
    foreign = foreign_entries(kernel, document, targets)
    document.entries = tuple(
        entry for entry in document.entries if not any(entry is one for one in foreign)
    )
    for target in targets:
        entry = _entry(kernel, document, target.tunable, target.device)
        entry.id, entry.want = target.tunable.id, target.state
        entry.ours = (*entry.ours, target.state)
        if entry.before == target.state:
            continue  # an equal value is not written, so nothing moves
        for moved in (BY_ID[name] for name in target.tunable.moves):
            is_there = kernel.read(moved, target.device) is not None
            if is_there or moved.scheduler == target.state:  # or it will appear
                _entry(kernel, document, moved, target.device)


def record(kernel: KernelWriter, document: Document) -> None:
    """After the last write: what is there now is ours, also where the kernel moved it."""
    for entry in document.entries:
        if entry.moving:
            entry.ours = (*entry.ours, kernel.read(BY_ID[entry.id], entry.device))
            entry.under = scheduler_of(kernel, entry)


def foreign_entries(
    kernel: KernelWriter, document: Document, targets: list[Target]
) -> list[Entry]:
    """The entries that a change set meets and whose value somebody else has changed."""
    found: list[Entry] = []
    for entry in document.entries:
        tunable = BY_ID[entry.id]
        for target in targets:
            is_member = bool(tunable.group) and tunable.group == target.tunable.group
            is_met = is_member or tunable.cell in {target.tunable.cell, *target.tunable.moves}
            if entry.device == target.device and is_met and not _is_ours(kernel, document, entry):
                found.append(entry)
                break
    queues = {entry.device for entry in found if BY_ID[entry.id].group}
    for entry in [entry for entry in found if BY_ID[entry.id].group]:
        master = document.find(SCHEDULER.id, entry.device)
        if master is not None and not any(master is one for one in found):
            raise HelperError(
                "Conflict",
                "somebody else changed it; undo what is kept on this drive first",
                id=entry.id,
                device=entry.device_name,
            )
    found += [
        entry
        for entry in document.entries
        if BY_ID[entry.id].group
        and entry.device in queues
        and not any(entry is one for one in found)
    ]
    return found


def _entry(
    kernel: KernelWriter, document: Document, tunable: Tunable, device: Device | None
) -> Entry:
    """The entry of a tunable, ready to move; made when there is none."""
    entry = document.find(tunable.cell, device)
    if entry is None:
        entry = Entry(tunable.id, device, origin=kernel.read(tunable, device))
        entry.under = scheduler_of(kernel, entry)
        document.entries = (*document.entries, entry)
    if not entry.moving:
        entry.before = entry.goal = kernel.read(tunable, device)
        entry.moving, entry.conflict = True, ""
    return entry


def _is_ours(kernel: KernelWriter, document: Document, entry: Entry) -> bool:
    is_master_ours = document.find(SCHEDULER.id, entry.device) is not None
    is_in_place = is_master_ours or scheduler_of(kernel, entry) == entry.under
    return is_in_place and kernel.read(BY_ID[entry.id], entry.device) in entry.ours
