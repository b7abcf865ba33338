# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON of a trace: options, numbers of processes, formats; what is sent is read again."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api.names import REQUEST_MAX_BYTES, HelperError
from destutter_helper.api.tracing import (
    EXPERT,
    INSTANCES,
    MOST_PIDS,
    PID_MAX,
    Event,
    Field,
    Formats,
    RingPage,
    TraceOptions,
    decode_formats,
    decode_options,
    decode_pids,
    encode_formats,
    encode_options,
    encode_pids,
)

EXAMPLE = Formats(
    version=1,
    cpus=(0, 1),
    instances=("waits", "drives"),
    page=RingPage(4096, (0, 8), (8, 8), 16),
    events={"oom/mark_victim": Event(609, (Field("common_pid", "int", 4, 4, signed=True),))},
    missing=("wbt/wbt_timer",),
    tick_ns=4_000_000,
    clock="mono",
    ends_at_ns=14_400_000_000_000,
)
event_names = st.from_regex(r"[a-z0-9_]{1,20}/[a-z0-9_]{1,20}", fullmatch=True)
words = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=20)
events = st.builds(
    Event,
    st.integers(1, 65535),
    st.lists(
        st.builds(Field, words, words, st.integers(0, 4096), st.integers(0, 4096), st.booleans()),
        max_size=4,
    ).map(tuple),
)
formats = st.builds(
    Formats,
    version=st.just(1),
    cpus=st.lists(st.integers(0, 8191), min_size=1, max_size=4).map(tuple),
    instances=st.sampled_from([INSTANCES[:-1], INSTANCES, (*INSTANCES, EXPERT)]),
    page=st.sampled_from(
        [RingPage(4096, (0, 8), (8, 8), 16), RingPage(65536, (0, 8), (8, 4), 12)]
    ),
    events=st.dictionaries(event_names, events, max_size=3),
    missing=st.lists(event_names, max_size=3).map(tuple),
    tick_ns=st.sampled_from([1_000_000, 4_000_000, 10_000_000]),
    clock=st.just("mono"),
    ends_at_ns=st.integers(0, 2**63 - 1),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)


@given(st.booleans(), st.booleans())
def test_options_are_read_again(game, expert):
    """With and without the game; left out, it is not wanted, and an older helper sees no word."""
    options = TraceOptions(game, expert)
    assert decode_options(encode_options(options)) == options
    assert ("expert" in encode_options(options)) == expert
    assert decode_options("{}") == TraceOptions(game=False)


@given(st.lists(st.integers(1, PID_MAX), max_size=20))
def test_numbers_of_processes_are_read_again(pids):
    """Each once, in their order."""
    assert decode_pids(encode_pids(tuple(pids))) == tuple(dict.fromkeys(pids))


def test_as_many_processes_as_may_be_named_fit_into_a_request():
    """The longest list, of the longest numbers, is below the limit of the gate."""
    text = encode_pids(tuple(range(PID_MAX - MOST_PIDS + 1, PID_MAX + 1)))
    assert len(text) <= REQUEST_MAX_BYTES
    assert len(decode_pids(text)) == MOST_PIDS


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[0]", "InvalidArgument"),
        ("[-1]", "InvalidArgument"),
        (f"[{PID_MAX + 1}]", "InvalidArgument"),
        ("[true]", "InvalidArgument"),
        ('["1"]', "InvalidArgument"),
        ("[1.0]", "InvalidArgument"),
        ("[1e3]", "InvalidArgument"),
        ("[[1]]", "InvalidArgument"),
        ('{"pids": [1]}', "InvalidArgument"),
        ("[" * 9000, "InvalidArgument"),
        ("", "InvalidArgument"),
        (f"[{','.join(['1'] * (MOST_PIDS + 1))}]", "InvalidArgument"),
        (f"[{' ' * REQUEST_MAX_BYTES}1]", "TooLarge"),
    ],
)
def test_a52_lists_of_another_form_are_refused_by_name(text, error):
    """No other number, type or length; all before a process is looked at."""
    with pytest.raises(HelperError) as refused:
        decode_pids(text)
    assert refused.value.name == error


@pytest.mark.parametrize("text", ['{"game": 1}', '{"game": true, "hist": true}', "[]", "null", ""])
def test_a52_other_options_are_refused(text):
    """Nothing can be asked for but the game's threads."""
    with pytest.raises(HelperError) as refused:
        decode_options(text)
    assert refused.value.name == "InvalidArgument"


@given(json_values | st.lists(st.integers(-5, 5), max_size=4))
def test_a52_any_json_is_an_answer_by_name(value):
    """Whatever it is: read as what it should be, or refused."""
    text = json.dumps(value)
    for decode in (decode_options, decode_pids, decode_formats):
        try:
            found = decode(text)
        except HelperError:
            continue
        assert isinstance(found, (TraceOptions, tuple, Formats))


@given(formats)
def test_formats_are_read_again(given_formats):
    """All of it, the events by their names."""
    assert decode_formats(encode_formats(given_formats)) == given_formats


def test_formats_have_the_form_of_the_contract():
    """The JSON as both sides agreed on it."""
    assert json.loads(encode_formats(EXAMPLE)) == {
        "version": 1,
        "cpus": [0, 1],
        "instances": ["waits", "drives"],
        "page": {"size": 4096, "timestamp": [0, 8], "commit": [8, 8], "data": 16},
        "events": {
            "oom/mark_victim": {
                "id": 609,
                "fields": [
                    {"name": "common_pid", "type": "int", "offset": 4, "size": 4, "signed": True}
                ],
            }
        },
        "missing": ["wbt/wbt_timer"],
        "tick_ns": 4_000_000,
        "clock": "mono",
        "ends_at_ns": 14_400_000_000_000,
    }


def test_a_newer_helper_may_tell_more():
    """A reader passes over keys that it does not know, at every depth."""
    data = json.loads(encode_formats(EXAMPLE))
    data["newer"] = data["page"]["newer"] = 1
    data["events"]["oom/mark_victim"]["newer"] = data["events"]["oom/mark_victim"]["fields"][0][
        "newer"
    ] = [1]
    assert decode_formats(json.dumps(data)) == EXAMPLE


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 2},
        {"cpus": ()},
        {"cpus": (9000,)},
        {"instances": ("game",)},
        {"instances": ("waits", "waits")},
        {"clock": "local"},
        {"tick_ns": 0},
        {"ends_at_ns": -1},
        {"missing": ("../etc",)},
        {"page": RingPage(4096, (0, 8), (8, 8), 5000)},
        {"page": RingPage(8, (0, 8), (8, 8), 16)},
        {"page": RingPage(1 << 30, (0, 8), (8, 8), 16)},
        {"page": RingPage(4096, (0, 8), (12, 8), 16)},
        {"page": RingPage(4096, (0, 8, 1), (8, 8), 16)},
        {"page": RingPage(4096, (0, 2), (8, 8), 16)},
        {"events": {"no_group": Event(1, ())}},
        {"events": {"a/b": Event(0, ())}},
        {"events": {"a/b": Event(1, (Field("", "int", 0, 4, signed=True),))}},
        {"events": {"a/b": Event(1, (Field("x", "int\n", 0, 4, signed=True),))}},
        {"events": {"a/b": Event(1, (Field("x", "int", 9999, 4, signed=True),))}},
        {"events": {f"a/b{n}": Event(1, ()) for n in range(65)}},
        {"events": {"a/b": Event(1, (Field("x", "int", 0, 4, signed=True),) * 65)}},
    ],
)
def test_formats_beyond_their_limits_are_refused(wrong):
    """A reader that computes with these numbers gets none that would lead it astray."""
    text = encode_formats(dataclasses.replace(EXAMPLE, **wrong))
    with pytest.raises(HelperError) as refused:
        decode_formats(text)
    assert refused.value.name == "InvalidArgument"
