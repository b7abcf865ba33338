# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds up the lender for one caller holds up nobody else: real lender, real bus."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.lender_client import LenderClient
from destutter_helper.api import lending
from tests.support.bus_kit import CHECKOUT, eventually
from tests.support.lending import lending_bus

WHERE = lending.BUS_NAME, lending.OBJECT_PATH
BUS = "org.freedesktop.DBus", "/org/freedesktop/DBus"
WAITING_MAX = 16  # destutter_lender/workers.py
ASKS_ON = """
import sys
from destutter.core.lender_client import LenderClient
client = LenderClient(sys.argv[1])
for line in sys.stdin:
    print(bool(client.tasks()) and client.tell([(int(line), 0, "comm")]), flush=True)
"""


@pytest.fixture
def address(program: Path, tmp_path: Path) -> Iterator[str]:
    """Start a bus; the lender comes with the first call."""
    with lending_bus(program.parents[3], tmp_path) as bus:
        yield bus


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program of this project's, which ends with its input."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()


def line_of(process: subprocess.Popen[str], question: str = "") -> str:
    """Its next line, after a question."""
    assert process.stdin is not None
    assert process.stdout is not None
    if question:
        process.stdin.write(f"{question}\n")
        process.stdin.flush()
    return process.stdout.readline().strip()


def daemon_of(address: str) -> int:
    """The lender's process that is on the bus."""
    caller = BusCaller(address)
    asked = "org.freedesktop.DBus", "GetConnectionUnixProcessID"
    (pid,) = caller.call(*BUS, asked, "s", (lending.BUS_NAME,))
    caller.close()
    return int(pid)


def workers(address: str) -> set[int]:
    """The processes of the lender that answer."""
    pid = daemon_of(address)
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    return {
        int(each)
        for each in text.split()
        if ") Z " not in Path(f"/proc/{each}/stat").read_text("ascii")
    }


@pytest.mark.parametrize("which", ["requests", "answers"])
def test_l26_the_lock_of_a_pipe_keeps_its_own_caller_waiting_alone(address, which):
    """L26: one lender for all was in state D until that caller ended, and none else started."""
    client = LenderClient(address)
    assert client.tell([(os.getpid(), 0, "comm")])[0][0] == lending.TOLD
    with started("-m", "tests.support.splice_lock", address, which) as attacker:
        assert line_of(attacker) == "held"
        assert client.tell([(os.getpid(), 0, "comm")])[0][0] == lending.TOLD
        with started("-c", ASKS_ON, address) as newcomer:
            assert line_of(newcomer, str(newcomer.pid)).startswith("[('', 'python")
    eventually(lambda: len(workers(address)) == 1)
    client.close()


def test_l27_a_caller_whose_process_stands_still_is_alone_with_that(address):
    """L27: as with a program that has tens of gigabytes, or is in the middle of an exec."""
    client = LenderClient(address)
    assert client.tasks()
    (mine,) = workers(address)
    os.kill(mine, signal.SIGSTOP)
    with started("-c", ASKS_ON, address) as other:
        assert line_of(other, str(other.pid)).startswith("[('', 'python")
        caller = BusCaller(address, timeout_s=1.0)
        with pytest.raises(BusCallError, match="timed out"):
            caller.call(*WHERE, (lending.INTERFACE, "NameProgram"), "i", (os.getpid(),))
        assert caller.call(*WHERE, (lending.INTERFACE, "GetVersion"))
        caller.close()
        client.close()
        # Nobody of it is left: its process goes, still as it stands.
        eventually(lambda: mine not in workers(address))
        eventually(lambda: not Path(f"/proc/{mine}").exists())  # nor is it kept as a zombie
        assert line_of(other, str(other.pid)).startswith("[('', 'python")
    newcomer = LenderClient(address)
    assert newcomer.tasks()
    newcomer.close()


@pytest.mark.long
def test_l27_calls_that_are_not_answered_have_a_number(address):
    """L27: and so has what the lender keeps of them."""
    client = LenderClient(address)
    assert client.tasks()
    (mine,) = workers(address)
    os.kill(mine, signal.SIGSTOP)
    with ThreadPoolExecutor(WAITING_MAX + 4) as pool:
        said = list(pool.map(lambda _: refusal(address), range(WAITING_MAX + 4)))
    assert sorted(said) == [""] * WAITING_MAX + ["Busy"] * 4
    os.kill(mine, signal.SIGCONT)
    assert client.tasks()
    client.close()


def refusal(address: str) -> str:
    """What a call with a connection of its own meets; empty: nothing, in its time."""
    caller = BusCaller(address, timeout_s=4.0)
    with pytest.raises(BusCallError) as caught:
        caller.call(*WHERE, (lending.INTERFACE, "ListTasks"), "i", (0,))
    caller.close()
    return caught.value.name.removeprefix(lending.ERROR_PREFIX)


def test_l27_a_worker_that_is_killed_is_followed_by_another(address):
    """L27: whoever waited is told, and the next question is answered."""
    client = LenderClient(address)
    assert client.tasks()
    (mine,) = workers(address)
    os.kill(mine, signal.SIGKILL)
    eventually(lambda: client.tasks() != [])
    assert workers(address) != {mine}
    client.close()


@pytest.mark.long
def test_l30_the_lender_takes_all_descriptors_that_it_may_have(program, tmp_path):
    """L30: messages with 16 each ended it at the 1,024 of a login, by five senders in a second."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = resource.prlimit(0, resource.RLIMIT_NOFILE, (256, most))
    try:
        with lending_bus(program.parents[3], tmp_path) as bus:
            client = LenderClient(bus)
            assert client.is_there()
            assert resource.prlimit(daemon_of(bus), resource.RLIMIT_NOFILE) == (most, most)
            client.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
