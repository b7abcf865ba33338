# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods on the bus: what each validates, what polkit is asked, what is done after a yes.

READERS are open to all and change nothing. Any other method returns the action, the work and a
summary for the dialog. `serve` refuses an action that is not in the method's row of METHODS; the
work runs behind the permission, never past it.
"""

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import dbus
from dbus import lowlevel

from destutter_helper.api import methods, names, payload, tracing
from destutter_helper.api.call_path import decode_sleep, encode_path
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.authority import Authority, Question
from destutter_helper.engine import Engine
from destutter_helper.game_process import open_process
from destutter_helper.game_sets import KeptForGames
from destutter_helper.gate import Call
from destutter_helper.journal import Trial
from destutter_helper.log import Log
from destutter_helper.readers import LISTING, READERS
from destutter_helper.trace_grants import Grants

LISTED_S = 0.2
CONSENT_S = 300  # as long as polkit remembers a password
RECENT_S = 60
Job = tuple[str, Callable[[], tuple[Any, ...]], payload.Plan | str]
"""Action, work, and what the dialog says; the work returns the values of the reply."""


class Service:
    """One per process: the calls of the contract, and what ends a trial or a trace."""

    def __init__(
        self, connection: Any, engine: Engine, grants: Grants, authority: Authority, log: Log
    ) -> None:
        self._connection = connection
        self._engine = engine
        self._grants = grants
        self._authority = authority
        self._log = log
        self._sets = KeptForGames(engine)
        self._plan: payload.Plan | str = ""  # of the running trial, for the dialog of Keep
        self._consent = "", 0.0  # the trial for which a password was typed, and when
        self._listed = 0.0, ""  # when, and the text
        self.recent_trials: dict[int, deque[float]] = {}  # by user, when
        self.recent_traces: dict[int, deque[float]] = {}

    @property
    def is_needed(self) -> bool:
        """Whether the process must stay: a trial, a trace, something held, an open question."""
        return self._authority.is_asking or self._grants.are_running or not self._engine.is_idle

    def serve(self, call: Call) -> None:
        """Do one call of the contract, after polkit if need be."""
        member = call.key[1]
        if member in READERS:
            call.reply(
                self._list(call) if member == LISTING else READERS[member](self._engine, call)
            )
            return
        # What this call changes must not be answered out of the list of a moment ago.
        self._listed = 0.0, ""
        action, work, about = JOBS[member](self, call)
        if action not in methods.METHODS[call.key].actions:
            raise HelperError("NotAuthorized", Said("helper.right.nobody"))
        if action == methods.OPEN:
            call.reply(*work())
            return

        def permitted() -> None:
            call.reply(*work())
            if call.uid != 0:  # a user's session came up: not known of one who was refused
                self._engine.confirm_boot()

        self._authority.ask(_question(call, action, permitted, about))

    def _list(self, call: Call) -> str:
        """Every setting, read at most five times a second, whoever asks."""
        since, text = self._listed
        if not text or time.monotonic() - since > LISTED_S:
            text = READERS[LISTING](self._engine, call)
            self._listed = time.monotonic(), text
        return text

    # -- what may end a trial ---------------------------------------------------------------

    @property
    def owners(self) -> set[str]:
        """The connections that have a trial or a trace."""
        trial = self._engine.trial
        return self._grants.owners | ({trial.owner_name} if trial is not None else set())

    def hear_guardian(self) -> None:
        """The guardian took the trial back: tell everybody. OSError when it is gone itself."""
        if self._engine.guardian is not None:
            self._engine.guardian.hear()
            self._notice()

    def _notice(self) -> None:
        """End here what the guardian has ended, however we came to know of it."""
        if self._engine.guardian is not None and self._engine.guardian.ended:
            self.end_trial(self._engine.guardian.ended)

    def forget(self, sender: str) -> None:
        """A connection left the bus: its dialogs close, its trial and its trace end."""
        self._authority.forget(sender)
        self._grants.forget(sender)
        if self._engine.trial is not None and self._engine.trial.owner_name == sender:
            self.end_trial(names.ENDED_OWNER_GONE)

    def end_trial(self, reason: str) -> None:
        """Revert the running trial, if any."""
        trial = self._engine.trial
        if trial is not None:
            self._trial_ended(reason, self._engine.revert(trial.txid, reason))

    def resume(self) -> None:
        """After a sleep: end what is overdue, put back what the kernel reset, report the rest."""
        self._grants.look()
        overdue = self._engine.expire()
        if overdue is not None:
            self._trial_ended(names.ENDED_DEADLINE, overdue)
        results = self._engine.verify(reapply=True)
        if any(result.outcome != "ok" for result in results):
            self._emit("Drift", "s", _encoded(results))
        self._report_state()

    # -- trials -----------------------------------------------------------------------------

    def begin_trial(self, call: Call) -> Job:
        """Write the whole set, for a while."""
        text, seconds, interactive = call.arguments
        call.allows_dialog |= interactive
        change_set = payload.read_change_set(text)
        prospect = self._engine.check_trial(change_set, seconds)
        _count(self.recent_trials, call.uid, names.TRIALS_PER_MINUTE_MAX, "trial")

        def begin(hold: int) -> Trial:
            return self._engine.begin_trial(
                change_set,
                owner_uid=call.uid,
                owner_name=call.sender,
                seconds=seconds,
                hold=hold,
            )

        def lend() -> tuple[str, Any]:
            txid, theirs = self._lend_hold(begin)
            self._plan = prospect
            self._consent = txid if call.was_asked else "", time.monotonic()
            self._report_state()
            return txid, theirs

        return names.ACTION_APPLY, lend, prospect

    def _lend_hold(self, begin: Callable[[int], Trial]) -> tuple[str, Any]:
        """Begin a trial with a pipe: its number, and the end whose closing takes it back."""
        ours, theirs = os.pipe()  # before the first write: it may fail
        with contextlib.ExitStack() as opened:
            opened.callback(os.close, ours)  # the guardian has its own
            try:
                hold = dbus.types.UnixFd(theirs)  # a copy
            finally:
                os.close(theirs)  # it would keep the trial alive
            return begin(ours).txid, hold

    def extend(self, call: Call) -> Job:
        """Move the deadline."""
        txid, seconds = call.arguments
        self._engine.trial_of(txid, call.sender)

        def extend() -> tuple[Any]:
            try:
                self._engine.extend(txid, seconds)
            finally:
                self._notice()
            self._report_state()
            return (dbus.UInt32(self._engine.state().seconds_left),)

        return methods.OPEN, extend, ""

    def bind(self, call: Call) -> Job:
        """Tie the trial to a game of the caller."""
        txid, pid, start = call.arguments
        self._engine.trial_of(txid, call.sender)

        def bind() -> tuple[Any]:
            process = open_process(self._engine.kernel.tree, call.uid, pid, start)
            try:
                self._engine.bind(txid, process)
            finally:
                os.close(process)  # the guardian has its own
                self._notice()
            self._report_state()
            return (dbus.UInt32(self._engine.state().seconds_left),)

        return methods.OPEN, bind, ""

    def keep(self, call: Call) -> Job:
        """End the trial and keep its values.

        For every start that needs a password of its own for exactly this set. The one for the
        trial is such a one, if it was typed for it a moment ago; a remembered one is not.
        """
        txid, until, interactive = call.arguments
        call.allows_dialog |= interactive
        self._engine.trial_of(txid, call.sender)
        if until not in methods.KEEP_ACTIONS:
            raise HelperError("InvalidArgument", Said("helper.request.until"))

        def keep() -> tuple[str]:
            try:
                return self._trial_ended(names.ENDED_KEPT, self._engine.keep(txid, until))
            finally:
                self._notice()

        txid_asked, since = self._consent
        call.was_asked = txid == txid_asked and time.monotonic() - since < CONSENT_S
        return methods.KEEP_ACTIONS[until], keep, payload.as_kept(self._plan, until)

    def revert(self, call: Call) -> Job:
        """Take a trial back: free for its owner."""
        txid = call.arguments[0]
        is_owner = self._engine.trial_of(txid).owner_name == call.sender

        def revert() -> tuple[str]:
            results = self._engine.revert(txid, names.ENDED_REVERTED)  # it may have ended since
            return self._trial_ended(names.ENDED_REVERTED, results)

        return methods.OPEN if is_owner else names.ACTION_UNDO, revert, ""

    def undo(self, call: Call) -> Job:
        """Take kept values back; free, unless it touches what somebody else has set since."""
        request = payload.read_undo_request(call.arguments[0])

        def undo() -> tuple[str]:
            trial = self._engine.trial
            try:
                results = self._engine.undo(request)
            except HelperError:  # of a damaged journal, which it has put away
                self._report_state()
                raise
            if trial is not None:
                return self._trial_ended(names.ENDED_REVERTED, results)
            self._report_state()
            return (_encoded(results),)

        theirs = [*request.force, *request.accept]
        action = names.ACTION_APPLY if theirs else names.ACTION_UNDO
        return action, undo, payload.labels(theirs)

    def _trial_ended(self, reason: str, results: tuple[payload.Result, ...]) -> tuple[str]:
        text = _encoded(results)
        self._authority.end_trial()
        self._log(f"trial ended reason={reason}")
        self._emit("TrialEnded", "ss", reason, text)
        self._report_state()
        return (text,)

    # -- what is kept for games -------------------------------------------------------------

    def keep_for_game(self, call: Call) -> Job:
        """Store a set: the one moment at which somebody is asked about it."""
        game, text, interactive = call.arguments
        call.allows_dialog |= interactive
        change_set = payload.read_change_set(text)
        prospect = self._sets.check(call.uid, game, change_set)

        def keep() -> tuple[str]:
            id_ = self._sets.keep(call.uid, game, change_set)
            self._log(
                f"kept for a game: set={id_} uid={call.uid} {len(change_set.changes)} values"
            )
            self._report_state()
            return (id_,)

        return names.ACTION_PERSIST, keep, prospect

    def begin_for_game(self, call: Call) -> Job:
        """Set what this user has kept, for as long as a process of this user lives."""
        id_, pid, start = call.arguments
        _count(self.recent_trials, call.uid, names.TRIALS_PER_MINUTE_MAX, "trial")

        def begin() -> tuple[str, Any]:
            change_set = self._sets.changes_of(id_, call.uid)
            prospect = self._engine.check_trial(change_set, names.TRIAL_MAX_S)
            process = open_process(self._engine.kernel.tree, call.uid, pid, start)
            owner = call.uid, call.sender
            try:
                begun = self._lend_hold(
                    lambda hold: self._sets.begin(id_, change_set, owner, process, hold)
                )
            finally:
                os.close(process)  # the guardian has its own
                self._notice()
            self._plan = prospect
            self._report_state()
            return begun

        return methods.OPEN, begin, ""

    def forget_for_game(self, call: Call) -> Job:
        """Forget a set, and end it where it is in the kernel; free for the user whose it is."""
        id_ = call.arguments[0]

        def forget() -> tuple[()]:
            self._sets.forget(id_, call.uid)
            self._log(f"no longer kept for a game: set={id_} uid={call.uid}")
            trial = self._engine.trial
            if trial is not None and trial.set_id == id_:
                self.end_trial(names.ENDED_REVERTED)
            self._report_state()
            return ()

        return methods.OPEN, forget, ""

    # -- traces -----------------------------------------------------------------------------

    def begin_trace(self, call: Call) -> Job:
        """Lend eyes: private rings of the kernel's event tracing."""
        text, interactive = call.arguments
        call.allows_dialog |= interactive
        options = tracing.decode_options(text)
        self._grants.check(call.uid)
        _count(self.recent_traces, call.uid, tracing.GRANTS_PER_MINUTE_MAX, "trace")

        def begin() -> tuple[str, str, Any]:
            id_, formats, theirs = self._grants.begin(call.uid, call.sender, options)
            try:
                return id_, formats, dbus.types.UnixFd(theirs)  # a copy
            finally:
                os.close(theirs)  # it would keep the trace alive

        action = tracing.ACTION_TRACE_EXPERT if options.expert else tracing.ACTION_TRACE
        return action, begin, ""

    def trace_files(self, call: Call) -> Job:
        """Hand over descriptors of rings; our own copies would keep those from being removed."""
        id_, first = call.arguments

        def lend() -> tuple[Any]:
            opened = self._grants.open_rings(id_, call.sender, first)
            try:
                return (dbus.Array(map(dbus.types.UnixFd, opened), signature="h"),)
            finally:
                for descriptor in opened:
                    os.close(descriptor)

        return methods.OPEN, lend, ""

    def set_trace_tasks(self, call: Call) -> Job:
        """Say whose threads the game's ring sees."""
        id_, text = call.arguments
        pids = tracing.decode_pids(text)

        def set_tasks() -> tuple[()]:
            self._grants.set_tasks(id_, call.sender, pids)
            return ()

        return methods.OPEN, set_tasks, ""

    def trace_path(self, call: Call) -> Job:
        """Tell in which functions of the kernel a thread of an expert's game went to sleep."""
        id_, text = call.arguments
        sleep = decode_sleep(text)

        def tell() -> tuple[str]:
            return (encode_path(self._grants.call_path(id_, call.sender, sleep)),)

        return methods.OPEN, tell, ""

    def end_trace(self, call: Call) -> Job:
        """End it; free for its owner, and for nobody else."""

        def end() -> tuple[()]:
            self._grants.end(call.arguments[0], call.sender)
            return ()

        return methods.OPEN, end, ""

    # -- signals ----------------------------------------------------------------------------

    def _report_state(self) -> None:
        self._listed = 0.0, ""
        state = self._engine.state()
        self._emit("StateChanged", "su", state.state, dbus.UInt32(state.seconds_left))

    def _emit(self, member: str, signature: str, *values: Any) -> None:
        message = lowlevel.SignalMessage(names.OBJECT_PATH, names.INTERFACE, member)
        message.append(*values, signature=signature)
        self._connection.send_message(message)


def _count(recent: dict[int, deque[float]], uid: int, most: int, what: str) -> None:
    """Note that a user begins one, and forget who did long ago; RateLimited if too many."""
    now = time.monotonic()
    for who in [who for who, times in recent.items() if now - times[-1] >= RECENT_S]:
        del recent[who]
    times = recent.setdefault(uid, deque(maxlen=most))
    if len(times) == most and now - times[0] < RECENT_S:
        raise HelperError("RateLimited", Said(f"helper.{what}.too_many", {"count": most}))
    times.append(now)


def _question(
    call: Call, action: str, work: Callable[[], None], about: payload.Plan | str
) -> Question:
    if isinstance(about, str):
        return Question(call, action, about, work)
    return Question(call, action, about.summary, work, payload.listing(about.steps))


def _encoded(results: tuple[payload.Result, ...]) -> str:
    return payload.encode(payload.Results(results))


JOBS: dict[str, Callable[[Service, Call], Job]] = {
    "BeginTrial": Service.begin_trial,
    "Extend": Service.extend,
    "Bind": Service.bind,
    "Keep": Service.keep,
    "Revert": Service.revert,
    "Undo": Service.undo,
    "KeepForGame": Service.keep_for_game,
    "BeginForGame": Service.begin_for_game,
    "ForgetForGame": Service.forget_for_game,
    "BeginTrace": Service.begin_trace,
    "TraceFiles": Service.trace_files,
    "SetTraceTasks": Service.set_trace_tasks,
    "TracePath": Service.trace_path,
    "EndTrace": Service.end_trace,
}
"""What each other call wants to do, which is not done before polkit is asked."""
