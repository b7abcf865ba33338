# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that start a thread for the work and join it: it is in no list that is read in time."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.words.renderer import english
from tests.support.engine_scenes import WAITS_FOR_DRIVE, engine

_COMPUTES = {"game.user_ticks": 100}


def _verdict(trouble, seen=("main_futex",), **options):
    pipeline = Pipeline(Assessor())
    for message in engine(trouble, seen, **options).script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    assert english(snapshot.assessment.verdict.detail)
    return snapshot.assessment.verdict


def test_what_no_known_thread_computed_is_the_games_own_work():
    """The process used all the time, and none of its threads that are followed did."""
    verdict = _verdict(_COMPUTES)
    assert verdict.headline.id == "verdict.own.frames"
    assert verdict.detail.id == "verdict.own_work_brief.quiet.detail"
    assert verdict.detail.values["run_ms"] == pytest.approx(400.0, abs=40.0)


def test_a_thread_that_was_found_at_that_work_is_named():
    """The look lists the threads again, and one of them was not there before."""
    verdict = _verdict(_COMPUTES, ("main_futex", "worker_running"))
    assert verdict.detail.id == "verdict.own_work.quiet.detail"
    assert verdict.detail.values["thread"] == "streamer"


@pytest.mark.parametrize(
    ("trouble", "seen"),
    [
        ({**_COMPUTES, "vmstat.allocstall_normal": 3000}, ("main_futex",)),
        ({"game.user_ticks": 0, "game.system_ticks": 100}, ("main_futex",)),
        (_COMPUTES, ("main_socket",)),
        ({"game.user_ticks": 40}, ("main_futex",)),
    ],
)
def test_what_may_be_something_else_is_not_told_as_that(trouble, seen):
    """Who frees memory uses time in the kernel; who waits for the network waits for nobody here;
    what the process used in a part of the stutter leaves the rest of it open.
    """
    assert "own_work" not in _verdict(trouble, seen).detail.id


def test_a_drive_that_was_waited_for_meanwhile_is_the_reason():
    """A thread that unpacks beside it does not make the frame late."""
    verdict = _verdict({**_COMPUTES, **WAITS_FOR_DRIVE}, ("main_futex", "io"))
    assert verdict.finding is not None
    assert verdict.finding.cause == "slow_device"
