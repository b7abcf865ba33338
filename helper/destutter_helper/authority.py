# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks polkit whether the sender of a message may do something; every doubt is a no.

The subject is always the unique bus name of the message (``system-bus-name``). A process id must
never take its place: by the time polkit looks, that process may have become a setuid program.
Questions are asynchronous, so an open password dialog holds up nobody else. A first, silent
question finds out whether a dialog is needed at all; dialogs are counted and limited.
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import dbus

from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.gate import Call
from destutter_helper.log import Log

POLKIT = "org.freedesktop.PolicyKit1"
PATH = "/org/freedesktop/PolicyKit1/Authority"
INTERFACE = POLKIT + ".Authority"
ALLOW_DIALOG = 1  # AllowUserInteraction
NO_REPLY = "org.freedesktop.DBus.Error.NoReply"

# A dialog that nobody answers gives its place back: there are four.
DIALOG_MAX_S = 300
# One dialog a user, or a program covers the screen with them; four in all, so that one user cannot
# take the others' places.
LIMITS = {  # in all, per user, what to say; the key: is it a dialog?
    False: (64, 8, Said("helper.right.waiting")),
    True: (4, 1, Said("helper.right.dialog_open")),
}
SUMMARY_MAX_CHARACTERS, LISTING_MAX_CHARACTERS = 200, 8000
NOT_FOR_DIALOGS = re.compile(r"[^A-Za-z0-9 .,:/()→%-]")


@dataclass(frozen=True, slots=True)
class Question:
    """May the sender of this call do this? `summary` is our own text for the dialog.

    `listing` is all of it, for `pkcheck` and rules, where the summary had to be short.
    """

    call: Call
    action: str
    summary: str
    work: Callable[[], None]
    listing: str = ""
    is_dialog: bool = False
    is_unanswered: bool = False  # known to wait for what somebody types


class Authority:
    """The only place that turns a question into a permission."""

    def __init__(self, connection: Any, log: Log) -> None:
        """Ask the polkit of this bus."""
        self._connection = connection
        self._log = log
        self._open: dict[str, Question] = {}  # by cancellation id
        self._numbers = itertools.count(1)

    @property
    def is_asking(self) -> bool:
        """Whether an answer is still due."""
        return bool(self._open)

    def ask(self, question: Question) -> None:
        """Do its work, or refuse its call, later; neither when the sender leaves before."""
        total, per_uid, what = LIMITS[question.is_dialog]
        uids = [one.call.uid for one in self._open.values() if one.is_dialog == question.is_dialog]
        if len(uids) >= total or uids.count(question.call.uid) >= per_uid:
            raise HelperError("Busy", what)
        cancellation = f"destutter{next(self._numbers)}"
        self._open[cancellation] = question
        # The dialog's text, without any character that could be markup or mislead.
        summary = NOT_FOR_DIALOGS.sub("?", question.summary)[:SUMMARY_MAX_CHARACTERS]
        name = dbus.Dictionary({"name": question.call.sender}, signature="sv")
        details = dbus.Dictionary({"summary": summary}, signature="ss")
        if question.listing:
            details["settings"] = NOT_FOR_DIALOGS.sub("?", question.listing)[
                :LISTING_MAX_CHARACTERS
            ]
        subject = ("system-bus-name", name), question.action, details

        def check(flags: int, id_: str, then: Callable[..., None]) -> None:
            values = (*subject, dbus.UInt32(flags), id_)
            self._call("CheckAuthorization", "(sa{sv})sa{ss}us", values, then)

        flags = ALLOW_DIALOG if question.is_dialog else 0
        check(flags, cancellation, lambda answer: self._on_answer(cancellation, answer))
        if question.is_dialog:
            # A grant for something else may have come since the silent question. polkit answers in
            # turn: if it still wants a password after this question, which has no answer yet, then
            # its dialog is open, and only what is typed into it ends it.
            check(0, "", lambda answer: self._on_probe(cancellation, answer))

    def forget(self, sender: str) -> None:
        """Withdraw the questions of a sender who left; an open dialog closes."""
        self._close(lambda call: call.sender == sender)

    def end_trial(self) -> None:
        """Refuse what still waits for an answer about a trial that is over; its dialog closes."""
        for question in self._close(lambda call: call.key[1] in {"Keep", "Revert"}):
            self._refuse(question, "NoSuchTransaction", Said("helper.right.too_late"))

    def _close(self, is_meant: Callable[[Call], bool]) -> list[Question]:
        found = [one for one in self._open.items() if is_meant(one[1].call)]
        for cancellation, _question in found:
            del self._open[cancellation]
            self._withdraw(cancellation)
        return [question for _cancellation, question in found]

    def _on_probe(self, cancellation: str, result: Any) -> None:
        question = self._open.get(cancellation)
        if question is not None and not isinstance(result, dbus.DBusException):
            is_authorized, needs_dialog, _details = result
            is_unanswered = bool(needs_dialog and not is_authorized)
            self._open[cancellation] = replace(question, is_unanswered=is_unanswered)

    def _on_answer(self, cancellation: str, result: Any) -> None:
        question = self._open.pop(cancellation, None)
        if question is None:
            return  # the sender left
        if isinstance(result, dbus.DBusException):
            name = result.get_dbus_name()
            self._log.alert(f"polkit gave no answer: {name}")
            self._withdraw(cancellation)
            refusal = ("NotAuthorized", Said("helper.right.polkit_failed"))
            if question.is_dialog and name == NO_REPLY:
                refusal = ("Dismissed", Said("helper.right.unanswered"))
            self._refuse(question, *refusal)
            return
        is_authorized, needs_dialog, details = result
        # A password typed for the trial is enough for keeping it, unless a rule says no to that.
        if is_authorized or (needs_dialog and question.call.was_asked):
            question.call.was_asked = question.is_unanswered
            question.call.run(question.work)
        elif needs_dialog and question.call.allows_dialog and not question.is_dialog:
            question.call.run(lambda: self.ask(replace(question, is_dialog=True)))
        elif "polkit.dismissed" in details:
            self._refuse(question, "Dismissed", Said("helper.right.dismissed"))
        elif needs_dialog and not question.call.allows_dialog:
            self._refuse(question, "NotAuthorized", Said("helper.right.no_dialog"))
        else:
            self._refuse(question, "NotAuthorized", Said("helper.right.denied"))

    def _refuse(self, question: Question, name: str, reason: Said) -> None:
        who = f"uid={question.call.uid} sender={question.call.sender}"
        self._log.refusal(question.call.uid, f"refused action={question.action} {who} as={name}")
        question.call.fail(HelperError(name, reason))

    def _withdraw(self, cancellation: str) -> None:
        # Whether there was still something to cancel changes nothing.
        self._call("CancelCheckAuthorization", "s", (cancellation,), lambda *_answer: None)

    def _call(self, method: str, sig: str, values: Any, then: Callable[..., None]) -> None:
        """Ask polkit; ``then`` gets its answer or the error."""
        to = (POLKIT, PATH, INTERFACE, method, sig, values)
        self._connection.call_async(*to, then, then, timeout=DIALOG_MAX_S)
