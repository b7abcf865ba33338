# SPDX-License-Identifier: GPL-3.0-or-later
"""Which version of a game runs."""

import os

import pytest

from destutter.sampling.finding.game_version import game_version
from tests.support.fake_root import FakeRoot

MANIFEST = '"AppState"\n{\n\t"appid"\t\t"42"\n\t"installdir"\t\t"Flight"\n\t"buildid"\t"777"\n}\n'


@pytest.fixture
def root(tmp_path):
    """A library of Steam's with two games."""
    made = FakeRoot(tmp_path)
    made.put("/games/steamapps/appmanifest_41.acf", MANIFEST.replace("Flight", "Other"))
    made.put("/games/steamapps/appmanifest_42.acf", MANIFEST.replace("777", "778"))
    made.put("/opt/sim/sim", "x" * 1234)
    return made


def _run(tmp_path, pid, program, folder):
    os.makedirs(tmp_path / f"proc/{pid}", exist_ok=True)
    os.symlink(program, tmp_path / f"proc/{pid}/exe")
    os.symlink(folder, tmp_path / f"proc/{pid}/cwd")


def test_steam_knows_the_build_of_its_games(root, tmp_path):
    """By the folder of the program, or of a Windows program's working directory."""
    _run(tmp_path, 1, "/games/steamapps/common/Flight/bin/game", "/")
    _run(tmp_path, 2, "/proton/wine64", "/games/steamapps/common/Flight/bin")
    assert game_version(root.files, 1) == "Steam build 778"
    assert game_version(root.files, 2) == "Steam build 778"


def test_other_games_have_the_length_of_their_program(root, tmp_path):
    """Wine's loader, a program that is gone, and no process at all tell nothing."""
    _run(tmp_path, 1, "/opt/sim/sim", "/")
    _run(tmp_path, 2, "/proton/wine64-preloader", "/")
    _run(tmp_path, 3, "/opt/gone", "/")
    assert game_version(root.files, 1) == "program of 1234 bytes"
    assert [game_version(root.files, pid) for pid in (2, 3, 4)] == ["", "", ""]
