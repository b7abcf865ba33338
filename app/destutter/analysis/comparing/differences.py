# SPDX-License-Identifier: GPL-3.0-or-later
"""What was different between two sessions besides their smoothness."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from destutter.analysis.examining.summary import SessionSummary
from destutter.core.kernel_names import COMM_LENGTH

UNFAIR = frozenset(
    {"game", "game_build", "kernel", "driver", "resolution", "gpus", "cpu_model", "memory"}
)
"""With one of these different, the change that was tried is not the only one."""

_MACHINE = (
    "distribution",
    "kernel",
    "driver",
    "gpus",
    "cpu_model",
    "cpus",
    "virtual_machine",
    "resolution",
)
_FACTS = (
    "display.mode",
    "power.source",
    "clocksource",
    "swap.kind",
    "session.type",
    "game.version",
)
_NAMES = {"display.mode": "resolution", "game.version": "game_build"}
_ENDINGS = (".scheduler", ".governor", ".epp")
_KIB = 1024


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing with its two values; empty where one run does not tell it.

    ``id`` is a name such as "kernel" or the key of a setting ("vm.swappiness", for which
    ``is_setting``). ``is_unfair``: it may be the reason of a difference by itself.
    """

    id: str
    a: str
    b: str
    is_setting: bool = False
    is_unfair: bool = False


def are_other_games(a: str, b: str) -> bool:
    """Whether two sessions are known to be of two games.

    One game has several names: the kernel cuts them, logs leave out the ending of Windows'
    programs.
    """
    one, other = (name.casefold().removesuffix(".exe")[:COMM_LENGTH] for name in (a, b))
    return bool(one and other) and not (one.startswith(other) or other.startswith(one))


def differences(a: SessionSummary, b: SessionSummary) -> tuple[Difference, ...]:
    """What differs, the unfair ones first, then the settings."""
    found = [*_named(a, b), *_settings(a.tunables, b.tunables)]
    return tuple(sorted(found, key=lambda each: (not each.is_unfair, each.is_setting)))


def _named(a: SessionSummary, b: SessionSummary) -> Iterator[Difference]:
    told_a, told_b = _told(a), _told(b)
    for id_ in dict.fromkeys((*told_a, *told_b)):
        one, other = told_a.get(id_, ""), told_b.get(id_, "")
        # What only one of them tells is no difference that anybody has seen.
        if one and other and one != other:
            yield Difference(id_, one, other, is_unfair=id_ in UNFAIR)


def _told(session: SessionSummary) -> dict[str, str]:
    machine, facts = session.header.machine, session.facts
    found = {"game": session.game}
    for name in _MACHINE:
        value = machine.get(name)
        if isinstance(value, list):
            found[name] = ", ".join(str(each) for each in value)
        elif value is not None:
            found[name] = str(value)
    memory = machine.get("memory_kib")
    if isinstance(memory, int):
        # The kernel keeps some for itself, and how much changes with its version.
        found["memory"] = f"{round(memory / _KIB / _KIB)} GB"
    found |= {_NAMES.get(name, name): facts[name] for name in _FACTS if name in facts}
    found |= {name: value for name, value in facts.items() if name.endswith(_ENDINGS)}
    return found


def _settings(a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[Difference]:
    for key in sorted(set(a) & set(b)):
        if a[key] != b[key]:
            yield Difference(key, a[key], b[key], is_setting=True)
