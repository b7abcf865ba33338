# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets: the files that are shipped, and files that nobody should ship."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.tuning.presets import PresetError, load_presets, parse_preset
from destutter.words.catalogue import texts

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "presets"
GOOD = (FOLDER / "flight_sim.toml").read_text()


def test_every_shipped_preset_is_whole():
    """Six of them, each with a name and limits that fit together."""
    presets = load_presets(FOLDER)
    assert set(presets) == {
        "flight_sim",
        "open_world",
        "competitive",
        "desktop_background",
        "kvm_guest",
        "kvm_host",
    }
    for preset in presets.values():
        assert {preset.name.id, *(each.id for each in preset.advice)} <= texts(
            "en", "preset"
        ).keys()
        assert preset.scale_least <= (preset.scale_most or 500)
        assert preset.reserve_pct == (7.0 if preset.id == "flight_sim" else 5.0)
        assert preset.lead_s > 0 or preset.watermarks == "never"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("lead_s = 4.0", "lead_z = 4.0", "missing or unknown: lead_s, lead_z"),
        ("lead_s = 4.0", 'lead_s = "4"', "lead_s is of the wrong type"),
        ("lead_s = 4.0", "lead_s = 40.0", "lead_s is outside 0 to 10"),
        ("lead_s = 4.0", "lead_s = nan", "lead_s is outside 0 to 10"),
        ("scale_most = 0", "scale_most = true", "scale_most is of the wrong type"),
        ('dirty = "always"', 'dirty = "often"', "dirty is none of always, evidence, never"),
        ("notes = [", "notes = [1, ", "notes holds something else than texts"),
        ('id = "flight_sim"', 'id = "other"', "its id is other"),
        ("lead_s = 4.0", "lead_s = ", "Invalid value"),
    ],
)
def test_mistakes_are_named(old, new, complaint):
    """One line with the file and the key."""
    with pytest.raises(PresetError, match=complaint):
        parse_preset(GOOD.replace(old, new), "flight_sim")


def test_a_broken_file_costs_only_itself(tmp_path):
    """The others are there, and what is wrong is told by the file's name."""
    refused: dict[str, PresetError] = {}
    for name in ("flight_sim", "open_world"):
        (tmp_path / f"{name}.toml").write_text((FOLDER / f"{name}.toml").read_text())
    for name, content in (("a", b"\xff"), ("b", b"id = "), ("c", GOOD.encode())):
        (tmp_path / f"{name}.toml").write_bytes(content)
    presets = load_presets(tmp_path, refused.__setitem__)
    assert list(presets) == ["flight_sim", "open_world"]
    assert list(refused) == ["a", "b", "c"]
    for name, error in refused.items():
        assert f"{name}.toml" in str(error)


def test_a_file_that_is_no_text_is_told(tmp_path):
    """With its folder."""
    (tmp_path / "a.toml").write_bytes(b"\xff")
    with pytest.raises(PresetError, match=str(tmp_path)):
        load_presets(tmp_path)


@given(st.text())
def test_any_text_is_a_preset_or_an_error(text):
    """Never anything else."""
    with pytest.raises(PresetError):
        parse_preset(text, "x")
