# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lane is asked, and all that it answers."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from destutter.ui.plots.gutter import GutterNote, LegendEntry
from destutter.ui.plots.lane import LaneContent
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.lane_measures import LaneMetric
from destutter.ui.words.quantities import Quantities

LEAST_ROWS = 3
"""Lines of a legend that are never cut off."""


@dataclass(frozen=True, slots=True)
class LaneShow:
    """All that a lane shows at the moment; ``tip`` says what that is, in everyday words.

    ``figures`` are the values of the last rows of the legend, which have no line, for the time
    between two seconds. ``every_s``: how often a value comes of what comes most seldom. Late
    wake-ups are no dots of a lane ``without_wakeups``.
    """

    title: str
    content: LaneContent
    legends: tuple[LegendEntry, ...]
    write: Callable[[float], str]
    tip: str
    hidden: tuple[str, ...] = ()
    note: GutterNote | None = None
    counts_stutters: bool = False
    without_wakeups: bool = False
    figures: Callable[[float, float], tuple[str, ...]] | None = None
    every_s: float = 0.1


class LaneModel(Protocol):
    """What a lane of the live page asks of its measurements."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Without any of these sources of the stream there is nothing to show; the first says
        what it shows."""
        ...

    @property
    def measures(self) -> tuple[LaneMetric, ...]:
        """What it draws beside what is always kept."""
        ...

    @property
    def stretch(self) -> int:
        """Its share of the height."""
        ...

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Changes exactly when ``show`` would answer differently. Asked at every repaint."""
        ...

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """What to show for these measurements."""
        ...


def below_one_ms(quantities: Quantities) -> str:
    """The kernel counts whole milliseconds: what took less counts as none, and is not none."""
    text = QCoreApplication.translate("Lanes", "below {limit}")
    return text.format(limit=quantities.round_milliseconds(1.0))
