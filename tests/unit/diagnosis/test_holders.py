# SPDX-License-Identifier: GPL-3.0-or-later
"""Who kept the game where it stood still or waited for a file: named where the kernel tells."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.blame.blame import WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.verdict.holders import kept_by
from destutter.words.renderer import english
from tests.support.engine_scenes import SOURCES, WORKING, begin, see


def _verdict(seen, holder=None, how="", threads=3, times=6):
    """Of six stutters, the looks in ``times`` of which find a holder."""
    script = begin((*SOURCES, "holder"))
    script.set("game.threads", threads)
    for name in ("30 keeper", "0"):
        for way in ("traces", "locks", "serves", "child", "reads"):
            script.set(f"holder:{name}.{way}", 0)
    for number in range(6):
        for _ in range(5):
            script.run(1, WORKING).frames(*[16.67] * 60)
        see(script, seen)
        if holder is not None and number < times:
            script.set(f"holder:{holder}.{how}", 1)
        script.run(0.4, {"game.run_ns": 0}).frames(400.0)
        see(script, ())
        if holder is not None:
            script.set(f"holder:{holder}.{how}", 0)
        script.run(0.6, WORKING).frames(*[16.67] * 36)
    script.run(3, WORKING).frames(*[16.67] * 180)
    pipeline = Pipeline(Assessor())
    for message in script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    return snapshot.assessment.verdict


STOPPED = ("stopped",)
WORKER = ("main_futex", "worker_other")


@pytest.mark.parametrize(
    ("seen", "holder", "how", "words"),
    [
        (STOPPED, "30 keeper", "traces", "stopped by keeper, which traces it"),
        (STOPPED, "0", "traces", "a program that traces it"),
        (STOPPED, None, "", "Who sent a signal the system does not tell"),
        (("main_other",), "30 keeper", "locks", "The game waited for the lock of a file that kee"),
        (
            WORKER,
            "30 keeper",
            "locks",
            "streamer, which waited for the lock of a file that keeper",
        ),
        (WORKER, "0", "locks", "who has it the system does not tell"),
        (("main_server",), "30 keeper", "serves", "a program runs (FUSE): keeper"),
        (("main_server",), "0", "serves", "a program runs (FUSE)"),
        (
            ("main_other",),
            "30 keeper",
            "child",
            "waited for keeper, a program that it",
        ),
        (
            WORKER,
            "30 keeper",
            "child",
            "streamer, which waited for keeper, a program",
        ),
        (("main_other",), "0", "child", "waited for a program that it had started itself"),
        (("maps",), "30 keeper", "reads", "its memory map while keeper was reading it"),
        (("maps",), None, "", "Who reads or changes it from outside"),
    ],
)
def test_who_kept_the_game_is_named(seen, holder, how, words):
    """In the words of the verdict; where nobody is told, that is said."""
    assert words in english(_verdict(seen, holder, how).detail)


def test_who_was_there_once_is_not_named_for_all():
    """A lock that was waited for in two of six stutters is no answer for the others."""
    assert "keeper" not in english(_verdict(WORKER, "30 keeper", "locks", times=2).detail)


def test_the_headline_says_the_same():
    """A game that is traced was stopped; one that waits for a lock was held up."""
    assert "stopped from outside" in english(_verdict(STOPPED, "30 keeper", "traces").headline)
    assert "a lock" in english(_verdict(WORKER, "30 keeper", "locks").headline)
    assert "its memory map" in english(_verdict(("maps",), "30 keeper", "reads").headline)


def test_of_two_holders_the_one_that_was_found_more_often_is_named():
    """By looks, over all of the stutters."""
    met = [
        Circumstances(400.0, holders={("locks", "5 a"): 1}),
        Circumstances(400.0, holders={("locks", "6 b"): 4, ("traces", "7 c"): 9}),
    ]
    assert kept_by(WhereTimeWent.ELSEWHERE, met) == ("locks", "b")
    assert kept_by(WhereTimeWent.STOPPED, met) == ("traces", "c")
    assert kept_by(WhereTimeWent.SOCKET, met) == ("", "")


@pytest.mark.parametrize(("threads", "words"), [(1, "The game has one thread"), (3, "another of")])
def test_a_game_with_one_thread_waits_for_no_other(threads, words):
    """It slept in a futex all the same: only what is possible is said."""
    assert words in english(_verdict(("main_futex",), threads=threads).detail)
