# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking states back: compare three ways, then write.

For each entry the present state is the goal (nothing to do), one of ours (write the goal), or
neither: somebody else changed it, and it stays. After an interrupted change there is a fourth
case. The kernel moves some settings by itself, to values that nobody recorded; a state that is
ours apart from these counts as ours, and the result says what it was.
"""

import contextlib
from collections.abc import Callable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, CELLS, is_accepted, read_state
from destutter_helper.journal import Document, Entry
from destutter_helper.kernel_writer import KernelWriter

FOREIGN = "foreign"
GONE = "gone"
FAILED = "failed"
ALREADY = "already"
RESTORED = "restored"
_OURS = "ours"


def results_of(entry: Entry, outcome: str, state: str, note: str = "") -> list[Result]:
    """One line for people for each setting of the entry that a user asked for."""
    return [
        Result(
            id_,
            entry.device_name,
            outcome,
            value_in(state, id_),
            value_in(entry.origin, id_),
            note,
        )
        for id_ in entry.ids
    ]


def value_in(state: str, id_: str) -> str | None:
    """A setting's value in a state; of the inactive one of a pair, the state as a whole."""
    return read_state(state).get(id_) or (state if BY_ID[id_].twin and state else None)


class Restoration:
    """One way back for all entries of ``document`` that are ``moving``, to their ``goal``.

    ``is_forced`` tells for which entries a foreign state may be overwritten. ``is_interrupted``
    when the change was cut off, so that not every state of ours is recorded.
    """

    def __init__(
        self,
        kernel: KernelWriter,
        document: Document,
        *,
        is_interrupted: bool,
        is_forced: Callable[[Entry], bool],
    ) -> None:
        self._kernel = kernel
        self._document = document
        self._is_interrupted = is_interrupted
        self._is_forced = is_forced
        self._findings: list[tuple[Entry, str, str, str]] = []

    def decide(self) -> None:
        """Looks at every moving entry; those that stay are no longer moving afterwards.

        To be saved before ``run``, so that a crash during ``run`` finds the same goals.
        """
        moving = [entry for entry in self._document.entries if entry.moving]
        for entry in sorted(moving, key=lambda entry: CELLS[entry.cell][0].rank):
            verdict, state, note = self._compare(entry)
            if verdict == FOREIGN:
                entry.moving, entry.conflict = False, note
            self._findings.append((entry, verdict, state, note))

    def run(self) -> list[Result]:
        """Writes, and drops from the document what is at its origin again."""
        results: list[Result] = []
        for entry, verdict, state, note in self._findings:
            outcome, now, why = self._carry_out(entry, verdict, state, note)
            entry.conflict = why if outcome in {FOREIGN, FAILED} else ""
            results += results_of(entry, outcome, now, why)
            if outcome == GONE:
                self._document.drop([entry])
            elif outcome in {ALREADY, RESTORED} and entry.goal == entry.origin:
                self._document.bury(entry)
            elif outcome in {ALREADY, RESTORED}:
                entry.ours = (entry.goal,)
            entry.moving, entry.wishes = False, () if entry.kept else entry.wishes
        return results

    def _compare(self, entry: Entry) -> tuple[str, str, str]:
        if not self._kernel.is_present(entry.device):
            return GONE, "", "the device left; it starts anew when it returns"
        try:
            current = self._kernel.state(entry.cell, entry.device)
        except HelperError as error:
            return FAILED, "", error.reason
        if current == entry.goal:
            return ALREADY, current, ""
        if current in entry.ours:
            return _OURS, current, ""
        if self._is_interrupted and _is_explained(entry, current):
            entry.ours = (*entry.ours, current)  # as sure after the next crash as now
            return _OURS, current, f"was {current} after the interrupted change"
        if self._is_forced(entry):
            return _OURS, current, f"somebody else had set {current}"
        return FOREIGN, current, f"somebody else changed it to {current}"

    def _carry_out(
        self, entry: Entry, verdict: str, state: str, note: str
    ) -> tuple[str, str, str]:
        if verdict != _OURS:
            return verdict, state, note
        try:
            self._kernel.write_state(entry.cell, entry.device, entry.goal)
        except HelperError as error:
            with contextlib.suppress(HelperError):  # whatever it has become is our doing
                entry.ours = (*entry.ours, self._kernel.state(entry.cell, entry.device))
            return FAILED, entry.ours[-1], error.reason
        return RESTORED, entry.goal, note


def _is_explained(entry: Entry, current: str) -> bool:
    """Whether each value is one that we know of, or one that a master of ours has moved."""
    wished = [{wish.id: wish.value} for wish in entry.wishes]
    states = (entry.origin, entry.before, entry.goal, *entry.ours)
    known = [read_state(state) for state in states] + wished
    moved = {
        id_
        for master in CELLS[entry.cell]
        if len({values[master.id] for values in known if master.id in values}) > 1
        for id_ in master.moves
    }
    return all(
        id_ in moved or any(is_accepted(BY_ID[id_], one.get(id_), value) for one in known)
        for id_, value in read_state(current).items()
    )
