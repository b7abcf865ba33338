# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the trace as lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.sample import SampleError, decode, encode
from destutter.core.traced import (
    MAIN_BIN_NS,
    Awaited,
    FilesystemCommit,
    MainTimes,
    SleepLook,
    SlowRequest,
    TracedMoment,
    TracedSleep,
    TracedTally,
    TracedThread,
    TracedWait,
    TraceLineError,
    TraceLook,
    TraceLoss,
)

numbers = st.integers(-(1 << 60), 1 << 60)
texts = st.text(max_size=5)
maybe = st.none() | numbers
threads = st.builds(TracedThread, numbers, texts, maybe)
somebody = st.none() | threads
waits = st.builds(TracedWait, threads, texts, numbers, numbers, texts, somebody, maybe)
requests = st.builds(
    SlowRequest,
    *(texts, texts, numbers, numbers, numbers, maybe, numbers, maybe, somebody, st.booleans()),
)
commits = st.builds(FilesystemCommit, texts, texts, numbers, maybe, maybe, maybe)
moments = st.builds(TracedMoment, texts, numbers, texts, somebody)
awaited = st.builds(Awaited, numbers, numbers, numbers, numbers, numbers)
slept_for = [st.lists(each, max_size=2).map(tuple) for each in (threads, awaited)]
sleep_looks = st.builds(SleepLook, numbers, *slept_for)
sleeps = st.builds(
    TracedSleep,
    *(threads, numbers, numbers),
    *slept_for,
    st.lists(sleep_looks, max_size=2).map(tuple),
)
tallies = st.builds(TracedTally, texts, texts, numbers, numbers, numbers)
losses = st.builds(TraceLoss, numbers, numbers, maybe, texts)
parts = st.integers(0, MAIN_BIN_NS)
bins = st.lists(st.none() | st.tuples(parts, parts, parts), max_size=40)
mains = st.builds(MainTimes.of, numbers, bins)
looks = st.builds(
    TraceLook,
    *(numbers, numbers, numbers, numbers, numbers, st.dictionaries(texts, numbers)),
    *(
        st.lists(each, max_size=2).map(tuple)
        for each in (waits, requests, commits, moments, losses)
    ),
    *(numbers, numbers, numbers),
    st.lists(sleeps, max_size=2).map(tuple),
    st.lists(tallies, max_size=2).map(tuple),
    st.lists(sleeps, max_size=2).map(tuple),
    st.none() | st.dictionaries(texts, numbers),
    st.none() | mains,
)


@given(looks)
def test_a_line_is_the_look_again(look):
    """Whatever is in it, on one line."""
    line = encode(look)
    assert "\n" not in line
    assert decode(line) == look


@pytest.mark.parametrize("is_loss", [False, True])
@pytest.mark.parametrize(("fewer", "is_read"), [(5, True), (8, True), (9, True), (10, False)])
def test_recordings_of_before_have_fewer_values(fewer, is_read, is_loss):
    """What the last ones are not said to be is as if nobody had given it."""
    loss = TraceLoss(1, 2, 3, "drives")
    body = json.loads(encode(TraceLook(1, 2, 3, 4, losses=(loss,), untold_requests=7)))
    short = body[:-fewer]
    if is_loss and fewer == 8:
        short[11] = [each[:-1] for each in short[11]]
        loss = TraceLoss(1, 2, 3)
    wanted = TraceLook(1, 2, 3, 4, losses=(loss,), untold_requests=7 if fewer <= 8 else 0)
    if is_read:
        assert decode(json.dumps(short)) == wanted
    else:
        with pytest.raises(SampleError):
            decode(json.dumps(short))


@pytest.mark.parametrize(("fewer", "is_read"), [(1, True), (2, True), (3, False)])
def test_sleeps_of_before_do_not_tell_for_whom_they_were_when(fewer, is_read):
    """They are read all the same, and those without looks."""
    thread, awaited = TracedThread(7, "main", 7), (Awaited(7, 1, 3),)
    sleep = TracedSleep(thread, 1, 2, (thread,), awaited, (SleepLook(2),))
    body = json.loads(encode(TraceLook(1, 2, 3, 4, sleeps=(sleep,))))
    at = next(at for at, each in enumerate(body) if isinstance(each, list) and each)
    body[at] = [each[:-fewer] for each in body[at]]
    if is_read:
        before = TracedSleep(thread, 1, 2, (thread,), awaited if fewer == 1 else ())
        assert decode(json.dumps(body)) == TraceLook(1, 2, 3, 4, sleeps=(before,))
    else:
        with pytest.raises(SampleError):
            decode(json.dumps(body))


def test_sleeps_of_before_do_not_tell_what_the_others_did_meanwhile():
    """Nothing is known of it then."""
    thread = TracedThread(7, "main", 7)
    sleep = TracedSleep(thread, 1, 2, (thread,), (Awaited(7, 1, 3),))
    line = encode(TraceLook(1, 2, 3, 4, sleeps=(sleep,)))
    assert line.count("[7,1,3,0,0]") == 1
    assert decode(line.replace("[7,1,3,0,0]", "[7,1,3]")) == decode(line)


@given(bins)
def test_what_a_main_thread_did_is_told_to_a_fifth_of_a_millisecond(bins):
    """Each by itself, and any of them together; what is not known is no zero."""
    told = MainTimes.of(70, bins)
    assert told.end_ns == 70 + len(bins) * MAIN_BIN_NS
    read = list(told.bins())
    assert [one is None for one in read] == [one is None for one in bins]
    off = [0, 0, 0]
    for exact, rounded in zip(bins, read, strict=True):
        for at, (one, other) in enumerate(zip(exact or (), rounded or (), strict=True)):
            off[at] += one - other
            assert abs(off[at]) <= 100_000
            assert 0 <= other <= MAIN_BIN_NS


@pytest.mark.parametrize("packed", ["0", "00", "0000", "00Q", "0-0", "---0", "00\n", "00é", "00P"])
def test_no_other_text_tells_of_a_main_thread(packed):
    """Half of one, more than there is room for, other characters."""
    with pytest.raises(TraceLineError):
        MainTimes(0, packed)
    line = encode(TraceLook(1, 2, 3, 4, main=MainTimes(0, "a1O")))
    with pytest.raises(SampleError):
        decode(line.replace('"a1O"', json.dumps(packed)))


json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


@given(st.lists(json_values).map(lambda values: ["k", *values]))
def test_anything_else_is_refused(value):
    """One kind of error for whatever is no look."""
    with pytest.raises(SampleError):
        decode(json.dumps(value))


@pytest.mark.parametrize("line", ['["k"]', '["k"', '["k",' + "[" * 100_000])
def test_what_is_no_line_is_refused(line):
    """Cut off, nothing in it, endless."""
    with pytest.raises(SampleError):
        decode(line)
