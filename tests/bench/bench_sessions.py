# SPDX-License-Identifier: GPL-3.0-or-later
"""What reading sessions costs: frame logs of any length, a recording of an hour, a comparison.

The log has ten million rows, more than anybody plays in one go: what counts is that memory and
time stay in proportion to the frames. The hour is made of samples with the sources that a
comparison needs; it is read with and without looking for causes.
"""

import csv
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.examining.examination import examine_file
from destutter.analysis.report.comparison_document import comparison_document
from destutter.analysis.report.html import to_html
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.sample import Header
from destutter.session.recorder import Recorder
from tests.bench.row import Row
from tests.support.scripted_source import Script

ROWS = 10_000_000
SECONDS = 3600
_READ = (
    "import resource, sys; from destutter.analysis.examining.examination import examine_file;"
    "examine_file(sys.argv[1]); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def write_log(path: Path, rows: int) -> None:
    """A log as MangoHud writes it, with a long frame now and then."""
    chance = random.Random(1)  # noqa: S311  no secret
    elapsed_ns = 0
    with path.open("w") as file:
        file.write("fps,frametime,cpu_load,gpu_load,cpu_temp,gpu_temp,elapsed\n")
        for _ in range(rows // 1000):
            lines = []
            for _ in range(1000):
                ms = 16.0 + chance.random() * 2 if chance.random() > 0.001 else 120.0
                elapsed_ns += int(ms * 1e6)
                lines.append(f"60.1,{ms:.4f},10,20,30,40,{elapsed_ns}\n")
            file.writelines(lines)


def write_recording(path: Path, seconds: int) -> None:
    """A recording with frames and a burst of reclaim every half minute."""
    script = Script(sources=("vmstat", "vmstat_more", "meminfo", "stat", "pressure", "disk"))
    header = script.messages[0]
    assert isinstance(header, Header)
    with Recorder(path, header) as recorder:
        for second in range(seconds):
            burst = {"vmstat.allocstall_normal": 200.0} if second % 30 == 29 else {}
            script.run(1, burst).frames(*([16.6] * 59))
            for message in script.messages:
                recorder.accept_message(message)
            script.messages.clear()


def seconds_of(work: Callable[[], object]) -> float:
    """How long it took."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run() -> list[Row]:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder:
        log, recording = Path(folder) / "big.csv", Path(folder) / "a.destutter"
        write_log(log, ROWS)
        write_recording(recording, SECONDS)
        return [*log_rows(log), *session_rows(recording)]


def log_rows(log: Path) -> list[Row]:
    """Ten million rows, beside Python's own reader of such tables."""

    def by_csv() -> None:
        with log.open(newline="") as file:
            for _ in csv.reader(file):
                pass

    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _READ, log], stdout=subprocess.PIPE, check=True, text=True
    )
    taken_s = time.perf_counter() - start
    reference_s = seconds_of(by_csv)
    per_frame = int(done.stdout) * 1024 / ROWS
    return [
        Row(
            f"frame log of {ROWS:,} rows, read and summed up",
            round(taken_s, 1),
            "s",
            f"csv.reader over it, {reference_s:.1f} s",
            taken_s / reference_s,
            "<= 6 of csv.reader",
            taken_s <= 6 * reference_s,
        ),
        Row(
            "the same, memory",
            round(per_frame),
            "bytes a row",
            "",
            None,
            "<= 128 bytes a row",
            per_frame <= 128,
        ),
    ]


def session_rows(recording: Path) -> list[Row]:
    """An hour of a recording, and two of them compared."""
    judged_s = seconds_of(lambda: examine_file(str(recording)))
    plain_s = seconds_of(lambda: examine_file(str(recording), is_judged=False))
    session = examine_file(str(recording), is_judged=False)
    words = terminal_words()
    compared_s = seconds_of(
        lambda: to_html(comparison_document(compare_sessions(session, session), words), words)
    )
    return [
        Row(
            "one hour read for a comparison",
            round(plain_s, 2),
            "s",
            f"with its causes, {judged_s:.2f} s",
            plain_s / judged_s,
            "",
            None,
        ),
        Row(
            "two such hours compared, as HTML",
            round(compared_s, 2),
            "s",
            f"reading one of them, {plain_s:.2f} s",
            compared_s / plain_s,
            "<= 0.5",
            compared_s <= 0.5 * plain_s,
        ),
    ]
