# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine: change sets on trial, kept, taken back. It knows no D-Bus, no caller, no polkit.

For the layer above (service, --boot, --recover, --undo-all)::

    engine = opening.open_engine("/", log=print)    # takes the lock; Busy when it is taken
    engine.recover()                        # always first; results, and maybe a re-armed trial
    trial = engine.begin_trial(change_set, owner_uid=1000, owner_name=":1.42", seconds=30)
    engine.expire()                         # call from a timer; reverts what is overdue
    engine.revert(trial.txid, ENDED_HOLD_CLOSED)
    engine.keep(trial.txid, KEEP_RESTART)
    engine.undo(UndoRequest())
    engine.close()                          # gives up holds and the lock, changes nothing else

Who may call what is the business of the layer above: the engine compares no uids. Every method
either does its work or raises ``HelperError``; when it raises, nothing is changed (what a failed
set had already written is back), with the exceptions that the error's text names. No method
blocks on anything but the state directory's fsync and the kernel's own files.
"""

from collections.abc import Callable
from typing import Any

from destutter_helper import boot, journal, kept, report
from destutter_helper.api import names, payload
from destutter_helper.api.names import KEEP_ALWAYS, KEEP_RESTART, HelperError
from destutter_helper.api.payload import ChangeSet, Plan, Result, State, TunableState
from destutter_helper.change_set import Target, plan, resolve
from destutter_helper.changes import Changes
from destutter_helper.journal import Document, Entry, Trial
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.report import results_of
from destutter_helper.stores import Stores

_NS_PER_S = 1_000_000_000


class Engine:
    """One per process and computer; single-threaded. Made by ``opening.open_engine``.

    ``boottime_ns`` reads CLOCK_BOOTTIME; ``new_txid`` makes a name that nobody can guess.
    """

    def __init__(
        self,
        kernel: KernelWriter,
        stores: Stores,
        *,
        boottime_ns: Callable[[], int],
        new_txid: Callable[[], str],
    ) -> None:
        self._kernel = kernel
        self._stores = stores
        self._boottime_ns = boottime_ns
        self._new_txid = new_txid
        self._changes = Changes(kernel, stores)

    @property
    def _document(self) -> Document:
        return self._changes.document

    # -- reading ----------------------------------------------------------------------------

    def list_tunables(self) -> tuple[TunableState, ...]:
        """Every setting on every device with its value of now, or why there is none."""
        return report.list_tunables(self._kernel, self._document)

    def preview(self, change_set: ChangeSet) -> Plan:
        """What ``begin_trial`` would write, in order; raises what it would raise before writing.

        Errors: InvalidArgument, UnknownKey, OutOfRange, DeviceGone, Unsupported, Conflict, each
        naming the entry. Busy, Refused and JournalUnavailable show only when writing.
        """
        targets = self._targets(change_set)
        foreign = self._changes.foreign(targets)
        return plan(self._kernel, targets, [id_ for entry in foreign for id_ in entry.ids])

    @property
    def trial(self) -> Trial | None:
        """The running trial, if any."""
        return self._document.trial if self._document.phase == journal.TRIAL else None

    @property
    def is_idle(self) -> bool:
        """Whether the process may exit without losing anything: no trial, nothing held."""
        return self._document.trial is None and not self._kernel.is_holding()

    def state(self) -> State:
        """The answer to GetState."""
        return report.state(self._document, self._boottime_ns())

    def history(self) -> list[dict[str, Any]]:
        """The log of changes, oldest first; what 64 KiB of JSON lines can hold."""
        return self._stores.history()

    def verify(self, *, reapply: bool = False) -> tuple[Result, ...]:
        """Compares the kernel with the journal.

        With ``reapply`` (after resume from sleep) kept values that the kernel set back to what
        was before them are written again; anything else is only reported.
        """
        if reapply:
            ours = [one for one in self._document.entries if one.ours and not one.conflict]
            reset = [one for one in ours if report.compare(self._kernel, one)[0] == "reset"]
            self._changes.write_again(reset)
        return report.verify(self._kernel, self._document)

    # -- trial ------------------------------------------------------------------------------

    def check_trial(self, change_set: ChangeSet, seconds: int) -> Plan:
        """The plan of a trial that could begin now; errors as ``begin_trial``, before writing."""
        prospect = self.preview(change_set)
        self._deadline(seconds)
        self._refuse_unless_ready()
        return prospect

    def begin_trial(
        self, change_set: ChangeSet, *, owner_uid: int, owner_name: str, seconds: int
    ) -> Trial:
        """Writes the whole set or nothing; the previous values are durable before the first write.

        Errors as ``preview``, and Busy (a trial runs: says whose and how long), Refused (the
        kernel did not take a value; everything is back), JournalUnavailable, OutOfRange for
        ``seconds`` outside 5 to 120.
        """
        self._refuse_unless_ready()
        deadline, now = self._deadline(seconds), self._boottime_ns()
        trial = Trial(self._new_txid(), owner_uid, owner_name, now, deadline)
        self._changes.apply(self._targets(change_set), trial)
        results: list[Result] = []
        for entry in self._document.moving():
            outcome = "already" if entry.goal == entry.ours[-1] else "changed"
            results += results_of(entry, outcome, entry.ours[-1])
        self._stores.record("trial", trial, results)
        return trial

    def trial_of(self, txid: str, owner_name: str = "") -> Trial:
        """The running trial of that number; errors NoSuchTransaction, or NotOwner if given."""
        trial = self.trial
        if owner_name and trial is not None and trial.owner_name != owner_name:
            raise HelperError("NotOwner", "this trial was begun by somebody else")
        if trial is None or trial.txid != txid:
            raise HelperError("NoSuchTransaction", "there is no such trial; it may have ended")
        return trial

    def extend(self, txid: str, seconds: int) -> Trial:
        """Puts the deadline ``seconds`` from now, at most ten minutes after the beginning.

        Errors: NoSuchTransaction, OutOfRange, JournalUnavailable.
        """
        trial = self.trial_of(txid)
        latest = trial.begun_boottime_ns + names.TRIAL_TOTAL_MAX_S * _NS_PER_S
        with self._changes.saved_or_undone():
            trial.deadline_boottime_ns = min(self._deadline(seconds), latest)
        return trial

    def keep(self, txid: str, until: str) -> tuple[Result, ...]:
        """Ends the trial; its values stay until "restart" or are set at "always" every start.

        Errors: NoSuchTransaction, InvalidArgument, JournalUnavailable; Unsupported for "always"
        when a value cannot be kept so (a hold, a drive without serial number, /var not writable).
        The trial goes on when it raises.
        """
        trial = self.trial_of(txid)
        if until not in {KEEP_RESTART, KEEP_ALWAYS}:
            raise HelperError("InvalidArgument", 'how long must be "restart" or "always"')
        tried = self._document.moving()
        with self._changes.saved_or_undone():
            if until == KEEP_ALWAYS:
                self._check_keepable(tried)
                self._document.keep_always(kept.with_entries(self._document.profile, tried))
            self._changes.settle(until)
        results = [one for e in tried for one in results_of(e, "changed", e.ours[-1], until)]
        self._changes.write_run_files()
        self._stores.record("keep", trial, results)
        return tuple(results)

    def revert(self, txid: str, reason: str) -> tuple[Result, ...]:
        """Takes the trial back to what was before it. Error: NoSuchTransaction.

        ``reason`` is one of the ENDED_ names. Never refused for any other cause: what cannot be
        restored is in the results (foreign, gone, failed).
        """
        self.trial_of(txid)
        return self._changes.restore(reason)

    def expire(self) -> tuple[Result, ...] | None:
        """Reverts the trial when its deadline has passed; None when there was nothing to do."""
        trial = self.trial
        if trial is None or self._boottime_ns() < trial.deadline_boottime_ns:
            return None
        return self.revert(trial.txid, names.ENDED_DEADLINE)

    def undo(self, request: payload.UndoRequest) -> tuple[Result, ...]:
        """Restores the values from before Destutter, also those kept for every start.

        A running trial is reverted first. Settings that the kernel ties together (a block queue,
        huge pages and the memory reserve) are taken back together. Values that somebody else
        changed are left alone, reported as foreign and remembered until they are named in
        ``force`` or ``accept``. After a damaged journal an undo of everything forgets it: there
        is nothing to go back to. Error: UnknownKey for a name that is not in the registry.
        """
        payload.check_undo_request(request)
        if self._document.phase == journal.NEWER:
            raise HelperError("Unsupported", "the journal is a newer helper's; it must undo it")
        results = list(self.revert(self.trial.txid, names.ENDED_REVERTED) if self.trial else ())
        if self._document.phase == journal.DAMAGED and request.ids is None:
            self._changes.document = Document(self._document.boot_id, seq=self._document.seq)
        results += self._forget_kept(request)
        results += self._accept(request.accept)
        for entry in self._document.entries:
            if payload.is_meant(request, entry.cell, entry.device_name):
                entry.goal, entry.conflict = entry.origin, ""
        results += self._changes.restore(
            "undo", is_forced=lambda entry: _is_entry_named(entry, request.force)
        )
        return tuple(results)

    # -- starts -----------------------------------------------------------------------------

    def recover(self) -> tuple[Result, ...]:
        """Finishes what a killed process left; idempotent; never raises for a damaged journal.

        A trial within its deadline goes on (``trial`` is set: the layer above checks whether its
        owner is still there, and reverts if not).
        """
        phase = self._document.phase
        if phase == journal.NEWER:
            return ()
        if phase == journal.DAMAGED:
            self._changes.save_anyway()  # or the next process would know nothing of it
        if phase in {journal.APPLYING, journal.RESTORING}:
            return self._changes.restore("recover", is_interrupted=True)
        results = self.expire() or ()
        self._changes.take_holds_again()
        return results

    def boot(self) -> tuple[Result, ...]:
        """Sets what is kept for every start; to be called once, by the boot unit.

        Skips it, and says so in ``state().notices``, after two starts that nobody confirmed.
        """
        results = list(self.recover())
        reason = boot.reason_to_wait(self._kernel, self._document)
        if reason and self._document.profile:
            self._document.note(reason)
            self._changes.save_anyway()
            return tuple(results)
        if self._document == Document(self._document.boot_id, seq=self._document.seq):
            journal.forget(self._stores.state)
        targets, left_out = boot.targets_of(self._kernel, self._document)
        if targets:
            self._document.is_start_counted = True
            now = self._boottime_ns()
            trial = Trial(self._new_txid(), 0, "boot", now, now)
            self._changes.apply(targets, trial, until=KEEP_ALWAYS)
        self._changes.write_run_files()
        results += [*left_out, *report.verify(self._kernel, self._document)]
        self._stores.record("boot", None, results)
        return tuple(results)

    def confirm_boot(self) -> None:
        """This start went well: to be called by a user's session or three minutes after boot.

        What was left out after two starts that did not stays left out until the user says so.
        """
        document = self._document
        if document.starts < boot.STARTS_MAX and document.starts + document.is_start_counted:
            document.starts, document.is_start_counted = 0, False
            self._changes.save_anyway()

    def close(self) -> None:
        """Releases holds (their effect ends) and the lock. Values in the kernel stay."""
        self._kernel.release_holds()
        self._kernel.tree.close()
        self._stores.close()

    # -- inside -----------------------------------------------------------------------------

    def _targets(self, change_set: ChangeSet) -> list[Target]:
        payload.check_form(change_set)
        return resolve(self._kernel, change_set)

    def _deadline(self, seconds: int) -> int:
        if not names.TRIAL_MIN_S <= seconds <= names.TRIAL_MAX_S:
            limits = f"{names.TRIAL_MIN_S} to {names.TRIAL_MAX_S}"
            raise HelperError("OutOfRange", f"a trial lasts {limits} seconds, not {seconds}")
        return self._boottime_ns() + seconds * _NS_PER_S

    def _refuse_unless_ready(self) -> None:
        if self._document.phase == journal.NEWER:
            raise HelperError("Unsupported", "the journal is a newer helper's")
        if self._document.phase == journal.DAMAGED:
            reason = "the journal was damaged; restart the computer, or undo everything first"
            raise HelperError("JournalUnavailable", reason)
        if self.trial is not None:
            other = self.state()
            reason = f"user {other.owner_uid} has a trial for another {other.seconds_left} s"
            raise HelperError("Busy", reason)

    def _check_keepable(self, tried: list[Entry]) -> None:
        if not self._stores.is_persistent:
            raise HelperError("Unsupported", "the state directory cannot be written here")
        for entry in tried:
            kept.check_keepable(entry)

    def _forget_kept(self, request: payload.UndoRequest) -> list[Result]:
        """Takes the named values out of the profile, which the undo saves first of all."""
        profile = self._document.profile
        dropped = [e for e in profile if payload.is_meant(request, e.cell, e.change.device)]
        if dropped:
            self._document.keep_always(tuple(one for one in profile if one not in dropped))
        return boot.set_by_others(self._kernel, self._document, dropped)

    def _accept(self, wanted: tuple[str, ...]) -> list[Result]:
        """Forgets the named conflicts and leaves the values to whoever set them."""
        entries = self._document.entries
        accepted = [one for one in entries if one.conflict and _is_entry_named(one, wanted)]
        self._document.drop(accepted)
        return [one for e in accepted for one in results_of(e, "accepted", "", e.conflict)]


def _is_entry_named(entry: Entry, wanted: tuple[str, ...]) -> bool:
    return payload.is_named(entry.cell, entry.device_name, wanted)
