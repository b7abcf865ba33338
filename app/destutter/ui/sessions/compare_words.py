# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of measures and of what can differ between two sessions, in the user's language."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

MEASURES: dict[str, object] = {
    "hitch_s": QT_TRANSLATE_NOOP("Measures", "Time lost in long frames, per 10 min"),
    "long_frames": QT_TRANSLATE_NOOP("Measures", "Long frames, per 10 min"),
    "frames_over_50ms": QT_TRANSLATE_NOOP("Measures", "Frames longer than 50 ms, per 10 min"),
    "longest_frame": QT_TRANSLATE_NOOP("Measures", "Longest frame"),
    "frame_p99": QT_TRANSLATE_NOOP("Measures", "Frame time, 99 %"),
    "low_1_percentile": QT_TRANSLATE_NOOP("Measures", "Frame rate that 99 % reach"),
    "low_1_average": QT_TRANSLATE_NOOP("Measures", "Frame rate of the slowest 1 %"),
    "average_fps": QT_TRANSLATE_NOOP("Measures", "Average frame rate"),
    "below_25fps": QT_TRANSLATE_NOOP("Measures", "Time below 25 frames a second"),
    "late_wakes": QT_TRANSLATE_NOOP("Measures", "Late wake-ups, per 10 min"),
    "latest_wake": QT_TRANSLATE_NOOP("Measures", "Latest wake-up"),
    "slow_reads": QT_TRANSLATE_NOOP("Measures", "Slow reads of a drive, per GB"),
    "slow_writes": QT_TRANSLATE_NOOP("Measures", "Slow writes of a drive, per GB"),
    "read_p99": QT_TRANSLATE_NOOP("Measures", "Read latency of a drive, 99 %"),
    "write_p99": QT_TRANSLATE_NOOP("Measures", "Write latency of a drive, 99 %"),
    "longest_read": QT_TRANSLATE_NOOP("Measures", "Slowest read of a drive"),
    "longest_write": QT_TRANSLATE_NOOP("Measures", "Slowest write of a drive"),
    "allocation_stalls": QT_TRANSLATE_NOOP("Measures", "Waits for free memory, per GB taken"),
    "direct_pages": QT_TRANSLATE_NOOP("Measures", "Direct reclaim, per GB taken"),
    "direct_peak": QT_TRANSLATE_NOOP("Measures", "Direct reclaim, highest"),
    "swap_in": QT_TRANSLATE_NOOP("Measures", "Pages read back from swap"),
    "memory_wait": QT_TRANSLATE_NOOP("Measures", "Programs waiting for memory"),
    "storage_wait": QT_TRANSLATE_NOOP("Measures", "Programs waiting for storage"),
    "core_wait": QT_TRANSLATE_NOOP("Measures", "The game waiting for a core"),
    "throttled": QT_TRANSLATE_NOOP("Measures", "Processor slowed down by heat"),
    "dirty_peak": QT_TRANSLATE_NOOP("Measures", "Data waiting to be written, highest"),
    "least_available": QT_TRANSLATE_NOOP("Measures", "Memory available, lowest"),
    "read_volume": QT_TRANSLATE_NOOP("Measures", "Read from drives, per minute"),
    "written_volume": QT_TRANSLATE_NOOP("Measures", "Written to drives, per minute"),
    "taken_volume": QT_TRANSLATE_NOOP("Measures", "Memory taken, per minute"),
    "cpu_busy": QT_TRANSLATE_NOOP("Measures", "Processor in use"),
    "hottest": QT_TRANSLATE_NOOP("Measures", "Highest temperature"),
}
"""By the ids of ``analysis.comparing.rows.ROWS``."""

DIFFERENCES: dict[str, object] = {
    "game": QT_TRANSLATE_NOOP("Differences", "Game"),
    "game_build": QT_TRANSLATE_NOOP("Differences", "Version of the game"),
    "kernel": QT_TRANSLATE_NOOP("Differences", "Kernel"),
    "driver": QT_TRANSLATE_NOOP("Differences", "Graphics driver"),
    "resolution": QT_TRANSLATE_NOOP("Differences", "Resolution"),
    "gpus": QT_TRANSLATE_NOOP("Differences", "Graphics card"),
    "cpu_model": QT_TRANSLATE_NOOP("Differences", "Processor"),
    "cpus": QT_TRANSLATE_NOOP("Differences", "Cores in use"),
    "memory": QT_TRANSLATE_NOOP("Differences", "Memory"),
    "distribution": QT_TRANSLATE_NOOP("Differences", "Distribution"),
    "virtual_machine": QT_TRANSLATE_NOOP("Differences", "Virtual machine"),
    "power.source": QT_TRANSLATE_NOOP("Differences", "Power source"),
    "clocksource": QT_TRANSLATE_NOOP("Differences", "Clock source"),
    "swap.kind": QT_TRANSLATE_NOOP("Differences", "Kind of swap"),
    "session.type": QT_TRANSLATE_NOOP("Differences", "Kind of desktop session"),
}
"""By the ids of ``analysis.comparing.differences.Difference`` that are no settings."""

WARNINGS: dict[str, object] = {
    "too_short": QT_TRANSLATE_NOOP(
        "Warnings", "At least 8 minutes of both are needed for a fair comparison."
    ),
    "no_phases": QT_TRANSLATE_NOOP(
        "Warnings",
        "They share too little of any phase, so all of both is compared, loading included.",
    ),
    "other_frame_source": QT_TRANSLATE_NOOP(
        "Warnings", "Frame times come from different tools, which may count differently."
    ),
    "frame_generation": QT_TRANSLATE_NOOP(
        "Warnings", "The log seems to hold generated frames; its percentiles mean little."
    ),
    "sampled_log": QT_TRANSLATE_NOOP(
        "Warnings", "The log holds only some of the frames; short stutters are missing in it."
    ),
    "coarse_clock": QT_TRANSLATE_NOOP(
        "Warnings", "The log has coarse frame times; small differences cannot be seen in it."
    ),
    "unequal_work": QT_TRANSLATE_NOOP(
        "Warnings", "One recording read, wrote or took much more than the other."
    ),
    "steady_only_a": QT_TRANSLATE_NOOP(
        "Warnings", "Only A reached its steady phase; B never did."
    ),
    "steady_only_b": QT_TRANSLATE_NOOP(
        "Warnings", "Only B reached its steady phase; A never did."
    ),
    "clock_steps": QT_TRANSLATE_NOOP("Warnings", "The clock of a log went backwards."),
    "one_run_each": QT_TRANSLATE_NOOP(
        "Warnings", "One run against one: suggestive, but no proof. Three of each would be."
    ),
    "few_runs": QT_TRANSLATE_NOOP(
        "Warnings", "To confirm anything takes three recordings of each, long enough to compare."
    ),
    "mixed_a": QT_TRANSLATE_NOOP(
        "Warnings",
        "The recordings of A had different settings, or were of different games or computers.",
    ),
    "mixed_b": QT_TRANSLATE_NOOP(
        "Warnings",
        "The recordings of B had different settings, or were of different games or computers.",
    ),
    "game": QT_TRANSLATE_NOOP("Warnings", "These are two different games."),
    "game_build": QT_TRANSLATE_NOOP(
        "Warnings", "The game has another version in B; that alone may be the reason."
    ),
    "kernel": QT_TRANSLATE_NOOP("Warnings", "The kernel is another one in B."),
    "driver": QT_TRANSLATE_NOOP("Warnings", "The graphics driver is another one in B."),
    "resolution": QT_TRANSLATE_NOOP("Warnings", "The resolution is another one in B."),
    "gpus": QT_TRANSLATE_NOOP("Warnings", "The graphics card is another one in B."),
    "cpu_model": QT_TRANSLATE_NOOP("Warnings", "The processor is another one in B."),
    "memory": QT_TRANSLATE_NOOP("Warnings", "B has another amount of memory."),
}
"""By the ids of ``analysis.comparing.comparison.Comparison.warnings``."""

GRAVE = ("game", "game_build", "frame_generation", "other_frame_source")
"""Warnings that make people doubt the verdict, the gravest first."""


def measure_name(id_: str) -> str:
    """What is measured, as a title; an unknown one by its id."""
    return QCoreApplication.translate("Measures", str(MEASURES.get(id_, id_)))


def difference_name(id_: str) -> str:
    """What differs; the key of a setting as it is."""
    return QCoreApplication.translate("Differences", str(DIFFERENCES.get(id_, id_)))


def warning_text(id_: str) -> str:
    """A sentence of caution; empty for one that this version does not know."""
    text = WARNINGS.get(id_)
    return "" if text is None else QCoreApplication.translate("Warnings", str(text))
