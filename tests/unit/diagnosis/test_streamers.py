# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that wait for drives all the time, and what that says of stutters."""

from dataclasses import replace
from pathlib import Path

import pytest

from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent, blames
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import Work
from destutter.diagnosis.finding import Confidence
from destutter.diagnosis.findings.streamers import streams_all_the_time
from tests.truth.judge import judgement_of

SESSIONS = Path(__file__).parents[2] / "data/sessions"


def _met(seen=0, usual=0.0, looks=3, **more):
    usually = dict.fromkeys(("io", "dirty", "journal"), 0.0) | {"io": usual}
    return Circumstances(230.0, looks=looks, seen={"io": seen}, seen_usual=usually, **more)


@pytest.mark.parametrize(
    ("seen", "usual", "streams"),
    [
        pytest.param((0, 0, 2, 2, 3, 0, 2, 3), 0.5, True, id="as often as outside"),
        pytest.param((3, 3, 3, 3, 3, 3, 3, 3), 0.5, False, id="always while the game waits"),
        pytest.param((1, 0, 1, 0, 1, 0, 0, 1), 0.05, False, id="seldom both times"),
        pytest.param((3, 3, 3), 0.9, False, id="too few looks"),
    ],
)
def test_who_is_found_as_often_while_all_is_well_proves_nothing(seen, usual, streams):
    """By all stutters together: of one the three looks are chance."""
    assert streams_all_the_time(_met(each, usual) for each in seen) is streams


def test_of_what_was_not_looked_at_nothing_is_said():
    """Neither stutters without a look nor those of which nobody knows what is usual."""
    assert not streams_all_the_time([_met(looks=0)] * 9)
    assert not streams_all_the_time([replace(_met(3), seen_usual={})] * 9)
    assert not streams_all_the_time([])


def test_a_wait_that_is_there_all_the_time_is_only_possible():
    """But for the main thread's own, which is no streamer."""
    waits = {"waiters": {"7 streamer": 3}, "handed_on": 3, "asleep": {"futex": 3}}
    (seen,) = blames(_met(3, **waits))
    assert (seen.where, seen.certainty) == (WhereTimeWent.STORAGE, Certainty.SEEN)
    assert blames(_met(3, streams=True, **waits))[0].certainty is Certainty.POSSIBLE
    held_back = replace(_met(3, streams=True, **waits), seen={"io": 2, "dirty": 3})
    assert blames(held_back)[0].certainty is Certainty.SEEN
    of_main = blames(_met(3, streams=True, main_blocked=3, **waits))
    assert of_main[0].certainty is Certainty.SEEN


def test_work_in_the_kernel_of_a_thread_that_nobody_follows_is_the_games():
    """A job that reads the clock in each turn; not where the kernel does it for memory."""
    met = _met(handed_on=3, brief_ms=190.0, cpu_ms=190.0, system_ms=165.0, kernel_part=0.87)
    (own,) = blames(met)
    assert (own.where, own.kernel, own.is_brief) == (WhereTimeWent.OWN_WORK, Work.CALLS, True)
    for for_memory in ("compactions", "limit_hits", "swap_ins"):
        assert not blames(replace(met, **{for_memory: 3.0}))


@pytest.mark.parametrize("name", ["saves_behind", "streams_behind", "jobs_compute"])
def test_a_full_drive_beside_a_game_that_holds_itself_up_is_no_cause(name):
    """Engines of an outsider's: jobs compute or hold a lock while others stream and save."""
    told = judgement_of(SESSIONS / f"{name}.destutter").assessment
    sure = [each for each in told.findings if each.confidence is not Confidence.LOW]
    assert not [each.cause for each in sure if each.stutters_explained]
    headline = told.verdict.headline.id.split(".")[1]
    assert headline == ("unexplained" if name == "streams_behind" else "kernel")
