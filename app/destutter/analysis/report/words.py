# SPDX-License-Identifier: GPL-3.0-or-later
"""English words of comparisons. The window has its own, through translations."""

from collections.abc import Mapping

from destutter.analysis.comparing.comparison import Comparison, Row, RowChange
from destutter.analysis.comparing.rows import ROW_BY_ID, Shown
from destutter.diagnosis.comparison import LEAST_MINUTES, ComparedOutcome, Reason
from destutter.diagnosis.confirmation import LEAST_RUNS
from destutter.diagnosis.phases import Phase
from destutter.words.renderer import NBSP, renderer

ROW_NAMES: Mapping[str, str] = {
    "hitch_s": "Time lost in long frames, in 10 minutes",
    "long_frames": "Long frames (2.5 times the usual), in 10 minutes",
    "frames_over_50ms": "Frames over 50 ms, in 10 minutes",
    "longest_frame": "Longest frame",
    "frame_p99": "Frame time that 1 % of the frames exceed",
    "low_1_percentile": "1 % low, by the 99th percentile",
    "low_1_average": "1 % low, mean of the slowest 1 %",
    "average_fps": "Average frame rate",
    "below_25fps": "Time below 25 frames a second",
    "late_wakes": "Wake-ups late by 20 ms or more, in 10 minutes",
    "latest_wake": "Latest wake-up",
    "slow_reads": "Tenths of a second with reads over 5 ms, per GB read",
    "slow_writes": "Tenths of a second with writes over 5 ms, per GB written",
    "read_p99": "Wait for a read, 99 % below",
    "write_p99": "Wait for a write, 99 % below",
    "longest_read": "Longest wait for reads",
    "longest_write": "Longest wait for writes",
    "allocation_stalls": "Allocation stalls, per GB taken",
    "direct_pages": "Pages that programs freed themselves, per GB taken",
    "direct_peak": "Direct reclaim, highest",
    "swap_in": "Pages back from swap, a minute",
    "memory_wait": "Time lost to memory, a minute",
    "storage_wait": "Time lost to storage, a minute",
    "core_wait": "Wait of the game's main thread for a core, a minute",
    "throttled": "Processor slowed down, a minute",
    "dirty_peak": "Unwritten data, most",
    "least_available": "Memory available, least",
    "read_volume": "Read from drives, a minute",
    "written_volume": "Written to drives, a minute",
    "taken_volume": "Memory taken, a minute",
    "cpu_busy": "Processor in use",
    "hottest": "Hottest sensor",
}
WARNINGS: Mapping[str, str] = {
    "too_short": f"A verdict needs {LEAST_MINUTES} minutes of both runs.",
    "no_phases": (
        "The runs share too little of any phase, so the whole runs are compared, loading included."
    ),
    "other_frame_source": "The frame times come from different tools.",
    "unequal_work": (
        "One run read, wrote or took far more than the other; waits for that work cannot be "
        "compared without the division that the table makes."
    ),
    "one_run_each": "One run of each suggests; three of each would confirm.",
    "mixed_a": "The runs of A had different settings, or were of different games or computers.",
    "mixed_b": "The runs of B had different settings, or were of different games or computers.",
    "few_runs": (
        f"To confirm anything takes {LEAST_RUNS} runs of each, {LEAST_MINUTES} minutes or longer."
    ),
    "steady_only_a": "Only A came to rest in a steady phase; B never did.",
    "steady_only_b": "Only B came to rest in a steady phase; A never did.",
    "frame_generation": (
        "A log has drawn and generated frames in turn; percentiles of it mean little."
    ),
    "sampled_log": (
        "A log holds a frame now and then, so most stutters are missing "
        "(in MangoHud's settings: log_interval=0)."
    ),
    "coarse_clock": "A log has whole milliseconds only.",
    "clock_steps": "The clock of a log went backwards.",
    "game": "The games are different.",
    "game_build": "The game's version is different.",
    "kernel": "The kernel is different.",
    "driver": "The graphics driver is different.",
    "resolution": "The resolution is different.",
    "gpus": "The graphics card is different.",
    "cpu_model": "The processor is different.",
    "memory": "The amount of memory is different.",
}
_DIFFERENCES: Mapping[str, str] = {
    "game": "Game",
    "game_build": "Version of the game",
    "kernel": "Kernel",
    "driver": "Graphics driver",
    "resolution": "Resolution",
    "gpus": "Graphics card",
    "cpu_model": "Processor",
    "cpus": "Threads of the processor",
    "memory": "Memory",
    "distribution": "Distribution",
    "virtual_machine": "Virtual machine",
    "power.source": "Power",
    "clocksource": "Clock source",
    "swap.kind": "Swap",
    "session.type": "Desktop session",
}
PHASE_NAMES: Mapping[Phase, str] = {
    Phase.WARM_UP: "warm-up",
    Phase.RAMP_UP: "ramp-up",
    Phase.STEADY: "steady",
}
_ENGLISH = renderer()
_LEAST_TIMES = 0.01
_NEARLY_ALL_PCT = 99.5
_LEAST_CHANGE_PCT = 0.05


def headline(comparison: Comparison) -> str:
    """The verdict in one sentence."""
    row = comparison.primary
    if comparison.reason is Reason.TOO_SHORT:
        minutes = min(comparison.a.whole_minutes, comparison.b.whole_minutes)
        recorded = f"only {minutes} minute{'' if minutes == 1 else 's'} recorded"
        return f"Too close to call: {recorded}, a fair comparison needs {LEAST_MINUTES}."
    if row is None or row.a is None or row.b is None:
        return "Too close to call: neither frame times nor wake-ups were measured in both runs."
    what = "time lost in long frames" if row.id == "hitch_s" else "late wake-ups"
    values = f"from {value(row.a, row.unit)} to {value(row.b, row.unit)} in 10 minutes"
    if comparison.outcome is ComparedOutcome.BETTER:
        return f"Smoother: {what} fell {values}."
    if comparison.outcome is ComparedOutcome.WORSE:
        return f"Less smooth: {what} rose {values}."
    if comparison.outcome is ComparedOutcome.NO_DIFFERENCE:
        return f"No real difference: {what} went {values}."
    if comparison.reason is Reason.SPREAD:
        return "Too close to call: the two runs differ less than two minutes of the same run do."
    return "Too close to call: the difference may be chance."


def detail(comparison: Comparison) -> str:
    """What the verdict rests on."""
    row = comparison.primary
    if row is None or row.compared is None or comparison.reason is Reason.TOO_SHORT:
        return "The rows below show what was measured; they carry no verdict."
    compared = row.compared
    sentences = [f"{compared.minutes_a} minutes of A against {compared.minutes_b} of B"]
    if comparison.phases_compared:
        names = ", ".join(PHASE_NAMES[phase] for phase in comparison.phases_compared)
        sentences[0] += f", each phase with the same ({names})"
    if compared.low is not None and compared.high is not None:
        least = f"{_times(compared.low)} to " if compared.low >= _LEAST_TIMES else "at most "
        sentences.append(
            f"B has {least}{_times(compared.high)} times as much (95 % of the redrawn runs)"
        )
    return ". ".join(sentences) + "."


def change_words(row: Row) -> str:
    """The last column of the table."""
    if row.change in (RowChange.MISSING, RowChange.SAME, RowChange.UNSURE):
        return str(row.change.value)
    if row.change is RowChange.CONTEXT:
        return "" if row.change_pct is None else signed_percent(row.change_pct)
    if ROW_BY_ID[row.id].shown is not Shown.RATE and not row.more_is_better:
        # Its figure is one minute's; the word is about all of them.
        return f"{row.change.value}, minute by minute"
    if row.b == 0 and not row.more_is_better:
        return "gone (better)"
    if row.change_pct is None:
        return f"new ({row.change.value})"
    return f"{signed_percent(row.change_pct)} ({row.change.value})"


def signed_percent(value_pct: float) -> str:
    """A change: −83 %, +12 %."""
    amount = abs(value_pct)
    if amount < _LEAST_CHANGE_PCT:
        return "the same"
    if _NEARLY_ALL_PCT <= amount < 100:
        return f"−{min(amount, 99.9):.1f}{NBSP}%" if value_pct < 0 else f"+{amount:.1f}{NBSP}%"
    sign = "−" if value_pct < 0 else "+"
    return f"{sign}{_ENGLISH.number(amount, 0 if amount >= 10 else 1)}{NBSP}%"


def value(value_: float | None, unit: str) -> str:
    """A figure of a row with its unit, short."""
    if value_ is None:
        return "not measured"
    if unit == "ms":
        return _ENGLISH.milliseconds(value_)
    if unit == "s/10 min":
        return (
            _ENGLISH.milliseconds(value_ * 1000) if value_ < 1 else _ENGLISH.with_unit(value_, "s")
        )
    if unit in ("B", "B/min"):
        return _ENGLISH.size(value_)
    if unit == "ms/min":
        return _ENGLISH.milliseconds(value_)
    figure = _ENGLISH.number(value_, 0 if abs(value_) >= 100 or float(value_).is_integer() else 1)
    bare = unit in ("/10 min", "/GB", "pages/GB", "pages/min")
    return figure if bare else f"{figure}{NBSP}{unit}"


def difference_name(id_: str) -> str:
    """What differs."""
    return _DIFFERENCES.get(id_, id_)


def clock(seconds: float) -> str:
    """A time since the beginning: 7:40, 1:02:03."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _times(ratio: float) -> str:
    return _ENGLISH.number(ratio, 2 if ratio < 10 else 0)
