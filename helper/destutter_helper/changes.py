# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a set of values and taking it back, with the journal always one step ahead.

On the way back each entry is compared three ways: its present state is the goal (nothing to do),
one of ours (write the goal), or neither: somebody else changed it, and it stays. After an
interrupted change there is a fourth case. The kernel moves some settings by itself, to values
that nobody recorded; a state that is ours apart from these counts as ours, and the result says
what it was.
"""

import contextlib
import copy
from collections.abc import Callable, Iterator
from dataclasses import replace

from destutter_helper import boot, journal
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, CELLS, HOLD, NOT_HELD, is_accepted, read_state
from destutter_helper.change_set import Target
from destutter_helper.device import Device
from destutter_helper.journal import APPLYING, IDLE, RESTORING, TRIAL, Entry, Trial, Wish
from destutter_helper.kernel_writer import KernelWriter, entry_error
from destutter_helper.report import FAILED, FOREIGN, GONE, look, results_of
from destutter_helper.stores import Stores

_ALREADY, _RESTORED = "already", "restored"
_OURS = "ours"


class Changes:
    """The document of the journal and the two ways of moving values: there and back."""

    def __init__(self, kernel: KernelWriter, stores: Stores) -> None:
        self._kernel = kernel
        self._stores = stores
        self.document = journal.load(stores.state, kernel.boot_id())

    def save(self, *, is_durable: bool = True) -> None:
        """HelperError when the document cannot be saved, or is a newer helper's."""
        journal.save(self._stores.state, self.document, is_durable=is_durable)

    def save_anyway(self, *, is_durable: bool = True) -> None:
        """Going back must not depend on a disk: then the notice says what is missing."""
        try:
            self.save(is_durable=is_durable)
        except HelperError as error:
            self.document.note(error.reason)

    @contextlib.contextmanager
    def saved_or_undone(self) -> Iterator[None]:
        """What is done to the document inside is durable afterwards, or not done at all."""
        before = copy.deepcopy(self.document)
        try:
            yield
            self.save()
        except Exception:
            self.document = before
            raise

    # -- there ------------------------------------------------------------------------------

    def apply(self, targets: list[Target], trial: Trial, *, until: str = "") -> None:
        """Writes all targets, or none: HelperError after everything is as it was before.

        Without ``until`` they are on trial then, else kept until then.
        """
        with self.saved_or_undone():
            self._capture(targets)
            self.document.phase, self.document.trial = APPLYING, trial
        try:
            self._write(targets)
            self._record()
            self.document.phase = TRIAL
            if until:
                self.settle(until)
            self.save(is_durable=False)
        except Exception as error:
            with contextlib.suppress(HelperError):
                self._record()
            results = self.restore("rolled back", is_interrupted=True)
            left = [one for one in results if one.outcome in {FAILED, FOREIGN}]
            if not isinstance(error, HelperError) or not left:
                raise
            places = ", ".join(f"{one.id} {one.device}: {one.note}" for one in left)
            reason = f"{error.reason}. Not everything could be taken back: {places}"
            raise HelperError(error.name, reason, id=error.id, device=error.device) from error

    def foreign(self, targets: list[Target]) -> list[Entry]:
        """The entries that a change set meets and whose state somebody else has changed.

        HelperError Conflict when a queue stands under a scheduler of ours but is foreign
        otherwise: then neither its old origin nor its present state would be right to go back to.
        """
        found = []
        for entry in (self.document.find(*cell) for cell in _cells(targets)):
            if entry is None:
                continue
            current = self._kernel.state(entry.cell, entry.device)
            if current in entry.ours:
                continue
            master = current.split(" ")[0]
            is_half_ours = any(state.split(" ")[0] == master for state in entry.ours)
            if is_half_ours and master != entry.origin.split(" ")[0]:
                reason = "somebody else changed a part of it; undo what is kept there first"
                id_ = master.partition("=")[0]
                raise HelperError("Conflict", reason, id=id_, device=entry.device_name)
            found.append(entry)
        return found

    def settle(self, until: str) -> None:
        """What is on trial is kept ``until``."""
        for entry in self.document.moving():
            replaced = {id_ for one in entry.tried for id_ in (one.id, BY_ID[one.id].twin)}
            kept = tuple(wish for wish in entry.kept if wish.id not in replaced)
            entry.wishes = kept + tuple(replace(wish, until=until) for wish in entry.tried)
            entry.ours, entry.goal = entry.ours[-1:], None
        self.document.phase, self.document.trial = IDLE, None

    def write_again(self, entries: list[Entry]) -> None:
        """Writes our states once more; where the kernel refuses, that is a conflict."""
        for entry in entries:
            try:
                self._kernel.write_state(entry.cell, entry.device, entry.ours[-1])
            except HelperError as error:
                entry.conflict = error.reason
        if entries:
            self.save_anyway()

    def write_run_files(self) -> None:
        """Lets other tools set again what is kept, at drives that come later, too."""
        expected = boot.expected(self._kernel, self.document)
        self._stores.write_run_files(self.document.entries + expected)

    def take_holds_again(self) -> None:
        """Holds ended with the process that had them; those on trial or kept are taken anew."""
        holds = [one for one in self.document.entries if CELLS[one.cell][0].kind == HOLD]
        lost = [one for one in holds if self._kernel.value(CELLS[one.cell][0]) == NOT_HELD]
        self.write_again([one for one in lost if not one.conflict])

    def _capture(self, targets: list[Target]) -> None:
        """Puts an entry, ready to move, into the document for every cell that the targets change.

        The origin of a state of ours stays the one from before Destutter; a state that somebody
        else set since is the new origin.
        """
        self.document.drop(self.foreign(targets))
        for cell, device in _cells(targets):
            state = self._kernel.state(cell, device)
            entry = self.document.find(cell, device)
            if entry is None:
                entry = Entry(cell, device, origin=state)
                self.document.entries = (*self.document.entries, entry)
            entry.goal, entry.conflict = state, ""
            entry.wishes = entry.kept + tuple(
                Wish(one.tunable.id, one.value)
                for one in targets
                if (one.tunable.cell, one.device) == (cell, device)
            )

    def _write(self, targets: list[Target]) -> None:
        for target in targets:
            if self._kernel.value(target.tunable, target.device) != target.value:
                self._kernel.write(target.tunable, target.device, target.value)
        for target in targets:  # what was written first must still be there after the last write
            current = self._kernel.value(target.tunable, target.device)
            if not is_accepted(target.tunable, target.value, current):
                reason = f"it is {current} again after the other changes"
                raise entry_error("Refused", reason, target.tunable, target.device)

    def _record(self) -> None:
        """What is there now is ours, also where the kernel moved it."""
        for entry in self.document.moving():
            entry.ours = (*entry.ours, self._kernel.state(entry.cell, entry.device))

    # -- back -------------------------------------------------------------------------------

    def restore(
        self,
        event: str,
        *,
        is_interrupted: bool = False,
        is_forced: Callable[[Entry], bool] = lambda _: False,
    ) -> tuple[Result, ...]:
        """Takes every moving entry to its goal, and forgets what is at its origin again.

        ``is_interrupted`` when the change was cut off, so that not every state of ours is
        recorded. ``is_forced`` tells for which entries a foreign state may be overwritten.
        """
        trial, moving = self.document.trial, self.document.moving()
        moving.sort(key=lambda entry: CELLS[entry.cell][0].rank)
        findings = [(one, *self._compare(one, is_interrupted, is_forced)) for one in moving]
        for entry, verdict, _state, note in findings:
            if verdict == FOREIGN:
                entry.goal, entry.conflict = None, note
        self.document.phase, self.document.trial = RESTORING, None
        self.save_anyway()  # a crash from here on finds the same goals
        results = tuple(one for finding in findings for one in self._carry_out(*finding))
        self.document.phase = IDLE
        self.save_anyway(is_durable=False)
        self.write_run_files()
        self._stores.record(event, trial, results)
        return results

    def _compare(
        self,
        entry: Entry,
        is_interrupted: bool,  # noqa: FBT001 (as restore was told)
        is_forced: Callable[[Entry], bool],
    ) -> tuple[str, str, str]:
        trouble, current, note = look(self._kernel, entry)
        if trouble:
            return trouble, current, note
        if current == entry.goal:
            return _ALREADY, current, ""
        if current in entry.ours:
            return _OURS, current, ""
        if is_interrupted and _is_explained(entry, current):
            entry.ours = (*entry.ours, current)  # as sure after the next crash as now
            return _OURS, current, f"was {current} after the interrupted change"
        if is_forced(entry):
            return _OURS, current, f"somebody else had set {current}"
        return FOREIGN, current, f"somebody else changed it to {current}"

    def _carry_out(self, entry: Entry, verdict: str, state: str, note: str) -> list[Result]:
        if verdict == _OURS:
            verdict, state, note = self._write_back(entry, note)
        entry.conflict = note if verdict in {FOREIGN, FAILED} else ""
        results = results_of(entry, verdict, state, note)
        is_back = verdict in {_ALREADY, _RESTORED}
        if verdict == GONE:
            self.document.drop([entry])
        elif is_back and entry.goal == entry.origin:
            self.document.bury(entry)
        else:
            entry.ours = (state,) if is_back else entry.ours
            entry.wishes = entry.kept or entry.wishes
        entry.goal = None
        return results

    def _write_back(self, entry: Entry, note: str) -> tuple[str, str, str]:
        goal = entry.goal or ""
        try:
            self._kernel.write_state(entry.cell, entry.device, goal)
        except HelperError as error:
            with contextlib.suppress(HelperError):  # whatever it has become is our doing
                entry.ours = (*entry.ours, self._kernel.state(entry.cell, entry.device))
            return FAILED, entry.ours[-1], error.reason
        return _RESTORED, goal, note


def _cells(targets: list[Target]) -> list[tuple[str, Device | None]]:
    return list(dict.fromkeys((one.tunable.cell, one.device) for one in targets))


def _is_explained(entry: Entry, current: str) -> bool:
    """Whether each value is one that we know of, or one that a master of ours has moved."""
    states = (entry.origin, entry.goal or "", *entry.ours)
    known = [read_state(state) for state in states]
    known += [{wish.id: wish.value} for wish in entry.wishes]
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
