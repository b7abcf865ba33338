# SPDX-License-Identifier: GPL-3.0-or-later
"""One version: pyproject.toml has it, all else follows from there and from CHANGELOG.md."""

import re
import xml.etree.ElementTree as ET
from types import ModuleType

import pytest

from destutter.commands.version import program_version
from tests.house.source_tree import ROOT, loaded

SEARCHED = ("app", "helper", "packaging", "polkit", "resources", "Makefile", "INSTALL.md")


@pytest.fixture(scope="module")
def derive() -> ModuleType:
    """The program that writes the derived files."""
    return loaded(ROOT / "packaging" / "release" / "derive.py")


def test_derived_files_are_up_to_date(derive):
    """They say what packaging/release/derive.py writes now."""
    for path, text in derive.derived().items():
        assert path.read_text(encoding="utf-8") == text, path


def test_version_is_written_in_no_other_file(derive):
    """Whoever needs the version takes it from pyproject.toml, or is written by derive.py."""
    version = re.compile(rf"(?<![\d.]){re.escape(derive.project_version())}(?![\d.])")
    found = set()
    for name in SEARCHED:
        place = ROOT / name
        for path in place.rglob("*") if place.is_dir() else [place]:
            if not path.is_file() or {"__pycache__", "icons"} & set(path.parts):
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            if version.search(text) and not any("egg-info" in part for part in path.parts):
                found.add(path)
    assert found == set(derive.derived())


def test_every_part_tells_the_same_version(derive):
    """The program, the description for software centres and the packages agree."""
    version = derive.project_version()
    assert program_version() == version
    newest = ET.parse(derive.METAINFO).getroot().find("releases/release")  # noqa: S314  # our own
    assert newest is not None
    assert newest.get("version") == version
    assert derive.DEBIAN.read_text().startswith(f"destutter ({version}) ")


def test_notes_are_what_stands_before_the_details(derive):
    """Paragraphs and points between a release's title and its first subtitle."""
    text = (
        "# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n\n- later\n\n"
        "## 1.2.0 - 2027-01-02\n\nOne\nparagraph.\n\n- a <b>\n  c\n- d\n\n### Added\n\n- more\n\n"
        "## 1.1.0 - 2026-12-31\n\nFirst.\n"
    )
    newest, oldest = derive.releases(text)
    assert (newest.version, str(newest.date)) == ("1.2.0", "2027-01-02")
    assert newest.paragraphs == ("One paragraph.",)
    assert newest.points == ("a <b> c", "d")
    assert (oldest.version, oldest.points) == ("1.1.0", ())
    assert "<li>a &lt;b&gt; c</li>" in derive.metainfo([newest, oldest])


def test_release_without_notes_is_refused(derive):
    """Nobody should read an empty note in a software centre."""
    with pytest.raises(derive.ReleaseError, match=r"says nothing of 1\.2\.0"):
        derive.releases("## 1.2.0 - 2027-01-02\n\n### Added\n\n- detail\n")


def test_each_way_in_has_its_way_out():
    """INSTALL.md has the line that removes beside the one that installs, for each format."""
    text = (ROOT / "INSTALL.md").read_text(encoding="utf-8")
    ways = {
        "./Destutter-VERSION-x86_64.AppImage": "Destutter-VERSION-x86_64.AppImage menu remove",
        "flatpak install": "flatpak uninstall",
        "apt install ./destutter_": "apt purge --autoremove destutter destutter-helper",
        "apt install --no-install-recommends ./destutter-native_": (
            "apt purge --autoremove destutter-native destutter-helper"
        ),
        "dnf install": "dnf remove",
        "zypper install": "zypper remove",
        "makepkg": "pacman -R",
        "install-helper install": "install-helper uninstall",
        "git clone": "make uninstall-helper",
    }
    for way_in, way_out in ways.items():
        assert 0 < text.index(way_in) < text.index(way_out), way_in
    assert "(INSTALL.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
