# SPDX-License-Identifier: GPL-3.0-or-later
"""Times that are no play are told as what they are, and a loading screen is no stutter."""

import json

import pytest

from destutter.analysis.examining.examination import Examiner
from destutter.analysis.examining.summary import played_seconds
from destutter.commands.diagnosis import diagnosis_json, diagnosis_lines
from destutter.commands.session_json import session_json
from destutter.diagnosis.finding import VerdictKind
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan, not_counted
from destutter.words.renderer import english, renderer
from tests.support.engine_scenes import NAMES, SOURCES, WORKING, assessed
from tests.support.scripted_source import Script
from tests.unit.diagnosis.test_traced import FRAMES

LOADING = {
    **WORKING,
    "game.user_ticks": 58,
    "game.system_ticks": 12,
    "game_status.read_bytes": 193e6,
    "disk:nvme0n1.reads": 1500,
    "disk:nvme0n1.sectors_read": 377_000,
    "disk:nvme0n1.read_ms": 800,
}
WAITING = {**LOADING, "game.run_ns": 2e7, "game.user_ticks": 2, "disk:nvme0n1.read_ms": 60_000}
EVICTED = {**LOADING, "pressure:memory.some_us": 6e5}
EVICTED_UNSEEN = {**LOADING, "game.user_ticks": 6, "game.system_ticks": 60}
COMPUTING = {**LOADING, "game.user_ticks": 99, "game_status.read_bytes": 20_000}


def _begin() -> Script:
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    return _play(script, 10)


def _play(script: Script, seconds: int) -> Script:
    for _ in range(seconds):
        script.run(1, WORKING).frames(*FRAMES * 60)
    return script


def _freeze(rates: dict[str, float], seconds: float = 12.0) -> Script:
    script = _begin().run(seconds, rates).frames(1e3 * seconds)
    return _play(script, 5)


def _kinds(script: Script, *, is_whole: bool = True) -> list[tuple[Unplayed, int]]:
    told = assessed(script, is_whole=is_whole).unplayed
    return [(each.kind, round(each.length_s)) for each in told]


@pytest.mark.parametrize("is_whole", [False, True], ids=["live", "whole"])
def test_a_loading_screen_is_no_stutter(is_whole: bool) -> None:
    """One of 12 s was the worst stutter, of a slow drive, and half of what was lost."""
    script = _freeze(LOADING)
    told = assessed(script, is_whole=is_whole)
    assert told.spikes == ()
    assert told.lost.total_ms == 0.0
    assert _kinds(script, is_whole=is_whole) == [(Unplayed.LOADING, 12)]
    assert told.verdict.kind is VerdictKind.SMOOTH
    assert english(told.verdict.below[-1]) == "Not counted: 12\N{NO-BREAK SPACE}seconds loading."


@pytest.mark.parametrize(
    ("rates", "seconds"),
    [(WAITING, 12.0), (EVICTED, 12.0), (EVICTED_UNSEEN, 12.0), (COMPUTING, 12.0), (LOADING, 2.0)],
    ids=["slow drive", "no memory", "no memory, no PSI", "computing alone", "short"],
)
def test_another_long_frame_is_one_stutter(rates: dict[str, float], seconds: float) -> None:
    """What waits, or is evicted, or only computes is no loading screen; nor what is short.

    Late wake-ups and standstills within it are no second one.
    """
    script = _begin().run(seconds - 0.6, rates).hiccup(300.0).run(0.5, rates)
    script = _play(script.frames(1e3 * seconds), 5)
    for is_whole in (False, True):
        told = assessed(script, is_whole=is_whole)
        assert [each.duration_ms for each in told.spikes] == [1e3 * seconds]
        assert told.unplayed == ()


def test_without_measurements_of_the_game_a_long_frame_is_a_stutter() -> None:
    """Nobody knows whether it read or computed."""
    script = Script().run(1)
    for _ in range(5):
        script.run(1).frames(*FRAMES * 60)
    assert len(assessed(script.run(12).frames(12_000.0)).spikes) == 1


def test_pause_crash_and_next_start_are_told_as_such() -> None:
    """By the game's own word, by its absence, and by what it does before its first frame."""
    script = _begin().fact(frames__paused="1").run(30, WORKING)
    assert _kinds(script) == [(Unplayed.PAUSED, 30)]
    script.fact(frames__paused="")
    _play(script, 5).fact(game__pid="", game__name="").run(20, WORKING)
    script.fact(game__pid="9", game__name="Alpenglow").run(14, LOADING)
    _play(script, 3).run(25, WORKING)
    _play(script, 3)
    told = [
        (Unplayed.PAUSED, 30),
        (Unplayed.NO_GAME, 20),
        (Unplayed.LOADING, 13),
        (Unplayed.NO_FRAMES, 24),
    ]
    found = _kinds(script)
    assert [kind for kind, _ in found] == [kind for kind, _ in told]
    assert all(abs(one[1] - two[1]) <= 1 for one, two in zip(found, told, strict=True))


def test_a_paused_game_is_told_as_paused() -> None:
    """Live, as long as no stutter of before is told; and none of the pause is."""
    script = _begin().fact(frames__paused="1").run(8, WORKING).hiccup(90.0).run(22, WORKING)
    verdict = assessed(script).verdict
    assert verdict.kind is VerdictKind.NOT_MEASURED
    assert english(verdict.headline) == "Paused for 30\N{NO-BREAK SPACE}seconds"


def test_what_has_left_the_span_of_the_banner_is_not_named() -> None:
    """Less than half a second of it is no "0 seconds", and no sentence without an end."""
    span = UnplayedSpan(Unplayed.LOADING, 0, 12_000_000_000)
    assert not_counted([span], 11_700_000_000) is None
    assert not_counted([span], 12_000_000_000) is None
    told = not_counted([span, span], 2_000_000_000)
    assert told is not None
    assert english(told) == "Not counted: 20\N{NO-BREAK SPACE}seconds loading."


def test_a_game_without_frame_times_has_no_such_times() -> None:
    """Nothing tells then when it was played."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow").run(40, WORKING)
    assert assessed(script, is_whole=True).unplayed == ()


@pytest.mark.parametrize("is_judged", [True, False])
def test_no_figure_of_frames_has_the_loading_screen(is_judged: bool) -> None:
    """Neither longest frame, nor what was lost, nor the points; judged for causes or not."""
    examiner = Examiner(is_judged=is_judged)
    for message in _freeze(LOADING).messages:
        examiner.accept_message(message)
    session = examiner.summary()
    assert session.frames is not None
    assert session.frames.worst_ms < 20.0
    assert session.frames.hitch_ms == 0.0
    assert [each.kind for each in session.unplayed] == [Unplayed.LOADING]
    assert json.loads(json.dumps(session_json(session)))["unplayed"][0]["why"] == "loading"


def test_one_recording_has_one_count_of_stutters() -> None:
    """Headline, list, figures and JSON; 46, 53 and 89 were told of one in one report."""
    script = _begin()
    for length_ms in (300.0, 90.0, 30.0, 45.0):
        _play(script.run(length_ms / 1e3, WORKING).frames(length_ms), 3)
    script.fact(frames__paused="1").run(8, WORKING).hiccup(90.0).run(22, WORKING)
    _play(script.fact(frames__paused=""), 3)
    examiner = Examiner()
    for message in script.messages:
        examiner.accept_message(message)
    session = examiner.summary()
    told = diagnosis_json(session)
    assert session.assessment is not None
    counts = {
        session.frame_stutters,
        len(session.assessment.spikes),
        told["frames"]["stutters"],
        session.assessment.verdict.headline.values["count"],
        len(told["time_lost"]["stutters"]),
        *(each["stutters_total"] for each in told["findings"]),
    }
    assert counts == {2}
    assert "stutters" not in told["session"]["frame_statistics"]
    assert any("paused 0:22 to 0:5" in line for line in diagnosis_lines(session, renderer()))


def test_a_pause_costs_no_points_and_is_no_time_of_play() -> None:
    """Slow drives of it were "3,335 an hour", and long frames were spread over it."""
    assert played_seconds(
        [UnplayedSpan(Unplayed.PAUSED, 1_500_000_000, 4_200_000_000)], 0, 6
    ).tolist() == [True, True, False, False, True, True]
    script = _play(_begin(), 40).run(0.4, WORKING).frames(400.0)
    _play(script, 10).fact(frames__paused="1").run(60, WAITING)
    _play(script.fact(frames__paused=""), 10)
    examiner = Examiner()
    for message in script.messages:
        examiner.accept_message(message)
    score = examiner.summary().score
    assert score is not None
    per_hour = {part.id: part.per_hour for part in score.parts}
    # Those of the seconds in which the pause began and ended; of all of it there are 30,000.
    assert per_hour["slow_io_moments"] <= 600.0
    assert per_hour["hitch_ms"] == pytest.approx(383.3 * 3600 / 70, rel=0.05)
