# SPDX-License-Identifier: GPL-3.0-or-later
"""The guardian itself, in a process of its own, and what it does after it has ended a trial."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter_helper import guardian
from destutter_helper.api.names import ENDED_DEADLINE
from destutter_helper.journal import Entry
from tests.support import helper_tree
from tests.support.bus_kit import eventually
from tests.support.living import living

SWAPPINESS = "proc/sys/vm/swappiness"
BEFORE, TRIED = "vm.swappiness=60", "vm.swappiness=10"
SWAPPING = Entry("vm.swappiness", None, origin=BEFORE, goal=BEFORE, ours=(TRIED,))
PASSED_NS, LATER_NS = 0, 2**62


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[helper_tree.ScratchTree]:
    """A scratch tree on which swappiness 10 is on trial."""
    root = helper_tree.build(tmp_path)
    (root / SWAPPINESS).write_text("10\n")
    with contextlib.closing(helper_tree.ScratchTree(str(root))) as made:
        yield made


def test_a_trial_that_has_ended_is_not_watched_again(tree: helper_tree.ScratchTree) -> None:
    """An Extend that comes too late would begin it anew, and its hold end it a second time.

    The owner would be told that, instead of the deadline that it missed.
    """
    value = Path(tree.root, SWAPPINESS)
    with contextlib.closing(guardian.start(tree, lambda: None)) as started:
        reader, writer = os.pipe()
        started.watch([SWAPPING], PASSED_NS, reader)
        os.close(reader)  # the guardian has its own
        eventually(lambda: value.read_text().strip() == "60")
        assert started.move(LATER_NS) == ENDED_DEADLINE
        os.close(writer)
        assert started.pause() == ENDED_DEADLINE


def test_a_guardian_ends_nobody_but_its_own_service(
    tree: helper_tree.ScratchTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a service that is gone the number may be somebody else's by now, whom root would kill."""
    monkeypatch.setattr(guardian, "REACT_S", 2.0)
    Path(tree.root, SWAPPINESS).write_text("damaged\n")  # so that something is left to be done
    with living() as other:
        with monkeypatch.context() as patched:
            patched.setattr("os.getpid", lambda: other.pid)
            started = guardian.start(tree, lambda: None)
        with contextlib.closing(started):
            started.watch([SWAPPING], PASSED_NS)
            started.pause()
            assert started.is_half_done
            eventually(lambda: started.pause() and not started.is_half_done)  # it gave us up
        other.terminate()
        assert other.wait() == -signal.SIGTERM
