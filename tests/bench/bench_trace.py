# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's trace costs: to read it, beside the same events as text; a drive and a game
that are traced; and the process that reads while nothing happens.

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
from collections.abc import Callable, Iterator
from pathlib import Path

from destutter.core.kernel_files import KernelFiles
from destutter.core.traced import TraceLook
from destutter.sampling.trace_source import TraceSource
from destutter.sampling.tracing.reader import TraceReader
from destutter.sampling.tracing.rings import MOST_PAGES
from destutter_helper.api.tracing import Formats, encode_formats
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
IDLE_S = 8
LOAD_IOPS, GOAL_LOAD, GOAL_LOAD_PCT = 1500, 0.99, 0.5
GOAL_FLAT_OUT = 0.90
PAIRS, SLICE_S = 5, 2
_TURNS, _TURN_PAIRS = 10_000, 9  # of two processes that wake each other
_DRIVE = 259 << 20
_FILE_BYTES = 64 << 20
_REQUESTS = 900  # of a drive in a quarter of a second: 3,600 a second
_SWITCHES = 1500


def run() -> list[Row]:
    """Events a second and core, both ways, what is traced with and without, and an idle reader."""
    rows = [_events(), _idle_look(), _idle_process()]
    if os.geteuid() == 0:
        rows[1:1] = [_beside_text(), *_beside_load(), _flat_out(), *_switches()]
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


def _beside_load() -> list[Row]:
    """fio's reads, in turns with the trace and its reader, and without."""
    costs: list[tuple[float, float]] = []
    with_it, without, ratio = _in_turns(f"--rate_iops={LOAD_IOPS}", PAIRS, costs)
    share, events = (statistics.median(each) for each in zip(*costs, strict=True))
    return [
        Row(
            f"fio, {LOAD_IOPS:,} reads/s, beside the trace",
            round(with_it, 1),
            "reads/s",
            f"without, {without:.1f}",
            ratio,
            f">= {GOAL_LOAD} of that",
            ratio >= GOAL_LOAD,
        ),
        Row(
            f"the reader beside {LOAD_IOPS:,} reads/s",
            round(share, 3),
            "% of a core",
            f"with what else there was, {events:,.0f} events/s",
            None,
            f"<= {GOAL_LOAD_PCT} %",
            share <= GOAL_LOAD_PCT,
        ),
    ]


def _flat_out() -> Row:
    """The same as fast as it goes, one read after the other."""
    with_it, without, ratio = _in_turns("--iodepth=1", 3 * PAIRS, [])
    return Row(
        "fio, reads as fast as it goes, beside the trace",
        round(with_it),
        "reads/s",
        f"without, {without:.0f}",
        ratio,
        f">= {GOAL_FLAT_OUT} of that",
        ratio >= GOAL_FLAT_OUT,
    )


def _in_turns(
    option: str, pairs: int, costs: list[tuple[float, float]]
) -> tuple[float, float, float]:
    """Reads a second with the trace and without, and the one through the other, as medians.

    ``costs`` takes what the reader had of each slice (``_cost_pct``).
    """
    with _medium() as medium:
        found = [
            (_traced_reads(medium, option, costs), _reads(medium, option)) for _ in range(pairs)
        ]
    with_it, without = (statistics.median(each) for each in zip(*found, strict=True))
    return with_it, without, statistics.median(one / other for one, other in found)


@contextlib.contextmanager
def _medium() -> Iterator[Path]:
    """A file of this computer's drive, or a loop device in memory where none is below it.

    A loop device finishes each read in ksoftirqd, which is traced: 7 events a read, and a drive 3.
    """
    with tempfile.NamedTemporaryFile(dir=Path(__file__).parent, prefix="reads-") as file:
        if os.major(os.fstat(file.fileno()).st_dev):
            file.write(os.urandom(_FILE_BYTES))
            os.fsync(file.fileno())
            yield Path(file.name)
            return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        loop = LoopDevice(Path(name) / "medium")
        try:
            yield Path("/dev") / loop.name
        finally:
            loop.remove()


def _traced_reads(medium: Path, option: str, costs: list[tuple[float, float]]) -> float:
    with _game() as game, kernel_trace("load", game=[game]) as trace:
        source = TraceSource(encode_formats(trace.formats), trace.descriptors, game)
        try:
            found = _reads(medium, option)
            costs.append(_cost_pct(source, lambda _looks: True))
            return found
        finally:
            source.close()


@contextlib.contextmanager
def _game() -> Iterator[int]:
    """A process that is traced and is not what is measured: children of a traced one join it."""
    with subprocess.Popen(["sleep", "infinity"]) as process:
        try:
            yield process.pid
        finally:
            process.kill()


def _cost_pct(source: TraceSource, is_over: Callable[[int], bool]) -> tuple[float, float]:
    """What share of a core a reader takes between its first look and its last, in percent, and
    how many events a second it reads."""
    looks: list[TraceLook] = []
    for message in source.messages(lambda: is_over(len(looks))):
        assert isinstance(message, TraceLook), message
        looks.append(message)
    first, last = looks[0], looks[-1]
    took_ns, events = (
        last.end_ns - first.end_ns,
        sum(each.counts.get("events", 0) for each in looks),
    )
    return (last.cpu_us - first.cpu_us) * 1000 / took_ns * 100, events / took_ns * 1e9


def _reads(medium: Path, option: str) -> float:
    """Reads a second that fio gets."""
    options = f"--rw=randread --bs=4k --direct=1 --runtime={SLICE_S} {option}"
    command = ["fio", "--name=reads", f"--filename={medium}", "--time_based"]
    command += [*options.split(), "--output-format=json"]
    done = subprocess.run(command, capture_output=True, check=True)
    found: float = json.loads(done.stdout)["jobs"][0]["read"]["iops"]
    return found


def _switches() -> list[Row]:
    """Two processes that wake each other on one core, which is the worst that can be: what each
    switch costs them more while they are the game of a trace, and while somebody else is.
    """
    with _game() as game, _woken() as (pid, there, back):
        return [
            _switch_row("of the traced game", [os.getpid(), pid], there, back),
            _switch_row("of others beside it", [game], there, back),
        ]


def _switch_row(whose: str, game: list[int], there: int, back: int) -> Row:
    found = []
    for _ in range(_TURN_PAIRS):
        with kernel_trace("turns", game=game):
            with_it = _turn_us(there, back)
        found.append((with_it, _turn_us(there, back)))
    with_it, without = (statistics.median(each) for each in zip(*found, strict=True))
    ratio = statistics.median(one / other for one, other in found)
    return Row(
        f"a wake-up and a switch {whose}",
        round(with_it, 2),
        "us",
        f"without, {without:.2f} us",
        ratio,
        "",
        None,
    )


@contextlib.contextmanager
def _woken() -> Iterator[tuple[int, int, int]]:
    """A process that answers each byte with it, on the core of this one: its number and pipes."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    (inside, there), (back, outside) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(there)
        while byte := os.read(inside, 1):
            os.write(outside, byte)
        os._exit(0)
    try:
        yield pid, there, back
    finally:
        for descriptor in (inside, there, back, outside):
            os.close(descriptor)
        os.waitpid(pid, 0)
        os.sched_setaffinity(0, allowed)


def _turn_us(there: int, back: int) -> float:
    """Of one of the two wake-ups of each turn, with the switch behind it."""
    begin = time.perf_counter()
    for _ in range(_TURNS):
        os.write(there, b".")
        os.read(back, 1)
    return (time.perf_counter() - begin) / _TURNS / 2 * 1e6


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


def _idle_look() -> Row:
    """One look after the other, as the design measured it."""
    with _rings() as (formats, reads):
        reader = TraceReader(formats, reads, KernelFiles())

        def ask() -> None:
            for read in reads:
                with contextlib.suppress(BlockingIOError):
                    os.read(read, formats.page.size)

        share, least = (_least(each) * LOOKS_PER_S * 100 for each in (reader.look, ask))
    return Row(
        f"idle looks at {CPUS} rings, 4 Hz, one after the other",
        round(share, 4),
        "% of a core",
        f"nothing but the reads, {least:.4f} %",
        share / least,
        f"<= {GOAL_IDLE_PCT} %",
        share <= GOAL_IDLE_PCT,
    )


def _idle_process() -> Row:
    """The process itself, which tells every two seconds that nothing happened.

    Nothing of it is in a cache any more each time that it wakes.
    """
    with _rings() as (formats, reads):
        source = TraceSource(encode_formats(formats), reads)
        try:
            share, _ = _cost_pct(source, lambda looks: looks > IDLE_S)
        finally:
            source.close()
    return Row(
        f"the reader of {CPUS} rings while nothing happens",
        round(share, 4),
        "% of a core",
        "",
        None,
        f"<= {GOAL_IDLE_PCT} %",
        share <= GOAL_IDLE_PCT,
    )


@contextlib.contextmanager
def _rings() -> Iterator[tuple[Formats, list[int]]]:
    """Pipes instead of rings, of two instances, and how they are read."""
    recorded = recorded_formats()
    formats = dataclasses.replace(
        recorded, cpus=tuple(range(CPUS // 2)), instances=recorded.instances[:2]
    )
    ends = [os.pipe() for _ in range(CPUS)]
    try:
        yield formats, [read for read, _ in ends]
    finally:
        for pair in ends:
            for descriptor in pair:
                os.close(descriptor)


def _least(work: Callable[[], object]) -> float:
    """Seconds of CPU time of one call, in the best of some rows of them."""
    best = 1e9
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(100):
            work()
        best = min(best, (time.process_time() - begin) / 100)
    return best
