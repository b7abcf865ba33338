# SPDX-License-Identifier: GPL-3.0-or-later
"""A time of a session in which a game that tells its frames was not played."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from destutter.core.statement import Statement


class Unplayed(Enum):
    """Why nothing was played.

    ``NO_FRAMES``: the game ran and drew nothing, or its log stopped; more nobody told.
    """

    PAUSED = "paused"
    LOADING = "loading"
    NO_FRAMES = "no_frames"
    NO_GAME = "no_game"


@dataclass(frozen=True, slots=True)
class UnplayedSpan:
    """From when to when, on CLOCK_MONOTONIC."""

    kind: Unplayed
    start_ns: int
    end_ns: int

    @property
    def length_s(self) -> float:
        return (self.end_ns - self.start_ns) / 1e9


def not_counted(spans: Iterable[UnplayedSpan], since_ns: int = 0) -> Statement | None:
    """What of a time counts as no play, each kind with its length; None where all was played."""
    lengths_s: dict[Unplayed, float] = {}
    for span in spans:
        outside_s = max(since_ns - span.start_ns, 0) / 1e9
        if span.length_s > outside_s:
            lengths_s[span.kind] = lengths_s.get(span.kind, 0.0) + span.length_s - outside_s
    told = tuple(
        Statement(f"unplayed.{kind.value}", {"span_s": round(lengths_s[kind])})
        for kind in Unplayed
        if round(lengths_s.get(kind, 0.0))
    )
    return Statement("unplayed.not_counted", {"what": told}) if told else None
