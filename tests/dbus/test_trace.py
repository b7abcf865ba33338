# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces on the bus: what is asked, what is handed over, what ends them; tracefs is played."""

import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from destutter_helper.api.tracing import (
    GRANTS_PER_MINUTE_MAX,
    INSTANCES,
    decode_formats,
    encode_pids,
)
from tests.support import fake_tracefs, private_bus, scratch_tree
from tests.support.bus_kit import eventually
from tests.support.sampled import sampled

GAME, EXPERT = '{"game":true}', '{"game":true,"expert":true}'
NAMES = {"InvalidArgument", "TooLarge", "RateLimited"}
# Texts that D-Bus can carry: no NUL, no surrogates.
TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=60)


@pytest.fixture
def tree(tmp_path):
    """A scratch tree with a tracefs of 20 processors."""
    root = scratch_tree.build(tmp_path / "tree")
    fake_tracefs.build(root, cpus=20)
    return root


@pytest.fixture
def granted(bus):
    """The bus with polkit granting a trace without a dialog."""
    bus.allow("trace")
    return bus


@pytest.fixture(scope="module")
def shared(program, tmp_path_factory):
    """One helper for all examples of a property test, with a trace of the client's own."""
    directory = tmp_path_factory.mktemp("shared")
    root = scratch_tree.build(directory / "tree")
    fake_tracefs.build(root)
    with private_bus.PrivateBus(program, directory, root) as bus:
        bus.start_helper()
        bus.allow("trace")
        client = bus.client()
        yield client, begin(client)[0]


def begin(client, options=GAME):
    id_, formats, hold = client.call("BeginTrace", "sb", options, False)
    return id_, decode_formats(formats), hold["fd"]


def instances(bus):
    return sorted(path.name for path in (bus.root / fake_tracefs.TRACING / "instances").iterdir())


def names_of(*ids):
    return sorted(f"destutter-{id_}-{kind}" for id_ in ids for kind in INSTANCES)


def test_a_trace_hands_over_all_rings_in_portions(granted):
    """20 processors, three instances: 16 at a time, then none; the bus disconnects nobody."""
    client = granted.client()
    id_, formats, _hold = begin(client)
    assert formats.cpus == tuple(range(20))
    assert instances(granted) == names_of(id_)
    lent = [client.call("TraceFiles", "su", id_, first) for first in (0, 16, 32, 48, 60)]
    assert [len(portion) for portion in lent] == [16, 16, 16, 12, 0]
    for ring in lent[3]:
        assert client.ask("read", fd=ring["fd"], size=4096)["count"] == 0
    assert granted.helper.poll() is None


def test_a59_a_call_path_is_an_experts_and_its_owners(granted):
    """Another action is asked for; a question of another form, and somebody else, are refused."""
    owner, other = granted.client(), granted.client()
    sleep = json.dumps({"thread": os.getpid(), "begin_ns": 5})
    id_, _formats, _hold = begin(owner)
    assert owner.refusal("TracePath", "ss", id_, sleep) == "Unsupported"
    owner.call("EndTrace", "s", id_)
    assert owner.refusal("BeginTrace", "sb", EXPERT, False) == "NotAuthorized"
    granted.allow("trace-expert")
    id_, formats, _hold = begin(owner, EXPERT)
    assert granted.questions()[-1]["action"] == "io.github.destutter.trace-expert"
    assert "paths" not in formats.instances
    assert owner.refusal("TracePath", "ss", id_, '{"thread":1}') == "InvalidArgument"
    assert other.refusal("TracePath", "ss", id_, sleep) == "NotOwner"
    assert owner.refusal("TracePath", "ss", id_, sleep) == "Refused"  # nothing is recorded here


def test_the_helper_keeps_no_copy_of_what_it_lends(granted):
    """One would keep the instance from being removed."""
    client = granted.client()
    id_, _formats, _hold = begin(client)
    client.call("TraceFiles", "su", id_, 0)
    fds = Path(f"/proc/{granted.helper.pid}/fd")

    def lent():
        for descriptor in fds.iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed just now
                yield os.readlink(descriptor)

    eventually(lambda: not any("trace_pipe_raw" in link for link in lent()))


def test_polkit_is_asked_for_it_and_its_no_counts(bus):
    """The action of its own; a permission for trials is none for traces."""
    bus.allow("apply")
    client = bus.client()
    assert client.refusal("BeginTrace", "sb", GAME, False) == "NotAuthorized"
    (question,) = bus.questions()
    assert question["action"] == "io.github.destutter.trace"
    assert instances(bus) == []


def test_a50_a_trace_is_its_connections_own(granted):
    """Another connection, of the same user even, gets nothing of it, and cannot end it."""
    client, other = granted.client(), granted.client()
    id_, _formats, _hold = begin(client)
    calls = (("TraceFiles", "su", 0), ("SetTraceTasks", "ss", "[]"), ("EndTrace", "s"))
    for member, sig, *more in calls:
        assert other.refusal(member, sig, id_, *more) == "NotOwner"
        assert client.refusal(member, sig, "0" * 32, *more) == "NoSuchTransaction"
    assert instances(granted) == names_of(id_)
    assert client.call("EndTrace", "s", id_) == []
    assert instances(granted) == []


def test_a47_only_own_processes_can_be_watched(granted, tree):
    """A list with one of another user is refused as a whole, and says which."""
    client, own = granted.client(), os.getuid()
    fake_tracefs.add_process(tree, 600, own, threads=(601,))
    fake_tracefs.add_process(tree, 700, own + 1)
    id_, _formats, _hold = begin(client)
    listed = tree / fake_tracefs.TRACING / f"instances/destutter-{id_}-game/set_event_pid"
    client.call("SetTraceTasks", "ss", id_, encode_pids((600,)))
    assert listed.read_text().split()[-2:] == ["600", "601"]
    assert client.refusal("SetTraceTasks", "ss", id_, "[600,700]") == "NotAuthorized"
    assert listed.read_text().split()[-2:] == ["600", "601"]


def test_f74_a_user_has_one_trace(granted):
    """The second is Busy, also from another connection; after the end there is a next one."""
    client, other = granted.client(), granted.client()
    id_, _formats, _hold = begin(client)
    assert client.refusal("BeginTrace", "sb", GAME, False) == "Busy"
    assert other.refusal("BeginTrace", "sb", "{}", False) == "Busy"
    client.call("EndTrace", "s", id_)
    begin(other, "{}")


@pytest.mark.long
def test_a51_a_flood_of_traces_is_slowed_down(granted):
    """Begun and ended as fast as it goes: ten in a minute, and nothing is left of them."""
    client = granted.client()
    for _ in range(GRANTS_PER_MINUTE_MAX):
        client.call("EndTrace", "s", begin(client, "{}")[0])
    assert client.refusal("BeginTrace", "sb", "{}", False) == "RateLimited"
    assert instances(granted) == []


def test_a51_a_thousand_at_once_are_one(granted):
    """One of them is granted, the others are told, and the helper serves on."""
    client = granted.client()
    fields = {"member": "BeginTrace", "sig": "sb", "args": [GAME, False]}
    tallies = [client.ask("flood", count=100, **fields)["tally"] for _ in range(10)]
    assert sum(tally.pop("ok", 0) for tally in tallies) == 1
    names = {name.rpartition(".")[2] for tally in tallies for name in tally}
    assert names <= {"Busy", "RateLimited"}
    assert len(instances(granted)) == len(INSTANCES)
    assert json.loads(client.call("GetState"))["state"] == "idle"


@pytest.mark.parametrize("way", sampled(["kill", "disconnect", "hold"], ["hold"]))
def test_f71_it_ends_with_its_caller(granted, way):
    """Killed, off the bus, or its descriptor closed: nothing is left."""
    client = granted.client()
    _id, _formats, hold = begin(client)
    if way == "kill":
        client.kill(signal.SIGKILL)
    elif way == "disconnect":
        client.ask("disconnect")
    else:
        client.ask("close", fd=hold)
    eventually(lambda: instances(granted) == [])
    begin(granted.client())


def test_f70_a_start_removes_what_a_killed_helper_left(granted):
    """kill -9 in a trace: the next helper clears it, and the old id is nobody's."""
    client = granted.client()
    id_, _formats, _hold = begin(client)
    granted.kill_all()
    assert instances(granted) == names_of(id_)
    granted.start_helper()
    assert client.refusal("TraceFiles", "su", id_, 0) == "NoSuchTransaction"
    assert instances(granted) == []


def test_it_ends_when_the_helper_is_stopped(granted):
    """SIGTERM, as at the removal of the package."""
    begin(granted.client())
    granted.helper.send_signal(signal.SIGTERM)
    assert granted.helper.wait(10) == 0
    assert instances(granted) == []


@pytest.mark.slow
def test_f31_the_helper_stays_for_a_trace_and_leaves_after_it(quiet_bus):
    """An idle exit would end it."""
    quiet_bus.start_helper("--idle-ms", "700")
    quiet_bus.allow("trace")
    client = quiet_bus.client()
    id_, _formats, _hold = begin(client)
    with pytest.raises(subprocess.TimeoutExpired):
        quiet_bus.helper.wait(1.6)
    client.call("EndTrace", "s", id_)
    assert quiet_bus.helper.wait(10) == 0


def test_f73_a_computer_without_tracefs_answers_in_words(granted, tree):
    """Unsupported, before polkit is asked, and the helper goes on."""
    (tree / fake_tracefs.TRACING).rename(tree / "elsewhere")
    client = granted.client()
    assert client.refusal("BeginTrace", "sb", "{}", False) == "Unsupported"
    assert granted.questions() == []
    assert json.loads(client.call("GetState"))["state"] == "idle"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS | st.lists(st.integers(-3, 2**40), max_size=4).map(json.dumps))
def test_a52_any_text_gets_a_named_answer(shared, text):
    """Options and lists of anything: an error of the contract, or what it says is done."""
    client, id_ = shared
    refused = client.refusal("BeginTrace", "sb", text, False)
    assert refused in {"Busy", *NAMES}  # its user has one already
    answer = client.wait(client.begin("SetTraceTasks", "ss", id_, text))
    name = answer.get("error", "").rpartition(".")[2]
    assert name in {"", "Refused", "NotAuthorized", *NAMES}


@pytest.mark.parametrize("member", ["BeginTrace", "SetTraceTasks"])
@pytest.mark.parametrize("text", ["[" * 8000, '{"game":' * 1400, "x" * 16385, "[" + "1," * 8000])
def test_a52_oversized_texts_are_refused(shared, member, text):
    """Deep, long, and longer than the gate lets through."""
    client, id_ = shared
    more = (text, False) if member == "BeginTrace" else (id_, text)
    sig = "sb" if member == "BeginTrace" else "ss"
    assert client.refusal(member, sig, *more) in NAMES
