# SPDX-License-Identifier: GPL-3.0-or-later
"""MangoHud's log of a game, found by what the game was started with."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.finding.frame_logs import FrameLogFinder, is_frame_log, log_folders
from tests.support.fake_root import FakeRoot

HEAD = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,x,y,1,6.18,z,powersave\n"
LOG = HEAD + "fps,frametime,elapsed\n60,16.7,1000000\n"
PID = 4711


@pytest.fixture
def home(tmp_path):
    """The home of whoever plays."""
    made = tmp_path / "home"
    made.mkdir()
    return made


class Finder:
    """A finder beside a process whose environment a test gives."""

    def __init__(self, folder, own=None):
        self.root = FakeRoot(folder, {})
        self.now_s = time.time()
        self.finder = FrameLogFinder(self.root.files, own, lambda: self.now_s)

    def look(self, *, pid=PID, **environ):
        """What is found for a game that was started with this."""
        text = "".join(f"{name}={value}\0" for name, value in environ.items())
        self.root.put(f"/proc/{pid}/environ", text)
        self.root.put(f"/proc/{pid}/cmdline", "/opt/games/Sky Lark.exe\0--full\0")
        self.finder.look(pid)
        return self.finder.found


@pytest.fixture
def finder(tmp_path):
    """On a computer without anything."""
    (tmp_path / "root").mkdir()
    return Finder(tmp_path / "root")


def write(path, text=LOG):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_folder_of_the_launch_options_is_looked_into(finder, home):
    """As Steam hands them on; what is set last counts, as MangoHud has it."""
    log = write(home / "logs/game_2026-11-27_12-00-00.csv")
    settings = f"output_folder=/elsewhere,autostart_log=1,output_folder={log.parent}"
    assert finder.look(MANGOHUD_CONFIG=settings, HOME=str(home)) == (PID, log)


@pytest.mark.parametrize(
    ("config", "folder"),
    [
        (".config/MangoHud/MangoHud.conf", "~/logs"),
        (".config/MangoHud/Sky Lark.exe.conf", "$HOME/logs"),
        (".config/MangoHud/wine-Sky Lark.conf", "${HOME}/logs"),
    ],
)
def test_the_folder_of_mangohuds_own_settings_is_looked_into(finder, home, config, folder):
    """Those of all programs, and those of the one that is played, also under Wine."""
    log = write(home / "logs/game.csv")
    write(home / config, f"# a comment\nfps\noutput_folder = {folder} \n")
    assert finder.look(HOME=str(home)) == (PID, log)


def test_a_file_of_settings_that_is_named_is_read(finder, home, tmp_path):
    """MANGOHUD_CONFIGFILE, and another folder of settings."""
    log = write(home / "logs/game.csv")
    file = write(tmp_path / "mine.conf", f"output_folder={log.parent}\n")
    assert finder.look(MANGOHUD_CONFIGFILE=str(file)) == (PID, log)
    write(tmp_path / "xdg/MangoHud/MangoHud.conf", f"output_folder={log.parent}\n")
    assert finder.look(pid=9, XDG_CONFIG_HOME=str(tmp_path / "xdg")) == (9, log)


def test_without_any_setting_it_is_the_home(finder, home):
    """MangoHud's own choice then."""
    log = write(home / "game.csv")
    assert finder.look(HOME=str(home)) == (PID, log)


def test_our_own_folder_is_looked_into_whatever_can_be_seen_of_the_game(tmp_path, home):
    """A sandbox hides what the game was started with."""
    (tmp_path / "root").mkdir()
    log = write(home / "own/game.csv")
    finder = Finder(tmp_path / "root", log.parent)
    finder.finder.look(PID)
    assert finder.finder.found == (PID, log)


def test_what_is_not_being_written_is_no_log_of_this_game(finder, home):
    """That of yesterday, a summary, a table of something else, one that has no header yet."""
    old = write(home / "old.csv")
    os.utime(old, (finder.now_s - 60, finder.now_s - 60))
    write(home / "game_summary.csv")
    write(home / "taxes.csv", "month,sum\n1,2\n" * 100)
    write(home / "empty.csv", "")
    (home / "folder.csv").mkdir()
    os.mkfifo(home / "pipe.csv")
    assert finder.look(HOME=str(home)) is None


def test_the_newest_of_several_is_followed_and_a_new_one_noticed(finder, home):
    """As when logging is switched off and on in the game; names say nothing."""
    first = write(home / "z.csv")
    os.utime(first, (finder.now_s - 5, finder.now_s - 5))
    assert finder.look(HOME=str(home)) == (PID, first)
    second = write(home / "a.csv")
    assert finder.look(HOME=str(home)) == (PID, second)


def test_a_log_that_goes_on_after_a_pause_is_noticed(finder, home):
    """Its folder does not change when a file in it grows."""
    log = write(home / "game.csv")
    os.utime(log, (finder.now_s - 60, finder.now_s - 60))
    assert finder.look(HOME=str(home)) is None
    os.utime(log, (finder.now_s + 11, finder.now_s + 11))
    finder.now_s += 11
    assert finder.look(HOME=str(home)) == (PID, log)


def test_the_log_of_a_game_is_forgotten_with_it(finder, home):
    """The next one has its own."""
    log = write(home / "game.csv")
    assert finder.look(HOME=str(home)) == (PID, log)
    finder.finder.look(None)
    assert finder.finder.found is None
    assert finder.look(pid=9, HOME="/nowhere") is None


def test_a_real_process_is_found_out_about(home):
    """/proc of this computer; a process of another user would hide it."""
    log = write(home / "logs/game.csv")
    environ = {"MANGOHUD_CONFIG": f"output_folder={log.parent}"}
    code = "import sys; sys.stdout.write('.'); sys.stdout.flush(); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as game:
        assert game.stdout is not None
        assert game.stdin is not None
        game.stdout.read(1)
        finder = FrameLogFinder(KernelFiles(), None)
        finder.look(game.pid)
        assert finder.found == (game.pid, log)
        game.stdin.close()


@given(
    st.dictionaries(
        st.sampled_from(["MANGOHUD_CONFIG", "MANGOHUD_CONFIGFILE", "HOME", "XDG_CONFIG_HOME"]),
        st.text("/~$={}aHOME,.\0\n", max_size=40),
    ),
    st.text(max_size=20),
)
def test_any_environment_gives_absolute_folders(environ, program):
    """Whatever a launcher has put there."""
    assert all(str(each).startswith("/") for each in log_folders(environ, program))


@given(st.binary(max_size=400))
def test_any_file_is_a_log_or_none(tmp_path_factory, data):
    """No error leaves the look at it."""
    path = Path(tmp_path_factory.getbasetemp()) / "any.csv"
    path.write_bytes(data)
    assert is_frame_log(path) in (True, False)
    path.write_bytes(LOG.encode() + data)
    assert is_frame_log(path)
