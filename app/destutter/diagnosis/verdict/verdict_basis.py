# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verdict rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.finding import Finding, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.stutters.rhythm import Rhythm
from destutter.diagnosis.stutters.spikes import RHYTHM_ORIGIN
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan

WARM_UP_NS = 8_000_000_000
"""Before that a verdict would rest on one or two seconds per rule, or on hardly any pace."""


@dataclass(frozen=True, slots=True)
class VerdictBasis:
    """What the verdict rests on.

    ``recent`` are the stutters of the span that the banner speaks about (``span_ns``), ``known``
    what is known of where their time went, ``known_hitches`` the same of the ``hitches``,
    ``explained`` how many of them each finding explains, by cause; ``findings`` are ranked.
    ``sees_few_frames``: frame times come, but most frames are left out. ``is_whole``: the span
    is all of a recording and not what has just passed. ``frameless_ns``: so long no frame has come
    any more; 0: they come, or never did. ``rhythm`` is the pace by which standstills of the game
    are found; None while there is none. ``unplayed``: when a game that tells its frames was not
    played.
    """

    now_ns: int
    started_ns: int
    span_ns: int
    smooth_since_ns: int
    recent: Sequence[Spike]
    hitches: Sequence[Spike]
    findings: Sequence[Finding]
    explained: dict[str, int]
    coverage: Coverage
    known: Sequence[Explained]
    known_hitches: Sequence[Explained]
    sees_frames: bool
    sees_wakes: bool
    sees_few_frames: bool = False
    is_whole: bool = False
    frameless_ns: int = 0
    rhythm: Rhythm | None = None
    unplayed: Sequence[UnplayedSpan] = ()

    @property
    def has_game(self) -> bool:
        """Whether a game is measured, and not only the computer."""
        # One that has ended since stuttered all the same.
        stuttered = any(spike.origin == RHYTHM_ORIGIN for spike in self.recent)
        return self.sees_frames or stuttered or bool(self.coverage.facts.get("game.pid"))

    @property
    def pause_ns(self) -> int:
        """For how long the game has been paused by its own word; 0 while it is not."""
        last = self.unplayed[-1] if self.unplayed else None
        if last is None or last.end_ns < self.now_ns or last.kind is not Unplayed.PAUSED:
            return 0
        return last.end_ns - last.start_ns

    @property
    def paced_ns(self) -> int:
        """For how long the game has kept its pace; 0 where that says nothing.

        Of a whole recording it speaks only where the pace was never lost: a freeze that is made of
        many short waits is no standstill, and no pace either.
        """
        if self.rhythm is None:
            return 0
        if self.is_whole and self.rhythm.lost_ns is not None:
            return 0
        since_ns = max(self.smooth_since_ns, self.rhythm.since_ns, self.rhythm.lost_ns or 0)
        return self.now_ns - since_ns
