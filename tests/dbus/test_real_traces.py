# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of the installed helper: real bus, real polkitd, the kernel's own tracefs.

The kit has process numbers of its own, which the kernel's lists do not know: what is seen of whom
is tried in tests/kernel/helper/test_real_traces.py.
"""

import json
import re
import signal

import pytest

from destutter_helper.api.tracing import INSTANCES, decode_formats
from tests.dbus.test_window import Window
from tests.support.bus_kit import CHECKOUT, eventually

GAME = '{"game":true}'
PLACE = "/sys/kernel/tracing"
INSTALLER = f"{CHECKOUT}/packaging/system/install-helper"
PROGRAM = "/usr/libexec/destutter/destutter-helper"


@pytest.fixture
def traced(kit):
    """The kit, with a tracefs in its own mounts; no instance of ours is left in it."""
    kit.shell(f"mountpoint -q {PLACE} || mount -t tracefs tracefs {PLACE}")
    yield kit
    kit.reset()
    assert instances(kit) == []


def instances(kit):
    return kit.shell(f"ls {PLACE}/instances | grep ^destutter- || true").split()


def begin(client, options=GAME, *, interactive=False):
    id_, formats, hold = client.call("BeginTrace", "sb", options, interactive)
    return id_, decode_formats(formats), hold["fd"]


def rings(client, id_):
    return [ring["fd"] for ring in client.call("TraceFiles", "su", id_, 0)]


def look(kit, id_, kind, name):
    return kit.shell(f"cat {PLACE}/instances/destutter-{id_}-{kind}/{name}").strip()


def test_a_trace_of_the_installed_helper(traced):
    """All of it by a helper without a right more than before: set up, lent, ended."""
    alice = traced.client("alice")
    id_, formats, _hold = begin(alice)
    status = traced.shell(f"cat /proc/{traced.helper_pid()}/status")
    assert re.search(r"CapEff:\s*0*800000\n", status)  # CAP_SYS_NICE, as before
    assert re.search(r"NoNewPrivs:\s*1", status)
    assert look(traced, id_, "drives", "events/block/block_rq_issue/enable") == "1"
    assert look(traced, id_, "waits", "options/disable_on_free") == "1"
    lent = rings(alice, id_)
    assert len(lent) == len(formats.instances) * len(formats.cpus)
    for ring in lent:
        answer = alice.ask("read", fd=ring, size=formats.page.size)
        assert answer.get("errno", 11) == 11
        alice.ask("close", fd=ring)
    alice.call("EndTrace", "s", id_)
    assert instances(traced) == []


def test_a16_the_dialog_says_what_will_be_seen_of_whom_and_for_how_long(traced):
    """Our own sentence, and nothing that a client wrote."""
    dave = traced.client("dave")
    traced.play_human(dave, "no")
    assert dave.refusal("BeginTrace", "sb", GAME, True) == "NotAuthorized"
    (dialog,) = traced.dialogs()
    assert dialog["action"] == "io.github.destutter.trace"
    for words in ("at most four hours", "all users' programs and threads", "no contents"):
        assert words in dialog["message"]
    assert instances(traced) == []


def test_a17_a_password_for_a_trial_is_none_for_a_trace(traced):
    """And the other way round: each has its own dialog."""
    dave = traced.client("dave")
    traced.play_human(dave, "yes")
    id_, _formats, _hold = begin(dave, interactive=True)
    dave.call("EndTrace", "s", id_)
    change = '{"changes":[{"id":"vm.swappiness","value":"10"}]}'
    assert dave.refusal("BeginTrial", "sib", change, 60, False) == "NotAuthorized"
    assert len(traced.dialogs()) == 1


def test_a47_other_peoples_processes(traced):
    """alice names her own process, then bob's, the helper's, and one that is not there."""
    alice, bob = traced.client("alice"), traced.client("bob")
    id_, _formats, _hold = begin(alice)
    alice.call("SetTraceTasks", "ss", id_, f"[{alice.pid}]")
    listed = look(traced, id_, "game", "set_event_pid")
    assert str(alice.pid) in listed.split()
    for pid in (bob.pid, traced.helper_pid(), 1):
        refused = alice.refusal("SetTraceTasks", "ss", id_, f"[{alice.pid},{pid}]")
        assert refused == "NotAuthorized"
    assert alice.refusal("SetTraceTasks", "ss", id_, "[4194304]") == "Refused"
    assert look(traced, id_, "game", "set_event_pid") == listed


def test_a50_another_user_gets_nothing_of_a_trace(traced):
    """bob knows the id: no descriptor, no list, no end."""
    alice, bob = traced.client("alice"), traced.client("bob")
    id_, _formats, _hold = begin(alice)
    for member, sig, *more in (
        ("TraceFiles", "su", 0),
        ("SetTraceTasks", "ss", f"[{bob.pid}]"),
        ("EndTrace", "s"),
    ):
        assert bob.refusal(member, sig, id_, *more) == "NotOwner"
    assert len(instances(traced)) == len(INSTANCES)


def test_f74_two_users_at_once_and_not_three(traced):
    """Rings of their own; the third is told Busy, and has its turn when one has ended."""
    alice, root, dave = traced.client("alice"), traced.client("root"), traced.client("dave")
    first, _formats, _hold = begin(alice)
    second, _formats, _hold = begin(root, "{}")
    assert dave.refusal("BeginTrace", "sb", GAME, True) == "Busy"
    assert traced.client("alice").refusal("BeginTrace", "sb", GAME, False) == "Busy"
    assert set(instances(traced)) == {
        *(f"destutter-{first}-{kind}" for kind in INSTANCES),
        *(f"destutter-{second}-{kind}" for kind in INSTANCES[:-1]),
    }
    alice.call("EndTrace", "s", first)
    traced.play_human(dave, "yes")
    begin(dave, "{}", interactive=True)


@pytest.mark.parametrize("way", ["kill", "hold"])
def test_f71_it_ends_with_its_caller(traced, way):
    """Killed with its descriptors, or its hold closed: nothing is left."""
    alice = traced.client("alice")
    id_, _formats, hold = begin(alice)
    rings(alice, id_)
    if way == "kill":
        alice.kill(signal.SIGKILL)
        eventually(lambda: instances(traced) == [])
        return
    alice.ask("close", fd=hold)
    waits = f"{PLACE}/instances/destutter-{id_}-waits/tracing_on"
    eventually(lambda: traced.shell(f"cat {waits}").strip() == "0")  # alice keeps her rings


def test_f70_a_killed_helper_records_nothing_more(traced):
    """kill -9 of both processes: stopped by the kernel, cleared by the next start."""
    alice = traced.client("alice")
    id_, _formats, _hold = begin(alice)
    lent = rings(alice, id_)
    traced.kill_all()
    assert look(traced, id_, "waits", "tracing_on") == "0"
    assert look(traced, id_, "game", "tracing_on") == "0"
    for ring in lent:
        alice.ask("close", fd=ring)
    assert alice.refusal("EndTrace", "s", id_) == "NoSuchTransaction"
    assert instances(traced) == []


@pytest.mark.parametrize("keeps", [False, True])
def test_f75_the_package_is_removed_during_a_trace(traced, keeps):
    """Ended and gone; what somebody keeps open is stopped, and does not stop the removal."""
    alice = traced.client("alice")
    id_, _formats, _hold = begin(alice)
    lent = rings(alice, id_) if keeps else []
    try:
        traced.shell(f"{INSTALLER} uninstall")
        assert len(instances(traced)) == (len(INSTANCES) if keeps else 0)
        if keeps:
            assert look(traced, id_, "waits", "tracing_on") == "0"
            assert look(traced, id_, "waits", "set_event") == ""
    finally:
        traced.shell(f"{INSTALLER} install")
    for ring in lent:
        alice.ask("close", fd=ring)
    assert json.loads(alice.call("GetState"))["state"] == "idle"
    assert instances(traced) == []


def test_f75_the_run_for_a_removal_clears_what_a_kill_left(traced):
    """--undo-all, as the packages call it, without a bus."""
    begin(traced.client("alice"))
    traced.kill_all()
    assert len(instances(traced)) == len(INSTANCES)
    traced.shell(f"{PROGRAM} --undo-all --no-dbus")
    assert instances(traced) == []


def test_f73_a_read_only_tracefs(traced):
    """Named, in words, and nothing is left; the helper serves on."""
    traced.shell(f"mount --bind {PLACE} {PLACE} && mount -o remount,bind,ro {PLACE}")
    try:
        alice = traced.client("alice")
        assert alice.refusal("BeginTrace", "sb", GAME, False) == "Refused"
        assert json.loads(alice.call("GetState"))["state"] == "idle"
        traced.kill_helper(signal.SIGTERM)
    finally:
        traced.shell(f"umount {PLACE}")


def test_the_window_looks_closer_until_somebody_ends_it(traced):
    """Offered beside stutters, asked for by a click, read, ended by a click, by root, by closing;
    nothing is left of any of them."""
    window = Window(traced, "alice")
    window.peer.ask("stutter", scene="stuttering")
    window.click("Show the cause")
    window.peer.ask("measure")

    def told(holds):
        return window.until(holds, "look_at_trace")

    for ending in ("Stop", "root", "closing"):
        window.click("Try again" if ending == "closing" else "Look closer")
        before = told(lambda seen: seen["said"].startswith("Looking closer"))["looks"]
        told(lambda seen, before=before: seen["looks"] > before + 1)
        assert len(instances(traced)) == len(INSTANCES)
        if ending == "Stop":
            window.click("Stop")
            told(lambda seen: seen["link"] == "Look closer")
        elif ending == "root":
            traced.kill_helper(signal.SIGTERM)
            told(lambda seen: "the helper has ended the trace" in seen["said"].lower())
        else:
            window.peer.close()
        if ending != "root":  # then the next start clears what the window still held
            eventually(lambda: instances(traced) == [])


def test_the_window_says_why_it_may_not(traced):
    """bob is refused: in words, and it can be tried again."""
    window = Window(traced, "bob")
    window.peer.ask("stutter", scene="stuttering")
    window.click("Show the cause")
    window.click("Look closer")
    seen = window.until(lambda seen: seen["link"] == "Try again", "look_at_trace")
    assert seen["said"]
    assert instances(traced) == []
