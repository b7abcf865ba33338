# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods of the contract: types in and out, and what polkit may be asked for each.

The same is committed as introspection data (``resources/dbus``); a test compares the two. An error
has two texts: its English, and the JSON of what it says (``statement.Said``).
"""

from typing import NamedTuple

from destutter_helper.api.names import (
    ACTION_APPLY,
    ACTION_PERSIST,
    ACTION_UNDO,
    INTERFACE,
    KEEP_ALWAYS,
    KEEP_RESTART,
)
from destutter_helper.api.tracing import ACTION_TRACE, ACTION_TRACE_EXPERT

PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"
OPEN = ""  # changes nothing, or is asked for by the owner of the trial, the trace or the set


class Method(NamedTuple):
    """Signature of the arguments, signature of the values, actions of which one is asked."""

    takes: str
    gives: str
    actions: tuple[str, ...] = (OPEN,)


METHODS = {
    (INTERFACE, "GetState"): Method("", "s"),
    (INTERFACE, "ListTunables"): Method("", "s"),
    (INTERFACE, "GetPowerStates"): Method("", "s"),
    (INTERFACE, "Preview"): Method("s", "s"),
    (INTERFACE, "BeginTrial"): Method("sib", "sh", (ACTION_APPLY,)),
    (INTERFACE, "Extend"): Method("si", "u"),
    (INTERFACE, "Bind"): Method("sis", "u"),
    (INTERFACE, "Keep"): Method("ssb", "s", (ACTION_APPLY, ACTION_PERSIST)),
    (INTERFACE, "Revert"): Method("s", "s", (OPEN, ACTION_UNDO)),
    (INTERFACE, "Undo"): Method("s", "s", (ACTION_UNDO, ACTION_APPLY)),
    (INTERFACE, "Verify"): Method("", "s"),
    (INTERFACE, "Recover"): Method("", "s"),
    (INTERFACE, "GetReport"): Method("", "s"),
    (INTERFACE, "ListForGames"): Method("", "s"),
    (INTERFACE, "KeepForGame"): Method("ssb", "s", (ACTION_PERSIST,)),
    (INTERFACE, "BeginForGame"): Method("sis", "sh"),
    (INTERFACE, "ForgetForGame"): Method("s", ""),
    (INTERFACE, "BeginTrace"): Method("sb", "ssh", (ACTION_TRACE, ACTION_TRACE_EXPERT)),
    (INTERFACE, "TraceFiles"): Method("su", "ah"),
    (INTERFACE, "SetTraceTasks"): Method("ss", ""),
    (INTERFACE, "TracePath"): Method("ss", "s"),
    (INTERFACE, "EndTrace"): Method("s", ""),
    (PROPERTIES, "Get"): Method("ss", "v"),
    (PROPERTIES, "GetAll"): Method("s", "a{sv}"),
    (INTROSPECTABLE, "Introspect"): Method("", "s"),
}
"""By interface and member. What is not here does not exist."""

COSTLY = frozenset(
    (
        *("ListTunables", "GetPowerStates", "Preview", "Verify", "GetReport", "Introspect"),
        *("TraceFiles", "SetTraceTasks", "TracePath"),
        *("BeginTrial", "BeginTrace"),  # up to the question to polkit
        "Bind",
        *("ListForGames", "KeepForGame", "BeginForGame", "ForgetForGame"),
    )
)
"""Calls for which each user gets only so much of the helper's time."""

KEEP_ACTIONS = {KEEP_RESTART: ACTION_APPLY, KEEP_ALWAYS: ACTION_PERSIST}
"""What polkit is asked for Keep, by how long."""
