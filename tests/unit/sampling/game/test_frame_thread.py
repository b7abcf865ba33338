# SPDX-License-Identifier: GPL-3.0-or-later
"""Which thread shows the frames of a game, by what each of them writes and how its log grows."""

import os
import shutil
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.frame_thread import FrameThread
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.watched_process import WatchedProcess

GAME, RENDER, SERVER = 4700, 4711, 4712
ROWS = 5400
"""Bytes of a second of 60 frames."""


class Threads:
    """A game with a log, and how much each of its threads has written."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.log = folder / "Game_2026-11-29_07-00-00.csv"
        self.log.write_bytes(b"")
        self.watch = WatchedProcess(GAME)
        self.frames = FrameThread(KernelFiles(folder), self.watch)
        self._written: dict[int, int] = {}
        for tid, name in ((GAME, "Game"), (RENDER, "RenderThread"), (SERVER, "Assets")):
            self.write(tid, 10_000_000)
            (self._task(tid) / "comm").write_text(f"{name}\n")

    def _task(self, tid: int) -> Path:
        folder = self.root / f"proc/{GAME}/task/{tid}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def write(self, tid: int, count: int) -> None:
        """A thread writes so much, wherever."""
        self._written[tid] = self._written.get(tid, 0) + count
        told = f"rchar: 5\nwchar: {self._written[tid]}\nsyscr: 1\nsyscw: 1\nread_bytes: 0\n"
        (self._task(tid) / "io").write_text(told)

    def open(self, name: str) -> None:
        """The game has this file open."""
        folder = self.root / f"proc/{GAME}/fd"
        folder.mkdir(exist_ok=True)
        (folder / "9").symlink_to(name)

    def end(self, tid: int) -> None:
        shutil.rmtree(self._task(tid))
        del self._written[tid]

    def second(self, rows: int = ROWS, **written: int) -> int | None:
        """A look, a second in which the log grows so much and these threads write, by name."""
        with self.log.open("ab") as log:
            log.write(b"x" * rows)
        for name, count in written.items():
            self.write({"main": GAME, "render": RENDER, "server": SERVER}[name], count)
        self.frames.look(self.log)
        return self.frames.tid


@pytest.fixture
def game(tmp_path: Path) -> Threads:
    """One that has just been looked at."""
    made = Threads(tmp_path)
    made.frames.look(made.log)
    return made


def test_who_writes_what_the_log_grows_by_shows_the_frames(game: Threads) -> None:
    """After three seconds in a row; until then nobody is known."""
    assert [game.second(render=ROWS) for _ in range(3)] == [None, None, RENDER]
    assert game.frames.label == f"{RENDER} RenderThread"


def test_the_main_thread_is_found_as_well(game: Threads) -> None:
    """Where that shows the frames, beside one that writes little."""
    assert [game.second(main=ROWS, render=90) for _ in range(3)][-1] == GAME


def test_to_the_byte_is_surer_than_more(game: Threads) -> None:
    """Wine's first thread writes to its server all the time; so may any other."""
    for _ in range(3):
        game.second(render=ROWS + 40, main=3 * ROWS, server=ROWS * 9)
    assert game.frames.tid == RENDER


def test_who_alone_writes_as_much_is_it_where_the_game_has_the_log_open(game: Threads) -> None:
    """It draws by the X server, and writes to that as well."""
    game.open(str(game.log))
    for _ in range(3):
        game.second(render=3 * ROWS, main=ROWS // 2)
    assert game.frames.tid == RENDER


def test_a_log_that_another_program_writes_is_of_no_thread(game: Threads) -> None:
    """Of a compositor, say: that a thread of the game writes more is chance."""
    game.open("/games/settings.csv")
    assert {game.second(render=3 * ROWS) for _ in range(40)} == {None}


def test_two_of_which_each_may_be_it_are_none(game: Threads) -> None:
    """To the byte, or both more than the log grew by."""
    assert {game.second(render=ROWS, main=ROWS) for _ in range(40)} == {None}
    assert {game.second(render=3 * ROWS, main=4 * ROWS) for _ in range(40)} == {None}


def test_one_that_writes_a_row_now_and_then_shows_none(game: Threads) -> None:
    """MangoHud's own, with an interval."""
    (game.root / f"proc/{GAME}/task/{RENDER}/comm").write_text("mangohud-log\n")
    assert {game.second(render=ROWS) for _ in range(9)} == {None}


def test_a_log_that_hardly_grows_tells_nothing(game: Threads) -> None:
    """A level that loads; what it grew by counts with the next frames."""
    assert {game.second(render=90, rows=90) for _ in range(20)} == {None}
    assert [game.second(render=ROWS) for _ in range(3)][-1] == RENDER


def test_once_sure_it_stays_until_another_one_is_as_sure(game: Threads) -> None:
    """Not lost in a second in which nobody can be told; a thread that took over is found."""
    for _ in range(3):
        game.second(render=ROWS)
    assert {game.second(render=ROWS, main=ROWS) for _ in range(60)} == {RENDER}
    told = [game.second(server=ROWS) for _ in range(60)]
    change = told.index(SERVER)
    assert told == [RENDER] * change + [SERVER] * (60 - change)
    assert change > 0


def test_one_that_has_ended_is_none_at_once(game: Threads) -> None:
    """And the next one is found without a rest."""
    for _ in range(3):
        game.second(render=ROWS)
    game.end(RENDER)
    told = [game.second(server=ROWS) for _ in range(4)]
    assert told == [None, None, None, SERVER]


def test_another_game_or_none_begins_anew(game: Threads) -> None:
    """What was known of the one before is nobody's."""
    for _ in range(3):
        game.second(render=ROWS)
    game.watch.pid = None
    assert game.second() is None
    assert game.frames.label == ""


def test_a_log_that_begins_anew_is_followed_on(game: Threads) -> None:
    """The game was started again, or its logging."""
    for _ in range(2):
        game.second(render=ROWS)
    game.log.write_bytes(b"")
    game.frames.look(game.log)
    assert game.second(render=ROWS) == RENDER


def test_of_very_many_threads_those_are_asked_that_work(tmp_path: Path) -> None:
    """A file each costs 10 us, and through a sandbox's lender forty times that."""
    threads = GameThreads()
    threads.begin(GAME)
    for second in (1, 2):
        run = {RENDER: second * 10**8, GAME: 5}
        threads.note(second * 10**9, {RENDER: "RenderThread", GAME: "Game"}, run)
    game = Threads(tmp_path)
    for tid in range(5000, 5100):
        game.write(tid, 0)
    game.frames = FrameThread(KernelFiles(tmp_path), game.watch, threads)
    game.frames.look(game.log)
    counts = game.frames._counts(GAME, game.log)
    assert counts is not None
    assert [*counts.written] == [RENDER]
    assert [game.second(render=ROWS) for _ in range(3)][-1] == RENDER


def test_without_a_log_or_its_game_nothing_is_known(game: Threads) -> None:
    """No log is followed, or it is gone."""
    for log in (None, game.root / "gone.csv"):
        for _ in range(5):
            game.frames.look(log)
    assert game.frames.tid is None


seconds = st.lists(
    st.tuples(st.integers(1, 9000), st.integers(0, 30_000), st.integers(0, 30_000)),
    min_size=1,
    max_size=30,
)


@given(seconds, st.integers(0, 30))
def test_what_others_write_never_makes_one_of_them_the_frames_own(
    times: list[tuple[int, int, int]], beside: int
) -> None:
    """Whatever it is, where it is not what the log grew by each time."""
    with TemporaryDirectory() as folder:
        game = Threads(Path(folder))
        game.open(str(game.log))
        game.frames.look(game.log)
        told = {
            game.second(rows, render=rows + beside, main=main, server=server)
            for rows, main, server in times
            if main < rows - 600 or main > 2 * rows + 1200
        }
    assert told <= {None, RENDER, SERVER}
    if all(server < rows - 600 for rows, _, server in times):
        assert told <= {None, RENDER}


def test_this_kernel_counts_so_by_thread(tmp_path: Path) -> None:
    """A real thread that writes a real log beside one that writes elsewhere."""
    log, other = tmp_path / "log.csv", tmp_path / "other"
    frames = FrameThread(KernelFiles(), WatchedProcess(os.getpid()))
    turn, done = threading.Barrier(3), threading.Event()

    def write(path: Path, count: int) -> None:
        with path.open("wb", buffering=0) as file:
            while True:
                turn.wait()
                if done.is_set():
                    return
                file.write(b"x" * count)
                turn.wait()

    threads = [
        threading.Thread(target=write, args=each) for each in ((log, ROWS), (other, 2 * ROWS))
    ]
    for each in threads:
        each.start()
    try:
        for _ in range(5):
            turn.wait()
            turn.wait()
            frames.look(log)
    finally:
        done.set()
        turn.wait()
        for each in threads:
            each.join()
    assert frames.tid == threads[0].native_id
