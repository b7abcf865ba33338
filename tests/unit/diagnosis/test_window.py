# SPDX-License-Identifier: GPL-3.0-or-later
"""Ticks become seconds, and seconds answer what rules ask."""

import pytest

from destutter.core.metrics import Gap, Metrics
from destutter.diagnosis.history.window import Window

TICK_NS = 100_000_000


def _feed(window, values, ticks=10, start=0, **more):
    done = []
    for tick in range(start, start + ticks):
        second = window.accept_metrics(Metrics((tick + 1) * TICK_NS, 0.1, values, **more))
        if second is not None:
            done.append(second)
    return done


def test_a_second_ends_with_the_first_tick_after_its_length():
    """Eleven ticks of a tenth of a second complete one second of ten tenths."""
    window = Window(["x"])
    done = _feed(window, {"x": 1.0}, ticks=11)
    assert len(done) == 1
    assert done[0].end_ns - done[0].start_ns == 1_000_000_000


def test_a_freeze_is_one_long_second_and_weighs_by_its_length():
    """The one late tick after a freeze of two seconds decides the average of that time."""
    window = Window(["x"])
    _feed(window, {"x": 0.0}, ticks=3)
    frozen = window.accept_metrics(Metrics(3 * TICK_NS + 2_000_000_000, 2.0, {"x": 1000.0}))
    assert frozen is not None
    assert window.mean("x") == pytest.approx(1000.0 * 2.0 / 2.2)


def test_mean_peak_low_and_last_differ():
    """One high tick shows in the peak with its time, not in the lowest value."""
    window = Window(["x"])
    _feed(window, {"x": 2.0}, ticks=5)
    _feed(window, {"x": 12.0}, ticks=1, start=5)
    _feed(window, {"x": 2.0}, ticks=5, start=6)
    assert window.mean("x") == pytest.approx(3.0)
    assert window.peak("x") == (12.0, 6 * TICK_NS)
    assert window.low("x") == 2.0
    assert window.last("x") == 2.0


def test_what_was_not_measured_is_none_and_not_zero():
    """A metric that is absent, or None in every tick, has no value of any kind."""
    window = Window(["x", "y"])
    _feed(window, {"x": None}, ticks=12)
    for metric in ("x", "y"):
        assert window.mean(metric) is None
        assert window.peak(metric) is None
        assert window.low(metric) is None
        assert window.last(metric) is None
        assert not window.instances(metric)


def test_an_average_wait_weighs_by_the_number_of_reads():
    """One read of 100 ms among a hundred of 1 ms hardly moves the average."""
    window = Window(["disk.read_await_ms"])
    for tick, (wait, rate) in enumerate([(1.0, 0.0), (100.0, 10.0), (1.0, 1000.0)] * 4):
        window.accept_metrics(
            Metrics(
                (tick + 1) * TICK_NS,
                0.1,
                {},
                {"disk.read_await_ms": {"sda": wait}, "disk.reads_per_s": {"sda": rate}},
            )
        )
    assert window.mean("disk.read_await_ms", "sda") == pytest.approx(7000 / 3040)


def test_the_second_before_a_sleep_is_dropped():
    """After a suspend the open second starts anew: it would mix two different times."""
    window = Window(["x"])
    _feed(window, {"x": 5.0}, ticks=8)
    gap = Gap(8 * TICK_NS, 20 * TICK_NS, "suspend")
    assert window.accept_metrics(Metrics(20 * TICK_NS, 0.1, {"x": 7.0}, gap=gap)) is None
    assert window.newest is None


def test_a_median_needs_ten_seconds_and_only_of_what_is_remembered():
    """Medians of the last minutes exist for the metrics that rules asked to remember."""
    window = Window(["x", "y"], ["x"])
    _feed(window, {"x": 4.0, "y": 4.0}, ticks=95)
    assert window.median("x") is None
    _feed(window, {"x": 4.0, "y": 4.0}, ticks=20, start=95)
    assert window.median("x") == 4.0
    assert window.median("y") is None


def test_infinite_values_are_left_out():
    """A value that is no number does not poison the second."""
    window = Window(["x"])
    _feed(window, {"x": float("nan")}, ticks=5)
    _feed(window, {"x": 3.0}, ticks=7, start=5)
    assert window.mean("x") == pytest.approx(3.0)


def test_memory_is_constant():
    """However long the stream, only the last half minute of seconds is kept."""
    window = Window(["x"], ["x"])
    _feed(window, {"x": 1.0}, ticks=12_000)
    assert len(window._seconds) == 30
    assert len(window._history[("x", None)]) == 600
