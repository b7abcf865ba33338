# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that a trial is tied to: one process of the caller, and no other that has its number.

By number and start, and not by a descriptor of the caller's: within a sandbox nobody can open one
of a game outside, and a descriptor of a stranger's file system would hold up whoever polls it.
"""

import os

from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.trace_tasks import owner_of

_START = 22 - 3  # of the fields behind the name (proc_pid_stat(5))
_GONE = Said("helper.trial.no_game")


def open_process(tree: KernelTree, uid: int, pid: int, start: str) -> int:
    """A descriptor of the process (pidfd), to be closed.

    ``start`` as field 22 of /proc/PID/stat has it. Errors: Refused when it has ended or is
    another one by now, NotAuthorized when it is somebody else's; root may name anybody's.
    """
    try:
        process = os.pidfd_open(pid)
    except (OSError, OverflowError):
        raise HelperError("Refused", _GONE) from None
    try:
        # After it was opened: the number cannot come to mean another one from here on.
        _check(tree, uid, pid, start)
    except BaseException:
        os.close(process)
        raise
    return process


def _check(tree: KernelTree, uid: int, pid: int, start: str) -> None:
    owner = owner_of(tree, pid)
    if owner is None or not start or _start(tree, pid) != start:
        raise HelperError("Refused", _GONE)
    if uid != 0 and owner[1] != {uid}:
        raise HelperError("NotAuthorized", Said("helper.trial.not_your_game"))


def _start(tree: KernelTree, pid: int) -> str:
    try:
        words = tree.read(f"/proc/{pid}/stat").rpartition(b") ")[2].split()
    except OSError:
        return ""
    return words[_START].decode("ascii", "replace") if len(words) > _START else ""
