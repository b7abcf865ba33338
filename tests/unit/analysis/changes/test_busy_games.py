# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that something is kept for, among the busy programs of this computer."""

import os

import pytest

from destutter.analysis.changes.busy_games import busy_games
from destutter.core.kernel_files import KernelFiles
from destutter.sampling.files.process_files import read_process_stat
from tests.support.fake_root import FakeRoot
from tests.support.living import living

FILES = KernelFiles("/")


@pytest.mark.parametrize(
    ("comm", "name", "is_it"),
    [
        ("skyhopper", "skyhopper", True),
        ("skyhopper", "skyhopper2", False),
        ("FlightSimulator", "FlightSimulator.exe", True),
        ("FlightSimulato", "FlightSimulator.exe", False),
        ("chess", "skyhopper", False),
    ],
)
def test_a_game_is_known_by_its_name(comm, name, is_it):
    """Which the kernel cuts off after 15 characters; the start tells the process for good."""
    stat = read_process_stat(FILES, os.getpid())
    assert stat is not None
    rows = (f"{os.getpid()} {comm}", "12/13 thread", "none")
    found = [*busy_games(FILES, rows, ("other", name))]
    assert found == ([(os.getpid(), str(stat.start_ticks), name)] if is_it else [])


def test_of_another_user_or_another_computer_it_is_none(tmp_path, monkeypatch):
    """Nor one that has ended meanwhile: the helper would only refuse it."""
    row = f"{os.getpid()} sim"
    assert [*busy_games(FakeRoot(tmp_path).files, (row,), ("sim",))] == []
    with living() as process:
        gone = process.pid
    assert [*busy_games(FILES, (f"{gone} sim",), ("sim",))] == []
    monkeypatch.setattr("os.getuid", lambda: 4711)
    assert [*busy_games(FILES, (row,), ("sim",))] == []
