# SPDX-License-Identifier: GPL-3.0-or-later
"""The stutters of frames that are all known at once, such as those of a log.

By the rule of ``SpikeDetector``, frame by frame, ten million frames took 40 s, more than reading
them. Only a frame of 50 ms can be a stutter, and only of those the usual length is looked for.
"""

import numpy as np
from numpy.typing import NDArray

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.frame_steps import MOST_FRAMES
from destutter.diagnosis.stutters.spikes import (
    ENOUGH_FRAMES,
    LONGEST_MS,
    MEDIAN_FACTOR,
    STUTTER_MS,
    SpikeDetector,
)

Whole = NDArray[np.int64]

_PIECE = 4096  # windows of 255 lengths at a time: 8 MB, where every frame is a long one


def stutters_of(ends_ns: Whole, lengths_us: Whole) -> tuple[Spike, ...]:
    """What a ``SpikeDetector`` finds that is given these frames alone, in their order."""
    is_possible = (lengths_us >= 0) & (lengths_us <= 1e3 * LONGEST_MS)
    ends_ns, lengths_us = ends_ns[is_possible], lengths_us[is_possible]
    found = SpikeDetector(None)
    if lengths_us.size >= ENOUGH_FRAMES:
        long = np.flatnonzero((lengths_us > 1e3 * STUTTER_MS) & (ends_ns >= 0))
        usual = _usual(lengths_us, long)
        is_stutter = lengths_us[long] > MEDIAN_FACTOR * usual
        for at, usual_us in zip(
            long[is_stutter].tolist(), usual[is_stutter].tolist(), strict=True
        ):
            found.add_stutter("", int(ends_ns[at]), int(lengths_us[at]), usual_us)
    return found.spikes


def _usual(lengths_us: Whole, places: Whole) -> Whole:
    """The upper median of the frames before each of these places; for the first of all it is that
    of the first together."""
    usual = np.empty(places.size, np.int64)
    early = places < MOST_FRAMES
    for number in np.flatnonzero(early).tolist():
        before = np.sort(lengths_us[: max(int(places[number]), ENOUGH_FRAMES)])
        usual[number] = before[before.size // 2]
    later = np.flatnonzero(~early)
    if not later.size:
        return usual
    windows = np.lib.stride_tricks.sliding_window_view(lengths_us, MOST_FRAMES)
    middle = MOST_FRAMES // 2
    for begin in range(0, later.size, _PIECE):
        some = later[begin : begin + _PIECE]
        before = windows[places[some] - MOST_FRAMES]
        usual[some] = np.partition(before, middle, axis=1)[:, middle]
    return usual
