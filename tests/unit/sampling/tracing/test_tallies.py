# SPDX-License-Identifier: GPL-3.0-or-later
"""What an expert's trace adds up: interrupts, waits for the graphics card, pages of files."""

import dataclasses

import pytest

from destutter.core.traced import TracedTally, TracedThread, TracedWait
from destutter_helper.api.tracing import EXPERT, Event, Field
from tests.support.built_pages import TraceStage, ns, recorded_formats

ENTRY, EXIT = "irq/irq_handler_entry", "irq/irq_handler_exit"
START, END = "dma_fence/dma_fence_wait_start", "dma_fence/dma_fence_wait_end"
FAULT = "filemap/mm_filemap_fault"
TEXT, INT = ("__data_loc char[]", 4, False), ("int", 4, True)
# As of Linux 6.18.
FIELDS = {
    ENTRY: {"irq": (8, *INT), "name": (12, *TEXT)},
    EXIT: {"irq": (8, *INT), "ret": (12, *INT)},
    START: {"driver": (8, *TEXT), "timeline": (12, *TEXT)},
    END: {"driver": (8, *TEXT), "timeline": (12, *TEXT)},
    FAULT: {
        "i_ino": (8, "unsigned long", 8, False),
        "s_dev": (16, "dev_t", 4, False),
        "index": (24, "unsigned long", 8, False),
    },
}
MAPS = """\
7f00-7f01 r-xp 00000000 103:00 4711                      /games/a game/engine.so
7f02-7f03 rw-p 00000000 00:00 0
"""


@pytest.fixture
def stage(computer):
    """The rings of a game that an expert looks at."""
    formats = recorded_formats()
    common = formats.events["sched/sched_waking"].fields[:4]
    added = {
        name: Event(
            9000 + number,
            (
                *common,
                *(
                    Field(one, kind, at, size, sign)
                    for one, (at, kind, size, sign) in fields.items()
                ),
            ),
        )
        for number, (name, fields) in enumerate(FIELDS.items())
    }
    made = TraceStage(
        computer,
        dataclasses.replace(
            formats,
            instances=(*formats.instances, EXPERT),
            events={**formats.events, **added},
        ),
    )
    made.reader.game = 4700
    yield made
    made.close()


def test_interrupts_are_added_up_by_their_handler(stage):
    """How many, how long, and the longest; one whose end is missing is none."""
    for begin_ms, end_ms in ((1, 1.25), (2, 2.5)):
        stage.emit(0, begin_ms, ENTRY, irq=30, name="nvme0q1")
        stage.emit(0, begin_ms + 0.1, ENTRY, irq=31, name="xhci_hcd")
        stage.emit(0, end_ms, EXIT, irq=30)
    assert stage.look(50).tallies == (TracedTally("interrupt", "nvme0q1", 2, ns(0.75), ns(0.5)),)
    assert stage.look(60).tallies == ()


def test_waits_for_the_card_are_added_up_and_the_long_ones_told(stage):
    """By thread and driver."""
    for begin_ms, end_ms in ((1, 3), (10, 40)):
        stage.emit(0, begin_ms, START, common_pid=4711, driver="amdgpu", timeline="gfx")
        stage.emit(1, end_ms, END, common_pid=4711, driver="amdgpu", timeline="gfx")
    look = stage.look(50)
    assert look.tallies == (TracedTally("gpu", "RenderThread amdgpu", 2, ns(32), ns(30)),)
    thread = TracedThread(4711, "RenderThread", 4700)
    assert look.waits == (TracedWait(thread, "gpu", ns(10), ns(30), "amdgpu"),)


def test_pages_are_told_by_their_file(stage, computer):
    """By its name where the game has it mapped, else by its numbers."""
    (computer / "proc/4700/maps").write_text(MAPS)
    for inode in (4711, 4711, 5):
        stage.emit(0, 1, FAULT, i_ino=inode, s_dev=259 << 20, index=7)
    assert stage.look(50).tallies == (
        TracedTally("file", "/games/a game/engine.so", 2),
        TracedTally("file", "nvme0n1, 5", 1),
    )


def test_nothing_grows_without_end(stage):
    """Of very many different ones the first are counted."""
    for inode in range(1200):
        stage.emit(0, 1, FAULT, i_ino=inode, s_dev=259 << 20, index=7)
    assert len(stage.look(50).tallies) == 1000


DEEP = 2
"""``prev_state`` of a thread that no signal wakes."""


def went(stage, tid, begin_ms, end_ms, state=DEEP):
    """A thread goes to sleep, and somebody wakes it."""
    stage.emit(0, begin_ms, "sched/sched_switch", prev_pid=tid, prev_state=state, next_pid=0)
    stage.emit(1, end_ms, "sched/sched_waking", pid=tid, common_pid=0, common_flags=0)


def test_the_longest_sleep_that_no_signal_ends_is_told(stage):
    """Of the game's threads; one that a signal may end, and somebody else's, are none."""
    went(stage, 4711, 10, 40)
    went(stage, 4711, 50, 120, state=1)
    went(stage, 4700, 130, 150)
    went(stage, 5000, 155, 199)
    (found,) = stage.look(200).deep_sleeps
    assert (found.thread.tid, found.begin_ns, found.duration_ns) == (4711, ns(10), ns(30))
