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

from destutter_helper import change_set, journal, kernel_writer, report
from destutter_helper.api.devices import Device, name_of
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, CELLS, HOLD, is_accepted, read_state
from destutter_helper.journal import APPLYING, IDLE, RESTORING, TRIAL, Entry, Setting, Trial, Wish
from destutter_helper.stores import Stores

_ALREADY, _OURS, _RESTORED = "already", "ours", "restored"

Excuse = Callable[[Entry, str], str]
"""Why a state that is none of ours may be overwritten nevertheless, in words; empty if not."""


class Changes:
    """The document of the journal and the two ways of moving values: there and back."""

    def __init__(self, kernel: kernel_writer.KernelWriter, stores: Stores) -> None:
        self.kernel = kernel
        self.stores = stores
        self.document = journal.load(stores.state, kernel.boot_id())

    def save(self, *, is_durable: bool = True) -> None:
        """HelperError when the document cannot be saved, or is a newer helper's."""
        journal.save(self.stores.state, self.document, is_durable=is_durable)

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

    def apply(self, settings: list[Setting], trial: Trial, *, until: str = "") -> None:
        """Writes all settings, or none: HelperError after everything is as it was before.

        Without ``until`` they are on trial then, else kept until then.
        """
        with self.saved_or_undone():
            self._capture(settings)
            self.document.phase, self.document.trial = APPLYING, trial
        try:
            self._write(settings)
            self._record()
            self.document.phase = TRIAL
            if until:
                self.settle(until)
            self.save(is_durable=False)
        except Exception as error:
            with contextlib.suppress(HelperError):
                self._record()
            results = self.restore("rolled back", interruption)
            left = [one for one in results if one.outcome in {report.FAILED, report.FOREIGN}]
            if not isinstance(error, HelperError) or not left:
                raise
            places = ", ".join(f"{one.id} {one.device}: {one.note}" for one in left)
            reason = f"{error.reason}. Not everything could be taken back: {places}"
            raise HelperError(error.name, reason, id=error.id, device=error.device) from error

    def foreign(self, settings: list[Setting]) -> list[Entry]:
        """The entries that a change set meets and whose state somebody else has changed.

        HelperError Conflict when a queue stands under a scheduler of ours but is foreign
        otherwise: then neither its old origin nor its present state would be right to go back to.
        """
        found = []
        for entry in (self.document.find(*cell) for cell in _by_cell(settings)):
            if entry is None:
                continue
            current = self.kernel.state(entry.cell, entry.device)
            if current in entry.ours:
                continue
            master = current.split(" ")[0]
            is_half_ours = any(state.split(" ")[0] == master for state in entry.ours)
            if is_half_ours and master != entry.origin.split(" ")[0]:
                reason = "somebody else changed a part of it; undo what is kept there first"
                id_ = master.partition("=")[0]
                raise HelperError("Conflict", reason, id=id_, device=name_of(entry.device))
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

    def set_again(self, *, only_holds: bool) -> None:
        """Writes our states where the one from before us is back; a refusal is a conflict.

        The kernel resets some settings in a sleep; what was held ended with its process.
        """
        ours = [one for one in self.document.entries if one.ours and not one.conflict]
        meant = [one for one in ours if CELLS[one.cell][0].kind == HOLD or not only_holds]
        reset = [one for one in meant if report.compare(self.kernel, one)[0] == report.RESET]
        for entry in reset:
            try:
                self.kernel.write_state(entry.cell, entry.device, entry.ours[-1])
            except HelperError as error:
                entry.conflict = error.reason
        if reset:
            self.save_anyway()

    def write_run_files(self) -> None:
        """Lets other tools set again what is kept, at drives that come later, too."""
        kept = [s for e in self.document.entries if not e.conflict for s in e.settings(e.kept)]
        self.stores.write_run_files(kept + change_set.expected_of_udev(self.kernel, self.document))

    def _capture(self, settings: list[Setting]) -> None:
        """Puts an entry, ready to move, into the document for every cell that the settings change.

        The origin of a state of ours stays the one from before Destutter; a state that somebody
        else set since is the new origin.
        """
        self.document.drop(self.foreign(settings))
        for (cell, device), wanted in _by_cell(settings).items():
            state = self.kernel.state(cell, device)
            entry = self.document.find(cell, device)
            if entry is None:
                entry = Entry(cell, device, origin=state)
                self.document.entries = (*self.document.entries, entry)
            entry.goal, entry.conflict = state, ""
            entry.wishes = entry.kept + tuple(Wish(one.id, one.value) for one in wanted)

    def _write(self, settings: list[Setting]) -> None:
        for one in settings:
            if self.kernel.value(one.tunable, one.device) != one.value:
                self.kernel.write(one.tunable, one.device, one.value)
        for one in settings:  # what was written first must still be there after the last write
            current = self.kernel.value(one.tunable, one.device)
            if not is_accepted(one.tunable, one.value, current):
                reason = f"it is {current} again after the other changes"
                raise kernel_writer.entry_error("Refused", reason, one.tunable, one.device)

    def _record(self) -> None:
        """What is there now is ours, also where the kernel moved it."""
        for entry in self.document.moving():
            entry.ours = (*entry.ours, self.kernel.state(entry.cell, entry.device))

    # -- back -------------------------------------------------------------------------------

    def restore(self, event: str, excuse: Excuse = lambda *_: "") -> tuple[Result, ...]:
        """Takes every moving entry to its goal, and forgets what is at its origin again.

        ``excuse`` tells when a state that nobody recorded may be overwritten.
        """
        trial, moving = self.document.trial, self.document.moving()
        moving.sort(key=lambda entry: CELLS[entry.cell][0].rank)
        findings = [(one, *self._compare(one, excuse)) for one in moving]
        self.document.phase, self.document.trial = RESTORING, None
        self.save_anyway()  # a crash from here on finds the same goals
        results = tuple(one for finding in findings for one in self._carry_out(*finding))
        self.document.phase = IDLE
        self.save_anyway(is_durable=False)
        self.write_run_files()
        self.stores.record(event, trial, results)
        return results

    def _compare(self, entry: Entry, excuse: Excuse) -> tuple[str, str, str]:
        """What to do with an entry, its state of now, and a note for people."""
        trouble, current, note = report.look(self.kernel, entry)
        if trouble:
            return trouble, current, note
        if current == entry.goal:
            return _ALREADY, current, ""
        if current in entry.ours:
            return _OURS, current, ""
        note = excuse(entry, current)
        if note:
            entry.ours = (current, *entry.ours)  # as sure after the next crash as now
            return _OURS, current, note
        entry.goal, entry.conflict = None, f"somebody else changed it to {current}"
        return report.FOREIGN, current, entry.conflict

    def _carry_out(self, entry: Entry, verdict: str, state: str, note: str) -> list[Result]:
        if verdict == _OURS:
            try:
                self.kernel.write_state(entry.cell, entry.device, entry.goal or "")
                verdict, state = _RESTORED, entry.goal or ""
            except HelperError as error:
                verdict, note = report.FAILED, error.reason
                with contextlib.suppress(HelperError):  # whatever it has become is our doing
                    state = self.kernel.state(entry.cell, entry.device)
                entry.ours = (*entry.ours, state)
        entry.conflict = note if verdict in {report.FOREIGN, report.FAILED} else ""
        results = report.results_of(entry, verdict, state, note)
        is_back = verdict in {_ALREADY, _RESTORED}
        if verdict == report.GONE:
            self.document.drop([entry])
        elif is_back and entry.goal == entry.origin:
            self.document.bury(entry)
        else:
            entry.ours = (state,) if is_back else entry.ours
            entry.wishes = entry.kept or entry.wishes
        entry.goal = None
        return results


def _by_cell(settings: list[Setting]) -> dict[tuple[str, Device | None], list[Setting]]:
    cells: dict[tuple[str, Device | None], list[Setting]] = {}
    for one in settings:
        cells.setdefault((one.cell, one.device), []).append(one)
    return cells


def interruption(entry: Entry, current: str) -> str:
    """Excuses a state in which each value is known, or was moved by a master of ours."""
    states = (entry.origin, entry.goal or "", *entry.ours)
    known = [read_state(state) for state in states]
    known += [{wish.id: wish.value} for wish in entry.wishes]
    moved = {
        id_
        for master in CELLS[entry.cell]
        if len({values[master.id] for values in known if master.id in values}) > 1
        for id_ in master.moves
    }
    is_ours = all(
        id_ in moved or any(is_accepted(BY_ID[id_], one.get(id_), value) for one in known)
        for id_, value in read_state(current).items()
    )
    return f"was {current} after the interrupted change" if is_ours else ""
