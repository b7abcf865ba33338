# SPDX-License-Identifier: GPL-3.0-or-later
"""The fault catalogue against the installed helper: real bus, real polkitd, real kernel."""

import json
import random
import re
import signal
import time
from pathlib import Path

from tests.support import wire
from tests.support.bus_kit import CHECKOUT, eventually
from tests.support.kernel_dump import kernel_dump

PROGRAM = "/usr/libexec/destutter/destutter-helper"
INSTALLER = f"{CHECKOUT}/packaging/system/install-helper"
DAEMON = "/usr/libexec/destutter/destutter_helper/daemon.py"
FIVE = {
    "vm.swappiness": "10",
    "vm.page-cluster": "0",
    "vm.dirty_bytes": str(256 << 20),
    "vm.watermark_scale_factor": "50",
    "thp.defrag": "defer",
}


def begin(client, values=None, seconds=60):
    entries = [{"id": name, "value": value} for name, value in (values or FIVE).items()]
    text = json.dumps({"changes": entries})
    txid, hold = client.call("BeginTrial", "sib", text, seconds, False)
    return txid, hold["fd"]


def swappiness():
    return wire.SWAPPINESS.read_text().strip()


def test_five_values_go_and_come_back(kit):
    """A set over several kinds of files is in the kernel, and after Revert all is as before."""
    before = kernel_dump()
    alice = kit.client("alice")
    txid, _hold = begin(alice)
    now = kernel_dump()
    assert now["/proc/sys/vm/swappiness"].strip() == "10"
    assert now["/proc/sys/vm/dirty_bytes"].strip() == str(256 << 20)
    assert "[defer]" in now["/sys/kernel/mm/transparent_hugepage/defrag"]
    outcomes = wire.outcomes(alice.call("Revert", "s", txid))
    assert set(outcomes.values()) == {"restored"}
    assert kernel_dump() == before


def test_f16_many_clients_at_once_make_one_trial(kit):
    """Five connections with ten calls each in one breath: one trial, the others are told."""
    clients = [kit.client("alice") for _ in range(5)]
    fields = {"member": "BeginTrial", "sig": "sib", "args": [wire.swappiness(33), 60, False]}
    numbers = [client.send("flood", count=10, **fields) for client in clients]
    answers = zip(clients, numbers, strict=True)
    tallies = [client.wait(number)["tally"] for client, number in answers]
    assert sum(tally.get("ok", 0) for tally in tallies) == 1
    others = {name.rpartition(".")[2] for tally in tallies for name in tally} - {"ok"}
    assert others <= {"Busy", "RateLimited"}
    assert swappiness() == "33"


def test_f17_a_killed_owner_takes_the_trial_along(kit):
    """kill -9 of the application: everything is back before anybody asks."""
    before = kernel_dump()
    alice, other = kit.client("alice"), kit.client("dave")
    begin(alice)
    alice.kill(signal.SIGKILL)
    eventually(lambda: other.signals("TrialEnded"))
    assert kernel_dump() == before


def test_f18_a_killed_helper_is_started_again_and_reverts(kit):
    """kill -9 of all of it in a trial: any call starts the next one, which reverts first."""
    before = kernel_dump()
    alice, bob = kit.client("alice"), kit.client("bob")
    begin(alice)
    kit.kill_all()
    assert swappiness() == "10"
    assert json.loads(bob.call("GetState"))["state"] == "idle"
    assert kernel_dump() == before


def test_f18_without_a_bus_the_recovery_run_reverts(kit):
    """The same by the last resort of the unit: --recover, which speaks to nobody."""
    before = kernel_dump()
    begin(kit.client("alice"))
    kit.kill_all()
    out = kit.shell(f"{PROGRAM} --recover")
    assert "vm.swappiness: restored" in out
    assert kernel_dump() == before


def test_f26_an_updated_helper_knows_what_is_kept(kit):
    """Stop, install anew, start: kept values stay in the kernel and can be undone."""
    before = kernel_dump()
    alice = kit.client("alice")
    txid, _hold = begin(alice)
    alice.call("Keep", "ssb", txid, "restart", False)
    kept = kernel_dump()
    kit.kill_helper(signal.SIGTERM)
    kit.shell(f"{INSTALLER} install")
    assert json.loads(alice.call("GetState"))["state"] == "kept"
    assert kernel_dump() == kept
    alice.call("Undo", "s", "{}")
    assert kernel_dump() == before


def test_f27_removal_takes_everything_back_and_leaves_nothing(kit):
    """install-helper uninstall: values back, no profile, no file of ours, no helper."""
    before = kernel_dump()
    alice = kit.client("alice")
    txid, _hold = begin(alice)
    alice.call("Keep", "ssb", txid, "always", False)
    try:
        kit.shell(f"{INSTALLER} uninstall")
        assert kernel_dump() == before
        places = "/usr/libexec /usr/share /usr/lib/systemd /usr/lib/tmpfiles.d /etc /var/lib /run"
        assert kit.shell(f"find {places} -name '*destutter*' -not -path '/run/kit*'") == ""
    finally:
        kit.shell(f"{INSTALLER} install")
    assert json.loads(alice.call("GetState"))["state"] == "idle"


def test_f82_removal_forgets_what_is_kept_for_games(kit):
    """The run that a package's removal makes: the values are back and no set is left."""
    before = kernel_dump()
    alice = kit.client("alice")
    alice.call("KeepForGame", "ssb", "sim", wire.swappiness(10), False)
    assert "games.json" in kit.shell("ls /var/lib/destutter")
    kit.kill_helper(signal.SIGTERM)
    kit.shell(f"{PROGRAM} --undo-all --no-dbus")
    assert "games.json" not in kit.shell("ls /var/lib/destutter")
    assert json.loads(alice.call("ListForGames")) == {"sets": [], "trouble": None}
    assert kernel_dump() == before


def test_undo_all_from_a_text_console(kit):
    """--undo-all --no-dbus says line by line what it did, and needs nothing but root."""
    before = kernel_dump()
    alice = kit.client("alice")
    txid, _hold = begin(alice)
    alice.call("Keep", "ssb", txid, "always", False)
    kit.kill_helper(signal.SIGTERM)
    out = kit.shell(f"{PROGRAM} --undo-all --no-dbus")
    assert "vm.swappiness: restored, now" in out
    assert kernel_dump() == before


def test_f22_after_a_sleep_the_running_helper_looks_after_itself(kit):
    """The resume unit finds the lock taken, does nothing, and is content."""
    alice = kit.client("alice")
    begin(alice)
    assert kit.shell(f"{PROGRAM} --resume") == ""
    assert kit.shell(f"{PROGRAM} --confirm-boot") == ""
    assert swappiness() == "10"


def test_f23_the_resume_run_sets_again_what_was_reset(kit):
    """A kept value that is back at its origin after a sleep is written again."""
    before = swappiness()
    alice = kit.client("alice")
    txid, _hold = begin(alice, {"vm.swappiness": "10"})
    alice.call("Keep", "ssb", txid, "restart", False)
    kit.kill_helper(signal.SIGTERM)
    wire.SWAPPINESS.write_text(before)
    kit.shell(f"{PROGRAM} --resume")
    assert swappiness() == "10"


def test_f29_a_killed_helper_lets_the_processor_sleep(kit):
    """The latency request is a descriptor of the helper's: the kernel drops it with it."""
    device = Path("/dev/cpu_dma_latency")
    free = device.read_bytes()
    begin(kit.client("alice"), {"cpu.dma_latency": "20"})
    assert int.from_bytes(device.read_bytes(), "little") == 20
    kit.kill_helper()
    assert device.read_bytes() == free


def test_f29_a_held_value_keeps_the_helper_alive(kit):
    """Kept until restart, the latency request outlives its owner, because the helper stays."""
    device = Path("/dev/cpu_dma_latency")
    free = device.read_bytes()
    alice, other = kit.client("alice"), kit.client("alice")
    txid, _hold = begin(alice, {"cpu.dma_latency": "20"})
    alice.call("Keep", "ssb", txid, "restart", False)
    alice.close()
    assert int.from_bytes(device.read_bytes(), "little") == 20
    other.call("Undo", "s", "{}")
    assert device.read_bytes() == free


def test_f30_polkitd_may_come_and_go(kit):
    """After a crash of polkitd the bus starts a new one, and the helper asks that one."""
    alice, bob = kit.client("alice"), kit.client("bob")
    txid, _hold = begin(alice, {"vm.swappiness": "10"})
    kit.end_polkitd()
    alice.call("Revert", "s", txid)
    begin(alice, {"vm.swappiness": "20"})
    assert bob.refusal("Undo", "s", "{}") == "NotAuthorized"
    assert swappiness() == "20"


def test_f31_no_call_is_lost_to_an_idle_exit(kit):
    """Real activation by the setuid launch helper, with exits after 20 ms: every call answered."""
    original = kit.shell(f"cat {DAEMON}")
    eager = re.sub(r"IDLE_MS = [0-9_]+", "IDLE_MS = 20", original)
    assert eager != original
    kit.ask("write", path=DAEMON, text=eager)
    try:
        bob = kit.client("bob")
        before = kit.log("bus").count("destutter-helper: started")
        chance = random.Random(31)  # noqa: S311 (the same moments each time)
        calls = starts = 0
        while calls < 30 or starts < 4:
            assert json.loads(bob.call("GetState"))["state"] == "idle"
            time.sleep(chance.uniform(0.015, 0.03))  # on purpose: about when it leaves
            calls, starts = calls + 1, kit.log("bus").count("destutter-helper: started") - before
            assert calls < 1000, "the helper does not leave"
    finally:
        kit.ask("write", path=DAEMON, text=original)


def test_reports_name_users_to_themselves_and_to_root_only(kit):
    """alice sees that it was she, bob sees only what was changed, root sees all."""
    alice, bob, root = kit.client("alice"), kit.client("bob"), kit.client("root")
    begin(alice, {"vm.swappiness": "10"})
    for client, knows in ((alice, True), (bob, False), (root, True)):
        (line,) = client.call("GetReport").splitlines()
        assert json.loads(line)["value"] == "10"
        assert ("uid" in json.loads(line)) == knows
        assert ("owner_name" in json.loads(line)) == knows


def test_units_are_accepted_by_systemd(kit):
    """systemd reads all installed units without a complaint."""
    answer = kit.ask("shell", command="systemd-analyze verify /usr/lib/systemd/system/destutter-*")
    ours = [line for line in answer["err"].splitlines() if "destutter" in line]
    assert ours == []
