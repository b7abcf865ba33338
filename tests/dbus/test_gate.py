# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes over the wire: forms, sizes, names; on a private bus with the real helper."""

import json
import os
import re
import shutil
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from destutter_helper.api.payload import decode
from destutter_helper.api.statement import Said
from tests.support import private_bus, scratch_tree, wire
from tests.support.bus_kit import CHECKOUT, ERROR, Refused, eventually

WRONG_SIGNATURES: dict[str, list[Any]] = {
    "": [],
    "s": ["x"],
    "i": [1],
    "as": [["x"]],
    "a(ss)": [[["a", "b"]]],
    "ss": ["x", "y"],
    "sub": ["x", 5, True],
    "sibs": ["x", 5, True, "y"],
    "v": ["x"],
    "ay": [[1, 2, 3]],
}


@pytest.fixture(scope="module")
def shared(program, tmp_path_factory):
    """One helper for all examples of a property test; polkit refuses everything."""
    directory = tmp_path_factory.mktemp("shared")
    tree = scratch_tree.build(directory / "tree")
    with private_bus.PrivateBus(program, directory, tree) as bus:
        bus.start_helper()
        yield bus


@pytest.fixture(scope="module")
def stranger(shared):
    """Return a client that all examples use."""
    return shared.client()


def contents(tree: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in tree.rglob("*")
        if path.is_file() and "destutter" not in path.parts
    }


@pytest.mark.parametrize(("interface", "member", "expected"), wire.methods())
def test_a23_wrong_types_are_refused_unread(stranger, interface, member, expected):
    """Every method with every other signature is InvalidArgument, and says what it takes."""
    for sig, values in WRONG_SIGNATURES.items():
        if sig == expected:
            continue
        with pytest.raises(Refused) as refused:
            stranger.call(member, sig, *values, iface=interface)
        assert refused.value.name.endswith(".Error.InvalidArgument")
        assert repr(expected or "none") in refused.value.text


@pytest.mark.parametrize(
    ("interface", "member"),
    [
        ("io.github.destutter.Helper1", "NoSuchMethod"),
        ("io.github.destutter.Helper1", "serve"),
        ("io.github.destutter.Helper1", "__init__"),
        ("org.example.Other", "GetState"),
        ("org.freedesktop.DBus.Properties", "Set"),
        ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
        (None, "GetState"),
    ],
)
def test_a05_what_is_not_in_the_contract_does_not_exist(stranger, interface, member):
    """Unknown members, members of other interfaces, and calls without interface are refused."""
    assert stranger.refusal(member, iface=interface) == "InvalidArgument"


@pytest.mark.parametrize("path", ["/", "/io/github/destutter", "/io/github/destutter/Helper1/x"])
def test_other_objects_do_not_exist(stranger, path):
    """There is one object."""
    assert stranger.refusal("GetState", path=path) == "InvalidArgument"


def test_introspection_is_the_committed_contract(stranger):
    """The live service answers with the committed XML, byte for byte."""
    committed = CHECKOUT / "resources/dbus/io.github.destutter.Helper1.xml"
    interface = "org.freedesktop.DBus.Introspectable"
    assert stranger.call("Introspect", iface=interface) == committed.read_text()


def test_properties_answer(stranger):
    """Get and GetAll give the three properties, and nothing for other interfaces or names."""
    properties = {"iface": "org.freedesktop.DBus.Properties"}
    name = "io.github.destutter.Helper1"
    assert stranger.call("Get", "ss", name, "ProtocolVersion", **properties) == 1
    found = stranger.call("GetAll", "s", name, **properties)
    assert set(found) == {"ProtocolVersion", "Version", "Place", "State"}
    assert stranger.call("GetAll", "s", "org.example.X", **properties) == {}
    assert stranger.refusal("Get", "ss", name, "Secret", **properties) == "InvalidArgument"


def test_a20_texts_have_a_limit(stranger):
    """16 KiB go through the gate, one byte more does not; bytes count, not letters."""
    fits = {"repeat": " ", "times": 16 * 1024}
    assert stranger.refusal("Preview", "s", fits) == "InvalidArgument"
    assert stranger.refusal("Preview", "s", {"repeat": " ", "times": 16385}) == "TooLarge"
    assert stranger.refusal("Preview", "s", {"repeat": "ü", "times": 8193}) == "TooLarge"
    assert stranger.refusal("Revert", "s", {"repeat": "x", "times": 20000}) == "TooLarge"


def test_a24_an_internal_error_shows_nothing_of_the_inside(program, tmp_path, tree):
    """A broken helper answers Internal with a number; the place is in the log, no path is told."""
    copy = tmp_path / "broken"
    shutil.copytree(program.parent, copy)
    (copy / "destutter_helper/introspection.xml").unlink()
    with private_bus.PrivateBus(copy / program.name, tmp_path, tree) as bus:
        bus.start_helper()
        client = bus.client()
        with pytest.raises(Refused) as refused:
            client.call("Introspect", iface="org.freedesktop.DBus.Introspectable")
        assert refused.value.text == "incident 1, see the system's log"
        assert "incident 1: FileNotFoundError at run:" in bus.log()
        client.call("GetState")


def test_a_call_that_wants_no_reply_gets_none(bus):
    """The flag NO_REPLY_EXPECTED is honoured, for answers and for errors, and harms nothing."""
    client = bus.client()
    for _ in range(3):
        client.call("GetState", no_reply=True)
        client.call("Preview", "s", "nonsense", no_reply=True)
    assert json.loads(client.call("GetState"))["state"] == "idle"


FORMS = [
    '{"changes":[]}',
    '{"changes":{}}',
    '{"changes":[{"id":"vm.swappiness","value":10}]}',
    '{"changes":[{"id":"vm.swappiness","value":"10.5"}]}',
    '{"changes":[{"id":"vm.swappiness","value":"1e1"}]}',
    '{"changes":[{"id":"vm.swappiness","value":"-1"}]}',
    '{"changes":[{"id":"vm.swappiness","value":" 10"}]}',
    '{"changes":[{"id":"vm.swappiness","value":"10\\n"}]}',
    '{"changes":[{"id":"vm.swappiness","value":"10","uid":"0"}]}',
    '{"changes":[{"id":"vm.swappiness","value":"10"}],"changes":[]}',
    '{"changes":[{"id":"vm.swappiness","id":"vm.page-cluster","value":"1"}]}',
    '{"changes":NaN}',
    "[" * 10_000,
    "",
    "null",
]


@pytest.mark.parametrize("text", FORMS, ids=lambda text: text[:60])
def test_malformed_requests_are_named(stranger, text):
    """Each wrong form has a named error, and nothing is even asked of polkit."""
    assert stranger.refusal("Preview", "s", text) in {"InvalidArgument", "OutOfRange"}
    refused = stranger.refusal("BeginTrial", "sib", text, 30, True)
    assert refused in {"InvalidArgument", "OutOfRange"}


def test_duplicates_and_too_many_changes_are_named(stranger):
    """The same setting twice and a 65th change are refused, with the entry in the text."""
    one = {"id": "vm.swappiness", "value": "10"}
    with pytest.raises(Refused, match=r"vm\.swappiness: is there twice"):
        stranger.call("Preview", "s", json.dumps({"changes": [one, one]}))
    many = [{"id": f"vm.x{number}", "value": "1"} for number in range(65)]
    with pytest.raises(Refused, match="1 to 64, not 65"):
        stranger.call("Preview", "s", json.dumps({"changes": many}))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"id": "vm.nonesuch", "value": "1"}, "UnknownKey"),
        ({"id": "vm.swappiness", "value": "201"}, "OutOfRange"),
        ({"id": "vm.swappiness", "value": "max"}, "OutOfRange"),
        ({"id": "block.scheduler", "value": "none", "device": "sdz"}, "DeviceGone"),
        ({"id": "vm.swappiness", "value": "1", "device": "sda"}, "InvalidArgument"),
        ({"id": "nvme.latency_tolerance", "value": "0"}, "InvalidArgument"),
    ],
)
def test_refusals_name_the_entry(stranger, change, error):
    """An unknown id or device and a value out of range name the entry that is wrong."""
    with pytest.raises(Refused) as refused:
        stranger.call("Preview", "s", json.dumps({"changes": [change]}))
    assert refused.value.name.endswith(error)
    assert change["id"] in refused.value.text


def test_a30_values_that_could_stop_a_start_are_out_of_range(stranger):
    """A reserve beyond what this computer's memory allows is refused."""
    huge = json.dumps({"changes": [{"id": "vm.min_free_kbytes", "value": "16000000"}]})
    assert stranger.refusal("Preview", "s", huge) == "OutOfRange"


@pytest.mark.parametrize("seconds", [-1, 0, 4, 121, 2**31 - 1, -(2**31)])
def test_a_trial_has_limits_of_time(stranger, seconds):
    """5 to 120 seconds; the refusal comes before any password."""
    refused = stranger.refusal("BeginTrial", "sib", wire.swappiness(50), seconds, True)
    assert refused == "OutOfRange"


EVIL_KEYS = [
    "vm/../kernel/core_pattern",
    "kernel.core_pattern",
    "kernel.modprobe",
    "vm.swappiness\n",
    "vm.swappiness\x00",
    "block:sda/../..",
    "../../etc/passwd",
    "/proc/sys/vm/swappiness",
    "%s%n",
    "vm.drop_caches",
    "$(reboot)",
]


@pytest.mark.parametrize("key", EVIL_KEYS)
def test_a08_names_of_settings_are_not_paths(stranger, shared, key):
    """Whatever looks like a path, a format or another file is an unknown name."""
    before = contents(shared.root)
    for device in ("", "../vm", "sda/queue", key):
        change = {"id": key, "value": "1", "device": device}
        text = json.dumps({"changes": [change]})
        refused = stranger.refusal("Preview", "s", text)
        assert refused in {"UnknownKey", "InvalidArgument"}
    assert contents(shared.root) == before


def texts() -> st.SearchStrategy[str]:
    """Return texts that D-Bus can carry: no NUL, no surrogates."""
    letters = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])
    return st.text(letters, max_size=300)


def json_texts() -> st.SearchStrategy[str]:
    """Return JSON that is almost a request."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts()
    ids = st.sampled_from(["vm.swappiness", "block.scheduler", "cpu.dma_latency", "vm.x"])
    change = st.fixed_dictionaries(
        {"id": ids | scalars, "value": st.sampled_from(["10", "none"]) | scalars},
        optional={"device": texts(), "extra": scalars},
    )
    whole = st.fixed_dictionaries({"changes": st.lists(change | scalars, max_size=4) | scalars})
    return st.one_of(whole, scalars, st.lists(scalars)).map(json.dumps)


FUZZ = settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@FUZZ
@given(member=st.sampled_from(["Preview", "Undo", "BeginTrial", "Revert"]), text=texts())
@example(member="Preview", text='{"changes":[{"id":"vm.swappiness","value":"10"}]} ')
def test_fuzzed_texts_get_a_named_answer(shared, stranger, member, text):
    """Any text in any method: an answer or a named error, never Internal, nothing written."""
    _check_named(shared, stranger, member, text)


@FUZZ
@given(member=st.sampled_from(["Preview", "Undo", "BeginTrial"]), text=json_texts())
def test_fuzzed_json_gets_a_named_answer(shared, stranger, member, text):
    """Almost valid requests: an answer or a named error, never Internal, nothing written."""
    _check_named(shared, stranger, member, text.replace("\\u0000", ""))


def _check_named(shared, stranger, member, text):
    before = contents(shared.root)
    rest = {"BeginTrial": (30, False)}.get(member, ())
    sig = {"BeginTrial": "sib"}.get(member, "s")
    number = stranger.begin(member, sig, text, *rest)
    answer = stranger.wait(number)
    name = answer.get("error", "").rpartition(".")[2]
    assert name != "Internal"
    assert set(answer.get("text", "")) <= set(string.printable + "→")
    if name:  # the line in English, and the same as id and values
        assert str(decode(Said, answer["said"])) == answer["text"]
    assert contents(shared.root) == before


@FUZZ
@given(member=st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,30}", fullmatch=True))
def test_fuzzed_members_do_not_exist(stranger, member):
    """Only the members of the contract exist, whatever the helper's Python classes have."""
    known = {name for _interface, name, _sig in wire.methods()}
    if member not in known:
        assert stranger.refusal(member) == "InvalidArgument"


def test_a18_nothing_that_a_client_sent_is_logged(bus):
    """Refused texts are answered to their sender and do not appear in the log."""
    client = bus.client()
    bus.allow("undo")
    for text in ("\n<0>destutter-helper: forged", "\x1b[31mred", "\u202eabc", "{" + "A" * 9000):
        client.refusal("Preview", "s", text)
        client.refusal("BeginTrial", "sib", text, 30, True)
        client.refusal("Undo", "s", text)
        client.refusal("Revert", "s", text)
    lines = [line for line in bus.log().splitlines() if "destutter-helper" in line]
    assert lines
    assert all(re.fullmatch(r"<[346]>destutter-helper: [ -~]*", line) for line in lines)
    assert not any("forged" in line or "AAAA" in line or "red" in line for line in lines)


@pytest.mark.long
def test_a19_a_flood_is_answered_and_forgotten(bus):
    """Ten thousand trials asked for at once: each has a named answer, memory stays as it was."""
    client = bus.client()
    other = bus.client()
    fields = {"member": "BeginTrial", "sig": "sib", "args": [wire.swappiness(50), 30, False]}
    tally: dict[str, int] = {}
    client.ask("flood", count=100, **fields)
    before_kib = _peak_kib(bus)
    for _ in range(99):
        for name, count in client.ask("flood", count=100, **fields)["tally"].items():
            tally[name] = tally.get(name, 0) + count
    assert set(tally) <= {f"{ERROR}{name}" for name in ("Busy", "RateLimited")}
    assert _peak_kib(bus) < before_kib + 4096
    assert json.loads(other.call("GetState"))["state"] == "idle"


def _peak_kib(bus: private_bus.PrivateBus) -> int:
    assert bus.helper is not None
    status = Path(f"/proc/{bus.helper.pid}/status").read_text()
    (found,) = re.findall(r"VmHWM:\s*(\d+) kB", status)
    return int(found)


def test_a20_a_huge_message_costs_little_memory(bus):
    """A message of 8 MB in the wrong form is refused unread: far below what unpacking costs."""
    client = bus.client()
    client.call("GetState")
    before_kib = _peak_kib(bus)
    pairs = {"repeat": [["abcdefgh", "ijklmnop"]], "times": 250_000}
    assert client.refusal("Preview", "a(ss)", pairs) == "InvalidArgument"
    # The message itself is held by libdbus; a list of Python objects would take 380 MB.
    assert _peak_kib(bus) < before_kib + 40 * 1024
    client.call("GetState")


def test_descriptors_that_nobody_asked_for_are_not_kept(bus):
    """Messages that carry descriptors are refused, and the descriptors are closed."""
    client = bus.client()
    client.call("GetState")
    assert bus.helper is not None
    before = len(os.listdir(f"/proc/{bus.helper.pid}/fd"))
    for _ in range(20):
        assert client.refusal("Preview", "h", {"fd": 0}) == "InvalidArgument"
    place = f"/proc/{bus.helper.pid}/fd"  # the last ones are closed after the answer
    eventually(lambda: len(os.listdir(place)) == before)
