# SPDX-License-Identifier: GPL-3.0-or-later
"""Which game is watched, and what the stream says of it."""

import pytest

from destutter.core.sample import Facts
from destutter.sampling.finding.game_watch import GameWatch
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.ticks.sampler_track import Batch
from tests.support.fake_root import FakeRoot

CHOSEN, OTHER = 50, 60
S_NS = 1_000_000_000
CLOCK_TICKS = 100


@pytest.fixture
def root(tmp_path):
    """Two games, started 40 and 50 seconds after the computer."""
    root = FakeRoot(tmp_path)
    root.put_process(CHOSEN, "chosen", starttime=40 * CLOCK_TICKS)
    root.put_process(OTHER, "other", starttime=50 * CLOCK_TICKS)
    return root


@pytest.fixture
def process():
    """The process that all samplers of the game read."""
    return WatchedProcess()


@pytest.fixture
def watch(root, process):
    """A watch that searches, as a window has it without a game."""
    watch = GameWatch(root.files, process, CLOCK_TICKS)
    watch.search()
    return watch


def _facts(batch):
    """The facts of a batch as one mapping."""
    return {
        name: text
        for message in batch.messages
        if isinstance(message, Facts)
        for name, text in message.facts.items()
    }


def test_what_the_search_found_does_not_replace_what_the_user_chose(watch, process):
    """The slow side found it a moment before: else all that follows is of the wrong game."""
    watch.offer(OTHER, "frame log")
    watch.follow(CHOSEN, 90 * S_NS, 0, Batch())
    batch = Batch()
    assert not watch.take_found(91 * S_NS, 0, batch)
    assert (process.pid, watch.name, batch.messages) == (CHOSEN, "chosen", [])


@pytest.mark.parametrize("is_chosen", [True, False])
def test_the_start_of_a_game_is_told_on_the_clock_that_stands_still_in_a_sleep(watch, is_chosen):
    """The kernel's start counts the sleep: else it lies ahead by an hour of that in the stream."""
    batch = Batch()
    if is_chosen:
        watch.follow(OTHER, 90 * S_NS, 3600 * S_NS, batch)
    else:
        watch.offer(OTHER, "frame log")
        assert watch.take_found(90 * S_NS, 3600 * S_NS, batch)
    told = _facts(batch)
    assert told["game.started"] == str((50 - 3600) * S_NS)
    assert told["game.start_ticks"] == str(50 * CLOCK_TICKS)
