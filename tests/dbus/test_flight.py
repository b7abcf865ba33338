# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial for as long as a game runs: tied to its process, renewed by its owner."""

import json
import os
import signal

import pytest

from tests.support import scratch_tree, wire
from tests.support.bus_kit import Caller, Refused, eventually
from tests.support.private_bus import PrivateBus, start_of


@pytest.fixture
def granted(bus: PrivateBus) -> PrivateBus:
    """The bus with polkit granting trials."""
    bus.allow("apply")
    return bus


def swappiness(bus: PrivateBus) -> str:
    """The value that is on trial in these tests."""
    return scratch_tree.value(bus.root, "vm/swappiness")


def begin(client: Caller, pid: int) -> str:
    """A trial that is tied to a process."""
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 5, False)
    assert client.call("Bind", "sis", txid, pid, start_of(pid)) == 120
    return str(txid)


def test_it_ends_with_the_game(granted, game):
    """However that ended; everybody hears why."""
    client, other = granted.client(), granted.client()
    begin(client, game.pid)
    assert swappiness(granted) == "10"
    game.send_signal(signal.SIGKILL)
    (reason, results) = eventually(lambda: other.signals("TrialEnded"))[0]
    assert reason == "game-ended"
    assert wire.outcomes(results) == {"vm.swappiness": "restored"}
    assert swappiness(granted) == "60"
    assert json.loads(client.call("GetState"))["state"] == "idle"


def test_it_ends_with_the_game_while_the_service_hangs(granted, game):
    """The guardian has the game's descriptor, and needs nobody."""
    client = granted.client()
    begin(client, game.pid)
    client.call("GetState")
    granted.helper.send_signal(signal.SIGSTOP)
    game.send_signal(signal.SIGKILL)
    eventually(lambda: swappiness(granted) == "60")
    granted.helper.send_signal(signal.SIGCONT)
    assert eventually(lambda: client.signals("TrialEnded"))[0][0] == "game-ended"


def test_it_ends_with_its_owner_and_can_be_stopped_and_kept(granted, game):
    """As every trial: the descriptor, Revert, Keep; the game runs on."""
    client = granted.client()
    begin(client, game.pid)
    client.ask("disconnect")
    eventually(lambda: swappiness(granted) == "60")
    other = granted.client()
    other.call("Revert", "s", begin(other, game.pid))
    assert swappiness(granted) == "60"
    other.call("Keep", "ssb", begin(other, game.pid), "restart", False)
    game.send_signal(signal.SIGKILL)
    game.wait()
    other.call("GetState")
    assert swappiness(granted) == "10"
    assert other.signals("TrialEnded")[-1][0] == "kept"


def test_it_may_be_renewed_for_longer_than_a_trial_and_has_to_be(granted, game):
    """Two minutes at a time; what nobody renews goes back at its deadline."""
    client = granted.client()
    txid = begin(client, game.pid)
    assert client.call("Extend", "si", txid, 5) == 5
    assert client.refusal("Extend", "si", txid, 121) == "OutOfRange"
    assert eventually(lambda: client.signals("TrialEnded"), 20)[0][0] == "deadline"
    assert game.poll() is None


def test_only_its_owner_ties_it_and_only_to_a_game_of_its_own(granted, game):
    """Another client, another user's process, one that has ended, another with the number."""
    client, other = granted.client(), granted.client()
    txid, _hold = client.call("BeginTrial", "sib", wire.swappiness(10), 30, False)
    start = start_of(game.pid)
    assert other.refusal("Bind", "sis", txid, game.pid, start) == "NotOwner"
    assert client.refusal("Bind", "sis", "0" * 32, game.pid, start) == "NoSuchTransaction"
    for pid, wrong in ((game.pid, "1"), (game.pid, ""), (0, start), (-1, start), (2**31 - 1, "5")):
        assert client.refusal("Bind", "sis", txid, pid, wrong) == "Refused"
    (granted.root / f"proc/{game.pid}/stat").unlink()
    assert client.refusal("Bind", "sis", txid, game.pid, start) == "Refused"
    granted.show(game.pid)
    assert client.call("Bind", "sis", txid, game.pid, start) == 120
    with pytest.raises(Refused, match="as long as a game runs"):
        other.call("BeginTrial", "sib", wire.swappiness(20), 5, False)


def test_no_descriptor_is_left(granted, game):
    """Neither of the service nor of the guardian, after many games."""
    client = granted.client()
    client.call("Revert", "s", begin(client, game.pid))
    before = [len(os.listdir(f"/proc/{pid}/fd")) for pid in _processes(granted)]
    for _ in range(5):
        txid = begin(client, game.pid)
        client.call("Bind", "sis", txid, game.pid, start_of(game.pid))
        client.call("Revert", "s", txid)
    after = [len(os.listdir(f"/proc/{pid}/fd")) for pid in _processes(granted)]
    assert after == before


def _processes(bus: PrivateBus) -> tuple[int, int]:
    assert bus.helper is not None
    return bus.helper.pid, bus.guardian_pid()
