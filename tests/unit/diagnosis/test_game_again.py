# SPDX-License-Identifier: GPL-3.0-or-later
"""A game that ends and starts again: what is counted is of the one that runs."""

import pytest

from destutter.diagnosis.finding import Assessment
from tests.support.engine_scenes import NAMES, SOURCES, WORKING, assessed, see
from tests.support.scripted_source import Script
from tests.unit.diagnosis.test_outsiders import NO_CORE
from tests.unit.diagnosis.test_traced import FRAMES, SHORT_OF_MEMORY

_GAME = {"game__name": "Alpenglow"}


def _play(script: Script, trouble: dict[str, float], count: int) -> None:
    for _ in range(count):
        script.run(5.6, WORKING).frames(*FRAMES * 336)
        script.run(0.4, trouble).frames(400.0)


def _begin() -> Script:
    script = Script(SOURCES, NAMES).fact(game__pid="7", **_GAME)
    see(script, ())
    _play(script, SHORT_OF_MEMORY, 10)
    return script


def _rest(script: Script) -> Script:
    """The game has ended; the computer has three hiccups, in half a minute."""
    script.fact(game__pid="", game__name="").run(12)
    for _ in range(3):
        script.hiccup(60.0).run(5.9)
    return script


def _told(assessment: Assessment) -> set[object]:
    """All numbers of stutters that anything says."""
    found: set[object] = {each.stutters_total for each in assessment.findings}
    return found | {len(assessment.spikes), assessment.verdict.headline.values["count"]}


def test_one_count_after_the_game_was_started_again():
    """Banner, list, lane and causes: none counts the game before, nor the pause."""
    script = _rest(_begin()).fact(game__pid="9", **_GAME)
    _play(script, NO_CORE, 8)
    told = assessed(script.run(2, WORKING).frames(*FRAMES * 120))
    assert _told(told) == {8}
    assert len(told.uncounted) == 13
    assert {each.group.value for each in told.findings if each.explains} == {"cpu"}
    assert told.lost.total_ms == pytest.approx(8 * (400 - 16.67))


def test_what_the_game_did_stays_until_another_begins():
    """Somebody ends the game to look what it was; the computer's hiccups are not its own."""
    told = assessed(_rest(_begin()))
    assert len(told.spikes) == 10
    assert {each.stutters_total for each in told.findings} == {10}
    first = told.findings[0]
    assert (first.group.value, first.stutters_explained, first.is_over) == ("memory", 10, False)
    assert told.verdict.is_of_computer
    assert told.verdict.headline.values["count"] == 3
    assert len(told.uncounted) == 3


@pytest.mark.long
def test_long_after_the_game_the_computer_counts_again():
    """Ten minutes later nobody asks for that game any more."""
    script = _begin().fact(game__pid="", game__name="").run(610)
    told = assessed(script.hiccup(60.0).run(5))
    assert len(told.spikes) == 1
    assert not told.uncounted


def test_a_whole_recording_counts_both_games_and_not_the_pause():
    """It is judged once, and of hiccups without a game the player felt none."""
    script = _rest(_begin()).fact(game__pid="9", **_GAME)
    _play(script, NO_CORE, 8)
    told = assessed(script.run(2, WORKING).frames(*FRAMES * 120), is_whole=True)
    assert _told(told) == {18}
    assert len(told.uncounted) == 3


def test_hiccups_of_a_computer_without_a_game_count():
    """As ever."""
    script = Script().run(20)
    for _ in range(3):
        script.hiccup(60.0).run(2)
    assert len(assessed(script).spikes) == 3


def test_a_recording_that_is_played_counts_both_games_too():
    """Its row in Sessions told 23 of 23, and "Show the cause" of it 15 of 15."""
    script = _rest(_begin()).fact(game__pid="9", **_GAME)
    _play(script, NO_CORE, 8)
    told = assessed(script.run(2, WORKING).frames(*FRAMES * 120), is_played=True)
    assert {each.stutters_total for each in told.findings} == {18}
    assert len(told.spikes) == 18
    assert len(told.uncounted) == 3
