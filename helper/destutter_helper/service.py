# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods on the bus: what each validates, what polkit is asked, what is done after a yes.

A method returns the action, the work and a summary for the dialog. `serve` refuses an action
that is not in the method's row of METHODS; the work runs behind the permission, never past it.
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
from destutter_helper.api.methods import METHODS, OPEN
from destutter_helper.api.names import HelperError
from destutter_helper.authority import Authority, Question
from destutter_helper.gate import Call
from destutter_helper.hold import TrialWatch
from destutter_helper.log import Log
from destutter_helper.transaction import Engine, Trial

VERSION = "0.1.0"
KEEP_ACTIONS = {
    names.KEEP_RESTART: names.ACTION_APPLY,
    names.KEEP_ALWAYS: names.ACTION_PERSIST,
}
TRIALS_PER_MINUTE_MAX = 10
INTROSPECTION = Path(__file__).with_name("introspection.xml")

Results = tuple[payload.Result, ...]
Job = tuple[str, Callable[[], Any], str]
"""Action, work and summary; the work returns the value of the reply, or a tuple of values."""


class Service:
    """One per process: the calls of the contract, and what ends a trial."""

    def __init__(self, connection: Any, engine: Engine, authority: Authority, log: Log) -> None:
        """Serve `engine` on `connection`."""
        self._connection = connection
        self._engine = engine
        self._authority = authority
        self._log = log
        self._watch = TrialWatch(self.look, lambda: self.end_trial(names.ENDED_HOLD_CLOSED))
        self._summary = ""  # of the running trial, for the dialog of Keep
        self._recent_trials: dict[int, deque[float]] = {}

    @property
    def is_needed(self) -> bool:
        """Whether the process must stay: a trial, something held, or an open question."""
        return self._authority.is_asking or not self._engine.is_idle

    def serve(self, call: Call) -> None:
        """Do one call of the contract, after polkit if need be."""
        action, work, summary = getattr(self, call.key[1])(call)
        if action not in METHODS[call.key].actions:
            raise HelperError("NotAuthorized", "nobody may do this")

        def answer() -> None:
            values = work()
            call.reply(*(values if isinstance(values, tuple) else (values,)))

        if action == OPEN:
            answer()
            return
        uid = call.uid
        if uid != 0:
            self._engine.confirm_boot()  # a user's session came up
        self._authority.ask(Question(call, uid, action, summary, answer))

    # -- what may end a trial ---------------------------------------------------------------

    def look(self) -> None:
        """Revert a trial whose deadline has passed."""
        results = self._engine.expire()
        if results is not None:
            self._trial_ended(names.ENDED_DEADLINE, results)
        elif self._engine.trial is None:
            self._watch.end()  # it ended in another way

    def forget(self, sender: str) -> None:
        """A connection left the bus: its dialogs close and its trial ends."""
        self._authority.forget(sender)
        if self._engine.trial is not None and self._engine.trial.owner_name == sender:
            self.end_trial(names.ENDED_OWNER_GONE)

    def end_trial(self, reason: str) -> str:
        """Revert the running trial, if any; the results as text."""
        trial = self._engine.trial
        if trial is None:
            return _encoded(())
        return self._trial_ended(reason, self._engine.revert(trial.txid, reason))

    def resume(self) -> None:
        """After a sleep: end what is overdue, put back what the kernel reset, report the rest."""
        self.look()
        results = self._engine.verify(reapply=True)
        if any(result.outcome != "ok" for result in results):
            self._emit("Drift", "s", _encoded(results))
        self._report_state()

    # -- open to all ------------------------------------------------------------------------

    def GetState(self, _call: Call) -> Job:
        """What is going on."""
        return OPEN, lambda: payload.encode(self._engine.state()), ""

    def ListTunables(self, _call: Call) -> Job:
        """Every setting with its value of now."""
        tunables = self._engine.list_tunables
        return OPEN, lambda: payload.encode(payload.Tunables(tunables())), ""

    def Preview(self, call: Call) -> Job:
        """What BeginTrial would write."""
        change_set = payload.read_change_set(call.arguments[0])
        return OPEN, lambda: payload.encode(self._engine.preview(change_set)), ""

    def Verify(self, _call: Call) -> Job:
        """How the kernel differs from the journal."""
        return OPEN, lambda: _encoded(self._engine.verify()), ""

    def Recover(self, _call: Call) -> Job:
        """Finish what a killed helper left."""
        return OPEN, lambda: _encoded(self._engine.recover()), ""

    def GetReport(self, call: Call) -> Job:
        """The history; who did it is left out for everybody but root and that user."""
        uid = call.uid
        entries = [json.loads(line) for line in self._engine.history().splitlines()]
        for entry in entries:
            if uid not in (0, entry.get("uid")):
                entry.pop("uid", None)
                entry.pop("owner_name", None)
        return OPEN, lambda: "".join(json.dumps(entry) + "\n" for entry in entries), ""

    def Get(self, call: Call) -> Job:
        """One property."""
        interface, name = call.arguments
        values = self._properties(interface)
        if name not in values:
            raise HelperError("InvalidArgument", "there is no such property")
        return OPEN, lambda: values[name], ""

    def GetAll(self, call: Call) -> Job:
        """All properties of an interface."""
        values = self._properties(call.arguments[0])
        return OPEN, lambda: dbus.Dictionary(values, signature="sv"), ""

    def Introspect(self, _call: Call) -> Job:
        """The contract."""
        return OPEN, lambda: INTROSPECTION.read_text("utf-8"), ""

    def _properties(self, interface: str) -> dict[str, Any]:
        state, version = self._engine.state().state, dbus.UInt32(names.API_VERSION)
        values = {"ProtocolVersion": version, "Version": VERSION, "State": state}
        return values if interface == names.INTERFACE else {}

    # -- trials -----------------------------------------------------------------------------

    def BeginTrial(self, call: Call) -> Job:
        """Write the whole set, for a while."""
        text, seconds, interactive = call.arguments
        call.allows_dialog |= interactive
        change_set = payload.read_change_set(text)
        summary = self._engine.preview(change_set).summary
        if not names.TRIAL_MIN_S <= seconds <= names.TRIAL_MAX_S:
            limits = f"{names.TRIAL_MIN_S} to {names.TRIAL_MAX_S}"
            raise HelperError("OutOfRange", f"a trial lasts {limits} seconds, not {seconds}")
        other = self._engine.state()
        if self._engine.trial is not None:  # the engine would say so too, after the password
            who = f"user {other.owner_uid} has a trial for another {other.seconds_left} s"
            raise HelperError("Busy", who)
        uid = call.uid
        self._count_trial(uid)

        def begin() -> tuple[str, Any]:
            trial = self._engine.begin_trial(
                change_set, owner_uid=uid, owner_name=call.sender, seconds=seconds
            )
            self._summary = summary
            hold = self._watch.begin()
            theirs = dbus.types.UnixFd(hold)  # a copy; ours would keep the trial alive
            os.close(hold)
            self._report_state()
            return trial.txid, theirs

        return names.ACTION_APPLY, begin, summary

    def Extend(self, call: Call) -> Job:
        """Move the deadline."""
        txid, seconds = call.arguments
        self._trial(txid, call.sender)

        def extend() -> Any:
            self._engine.extend(txid, seconds)
            self._report_state()
            return dbus.UInt32(self._engine.state().seconds_left)

        return OPEN, extend, ""

    def Keep(self, call: Call) -> Job:
        """End the trial and keep its values."""
        txid, until, interactive = call.arguments
        call.allows_dialog |= interactive
        self._trial(txid, call.sender)
        if until not in KEEP_ACTIONS:
            raise HelperError("InvalidArgument", 'how long must be "restart" or "always"')

        def keep() -> str:
            results = self._engine.keep(txid, until)
            return self._trial_ended(names.ENDED_KEPT, results)

        return KEEP_ACTIONS[until], keep, self._summary

    def Revert(self, call: Call) -> Job:
        """Take a trial back: free for its owner."""
        txid = call.arguments[0]
        action = OPEN if self._trial(txid).owner_name == call.sender else names.ACTION_UNDO

        def revert() -> str:
            self._trial(txid)  # it may have ended while polkit was asked
            return self.end_trial(names.ENDED_REVERTED)

        return action, revert, ""

    def Undo(self, call: Call) -> Job:
        """Take kept values back."""
        request = payload.read_undo_request(call.arguments[0])

        def undo() -> str:
            trial = self._engine.trial
            results = self._engine.undo(request)
            if trial is not None and self._engine.trial is None:
                return self._trial_ended(names.ENDED_REVERTED, results)
            self._report_state()
            return _encoded(results)

        return names.ACTION_UNDO, undo, ""

    def OpenTrace(self, call: Call) -> Job:
        """Reserved: asks polkit like the real thing will, then says no."""
        call.allows_dialog |= call.arguments[1]

        def refuse() -> None:
            raise HelperError("Unsupported", "this helper cannot record kernel events yet")

        return names.ACTION_TRACE, refuse, ""

    def _trial(self, txid: str, owner: str = "") -> Trial:
        """The running trial, which must have this number and, if given, this owner."""
        trial = self._engine.trial
        if owner and trial is not None and trial.owner_name != owner:
            raise HelperError("NotOwner", "this trial was begun by somebody else")
        if trial is None or trial.txid != txid:
            raise HelperError("NoSuchTransaction", "there is no such trial; it may have ended")
        return trial

    def _trial_ended(self, reason: str, results: Results) -> str:
        self._watch.end()
        self._log(f"trial ended reason={reason}")
        self._emit("TrialEnded", "ss", reason, _encoded(results))
        self._report_state()
        return _encoded(results)

    def _count_trial(self, uid: int) -> None:
        now = time.monotonic()
        recent = self._recent_trials.setdefault(uid, deque(maxlen=TRIALS_PER_MINUTE_MAX))
        if len(recent) == TRIALS_PER_MINUTE_MAX and now - recent[0] < 60:
            raise HelperError("RateLimited", f"{TRIALS_PER_MINUTE_MAX} trials a minute at most")
        recent.append(now)

    # -- signals ----------------------------------------------------------------------------

    def _report_state(self) -> None:
        state = self._engine.state()
        self._emit("StateChanged", "su", state.state, dbus.UInt32(state.seconds_left))

    def _emit(self, member: str, signature: str, *values: Any) -> None:
        message = lowlevel.SignalMessage(names.OBJECT_PATH, names.INTERFACE, member)
        message.append(*values, signature=signature)
        self._connection.send_message(message)


def _encoded(results: Results) -> str:
    return payload.encode(payload.Results(results))
