# SPDX-License-Identifier: GPL-3.0-or-later
"""Which drives a wait for one may be a wait for: that one, and those that it lies on."""

from collections.abc import Iterable, Mapping

_OF = "disk."
_BELOW = ".below"


class DrivesBelow:
    """What the facts of a stream tell of drives that lie on others, as loop and dm do."""

    def __init__(self) -> None:
        self._below: dict[str, frozenset[str]] = {}

    def accept_facts(self, facts: Mapping[str, str | None]) -> None:
        for name, told in facts.items():
            if name.startswith(_OF) and name.endswith(_BELOW):
                drive = name.removeprefix(_OF).removesuffix(_BELOW)
                self._below[drive] = frozenset((told or "").split())

    def with_below(self, drives: Iterable[str]) -> frozenset[str]:
        """These and all that they lie on, as far as that is known."""
        named = frozenset(filter(None, drives))
        return named.union(*(self._below.get(each, frozenset()) for each in named))
