# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests send to the helper, and where they look afterwards."""

import json
from pathlib import Path
from typing import Any

from destutter_helper.api.methods import METHODS

SWAPPINESS = Path("/proc/sys/vm/swappiness")
PAGE_CLUSTER = Path("/proc/sys/vm/page-cluster")

EXAMPLES: dict[str, Any] = {
    "s": "x",
    "i": 7,
    "b": False,
    "u": 7,
    "as": ["x"],
    "a(ss)": [["x", "y"]],
}


def changes(**values: object) -> str:
    """Return a change set; underscores in names stand for a dot first, then stay."""
    found = [
        {"id": name.replace("__", "."), "value": str(value)} for name, value in values.items()
    ]
    return json.dumps({"changes": found})


def swappiness(value: int) -> str:
    """Return a change set with one value."""
    return json.dumps({"changes": [{"id": "vm.swappiness", "value": str(value)}]})


def outcomes(text: str) -> dict[str, str]:
    """Return the outcome by id of a Results text."""
    return {result["id"]: result["outcome"] for result in json.loads(text)["results"]}


def valid_arguments(member: str) -> list[Any]:
    """Return arguments of the right types for a method of the contract."""
    given: dict[str, list[Any]] = {
        "Preview": [swappiness(50)],
        "BeginTrial": [swappiness(50), 30, False],
        "Keep": ["0" * 32, "restart", False],
        "Extend": ["0" * 32, 30],
        "Bind": ["0" * 32, 7, "7"],
        "Revert": ["0" * 32],
        "Undo": ["{}"],
        "KeepForGame": ["sim", swappiness(50), False],
        "BeginForGame": ["0" * 32, 7, "7"],
        "ForgetForGame": ["0" * 32],
        "BeginTrace": ["{}", False],
        "TraceFiles": ["0" * 32, 0],
        "SetTraceTasks": ["0" * 32, "[]"],
        "EndTrace": ["0" * 32],
        "Get": ["io.github.destutter.Helper1", "State"],
        "GetAll": ["io.github.destutter.Helper1"],
    }
    return given.get(member, [])


def methods() -> list[tuple[str, str, str]]:
    """Return interface, member and signature of every method."""
    return [
        (interface, member, into)
        for (interface, member), (into, _out, _actions) in METHODS.items()
    ]
