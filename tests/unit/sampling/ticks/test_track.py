# SPDX-License-Identifier: GPL-3.0-or-later
"""One sampler under way: layouts, failures told once, and patience."""

import threading
import time

import pytest

from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import Layout, Reading, Trouble
from destutter.core.statement import told
from destutter.sampling.files.measurement import AbsentError, Measurement
from destutter.sampling.ticks.sampler_track import Batch, SamplerTrack
from destutter.sampling.ticks.slow import RepeatedJob, SlowSide
from tests.support.measuring import SteppedClock


class ScriptedSampler:
    """Answers with what it is given: measurements, or an error to raise."""

    sources = ("swap",)

    def __init__(self):
        self.answer: list[Measurement] | AbsentError | KernelFileError | IndexError
        self.answer = [Measurement("swap", (), ())]
        self.reads = 0
        self.closed = 0

    def read(self):
        """The next answer."""
        self.reads += 1
        if isinstance(self.answer, list):
            return self.answer
        raise self.answer

    def close(self):
        """Count."""
        self.closed += 1


@pytest.fixture
def clock():
    """A clock that is moved by hand."""
    return SteppedClock()


@pytest.fixture
def sampler():
    """A sampler that delivers an empty reading."""
    return ScriptedSampler()


@pytest.fixture
def track(sampler, clock):
    """The sampler under way."""
    return SamplerTrack(sampler, clock)


def run(track):
    """What one run puts into a batch."""
    batch = Batch()
    track.run(batch)
    return batch.messages, batch.readings


FIELDS = ("size_kib", "used_kib", "priority")


def test_a_layout_comes_first_and_again_when_it_changes(track, sampler, clock):
    """The layout precedes the first reading; another one comes with other instances only."""
    messages, readings = run(track)
    assert messages == [Layout("swap", FIELDS, ())]
    assert readings == [Reading("swap", clock.now_ns, ())]
    assert run(track)[0] == []
    sampler.answer = [Measurement("swap", ("/dev/sda2",), (5, 1, -2))]
    assert run(track)[0] == [Layout("swap", FIELDS, ("/dev/sda2",))]
    sampler.answer = [Measurement("swap", ("/dev/" + "sda2",), (5, 2, -2))]
    assert run(track)[0] == []


def test_trouble_is_told_once_and_its_end_once(track, sampler, clock):
    """A failure is told when it begins, not again while it lasts, and when it is over."""
    sampler.answer = KernelFileError("/proc/swaps", 2, "has not five columns")
    (trouble,), readings = run(track)
    assert readings == []
    assert trouble == Trouble(clock.now_ns, "swap", sampler.answer.statement)
    assert str(trouble.reason) == "/proc/swaps, line 2: has not five columns"
    for _ in range(5):
        clock.advance(60)
        assert run(track) == ([], [])
    sampler.answer = [Measurement("swap", (), ())]
    clock.advance(60)
    messages, readings = run(track)
    assert Trouble(clock.now_ns, "swap") in messages
    assert len(readings) == 1
    assert sampler.closed == 6


def test_a_mistake_of_ours_costs_one_source(track, sampler, clock):
    """An error that nobody thought of is told as our own, and nothing else stops."""
    sampler.answer = IndexError("list index out of range")
    (trouble,) = run(track)[0]
    assert "a mistake of this program: IndexError: list index out of range" in str(trouble.reason)
    sampler.answer = [Measurement("swap", (), ())]
    clock.advance(60)
    assert len(run(track)[1]) == 1


def test_a_slow_side_that_breaks_is_noticed(clock):
    """What ends the thread is raised where the ticks are."""

    def fail(_batch):
        raise IndexError("mistake")

    side = SlowSide([RepeatedJob(1, fail)], clock)
    side.start()
    side.stop()
    with pytest.raises(IndexError, match="mistake"):
        side.take(Batch())


def test_a_failing_sampler_is_tried_more_and_more_seldom(track, sampler, clock):
    """After one second, two, four, and so on up to a minute."""
    sampler.answer = AbsentError(told("no swap"))
    moments = []
    for second in range(300):
        before = sampler.reads
        run(track)
        if sampler.reads > before:
            moments.append(second)
        clock.advance(1)
    assert moments == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]


def test_a_missing_feature_that_breaks_is_told_anew(track, sampler, clock):
    """What was absent and is now there but unreadable is another trouble."""
    sampler.answer = AbsentError(told("no swap"))
    assert len(run(track)[0]) == 1
    assert track.is_absent
    clock.advance(60)
    sampler.answer = KernelFileError("/proc/swaps", None, "is empty")
    assert [str(message.reason) for message in run(track)[0]] == ["/proc/swaps: is empty"]
    assert not track.is_absent


def test_no_measurement_is_no_recovery(track, sampler, clock):
    """A sampler with nothing to measure has not recovered."""
    sampler.answer = AbsentError(told("gone"))
    run(track)
    sampler.answer = []
    clock.advance(60)
    assert run(track) == ([], [])


def test_a_woken_sampler_is_tried_at_once(track, sampler, clock):
    """When what was missing may be there, nobody waits for the next trial."""
    sampler.answer = AbsentError(told("gone"))
    run(track)
    sampler.answer = [Measurement("swap", (), ())]
    track.wake()
    messages, readings = run(track)
    assert Trouble(clock.now_ns, "swap") in messages
    assert readings


class Counting:
    """Work that counts, and puts a reading of its count into the batch."""

    def __init__(self, source):
        self.source = source
        self.count = 0

    def __call__(self, batch):
        """Count once."""
        self.count += 1
        batch.messages.append(Trouble(self.count, self.source, told("x")))
        batch.readings.append(Reading(self.source, self.count, (self.count,)))


def test_slow_work_is_done_when_it_is_due(clock):
    """Each job at its own pace; the time of the next one is told."""
    fast, slow = Counting("fast"), Counting("slow")
    side = SlowSide([RepeatedJob(1, fast), RepeatedJob(5, slow)], clock)
    due_ns = []
    for _ in range(10):
        due_ns.append(side.run_due())
        clock.advance(1)
    assert (fast.count, slow.count) == (10, 2)
    assert due_ns[-1] == clock.now_ns


def test_slow_jobs_share_their_wakes(clock):
    """Also one that was hurried, and those before which another took some time."""
    work = Counting("x"), Counting("y")
    jobs = [RepeatedJob(1, work[0]), RepeatedJob(3, work[1])]
    side = SlowSide(jobs, clock)
    clock.advance(100)
    side.run_due()
    clock.advance(1.2)
    side.hurry(jobs[1:])
    side.run_due()
    assert (work[0].count, work[1].count) == (2, 2)
    begun_ns = clock.now_ns - 1_200_000_000
    assert [job.due_ns - begun_ns for job in jobs] == [2_000_000_000, 4_000_000_000]


def test_a_tick_takes_all_events_and_the_latest_readings(clock):
    """No event is lost; of several readings of a source the last one counts."""
    side = SlowSide([RepeatedJob(1, Counting("x"))], clock)
    for _ in range(3):
        side.run_due()
        clock.advance(1)
    batch = Batch()
    side.take(batch)
    assert batch.messages == [Trouble(count, "x", told("x")) for count in (1, 2, 3)]
    assert batch.readings == [Reading("x", 3, (3,))]
    again = Batch()
    side.take(again)
    assert (again.messages, again.readings) == ([], [])


def test_the_thread_ends_when_it_is_told(clock):
    """The slow side works in a thread of its own and leaves none behind."""
    seen: list[threading.Thread] = []
    side = SlowSide(
        [RepeatedJob(0.001, lambda batch: seen.append(threading.current_thread()))],
        time.monotonic_ns,
    )
    side.start()
    while len(seen) < 3:
        time.sleep(0.001)
    side.stop()
    side.stop()
    (worker,) = set(seen)
    assert worker is not threading.current_thread()
    assert not worker.is_alive()
