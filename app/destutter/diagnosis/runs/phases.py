# SPDX-License-Identifier: GPL-3.0-or-later
"""The three phases of a session: warm-up, ramp-up and steady.

A game that streams its world fills the page cache first, then meets every kind of shortage, and
at last rests on what it has loaded. A comparison of two sessions that mixes these phases compares
their lengths. Boundaries come from reclaim and from the growth of memory in use, second by
second; the rules and their figures are the project's session model, with the X-Plane study's
5 to 10 and 10 to 30 minutes as the scale.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Series = NDArray[np.float64]

_SMOOTHING_S = 60  # shorter, and a single burst ends a phase
_WARM_UP_LEAST_S = 3 * 60  # a loading screen rests, too, before the world is there
_WARM_UP_MOST_S = 12 * 60  # a streamed world may grow for ever; X-Plane's takes 5 to 10 minutes
_FILLED_SHARE = 0.25  # of the fastest growth: a page cache hardly ever grows by nothing at all
_FILLED_FOR_S = 120  # a pause between two loads must not end it
_STEADY_WINDOW_S = 600  # as long as from one tile of scenery to the next (10 to 15 minutes)
_STEADY_SHARE = 0.10  # of the ramp's most: a full page cache is reclaimed a little all the time
_STEADY_SLOPE_PER_MIN = 0.005  # 5 % within those ten minutes: more still fills
_BROKEN_FOR_S = 60  # a region that loads takes longer, and a burst that does not breaks nothing


class Phase(Enum):
    """What a session is doing."""

    WARM_UP = "warm-up"
    RAMP_UP = "ramp-up"
    STEADY = "steady"


@dataclass(frozen=True, slots=True)
class PhaseSpan:
    """Seconds from the beginning of the session; ``end_s`` is not part of it."""

    phase: Phase
    start_s: int
    end_s: int


@dataclass(frozen=True, slots=True)
class SessionCourse:
    """One value a second for the whole session, NaN where nothing was measured.

    ``reclaim_pages_per_s`` is kswapd's and direct reclaim together, ``direct_pages_per_s`` the
    latter alone; ``in_use_bytes`` is page cache and anonymous memory.
    """

    reclaim_pages_per_s: Series
    direct_pages_per_s: Series
    in_use_bytes: Series


def find_phases(course: SessionCourse) -> tuple[PhaseSpan, ...]:
    """The phases in order, without gaps; a session that never rests has no steady phase."""
    length = int(course.in_use_bytes.size)
    if length == 0:
        return ()
    warm = min(_warm_up_end(course.in_use_bytes), length)
    spans = [PhaseSpan(Phase.WARM_UP, 0, warm)]
    is_steady = _steady_mask(course, warm)
    start = warm
    for second in range(warm + 1, length + 1):
        if second == length or is_steady[second] != is_steady[start]:
            phase = Phase.STEADY if is_steady[start] else Phase.RAMP_UP
            spans.append(PhaseSpan(phase, start, second))
            start = second
    return tuple(span for span in spans if span.end_s > span.start_s)


def _warm_up_end(in_use: Series) -> int:
    """Where the growth of memory in use has fallen to a quarter of its peak for two minutes."""
    growth = _smoothed(np.diff(_filled(in_use), prepend=_filled(in_use)[:1]))
    peak = float(growth.max(initial=0.0))
    if peak <= 0:
        return _WARM_UP_LEAST_S
    rested = 0
    for second, value in enumerate(growth):
        rested = rested + 1 if value < _FILLED_SHARE * peak else 0
        if rested >= _FILLED_FOR_S and second + 1 >= _WARM_UP_LEAST_S:
            return min(second + 1, _WARM_UP_MOST_S)
    return _WARM_UP_MOST_S


def _steady_mask(course: SessionCourse, warm: int) -> NDArray[np.bool_]:
    """Which seconds belong to a steady phase.

    It begins with ten quiet minutes on end and is broken by a minute in which they end.
    """
    quiet = _quiet_mask(course, warm)
    steady = np.zeros(quiet.size, dtype=bool)
    second = warm
    while second < quiet.size:
        end = _quiet_until(quiet, second)
        if end - second >= _STEADY_WINDOW_S:
            steady[second:end] = True
        second = max(end, second + 1)
    return steady


def _quiet_until(quiet: NDArray[np.bool_], start: int) -> int:
    """The end of the stretch from ``start`` that no minute of unrest interrupts."""
    unrest = 0
    for second in range(start, quiet.size):
        unrest = 0 if quiet[second] else unrest + 1
        if unrest >= _BROKEN_FOR_S or (unrest and second == start):
            return second + 1 - unrest
    return int(quiet.size) - unrest


def _quiet_mask(course: SessionCourse, warm: int) -> NDArray[np.bool_]:
    reclaim = _smoothed(np.nan_to_num(course.reclaim_pages_per_s))
    peak = float(reclaim[warm:].max(initial=0.0))
    in_use = _smoothed(_filled(course.in_use_bytes))
    earlier = np.concatenate((in_use[:1].repeat(min(60, in_use.size)), in_use[:-60]))
    slope = np.abs(in_use - earlier) / np.maximum(earlier, 1.0)
    rests = reclaim <= _STEADY_SHARE * peak
    quiet: NDArray[np.bool_] = (
        rests & (np.nan_to_num(course.direct_pages_per_s) == 0) & (slope < _STEADY_SLOPE_PER_MIN)
    )
    return quiet


def _smoothed(values: Series) -> Series:
    """Mean of the last minute at each second."""
    total = np.cumsum(np.insert(values, 0, 0.0))
    index = np.arange(values.size)
    start = np.maximum(0, index + 1 - _SMOOTHING_S)
    result: Series = (total[index + 1] - total[start]) / (index + 1 - start)
    return result


def _filled(values: Series) -> Series:
    """The series with gaps holding the last value before them (the first one at the start)."""
    known = ~np.isnan(values)
    if not known.any():
        return np.zeros_like(values)
    index = np.where(known, np.arange(values.size), -1)
    index = np.maximum.accumulate(index)
    index[index < 0] = int(np.argmax(known))
    return values[index]
