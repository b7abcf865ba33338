# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of a game's frames become the minutes of a session."""

from tests.vm.pairs import PAIRS, order, rebased

NS_PER_S = 1_000_000_000


def row(elapsed_s, frame_ms=50.0):
    """A frame as the victim writes it."""
    return f"20.0,{frame_ms},0,0,{round(elapsed_s * NS_PER_S)},0.000"


def elapsed(rows):
    """The ends of frames in seconds."""
    return [int(line.split(",")[4]) / NS_PER_S for line in rows]


def test_pairs_turn_round():
    """Every pair has both settings, in the other order than the pair before."""
    assert order(3) == [False, True, True, False, False, True]


def test_a_block_becomes_its_minute():
    """Frames are counted from the block's beginning; what is beyond its minute is left out."""
    rows = [row(100.05), row(130), row(160), row(160.5)]
    assert elapsed(rebased(rows, 2)) == [120.05, 150.0, 180.0]


def test_the_last_block_is_whole():
    """The last minute has its end: a session of so many whole minutes is longer than they are."""
    rows = [row(100.05), row(160.5)]
    assert elapsed(rebased(rows, PAIRS - 1))[-1] == 60 * PAIRS + 0.5
