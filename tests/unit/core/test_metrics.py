# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw values to metrics: rates with the time that passed, wraps, devices that come and go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metric_table import METRICS
from destutter.core.metrics import Deriver, MetricSpec, Op
from destutter.core.sample import Layout, Reading, Sample

SECOND = 1_000_000_000
SPECS = (
    MetricSpec("x.rate", "/s", "x", Op.RATE, ("count",)),
    MetricSpec("x.level", "B", "x", Op.LEVEL, ("level",), scale=2.0),
    MetricSpec("x.mean", "ms", "x", Op.MEAN, ("time",), ("count",)),
    MetricSpec("x.part", "%", "x", Op.FRACTION, ("level",), ("whole",), 100.0),
    MetricSpec("x.pages", "B", "x", Op.LEVEL, ("level",), is_in_pages=True),
)
FIELDS = ("count", "level", "time", "whole")


def sample(at_s, *readings, suspended_ns=0):
    """A sample with readings of (source, values)."""
    at_ns = round(at_s * SECOND)
    made = tuple(Reading(source, at_ns, values) for source, values in readings)
    return Sample(at_ns, suspended_ns, 10, 0, made)


def derived(*rows, instances=None, page_bytes=4096):
    """The metrics of the last of some samples (time, values) of the source x."""
    deriver = Deriver(SPECS, page_bytes=page_bytes)
    deriver.accept_layout(Layout("x", FIELDS, instances))
    return [deriver.derive(sample(at_s, ("x", values))) for at_s, values in rows][-1]


def test_the_first_sample_has_levels_and_no_rates():
    """Without a sample before it there is a level and a fraction, but no growth."""
    values = derived((1, (5, 30, 7, 120))).values
    assert values == {
        "x.rate": None,
        "x.level": 60.0,
        "x.mean": None,
        "x.part": 25.0,
        "x.pages": 30 * 4096,
    }


def test_rates_use_the_time_that_passed():
    """A rate is growth through measured time; a mean is growth through growth."""
    values = derived((1, (5, 0, 10, 1)), (1.25, (10, 0, 30, 1))).values
    assert values["x.rate"] == pytest.approx(20)
    assert values["x.mean"] == pytest.approx(4)


def test_nothing_happened_is_no_mean():
    """A mean over no events is not measured rather than 0."""
    assert derived((1, (5, 0, 10, 1)), (2, (5, 0, 10, 1))).values["x.mean"] is None


def test_an_absent_value_stays_absent():
    """What the kernel does not have is None in every metric that needs it."""
    values = derived((1, (None, None, 1, 0)), (2, (None, None, 2, 0))).values
    assert set(values.values()) == {None}


def test_pages_follow_the_machine():
    """A level in pages is bytes of the machine's own page size."""
    assert derived((1, (0, 3, 0, 1)), page_bytes=16384).values["x.pages"] == 3 * 16384


@given(st.integers(2**31, 2**32 - 1), st.integers(0, 2**31 - 1))
def test_a_wrap_of_32_bits_is_growth(before, after):
    """A counter that falls from the upper half of 32 bits to the lower one has wrapped."""
    values = derived((1, (before, 0, 0, 1)), (2, (after, 0, 0, 1))).values
    assert values["x.rate"] == pytest.approx(after + 2**32 - before)


@given(st.integers(1, 2**31 - 1))
def test_any_other_fall_is_no_measurement(before):
    """A counter that was reset, or stepped back, gives no rate instead of a negative one."""
    assert derived((1, (before, 0, 0, 1)), (2, (before - 1, 0, 0, 1))).values["x.rate"] is None


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=20), st.integers(1, 5000))
def test_rates_add_up_to_the_growth(steps, interval_ms):
    """The sum of rate times elapsed time is the growth of the counter."""
    deriver = Deriver(SPECS, interval_ms)
    deriver.accept_layout(Layout("x", FIELDS))
    total, count = 0.0, 0
    for tick, step in enumerate(steps):
        count += step
        metrics = deriver.derive(sample(1 + tick * interval_ms / 1000, ("x", (count, 0, 0, 1))))
        total += (metrics.values["x.rate"] or 0) * metrics.elapsed_s
    assert total == pytest.approx(sum(steps[1:]))


def test_a_disk_that_comes_leaves_the_others_alone():
    """After a new layout, known instances keep their history and new ones begin without."""
    deriver = Deriver(SPECS)
    deriver.accept_layout(Layout("x", FIELDS, ("sda",)))
    deriver.derive(sample(1, ("x", (10, 0, 0, 1))))
    deriver.accept_layout(Layout("x", FIELDS, ("nvme0n1", "sda")))
    metrics = deriver.derive(sample(2, ("x", (500, 0, 0, 1, 30, 0, 0, 1))))
    assert metrics.instanced["x.rate"] == {"nvme0n1": None, "sda": pytest.approx(20)}


def test_a_disk_that_returns_begins_anew():
    """An instance that was away has no rate over its absence."""
    deriver = Deriver(SPECS)
    rates = []
    for instances, at_s, values in (
        (("sda",), 1, (10, 0, 0, 1)),
        ((), 2, ()),
        (("sda",), 3, (50, 0, 0, 1)),
    ):
        deriver.accept_layout(Layout("x", FIELDS, instances))
        rates.append(deriver.derive(sample(at_s, ("x", values))).instanced["x.rate"])
    assert rates == [{"sda": None}, {}, {"sda": None}]


def test_a_reading_that_does_not_fit_its_layout_is_left_out():
    """Values of another width than the layout says are never assigned to wrong fields."""
    deriver = Deriver(SPECS)
    deriver.accept_layout(Layout("x", FIELDS))
    assert deriver.derive(sample(1, ("x", (1, 2, 3)))).values == {}
    assert deriver.derive(sample(2, ("unknown", (1,)))).values == {}


def test_a_suspend_is_a_gap_without_rates():
    """After sleep the gap is named, and no rate is spread over it."""
    deriver = Deriver(SPECS)
    deriver.accept_layout(Layout("x", FIELDS))
    deriver.derive(sample(1, ("x", (10, 0, 0, 1))))
    metrics = deriver.derive(sample(1.1, ("x", (90, 0, 0, 1)), suspended_ns=3 * SECOND))
    assert metrics.gap is not None
    assert (metrics.gap.reason, metrics.gap.start_ns) == ("suspend", SECOND)
    assert metrics.values["x.rate"] is None


def test_a_stall_is_a_gap_with_rates():
    """When nothing was scheduled for long, the gap is named and counters still count."""
    deriver = Deriver(SPECS, interval_ms=100)
    deriver.accept_layout(Layout("x", FIELDS))
    deriver.derive(sample(1, ("x", (10, 0, 0, 1))))
    metrics = deriver.derive(sample(3.5, ("x", (35, 0, 0, 1))))
    assert metrics.gap is not None
    assert metrics.gap.reason == "stall"
    assert metrics.values["x.rate"] == pytest.approx(10)


def test_samples_of_a_probe_do_not_hide_gaps():
    """Probes tick on their own: their samples neither begin nor end a gap of the sampler."""
    deriver = Deriver(SPECS)
    deriver.accept_layout(Layout("x", FIELDS))
    deriver.derive(sample(1, ("x", (10, 0, 0, 1))))
    probe = deriver.derive(sample(2.9, ("wakeup", (1,) * 9)))
    assert (probe.gap, probe.elapsed_s) == (None, 0)
    gap = deriver.derive(sample(3, ("x", (10, 0, 0, 1)))).gap
    assert gap is not None


def test_metric_ids_are_unique():
    """No two metrics share an id."""
    ids = [spec.id for spec in METRICS]
    assert len(ids) == len(set(ids))
