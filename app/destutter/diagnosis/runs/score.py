# SPDX-License-Identifier: GPL-3.0-or-later
"""One number for a session, from 0 to 100, with what took points away and a word beside it.

    score = 100 · exp(−Σ contributions)
    contribution = weight · (what was lost in an hour / unit), of the kernel's waits at most weight

The exponential keeps the number between 0 and 100 and makes the first stutters cost most, as they
do for a player. The unit of frames is ten seconds an hour lost in long frames beyond an ordinary
frame: the amount at which the X-Plane study's stock run (6.9 % of its time below 25 frames a
second) is far below 50, and its improved ones are still told apart. What the kernel saw weighs a
quarter where frames were measured, because a wait that a player felt is in the frames already, and
where no game was watched, because nobody is known to have waited; fully where a game was watched
without its frames. Phases weigh as in the project's session model: the warm-up a quarter,
ramp-up and steady one. The kernel's waits are counts of events of any length, so beyond their
unit they say no more.

A score is only comparable between runs of the same game; it is never shown without its word, its
parts, and how long was measured.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from destutter.diagnosis.runs.phases import Phase

PHASE_WEIGHTS: Mapping[Phase, float] = {
    Phase.WARM_UP: 0.25,
    Phase.RAMP_UP: 1.0,
    Phase.STEADY: 1.0,
}
_PERHAPS_FELT = 0.25  # at 1 eight slow moments of a drive made 45 points under "Smooth"
_OF_A_GAME = "run_delay_ms"
_WORDS = ((90.0, "smooth"), (70.0, "mostly smooth"), (40.0, "stutters now and then"))
_WORST_WORD = "stutters often"
_LEAST_S = 60.0  # one stutter in less would be hundreds an hour
SHORT_S = 15 * 60.0  # most of it may be warm-up, which has up to 12 minutes
_LONG_S = 60 * 60.0  # as the X-Plane study asks for, whose steady phase begins after half of it


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What of one kind was lost in an hour. ``unit`` is the amount that costs 63 of 100 points
    where it counts fully."""

    id: str
    per_hour: float
    unit: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Score:
    """``points`` from 0 to 100; ``word`` and ``trust`` belong beside it.

    ``trust`` says how far the length carries it: "short" (below 15 minutes), "fair", "long" (an
    hour and more).
    """

    points: float
    word: str
    trust: str
    parts: tuple[ScorePart, ...]
    has_frames: bool


PARTS: Mapping[str, tuple[float, bool]] = {
    # id: (what in an hour costs 63 points, whether it is what a player feels)
    "hitch_ms": (10_000.0, True),
    "late_wake_ms": (10_000.0, True),
    "allocation_stalls": (1_000.0, False),
    "swap_in_pages": (50_000.0, False),
    "slow_io_moments": (600.0, False),
    "run_delay_ms": (60_000.0, False),
    "throttle_ms": (60_000.0, False),
}
"""Ten seconds of long frames or of late wake-ups; a thousand allocation stalls, the session
model's unit; 200 MB from swap, one texture set; a minute in tenths of a second with slow drives; a
minute of waiting for a core, and one of throttling."""


def score_session(
    losses: Mapping[Phase | None, Mapping[str, float]],
    seconds: Mapping[Phase | None, float],
) -> Score | None:
    """The score from what was lost in each phase (ids of ``PARTS``) and how long it lasted.

    The phase None stands for a session without phases. None below a minute, or when neither
    frames nor wake-ups were measured.
    """
    total_s = sum(seconds.values())
    known = {part for lost in losses.values() for part in lost}
    if total_s < _LEAST_S or not known & {"hitch_ms", "late_wake_ms"}:
        return None
    has_frames = "hitch_ms" in known
    is_sure = _OF_A_GAME in known and not has_frames
    parts = []
    for id_, (unit, is_felt) in PARTS.items():
        if id_ not in known or (id_ == "late_wake_ms" and has_frames):
            continue
        per_hour = _per_hour(id_, losses, seconds)
        weight = 1.0 if is_felt or is_sure else _PERHAPS_FELT
        amount = per_hour / unit if is_felt else min(per_hour / unit, 1.0)
        parts.append(ScorePart(id_, per_hour, unit, weight * amount))
    points = 100 * math.exp(-sum(part.contribution for part in parts))
    return Score(points, word_of(points), _trust(total_s), tuple(parts), has_frames)


def word_of(points: float) -> str:
    """The word that stands beside a score."""
    return next((word for least, word in _WORDS if points >= least), _WORST_WORD)


def _per_hour(
    id_: str,
    losses: Mapping[Phase | None, Mapping[str, float]],
    seconds: Mapping[Phase | None, float],
) -> float:
    """The rate over the phases, each with its weight."""
    lost = hours = 0.0
    for phase, parts in losses.items():
        if id_ in parts:
            weight = 1.0 if phase is None else PHASE_WEIGHTS[phase]
            lost += weight * max(0.0, parts[id_])
            hours += weight * seconds.get(phase, 0.0) / 3600
    return lost / hours if hours else 0.0


def _trust(total_s: float) -> str:
    if total_s < SHORT_S:
        return "short"
    return "long" if total_s >= _LONG_S else "fair"
