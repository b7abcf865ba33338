# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input, dying clients, planted files and scarce resources, on a private bus.

After every one of them the settings are as before, the answer has a name, and the helper serves
the next caller.
"""

import contextlib
import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support import wire
from tests.support.bus_kit import Refused, eventually
from tests.support.private_bus import PrivateBus

pytestmark = pytest.mark.long

DEEP = "[" * 8000
HOSTILE_JSON = {
    "deep nesting": f'{{"changes":{DEEP}',
    "deep objects": '{"changes":' * 1400,
    "closed nesting": "[" * 3000 + "]" * 3000,
    "a huge number": f'{{"changes":[{{"id":"vm.swappiness","value":{"9" * 9000}}}]}}',
    "a huge text": f'{{"changes":[{{"id":"vm.swappiness","value":"{"9" * 9000}"}}]}}',
    "not a number": '{"changes":[{"id":"vm.swappiness","value":NaN}]}',
    "infinity": '{"changes":[{"id":"vm.swappiness","value":-Infinity}]}',
    "a float": '{"changes":[{"id":"vm.swappiness","value":1e1}]}',
    "a key twice": '{"changes":[],"changes":[{"id":"vm.swappiness","value":"10"}]}',
    "an inner key twice": '{"changes":[{"id":"vm.swappiness","value":"1","value":"2"}]}',
    "half a character": '{"changes":[{"id":"vm.swappiness\\ud800","value":"10"}]}',
    "half a character as value": '{"changes":[{"id":"vm.swappiness","value":"\\udfff"}]}',
    "a zero character": '{"changes":[{"id":"vm.swappiness\\u0000","value":"10"}]}',
    "digits of another script": '{"changes":[{"id":"vm.swappiness","value":"\\u0661"}]}',
    "a line break": '{"changes":[{"id":"vm.swappiness","value":"10\\n"}]}',
    "a device that is a path": '{"changes":[{"id":"block.scheduler","device":"../sda",'
    '"value":"none"}]}',
    "a device that is the directory above": '{"changes":[{"id":"block.scheduler","device":"..",'
    '"value":"none"}]}',
    "a device that is here": '{"changes":[{"id":"block.scheduler","device":".","value":"none"}]}',
    "nothing": '{"changes":[]}',
    "an unknown key": '{"changes":[{"id":"vm.swappiness","value":"10","path":"/etc/passwd"}]}',
    "a list": "[]",
    "no text": "",
    "a byte order mark": '\ufeff{"changes":[]}',
}


def settings(tree: Path) -> dict[str, str]:
    """Everything in the scratch tree that stands for the kernel."""
    return {
        str(path): path.read_text().strip()
        for base in ("proc", "sys")
        for path in sorted((tree / base).rglob("*"))
        if path.is_file()
    }


def state_of(client: Any) -> str:
    """The helper's state, asked by a client."""
    return str(json.loads(client.call("GetState"))["state"])


@pytest.mark.parametrize("name", HOSTILE_JSON)
def test_hostile_json_is_named_and_changes_nothing(bus, tree, name):
    """Preview, BeginTrial and Undo refuse it by name before polkit is asked."""
    client, before = bus.client(), settings(tree)
    bus.allow("apply")
    bus.allow("undo")
    for member, sig, more in (("Preview", "s", ()), ("BeginTrial", "sib", (30, False))):
        refused = client.refusal(member, sig, HOSTILE_JSON[name], *more)
        assert refused in {"InvalidArgument", "OutOfRange", "DeviceGone", "UnknownKey"}
    undo = HOSTILE_JSON[name].replace('"changes"', '"ids"')
    if name != "nothing":  # an empty list of ids is a wish for nothing
        assert client.refusal("Undo", "s", undo) in {"InvalidArgument", "UnknownKey"}
    assert settings(tree) == before
    assert bus.questions() == []
    assert state_of(client) == "idle"


def test_sixty_five_changes_are_refused_and_the_number_is_said(bus, tree):
    """One more than a set may have."""
    client, before = bus.client(), settings(tree)
    text = json.dumps({"changes": [{"id": "vm.swappiness", "value": str(n)} for n in range(65)]})
    with pytest.raises(Refused, match="1 to 64, not 65") as refused:
        client.call("BeginTrial", "sib", text, 30, False)
    assert refused.value.name.endswith("InvalidArgument")
    assert settings(tree) == before


@pytest.mark.parametrize("mode", ["yes", "ask", "hang"])
@pytest.mark.parametrize("delay_s", [0.0, 0.002, 0.01, 0.05])
def test_f17_a_client_that_dies_at_any_moment_leaves_nothing(bus, tree, mode, delay_s):
    """Killed while polkit thinks, while values are written, or after: all is as before."""
    bus.allow("apply", mode)
    client, other, before = bus.client(), bus.client(), settings(tree)
    client.begin("BeginTrial", "sib", wire.swappiness(10), 30, True)
    time.sleep(delay_s)  # on purpose: the moment at which it dies
    os.kill(client.pid, signal.SIGKILL)
    eventually(lambda: state_of(other) == "idle")
    eventually(lambda: settings(tree) == before)
    bus.allow("apply")
    txid, _hold = other.call("BeginTrial", "sib", wire.swappiness(11), 30, False)
    other.call("Revert", "s", txid)
    assert settings(tree) == before


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name
)
def test_a_signal_that_asks_to_stop_takes_the_trial_back(bus, tree, number):
    """systemd restarts nobody who was stopped by one of these, so the trial ends before."""
    bus.allow("apply")
    client, before = bus.client(), settings(tree)
    client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
    assert settings(tree) != before
    bus.helper.send_signal(number)
    assert bus.helper.wait(10) == 0
    assert settings(tree) == before


def test_without_free_descriptors_nothing_is_changed(bus, tree):
    """With room for none, one, two ... more files: a whole trial with its deadline, or none."""
    bus.allow("apply")
    client, before = bus.client(), settings(tree)
    pid = bus.helper.pid
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    used = max(int(name) for name in os.listdir(f"/proc/{pid}/fd")) + 1
    answers = []
    for spare in range(9):
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + spare, limits[1]))
        number = client.begin("BeginTrial", "sib", wire.swappiness(10), 30, False)
        answer = client.wait(number)
        answers.append(answer.get("error", "done"))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        if "error" not in answer:
            client.call("Revert", "s", answer["values"][0])
        assert state_of(client) == "idle"
        assert settings(tree) == before, spare
    assert answers[0] != "done"
    # Not the last one: descriptors that other processes of root have under way count against the
    # same limit (ETOOMANYREFS, unix(7)), as those of a test beside this one.
    assert "done" in answers


def test_a20_descriptors_that_nobody_asked_for_are_closed(bus):
    """A thousand calls, each with eight files that its method does not take."""
    client = bus.client()
    place = f"/proc/{bus.helper.pid}/fd"
    state_of(client)
    before = len(os.listdir(place))
    flood = {"member": "GetState", "sig": "hhhhhhhh", "args": [{"fd": 0}] * 8}
    for _ in range(10):  # more at once would not pass the bus
        answer = client.ask("flood", count=100, **flood)
        assert answer["tally"] == {"io.github.destutter.Helper1.Error.InvalidArgument": 100}
    eventually(lambda: len(os.listdir(place)) == before)


def test_a_log_that_nobody_reads_stops_nothing(quiet_bus, tree):
    """The pipe behind stderr is broken: trials begin, end and are answered all the same."""
    bus = quiet_bus
    ours, theirs = os.pipe()
    with _helper_with_log(bus, theirs) as helper:
        os.close(theirs)
        os.close(ours)
        bus.allow("apply")
        client, before = bus.client(), settings(tree)
        txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
        assert settings(tree) != before
        client.call("Revert", "s", txid)
        assert settings(tree) == before
        helper.terminate()


def test_f37_a_log_that_is_full_stops_nothing(quiet_bus, tree):
    """The reader of stderr sleeps, its pipe is full: a trial ends, is told, and so is SIGTERM."""
    bus = quiet_bus
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(theirs, bytes(4096))
    os.set_blocking(theirs, True)
    with _helper_with_log(bus, theirs) as helper:
        bus.allow("apply")
        client, before = bus.client(), settings(tree)
        txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
        client.call("Revert", "s", txid)
        assert settings(tree) == before
        helper.terminate()
        assert helper.wait(10) == 0
    os.close(theirs)
    os.close(ours)


def _helper_with_log(bus: PrivateBus, log: int) -> subprocess.Popen[bytes]:
    """The helper, started by hand with another stderr; a process that ends with its block."""
    command = ["/usr/bin/python3", "-IS", str(bus.program), "--root", str(bus.root)]
    process = subprocess.Popen([*command, "--bus", bus.address], stderr=log)
    watcher = bus.client()
    driver = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
    name = "io.github.destutter.Helper1"
    eventually(lambda: watcher.call("NameHasOwner", "s", name, **driver))
    return process


def _plant(place: Path, kind: str, target: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if kind == "link":
        place.symlink_to(target)
    elif kind == "second name":
        place.hardlink_to(target)
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "directory":
        place.mkdir()
    else:
        place.write_bytes(b'{"min_reader":1,"phase":"restoring","entries":[{"cell":"x"}]}')


@pytest.mark.parametrize("kind", ["link", "second name", "pipe", "directory", "text"])
@pytest.mark.parametrize(
    "name", ["journal.json", "journal.json.new", "journal.prev.json", "history.jsonl"]
)
def test_a10_what_is_planted_among_our_files_is_neither_followed_nor_believed(
    quiet_bus, tree, tmp_path, kind, name
):
    """Whatever lies in place of a file: its target stays, no setting moves, nobody waits."""
    target, before = tmp_path / "secret", settings(tree)
    target.write_text("secret")
    _plant(tree / "var/lib/destutter" / name, kind, target)
    quiet_bus.allow("apply")
    quiet_bus.allow("undo")
    quiet_bus.start_helper()
    client = quiet_bus.client()
    assert settings(tree) == before
    answer = client.wait(client.begin("BeginTrial", "sib", wire.swappiness(10), 30, False))
    if "error" in answer:
        assert answer["error"].endswith("JournalUnavailable"), answer
    else:
        client.call("Revert", "s", answer["values"][0])
    if name == "history.jsonl" and kind in {"link", "directory"}:
        assert client.refusal("GetReport") == "JournalUnavailable"  # and not an empty history
    else:
        client.call("GetReport")
    if "error" in answer and name != "journal.json.new":  # nor is it known what was changed
        for _turn in range(2):  # and not after somebody has asked for it either
            assert client.refusal("Undo", "s", "{}") == "JournalUnavailable"
    else:
        assert client.call("Undo", "s", "{}") == '{"results":[]}'
    assert settings(tree) == before
    assert target.read_text() == "secret"
