# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine: change sets on trial, kept, taken back. It knows no D-Bus and no polkit.

For the layer above (service, --boot, --recover, --undo-all)::

    engine = open_engine(KernelTree(), log=print)    # takes the lock; Busy when it is taken
    engine.recover()                        # always first; results
    trial = engine.begin_trial(change_set, owner_uid=1000, owner_name=":1.42", seconds=30)
    engine.expire()                         # call from a timer; reverts what is overdue
    engine.bind(trial.txid, pidfd)          # it ends with that process as well
    engine.revert(trial.txid, ENDED_HOLD_CLOSED)
    engine.keep(trial.txid, KEEP_RESTART)
    engine.undo(UndoRequest())
    engine.close()                          # gives up the lock, changes nothing

Who may call what is the business of the layer above: the engine compares no uids, only the name
of who owns a trial, where it is told one. Every method either does its work or raises
``HelperError``; when it raises, nothing is changed (what a failed set had already written is
back), with the exceptions that the error's text names. No method blocks on anything but the state
directory's fsync, the kernel's own files and the guardian's answer.
"""

import contextlib
import copy
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from destutter_helper import changes, journal, report, write_back
from destutter_helper.api import names, payload
from destutter_helper.api.devices import name_of
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.states import part_of, parts
from destutter_helper.change_set import no_longer_kept, plan, reason_to_wait, resolve, resolve_kept
from destutter_helper.guardian import Guardian
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import DmaLatencyHold, Hold, KernelWriter
from destutter_helper.recollection import recollect
from destutter_helper.stores import UNDO, LogTo, Stores, open_stores, unless_stale, with_entries

LOCK_WAIT_S = 2.0  # a helper that idles away, or takes its last values back, is gone by then
_COMES_BACK = Said("helper.note.comes_back")
_NOT_COUNTED = Said("helper.start.not_counted")
_UNKNOWN = Said("helper.journal.damaged_unknown")
_OVER = Said("helper.trial.over")


def open_engine(tree: KernelTree, *, log: LogTo, wait_s: float = 0.0) -> "Engine":
    """The engine of a short run, on a kernel's files and its own ones below the same root.

    HelperError Busy when another helper has the lock for longer than ``wait_s``: one may be on
    its way out. OSError when a directory of ours is not safe.
    """
    return make_engine(tree, open_stores(tree.root, log, wait_s))


def make_engine(
    tree: KernelTree,
    stores: Stores,
    guardian: Guardian | None = None,
    holds: Mapping[str, Hold] | None = None,
) -> "Engine":
    """The engine on opened stores; ``holds`` are those of the layers above, by tunable id."""
    kernel = KernelWriter(tree, {"cpu.dma_latency": DmaLatencyHold(tree), **(holds or {})})
    return Engine(kernel, stores, guardian)


class Engine(changes.Changes):
    """One per process and computer; single-threaded. Made by ``open_engine``."""

    _recovered: tuple[payload.Result, ...] | None = None
    _bound = ""  # the trial that is tied to a game; the journal is not told, as of a deadline

    # -- reading ----------------------------------------------------------------------------

    def list_tunables(self) -> tuple[payload.TunableState, ...]:
        """Every setting on every device with its value of now, or why there is none."""
        return report.list_tunables(self.kernel, self.document)

    def preview(self, change_set: payload.ChangeSet) -> payload.Plan:
        """What ``begin_trial`` would write, in order; raises what it would raise before writing.

        Errors: InvalidArgument, UnknownKey, OutOfRange, DeviceGone, Unsupported, Conflict, each
        naming the entry. Busy, Refused and JournalUnavailable show only when writing.
        """
        settings = resolve(self.kernel, change_set.changes)
        return plan(self.kernel, self.document, settings, self.check_origins(settings))

    @property
    def trial(self) -> journal.Trial | None:
        return self.document.trial if self.document.phase == journal.TRIAL else None

    @property
    def is_idle(self) -> bool:
        """Whether the process may exit without losing anything: no trial, nothing held."""
        return self.trial is None and not self.kernel.is_holding()

    def state(self) -> payload.State:
        """The answer to GetState."""
        return report.state(self.document, self.kernel.tree.boottime_ns())

    def verify(self, *, reapply: bool = False) -> tuple[payload.Result, ...]:
        """Compares the kernel with the journal.

        With ``reapply`` (after resume from sleep) kept values that the kernel set back to what
        was before them are written again; anything else is only reported.
        """
        self.recognise()
        if reapply:
            self.set_again(only_holds=False)
        return report.verify(self.kernel, self.document)

    # -- trial ------------------------------------------------------------------------------

    def check_trial(self, change_set: payload.ChangeSet, seconds: int) -> payload.Plan:
        """The plan of a trial that could begin now; errors as ``begin_trial``, before writing."""
        prospect = self.preview(change_set)
        self._deadline(seconds)
        self._refuse_unless_ready()
        return prospect

    def begin_trial(
        self,
        change_set: payload.ChangeSet,
        *,
        owner_uid: int,
        owner_name: str,
        seconds: int,
        hold: int = -1,
        set_id: str = "",
    ) -> journal.Trial:
        """Writes the whole set or nothing; the previous values are durable before the first write.

        ``hold`` is the end of a pipe whose hang-up ends the trial. ``set_id`` is of a set that is
        kept for a game.

        Errors as ``preview``, and Busy (a trial runs: says how long), Refused (the
        kernel did not take a value; everything is back), JournalUnavailable, OutOfRange for
        ``seconds`` outside 5 to 120.
        """
        self._refuse_unless_ready()
        self.find_room()
        deadline, now = self._deadline(seconds), self.kernel.tree.boottime_ns()
        txid = secrets.token_hex(16)
        trial = journal.Trial(txid, owner_uid, owner_name, now, deadline, set_id)
        self.apply(resolve(self.kernel, change_set.changes), trial, hold=hold)
        self._record_changes("game" if set_id else "trial", trial, self.document.moving())
        return trial

    def trial_of(self, txid: str, owner_name: str = "") -> journal.Trial:
        """The running trial of that number; errors NoSuchTransaction, or NotOwner if given."""
        trial = self.trial
        if owner_name and trial is not None and trial.owner_name != owner_name:
            raise HelperError("NotOwner", Said("helper.trial.not_owner"))
        if trial is None or trial.txid != txid:
            raise HelperError("NoSuchTransaction", _OVER)
        return trial

    def extend(self, txid: str, seconds: int) -> journal.Trial:
        """Puts the deadline ``seconds`` from now, at most ten minutes after the beginning.

        Of a trial that is tied to a game twelve hours. Errors: NoSuchTransaction, OutOfRange. The
        journal is not told: a trial whose process has died is over, whatever its deadline was.
        """
        trial = self.trial_of(txid)
        most_s = names.FLIGHT_MAX_S if self._bound == txid else names.TRIAL_TOTAL_MAX_S
        latest = trial.begun_boottime_ns + most_s * journal.NS_PER_S
        deadline = min(self._deadline(seconds), latest)
        if self.guardian is not None and self.guardian.move(deadline):
            raise HelperError("NoSuchTransaction", _OVER)
        trial.deadline_boottime_ns = deadline
        return trial

    def bind(self, txid: str, process: int) -> journal.Trial:
        """Ties the trial to a process, given by its pidfd: it ends with that, too.

        From then on its owner may extend it for as long as people play, and has to: what nobody
        renews for two minutes goes back. Error: NoSuchTransaction.
        """
        trial = self.trial_of(txid)
        latest = trial.begun_boottime_ns + names.FLIGHT_MAX_S * journal.NS_PER_S
        deadline = min(self._deadline(names.TRIAL_MAX_S), latest)  # however often it is bound
        if self.guardian is not None and self.guardian.bind(process, deadline):
            raise HelperError("NoSuchTransaction", _OVER)
        trial.deadline_boottime_ns, self._bound = deadline, txid
        return trial

    def keep(self, txid: str, until: str) -> tuple[payload.Result, ...]:
        """Ends the trial; its values stay until "restart" or are set at "always" every start.

        Errors: NoSuchTransaction, JournalUnavailable; Unsupported for "always" when a value
        cannot be kept so (a hold, a drive without serial number, /var not writable). The trial
        goes on when it raises. Who asked in time is not too late because the disk is slow: the
        deadline waits for it.
        """
        trial = self.trial_of(txid)
        tried = self.document.moving()
        before = copy.deepcopy(tried)
        with self._deadline_paused(trial), self.saved_or_undone():
            if until == names.KEEP_ALWAYS:
                self.find_room()
                if not self.stores.is_persistent:
                    raise HelperError("Unsupported", Said("helper.keep.no_directory"))
                self.document.keep_always(with_entries(self.document.profile, tried))
            self.settle(until)
        self.write_run_files()
        return self._record_changes("keep", trial, before, until)

    def revert(self, txid: str, reason: str) -> tuple[payload.Result, ...]:
        """Takes the trial back to what was before it. Error: NoSuchTransaction.

        ``reason`` is one of the ENDED_ names. Never refused for any other cause: what cannot be
        restored is in the results (foreign, gone, failed).
        """
        self.trial_of(txid)
        return self.restore(reason, is_intent_known=True)

    def expire(self) -> tuple[payload.Result, ...] | None:
        """Reverts the trial when its deadline has passed; None when there was nothing to do."""
        trial = self.trial
        if trial is None or self.kernel.tree.boottime_ns() < trial.deadline_boottime_ns:
            return None
        return self.restore(names.ENDED_DEADLINE, is_intent_known=True)

    def undo(self, request: payload.UndoRequest) -> tuple[payload.Result, ...]:
        """Restores the values from before Destutter, also those kept for every start.

        A running trial ends with it. Settings that the kernel ties together (a scheduler and what
        it moves, huge pages and the memory reserve) are taken back together. Values that somebody
        else changed are left alone, reported as foreign and remembered until they are named in
        ``force`` or ``accept``. Errors: UnknownKey for a name that is not in the registry,
        JournalUnavailable after a damaged journal, if the history does not know either what to
        go back to; then only a restart lets new trials begin, else an undo of everything does.
        """
        payload.check_undo_request(request)
        if self.document.phase == journal.NEWER:
            raise HelperError("Unsupported", Said("helper.journal.newer_undo"))
        if self.document.phase == journal.DAMAGED:
            if request.ids is not None:
                raise HelperError("JournalUnavailable", Said("helper.journal.damaged_undo"))
            events: list[dict[str, Any]] = []
            with contextlib.suppress(HelperError):  # then it does not know either
                events = self.stores.history()
            known = recollect(self.kernel, events)
            if known:
                self.document = replace(self.document, phase=journal.IDLE, entries=known)
            else:  # it stays so until the restart: else what is ours would be the next origin
                self._forget_kept(request, set())
                self.save_anyway()
                self.write_run_files()
                raise HelperError("JournalUnavailable", _UNKNOWN)
        self.find_room()
        self.recognise()
        self.rename_kept()
        results, back = self._accept(request.accept), set[tuple[str, str]]()
        for entry in self.document.entries:
            name = name_of(entry.device)
            named = {id_ for id_ in entry.ids if payload.is_meant(request, id_, name)}
            back |= {(id_, name) for id_ in (write_back.send_back(entry, named) if named else ())}
        dropped = self._forget_kept(request, back)
        results += no_longer_kept(self.kernel, self.document, dropped, results)
        self.stores.record(UNDO, None, results)

        def excuse(entry: journal.Entry, current: str, id_: str) -> Said | None:
            if not payload.is_named(id_, name_of(entry.device), request.force):
                return None
            return Said("helper.note.overwritten", {"settings": parts(current)[id_]})

        results += self.restore(UNDO, excuse, is_meant=partial(payload.is_meant, request))
        results = [unless_stale(one, self.stale) for one in results]
        for one in self.comes_back():
            if payload.is_meant(request, one.id, name_of(one.device)):
                results.append(one.result(report.FAILED, _COMES_BACK))
        return tuple(results)

    # -- starts -----------------------------------------------------------------------------

    def recover(self) -> tuple[payload.Result, ...]:
        """Finishes what a killed process left; never raises for a damaged journal.

        A trial of that process ends: its owner's hold ended with it. Once per process; the
        results are the same when it is called again.
        """
        if self._recovered is None:
            phase, self._recovered = self.document.phase, ()
            if phase in {journal.APPLYING, journal.RESTORING}:
                self._recovered = self.restore("recover", write_back.interruption)
            if phase == journal.TRIAL:
                self._recovered = self.restore(
                    "recover", write_back.half_way, is_intent_known=True
                )
            self.set_again(only_holds=True)
        return self._recovered

    def boot(self) -> tuple[payload.Result, ...]:
        """Sets what is kept for every start; to be called once, after ``recover``, by its unit.

        The intent to set it counts the start; ``confirm_boot`` clears the count. Two starts that
        nobody confirmed mean that the computer did not come up with these values: from then on
        they are left out, and ``state().notices`` says so, until something is kept or undone.
        """
        # Before the work: a start that dies in it is not tried again by the next helper of this
        # boot.
        self.stores.mark_booted()
        reason = reason_to_wait(self.kernel, self.document)
        if not self.stores.is_persistent:
            reason = reason or _NOT_COUNTED
        if reason is not None and self.document.profile:
            return self._leave_out(reason)
        self.rename_kept()
        if self.document == journal.Document(self.document.boot_id, seq=self.document.seq):
            journal.forget(self.stores.state)
        settings, left_out = resolve_kept(self.kernel, self.document)
        if settings:
            was_counted, self.document.is_start_counted = self.document.is_start_counted, True
            now = self.kernel.tree.boottime_ns()
            trial = journal.Trial("", 0, "boot", now, now)
            try:
                self.apply(settings, trial, until=names.KEEP_ALWAYS)
            except HelperError as error:
                if error.name == "JournalUnavailable":  # nothing was written
                    self.document.is_start_counted = was_counted
                self._leave_out(Said("helper.start.failed", {"reason": error.whole}))
                raise
        self.write_run_files()
        results = (*left_out, *report.verify(self.kernel, self.document))
        self.stores.record("boot", None, results)
        return results

    def boot_first(self) -> None:
        """The work of the start in a helper that was asked for before its unit had its turn."""
        if not self.stores.mark_booted() and self.document.profile:
            with contextlib.suppress(HelperError):  # a notice tells
                self.boot()

    def _leave_out(self, reason: Said) -> tuple[payload.Result, ...]:
        """Says why nothing is set at this start: in the state, and in the history."""
        self.document.note(reason)
        self.save_anyway()
        left_out = [one.result(report.FAILED, reason) for one in self.document.profile]
        self.stores.record("boot", None, left_out)
        return ()

    def confirm_boot(self) -> None:
        """This start went well: to be called by a user's session or three minutes after boot.

        What was left out after two starts that did not stays left out until the user says so.
        """
        document = self.document
        if not document.is_suspended and document.starts + document.is_start_counted:
            document.starts, document.is_start_counted = 0, False
            self.save_anyway()

    def close(self) -> None:
        """Gives up the lock. Values in the kernel stay; holds end with the process."""
        self.kernel.tree.close()
        self.stores.opened.close()

    # -- inside -----------------------------------------------------------------------------

    @contextlib.contextmanager
    def _deadline_paused(self, trial: journal.Trial) -> Iterator[None]:
        """The guardian waits while the trial is made something else, and forgets it then."""
        if self.guardian is None:
            yield
            return
        if self.guardian.pause():
            raise HelperError("NoSuchTransaction", _OVER)
        try:
            yield
        except Exception:
            self.guardian.move(trial.deadline_boottime_ns)
            raise
        self.guardian.forget()

    def _deadline(self, seconds: int) -> int:
        if not names.TRIAL_MIN_S <= seconds <= names.TRIAL_MAX_S:
            limits = {"shortest": names.TRIAL_MIN_S, "longest": names.TRIAL_MAX_S}
            said = Said("helper.request.trial_length", {**limits, "seconds": seconds})
            raise HelperError("OutOfRange", said)
        return self.kernel.tree.boottime_ns() + seconds * journal.NS_PER_S

    def _refuse_unless_ready(self) -> None:
        if self.document.phase == journal.NEWER:
            raise HelperError("Unsupported", Said("helper.journal.newer"))
        if self.document.phase == journal.DAMAGED:
            raise HelperError("JournalUnavailable", Said("helper.journal.damaged"))
        if self.trial is not None:
            if self.trial.txid == self._bound:
                raise HelperError("Busy", Said("helper.trial.busy_game"))
            left = {"seconds": self.state().seconds_left}
            raise HelperError("Busy", Said("helper.trial.busy", left))

    def _record_changes(
        self, event: str, trial: journal.Trial, tried: list[journal.Entry], until: str = ""
    ) -> tuple[payload.Result, ...]:
        results = []
        for entry, id_ in [(one, wish.id) for one in tried for wish in one.tried]:
            before, part = parts(entry.goal or ""), part_of(id_)
            is_as_before = parts(entry.ours[-1]).get(part) == before.get(part)
            outcome = "already" if is_as_before else "changed"
            results += report.results_of(entry, outcome, entry.ours[-1], (), [id_], until)
        self.stores.record(event, trial, results)
        return tuple(results)

    def _forget_kept(
        self, request: payload.UndoRequest, back: set[tuple[str, str]]
    ) -> list[journal.Setting]:
        """Takes what goes back out of the profile, which the undo saves first of all."""
        profile = self.document.profile
        names = [(one, one.id, name_of(one.device)) for one in profile]
        dropped = [s for s, *of in names if payload.is_meant(request, *of) or tuple(of) in back]
        if dropped:
            self.document.keep_always(tuple(one for one in profile if one not in dropped))
        return dropped

    def _accept(self, wanted: tuple[str, ...]) -> list[payload.Result]:
        """Forgets the named conflicts and leaves the values to whoever set them."""
        results = []
        for entry in [one for one in self.document.entries if one.conflict is not None]:
            name, named = name_of(entry.device), report.in_conflict(entry)
            ids = [id_ for id_ in named if payload.is_named(id_, name, wanted)]
            results += report.results_of(entry, "accepted", "", report.conflict_of(entry), ids)
            entry.wishes = tuple(wish for wish in entry.wishes if wish.id not in ids)
            if not entry.wishes:
                self.document.drop([entry])
            elif set(ids) == set(named):
                entry.conflict = None
        return results
