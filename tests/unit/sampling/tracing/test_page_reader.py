# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of the ring buffer: built ones of every form, damaged ones, and recorded ones."""

import re
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.tracing.formats import record_layout, text_of_field
from destutter.sampling.tracing.page_reader import DamagedPageError, KnownEvent, PageReader, Record
from destutter_helper.api.tracing import RingPage
from tests.support.built_pages import MISSED, RECORDED, PageBuilder, recorded_formats

WIDE = RingPage(4096, (0, 8), (8, 8), 16)
NARROW = RingPage(4096, (0, 8), (8, 4), 12)  # a kernel of 32 bits
LARGE = RingPage(65536, (0, 8), (8, 8), 16)  # buffer_subbuf_size_kb
SHIFTED = RingPage(4096, (8, 8), (0, 8), 24)
NUMBER = 417
EVENTS = {NUMBER: KnownEvent(8, lambda *_: None), 3: KnownEvent(2, lambda *_: None)}

layouts = st.sampled_from([WIDE, NARROW, LARGE, SHIFTED])
records = st.lists(
    st.tuples(
        st.one_of(st.integers(0, 2000), st.integers(0, 1 << 34)),  # ns since the record before
        st.binary(min_size=8, max_size=400).map(lambda data: struct.pack("<H", NUMBER) + data),
        st.sampled_from(["", "long", "stamp", "taken back"]),
    ),
    max_size=12,
)


def times_and_data(read, page):
    """What was read, as a test compares it: only the beginning of a record has a known length."""
    return [(time_ns, page[at : at + 8]) for time_ns, _, page, at in read]


@given(layouts, st.integers(0, 1 << 50), records, st.sampled_from([0, None, 1, 3335]))
def test_every_record_of_a_page_is_found_at_its_time(layout, begin_ns, wanted, missed):
    """Short and long records, extended and absolute times, and those that were taken back."""
    builder = PageBuilder(layout, begin_ns, missed)
    expected, time_ns = [], begin_ns
    for delta, record, form in wanted:
        if builder.room < len(record) + 40:
            break
        if form == "stamp":
            builder.stamp(time_ns)
        elif form == "taken back":
            builder.taken_back(12)
            time_ns += 1
        time_ns += delta
        builder.event(time_ns, record, is_long=form == "long")
        expected.append((time_ns, record[:8]))
    page = builder.bytes()
    read: list[Record] = []
    span = PageReader(layout, EVENTS).read(page, read)
    assert times_and_data(read, page) == expected
    assert span == (begin_ns, time_ns, missed)


@given(layouts, st.binary(max_size=300), st.integers(0, (1 << 32) - 1))
def test_foreign_bytes_are_refused_or_stay_on_their_page(layout, data, commit):
    """Whatever the bytes: an end, one kind of error, and no record beyond the data."""
    page = bytearray(layout.size)
    page[layout.data : layout.data + len(data)] = data
    struct.pack_into("<I", page, layout.commit[0], commit)
    read: list[Record] = []
    try:
        PageReader(layout, EVENTS).read(bytes(page), read)
    except DamagedPageError:
        assert read == []
    end = layout.data + (commit & 0xFFFFF)
    assert all(at + known.size <= min(end, layout.size) for _, known, _, at in read)


@given(layouts, records.filter(bool), st.data())
def test_a_torn_page_is_refused(layout, wanted, data):
    """A page that ends in the middle of a record, and one that was cut off."""
    builder = PageBuilder(layout, 0)
    for _, record, _ in wanted:
        if builder.room > len(record) + 40:
            builder.event(0, record)
    page = bytearray(builder.bytes())
    reader = PageReader(layout, EVENTS)
    with pytest.raises(DamagedPageError):
        reader.read(bytes(page[: data.draw(st.integers(0, len(page) - 1))]), [])
    (commit,) = struct.unpack_from("<I", page, layout.commit[0])
    struct.pack_into("<I", page, layout.commit[0], commit - 4)
    read: list[Record] = []
    with pytest.raises(DamagedPageError) as refused:
        reader.read(bytes(page), read)
    assert read == []
    assert str(refused.value) == "a page of the trace is damaged"


def test_a_record_that_is_shorter_than_its_event_is_refused():
    """A foreign record with a known number is not read beyond its end."""
    page = PageBuilder(WIDE, 0).event(0, struct.pack("<HH", NUMBER, 0)).bytes()
    with pytest.raises(DamagedPageError):
        PageReader(WIDE, EVENTS).read(page, [])


def test_records_of_unknown_events_are_counted_and_passed_over():
    """What nobody asked for does not hide what follows."""
    builder = PageBuilder(WIDE, 0).event(5, struct.pack("<HHI", 9, 0, 0))
    page = builder.event(7, struct.pack("<HHI", NUMBER, 0, 0)).bytes()
    read: list[Record] = []
    reader = PageReader(WIDE, EVENTS)
    assert reader.read(page, read).end_ns == 7
    assert [time_ns for time_ns, *_ in read] == [7]
    assert reader.unknown == 1


def test_a_count_that_has_no_room_is_no_count():
    """A full page only says that something was lost."""
    builder = PageBuilder(WIDE, 0)
    while builder.room > 20:
        builder.event(0, struct.pack("<HHI", NUMBER, 0, 0))
    builder.event(0, struct.pack("<HHI", NUMBER, 0, 0))
    page = bytearray(builder.bytes())
    (commit,) = struct.unpack_from("<I", page, 8)
    struct.pack_into("<I", page, 8, commit | MISSED)
    assert PageReader(WIDE, EVENTS).read(bytes(page), []).missed is None


TEXT = re.compile(r"\[(?P<cpu>\d+)\] \S+ +(?P<s>\d+)\.(?P<us>\d{6}): (?P<event>\w+): (?P<text>.*)")
STATES = {0: "R", 1: "S", 2: "D", 128: "I", 256: "R+"}
SHOWN: dict[str, tuple[tuple[str, ...], Callable[..., str]]] = {
    "block/block_bio_queue": (
        ("dev", "rwbs", "sector", "nr_sector", "comm"),
        lambda dev, rwbs, sector, count, comm: (
            f"{dev >> 20},{dev & 0xFFFFF} {text_of_field(rwbs)} {sector} + {count}"
            f" [{text_of_field(comm)}]"
        ),
    ),
    "sched/sched_waking": (
        ("comm", "pid", "prio", "target_cpu"),
        lambda comm, pid, prio, cpu: (
            f"comm={text_of_field(comm)} pid={pid} prio={prio} target_cpu={cpu:03d}"
        ),
    ),
    "sched/sched_switch": (
        ("next_comm", "next_pid", "next_prio", "prev_comm", "prev_pid", "prev_prio", "prev_state"),
        lambda comm, pid, prio, before, before_pid, before_prio, state: (
            f"prev_comm={text_of_field(before)} prev_pid={before_pid} prev_prio={before_prio}"
            f" prev_state={STATES[state]} ==>"
            f" next_comm={text_of_field(comm)} next_pid={pid} next_prio={prio}"
        ),
    ),
}


@pytest.mark.parametrize("instance", ["waits", "drives", "game"])
@pytest.mark.parametrize("kernel", ["linux-6.1", "linux-6.12", "linux-6.18"])
def test_recorded_pages_say_what_the_kernel_says_of_them(kernel, instance):
    """Every record of three kernels is found, in its order, at its time, with its values."""
    folder, formats = RECORDED / kernel, recorded_formats(kernel)
    told = TEXT.finditer((folder / f"{instance}.txt").read_text())
    by_cpu: dict[int, list[re.Match[str]]] = {cpu: [] for cpu in formats.cpus}
    for line in told:
        by_cpu[int(line["cpu"])].append(line)
    first = formats.instances.index(instance) * len(formats.cpus)
    names = {event.id: name for name, event in formats.events.items()}
    for cpu in formats.cpus:
        data = (folder / f"ring{first + cpu}.raw").read_bytes()
        read: list[Record] = []
        reader = PageReader(
            formats.page, {number: KnownEvent(8, lambda *_: None) for number in names}
        )
        for begin in range(0, len(data), formats.page.size):
            reader.read(data[begin : begin + formats.page.size], read)
        lines = by_cpu[cpu][: len(read)] if len(data) == 2 * formats.page.size else by_cpu[cpu]
        assert len(lines) == len(read)
        for line, (time_ns, _, page, at) in zip(lines, read, strict=True):
            name = names[struct.unpack_from("<H", page, at)[0]]
            assert name.partition("/")[2] == line["event"]
            assert time_ns // 1000 == pytest.approx(
                int(line["s"]) * 10**6 + int(line["us"]), abs=1
            )
            if name in SHOWN:
                fields, shown = SHOWN[name]
                unpack = record_layout(name, formats.events[name], fields).unpack
                assert shown(*unpack(page, at)) == line["text"]
