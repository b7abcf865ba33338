# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry on its way back: compared three ways, then written; kernel files only, no journal.

An entry's present state is the goal (nothing to do), one of ours (write the goal), or neither:
somebody else changed it, and it stays. The guardian and the service do the same with it.
"""

import contextlib
from collections.abc import Callable

from destutter_helper import report
from destutter_helper.api.names import HelperError
from destutter_helper.journal import Entry
from destutter_helper.kernel_writer import KernelWriter

ALREADY, OURS, RESTORED = "already", "ours", "restored"

Excuse = Callable[[Entry, str], str]
"""Why a state that is none of ours may be overwritten nevertheless, in words; empty if not."""

Finding = tuple[str, str, str]
"""Verdict or outcome, the entry's state of now, and a note for people."""


def no_excuse(_entry: Entry, _current: str) -> str:
    """What somebody else set stays."""
    return ""


def compare(kernel: KernelWriter, entry: Entry, excuse: Excuse = no_excuse) -> Finding:
    """What to do with an entry. One that somebody else changed has no goal afterwards."""
    trouble, current, note = report.look(kernel, entry)
    if trouble:
        return trouble, current, note
    if current == entry.goal:
        return ALREADY, current, ""
    if current in entry.ours:
        return OURS, current, ""
    note = excuse(entry, current)
    if note:
        entry.ours = (current, *entry.ours)  # as sure after the next crash as now
        return OURS, current, note
    entry.goal, entry.conflict = None, f"somebody else changed it to {current}"
    return report.FOREIGN, current, entry.conflict


def carry_out(kernel: KernelWriter, entry: Entry, finding: Finding) -> Finding:
    """Writes the goal where the state is ours. A refusal is FAILED, and may be tried again."""
    verdict, state, note = finding
    if verdict != OURS:
        return finding
    try:
        kernel.write_state(entry.cell, entry.device, entry.goal or "")
    except HelperError as error:
        with contextlib.suppress(HelperError):  # whatever it has become is our doing
            state = kernel.state(entry.cell, entry.device)
        if state not in entry.ours:
            entry.ours = (*entry.ours, state)
        return report.FAILED, state, error.reason
    return RESTORED, entry.goal or "", note
