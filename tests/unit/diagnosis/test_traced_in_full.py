# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody waited longer than the trace has in all, and who ran did not wait.

The cases are those of somebody who measured each wait himself: reads of 1.5 ms between pieces of
work, a group at its limit of memory, a thread that streams while another one computes.
"""

from dataclasses import replace

import pytest

from destutter.core.traced import CORE, MEMCG_RECLAIM, REQUEST, TracedThread
from destutter.diagnosis.blame.blame import blames
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.traced_blame import by_trace
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import MEMORY_KINDS, TracedWaits, WaitInside
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.time_lost import TimeLostTally

MS = 1_000_000
STUTTER_MS = 150.0
MAIN, STREAMER = TracedThread(7, "Simulator", 7), TracedThread(8, "Streamer", 7)
TOLD = frozenset({*MEMORY_KINDS, REQUEST, "dirty_pause", "wbt", CORE})


def traced(*waits: WaitInside, **short_ms: float) -> TracedWaits:
    return TracedWaits(TOLD, waits, short_ms=short_ms)


def waited(thread: TracedThread, kind: str, ms: int) -> WaitInside:
    return WaitInside(thread, kind, 0, ms * MS)


def seen(where: WhereTimeWent, ms: float = STUTTER_MS) -> Blame:
    return Blame(where, Certainty.SEEN, ms)


@pytest.mark.parametrize(
    ("short_ms", "told_ms"),
    [(40.6, None), (92.4, 92.4), (400.0, STUTTER_MS)],
)
def test_a_look_that_found_a_short_read_does_not_make_it_a_long_one(short_ms, told_ms):
    """At one of one looks the thread was found in a read, of 41 or of 92 of 150 ms."""
    met = Circumstances(STUTTER_MS, seen={"io": 1}, traced=traced(request=short_ms))
    found = by_trace(met, WhereTimeWent.STORAGE, seen(WhereTimeWent.STORAGE))
    assert (None if found is None else found.ms) == told_ms


@pytest.mark.parametrize("place", ["journal", "dirty"])
def test_who_waits_for_a_commit_asks_a_drive_for_nothing(place):
    """Nor does who is held back from writing."""
    met = Circumstances(STUTTER_MS, seen={place: 1}, traced=traced(request=3.0))
    assert by_trace(met, WhereTimeWent.STORAGE, seen(WhereTimeWent.STORAGE)) is not None


def test_a_file_of_a_server_is_no_request_to_a_drive():
    """A look found the thread waiting, and no drive was asked."""
    met = Circumstances(STUTTER_MS, seen={"io": 1}, traced=traced())
    found = by_trace(met, WhereTimeWent.STORAGE, seen(WhereTimeWent.STORAGE))
    assert found == seen(WhereTimeWent.STORAGE)


@pytest.mark.parametrize("where", [WhereTimeWent.HELD, WhereTimeWent.ELSEWHERE])
@pytest.mark.parametrize("short_ms", [0.0, 3.0, 400.0])
def test_what_keeps_the_game_above_its_drives_is_not_refuted_by_their_requests(where, short_ms):
    """A limit of its group, a frozen file system or a program that serves the files."""
    met = Circumstances(STUTTER_MS, seen={"io": 1}, traced=traced(request=short_ms))
    assert by_trace(met, WhereTimeWent.STORAGE, seen(where)) == seen(where)


@pytest.mark.parametrize("waits", [(), (waited(MAIN, MEMCG_RECLAIM, 5),)])
def test_a_group_at_its_limit_that_freed_little_did_not_wait_for_memory(waits):
    """9 ms of 95 in reclaim; the rest is the work of taking memory anew."""
    met = Circumstances(
        95.0, limit_hits=900.0, system_ms=80.0, runner=("", 85.0), traced=traced(*waits, reclaim=4)
    )
    assert by_trace(met, WhereTimeWent.MEMORY, seen(WhereTimeWent.MEMORY, 80.0)) is None
    before = replace(met, traced=TracedWaits(TOLD))  # recorded when nobody added up
    assert by_trace(before, WhereTimeWent.MEMORY, seen(WhereTimeWent.MEMORY, 80.0)) is not None


def test_a_group_that_is_slowed_down_waits_in_what_no_event_tells():
    """Above memory.high the kernel lets its threads sleep; a look finds that."""
    met = Circumstances(95.0, seen={"memory": 1}, traced=traced())
    assert by_trace(met, WhereTimeWent.MEMORY, seen(WhereTimeWent.MEMORY)) is not None


def test_a_main_thread_that_ran_waited_for_no_worker():
    """It computed for all of the stutter, while a thread that nobody waits for read."""
    met = Circumstances(
        STUTTER_MS,
        runner=("", 150.0),
        runner_usual=0.1,
        drive_ms=130.0,
        await_ms=20.0,
        traced=traced(waited(STREAMER, REQUEST, 130)),
    )
    found = blames(met)
    assert found[0].where is WhereTimeWent.OWN_WORK
    spike = Spike(150 * MS, STUTTER_MS, "frame")
    lost = TimeLostTally().of([spike], [Explained(spike, met, found)])
    assert lost.parts == {"own": 150.0}
    assert lost.traced_ms == 0.0


@pytest.mark.parametrize(
    ("ran_ms", "certainty"), [(150.0, Certainty.SEEN), (15.0, Certainty.MEASURED)]
)
def test_beside_a_main_thread_that_ran_a_workers_wait_is_not_measured(ran_ms, certainty):
    """It may have looked for that one again and again, or have computed for itself."""
    met = Circumstances(
        STUTTER_MS, runner=("", ran_ms), traced=traced(waited(STREAMER, REQUEST, 130))
    )
    found = by_trace(met, WhereTimeWent.STORAGE, seen(WhereTimeWent.STORAGE))
    assert found is not None
    assert (found.certainty, found.thread) == (certainty, "8 Streamer")


def test_what_is_left_beside_its_own_work_is_what_others_waited_for():
    """207 ms, 150 of them computed: a worker that was kept from its core had no more than the
    rest."""
    met = Circumstances(
        207.0,
        runner=("", 150.0),
        runner_usual=0.1,
        traced=traced(waited(STREAMER, CORE, 124)),
    )
    spike = Spike(207 * MS, 207.0, "frame")
    lost = TimeLostTally().of([spike], [Explained(spike, met, blames(met))])
    assert lost.parts["own"] == 150.0
    assert sum(lost.parts.values()) == pytest.approx(207.0)
