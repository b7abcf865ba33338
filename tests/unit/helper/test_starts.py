# SPDX-License-Identifier: GPL-3.0-or-later
"""What a start leaves out, and what is known when the state directory is not as it was."""

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter_helper.__main__ import run_once
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.setting_files import SYSCTL_FILE
from destutter_helper.api.statement import plain_said
from destutter_helper.engine import Engine, open_engine
from destutter_helper.journal import JOURNAL, PREVIOUS
from destutter_helper.log import Log
from destutter_helper.storage import Storage
from destutter_helper.stores import HISTORY
from tests.support import helper_tree
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import begin, keep, outcomes

SWAPPINESS = "proc/sys/vm/swappiness"
ONE = ("vm.swappiness=10",)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree of plain files."""
    return helper_tree.build(tmp_path)


@pytest.fixture
def tree(root: Path) -> Iterator[helper_tree.ScratchTree]:
    """Its kernel's side."""
    tree = helper_tree.ScratchTree(str(root))
    yield tree
    tree.close()


def start(root: Path) -> Engine:
    """A new helper on the tree."""
    engine = open_engine(helper_tree.ScratchTree(str(root)), log=lambda _text: None)
    engine.recover()
    return engine


def leave(engine: Engine) -> None:
    """The helper ends."""
    engine.close()


def restart(root: Path, boot_id: str) -> None:
    """The computer starts anew: nothing is in /run, and the kernel has its own values."""
    for name in (root / "run").iterdir():
        shutil.rmtree(name)
    (root / SWAPPINESS).write_text("60\n")
    (root / "proc/sys/kernel/random/boot_id").write_text(boot_id + "\n")


def damage(root: Path) -> None:
    """Neither generation can be read."""
    for name in (JOURNAL, PREVIOUS):
        (root / "var/lib/destutter" / name).write_text("dust")


@pytest.mark.parametrize("how", ["damaged", "removed", "emptied"])
def test_f50_the_copy_in_run_knows_what_the_disk_has_lost(root: Path, how: str) -> None:
    """Undo is exact, and it is said that the journal was not as it should be."""
    engine = start(root)
    keep(engine, "vm.swappiness=10", "block.read_ahead_kb@sda=512")
    leave(engine)
    folder = root / "var/lib/destutter"
    if how == "damaged":
        damage(root)
    elif how == "removed":
        shutil.rmtree(folder)
    else:
        for one in folder.iterdir():
            one.unlink()
    engine = start(root)
    assert any("journal was damaged or removed" in str(text) for text in engine.state().notices)
    assert {one.id: one.origin for one in engine.state().changed}["vm.swappiness"] == "60"
    keep(engine, "vm.swappiness=5")
    engine.undo(UndoRequest())
    assert (root / SWAPPINESS).read_text().strip() == "60"
    assert (root / "sys/block/sda/queue/read_ahead_kb").read_text().strip() == "128"
    leave(engine)


@pytest.mark.parametrize("until", ["restart", "always"])
def test_f68_what_is_kept_with_all_state_removed_is_no_origin(root: Path, until: str) -> None:
    """The files for other tools say that something of ours is there: nothing is tried on top."""
    engine = start(root)
    keep(engine, "vm.swappiness=20", until=until)
    leave(engine)
    for folder in ("var/lib/destutter", "run/destutter"):
        shutil.rmtree(root / folder)
        (root / folder).mkdir(mode=0o700)
    engine = start(root)
    assert any("journal was damaged or removed" in str(text) for text in engine.state().notices)
    with pytest.raises(HelperError, match="journal was damaged"):
        begin(engine, "vm.swappiness=10")
    for _turn in range(2):  # also a second undo, and a helper that starts after the first
        with pytest.raises(HelperError, match="journal was damaged"):
            engine.undo(UndoRequest())
        assert (root / SWAPPINESS).read_text().strip() == "20"
        with pytest.raises(HelperError, match="restart the computer"):
            begin(engine, "vm.swappiness=10")
        leave(engine)
        engine = start(root)
    leave(engine)
    restart(root, "another-boot")
    engine = start(root)
    keep(engine, "vm.swappiness=10")
    leave(engine)


def test_f50_a_journal_that_was_put_away_is_no_damage(root: Path) -> None:
    """With nothing left in it, the boot unit removes it: the next helper finds all in order."""
    engine = start(root)
    keep(engine, "vm.swappiness=10")
    engine.undo(UndoRequest())
    engine.document.tombstones = ()
    engine.save()
    engine.boot()
    leave(engine)
    assert not (root / "var/lib/destutter" / JOURNAL).exists()
    engine = start(root)
    assert (engine.state().state, engine.state().notices) == ("idle", ())
    leave(engine)


def test_f50_the_history_knows_what_is_exactly_as_we_set_it() -> None:
    """Without any journal: our values go back, and what others have set since stays."""
    computer = Computer()
    engine = computer.start()
    engine.recover()
    stock = computer.kernel.dump()
    keep(engine, "vm.swappiness=10", "vm.dirty_bytes=268435456", "block.scheduler@sda=bfq")
    keep(engine, "vm.swappiness=5", "vm.page-cluster=0", "vm.vfs_cache_pressure=50")
    engine.undo(UndoRequest(("vm.vfs_cache_pressure",)))
    computer.kernel.set("/proc/sys/vm/page-cluster", "7")
    computer.kernel.set("/proc/sys/vm/vfs_cache_pressure", "50")  # somebody else's, as ours was
    computer.disk.files |= {JOURNAL: b"dust", PREVIOUS: b"dust"}
    engine = computer.start()
    engine.recover()
    assert set(outcomes(engine.undo(UndoRequest())).values()) == {"restored"}
    assert any("damaged" in str(text) for text in engine.state().notices)
    theirs = {"page-cluster": "7", "vfs_cache_pressure": "50"}
    assert computer.kernel.dump() == stock | {
        f"/proc/sys/vm/{name}": value for name, value in theirs.items()
    }


def test_f50_lines_of_another_start_say_nothing() -> None:
    """The value may be the administrator's by now: then an undo knows nothing."""
    computer = Computer()
    keep(computer.start(), "vm.swappiness=10")
    computer.power_cut()
    computer.kernel.set("/proc/sys/vm/swappiness", "10")
    computer.disk.files |= {JOURNAL: b"dust", PREVIOUS: b"dust"}
    with pytest.raises(HelperError, match="not known what was changed"):
        computer.start().undo(UndoRequest())
    assert computer.kernel.vm["swappiness"] == 10


def test_f50_without_any_copy_an_undo_says_that_it_does_not_know(root: Path) -> None:
    """It fails in plain words, and the state tells of the damage until the next start."""
    engine = start(root)
    keep(engine, "vm.swappiness=10")
    leave(engine)
    damage(root)
    shutil.rmtree(root / "run/destutter")
    (root / "var/lib/destutter" / HISTORY).unlink()
    with pytest.raises(HelperError, match="not known what was changed"):
        run_once("undo-all", helper_tree.ScratchTree(str(root)), Log())
    engine = start(root)
    assert any("damaged" in str(text) for text in engine.state().notices)
    leave(engine)
    restart(root, "another-boot")
    engine = start(root)
    assert not engine.state().notices
    leave(engine)


def test_f51_whoever_comes_first_sets_what_is_kept(
    root: Path, tree: helper_tree.ScratchTree
) -> None:
    """A service that was asked for before the boot unit does its work, and the unit is content."""
    engine = start(root)
    keep(engine, "vm.swappiness=10", until="always")
    leave(engine)
    restart(root, "another-boot")
    engine = start(root)
    engine.boot_first()
    assert (root / SWAPPINESS).read_text().strip() == "10"
    assert engine.state().changed[0].origin == "60"
    assert run_once("boot", tree, Log()) == 0
    engine.undo(UndoRequest())
    assert (root / SWAPPINESS).read_text().strip() == "60"
    leave(engine)
    engine = start(root)
    engine.boot_first()
    keep(engine, "vm.swappiness=10", until="always")
    (root / SWAPPINESS).write_text("37\n")  # somebody's own, later in the day
    leave(engine)
    engine = start(root)
    engine.boot_first()
    assert (root / SWAPPINESS).read_text().strip() == "37"
    leave(engine)


def test_f51_a_unit_that_finds_another_helper_before_it_is_no_success(
    root: Path, tree: helper_tree.ScratchTree
) -> None:
    """Not every helper that holds the lock does the work of the start."""
    engine = start(root)
    with pytest.raises(HelperError, match="another destutter-helper"):
        run_once("boot", tree, Log())
    leave(engine)


def test_f51_a_start_on_a_full_disk_says_that_nothing_was_set(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count of starts could not be written, so nothing is set, and the state says why."""
    engine = start(root)
    keep(engine, "vm.swappiness=10", until="always")
    leave(engine)
    restart(root, "another-boot")
    replace = Storage.replace

    def full(storage: Storage, name: str, *data: bytes, **options: object) -> None:
        if "/var/lib/" in str(Path(f"/proc/self/fd/{storage._fd}").readlink()):
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(storage, name, *data, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Storage, "replace", full)
    engine = start(root)
    engine.boot_first()
    assert (root / SWAPPINESS).read_text().strip() == "60"
    leave(engine)
    engine = start(root)
    assert any("what is kept was not set" in str(text) for text in engine.state().notices)
    assert engine.state().kept_always
    leave(engine)
    monkeypatch.undo()
    engine = start(root)  # and where the disk takes it again, what it could not do is over
    engine.save()
    assert not any(str(text).startswith("the journal cannot") for text in engine.state().notices)
    leave(engine)


def test_f52_what_a_start_left_out_is_told_and_so_is_its_undo() -> None:
    """The boot guard keeps a value out: the history says so, and the undo what it has done."""
    computer = Computer()
    keep(computer.start(), *ONE, until="always")
    computer.kernel.texts["/proc/cmdline"] = "quiet destutter=off"
    computer.power_cut()
    computer.start().boot()
    engine = computer.start()
    engine.recover()
    (line,) = [one for one in engine.stores.history() if one["event"] == "boot"]
    assert (line["id"], line["outcome"]) == ("vm.swappiness", "failed")
    assert [said["values"] for said in line["notes"]] == [{"word": "destutter=off"}]
    (result,) = engine.undo(UndoRequest())
    assert (result.id, result.value, result.note) == (
        "vm.swappiness",
        "60",
        "is no longer set at every start",
    )
    assert engine.stores.history()[-1]["notes"] == [plain_said(one) for one in result.notes]
    assert not engine.state().kept_always


def test_f53_a_torn_line_of_the_history_costs_only_itself(tmp_path: Path) -> None:
    """What is written after a line that a full disk cut off is a line of its own."""
    storage = Storage(str(tmp_path / "state"))
    storage.replace(HISTORY, b'{"event": "one"}\n{"event": "tw')
    storage.append(HISTORY, b'{"event": "three"}\n', max_bytes=1000)
    assert (storage.read(HISTORY) or b"").splitlines()[-1] == b'{"event": "three"}'
    storage.close()


def test_f53_a_file_that_would_set_our_value_again_is_no_success() -> None:
    """/run/sysctl.d cannot be written: the value is back, and the result says for how long."""
    computer = Computer()
    engine = computer.start()
    engine.recover()
    keep(engine, *ONE, until="always")
    computer.sysctl.fail_from, computer.sysctl.error = 1, errno.EROFS
    (result,) = engine.undo(UndoRequest())
    assert (result.outcome, computer.kernel.vm["swappiness"]) == ("failed", 60)
    assert f"/run/sysctl.d/{SYSCTL_FILE}" in result.note
    computer.sysctl.fail_from = 0
    engine.undo(UndoRequest())
    assert SYSCTL_FILE not in computer.sysctl.files


def test_f53_a_trial_that_could_not_be_taken_back_is_tried_again() -> None:
    """Nobody changed anything: it is filed as failed, and the next undo does it."""
    computer = Computer()
    engine = computer.start()
    engine.recover()
    txid = begin(engine, *ONE)
    computer.kernel.refused["/proc/sys/vm/swappiness"] = errno.EROFS
    assert outcomes(engine.revert(txid, "deadline")) == {"vm.swappiness": "failed"}
    assert outcomes(engine.state().conflicts) == {"vm.swappiness": "failed"}
    computer.kernel.refused.clear()
    assert outcomes(engine.undo(UndoRequest(("vm.swappiness",)))) == {"vm.swappiness": "restored"}
    assert computer.kernel.vm["swappiness"] == 60


def test_f53_what_a_killed_helper_left_is_called_so() -> None:
    """The history does not say that the trial's owner was gone."""
    computer = Computer()
    begin(computer.start(), *ONE)
    engine = computer.start()
    engine.recover()
    assert engine.stores.history()[-1]["event"] == "recover"


def test_f58_the_undo_of_a_damaged_journal_keeps_nothing_for_the_next_start(root: Path) -> None:
    """Its previous generation knew what is kept: after the undo no start sets that again."""
    engine = start(root)
    keep(engine, "vm.swappiness=10", until="always")
    leave(engine)
    restart(root, "another-boot")
    engine = start(root)
    engine.save()
    engine.save()
    leave(engine)
    (root / "var/lib/destutter" / JOURNAL).write_text("dust")
    shutil.rmtree(root / "run/destutter")
    engine = start(root)
    assert engine.state().kept_always
    with pytest.raises(HelperError, match="not known what was changed"):
        engine.undo(UndoRequest())
    leave(engine)
    restart(root, "a-third-boot")
    engine = start(root)
    engine.boot()
    assert (root / SWAPPINESS).read_text().strip() == "60"
    leave(engine)


def test_f59_a_disk_that_fills_up_during_a_start_does_not_make_it_untold(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The intent is written, the outcome is not: what was set is told as set, and counted."""
    engine = start(root)
    keep(engine, "vm.swappiness=10", until="always")
    leave(engine)
    restart(root, "another-boot")
    replace = Storage.replace

    def full(storage: Storage, name: str, *data: bytes, **options: bool) -> None:
        is_disk = "/var/lib/" in str(Path(f"/proc/self/fd/{storage._fd}").readlink())
        if is_disk and name == JOURNAL and not options["is_durable"]:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(storage, name, *data, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Storage, "replace", full)
    engine = start(root)
    assert [one.outcome for one in engine.boot()] == ["ok"]
    assert engine.document.is_start_counted
    assert not any("was not set" in str(text) for text in engine.state().notices)
    engine.undo(UndoRequest())
    assert (root / SWAPPINESS).read_text().strip() == "60"
    leave(engine)
