# SPDX-License-Identifier: GPL-3.0-or-later
"""Hours at a glance: the vectorised metrics are those of the live window."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Deriver
from destutter.core.sample import Layout, Message, Reading, Sample
from destutter.session.overview import derive_overview, values_of
from destutter.session.replay import ReplaySource
from tests.unit.session.streams import HEADER, SECOND_NS, TICK_NS, record, ticks

IDS = (
    "memory.allocstall_per_s",
    "memory.dirty_bytes",
    "memory.dirty_of_threshold_pct",
    "memory.kswapd_efficiency_pct",
    "disk.read_await_ms",
    "disk.read_bytes_per_s",
    "disk.reads_in_flight",
    "wakeup.worst_ms",
    "wakeup.average_ms",
)
FIELDS = {
    "vmstat": (
        "nr_dirty",
        "nr_writeback",
        "nr_dirty_threshold",
        "allocstall_normal",
        "allocstall_movable",
        "pgsteal_kswapd",
        "pgscan_kswapd",
        "nr_free_pages",
    ),
    "disk": ("reads", "sectors_read", "read_ms", "reads_in_flight"),
    "wakeup": ("wakes", "worst_us", "total_us"),
}
counters = st.one_of(
    st.none(), st.integers(0, 9), st.integers(0, 1 << 45), st.integers((1 << 31) - 3, 1 << 32)
)
disks = st.lists(st.sampled_from(["sda", "sdb", "nvme0n1"]), unique=True, max_size=3).map(tuple)
fields = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda source: st.tuples(
        st.just(source), st.permutations(FIELDS[source]), st.integers(1, len(FIELDS[source]))
    )
)


@st.composite
def streams(draw):
    """Samples and layouts as samplers make them, with hotplug, suspends and odd readings."""
    layouts: dict[str, Layout] = {}
    messages: list[Message] = []
    t, suspended_ns = HEADER.monotonic_ns, 0
    for step in range(draw(st.integers(1, 25))):
        if draw(st.integers(0, 3)) == 0:
            source, names, count = draw(fields)
            instances = draw(disks) if source == "disk" else None
            layouts[source] = Layout(source, tuple(names[:count]), instances)
            messages.append(layouts[source])
            continue
        t += draw(st.sampled_from([0, 1, TICK_NS, 7 * SECOND_NS, -TICK_NS]))
        suspended_ns += draw(st.sampled_from([0, 0, 0, SECOND_NS]))
        chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=3))
        readings = tuple(draw(reading(source, t, layouts, step)) for source in chosen)
        messages.append(Sample(t, suspended_ns, 1, 2, readings))
    return messages


@st.composite
def reading(draw, source, t, layouts, step):
    """A reading that mostly has as many values as its layout says."""
    width = layouts[source].width if source in layouts else 3
    width += draw(st.sampled_from([0, 0, 0, 0, 1]))
    offset = draw(st.sampled_from([0, 5, 20_000]))
    growing = st.integers(100 * step, 100 * step + 120)
    numbers = draw(st.lists(growing | growing | counters, min_size=width, max_size=width))
    return Reading(source, t + offset, tuple(numbers))


def expected(messages, columns, span):
    """Lowest and highest value per series and column, one sample at a time."""
    start_ns, end_ns = span
    column_ns = max(1, math.ceil((end_ns - start_ns + 1) / columns))
    deriver = Deriver([METRIC_BY_ID[metric_id] for metric_id in IDS], HEADER.interval_ms, 4096)
    found: dict[Any, tuple[float, float]] = {}
    for message in messages:
        if isinstance(message, Layout):
            deriver.accept_layout(message)
            continue
        for key, value in values_of(deriver.derive(message)):
            if value is not None:
                place = (message.monotonic_ns - start_ns) // column_ns
                low, high = found.get((key, place), (value, value))
                found[key, place] = min(low, value), max(high, value)
    return found


def as_mapping(overview):
    """The columns of an overview that hold something."""
    return {
        (key, place): (series.low[place], series.high[place])
        for key, series in overview.series.items()
        for place in np.flatnonzero(~np.isnan(series.low)).tolist()
    }


def overview_of(path, columns, span=None):
    """The overview of a recording, and the span it has."""
    replay = ReplaySource(path)
    try:
        return derive_overview(replay, IDS, columns, span), replay.span
    finally:
        replay.close()


@pytest.mark.slow
@given(messages=streams(), columns=st.integers(1, 40))
def test_agrees_with_the_live_metrics(tmp_path_factory, messages, columns):
    """Every column has exactly the lowest and highest value that the Deriver gives there."""
    path = tmp_path_factory.mktemp("overview") / "a.destutter"
    record(path, messages)
    times = [message.monotonic_ns for message in messages if isinstance(message, Sample)]
    span = (min(times, default=0), max(times, default=0))
    overview, _ = overview_of(path, columns, span)
    assert as_mapping(overview) == expected(messages, columns, span)


@pytest.mark.slow
@settings(max_examples=30)
@given(messages=streams())
def test_agrees_also_when_numbers_do_not_fit_into_columns(tmp_path_factory, messages):
    """A recording with one number beyond 64 bits is derived to the same values."""
    path = tmp_path_factory.mktemp("overview") / "a.destutter"
    huge = Sample(HEADER.monotonic_ns, 0, 1 << 70, 0, ())
    record(path, [huge, *messages])
    times = [message.monotonic_ns for message in messages if isinstance(message, Sample)]
    span = (min(times, default=0), max(times, default=0))
    overview, _ = overview_of(path, 7, span)
    assert as_mapping(overview) == expected([huge, *messages], 7, span)


def test_part_of_a_recording_has_the_rates_of_the_whole(tmp_path):
    """An overview of a minute in the middle agrees with the one of everything."""
    layout = Layout("vmstat", ("allocstall_normal", "pgscan_direct", "nr_dirty", "allocstall_dma"))
    record(tmp_path / "a.destutter", [layout, *ticks(900)])
    start_ns = HEADER.monotonic_ns + 30 * SECOND_NS
    span = (start_ns, start_ns + 20 * SECOND_NS - 1)
    overview, whole = overview_of(tmp_path / "a.destutter", 20, span)
    everything = expected([layout, *ticks(900)], 20, span)
    inside = {key: value for key, value in everything.items() if 0 <= key[1] < 20}
    assert as_mapping(overview) == inside
    assert whole == (HEADER.monotonic_ns, HEADER.monotonic_ns + 899 * TICK_NS)


def test_bad_wishes_are_refused(tmp_path):
    """An unknown metric is a KeyError and no columns a ValueError."""
    record(tmp_path / "a.destutter", ticks(3))
    replay = ReplaySource(tmp_path / "a.destutter")
    with pytest.raises(KeyError):
        derive_overview(replay, ["memory.nonsense"], 3)
    with pytest.raises(ValueError, match="at least one column"):
        derive_overview(replay, IDS, 0)
    replay.close()


def test_recording_without_samples_gives_empty_columns(tmp_path):
    """Nothing recorded: no series, and no error."""
    record(tmp_path / "a.destutter", [])
    overview, span = overview_of(tmp_path / "a.destutter", 5)
    assert overview.series == {}
    assert span is None
