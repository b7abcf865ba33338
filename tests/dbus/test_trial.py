# SPDX-License-Identifier: GPL-3.0-or-later
"""The life of a trial on the bus: what begins, ends and outlives it; on a scratch tree."""

import hashlib
import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support import scratch_tree, wire
from tests.support.bus_kit import Refused, eventually


@pytest.fixture
def granted(bus):
    """Return the bus with polkit granting apply, persist and undo without a dialog."""
    for action in ("apply", "persist", "undo"):
        bus.allow(action)
    return bus


def begin(client, value=10, seconds=30):
    txid, hold = client.call("BeginTrial", "sib", wire.swappiness(value), seconds, False)
    return txid, hold["fd"]


def state(client):
    return json.loads(client.call("GetState"))


def swappiness(bus):
    return scratch_tree.value(bus.root, "vm/swappiness")


def test_a_trial_is_in_the_kernel_and_in_the_state(granted):
    """After BeginTrial the value is written, the state says so and everybody hears it."""
    client, other = granted.client(), granted.client()
    begin(client, 10, 30)
    assert swappiness(granted) == "10"
    found = state(other)
    assert (found["state"], found["owner_name"]) == ("trial", client.name)
    assert 25 <= found["seconds_left"] <= 30
    assert eventually(lambda: other.signals("StateChanged"))[0][0] == "trial"


def test_f17_closing_the_hold_ends_the_trial(granted):
    """As soon as the owner closes the descriptor, the value is back."""
    client = granted.client()
    _txid, hold = begin(client)
    client.ask("close", fd=hold)
    (reason, results) = eventually(lambda: client.signals("TrialEnded"))[0]
    assert reason == "hold-closed"
    assert wire.outcomes(results) == {"vm.swappiness": "restored"}
    assert swappiness(granted) == "60"
    assert state(client)["state"] == "idle"


def test_f17_leaving_the_bus_ends_the_trial(granted):
    """A connection that ends takes its trial along, even while the descriptor stays open."""
    client, other = granted.client(), granted.client()
    begin(client)
    client.ask("disconnect")
    assert eventually(lambda: other.signals("TrialEnded"))[0][0] == "owner-gone"
    assert swappiness(granted) == "60"


def test_f17_a_killed_client_ends_its_trial(granted):
    """kill -9 of the owner brings the value back."""
    client, other = granted.client(), granted.client()
    begin(client)
    client.kill(signal.SIGKILL)
    eventually(lambda: other.signals("TrialEnded"))
    assert swappiness(granted) == "60"


@pytest.mark.slow
def test_f20_a_hanging_client_cannot_stop_the_deadline(granted):
    """The timer is the helper's: a stopped owner changes nothing about it."""
    client, other = granted.client(), granted.client()
    begin(client, 10, 5)
    client.kill(signal.SIGSTOP)
    try:
        assert eventually(lambda: other.signals("TrialEnded"), 20)[0][0] == "deadline"
        assert swappiness(granted) == "60"
    finally:
        client.kill(signal.SIGCONT)


def test_extend_moves_the_deadline(granted):
    """Extend counts from now; only the owner may, and only within the limits."""
    client, other = granted.client(), granted.client()
    txid, _hold = begin(client, 10, 6)
    assert client.call("Extend", "si", txid, 100) == 100
    assert state(other)["seconds_left"] > 90
    assert other.refusal("Extend", "si", txid, 100) == "NotOwner"
    assert client.refusal("Extend", "si", txid, 121) == "OutOfRange"
    assert client.refusal("Extend", "si", "0" * 32, 10) == "NoSuchTransaction"


def test_one_trial_at_a_time(granted):
    """A second BeginTrial is Busy, says for how long, and polkit is not even asked."""
    client, other = granted.client(), granted.client()
    begin(client)
    before = len(granted.questions())
    with pytest.raises(Refused, match=r"Error\.Busy: somebody has a trial for another \d+ s"):
        begin(other, 20)
    assert len(granted.questions()) == before
    assert swappiness(granted) == "10"


def test_f16_fifty_trials_at_once_make_one(granted):
    """Of fifty calls in one breath one begins; the others are told why not."""
    client = granted.client()
    fields = {"member": "BeginTrial", "sig": "sib", "args": [wire.swappiness(33), 30, False]}
    tally = client.ask("flood", count=50, **fields)["tally"]
    assert tally.pop("ok") == 1
    assert {name.rpartition(".")[2] for name in tally} <= {"Busy", "RateLimited"}
    assert swappiness(granted) == "33"


def test_eleven_trials_a_minute_are_too_many(granted):
    """The eleventh BeginTrial of a user within a minute is RateLimited; Undo still works."""
    client = granted.client()
    for _ in range(10):
        txid, _hold = begin(client)
        client.call("Revert", "s", txid)
    assert client.refusal("BeginTrial", "sib", wire.swappiness(10), 30, False) == "RateLimited"
    client.call("Undo", "s", "{}")


def test_own_revert_needs_no_polkit(granted):
    """The owner takes the own trial back without a question."""
    client = granted.client()
    txid, _hold = begin(client)
    before = len(granted.questions())
    assert wire.outcomes(client.call("Revert", "s", txid)) == {"vm.swappiness": "restored"}
    assert len(granted.questions()) == before
    assert eventually(lambda: client.signals("TrialEnded"))[0][0] == "reverted"


def test_a04_somebody_elses_txid_gives_no_rights(bus):
    """Each method that changes something asks for itself; another's trial opens nothing."""
    bus.allow("apply")
    owner, other = bus.client(), bus.client()
    txid, _hold = begin(owner)
    bus.allow("apply", "no")
    assert other.refusal("Keep", "ssb", txid, "restart", False) == "NotOwner"
    assert other.refusal("Keep", "ssb", txid, "always", False) == "NotOwner"
    assert other.refusal("Extend", "si", txid, 20) == "NotOwner"
    assert other.refusal("Revert", "s", txid) == "NotAuthorized"
    assert other.refusal("Undo", "s", "{}") == "NotAuthorized"
    assert swappiness(bus) == "10"


def test_keep_until_restart_outlives_owner_and_hold(granted):
    """After Keep the trial is over: closing the hold and leaving change nothing."""
    client, other = granted.client(), granted.client()
    txid, hold = begin(client)
    assert wire.outcomes(client.call("Keep", "ssb", txid, "restart", False))
    assert eventually(lambda: other.signals("TrialEnded"))[0][0] == "kept"
    client.ask("close", fd=hold)
    client.close()
    assert state(other)["state"] == "kept"
    assert swappiness(granted) == "10"
    assert [question["action"] for question in granted.questions()][-1].endswith(".apply")


def test_keep_always_asks_for_more(granted):
    """Keeping for every start is another action, and leaves a profile."""
    client = granted.client()
    txid, _hold = begin(client)
    client.call("Keep", "ssb", txid, "always", False)
    assert granted.questions()[-1]["action"] == "io.github.destutter.persist"
    kept = state(client)["kept_always"]
    assert kept == [{"id": "vm.swappiness", "value": "10", "device": ""}]


def test_keep_knows_two_durations(granted):
    """Anything but restart and always is refused before polkit is asked."""
    client = granted.client()
    txid, _hold = begin(client)
    assert client.refusal("Keep", "ssb", txid, "forever", False) == "InvalidArgument"


def test_a_refused_keep_leaves_the_trial_running(bus):
    """Without permission to keep, the trial goes on until its deadline."""
    bus.allow("apply")
    client = bus.client()
    txid, _hold = begin(client)
    assert client.refusal("Keep", "ssb", txid, "always", False) == "NotAuthorized"
    assert state(client)["state"] == "trial"


def test_a09_kept_files_hold_numbers_and_comments_only(granted):
    """What is written for the boot is a list of known names with plain numbers."""
    client = granted.client()
    txid, _hold = begin(client)
    client.call("Keep", "ssb", txid, "always", False)
    files = list((granted.root / "run/sysctl.d").iterdir())
    assert files
    for line in "".join(path.read_text() for path in files).splitlines():
        assert not line or line.startswith("#") or line == "vm.swappiness = 10"


def test_undo_brings_everything_back(granted):
    """Undo without names restores all and forgets the profile."""
    client = granted.client()
    txid, _hold = begin(client)
    client.call("Keep", "ssb", txid, "always", False)
    assert wire.outcomes(client.call("Undo", "s", "{}")) == {"vm.swappiness": "restored"}
    assert swappiness(granted) == "60"
    assert state(client)["state"] == "idle"
    assert not list((granted.root / "run").rglob("*destutter*.conf"))


def test_undo_by_somebody_else_ends_a_running_trial(granted):
    """Undo is the panic button: it ends whatever runs, and its owner is told."""
    owner, other = granted.client(), granted.client()
    begin(owner)
    other.call("Undo", "s", "{}")
    assert eventually(lambda: owner.signals("TrialEnded"))[0][0] == "reverted"
    assert swappiness(granted) == "60"
    assert state(owner)["seconds_left"] == 0


def test_f10_a_foreign_value_is_left_alone(granted):
    """What somebody else wrote meanwhile is reported and not overwritten."""
    client = granted.client()
    txid, _hold = begin(client)
    (granted.root / "proc/sys/vm/swappiness").write_text("99\n")
    assert wire.outcomes(client.call("Revert", "s", txid)) == {"vm.swappiness": "foreign"}
    assert swappiness(granted) == "99"
    assert state(client)["state"] == "conflict"
    client.call("Undo", "s", '{"force":["vm.swappiness"]}')
    assert swappiness(granted) == "60"


def test_f18_a_killed_service_is_followed_by_a_clean_one(granted):
    """kill -9 in a trial: its guardian takes it back, and the next helper knows that."""
    client = granted.client()
    begin(client)
    granted.helper.kill()
    eventually(lambda: swappiness(granted) == "60")
    granted.start_helper()
    assert state(client)["state"] == "idle"
    assert wire.outcomes(client.call("Recover")) == {"vm.swappiness": "already"}


def test_f18_a_killed_helper_is_followed_by_a_clean_one(granted):
    """Both killed at once: the next helper takes the trial back, and tells whoever asks later."""
    client = granted.client()
    begin(client)
    granted.kill_all()
    assert swappiness(granted) == "10"
    granted.start_helper()
    assert state(client)["state"] == "idle"
    assert swappiness(granted) == "60"
    assert wire.outcomes(client.call("Recover")) == {"vm.swappiness": "restored"}


def test_f26_stopping_the_helper_ends_a_trial_but_not_what_is_kept(granted):
    """SIGTERM (an update, a stop): a trial goes back, kept values stay and are known."""
    client = granted.client()
    txid, _hold = begin(client)
    client.call("Keep", "ssb", txid, "restart", False)
    change = json.dumps({"changes": [{"id": "vm.page-cluster", "value": "0"}]})
    client.call("BeginTrial", "sib", change, 30, False)
    granted.helper.terminate()
    assert granted.helper.wait(10) == 0
    assert swappiness(granted) == "10"
    assert scratch_tree.value(granted.root, "vm/page-cluster") == "3"
    assert eventually(lambda: client.signals("TrialEnded"))[-1][0] == "shutdown"
    granted.start_helper()
    assert state(client)["state"] == "kept"


def test_a28_a_journal_by_hand_does_not_become_a_weapon(granted):
    """A value "before" that the registry does not allow is not written by any recovery."""
    client = granted.client()
    begin(client)
    granted.kill_all()
    forge_journal(granted.root, '"60"', '"100000"')
    granted.start_helper()
    assert swappiness(granted) in {"10", "60"}
    assert "Internal" not in str(client.call("GetState"))


def forge_journal(root: Path, old: str, new: str) -> None:
    """Replace text in the journal and make its checksum right again."""
    path = root / "var/lib/destutter/journal.json"
    body = path.read_bytes().partition(b"\n")[2].replace(old.encode(), new.encode())
    path.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def test_verify_and_report_tell_what_happened(granted):
    """Verify compares with the kernel; the report is one JSON object a line."""
    client = granted.client()
    txid, _hold = begin(client)
    client.call("Keep", "ssb", txid, "restart", False)
    assert set(wire.outcomes(client.call("Verify")).values()) <= {"ok", "until-restart"}
    lines = [json.loads(line) for line in client.call("GetReport").splitlines()]
    assert {line["id"] for line in lines} == {"vm.swappiness"}


def test_recover_is_harmless_at_any_time(granted):
    """Recover during a trial leaves it running, and without one it has nothing to do."""
    client, other = granted.client(), granted.client()
    assert wire.outcomes(other.call("Recover")) == {}
    begin(client)
    other.call("Recover")
    assert state(client)["state"] == "trial"
    assert swappiness(granted) == "10"


def test_a_second_helper_does_not_start(granted, quiet_bus):
    """While one helper has the lock another one gives up with one clear line."""
    command = [str(quiet_bus.program), "--root", str(quiet_bus.root), "--recover"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "another" in done.stderr


def test_f31_no_call_is_lost_when_the_helper_leaves(quiet_bus):
    """Calls around the moments when an idle helper exits are all answered."""
    quiet_bus.offer_helper("--idle-ms", "20")
    client = quiet_bus.client()
    chance = random.Random(31)  # noqa: S311 (the same moments each time)
    for _ in range(40):
        assert json.loads(client.call("GetState"))["state"] == "idle"
        time.sleep(chance.uniform(0.015, 0.03))  # on purpose: about when it leaves
    starts = quiet_bus.log().count("started pid=")
    assert starts > 5, "the helper never left, so this proved nothing"


@pytest.mark.parametrize("field", ["force", "accept"])
def test_a35_what_somebody_else_set_is_not_free_to_touch(bus, field):
    """Who may only undo neither overwrites nor forgets what root has set since."""
    bus.allow("apply")
    bus.allow("undo")
    client = bus.client()
    begin(client)
    (bus.root / "proc/sys/vm/swappiness").write_text("99\n")
    client.call("Undo", "s", "{}")
    bus.allow("apply", "no")
    request = json.dumps({field: ["vm.swappiness"]})
    assert client.refusal("Undo", "s", request) == "NotAuthorized"
    assert bus.questions()[-1]["details"] == {"summary": "what others have set since: swappiness"}
    assert swappiness(bus) == "99"
    assert state(client)["state"] == "conflict"
    client.call("Undo", "s", "{}")
    bus.allow("apply")
    client.call("Undo", "s", request)
    assert swappiness(bus) == ("60" if field == "force" else "99")
    assert state(client)["state"] == "idle"


def test_f51_a_helper_that_is_asked_before_the_boot_unit_sets_what_is_kept(granted):
    """After a restart a stranger's question starts it: the values are there all the same."""
    client = granted.client()
    txid, _hold = begin(client)
    client.call("Keep", "ssb", txid, "always", False)
    granted.kill_all()
    root = granted.root
    for name in (root / "run/destutter").iterdir():
        name.unlink()
    (root / "proc/sys/vm/swappiness").write_text("60\n")
    (root / "proc/sys/kernel/random/boot_id").write_text("another-boot\n")
    granted.start_helper()
    (changed,) = state(granted.client())["changed"]
    assert swappiness(granted) == "10"
    assert (changed["origin"], changed["until"]) == ("60", "always")
