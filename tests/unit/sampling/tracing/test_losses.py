# SPDX-License-Identifier: GPL-3.0-or-later
"""Lost records: what is told of them, and what is not measured because of them."""

import dataclasses

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.core.traced import TraceLoss
from destutter.sampling.tracing.formats import TraceFormatError
from destutter.sampling.tracing.reader import TraceReader
from destutter.sampling.tracing.rings import MOST_PAGES
from destutter_helper.api.tracing import Event, Field
from tests.support.built_pages import PageBuilder, TraceStage, ns, record_of, recorded_formats

BEGIN, END = "vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end"


def page(stage, time_ms, missed, name=END, **values):
    """A page with one record, before which others were lost."""
    record = record_of(stage.formats.events[name], common_pid=4711, **values)
    return PageBuilder(stage.formats.page, ns(time_ms), missed).event(ns(time_ms), record).bytes()


@pytest.mark.parametrize("missed", [1, 3335, None])
def test_no_wait_is_paired_across_a_loss(stage, missed):
    """The end of the first wait and the beginning of another may be among what was lost."""
    stage.emit(0, 10, BEGIN, common_pid=4711)
    stage.put(0, page(stage, 60, missed))
    look = stage.look(100)
    assert look.waits == ()
    assert look.losses == (TraceLoss(ns(10), ns(60), missed, "waits"),)


def test_a_loss_of_one_processor_is_a_loss_of_all(stage):
    """A thread may have gone there and come back; what one record tells stays true."""
    stage.emit(0, 10, BEGIN, common_pid=4700)
    stage.put(0)
    stage.emit(1, 20, BEGIN, common_pid=4711)
    stage.emit(1, 40, END, common_pid=4711)
    stage.emit(1, 45, "vmscan/mm_vmscan_throttled", common_pid=4711, usec_delayed=9000)
    stage.put(0, page(stage, 60, 5))
    stage.emit(1, 70, BEGIN, common_pid=4711)
    stage.emit(1, 90, END, common_pid=4711)
    told = [(each.kind, each.begin_ns) for each in stage.look(100).waits]
    assert told == [("throttled", ns(36)), ("reclaim", ns(70))]


def test_losses_of_the_same_time_are_one_with_their_sum(stage):
    """One of another time stays for itself, and what nobody counted is no number."""
    for ring, time_ms, missed in ((0, 20, 3), (1, 30, 4), (1, 31, None)):
        stage.put(ring, page(stage, time_ms, missed))
    stage.emit(0, 40, END, common_pid=4711)
    stage.put(0, page(stage, 60, 5))
    assert stage.look(100).losses == (
        TraceLoss(0, ns(31), None, "waits"),
        TraceLoss(ns(40), ns(60), 5, "waits"),
    )


def test_what_is_beyond_the_most_pages_is_lost_and_does_not_lag(stage):
    """The ring is emptied, so that the next look begins with what is new."""
    for number in range(MOST_PAGES + 30):
        stage.put(0, page(stage, 10 + number / 10, 0, BEGIN))
    look = stage.look(100)
    assert look.counts["events"] == MOST_PAGES
    (loss,) = look.losses
    assert loss == TraceLoss(ns(10 + (MOST_PAGES - 1) / 10), ns(100), None, "waits")
    stage.emit(0, 120, BEGIN, common_pid=4711)
    stage.emit(0, 140, END, common_pid=4711)
    after = stage.look(200)
    assert (after.losses, len(after.waits)) == ((), 1)


def test_in_a_flood_a_window_of_all_rings_is_measured(stage):
    """What came before it is skipped in all of them, and what is in it is paired."""
    for number in range(MOST_PAGES + 1):
        stage.put(0, page(stage, 10 + number / 10, 0, BEGIN))
    stage.look(100)
    assert stage.reader.is_flooded
    stage.emit(1, 200, BEGIN, common_pid=4700)
    for number in range(50):
        stage.put(0, page(stage, 200 + number, 0, BEGIN))
    stage.put(1)
    stage.now_ms = 330
    stage.reader.skip()
    stage.emit(0, 335, BEGIN, common_pid=4711)
    stage.emit(1, 341, END, common_pid=4711)
    stage.emit(1, 342, END, common_pid=4700)
    look = stage.look(350)
    assert [(each.begin_ns, each.duration_ns) for each in look.waits] == [(ns(335), ns(6))]
    assert look.losses == (TraceLoss(0, ns(330), None, "waits"),)
    assert not stage.reader.is_flooded


REQUEST = {"dev": 259 << 20, "sector": 8, "nr_sector": 8}


def test_what_the_drives_lost_costs_no_wait_for_memory(stage):
    """A drive that is busy pushes its own records out, and no others."""
    stage.emit(0, 10, BEGIN, common_pid=4711)
    lost = record_of(stage.formats.events["block/block_rq_complete"], **REQUEST)
    stage.put(2, PageBuilder(stage.formats.page, ns(30), 900).event(ns(30), lost).bytes())
    stage.emit(1, 60, END, common_pid=4711)
    look = stage.look(100)
    assert [(each.kind, each.duration_ns) for each in look.waits] == [("reclaim", ns(50))]
    assert look.losses == (TraceLoss(0, ns(30), 900, "drives"),)


def test_a_flood_of_requests_is_skipped_and_the_rest_is_read(stage):
    """Of memory everything is measured meanwhile."""
    record = record_of(stage.formats.events["block/block_rq_complete"], **REQUEST)
    for number in range(MOST_PAGES + 1):
        time_ns = ns(10 + number / 10)
        stage.put(2, PageBuilder(stage.formats.page, time_ns).event(time_ns, record).bytes())
    stage.look(100)
    assert stage.reader.is_flooded
    stage.emit(0, 110, BEGIN, common_pid=4711)
    stage.emit(0, 190, END, common_pid=4711)
    stage.put(0)
    stage.now_ms = 330
    stage.reader.skip()
    look = stage.look(350)
    assert [(each.kind, each.duration_ns) for each in look.waits] == [("reclaim", ns(80))]
    assert {each.instance for each in look.losses} <= {"drives"}


def test_a_damaged_page_is_a_loss_and_is_told(stage):
    """Nothing of it is used."""
    damaged = bytearray(page(stage, 50, 0, "vmscan/mm_vmscan_throttled", usec_delayed=9000))
    damaged[8] += 4
    stage.put(0, bytes(damaged))
    look = stage.look(100)
    assert (look.waits, look.counts) == ((), {})
    assert look.losses == (TraceLoss(0, ns(100), None, "waits"),)
    assert [each.id for each in stage.reader.take_troubles()] == ["tracing.damaged_page"]
    assert [*stage.reader.take_troubles()] == []


def test_an_event_that_is_not_understood_costs_only_itself(computer):
    """Its reason is told; everything else is measured."""
    formats = recorded_formats()
    number = formats.events[BEGIN].id
    foreign = Event(number, (Field("common_type", "unsigned short", 0, 2, False),))
    stage = TraceStage(
        computer, dataclasses.replace(formats, events={**formats.events, BEGIN: foreign})
    )
    try:
        assert [each.values for each in stage.reader.unusable] == [
            {"event": BEGIN, "field": "common_pid"}
        ]
        stage.emit(0, 45, "vmscan/mm_vmscan_throttled", common_pid=4711, usec_delayed=9000)
        assert len(stage.look(50).waits) == 1
    finally:
        stage.close()


def test_a_victim_without_a_name_is_understood(computer):
    """As Linux 6.1 writes it."""
    formats = recorded_formats()
    victim = formats.events["oom/mark_victim"]
    fields = tuple(each for each in victim.fields if not each.name.startswith("comm"))
    fields += tuple(each for each in victim.fields if each.name.startswith("common_"))
    old = Event(victim.id, tuple(dict.fromkeys(fields)))
    events = {**formats.events, "oom/mark_victim": old}
    stage = TraceStage(computer, dataclasses.replace(formats, events=events))
    try:
        assert stage.reader.unusable == []
        stage.emit(0, 10, "oom/mark_victim", pid=4700)
        (moment,) = stage.look(50).moments
        assert moment.thread is not None
        assert moment.thread.name == "game"
    finally:
        stage.close()


def test_another_number_of_files_is_refused():
    """They would be taken for those of other processors."""
    with pytest.raises(TraceFormatError, match="3 files"):
        TraceReader(recorded_formats(), [0, 0, 0], KernelFiles())


def test_a_game_that_runs_while_nothing_tells_of_it_is_not_asleep(stage, computer):
    """Another program has switched all events off, of which no reader is told."""
    counted = computer / "proc/4700/schedstat"
    counted.write_text("1000 20 100\n")
    stage.reader.game = 4700
    stage.emit(0, 10, "sched/sched_switch", prev_pid=4700, prev_state=1, next_pid=0)
    assert stage.look(250).losses == ()
    counted.write_text("1000 20 115\n")
    look = stage.look(500)
    assert look.losses == (), "some come between a look at the rings and one at the counter"
    assert list(look.main.bins())[-1] == (0, 0, 0), "it sleeps"
    counted.write_text("2000 20 220\n")
    look = stage.look(2500)
    assert look.losses == (TraceLoss(ns(500), ns(2500), None),)
    assert look.main is None
    stage.emit(0, 2600, "sched/sched_switch", prev_pid=0, next_pid=4700)
    counted.write_text("2000 20 400\n")
    assert stage.look(2750).losses == ()


@pytest.mark.parametrize("text", ["0 0 0\n", "", "1 2\n", None])
def test_without_a_counter_silence_is_silence(stage, computer, text):
    """A kernel that counts no switches, and a thread that is gone."""
    stage.reader.game = 4700
    if text is not None:
        (computer / "proc/4700/schedstat").write_text(text)
    stage.emit(0, 10, "sched/sched_switch", prev_pid=4700, prev_state=1, next_pid=0)
    assert [stage.look(each).losses for each in (250, 500, 2500)] == [(), (), ()]


def test_a_game_of_which_no_switch_was_ever_told_is_not_recorded(stage, computer):
    """One of too many threads for the list."""
    counted = computer / "proc/4700/schedstat"
    stage.reader.game = 4700
    for time_ms in (250, 500, 2500):
        counted.write_text(f"1 1 {time_ms}\n")
        assert stage.look(time_ms).losses == ()
