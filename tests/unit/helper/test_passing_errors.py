# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the system that pass by themselves: no file is taken for damaged, or for empty."""

import contextlib
import errno
import os
from pathlib import Path

import pytest

from destutter_helper import guardian
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine, open_engine
from destutter_helper.journal import JOURNAL
from destutter_helper.storage import Storage
from destutter_helper.stores import BOOTED, HISTORY
from tests.support import helper_tree
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import keep

SWAPPINESS = "proc/sys/vm/swappiness"


@pytest.fixture
def computer() -> Computer:
    """One on which something is kept."""
    made = Computer()
    keep(made.start(), "vm.swappiness=10")
    return made


def failing(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, number: int) -> None:
    """Reading this file fails."""
    read = owner.read  # type: ignore[attr-defined]

    def refused(storage: Storage, asked: str) -> bytes | None:
        if asked == name:
            raise OSError(number, os.strerror(number))
        found: bytes | None = read(storage, asked)
        return found

    monkeypatch.setattr(owner, "read", refused)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR])
def test_f78_a_journal_that_cannot_be_read_just_now_is_not_damaged(
    computer: Computer, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The start fails, and the next one has everything."""
    before = dict(computer.disk.files)
    failing(monkeypatch, type(computer.disk), JOURNAL, number)
    with pytest.raises(HelperError) as caught:
        computer.start()
    assert caught.value.name == "JournalUnavailable"
    assert os.strerror(number) in str(caught.value)
    assert computer.disk.files == before
    monkeypatch.undo()
    assert {one.id for one in computer.start().state().changed} == {"vm.swappiness"}


def test_f78_a_journal_on_a_broken_disk_is_damaged(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the drive does not pass by itself: the generation before counts, and is told."""
    failing(monkeypatch, type(computer.disk), JOURNAL, errno.EIO)
    notices = computer.start().state().notices
    assert [str(each) for each in notices] == [
        "the journal was damaged; its previous generation is in use"
    ]


def test_f78_a_history_that_cannot_be_read_is_not_empty(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for it is told; an undo needs none."""
    engine = computer.start()
    failing(monkeypatch, type(computer.disk), HISTORY, errno.EIO)
    with pytest.raises(HelperError, match="history cannot be read: Input/output error"):
        engine.stores.history()
    (result,) = engine.undo(UndoRequest())
    assert result.outcome == "restored"


def opened(root: Path, log: list[str]) -> Engine:
    """A new helper on the tree."""
    return open_engine(helper_tree.ScratchTree(str(root)), log=log.append)


def test_f78_a_start_that_cannot_be_noted_sets_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full /run costs the note, which is logged, and not the user's settings."""
    root, log = helper_tree.build(tmp_path), list[str]()
    with contextlib.closing(opened(root, log)) as engine:
        engine.recover()
        keep(engine, "vm.swappiness=10", until="always")
    (root / SWAPPINESS).write_text("60\n")
    (root / "proc/sys/kernel/random/boot_id").write_text("another-boot\n")
    (root / "run/destutter" / BOOTED).unlink(missing_ok=True)
    replace = Storage.replace

    def full(storage: Storage, name: str, *data: bytes, **options: object) -> None:
        if name == BOOTED:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(storage, name, *data, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Storage, "replace", full)
    with contextlib.closing(opened(root, log)) as engine:
        engine.recover()
        engine.boot_first()
    assert (root / SWAPPINESS).read_text().strip() == "10"
    assert "the start could not be noted: No space left on device" in log


def test_a_guardian_that_cannot_begin_says_why_and_leaves_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The service is told that it is gone; why stands in the log."""
    root = helper_tree.build(tmp_path)
    before = len(os.listdir("/proc/self/fd"))

    def confine() -> None:
        raise RuntimeError("no room for a filter")

    with (
        contextlib.closing(helper_tree.ScratchTree(str(root))) as tree,
        pytest.raises(ConnectionError),
    ):
        guardian.start(tree, confine)
    assert "guardian failed: RuntimeError('no room for a filter')" in capfd.readouterr().err
    assert len(os.listdir("/proc/self/fd")) == before
