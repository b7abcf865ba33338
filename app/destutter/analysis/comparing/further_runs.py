# SPDX-License-Identifier: GPL-3.0-or-later
"""Which other recordings are further runs of the two that are compared, and which was last before.

A run belongs to a side when the computer, the game and every setting that both tell were those of
that side. Where the two sides have the same settings nothing tells the sides apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from destutter.analysis.comparing.differences import differences
from destutter.analysis.examining.summary import SessionSummary
from destutter.core.compared import LEAST_MINUTES
from destutter.session.store import StoredSession, settings_of

MOST_RUNS = 5
"""So many further runs of a side are read at most, the newest first."""


@dataclass(frozen=True, slots=True)
class Run:
    """A recording that may be a further run, as far as its header tells."""

    path: Path
    summary: SessionSummary


def further_runs(
    a: SessionSummary, b: SessionSummary, others: Sequence[Run]
) -> tuple[list[Path], list[Path]]:
    """The further runs of both sides, in the order of ``others``."""
    if not _settings_differ(a, b):
        return [], []
    of_a = [run.path for run in others if is_alike(a, run.summary)]
    of_b = [run.path for run in others if is_alike(b, run.summary)]
    return of_a[:MOST_RUNS], of_b[:MOST_RUNS]


def last_before(
    sessions: Sequence[StoredSession],
    flight: StoredSession,
    origins: Mapping[str, str] | None = None,
) -> StoredSession | None:
    """The newest readable recording of the same game from before; the newest come first.

    ``origins`` are the values, by the keys of settings, from before what was tried in the flight.
    One that began with them goes before all others, of those one that is long enough for a
    verdict; and none counts that began with what was tried: who tries again, as a short flight
    asks for, or with another value of the same (0.7 behind 0.71 %), had the cure compared with
    the cure.
    """
    origins = origins or {}
    values = settings_of(flight.path) if origins else {}
    tried = {key: values[key] for key in origins if key in values}
    earlier = [
        each
        for each in sessions
        if each.game == flight.game
        and each.path != flight.path
        and each.problem is None
        and (each.start_wall_time or 0.0) <= (flight.start_wall_time or 0.0)
    ]
    before = [each for each in earlier if origins and _began_with(each, origins)]
    long = (each for each in before if (each.duration_s or 0.0) >= 60 * LEAST_MINUTES)
    others = (each for each in earlier if not (tried and _began_with(each, tried)))
    return next(chain(long, before, others), None)


def _began_with(session: StoredSession, values: Mapping[str, str]) -> bool:
    return values.items() <= settings_of(session.path).items()


def is_alike(side: SessionSummary, other: SessionSummary) -> bool:
    """Whether a recording has the settings of a side, and nothing that makes it another one."""
    found = differences(side, other)
    return bool(other.tunables) and not any(each.is_setting or each.is_unfair for each in found)


def _settings_differ(a: SessionSummary, b: SessionSummary) -> bool:
    return any(each.is_setting for each in differences(a, b))
