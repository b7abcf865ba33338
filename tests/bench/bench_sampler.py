# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sampler costs at ten ticks a second, beside a C reader, a psutil loop and sadc.

A reference runs at the same time on the same computer, watching the same program, so that caches
are as cold and CPUs as busy for one as for the other: first one of 64 threads that rest, then a
game at work with 200. Costs are CPU time, user and system. Each pair runs in short rounds, and the
ratio is the middle one of theirs: other tenants of a shared computer make a tick cost half as much
again for seconds (950 to 1,650 us for the same commit within an hour), for both.
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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from unittest.mock import patch

from destutter.core.catalog import SOURCES, Cadence
from destutter.core.kernel_files import KernelFiles
from destutter.sampling.registry import SAMPLERS, build_parts
from destutter.sampling.ticks.sampler_track import Batch, SamplerTrack
from tests.bench.row import Row

HERE = Path(__file__).parent
INTERVAL_MS = 100
TICKS_PER_S = 1000 // INTERVAL_MS
PREAD = os.pread
ROUNDS = 7
TICKS = 40
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


class ReadFiles(KernelFiles):
    """Remembers which files were read, those that stay open as well: ``read``."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self._paths: dict[int, str] = {}

    def open(self, path: str) -> int | None:
        descriptor = super().open(path)
        if descriptor is not None:
            self._paths[descriptor] = path
            self.read.append(path)
        return descriptor

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        """In the place of ``os.pread``."""
        self.read.append(self._paths[descriptor])
        return PREAD(descriptor, size, offset)


def file_list(pid: int) -> str:
    """The files that the sampler reads at each tick and each second, for the C reader.

    Those of its third second, as often as it reads them: which threads work, and with that which
    files are read at every tick, is known from the second one on. (A list of whatever it opened
    had one in five files that it reads once a second or never again: the ratio was told as 2.4
    instead of 2.9.) Where resting threads sleep is learnt in the first forty seconds and hardly
    asked for afterwards, so that is left out.
    """
    files = ReadFiles()
    parts = build_parts(files, time.monotonic_ns, lambda: 0)
    parts.watch.pid = pid
    tracks = {
        name: SamplerTrack(make(parts), time.monotonic_ns)
        for name, make in SAMPLERS.items()
        if SOURCES[name].cadence is not Cadence.SLOW
    }
    batch = Batch()
    with patch("os.pread", files.pread):
        for tick in range(3 * TICKS_PER_S):
            if tick % TICKS_PER_S == 0:
                files.read.clear()
            for name, track in tracks.items():
                is_tick = SOURCES[name].cadence is Cadence.TICK
                if name != "game_wait" and (is_tick or tick % TICKS_PER_S == 0):
                    track.run(batch)
            time.sleep(INTERVAL_MS / 1000)
    for track in tracks.values():
        track.close()
    return "\n".join(["processes", *_lines(Counter(files.read))]) + "\n"


def _lines(read: Counter[str]) -> Iterator[str]:
    for number, (path, times) in enumerate(read.items()):
        # A setting that is looked up now and then is not part of a tick.
        if path.startswith("/proc/sys/") or not Path(path).is_file():
            continue
        turn = number % TICKS_PER_S
        yield f"tick {path}" if 2 * times > TICKS_PER_S else f"second {turn} {path}"


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
    """The sampler beside one program, with one reference after the other."""
    program = built_reader(folder)
    listing = folder / "files"
    listing.write_text(file_list(pid))
    loop = [sys.executable, str(HERE / "psutil_loop.py"), str(pid), str(TICKS)]
    reader = [str(program), str(INTERVAL_MS), str(TICKS), str(listing)]
    with sampler(pid) as ours:
        time.sleep(WARM_UP_S)
        beside_reader = rounds(ours.pid, reader if program else None)
        beside_loop = rounds(ours.pid, loop)
        with sadc(folder) as collector:
            time.sleep(2)
            beside_sadc = sadc_rounds(ours.pid, collector.pid) if collector else None
    told = rows(beside_reader, beside_loop, beside_sadc, goal_pct)
    return [replace(row, name=f"{row.name}, {what}") for row in told]


@dataclass(frozen=True)
class Costs:
    """Nanoseconds per tick (of sadc: per second) in each round; ``theirs`` empty without one."""

    ours: list[float]
    theirs: list[float]


def rounds(ours: int, command: list[str] | None) -> Costs:
    """The sampler of that process id and a reference that prints its cost, side by side."""
    costs = Costs([], [])
    for _ in range(ROUNDS):
        process = started(command) if command else None
        costs.ours.append(ticks_cost_ns(ours))
        if process:
            costs.theirs.append(number_of(process))
    return costs


def sadc_rounds(ours: int, collector: int) -> Costs:
    """The same with a collector that runs all the time."""
    costs = Costs([], [])
    for _ in range(ROUNDS):
        begun_ns = cpu_ns(collector)
        costs.ours.append(ticks_cost_ns(ours))
        costs.theirs.append((cpu_ns(collector) - begun_ns) / (TICKS * INTERVAL_MS / 1000))
    return costs


def ticks_cost_ns(pid: int) -> float:
    """What a process costs per tick, over so many ticks from now."""
    begun_ns, used_ns = time.monotonic_ns(), cpu_ns(pid)
    time.sleep(TICKS * INTERVAL_MS / 1000)
    used_ns = cpu_ns(pid) - used_ns
    return used_ns / ((time.monotonic_ns() - begun_ns) / (INTERVAL_MS * 1e6))


def rows(reader: Costs, loop: Costs, sadc: Costs | None, goal_pct: float) -> list[Row]:
    """The table."""
    core_pct = median(reader.ours) / (INTERVAL_MS * 1e6) * 100
    return [
        _against("C reader of the same files", reader, GOAL_C, "gcc missing"),
        _against("psutil loop with fewer values", loop, GOAL_PSUTIL, ""),
        _against("sadc -S ALL, per sample", sadc, GOAL_SADC, "sysstat missing"),
        Row(
            "sampler at 10 Hz, whole process",
            round(core_pct, 3),
            "% of a core",
            f"{min(reader.ours) / (INTERVAL_MS * 1e4):.3f} to "
            f"{max(reader.ours) / (INTERVAL_MS * 1e4):.3f} % in {len(reader.ours)} rounds",
            None,
            f"<= {goal_pct} %",
            core_pct <= goal_pct,
        ),
    ]


def _against(reference: str, costs: Costs | None, goal: float, missing: str) -> Row:
    """One ratio; a reference that is not there makes the goal missed, not forgotten."""
    if costs is None or not costs.theirs:
        return Row("sampler, CPU per tick", 0, "µs", f"{reference}: {missing}", None, "", False)
    ratio = median(x / y for x, y in zip(costs.ours, costs.theirs, strict=True))
    return Row(
        "sampler, CPU per tick",
        round(median(costs.ours) / 1000, 1),
        "µs",
        f"{reference}, {median(costs.theirs) / 1000:.0f} µs",
        ratio,
        f"<= {goal}",
        ratio <= goal,
    )
