# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose process is whose, to the lender of an ordinary user (on a bus: tests/dbus)."""

import errno
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from destutter.sampling.files.process_files import parse_process_stat
from destutter.sampling.finding.process_finder import find_game
from destutter_helper.api import lending
from destutter_lender import files
from destutter_lender.files import Lender, Wanted
from destutter_lender.kept import TOLD_MAX, read_text
from tests.support.fake_root import FakeRoot, process_stat

USER = 65534 if os.getuid() == 0 else os.getuid()
GROUP = 65534 if os.getuid() == 0 else os.getgid()
QUIET = "import ctypes; assert ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0\n"  # PR_SET_DUMPABLE


def inner(pid: int) -> int:
    """The program that bubblewrap watches over."""
    while children := Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split():
        pid = int(children[0])
    return pid


@contextmanager
def program(first: str, *inside: str) -> Iterator[int]:
    """A program of the ordinary user's, inside of what ``inside`` makes; its process id."""
    code = f"{first}import time; print(flush=True); time.sleep(60)"
    command = [*inside, "/usr/bin/python3", "-c", code]
    if os.getuid() == 0:
        command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            os.kill(inner(process.pid), signal.SIGKILL)  # what watches over it ends with it


def outcome(pid: int, name: str) -> str:
    """What becomes of a file that the user asks for."""
    with closing(Lender(USER, gid=GROUP)) as lender:
        ((became, _),) = lender.tell([Wanted(pid, 0, name)])
    return became


def test_an_ordinary_program_is_its_users():
    """It is listed, and its files are lent."""
    with program("") as pid:
        assert pid in Lender(USER, gid=GROUP).tasks(0)
        assert outcome(pid, "stat") == outcome(pid, "status") == lending.TOLD


def test_l11_one_that_wants_not_to_be_looked_at_is_somebody_elses():
    """L11: such as an agent that holds keys. The folder in /proc is still its user's."""
    with program(QUIET) as pid:
        assert os.stat(f"/proc/{pid}").st_uid == USER
        assert pid not in Lender(USER, gid=GROUP).tasks(0)
        assert outcome(pid, "stat") == lending.GONE
        for ask in (Lender(USER, gid=GROUP).tasks, Lender(USER, gid=GROUP).program):
            assert ask(pid) == []
        assert outcome(pid, "comm") == lending.GONE


def own_root(pid: int) -> str:
    """What root of its user namespace is outside."""
    return Path(f"/proc/{pid}/uid_map").read_text("ascii").split()[1]


@pytest.mark.parametrize("first", ["", QUIET])
def test_l12_where_the_user_is_root_of_a_namespace_nothing_is_told(first):
    """L12: the kernel gives the files of what is not to be looked at to root of its namespace."""
    with program(first, "unshare", "-r") as pid:
        assert own_root(pid) == str(USER)
        assert os.stat(f"/proc/{pid}/stat").st_uid == USER
        assert pid not in Lender(USER, gid=GROUP).tasks(0)
        assert outcome(pid, "stat") == lending.GONE
        assert Lender(USER, gid=GROUP).program(pid) == []


def in_sandbox(*more: str) -> tuple[str, ...]:
    """As pressure-vessel and Flatpak start a game: a namespace in which the user is itself."""
    return "bwrap", "--unshare-user", "--ro-bind", "/", "/", *more, "--"


@pytest.mark.parametrize("more", [(), ("--dev", "/dev"), ("--unshare-pid",)])
def test_a_game_in_a_sandbox_of_steams_is_its_users(more):
    """It is in another user namespace, which has no root of the user's."""
    with program("", *in_sandbox(*more)) as first:
        pid = inner(first)
        assert os.readlink(f"/proc/{pid}/ns/user") != os.readlink("/proc/self/ns/user")
        assert pid in Lender(USER, gid=GROUP).tasks(0)
        assert outcome(pid, "stat") == outcome(pid, "status") == lending.TOLD


def test_l12_one_in_such_a_sandbox_that_wants_not_to_be_looked_at_is_not():
    """L12: there its files belong to nobody whom the user is."""
    with program(QUIET, *in_sandbox()) as first:
        pid = inner(first)
        assert pid not in Lender(USER, gid=GROUP).tasks(0)
        assert outcome(pid, "stat") == lending.GONE


def status(uids: Sequence[int], gids: Sequence[int] = (), rights: int = 0) -> str:
    """The lines of /proc/PID/status that are looked at; without ``gids`` our own group."""
    rows = ("Uid:", *uids), ("Gid:", *(gids or [os.getgid()] * 4)), ("CapPrm:", f"{rights:016x}")
    return "Name:\tx\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("which", range(4))
def test_l12_all_four_user_ids_must_be_the_users(tmp_path, which):
    """L12: the saved one, too: a program may become again what it was."""
    uids = [os.getuid()] * 4
    uids[which] += 1
    process = tmp_path / "200"
    (process / "ns").mkdir(parents=True)
    (process / "ns/user").symlink_to("/proc/self/ns/user")
    (process / "stat").write_text(process_stat(200, "game", arg_start=64, arg_end=69))
    (process / "cmdline").write_text("game\0")
    lender = Lender(os.getuid(), str(tmp_path))
    for ids, told in ((uids, []), ([os.getuid()] * 4, ["game"])):
        (process / "status").write_text(status(ids))
        assert lender.program(200) == told
    gids = [os.getgid()] * 4
    gids[which] += 1
    (process / "status").write_text(status([os.getuid()] * 4, gids))
    assert lender.program(200) == []
    (process / "status").write_text("Name:\tgame\n")
    assert lender.program(200) == []


def test_l13_of_somebody_elses_process_not_even_that_it_is_there_is_told():
    """L13: one answer for what is not there and for what is not the user's."""
    other = subprocess.Popen(["sleep", "60"]) if os.getuid() == 0 else None
    pid, nobody = (other.pid if other else 1), (1 << 31) - 1
    names = ("stat", "io", "comm", "fdinfo/1", "memory.stat")
    answers = [outcome(asked, name) for asked in (pid, nobody) for name in names]
    if other:
        other.kill()
        other.wait()
    assert answers[: len(answers) // 2] == answers[len(answers) // 2 :]


def test_a_thread_of_the_kernel_is_denied_what_is_not_lent_of_it():
    """It is in everybody's list: that it is there is no secret."""
    assert outcome(2, "stat") == lending.TOLD
    assert outcome(2, "status") == outcome(2, lending.THREADS) == lending.DENIED


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("umu-run --password=hunter2 game.exe", "umu-run"),
        ("heroic --type=utility --token=hunter2 --game=witcher3.exe", "heroic"),
        ("/opt/umu-run --x /home/a/hunter2 b.exe", "umu-run"),
        ("/opt/run /home/a/hunter2 b.exe", "run"),
        ("/opt/run C:\\hunter2 b.exe", "run"),
        ("/opt/run password=hunter2 b.exe", "run"),
        ("daemon\npassword=hunter2", "daemon"),
        ("daemon\tpassword=hunter2", "daemon"),
        ("Z:\\My Game.exe\r\nhunter2.exe", "My Game.exe"),
        ("daemon\u2028hunter2", "daemon"),
        ("daemon\x1bhunter2.exe", "daemon"),
        ("\u0130\u0130\u0130\u0130a.exe hunter2", "\u0130\u0130\u0130\u0130a.exe"),
        ("Z:\\\u0130\u0130 a.exe hunter2", "\u0130\u0130 a.exe"),
        ("Z:\\games\\My Game\\My Game.exe -windowed --token=hunter2", "My Game.exe"),
        ("C:\\Program Files\\X\\GAME.EXE", "GAME.EXE"),
        ("/home/a/My Games/b c.exe hunter2", "b c.exe"),
        ("game.exe hunter2.exe", "game.exe"),
        ("C:\\a\\prog.bat hunter2.exe", "prog.bat"),
        ("/usr/bin/start.sh hunter2.exe", "start.sh"),
        ("/usr/bin/prog x\\hunter2.exe", "prog"),
        ("/usr/bin/prog user\\hunter2 word.exe", "prog"),
        ("/usr/bin/game", "game"),
        ("", ""),
    ],
)
def test_l14_arguments_behind_a_name_are_not_told(first, told):
    """L14: whatever stands between; a name of Windows may have blanks, a command line has more."""
    assert files._program_name(first) == told


def test_l15_no_more_of_a_long_list_is_looked_at_than_is_told(monkeypatch):
    """L15: a program may have 500,000 descriptors; their list took 77 ms at each call."""
    looked_at: list[str] = []
    real = os.scandir

    def noted(entries: Iterator[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
        for entry in entries:
            looked_at.append(entry.name)
            yield entry

    @contextmanager
    def scandir(folder: int) -> Iterator[Iterator[os.DirEntry[str]]]:
        with real(folder) as entries:
            yield noted(entries)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(files, "_MOST_DESCRIPTORS", 5)
    monkeypatch.setattr(files, "_MOST_TASKS", 7)
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(20)]
    lender = Lender(os.getuid())
    lender.graphics(os.getpid())
    assert len(looked_at) == 5
    assert len(lender.tasks(0)) == 7
    for descriptor in opened:
        os.close(descriptor)
    with program(
        "import threading, time\nfor _ in range(9): threading.Thread("
        "target=time.sleep, args=(60,), daemon=True).start()\n"
    ) as pid:
        looked_at.clear()
        assert len(Lender(USER, gid=GROUP).tasks(pid)) == len(looked_at) == 7


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
    line = "\0".join([*words, ""])
    (process / "stat").write_text(process_stat(200, "reaper", arg_start=0, arg_end=len(line)))
    (process / "status").write_text(status([os.getuid()] * 4))
    (process / "ns").mkdir()
    (process / "ns/user").symlink_to("/proc/self/ns/user")
    (process / "cmdline").write_text(line)
    assert Lender(os.getuid(), str(tmp_path / "proc")).program(200) == told
    seen = FakeRoot(tmp_path / "seen", {"/proc/200/cmdline": "\0".join([*told, ""])})
    stats = {
        200: parse_process_stat("/p", process_stat(200, "reaper").encode()),
        201: parse_process_stat("/p", process_stat(201, "game", ppid=200, utime=9).encode()),
    }
    found = find_game(seen.files, stats, {}, 98_000)
    assert (found is not None) is (len(told) > 1)


def test_l28_a_title_that_fills_the_arguments_tells_nothing_of_the_environment():
    """L28: the kernel reads on behind it, up to the environment's first NUL."""
    fills = (
        "import ctypes\n"
        "fields = open('/proc/self/stat').read().rpartition(') ')[2].split()\n"
        "start, end = int(fields[45]), int(fields[46])\n"
        "ctypes.memset(start, ord('p'), end - start)\n"
    )
    with program(fills, "env", "-i", "P=/x/SECRET") as pid:
        assert b"SECRET" in Path(f"/proc/{pid}/cmdline").read_bytes()
        with closing(Lender(USER, gid=GROUP)) as lender:
            (name,) = lender.program(pid)
    assert set(name) == {"p"}


def test_l29_a_status_of_other_ids_than_the_processs_own_is_not_told(monkeypatch):
    """L29: read between two looks, while a program with more rights ran in its place."""
    asked = [Wanted(os.getpid(), 0, "status")]
    with closing(Lender(os.getuid())) as lender:
        assert lender.tell(asked)[0][0] == lending.TOLD
        root = status([os.getuid(), 4711, 4711, 4711])
        monkeypatch.setattr(lender.kept, "text", lambda _file, _opened: root)
        assert lender.tell(asked) == [(lending.GONE, "")]


def test_what_is_too_long_ends_with_a_whole_line(tmp_path):
    """Half a number would be another one: of a user with 250 groups, or of a long path."""
    file = tmp_path / "status"
    lines = [f"Line{number}:\t{10**9 + number}\n" for number in range(400)]
    file.write_text("".join(lines))
    descriptor = os.open(file, os.O_RDONLY)
    text = read_text(descriptor)
    os.close(descriptor)
    assert text == "".join(lines[: text.count("\n")])
    assert TOLD_MAX - 30 < len(text) <= TOLD_MAX


def test_without_descriptors_a_living_process_is_not_gone(monkeypatch):
    """That would be a game that has ended."""

    def none_left(*_arguments: object, **_more: object) -> int:
        raise OSError(errno.EMFILE, "too many")

    with closing(Lender(os.getuid())) as lender, monkeypatch.context() as patched:
        patched.setattr(os, "open", none_left)
        told = lender.tell([Wanted(os.getpid(), 0, "stat")])
    assert told == [(lending.DENIED, "")]
