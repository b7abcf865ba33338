# SPDX-License-Identifier: GPL-3.0-or-later
"""What the client knows of the helper's methods by name, held to the contract.

A new method turns these red until somebody has said what it is.
"""

import ast
from collections.abc import Iterator

from destutter.bridge.change_requests import _REQUESTS
from destutter.bridge.helper_client import _WRITING
from destutter_helper.api.methods import METHODS
from destutter_helper.api.names import INTERFACE
from tests.house.source_tree import APP, PARSES_SOURCE, module_at

pytestmark = PARSES_SOURCE

MEMBERS = {member for interface, member in METHODS if interface == INTERFACE}
READING = {"GetState", "ListTunables", "GetPowerStates", "Preview", "Verify", "GetReport"}
TRACING = {"BeginTrace", "TraceFiles", "SetTraceTasks", "TracePath", "EndTrace"}
STORED = {"ListForGames", "KeepForGame", "ForgetForGame"}
"""What is kept for games: the kernel is written where a set begins."""

TIMED = {"Extend", "Bind"}
"""When a trial ends: nothing is written."""


CLIENTS = (APP / "bridge/helper_client.py", APP / "analysis/changes/trace_grant.py")


def _calls() -> Iterator[ast.Call]:
    """Calls in which a client names one of the helper's methods."""
    for module in filter(None, map(module_at, CLIENTS)):
        for node in module.nodes:
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in ("_call", "_ask") and isinstance(node.args[0], ast.Constant):
                yield node


def _named(call: ast.Call) -> str:
    assert isinstance(call.args[0], ast.Constant)
    return str(call.args[0].value)


def test_client_asks_for_methods_of_the_contract():
    """By their names, and with as many arguments as they take where those stand there."""
    calls = list(_calls())
    assert {"BeginTrial", "GetState", "BeginTrace", "ListForGames"} <= set(map(_named, calls))
    assert set(map(_named, calls)) <= MEMBERS
    lists = [(_named(call), call.args[1]) for call in calls if len(call.args) > 1]
    counts = {name: len(given.elts) for name, given in lists if isinstance(given, ast.List)}
    assert len(counts) >= 10
    assert counts == {name: len(METHODS[INTERFACE, name].takes) for name in counts}


def test_client_knows_which_methods_write():
    """Lost in one of these, the helper's successor is asked to take back what was begun."""
    harmless = READING | TRACING | STORED | TIMED | {"Recover"}
    assert harmless == MEMBERS - _WRITING
    assert MEMBERS >= _WRITING


def test_what_was_written_is_read_again():
    """After each of these the client says that the kernel is otherwise; a begin does so itself."""
    told = {
        _named(call)
        for call in _calls()
        if any(word.arg == "changes_kernel" for word in call.keywords)
    }
    assert told | {"BeginTrial", "BeginForGame"} == _WRITING


def test_pages_know_what_somebody_asked_for():
    """The answers that end a request of a page; a game's set begins by itself."""
    by_itself = READING | TRACING | {"ListForGames", "BeginForGame", "Recover"}
    assert by_itself == MEMBERS - _REQUESTS
    assert MEMBERS >= _REQUESTS
