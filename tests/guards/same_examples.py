# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of a property test hang on the test alone."""

from typing import Any

from hypothesis.internal.conjecture import providers


def take_no_constants() -> None:
    """Let hypothesis look for no constants in the program's modules.

    It takes them from whatever is imported by then, so that with the same seed a test gets other
    examples beside other tests, and when a module elsewhere changes. Reading all modules is also
    4 s of a core in each worker. Examples that nobody has tried still have them (``fresh``, and
    whoever calls pytest).
    """
    inside: dict[str, Any] = vars(providers)
    inside["_get_local_constants"] = inside["Constants"]
