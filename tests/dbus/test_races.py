# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that get into each other's way, in no order that anybody planned."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from destutter_helper.api.names import ERROR_NAMES
from tests.support import wire
from tests.support.bus_kit import ERROR, Caller
from tests.support.private_bus import PrivateBus

pytestmark = pytest.mark.long

STEPS = 120
KNOWN = {ERROR + name for name in ERROR_NAMES if name != "Internal"}
SETS = (
    wire.swappiness(10),
    wire.swappiness(20),
    '{"changes":[{"id":"vm.dirty_bytes","value":"268435456"},{"id":"thp.enabled","value":"never"}]}',
    '{"changes":[{"id":"block.scheduler","value":"none","device":"sda"}]}',
)
REQUESTS = ("{}", '{"ids":["vm.swappiness"]}', '{"force":["vm.swappiness","vm.dirty_bytes"]}')


class Crowd:
    """A few clients with calls under way; some are killed and followed by others."""

    def __init__(self, bus: PrivateBus, chance: random.Random) -> None:
        self._bus = bus
        self._chance = chance
        self._clients = [bus.client() for _ in range(3)]
        self._calls: list[tuple[Caller, int]] = []
        self._txids = ["0" * 32]

    def step(self) -> None:
        """Somebody asks for something, an answer is waited for, or a client dies."""
        choice = self._chance.random()
        if choice < 0.05:
            number = self._chance.randrange(len(self._clients))
            gone, self._clients[number] = self._clients[number], self._bus.client()
            self._calls = [one for one in self._calls if one[0] is not gone]
            gone.kill()
        elif choice < 0.4 and self._calls:
            self._take(*self._calls.pop(0))
        else:
            client = self._chance.choice(self._clients)
            member, sig, *values = self._request()
            self._calls.append((client, client.begin(member, sig, *values)))

    def drain(self) -> None:
        """Wait for every answer."""
        while self._calls:
            self._take(*self._calls.pop(0))

    def _request(self) -> tuple[Any, ...]:
        txid = self._chance.choice(self._txids[-2:])
        return self._chance.choice(
            (
                ("BeginTrial", "sib", self._chance.choice(SETS), 5, False),
                ("Keep", "ssb", txid, self._chance.choice(("restart", "always")), False),
                ("Extend", "si", txid, 5),
                ("Revert", "s", txid),
                ("Undo", "s", self._chance.choice(REQUESTS)),
                ("Recover", ""),
                ("Verify", ""),
            )
        )

    def _take(self, client: Caller, number: int) -> None:
        answer = client.wait(number)
        if "error" in answer:
            assert answer["error"] in KNOWN, answer
        elif len(answer["values"]) == 2:  # of BeginTrial
            txid, hold = answer["values"]
            self._txids.append(txid)
            if self._chance.random() < 0.3:
                client.ask("close", fd=hold["fd"])


def _values(client: Caller) -> dict[str, str]:
    listed = json.loads(client.call("ListTunables"))["tunables"]
    return {f"{one['id']}@{one['device']}": one["current"] for one in listed}


@pytest.mark.parametrize("seed", range(4))
def test_f16_a_crowd_leaves_nothing_behind(quiet_bus: PrivateBus, tree: Path, seed: int) -> None:
    """Whatever they do at once: only named answers, no crash, and one undo takes all back."""
    for action in ("apply", "persist", "undo"):
        quiet_bus.allow(action)
    quiet_bus.start_helper()
    client = quiet_bus.client()
    before = _values(client)
    crowd = Crowd(quiet_bus, random.Random(seed))  # noqa: S311 (the same crowd each time)
    for _ in range(STEPS):
        crowd.step()
    crowd.drain()
    client.call("Undo", "s", "{}")
    assert _values(client) == before
    assert json.loads(client.call("GetState"))["state"] == "idle"
    assert quiet_bus.helper is not None
    assert quiet_bus.helper.poll() is None
    assert "incident" not in quiet_bus.log()
    assert not list((tree / "run/sysctl.d").glob("*destutter*"))
