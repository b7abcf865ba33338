# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that a stream of measurements watches, as its facts tell. No Qt."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """The game that is watched. ``started_ns`` is on CLOCK_MONOTONIC; None: unknown."""

    pid: int
    name: str
    started_ns: int | None = None

    @classmethod
    def from_facts(cls, facts: dict[str, str]) -> Self | None:
        """The game in the facts of a stream; None: no game is watched."""
        pid = facts.get("game.pid", "")
        if not pid.isdigit():
            return None
        started = facts.get("game.started", "")
        is_time = started.removeprefix("-").isdigit()
        return cls(int(pid), facts.get("game.name", pid), int(started) if is_time else None)
