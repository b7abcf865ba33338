# SPDX-License-Identifier: GPL-3.0-or-later
"""A main thread that looks for something again and again sleeps on a timer, and not by choice.

An outsider's game fetched its reads by io_uring and looked for them every 0.2 ms; beside a
program that filled the drive it was told that "the game's main thread slept on a timer".
"""

from dataclasses import replace

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent, blames
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.words.renderer import english
from tests.support.engine_scenes import WORKING, engine

MIB = 2.0**20
PACED = {**WORKING, "game.timeslices": 180, "game_status.voluntary_switches": 180}
NAPS = {"game.run_ns": 2e7, "game.timeslices": 3000, "game_status.voluntary_switches": 3000}
SLEEPS = {"game.run_ns": 0, "game.timeslices": 2, "game_status.voluntary_switches": 2}
# Twelve requests at a time, 300 ms each; of 300 MB/s the game has 4.
CROWDED_DRIVE = {
    "pressure:io.some_us": 1e6,
    "disk:sda.reads": 40,
    "disk:sda.read_ms": 12_000,
    "disk:sda.io_ms": 1000,
    "disk:sda.sectors_read": 600_000,
    "game_status.read_bytes": 4e6,
}


def told(trouble, seen=("main_timer",)):
    """The verdict and the first answer of six stutters, in words."""
    pipeline = Pipeline(Assessor())
    for message in engine(trouble, seen, working=PACED).script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    verdict = snapshot.assessment.verdict
    return f"{english(verdict.headline)}: {english(verdict.detail)}"


@pytest.mark.parametrize("seen", [("main_timer",), ()])
def test_who_polls_for_reads_beside_a_stranger_waits_for_the_drive(seen):
    """Found on its timer, or just awake: its reads take as long as the stutter."""
    assert "storage" in told({**NAPS, **CROWDED_DRIVE}, seen)


def test_who_polls_for_nothing_that_is_seen_is_not_told_to_have_slept():
    """It waited for something, and nobody knows for what."""
    assert "slept on a timer" not in told(NAPS)


def test_who_slept_once_chose_to_whatever_a_drive_did():
    """One sleep of 400 ms, beside a drive that is busy with a stranger's reads."""
    words = told({**SLEEPS, **CROWDED_DRIVE, "game_status.read_bytes": 0})
    assert "the game itself chose to wait" in words
    assert "less detail" not in words, "it had nothing to do less of"


def test_a_first_thread_that_takes_in_events_does_not_tell_for_the_one_that_draws():
    """The frames' thread went to sleep a few times in that second, be the first one ever awake."""
    trouble = {**SLEEPS, "game.timeslices": 3000}
    assert "slept for a time that it had set itself" in told(trouble)


POLLS = Circumstances(
    200.0,
    is_covered=True,
    looks=2,
    on_timer=True,
    polls=True,
    drive="sda",
    drive_ms=200.0,
    await_ms=120.0,
    own_bytes=2 * MIB,
    own_read=2 * MIB,
    drive_bytes=200 * MIB,
    own_beyond=2 * MIB,
    drive_beyond=200 * MIB,
)


def test_its_reads_are_late_as_long():
    """Seen, by the time that a read takes, though it has a hundredth of the traffic."""
    (answer,) = blames(POLLS)
    assert (answer.where, answer.certainty) == (WhereTimeWent.STORAGE, Certainty.SEEN)


@pytest.mark.parametrize(
    "values",
    [
        {"await_ms": 20.0},
        {"own_read": 0.0},
        {"is_write": True},
        {"drive_usual": 0.8},
        {"polls": False, "in_one_sleep": True},
    ],
)
def test_else_it_is_not_known_for_what(values):
    """Quick answers, no reads of its own, writes, or a drive that is always busy."""
    found = blames(replace(POLLS, **values))
    assert all(
        each.where is not WhereTimeWent.STORAGE or each.certainty is Certainty.POSSIBLE
        for each in found
    )
