# SPDX-License-Identifier: GPL-3.0-or-later
"""Under a limit of its group for a drive the game waits before there is a request to trace.

The case is a game that reads 0.8 MB/s at most and loses four frames of 300 ms at once: what the
trace had of requests was a third of what looks saw, and of three frames it had nothing.
"""

import pytest

from destutter.core.traced import CORE, DIRTY_PAUSE, REQUEST, WBT
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.traced_blame import by_trace
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.drive_load import DriveLimit
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.traced_waits import TracedWaits
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.stutter_parts import divided

MS = 1_000_000
FRAME_MS = 300.0
ASLEEP = MainWork(1.0, 0.0, 0.0, 299.0)
TOLD = frozenset([CORE, REQUEST, DIRTY_PAUSE, WBT])
SEEN = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, FRAME_MS, "8 scenery")
LIMIT = DriveLimit("sda", "cgroup.read_limit_bytes_per_s", 8e5, own_use=0.94)
LOOSE = DriveLimit("sda", "cgroup.read_limit_bytes_per_s", 8e5, own_use=0.1)


def met(limit):
    """A main thread that slept while a worker was found reading three times."""
    traced = TracedWaits(TOLD, (), main=ASLEEP, short_ms={REQUEST: 40.0})
    return Circumstances(FRAME_MS, seen={"io": 3}, drive="sda", drive_limit=limit, traced=traced)


@pytest.mark.parametrize(("limit", "told_ms"), [(LIMIT, FRAME_MS), (LOOSE, None), (None, None)])
def test_a_read_that_waits_for_its_turn_is_as_long_as_it_was_seen(limit, told_ms):
    """Without the limit the trace is right: 40 ms in requests hold nobody up for 300."""
    found = by_trace(met(limit), WhereTimeWent.STORAGE, SEEN)
    assert (found and found.ms) == told_ms


@pytest.mark.parametrize(("limit", "storage_ms"), [(LIMIT, 4 * 299.0), (LOOSE, 299.0)])
def test_the_longest_frame_speaks_for_those_of_which_nothing_is_known(limit, storage_ms):
    """Of three more frames under the same limit the trace has nothing either."""
    frames = [(Spike(at * MS, FRAME_MS, "frame"), met(limit).traced) for at in (400, 800, 1200)]
    spike = Spike(1600 * MS, FRAME_MS, "frame", more_ms=3 * FRAME_MS)
    parts = divided(spike, Explained(spike, met(limit), (SEEN,), others=tuple(frames))).parts
    assert parts["storage"] == pytest.approx(storage_ms, abs=130.0 if limit is LOOSE else 5.0)
    assert sum(parts.values()) == pytest.approx(4 * FRAME_MS)
