# SPDX-License-Identifier: GPL-3.0-or-later
"""What a snapshot says about the situation around the measurements. No Qt."""

from dataclasses import dataclass
from typing import Self

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.sandbox import NAME as FLATPAK
from destutter.core.statement import TOLD, Statement

_REFUSALS = frozenset({"system.eacces", "system.eperm"})
_OLD_REFUSALS = ("Permission denied", "Operation not permitted")
_LANE_SOURCES = frozenset({"pressure", "disk", "vmstat", "wakeup"})


@dataclass(frozen=True, slots=True)
class MeasuringLimits:
    """What limits the measurements here.

    ``hypervisor`` names the virtual machine's host; None: a real computer. ``refused`` are the
    (source, reason) pairs of what the kernel does not let this user read. ``hides_games``: a
    sandbox keeps other programs out of sight, and no game was shown to this one.
    """

    hypervisor: str | None = None
    refused: tuple[tuple[str, Statement], ...] = ()
    hides_games: bool = False

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """The surroundings that a snapshot tells of."""
        told = snapshot.facts.get("machine.virtual", "")
        if not told and snapshot.header is not None:
            told = str(snapshot.header.machine.get("virtual_machine", ""))
        refused = tuple(
            (source, reason)
            for source, reason in sorted(snapshot.troubles.items())
            if source not in _LANE_SOURCES and _is_refusal(reason)
        )
        machine = {} if snapshot.header is None else snapshot.header.machine
        hides_games = machine.get("sandbox") == FLATPAK and "game.pid" not in snapshot.facts
        return cls(told if told not in ("", "no") else None, refused, hides_games)


def _is_refusal(reason: Statement) -> bool:
    """Also inside another sentence, and in older recordings, which have a finished text."""
    if reason.id == TOLD:
        return any(each in str(reason.values.get("text")) for each in _OLD_REFUSALS)
    parts = (each for each in reason.values.values() if isinstance(each, Statement))
    return reason.id in _REFUSALS or any(map(_is_refusal, parts))


def steal_pct(snapshot: Snapshot) -> float | None:
    """The newest share of time that the host took from this virtual machine, in percent."""
    for metrics in reversed(snapshot.metrics):
        value = metrics.values.get("cpu.steal_pct")
        if value is not None:
            return value
    return None


def programs(snapshot: Snapshot) -> list[tuple[int, str, float]]:
    """The busiest programs of the newest look at them: (PID, name, percent of a core)."""
    for metrics in reversed(snapshot.metrics):
        shares = metrics.instanced.get("process.cpu_pct")
        if shares:
            found = []
            for instance, share in shares.items():
                pid, _, name = instance.partition(" ")
                if pid.isdigit() and share is not None:
                    found.append((int(pid), name, share))
            return sorted(found, key=lambda one: -one[2])
    return []
