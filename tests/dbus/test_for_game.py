# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for a game: stored with a password, set without one while the game runs."""

import json
import os
import signal

import pytest

from tests.dbus.test_flight import swappiness
from tests.support import wire
from tests.support.bus_kit import Caller, Refused, eventually
from tests.support.living import living
from tests.support.private_bus import PrivateBus, start_of


@pytest.fixture
def granted(bus: PrivateBus) -> PrivateBus:
    """The bus with polkit granting what is kept, and nothing else."""
    bus.allow("persist")
    return bus


def keep(client: Caller, game: str = "sim", value: int = 10) -> str:
    """Store a set; its number."""
    return str(client.call("KeepForGame", "ssb", game, wire.swappiness(value), False))


def begin(client: Caller, id_: str, pid: int) -> str:
    """The game has started."""
    txid, _hold = client.call("BeginForGame", "sis", id_, pid, start_of(pid))
    return str(txid)


def refused(client: Caller, id_: str, pid: int, start: str) -> str:
    """Why it is not set."""
    return str(client.refusal("BeginForGame", "sis", id_, pid, start))


def listed(client: Caller) -> list[tuple[str, bool]]:
    """The games for which something is kept, and whether it is in the kernel."""
    found = json.loads(client.call("ListForGames"))
    assert found["trouble"] is None
    return [(one["game"], one["runs"]) for one in found["sets"]]


def test_it_is_kept_once_and_set_at_every_start(granted, game):
    """One question to polkit; each start has the values, each end those from before."""
    client, other = granted.client(), granted.client()
    id_ = keep(client)
    assert swappiness(granted) == "60"
    assert [one["action"] for one in granted.questions()] == ["io.github.destutter.persist"]
    txid = begin(client, id_, game.pid)
    assert swappiness(granted) == "10"
    assert listed(client) == [("sim", True)]
    assert client.call("Extend", "si", txid, 120) == 120
    game.send_signal(signal.SIGKILL)
    (reason, results) = eventually(lambda: other.signals("TrialEnded"))[0]
    assert (reason, wire.outcomes(results)) == ("game-ended", {"vm.swappiness": "restored"})
    assert swappiness(granted) == "60"
    with living() as again:
        granted.show(again.pid)
        begin(other, id_, again.pid)
        assert swappiness(granted) == "10"
    eventually(lambda: swappiness(granted) == "60")
    assert len(granted.questions()) == 1
    assert listed(client) == [("sim", False)]


@pytest.mark.parametrize("mode", ["no", "error", "wrong-type", "dismiss"])
def test_without_the_right_nothing_is_kept(bus, tree, mode):
    """A no, and a polkit that does not answer as it should."""
    bus.allow("persist", mode)
    bus.allow("apply")
    client = bus.client()
    arguments = ("sim", wire.swappiness(10), True)
    assert client.refusal("KeepForGame", "ssb", *arguments) in {"NotAuthorized", "Dismissed"}
    assert listed(client) == []
    assert not (tree / "var/lib/destutter/games.json").exists()


def test_the_dialog_says_what_is_kept_and_not_the_callers_words(bus):
    """The name of the game is the caller's: it could be anything."""
    bus.allow("persist", "ask")
    bus.client().call("KeepForGame", "ssb", "Updates for Linux", wire.swappiness(10), True)
    told = [one["details"]["summary"] for one in bus.questions()]
    assert set(told) == {"for one game, then without a password: swappiness 60 → 10"}


def test_a55_values_cannot_be_smuggled_into_a_start(granted, game):
    """There is no argument for one: other types are refused, and so is a text as a number."""
    client = granted.client()
    id_ = keep(client)
    start = start_of(game.pid)
    for sig, arguments in (
        ("siss", (id_, game.pid, start, wire.swappiness(99))),
        ("sssi", (id_, wire.swappiness(99), start, 7)),
        ("s", (id_,)),
    ):
        assert client.refusal("BeginForGame", sig, *arguments) == "InvalidArgument"
    for text in (wire.swappiness(99), f"{id_}\n", id_[:-1], f"{id_}0", "../journal", "sim"):
        assert refused(client, text, game.pid, start) == "UnknownKey"
    assert swappiness(granted) == "60"


def test_a55_a_set_that_was_kept_anew_needs_its_new_number(granted, game):
    """And what runs meanwhile goes on as it began."""
    client = granted.client()
    first = keep(client)
    begin(client, first, game.pid)
    second = keep(client, value=20)
    assert swappiness(granted) == "10"
    client.ask("disconnect")
    eventually(lambda: swappiness(granted) == "60")
    other = granted.client()
    assert refused(other, first, game.pid, start_of(game.pid)) == "UnknownKey"
    begin(other, second, game.pid)
    assert swappiness(granted) == "20"


def test_a54_only_a_process_of_the_caller_and_only_one_that_lives(granted, game, tree):
    """Somebody else's, one that has ended, another with its number, none at all.

    No method takes a descriptor, so none of a file or a socket can stand for a process.
    """
    client = granted.client()
    id_, start = keep(client), start_of(game.pid)
    for pid, wrong in ((game.pid, "1"), (game.pid, ""), (0, start), (-1, start), (2**31 - 1, "5")):
        assert refused(client, id_, pid, wrong) == "Refused"
    assert client.refusal("BeginForGame", "shs", id_, {"fd": 0}, start) == "InvalidArgument"
    game.kill()
    game.wait()
    assert refused(client, id_, game.pid, start) == "Refused"
    assert swappiness(granted) == "60"


def test_it_ends_with_whoever_began_it(granted, game):
    """The caller leaves the bus; its descriptor closes with it."""
    client = granted.client()
    begin(client, keep(client), game.pid)
    os.kill(client.pid, signal.SIGKILL)
    eventually(lambda: swappiness(granted) == "60")
    assert listed(granted.client()) == [("sim", False)]


def test_whoever_leaves_before_the_password_has_kept_nothing(bus):
    """The dialog closes, and with it the wish."""
    bus.allow("persist", "type")
    client, other = bus.client(), bus.client()
    client.begin("KeepForGame", "ssb", "sim", wire.swappiness(10), True)
    eventually(bus.questions)
    os.kill(client.pid, signal.SIGKILL)
    eventually(lambda: bus.polkit.ask("questions")["cancelled"])
    bus.polkit.ask("answer", mode="yes")
    assert listed(other) == []


def test_a_second_game_hears_why_it_waits(granted, game):
    """One runs at a time, whoever asks; so does a trial of another kind."""
    granted.allow("apply")
    client, other = granted.client(), granted.client()
    first, second = keep(client), keep(client, "other", 20)
    begin(client, first, game.pid)
    with living() as process:
        granted.show(process.pid)
        with pytest.raises(Refused, match="as long as a game runs") as caught:
            begin(other, second, process.pid)
        assert caught.value.name.endswith("Busy")
        assert other.refusal("BeginTrial", "sib", wire.swappiness(30), 5, False) == "Busy"
        game.kill()
        eventually(lambda: swappiness(granted) == "60")
        begin(other, second, process.pid)
        assert swappiness(granted) == "20"


def test_removing_it_while_it_runs_takes_it_back(granted, game):
    """Nothing of it is left: not in the kernel, not in the list; everybody hears of it."""
    client, other = granted.client(), granted.client()
    id_ = keep(client)
    begin(client, id_, game.pid)
    other.call("ForgetForGame", "s", id_)
    assert swappiness(granted) == "60"
    assert listed(client) == []
    assert other.signals("TrialEnded")[-1][0] == "reverted"
    assert other.refusal("ForgetForGame", "s", id_) == "UnknownKey"
    assert len(granted.questions()) == 1


def test_undo_of_everything_ends_it_and_leaves_it_kept(granted, game):
    """The next start of the game has it again."""
    granted.allow("undo")
    client = granted.client()
    id_ = keep(client)
    begin(client, id_, game.pid)
    client.call("Undo", "s", "{}")
    assert swappiness(granted) == "60"
    assert listed(client) == [("sim", False)]
    begin(client, id_, game.pid)
    assert swappiness(granted) == "10"


def test_f79_a_killed_helper_leaves_the_values_from_before_and_the_sets(granted, game):
    """The service alone, and with its guardian."""
    client = granted.client()
    id_ = keep(client)
    begin(client, id_, game.pid)
    granted.helper.kill()
    eventually(lambda: swappiness(granted) == "60")
    granted.helper.wait()
    granted.start_helper()
    begin(client, id_, game.pid)
    granted.kill_all()
    granted.start_helper()
    # The bus may not have noticed yet that the last owner of the name is gone.
    eventually(lambda: swappiness(granted) == "60")
    assert listed(client) == [("sim", False)]
    begin(client, id_, game.pid)
    assert swappiness(granted) == "10"


def test_f81_a_damaged_file_is_told_and_nothing_is_set(granted, game, tree):
    """Also to whoever asks for the list; a password begins anew."""
    client = granted.client()
    id_ = keep(client)
    path = tree / "var/lib/destutter/games.json"
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(path.read_bytes()[:-9])
    assert json.loads(client.call("ListForGames"))["trouble"]["id"] == "helper.game.damaged"
    assert refused(client, id_, game.pid, start_of(game.pid)) == "JournalUnavailable"
    keep(client)
    assert listed(client) == [("sim", False)]


def test_a56_a_thousand_starts_are_ten(granted, game):
    """As of trials, and together with those; who asked for too much is told so."""
    client = granted.client()
    id_ = keep(client)
    start = start_of(game.pid)
    answers = [refused(client, id_, game.pid, "1") for _ in range(1000)]
    assert answers[:10] == ["Refused"] * 10
    assert set(answers[10:]) == {"RateLimited"}
    assert refused(client, id_, game.pid, start) == "RateLimited"
    assert swappiness(granted) == "60"


def test_it_can_be_kept_for_every_start_with_a_password_of_its_own(granted, game):
    """As what is on trial; that of the set counts for the set alone."""
    client = granted.client()
    txid = begin(client, keep(client), game.pid)
    granted.allow("persist", "no")
    assert client.refusal("Keep", "ssb", txid, "always", True) == "NotAuthorized"
    granted.allow("persist", "ask")
    assert client.refusal("Keep", "ssb", txid, "always", False) == "NotAuthorized"
    client.call("Keep", "ssb", txid, "always", True)
    assert (
        granted.questions()[-1]["details"]["summary"]
        == "for every start of the computer: swappiness 60 → 10"
    )
    game.kill()
    assert swappiness(granted) == "10"


def test_no_descriptor_is_left(granted, game):
    """Neither of a start nor of one that was refused, in the service and in the guardian."""
    client = granted.client()
    id_ = keep(client)
    pids = granted.helper.pid, granted.guardian_pid()
    client.call("Revert", "s", begin(client, id_, game.pid))
    before = [len(os.listdir(f"/proc/{pid}/fd")) for pid in pids]
    for _ in range(3):
        txid = begin(client, id_, game.pid)
        assert refused(client, id_, game.pid, start_of(game.pid)) == "Busy"
        client.call("Revert", "s", txid)
    assert [len(os.listdir(f"/proc/{pid}/fd")) for pid in pids] == before
