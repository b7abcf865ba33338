# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a series a graph of a given width has to draw: two points per pixel column. No Qt.

A column never changes once time has passed it, so each measurement is looked at once, however
much time is in view.
"""

import numpy as np
from numpy.typing import NDArray

from destutter.ui.plots.series import Floats, LaneSeries, Outline, raw_outline


class Envelope:
    """The smallest and the largest value of each pixel column of a series.

    Columns begin at whole multiples of their width in time, so that a peak does not change its
    shape while the graph moves.
    """

    def __init__(self, series: LaneSeries, retention_s: float) -> None:
        self.series = series
        self._retention_s = retention_s
        self._column_s = 0.0
        self._restart()

    def _restart(self) -> None:
        self._points = LaneSeries(self._retention_s)
        self._next = 0
        self._ends_in_break = False

    def outline(self, from_s: float, to_s: float, column_s: float, columns: int) -> Outline:
        """What to draw between these times; a column stands for ``column_s`` seconds.

        With fewer measurements than points that can be drawn, they are returned as they are.
        """
        times, values = self.series.span(from_s, to_s)
        if len(times) <= 2 * columns:
            return raw_outline(times, values)
        if column_s != self._column_s:
            self._column_s = column_s
            self._restart()
        self._finish_columns()
        x, y = self._points.span(from_s, to_s)
        rest_times, rest_values = self.series.since(self._next)
        is_shown = rest_times <= to_s
        if is_shown.any():
            rest = envelope(rest_times[is_shown], rest_values[is_shown], column_s)
            x, y = np.concatenate((x, rest[0])), np.concatenate((y, rest[1]))
        return raw_outline(x, y, is_reduced=True)

    def _finish_columns(self) -> None:
        """Take in the columns that time has passed."""
        times, values = self.series.since(self._next)
        if not len(times):
            return
        newest = np.floor(times[-1] / self._column_s) * self._column_s
        count = int(np.searchsorted(times, newest))
        if not count:
            return
        times, values = times[:count], values[:count]
        x, y = envelope(times, values, self._column_s)
        if len(self._points) and (self._ends_in_break or np.isnan(values[0])):
            self._points.append(float(x[0]), np.nan)
        self._points.extend_arrays(x, y)
        self._ends_in_break = bool(np.isnan(values[-1]))
        self._next = max(self._next, self.series.forgotten) + count


def run_starts(values: Floats) -> NDArray[np.intp]:
    """Where each run of equal values begins; a NaN is a run of its own."""
    changes = (values[1:] != values[:-1]).nonzero()[0] + 1
    return np.concatenate(([0], changes)) if len(values) else changes


def envelope(times: Floats, values: Floats, column_s: float) -> tuple[Floats, Floats]:
    """The smallest and largest value of each column, in the order in which the line passes.

    A break between two columns is a NaN between them.
    """
    column = np.floor(times / column_s)
    starts = run_starts(column)
    # fmin and fmax pass over NaN; a column of nothing but NaN stays a break.
    low = np.fmin.reduceat(values, starts)
    high = np.fmax.reduceat(values, starts)
    ends = np.append(starts[1:], len(values)) - 1
    is_falling = values[starts] > values[ends]
    x = np.repeat((column[starts] + 0.5) * column_s, 2)
    y = np.empty(2 * len(starts))
    y[0::2] = np.where(is_falling, high, low)
    y[1::2] = np.where(is_falling, low, high)
    # Where nothing was measured between two columns, the line must not run on.
    has_break = np.isnan(values[ends[:-1]]) | np.isnan(values[starts[1:]])
    if not has_break.any():
        return x, y
    after = 2 * (np.flatnonzero(has_break) + 1)
    return np.insert(x, after, x[after]), np.insert(y, after, np.nan)
