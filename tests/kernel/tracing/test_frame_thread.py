# SPDX-License-Identifier: GPL-3.0-or-later
"""On the running kernel: a game whose frames another thread shows than its main one."""

import subprocess
import sys
import time

from destutter.core.traced import TraceLook
from destutter.sampling.trace_source import TraceSource, follow_command
from destutter_helper.api.tracing import encode_formats
from tests.support.kernel_trace import kernel_trace

GAME = """
import sys, threading, time
go, done = threading.Semaphore(0), threading.Semaphore(0)
def name(text):
    with open("/proc/thread-self/comm", "w") as file:
        file.write(text)
    print(threading.get_native_id(), flush=True)
def work():
    name("Worker")
    while True:
        go.acquire()
        time.sleep(0.05)
        done.release()
def show():
    name("Render")
    while True:
        go.release()
        done.acquire()
for each in (work, show):
    threading.Thread(target=each, daemon=True).start()
    time.sleep(0.01)
while True:
    time.sleep(0.06)
"""


def test_the_sleeps_of_the_thread_that_shows_the_frames_are_told():
    """Which waits for a worker, and not those of the main thread, which sleeps as long."""
    seen: list[TraceLook] = []
    with subprocess.Popen([sys.executable, "-c", GAME], stdout=subprocess.PIPE) as game:
        assert game.stdout is not None
        worker, render = (int(game.stdout.readline()) for _ in range(2))
        with kernel_trace("lead", game=[game.pid, worker, render]) as trace:
            source = TraceSource(encode_formats(trace.formats), trace.descriptors, game.pid)
            source._input.write(f"{follow_command(game.pid, render)}\n".encode())
            source._input.flush()
            end = time.monotonic() + 20

            def is_over() -> bool:
                sleeps = [each for look in seen for each in look.sleeps]
                return len(sleeps) > 5 or time.monotonic() > end

            try:
                for message in source.messages(is_over):
                    assert isinstance(message, TraceLook), message
                    seen.append(message)
            finally:
                source.close()
                game.kill()
    # The first look may have begun before the reader was told.
    told = [each for look in seen[1:] for each in look.sleeps]
    assert len(told) > 2
    assert {each.thread.tid for each in told} == {render}
    assert {each.tid for sleep in told for each in sleep.woken_by} == {worker}
