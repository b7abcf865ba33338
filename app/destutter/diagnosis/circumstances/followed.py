# SPDX-License-Identifier: GPL-3.0-or-later
"""Of which process the kernel's trace was when, and which thread of it shows the frames."""

from collections import deque
from typing import NamedTuple

from destutter.core.sample import Facts
from destutter.core.traced import FOLLOWED, LEAD

_MOST = 8  # in a minute


class _Followed(NamedTuple):
    pid: str = ""
    lead: str = ""
    since_ns: int = 0


class FollowedGames:
    """As the stream names them, one after the other."""

    def __init__(self) -> None:
        self._known: deque[_Followed] = deque([_Followed()], maxlen=_MOST)

    def accept_facts(self, facts: Facts) -> None:
        """Take in whose threads are recorded from now on."""
        pid = facts.facts.get(FOLLOWED)
        if pid is not None:
            lead = facts.facts.get(LEAD, "")
            self._known.append(_Followed(pid, lead, facts.monotonic_ns))

    def is_followed(self, pid: str, at_ns: int) -> bool:
        """A game that has ended is followed no more, and its last stutters are looked at then."""
        return self._at(at_ns).pid == pid

    def lead(self, at_ns: int) -> int:
        """The thread that showed the frames, where that is known to be another one; else 0."""
        known = self._at(at_ns)
        return int(known.lead) if known.lead.isdecimal() and known.lead != known.pid else 0

    def is_lead_known(self, at_ns: int) -> bool:
        """Whether it was known which thread showed the frames, be it the main one."""
        return bool(self._at(at_ns).lead)

    def _at(self, at_ns: int) -> _Followed:
        return next(
            (each for each in reversed(self._known) if each.since_ns <= at_ns), _Followed()
        )
