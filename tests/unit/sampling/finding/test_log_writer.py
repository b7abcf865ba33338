# SPDX-License-Identifier: GPL-3.0-or-later
"""Who writes the frame log that grows is the game, whoever started it."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import Facts, Frames
from destutter.sampling.finding.frame_logs import FrameLogFinder
from destutter.sampling.finding.log_writer import LogWriterFinder, is_named_after
from destutter.sampling.sampler import Sampler, SamplerOptions
from tests.support.fake_root import FakeRoot

HEAD = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,x,y,1,6.18,z,powersave\n"
LOG = HEAD + "fps,frametime,elapsed\n60,16.7,1000000\n"
NAME = "SkyHarvest_2026-11-28_14-30-00.csv"
PID = 4711
# A log of the same name at another path counts where nobody has this one open: two of these tests
# at once found each other's.
pytestmark = pytest.mark.xdist_group("writers of frame logs")
# Names itself as a game does and writes a row for each line it is told.
GAME = """
import pathlib, sys
pathlib.Path("/proc/self/comm").write_text(sys.argv[2])
log = open(sys.argv[1], "a", buffering=1)
log.write(sys.argv[3])
print(flush=True)
for line in sys.stdin:
    log.write("60,16.7,%s" % line)
    print(flush=True)
"""


@contextmanager
def game(log, name="SkyHarvest"):
    """A real process that writes a real log."""
    with subprocess.Popen(
        [sys.executable, "-c", GAME, log, name, LOG],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.stdin.close()


@pytest.fixture
def root(tmp_path):
    """Another computer, with nobody on it."""
    (tmp_path / "root").mkdir()
    return FakeRoot(tmp_path / "root", {})


def put(root, pid, name, ticks, user=None):
    """A process as a sandbox is lent it: without what it has open."""
    root.put_process(pid, name, utime=ticks)
    owner = os.getuid() if user is None else user
    root.put(f"/proc/{pid}/status", f"Name:\t{name}\nUid:\t{owner}\t{owner}\t{owner}\t{owner}\n")


@pytest.mark.parametrize("name", ["SkyHarvest", "GameThread"])
def test_whoever_has_the_log_open_is_the_game(tmp_path, name):
    """Also where its main thread took a name of its own."""
    with game(tmp_path / NAME, name) as process:
        assert LogWriterFinder(KernelFiles(), [tmp_path]).look() == process.pid
    assert LogWriterFinder(KernelFiles(), [tmp_path]).look() is None


def test_a_log_of_the_same_name_elsewhere_is_another(tmp_path):
    """Two players of one computer, or two copies of a folder; the other one is busier."""
    (tmp_path / "other").mkdir()
    with (
        game(tmp_path / "other" / NAME) as other,
        game(tmp_path / NAME, "GameThread") as process,
    ):
        other.stdin.write("1\n" * 20_000)
        other.stdin.flush()
        assert LogWriterFinder(KernelFiles(), [tmp_path]).look() == process.pid


def test_whoever_only_reads_the_log_is_no_game(tmp_path):
    """This program does, and so does "tail -f"."""
    log = tmp_path / NAME
    log.write_text(LOG)
    with log.open():
        assert LogWriterFinder(KernelFiles(), [tmp_path]).look() is None


def test_a_log_that_grows_no_more_tells_of_nobody(tmp_path):
    """A game that has its log open, and stopped writing it an hour ago."""
    with game(tmp_path / NAME):
        late = LogWriterFinder(KernelFiles(), [tmp_path], lambda: time.time() + 3600)
        assert late.look() is None


def test_the_sampler_watches_the_writer_at_once_with_its_frames(tmp_path):
    """No search of twenty seconds, no launcher that is known; two looks beside the ticks."""
    options = SamplerOptions(may_listen=True, log_folder=tmp_path)
    sampler = Sampler(KernelFiles(), options)
    try:
        sampler.begin(time.time())
        with game(tmp_path / NAME) as process:
            told = []
            for row in range(4):
                sampler.slow.run_due()
                process.stdin.write(f"{20_000_000 * row + 1_016_700_000}\n")
                process.stdin.flush()
                process.stdout.readline()
                told += sampler.tick(time.monotonic_ns())
            facts = {k: v for m in told if isinstance(m, Facts) for k, v in m.facts.items()}
            assert facts["game.pid"] == str(process.pid)
            assert facts["game.found_as"] == "frame log"
            assert sampler._followed == (process.pid, tmp_path / NAME)
            assert [m for m in told if isinstance(m, Frames)]
    finally:
        sampler.close()


def found_for(finder, pid):
    """The log of this game."""
    finder.look(pid)
    return finder.found


def test_the_log_of_another_game_is_not_this_ones(tmp_path):
    """Both write into the folder of Destutter, this one after the other."""
    finder = FrameLogFinder(KernelFiles(), tmp_path)
    own = tmp_path / "Lark_2026-11-28_14-20-00.csv"
    (tmp_path / "old").mkdir()
    with game(tmp_path / NAME) as other:
        with game(tmp_path / "old" / NAME, "Lark") as process:
            assert found_for(finder, process.pid) is None
        with game(own, "Lark") as process:
            os.utime(own, (time.time() - 5, time.time() - 5))
            assert found_for(finder, process.pid) == (process.pid, own)
        assert found_for(finder, other.pid) == (other.pid, tmp_path / NAME)


def test_what_a_program_writes_that_the_game_has_started_is_the_games(tmp_path):
    """As where a launcher is taken for the game."""
    finder = FrameLogFinder(KernelFiles(), tmp_path)
    with game(tmp_path / NAME):
        finder.look(os.getpid())
        assert finder.found == (os.getpid(), tmp_path / NAME)


@pytest.mark.parametrize("found_as", ["simulator", "chosen"])
def test_the_game_that_was_guessed_gives_way_to_who_writes_a_log(tmp_path, found_as):
    """It told no frames; one that somebody chose stays."""
    sampler = Sampler(KernelFiles(), SamplerOptions(may_listen=True, log_folder=tmp_path))
    try:
        sampler.begin(time.time())
        if found_as == "chosen":
            sampler.watch(os.getppid())
        else:
            sampler._game.offer(os.getppid(), found_as)
        told = [*sampler.tick(time.monotonic_ns())]
        with game(tmp_path / NAME) as process:
            for _ in range(3):
                sampler.slow.run_due()
                told += sampler.tick(time.monotonic_ns())
            pids = [
                m.facts["game.pid"] for m in told if isinstance(m, Facts) and "game.pid" in m.facts
            ]
            others = [str(process.pid)] if found_as == "simulator" else []
            assert pids == [str(os.getppid()), *others]
    finally:
        sampler.close()


def test_where_a_sandbox_hides_what_is_open_the_name_and_work_tell(root, tmp_path):
    """Two looks: one that has the name and does nothing is a launcher that waits."""
    (tmp_path / NAME).write_text(LOG)
    finder = LogWriterFinder(root.files, [tmp_path])
    put(root, PID, "SkyHarvest", 10)
    put(root, 9, "SkyHarvest", 900)
    put(root, 10, "sky", 10)
    assert finder.look() is None
    put(root, PID, "SkyHarvest", 40)
    put(root, 10, "sky", 900)
    assert finder.look() == PID


def test_a_program_of_another_user_is_not_taken(root, tmp_path):
    """Its name is nobody's property."""
    (tmp_path / NAME).write_text(LOG)
    finder = LogWriterFinder(root.files, [tmp_path])
    for ticks in (10, 50):
        put(root, PID, "SkyHarvest", ticks, user=os.getuid() + 1)
        assert finder.look() is None


@pytest.mark.parametrize(
    ("log", "name", "is_its"),
    [
        (NAME, "SkyHarvest", True),
        ("FlightSimulator_2026-11-28_14-30-00.csv", "FlightSimulator", True),
        ("FlightSimulator2024_2026-11-28_14-30-00.csv", "FlightSimulator", True),
        ("DCS_2026-11-28_14-30-00.csv", "DCS.exe", True),
        ("X-Plane-x86_64_2026-11-28_14-30-00.csv", "X-Plane-x86_64", True),
        ("my_game.csv", "my_game", True),
        (NAME, "Sky", False),
        (NAME, "SkyHarvestServe", False),
    ],
)
def test_a_log_is_named_after_its_program(log, name, is_its):
    """Cut at fifteen letters by the kernel, and without the ending of Windows' programs."""
    assert is_named_after(Path(log), name) is is_its
