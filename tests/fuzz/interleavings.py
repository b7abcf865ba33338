# SPDX-License-Identifier: GPL-3.0-or-later
"""Owners, strangers, kills, read-only and full disks in any order, on the real helper.

    python -m tests.fuzz.interleavings [SECONDS [SEED]] [--kernel]

It serves on a private bus above a scratch tree whose state directory is a file system of its own.
With --kernel the settings of virtual memory in that tree are the running kernel's own files.
Each round somebody begins a trial and somebody ends it, while strangers send whatever they like.
Afterwards nothing may be left of it: every setting as before, the helper idle, and alive unless it
was killed. Needs root, for the file system. Prints what was played; 1 for the first thing wrong,
with the number that plays the same again.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from tests.fuzz.strangers import Strangers
from tests.fuzz.targets import contents
from tests.support import scratch_tree, wire
from tests.support.bus_kit import Caller, KitError, Refused
from tests.support.private_bus import PrivateBus, install_helper

SECONDS = 60
TRIAL_S = 5
LATE_S = 1.0  # what SECURITY.md promises
KERNEL = "--kernel"
MOST_MEMORY_KIB = 192 * 1024
_IDS = ("vm.swappiness", "vm.page-cluster", "vm.min_free_kbytes")


class WrongError(Exception):
    """Something was left, or somebody is gone who should be there."""


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """A file system of 256 KiB, which is soon full and can be made read-only."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "state", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@contextmanager
def kernel_files(tree: Path) -> Iterator[None]:
    """The running kernel's /proc in the place of the tree's; its settings are put back.

    The whole of it, since the helper refuses a file over which something is mounted.
    """
    real = [Path("/proc/sys", id_.replace(".", "/")) for id_ in _IDS]
    with ExitStack() as stack:
        for file in real:
            stack.callback(file.write_text, file.read_text())
        subprocess.run(["mount", "--bind", "/proc", tree / "proc"], check=True)
        stack.callback(partial(subprocess.run, ["umount", "--lazy", tree / "proc"], check=True))
        yield


def kernel_settings() -> dict[str, str]:
    """What /proc/sys/vm says of everything that can be read there."""
    found = {}
    for file in Path("/proc/sys/vm").iterdir():
        with suppress(OSError):
            found[file.name] = file.read_text()
    return found


class Play:
    """One world, played round after round."""

    def __init__(
        self,
        bus: PrivateBus,
        disk: Path,
        chance: random.Random,
        settings: Callable[[], dict[str, str]],
    ) -> None:
        self._bus = bus
        self._disk = disk
        self._chance = chance
        self._strangers = Strangers(bus.address.removeprefix("unix:path="), chance)
        self._settings = settings
        self._before = settings()
        self._owner: Caller | None = None
        self.played: Counter[str] = Counter()
        self.ends: dict[str, Callable[[Caller, str, int], None]] = {
            "revert": lambda owner, txid, _hold: _quietly(owner, "Revert", "s", txid),
            "let go": self._let_go,
            "owner killed": self._kill_owner,
            "owner leaves": self._leave,
            "deadline": lambda *_: time.sleep(TRIAL_S),
            "helper killed": lambda *_: self._kill_helper(),
            "both killed": lambda *_: self._kill_both(),
            "kept and undone": self._keep_and_undo,
            "undone": lambda owner, *_: _quietly(owner, "Undo", "s", "{}"),
        }

    def round(self) -> None:
        """Begin, disturb, end, look."""
        owner = self._owner = self._owner or self._bus.client()
        trouble = self._chance.choices(("none", "read-only", "full"), (8, 1, 1))[0]
        early = self._chance.random() < 0.5
        with self._disk_in(trouble if early else "none"):
            self._strangers.send(self._chance.randrange(40))
            begun = self._begin(owner)
            self._strangers.send(self._chance.randrange(40))
            with self._disk_in("none" if early else trouble):
                if begun is not None:
                    self._end(owner, *begun)
                self._strangers.send(self._chance.randrange(40))
        self._look(trouble)

    def check_begun(self, rounds: int) -> None:
        """Most rounds had a trial: where every one is refused, nothing can be left of it."""
        if sum(self.played[name] for name in self.ends) * 2 < rounds:
            raise WrongError(f"most trials were not even begun: {dict(self.played)}")

    def close(self) -> None:
        """Leave the bus."""
        self._strangers.close()

    def _begin(self, owner: Caller) -> tuple[str, int] | None:
        id_ = self._chance.choice(_IDS)
        value = {"vm.page-cluster": "1"}.get(id_, str(self._chance.randrange(1, 90)))
        wanted = wire.changes(**{id_.replace(".", "__"): value})
        if id_ == "vm.min_free_kbytes":
            wanted = wanted.replace(f'"{value}"', '"135168"')
        try:
            txid, hold = owner.call("BeginTrial", "sib", wanted, TRIAL_S, False)
        except Refused as error:
            name = error.name.rpartition(".")[2]
            self.played[f"not begun: {name}"] += 1
            if name == "RateLimited":  # a new process counts anew
                self._kill_both()
            return None
        if self._chance.random() < 0.2:
            _quietly(owner, "Extend", "si", txid, TRIAL_S)
        return str(txid), int(hold["fd"])

    def _end(self, owner: Caller, txid: str, hold: int) -> None:
        names = [*self.ends]
        weights = [1 if name == "deadline" else 6 for name in names]
        name = self._chance.choices(names, weights)[0]
        self.played[name] += 1
        self.ends[name](owner, txid, hold)
        if name not in ("owner killed", "owner leaves", "let go"):
            with suppress(KitError):
                owner.ask("close", fd=hold)

    def _keep_and_undo(self, owner: Caller, txid: str, _hold: int) -> None:
        _quietly(owner, "Keep", "ssb", txid, self._chance.choice(("restart", "always")), False)
        self._strangers.send(self._chance.randrange(20))
        if self._chance.random() < 0.3:
            self._kill_helper()
        _quietly(owner, "Undo", "s", "{}")

    def _let_go(self, owner: Caller, _txid: str, hold: int) -> None:
        owner.ask("close", fd=hold)

    def _leave(self, owner: Caller, _txid: str, _hold: int) -> None:
        owner.ask("disconnect")
        owner.close()
        self._owner = None

    def _kill_owner(self, owner: Caller, _txid: str, _hold: int) -> None:
        owner.kill()
        owner.close()
        self._owner = None

    def _kill_helper(self) -> None:
        assert self._bus.helper is not None
        self._bus.helper.kill()
        self._bus.helper.wait()
        self._await_end_of_guardian()
        self._bus.start_helper()

    def _kill_both(self) -> None:
        self._bus.kill_all()
        self._bus.start_helper()

    def _await_end_of_guardian(self) -> None:
        time.sleep(0.05 * self._chance.randrange(3))

    @contextmanager
    def _disk_in(self, trouble: str) -> Iterator[None]:
        if trouble == "none":
            yield
            return
        self.played[f"disk: {trouble}"] += 1
        filler = self._disk / "filler"
        if trouble == "read-only":
            subprocess.run(["mount", "-o", "remount,ro", self._disk], check=True)
        elif trouble == "full":
            with suppress(OSError):
                filler.write_bytes(bytes(256 * 1024))
        try:
            yield
        finally:
            subprocess.run(["mount", "-o", "remount,rw", self._disk], check=True)
            filler.unlink(missing_ok=True)

    def _look(self, trouble: str) -> None:
        """Nothing is left of it. What could not be undone for a bad disk is undone now."""
        if self._owner is not None and self._chance.random() < 0.1:
            self._owner.close()
            self._owner = None
        watcher = self._owner = self._owner or self._bus.client()
        if trouble != "none":
            _quietly(watcher, "Undo", "s", "{}")
        deadline = time.monotonic() + TRIAL_S + LATE_S
        # A trial of the value that is there leaves nothing, and is no less a trial.
        while (left := self._left()) or not _is_idle(watcher):
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        if left:
            raise WrongError(f"left: {left}")
        helper = self._bus.helper
        if helper is None or helper.poll() is not None:
            raise WrongError("the helper has ended")
        if not _is_idle(watcher):
            raise WrongError(f"not idle: {str(watcher.call('GetState'))[:300]}")
        status = Path(f"/proc/{helper.pid}/status").read_text()
        memory = int(status.partition("VmRSS:")[2].split()[0])
        if memory > MOST_MEMORY_KIB:
            raise WrongError(f"the helper has {memory} KiB")

    def _left(self) -> dict[str, str]:
        now = self._settings()
        return {
            name: text
            for name, text in now.items()
            if self._before.get(name, "").strip() != text.strip()
        }


def _is_idle(watcher: Caller) -> bool:
    return '"state":"idle"' in str(watcher.call("GetState"))


def _quietly(caller: Caller, member: str, sig: str, *arguments: object) -> None:
    """Call, whatever the answer: a trial may have ended by itself, or a disk be full."""
    with suppress(Refused):
        caller.call(member, sig, *arguments)


def main(arguments: list[str]) -> int:
    """Play; the exit status."""
    numbers = [int(word) for word in arguments if word != KERNEL]
    given = (*numbers, SECONDS, time.time_ns() % (1 << 30))
    seconds, seed = given[0], given[1] if len(numbers) > 1 else given[-1]
    print(f"seed {seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and leave nothing behind
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="destutter-fuzz-")))
        program = install_helper(folder / "installed")
        tree = scratch_tree.build(folder / "tree")
        disk = stack.enter_context(small_disk(tree / "var/lib"))
        if KERNEL in arguments:
            stack.enter_context(kernel_files(tree))
        bus = stack.enter_context(PrivateBus(program, folder, tree))
        for action in ("apply", "persist", "undo"):
            bus.allow(action)
        bus.start_helper()
        chance = random.Random(seed)  # noqa: S311  a fixed order, not a secret
        settings = kernel_settings if KERNEL in arguments else partial(contents, tree)
        play = Play(bus, disk, chance, settings)
        stack.callback(play.close)
        rounds, end = 0, time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                play.round()
                rounds += 1
            play.check_begun(rounds)
        except (WrongError, KitError, Refused) as error:
            print(f"WRONG in round {rounds} of seed {seed}: {error}\n{bus.log()[-4000:]}")
            return 1
        finally:
            strangers = play._strangers
            print(f"{rounds} rounds: {dict(play.played)}")
            print(f"{strangers.sent} messages, thrown out {strangers.thrown_out} times")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
