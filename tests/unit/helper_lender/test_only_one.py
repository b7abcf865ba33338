# SPDX-License-Identifier: GPL-3.0-or-later
"""One lender for each bus, and a lock nowhere but in the user's own folder of the session."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from destutter_lender.only_one import OnlyOne, TakenError

HELPER = Path(__file__).resolve().parents[3] / "helper"
START = (
    "import sys; from destutter_lender.start import main\n"
    "status = main([]); print('dbus' in sys.modules, 'gi' in sys.modules); sys.exit(status)"
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A session's, with a folder of its own."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    address = f"unix:path={tmp_path}/bus"
    return {"XDG_RUNTIME_DIR": str(folder), "DBUS_SESSION_BUS_ADDRESS": address}


def is_free(environment: Mapping[str, str]) -> bool:
    """Whether another may be the one; it is not, after this."""
    try:
        OnlyOne(environment).release()
    except TakenError:
        return False
    return True


def test_l16_a_second_lender_ends_before_it_has_imported_anything(environment):
    """L16: with a status of its own and a line that says why."""
    one = OnlyOne(environment)
    command = ["/usr/bin/python3", "-c", START]
    values = {**environment, "PYTHONPATH": str(HELPER), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(command, env=values, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (3, "False False\n")
    assert ended.stderr == "destutter-lender: another one serves this bus\n"
    one.release()
    ended = subprocess.run(command, env=values, capture_output=True, text=True, check=False)
    assert ended.returncode == 1  # there is no bus


def test_l16_each_bus_has_its_own(environment):
    """L16: and whoever leaves lets the next one in."""
    one = OnlyOne(environment)
    assert not is_free(environment)
    assert is_free({**environment, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/another"})
    one.release()
    one.release()
    assert is_free(environment)


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_l16_where_others_may_write_no_file_is_made(environment, mode):
    """L16: somebody else could keep the lock."""
    folder = Path(environment["XDG_RUNTIME_DIR"])
    folder.chmod(mode)
    one = OnlyOne(environment)
    assert list(folder.iterdir()) == []
    one.release()


def test_l16_no_link_is_followed_and_no_other_place_taken(environment, tmp_path):
    """L16: neither a link to a folder nor one in the place of the file."""
    folder = Path(environment["XDG_RUNTIME_DIR"])
    OnlyOne(environment).release()
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    file.symlink_to(tmp_path / "victim")
    assert is_free(environment)
    assert not (tmp_path / "victim").exists()
    file.unlink()
    (tmp_path / "link").symlink_to(folder)
    for place in (str(tmp_path / "link"), str(tmp_path / "none"), "", "relative"):
        assert is_free({**environment, "XDG_RUNTIME_DIR": place})
    assert list(folder.iterdir()) == []


def test_l16_somebody_elses_folder_is_not_used(environment, monkeypatch):
    """L16: of the environment of another user's shell, say."""
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    OnlyOne(environment)
    assert list(Path(environment["XDG_RUNTIME_DIR"]).iterdir()) == []
