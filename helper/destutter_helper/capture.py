# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording what is there before a change, and what the kernel made of it afterwards."""

from destutter_helper.api.names import HelperError
from destutter_helper.change_set import Target
from destutter_helper.journal import Document, Entry, Wish
from destutter_helper.kernel_writer import KernelWriter


def capture(kernel: KernelWriter, document: Document, targets: list[Target]) -> None:
    """Puts an entry, ready to move, into the document for every cell that the targets change.

    The origin of a state of ours stays the one from before Destutter; a state that somebody else
    set since is the new origin. HelperError Conflict as ``foreign_entries``.
    """
    document.drop(foreign_entries(kernel, document, targets))
    for cell, device in dict.fromkeys((one.tunable.cell, one.device) for one in targets):
        entry = document.find(cell, device)
        if entry is None:
            entry = Entry(cell, device, origin=kernel.state(cell, device))
            document.entries = (*document.entries, entry)
        entry.before = entry.goal = kernel.state(cell, device)
        entry.moving, entry.conflict = True, ""
        entry.wishes = tuple(
            Wish(one.tunable.id, one.value)
            for one in targets
            if (one.tunable.cell, one.device) == (cell, device)
        )


def record(kernel: KernelWriter, document: Document) -> None:
    """What is there now is ours, also where the kernel moved it."""
    for entry in document.entries:
        if entry.moving:
            entry.ours = (*entry.ours, kernel.state(entry.cell, entry.device))


def foreign_entries(
    kernel: KernelWriter, document: Document, targets: list[Target]
) -> list[Entry]:
    """The entries that a change set meets and whose state somebody else has changed.

    HelperError Conflict when a queue stands under a scheduler of ours but is foreign otherwise:
    then neither its old origin nor its present state would be right to go back to.
    """
    found = []
    cells = {(one.tunable.cell, one.device) for one in targets}
    for entry in document.entries:
        current = kernel.state(entry.cell, entry.device)
        if (entry.cell, entry.device) not in cells or current in entry.ours:
            continue
        master = current.split(" ")[0]
        is_half_ours = any(state.split(" ")[0] == master for state in entry.ours)
        if is_half_ours and master != entry.origin.split(" ")[0]:
            reason = "somebody else changed a part of it; undo what is kept there first"
            id_ = master.partition("=")[0]
            raise HelperError("Conflict", reason, id=id_, device=entry.device_name)
        found.append(entry)
    return found
