# SPDX-License-Identifier: GPL-3.0-or-later
"""What each lane shows: its name, its lines, its axis, its threshold and its note."""

import math
from collections.abc import Hashable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.runs.frame_limit import CARD_PCT, THREAD_PCT, FrameLimit, frame_limit
from destutter.diagnosis.runs.frame_statistics import slowest_mean_ms
from destutter.diagnosis.stutters.frame_steps import MOST_FRAMES
from destutter.diagnosis.stutters.spikes import (
    ENOUGH_FRAMES,
    MEDIAN_FACTOR,
    MISSED_REFRESHES,
    STUTTER_MS,
    WAKEUP_LIMIT_MS,
)
from destutter.ui.plots.ground import Threshold
from destutter.ui.plots.gutter import NOTHING, GutterNote, LegendEntry
from destutter.ui.plots.lane import LaneContent, Line
from destutter.ui.plots.lane_data import (
    DIRTY,
    DIRTY_START,
    PRESSURE,
    READ,
    WAKEUP,
    WRITE,
    WRITEBACK,
    LaneData,
)
from destutter.ui.plots.lane_show import LaneShow, below_one_ms
from destutter.ui.plots.scale import DecadeScale, LinearScale, RefreshScale
from destutter.ui.plots.series import LaneSeries
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import spoken

translate = QCoreApplication.translate

_DISK_COLORS = (("storage", "write"), ("other", "other_write"))
_MIB = 1024.0 * 1024.0
_ROWS_WITH_RATES = 4  # the line of the game, the stutters, rates, and what limits them
_FRAMES_FOR_RATES = 100  # of fewer none is the slowest in a hundred
_CARD, _THREAD = "gpu.busy_pct", "thread.cpu_ms_per_s"
_NEAR = 0.25  # further away, the level would press the lines into the lowest quarter
_USUAL_S = 30.0  # so long ago the frames may lie that are usual: a pause has none
_STEP_MS = 5.0  # of the length from which on a frame of a slow game is a stutter
_LOOK_EVERY_S = 5.0  # the highest of ten minutes changes slowly, and each look goes through them


def _shows_frames(data: LaneData) -> bool:
    """With most frames left out, late wake-ups tell of stutters, and frame times do not."""
    is_probed = data.series(WAKEUP).last_s is not None
    return data.has_frames and not (data.frames_are_sampled and is_probed)


def _no_frames() -> GutterNote:
    text = translate("Lanes", "Frame times need MangoHud or X-Plane.")
    return GutterNote(text, _set_up_frame_times())


def _few_frames() -> GutterNote:
    return GutterNote(translate("Lanes", "The log leaves out most frames."), _set_up_frame_times())


def _set_up_frame_times() -> str:
    return translate("Lanes", "Set up frame times…")


def _share_pct(ms_per_s: float | None) -> float | None:
    return None if ms_per_s is None else ms_per_s / 10.0


def _limit_words(limit: FrameLimit) -> str:
    return {
        FrameLimit.CARD: translate("Lanes", "GPU"),
        FrameLimit.PROCESSOR: translate("Lanes", "CPU"),
        FrameLimit.NEITHER: translate("Lanes", "neither"),
        FrameLimit.UNKNOWN: translate("Lanes", "not known"),
    }[limit]


class FrameLane:
    """Frame times of the game; without them, how late the probe woke up."""

    sources = ("wakeup",)
    measures = ()
    stretch = 134

    def __init__(self, quantities: Quantities, refresh_hz: float) -> None:
        self._quantities = quantities
        self._refresh_ms = 1000.0 / refresh_hz
        self._looked_s: float | None = None
        self._limit_ms = STUTTER_MS

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Whether there are frame times, of which game, and of all frames; from which length on
        one is a stutter; and room for rates."""
        if self._looked_s is None or abs(data.now_s - self._looked_s) >= _LOOK_EVERY_S:
            self._look(data)
        few = data.frames_are_sampled
        has_room = rows_that_fit >= _ROWS_WITH_RATES
        named = data.game_name, data.frames_origin
        return _shows_frames(data), data.has_frames, *named, few, has_room, self._limit_ms

    def _look(self, data: LaneData) -> None:
        """What the rule of stutters is against the frames of now, in steps: each little change
        would draw the axis anew."""
        self._looked_s = data.now_s
        _, lengths_ms = data.frames.span(data.now_s - _USUAL_S, data.now_s)
        lengths_ms = lengths_ms[~np.isnan(lengths_ms)][-MOST_FRAMES:]
        if lengths_ms.size < ENOUGH_FRAMES:
            return
        limit_ms = MEDIAN_FACTOR * float(np.median(lengths_ms))
        self._limit_ms = max(STUTTER_MS, _STEP_MS * math.ceil(limit_ms / _STEP_MS))

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """Frame times while a game reports all of them, or nothing else is measured."""
        if not _shows_frames(data):
            return self._wakeups(data)
        shown = self._frames(data)
        if rows_that_fit < _ROWS_WITH_RATES or data.frames_are_sampled:
            return shown
        rates = (
            LegendEntry(translate("Lanes", "FPS / 1 % low"), ""),
            LegendEntry(translate("Lanes", "limited by"), ""),
        )
        figures = partial(self._figures, data)
        return replace(shown, legends=(*shown.legends, *rates), figures=figures)

    def _figures(self, data: LaneData, left_s: float, right_s: float) -> tuple[str, str]:
        rates = self._rates(data, left_s, right_s)
        if rates == NOTHING:
            return NOTHING, NOTHING
        limit = frame_limit(
            data.highest_mean(_CARD, left_s, right_s),
            _share_pct(data.highest_mean(_THREAD, left_s, right_s)),
        )
        return rates, _limit_words(limit)

    def _rates(self, data: LaneData, left_s: float, right_s: float) -> str:
        """The average, and that of the slowest hundredth; without loading screens.

        Not the rate that 99 of 100 frames reach: six stutters of 400 ms in half a minute are fewer
        than one in a hundred, and it would be above the average.
        """
        ends_s, lengths_ms = data.frames.span(left_s, right_s)
        lengths_ms = lengths_ms[~(np.isnan(lengths_ms) | np.isin(ends_s, data.screens_s))]
        if lengths_ms.size < _FRAMES_FOR_RATES:
            return NOTHING
        write = self._quantities.number
        slow_ms = slowest_mean_ms(lengths_ms)
        return f"{write(1e3 / float(lengths_ms.mean()))} / {write(1e3 / slow_ms)}"

    def _frames(self, data: LaneData) -> LaneShow:
        # What diagnosis calls a stutter, whatever the screen's own rate is.
        limit_ms = self._limit_ms
        text = translate("Lanes", "{limit} — longer is felt as a stutter")
        if limit_ms > STUTTER_MS:
            text = translate("Lanes", "{limit} — {times} usual frames: felt as a stutter")
        elif abs(limit_ms - MISSED_REFRESHES * self._refresh_ms) < 1.0:
            text = translate("Lanes", "{limit} — three refreshes long: felt as a stutter")
        limit = self._quantities.round_milliseconds(limit_ms)
        times = self._quantities.number(MEDIAN_FACTOR, 1)
        threshold = Threshold(limit_ms, text.format(limit=limit, times=times), "warn")
        line = Line(("frames", ""), data.frames, "frame")
        content = LaneContent(
            RefreshScale(self._refresh_ms),
            self._quantities.round_milliseconds,
            (line,),
            threshold,
        )
        # Never after the tool that wrote them: its name is nobody's game.
        name = data.game_name or translate("Lanes", "game")
        legends = (
            LegendEntry(name, "frame"),
            LegendEntry(translate("Lanes", "stutter"), "bad", is_dot=True),
        )
        return LaneShow(
            translate("Lanes", "Frame time"),
            content,
            legends,
            self._quantities.milliseconds,
            self._frames_tip(),
            note=_few_frames() if data.frames_are_sampled else None,
            counts_stutters=True,
            without_wakeups=True,
        )

    def _frames_tip(self) -> str:
        percent = self._quantities.percent
        text = translate(
            "Lanes",
            "How long each picture of the game took. One long frame among short ones is a "
            "stutter. The GPU limits them where it is at work {card} of the time and more, the "
            "CPU where a thread of the game is for {thread}.",
        )
        low = translate("Lanes", "“Low” is the mean rate of the slowest hundredth of them.")
        return f"{text.format(card=percent(CARD_PCT, 0), thread=percent(THREAD_PCT, 0))}\n{low}"

    def _wakeups(self, data: LaneData) -> LaneShow:
        threshold = Threshold(
            WAKEUP_LIMIT_MS,
            translate("Lanes", "{limit} — longer than a refresh: a frame is missed").format(
                limit=self._quantities.round_milliseconds(WAKEUP_LIMIT_MS)
            ),
            "warn",
        )
        content = LaneContent(
            DecadeScale(1000.0, low=1.7, high=5.2),
            self._quantities.round_milliseconds,
            (Line((WAKEUP, ""), data.series(WAKEUP), "frame"),),
            threshold,
        )
        legends = (
            LegendEntry(translate("Lanes", "longest delay"), "frame"),
            LegendEntry(translate("Lanes", "stutter"), "bad", is_dot=True),
        )
        note = _few_frames() if data.has_frames else _no_frames()
        return LaneShow(
            translate("Lanes", "CPU wake-up delay"),
            content,
            legends,
            self._quantities.milliseconds,
            translate(
                "Lanes",
                "A small program asks to be woken at exact times. As late as it wakes, a game may "
                "wake, too.",
            ),
            note=note,
            counts_stutters=True,
        )


class DiskLane:
    """How long reads and writes took, for the disks that programs wait for most."""

    sources = ("disk",)
    measures = ()
    stretch = 134

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Which lines could be drawn, in the order of how much their disks are waited for."""
        return tuple(each[:3] for each in self._candidates(data)), rows_that_fit

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """The busiest disks for which there is room, two at most."""
        candidates = self._candidates(data)
        shown = [each for each in candidates if each[0] < len(_DISK_COLORS)]
        # "+2 more" takes a line too.
        is_cut = len(shown) < len(candidates) or len(shown) > rows_that_fit
        shown = shown[: max(1, rows_that_fit - is_cut)]
        lines, legends = [], []
        for index, disk, is_write, series in shown:
            color = _DISK_COLORS[index][is_write]
            lines.append(Line((WRITE if is_write else READ, disk), series, color))
            legends.append(LegendEntry(self._label(disk, is_write=is_write), color))
        hidden = [
            self._label(disk, is_write=is_write)
            for _, disk, is_write, _ in candidates[len(shown) :]
        ]
        return LaneShow(
            translate("Lanes", "Drive delay"),
            LaneContent(
                DecadeScale(1000.0),
                self._quantities.round_milliseconds,
                tuple(lines),
                self._threshold(),
            ),
            tuple(legends),
            self._write,
            translate(
                "Lanes",
                "How long a drive took from a request to its answer, on average in each tenth of "
                "a second (I/O latency).",
            ),
            hidden=tuple(hidden),
        )

    def _write(self, value_ms: float) -> str:
        if value_ms > 0:
            return self._quantities.milliseconds(value_ms)
        return below_one_ms(self._quantities)

    def _candidates(self, data: LaneData) -> list[tuple[int, str, bool, LaneSeries]]:
        """Every line that could be drawn: the disk's place in their order, its name, ...

        A disk that has not answered anything yet takes no place: a computer has many of them.
        """
        found, place = [], 0
        for disk in data.disks.busiest({*data.instances(READ), *data.instances(WRITE)}):
            drawn = [
                (place, disk, metric == WRITE, series)
                for metric in (READ, WRITE)
                if len(series := data.series(metric, disk))
            ]
            found += drawn
            place += bool(drawn)
        return found

    def _label(self, disk: str, *, is_write: bool) -> str:
        template = (
            translate("Lanes", "{disk} write") if is_write else translate("Lanes", "{disk} read")
        )
        return template.format(disk=disk)

    def _threshold(self) -> Threshold:
        limit_ms = CAUSE_BY_ID["slow_device"].limits["ssd_ms"]
        text = translate("Lanes", "{limit} — a read this slow can hold up a frame").format(
            limit=self._quantities.round_milliseconds(limit_ms)
        )
        return Threshold(limit_ms, text, "warn")


class PressureLane:
    """The share of time in which some task waited for memory, disk or CPU."""

    sources = ("pressure",)
    measures = ()
    stretch = 104

    _RESOURCES = (("memory", "memory"), ("io", "storage"), ("cpu", "cpu"))

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Always the same."""
        del data, rows_that_fit
        return None

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """Pressure stall information, the share of "some"."""
        del rows_that_fit
        named = spoken().named
        lines = tuple(
            Line((PRESSURE, resource), data.series(PRESSURE, resource), color)
            for resource, color in self._RESOURCES
        )
        legends = tuple(
            LegendEntry(named("resource", resource), color) for resource, color in self._RESOURCES
        )
        return LaneShow(
            translate("Lanes", "Time spent waiting"),
            LaneContent(LinearScale(20.0, most=100.0), self._axis, lines),
            legends,
            self._quantities.percent,
            translate(
                "Lanes",
                "Share of the time in which at least one program waited for memory, for a drive "
                "or for a core (the kernel's pressure stall information, PSI).",
            ),
        )

    def _axis(self, value: float) -> str:
        return self._quantities.percent(value, 0)


class DirtyLane:
    """Data that waits to be written to disk."""

    sources = ("vmstat",)
    measures = ()
    stretch = 78

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities
        self._looked_s: float | None = None
        self._limit: float | None = None
        self._is_near = False

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Where writing starts, in steps of some percent, and whether that is near."""
        if self._looked_s is None or abs(data.now_s - self._looked_s) >= _LOOK_EVERY_S:
            self._looked_s = data.now_s
            self._look(data)
        return self._limit, self._is_near, rows_that_fit

    def _look(self, data: LaneData) -> None:
        limit = data.series(DIRTY_START).newest(60.0)
        # It follows the free memory; each little change would draw the axis anew.
        self._limit = None if not limit else float(f"{limit / _MIB:.2g}") * _MIB
        highest = data.series(DIRTY).highest(data.now_s - 600.0, data.now_s) or 0.0
        self._is_near = self._limit is not None and highest >= _NEAR * self._limit

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """Waiting and being written; the level where writing starts, when it is near."""
        lines = [Line((DIRTY, ""), data.series(DIRTY), "storage", is_filled=True)]
        legends = [LegendEntry(translate("Lanes", "waiting for disk"), "storage")]
        lines.append(Line((WRITEBACK, ""), data.series(WRITEBACK), "write"))
        legends.append(LegendEntry(translate("Lanes", "being written"), "write"))
        limit = self._limit
        threshold, least, note = None, 64 * _MIB, None
        if limit is not None and self._is_near:
            threshold = Threshold(limit, translate("Lanes", "background writing starts"), "muted")
            least = limit * 1.1
        elif limit is not None and rows_that_fit > len(legends):
            note = GutterNote(
                translate("Lanes", "Writing starts at {size}.").format(
                    size=self._quantities.size(limit)
                )
            )
        return LaneShow(
            translate("Lanes", "Unwritten data"),
            LaneContent(
                LinearScale(least, base=1024.0),
                self._quantities.round_size,
                tuple(lines),
                threshold,
            ),
            tuple(legends),
            self._quantities.size,
            translate(
                "Lanes",
                "Written data that is still in memory only (the kernel's dirty pages). When there "
                "is too much of it, programs that write have to wait.",
            ),
            note=note,
        )
