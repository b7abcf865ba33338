# SPDX-License-Identifier: GPL-3.0-or-later
"""Values and calls in the wire format of D-Bus."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.bus_wire import (
    BusMessage,
    Reader,
    Variant,
    WireError,
    Writer,
    message_length,
    method_call,
    split,
)

WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
TYPED = st.one_of(
    st.tuples(st.just("u"), st.integers(0, 2**32 - 1)),
    st.tuples(st.just("i"), st.integers(-(2**31), 2**31 - 1)),
    st.tuples(st.just("y"), st.integers(0, 255)),
    st.tuples(st.just("d"), st.floats(allow_nan=False)),
    st.tuples(st.just("b"), st.booleans()),
    st.tuples(st.just("s"), WORDS),
    st.tuples(st.just("as"), st.lists(WORDS, max_size=4)),
    st.tuples(st.just("a{su}"), st.dictionaries(WORDS, st.integers(0, 99), max_size=4)),
    st.tuples(st.just("(sx)"), st.tuples(WORDS, st.integers(-(2**63), 2**63 - 1))),
)


@given(st.lists(TYPED, max_size=6))
def test_what_is_written_is_read(values):
    """Every value comes back as it was, whatever stands before it."""
    writer = Writer()
    for signature, value in values:
        writer.write(signature, value)
    signature = "".join(each for each, _ in values)
    assert Reader(bytes(writer.data)).read_all(signature) == [value for _, value in values]


@given(TYPED)
def test_variant_carries_its_type(typed):
    """A variant is read as its value without anybody naming the type."""
    writer = Writer()
    writer.write("v", Variant(*typed))
    assert Reader(bytes(writer.data)).read_all("v") == [typed[1]]


@given(st.binary(max_size=120))
def test_any_bytes_are_a_message_or_an_error(data):
    """Damaged bytes are refused in words, and nothing else happens."""
    for read in (BusMessage, message_length):
        try:
            read(data)
        except WireError:
            continue


def test_call_names_its_length():
    """The first sixteen bytes of a call say how long all of it is."""
    data = method_call(1, "a.b", "/c", ("a.b", "Method"), "su", ("x", 7))
    assert message_length(data[:16]) == len(data)


def test_signature_is_split_into_types():
    """Containers stay whole."""
    assert split("susssasa{sv}i") == ["s", "u", "s", "s", "s", "as", "a{sv}", "i"]
    assert split("a(yv)(s(ii))") == ["a(yv)", "(s(ii))"]
    with pytest.raises(WireError):
        split("z")
    with pytest.raises(WireError):
        split("(s")


@pytest.mark.parametrize(("signature", "value"), [("u", -1), ("u", "x"), ("s", 7), ("as", [1])])
def test_wrong_values_are_refused(signature, value):
    """A value that is none of its type is an error, not a damaged message."""
    with pytest.raises(WireError):
        Writer().write(signature, value)


@given(st.lists(st.integers(0, 5), max_size=4), st.integers(0, 4))
def test_each_descriptor_of_a_message_is_named_once_or_it_is_refused(numbers, count):
    """Else one would be closed twice, or never."""
    body = Writer()
    body.write("ah", numbers)
    message = struct.pack("<cBBBII", b"l", 2, 0, 1, len(body.data), 1)
    head = Writer()
    head.data += message
    head.write("a(yv)", [(5, Variant("u", 7)), (8, Variant("g", "ah")), (9, Variant("u", count))])
    head.align(8)
    answer = BusMessage(bytes(head.data + body.data))
    descriptors = [100 + each for each in range(count)]
    if sorted(numbers) == list(range(count)):
        assert answer.values_with(descriptors) == [[100 + each for each in numbers]]
    else:
        with pytest.raises(WireError):
            answer.values_with(descriptors)
