# SPDX-License-Identifier: GPL-3.0-or-later
"""The codec of messages."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.sample import (
    Facts,
    Frames,
    Header,
    Layout,
    Marker,
    Reading,
    Sample,
    SampleError,
    Trouble,
    decode,
    encode,
)
from destutter.core.statement import TOLD, Statement, told

TIMES = st.integers(0, 2**60)
TEXT = st.text(max_size=30)
VALUES = st.lists(st.none() | st.integers(-(2**63), 2**64), max_size=20).map(tuple)
NAMES = st.lists(TEXT, max_size=5).map(tuple)
READINGS = st.builds(Reading, TEXT, TIMES, VALUES)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def frames(draw):
    """Frames with as many times as lengths."""
    pairs = draw(st.lists(st.tuples(TIMES, st.integers(0, 10**9)), max_size=5))
    return Frames(draw(TEXT), tuple(t for t, _ in pairs), tuple(us for _, us in pairs))


REASONS = st.builds(told, st.text(min_size=1)) | st.builds(
    Statement, st.text(), st.dictionaries(TEXT, TEXT)
).filter(lambda reason: reason.id != TOLD)
MESSAGES = st.one_of(
    st.builds(Layout, TEXT, NAMES, st.none() | NAMES),
    st.builds(Sample, TIMES, TIMES, TIMES, TIMES, st.lists(READINGS, max_size=4).map(tuple)),
    frames(),
    st.builds(Facts, TIMES, st.dictionaries(TEXT, TEXT, max_size=4)),
    st.builds(Marker, TIMES, TEXT),
    st.builds(Trouble, TIMES, TEXT, st.none() | REASONS),
    st.builds(
        Header,
        TIMES,
        st.floats(0, 4e9, allow_nan=False),
        st.integers(1, 60_000),
        st.dictionaries(TEXT, JSON, max_size=4),
        st.dictionaries(TEXT, TEXT, max_size=4),
    ),
)


@given(MESSAGES)
def test_a_message_survives_its_line(message):
    """Every message is the same after a line of text, and the line holds no line break."""
    line = encode(message)
    assert "\n" not in line
    assert decode(line) == message
    assert decode(line.encode()) == message


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_anything_else_is_a_sample_error(line):
    """A line that no message produced raises SampleError and nothing else."""
    try:
        message = decode(line)
    except SampleError:
        return
    assert decode(encode(message)) == message


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        '["s",1,2,3]',
        '["s",1,0,0,0,[["vmstat",0,[1.5]]]]',
        '["s",true,0,0,0,[]]',
        '["r","log",[1,2],[3]]',
        '["l","vmstat","fields",null]',
        '["h",1,true,100,{},{}]',
        '["unknown",1]',
        '["h",1,NaN,100,{},{}]',
        '["h",1,1.0,100,{"size":1e999},{}]',
        f'["s",{10**40},0,0,0,[]]',
        f'["s",1,0,0,0,[["vmstat",-{10**40},[1]]]]',
        f'["r","log",[{10**400}],[3]]',
        f'["m",{10**400},"mark"]',
        "[" * 5000,
        b'["m",1,"\xff"]',
    ],
)
def test_messages_of_a_wrong_shape_are_refused(line):
    """A list that begins like a message and is not one is refused."""
    with pytest.raises(SampleError):
        decode(line)


@pytest.mark.parametrize("told", ["big", None, 0, -4096, 4096.0, True, 10**400])
def test_a_page_size_that_is_none_counts_as_the_usual_one(told):
    """The machine of a header is anybody's JSON; sizes follow from it."""
    assert Header(1, 0.0, 100, {"page_bytes": told}).page_bytes == 4096
    assert Header(1, 0.0, 100).page_bytes == 4096
    assert Header(1, 0.0, 100, {"page_bytes": 65536}).page_bytes == 65536


def test_a_layout_knows_its_width():
    """A scalar source has a value per field, an instanced one has them per instance."""
    assert Layout("stat", ("a", "b")).width == 2
    assert Layout("cpu", ("a", "b"), ("cpu0", "cpu1", "cpu2")).width == 6
    assert Layout("swap", ("a", "b"), ()).width == 0


def test_a_finished_text_without_its_text_is_told_by_its_id():
    """From a stream that somebody else wrote."""
    strange = Trouble(1, "disk", Statement("core.told", {}))
    again = decode(encode(strange).encode())
    assert isinstance(again, Trouble)
    assert "core.told" in str(again.reason)
