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
from gi.repository import GLib

from destutter_helper.api.names import HelperError
from destutter_helper.log import Log

POLKIT = "org.freedesktop.PolicyKit1"
AUTHORITY_PATH = "/org/freedesktop/PolicyKit1/Authority"
AUTHORITY_INTERFACE = POLKIT + ".Authority"
ALLOW_DIALOG = 1  # AllowUserInteraction

DIALOG_MAX_S = 300
DIALOGS_MAX, DIALOGS_PER_UID_MAX = 4, 1
QUESTIONS_MAX, QUESTIONS_PER_UID_MAX = 64, 8
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


@dataclass(slots=True)
class _Pending:
    question: Question
    is_dialog: bool
    timer: int = 0


class Authority:
    """The only place that turns a question into a permission."""

    def __init__(self, connection: Any, log: Log) -> None:
        """Ask the polkit of this bus."""
        self._connection = connection
        self._log = log
        self._pending: dict[str, _Pending] = {}
        self._numbers = itertools.count(1)

    @property
    def is_asking(self) -> bool:
        """Whether an answer is still due."""
        return bool(self._pending)

    def ask(self, question: Question) -> None:
        """Call `granted` or `refused` later, exactly once unless the sender leaves before."""
        self._limit(question, QUESTIONS_MAX, QUESTIONS_PER_UID_MAX, is_dialog=False)
        self._send(question, is_dialog=False)

    def forget(self, sender: str) -> None:
        """Withdraw the questions of a sender who left; an open dialog closes."""
        for cancellation, pending in list(self._pending.items()):
            if pending.question.sender == sender:
                self._withdraw(cancellation)

    def _limit(self, question: Question, total: int, per_uid: int, *, is_dialog: bool) -> None:
        same = [p for p in self._pending.values() if p.is_dialog == is_dialog]
        if len(same) >= total or sum(p.question.uid == question.uid for p in same) >= per_uid:
            what = "another password dialog is open" if is_dialog else "too many requests wait"
            raise HelperError("Busy", what)

    def _send(self, question: Question, *, is_dialog: bool) -> None:
        cancellation = f"destutter{next(self._numbers)}"
        pending = _Pending(question, is_dialog)
        self._pending[cancellation] = pending
        if is_dialog:
            pending.timer = GLib.timeout_add_seconds(DIALOG_MAX_S, self._give_up, cancellation)
        name = dbus.Dictionary({"name": question.sender}, signature="sv")
        self._connection.call_async(
            POLKIT,
            AUTHORITY_PATH,
            AUTHORITY_INTERFACE,
            "CheckAuthorization",
            "(sa{sv})sa{ss}us",
            (
                ("system-bus-name", name),
                question.action,
                _details(question.summary),
                dbus.UInt32(ALLOW_DIALOG if is_dialog else 0),
                cancellation,
            ),
            lambda result: self._answered(cancellation, result),
            lambda error: self._failed(cancellation, error),
            timeout=DIALOG_MAX_S + 10,
        )

    def _take(self, cancellation: str) -> _Pending | None:
        pending = self._pending.pop(cancellation, None)
        if pending is not None and pending.timer:
            GLib.source_remove(pending.timer)
        return pending

    def _answered(self, cancellation: str, result: Any) -> None:
        pending = self._take(cancellation)
        if pending is None:
            return  # withdrawn: the sender left, or gave no answer in time
        is_authorized, needs_dialog, details = result
        question = pending.question
        if is_authorized:
            question.granted()
        elif needs_dialog and question.allows_dialog and not pending.is_dialog:
            self._open_dialog(question)
        elif "polkit.dismissed" in details:
            self._refuse(question, "Dismissed", "the password dialog was closed")
        elif needs_dialog and not question.allows_dialog:
            self._refuse(
                question, "NotAuthorized", "this needs a password, and no dialog may open"
            )
        else:
            self._refuse(question, "NotAuthorized", "this user may not do this")

    def _open_dialog(self, question: Question) -> None:
        try:
            self._limit(question, DIALOGS_MAX, DIALOGS_PER_UID_MAX, is_dialog=True)
        except HelperError as busy:
            question.refused(busy)
        else:
            self._send(question, is_dialog=True)

    def _failed(self, cancellation: str, error: Any) -> None:
        pending = self._take(cancellation)
        if pending is not None:
            self._log.alert(f"polkit gave no answer: {error.get_dbus_name()}")
            self._refuse(
                pending.question, "NotAuthorized", "the authorisation service (polkit) failed"
            )

    def _refuse(self, question: Question, name: str, reason: str) -> None:
        who = f"uid={question.uid} sender={question.sender}"
        self._log(f"refused action={question.action} {who} as={name}")
        question.refused(HelperError(name, reason))

    def _give_up(self, cancellation: str) -> bool:
        pending = self._pending[cancellation]
        pending.timer = 0
        self._withdraw(cancellation)
        self._refuse(pending.question, "Dismissed", "the password dialog got no answer")
        return bool(GLib.SOURCE_REMOVE)

    def _withdraw(self, cancellation: str) -> None:
        self._take(cancellation)
        self._connection.call_async(
            POLKIT,
            AUTHORITY_PATH,
            AUTHORITY_INTERFACE,
            "CancelCheckAuthorization",
            "s",
            (cancellation,),
            lambda *_nothing: None,
            lambda error: self._log(f"polkit did not cancel: {error.get_dbus_name()}"),
        )


def _details(summary: str) -> Any:
    """The text of the dialog, without any character that could be markup or mislead."""
    harmless = NOT_FOR_DIALOGS.sub("?", summary)[:SUMMARY_MAX_CHARACTERS]
    return dbus.Dictionary({"summary": harmless}, signature="ss")
