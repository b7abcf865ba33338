# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose process is whose, to the lender of an ordinary user (on a bus: tests/dbus)."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from destutter.sampling.files.process_files import parse_process_stat
from destutter.sampling.finding.process_finder import find_game
from destutter_helper.api import lending
from destutter_lender.files import Lender, Wanted
from tests.support.fake_root import FakeRoot, process_stat

USER = 65534 if os.getuid() == 0 else os.getuid()
QUIET = "import ctypes; assert ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0\n"  # PR_SET_DUMPABLE


@contextmanager
def program(first: str) -> Iterator[int]:
    """A program of the ordinary user's; its process id."""
    command = ["/usr/bin/python3", "-c", f"{first}import time; print(flush=True); time.sleep(60)"]
    if os.getuid() == 0:
        command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def outcome(pid: int, name: str) -> str:
    """What becomes of a file that the user asks for."""
    ((became, _),) = Lender(USER).tell([Wanted(pid, 0, name)])
    return became


def test_an_ordinary_program_is_its_users():
    """It is listed, and its files are lent."""
    with program("") as pid:
        assert pid in Lender(USER).tasks(0)
        assert outcome(pid, "stat") == outcome(pid, "status") == lending.TOLD


def test_l11_one_that_wants_not_to_be_looked_at_is_somebody_elses():
    """L11: such as an agent that holds keys. The folder in /proc is still its user's."""
    with program(QUIET) as pid:
        assert os.stat(f"/proc/{pid}").st_uid == USER
        assert pid not in Lender(USER).tasks(0)
        assert outcome(pid, "stat") == lending.DENIED
        for ask in (Lender(USER).tasks, Lender(USER).program):
            assert ask(pid) == []
        assert outcome(pid, "comm") == lending.DENIED


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("reaper", "SteamLaunch", "AppId=1086940", "--", "game"), ["reaper", "AppId=1086940"]),
        (("reaper", "SteamLaunch", "--", "game", "AppId=1"), ["reaper"]),
    ],
)
def test_of_a_command_line_is_told_what_a_game_is_found_by(tmp_path, words, told):
    """Where Steam puts its number; what the game itself is started with stays its own."""
    process = tmp_path / "proc" / "200"
    process.mkdir(parents=True)
    (process / "stat").write_text(process_stat(200, "reaper"))
    (process / "cmdline").write_text("\0".join([*words, ""]))
    assert Lender(os.getuid(), str(tmp_path / "proc")).program(200) == told
    seen = FakeRoot(tmp_path / "seen", {"/proc/200/cmdline": "\0".join([*told, ""])})
    stats = {
        200: parse_process_stat("/p", process_stat(200, "reaper").encode()),
        201: parse_process_stat("/p", process_stat(201, "game", ppid=200, utime=9).encode()),
    }
    found = find_game(seen.files, stats, {}, 100_000, 100)
    assert (found is not None) is (len(told) > 1)
