# SPDX-License-Identifier: GPL-3.0-or-later
"""On the running kernel: how long a main thread ran, beside the clock of the thread itself."""

import json
import subprocess
import sys
import time

from destutter.core.traced import TraceLook
from destutter.diagnosis.circumstances.main_work import main_work
from destutter.sampling.trace_source import TraceSource
from destutter_helper.api.tracing import encode_formats
from tests.support.kernel_trace import kernel_trace

GAME = """
import json, sys, time
print("ready", flush=True)
sys.stdin.readline()
time.sleep(0.03)
told = []
for _ in range(12):
    begin_ns, used_ns = time.monotonic_ns(), time.thread_time_ns()
    while time.thread_time_ns() - used_ns < 60_000_000:
        pass
    end_ns, used_ns = time.monotonic_ns(), time.thread_time_ns() - used_ns
    time.sleep(0.06)
    told.append((begin_ns, end_ns, used_ns, time.monotonic_ns()))
print(json.dumps(told), flush=True)
sys.stdin.readline()
"""
TIMES_MS = 10.0  # a bin, of which the ends of a time are taken in part


def test_a_main_thread_ran_for_as_long_as_its_own_clock_says():
    """60 ms of work and 60 of sleep in turn: of each turn, of each piece, and of all."""
    pipe = subprocess.PIPE
    seen: list[TraceLook] = []
    with subprocess.Popen([sys.executable, "-c", GAME], stdin=pipe, stdout=pipe) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        game.stdout.readline()
        with kernel_trace("main", game=[game.pid]) as trace:
            source = TraceSource(encode_formats(trace.formats), trace.descriptors, game.pid)
            try:
                game.stdin.write(b"\n")
                game.stdin.flush()
                turns: list[list[int]] = []
                end = time.monotonic() + 60

                def is_over() -> bool:
                    is_behind = turns and seen[-1].end_ns > turns[-1][-1] + 20_000_000
                    return bool(is_behind) or time.monotonic() > end

                for message in source.messages(is_over):
                    assert isinstance(message, TraceLook), message
                    seen.append(message)
                    # It is at work for 1.5 s, in which the reader tells four looks a second.
                    if not turns and len(seen) >= 4:
                        turns += json.loads(game.stdout.readline())
            finally:
                source.close()
        game.stdin.close()
    assert turns
    known = 0
    for begin_ns, end_ns, used_ns, slept_ns in turns:
        work, turn = main_work(seen, begin_ns, end_ns), main_work(seen, begin_ns, slept_ns)
        if work is None or turn is None:
            continue  # the kernel left out one of its switches
        known += 1
        assert abs(work.ran_ms - used_ns / 1e6) <= TIMES_MS
        assert abs(turn.ran_ms - used_ns / 1e6) <= TIMES_MS
        lost_ms = (end_ns - begin_ns - used_ns) / 1e6
        assert abs(work.ready_ms - lost_ms) <= TIMES_MS + 0.1 * lost_ms
        assert turn.ran_ms + turn.ready_ms + turn.slept_ms >= (slept_ns - begin_ns) / 1e6 - 1
    assert known >= len(turns) // 4
