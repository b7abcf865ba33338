# SPDX-License-Identifier: GPL-3.0-or-later
"""A state directory that cannot be written any more, and helpers that come and go on it."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from destutter_helper import journal
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine, open_engine
from destutter_helper.storage import Storage
from tests.support import helper_tree
from tests.support.faulty_kernel import NS_PER_S, Computer
from tests.support.helper_moves import begin, keep, outcomes

TWO = ("vm.swappiness=10", "block.scheduler@sda=bfq")
FAULTS = {"read-only": errno.EROFS, "full": errno.ENOSPC}


class Disk:
    """The file system below /var/lib of a scratch tree."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fault = ""
        replace, is_writable, remove = Storage.replace, Storage.is_writable, Storage.remove

        def failing(storage: Storage, *names: str, **options: object) -> None:
            if self.fault and self._is_ours(storage):
                raise OSError(FAULTS[self.fault], self.fault)
            replace(storage, *names, **options)  # type: ignore[arg-type]

        def refusing(storage: Storage, name: str) -> None:
            if self.fault == "read-only" and self._is_ours(storage):
                raise OSError(errno.EROFS, self.fault)
            remove(storage, name)

        def asked(storage: Storage) -> bool:
            is_read_only = self.fault == "read-only" and self._is_ours(storage)
            return not is_read_only and is_writable(storage)

        monkeypatch.setattr(Storage, "replace", failing)
        monkeypatch.setattr(Storage, "remove", refusing)
        monkeypatch.setattr(Storage, "is_writable", asked)

    @staticmethod
    def _is_ours(storage: Storage) -> bool:
        return "/var/lib/" in str(Path(f"/proc/self/fd/{storage._fd}").readlink())


@pytest.fixture
def engine(computer: Computer) -> Engine:
    """A helper on it that has just started."""
    return computer.start()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk without a fault."""
    return Disk(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A scratch tree."""
    return helper_tree.build(tmp_path)


@contextlib.contextmanager
def helper(root: Path) -> Iterator[Engine]:
    """A helper process that begins with its recovery."""
    tree = helper_tree.ScratchTree(str(root))
    with contextlib.closing(open_engine(tree, log=lambda _text: None)) as engine:
        engine.recover()
        yield engine


def swappiness(root: Path) -> str:
    """The value of now."""
    return (root / "proc/sys/vm/swappiness").read_text().strip()


def restart(root: Path) -> None:
    """The computer starts anew: /run is empty, the kernel has its own values."""
    for path in (root / "run/destutter").iterdir():
        path.unlink()
    (root / "proc/sys/kernel/random/boot_id").write_text("another-boot")
    (root / "proc/sys/vm/swappiness").write_text("60")


@pytest.mark.parametrize("until", ["trial", "restart", "always"])
def test_f35_what_is_on_a_read_only_disk_is_not_forgotten(
    root: Path, disk: Disk, until: str
) -> None:
    """/var/lib becomes read-only and the helper starts anew: undo still knows the way back."""
    with helper(root) as engine:
        begin(engine, "vm.swappiness=10")
        if until != "trial":
            assert engine.trial is not None
            engine.keep(engine.trial.txid, until)
    disk.fault = "read-only"
    with helper(root) as engine:
        assert engine.state().state == ("idle" if until == "trial" else "kept")
        begin(engine, "vm.swappiness=20")  # our 10 is no origin
    with helper(root) as engine:
        engine.undo(UndoRequest())
        assert swappiness(root) == "60"
    disk.fault = ""
    with helper(root) as engine:
        assert engine.state().state == "idle"
        assert engine.stores.is_persistent


@pytest.mark.parametrize("fault", FAULTS)
def test_f46_a_disk_that_is_full_at_a_start_and_not_later(
    root: Path, disk: Disk, fault: str
) -> None:
    """Found by random interleavings: the older journal in /run was taken for the newest."""
    with helper(root) as engine:
        txid = begin(engine, "vm.page-cluster=0")
        disk.fault = fault
        engine.revert(txid, "reverted")  # which is told to /run
    disk.fault = "full"
    with helper(root) as engine:  # and cannot be moved to the disk
        disk.fault = ""
        begin(engine, "vm.swappiness=10")
    with helper(root) as engine:
        assert engine.state().state == "idle"
    assert swappiness(root) == "60"


@pytest.mark.parametrize("fault", FAULTS)
def test_f38_an_undo_that_does_not_last_says_so(root: Path, disk: Disk, fault: str) -> None:
    """Taken back on a disk that fails: gone at the next start as well, or the answer says it."""
    with helper(root) as engine:
        keep(engine, "vm.swappiness=10", until="always")
        disk.fault = fault
        results = engine.undo(UndoRequest())
        assert swappiness(root) == "60"
        again = engine.undo(UndoRequest())
    with helper(root) as engine:
        assert engine.state().state == "idle"
        later = engine.undo(UndoRequest(("vm.swappiness",)))
    restart(root)
    disk.fault = ""
    with helper(root) as engine:
        engine.boot()
    is_told = outcomes(results)["vm.swappiness"] == "failed"
    assert swappiness(root) == ("10" if is_told else "60")
    assert is_told is (fault == "read-only")
    for results in (again, later):  # whoever asks again is told again
        assert (outcomes(results).get("vm.swappiness") == "failed") is is_told


def test_f38_an_undo_of_one_of_two_on_a_full_disk_keeps_the_other(root: Path, disk: Disk) -> None:
    """The journal is not thrown away for it: the answer says what comes back."""
    with helper(root) as engine:
        keep(engine, "vm.swappiness=10", until="always")
        keep(engine, "vm.page-cluster=0", until="always")
        disk.fault = "full"
        results = engine.undo(UndoRequest(ids=("vm.swappiness",)))
    assert outcomes(results)["vm.swappiness"] == "failed"
    assert "the next start sets it again" in results[-1].note
    directory = Storage(str(root / "var/lib/destutter"))
    with contextlib.closing(directory):
        kept = {one.id for one in journal.kept_in(directory)}
    assert kept == {"vm.swappiness", "vm.page-cluster"}


def test_f35_a_start_that_cannot_be_counted_sets_nothing(root: Path, disk: Disk) -> None:
    """A profile on a read-only disk: a start that hangs with it could not be told from others."""
    with helper(root) as engine:
        keep(engine, "vm.swappiness=10", until="always")
    restart(root)
    disk.fault = "read-only"
    with helper(root) as engine:
        engine.boot()
        assert swappiness(root) == "60"
        assert any("whether the start went well" in str(one) for one in engine.state().notices)


@pytest.mark.parametrize("fault", FAULTS)
def test_f67_a_disk_that_works_again_is_no_longer_told_to_be_full(
    root: Path, disk: Disk, fault: str
) -> None:
    """The notice ends with the next change or undo, whatever that one is about."""
    with helper(root) as engine:
        keep(engine, "vm.swappiness=10", until="always")
        disk.fault = fault
        engine.undo(UndoRequest())
        assert engine.state().notices
        disk.fault = ""
        txid = begin(engine, "vm.page-cluster=0")
        assert not engine.state().notices
        engine.revert(txid, "reverted")
        assert engine.stores.is_persistent
    restart(root)
    with helper(root) as engine:
        engine.boot()
    assert swappiness(root) == "60"


@pytest.mark.parametrize("end", ["revert", "expire"])
def test_f36_the_end_of_a_trial_does_not_wait_for_the_disk(
    engine: Engine, computer: Computer, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is saved before the last value is back: a flush may take as long as it likes."""
    before = computer.kernel.dump()
    txid = begin(engine, *TWO)
    save, at_save = computer.disk.replace, []

    def slow(*arguments: Any, **options: Any) -> None:
        at_save.append((computer.kernel.dump(), options.get("is_durable", True)))
        save(*arguments, **options)

    monkeypatch.setattr(computer.disk, "replace", slow)
    if end == "expire":
        computer.kernel.now_ns += 31 * NS_PER_S
        engine.expire()
    else:
        engine.revert(txid, "reverted")
    assert at_save == [(before, False)] * len(at_save)
    assert at_save


def test_f36_the_time_of_a_trial_begins_when_its_intent_is_on_the_disk(
    engine: Engine, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flush of 20 s takes nothing from a trial of 30 s."""
    save = computer.disk.replace

    def slow(*arguments: Any, **options: Any) -> None:
        computer.kernel.now_ns += 20 * NS_PER_S * options.get("is_durable", True)
        save(*arguments, **options)

    monkeypatch.setattr(computer.disk, "replace", slow)
    begin(engine, "vm.swappiness=10")
    assert engine.state().seconds_left == 30


def test_f64_a_directory_in_place_of_a_file_costs_no_descriptor(tmp_path: Path) -> None:
    """Everybody may ask for the history: that must not leave something open each time."""
    storage = Storage(str(tmp_path / "ours"))
    (tmp_path / "ours/history.jsonl").mkdir()
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(IsADirectoryError):
        storage.read("history.jsonl")
    assert len(os.listdir("/proc/self/fd")) == before
    storage.close()


def try_anyway(engine: Engine, change: str) -> str:
    """A trial also where the first one finds the disk full: then the journal is in /run."""
    with contextlib.suppress(HelperError):
        return begin(engine, change)
    engine.undo(UndoRequest())
    return begin(engine, change)


@pytest.mark.parametrize("fault", FAULTS)
def test_f67_a_disk_with_room_again_keeps_again(root: Path, disk: Disk, fault: str) -> None:
    """Full when the helper first writes and not later: keeping works, nothing is said of it."""
    disk.fault = fault
    with helper(root) as engine:
        txid = try_anyway(engine, "vm.swappiness=10")
        with pytest.raises(HelperError, match="cannot be written"):
            engine.keep(txid, "always")
        disk.fault = ""
        engine.keep(txid, "always")
        assert engine.state().notices == ()
        engine.undo(UndoRequest())
    with helper(root) as engine:
        assert engine.state().notices == ()


@pytest.mark.parametrize("fault", FAULTS)
def test_f67_the_next_start_says_nothing_of_a_disk_with_room(
    root: Path, disk: Disk, fault: str
) -> None:
    """What the helper before it could not write is no trouble of this one."""
    disk.fault = fault
    with helper(root) as engine:
        engine.revert(try_anyway(engine, "vm.page-cluster=0"), "reverted")
    disk.fault = ""
    with helper(root) as engine:
        assert engine.state().notices == ()
