# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lender keeps open, and that it tells no more by it than by opening anew."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from destutter_helper.api import lending
from destutter_lender import files, kept
from destutter_lender.files import Lender, Wanted

USER, NOBODY = os.getuid(), 65534
CHANGES = "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)"  # PR_SET_DUMPABLE


def outcomes(lender: Lender, *wanted: tuple[int, int, str]) -> list[str]:
    """What becomes of these files."""
    return [became for became, _ in lender.tell(Wanted(*each) for each in wanted)]


def open_descriptors() -> int:
    """How many this process has."""
    return len(os.listdir("/proc/self/fd"))


@contextmanager
def living_sleep() -> Iterator[subprocess.Popen[bytes]]:
    """A program that ends with the test, however that ends."""
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            yield process
        finally:
            process.kill()


def test_what_was_told_before_says_what_it_says_now():
    """The same descriptor, read from its beginning."""
    with closing(Lender(USER)) as lender:
        wanted = [Wanted(os.getpid(), 0, "comm")]
        ((_, before),) = lender.tell(wanted)
        opened = open_descriptors()
        Path("/proc/self/comm").write_text("another")
        assert lender.tell(wanted) == [(lending.TOLD, "another\n")]
        assert open_descriptors() == opened
        Path("/proc/self/comm").write_text(before.strip())


def test_l21_a_program_that_wants_no_longer_to_be_looked_at_is_not_told_of():
    """L21: not even through what was opened while it was the user's own."""
    code = f"import sys; print(flush=True); sys.stdin.readline(); {CHANGES}; print(flush=True)"
    code += "; sys.stdin.readline()"
    pipe = subprocess.PIPE
    command = ["/usr/bin/python3", "-c", code]
    if USER == 0:  # the kernel gives the files of such a program to root
        command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd="/") as process,
        closing(Lender(USER or NOBODY, gid=os.getgid() if USER else NOBODY)) as lender,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        wanted = (process.pid, 0, "stat"), (process.pid, process.pid, "schedstat")
        assert outcomes(lender, *wanted) == [lending.TOLD] * 2
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        assert outcomes(lender, *wanted) == [lending.GONE] * 2
        process.stdin.close()


def test_l24_one_that_changes_while_another_file_is_read_is_not_told_of(monkeypatch):
    """L24: what was read of it before, or behind that, is thrown away."""
    with living_sleep() as process, closing(Lender(USER)) as lender:
        real, answers = lender.is_own, iter([True, False])

        def is_own(folder: int) -> bool:
            is_it = os.readlink(f"/proc/self/fd/{folder}") == f"/proc/{process.pid}"
            return next(answers) if is_it else real(folder)

        monkeypatch.setattr(lender, "is_own", is_own)
        wanted = (process.pid, 0, "stat"), (os.getpid(), 0, "stat"), (process.pid, 0, "comm")
        assert outcomes(lender, *wanted) == [lending.GONE, lending.TOLD, lending.GONE]


def test_a_process_that_ended_is_gone_and_what_was_kept_of_it_too():
    """Its number may be somebody else's by then."""
    with closing(Lender(USER)) as lender:
        process = subprocess.Popen(["sleep", "60"])
        before = open_descriptors()
        assert outcomes(lender, (process.pid, 0, "stat")) == [lending.TOLD]
        assert open_descriptors() == before + 2
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert outcomes(lender, (process.pid, 0, "stat")) == [lending.GONE]
        assert open_descriptors() == before


def test_a_thread_that_ended_is_gone():
    """Also when its file was read before."""
    ends = threading.Event()
    thread = threading.Thread(target=ends.wait)
    thread.start()
    with closing(Lender(USER)) as lender:
        wanted = os.getpid(), thread.native_id or 0, "stat"
        assert outcomes(lender, wanted) == [lending.TOLD]
        ends.set()
        thread.join()
        while os.path.exists(f"/proc/self/task/{wanted[1]}"):
            pass
        assert outcomes(lender, wanted) == [lending.GONE]


def test_the_threads_of_a_process_are_told_as_a_file(monkeypatch):
    """Empty, where there are more than an answer holds."""
    wanted = [Wanted(os.getpid(), 0, lending.THREADS)]
    with closing(Lender(USER)) as lender:
        ((became, text),) = lender.tell(wanted)
        assert became == lending.TOLD
        assert sorted(text.split()) == sorted(os.listdir("/proc/self/task"))
        monkeypatch.setattr(files, "TOLD_MAX", 1)
        assert lender.tell(wanted) == [(lending.TOLD, "")]


def test_l25_a_file_named_48_times_is_read_once(monkeypatch):
    """L25: of a program with 12,000 threads each reading takes milliseconds of everybody else."""
    reads: list[int] = []
    real = kept.read_text

    def counted(descriptor: int) -> str:
        reads.append(descriptor)
        return real(descriptor)

    monkeypatch.setattr(kept, "read_text", counted)
    with closing(Lender(USER)) as lender:
        wanted = [Wanted(os.getpid(), 0, name) for name in ("io", "stat")] * 24
        told = lender.tell(wanted)
    assert len(reads) == 2
    assert len(told) == 48
    assert told[0::2] == [told[0]] * 24
    assert told[1::2] == [told[1]] * 24


@pytest.mark.parametrize("limit", [256, 512])
def test_l30_an_administrator_who_gives_few_descriptors_gets_whole_answers(limit):
    """More threads than descriptors, asked for in turn: each is told, and none is "gone"."""
    program = f"""
import os, resource, threading
resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit}))
import pytest

from destutter_helper.api import lending
from destutter_lender.files import Lender, Wanted
end = threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range({limit})]
for each in threads:
    each.start()
lender = Lender(os.getuid())
wanted = [Wanted(os.getpid(), each.native_id, "stat") for each in threads]
told = [lender.tell(wanted[at : at + 48]) for at in range(0, len(wanted), 48)]
end.set()
print({{outcome for part in told for outcome, *_ in part}} == {{lending.TOLD}})
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"


def test_no_more_stays_open_than_the_limits_say(monkeypatch):
    """Those that nobody asked for lately are closed."""
    monkeypatch.setattr(kept, "_MOST_FILES", 3)
    monkeypatch.setattr(kept, "_MOST_FOLDERS", 2)
    processes = [subprocess.Popen(["sleep", "60"]) for _ in range(4)]
    before = open_descriptors()
    with closing(Lender(USER)) as lender:
        for each in (*processes, *processes):
            wanted = [(each.pid, 0, name) for name in ("stat", "io", "comm")]
            assert set(outcomes(lender, *wanted)) == {lending.TOLD}
            assert open_descriptors() <= before + 3 + 2
    assert open_descriptors() == before
    for each in processes:
        each.kill()
        each.wait()
