# SPDX-License-Identifier: GPL-3.0-or-later
"""The reader on the running kernel: real waits and requests, each found by its thread.

The instance is made here as the helper makes it, and removed also when a test fails.
"""

import contextlib
import mmap
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.core.traced import TraceLook
from destutter.sampling.trace_source import TraceSource
from destutter.sampling.tracing.reader import TraceReader
from destutter_helper.api.tracing import INSTANCES, encode_formats
from tests.support.kernel_trace import TRACEFS, kernel_trace
from tests.support.real_kernel import LoopDevice

MIB = 1 << 20


def is_between(low, value, high):
    """Whether a measured time lies between two others, in ns."""
    return low <= value <= high


@pytest.fixture
def loop(tmp_path):
    """A loop device of our own."""
    made = LoopDevice(tmp_path / "medium")
    yield made
    made.remove()


@pytest.fixture
def small_group():
    """A control group in which memory is short, of whichever version has that here; its folder."""
    group = next(
        Path(mount[1], "destutter-test-trace")
        for mount in map(str.split, Path("/proc/self/mounts").read_text().splitlines())
        if _limits_memory(mount)
    )
    group.mkdir()
    try:
        limits = (group / "memory.max", group / "memory.limit_in_bytes")
        next(each for each in limits if each.exists()).write_text(str(24 * MIB))
        yield group
    finally:
        give_up = time.monotonic() + 5
        while group.exists() and time.monotonic() < give_up:
            with contextlib.suppress(OSError):  # whoever was in it is just ending
                group.rmdir()
            time.sleep(0.01)


def _limits_memory(mount):
    _, place, kind, options, *_ = mount
    if kind == "cgroup":
        return "memory" in options.split(",")
    controllers = Path(place, "cgroup.subtree_control")
    return kind == "cgroup2" and "memory" in controllers.read_text().split()


def looks(trace, work):
    """What one look finds of some work."""
    reader = TraceReader(trace.formats, trace.descriptors, KernelFiles())
    reader.look()
    reader.tell()
    work()
    reader.look()
    look = reader.tell()
    assert reader.unusable == []
    assert [*reader.take_troubles()] == []
    return look


def test_requests_are_found_with_their_process_and_time(loop):
    """Reads of a loop device: by this thread, and no longer than the reading took."""
    node = f"/dev/{loop.name}"
    times = []

    def read():
        descriptor = os.open(node, os.O_RDONLY | os.O_DIRECT)
        try:
            room = mmap.mmap(-1, 4096)
            for number in range(50):
                begin = time.monotonic_ns()
                os.preadv(descriptor, [room], number * 65536)
                times.append((begin, time.monotonic_ns()))
        finally:
            os.close(descriptor)

    with kernel_trace("requests") as trace, every_request_told():
        look = looks(trace, read)
    ours = [each for each in look.requests if each.device == loop.name]
    assert [each.sector for each in ours] == [number * 128 for number in range(50)]
    for request, (begin, end) in zip(ours, times, strict=True):
        assert request.thread is not None
        assert request.thread.tid == threading.get_native_id()
        assert (request.operation, request.sectors) == ("read", 8)
        assert request.queue_ns is not None
        assert begin <= request.begin_ns <= request.begin_ns + request.duration_ns <= end
    assert look.losses == ()


@contextlib.contextmanager
def every_request_told():
    """Also those that are fast."""
    patch = pytest.MonkeyPatch()
    patch.setattr("destutter.sampling.tracing.requests.SLOW_REQUEST_NS", 0)
    try:
        yield
    finally:
        patch.undo()


RECLAIMING = """
import mmap, sys
open(sys.argv[1] + "/cgroup.procs", "w").write("0")
with open(sys.argv[2], "rb") as file:
    while file.read(1 << 20):
        pass
"""


def test_reclaim_is_found_by_its_thread(small_group, tmp_path):
    """A program that reads more than its group may hold frees memory itself."""
    file = tmp_path / "large"
    with file.open("wb") as large:
        large.write(os.urandom(48 * MIB))
        large.flush()
        os.fsync(large.fileno())
        # What is in memory already would be in this program's group.
        os.posix_fadvise(large.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    done = []

    def work():
        program = [sys.executable, "-c", RECLAIMING, small_group, file]
        with subprocess.Popen(program) as process:
            done.append(process.pid)
            process.wait()
        assert process.returncode == 0

    patch = pytest.MonkeyPatch()
    patch.setattr("destutter.sampling.tracing.memory_waits.LONG_WAIT_NS", 0)
    with kernel_trace("reclaim") as trace, contextlib.ExitStack() as back:
        back.callback(patch.undo)
        begin = time.monotonic_ns()
        look = looks(trace, work)
        took = time.monotonic_ns() - begin
    ours = [each for each in look.waits if each.thread.tid == done[0]]
    assert {each.kind for each in ours} <= {"reclaim", "memcg_reclaim", "throttled"}
    assert len(ours) >= 5
    assert is_between(1, sum(each.duration_ns for each in ours), took)


def test_a_wait_for_memory_made_contiguous_is_found_by_its_thread():
    """Whoever asks the kernel for it waits for it, and about as long as the kernel says."""
    spent = []

    def work():
        begin = time.monotonic_ns()
        Path("/proc/sys/vm/compact_memory").write_text("1")
        spent.append(time.monotonic_ns() - begin)

    patch = pytest.MonkeyPatch()
    patch.setattr("destutter.sampling.tracing.memory_waits.LONG_WAIT_NS", 0)
    with kernel_trace("compaction") as trace, contextlib.ExitStack() as back:
        back.callback(patch.undo)
        look = looks(trace, work)
    ours = [each for each in look.waits if each.thread.tid == threading.get_native_id()]
    assert {each.kind for each in ours} == {"compaction"}
    found = sum(each.duration_ns for each in ours)
    assert is_between(spent[0] * 0.5, found, spent[0])


BUSY = """
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
while True:
    end = time.monotonic() + 0.03
    while time.monotonic() < end:
        pass
    time.sleep(0.03)
"""


def run_delay_ns() -> int:
    """What this thread waited for a core since it began."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1])


def clock_and_run_delay_ns() -> tuple[int, int]:
    """Both of one moment, in ns: between the two no program had this thread's core."""
    while True:
        now, waited = time.monotonic_ns(), run_delay_ns()
        if time.monotonic_ns() - now < 1_000_000:
            return now, waited


def test_a_wait_for_a_core_is_found_with_who_ran_there():
    """A real-time program takes this thread's core for 30 ms, as the scheduler's own sum says.

    Not the clock: a virtual machine whose host takes the core fires the timer late, and that
    sleep is longer than any wait for a core (66 ms slept, 30 ms of them behind the program).
    """
    cpu = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    seen: list[TraceLook] = []
    late: list[tuple[int, int, int]] = []
    with kernel_trace("core", game=[os.getpid()]) as trace:
        source = TraceSource(encode_formats(trace.formats), trace.descriptors, os.getpid())
        try:
            os.sched_setaffinity(0, [cpu])
            # Before all other programs, so that it runs as soon as that one lets it.
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))
            with subprocess.Popen([sys.executable, "-c", BUSY, str(cpu)]) as hog:
                # Three, however often the host fires the timer only when the program has ended.
                give_up = time.monotonic() + 20
                while len(late) < 3 and time.monotonic() < give_up:
                    asked, waited_before = clock_and_run_delay_ns()
                    time.sleep(0.001)
                    woken, waited = clock_and_run_delay_ns()
                    if waited - waited_before > 20_000_000:
                        late.append((asked, woken, waited - waited_before))
                hog.kill()
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            os.sched_setaffinity(0, before)
            end = time.monotonic() + 0.6
            for message in source.messages(lambda: time.monotonic() > end):
                assert isinstance(message, TraceLook)
                seen.append(message)
        finally:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            os.sched_setaffinity(0, before)
            source.close()
    waits = [each for look in seen for each in look.waits]
    waits = [each for each in waits if each.thread.tid == threading.get_native_id()]
    assert len(late) == 3
    for begin, end_ns, waited in late:
        inside = [each for each in waits if begin <= each.begin_ns < end_ns]
        found = sum(each.duration_ns for each in inside)
        assert is_between(0.9 * waited, found, min(1.05 * waited, end_ns - begin))
        assert [(each.behind.tid, each.behind_priority) for each in inside if each.behind] == [
            (hog.pid, 89)
        ]


def test_what_the_kernel_overwrote_is_counted():
    """As many events as the kernel itself says, in the time since the last look."""
    with kernel_trace("loss", game=[os.getpid()]) as trace:
        folder = trace.folders[-1]
        (folder / "buffer_size_kb").write_text("64")
        begin = time.monotonic_ns()
        reader = TraceReader(trace.formats, trace.descriptors, KernelFiles())
        there, back = os.pipe(), os.pipe()

        def answer():
            for _ in range(5000):
                os.write(back[1], os.read(there[0], 1))

        thread = threading.Thread(target=answer)
        thread.start()
        for _ in range(5000):
            os.write(there[1], b".")
            os.read(back[0], 1)
        thread.join()
        for descriptor in (*there, *back):
            os.close(descriptor)
        (folder / "tracing_on").write_text("0")
        stats = [each.read_text() for each in folder.glob("per_cpu/cpu*/stats")]
        reader.look()
        look = reader.tell()
    overrun = sum(int(text.split("overrun: ")[1].split()[0]) for text in stats)
    assert overrun > 1000
    assert sum(each.events or 0 for each in look.losses) == overrun
    assert all(begin <= each.begin_ns <= each.end_ns <= look.end_ns for each in look.losses)


def test_nothing_is_left_behind_when_a_test_fails():
    """The instance goes, and tracefs is as it was."""
    was_mounted = (TRACEFS / "events").is_dir()
    folders: list[Path] = []

    def fail():
        with kernel_trace("failing", game=[os.getpid()]) as trace:
            folders.extend(each for each in trace.folders if each.is_dir())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(folders) == len(INSTANCES)
    assert not any(each.exists() for each in folders)
    assert (TRACEFS / "events").is_dir() == was_mounted
