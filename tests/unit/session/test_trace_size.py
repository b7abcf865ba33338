# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a drive a trace takes in a recording."""

import random

import pytest

from destutter.core.traced import (
    SlowRequest,
    TracedSleep,
    TracedThread,
    TracedWait,
    TraceLook,
)
from tests.unit.session.streams import record

MOST_BYTES_AN_HOUR = 20_000_000
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


@pytest.mark.slow
def test_an_hour_with_a_trace_is_not_large(tmp_path):
    """Beside a drive that has 32 slow requests a second, and a main thread that rests in each
    frame."""
    path = tmp_path / "a.destutter"
    record(path, list(looks()))
    assert path.stat().st_size * 60 / MINUTES <= MOST_BYTES_AN_HOUR
