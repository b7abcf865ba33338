# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows filled with constant metrics, for the tests of single rules."""

from collections.abc import Mapping, Sequence

from destutter.core.metrics import Metrics
from destutter.diagnosis.causes.registry import remembered_metrics, watched_metrics
from destutter.diagnosis.history.window import Window

Given = Mapping[str, float | Mapping[str, float]]
"""A number for a metric, or numbers by instance."""

TICK_NS = 100_000_000


def empty_window() -> Window:
    """A window that keeps what the rules read."""
    return Window(watched_metrics(), remembered_metrics())


def fill(window: Window, given: Given, seconds: int = 3, start_ns: int | None = None) -> Window:
    """Let so many seconds of these values pass; they follow those that are there already."""
    newest = window.newest
    now_ns = (0 if newest is None else newest.end_ns) if start_ns is None else start_ns
    for _ in range(10 * seconds + (1 if newest is None else 0)):
        now_ns += TICK_NS
        _accept(window, given, now_ns)
    return window


def fill_ticks(window: Window, ticks: Sequence[Given]) -> Window:
    """Let these ticks pass, one after the other."""
    newest = window.newest
    now_ns = 0 if newest is None else newest.end_ns
    for number, given in enumerate(ticks, 1):
        _accept(window, given, now_ns + number * TICK_NS)
    return window


def _accept(window: Window, given: Given, now_ns: int) -> None:
    values = {name: value for name, value in given.items() if isinstance(value, int | float)}
    instanced = {
        name: value for name, value in given.items() if not isinstance(value, int | float)
    }
    window.accept_metrics(Metrics(now_ns, 0.1, values, instanced))


def window_of(given: Given, seconds: int = 3) -> Window:
    """A window of nothing but these values."""
    return fill(empty_window(), given, seconds)
