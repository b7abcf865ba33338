# SPDX-License-Identifier: GPL-3.0-or-later
"""The lane of memory: who had to wait for it, as counters tell it or the kernel's trace."""

from collections.abc import Hashable

from PySide6.QtCore import QCoreApplication

from destutter.core.traced import LONG_WAIT_NS
from destutter.ui.plots.gutter import LegendEntry
from destutter.ui.plots.lane import LaneContent, Line
from destutter.ui.plots.lane_data import RECLAIM, STALLS, TRACED, LaneData
from destutter.ui.plots.lane_show import LaneShow
from destutter.ui.plots.scale import DecadeScale, LinearScale
from destutter.ui.plots.traced_series import CPU, MEMORY, STORAGE
from destutter.ui.words.quantities import Quantities

translate = QCoreApplication.translate


class ReclaimLane:
    """Memory that programs had to free themselves before they got any; while the kernel's trace
    runs, what the game's own threads waited for, memory among it."""

    sources = ("vmstat",)
    measures = ()
    stretch = 100

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Whether the trace runs."""
        del rows_that_fit
        return data.has_traced

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """Waits, or pages and stalls per second, on one axis of "per second"."""
        del rows_that_fit
        return self._waits(data) if data.has_traced else self._reclaim(data)

    def _waits(self, data: LaneData) -> LaneShow:
        names = {
            MEMORY: translate("Lanes", "memory"),
            STORAGE: translate("Lanes", "a drive"),
            CPU: translate("Lanes", "a core"),
        }
        colors = {MEMORY: "memory", STORAGE: "storage", CPU: "cpu"}
        lines = tuple(
            Line((TRACED, kind), data.series(TRACED, kind), color)
            for kind, color in colors.items()
        )
        return LaneShow(
            translate("Lanes", "Waits of the game"),
            LaneContent(DecadeScale(1000.0), self._quantities.round_milliseconds, lines),
            tuple(LegendEntry(names[kind], color) for kind, color in colors.items()),
            self._write,
            translate(
                "Lanes",
                "The longest wait of any thread of the game in each quarter of a second, by what "
                "it waited for. The kernel tells each of them itself; waits below {limit} are "
                "left out.",
            ).format(limit=self._limit()),
        )

    def _write(self, value_ms: float) -> str:
        """Shorter waits are not told, which is not the same as none."""
        if value_ms > 0:
            return self._quantities.milliseconds(value_ms)
        return translate("Lanes", "below {limit}").format(limit=self._limit())

    def _limit(self) -> str:
        return self._quantities.round_milliseconds(LONG_WAIT_NS / 1e6)

    def _reclaim(self, data: LaneData) -> LaneShow:
        lines = (
            Line((RECLAIM, ""), data.series(RECLAIM), "memory", is_filled=True),
            Line((STALLS, ""), data.series(STALLS), "frame"),
        )
        legends = (
            LegendEntry(translate("Lanes", "pages per second"), "memory"),
            LegendEntry(translate("Lanes", "waits per second"), "frame"),
        )
        return LaneShow(
            translate("Lanes", "Waiting for free memory"),
            LaneContent(LinearScale(1000.0), self._quantities.short_number, lines),
            legends,
            self._quantities.number,
            translate(
                "Lanes",
                "Memory that programs had to free themselves before they got any (the kernel's "
                "direct reclaim). A page is the kernel's unit of memory.",
            ),
        )
