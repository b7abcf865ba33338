# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a trial of five seconds lasts while others do their worst to the helper.

On a private bus with the real helper above a scratch tree. Needs root for the full memory, which
is that of a control group with the helper, its guardian, and a process that takes all of it.
"""

import contextlib
import errno
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.row import Row
from tests.support import scratch_tree, wire
from tests.support.bus_kit import CHECKOUT, PYTHON, Caller
from tests.support.private_bus import PrivateBus, install_helper

TRIAL_S, PROMISED_S, GIVE_UP_S = 5, 6.0, 60.0
LEAVES_S = 10.0
MEMORY_BYTES = 160 << 20
GROUPS = {
    Path("/sys/fs/cgroup/memory"): "memory.limit_in_bytes",
    Path("/sys/fs/cgroup"): "memory.max",
}
FLUSH = "import os, time\nos.fsync = lambda _descriptor: time.sleep(10)\n"
BUSY = 500
FORK_BUSY = """import os
pids = []
for _ in range({count}):
    if not (pid := os.fork()):
        os.setsid()
        os.read(0, 1)
        while True: pass
    pids.append(pid)
print(*pids, flush=True)
"""
TAKE_ALL = "held = []\nwhile True: held.append(bytearray(1 << 20))"

Trouble = Callable[[PrivateBus, Caller, str], contextlib.AbstractContextManager[None]]


@contextlib.contextmanager
def messages(bus: PrivateBus, member: str, megabytes: float) -> Iterator[None]:
    """A stranger who sends small messages."""
    place = bus.address.removeprefix("unix:path=")
    script = str(CHECKOUT / "tests/support/tiny_messages.py")
    command = [PYTHON, "-I", script, place, member, str(megabytes)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as stranger:
        yield
        stranger.kill()


@contextlib.contextmanager
def unanswered_question(bus: PrivateBus, owner: Caller, txid: str) -> Iterator[None]:
    """The owner wants to keep the values, and polkit never says whether it may."""
    bus.allow("persist", "hang")
    owner.begin("Keep", "ssb", txid, "always", True)
    yield


@contextlib.contextmanager
def no_memory(bus: PrivateBus, _owner: Caller, _txid: str) -> Iterator[None]:
    """A control group without a free page, around the helper and somebody who wants more."""
    base, limit = next((at, name) for at, name in GROUPS.items() if (at / "cgroup.procs").exists())
    group = base / f"destutter-bench-{os.getpid()}"
    group.mkdir()
    hogs: list[subprocess.Popen[bytes]] = []
    try:
        assert bus.helper is not None
        for pid in (bus.helper.pid, bus.guardian_pid()):
            (group / "cgroup.procs").write_text(str(pid))
        (group / limit).write_text(str(MEMORY_BYTES))
        join = f"echo $$ > {group}/cgroup.procs; while true; do {PYTHON} -c '{TAKE_ALL}'; done"
        command = ["/bin/sh", "-c", join]
        hogs.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True))
        yield
    finally:
        for hog in hogs:
            os.killpg(hog.pid, signal.SIGKILL)
            hog.wait()
        remove_group(base, group)


@contextlib.contextmanager
def no_core(_bus: PrivateBus, _owner: Caller, _txid: str) -> Iterator[None]:
    """Programs that only compute, each in a session of its own and so with a share of its own."""
    command = [PYTHON, "-I", "-S", "-c", FORK_BUSY.format(count=BUSY)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        pids = [int(word) for word in first.stdout.readline().split()]
        first.stdin.close()  # all of them begin
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def awake() -> Iterator[None]:
    """Whoever takes the time does not wait for a core itself, where it may go before others."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    with contextlib.suppress(PermissionError):
        policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
        os.sched_setscheduler(0, policy, os.sched_param(os.sched_get_priority_max(os.SCHED_FIFO)))
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)


def remove_group(base: Path, group: Path) -> None:
    """Give the helper back and remove the group; what was killed in it takes a moment to leave."""
    deadline = time.monotonic() + LEAVES_S
    while True:
        for left in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (base / "cgroup.procs").write_text(left)
        try:
            group.rmdir()
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


@contextlib.contextmanager
def started(directory: Path, *, slow_flush: bool, full_log: bool) -> Iterator[PrivateBus]:
    """A bus with a helper that has a slow disk, a log that nobody reads, or neither."""
    program = install_helper(directory / "installed")
    if slow_flush:
        program.write_text(program.read_text().replace("import os\n", FLUSH, 1))
    tree = scratch_tree.build(directory / "tree")
    pipe = directory / "pipe"
    os.mkfifo(pipe)
    both = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    if full_log:
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(both, bytes(4096))
        to_pipe = f"import os\nos.dup2(os.open({str(pipe)!r}, os.O_WRONLY), 2)\n"
        program.write_text(program.read_text().replace("import os\n", to_pipe, 1))
    with PrivateBus(program, directory, tree) as bus:
        bus.start_helper()
        bus.allow("apply")
        yield bus
    os.close(both)


def reverted_after_s(
    *troubles: Trouble, slow_flush: bool = False, full_log: bool = False
) -> float:
    """The time from the answer to BeginTrial until the old value is back."""
    with (
        tempfile.TemporaryDirectory(prefix="destutter-bench-") as name,
        started(Path(name), slow_flush=slow_flush, full_log=full_log) as bus,
        contextlib.ExitStack() as stack,
    ):
        owner = bus.client()
        stack.enter_context(awake())
        call = owner.begin("BeginTrial", "sib", wire.swappiness(10), TRIAL_S, False, timeout_s=90)
        answer = owner.wait(call, 90)
        begun = time.monotonic()
        for trouble in troubles:
            stack.enter_context(trouble(bus, owner, answer["values"][0]))
        while scratch_tree.value(bus.root, "vm/swappiness") != "60":
            if time.monotonic() - begun > GIVE_UP_S:
                break
            time.sleep(0.01)
        return time.monotonic() - begun


def rows() -> list[Row]:
    """The eight figures, each beside the trial's own length."""
    small: Trouble = lambda bus, *_: messages(bus, "A", 50)  # noqa: E731 (one line of a table)
    readers: Trouble = lambda bus, *_: messages(bus, "ListTunables", 3.6)  # noqa: E731
    every = (small, readers, unanswered_question, no_memory, no_core)
    found = {
        "50 MB of small messages": reverted_after_s(small),
        "a flush takes 10 s": reverted_after_s(slow_flush=True),
        "nobody reads the log": reverted_after_s(full_log=True),
        "polkit hangs": reverted_after_s(unanswered_question),
        "20,000 readers without reply": reverted_after_s(readers),
        f"{BUSY} programs want the cores": reverted_after_s(no_core),
    }
    if os.geteuid() == 0:
        found["memory is full"] = reverted_after_s(no_memory)
        found["all of these at once"] = reverted_after_s(*every, slow_flush=True, full_log=True)
    reference, goal = f"the trial itself, {TRIAL_S} s", f"<= {PROMISED_S:g} s"
    return [
        Row(f"trial reverted while {what}", s, "s", reference, s / TRIAL_S, goal, s <= PROMISED_S)
        for what, s in found.items()
    ]
