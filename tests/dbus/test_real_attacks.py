# SPDX-License-Identifier: GPL-3.0-or-later
"""The attack catalogue against the installed helper: real bus, real polkitd, real kernel.

alice is allowed by a rule, bob is refused by one, carol is the administrator, and dave is
an ordinary user for whom the defaults of the policy count.
"""

import hashlib
import json
import re
import signal
from pathlib import Path

import pytest

from tests.support import wire
from tests.support.bus_kit import BUS_NAME, CHECKOUT, Refused, eventually

ACTIONS = ("apply", "persist", "undo", "trace")
NOT_THERE = {
    **dict.fromkeys(("TraceFiles", "SetTraceTasks", "EndTrace"), ("NoSuchTransaction",)),
    "TracePath": ("InvalidArgument",),  # an empty text is no sleep of a thread
    "BeginTrace": ("Unsupported",),  # where no tracefs is mounted
    **dict.fromkeys(("BeginForGame", "ForgetForGame"), ("UnknownKey",)),
}
"""What is answered before anybody is asked: there is nothing that could be had."""

DRIVER = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
POLKIT = {
    "dest": "org.freedesktop.PolicyKit1",
    "path": "/org/freedesktop/PolicyKit1/Authority",
    "iface": "org.freedesktop.PolicyKit1.Authority",
}
STATE = Path("/var/lib/destutter")
POLICY_FILE = "/usr/share/polkit-1/actions/io.github.destutter.policy"
INSTALLED = "/usr/libexec/destutter"


def begin(client, *, value=10, interactive=False, seconds=60):
    arguments = (wire.swappiness(value), seconds, interactive)
    txid, hold = client.call("BeginTrial", "sib", *arguments)
    return txid, hold["fd"]


def begin_later(client):
    return client.begin("BeginTrial", "sib", wire.swappiness(10), 60, True)


def swappiness():
    return wire.SWAPPINESS.read_text().strip()


def ask_polkit(kit, client, action):
    """Return whether polkit would grant this at once, and whether it would ask for a password."""
    arguments = [["system-bus-name", {"name": client.name}], action, {}, 0, ""]
    result = kit.observer.call("CheckAuthorization", "(sa{sv})sa{ss}us", *arguments, **POLKIT)
    return tuple(result[:2])


@pytest.mark.parametrize("delay_s", [0, 0.0005, 0.002, 0.01, 0.05, 0.2])
def test_a01_becoming_root_after_the_call_does_not_help(kit, delay_s):
    """bob asks, then turns into a setuid-root program that keeps his connection open: no."""
    before = swappiness()
    kit.client("alice").call("GetState")
    bob = kit.client("bob")
    program = ["/usr/bin/kit-setuid", "--reuid", "0", "/usr/bin/sleep", "30"]
    fields = {"member": "BeginTrial", "sig": "sib", "args": [wire.swappiness(10), 60, True]}
    bob.send("exec", argv=program, delay_s=delay_s, **fields)
    eventually(lambda: f"sender={bob.name} as=NotAuthorized" in kit.log("bus"))
    status = eventually(lambda: re.search("Uid:\t0\t0", kit.shell(f"cat /proc/{bob.pid}/status")))
    assert status, "the attacker did not become root, so this proved nothing"
    assert kit.observer.call("NameHasOwner", "s", bob.name, **DRIVER)
    assert swappiness() == before


def test_a02_a_grant_belongs_to_one_process(kit):
    """After dave's password another process of the same session is not served without one."""
    dave = kit.client("dave")
    kit.play_human(dave, "yes")
    txid, _hold = begin(dave, interactive=True)
    dave.call("Revert", "s", txid)
    second = kit.client("dave", beside=dave)
    refused = second.refusal("BeginTrial", "sib", wire.swappiness(10), 60, False)
    assert refused == "NotAuthorized"
    begin(dave)
    assert len(kit.dialogs()) == 1


def test_a04_every_call_is_checked_by_itself(kit):
    """While alice's trial runs, bob's calls with her number are refused, and polkit saw each."""
    kit.restart_polkitd()  # with its debug log, whoever started the present one
    alice, bob = kit.client("alice"), kit.client("bob")
    txid, _hold = begin(alice)
    asked = f"inquiring whether system-bus-name:{bob.name} is authorized"
    before = kit.log("polkit").count(asked)
    assert bob.refusal("Revert", "s", txid) == "NotAuthorized"
    assert bob.refusal("Undo", "s", "{}") == "NotAuthorized"
    assert bob.refusal("Keep", "ssb", txid, "always", True) == "NotOwner"
    assert bob.refusal("Extend", "si", txid, 60) == "NotOwner"
    assert kit.log("polkit").count(asked) - before == 2
    assert swappiness() == "10"


@pytest.mark.parametrize(("interface", "member", "sig"), wire.methods())
def test_a05_bob_gets_readers_only(kit, interface, member, sig):
    """Every member of the contract, called rightly by somebody without rights."""
    alice, bob = kit.client("alice"), kit.client("bob")
    arguments = wire.valid_arguments(member)
    if member in ("Keep", "Extend", "Bind", "Revert"):
        arguments[0], _hold = begin(alice)
    readers = {"GetState", "ListTunables", "GetPowerStates", "Preview", "Verify", "Recover"}
    readers |= {"GetReport", "ListForGames"}
    if member in readers | {"Get", "GetAll", "Introspect"}:
        bob.call(member, sig, *arguments, iface=interface)
    else:
        refused = bob.refusal(member, sig, *arguments, iface=interface)
        assert refused in {"NotAuthorized", "NotOwner", *NOT_THERE.get(member, ())}


def test_a05_properties_cannot_be_set(kit):
    """Properties.Set does not even get past the bus."""
    bob = kit.client("bob")
    arguments = (BUS_NAME, "State", "idle")
    with pytest.raises(Refused, match=r"DBus\.Error\.AccessDenied"):
        bob.call("Set", "ssv", *arguments, iface="org.freedesktop.DBus.Properties")


def test_a06_no_polkit_no_change(kit):
    """polkitd stopped and not startable: alice, whom a rule allows, is refused."""
    alice = kit.client("alice")
    alice.call("GetState")
    service = "/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service"
    kit.shell(f"mv {service} /run/kit/polkit.service")
    try:
        kit.observer.call("ReloadConfig", **DRIVER)
        kit.end_polkitd()
        refused = alice.refusal("BeginTrial", "sib", wire.swappiness(10), 60, True)
        assert refused == "NotAuthorized"
    finally:
        kit.shell(f"mv /run/kit/polkit.service {service}")
        kit.observer.call("ReloadConfig", **DRIVER)
    assert swappiness() != "10"


def test_a06_unknown_actions_are_not_granted(kit):
    """Without the policy file polkit does not know the action: refused, for alice too."""
    alice = kit.client("alice")
    alice.call("GetState")
    kit.shell(f"mv {POLICY_FILE} /run/kit/policy")
    try:
        kit.restart_polkitd()
        refused = alice.refusal("BeginTrial", "sib", wire.swappiness(10), 60, True)
        assert refused == "NotAuthorized"
    finally:
        kit.shell(f"mv /run/kit/policy {POLICY_FILE}")
        kit.restart_polkitd()


def test_a06_the_environment_switches_nothing(kit):
    """Variables that look like a switch, or name another bus, have no effect."""
    variables = "POLKIT_DISABLE=1 DESTUTTER_NO_AUTH=1 DBUS_SYSTEM_BUS_ADDRESS=unix:path=/tmp/none"
    kit.shell(f"{variables} setsid {INSTALLED}/destutter-helper >/dev/null 2>&1 </dev/null &")
    eventually(kit.helper_pid)
    bob = kit.client("bob")
    assert bob.refusal("BeginTrial", "sib", wire.swappiness(10), 60, True) == "NotAuthorized"


def test_a07_the_running_helper_cannot_start_programs(kit):
    """The live process: system call filter on, no new privileges, one capability at most."""
    kit.client("alice").call("GetState")
    status = kit.shell(f"cat /proc/{kit.helper_pid()}/status")
    found = dict(line.split(":", 1) for line in status.splitlines())
    assert found["Seccomp"].strip() == "2"
    assert found["NoNewPrivs"].strip() == "1"
    assert int(found["CapEff"], 16) == int(found["CapPrm"], 16) == int(found["CapBnd"], 16)
    assert int(found["CapEff"], 16) == 1 << 23


def test_a08_no_name_reaches_another_file(kit):
    """Paths and other settings of the kernel are unknown names, also for alice."""
    alice = kit.client("alice")
    for key in ("kernel.core_pattern", "vm/../kernel/modprobe", "/proc/sys/vm/drop_caches"):
        change = json.dumps({"changes": [{"id": key, "value": "1"}]})
        refused = alice.refusal("BeginTrial", "sib", change, 60, False)
        assert refused in {"UnknownKey", "InvalidArgument"}


def test_a13_root_is_a_caller_like_any_other(kit):
    """A trial of root's is written down with its user id, and ends with its connection."""
    root = kit.client("root")
    begin(root)
    assert "uid=0" in kit.log("bus")
    before = swappiness()
    root.close()
    eventually(lambda: swappiness() != before)


def test_a13_nothing_else_of_ours_runs_as_root():
    """The application asks for no rights by itself, but for setting up the AppImage's helper."""
    for path in (CHECKOUT / "app").rglob("*.py"):
        if path == CHECKOUT / "app/destutter/helper_setup.py":  # when somebody says so; see there
            continue
        assert not re.search(r"[\"'](pkexec|sudo|su)[\"']", path.read_text()), path


@pytest.mark.parametrize("session", ["active", "inactive", "remote", None])
@pytest.mark.parametrize("action", ACTIONS)
def test_a14_sessions_and_actions(kit, session, action):
    """Only undo, and only for the user at the computer, is free; all else asks for a password."""
    dave = kit.client("dave", session)
    granted = ask_polkit(kit, dave, f"io.github.destutter.{action}")
    is_free = (action, session) == ("undo", "active")
    assert granted == ((True, False) if is_free else (False, True))


@pytest.mark.parametrize(
    ("session", "outcome"),
    [("active", "ok"), ("inactive", "NotAuthorized"), ("remote", "NotAuthorized"), (None, None)],
)
def test_a14_undo_through_the_helper(kit, session, outcome):
    """The same through the helper: dave at the computer may undo, over ssh he may not."""
    dave = kit.client("dave", session)
    if outcome == "ok":
        assert wire.outcomes(dave.call("Undo", "s", "{}")) == {}
    else:
        assert dave.refusal("Undo", "s", "{}") == "NotAuthorized"


def test_a15_other_actions_are_as_without_us(kit):
    """Our policy changes nothing about other actions, for any kind of user."""
    others = ("org.freedesktop.policykit.exec", "org.freedesktop.systemd1.manage-units")
    clients = [kit.client(user) for user in ("bob", "carol", "dave")]
    kit.shell("mv /etc/polkit-1/rules.d/00-kit.rules /run/kit/rules")
    try:
        kit.restart_polkitd()
        with_us = [ask_polkit(kit, client, action) for client in clients for action in others]
        kit.shell(f"mv {POLICY_FILE} /run/kit/policy")
        kit.restart_polkitd()
        without = [ask_polkit(kit, client, action) for client in clients for action in others]
    finally:
        kit.shell("mv /run/kit/rules /etc/polkit-1/rules.d/00-kit.rules")
        kit.shell(f"[ ! -e /run/kit/policy ] || mv /run/kit/policy {POLICY_FILE}")
        kit.restart_polkitd()
    assert with_us == without


def test_a16_the_password_dialog_tells_what_will_happen(kit):
    """The person sees our sentence with labels and numbers, and nothing that a client wrote."""
    dave = kit.client("dave")
    kit.play_human(dave, "no")
    before = swappiness()
    refused = dave.refusal("BeginTrial", "sib", wire.swappiness(10), 60, True)
    assert refused == "NotAuthorized"
    (dialog,) = kit.dialogs()
    words = "Authentication is required to try, and to keep if wanted:"
    assert dialog["message"] == f"{words} swappiness {before} → 10"
    assert all(
        key.startswith("polkit.") or key in {"summary", "settings"} for key in dialog["details"]
    )
    assert swappiness() == before


@pytest.mark.parametrize(
    ("mode", "error"),
    [("no", "NotAuthorized"), ("wrong", "NotAuthorized"), ("cancel", "Dismissed")],
)
def test_a16_only_the_administrators_yes_counts(kit, mode, error):
    """A refusal, the password of a non-administrator, and a closed dialog change nothing."""
    dave = kit.client("dave")
    kit.play_human(dave, mode)
    before = swappiness()
    assert dave.refusal("BeginTrial", "sib", wire.swappiness(10), 60, True) == error
    assert len(kit.dialogs()) == 1
    assert swappiness() == before


def test_a17_each_set_that_is_kept_for_ever_had_a_password(kit):
    """The one typed for its trial is enough; a remembered one of another trial is not."""
    dave = kit.client("dave")
    for mode, dialogs in (("hang", 1), ("yes", 2)):
        kit.play_human(dave, mode)
        number = dave.begin("BeginTrial", "sib", wire.swappiness(10), 60, True)
        if mode == "hang":
            eventually(kit.dialogs)
            kit.agent.ask("answer", mode="yes")
        txid, _hold = dave.result(number)
        dave.call("Keep", "ssb", txid, "always", True)
        assert len(kit.dialogs()) == dialogs
    asked = [dialog["action"].rpartition(".")[2] for dialog in kit.dialogs()]
    assert asked == ["apply", "persist"]
    assert "keep for every start of the computer: swappiness" in kit.dialogs()[-1]["message"]


def test_a18_the_log_has_one_line_for_each_event(kit):
    """Texts of a client do not reach the log of the system."""
    bob = kit.client("bob")
    for text in ("\n<0>kernel: forged", "\x1b[2J", "\u202e"):
        bob.refusal("Preview", "s", text)
        bob.refusal("Undo", "s", text)
    lines = [line for line in kit.log("bus").splitlines() if "dbus-daemon[" not in line]
    assert not any("forged" in line for line in lines)
    assert all(re.fullmatch(r"<[346]>destutter-helper: [ -~]*", line) for line in lines if line)


def test_a19_a_flood_keeps_nobody_out(kit):
    """A thousand trials of bob's: the helper does not grow, and alice is served."""
    alice, bob = kit.client("alice"), kit.client("bob")
    alice.call("GetState")
    before_kib = peak_kib(kit)
    fields = {"member": "BeginTrial", "sig": "sib", "args": [wire.swappiness(10), 60, False]}
    for _ in range(10):
        tally = bob.ask("flood", count=100, **fields)["tally"]
        assert {name.rpartition(".")[2] for name in tally} <= {
            "NotAuthorized",
            "Busy",
            "RateLimited",
        }
    begin(alice)
    assert swappiness() == "10"
    assert peak_kib(kit) < before_kib + 4096


def peak_kib(kit):
    status = kit.shell(f"cat /proc/{kit.helper_pid()}/status")
    (found,) = re.findall(r"VmHWM:\s*(\d+) kB", status)
    return int(found)


def test_a20_the_largest_message_does_not_fell_the_helper(kit):
    """31 MiB in one text, and 8 MB of pairs: refused by name, and far below the unit's limit."""
    bob = kit.client("bob")
    bob.call("GetState")
    pairs = {"repeat": [["abcdefgh", "ijklmnop"]], "times": 250_000}
    assert bob.refusal("Preview", "a(ss)", pairs) == "InvalidArgument"
    assert bob.refusal("Preview", "s", {"repeat": "x", "times": 31 << 20}) == "TooLarge"
    assert peak_kib(kit) < 160 * 1024
    bob.call("GetState")


def test_a21_one_open_dialog_holds_up_nobody(kit):
    """dave's dialog stays open: alice begins and reverts meanwhile; when dave goes, it closes."""
    alice, dave = kit.client("alice"), kit.client("dave")
    kit.play_human(dave, "hang")
    number = begin_later(dave)
    eventually(kit.dialogs)
    txid, _hold = begin(alice)
    alice.call("Revert", "s", txid)
    assert not dave.has_answer(number)
    dave.kill(signal.SIGKILL)
    eventually(lambda: not kit.dialogs()[0]["open"])
    assert swappiness() != "10"


def test_a22_one_dialog_a_user_four_in_all(kit):
    """A second dialog of the same user, and the fifth of all, are Busy."""
    waiting = []
    for user in ("carol", "dave", "erin", "frank", "grace"):
        client = kit.client(user)
        kit.play_human(client, "hang")
        waiting.append((client, begin_later(client)))
        if len(waiting) < 5:
            eventually(lambda: len(kit.dialogs()) == len(waiting))
    client, number = waiting.pop()
    with pytest.raises(Refused, match=r"Error\.Busy"):
        client.result(number)
    again = waiting[0][0]
    with pytest.raises(Refused, match=r"Error\.Busy"):
        again.result(begin_later(again))
    assert len(kit.dialogs()) == 4


def test_a22_no_dialog_without_being_asked_for(kit):
    """A call that does not allow interaction opens no dialog."""
    dave = kit.client("dave")
    kit.play_human(dave, "yes")
    assert dave.refusal("BeginTrial", "sib", wire.swappiness(10), 60, False) == "NotAuthorized"
    assert kit.dialogs() == []


def test_a25_nobody_else_can_be_the_helper(kit):
    """bob cannot own the name, and a second helper of root's leaves the first alone."""
    bob = kit.client("bob")
    assert bob.ask("own", name=BUS_NAME)["error"].endswith("AccessDenied")
    bob.call("GetState")
    first = kit.helper_pid()
    answer = kit.ask("shell", command=f"{INSTALLED}/destutter-helper")
    assert answer["rc"] == 1
    assert kit.helper_pid() == first


def test_a26_messages_without_interface_stop_at_the_bus(kit):
    """The bus's policy names interfaces, so a message without one is not delivered."""
    bob = kit.client("bob")
    with pytest.raises(Refused, match=r"DBus\.Error\.AccessDenied"):
        bob.call("GetState", iface=None)


def test_a26_a_forged_yes_of_polkit_does_not_arrive(kit):
    """dave answers his own question before the administrator does, by every number: no."""
    before, dave = swappiness(), kit.client("dave")
    kit.play_human(dave, "hang")
    number = begin_later(dave)
    eventually(kit.dialogs)
    helper = kit.observer.call("GetNameOwner", "s", BUS_NAME, **DRIVER)
    socket = "unix:path=/run/dbus/system_bus_socket"
    dave.ask("forge", dest=helper, up_to=2000, address=socket)
    eventually(lambda: 'type="method_return"' in kit.log("bus"))  # what it turned away
    assert json.loads(kit.client("alice").call("GetState"))["state"] == "idle"
    assert not dave.has_answer(number)
    assert swappiness() == before


def test_a28_a_planted_journal_writes_nothing_foreign(kit):
    """A journal by hand that names another file of the kernel is put aside, not obeyed."""
    core_pattern = Path("/proc/sys/kernel/core_pattern")
    before = core_pattern.read_text(), swappiness()
    alice = kit.client("alice")
    begin(alice)
    kit.kill_all()
    for old, new in (("vm.swappiness", "kernel.core_pattern"), (f'"{before[1]}"', '"|/tmp/x"')):
        text = kit.shell(f"tail -n +2 {STATE}/journal.json").replace(old, new)
        sealed = hashlib.sha256(text.encode()).hexdigest() + "\n" + text
        kit.ask("write", path=f"{STATE}/journal.json", text=sealed)
    alice.call("GetState")
    assert core_pattern.read_text() == before[0]
    wire.SWAPPINESS.write_text(before[1])


def test_a29_the_latency_device_keeps_its_mode(kit):
    """Holding the processor awake needs no change of the device's rights; letting go ends it."""
    device = Path("/dev/cpu_dma_latency")
    mode, free = device.stat().st_mode, device.read_bytes()
    alice = kit.client("alice")
    change = json.dumps({"changes": [{"id": "cpu.dma_latency", "value": "20"}]})
    txid, _hold = alice.call("BeginTrial", "sib", change, 60, False)
    assert (device.stat().st_mode, int.from_bytes(device.read_bytes(), "little")) == (mode, 20)
    alice.call("Revert", "s", txid)
    assert (device.stat().st_mode, device.read_bytes()) == (mode, free)


def test_a33_the_bus_lets_no_descriptors_through(kit):
    """No method takes one, so none of a stranger's ever reaches the helper."""
    alice, bob = kit.client("alice"), kit.client("bob")
    alice.call("GetState")
    with pytest.raises(Refused, match=r"DBus\.Error\.AccessDenied"):
        bob.call("Preview", "h", {"fd": 0})
    _txid, hold = begin(alice)
    assert isinstance(hold, int)


def test_a36_a_refused_stranger_confirms_no_start(kit):
    """The guard against a profile that stops the start is cleared by a permitted call only."""
    alice, bob = kit.client("alice"), kit.client("bob")
    txid, _hold = begin(alice)
    alice.call("Keep", "ssb", txid, "always", False)
    kit.kill_helper(signal.SIGTERM)
    text = kit.shell(f"tail -n +2 {STATE}/journal.json")
    counted = text.replace('"is_start_counted":false', '"is_start_counted":true')
    sealed = hashlib.sha256(counted.encode()).hexdigest() + "\n" + counted
    kit.ask("write", path=f"{STATE}/journal.json", text=sealed)
    assert bob.refusal("BeginTrial", "sib", wire.swappiness(11), 60, True) == "NotAuthorized"
    assert bob.refusal("Undo", "s", "{}") == "NotAuthorized"
    assert '"is_start_counted":true' in kit.shell(f"cat {STATE}/journal.json")
    txid, _hold = begin(alice, value=11)
    alice.call("Revert", "s", txid)
    change = json.dumps({"changes": [{"id": "vm.page-cluster", "value": "0"}]})
    _txid, _hold = alice.call("BeginTrial", "sib", change, 60, False)
    assert '"is_start_counted":false' in kit.shell(f"cat {STATE}/journal.json")


def test_a40_whose_trial_runs_is_told_to_its_user_and_root_only(kit):
    """Everybody sees that there is a trial; who tries is nobody else's business."""
    alice, again, bob, root = (kit.client(who) for who in ("alice", "alice", "bob", "root"))
    begin(alice)
    found = {who: json.loads(who.call("GetState")) for who in (alice, again, bob, root)}
    assert {state["state"] for state in found.values()} == {"trial"}
    assert [found[who]["owner_name"] for who in (alice, again, root)] == [alice.name] * 3
    assert (found[bob]["owner_uid"], found[bob]["owner_name"]) == (-1, "")
    with pytest.raises(Refused) as refused:
        root.call("BeginTrial", "sib", wire.swappiness(11), 60, False)
    assert "somebody has a trial" in refused.value.text


def test_a42_closing_what_a_stranger_sent_holds_nobody_up(kit):
    """Signals with connections that linger: their last owner waits in close(2) for minutes.

    The bus refuses them. One that nobody else holds would stop the bus itself, with or without us.
    """
    alice, bob = kit.client("alice"), kit.client("bob")
    begin(alice)
    owner = kit.observer.call("GetNameOwner", "s", BUS_NAME, **DRIVER)
    names = kit.observer.call("ListNames", **DRIVER)
    pids = {
        name: kit.observer.call("GetConnectionUnixProcessID", "s", name, **DRIVER)
        for name in names
        if name.startswith(":")
    }
    ours = [name for name, pid in pids.items() if pid == pids[owner]]
    assert len(ours) == 2
    kit.kill(pids[owner], signal.SIGSTOP)  # so that it is the last who has them
    bob.ask("linger", dests=ours)
    kit.kill(pids[owner], signal.SIGCONT)
    assert json.loads(alice.call("GetState", timeout_s=5))["state"] == "trial"
    alice.call("Undo", "s", "{}", timeout_s=5)


def start_of(kit, client):
    """Field 22 of the line of a client's own process."""
    return kit.shell(f"cat /proc/{client.pid}/stat").rpartition(") ")[2].split()[19]


def test_a54_what_a_user_keeps_for_a_game_is_that_users(kit):
    """bob neither sees, sets nor forgets it, nor is it set for his process; root sees it."""
    alice, bob, before = kit.client("alice"), kit.client("bob"), swappiness()
    set_ = alice.call("KeepForGame", "ssb", "sim", wire.swappiness(10), False)
    hers, his = start_of(kit, alice), start_of(kit, bob)
    assert json.loads(bob.call("ListForGames"))["sets"] == []
    assert bob.refusal("BeginForGame", "sis", set_, bob.pid, his) == "UnknownKey"
    assert bob.refusal("BeginForGame", "sis", set_, alice.pid, hers) == "UnknownKey"
    assert bob.refusal("ForgetForGame", "s", set_) == "UnknownKey"
    assert bob.refusal("KeepForGame", "ssb", "sim", wire.swappiness(10), True) == "NotAuthorized"
    assert alice.refusal("BeginForGame", "sis", set_, bob.pid, his) == "NotAuthorized"
    assert swappiness() == before
    (told,) = json.loads(kit.observer.call("ListForGames"))["sets"]
    assert (told["id"], told["game"]) == (set_, "sim")
    alice.call("BeginForGame", "sis", set_, alice.pid, hers)
    assert swappiness() == "10"
    kit.observer.call("ForgetForGame", "s", set_)
    assert swappiness() == before
    assert json.loads(alice.call("ListForGames"))["sets"] == []


def test_a55_keeping_for_a_game_always_asks_and_setting_it_never(kit):
    """dave types a password for each set, though he has just typed one; then for none."""
    dave, before = kit.client("dave"), swappiness()
    assert dave.refusal("KeepForGame", "ssb", "sim", wire.swappiness(9), False) == "NotAuthorized"
    kit.play_human(dave, "yes")
    dave.call("KeepForGame", "ssb", "sim", wire.swappiness(9), True)
    set_ = dave.call("KeepForGame", "ssb", "sim", wire.swappiness(10), True)
    assert [one["action"].rpartition(".")[2] for one in kit.dialogs()] == ["persist", "persist"]
    assert "keep for one game, then without a password: swappiness" in kit.dialogs()[-1]["message"]
    txid, _hold = dave.call("BeginForGame", "sis", set_, dave.pid, start_of(kit, dave))
    assert swappiness() == "10"
    dave.call("Revert", "s", txid)
    dave.call("ForgetForGame", "s", set_)
    assert swappiness() == before
    assert len(kit.dialogs()) == 2
