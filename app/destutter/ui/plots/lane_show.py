# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lane is asked, and all that it answers."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from destutter.ui.plots.gutter import GutterNote, LegendEntry
from destutter.ui.plots.lane import LaneContent
from destutter.ui.plots.lane_data import LaneData


@dataclass(frozen=True, slots=True)
class LaneShow:
    """All that a lane shows at the moment; ``tip`` says what that is, in everyday words.

    ``figures`` are the values of the last rows of the legend, which have no line, for the time
    between two seconds.
    """

    title: str
    content: LaneContent
    legends: tuple[LegendEntry, ...]
    write: Callable[[float], str]
    tip: str
    hidden: tuple[str, ...] = ()
    note: GutterNote | None = None
    counts_stutters: bool = False
    figures: Callable[[float, float], tuple[str, ...]] | None = None


class LaneModel(Protocol):
    """One lane."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the stream that it cannot do without; the first says what it shows."""
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
