# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that reads a trace: what it is given, what it says, and when it ends."""

import fcntl
import itertools
import os
import time
from typing import Any

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import Trouble, decode
from destutter.core.traced import TraceLook
from destutter.sampling.trace_child import TraceProcess
from destutter.sampling.trace_source import TraceSource, TraceSourceError
from destutter.sampling.tracing.reader import TraceReader
from destutter_helper.api.tracing import encode_formats
from tests.support.built_pages import PageBuilder, ns, record_of, recorded_formats

FORMATS = recorded_formats()
THROTTLED = FORMATS.events["vmscan/mm_vmscan_throttled"]


@pytest.fixture
def rings():
    """Six rings that are pipes: what is written, and what is read."""
    ends = [os.pipe() for _ in range(6)]
    for _, write in ends:
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 20)
    yield [write for _, write in ends], [read for read, _ in ends]
    for end in ends:
        for descriptor in end:
            os.close(descriptor)


@pytest.fixture
def source():
    """Starts the process and ends it."""
    made = []

    def start(*arguments):
        made.append(TraceSource(*arguments))
        return made[-1]

    yield start
    for each in made:
        each.close()


def throttled(delayed_us):
    """A page with a wait of this test."""
    now_ns = time.monotonic_ns()
    record = record_of(THROTTLED, common_pid=os.getpid(), usec_delayed=delayed_us)
    return PageBuilder(FORMATS.page, now_ns).event(now_ns, record).bytes()


@pytest.mark.slow
def test_it_tells_what_it_finds_and_ends_when_asked(rings, source):
    """A wait at once; that there is nothing every two seconds, and a last look at the end."""
    writes, reads = rings
    os.write(writes[1], throttled(7000))
    looks: list[TraceLook] = []
    started = source(encode_formats(FORMATS), reads)
    for message in started.messages(lambda: len(looks) >= 2):
        assert isinstance(message, TraceLook)
        looks.append(message)
    assert [wait.duration_ns for wait in looks[0].waits] == [7_000_000]
    assert looks[0].waits[0].thread.pid == os.getpid()
    assert looks[0].counts == {"events": 1, "throttled": 1}
    assert looks[1].end_ns - looks[1].begin_ns >= 1_800_000_000
    assert all(a.end_ns == b.begin_ns for a, b in itertools.pairwise(looks))
    assert looks[-1].cpu_us > 0


def test_a_damaged_page_is_told_as_a_trouble(rings, source):
    """In words, beside the time that was not measured in full."""
    writes, reads = rings
    os.write(writes[0], b"\xff" * FORMATS.page.size)
    said: list[TraceLook | Trouble] = []
    said.extend(source(encode_formats(FORMATS), reads).messages(lambda: True))
    troubles = [each.reason.id for each in said if isinstance(each, Trouble) and each.reason]
    assert troubles == ["tracing.damaged_page"]
    assert sum(len(each.losses) for each in said if isinstance(each, TraceLook)) == 1


class Clockwork:
    """A reader, its commands and their clock in one: sleeping moves the clock on.

    ``happens_ms``: when a ring has something, which wakes who rests and is read by the next look.
    """

    unusable = ()
    is_flooded = False
    is_quiet = False
    has_line = has_ended = False
    descriptor = 0

    def __init__(self, happens_ms):
        self.now_ms = 0.0
        self.looks_ms = []
        self._happens_ms = happens_ms

    def look(self):
        """Whether there is anything to tell."""
        self.looks_ms.append(self.now_ms)
        found = [at for at in self._happens_ms if at <= self.now_ms]
        self._happens_ms = self._happens_ms[len(found) :]
        self.is_quiet = not found
        return bool(found)

    def rest(self, seconds, _until):
        """Until something happens, or so long."""
        self.now_ms = min([self.now_ms + seconds * 1000, *self._happens_ms])

    def wait(self, seconds):
        """Whatever happens."""
        self.now_ms += seconds * 1000
        return []

    def tell(self):
        """Nothing that matters here."""
        return TraceLook(0, ns(self.now_ms), 0, 0)

    def take_troubles(self):
        """None."""
        return ()


@pytest.mark.parametrize(
    ("happens_ms", "looks_ms"),
    [
        ([], [0, 2000, 3000]),
        ([1300], [0, 1500, 1750, 3000]),
        ([10, 20, 30, 260], [0, 250, 500, 750, 2500, 3000]),
    ],
)
def test_while_nothing_happens_it_looks_every_two_seconds(happens_ms, looks_ms):
    """What happens is read and told at its turn, at most a quarter of a second later."""
    clockwork: Any = Clockwork(happens_ms)
    told: list[str] = []
    child = TraceProcess(clockwork, clockwork, told.append, lambda: ns(clockwork.now_ms))
    child.run(3)
    assert clockwork.looks_ms == looks_ms
    # Of looks only the first, and those behind which nothing more came, are not told.
    assert len(told) == len([at for at in looks_ms if at not in (0, 750, 1750)])


def test_what_there_is_is_told_at_once_when_asked_for():
    """A recording ends, and what happened right before belongs to it."""

    class Asked(Clockwork):
        def wait(self, seconds):
            is_now = self.now_ms <= 1100 < self.now_ms + seconds * 1000
            self.now_ms = 1100 if is_now and self.now_ms < 1100 else self.now_ms + seconds * 1000
            return [b"look"] if self.now_ms == 1100 else []

    asked: Any = Asked([10, 260, 510, 760, 1010])
    told: list[str] = []
    child = TraceProcess(asked, asked, told.append, lambda: ns(asked.now_ms))
    child.run(1.2)
    assert 1100 in asked.looks_ms
    looks = [each for each in map(decode, told) if isinstance(each, TraceLook)]
    assert ns(1100) in [each.end_ns for each in looks]


@pytest.mark.parametrize(
    ("line", "followed"),
    [(b"game 7", (7, 7)), (b"game 7 9", (7, 9)), (b"game -", (None, None))],
)
def test_it_is_told_whose_threads_and_which_of_them_shows_the_frames(rings, line, followed):
    """Any other line says nothing of that."""
    reader = TraceReader(FORMATS, rings[1], KernelFiles())
    reader.game = 5
    commands: Any = Clockwork([])
    told: list[str] = []
    child = TraceProcess(reader, commands, told.append)
    for wrong in (b"game", b"game x", b"game 7 x", b"game 7 8 9", b"game - 7", b"name 7"):
        child._obey(wrong)
    assert (reader.game, reader.lead) == (5, 5)
    child._obey(line)
    assert (reader.game, reader.lead) == followed


def test_that_nothing_took_long_is_told_once_a_second():
    """While a game runs, an answer waits no longer for it."""

    class Busy(Clockwork):
        def look(self):
            super().look()
            self.is_quiet = False
            return False

    busy: Any = Busy([])
    told: list[str] = []
    TraceProcess(busy, busy, told.append, lambda: ns(busy.now_ms)).run(3)
    assert len(told) == 3


@pytest.mark.parametrize(
    ("formats", "count", "said"),
    [
        ("{}", 4, "the formats of the trace could not be read"),
        ("no JSON", 4, "the formats of the trace could not be read"),
        (encode_formats(FORMATS), 3, "3 files of the trace came"),
    ],
)
def test_what_it_cannot_read_it_refuses_in_words(rings, source, formats, count, said):
    """Formats of another program, and descriptors that are not all of them."""
    with pytest.raises(TraceSourceError, match=said):
        list(source(formats, rings[1][:count]).messages(lambda: False))


def test_a_trace_that_goes_is_an_end_in_words(rings, source):
    """Here a descriptor that is no trace at all."""
    folder = os.open("/", os.O_RDONLY)
    try:
        with pytest.raises(TraceSourceError, match="the trace is gone: Is a directory"):
            list(source(encode_formats(FORMATS), [folder, *rings[1][1:]]).messages(lambda: False))
    finally:
        os.close(folder)
