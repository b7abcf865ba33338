# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a drive a trace takes in a recording."""

import random
from dataclasses import replace

import pytest

from destutter.core.traced import (
    MAIN_BIN_NS,
    MainTimes,
    SlowRequest,
    TracedSleep,
    TracedThread,
    TracedWait,
    TraceLook,
)
from tests.unit.session.streams import record

MOST_BYTES_AN_HOUR = 20_000_000
MOST_MAIN_BYTES_AN_HOUR = 2_000_000
MINUTES = 3
QUARTER_NS = 250_000_000
MAIN = TracedThread(4700, "game", 4700)
OTHERS = [TracedThread(4711 + at, f"Worker {at}", 4700) for at in range(12)]


def looks():
    """A game that is drawn at 30 Hz beside a busy drive, with some waits in each second."""
    numbers = random.Random(7)  # noqa: S311 (what is told again and again is small)
    for at in range(MINUTES * 240):
        begin_ns = 10**12 + at * QUARTER_NS

        def moment(base_ns=begin_ns):
            return base_ns + numbers.randrange(QUARTER_NS)

        def length():
            return numbers.randrange(5_000_000, 60_000_000)

        yield TraceLook(
            *(begin_ns, begin_ns + QUARTER_NS, 0, at * 900),
            counts={"events": numbers.randrange(9000), "requests": 380, "core": 2000},
            waits=tuple(
                TracedWait(numbers.choice(OTHERS), "reclaim", moment(), length()) for _ in range(2)
            ),
            requests=tuple(
                SlowRequest(
                    *("nvme0n1", "read", numbers.randrange(1 << 31), 256, moment(), length()),
                    *(length(), None, numbers.choice(OTHERS)),
                    is_written_back=False,
                )
                for _ in range(8)
            ),
            sleeps=tuple(
                TracedSleep(MAIN, moment(), length(), (numbers.choice(OTHERS),)) for _ in range(7)
            ),
        )


def of_main_thread():
    """One that computes for 5 to 15 ms of each frame at 60 Hz, and is held up now and then."""
    numbers = random.Random(8)  # noqa: S311
    for at in range(MINUTES * 240):
        begin_ns = 10**12 + at * QUARTER_NS
        bins = []
        for _ in range(QUARTER_NS // MAIN_BIN_NS):
            ran = numbers.randrange(3_000_000, 9_000_000)
            bins.append((ran, numbers.randrange(400_000), numbers.choice([0, 0, 0, 700_000])))
        yield TraceLook(begin_ns, begin_ns + QUARTER_NS, 0, at * 900, main=MainTimes.of(0, bins))


@pytest.mark.slow
def test_an_hour_of_a_main_thread_is_small(tmp_path):
    """Each of its switches would be 100 times that."""
    with_it, without = tmp_path / "a.destutter", tmp_path / "b.destutter"
    record(with_it, list(of_main_thread()))
    record(without, [replace(each, main=None) for each in of_main_thread()])
    more = with_it.stat().st_size - without.stat().st_size
    assert 0 < more * 60 / MINUTES <= MOST_MAIN_BYTES_AN_HOUR


@pytest.mark.slow
def test_an_hour_with_a_trace_is_not_large(tmp_path):
    """Beside a drive that has 32 slow requests a second, and a main thread that rests in each
    frame."""
    path = tmp_path / "a.destutter"
    record(path, list(looks()))
    assert path.stat().st_size * 60 / MINUTES <= MOST_BYTES_AN_HOUR
