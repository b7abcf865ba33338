# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the processors, and whenever it is looked: the pairs are those of the order of time."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from destutter.core.traced import TracedWait
from tests.support.built_pages import TraceStage, ns

BEGIN, END = "vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end"
records = st.lists(
    st.tuples(
        st.integers(1, 9), st.integers(0, 3), st.integers(1, 3), st.sampled_from([BEGIN, END])
    ),
    max_size=40,
)
"""Time since the one before in ms, ring, thread, event."""


def pairs(timed):
    """The long waits that a simple reader of one list finds: thread, begin, length."""
    begun, found = {}, []
    for at, _, tid, event in timed:
        if event == BEGIN:
            begun[tid] = at
        elif tid in begun:
            begin = begun.pop(tid)
            if at - begin >= 4:
                found.append((tid, begin, at - begin))
    return sorted(found)


@given(records, st.sets(st.integers(1, 400), max_size=6))
def test_pairs_are_those_of_the_order_of_time(wanted, moments):
    """Records of four rings, with looks in between at which some of the rings are behind."""
    at, timed = 0, []
    for since, ring, tid, event in wanted:
        at += since
        timed.append((at, ring, tid, event))
    stage = TraceStage(Path("/nowhere"))
    found: list[TracedWait] = []
    try:
        left = list(timed)
        for moment in (*sorted(moments), at + 1):
            # What the kernel wrote until then, and of some rings a little more.
            while left and left[0][0] <= moment + left[0][1]:
                time_ms, ring, tid, event = left.pop(0)
                stage.emit(ring, time_ms, event, common_pid=tid)
            found += stage.look(moment).waits
    finally:
        stage.close()
    told = [(each.thread.tid, each.begin_ns, each.duration_ns) for each in found]
    assert sorted(told) == [(tid, ns(begin), ns(took)) for tid, begin, took in pairs(timed)]
