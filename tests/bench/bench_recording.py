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

from PySide6.QtCore import QCoreApplication, QEventLoop

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.bridge.replay_feed import ReplayFeed
from destutter.core.sample import Header, Message, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.sampling.live import LiveSource
from destutter.sampling.programs import LiveOptions
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource
from tests.bench.row import Row

SECONDS = 60
MINUTE_NS = 60_000_000_000
MINUTES = 180
SHOWN_NS = 2 * MINUTE_NS - 1_000_000_000
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
    readings = tuple(r._replace(monotonic_ns=r.monotonic_ns + by_ns) for r in sample.readings)
    return replace(sample, monotonic_ns=sample.monotonic_ns + by_ns, readings=readings)


def record(path: Path, header: Header, messages: Iterable[Message]) -> int:
    """Record as fast as possible; returns the CPU time in nanoseconds."""
    messages = list(messages)
    begun_ns = time.thread_time_ns()
    with Recorder(path, header, clock=lambda: 0) as recorder:
        for message in messages:
            recorder.accept_message(message)
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
    """Open a recording and play the two minutes that fill the window's graphs; not drawn here."""
    source = ReplaySource(path)
    feed = ReplayFeed(Pipeline(Assessor()), source)
    loop = QEventLoop()

    def look(snapshot: Snapshot) -> None:
        if snapshot.metrics[-1].monotonic_ns - source.header.monotonic_ns >= SHOWN_NS:
            loop.quit()

    feed.snapshot_taken.connect(look)
    feed.start()
    loop.exec()
    feed.stop()


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
        application = QCoreApplication([])
        opening_s = seconds_of(lambda: open_and_show(hours))
        del application
    return [*writing_rows(messages, size, spent_ns), opening_row(opening_s)]


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


def opening_row(opening_s: float) -> Row:
    """Opening three hours."""
    return Row(
        f"open {MINUTES // 60} h (one real minute, repeated) and fill the window's graphs",
        round(opening_s, 3),
        "s",
        "",
        None,
        f"<= {GOAL_OPEN_S:g} s",
        opening_s <= GOAL_OPEN_S,
    )
