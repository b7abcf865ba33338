# SPDX-License-Identifier: GPL-3.0-or-later
"""With which recording one is compared that has just ended."""

from dataclasses import replace
from pathlib import Path

from destutter.analysis.comparing import further_runs
from destutter.analysis.comparing.further_runs import last_before
from destutter.core.statement import Statement
from destutter.session.store import StoredSession

FLIGHT = StoredSession(Path("now"), 1, 1000.0, 60.0, "sim", None)


def _of(name: str, **values: object) -> StoredSession:
    """A recording of the same game from 100 s before, with other values."""
    return replace(FLIGHT, path=Path(name), start_wall_time=900.0, **values)  # type: ignore[arg-type]


def test_it_is_the_newest_before_of_the_same_game():
    """The list has the newest first."""
    older = replace(_of("older"), start_wall_time=800.0)
    assert last_before([FLIGHT, _of("before"), older], FLIGHT) == _of("before")


def test_others_are_none():
    """Of another game, from later, damaged, or the recording itself."""
    damaged = _of("damaged", problem=Statement("session.damaged"))
    later = replace(_of("later"), start_wall_time=1001.0)
    assert last_before([later, FLIGHT, _of("x", game="other"), damaged], FLIGHT) is None


def test_one_without_a_time_is_from_before():
    """Its header tells none: any that has one is newer."""
    untimed = replace(_of("untimed"), start_wall_time=None)
    assert last_before([FLIGHT, untimed], FLIGHT) == untimed


def test_it_is_one_from_before_all_trials_and_long_enough(monkeypatch):
    """A second trial had 0.7 % where the first had 0.71, and was compared with that: "too close to
    call", of 65 stutters and 22."""
    scale, other = "vm.watermark_scale_factor", "vm.swappiness"
    began = {
        "now": {scale: "70"},
        "trial": {scale: "71"},
        "short": {scale: "10", other: "60"},
        "long": {scale: "10", other: "60"},
        "same": {scale: "70"},
        "untold": {},
    }
    monkeypatch.setattr(further_runs, "settings_of", lambda path: began[path.name])
    trial, same, untold = (_of(name, duration_s=600.0) for name in ("trial", "same", "untold"))
    short, long = _of("short", duration_s=40.0), _of("long", duration_s=481.0)
    origins = {scale: "10"}
    assert last_before([FLIGHT, same, trial, short, long], FLIGHT, origins) == long
    assert last_before([FLIGHT, same, trial, short], FLIGHT, origins) == short
    assert last_before([FLIGHT, same, untold], FLIGHT, origins) == untold
    assert last_before([FLIGHT, same], FLIGHT, origins) is None
    assert last_before([FLIGHT, same, trial], FLIGHT) == same
