# SPDX-License-Identifier: GPL-3.0-or-later
"""Journals that are well formed and make no sense: whatever is in our own file is not believed."""

import contextlib
import hashlib
import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from destutter_helper.api.devices import Device, find_devices
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest, encode
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import BY_ID, CELLS, DEVICE_KINDS, is_kernel_value
from destutter_helper.engine import Engine
from destutter_helper.journal import JOURNAL, Document, Entry, Setting, Trial, Wish, seal
from destutter_helper.stores import HISTORY
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import begin, change_set
from tests.support.said_texts import saids

OURS = Computer().kernel
PRESENT: dict[str, list[Device | None]] = {"": [None]}
PRESENT |= {kind: [*find_devices(OURS, kind)] for kind in DEVICE_KINDS}
PLACES = [(cell, device) for cell in CELLS for device in PRESENT[CELLS[cell][0].device_kind]]
DEVICES = [device for devices in PRESENT.values() for device in devices]
WORDS = ["", "0", "-1", "10", "60", "bfq", "none", "never", "fifo:2", "other", "x" * 40, "9" * 30]

values = st.sampled_from(WORDS) | st.text(max_size=6)
numbers = st.sampled_from([0, -1, 1, 10**9, -(2**70), 2**70]) | st.integers()
untils = st.sampled_from(["", "restart", "always", "for ever"])


def _states(cell: str) -> st.SearchStrategy[str]:
    ids = st.sampled_from([one.id for one in CELLS[cell]] + ["kernel.core_pattern", "x"])
    words = st.builds("{}={}".format, ids, values) | values
    return st.lists(words, max_size=3).map(" ".join)


def _entries(place: tuple[str, Device | None]) -> st.SearchStrategy[Entry]:
    cell, device = place
    ids = st.sampled_from([one.id for one in CELLS[cell]])
    return st.builds(
        Entry,
        st.just(cell),
        st.just(device) | st.sampled_from(DEVICES),
        _states(cell),
        st.none() | _states(cell),
        st.lists(_states(cell), max_size=3).map(tuple),
        st.lists(st.builds(Wish, ids, values, untils), max_size=3).map(tuple),
        st.none() | saids,
    )


some_entries = st.lists(st.sampled_from(PLACES).flatmap(_entries), max_size=3).map(tuple)
documents = st.builds(
    Document,
    boot_id=st.sampled_from(["boot-1", "boot-0", ""]),
    seq=numbers,
    phase=st.sampled_from(["idle", "applying", "trial", "restoring", "damaged"]),
    trial=st.none() | st.builds(Trial, values, numbers, values, numbers, numbers),
    entries=some_entries,
    tombstones=some_entries,
    profile=st.lists(
        st.builds(
            Setting,
            st.sampled_from(list(BY_ID)),
            values,
            st.sampled_from(DEVICES),
        ),
        max_size=3,
    ).map(tuple),
    starts=numbers,
    is_start_counted=st.booleans(),
    notices=st.lists(saids, max_size=2).map(tuple),
)
WORK: list[Callable[[Engine], object]] = [
    Engine.boot,
    Engine.confirm_boot,
    Engine.verify,
    lambda engine: engine.verify(reapply=True),
    lambda engine: engine.preview(change_set("vm.swappiness=10", "block.scheduler@sda=bfq")),
    lambda engine: engine.keep(begin(engine, "vm.swappiness=10"), "always"),
    lambda engine: begin(engine, "block.scheduler@sda=bfq"),
    lambda engine: engine.undo(UndoRequest(ids=("vm.swappiness",), accept=("block.scheduler",))),
    lambda engine: engine.undo(UndoRequest()),
    lambda engine: engine.undo(UndoRequest(force=tuple(BY_ID))),
]


@given(documents, st.lists(st.sampled_from(WORK), max_size=5))
@example(Document("boot-1", tombstones=(Entry("vm.page-cluster", None, ""),)), [Engine.boot])
def test_a28_a_journal_that_makes_no_sense_is_no_weapon(
    document: Document, work: list[Callable[[Engine], object]]
) -> None:
    """Whatever is done then: named errors, answers that fit the wire, values the kernel takes."""
    computer = Computer()
    computer.disk.files[JOURNAL] = seal(document)
    engine = computer.start()
    for step in (Engine.recover, *work, Engine.recover):
        with contextlib.suppress(HelperError):
            step(engine)
        assert 0 <= engine.state().seconds_left <= 600
        encode(engine.state())
        engine.list_tunables()
    by_path = {tunable.path_on("*"): tunable for tunable in BY_ID.values()}
    for path, value in computer.kernel.writes:
        parts = path.split("/")
        general = path if path in by_path else "/".join([*parts[:3], "*", *parts[4:]])
        named = general if general in by_path else "/".join([*parts[:4], "*", *parts[5:]])
        assert is_kernel_value(by_path[named], value), (path, value)


_TOLD = {"id": "helper.told", "values": {"text": "x"}}
_MANY = {"id": "helper.told", "values": dict.fromkeys((f"a{n}" for n in range(10_000)), "x")}
_FORMAT = {"id": "helper.told", "values": {"{0.__class__}": "x"}}


def _deep() -> object:
    data: object = _TOLD
    for _ in range(100):
        data = {"id": "helper.start.failed", "values": {"reason": data}}
    return data


@pytest.mark.parametrize("planted", ["", "somebody else", 1, [], {}, _MANY, _FORMAT, _deep()])
@pytest.mark.parametrize("place", ["conflict", "notices"])
def test_a28_a_journal_that_says_something_else_is_a_damaged_one(
    place: str, planted: object
) -> None:
    """Of the form of before, with 10,000 values or 100 deep: nothing is written, an undo told."""
    computer = Computer()
    engine = computer.start()
    engine.recover()
    begin(engine, "vm.swappiness=10")
    sealed = computer.disk.files[JOURNAL]
    content = json.loads(sealed.partition(b"\n")[2])
    if place == "conflict":
        content["entries"][0]["conflict"] = planted
    else:
        content["notices"] = [_TOLD, planted]
    body = json.dumps(content).encode()
    computer.disk.files.clear()
    computer.disk.files[JOURNAL] = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    computer.kernel.writes.clear()
    engine = computer.start()
    engine.recover()
    assert engine.state().state == "read-only"
    assert [one.id for one in engine.state().notices] == ["helper.journal.nothing_known"]
    assert not computer.kernel.writes


@given(saids)
def test_a_conflict_of_any_text_is_told_and_accepted(conflict: Said) -> None:
    """Whatever an entry's conflict says: it is told as it is, and can be accepted or forced."""
    for request in (UndoRequest((), (), tuple(BY_ID)), UndoRequest(force=tuple(BY_ID))):
        computer = Computer()
        entry = Entry("vm.swappiness", None, "vm.swappiness=60", ours=("vm.swappiness=10",))
        entry.wishes, entry.conflict = (Wish("vm.swappiness", "10", "restart"),), conflict
        computer.disk.files[JOURNAL] = seal(Document("boot-1", entries=(entry,)))
        engine = computer.start()
        (told,) = engine.state().conflicts
        assert told.notes == (conflict,)
        engine.undo(request)
        assert engine.state().conflicts == ()


def test_a28_lines_of_the_history_that_make_no_sense_are_left_out() -> None:
    """Cut off, nested without end, no object: the report has the others."""
    computer = Computer()
    lines = (b'{"event":"trial"}', b"[" * 100_000, b"1", b'{"a', b"\xff", b"", b'{"event":"undo"}')
    computer.disk.files[HISTORY] = b"\n".join(lines)
    assert [one["event"] for one in computer.start().stores.history()] == ["trial", "undo"]
