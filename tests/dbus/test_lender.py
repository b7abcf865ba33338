# SPDX-License-Identifier: GPL-3.0-or-later
"""The real lender on a real bus: what a window in a sandbox gets, and what nobody gets.

Attacks on it have the numbers L1 onwards in SECURITY.md.
"""

import fcntl
import json
import os
import re
import select
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from destutter.core import lender_client
from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.core.lender_client import LenderClient
from destutter.core.lent_files import LentFiles
from destutter_helper.api import lending
from destutter_lender.stat_line import without_addresses
from tests.support.bus_kit import eventually
from tests.support.lending import lending_bus, sandboxed

KERNEL_DAEMON = 2  # kthreadd


@pytest.fixture
def address(program: Path, tmp_path: Path) -> Iterator[str]:
    """Start a bus; the lender comes with the first call."""
    with lending_bus(program.parents[3], tmp_path) as bus:
        yield bus


@pytest.fixture
def lent(address: str) -> Iterator[LentFiles]:
    """Give the files as a sandbox gets them."""
    client = LenderClient(address)
    yield LentFiles(client)
    client.close()


@pytest.fixture
def caller(address: str) -> Iterator[BusCaller]:
    """Connect as somebody who says what it likes."""
    caller = BusCaller(address, takes_descriptors=True)
    yield caller
    caller.close()


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[str]]:
    """Run a program with two threads and an open file, and a secret in its arguments."""
    code = (
        "import threading, time\n"
        "file = open('/etc/passwd')\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "AppId=4711", "--password=hunter2"],
        stdout=subprocess.PIPE,
        text=True,
        env={"SECRET": "in the environment"},
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


@dataclass
class Channel:
    """Both ends that a caller has of one."""

    requests: int
    answers: int

    def ask(self, text: bytes) -> bytes:
        """The answer to a request."""
        os.write(self.requests, text)
        assert select.select([self.answers], [], [], 10)[0]
        return os.read(self.answers, 1 << 18)

    def close(self) -> None:
        """Leave it."""
        os.close(self.requests)
        os.close(self.answers)


def channel_of(caller: BusCaller) -> Channel:
    """A new channel."""
    where = lending.BUS_NAME, lending.OBJECT_PATH, (lending.INTERFACE, "OpenChannel")
    return Channel(*caller.call(*where)[0])


@pytest.fixture
def channel(caller: BusCaller) -> Iterator[Channel]:
    """One that stays."""
    made = channel_of(caller)
    yield made
    made.close()


def told_on_channel(caller: BusCaller, rows: object) -> list[list[str]]:
    """What is answered to one request."""
    channel = channel_of(caller)
    answer: list[list[str]] = json.loads(channel.ask(json.dumps(rows).encode()))
    channel.close()
    return answer


def ask(caller: BusCaller, *rows: object) -> list[str]:
    """Ask for files; what became of each."""
    return [outcome for outcome, _ in told_on_channel(caller, rows)]


def refusal(caller: BusCaller, *arguments: object, member: str, types: str = "s") -> str:
    """The name of the error that a call gets."""
    with pytest.raises(BusCallError) as caught:
        caller.call(
            lending.BUS_NAME, lending.OBJECT_PATH, (lending.INTERFACE, member), types, arguments
        )
    return caught.value.name.removeprefix(lending.ERROR_PREFIX)


def test_a_lender_is_waited_for_while_the_bus_starts_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first question has the time of a slow start; the later ones, in ticks, have not."""
    monkeypatch.setattr(lender_client, "_TIMEOUT_S", 0.001)  # no program starts in that
    client = LenderClient(address)
    assert client.is_there()
    client.close()


def as_told(path: str, data: bytes | None) -> bytes | None:
    """What the lender tells of it (without addresses: tests/unit/helper_lender)."""
    if data is None or not path.endswith("/stat"):
        return data
    return without_addresses(data.decode()).encode()


def test_what_is_lent_is_what_stands_there(lent, busy):
    """Every file of the lists reads as it does outside of the sandbox."""
    here = KernelFiles()
    pid = busy.pid
    tids = here.list_names(f"/proc/{pid}/task")
    assert lent.list_names(f"/proc/{pid}/task") == tids
    assert str(pid) in lent.list_names("/proc")
    for name in sorted(lending.PROCESS_FILES - {"schedstat"}):
        path = f"/proc/{pid}/{name}"
        assert lent.read_bytes(path) == as_told(path, here.read_bytes(path))
    for tid in tids:
        for name in sorted(lending.THREAD_FILES - {"schedstat"}):
            path = f"/proc/{pid}/task/{tid}/{name}"
            assert lent.read_bytes(path) == as_told(path, here.read_bytes(path))
    assert len(lent.read_bytes(f"/proc/{pid}/schedstat").split()) == 3


def test_files_of_the_whole_computer_are_its_own(lent):
    """Settings and what a sandbox sees itself: the same as without a lender."""
    here = KernelFiles()
    for path in sorted(lending.SETTINGS):
        assert lent.read_bytes(path) == here.read_bytes(path), path
        assert lent.exists(path) == here.exists(path)
    assert lent.read_bytes("/proc/cmdline") == here.read_bytes("/proc/cmdline")
    assert lent.list_names("/proc/pressure") == here.list_names("/proc/pressure")
    assert lent.read_bytes("/sys/kernel/vmcoreinfo") is None


def test_control_groups_are_asked_for_by_a_member(lent, busy):
    """The group of the game, wherever this computer keeps it; no other group."""
    lines = lent.read_bytes(f"/proc/{busy.pid}/cgroup").decode().splitlines()
    found = 0
    for line in lines:
        _, trees, group = line.split(":", 2)
        for tree in trees.split(","):
            for name in lending.GROUP_FILES:
                of_tree, _, file = name.rpartition(":")
                path = f"/sys/fs/cgroup/{tree}{group}/{file}".replace("//", "/")
                if of_tree == tree and group != "/" and os.path.exists(path):
                    # Pressure and use change between two readings; that it is the file is enough.
                    assert lent.read_bytes(path) is not None, path
                    found += 1
    assert found or all(line.endswith(":/") for line in lines)
    assert lent.read_bytes("/sys/fs/cgroup/system.slice/memory.stat") is None


def test_a_thread_of_the_kernel_is_seen(lent):
    """Its name and its time: kswapd is nobody's secret."""
    data = lent.read_bytes(f"/proc/{KERNEL_DAEMON}/stat")
    assert data.startswith(b"2 (kthreadd)")
    if os.getuid():  # to root it may be one of its own
        with pytest.raises(KernelFileDeniedError):
            lent.read_bytes(f"/proc/{KERNEL_DAEMON}/io")


def test_the_name_of_a_program_is_all_of_its_arguments_that_is_told(lent, busy):
    """L3: passwords, paths and the environment stay outside."""
    words = lent.read_bytes(f"/proc/{busy.pid}/cmdline").decode().split("\0")
    assert re.fullmatch(r"python[0-9.]*", words[0])
    assert words[1:] == ["AppId=4711", ""]
    for name in ("environ", "maps", "mem", "exe", "cwd", "root", "attr/current"):
        assert lent.read_bytes(f"/proc/{busy.pid}/{name}") is None
    with pytest.raises(KernelFileDeniedError):
        lent.read_bytes(f"/proc/{busy.pid}/fdinfo/3")  # of a file of the user's, not of a card
    assert lent.read_link(f"/proc/{busy.pid}/exe") is None
    assert lent.list_names(f"/proc/{busy.pid}/fd") == []


def test_l1_no_other_file_is_lent(caller, busy):
    """L1: only names of the lists exist, whatever they are written like."""
    names = [
        *("environ", "maps", "cmdline", "mem", "exe", "cwd", "root", "fd", "task/", "ns/pid", ""),
        *("../1/stat", "./stat", "task/../stat", "stat\0", "/proc/1/stat", "fdinfo/../stat"),
        *(
            "fdinfo/",
            "fdinfo/-1",
            "fdinfo/¹",
            "fd/0",
            "net/unix",
            "attr/current",
            "x" * 90,
        ),
    ]
    for name in names:
        rows = [[busy.pid, 0, name], [busy.pid, busy.pid, name], [0, 0, name]]
        assert told_on_channel(caller, rows) == [[lending.UNKNOWN, ""]] * 3, name


def test_l1_of_the_threads_their_numbers_are_told(caller, busy):
    """L1: of the user's own process, and not for a thread."""
    rows = [[busy.pid, 0, "task"], [busy.pid, busy.pid, "task"], [0, 0, "task"]]
    own, of_thread, of_none = told_on_channel(caller, rows)
    assert own[0] == lending.TOLD
    assert str(busy.pid) in own[1].split()
    assert of_thread == of_none == [lending.UNKNOWN, ""]


def test_l2_files_of_others_are_not_lent(caller):
    """L2: another user's process, and one that runs with more rights than its user has."""
    command = ["sleep", "60"]
    if os.getuid() == 0:
        command = ["setpriv", "--reuid=65534", "--clear-groups", *command]
        stranger = subprocess.Popen(command)
        pid = stranger.pid
        deadline = time.monotonic() + 10
        while os.stat(f"/proc/{pid}").st_uid != 65534 and time.monotonic() < deadline:
            time.sleep(0.01)
    else:
        stranger, pid = subprocess.Popen(command), 1
    try:
        wanted = [[pid, 0, "stat"], [pid, 0, "cgroup"], [pid, pid, "stat"], [pid, pid, "status"]]
        assert ask(caller, *wanted) == [lending.GONE] * 4  # not even that it is there
        told = [[pid, 0, "io"], [pid, pid, "wchan"], [pid, 0, "memory.stat"], [pid, 0, "fdinfo/1"]]
        assert told_on_channel(caller, told) == [[lending.GONE, ""]] * 4
    finally:
        stranger.kill()
        stranger.wait()


def test_l4_a_process_that_ended_is_gone(lent, busy):
    """L4: a process id that is used again leads nowhere: a process is opened as a folder first."""
    assert lent.read_bytes(f"/proc/{busy.pid}/stat")
    os.kill(busy.pid, signal.SIGKILL)
    busy.wait()
    assert lent.read_bytes(f"/proc/{busy.pid}/stat") is None


def test_l5_nothing_that_is_handed_over_leads_out_of_the_sandbox(caller):
    """L5: two pipes, and no descriptor of a file or a folder by any method."""
    assert [name for name, (_, gives) in lending.METHODS.items() if "h" in gives] == [
        "OpenChannel"
    ]
    channel = channel_of(caller)
    for descriptor in (channel.requests, channel.answers):
        assert stat.S_ISFIFO(os.fstat(descriptor).st_mode)
        with pytest.raises(NotADirectoryError):
            os.open("..", os.O_RDONLY, dir_fd=descriptor)
    channel.close()


def test_l6_requests_that_make_no_sense_are_answered_with_null(caller):
    """L6: without a trace of the lender's insides, and the channel goes on."""
    channel = channel_of(caller)
    texts = [
        *("{", "null", "[]", "{}", "[1]", "[[1,2]]", '[["1",0,"stat"]]', '[[1.5,0,"stat"]]'),
        *('[[-1,0,"stat"]]', '[[true,0,"stat"]]', '[[1,0,["stat"]]]', "[" * 4000, "9" * 4000),
        '[[99999999999999999999,0,"stat"]]',
        json.dumps([[1, 0, "stat"]] * (lending.FILES_MAX + 1)),
    ]
    for text in texts:
        assert channel.ask(text.encode()) == b"null\n", text
    channel.close()


def test_l6_calls_of_another_form_are_refused(caller):
    """L6: another type, another method, another path."""
    assert refusal(caller, "1", member="ListTasks") == "InvalidArgument"
    assert refusal(caller, "[]", member="Lend") == "InvalidArgument"
    assert refusal(caller, member="__init__", types="") == "InvalidArgument"
    with pytest.raises(BusCallError):
        caller.call(lending.BUS_NAME, "/", (lending.INTERFACE, "GetVersion"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.integers(-1, 1 << 31) | st.sampled_from([0, 1, 2]),
            st.integers(-1, 1 << 31) | st.sampled_from([0, 1]),
            st.sampled_from([*lending.PROCESS_FILES, *lending.GROUP_FILES]) | st.text(max_size=20),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_l6_whatever_is_asked_gets_an_answer_for_each_file_or_null(channel, rows):
    """L6: with a text only where it says so."""
    time.sleep(1 / lending.CALLS_PER_S_MAX)  # on purpose: no faster than is allowed
    told = json.loads(channel.ask(json.dumps(rows).encode()))
    if told is not None:
        assert len(told) == len(rows)
        assert all(not text for outcome, text in told if outcome)


def test_l7_a_thousand_calls_a_second_cost_the_caller_and_nobody_else(caller, lent, busy):
    """L7: above the pace a call is refused; the second after it all is as it was."""
    errors = set()
    for _ in range(2000):
        try:
            caller.call(lending.BUS_NAME, lending.OBJECT_PATH, (lending.INTERFACE, "GetVersion"))
        except BusCallError as error:
            errors.add(error.name.removeprefix(lending.ERROR_PREFIX))
    assert errors
    assert errors <= {"RateLimited", "Busy"}
    flooded_s = int(time.monotonic())  # the lender counts by whole seconds of this clock
    eventually(lambda: int(time.monotonic()) > flooded_s)
    assert lent.read_bytes(f"/proc/{busy.pid}/stat")


def test_l8_no_descriptor_stays_behind_a_caller(address, caller):
    """L8: the lender closes its own copies, also for one that takes a channel and leaves."""
    channel_of(caller).close()
    pid = caller.call(
        "org.freedesktop.DBus",
        "/org/freedesktop/DBus",
        ("org.freedesktop.DBus", "GetConnectionUnixProcessID"),
        "s",
        (lending.BUS_NAME,),
    )[0]
    eventually(lambda: told_on_channel(caller, [[1, 0, "io"]]))
    before = len(os.listdir(f"/proc/{pid}/fd"))
    for _ in range(50):
        other = BusCaller(address, takes_descriptors=True)
        channel_of(other).close()
        other.close()
        time.sleep(1 / lending.CALLS_PER_S_MAX)  # on purpose: no faster than is allowed
    eventually(lambda: len(os.listdir(f"/proc/{pid}/fd")) <= before)


def test_l20_a_lease_on_a_file_holds_nobody_up(caller, busy):
    """L20: whoever of the user's programs has one, and on the file that tells of the groups."""
    held = os.open(f"/proc/{busy.pid}/stat", os.O_RDONLY)
    fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    before = signal.signal(signal.SIGIO, signal.SIG_IGN)
    try:
        began_s = time.monotonic()
        assert ask(caller, [busy.pid, 0, "stat"]) == [lending.DENIED]
        assert ask(caller, [busy.pid, 0, "io"]) == [lending.TOLD]
        assert time.monotonic() - began_s < 5, "a lease is broken after 45 s"
    finally:
        os.close(held)
        signal.signal(signal.SIGIO, before)
    assert ask(caller, [busy.pid, 0, "stat"]) == [lending.TOLD]


def test_l6_a_channel_answers_nonsense_with_null_and_goes_on(caller, busy):
    """L6: nothing on it ends the lender or another channel."""
    channel = channel_of(caller)
    for text in (b"{", b"[]", b"\xff\xfe", b"[" * 4000, b"null"):
        assert channel.ask(text) == b"null\n"
    told = json.loads(channel.ask(json.dumps([[busy.pid, 0, "wchan"]]).encode()))
    assert told[0][0] == lending.TOLD
    channel.close()


def ask_without_end(channel: Channel, pid: int) -> None:
    """Never read; ends with the error that this meets."""
    request = json.dumps([[pid, 0, "io"]] * lending.FILES_MAX).encode()
    os.set_blocking(channel.requests, True)
    while True:
        os.write(channel.requests, request.ljust(lending.REQUEST_MAX_BYTES))


def test_l7_channels_have_a_number_and_end_with_their_users(address, caller, busy):
    """L7: one that asks on and never reads is closed; nobody gets all of them."""
    channels = [channel_of(caller) for _ in range(lending.CHANNELS_OF_ONE_MAX)]
    assert refusal(caller, member="OpenChannel", types="") == "Busy"
    other = BusCaller(address, takes_descriptors=True)
    assert told_on_channel(other, [[busy.pid, 0, "io"]])[0][0] == lending.TOLD
    other.close()
    deaf = channels.pop()
    with pytest.raises(BrokenPipeError):
        ask_without_end(deaf, busy.pid)
    for channel in (deaf, *channels):
        channel.close()
    assert told_on_channel(caller, [[busy.pid, 0, "io"]])[0][0] == lending.TOLD


def test_l17_connections_of_one_process_share_one_pace(address, caller):
    """L17: eight of them get what one gets; nobody gains by another connection."""
    others = [caller, *(BusCaller(address) for _ in range(7))]
    for each in others:  # the bus tells once whose each is
        refusal(each, member="none", types="")
    begun_s = int(time.monotonic())
    eventually(lambda: int(time.monotonic()) > begun_s)
    said = [refusal(each, member="none", types="") for _ in range(100) for each in others]
    ended_s = int(time.monotonic())
    served = said.count("InvalidArgument")
    assert served <= lending.CALLS_PER_S_MAX * (ended_s - begun_s)
    assert set(said) == {"InvalidArgument", "RateLimited"} or served == len(said)
    for each in others[1:]:
        each.close()


def test_l18_channels_end_with_their_owners_connection(address, caller, busy):
    """L18: also when the pipes live on, with a program that was given them."""
    owner = BusCaller(address, takes_descriptors=True)
    kept = [channel_of(owner) for _ in range(lending.CHANNELS_OF_ONE_MAX)]
    rows = json.dumps([[busy.pid, 0, "io"]]).encode()
    assert json.loads(kept[0].ask(rows))[0][0] == lending.TOLD
    owner.close()
    for channel in kept:
        assert select.select([channel.answers], [], [], 10)[0]
        assert os.read(channel.answers, 1) == b""
        channel.close()


@pytest.mark.long
def test_l19_a_channel_over_its_pace_waits_and_is_not_answered(caller):
    """L19: 550,000 answers of "null" in six seconds were half a core."""
    channel = channel_of(caller)
    os.set_blocking(channel.requests, False)
    begun_s, answers, written = int(time.monotonic()), b"", 0
    while int(time.monotonic()) < begun_s + 2:
        with suppress(BlockingIOError):
            written += os.write(channel.requests, b"x" * lending.REQUEST_MAX_BYTES)
        with suppress(BlockingIOError):
            answers += os.read(channel.answers, 1 << 18)
    assert answers.count(b"null") <= lending.CALLS_PER_S_MAX * 3
    assert written > 0
    channel.close()


def test_l9_what_may_be_written_outside_is_only_told(caller, busy):
    """L9: files of control groups belong to their user, and comm may be written."""
    rows = [[busy.pid, 0, name] for name in sorted(lending.GROUP_FILES | lending.PROCESS_FILES)]
    assert set(ask(caller, *rows)) <= {lending.TOLD, lending.GONE}


def test_l10_arguments_behind_a_name_are_not_told(lent):
    """L10: some programs write a title with blanks over their arguments."""
    code = "import sys, time; print(flush=True); time.sleep(60)"
    for title, told in (
        ("/opt/a/private --proxy-auth=alice:SECRET --in=/b/c", "private"),
        ("C:\\\\Program Files\\\\My Game.exe --token=x", "My Game.exe"),
        ("evil\u202egame\x1b[2J", "evil?game"),
    ):
        process = subprocess.Popen(
            [title, "-c", code], executable=sys.executable, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        words = lent.read_bytes(f"/proc/{process.pid}/cmdline").decode().split("\0")
        process.kill()
        process.wait()
        process.stdout.close()
        assert words == [told, ""]


def test_it_stays_while_somebody_has_a_channel_and_then_goes(program, tmp_path):
    """What is told at every tick comes over no bus: the window would be without it each minute."""
    code = (
        f"import os, sys; sys.path.insert(0, {str(program.parent)!r})\n"
        "from destutter_lender.daemon import serve\n"
        "from destutter_lender.files import Lender\n"
        "sys.exit(serve(Lender(os.getuid()), address=sys.argv[1], idle_ms=300))\n"
    )
    with lending_bus(program.parents[3], tmp_path) as bus:
        process = subprocess.Popen(["/usr/bin/python3", "-c", code, bus])
        caller = BusCaller(bus, takes_descriptors=True)
        where = "org.freedesktop.DBus", "/org/freedesktop/DBus"
        asked = "org.freedesktop.DBus", "NameHasOwner"
        while not caller.call(*where, asked, "s", (lending.BUS_NAME,))[0]:
            assert process.poll() is None
        channel = channel_of(caller)
        with pytest.raises(subprocess.TimeoutExpired):  # it looks for the second time at 600 ms
            process.wait(0.8)
        assert channel.ask(b"[]") == b"null\n"
        channel.close()
        assert process.wait(10) == 0
        caller.close()


def test_two_threads_may_read_at_once(lent, busy):
    """The ticking side and the slow side share what is lent."""
    wrong: list[object] = []

    def read() -> None:
        for _ in range(20):  # three times as many are asked for, and 300 in a second answered
            for name in ("stat", "status", "cgroup"):
                data = lent.read_bytes(f"/proc/{busy.pid}/{name}")
                if not data:
                    wrong.append((name, data))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_without_a_lender_nothing_is_invented(tmp_path):
    """A sandbox on a computer without the helper: words, never an empty list."""
    files = LentFiles(LenderClient(f"unix:path={tmp_path}/none"))
    for ask_for in (
        lambda: files.list_names("/proc"),
        lambda: files.read_bytes("/proc/1/stat"),
        lambda: files.read_bytes("/sys/kernel/mm/transparent_hugepage/enabled"),
        lambda: files.read_bytes("/proc/1/cgroup"),
    ):
        with pytest.raises(KernelFileError, match="outside of the sandbox"):
            ask_for()
    assert files.read_bytes("/proc/uptime")


def test_the_sampler_in_a_sandbox_sees_the_game(address, busy, tmp_path):
    """A real sandbox with processes of its own: threads of the game outside, by their ids."""
    command = [sys.executable, "-m", "destutter", "--sampler", "--pid", str(busy.pid)]
    process = subprocess.Popen(
        sandboxed(command, address, tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(line)
        if f"{busy.pid} python" in line:
            break
    _rest, errors = process.communicate()  # its input ends, and so does it
    assert process.returncode == 0, errors
    assert f"{busy.pid} python" in seen[-1]
    assert "outside of the sandbox" not in "".join(seen)
