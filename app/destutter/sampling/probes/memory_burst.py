# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a program waits that suddenly wants memory: the burst of a level that loads.

Touches new memory as fast as it can, in steps of 32 KiB, and times each step. A step that takes
milliseconds had to make room first (direct reclaim). What is free already costs nothing, so the
page cache should be full, as it is after an hour of play; ``--fill`` reads files before.

It ends early before it would hurt anybody: with less than 15 % of memory available, when
pages come back from swap, or when nobody could go on for a fifth of the time (PSI, memory full).
The kernel is told to end this process first. One line of JSON tells the outcome.
"""

import argparse
import contextlib
import json
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_numbers import MEMINFO, VMSTAT, read_numbers
from destutter.core.last_words import complain
from destutter.core.sample import Trouble, encode
from destutter.core.statement import Statement, StatementError
from destutter.core.system_error import system_reason
from destutter.sampling.child_arguments import between

SOURCE = "memory"
_STEP_BYTES = 32 << 10
_LOOK_STEPS = 1024  # 32 MiB between two looks at the computer's state
_SHARE = 0.6  # of what is available: others ask for memory meanwhile
_LEAVE_BYTES = 1536 << 20
_LEAST_AVAILABLE = 0.15  # earlyoom ends programs from 0.1 on, and this one offers itself first
_MOST_FULL_PCT = 20.0  # of the time: more, and the desktop stands still for who tries it
_READ_BYTES = 1 << 20
_FILL_S = 40.0  # a trial of settings lasts a minute longer than a block, at least
_MS = 1_000_000
_COUNTERS = ("allocstall_", "pgsteal_direct", "pswpin")


class MemoryBurstError(StatementError):
    """The burst cannot be made; the text is for people."""


@dataclass(frozen=True, slots=True)
class Burst:
    """What one burst met. Times in milliseconds, counters as their growth during the burst.

    ``stopped`` says why it ended early; None: it did not.
    """

    mib: int
    filled_mib: int
    seconds: float
    over_1ms: int
    over_5ms: int
    over_5ms_total_ms: float
    worst_ms: float
    allocation_stalls: int
    direct_reclaim_pages: int
    stopped: Statement | None


class Memory:
    """The computer's memory as this experiment needs it."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._swapped_in = self.counters()["pswpin"]

    def bytes_of(self, name: str) -> int:
        """A line of /proc/meminfo in bytes. Raises ``MemoryBurstError`` without it."""
        kib = read_numbers(self._files, MEMINFO).get(name)
        if kib is None:
            raise MemoryBurstError(Statement("proving.burst.not_told", {"name": name}))
        return kib * 1024

    def counters(self) -> dict[str, int]:
        """Allocation stalls, pages taken in direct reclaim and pages swapped in, since boot."""
        sums = dict.fromkeys(_COUNTERS, 0)
        for name, value in read_numbers(self._files, VMSTAT).items():
            for prefix in _COUNTERS:
                if name.startswith(prefix):
                    sums[prefix] += value
        return sums

    def reason_to_stop(self) -> Statement | None:
        """Why going on would hurt; None when it would not."""
        if self.bytes_of("MemAvailable") < _LEAST_AVAILABLE * self.bytes_of("MemTotal"):
            least = {"least_pct": _LEAST_AVAILABLE * 100}
            return Statement("proving.early.little_memory", least)
        if self.counters()["pswpin"] > self._swapped_in:
            return Statement("proving.early.swap")
        full = self._full_pct()
        if full is not None and full > _MOST_FULL_PCT:
            return Statement("proving.early.everybody_waits", {"full_pct": round(full)})
        return None

    def _full_pct(self) -> float | None:
        for line in (self._files.read_text("/proc/pressure/memory") or "").splitlines():
            words = line.split()
            if words[0] == "full":
                return float(words[1].removeprefix("avg10="))
        return None


def burst_bytes(available: int, wanted: int) -> int:
    """How much to touch: what is wanted, but at most 60 % of what is available, and so much
    that 1.5 GiB stay. Raises ``MemoryBurstError`` when nothing is left for it."""
    most = min(int(available * _SHARE), available - _LEAVE_BYTES)
    if most < _STEP_BYTES * _LOOK_STEPS:
        told = {"available_bytes": available}
        raise MemoryBurstError(Statement("proving.burst.too_little", told))
    return (min(most, wanted) if wanted else most) // _STEP_BYTES * _STEP_BYTES


def fill(paths: list[str], most_bytes: int, clock: Callable[[], float] = time.monotonic) -> int:
    """Read files for 40 s at most, so that they lie in the page cache; returns the bytes read."""
    done, end_s = 0, clock() + _FILL_S
    for path in _files_below(paths):
        with contextlib.suppress(OSError), open(path, "rb", buffering=0) as file:
            while done < most_bytes and clock() < end_s and (data := file.read(_READ_BYTES)):
                done += len(data)
        if done >= most_bytes or clock() >= end_s:
            break
    return done


def _files_below(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            for name in names:
                full = os.path.join(folder, name)
                if os.path.isfile(full) and not os.path.islink(full):
                    yield full


def touch(
    size: int,
    reason_to_stop: Callable[[], Statement | None],
    clock: Callable[[], int] = time.perf_counter_ns,
) -> tuple[list[int], int, Statement | None]:
    """Touch so many bytes of new memory.

    Returns the times of all steps of 1 ms and more in nanoseconds, the bytes touched, and why it
    ended early.
    """
    chunk = b"\1" * _STEP_BYTES
    slow: list[int] = []
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        # Pages of 4 KiB: huge ones would make the times of two kernels' settings incomparable.
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        for number, offset in enumerate(range(0, size, _STEP_BYTES), 1):
            begun = clock()
            memory[offset : offset + _STEP_BYTES] = chunk
            taken = clock() - begun
            if taken >= _MS:
                slow.append(taken)
            if number % _LOOK_STEPS == 0 and (why := reason_to_stop()):
                return slow, offset + _STEP_BYTES, why
    return slow, size, None


def run_burst(files: KernelFiles, wanted_bytes: int, paths: list[str]) -> Burst:
    """Fill the page cache, then touch. Raises ``MemoryBurstError`` or ``KernelFileError``."""
    memory = Memory(files)
    size = burst_bytes(memory.bytes_of("MemAvailable"), wanted_bytes)
    filled = fill(paths, 2 * memory.bytes_of("MemFree")) if paths else 0
    before, begun = memory.counters(), time.monotonic()
    slow, touched, stopped = touch(size, memory.reason_to_stop)
    seconds = time.monotonic() - begun
    after = memory.counters()
    long = [taken for taken in slow if taken >= 5 * _MS]
    return Burst(
        mib=touched >> 20,
        filled_mib=filled >> 20,
        seconds=round(seconds, 3),
        over_1ms=len(slow),
        over_5ms=len(long),
        over_5ms_total_ms=round(sum(long) / _MS, 3),
        worst_ms=round(max(slow, default=0) / _MS, 3),
        allocation_stalls=after["allocstall_"] - before["allocstall_"],
        direct_reclaim_pages=after["pgsteal_direct"] - before["pgsteal_direct"],
        stopped=stopped,
    )


def main(argv: list[str]) -> int:
    """Make one burst; returns the exit status: 0 done, 1 could not, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="destutter --memory-burst", allow_abbrev=False)
    parser.add_argument("--mib", type=between(0, 1 << 24), default=0)
    parser.add_argument("--fill", action="append", default=[], metavar="PATH")
    options = parser.parse_args(argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _be_the_first_to_go()
        burst = run_burst(KernelFiles(), options.mib << 20, options.fill)
    except (MemoryBurstError, KernelFileError) as error:
        sys.stdout.write(encode(Trouble(0, SOURCE, error.statement)) + "\n")
        complain(error.statement)
        return 1
    except OSError as error:
        complain(system_reason(error))
        return 1
    sys.stdout.write(json.dumps(asdict(burst)) + "\n")
    return 0


def _be_the_first_to_go() -> None:
    """When memory runs out all the same, the kernel shall end this process and no other."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")
