# SPDX-License-Identifier: GPL-3.0-or-later
"""What the victim's own log says: it is the witness that does not depend on Destutter."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tests.truth.outcome import LONG_MS

_FACTOR = 2.5
_APART_NS = 250_000_000
_AT_MOST_NS = 1_000_000_000
_CELLS = 6


@dataclass(frozen=True)
class Row:
    """A frame: its length, when it ended, and how much of it a thread stood in a run queue."""

    frame_ms: float
    end_ns: int
    waited_ms: float

    @property
    def start_ns(self) -> float:
        """When it began."""
        return self.end_ns - self.frame_ms * 1e6


def rows(text: str) -> list[Row]:
    """The frames of a log; a last line that is still being written is none."""
    found = []
    for line in text.splitlines()[3:]:
        cells = line.split(",")
        if len(cells) == _CELLS and cells[-1]:
            found.append(Row(float(cells[1]), int(cells[4]), float(cells[5])))
    return found


def stutters(frames: Sequence[Row]) -> int:
    """How many stutters a player feels: long frames close to each other are one, one a second."""
    count, first_ns, last_ns = 0, 0.0, 0.0
    for frame in _long(frames):
        is_near = frame.start_ns - last_ns <= _APART_NS
        if not count or not is_near or frame.start_ns - first_ns >= _AT_MOST_NS:
            count, first_ns = count + 1, frame.start_ns
        last_ns = frame.end_ns
    return count


def delayed_share(frames: Sequence[Row]) -> float:
    """How many of the long frames were waiting for a processor for at least half of their time."""
    long = _long(frames)
    delayed = sum(frame.waited_ms >= 0.5 * frame.frame_ms for frame in long)
    return delayed / len(long) if long else 0.0


def _long(frames: Sequence[Row]) -> list[Row]:
    if not frames:
        return []
    least_ms = max(LONG_MS, _FACTOR * median(frame.frame_ms for frame in frames))
    return [frame for frame in frames if frame.frame_ms > least_ms]
