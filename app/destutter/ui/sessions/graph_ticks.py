# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the axes of a session's graph have marks, and what is written at them. No Qt.

Places are in the axis' own numbers: seconds, milliseconds, or the decimal logarithm of either a
length in milliseconds or a share in percent. ``most`` is for how many marks there is room.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log, log10

from destutter.ui.words.quantities import Quantities

TIME_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 240, 300, 600, 1200, 1800, 3600, 7200, 14400)
_WHOLE_MINUTES_S = 90  # from here on, spans are written in minutes
_LEVELS_MS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
_MOST_EVEN = 8  # 10, 11, ..., 15 ms: more would need decimals that nobody measures
_MOST_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one axis: where between two ends, at most so many, and what is written there.

    ``least_px``: from one to the next.
    """

    places: Callable[[float, float, float], list[float]]
    words: Callable[[list[float]], list[str]]
    least_px: int


def time_marks(quantities: Quantities) -> Marks:
    return Marks(time_places, lambda times: time_words(times, quantities), 84)


def level_marks(quantities: Quantities) -> Marks:
    word = quantities.round_milliseconds
    return Marks(level_places, lambda values: [word(each) for each in values], 44)


def length_marks(quantities: Quantities) -> Marks:
    word = quantities.round_milliseconds
    return Marks(log_places, lambda logs: [word(10**each) for each in logs], 60)


def share_marks(quantities: Quantities) -> Marks:
    return Marks(
        _share_places, lambda logs: [share_word(10**each, quantities) for each in logs], 44
    )


def time_places(low_s: float, high_s: float, most: float) -> list[float]:
    """Marks of a time axis. The beginning has none: there the other axis stands."""
    span_s = high_s - low_s
    step = next((s for s in TIME_STEPS_S if span_s / s <= max(1.0, most)), TIME_STEPS_S[-1])
    return [place for place in _multiples(step, low_s, high_s) if place > 0]


def time_words(times_s: Sequence[float], quantities: Quantities) -> list[str]:
    """What stands at the marks of a time axis: no two the same. Seconds from the beginning."""
    # "2 min" three times would be the rounded words of 1:30, 1:45 and 2:00.
    is_fine = bool(times_s) and times_s[-1] >= _WHOLE_MINUTES_S and any(s % 60 for s in times_s)
    return [(quantities.clock if is_fine else quantities.span)(each) for each in times_s]


def level_places(low_ms: float, high_ms: float, most: float) -> list[float]:
    """Marks of an axis of milliseconds from zero, which has none itself. At least two, closer
    than is usual where that is needed: one alone tells no scale."""
    span_ms = high_ms - low_ms
    fits = [s for s in _LEVELS_MS if span_ms / s <= max(2.0, most)]
    step = min(fits, default=_LEVELS_MS[-1])
    if span_ms < 2 * step:
        step = max((s for s in _LEVELS_MS if 2 * s <= span_ms), default=step)
    return [place for place in _multiples(step, low_ms, high_ms) if place > 0]


def log_places(low: float, high: float, most: float) -> list[float]:
    """Marks of a logarithmic axis: 1, 10, 100; or 1, 2, 5, 10; or, close up, even steps. One alone
    tells no scale."""
    decades = range(floor(low), ceil(high) + 1)
    room = (high - low) / max(1.0, most)  # between two marks, in decades
    is_one = sum(low <= decade <= high for decade in decades) < 2
    factors = (1, 2, 5) if is_one or log10(2) >= room else (1,)
    places = [decade + log10(factor) for decade in decades for factor in factors]
    places = [place for place in places if low - 1e-9 <= place <= high + 1e-9]
    return max(places, [] if len(places) > 2 else _even_places(low, high, most), key=len)


def _share_places(low: float, high: float, most: float) -> list[float]:
    """As ``log_places``, and nothing above all, which is 100 %."""
    return log_places(low, min(high, 2.0), most)


def _even_places(low: float, high: float, most: float) -> list[float]:
    """Marks at even steps, which lie closest at the upper end."""
    least = 10**high * log(10) * (high - low) / max(1.0, min(most, _MOST_EVEN))
    power = 10.0 ** floor(log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)
    return [log10(value) for value in _multiples(step, 10**low, 10**high) if value > 0]


def share_word(share_pct: float, quantities: Quantities) -> str:
    """A share with just as many decimals as it needs: 100 %, 0.01 %."""
    needed = (
        decimals
        for decimals in range(_MOST_DECIMALS)
        if abs(round(share_pct, decimals) - share_pct) < 1e-6 * share_pct
    )
    return quantities.percent(share_pct, next(needed, _MOST_DECIMALS))


def share_read(share_pct: float, quantities: Quantities) -> str:
    """A share with two digits of it, or of what it lacks to all: 13 %, 1.3 %, 0.013 %, 99.7 %."""
    rest = min(share_pct, 100 - share_pct)
    decimals = min(max(0, 1 - floor(log10(rest))), _MOST_DECIMALS) if rest > 0 else 0
    return quantities.percent(share_pct, decimals)


def _multiples(step: float, low: float, high: float) -> list[float]:
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(step * each) for each in range(first, last + 1)]
