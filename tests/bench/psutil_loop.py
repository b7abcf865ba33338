# SPDX-License-Identifier: GPL-3.0-or-later
"""What one would write with psutil to follow a computer and a game: psutil_loop.py PID TICKS.

It has fewer values than the sampler: no /proc/vmstat, pressure, zones or interrupts. Prints the
CPU time per tick of 100 ms in nanoseconds.
"""

import sys
import time

import psutil

INTERVAL_NS = 100_000_000


def look(game: psutil.Process) -> tuple[object, ...]:
    """Everything once."""
    with game.oneshot():
        of_game = (
            game.cpu_times(),
            game.memory_info(),
            game.io_counters(),
            game.num_ctx_switches(),
            game.threads(),
        )
    return (
        psutil.cpu_times(percpu=True),
        psutil.cpu_times(),
        psutil.cpu_stats(),
        psutil.virtual_memory(),
        psutil.swap_memory(),
        psutil.disk_io_counters(perdisk=True),
        of_game,
    )


def main() -> None:
    """Look at every tick."""
    game, ticks = psutil.Process(int(sys.argv[1])), int(sys.argv[2])
    look(game)
    begun_ns = time.process_time_ns()
    deadline_ns = time.monotonic_ns()
    for _ in range(ticks):
        look(game)
        deadline_ns += INTERVAL_NS
        time.sleep(max(deadline_ns - time.monotonic_ns(), 0) / 1e9)
    print((time.process_time_ns() - begun_ns) // ticks)


if __name__ == "__main__":
    main()
