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
from dataclasses import dataclass
from typing import Any

import dbus

from destutter_helper.api.names import HelperError
from destutter_helper.log import Log

POLKIT = "org.freedesktop.PolicyKit1"
PATH = "/org/freedesktop/PolicyKit1/Authority"
INTERFACE = POLKIT + ".Authority"
ALLOW_DIALOG = 1  # AllowUserInteraction
NO_REPLY = "org.freedesktop.DBus.Error.NoReply"

DIALOG_MAX_S = 300
LIMITS = {  # in all, per user, what to say; the key: is it a dialog?
    False: (64, 8, "too many requests wait for an answer"),
    True: (4, 1, "another password dialog is open"),
}
SUMMARY_MAX_CHARACTERS = 200
NOT_FOR_DIALOGS = re.compile(r"[^A-Za-z0-9 .,:/()→%-]")


@dataclass(frozen=True, slots=True)
class Question:
    """May this sender do this? `summary` is our own text for the dialog, if one opens."""

    sender: str
    uid: int
    action: str
    summary: str
    allows_dialog: bool
    granted: Callable[[], None]
    refused: Callable[[HelperError], None]


class Authority:
    """The only place that turns a question into a permission."""

    def __init__(self, connection: Any, log: Log) -> None:
        """Ask the polkit of this bus."""
        self._connection = connection
        self._log = log
        self._open: dict[str, tuple[Question, bool]] = {}  # by cancellation id; is it a dialog?
        self._numbers = itertools.count(1)

    @property
    def is_asking(self) -> bool:
        """Whether an answer is still due."""
        return bool(self._open)

    def ask(self, question: Question, *, is_dialog: bool = False) -> None:
        """Call `granted` or `refused` later, exactly once unless the sender leaves before."""
        self._limit(question.uid, is_dialog)
        cancellation = f"destutter{next(self._numbers)}"
        self._open[cancellation] = question, is_dialog
        name = dbus.Dictionary({"name": question.sender}, signature="sv")
        arguments = (
            ("system-bus-name", name),
            question.action,
            _details(question.summary),
            dbus.UInt32(ALLOW_DIALOG if is_dialog else 0),
            cancellation,
        )
        self._call(
            "CheckAuthorization",
            "(sa{sv})sa{ss}us",
            arguments,
            lambda result: self._on_answer(cancellation, result),
            lambda error: self._on_failure(cancellation, error),
        )

    def forget(self, sender: str) -> None:
        """Withdraw the questions of a sender who left; an open dialog closes."""
        for cancellation, (question, _is_dialog) in list(self._open.items()):
            if question.sender == sender:
                del self._open[cancellation]
                self._withdraw(cancellation)

    def _limit(self, uid: int, is_dialog: bool) -> None:  # noqa: FBT001 (private, named at the call)
        total, per_uid, what = LIMITS[is_dialog]
        uids = [question.uid for question, dialog in self._open.values() if dialog == is_dialog]
        if len(uids) >= total or uids.count(uid) >= per_uid:
            raise HelperError("Busy", what)

    def _on_answer(self, cancellation: str, result: Any) -> None:
        if cancellation not in self._open:
            return  # the sender left
        question, is_dialog = self._open.pop(cancellation)
        is_authorized, needs_dialog, details = result
        if is_authorized:
            question.granted()
        elif needs_dialog and question.allows_dialog and not is_dialog:
            try:
                self.ask(question, is_dialog=True)
            except HelperError as busy:
                question.refused(busy)
        elif "polkit.dismissed" in details:
            self._refuse(question, "Dismissed", "the password dialog was closed")
        elif needs_dialog and not question.allows_dialog:
            self._refuse(question, "NotAuthorized", "a password is needed, but no dialog may open")
        else:
            self._refuse(question, "NotAuthorized", "this user may not do this")

    def _on_failure(self, cancellation: str, error: Any) -> None:
        if cancellation not in self._open:
            return
        question, is_dialog = self._open.pop(cancellation)
        self._log.alert(f"polkit gave no answer: {error.get_dbus_name()}")
        self._withdraw(cancellation)
        if is_dialog and error.get_dbus_name() == NO_REPLY:
            self._refuse(question, "Dismissed", "the password dialog got no answer")
        else:
            self._refuse(question, "NotAuthorized", "the authorisation service (polkit) failed")

    def _refuse(self, question: Question, name: str, reason: str) -> None:
        who = f"uid={question.uid} sender={question.sender}"
        self._log(f"refused action={question.action} {who} as={name}")
        question.refused(HelperError(name, reason))

    def _withdraw(self, cancellation: str) -> None:
        def ignore(*_answer: Any) -> None:
            """Whether there was still something to cancel changes nothing."""

        self._call("CancelCheckAuthorization", "s", (cancellation,), ignore, ignore)

    def _call(self, method: str, signature: str, values: Any, *then: Callable[..., None]) -> None:
        self._connection.call_async(
            POLKIT, PATH, INTERFACE, method, signature, values, *then, timeout=DIALOG_MAX_S
        )


def _details(summary: str) -> Any:
    """The text of the dialog, without any character that could be markup or mislead."""
    harmless = NOT_FOR_DIALOGS.sub("?", summary)[:SUMMARY_MAX_CHARACTERS]
    return dbus.Dictionary({"summary": harmless}, signature="ss")
