# SPDX-License-Identifier: GPL-3.0-or-later
"""How the way into a sleep is asked for, and what an answer may hold: names of functions.

Not a stack: no address, no offset, and nothing of the program itself. That is worth a rule of its
own, because the kernel writes the address of what it has no name for.
"""

import re
from dataclasses import dataclass

from destutter_helper.api import payload
from destutter_helper.api.names import REPLY_MAX_BYTES, REQUEST_MAX_BYTES, HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.tracing import PID_MAX

PATHS_MAX = 60  # of one grant: one in a second of its minute
MOST_FUNCTIONS = 64
UNNAMED = "?"
"""Stands for a function that the kernel has no name for."""

_FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]{0,127}( \[[A-Za-z0-9_]{1,55}\])?", re.ASCII)
_NUMBER = re.compile(r"(0x)?[0-9A-Fa-f]{6,}( .*)?")
_LATEST_NS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Sleep:
    """A sleep of a thread: which, and when it went to sleep, of CLOCK_MONOTONIC."""

    thread: int
    begin_ns: int


@dataclass(frozen=True, slots=True)
class CallPath:
    """The functions of the kernel that were under way, the innermost first."""

    functions: tuple[str, ...]


def is_function(text: str) -> bool:
    """Whether it is a name, with its module behind it, and none that looks like a number."""
    return bool(_FUNCTION.fullmatch(text)) and not _NUMBER.fullmatch(text)


def encode_sleep(sleep: Sleep) -> str:
    """The ``sleep`` of TracePath."""
    return payload.encode(sleep)


def decode_sleep(text: str) -> Sleep:
    """The same again; HelperError TooLarge or InvalidArgument when it is none."""
    sleep = payload.decode(Sleep, text, max_bytes=REQUEST_MAX_BYTES)
    for name, number, most in (
        ("thread", sleep.thread, PID_MAX),
        ("begin_ns", sleep.begin_ns, _LATEST_NS),
    ):
        if not 1 <= number <= most:
            raise _wrong(name, str(number))
    return sleep


def encode_path(path: CallPath) -> str:
    """The ``path`` that TracePath answers."""
    return payload.encode(path)


def decode_path(text: str) -> CallPath:
    """The same again; HelperError when it is none, or holds anything but names."""
    path = payload.decode(CallPath, text, max_bytes=REPLY_MAX_BYTES)
    if len(path.functions) > MOST_FUNCTIONS:
        raise _wrong("functions", str(len(path.functions)))
    for name in path.functions:
        if name != UNNAMED and not is_function(name):
            raise _wrong("functions", name)
    return path


def _wrong(where: str, text: str) -> HelperError:
    reason = Said("helper.request.form", {"text": ascii(text)[:40]})
    said = Said("helper.request.invalid", {"where": where, "reason": reason})
    return HelperError("InvalidArgument", said)
