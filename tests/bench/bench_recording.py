# SPDX-License-Identifier: GPL-3.0-or-later
"""What a recording costs: bytes, time to write a tick, time to open three hours.

The stream is real: a minute of this computer from the sampler and the wake-up probe, watching a
program of 64 threads as its game. Three hours are that minute again and again with later times,
which is what the names of those rows say.
"""

import csv
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Deriver
from destutter.core.sample import Header, Layout, Message, Sample
from destutter.sampling.live import LiveOptions, LiveSource
from destutter.session.overview import derive_overview, page_bytes_of
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource
from tests.bench.row import Row

SECONDS = 60
MINUTE_NS = 60_000_000_000
MINUTES = 180
WINDOW_NS = 2 * MINUTE_NS
COLUMNS = 1200
LANES = (
    "wakeup.worst_ms",
    "disk.read_await_ms",
    "disk.write_await_ms",
    "memory.direct_reclaim_per_s",
    "memory.allocstall_per_s",
    "pressure.some_pct",
    "memory.dirty_bytes",
)
GOAL_BYTES = 10_000_000
GOAL_CSV = 0.25
GOAL_OPEN_S = 2.0
GAME = (
    "import threading, time\n"
    "for _ in range(63): threading.Thread(target=time.sleep, args=(600,)).start()\n"
    "end = time.monotonic() + 600\n"
    "while time.monotonic() < end: sum(range(20000)); time.sleep(0.01)\n"
)


def real_minute() -> list[Message]:
    """One minute of this computer while a small game runs."""
    with subprocess.Popen([sys.executable, "-c", GAME]) as game:
        try:
            options = LiveOptions(pid=game.pid, seconds=SECONDS, probes=("wakeup",))
            return list(LiveSource(options).messages())
        finally:
            game.kill()


def repeated(messages: list[Message], minutes: int) -> Iterator[Message]:
    """The minute again and again; only the times of the samples go on."""
    yield from (message for message in messages if not isinstance(message, Sample | Header))
    samples = [message for message in messages if isinstance(message, Sample)]
    for minute in range(minutes):
        for sample in samples:
            yield later(sample, minute * MINUTE_NS)


def later(sample: Sample, by_ns: int) -> Sample:
    """The same sample at another time."""
    readings = tuple(replace(r, monotonic_ns=r.monotonic_ns + by_ns) for r in sample.readings)
    return replace(sample, monotonic_ns=sample.monotonic_ns + by_ns, readings=readings)


def record(path: Path, header: Header, messages: Iterable[Message]) -> int:
    """Record as fast as possible; returns the CPU time in nanoseconds."""
    messages = list(messages)
    begun_ns = time.thread_time_ns()
    with Recorder(path, header, clock=lambda: 0) as recorder:
        for message in messages:
            recorder.accept(message)
    return time.thread_time_ns() - begun_ns


def written_as_csv(messages: list[Message]) -> tuple[int, int]:
    """Bytes and CPU nanoseconds of the same raw values as CSV, a row per reading.

    Not one row per sample: that would be larger by the empty cells of what is not read each tick.
    """
    samples = [message for message in messages if isinstance(message, Sample)]
    with tempfile.TemporaryFile("w+", newline="") as file:
        writer = csv.writer(file)
        begun_ns = time.thread_time_ns()
        for sample in samples:
            for reading in sample.readings:
                writer.writerow([reading.monotonic_ns, reading.source, *reading.values])
            file.flush()
        spent_ns = time.thread_time_ns() - begun_ns
        return file.seek(0, io.SEEK_END), spent_ns


def seconds_of(work: Callable[[], object], times: int = 3) -> float:
    """The median time of doing something."""
    spent = []
    for _ in range(times):
        begun_ns = time.monotonic_ns()
        work()
        spent.append((time.monotonic_ns() - begun_ns) / 1e9)
    return statistics.median(spent)


def open_and_show(path: Path) -> None:
    """Open a recording and decode its last two minutes, as the window does."""
    replay = ReplaySource(path)
    span = replay.span
    assert span is not None
    assert sum(1 for _ in replay.read_range(span[1] - WINDOW_NS, span[1])) > 1000
    replay.close()


def overview(path: Path) -> None:
    """All lanes of the whole recording, ready to be drawn."""
    replay = ReplaySource(path)
    assert derive_overview(replay, LANES, COLUMNS).series
    replay.close()


def derive_one_by_one(path: Path) -> None:
    """The same metrics, sample by sample, as the live window derives them."""
    specs = [METRIC_BY_ID[metric_id] for metric_id in LANES]
    replay = ReplaySource(path)
    deriver = Deriver(specs, replay.header.interval_ms, page_bytes_of(replay.header))
    for message in replay.messages():
        if isinstance(message, Layout):
            deriver.accept_layout(message)
        elif isinstance(message, Sample):
            deriver.derive(message)
    replay.close()


def run() -> list[Row]:
    """Size and time of writing, and of reading three hours."""
    messages = real_minute()
    header = messages[0]
    assert isinstance(header, Header)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        minute = folder / "minute.destutter"
        spent_ns = record(minute, header, messages)
        size = minute.stat().st_size
        hours = folder / "hours.destutter"
        record(hours, header, repeated(messages, MINUTES))
        opening_s = seconds_of(lambda: open_and_show(hours))
        overview_s = seconds_of(lambda: overview(hours))
        one_by_one_s = MINUTES * seconds_of(lambda: derive_one_by_one(minute))
    written = writing_rows(messages, size, spent_ns)
    return [*written, *reading_rows(opening_s, overview_s, one_by_one_s)]


def writing_rows(messages: list[Message], size: int, spent_ns: int) -> list[Row]:
    """Bytes an hour, and what a tick costs, against CSV."""
    times = [message.monotonic_ns for message in messages if isinstance(message, Sample)]
    span_s = (max(times) - min(times)) / 1e9
    ticks = span_s * 10
    csv_bytes, csv_ns = written_as_csv(messages)
    per_hour = size * 3600 / span_s
    per_tick_us, csv_us = spent_ns / ticks / 1000, csv_ns / ticks / 1000
    return [
        Row(
            "recording at 10 Hz with a game, size of an hour",
            round(per_hour / 1e6, 2),
            "MB",
            f"the same values as CSV, {csv_bytes * 3600 / span_s / 1e6:.0f} MB",
            size / csv_bytes,
            f"<= 10 MB, <= {GOAL_CSV} of CSV",
            per_hour <= GOAL_BYTES and size / csv_bytes <= GOAL_CSV,
        ),
        Row(
            "recording, CPU per tick",
            round(per_tick_us, 1),
            "µs",
            f"CSV with a flush per sample, {csv_us:.1f} µs",
            per_tick_us / csv_us,
            "",
            None,
        ),
    ]


def reading_rows(opening_s: float, overview_s: float, one_by_one_s: float) -> list[Row]:
    """Opening three hours."""
    what = f"{MINUTES // 60} h (one real minute, repeated)"
    return [
        Row(
            f"open {what} and show its last 2 min",
            round(opening_s, 3),
            "s",
            "",
            None,
            f"<= {GOAL_OPEN_S:g} s",
            opening_s <= GOAL_OPEN_S,
        ),
        Row(
            f"overview of {len(LANES)} metrics over {what}",
            round(overview_s, 2),
            "s",
            f"one sample at a time, {one_by_one_s:.1f} s (its minute, times {MINUTES})",
            overview_s / one_by_one_s,
            "",
            None,
        ),
    ]
