# SPDX-License-Identifier: GPL-3.0-or-later
"""The wake-up probe: what it counts for a given lateness of its wakes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from destutter.core.catalog import SOURCES
from destutter.sampling.probes.wakeup_probe import WakeupProbe
from tests.unit.sampling.probes.fakes import MS, US, FakeClock, FakeStream

START_NS = 1_000 * MS


def measured(lateness_ns, samples=1, interval_us=5000, sample_ms=100):
    """The samples, as mappings, of a probe whose wakes are so late."""
    stream = FakeStream(samples)
    probe = WakeupProbe(stream, FakeClock(lateness_ns), interval_us, sample_ms)
    probe.run(None)
    names = SOURCES["wakeup"].fields
    return [dict(zip(names, values, strict=True)) for _, _, values in stream.emitted]


def test_wakes_on_time_are_counted():
    """200 wakes a second: 21 until the first 100 ms after the first deadline, then 20 each."""
    first, second = measured([], samples=2)
    assert (first["wakes"], second["wakes"]) == (21, 20)
    assert first["worst_us"] == first["total_us"] == first["over_1ms"] == 0


def test_worst_and_sum_of_the_bucket():
    """The worst wake with its moment, the sum of all, and the counts above each limit."""
    (values,) = measured([75 * US, 3 * MS, 100 * US, 1500 * US])
    assert values["wakes"] == 21
    assert values["worst_us"] == 3000
    assert values["worst_at_ns"] == START_NS + 2 * 5 * MS + 3 * MS
    assert values["total_us"] == 75 + 3000 + 100 + 1500
    assert (values["over_1ms"], values["over_4ms"]) == (2, 0)


def test_one_stall_is_one_late_wake():
    """A stall of 62 ms spans twelve deadlines: one wake is late, the missed ones do not count."""
    first, second = measured([62 * MS], samples=2)
    assert first["wakes"] == 21 - 12
    assert first["worst_us"] == 62_000
    assert [first[f"over_{limit}ms"] for limit in (1, 4, 10, 50)] == [1, 1, 1, 1]
    assert second["worst_us"] == 0


def test_missed_deadlines_keep_the_grid():
    """After a stall the next deadline is on the old grid and in the future, not a burst."""
    clock = FakeClock([12 * MS])
    WakeupProbe(FakeStream(1), clock, 5000, 100).run(None)
    steps = [(later - earlier) // MS for earlier, later in pairwise(clock.deadlines_ns)]
    assert steps == [15, *[5] * (len(steps) - 1)]


def test_stall_longer_than_a_sample_is_one_sample():
    """A second without a wake gives one sample with everything, not ten empty ones."""
    first, second = measured([1000 * MS], samples=2)
    assert first["wakes"] == 1
    assert first["worst_us"] == 1_000_000
    assert second["wakes"] == 20


def test_cpu_time_is_the_sum_since_the_start():
    """cpu_us grows from sample to sample: a rate can be made of it."""
    first, second = measured([], samples=2)
    assert first["cpu_us"] == 21 * 30
    assert second["cpu_us"] == 41 * 30


def test_time_limit_ends_the_probe():
    """With --seconds the probe ends by itself."""
    stream = FakeStream(1000)
    WakeupProbe(stream, FakeClock(), 5000, 100).run(1.0)
    assert len(stream.emitted) == 10


@given(st.lists(st.integers(0, 300 * MS), max_size=60))
def test_no_lateness_is_lost_or_counted_twice(lateness_ns):
    """Whatever happens, wakes, sums and counts over all samples are those of the wakes."""
    stream = FakeStream(10**9)
    clock = FakeClock(lateness_ns)
    probe = WakeupProbe(stream, clock, 5000, 100)
    probe.run(60.0)
    names = SOURCES["wakeup"].fields
    samples = [dict(zip(names, values, strict=True)) for _, _, values in stream.emitted]
    assert sum(sample["wakes"] for sample in samples) * 30 * US <= clock.cpu
    # The bucket that was open at the end is not in any sample.
    assert max(sample["worst_us"] for sample in samples) == max(lateness_ns, default=0) // US
    for name, limit_ns in zip(("over_1ms", "over_50ms"), (MS, 50 * MS), strict=True):
        late = sum(late_ns > limit_ns for late_ns in lateness_ns)
        assert sum(sample[name] for sample in samples) == late
