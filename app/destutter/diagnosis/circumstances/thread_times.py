# SPDX-License-Identifier: GPL-3.0-or-later
"""Which thread of the game had most of a time within a stutter, and how much of it."""

from collections.abc import Mapping

from destutter.diagnosis.circumstances.span import StutterSpan
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import TickLog
from destutter.diagnosis.history.window import SECOND_NS

NO_THREAD = ("", 0.0)
_OF_MAIN = {
    "cpu_ms_per_s": "game.main_cpu_ms_per_s",
    "run_delay_ms_per_s": "game.run_delay_ms_per_s",
}


def longest(
    log: TickLog, spike: Spike, span: StutterSpan, what: str, exact_ms: float | None
) -> tuple[str, float]:
    """The thread with most of a time; the main thread, whose name is empty, where it has most:
    the one that shows the frames, where that is another one. ``exact_ms`` is what the kernel's
    trace has of that one, None where it has nothing.

    What is known by the tick goes before what is only known by the second. The main thread, whose
    number is the game's, is among the busy ones as well.
    """
    main_ms = exact_ms
    if main_ms is None:
        main_ms = 0.0 if log.lead else span.closely((_OF_MAIN[what], None))
    by_tick = span.closely_of(f"worker.{what}")
    known = {**by_second(log, spike, f"thread.{what}"), **by_tick}
    if exact_ms is not None:
        known = {name: ms for name, ms in known.items() if name.partition(" ")[0] != log.main}
    name, value = most_of(known)
    is_main = main_ms >= value or name.partition(" ")[0] == log.main
    return ("", max(main_ms, value)) if is_main else (name, value)


def by_second(log: TickLog, spike: Spike, metric: str) -> dict[str, float]:
    """What threads that are read once a second can have had of a time within a stutter.

    What the second of the reading had beyond the usual of the rest of it; such a reading comes up
    to a second after the stutter. Nothing of a thread of which little is known: what it has in
    every second is no excess (a thread that presents 75 frames a second stands 230 ms of each
    second in run queues, 1.5 ms at a time).
    """
    ticks = log.between(spike.start_ns, spike.monotonic_ns + SECOND_NS)
    outside_s = max(1.0 - spike.duration_ms / 1e3, 0.0)
    found: dict[str, float] = {}
    for tick in ticks:
        for name, rate in tick.instanced.get(metric, {}).items():
            usual = log.usual((metric, name))
            if usual is None:
                continue
            beyond = rate - usual * outside_s
            found[name] = max(found.get(name, 0.0), min(beyond, spike.duration_ms))
    return found


def usual_share(log: TickLog, thread: str) -> float:
    """For which share of the time a thread usually runs; the main one has no name."""
    thread = thread or log.lead
    key = ("worker.cpu_ms_per_s", thread) if thread else ("game.main_cpu_ms_per_s", None)
    return (log.usual(key) or 0.0) / 1e3


def most_of(times: Mapping[str, float]) -> tuple[str, float]:
    """The longest of them, with whose it is."""
    return max(times.items(), key=lambda item: item[1], default=NO_THREAD)
