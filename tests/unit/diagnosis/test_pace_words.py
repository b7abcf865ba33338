# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a game without frame times, by the pace of its main thread."""

from dataclasses import replace
from pathlib import Path

import pytest

from destutter.analysis.examining.examination import examine_file
from destutter.analysis.report.document import Heading
from destutter.analysis.report.session_document import session_document
from destutter.analysis.report.terminal_words import terminal_words
from destutter.commands.diagnosis import diagnosis_lines
from destutter.diagnosis.finding import VerdictKind
from destutter.words.renderer import english, renderer
from tests.support.engine_scenes import NAMES, SOURCES, assessed
from tests.support.scripted_source import Script

SESSIONS = Path(__file__).parents[2] / "data/sessions"
PACED = {"game.run_ns": 3e8, "game.user_ticks": 30, "game.timeslices": 270}
RECLAIM = {
    "vmstat.allocstall_normal": 200.0,
    "vmstat.pgsteal_direct": 40_000.0,
    "vmstat.pgsteal_kswapd": 20_000.0,
    "pressure:memory.some_us": 300_000.0,
}
STOPPED = {"game.run_ns": 0, "game.timeslices": 0}


def _game(**pressure):
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Test Flight")
    return script.run(12, {**PACED, **pressure})


def _stopped(script, times=3):
    for _ in range(times):
        script.set("game.is_stopped", 1).run(0.8, STOPPED).set("game.is_stopped", 0).run(4, PACED)
    return script


def test_standstills_are_told_as_stutters():
    """With how they were told, once, and what that leaves out."""
    told = assessed(_stopped(_game()))
    assert told.verdict.headline.id == "verdict.stopped.frames"
    assert english(told.verdict.headline).startswith("3 stutters in the last")
    said = " ".join(map(english, told.verdict.below))
    assert said.count("pace of the game's main thread") == 1
    assert told.verdict.told_by.values == {"limit_ms": 200.0}
    assert not told.is_game_unmeasured


def test_beside_late_wake_ups_they_are_stutters_as_well():
    """Whichever came last."""
    told = assessed(_stopped(_game()).hiccup(60.0).run(4, PACED))
    assert [each.origin for each in told.spikes] == ["rhythm"] * 3 + ["wakeup"]
    assert english(told.verdict.headline).startswith("4 stutters")
    alone = assessed(_game().hiccup(60.0).run(4, PACED))
    assert "1 hiccup of the computer" in english(alone.verdict.headline)
    assert alone.verdict.told_by.id == "verdict.by_probe"


def test_the_stutters_of_a_game_that_has_ended_are_none_of_the_computers():
    """Nobody plays any more: what is told begins anew. A recording is told as a whole."""
    told = assessed(_stopped(_game()).fact(game__pid="").run(3))
    assert told.verdict.kind is VerdictKind.MEASURING
    told = assessed(_stopped(_game()).fact(game__pid="").run(30))
    assert "stutter" not in english(told.verdict.headline)
    assert "hiccups" not in english(told.verdict.headline)


def test_a_game_that_kept_its_pace_is_told_as_that():
    """It is no answer of "smooth": nothing is known of what is shorter."""
    told = assessed(_game())
    assert told.verdict.kind is VerdictKind.NOT_MEASURED
    assert english(told.verdict.headline).startswith("The game kept its pace for 11")
    assert "some 270 times a second" in english(told.verdict.detail)
    assert "frame times" in english(told.verdict.detail)


@pytest.mark.parametrize("rate", [90, 20_000], ids=["slower", "quicker"])
def test_a_pace_that_was_lost_was_not_kept(rate):
    """A game that waits for one page after another freezes, and takes turns."""
    script = _game().run(2, {**PACED, "game.timeslices": rate})
    told = assessed(script.run(4, PACED))
    assert told.verdict.headline.id == "verdict.smooth.wakeup"
    later = assessed(script.run(8, PACED))
    assert english(later.verdict.headline).startswith("The game kept its pace for 12")


def test_a_thread_without_a_pace_says_nothing():
    """As before: only the computer was looked at."""
    told = assessed(_game(**{"game.timeslices": 10}))
    assert told.verdict.headline.id == "verdict.smooth.wakeup"
    assert told.is_game_unmeasured


@pytest.mark.parametrize("turns", [10, 270], ids=["without", "with"])
def test_beside_an_unmeasured_game_a_finding_stays_open(turns):
    """Only where a pace was followed it is known that no freeze fell together with it."""
    paced = {**PACED, "game.timeslices": turns}
    told = assessed(_game(**paced).run(4, {**paced, **RECLAIM}).run(3, paced))
    finding = told.findings[0]
    assert finding.is_open is told.is_game_unmeasured is (turns < 50)
    wanted = "reason.unmeasured" if finding.is_open else "reason.no_match"
    assert [each.id for each in finding.reasons] == [wanted]


@pytest.mark.parametrize(
    ("is_unmeasured", "title"),
    [
        (False, "Also seen, but it explains nothing"),
        (True, "Also seen; whether the game stuttered then is not measured"),
    ],
)
def test_beside_an_unmeasured_game_nothing_is_said_to_explain_nothing(is_unmeasured, title):
    """A memory limit that had made four freezes of a second each was called that."""
    session = examine_file(str(SESSIONS / "game_at_its_memory_limit.destutter"))
    assert session.score is None
    assert session.assessment is not None
    aside = tuple(replace(each, stutters_explained=0) for each in session.assessment.findings)
    told = replace(session.assessment, findings=aside, is_game_unmeasured=is_unmeasured)
    seen = replace(session, assessment=told)
    assert f"{title}:" in diagnosis_lines(seen, renderer())
    assert Heading(title) in session_document(seen, terminal_words()).blocks
