# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a set of values and taking it back, with the journal always one step ahead.

On the way back each part of an entry is compared three ways (see ``write_back``). After an
interrupted change there is a fourth case. The kernel moves some settings by itself, to values that
nobody recorded: they count as ours, and the result says what they were.
"""

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from destutter_helper import change_set, journal, kernel_writer, report, write_back
from destutter_helper.api.devices import Device, is_present, name_of
from destutter_helper.api.names import KEEP_RESTART, HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.statement import Said
from destutter_helper.api.states import part_of, parts
from destutter_helper.api.tunables import BY_ID, CELLS, HOLD, LATENCY, is_accepted, read_state
from destutter_helper.guardian import Guardian
from destutter_helper.journal import APPLYING, IDLE, RESTORING, TRIAL, Entry, Setting, Trial, Wish
from destutter_helper.power_states import PowerStates
from destutter_helper.stores import Stores

_READ_ONLY = Said("helper.journal.read_only")
_ALONE_NS = journal.NS_PER_S  # the least that the guardian leaves us for the end of a trial
_TIED = Said("helper.note.tied")


class Changes:
    """The document of the journal and the two ways of moving values: there and back.

    ``guardian`` ends trials; None in the short runs, in which none begins.
    """

    stale: Sequence[str] = ()  # files in /run that could not be brought in line

    def __init__(
        self, kernel: kernel_writer.KernelWriter, stores: Stores, guardian: Guardian | None = None
    ) -> None:
        self.kernel = kernel
        self.stores = stores = replace(stores, boot_id=kernel.boot_id())
        self.guardian = guardian
        self.power_states = PowerStates(kernel.tree)
        self.document = journal.load(
            stores.newest or stores.state,
            stores.boot_id,
            stores.run,
            has_traces=stores.has_run_files(),
        )
        if stores.newest is not None and not journal.move(
            stores.newest, stores.state, self.document
        ):
            # A disk that is full now and not later: two journals, of which the next start would
            # take the older one in /run for the newest.
            self.stores = stores = replace(stores, state=stores.newest, is_persistent=False)
        if self.stores.is_persistent:
            self._end_troubles()
        elif self.document.profile:
            self.document.note(_READ_ONLY)

    def save(self, *, is_durable: bool = True) -> None:
        """HelperError when the document cannot be saved, or is a newer helper's."""
        if self.stores.is_persistent:
            self._end_troubles()
        journal.save(self.stores.state, self.document, is_durable=is_durable)
        self.stores.copy(self.document)

    def find_room(self) -> None:
        """Go back to the state directory when it can be written again, as after a full disk."""
        disk = self.stores.disk
        if self.stores.is_persistent or disk is None or not disk.is_writable():
            return
        if journal.move(self.stores.state, disk, self.document):
            self.stores = replace(self.stores, state=disk, is_persistent=True)
            self.save()

    def _end_troubles(self) -> None:
        over = (journal.NOT_WRITTEN, _READ_ONLY.id)
        notices = self.document.notices
        self.document.notices = tuple(one for one in notices if one.id not in over)

    def save_anyway(self, *, is_durable: bool = True) -> None:
        """Going back must not depend on a disk: then /run has the journal until the restart.

        The notice says so. What is on the disk still would come back at the next start: it is
        removed, which a full disk allows, unless other values are to be set then.
        """
        try:
            self.save(is_durable=is_durable)
        except HelperError as error:
            self.document.note(error.said)
            left, run = self.stores.state, self.stores.run
            if error.name != "JournalUnavailable" or run is None or left is run:
                return
            self.stores = replace(self.stores, state=run, is_persistent=False)
            with contextlib.suppress(HelperError):
                self.save()
                if not self.document.profile:
                    journal.forget(left)

    def comes_back(self) -> list[Setting]:
        """What is no longer kept, but the disk holds it, and the next start sets it again."""
        disk = None if self.stores.is_persistent else self.stores.disk
        held = change_set.by_todays_names(self.kernel, journal.kept_in(disk) if disk else ())
        return [one for one in held if one not in self.document.profile]

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
            if until:
                self.settle(until)
                self.save_anyway(is_durable=False)  # the intent, which is on the disk, counts
                return
            self.document.phase = TRIAL
            if self.guardian is not None:
                deadline = trial.deadline_boottime_ns
                # Before the save: that may wait for a disk, and a trial that is written must have
                # an end.
                self.guardian.watch(self.document.moving(), deadline, hold)
            self.save(is_durable=False)
        except Exception as error:
            with contextlib.suppress(HelperError):
                self._record()
            results = self.restore("rolled back", write_back.interruption, is_intent_known=True)
            left = [one for one in results if one.outcome in {report.FAILED, report.FOREIGN}]
            if not isinstance(error, HelperError) or not left:
                raise
            reason = report.not_all_back(error.said, left)
            raise HelperError(error.name, reason, id=error.id, device=error.device) from error

    def check_origins(self, settings: list[Setting]) -> list[str]:
        """Recognises drives, and makes sure that the cells of a change set have a way back.

        HelperError Conflict when a queue stands under a scheduler of ours but is foreign
        otherwise: then neither its old origin nor its present state would be right to go back to.
        Returns the settings kept by us that somebody else has changed there.
        """
        self.recognise()
        found = []
        for entry in (self.document.find(*cell) for cell in _by_cell(settings)):
            if entry is None:
                continue
            current = self.kernel.state(entry.cell, entry.device)
            theirs = write_back.foreign_parts(entry, current, entry.origin)
            master = CELLS[entry.cell][0]
            now, origin = (parts(state).get(master.id) for state in (current, entry.origin))
            if theirs & {*master.moves} and now != origin and master.id not in theirs:
                reason = Said("helper.trial.partly_foreign")
                device = name_of(entry.device)
                raise HelperError("Conflict", reason, id=master.id, device=device)
            found += [id_ for id_ in entry.ids if part_of(id_) in theirs]
        return found

    def settle(self, until: str) -> None:
        """What is on trial is kept ``until``."""
        for entry in self.document.moving():
            self._adopt(entry)
            replaced = {part_of(one.id) for one in entry.tried}
            kept = [
                wish
                for wish in entry.kept
                if part_of(wish.id) not in replaced and self._still_holds(entry, wish)
            ]
            entry.wishes = (*kept, *(replace(wish, until=until) for wish in entry.tried))
            entry.ours, entry.goal = entry.ours[-1:], None
        self.document.phase, self.document.trial = IDLE, None

    def _adopt(self, entry: Entry) -> None:
        """Of what others had changed before a trial that is kept, their value is the origin."""
        earlier = replace(entry, ours=entry.ours[:-1])
        theirs = write_back.foreign_parts(earlier, entry.goal or "", entry.origin)
        if not theirs or not earlier.ours:
            return
        before, origin, tried = parts(entry.goal or ""), parts(entry.origin), entry.tried
        if CELLS[entry.cell][0].id in theirs:  # what was under the scheduler before is of no use
            origin = {id_: word for id_, word in origin.items() if id_ in before}
        entry.origin = " ".join((origin | {id_: before[id_] for id_ in theirs}).values())
        entry.wishes = (*(one for one in entry.kept if part_of(one.id) not in theirs), *tried)

    def _still_holds(self, entry: Entry, wish: Wish) -> bool:
        """Whether a value kept before a trial is still there, or another's; not lost with it."""
        tunable = BY_ID[wish.id]
        ours = read_state(entry.ours[-1]).get(wish.id)
        return self.kernel.value(tunable, entry.device) is not None and (
            ours is None or is_accepted(tunable, wish.value, ours)
        )

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
                entry.conflict = error.said
        if reset:
            self.save_anyway()

    def write_run_files(self) -> None:
        """Lets other tools set again what is kept, at drives that come later, too."""
        kept = [s for e in self.document.entries if not e.conflict for s in e.settings(e.kept)]
        wanted = kept + change_set.expected_of_udev(self.kernel, self.document)
        self.stale = self.stores.write_run_files(wanted)

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
                if device.is_same_hardware(entry.device) and self._follows(entry, device):
                    entry.device = device
                    break

    def rename_kept(self) -> None:
        """What is kept for every start goes by the names that its drives have today."""
        self.document.profile = change_set.by_todays_names(self.kernel, self.document.profile)

    def _follows(self, entry: Entry, device: Device) -> bool:
        """Whether our values are on the device, and then what else of it is as ours.

        What cannot be read may be ours: better asked for again than forgotten.
        """
        if not entry.wishes or self.document.find(entry.cell, device) is not None:
            return False
        with contextlib.suppress(HelperError):
            for one in entry.kept or entry.tried:
                current = self.kernel.value(BY_ID[one.id], device)
                if not is_accepted(BY_ID[one.id], one.value, current):
                    return False
            now = parts(self.kernel.state(entry.cell, device))
            known = {id_ for state in entry.ours for id_ in parts(state)}
            entry.ours = (" ".join(now[id_] for id_ in now if id_ in known),)
        return True

    def _capture(self, settings: list[Setting]) -> None:
        """Puts an entry, ready to move, into the document for every cell that the settings change.

        The origin of a state of ours stays the one from before Destutter, until what is tried on
        top of somebody else's is kept.
        """
        self.check_origins(settings)
        for (cell, device), wanted in _by_cell(settings).items():
            state = self.kernel.state(cell, device)
            entry = self.document.find(cell, device)
            if entry is None:
                entry = Entry(cell, device, origin=state)
                self.document.entries = (*self.document.entries, entry)
            entry.goal, entry.conflict, entry.ours = state, None, entry.ours[-1:]
            entry.wishes = entry.kept + tuple(Wish(one.id, one.value) for one in wanted)

    def _write(self, settings: list[Setting]) -> None:
        for one in settings:
            is_there = self.kernel.value(one.tunable, one.device) == one.value
            if not is_there or one.tunable.kind == LATENCY:  # the number there may have no effect
                self.kernel.write(one.tunable, one.device, one.value)
        for one in self._moved_off(settings):
            with contextlib.suppress(HelperError):  # too many requests for another scheduler
                self.kernel.write(one.tunable, one.device, one.value)
        for one in settings:  # what was written first must still be there after the last write
            current = self.kernel.value(one.tunable, one.device)
            if not is_accepted(one.tunable, one.value, current):
                reason = Said("helper.kernel.again", {"value": str(current)})
                raise kernel_writer.entry_error("Refused", reason, one.tunable, one.device)

    def _moved_off(self, settings: list[Setting]) -> list[Setting]:
        """What was kept in the same queue and is no longer there after a change of scheduler."""
        set_now = {(part_of(one.id), one.device) for one in settings}
        kept = [
            one
            for entry in self.document.moving()
            for one in entry.settings(entry.kept)
            if (part_of(one.id), one.device) not in set_now
            and is_accepted(one.tunable, one.value, read_state(entry.goal or "").get(one.id))
        ]
        values = [(one, self.kernel.value(one.tunable, one.device)) for one in kept]
        return [one for one, value in values if value not in {None, one.value}]

    def _record(self) -> None:
        """What we asked for, and what is no longer as before, is ours.

        The rest of a queue is not, although it is in the entry's origin.
        """
        for entry in self.document.moving():
            before, last = parts(entry.goal or ""), parts((entry.ours or ("",))[-1])
            tried = {part_of(wish.id) for wish in entry.tried}
            now = parts(self.kernel.state(entry.cell, entry.device))
            ours = {id_: last.get(id_, "") for id_ in now} | {
                id_: word for id_, word in now.items() if id_ in tried or word != before.get(id_)
            }
            entry.ours = (*entry.ours, " ".join(word for word in ours.values() if word))

    # -- back -------------------------------------------------------------------------------

    def restore(
        self,
        event: str,
        excuse: write_back.Excuse = write_back.no_excuse,
        *,
        is_intent_known: bool = False,
        is_meant: Callable[[str, str], bool] = lambda _id, _device: True,
    ) -> tuple[Result, ...]:
        """Takes every moving entry to its goal, and forgets what is at its origin again.

        ``excuse`` tells when a state that nobody recorded may be overwritten. The goals are saved
        before the first write, unless the journal has them already (``is_intent_known``): the end
        of a trial must not wait for a disk, whose stall may be what the trial is about. For
        what was not ``is_meant`` the results say why it went back, too.
        """
        self.recognise()
        trial, moving = self.document.trial, self.document.moving()
        moving.sort(key=lambda entry: CELLS[entry.cell][0].rank)
        findings = []
        if not is_intent_known:
            findings = [(one, write_back.judge(self.kernel, one, excuse)) for one in moving]
            self.document.phase, self.document.trial = RESTORING, None
            self.save_anyway()  # a crash from here on finds the same goals
        ended, is_half_done = self._take_over(trial, moving)
        if is_half_done:  # that is no foreign hand
            excuse = write_back.or_half_way(excuse)
        if is_intent_known or is_half_done or ended:  # or what we saw is no longer so
            findings = [(one, write_back.judge(self.kernel, one, excuse)) for one in moving]
        results = tuple(
            one if is_meant(one.id, one.device) else replace(one, notes=(_TIED, *one.notes))
            for entry, finding in findings
            for one in self._carry_out(entry, finding, is_ended=bool(ended))
        )
        self._dismiss()
        self.document.phase, self.document.trial = IDLE, None
        self.save_anyway(is_durable=False)
        self.write_run_files()
        self.stores.record(event, trial, results)
        return results

    def _take_over(self, trial: Trial | None, moving: list[Entry]) -> tuple[str, bool]:
        """Why the guardian has ended the trial, if it has, and whether something is missing.

        From here on it begins nothing before the deadline, which counts also while a drive that
        hangs holds us up: the guardian then takes the others where we take them.
        """
        if self.guardian is None:
            return "", False
        try:
            ended, is_half_done = self.guardian.pause(), self.guardian.is_half_done
            now = self.kernel.tree.boottime_ns()
            if trial is not None and not ended and now < trial.deadline_boottime_ns:
                self.guardian.watch(moving, max(trial.deadline_boottime_ns, now + _ALONE_NS))
        except OSError:  # it is gone: all the more for us to do
            return "", True
        return ended, is_half_done

    def _dismiss(self) -> None:
        """Everything is back, holds too: until now it was ready to end us for their sake."""
        with contextlib.suppress(OSError):
            if self.guardian is not None:
                self.guardian.forget()

    def _carry_out(
        self, entry: Entry, finding: write_back.Judged, *, is_ended: bool
    ) -> list[Result]:
        found = write_back.carry_out(self.kernel, entry, finding)
        verdict, goal = found.outcome, entry.goal or ""
        was_changed = {*(entry.ours or ("",))[-1].split()} - {*goal.split()}
        if is_ended and verdict == write_back.ALREADY and was_changed:
            verdict = write_back.RESTORED  # by the guardian, a moment ago
        is_whole = entry.goal == entry.origin
        ids = [id_ for id_ in entry.ids if is_whole or id_ in {wish.id for wish in entry.tried}]
        theirs = [
            id_ for id_ in ids if verdict == report.FOREIGN and part_of(id_) in found.foreign
        ]
        rest = [id_ for id_ in ids if id_ not in theirs]
        is_back = verdict in {write_back.ALREADY, write_back.RESTORED, report.FOREIGN}
        results = report.results_of(entry, verdict, found.state, found.notes, theirs)
        done, notes = (write_back.RESTORED, ()) if theirs else (verdict, found.notes)
        results += report.results_of(entry, done, found.state, notes, rest)
        entry.goal, entry.conflict = None, None
        if verdict == report.GONE and (is_whole or not entry.kept):
            self.document.drop([entry])
        elif verdict == report.GONE:
            entry.wishes = entry.kept  # their origin is for when it is back
        elif verdict in {report.FAILED, report.FOREIGN}:
            entry.conflict = found.notes[0]
            lost = {part_of(id_) for id_ in theirs}
            left = [w for w in entry.wishes if not theirs or part_of(w.id) in lost or not is_whole]
            kept = {wish.id for wish in left if wish.until}
            entry.wishes = tuple(
                replace(wish, until=wish.until or KEEP_RESTART)
                for wish in left
                if wish.until or wish.id not in kept
            )
        elif is_back and (is_whole or not entry.kept):
            self.document.bury(entry)
        elif is_back:
            self._go_on(entry, parts(goal))
        return results

    def _go_on(self, entry: Entry, now: dict[str, str]) -> None:
        """The end of a trial on top of kept values, or an undo of some of them: the rest stays."""
        ours = [parts(state) for state in entry.ours]
        mine = {id_: now[id_] for id_ in now if any(now[id_] == one.get(id_) for one in ours)}
        entry.wishes, entry.ours = entry.kept, (" ".join(mine.values()),)
        theirs = {part_of(wish.id) for wish in entry.wishes} - mine.keys()
        if theirs & now.keys():
            entry.conflict = report.somebody_else(now[id_] for id_ in now if id_ in theirs)


def _by_cell(settings: list[Setting]) -> dict[tuple[str, Device | None], list[Setting]]:
    cells: dict[tuple[str, Device | None], list[Setting]] = {}
    for one in settings:
        cells.setdefault((one.cell, one.device), []).append(one)
    return cells
