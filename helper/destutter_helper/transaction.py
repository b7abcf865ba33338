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

import copy
from collections.abc import Callable
from dataclasses import dataclass

from destutter_helper import boot, kept, report, selection
from destutter_helper.api import names
from destutter_helper.api.names import KEEP_ALWAYS, KEEP_RESTART, HelperError
from destutter_helper.api.payload import (
    ChangeSet,
    Plan,
    Result,
    State,
    TunableState,
    UndoRequest,
    check_change_set,
)
from destutter_helper.capture import foreign_entries
from destutter_helper.change_set import plan, resolve
from destutter_helper.changes import Changes
from destutter_helper.journal import (
    APPLYING,
    DAMAGED,
    RESTORING,
    TRIAL,
    Document,
    Entry,
    TrialRecord,
)
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.restore import results_of
from destutter_helper.stores import Stores

_NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A running trial. ``deadline_boottime_ns`` is on CLOCK_BOOTTIME, which counts sleep."""

    txid: str
    owner_uid: int
    owner_name: str
    deadline_boottime_ns: int
    results: tuple[Result, ...]


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
        self._profile, trouble = kept.load_profile(stores.state)
        if trouble:
            self._document.note(trouble)

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
        check_change_set(change_set)
        targets = resolve(self._kernel, change_set)
        foreign = foreign_entries(self._kernel, self._document, targets)
        return plan(self._kernel, targets, [id_ for entry in foreign for id_ in entry.ids])

    @property
    def trial(self) -> Trial | None:
        """The running trial, if any."""
        running = self._document.trial
        if running is None or self._document.phase != TRIAL:
            return None
        results: list[Result] = []
        for entry in (one for one in self._document.entries if one.moving):
            outcome = "already" if entry.before == entry.ours[-1] else "changed"
            results += results_of(entry, outcome, entry.ours[-1])
        owner, deadline = running.owner_uid, running.deadline_boottime_ns
        return Trial(running.txid, owner, running.owner_name, deadline, tuple(results))

    @property
    def is_idle(self) -> bool:
        """Whether the process may exit without losing anything: no trial, nothing held."""
        return self._document.trial is None and not self._kernel.is_holding()

    def state(self) -> State:
        """The answer to GetState."""
        return report.state(
            self._document,
            self._profile,
            is_read_only=self._changes.is_read_only,
            now_boottime_ns=self._boottime_ns(),
        )

    def history(self) -> str:
        """The log of changes, one JSON object per line, at most 64 KiB, oldest first."""
        return self._stores.history()

    def verify(self, *, reapply: bool = False) -> tuple[Result, ...]:
        """Compares the kernel with the journal.

        With ``reapply`` (after resume from sleep) kept values that the kernel set back to what
        was before them are written again; anything else is only reported.
        """
        if reapply:
            outcomes = [
                (one, report.compare(self._kernel, one)[0]) for one in self._document.entries
            ]
            self._changes.write_again([one for one, outcome in outcomes if outcome == "reset"])
        return report.verify(self._kernel, self._document)

    # -- trial ------------------------------------------------------------------------------

    def begin_trial(
        self, change_set: ChangeSet, *, owner_uid: int, owner_name: str, seconds: int
    ) -> Trial:
        """Writes the whole set or nothing; the previous values are durable before the first write.

        Errors as ``preview``, and Busy (a trial runs: says whose and how long), Refused (the
        kernel did not take a value; everything is back), JournalUnavailable, OutOfRange for
        ``seconds`` outside 5 to 120.
        """
        self._refuse_unless_ready()
        deadline = self._deadline(seconds)
        check_change_set(change_set)
        targets = resolve(self._kernel, change_set)
        begun = self._boottime_ns()
        record = TrialRecord(self._new_txid(), owner_uid, owner_name, begun, deadline)
        self._changes.apply(targets, record)
        trial = self._running()
        self._stores.record("trial", record, trial.results)
        return trial

    def extend(self, txid: str, seconds: int) -> Trial:
        """Puts the deadline ``seconds`` from now, at most ten minutes after the beginning.

        Errors: NoSuchTransaction, OutOfRange, JournalUnavailable.
        """
        trial = self._own(txid)
        before = trial.deadline_boottime_ns
        latest = trial.begun_boottime_ns + names.TRIAL_TOTAL_MAX_S * _NS_PER_S
        trial.deadline_boottime_ns = min(self._deadline(seconds), latest)
        try:
            self._changes.save()
        except HelperError:
            trial.deadline_boottime_ns = before
            raise
        return self._running()

    def keep(self, txid: str, until: str) -> tuple[Result, ...]:
        """Ends the trial; its values stay until "restart" or are set at "always" every start.

        Errors: NoSuchTransaction, InvalidArgument, JournalUnavailable; Unsupported for "always"
        when a value cannot be kept so (a hold, a drive without serial number, /var not writable).
        The trial goes on when it raises.
        """
        trial = self._own(txid)
        if until not in {KEEP_RESTART, KEEP_ALWAYS}:
            raise HelperError("InvalidArgument", 'how long must be "restart" or "always"')
        tried = [entry for entry in self._document.entries if entry.moving]
        document, profile = copy.deepcopy(self._document), self._profile
        if until == KEEP_ALWAYS:
            self._keep_always(trial, tried)
        try:
            self._changes.settle(until)
            self._changes.save()
        except HelperError:
            self._changes.document = document
            self._save_profile(profile)
            raise
        self._stores.write_run_files(self._document)
        results = [one for e in tried for one in results_of(e, "changed", e.ours[-1], until)]
        self._stores.record("keep", trial, results)
        return tuple(results)

    def revert(self, txid: str, reason: str) -> tuple[Result, ...]:
        """Takes the trial back to what was before it. Error: NoSuchTransaction.

        ``reason`` is one of the ENDED_ names. Never refused for any other cause: what cannot be
        restored is in the results (foreign, gone, failed).
        """
        self._own(txid)
        return self._changes.restore(reason)

    def expire(self) -> tuple[Result, ...] | None:
        """Reverts the trial when its deadline has passed; None when there was nothing to do."""
        trial = self._document.trial
        if trial is None or self._boottime_ns() < trial.deadline_boottime_ns:
            return None
        return self.revert(trial.txid, names.ENDED_DEADLINE)

    def undo(self, request: UndoRequest) -> tuple[Result, ...]:
        """Restores the values from before Destutter, also those kept for every start.

        A running trial is reverted first. Settings that the kernel ties together (a block queue,
        huge pages and the memory reserve) are taken back together. Values that somebody else
        changed are left alone, reported as foreign and remembered until they are named in
        ``force`` or ``accept``. After a damaged journal an undo of everything forgets it: there
        is nothing to go back to. Error: UnknownKey for a name that is not in the registry.
        """
        selection.check_names(request)
        if self._changes.is_read_only:
            raise HelperError("Unsupported", "the journal is a newer helper's; it must undo it")
        results: list[Result] = []
        if self._document.trial is not None:
            results += self.revert(self._document.trial.txid, names.ENDED_REVERTED)
        results += self._forget_profile(request)
        if self._document.phase == DAMAGED and request.ids is None:
            self._changes.document = Document(self._document.boot_id, seq=self._document.seq)
        results += selection.accept(self._document, request.accept)
        selection.select(self._document, request)
        forced = request.force
        results += self._changes.restore(
            "undo", is_forced=lambda entry: selection.is_entry_named(entry, forced)
        )
        return tuple(results)

    # -- starts -----------------------------------------------------------------------------

    def recover(self) -> tuple[Result, ...]:
        """Finishes what a killed process left; idempotent; never raises for a damaged journal.

        A trial within its deadline goes on (``trial`` is set: the layer above checks whether its
        owner is still there, and reverts if not).
        """
        if self._changes.is_read_only:
            return ()
        document = self._document
        if document.phase == DAMAGED:
            self._changes.save_anyway()  # or the next process would know nothing of it
        if document.phase in {APPLYING, RESTORING}:
            return self._changes.restore("recover", is_interrupted=True)
        if document.trial is not None and self._profile.txid == document.trial.txid:
            self._changes.settle(KEEP_ALWAYS)  # the profile is durable: Keep had gone through
            self._changes.save_anyway()
            self._stores.write_run_files(document)
        results = self.expire() or ()
        self._changes.take_holds_again()
        return results

    def boot(self) -> tuple[Result, ...]:
        """Sets what is kept for every start; to be called once, by the boot unit.

        Skips it, and says so in ``state().notices``, after two starts that nobody confirmed.
        """
        results = list(self.recover())
        reason = boot.reason_to_wait(
            self._kernel, self._stores.state, self._document, self._profile
        )
        if reason is not None:
            self._document.note(reason)
            self._changes.save_anyway()
            return tuple(results)
        targets, left_out = boot.targets_of(self._kernel, self._document, self._profile)
        if targets:
            now = self._boottime_ns()
            self._changes.apply(targets, TrialRecord(self._profile.txid, 0, "boot", now, now))
            self._changes.settle(KEEP_ALWAYS)
            self._changes.save_anyway()
            self._stores.write_run_files(self._document)
        results += [*left_out, *report.verify(self._kernel, self._document)]
        self._stores.record("boot", None, results)
        return tuple(results)

    def confirm_boot(self) -> None:
        """This start went well: to be called by a user's session or three minutes after boot."""
        boot.confirm(self._stores.state, self._kernel.boot_id())

    def close(self) -> None:
        """Releases holds (their effect ends) and the lock. Values in the kernel stay."""
        self._kernel.release_holds()
        self._kernel.tree.close()
        self._stores.close()

    # -- inside -----------------------------------------------------------------------------

    def _own(self, txid: str) -> TrialRecord:
        trial = self._document.trial
        if trial is None or trial.txid != txid:
            raise HelperError("NoSuchTransaction", "there is no such trial any more")
        return trial

    def _running(self) -> Trial:
        trial = self.trial
        assert trial is not None  # noqa: S101 (the caller has made or found it)
        return trial

    def _deadline(self, seconds: int) -> int:
        if not names.TRIAL_MIN_S <= seconds <= names.TRIAL_MAX_S:
            limits = f"{names.TRIAL_MIN_S} to {names.TRIAL_MAX_S}"
            raise HelperError("OutOfRange", f"a trial lasts {limits} seconds, not {seconds}")
        return self._boottime_ns() + seconds * _NS_PER_S

    def _refuse_unless_ready(self) -> None:
        if self._changes.is_read_only:
            raise HelperError("Unsupported", "the journal is a newer helper's")
        if self._document.phase == DAMAGED:
            reason = "the journal was damaged; restart the computer, or undo everything first"
            raise HelperError("JournalUnavailable", reason)
        trial = self._document.trial
        if trial is not None:
            left_s = -(-(trial.deadline_boottime_ns - self._boottime_ns()) // _NS_PER_S)
            reason = f"a trial of {trial.owner_name} runs for {max(left_s, 0)} s more"
            raise HelperError("Busy", reason)

    def _keep_always(self, trial: TrialRecord, tried: list[Entry]) -> None:
        """Makes the profile durable with the trial's values, or raises and changes nothing."""
        if not self._stores.is_persistent:
            raise HelperError("Unsupported", "the state directory cannot be written here")
        for entry in tried:
            kept.check_keepable(entry)
        before, self._profile = self._profile, kept.with_entries(self._profile, trial.txid, tried)
        try:
            kept.save_profile(self._stores.state, self._profile)
        except OSError as error:
            self._save_profile(before)
            reason = f"the profile cannot be written: {error.strerror}"
            raise HelperError("JournalUnavailable", reason) from error

    def _save_profile(self, profile: kept.Profile) -> None:
        """As good as the disk allows; what could not be written is in the notices."""
        self._profile = profile
        try:
            kept.save_profile(self._stores.state, profile)
        except OSError as error:
            reason = f"what is kept for every start could not be written: {error.strerror}"
            self._document.note(reason)

    def _forget_profile(self, request: UndoRequest) -> list[Result]:
        """Takes the named values out of the profile, before anything else of an undo."""
        dropped = [one for one in self._profile.changes if selection.is_meant(one, request)]
        if dropped:
            rest = tuple(one for one in self._profile.changes if one not in dropped)
            self._save_profile(kept.Profile(self._profile.txid if rest else "", rest))
        return boot.set_by_others(self._kernel, self._document, dropped)
