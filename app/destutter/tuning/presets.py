# SPDX-License-Identifier: GPL-3.0-or-later
"""What is played, as far as settings depend on it: presets as data.

One file ``resources/presets/ID.toml`` each. Every key must be there and nothing else, so that a
misspelt one is an error and not a silent default.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NoReturn

from destutter.core.statement import Statement, StatementError, Value

ALWAYS = "always"
EVIDENCE = "evidence"
NEVER = "never"
_WHEN = (ALWAYS, EVIDENCE, NEVER)


class PresetError(StatementError):
    """A preset cannot be used."""


@dataclass(frozen=True, slots=True)
class Preset:
    """What one kind of game wants.

    ``watermarks``, ``dirty`` and ``nvme_awake`` say when such advice is given: always, only with
    measured evidence, or never. ``lead_s`` is how long the game may allocate at its highest rate
    before it has to reclaim by itself; ``scale_least`` and ``scale_most`` narrow the scale factor
    that follows (0: only the size of memory limits it). ``reserve_pct`` is the most of memory
    that may be kept free. ``wake_up_us`` 0: processors may sleep as they like. ``notes`` name
    advice that no setting carries out.
    """

    id: str
    watermarks: str
    lead_s: float
    scale_least: int
    scale_most: int
    reserve_pct: float
    raises_min_free: bool
    swap: bool
    dirty: str
    nvme_awake: str
    wake_up_us: int
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> Statement:
        """What is played, as a title."""
        return Statement(f"preset.{self.id}")

    @property
    def is_flight(self) -> bool:
        """Whether who plays calls it a flight."""
        return self.id == "flight_sim"

    @property
    def advice(self) -> tuple[Statement, ...]:
        return tuple(Statement(f"preset.note.{note}") for note in self.notes)


GENERAL = Preset(
    id="general",
    watermarks=ALWAYS,
    lead_s=2.0,
    scale_least=0,
    scale_most=0,
    reserve_pct=5.0,
    raises_min_free=False,
    swap=True,
    dirty=EVIDENCE,
    nvme_awake=EVIDENCE,
    wake_up_us=0,
)
"""For whoever has not said what is played."""

_TYPES: dict[str, tuple[type, ...]] = {
    "id": (str,),
    "watermarks": (str,),
    "lead_s": (int, float),
    "scale_least": (int,),
    "scale_most": (int,),
    "reserve_pct": (int, float),
    "raises_min_free": (bool,),
    "swap": (bool,),
    "dirty": (str,),
    "nvme_awake": (str,),
    "wake_up_us": (int,),
    "notes": (list,),
}
_LIMITS: dict[str, tuple[int, int]] = {
    "lead_s": (0, 10),
    "scale_least": (0, 500),
    "scale_most": (0, 500),
    "reserve_pct": (0, 7),
    "wake_up_us": (0, 2000),
}


def _raise(_id: str, error: PresetError) -> NoReturn:
    raise error


def load_presets(
    folder: Path, refuse: Callable[[str, PresetError], object] = _raise
) -> dict[str, Preset]:
    """All presets of a folder by id, sorted. A broken file costs itself: ``refuse`` gets its id
    and what is wrong."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            found[path.stem] = _read(path)
        except PresetError as error:
            refuse(path.stem, error)
    return found


def _read(path: Path) -> Preset:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong("file", place=str(path), error=str(error)) from None
    return parse_preset(text, path.stem)


def parse_preset(text: str, name: str) -> Preset:
    """The preset of a file ``name``.toml. Raises ``PresetError``."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong("file", place=f"{name}.toml", error=str(error)) from None
    wanted = {field.name for field in fields(Preset)}
    if wrong := wanted.symmetric_difference(table):
        raise _wrong("keys", name=name, keys=", ".join(sorted(wrong)))
    for key, types in _TYPES.items():
        _check(name, key, table[key], types)
    if table["id"] != name:
        raise _wrong("id", name=name, id=table["id"])
    return Preset(**{**table, "notes": tuple(table["notes"])})


def _check(name: str, key: str, value: Any, types: tuple[type, ...]) -> None:
    if type(value) not in types:
        raise _wrong("type", name=name, key=key)
    low, high = _LIMITS.get(key, (0, 0))
    if key in _LIMITS and not low <= value <= high:
        raise _wrong("range", name=name, key=key, low=low, high=high)
    if key in ("watermarks", "dirty", "nvme_awake") and value not in _WHEN:
        raise _wrong("choice", name=name, key=key, choices=", ".join(_WHEN))
    if isinstance(value, list) and not all(isinstance(each, str) for each in value):
        raise _wrong("list", name=name, key=key)


def _wrong(what: str, **values: Value) -> PresetError:
    return PresetError(Statement(f"preset.wrong.{what}", values))
