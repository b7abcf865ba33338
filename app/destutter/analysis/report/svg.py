# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs as SVG, written by hand: no script, no font and nothing from elsewhere.

Colours are classes of the page's style sheet, so that a graph follows dark and light.
"""

import math
from collections.abc import Iterator
from html import escape
from itertools import pairwise

import numpy as np

from destutter.analysis.examining.summary import Series
from destutter.analysis.report.document import Chart, Curve
from destutter.words.measures import Measures

WIDTH, HEIGHT = 920, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 10, 22, 24
_PLOT_W, _PLOT_H = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
_STEPS = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 14400, 86400)
_MOST_X_TICKS = 9
_Y_TICKS = 4
_LETTER_PX = 6.2  # at 11 px (style.py), where no font can be measured: labels must not overlap
_MOST_MARKS = 200  # more would be a wall of lines


def chart_svg(chart: Chart, numbers: Measures) -> str:
    """The graph. Curves are thinned to two points per pixel column, the extremes of each."""
    axes = _Axes(chart)
    label = escape(f"{chart.title}. {chart.text}")
    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">',
        *_bands(chart, axes),
        *_grid(chart, axes, numbers),
        *_marks(chart, axes),
        *(_curve(curve, axes) for curve in chart.curves),
        *_legend(chart),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def thinned(x: Series, y: Series, columns: int, low: float, high: float) -> tuple[Series, Series]:
    """Lowest and highest point of each of ``columns`` equal spans from ``low`` to ``high``.

    The points stay in their order; gaps (NaN) are left out where nothing else is in the column.
    """
    known = ~np.isnan(y) & ~np.isnan(x)
    x, y = x[known], y[known]
    if x.size <= 2 * columns or high <= low:
        return x, y
    column = np.clip(((x - low) / (high - low) * columns).astype(np.int64), 0, columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    ends = np.append(starts[1:], x.size)
    kept: set[int] = set()
    for start, end in zip(starts, ends, strict=True):
        piece = y[start:end]
        kept |= {int(start + piece.argmin()), int(start + piece.argmax())}
    chosen = np.array(sorted(kept))
    return x[chosen], y[chosen]


class _Axes:
    """Where a value lies on the picture."""

    def __init__(self, chart: Chart) -> None:
        xs = [c.x[np.isfinite(c.x)] for c in chart.curves]
        ys = [c.y[np.isfinite(c.y)] for c in chart.curves]
        self.is_log = chart.x_unit == "ms"
        self.low = min((float(x.min()) for x in xs if x.size), default=0.0)
        self.high = max((float(x.max()) for x in xs if x.size), default=1.0)
        if self.is_log:
            self.low = max(self.low, 0.1)
        self.high = max(self.high, self.low * 1.001 + 1e-6)
        top = max((float(y.max()) for y in ys if y.size), default=0.0)
        self.step = _round_step(max(top, 1e-9) / _Y_TICKS)
        self.top = self.step * max(1, math.ceil(max(top, 1e-9) / self.step))

    def x(self, value: float) -> float:
        low, high = self.low, self.high
        if self.is_log:
            low, high, value = math.log(low), math.log(high), math.log(max(value, low))
        return _LEFT + _PLOT_W * min(max((value - low) / (high - low), 0.0), 1.0)

    def y(self, value: float) -> float:
        return _TOP + _PLOT_H * (1 - min(max(value / self.top, 0.0), 1.0))


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is no smaller."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= least * (1 - 1e-9))


def _bands(chart: Chart, axes: _Axes) -> Iterator[str]:
    for number, band in enumerate(chart.bands):
        start, end = axes.x(band.start), axes.x(band.end)
        if end - start < 1:
            continue
        yield (
            f'<rect class="band{number % 2}" x="{start:.1f}" y="{_TOP}" '
            f'width="{end - start:.1f}" height="{_PLOT_H}"/>'
        )
        if len(band.name) * _LETTER_PX < end - start:
            yield _text(start + 4, _TOP + 13, band.name)


def _grid(chart: Chart, axes: _Axes, numbers: Measures) -> Iterator[str]:
    for number in range(round(axes.top / axes.step) + 1):
        value = number * axes.step
        height = axes.y(value)
        yield _line(_LEFT, height, WIDTH - _RIGHT, height, "grid")
        yield _text(_LEFT - 6, height + 4, _amount(value, chart.y_unit, numbers), "end")
    for value, name in _x_ticks(axes, numbers):
        at = axes.x(value)
        yield _line(at, _TOP, at, HEIGHT - _BOTTOM, "grid")
        yield _text(at, HEIGHT - 8, name, "middle")


def _x_ticks(axes: _Axes, numbers: Measures) -> Iterator[tuple[float, str]]:
    if axes.is_log:
        for power in range(-1, 7):
            for factor in (1, 2, 5):
                value = factor * 10.0**power
                if axes.low <= value <= axes.high:
                    yield value, numbers.on_axis(value, "ms")
        return
    span = axes.high - axes.low
    step = next((each for each in _STEPS if span / each <= _MOST_X_TICKS), 7 * _STEPS[-1])
    value = math.ceil(axes.low / step) * step
    while value <= axes.high:
        yield value, numbers.clock(value)
        value += step


def _amount(value: float, unit: str, numbers: Measures) -> str:
    if unit in ("", "/s"):
        # Steps below one are 1, 2 or 5 of some decimal place.
        decimals = 0 if value >= 1 or value == 0 else -math.floor(math.log10(value))
        return numbers.number(value, decimals)
    return numbers.on_axis(value, unit)


def _marks(chart: Chart, axes: _Axes) -> Iterator[str]:
    last = -math.inf
    for at, name in chart.marks[:_MOST_MARKS]:
        x = axes.x(at)
        yield _line(x, _TOP, x, HEIGHT - _BOTTOM, "mark")
        if name and x - last > _LETTER_PX * len(name) + 8:
            yield _text(x + 3, HEIGHT - _BOTTOM - 5, name)
            last = x


def _curve(curve: Curve, axes: _Axes) -> str:
    if axes.is_log:
        known = np.isfinite(curve.x) & np.isfinite(curve.y)
        x, y = curve.x[known], curve.y[known]
    else:
        x, y = thinned(curve.x, curve.y, _PLOT_W, axes.low, axes.high)
    if not x.size:
        return ""
    points = [f"{axes.x(float(a)):.1f},{axes.y(float(b)):.1f}" for a, b in zip(x, y, strict=True)]
    kept = points[:1] + [after for before, after in pairwise(points) if after != before]
    if len(kept) == 1:
        at, height = kept[0].split(",")
        return f'<circle class="line-{curve.role}" cx="{at}" cy="{height}" r="2"/>'
    return f'<polyline class="line-{curve.role}" points="{" ".join(kept)}"/>'


def _legend(chart: Chart) -> Iterator[str]:
    if len(chart.curves) < 2:
        return
    at = float(_LEFT)
    for curve in chart.curves:
        yield _line(at, 10, at + 18, 10, f"line-{curve.role}")
        yield _text(at + 23, 14, curve.name)
        at += 40 + _LETTER_PX * len(curve.name)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
