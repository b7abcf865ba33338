# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats: places come from the kernel, and what does not fit together is refused in words."""

import dataclasses
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.tracing.formats import (
    TraceFormatError,
    check_formats,
    check_page,
    record_layout,
    text_at,
)
from destutter_helper.api.tracing import Event, Field, RingPage
from tests.support.built_pages import record_of, recorded_formats

TYPE = Field("common_type", "unsigned short", 0, 2, False)
SIZES = {"u8": (1, False), "s16": (2, True), "u32": (4, False), "s64": (8, True)}


@given(
    st.permutations(list(SIZES)),
    st.permutations(list(SIZES)),
    st.lists(st.integers(0, 9)),
    st.data(),
)
def test_fields_are_read_wherever_they_lie(order, wanted, gaps, data):
    """Whatever the kernel's order, the values come in the order in which they were asked for."""
    fields, at = [TYPE], 8
    for name, gap in zip(order, [*gaps, 0, 0, 0, 0], strict=False):
        size, signed = SIZES[name]
        fields.append(Field(name, "int", at + gap, size, signed))
        at += gap + size
    event = Event(7, tuple(fields))
    values = {
        name: data.draw(st.integers(-(2 ** (8 * size - 1)), 2 ** (8 * size - 1) - 1))
        if signed
        else data.draw(st.integers(0, 2 ** (8 * size) - 1))
        for name, (size, signed) in SIZES.items()
    }
    layout = record_layout("a/b", event, wanted)
    page = bytes(16) + record_of(event, **values)
    assert layout.unpack(page, 16) == tuple(values[name] for name in wanted)
    assert layout.size == at


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ([TYPE], "pid"),
        (
            [Field("common_type", "unsigned short", 2, 2, False), Field("pid", "int", 4, 4, True)],
            "common_type",
        ),
        ([Field("pid", "int", 4, 4, True)], "common_type"),
        ([TYPE, Field("pid", "int", 4, 3, True)], "pid"),
        ([TYPE, Field("pid", "int", 4, 0, True)], "pid"),
        ([TYPE, Field("pid", "char[0]", 4, 0, True)], "pid"),
        ([TYPE, Field("pid", "__data_loc char[]", 4, 8, True)], "pid"),
    ],
)
def test_an_event_that_could_be_misread_is_refused(fields, wanted):
    """Fields that are missing, or of another form, are named."""
    with pytest.raises(TraceFormatError) as refused:
        record_layout("a/b", Event(7, tuple(fields)), ["pid"])
    assert refused.value.statement.values == {"event": "a/b", "field": wanted}


def test_fields_that_overlap_are_refused():
    """Two fields at one place are those of no kernel."""
    fields = (TYPE, Field("pid", "int", 4, 4, True), Field("prio", "int", 6, 4, True))
    with pytest.raises(TraceFormatError):
        record_layout("a/b", Event(7, fields), ["pid", "prio"])


@pytest.mark.parametrize(
    "page",
    [
        RingPage(4096, (0, 4), (8, 8), 16),
        RingPage(4096, (0, 8), (8, 2), 16),
        RingPage(4096, (0, 8), (4, 8), 16),
        RingPage(4096, (0, 8), (8, 8), 12),
        RingPage(4096, (0, 8), (8, 8), 4092),
        RingPage(2 << 20, (0, 8), (8, 8), 16),
    ],
)
def test_a_header_whose_parts_do_not_fit_is_refused(page):
    """Sizes that no kernel has, parts that overlap, no room for a record, or too much."""
    with pytest.raises(TraceFormatError, match="form that this version does not know"):
        check_page(page)


def test_two_events_with_one_number_are_refused():
    """One of them would be read as the other."""
    formats = recorded_formats()
    check_formats(formats)
    twin = next(iter(formats.events.values()))
    with pytest.raises(TraceFormatError, match="the same number"):
        check_formats(dataclasses.replace(formats, events={**formats.events, "a/b": twin}))


def test_a_text_ends_where_its_record_says():
    """Of a text behind the fields the record has place and length."""
    record = struct.pack("<HHII", 7, 0, 0, 12 | 4 << 16) + b"abc\0rest"
    assert text_at(b"...." + record, 4, 12 | 4 << 16) == "abc"
