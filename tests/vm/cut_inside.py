# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the guest between two power cuts: looks at what the last one left, then is cut off.

python3 -m tests.vm.cut_inside wait | look

What waits is saved. Once it goes on, the exchange disk says in words what to do: look |
hand-over | ACTION --part N/M | ACTION --wait. The helper's installed code runs in this process,
so that its steps can be counted: before and after each of its calls that writes to a disk or to
the kernel. A rehearsal counts the steps of the action; then the kernel is told to restart at
once, without writing anything more, at the step that is N/M of the way.
"""

import functools
import mmap
import os
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from destutter_helper.__main__ import run_once
from destutter_helper.api.names import ENDED_REVERTED, KEEP_ALWAYS
from destutter_helper.api.payload import Change, ChangeSet, UndoRequest
from destutter_helper.confine import confine
from destutter_helper.engine import Engine, open_engine
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.log import Log
from tests.vm.inside import say

PLACES = {
    "vm.swappiness": (Path("/proc/sys/vm/swappiness"), "60", "10"),
    "vm.page-cluster": (Path("/proc/sys/vm/page-cluster"), "3", "0"),
    "block.read_ahead_kb": (Path("/sys/block/sda/queue/read_ahead_kb"), "128", "512"),
}
"""The settings of a change: file, stock value, our value."""
STATE = Path("/var/lib/destutter")
JOURNAL = STATE / "journal.json"
ORDER_DISK, STATE_DISK = "/dev/vdb", "/dev/vdc"
DISK = Path("/mnt")
TAR_HEADER_BYTES = 512
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
    if words[0] == "wait":
        boot_id, *words = _wait_for_the_order()
        _be_another_start(boot_id)
        _mount()
        if words[0] == "hand-over":
            return _hand_over()
        if JOURNAL.exists():
            _boot()
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


def _wait_for_the_order() -> list[str]:
    """Say that all is ready, and wait for another text on the exchange disk: its words."""
    disk = os.open(ORDER_DISK, os.O_RDONLY | os.O_DIRECT)
    block = mmap.mmap(-1, mmap.PAGESIZE)
    os.preadv(disk, [block], 0)
    before = bytes(block)
    say("# ready")
    while bytes(block) == before:
        time.sleep(0.05)
        os.preadv(disk, [block], 0)
    return bytes(block)[TAR_HEADER_BYTES:].partition(b"\n")[0].decode().split()


def _be_another_start(boot_id: str) -> None:
    """Give this start a boot id of its own: what was saved has the kernel's one already."""

    def of_this_start(_kernel: KernelWriter) -> str:
        return boot_id

    KernelWriter.boot_id = of_this_start  # type: ignore[assignment,method-assign]


def _boot() -> None:
    """What the boot unit runs, in a process of its own, as it confines itself."""
    child = os.fork()
    if child == 0:
        console = os.open("/dev/console", os.O_WRONLY)
        os.dup2(console, 1)
        os.dup2(console, 2)
        os.umask(0o077)
        confine()
        os._exit(run_once("boot", KernelTree(), Log()))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, f"the helper's boot run ended with {status}"


def _mount() -> None:
    """Mount what outlives a power cut; what was read of it before must not count."""
    subprocess.run(["blockdev", "--flushbufs", STATE_DISK], check=True)
    subprocess.run(["mount", STATE_DISK, DISK], check=True)
    (DISK / "destutter").mkdir(mode=0o700, exist_ok=True)
    subprocess.run(["mount", "--bind", DISK / "destutter", STATE], check=True)


def _hand_over() -> int:
    """Copy the helper's files into the system's own disk, for a whole start."""
    subprocess.run(["umount", STATE], check=True)
    subprocess.run(["mount", "-o", "remount,rw", "/"], check=True)
    subprocess.run(["cp", "-a", f"{DISK}/destutter/.", STATE], check=True)
    os.sync()
    say("handed over")
    return 0


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
