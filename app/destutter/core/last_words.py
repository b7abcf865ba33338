# SPDX-License-Identifier: GPL-3.0-or-later
"""How a process of this program says why it ends, and how the one that started it reads that.

As data, on standard error: only the process in front speaks the user's language.
"""

import contextlib
import json
import os

from destutter.core.statement import Statement, plain_statement, read_statement, told

_NAME = "destutter: "
_ERRORS = 2


def complain(why: Statement) -> None:
    """Say on standard error why this process ends; in English for people at a terminal."""
    with contextlib.suppress(OSError):
        text = str(why) if os.isatty(_ERRORS) else json.dumps(plain_statement(why))
        os.write(_ERRORS, f"{_NAME}{text}\n".encode("utf-8", "replace"))


def last_words(errors: bytes) -> Statement | None:
    """Why a process ended, from what it wrote on standard error; None: it said nothing.

    Another last line than one of ``complain``, such as an interpreter's, is told as it is.
    """
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    if not lines:
        return None
    text = lines[-1].removeprefix(_NAME)
    with contextlib.suppress(ValueError, RecursionError):
        if statement := read_statement(json.loads(text)):
            return statement
    return told(text)
