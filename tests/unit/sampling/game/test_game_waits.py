# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game's main thread sleeps for."""

import pytest

from destutter.sampling.game.game_waits import MainThreadWaits
from tests.support.fake_root import FakeRoot

WCHAN = "/proc/7/wchan"


@pytest.fixture
def root(tmp_path):
    """A game that writes."""
    return FakeRoot(tmp_path, {WCHAN: "balance_dirty_pages"})


@pytest.mark.parametrize(
    ("state", "place", "said"),
    [
        ("S", "hrtimer_nanosleep", (0, 0, 0, 0)),
        ("R", "0", (0, 0, 0, 0)),
        ("T", "do_signal_stop", (1, 0, 0, 0)),
        ("t", "ptrace_stop", (1, 0, 0, 0)),
        ("D", "folio_wait_bit_common", (0, 1, 0, 0)),
        ("D", "balance_dirty_pages_ratelimited_flags", (0, 1, 1, 0)),
        ("D", "jbd2_log_wait_commit", (0, 1, 0, 1)),
        ("D", "btrfs_commit_transaction", (0, 1, 0, 1)),
        ("D", "0", (0, 1, None, None)),
        ("D", "", (0, 1, None, None)),
    ],
)
def test_the_state_and_the_place_say_what_it_waits_for(root, state, place, said):
    """Only a blocked thread is asked where; a place that is not told is unknown, not no."""
    root.put(WCHAN, place)
    waits = MainThreadWaits(root.files, 7)
    assert waits.read(state) == said
    waits.close()


def test_without_the_file_the_place_is_unknown(root):
    """An older kernel, or a game that has just ended."""
    waits = MainThreadWaits(root.files, 8)
    assert waits.read("D") == (0, 1, None, None)
    waits.close()
