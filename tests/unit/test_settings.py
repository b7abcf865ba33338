# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings file and XDG places."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.statement import Statement
from destutter.settings import (
    Places,
    Settings,
    SettingsError,
    load_settings,
    put_damaged_aside,
    save_settings,
)


def test_saved_settings_are_loaded_again(tmp_path: Path) -> None:
    """What is saved is what the next start sees, and the folder is made when missing."""
    path = tmp_path / "destutter" / "settings.json"
    chosen = Settings(theme="light", interval_ms=200, watches_whole_computer=True)
    save_settings(path, chosen)
    assert load_settings(path) == chosen
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.json"]


def test_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    """A first start has no file and no complaint."""
    assert load_settings(tmp_path / "settings.json") == Settings()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b"null", b"\x00" * 64])
def test_broken_file_gives_the_defaults(tmp_path: Path, content: bytes) -> None:
    """A damaged file never keeps the program from starting."""
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    assert load_settings(path) == Settings()


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_broken_file_is_kept_and_told(tmp_path: Path, content: bytes) -> None:
    """What was in it is not lost with the next choice, and somebody says so."""
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    aside = {"path": str(tmp_path / "settings.json.damaged")}
    assert put_damaged_aside(path) == Statement("settings.put_aside", aside)
    assert (tmp_path / "settings.json.damaged").read_bytes() == content
    assert load_settings(path) == Settings()
    assert put_damaged_aside(path) is None


def test_whole_file_stays_where_it_is(tmp_path: Path) -> None:
    """Nothing is moved that can be read."""
    path = tmp_path / "settings.json"
    save_settings(path, Settings(theme="dark"))
    assert put_damaged_aside(path) is None
    assert load_settings(path).theme == "dark"


def test_entries_of_the_wrong_kind_fall_back_one_by_one(tmp_path: Path) -> None:
    """One bad entry does not cost the good ones."""
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"theme": "light", "interval_ms": "soon", "unknown": 1}))
    assert load_settings(path) == Settings(theme="light")


@given(
    st.dictionaries(
        st.sampled_from(["theme", "interval_ms", "watches_whole_computer", "other"]),
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    )
)
def test_any_mapping_gives_valid_settings(values: dict[str, object]) -> None:
    """Whatever a file holds, the settings are within their ranges."""
    settings = Settings.from_mapping(values)
    assert settings.theme in {"auto", "light", "dark"}
    assert 50 <= settings.interval_ms <= 1000
    assert isinstance(settings.watches_whole_computer, bool)


@pytest.mark.parametrize("text", ["Flight sim", "../x", "a" * 41, "flug\n"])
def test_workload_is_a_plain_name(text: str) -> None:
    """What can be no preset counts as none; one that is unknown may be of a newer version."""
    assert Settings.from_mapping({"workload": text}).workload == ""
    assert Settings.from_mapping({"workload": "flight_sim"}).workload == "flight_sim"


@pytest.mark.parametrize("text", ["x" * 2001, "frames\n", "fr\u00e4mes", 7, ["frames"]])
def test_lanes_are_a_short_plain_text(text: object) -> None:
    """Which of them there are is the card's business: a newer version knows others."""
    assert Settings.from_mapping({"lanes": text}).lanes == ""
    assert Settings.from_mapping({"lanes": "gpu drive:cciss!c0d0"}).lanes == "gpu drive:cciss!c0d0"


@pytest.mark.parametrize(
    "text", ["sim:49000", "1.2.3:4", "1.2.3.256:4", "01.2.3.4:5", "1.2.3.4", "1.2.3.4:0", "auto"]
)
def test_an_address_that_the_sampler_would_refuse_is_none(text: str) -> None:
    """It would end at every start, and the window would never measure."""
    assert Settings.from_mapping({"xplane_address": text}).xplane_address == ""
    for good in ("192.0.2.7:49000", "0.0.0.0:65535"):
        assert Settings.from_mapping({"xplane_address": good}).xplane_address == good
    assert Settings.from_mapping({"xplane_address": "192.0.2.7:65536"}).xplane_address == ""


def test_a_folder_is_told_from_the_root_of_the_disk(tmp_path: Path) -> None:
    """Else recordings of a file that somebody wrote lie where the program was started."""
    path = tmp_path / "settings.json"
    for name in ("sessions_folder", "frames_folder"):
        for folder, is_taken in (("/data/flights", True), ("flights", False), ("~/f", False)):
            path.write_text(json.dumps({"theme": "light", name: folder}))
            chosen = {name: folder} if is_taken else {}
            assert load_settings(path) == Settings.from_mapping({"theme": "light"} | chosen)
            assert getattr(load_settings(path), name) == chosen.get(name, "")


def test_unwritable_folder_is_told_in_words(tmp_path: Path) -> None:
    """A folder that is a file cannot take settings; the error names it."""
    blocker = tmp_path / "config"
    blocker.write_text("")
    with pytest.raises(SettingsError, match="config"):
        save_settings(blocker / "settings.json", Settings())


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    """Where the new file cannot take its name, it goes, and the old one stays as it was."""
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(SettingsError):
        save_settings(tmp_path / "settings.json", Settings())
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.json"]


def test_places_follow_the_xdg_variables() -> None:
    """Absolute XDG paths count, relative ones do not."""
    places = Places.from_environment(
        {"HOME": "/home/ada", "XDG_CONFIG_HOME": "/conf", "XDG_DATA_HOME": "relative"}
    )
    assert places.settings_file == Path("/conf/destutter/settings.json")
    assert places.sessions == Path("/home/ada/.local/share/destutter/sessions")
