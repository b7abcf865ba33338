# SPDX-License-Identifier: GPL-3.0-or-later
"""No test leaves a thread, a process or an open file behind."""

import contextlib
import ctypes
import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
GRACE_S = float(os.environ.get("DESTUTTER_TEST_GRACE_S", "3"))
"""How long something that is on its way out may take; only spent when something is left."""

Left = Mapping[int, str]


def pytest_sessionstart() -> None:
    """Adopt orphans: a grandchild whose parent died becomes ours, and so is noticed."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def live_threads() -> Left:
    """Return the live Python threads by identity; threads that Qt made are Qt's guard's."""
    return {
        thread.ident or 0: thread.name
        for thread in threading.enumerate()
        if not isinstance(thread, threading._DummyThread)
    }


def live_children() -> Left:
    """Return the direct children that are not zombies, by process id."""
    found: dict[int, str] = {}
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError):  # the thread ended while we looked
            for text in _text(f"/proc/self/task/{task}/children").split():
                pid = int(text)
                if (name := _command_of_live(pid)) is not None:
                    found[pid] = name
    return found


def _text(path: str) -> str:
    """As Path.read_text(), at a quarter of its cost: three looks at each of 9,000 tests."""
    with open(path) as file:
        return file.read()


def _command_of_live(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        command = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return None
    state = stat.rpartition(")")[2].split()[0]
    return None if state in "ZX" else command.replace("\0", " ").strip() or stat


def open_files() -> Left:
    """Return the descriptors that name a path, such as kernel files and recordings."""
    found: dict[int, str] = {}
    for text in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the descriptor of the listing itself
            target = os.readlink(f"/proc/self/fd/{text}")
            if target.startswith("/") and not target.startswith(("/dev/", "/memfd:")):
                found[int(text)] = target
    return found


def _new(before: Left, now: Callable[[], Left]) -> dict[int, str]:
    return {key: name for key, name in now().items() if before.get(key) != name}


def wait_until_gone(before: Left, now: Callable[[], Left]) -> dict[int, str]:
    """Return what is there now and was not before, after waiting for it to go."""
    left = _new(before, now)
    if not left:
        return left
    gc.collect()
    give_up = time.monotonic() + GRACE_S
    while (left := _new(before, now)) and time.monotonic() < give_up:
        time.sleep(0.01)
    return left


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fail when a test, with its fixtures, leaves a thread, a process or an open file."""
    threads, children, files = live_threads(), live_children(), open_files()
    yield
    complaints = [
        f"{what} left behind: {name} ({key})"
        for what, before, now in (
            ("thread", threads, live_threads),
            ("process", children, live_children),
            ("open file", files, open_files),
        )
        for key, name in wait_until_gone(before, now).items()
    ]
    for pid in _new(children, live_children):
        # The next tests must not suffer from it.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
