# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run's frame times say: averages, both kinds of "1 % low", stutters, and whether they
can be trusted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from destutter.diagnosis.stutters.frame_steps import SAMPLED_RATIO
from destutter.diagnosis.stutters.spikes import MEDIAN_FACTOR

_MEDIAN_FRAMES = 121  # two seconds at 60 Hz, odd: fewer follow a stutter, more a change of scene
_PIECE = 1_000  # windows, of which 1 MB is copied at once
_EXACT_FRAMES = 200_000  # an hour at 60 Hz: their exact medians take half a second of a core
_STEP = 16  # a quarter of a second at 60 Hz, an eighth of a window: medians hardly move in that
STUTTER_LEAST_MS = 20.0
"""Shorter frames are not felt as a stutter, however even the others are."""
_GENERATED_CORRELATION = -0.5  # frames in turn have -1, and noise 0 (give or take 0.06 of 240)
_GENERATED_SPREAD = 0.3  # of the mean: 2 and 14 ms in turn have 0.75; with less no percentile lies
SAMPLED_LOG = "sampled_log"
_FRAMES_TO_TELL = 240  # four seconds at 60 Hz: of fewer the correlation of noise strays more
_STEPS_TO_TELL = 30  # the few long steps of a loading screen at the beginning are no sampled log
_COARSE_SHARE = 0.999  # one odd cell does not make whole milliseconds a fine clock
_BACKWARDS_MS = -100.0  # following a log moves its clock by less while it is aligned

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
        low_1_average_fps=1000 / slowest_mean_ms(frame_ms),
        low_01_percentile_fps=1000 / float(p999),
        stutters=int(is_stutter.sum()),
        hitch_ms=float((frame_ms - usual)[is_stutter].sum()),
        looks_generated=looks_generated(frame_ms),
    )


def slowest_mean_ms(frame_ms: Milliseconds) -> float:
    """The mean of the slowest hundredth of frame times, of one at least."""
    count = max(1, frame_ms.size // 100)
    return float(np.partition(frame_ms, -count)[-count:].mean())


def running_median(frame_ms: Milliseconds) -> Milliseconds:
    """The median of the about two seconds around each frame, as long as the run is."""
    size = min(_MEDIAN_FRAMES, frame_ms.size)
    size -= 1 - size % 2  # odd, so that a frame has as many neighbours before as after
    padded = np.pad(frame_ms, size // 2, mode="edge")
    # What is usual changes slowly: in a run of hours every sixteenth frame asks.
    step = 1 if frame_ms.size <= _EXACT_FRAMES else _STEP
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)[::step]
    medians = np.empty(len(windows))
    # This copies its windows and holds the interpreter: in pieces, a run of ten million frames
    # stays small, and a window that is open meanwhile goes on drawing. np.median also looks for
    # NaN, which no frame time is, and takes seven times as long (8.5 and 61 ms for nine minutes).
    for start in range(0, len(windows), _PIECE):
        piece = np.partition(windows[start : start + _PIECE], size // 2, axis=1)
        medians[start : start + _PIECE] = piece[:, size // 2]
    result: Milliseconds = np.repeat(medians, step)[: frame_ms.size]
    return result


def stutter_mask(frame_ms: Milliseconds, usual_ms: Milliseconds) -> NDArray[np.bool_]:
    """Which frames are stutters against the usual frame time around them."""
    return (frame_ms > MEDIAN_FACTOR * usual_ms) & (frame_ms > STUTTER_LEAST_MS)


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


def artefacts(frame_ms: Milliseconds, end_s: NDArray[np.float64]) -> tuple[str, ...]:
    """Ids of what in a log comes from the tool that wrote it, not from the game.

    ``frame_generation``: drawn and generated frames in turn. ``sampled_log``: the log holds a
    frame now and then (MangoHud's ``log_interval`` above 0), so that most stutters are missing.
    ``coarse_clock``: whole milliseconds only. ``clock_steps``: its clock went backwards.
    """
    found = ["frame_generation"] if looks_generated(frame_ms) else []
    steps_ms = np.diff(end_s) * 1000
    is_told = frame_ms.size >= _STEPS_TO_TELL
    if is_told and float(np.median(steps_ms)) > SAMPLED_RATIO * float(np.median(frame_ms)):
        found.append(SAMPLED_LOG)
    if frame_ms.size < _FRAMES_TO_TELL:
        return tuple(found)
    is_whole = np.abs(frame_ms - np.round(frame_ms)) < 1e-9
    if float(is_whole.mean()) > _COARSE_SHARE and np.unique(frame_ms).size > 1:
        found.append("coarse_clock")
    if (steps_ms < _BACKWARDS_MS).any():
        found.append("clock_steps")
    return tuple(found)
