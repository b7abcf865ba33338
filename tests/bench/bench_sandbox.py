# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sampler costs inside of a sandbox, where the lender opens files, beside outside.

Both run at the same time and watch the same game at work with 200 threads.
"""

import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.bench_sampler import INTERVAL_MS, WARM_UP_S, cpu_ns, sampler, working_game
from tests.bench.row import Row
from tests.support.lending import lending_bus, sandboxed
from tests.support.private_bus import install_helper

TICKS = 300
# What needs no asking costs the same; a tick asks twice for what the kernel shows to nobody inside
# of a user namespace (io and wchan).
GOAL = 1.6
GOAL_LENDER_PCT = 0.6


def run() -> list[Row]:
    """CPU per tick of both, and what the lender takes."""
    with tempfile.TemporaryDirectory() as name, working_game(Path(name)) as pid:
        folder = Path(name)
        bus = folder / "bus"
        bus.mkdir()
        install_helper(folder / "installed")
        with (
            lending_bus(folder / "installed", bus) as address,
            sampler(pid) as outside,
            _inside(pid, address, folder) as inside,
        ):
            time.sleep(WARM_UP_S)
            # The daemon, and the process of its own that this sandbox is answered by.
            lenders = _all_named("destutter-lender", 2)
            pids = (outside.pid, inside, *lenders)
            before = [cpu_ns(each) for each in pids]
            time.sleep(TICKS * INTERVAL_MS / 1000)
            theirs, ours, *lent = (
                cpu_ns(each) - old for each, old in zip(pids, before, strict=True)
            )
            memory_kb = sum(map(_own_kb, lenders))
    share = sum(lent) / (TICKS * INTERVAL_MS * 1e6) * 100
    return [
        Row(
            "sampler in a sandbox, CPU per tick",
            round(ours / TICKS / 1000, 1),
            "µs",
            f"outside, {theirs / TICKS / 1000:.0f} µs",
            ours / theirs,
            f"<= {GOAL}",
            ours / theirs <= GOAL,
        ),
        Row(
            "the lender and its worker",
            round(share, 3),
            "% of a core",
            "",
            None,
            f"<= {GOAL_LENDER_PCT} %",
            share <= GOAL_LENDER_PCT,
        ),
        Row(
            "the lender and its worker, memory of their own",
            round(memory_kb / 1024, 1),
            "MB",
            "",
            None,
            "",
            None,
        ),
    ]


@contextlib.contextmanager
def _inside(pid: int, address: str, folder: Path) -> Iterator[int]:
    """The sampler in a sandbox; its process as seen from here."""
    command = [sys.executable, "-m", "destutter", "--sampler", "--pid", str(pid)]
    command += ["--interval-ms", str(INTERVAL_MS)]
    pipe = subprocess.PIPE
    with subprocess.Popen(sandboxed(command, address, folder), stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        reader = threading.Thread(target=process.stdout.read)
        reader.start()
        try:
            yield _below(process.pid)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
            reader.join()


def _below(pid: int) -> int:
    """The sampler, which the sandbox's own two processes stand before."""
    while children := Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split():
        pid = int(children[0])
    return pid


def _all_named(name: str, count: int) -> list[int]:
    """The processes of this name. Raises RuntimeError where they are not as many."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if f"({name[:15]})" in stat.read_text():
                found.append(int(stat.parent.name))
    if len(found) != count:
        raise RuntimeError(f"{len(found)} of {name} run, and not {count}")
    return found


def _own_kb(pid: int) -> int:
    """What would be free without it: its pages that it shares with nobody."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
