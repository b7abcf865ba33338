# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for the sampler: plays made-up flights as fast as the window takes them.

`python -m tests.support.flight_player`: the first marker on stdin begins a flight of ten minutes
that stutters, the second one that does not. Speaks the sampler's language on both ends.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from destutter.core.sample import Facts, Frames, Header, Marker, Message, Sample, encode
from tests.support.long_flights import Flight, messages

LANDED = "landed"
_FPS = 30.0
_GAME = "Test Flight"
_STEP_S = 30.0
_PAUSE_S = 0.15
_FLIGHTS = (Flight(10, 6.0, game=_GAME), Flight(10, 0.0, game=_GAME, seed=2))


def later(message: Message, by_ns: int) -> Message:
    """The message so much later."""
    match message:
        case Frames():
            times = tuple(each + by_ns for each in message.monotonic_ns)
            return replace(message, monotonic_ns=times)
        case Sample():
            readings = tuple(
                each._replace(monotonic_ns=each.monotonic_ns + by_ns) for each in message.readings
            )
            moved = message.monotonic_ns + by_ns
            return replace(message, monotonic_ns=moved, readings=readings)
        case Facts():
            return replace(message, monotonic_ns=message.monotonic_ns + by_ns)
        case _:
            return message


def tell(stream: Iterator[Message]) -> None:
    """Write a stream, half a minute at a time."""
    due_ns = 0
    for message in stream:
        if isinstance(message, Sample) and message.monotonic_ns > due_ns:
            sys.stdout.flush()
            time.sleep(_PAUSE_S)  # on purpose: each half minute is read by itself
            due_ns = message.monotonic_ns + round(_STEP_S * 1e9)
        print(encode(message))
    sys.stdout.flush()


def main() -> None:
    """Play a flight for each marker, until stdin ends."""
    start_ns = time.monotonic_ns()
    machine = {"page_bytes": 4096, "cpus": 16, "memory_kib": 32 << 20}
    print(encode(Header(start_ns, time.time(), 500, machine, {})), flush=True)
    tell(later(each, start_ns) for each in messages(Flight(0, game=_GAME), _FPS))
    flights = list(_FLIGHTS)
    for line in sys.stdin:
        if line.startswith("mark") and flights:
            flight = flights.pop(0)
            start_ns += 1_000_000_000
            tell(later(each, start_ns) for each in messages(flight, _FPS))
            start_ns += round(flight.minutes * 60e9)
            print(encode(Marker(start_ns, LANDED)), flush=True)


if __name__ == "__main__":
    main()
