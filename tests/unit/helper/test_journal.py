# SPDX-License-Identifier: GPL-3.0-or-later
"""The journal survives damage, newer helpers, and disks that fail."""

import contextlib
import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api.devices import Device
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet, UndoRequest
from destutter_helper.journal import (
    DAMAGED,
    JOURNAL,
    PREVIOUS,
    Document,
    Entry,
    NewerFormat,
    Setting,
    Trial,
    Wish,
    read,
    save,
    seal,
    unseal,
)
from destutter_helper.storage import Storage
from tests.support.faulty_kernel import Computer
from tests.support.said_texts import saids

ONE = ChangeSet((Change("vm.swappiness", "10"), Change("block.scheduler", "kyber", "sda")))

texts = st.text(max_size=12)
devices = st.builds(Device, texts, texts, texts, texts, texts)
wishes = st.lists(st.builds(Wish, texts, texts, texts), max_size=2).map(tuple)
entries = st.builds(
    Entry,
    texts,
    st.none() | devices,
    texts,
    st.none() | texts,
    st.lists(texts, max_size=3).map(tuple),
    wishes,
    st.none() | saids,
)
some_entries = st.lists(entries, max_size=3).map(tuple)
documents = st.builds(
    Document,
    texts,
    st.just(1),
    st.just(1),
    st.integers(0, 2**40),
    st.sampled_from(["idle", "applying", "trial", "restoring"]),
    st.none() | st.builds(Trial, texts, st.integers(), texts, st.integers(), st.integers()),
    some_entries,
    some_entries,
    st.lists(st.builds(Setting, texts, texts, st.none() | devices), max_size=2).map(tuple),
    st.integers(0, 9),
    st.booleans(),
    st.lists(saids, max_size=2).map(tuple),
)


def _kept(until: str = "restart") -> Computer:
    computer = Computer()
    engine = computer.start()
    engine.recover()
    trial = engine.begin_trial(ONE, owner_uid=1000, owner_name=":1.7", seconds=30)
    engine.keep(trial.txid, until)
    return computer


@given(documents)
def test_a_sealed_document_reads_back(document: Document) -> None:
    """unseal(seal(x)) is x."""
    assert unseal(seal(document), Document) == document


@given(st.binary(max_size=300))
def test_any_bytes_are_a_document_or_damaged(data: bytes) -> None:
    """No file content raises anything but ValueError."""
    with pytest.raises(ValueError, match="checksum"):
        unseal(data, Document)


def _damages(data: bytes) -> list[bytes]:
    cut = [data[:length] for length in range(len(data))]
    flipped = [
        data[:index] + bytes([data[index] ^ (1 << (index % 8))]) + data[index + 1 :]
        for index in range(len(data))
    ]
    return cut + flipped


def test_f24_a_journal_damaged_anywhere_is_set_aside_and_nothing_is_written() -> None:
    """Cut at every byte, flipped at every byte: no exception, no write, a state that says so."""
    computer = _kept()
    original = computer.disk.files[JOURNAL]
    values = computer.kernel.dump()
    computer.kernel.writes.clear()
    for damaged in _damages(original):
        computer.disk.files = {JOURNAL: damaged}
        engine = computer.start()
        assert engine.recover() == ()
        state = engine.state()
        assert state.state == "read-only"
        assert any("damaged" in str(notice) for notice in state.notices)
        assert computer.disk.files[JOURNAL + ".damaged"] == damaged
    assert not computer.kernel.writes
    assert computer.kernel.dump() == values


def test_f24_with_a_good_previous_generation_nothing_is_lost_in_silence() -> None:
    """The previous generation is used, the three-way comparison protects what it does not know."""
    computer = _kept()
    files = dict(computer.disk.files)
    for damaged in _damages(files[JOURNAL])[::7]:
        computer.disk.files = files | {JOURNAL: damaged}
        engine = computer.start()
        engine.recover()
        assert any("damaged" in str(notice) for notice in engine.state().notices)


def test_f24_the_use_of_the_generation_before_is_told_once() -> None:
    """The next helper reads what this one saved; the damaged file stays for who looks into it."""
    computer = _kept("always")
    computer.disk.files[JOURNAL] = b"dust"
    first = computer.start()
    first.recover()
    assert len([text for text in first.state().notices if "damaged" in str(text)]) == 1
    assert computer.start().state().notices == first.state().notices
    assert computer.disk.files[JOURNAL + ".damaged"] == b"dust"
    computer.power_cut()
    assert computer.start().state().notices == ()
    assert computer.disk.files[JOURNAL + ".damaged"] == b"dust"


def test_f24_a_kill_while_damage_is_recorded_does_not_hide_it() -> None:
    """At every step, of one damaged generation or of both: the next helper knows of it."""
    for damaged in ((JOURNAL,), (JOURNAL, PREVIOUS)):
        crash_at, is_finished = 0, False
        while not is_finished:
            crash_at += 1
            computer = Computer()
            for _ in range(2):  # a helper that knew of nothing, twice
                save(computer.disk, Document("boot-1"))
            computer.disk.files |= dict.fromkeys(damaged, b"dust")
            is_finished = computer.run(computer.start, crash_at)
            state = computer.start().state()
            assert state.state == "read-only", (damaged, crash_at)
            assert any("damaged" in str(text) for text in state.notices), (damaged, crash_at)
            assert b"dust" in {computer.disk.files.get(f"{name}.damaged") for name in damaged}
        assert crash_at > 1


def test_f24_a_lost_journal_is_damage() -> None:
    """A file system check that takes the newest generation away leaves what it was unknown."""
    for lost, state in ((JOURNAL, "idle"), (PREVIOUS, "kept")):
        computer = _kept()
        assert {JOURNAL, PREVIOUS} <= computer.disk.files.keys()
        del computer.disk.files[lost]
        engine = computer.start()
        engine.recover()
        assert engine.state().state == state
        assert any("damaged" in str(text) for text in engine.state().notices) is (lost == JOURNAL)


def test_f24_a_damaged_journal_behind_an_empty_one_is_not_taken_for_nothing() -> None:
    """When the generation before knew of nothing, what is in the kernel counts as unknown."""
    computer = Computer()
    save(computer.disk, Document("boot-1"))
    save(computer.disk, Document("boot-1"))
    computer.disk.files[JOURNAL] = b"dust"
    engine = computer.start()
    assert engine.state().state == "read-only"


def test_f24_after_damage_a_new_trial_is_refused_until_the_restart() -> None:
    """An unknown value of ours must not become the origin of the next trial."""
    computer = _kept()
    computer.disk.files = {JOURNAL: b"dust"}
    engine = computer.start()
    engine.recover()
    with pytest.raises(Exception, match="damaged"):
        engine.begin_trial(ONE, owner_uid=1, owner_name="", seconds=30)
    with pytest.raises(HelperError, match="not known what was changed"):
        engine.undo(UndoRequest())
    assert engine.state().state == "read-only"
    assert any("damaged" in str(notice) for notice in engine.state().notices)
    assert any("damaged" in str(notice) for notice in computer.start().state().notices)
    computer.power_cut()
    engine = computer.start()
    engine.recover()
    engine.begin_trial(ONE, owner_uid=1, owner_name="", seconds=30)


def test_f24_an_undo_of_something_does_not_forget_the_damage() -> None:
    """What one setting had before is not known either, and the others are still unknown."""
    computer = _kept()
    computer.disk.files = {JOURNAL: b"dust"}
    engine = computer.start()
    engine.recover()
    with pytest.raises(Exception, match="damaged; undo everything"):
        engine.undo(UndoRequest(ids=("vm.swappiness",)))
    assert engine.state().state == "read-only"
    assert computer.start().state().state == "read-only"


def test_f24_damage_is_remembered_by_the_next_helper() -> None:
    """An idle helper leaves; the one after it must not take our value for the original."""
    computer = _kept()
    computer.disk.files = {JOURNAL: b"dust"}
    for _ in range(3):
        engine = computer.start()
        engine.recover()
        assert engine.state().state == "read-only"
        assert any("damaged" in str(notice) for notice in engine.state().notices)


def test_f24_damage_is_forgotten_at_the_next_start() -> None:
    """Another boot has none of our values, whatever the old journal said."""
    computer = _kept()
    computer.disk.files = {JOURNAL: b"dust"}
    computer.start().recover()
    computer.power_cut()
    engine = computer.start()
    engine.recover()
    assert engine.state().state == "idle"


def test_f24_a_damaged_journal_sets_nothing_at_the_next_start() -> None:
    """What is kept for every start is a part of the journal, and is not believed when damaged."""
    computer = _kept("always")
    computer.power_cut()
    stock = computer.kernel.dump()
    for damaged in _damages(computer.disk.files[JOURNAL])[::5]:
        computer.disk.files = {JOURNAL: damaged}
        engine = computer.start()
        engine.boot()
        assert any("damaged" in str(notice) for notice in engine.state().notices)
    assert computer.kernel.dump() == stock


def test_f24_what_is_kept_outlives_the_damage_of_one_generation() -> None:
    """The generation before also has it, and the damage is said."""
    computer = _kept("always")
    engine = computer.start()
    engine.recover()
    engine.revert(engine.begin_trial(ONE, owner_uid=1, owner_name="", seconds=30).txid, "reverted")
    computer.power_cut()
    computer.disk.files[JOURNAL] = b""  # an outcome that was not flushed
    engine = computer.start()
    engine.boot()
    assert computer.kernel.vm["swappiness"] == 10
    assert any("previous generation" in str(notice) for notice in engine.state().notices)


def _rewritten(document: Document, **changed: object) -> bytes:
    content = json.loads(seal(document).partition(b"\n")[2]) | changed
    body = json.dumps(content).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def test_f25_a_newer_journal_that_is_not_for_us_makes_the_helper_read_only() -> None:
    """After a downgrade everything is refused and the file is left as it is."""
    computer = _kept()
    newer = _rewritten(Document("boot-1"), version=9, min_reader=9, colour="red")
    computer.disk.files[JOURNAL] = newer
    engine = computer.start()
    assert engine.recover() == ()
    assert engine.state().state == "read-only"
    with pytest.raises(Exception, match="newer"):
        engine.begin_trial(ONE, owner_uid=1, owner_name="", seconds=30)
    with pytest.raises(Exception, match="newer"):
        engine.undo(UndoRequest())
    assert computer.disk.files[JOURNAL] == newer


def test_f25_a_newer_journal_that_we_may_read_can_be_undone() -> None:
    """min_reader lets an older helper take back what a newer one did."""
    computer = _kept()
    document = unseal(computer.disk.files[JOURNAL], Document)
    computer.disk.files[JOURNAL] = _rewritten(document, version=2, min_reader=1, colour="red")
    engine = computer.start()
    engine.recover()
    engine.undo(UndoRequest())
    assert computer.kernel.vm["swappiness"] == 60


def test_a28_a_journal_with_a_foreign_setting_is_refused() -> None:
    """An id outside the registry, or in a wrong cell, with a right checksum: nothing is done."""
    for cell, id_ in (
        ("kernel.core_pattern", "kernel.core_pattern"),
        ("vm.swappiness", "kernel.core_pattern"),
        ("vm.swappiness", "vm.page-cluster"),
        ("", ""),
    ):
        computer = Computer()
        entry = Entry(cell, None, f"{id_}=1", f"{id_}=1")
        entry.wishes = (Wish(id_, "2"),)
        document = Document("boot-1", phase="restoring", entries=(entry,))
        computer.disk.files[JOURNAL] = seal(document)
        engine = computer.start()
        engine.recover()
        assert engine.state().state == "read-only"
        assert not computer.kernel.writes


SDA = Device("block", "sda", "w", "s", "1")


@pytest.mark.parametrize(
    "content",
    [
        {"entries": (Entry("kernel.core_pattern", None, "", goal="x"),)},
        {"tombstones": (Entry("nothing", None, "", ours=("x",)),)},
        {"entries": (Entry("queue", dataclasses.replace(SDA, kind="net"), "", goal="x"),)},
        {"profile": (Setting("block.scheduler", "none", dataclasses.replace(SDA, kind="/")),)},
    ],
)
@pytest.mark.parametrize("phase", ["idle", "applying", "trial", "restoring"])
def test_a28_unknown_cells_and_kinds_of_devices_are_left_to_who_knows_them(
    phase: str, content: dict[str, Any]
) -> None:
    """With a right checksum, and even without an id: no exception, no write, read-only."""
    computer = Computer()
    planted = seal(Document("boot-1", phase=phase, **content))
    computer.disk.files[JOURNAL] = planted
    engine = computer.start()
    engine.recover()
    engine.boot()
    engine.verify(reapply=True)
    assert engine.state().state == "read-only"
    assert computer.disk.files[JOURNAL] == planted
    assert not computer.kernel.writes


@pytest.mark.parametrize("name", ["..", ".", "", "../../proc/sys/kernel", "sda/../sdb", "\n"])
def test_a28_a_planted_name_of_a_device_is_no_path(name: str) -> None:
    """A drive of that name is gone; nothing is opened by it, and nothing is written."""
    computer = Computer()
    entry = Entry("queue", dataclasses.replace(SDA, name=name), "block.scheduler=bfq")
    entry.goal, entry.ours = entry.origin, ("block.scheduler=mq-deadline",)
    computer.disk.files[JOURNAL] = seal(Document("boot-1", phase="restoring", entries=(entry,)))
    engine = computer.start()
    engine.recover()
    engine.undo(UndoRequest())
    assert not computer.kernel.writes
    assert engine.state().state == "idle"


def test_a28_a_profile_with_a_foreign_setting_is_refused() -> None:
    """Nor can a planted journal make the next start write outside the registry."""
    computer = Computer()
    planted = Setting("kernel.core_pattern", "x", None)
    computer.disk.files[JOURNAL] = seal(Document("boot-0", profile=(planted,)))
    engine = computer.start()
    engine.boot()
    assert engine.state().state == "read-only"
    assert not computer.kernel.writes


def test_a28_an_origin_that_the_kernel_would_not_take_is_not_written() -> None:
    """A planted origin is checked against the kernel's range like any other value."""
    for planted in ("vm.swappiness=60,1", "vm.swappiness=999", "kernel.core_pattern=|x", "x", ""):
        computer = _kept()
        document = unseal(computer.disk.files[JOURNAL], Document)
        for entry in document.entries:
            if entry.cell == "vm.swappiness":
                entry.origin = planted
        computer.disk.files[JOURNAL] = seal(document)
        engine = computer.start()
        engine.recover()
        computer.kernel.writes.clear()
        results = {one.id: one for one in engine.undo(UndoRequest())}
        assert results["vm.swappiness"].outcome == "failed"
        assert all(path.startswith("/sys/block") for path, _ in computer.kernel.writes)


def test_unknown_version_fields_are_not_guessed() -> None:
    """A file without a version is damaged, not old."""
    with pytest.raises(ValueError, match="no version"):
        unseal(_sealed_text("{}"), Document)
    with pytest.raises(ValueError, match="no version"):
        unseal(_sealed_text("[1]"), Document)
    with pytest.raises(NewerFormat):
        unseal(_sealed_text('{"min_reader": 2}'), Document)
    dancing = seal(dataclasses.replace(Document("b"), phase="dancing"))
    with pytest.raises(ValueError, match="phase"):
        read(dancing)


def _sealed_text(text: str) -> bytes:
    return hashlib.sha256(text.encode()).hexdigest().encode() + b"\n" + text.encode()


# -- storage --------------------------------------------------------------------------------


def test_a_file_is_replaced_and_the_one_before_kept(tmp_path: Path) -> None:
    """The previous generation is what was there before the last save."""
    storage = Storage(str(tmp_path / "state"))
    for text in (b"one", b"two", b"three"):
        storage.replace("file", text, previous="file.prev")
    assert (storage.read("file"), storage.read("file.prev")) == (b"three", b"two")
    assert sorted(path.name for path in (tmp_path / "state").iterdir()) == ["file", "file.prev"]
    assert (tmp_path / "state/file").stat().st_mode & 0o777 == 0o600
    storage.close()


def test_the_directory_is_closed_to_others(tmp_path: Path) -> None:
    """The state directory is made with mode 0700."""
    Storage(str(tmp_path / "state")).close()
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700


def test_a10_a_link_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    """A directory that somebody else put there is not used, and nothing is written into it."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "state").symlink_to(tmp_path / "theirs")
    with pytest.raises(OSError, match="Not a directory"):
        Storage(str(tmp_path / "state"))
    assert not list((tmp_path / "theirs").iterdir())


def test_a10_a_directory_open_to_others_is_refused(tmp_path: Path) -> None:
    """A world-writable state directory is how other helpers lost root."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(0o777)
    with pytest.raises(OSError, match="open to writing by others"):
        Storage(str(tmp_path / "state"))


def test_a10_a_link_in_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    """A planted link is replaced or refused; its target stays as it is."""
    target = tmp_path / "shadow"
    target.write_text("secret")
    storage = Storage(str(tmp_path / "state"))
    for name in ("file", "file.new", "log"):
        (tmp_path / "state" / name).symlink_to(target)
    storage.replace("file", b"data")
    with contextlib.closing(storage), pytest.raises(OSError, match="symbolic links"):
        storage.append("log", b"data", max_bytes=100)
    assert target.read_text() == "secret"
    assert (tmp_path / "state/file").read_bytes() == b"data"


def test_a_log_is_cut_at_a_line(tmp_path: Path) -> None:
    """When the log is full its older half goes, in whole lines."""
    storage = Storage(str(tmp_path / "state"))
    for number in range(30):
        storage.append("log", b"line %d\n" % number, max_bytes=100)
    text = (storage.read("log") or b"").decode()
    assert len(text) <= 100
    assert text.startswith("line ")
    assert text.endswith("line 29\n")
    storage.close()


def test_the_lock_is_for_one_process(tmp_path: Path) -> None:
    """A second helper on the same directory is told so at once."""
    first = Storage(str(tmp_path / "state"))
    second = Storage(str(tmp_path / "state"))
    first.lock()
    with pytest.raises(BlockingIOError):
        second.lock()
    first.close()
    second.lock()
    second.close()


def test_a_damaged_phase_is_read_only() -> None:
    """The phase that stands for damage is itself readable, so that it lasts the whole boot."""
    assert unseal(seal(Document("b", phase=DAMAGED)), Document).phase == DAMAGED
    assert PREVIOUS != JOURNAL
