# SPDX-License-Identifier: GPL-3.0-or-later
"""Which drives a wait for one may be a wait for: that one, and those that it lies on."""

from collections import Counter
from collections.abc import Iterable, Mapping

from destutter.core.traced import LONG_WAIT_NS
from destutter.diagnosis.finding import Spike

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


def held_long(waits: Iterable[tuple[str, int, int]], stutter: Spike) -> Iterable[str]:
    """The drives that held a stutter up for as long as is told of a wait; where none did, those of
    the time around it, for its own may be a little off.

    ``waits``: the drive of each, from when until when. A reader that goes on behind the stutter is
    none: while somebody flooded its drive that one was named.
    """
    inside: Counter[str] = Counter()
    for drive, begin_ns, end_ns in waits:
        first_ns, last_ns = max(begin_ns, stutter.start_ns), min(end_ns, stutter.monotonic_ns)
        inside[drive] += max(last_ns - first_ns, 0)
    long = [drive for drive, held_ns in inside.items() if drive and held_ns >= LONG_WAIT_NS]
    return long or inside
