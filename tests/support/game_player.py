# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for the sampler beside a game whose process is real, and whose flights are made up.

`python -m tests.support.game_player`: the game runs from the start. The first marker on stdin
has it draw for some seconds, the second begins a flight of ten minutes that stutters, the third
one that does not; each that follows ends the game, or starts it again. Speaks the sampler's
language on both ends.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from destutter.core.sample import Facts, Header, Marker, Message, Sample, encode
from tests.support.flight_player import later, tell
from tests.support.long_flights import Flight, messages

GAME = "Test Flight"
_FPS = 30.0
_FLIGHTS = (
    Flight(0.25, game=GAME),
    Flight(10, 6.0, game=GAME),
    Flight(10, 0.0, game=GAME, seed=2),
)


class Stage:
    """The game's process, and how far its flights have come."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._now_ns = time.monotonic_ns()
        self._turns = -1  # the first is that it is there
        machine = {"page_bytes": 4096, "cpus": 16, "memory_kib": 32 << 20}
        print(encode(Header(self._now_ns, time.time(), 500, machine, {})), flush=True)
        self._begin()
        self.fly(Flight(0, game=GAME))

    def fly(self, flight: Flight) -> None:
        """Play a flight to its end."""
        self._now_ns += 1_000_000_000
        tell(self._told(later(each, self._now_ns) for each in messages(flight, _FPS)))
        self._now_ns += round(flight.minutes * 60e9)
        self._mark()

    def end_or_begin(self) -> None:
        """The game ends; or it is started again."""
        if self._process is None:
            self._begin()
        else:
            self.end()
        self._mark()

    def end(self) -> None:
        """Nothing of it is left."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _begin(self) -> None:
        self._process = subprocess.Popen(["/usr/bin/sleep", "600"])

    def _told(self, stream: Iterator[Message]) -> Iterator[Message]:
        for message in stream:
            if isinstance(message, Facts):
                yield Facts(message.monotonic_ns, self._facts())
            else:
                yield message

    def _facts(self) -> dict[str, str]:
        if self._process is None:
            return dict.fromkeys(("game.name", "game.pid", "game.start_ticks"), "")
        pid = self._process.pid
        start = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19]
        return {"game.name": GAME, "game.pid": str(pid), "game.start_ticks": start}

    def _mark(self) -> None:
        """Tell that it is done, with a sample: without one nothing of it would be shown."""
        self._now_ns += 1_000_000_000
        self._turns += 1
        print(encode(Facts(self._now_ns, self._facts())))
        print(encode(Marker(self._now_ns, f"turn {self._turns}")))
        print(encode(Sample(self._now_ns, 0, 50, 0, ())), flush=True)


def main() -> None:
    """Play what each marker asks for, until stdin ends."""
    stage = Stage()
    flights = list(_FLIGHTS)
    with suppress(BrokenPipeError):
        for line in sys.stdin:
            if line.startswith("mark") and flights:
                stage.fly(flights.pop(0))
            elif line.startswith("mark"):
                stage.end_or_begin()
    stage.end()


if __name__ == "__main__":
    main()
