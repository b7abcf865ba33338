# SPDX-License-Identifier: GPL-3.0-or-later
"""Helper processes on the running kernel that are killed, for real, at a chosen step.

The steps are those of the files: before and after every write to a kernel file, and between the
parts of every save. The production code knows nothing of them.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path

from destutter_helper.engine import Engine
from destutter_helper.kernel_tree import KernelTree, Life
from destutter_helper.storage import Storage
from tests.support.real_kernel import Helper


class Fuse:
    """Kills this process at its nth step."""

    def __init__(self, kill_at: int) -> None:
        self._left = kill_at

    def step(self) -> None:
        """One step passes."""
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class FusedTree(KernelTree):
    """Kernel files with a fuse around each write."""

    def __init__(self, fuse: Fuse) -> None:
        super().__init__("/")
        self._fuse = fuse

    def write(self, path: str, data: bytes, life: Life | None = None) -> None:
        """See KernelTree."""
        self._fuse.step()
        super().write(path, data, life)
        self._fuse.step()

    def set_thread_policy(self, pid: int, policy: int, priority: int) -> None:
        """See KernelTree."""
        self._fuse.step()
        super().set_thread_policy(pid, policy, priority)
        self._fuse.step()


class FusedStorage(Storage):
    """Files of the helper with a fuse around each change of the directory."""

    def __init__(self, path: str, fuse: Fuse) -> None:
        self._fuse = fuse
        super().__init__(path)

    def rename(self, name: str, new: str) -> None:
        """See Storage."""
        self._fuse.step()
        super().rename(name, new)
        self._fuse.step()

    def remove(self, name: str) -> None:
        """See Storage."""
        super().remove(name)
        self._fuse.step()

    def _write_new(self, name: str, data: bytes, *, is_durable: bool) -> None:
        super()._write_new(name, data[: len(data) // 2], is_durable=is_durable)
        self._fuse.step()
        super()._write_new(name, data, is_durable=is_durable)
        self._fuse.step()


def run_and_kill(state: Path, kill_at: int, work: Callable[[Engine], object]) -> bool:
    """Runs the work in a process of its own; whether it got to its end before the kill."""
    child = os.fork()
    if child == 0:
        try:
            fuse = Fuse(kill_at)
            helper = Helper(state, FusedTree(fuse), FusedStorage(str(state), fuse))
            work(helper.engine)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return not os.WIFSIGNALED(status)
