# SPDX-License-Identifier: GPL-3.0-or-later
"""Which drives hold files of the game."""

from unittest.mock import create_autospec

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.processes import game_drives
from destutter.sampling.processes.game_drives import GameDrives
from destutter.sampling.processes.open_drives import OpenDrives


@pytest.fixture
def drives(monkeypatch):
    """What is open, as the test says."""
    asked = create_autospec(OpenDrives, instance=True)
    monkeypatch.setattr(game_drives, "OpenDrives", lambda _files: asked)
    return asked


def test_what_was_open_once_is_remembered_until_another_game_runs(drives, tmp_path):
    """A level is read and closed again; the next game has drives of its own."""
    found = GameDrives(KernelFiles(tmp_path))
    drives.of_all.side_effect = [frozenset({"vda"}), frozenset({"sda", "sdb"}), frozenset({"vda"})]
    assert [found.look(7) for _ in range(3)] == ["vda", "sda sdb vda", "sda sdb vda"]
    drives.of_all.side_effect = [frozenset({"vda"})]
    assert found.look(9) == "vda"
    assert found.look(None) == ""


def test_nothing_is_said_where_not_all_is_known(drives, tmp_path):
    """A file on a network may be what was waited for."""
    drives.of_all.return_value = None
    assert GameDrives(KernelFiles(tmp_path)).look(7) == ""


def test_a_captured_tree_tells_none(tmp_path):
    """Its numbers are another computer's."""
    assert GameDrives(KernelFiles(tmp_path)).look(1) == ""
