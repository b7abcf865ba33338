# SPDX-License-Identifier: GPL-3.0-or-later
"""What is played, as far as settings depend on it: presets as data.

One file ``resources/presets/ID.toml`` each. Every key must be there and nothing else, so that a
misspelt one is an error and not a silent default.
"""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

ALWAYS = "always"
EVIDENCE = "evidence"
NEVER = "never"
_WHEN = (ALWAYS, EVIDENCE, NEVER)


class PresetError(Exception):
    """A preset cannot be used; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class Preset:
    """What one kind of game wants.

    ``watermarks``, ``dirty`` and ``nvme_awake`` say when such advice is given: always, only with
    measured evidence, or never. ``lead_s`` is how long the game may allocate at its highest rate
    before it has to reclaim by itself; ``scale_least`` and ``scale_most`` narrow the scale factor
    that follows (0: only the size of memory limits it). ``reserve_pct`` is the most of memory
    that may be kept free. ``wake_up_us`` 0: processors may sleep as they like. ``notes`` are
    advice that no setting carries out.
    """

    id: str
    name: str
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


GENERAL = Preset(
    id="general",
    name="Any game",
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
    "name": (str,),
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


def load_presets(folder: Path) -> dict[str, Preset]:
    """All presets of a folder by id, sorted. Raises ``PresetError``."""
    try:
        paths = sorted(folder.glob("*.toml"))
        found = [parse_preset(path.read_text(encoding="utf-8"), path.stem) for path in paths]
    except (OSError, UnicodeDecodeError) as error:
        raise PresetError(f"{folder}: {error}") from None
    return {preset.id: preset for preset in found}


def parse_preset(text: str, name: str) -> Preset:
    """The preset of a file ``name``.toml. Raises ``PresetError``."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PresetError(f"{name}.toml: {error}") from None
    wanted = {field.name for field in fields(Preset)}
    if wrong := wanted.symmetric_difference(table):
        raise PresetError(f"{name}.toml: missing or unknown: {', '.join(sorted(wrong))}")
    for key, types in _TYPES.items():
        _check(name, key, table[key], types)
    if table["id"] != name:
        raise PresetError(f"{name}.toml: its id is {table['id']}")
    return Preset(**{**table, "notes": tuple(table["notes"])})


def _check(name: str, key: str, value: Any, types: tuple[type, ...]) -> None:
    if type(value) not in types:
        raise PresetError(f"{name}.toml: {key} is of the wrong type")
    if key in _LIMITS and not _LIMITS[key][0] <= value <= _LIMITS[key][1]:
        raise PresetError(f"{name}.toml: {key} is outside {_LIMITS[key][0]} to {_LIMITS[key][1]}")
    if key in ("watermarks", "dirty", "nvme_awake") and value not in _WHEN:
        raise PresetError(f"{name}.toml: {key} is none of {', '.join(_WHEN)}")
    if isinstance(value, list) and not all(isinstance(each, str) for each in value):
        raise PresetError(f"{name}.toml: {key} holds something else than texts")
