# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of messages for the tests of recordings: arbitrary ones, and ones that make sense."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hypothesis import strategies as st

from destutter.core.sample import (
    Facts,
    Frames,
    Header,
    Layout,
    Marker,
    Message,
    Reading,
    Sample,
    Trouble,
)
from destutter.core.statement import told
from destutter.core.traced import TracedThread, TracedWait, TraceLook, TraceLoss
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource

SECOND_NS = 1_000_000_000
TICK_NS = 100_000_000
HEADER = Header(10 * SECOND_NS, 1.7e9, 100, {"kernel": "6.12"}, {"vm.swappiness": "60"})

numbers = st.one_of(
    st.integers(-3, 3),
    st.integers(0, 1 << 40),
    st.integers(-(1 << 62), 1 << 62),
    st.sampled_from([(1 << 58) - 1, 1 << 58, -(1 << 58), 1 << 64, -(1 << 70)]),
)
times = st.one_of(st.integers(0, 40 * SECOND_NS), st.integers(1 - (1 << 60), (1 << 60) - 1))
costs = st.one_of(st.integers(-3, 3), st.integers(1 - (1 << 60), (1 << 60) - 1))
names = st.one_of(st.sampled_from(["vmstat", "disk", "zone", ""]), st.text(max_size=5))
values = st.lists(st.one_of(st.none(), numbers), max_size=6).map(tuple)
readings = st.builds(Reading, names, times, values)
samples = st.builds(Sample, times, costs, costs, costs, st.lists(readings, max_size=4).map(tuple))
texts = st.lists(names, max_size=4, unique=True).map(tuple)
layouts = st.builds(Layout, names, texts, st.one_of(st.none(), texts))
facts = st.builds(Facts, times, st.dictionaries(names, st.text(max_size=4), max_size=3))
frame_lists = st.lists(st.tuples(times, costs), max_size=5)
frames = st.builds(
    lambda origin, pairs: Frames(
        origin, tuple(t for t, _ in pairs), tuple(length for _, length in pairs)
    ),
    names,
    frame_lists,
)
headers = st.builds(
    Header,
    times,
    st.floats(allow_nan=False, allow_infinity=False),
    costs,
    st.dictionaries(names, st.one_of(st.text(max_size=3), st.integers(), st.none())),
    st.dictionaries(names, st.text(max_size=3)),
)
threads = st.builds(TracedThread, costs, names, st.none() | costs)
trace_looks = st.builds(
    TraceLook,
    *(times, times, costs, costs),
    counts=st.dictionaries(names, costs, max_size=2),
    waits=st.lists(
        st.builds(TracedWait, threads, names, times, costs, behind=st.none() | threads), max_size=2
    ).map(tuple),
    losses=st.lists(st.builds(TraceLoss, times, times, st.none() | costs), max_size=1).map(tuple),
)
any_message: st.SearchStrategy[Message] = st.one_of(
    samples,
    layouts,
    facts,
    frames,
    headers,
    trace_looks,
    st.builds(Marker, times, st.text()),
    st.builds(Trouble, times, names, st.none() | st.builds(told, st.text(min_size=1, max_size=5))),
)


def ticks(
    count: int, first_ns: int = HEADER.monotonic_ns, sources: Iterable[str] = ("vmstat", "meminfo")
) -> Iterator[Sample]:
    """Samples every 100 ms, with counters that grow and a value that the kernel lacks."""
    for tick in range(count):
        t = first_ns + tick * TICK_NS
        rows = tuple(
            Reading(source, t + 20_000 + number, (1000 + 7 * tick, None, 5 - number, tick % 3))
            for number, source in enumerate(sources)
        )
        yield Sample(t, 0, 250 + tick % 7, 12, rows)


def record(
    path: Path,
    messages: Iterable[Message],
    header: Header = HEADER,
    clock: Callable[[], int] = lambda: 0,
) -> None:
    """Record the messages; by default only their own times decide where blocks end."""
    with Recorder(path, header, clock=clock) as recorder:
        for message in messages:
            recorder.accept_message(message)


def replayed(path: Path) -> list[Message]:
    """Every message of the recording."""
    source = ReplaySource(path)
    try:
        return list(source.messages())
    finally:
        source.close()
