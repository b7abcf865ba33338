# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods on the bus: validate, ask polkit, let the engine work, answer.

A method without an entry in ACCESS is refused. Nothing here decides over a permission: a method
is open to all because it changes nothing, or belongs to the owner of the trial, or polkit is
asked; the work stands behind the answer and cannot be reached past it.
"""

import json
import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dbus
from dbus import lowlevel

from destutter_helper.api import names, payload
from destutter_helper.api.names import HelperError
from destutter_helper.authority import Authority, Question
from destutter_helper.gate import Call
from destutter_helper.hold import TrialWatch
from destutter_helper.log import Log
from destutter_helper.transaction import Engine, Trial

VERSION = "0.1.0"
OPEN, BY_ARGUMENT, OWNER, OWNER_OR_UNDO = "open", "by argument", "owner", "owner or undo"

ACCESS = {
    "GetState": OPEN,
    "ListTunables": OPEN,
    "Preview": OPEN,
    "Verify": OPEN,
    "Recover": OPEN,
    "GetReport": OPEN,
    "Get": OPEN,
    "GetAll": OPEN,
    "Introspect": OPEN,
    "BeginTrial": names.ACTION_APPLY,
    "Keep": BY_ARGUMENT,  # apply or persist, and only the owner of the trial
    "Extend": OWNER,
    "Revert": OWNER_OR_UNDO,
    "Undo": names.ACTION_UNDO,
    "OpenTrace": names.ACTION_TRACE,
}
KEEP_ACTIONS = {
    names.KEEP_RESTART: names.ACTION_APPLY,
    names.KEEP_ALWAYS: names.ACTION_PERSIST,
}
TRIALS_PER_MINUTE_MAX = 10
PRIVATE_IN_REPORT = ("uid", "owner_uid", "owner_name", "sender")
INTROSPECTION = Path(__file__).with_name("introspection.xml")


class Service:
    """One per process: the calls of the contract, and what ends a trial."""

    def __init__(self, connection: Any, engine: Engine, authority: Authority, log: Log) -> None:
        """Serve `engine` on `connection`."""
        self._connection = connection
        self._engine = engine
        self._authority = authority
        self._log = log
        self._watch = TrialWatch(self._on_overdue, self._on_let_go)
        self._summary = ""  # of the running trial, for the dialog of Keep
        self._recent_trials: dict[int, deque[float]] = {}
        self._is_boot_confirmed = False
        self._last_state = engine.state().state

    @property
    def is_needed(self) -> bool:
        """Whether the process must stay: a trial, something held, or an open question."""
        return self._authority.is_asking or not self._engine.is_idle

    def serve(self, call: Call) -> None:
        """Do one admitted call."""
        _interface, member = call.key
        if member not in ACCESS:
            raise HelperError("NotAuthorized", "nobody may call this")
        getattr(self, member)(call)

    def forget(self, sender: str) -> None:
        """A connection left the bus: its dialogs close and its trial ends."""
        self._authority.forget(sender)
        trial = self._engine.trial
        if trial is not None and trial.owner_name == sender:
            self._end_trial(trial, names.ENDED_OWNER_GONE)

    def shut_down(self) -> None:
        """End a running trial, because nobody would watch over it."""
        if self._engine.trial is not None:
            self._end_trial(self._engine.trial, names.ENDED_SHUTDOWN)

    def resume(self) -> None:
        """After a sleep: end what is overdue, put back what the kernel reset, report the rest."""
        self._on_overdue()
        results = self._engine.verify(reapply=True)
        if any(result.outcome != "ok" for result in results):
            self._emit("Drift", "s", _results(results))
        self._report_state()

    # -- open to all ------------------------------------------------------------------------

    def GetState(self, call: Call) -> None:
        """What is going on."""
        call.reply(payload.encode(self._engine.state()))

    def ListTunables(self, call: Call) -> None:
        """Every setting with its value of now."""
        call.reply(payload.encode(payload.Tunables(self._engine.list_tunables())))

    def Preview(self, call: Call) -> None:
        """What BeginTrial would write."""
        change_set = payload.read_change_set(call.arguments[0])
        call.reply(payload.encode(self._engine.preview(change_set)))

    def Verify(self, call: Call) -> None:
        """How the kernel differs from the journal."""
        call.reply(_results(self._engine.verify()))

    def Recover(self, call: Call) -> None:
        """Finish what a killed helper left."""
        call.reply(_results(self._engine.recover()))
        self._report_state()

    def GetReport(self, call: Call) -> None:
        """The history, without names of users for others than root and that user."""
        uid = self._uid(call)
        call.reply("".join(_for_reader(line, uid) for line in self._engine.history().splitlines()))

    def Get(self, call: Call) -> None:
        """One property."""
        interface, name = call.arguments
        values = self._properties()
        if interface != names.INTERFACE or name not in values:
            raise HelperError("InvalidArgument", "there is no such property")
        call.reply(values[name])

    def GetAll(self, call: Call) -> None:
        """All properties of an interface."""
        is_ours = call.arguments[0] == names.INTERFACE
        call.reply(dbus.Dictionary(self._properties() if is_ours else {}, signature="sv"))

    def Introspect(self, call: Call) -> None:
        """The contract."""
        call.reply(INTROSPECTION.read_text("utf-8"))

    def _properties(self) -> dict[str, Any]:
        return {
            "ProtocolVersion": dbus.UInt32(names.API_VERSION),
            "Version": VERSION,
            "State": self._engine.state().state,
        }

    # -- after polkit -----------------------------------------------------------------------

    def BeginTrial(self, call: Call) -> None:
        """Write the whole set, for a while."""
        text, seconds, interactive = call.arguments
        call.allows_dialog |= interactive
        change_set = payload.read_change_set(text)
        plan = self._engine.preview(change_set)
        if not names.TRIAL_MIN_S <= seconds <= names.TRIAL_MAX_S:
            limits = f"{names.TRIAL_MIN_S} to {names.TRIAL_MAX_S}"
            raise HelperError("OutOfRange", f"a trial lasts {limits} seconds, not {seconds}")
        other = self._engine.trial
        if other is not None:  # the engine would say so too, but after the password
            left = self._watch.seconds_left
            raise HelperError("Busy", f"user {other.owner_uid} has a trial for another {left} s")
        uid = self._uid(call)
        self._count_trial(uid)

        def start() -> None:
            trial = self._engine.begin_trial(
                change_set, owner_uid=uid, owner_name=call.sender, seconds=seconds
            )
            self._summary = plan.summary
            self._hand_over(call, trial)

        self._ask(call, uid, names.ACTION_APPLY, plan.summary, start)

    def _hand_over(self, call: Call, trial: Trial) -> None:
        hold = self._watch.begin(trial.deadline_boottime_ns)
        try:
            call.reply(trial.txid, dbus.types.UnixFd(hold))
        finally:
            os.close(hold)  # the message has its own copy; ours would keep the trial alive
        self._report_state(always=True)

    def Keep(self, call: Call) -> None:
        """End the trial and keep its values."""
        txid, until, interactive = call.arguments
        call.allows_dialog |= interactive
        trial = self._own_trial(call, txid)
        if until not in KEEP_ACTIONS:
            raise HelperError("InvalidArgument", 'how long must be "restart" or "always"')

        def keep() -> None:
            results = self._engine.keep(txid, until)
            self._watch.end()
            call.reply(_results(results))
            self._trial_ended(names.ENDED_KEPT, results)

        self._ask(call, trial.owner_uid, KEEP_ACTIONS[until], self._summary, keep)

    def Undo(self, call: Call) -> None:
        """Take kept values back."""
        request = payload.read_undo_request(call.arguments[0])

        def undo() -> None:
            trial = self._engine.trial
            results = self._engine.undo(request)
            call.reply(_results(results))
            if trial is not None and self._engine.trial is None:
                self._watch.end()
                self._trial_ended(names.ENDED_REVERTED, results)
            self._report_state()

        self._ask(call, self._uid(call), names.ACTION_UNDO, "", undo)

    def Revert(self, call: Call) -> None:
        """Take a trial back."""
        trial = self._trial(call.arguments[0])

        def revert() -> None:
            call.reply(_results(self._end_trial(trial, names.ENDED_REVERTED)))

        if trial.owner_name == call.sender:
            revert()
        else:
            self._ask(call, self._uid(call), names.ACTION_UNDO, "", revert)

    def OpenTrace(self, call: Call) -> None:
        """Reserved: asks polkit like the real thing will, then says no."""
        call.allows_dialog |= call.arguments[1]

        def refuse() -> None:
            raise HelperError("Unsupported", "this helper cannot record kernel events yet")

        self._ask(call, self._uid(call), names.ACTION_TRACE, "", refuse)

    def _ask(
        self,
        call: Call,
        uid: int,
        action: str,
        summary: str,
        work: Callable[[], None],
    ) -> None:
        self._confirm_boot(uid)
        granted, refused = (lambda: call.run(work)), call.fail
        question = Question(
            call.sender, uid, action, summary, call.allows_dialog, granted, refused
        )
        self._authority.ask(question)

    # -- the trial --------------------------------------------------------------------------

    def Extend(self, call: Call) -> None:
        """Move the deadline."""
        txid, seconds = call.arguments
        self._own_trial(call, txid)
        trial = self._engine.extend(txid, seconds)
        self._watch.extend(trial.deadline_boottime_ns)
        call.reply(dbus.UInt32(self._watch.seconds_left))
        self._report_state(always=True)

    def _trial(self, txid: str) -> Trial:
        trial = self._engine.trial
        if trial is None or trial.txid != txid:
            raise HelperError("NoSuchTransaction", "there is no such trial; it may have ended")
        return trial

    def _own_trial(self, call: Call, txid: str) -> Trial:
        trial = self._engine.trial
        if trial is not None and trial.owner_name != call.sender:
            raise HelperError("NotOwner", "this trial was begun by somebody else")
        return self._trial(txid)

    def _end_trial(self, trial: Trial, reason: str) -> tuple[payload.Result, ...]:
        self._watch.end()
        results = self._engine.revert(trial.txid, reason)
        self._trial_ended(reason, results)
        return results

    def _on_overdue(self) -> None:
        results = self._engine.expire()
        if results is not None:
            self._watch.end()
            self._trial_ended(names.ENDED_DEADLINE, results)

    def _on_let_go(self) -> None:
        if self._engine.trial is not None:
            self._end_trial(self._engine.trial, names.ENDED_HOLD_CLOSED)

    def _count_trial(self, uid: int) -> None:
        now = time.monotonic()
        recent = self._recent_trials.setdefault(uid, deque(maxlen=TRIALS_PER_MINUTE_MAX))
        if len(recent) == TRIALS_PER_MINUTE_MAX and now - recent[0] < 60:
            raise HelperError("RateLimited", f"{TRIALS_PER_MINUTE_MAX} trials a minute at most")
        recent.append(now)

    # -- signals and callers ----------------------------------------------------------------

    def _trial_ended(self, reason: str, results: tuple[payload.Result, ...]) -> None:
        self._log(f"trial ended reason={reason}")
        self._emit("TrialEnded", "ss", reason, _results(results))
        self._report_state()

    def _report_state(self, *, always: bool = False) -> None:
        state = self._engine.state().state
        if not always and state == self._last_state:
            return
        self._last_state = state
        self._emit("StateChanged", "su", state, dbus.UInt32(self._watch.seconds_left))

    def _emit(self, member: str, signature: str, *values: Any) -> None:
        message = lowlevel.SignalMessage(names.OBJECT_PATH, names.INTERFACE, member)
        message.append(*values, signature=signature)
        self._connection.send_message(message)

    def _uid(self, call: Call) -> int:
        """The user behind a connection, as the bus daemon knows it from the kernel."""
        try:
            return int(self._connection.get_unix_user(call.sender))
        except dbus.DBusException:
            raise HelperError("NotAuthorized", "the caller has left the bus") from None

    def _confirm_boot(self, uid: int) -> None:
        if uid != 0 and not self._is_boot_confirmed:
            self._is_boot_confirmed = True
            self._engine.confirm_boot()


def _results(results: tuple[payload.Result, ...]) -> str:
    return payload.encode(payload.Results(results))


def _for_reader(line: str, uid: int) -> str:
    """A line of the history; who did it is left out for everybody but root and that user."""
    entry = json.loads(line)
    if uid not in (0, entry.get("uid")):
        for name in PRIVATE_IN_REPORT:
            entry.pop(name, None)
    return json.dumps(entry, separators=(",", ":")) + "\n"
