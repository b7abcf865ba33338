# SPDX-License-Identifier: GPL-3.0-or-later
"""How polkit is asked, with a scripted polkit that remembers every question."""

import json
import re
import time

import pytest

from tests.support import scratch_tree, wire
from tests.support.bus_kit import Refused, eventually

DIALOG = 1


def begin(client, *, interactive=False, **options):
    return client.begin("BeginTrial", "sib", wire.swappiness(10), 30, interactive, **options)


def test_the_subject_is_the_connection(bus):
    """polkit is asked about the unique bus name of the sender, and about nothing else."""
    client = bus.client()
    client.refusal("Undo", "s", "{}")
    (question,) = bus.questions()
    assert question["kind"] == "system-bus-name"
    assert question["subject"] == {"name": client.name}


def test_a16_the_dialog_has_our_own_words(bus):
    """The only detail is a summary of labels and numbers, without markup, of bounded length."""
    client = bus.client()
    client.refusal("BeginTrial", "sib", wire.swappiness(10), 30, False)
    (question,) = bus.questions()
    text = "swappiness 60 → 10"
    assert question["details"] == {"summary": text, "settings": text}


def test_a16_many_changes_make_a_bounded_text(bus):
    """A large set is summed up within 200 harmless characters."""
    names = ["swappiness", "page-cluster", "vfs_cache_pressure", "watermark_scale_factor"]
    names += ["watermark_boost_factor", "compaction_proactiveness", "dirty_writeback_centisecs"]
    entries = [{"id": f"vm.{name}", "value": "100"} for name in names[2:]]
    client = bus.client()
    client.refusal("BeginTrial", "sib", json.dumps({"changes": entries}), 30, False)
    (question,) = bus.questions()
    assert re.fullmatch(r"[A-Za-z0-9 .,:/()→%-]{1,200}", question["details"]["summary"])


def test_nobody_is_asked_for_a_password_unless_the_caller_allows_it(bus):
    """A silent question comes first; without permission for a dialog it ends there."""
    bus.allow("apply", "ask")
    client = bus.client()
    with pytest.raises(Refused, match="NotAuthorized: a password is needed"):
        client.result(begin(client))
    assert [question["flags"] for question in bus.questions()] == [0]


@pytest.mark.parametrize("way", [{"interactive": True}, {"flag": True}])
def test_a_dialog_opens_when_the_caller_allows_it(bus, way):
    """The argument and the flag of D-Bus both allow the second question, which may ask."""
    bus.allow("apply", "ask")
    client = bus.client()
    client.result(begin(client, **way))
    assert [question["flags"] for question in bus.questions()] == [0, DIALOG, 0]
    assert scratch_tree.value(bus.root, "vm/swappiness") == "10"


def test_a_closed_dialog_is_dismissed_not_refused(bus):
    """The caller can tell "the user changed their mind" from "may not"."""
    bus.allow("apply", "dismiss")
    client = bus.client()
    assert client.refusal("BeginTrial", "sib", wire.swappiness(10), 30, True) == "Dismissed"


@pytest.mark.parametrize("mode", ["no", "error"])
def test_a06_every_doubt_is_a_no(bus, mode):
    """A refusal and a failure of polkit both stop the call before anything is written."""
    for action in ("apply", "undo"):
        bus.allow(action, mode)
    client = bus.client()
    for member, sig in (("BeginTrial", "sib"), ("Undo", "s")):
        arguments = wire.valid_arguments(member)
        assert client.refusal(member, sig, *arguments) == "NotAuthorized"
    assert scratch_tree.value(bus.root, "vm/swappiness") == "60"


def test_a06_without_polkit_nothing_is_allowed(bus):
    """When polkit is not there at all, the answer is no; reading goes on."""
    client = bus.client()
    bus.polkit.close()
    driver = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
    polkit = "org.freedesktop.PolicyKit1"
    eventually(lambda: not client.call("NameHasOwner", "s", polkit, **driver))
    assert client.refusal("BeginTrial", "sib", wire.swappiness(10), 30, True) == "NotAuthorized"
    assert json.loads(client.call("GetState"))["state"] == "idle"


def test_f30_own_trial_can_be_reverted_without_polkit(bus):
    """The way back of a trial's owner does not lead past polkit."""
    bus.allow("apply")
    client = bus.client()
    txid, _hold = client.result(begin(client))
    bus.polkit.close()
    client.call("Revert", "s", txid)
    assert scratch_tree.value(bus.root, "vm/swappiness") == "60"


def test_a21_an_open_dialog_holds_up_nobody(bus):
    """While one question hangs, others read, undo and are answered."""
    bus.allow("apply", "hang")
    bus.allow("undo")
    waiting, other = bus.client(), bus.client()
    number = begin(waiting, interactive=True)
    eventually(bus.questions)
    assert json.loads(other.call("GetState"))["state"] == "idle"
    assert wire.outcomes(other.call("Undo", "s", "{}")) == {}
    assert not waiting.has_answer(number)
    bus.polkit.ask("answer", mode="yes")
    waiting.result(number)
    assert scratch_tree.value(bus.root, "vm/swappiness") == "10"


def test_a21_a_caller_who_leaves_closes_the_dialog(bus):
    """The question is withdrawn, and a late yes of polkit starts nothing."""
    bus.allow("apply", "hang")
    waiting, other = bus.client(), bus.client()
    begin(waiting, interactive=True)
    (question,) = eventually(bus.questions)
    waiting.close()
    cancelled = eventually(lambda: bus.polkit.ask("questions")["cancelled"])
    assert cancelled == [question["cancellation"]]
    assert json.loads(other.call("GetState"))["state"] == "idle"
    assert scratch_tree.value(bus.root, "vm/swappiness") == "60"


def test_a_late_yes_does_not_touch_a_newer_trial(bus):
    """A revert that waited for polkit finds its trial gone, and the next one stays watched."""
    bus.allow("apply")
    bus.allow("undo", "hang")
    owner, other = bus.client(), bus.client()
    first, _hold = owner.result(begin(owner))
    late = other.begin("Revert", "s", first)
    eventually(lambda: len(bus.questions()) == 2)
    owner.call("Revert", "s", first)
    _second, hold = owner.result(begin(owner))
    bus.polkit.ask("answer", mode="yes")
    with pytest.raises(Refused, match="NoSuchTransaction"):
        other.result(late)
    assert scratch_tree.value(bus.root, "vm/swappiness") == "10"
    owner.ask("close", fd=hold["fd"])
    eventually(lambda: scratch_tree.value(bus.root, "vm/swappiness") == "60")


def typed(bus, client):
    """Begin a trial for which somebody types a password."""
    before = len(bus.questions())
    number = begin(client, interactive=True)
    eventually(lambda: len(bus.questions()) == before + 3)
    bus.polkit.ask("answer", mode="yes")
    return client.result(number)


def kept_for_every_start(bus, client, txid):
    """Keep it; the actions that polkit was asked for that."""
    before = len(bus.questions())
    client.call("Keep", "ssb", txid, "always", True)
    return [question["action"].rpartition(".")[2] for question in bus.questions()[before:]]


def test_a17_one_password_is_enough_for_trying_and_keeping(bus):
    """It was typed for exactly this set, and the dialog said that it may be kept."""
    bus.allow("apply", "type")
    bus.allow("persist", "ask")
    client = bus.client()
    txid, _hold = typed(bus, client)
    assert kept_for_every_start(bus, client, txid) == ["persist"]
    assert bus.questions()[-1]["flags"] == 0  # no dialog


def test_one_password_is_enough_where_polkit_remembers_none(bus):
    """Over ssh each question of polkit's is a dialog; the trial's was for keeping as well."""
    bus.allow("apply", "type")
    client = bus.client()
    txid, _hold = typed(bus, client)
    before = len(bus.questions())
    client.call("Keep", "ssb", txid, "restart", True)
    (question,) = bus.questions()[before:]
    assert question["action"].endswith(".apply")
    assert question["flags"] == 0


def test_a17_a_rule_that_forbids_keeping_holds_after_a_typed_password(bus):
    """The administrator who lets players try may still say that nothing is kept."""
    bus.allow("apply", "type")
    bus.allow("persist", "no")
    client = bus.client()
    txid, _hold = typed(bus, client)
    assert client.refusal("Keep", "ssb", txid, "always", True) == "NotAuthorized"
    assert json.loads(client.call("GetState"))["state"] == "trial"


def test_a17_a_remembered_password_does_not_keep(bus):
    """The second set of the same minutes was tried without one: keeping it needs one."""
    bus.allow("apply", "type")
    bus.allow("persist", "ask")
    client = bus.client()
    txid, _hold = typed(bus, client)
    client.call("Revert", "s", txid)
    bus.allow("apply")
    txid, _hold = client.result(begin(client))
    assert kept_for_every_start(bus, client, txid) == ["persist"] * 3


def test_a17_a_grant_that_slips_in_between_does_not_keep(bus):
    """polkit said yes at once where it had wanted a password: that one was for something else."""
    bus.allow("apply", "ask")
    bus.allow("persist", "ask")
    client = bus.client()
    txid, _hold = client.result(begin(client, interactive=True))
    assert kept_for_every_start(bus, client, txid) == ["persist"] * 3


def test_a46_a_grant_that_slips_in_before_a_busy_polkit_does_not_keep(bus):
    """How long polkit took is no sign that somebody typed: anybody can make it busy."""
    bus.allow("apply", "flooded")  # the grant for something else comes after the first question
    bus.allow("persist", "ask")
    client = bus.client()
    number = begin(client, interactive=True)
    eventually(lambda: len(bus.questions()) == 3)
    time.sleep(0.7)  # on purpose: longer than a polkit that nobody keeps busy takes
    bus.polkit.ask("answer", mode="yes")  # both, in turn
    txid, _hold = client.result(number)
    assert kept_for_every_start(bus, client, txid) == ["persist"] * 3


def test_a22_waiting_questions_are_limited(bus):
    """Nine unanswered questions of one user are one too many: Busy."""
    bus.allow("apply", "hang")
    bus.allow("undo", "hang")
    client = bus.client()
    numbers = [client.begin("Undo", "s", "{}") for _ in range(9)]
    with pytest.raises(Refused, match=r"Error\.Busy: too many requests wait"):
        client.result(numbers[-1])
    assert not any(client.has_answer(number) for number in numbers[:8])


def test_each_call_is_asked_anew(bus):
    """Nothing is remembered from one call to the next: as many questions as calls."""
    bus.allow("undo")
    client = bus.client()
    for _ in range(5):
        client.call("Undo", "s", "{}")
    assert len(bus.questions()) == 5


def test_validation_comes_before_polkit(bus):
    """Nobody types a password for a request that cannot be done."""
    bus.allow("apply", "ask")
    client = bus.client()
    client.refusal("BeginTrial", "sib", wire.swappiness(999), 30, True)
    client.refusal("BeginTrial", "sib", "{}", 30, True)
    assert bus.questions() == []


def test_a_forged_signal_ends_nobodys_trial(bus):
    """Any connection may send signals to the helper; only those of the bus itself count."""
    bus.allow("apply")
    owner, forger = bus.client(), bus.client()
    owner.result(begin(owner))
    helper = owner.call(
        "GetNameOwner",
        "s",
        "io.github.destutter.Helper1",
        dest="org.freedesktop.DBus",
        iface="org.freedesktop.DBus",
    )
    for member, sig, values in (
        ("NameOwnerChanged", "sss", [owner.name, owner.name, ""]),
        ("PrepareForSleep", "b", [False]),
    ):
        place = {"dest": helper, "path": "/org/freedesktop/DBus", "iface": "org.freedesktop.DBus"}
        forger.ask("emit", member=member, sig=sig, args=values, **place)
    assert json.loads(forger.call("GetState"))["state"] == "trial"
    assert scratch_tree.value(bus.root, "vm/swappiness") == "10"


def test_f66_the_dialog_for_keeping_closes_with_the_trial(bus):
    """Nobody types a password for what is over: the question is withdrawn, the call answered."""
    bus.allow("apply")
    bus.allow("persist", "hang")
    client = bus.client()
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    keeping = client.begin("Keep", "ssb", txid, "always", True)
    question = eventually(lambda: [one for one in bus.questions() if "persist" in str(one)])[0]
    client.call("Revert", "s", txid)
    with pytest.raises(Refused, match="NoSuchTransaction"):
        client.result(keeping)
    # The call is answered first: polkit hears of it a message later.
    eventually(lambda: question["cancellation"] in bus.polkit.ask("questions")["cancelled"])
    assert scratch_tree.value(bus.root, "vm/swappiness") == "60"


def test_f66_the_dialog_of_somebody_elses_revert_closes_with_the_trial(bus):
    """It would ask for an administrator's password, for minutes, to end what is over."""
    bus.allow("apply")
    bus.allow("undo", "type")
    owner, other = bus.client(), bus.client()
    txid, _hold = owner.result(begin(owner))
    reverting = other.begin("Revert", "s", txid, flag=True)
    question = eventually(lambda: [one for one in bus.questions() if one["flags"] == DIALOG])[0]
    owner.call("Revert", "s", txid)
    with pytest.raises(Refused, match="NoSuchTransaction"):
        other.result(reverting)
    eventually(lambda: question["cancellation"] in bus.polkit.ask("questions")["cancelled"])
