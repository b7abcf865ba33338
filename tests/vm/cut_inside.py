# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the guest between two power cuts: looks at what the last one left, then is cut off.

python3 -m tests.vm.cut_inside look | ACTION --part N/M | ACTION --wait

The helper's installed code runs in this process, so that its steps can be counted: before and
after each of its calls that writes to a disk or to the kernel. A rehearsal counts the steps of
the action; then the kernel is told to restart at once, without writing anything more, at the
step that is N/M of the way.
"""

import functools
import os
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from destutter_helper.api.names import ENDED_REVERTED, KEEP_ALWAYS
from destutter_helper.api.payload import Change, ChangeSet, UndoRequest
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.transaction import Engine, open_engine
from tests.vm.inside import say

PLACES = {
    "vm.swappiness": (Path("/proc/sys/vm/swappiness"), "60", "10"),
    "vm.page-cluster": (Path("/proc/sys/vm/page-cluster"), "3", "0"),
    "block.read_ahead_kb": (Path("/sys/block/sda/queue/read_ahead_kb"), "128", "512"),
}
"""The settings of a change: file, stock value, our value."""
JOURNAL = Path("/var/lib/destutter/journal.json")
WRITING = ("open", "write", "fsync", "rename", "unlink", "link", "mkdir", "fchmod")


class Steps:
    """Counts the helper's calls that write, and may cut the power at one of them."""

    def __init__(self) -> None:
        self.count = 0
        self.cut_at = 0
        for name in WRITING:
            setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def counted(*values: Any, **named: Any) -> Any:
            if call.__name__ == "open" and not values[1] & (os.O_WRONLY | os.O_RDWR):
                return call(*values, **named)
            self._step()
            result = call(*values, **named)
            self._step()
            return result

        return counted

    def _step(self) -> None:
        self.count += 1
        if self.count == self.cut_at:
            Path("/proc/sysrq-trigger").write_text("b")
            time.sleep(60)


def main(words: Sequence[str]) -> int:
    """Look, and be cut off; 0 only when nothing was to be cut."""
    engine = open_engine(KernelTree(), log=lambda _line: None)
    say(f"ok - {_look(engine)}")
    engine.recover()
    engine.undo(UndoRequest())
    left = {name: path.read_text() for name, (path, _s, _o) in PLACES.items()}
    assert all(left[name].strip() == stock for name, (_p, stock, _o) in PLACES.items()), left
    if words[0] == "look":
        return 0
    steps = Steps()
    if words[1] == "--wait":
        say("# now")
        while True:
            for action in ACTIONS.values():
                action(engine, steps)
    part, parts = (int(number) for number in words[2].split("/"))
    total = ACTIONS[words[0]](engine, steps)
    engine.undo(UndoRequest())
    at = total * (2 * part + 1) // (2 * parts) + 1
    say(f"{words[0]}, cut at step {at} of {total}")
    termios.tcdrain(sys.stdout.fileno())
    ACTIONS[words[0]](engine, steps, at)
    say(f"not ok - {words[0]} took fewer than {at} steps")
    return 1


def _look(engine: Engine) -> str:
    """What the last cut left; fails unless it is stock as a whole or kept as a whole.

    What is kept the helper is asked, not the journal's file: a power cut may cost the newest
    generation, which is not flushed when it only tells an outcome, and then the one before counts.
    """
    found = {name: path.read_text().strip() for name, (path, _s, _o) in PLACES.items()}
    state = engine.state()
    kept = {change.id for change in state.kept_always}
    journal = JOURNAL.read_text(errors="replace") if JOURNAL.exists() else "none"
    seen = f"{found}, kept {kept}, {state.notices}, journal: {journal}"
    if all(found[name] == stock for name, (_p, stock, _o) in PLACES.items()):
        assert not kept, f"kept, but not set: {seen}"
        return "found stock values"
    if all(found[name] == ours for name, (_p, _s, ours) in PLACES.items()):
        assert kept == PLACES.keys(), f"set, but not kept: {seen}"
        return "found everything that was kept"
    raise AssertionError(f"neither stock nor kept: {seen}")


def _apply(engine: Engine, steps: Steps, cut_at: int = 0) -> int:
    begun = _count(steps, cut_at)
    trial = engine.begin_trial(_change_set(), owner_uid=0, owner_name=":1.1", seconds=60)
    total = steps.count - begun
    engine.revert(trial.txid, ENDED_REVERTED)
    return total


def _keep(engine: Engine, steps: Steps, cut_at: int = 0) -> int:
    trial = engine.begin_trial(_change_set(), owner_uid=0, owner_name=":1.1", seconds=60)
    begun = _count(steps, cut_at)
    engine.keep(trial.txid, KEEP_ALWAYS)
    return steps.count - begun


def _undo(engine: Engine, steps: Steps, cut_at: int = 0) -> int:
    _keep(engine, steps)
    begun = _count(steps, cut_at)
    engine.undo(UndoRequest())
    return steps.count - begun


def _count(steps: Steps, cut_at: int) -> int:
    steps.cut_at = steps.count + cut_at if cut_at else 0
    return steps.count


def _change_set() -> ChangeSet:
    changes = []
    for name, (_path, _stock, ours) in PLACES.items():
        changes.append(Change(name, ours, "sda" if name.startswith("block.") else ""))
    return ChangeSet(tuple(changes))


ACTIONS: dict[str, Callable[..., int]] = {"apply": _apply, "keep": _keep, "undo": _undo}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
