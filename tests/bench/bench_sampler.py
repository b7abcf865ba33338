# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sampler costs at ten ticks a second, beside a C reader, a psutil loop and sadc.

All run at the same time on the same computer, watching the same program, so that caches are as
cold and CPUs as busy for one as for the other: first one of 64 threads that rest, then a game at
work with 200. Costs are CPU time, user and system.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from destutter.core.catalog import SOURCES, Cadence
from destutter.sampling.registry import SAMPLERS, build_parts
from tests.bench.row import Row
from tests.support.fake_root import WatchedFiles

HERE = Path(__file__).parent
INTERVAL_MS = 100
TICKS = 200
THREADS = 64
# The places of 200 threads are learnt in two rounds of one thread a tick (usual_places.py).
WARM_UP_S = 45.0
GAME = (
    "import threading, time\n"
    f"for _ in range({THREADS - 1}): threading.Thread(target=time.sleep, args=(600,)).start()\n"
    "print(flush=True)\ntime.sleep(600)\n"
)
GOAL_C = 2.2
GOAL_PSUTIL = 0.5
GOAL_SADC = 1.0
GOAL_CORE_PCT = 0.5
WORKING_THREADS = 200
GOAL_WORKING_CORE_PCT = 0.9


@contextlib.contextmanager
def game() -> Iterator[int]:
    """A program of 64 threads that rests; its process id."""
    with subprocess.Popen([sys.executable, "-c", GAME], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def file_list(pid: int) -> str:
    """The files that the sampler reads at each tick and each second, for the C reader."""
    files = WatchedFiles("/")
    parts = build_parts(files, time.monotonic_ns, lambda: 0)
    parts.watch.pid = pid
    lines = ["processes"]
    turn = 0
    for name, make in SAMPLERS.items():
        cadence = SOURCES[name].cadence
        if cadence is Cadence.SLOW:
            continue
        sampler = make(parts)
        files.asked.clear()
        with contextlib.suppress(Exception):  # what is absent here is absent for both
            sampler.read()
        sampler.close()
        prefix = "tick" if cadence is Cadence.TICK else f"second {turn}"
        # A setting that is looked up now and then is not part of a tick.
        paths = [path for path in files.asked if not path.startswith("/proc/sys/")]
        lines += [f"{prefix} {path}" for path in paths if Path(path).is_file()]
        if cadence is Cadence.SECOND:
            turn = (turn + 1) % (1000 // INTERVAL_MS)
    return "\n".join(lines) + "\n"


def cpu_ns(pid: int) -> int:
    """Nanoseconds that all threads of a process have run."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)


@contextlib.contextmanager
def sampler(pid: int) -> Iterator[subprocess.Popen[bytes]]:
    """The sampler's process watching a program; what it writes is read and dropped."""
    command = [sys.executable, "-m", "destutter", "--sampler", "--pid", str(pid)]
    command += ["--interval-ms", str(INTERVAL_MS)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        reader = threading.Thread(target=lambda: process.stdout and process.stdout.read())
        reader.start()
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
            reader.join()


def built_reader(folder: Path) -> Path | None:
    """The C reader, compiled now; None without a compiler."""
    if shutil.which("gcc") is None:
        return None
    program = folder / "reader"
    subprocess.run(["gcc", "-O2", "-Wall", "-o", program, HERE / "reader.c"], check=True)
    return program


def started(command: list[str]) -> subprocess.Popen[str]:
    """A process of which one number is wanted."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def number_of(process: subprocess.Popen[str]) -> int:
    """The number that a process prints at its end."""
    output, _ = process.communicate()
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return int(output)


@contextlib.contextmanager
def sadc(folder: Path) -> Iterator[subprocess.Popen[bytes] | None]:
    """sysstat's collector, once a second, with everything switched on; None without it."""
    # It is no command for people, so it lies outside the path, except where that was extended.
    places = ("/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc")
    program = shutil.which("sadc") or next(filter(os.path.exists, places), None)
    if program is None:
        yield None
        return
    command = [program, "-S", "ALL", "1", "100000", str(folder / "sa")]
    with subprocess.Popen(command) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)


@contextlib.contextmanager
def working_game(folder: Path) -> Iterator[int]:
    """A game of 200 threads, of which every eighth wakes with each frame; its process id."""
    program = folder / "crowd"
    subprocess.run(["gcc", "-O2", "-pthread", "-o", program, HERE / "crowd.c"], check=True)
    pipe = subprocess.PIPE
    command = [str(program), str(WORKING_THREADS)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def run() -> list[Row]:
    """Cost per tick, and as a share of one core, against the references."""
    with tempfile.TemporaryDirectory() as name, game() as pid:
        told = measured(Path(name), pid, GOAL_CORE_PCT, "64 threads at rest")
    if shutil.which("gcc") is None:
        return told
    with tempfile.TemporaryDirectory() as name, working_game(Path(name)) as pid:
        what = f"{WORKING_THREADS} threads at work"
        return told + measured(Path(name), pid, GOAL_WORKING_CORE_PCT, what)


def measured(folder: Path, pid: int, goal_pct: float, what: str) -> list[Row]:
    """All of them at once beside one program."""
    with contextlib.ExitStack() as stack:
        program = built_reader(folder)
        listing = folder / "files"
        listing.write_text(file_list(pid))
        ours = stack.enter_context(sampler(pid))
        collector = stack.enter_context(sadc(folder))
        time.sleep(WARM_UP_S)
        loop = started([sys.executable, str(HERE / "psutil_loop.py"), str(pid), str(TICKS)])
        reader = program and started([str(program), str(INTERVAL_MS), str(TICKS), str(listing)])
        begun_ns, ours_ns = time.monotonic_ns(), cpu_ns(ours.pid)
        collector_ns = cpu_ns(collector.pid) if collector else 0
        time.sleep(TICKS * INTERVAL_MS / 1000)
        elapsed_ns = time.monotonic_ns() - begun_ns
        ours_ns = cpu_ns(ours.pid) - ours_ns
        collector_ns = cpu_ns(collector.pid) - collector_ns if collector else 0
        reader_ns = number_of(reader) if reader else None
        loop_ns = number_of(loop)
    ticks = elapsed_ns / (INTERVAL_MS * 1e6)
    costs = (ours_ns / ticks, reader_ns, loop_ns, collector_ns / (elapsed_ns / 1e9))
    return [replace(row, name=f"{row.name}, {what}") for row in rows(*costs, goal_pct)]


def rows(
    ours_ns: float, reader_ns: int | None, loop_ns: int, sadc_ns: float, goal_pct: float
) -> list[Row]:
    """The table."""
    core_pct = ours_ns / (INTERVAL_MS * 1e6) * 100
    return [
        _against("C reader of the same files", ours_ns, reader_ns, GOAL_C, "gcc missing"),
        _against("psutil loop with fewer values", ours_ns, loop_ns, GOAL_PSUTIL, ""),
        _against("sadc -S ALL, per sample", ours_ns, sadc_ns, GOAL_SADC, "sysstat missing"),
        Row(
            "sampler at 10 Hz, whole process",
            round(core_pct, 3),
            "% of a core",
            "",
            None,
            f"<= {goal_pct} %",
            core_pct <= goal_pct,
        ),
    ]


def _against(
    reference: str, ours_ns: float, other_ns: float | None, goal: float, missing: str
) -> Row:
    """One ratio; a reference that is not there makes the goal missed, not forgotten."""
    ratio = ours_ns / other_ns if other_ns else None
    shown = f"{reference}, {other_ns / 1000:.0f} µs" if other_ns else f"{reference}: {missing}"
    return Row(
        "sampler, CPU per tick",
        round(ours_ns / 1000, 1),
        "µs",
        shown,
        ratio,
        f"<= {goal}",
        ratio is not None and ratio <= goal,
    )
