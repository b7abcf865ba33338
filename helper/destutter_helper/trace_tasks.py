# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose threads somebody may watch: the own ones, as they are at this moment.

Between this look and the kernel's list a thread may end, and its number go to somebody else's: the
kernel counts through all numbers before it gives one again, but who forks enough can arrange that.
It is harmless. What would be seen of that thread is its name and when it runs, which the ring for
the waits of the whole computer and the switches beside the game's own threads tell of everybody;
a set-user-id program that the game starts is seen as well. And it ends by itself: the kernel takes
a number off the list when its thread ends (``event-fork``).
"""

import re
from collections.abc import Iterable

from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.tracing import MOST_TASKS
from destutter_helper.kernel_tree import KernelTree

_STATUS = re.compile(r"^Tgid:\t(\d+)$.*^Uid:\t(\d+)\t(\d+)\t(\d+)\t\d+$", re.MULTILINE | re.DOTALL)


def threads_of(tree: KernelTree, uid: int, pids: Iterable[int]) -> tuple[int, ...]:
    """The threads of the processes of ``uid`` to which these numbers belong.

    One that has ended, or is hidden from us (``hidepid``), is passed over. Errors: NotAuthorized
    when one is somebody else's, Refused when none is there, TooLarge.
    """
    wanted, groups = list(pids), set()
    for pid in wanted:
        owner = owner_of(tree, pid)
        if owner is None:
            continue
        group, owners = owner
        # Real, effective and saved: one that has become somebody else for a while is not its own.
        if owners != {uid}:
            raise HelperError("NotAuthorized", Said("helper.trace.not_yours", {"pid": str(pid)}))
        groups.add(group)
    threads = {tid for group in groups for tid in _threads(tree, group)}
    if wanted and not threads:
        raise HelperError("Refused", Said("helper.trace.no_tasks"))
    if len(threads) > MOST_TASKS:
        raise HelperError("TooLarge", Said("helper.trace.too_many_tasks", {"most": MOST_TASKS}))
    return tuple(sorted(threads))


def owner_of(tree: KernelTree, pid: int) -> tuple[int, set[int]] | None:
    """The process that a number belongs to, and its users; None when there is none."""
    try:
        text = tree.read(f"/proc/{pid}/status").decode("ascii", "backslashreplace")
    except OSError:
        return None
    found = _STATUS.search(text)
    if found is None:
        raise HelperError("Refused", Said("helper.trace.no_tasks"))
    return int(found[1]), {int(number) for number in found.groups()[1:]}


def _threads(tree: KernelTree, group: int) -> list[int]:
    try:
        return [int(name) for name in tree.names(f"/proc/{group}/task")]
    except OSError:
        return []
