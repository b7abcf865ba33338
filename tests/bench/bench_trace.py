# SPDX-License-Identifier: GPL-3.0-or-later
"""What reading the kernel's trace costs: full pages beside the same events as text, and a look at
rings in which nothing happened.

Built pages are those of a busy drive and of a busy game, and a pipe stands for each ring; as root
this kernel's own trace is read too, beside its text.
"""

import contextlib
import dataclasses
import json
import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.trace_source import TraceSource
from destutter.sampling.tracing.reader import TraceReader
from destutter.sampling.tracing.rings import MOST_PAGES
from destutter_helper.api.tracing import encode_formats
from tests.bench.row import Row
from tests.support.built_pages import TraceStage, recorded_formats
from tests.support.kernel_trace import kernel_trace
from tests.support.real_kernel import LoopDevice

ROUNDS = 15
CPUS = 16
LOOKS_PER_S = 4
GOAL_KILO_EVENTS = 600
GOAL_TO_TEXT = 1.8
GOAL_IDLE_PCT = 0.02
LOAD_IOPS, GOAL_LOAD = 1500, 0.99
PAIRS, SLICE_S = 5, 2
_DRIVE = 259 << 20
_REQUESTS = 900  # of a drive in a quarter of a second: 3,600 a second
_SWITCHES = 1500


def run() -> list[Row]:
    """Events a second and core, both ways, and the share of a core that an idle reader takes."""
    rows = [_events(), *_idle()]
    if os.geteuid() == 0:
        rows[1:1] = [_beside_text(), _beside_load()]
    return rows


def _events() -> Row:
    stage = TraceStage(Path("/"))
    try:
        count, best = 0, 1e9
        for turn in range(ROUNDS):
            _fill(stage, turn * 300.0)
            begin = time.process_time()
            look = stage.look(turn * 300.0 + 299)
            best = min(best, time.process_time() - begin)
            count = look.counts["events"]
            assert look.losses == ()
    finally:
        stage.close()
    rate = count / best / 1000
    return Row(
        "trace, decoded and paired",
        round(rate),
        "k events/s/core",
        "",
        None,
        f">= {GOAL_KILO_EVENTS} k",
        rate >= GOAL_KILO_EVENTS,
    )


def _beside_text() -> Row:
    """The same kind of real events of this kernel, as pages and as the text of trace_pipe."""
    with kernel_trace("bench", game=[os.getpid()]) as trace:
        folder = trace.folders[-1]
        (folder / "buffer_size_kb").write_text(str(MOST_PAGES * 4 - 8))
        reader = TraceReader(trace.formats, trace.descriptors, KernelFiles())
        raw, text = 0.0, 0.0
        for _ in range(3):
            _switch_often(folder)
            begin = time.process_time()
            reader.look()
            took = time.process_time() - begin
            raw = max(raw, reader.tell().counts["events"] / took / 1000)
            _switch_often(folder)
            text = max(text, _read_text(folder) / 1000)
    return Row(
        "trace of this kernel, decoded and paired",
        round(raw),
        "k events/s/core",
        f"trace_pipe split and paired, {text:.0f} k",
        raw / text,
        f">= {GOAL_TO_TEXT} of the text",
        raw >= GOAL_TO_TEXT * text,
    )


def _switch_often(folder: Path) -> None:
    """Fill the rings with switches between two threads of this process."""
    (folder / "tracing_on").write_text("1")
    there, back = os.pipe(), os.pipe()

    def answer() -> None:
        for _ in range(_SWITCHES):
            os.write(back[1], os.read(there[0], 1))

    thread = threading.Thread(target=answer)
    thread.start()
    for _ in range(_SWITCHES):
        os.write(there[1], b".")
        os.read(back[0], 1)
    thread.join()
    for descriptor in (*there, *back):
        os.close(descriptor)
    (folder / "tracing_on").write_text("0")


def _read_text(folder: Path) -> float:
    """Events a second of CPU time that the simplest reader of trace_pipe takes in, and pairs."""
    ready: dict[bytes, float] = {}
    count, waits, rest = 0, 0.0, b""
    begin = time.process_time()
    descriptor = os.open(folder / "trace_pipe", os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb", 0) as pipe:
        while data := pipe.read(1 << 16):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                head, _, said = line.partition(b": sched_")
                if not said:
                    continue  # how many events were lost
                when, count = float(head.rsplit(None, 1)[1]), count + 1
                if said.startswith(b"waking"):
                    ready[_value(said, b" pid=")] = when
                else:
                    ready.pop(_value(said, b"prev_pid="), None)
                    waits += when - ready.pop(_value(said, b"next_pid="), when)
    took = time.process_time() - begin
    assert waits > 0
    return count / took


def _value(text: bytes, name: bytes) -> bytes:
    return text.split(name, 1)[1].split(b" ", 1)[0]


def _beside_load() -> Row:
    """fio's reads of a drive in memory, in turns with the trace and its reader, and without."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        loop = LoopDevice(Path(name) / "medium")
        try:
            pairs = [(_traced_reads(loop), _reads(loop)) for _ in range(PAIRS)]
        finally:
            loop.remove()
    with_it, without = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    return Row(
        f"fio, {LOAD_IOPS:,} reads/s, beside the trace",
        round(with_it, 1),
        "reads/s",
        f"without, {without:.1f}",
        ratio,
        f">= {GOAL_LOAD} of that",
        ratio >= GOAL_LOAD,
    )


def _traced_reads(loop: LoopDevice) -> float:
    with kernel_trace("load", game=[os.getpid()]) as trace:
        source = TraceSource(encode_formats(trace.formats), trace.descriptors, os.getpid())
        try:
            return _reads(loop)
        finally:
            source.close()


def _reads(loop: LoopDevice) -> float:
    """Reads a second that fio gets."""
    options = f"--rw=randread --bs=4k --direct=1 --rate_iops={LOAD_IOPS} --runtime={SLICE_S}"
    command = ["fio", "--name=reads", f"--filename=/dev/{loop.name}", "--time_based"]
    command += [*options.split(), "--output-format=json"]
    done = subprocess.run(command, capture_output=True, check=True)
    found: float = json.loads(done.stdout)["jobs"][0]["read"]["iops"]
    return found


def _fill(stage: TraceStage, begin_ms: float) -> None:
    """Write a quarter of a second into the rings."""
    for number in range(_REQUESTS):
        at = begin_ms + 10 + number * 0.25
        where = {"dev": _DRIVE, "sector": number * 256, "nr_sector": 8}
        asked = {**where, "common_pid": 4711, "rwbs": "R", "comm": "reader"}
        stage.emit(0, at, "block/block_bio_queue", **asked)
        stage.emit(0, at + 0.01, "block/block_rq_issue", rwbs="R", comm="reader", **where)
        stage.emit(1, at + 0.1, "block/block_rq_complete", rwbs="R", **where)
    for number in range(_SWITCHES):
        at = begin_ms + 10 + number * 0.15
        tid = 4700 + number % 40
        stage.emit(2, at, "sched/sched_waking", comm="worker", pid=tid, prio=120)
        taken = {"prev_comm": "other", "prev_pid": 900, "prev_prio": 120, "prev_state": 1}
        given = {"next_comm": "worker", "next_pid": tid, "next_prio": 120}
        stage.emit(3, at + 0.05, "sched/sched_switch", **taken, **given)


def _idle() -> list[Row]:
    """One look after the other, as the design measured it, and after the rest between two."""
    formats = dataclasses.replace(
        recorded_formats(), cpus=tuple(range(CPUS)), instances=recorded_formats().instances[:1]
    )
    ends = [os.pipe() for _ in range(CPUS)]
    try:
        reads = [read for read, _ in ends]
        reader = TraceReader(formats, reads, KernelFiles())

        def ask() -> None:
            for read in reads:
                with contextlib.suppress(BlockingIOError):
                    os.read(read, formats.page.size)

        return [
            _idle_row("one after the other", _least(reader.look), _least(ask), GOAL_IDLE_PCT),
            # Nothing of it is in a cache any more; the reads alone cost most of it.
            _idle_row("after a rest", _rested(reader.look), _rested(ask), None),
        ]
    finally:
        for pair in ends:
            for descriptor in pair:
                os.close(descriptor)


def _idle_row(how: str, looking_s: float, asking_s: float, goal_pct: float | None) -> Row:
    share, least = (each * LOOKS_PER_S * 100 for each in (looking_s, asking_s))
    return Row(
        f"idle looks at {CPUS} rings, 4 Hz, {how}",
        round(share, 4),
        "% of a core",
        f"nothing but the reads, {least:.4f} %",
        share / least,
        "" if goal_pct is None else f"<= {goal_pct} %",
        None if goal_pct is None else share <= goal_pct,
    )


def _least(work: Callable[[], object]) -> float:
    """Seconds of CPU time of one call, in the best of some rows of them."""
    best = 1e9
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(100):
            work()
        best = min(best, (time.process_time() - begin) / 100)
    return best


def _rested(work: Callable[[], object]) -> float:
    """Seconds of CPU time of one call after a quarter of a second of sleep."""
    spent = []
    for _ in range(20):
        time.sleep(1 / LOOKS_PER_S)
        begin = time.process_time()
        work()
        spent.append(time.process_time() - begin)
    return statistics.median(spent)
