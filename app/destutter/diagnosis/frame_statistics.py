# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run's frame times say: averages, both kinds of "1 % low", stutters, and whether they
can be trusted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MEDIAN_FRAMES = 121
_PIECE = 20_000
STUTTER_RATIO = 2.5
"""A frame so many times longer than the frames around it is felt, at any frame rate."""
STUTTER_LEAST_MS = 20.0
"""Shorter frames are not felt as a stutter, however even the others are."""
_GENERATED_CORRELATION = -0.5
_GENERATED_SPREAD = 0.3
_FRAMES_TO_TELL = 240

Milliseconds = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FrameStatistics:
    """Figures of a run. Frame times in ms, rates in frames per second.

    Two definitions of "1 % low" are in use and differ: ``low_1_percentile_fps`` is the rate of
    the frame that 1 % of the frames exceed, ``low_1_average_fps`` the mean rate of the slowest
    1 %. ``hitch_ms`` is the time that stutters took beyond an ordinary frame.
    """

    frames: int
    duration_s: float
    average_fps: float
    median_ms: float
    p95_ms: float
    p99_ms: float
    worst_ms: float
    low_1_percentile_fps: float
    low_1_average_fps: float
    low_01_percentile_fps: float
    stutters: int
    hitch_ms: float
    looks_generated: bool


def frame_statistics(frame_ms: Milliseconds) -> FrameStatistics | None:
    """Figures of a run's frame times in ms, in order; None without a frame."""
    if frame_ms.size == 0:
        return None
    duration_ms = float(frame_ms.sum())
    median, p95, p99, p999 = np.percentile(frame_ms, (50, 95, 99, 99.9))
    slowest = np.sort(frame_ms)[-max(1, frame_ms.size // 100) :]
    usual = running_median(frame_ms)
    is_stutter = stutter_mask(frame_ms, usual)
    return FrameStatistics(
        frames=int(frame_ms.size),
        duration_s=duration_ms / 1000,
        average_fps=1000 * frame_ms.size / duration_ms,
        median_ms=float(median),
        p95_ms=float(p95),
        p99_ms=float(p99),
        worst_ms=float(frame_ms.max()),
        low_1_percentile_fps=1000 / float(p99),
        low_1_average_fps=1000 / float(slowest.mean()),
        low_01_percentile_fps=1000 / float(p999),
        stutters=int(is_stutter.sum()),
        hitch_ms=float((frame_ms - usual)[is_stutter].sum()),
        looks_generated=looks_generated(frame_ms),
    )


def running_median(frame_ms: Milliseconds) -> Milliseconds:
    """The median of the about two seconds around each frame, as long as the run is."""
    size = min(_MEDIAN_FRAMES, frame_ms.size)
    size -= 1 - size % 2  # odd, so that a frame has as many neighbours before as after
    padded = np.pad(frame_ms, size // 2, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)
    result = np.empty_like(frame_ms)
    # The median copies its windows: in pieces, a run of ten million frames stays small.
    for start in range(0, frame_ms.size, _PIECE):
        result[start : start + _PIECE] = np.median(windows[start : start + _PIECE], axis=1)
    return result


def stutter_mask(frame_ms: Milliseconds, usual_ms: Milliseconds) -> NDArray[np.bool_]:
    """Which frames are stutters against the usual frame time around them."""
    return (frame_ms > STUTTER_RATIO * usual_ms) & (frame_ms > STUTTER_LEAST_MS)


def looks_generated(frame_ms: Milliseconds) -> bool:
    """Whether the log mixes drawn frames with generated ones.

    Frame generation is logged as a short and a long time in turn: neighbours are then strongly
    opposed while the spread is large. Percentiles of such a log mean little.
    """
    if frame_ms.size < _FRAMES_TO_TELL:
        return False
    clipped = np.minimum(frame_ms, 4 * np.median(frame_ms))
    centred = clipped - clipped.mean()
    variance = float((centred**2).mean())
    if variance == 0 or np.sqrt(variance) < _GENERATED_SPREAD * clipped.mean():
        return False
    correlation = float((centred[1:] * centred[:-1]).mean()) / variance
    return correlation < _GENERATED_CORRELATION
