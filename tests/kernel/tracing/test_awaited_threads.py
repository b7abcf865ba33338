# SPDX-License-Identifier: GPL-3.0-or-later
"""On the running kernel: for whom a main thread sleeps, and what a split lock costs its thread.

No processor here has to know of split locks: the line of the kernel's log is written as the kernel
writes it, and the thread sleeps by the same kind of timer.
"""

import subprocess
import sys
import time

from destutter.core.traced import TraceLook
from destutter.sampling.trace_source import TraceSource
from destutter_helper.api.tracing import encode_formats
from tests.support.kernel_trace import kernel_trace

GAME = """
import os, socket, struct, sys, threading
go, done = threading.Lock(), threading.Lock()
go.acquire(), done.acquire()
def work():
    with open("/proc/thread-self/comm", "w") as name:
        name.write("Loader")
    print(threading.get_native_id(), flush=True)
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 10_000))
    go.acquire()
    line = f"x86/split lock detection: #AC: Loader/{threading.get_native_id()}"
    with open("/dev/kmsg", "w") as log:
        log.write(line + " took a split_lock trap at address: 0x401136")
    for _ in range(5):
        try:
            ours.recv(1)
        except BlockingIOError:
            pass
    done.release()
threading.Thread(target=work).start()
sys.stdin.readline()
go.release()
done.acquire()
"""


def test_a_worker_is_followed_and_its_split_locks_are_timed():
    """The main thread sleeps until the worker wakes it, which was put to sleep five times."""
    pipe = subprocess.PIPE
    seen: list[TraceLook] = []
    with subprocess.Popen([sys.executable, "-c", GAME], stdin=pipe, stdout=pipe) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        worker = int(game.stdout.readline())
        with kernel_trace("sleeps", game=[game.pid, worker]) as trace:
            source = TraceSource(encode_formats(trace.formats), trace.descriptors, game.pid)
            try:
                game.stdin.write(b"\n")
                game.stdin.flush()
                end = time.monotonic() + 20

                def is_over() -> bool:
                    woken = [each.woken_by for look in seen for each in look.sleeps]
                    return any(woken) or time.monotonic() > end

                for message in source.messages(is_over):
                    assert isinstance(message, TraceLook), message
                    seen.append(message)
            finally:
                source.close()
    # On a slow computer it sleeps as long before it comes to that.
    *_, sleep = [each for look in seen for each in look.sleeps]
    assert (sleep.thread.tid, [each.name for each in sleep.woken_by]) == (game.pid, ["Loader"])
    assert sleep.woken_by[0].tid == worker
    assert [each.kind for look in seen for each in look.moments] == ["split_lock"]
    waits = [w for look in seen for w in look.waits if w.kind == "split_lock"]
    assert {each.thread.tid for each in waits} == {worker}
    # A timer that comes late, on a computer that is busy, is taken for none.
    assert 1 <= len(waits) <= 5
    assert all(each.duration_ns >= 10_000_000 for each in waits)
    assert sum(each.duration_ns for each in waits) <= sleep.duration_ns
