# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a set of values and taking it back, with the journal always one step ahead.

On the way back each entry is compared three ways (see ``write_back``). After an interrupted change
there is a fourth case. The kernel moves some settings by itself, to values that nobody recorded;
a state that is ours apart from these counts as ours, and the result says what it was.
"""

import contextlib
import copy
from collections.abc import Iterable, Iterator
from dataclasses import replace

from destutter_helper import change_set, journal, kernel_writer, report, write_back
from destutter_helper.api import tunables
from destutter_helper.api.devices import Device, is_present, name_of
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, CELLS, HOLD, LATENCY, is_accepted, read_state
from destutter_helper.guardian import Guardian
from destutter_helper.journal import APPLYING, IDLE, RESTORING, TRIAL, Entry, Setting, Trial, Wish
from destutter_helper.power_states import PowerStates
from destutter_helper.stores import Stores

_READ_ONLY = "the state directory cannot be written: what is kept for every start stays as it is"


class Changes:
    """The document of the journal and the two ways of moving values: there and back.

    ``guardian`` ends trials; None in the short runs, in which none begins.
    """

    def __init__(
        self, kernel: kernel_writer.KernelWriter, stores: Stores, guardian: Guardian | None = None
    ) -> None:
        self.kernel = kernel
        self.stores = stores
        self.guardian = guardian
        self.power_states = PowerStates(kernel.tree)
        self.document = journal.load(stores.newest or stores.state, kernel.boot_id())
        if stores.newest is not None and not journal.move(
            stores.newest, stores.state, self.document
        ):
            # A disk that is full now and not later: two journals, of which the next start would
            # take the older one in /run for the newest.
            self.stores = stores = replace(stores, state=stores.newest, is_persistent=False)
        if not stores.is_persistent and self.document.profile:
            self.document.note(_READ_ONLY)

    def save(self, *, is_durable: bool = True) -> None:
        """HelperError when the document cannot be saved, or is a newer helper's."""
        journal.save(self.stores.state, self.document, is_durable=is_durable)

    def save_anyway(self, *, is_durable: bool = True) -> None:
        """Going back must not depend on a disk: then /run has the journal until the restart.

        The notice says so. What is on the disk still would come back at the next start: it is
        removed, which a full disk allows, unless other values are to be set then.
        """
        try:
            self.save(is_durable=is_durable)
        except HelperError as error:
            self.document.note(error.reason)
            left, run = self.stores.state, self.stores.run
            if error.name != "JournalUnavailable" or run is None or left is run:
                return
            self.stores = replace(self.stores, state=run, is_persistent=False)
            with contextlib.suppress(HelperError):
                self.save()
                if not self.document.profile:
                    journal.forget(left)

    def comes_back(self, kept: Iterable[Setting]) -> bool:
        """Whether the disk holds what is no longer kept, to be set again at the next start."""
        if self.stores.is_persistent or self.stores.disk is None:
            return False
        return not set(kept).isdisjoint(journal.kept_in(self.stores.disk))

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

    def apply(
        self, settings: list[Setting], trial: Trial, *, until: str = "", hold: int = -1
    ) -> None:
        """Writes all settings, or none: HelperError after everything is as it was before.

        Without ``until`` they are on trial then, else kept until then. The trial's time begins
        when the intent is on the disk, and ends also when the pipe ``hold`` is closed.
        """
        with self.saved_or_undone():
            self._capture(settings)
            self.document.phase, self.document.trial = APPLYING, trial
        waited_ns = self.kernel.tree.boottime_ns() - trial.begun_boottime_ns
        trial.begun_boottime_ns += waited_ns
        trial.deadline_boottime_ns += waited_ns
        try:
            self._write(settings)
            self._record()
            self.document.phase = TRIAL
            if until:
                self.settle(until)
            elif self.guardian is not None:
                deadline = trial.deadline_boottime_ns
                self.guardian.watch(self.document.moving(), deadline, hold)
            self.save(is_durable=False)
        except Exception as error:
            with contextlib.suppress(HelperError):
                self._record()
            results = self.restore("rolled back", interruption, is_intent_known=True)
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
        self.recognise()
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

    def recognise(self) -> None:
        """Entries of a drive that was unplugged and is back with our values in it go with it.

        Our rule for udev has put them there, or the controller kept them: what is there is no
        origin. A drive that came back with its own values starts anew, and its entry stays
        behind.
        """
        for entry in self.document.entries:
            if entry.device is None or is_present(self.kernel.tree, entry.device):
                continue
            for device in self.kernel.devices(entry.device.kind):
                if device.is_same_hardware(entry.device) and self._is_ours(entry, device):
                    entry.device = device
                    entry.ours = (self.kernel.state(entry.cell, device),)
                    break

    def rename_kept(self) -> None:
        """What is kept for every start goes by the names that its drives have today."""
        self.document.profile = change_set.by_todays_names(self.kernel, self.document.profile)

    def _is_ours(self, entry: Entry, device: Device) -> bool:
        if self.document.find(entry.cell, device) is not None:
            return False
        return bool(entry.wishes) and all(
            is_accepted(BY_ID[one.id], one.value, self.kernel.value(BY_ID[one.id], device))
            for one in entry.kept or entry.tried
        )

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
            is_there = self.kernel.value(one.tunable, one.device) == one.value
            if not is_there or one.tunable.kind == LATENCY:  # the number there may have no effect
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

    def restore(
        self,
        event: str,
        excuse: write_back.Excuse = write_back.no_excuse,
        *,
        is_intent_known: bool = False,
    ) -> tuple[Result, ...]:
        """Takes every moving entry to its goal, and forgets what is at its origin again.

        ``excuse`` tells when a state that nobody recorded may be overwritten. The goals are saved
        before the first write, unless the journal has them already (``is_intent_known``): the end
        of a trial must not wait for a disk, whose stall may be what the trial is about.
        """
        self.recognise()
        trial, moving = self.document.trial, self.document.moving()
        moving.sort(key=lambda entry: CELLS[entry.cell][0].rank)
        ended = self._take_over() if is_intent_known else ""
        if ended:  # and if the guardian did not get to its end, that is no foreign hand
            excuse = half_way
        findings = [(one, write_back.compare(self.kernel, one, excuse)) for one in moving]
        if not is_intent_known:
            self.document.phase, self.document.trial = RESTORING, None
            self.save_anyway()  # a crash from here on finds the same goals
            ended = self._take_over()
        results = tuple(
            one
            for entry, finding in findings
            for one in self._carry_out(entry, finding, is_ended=bool(ended))
        )
        self._dismiss()
        self.document.phase, self.document.trial = IDLE, None
        self.save_anyway(is_durable=False)
        self.write_run_files()
        self.stores.record(event, trial, results)
        return results

    def _take_over(self) -> str:
        """From here on the guardian begins nothing; why it has ended the trial, if it has."""
        with contextlib.suppress(OSError):  # it is gone: all the more for us to do
            return self.guardian.pause() if self.guardian is not None else ""
        return ""

    def _dismiss(self) -> None:
        """Everything is back, holds too: until now it was ready to end us for their sake."""
        with contextlib.suppress(OSError):
            if self.guardian is not None:
                self.guardian.forget()

    def _carry_out(
        self, entry: Entry, finding: write_back.Finding, *, is_ended: bool
    ) -> list[Result]:
        verdict, state, note = write_back.carry_out(self.kernel, entry, finding)
        if is_ended and verdict == write_back.ALREADY and entry.goal not in entry.ours:
            verdict = write_back.RESTORED  # by the guardian, a moment ago
        entry.conflict = note if verdict in {report.FOREIGN, report.FAILED} else ""
        results = report.results_of(entry, verdict, state, note)
        is_back = verdict in {write_back.ALREADY, write_back.RESTORED}
        if verdict == report.GONE and not (entry.kept and entry.goal != entry.origin):
            self.document.drop([entry])  # but the origin of what is kept for when it is back
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
    aside = {tunables.step_aside(value) for one in known for value in one.values()}
    is_ours = all(
        id_ in moved
        or any(is_accepted(BY_ID[id_], one.get(id_), value) for one in known)
        or (BY_ID[id_].kind == LATENCY and value in aside)
        for id_, value in read_state(current).items()
    )
    return f"was {current} after the interrupted change" if is_ours else ""


def half_way(entry: Entry, current: str) -> str:
    """Excuses a state of several values of which only some have been written back.

    That of one value is written at once: there, what is not ours is somebody else's.
    """
    return interruption(entry, current) if len(read_state(current)) > 1 else ""
