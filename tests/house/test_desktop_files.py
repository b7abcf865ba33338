# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desktop reads: menu entry, icons, description, bus and authority files."""

import configparser
import re
import subprocess
import tomllib
import xml.etree.ElementTree as ET

import pytest

from destutter.cli import build_parser
from destutter.words.language import LANGUAGES
from tests.house.source_tree import ROOT

APP_ID = "io.github.destutter.Destutter"
RESOURCES = ROOT / "resources"
ICONS = RESOURCES / "icons" / "hicolor"


def _run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=60
    )


def _menu_entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    parser.read(RESOURCES / f"{APP_ID}.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def test_menu_entry_is_valid():
    """desktop-file-validate accepts the menu entry without a word."""
    done = _run("desktop-file-validate", RESOURCES / f"{APP_ID}.desktop")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_description_is_valid():
    """appstreamcli accepts the description for software centres."""
    done = _run("appstreamcli", "validate", "--no-net", RESOURCES / f"{APP_ID}.metainfo.xml")
    assert done.returncode == 0, done.stdout


def test_menu_entry_starts_what_is_installed():
    """The menu entry runs the command that the package installs, with the icon we ship."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    entry = _menu_entry()
    assert entry["Exec"] in scripts
    assert entry["Icon"] == APP_ID
    assert entry["StartupWMClass"] == APP_ID


@pytest.mark.parametrize(
    "name", [f"scalable/apps/{APP_ID}.svg", f"symbolic/apps/{APP_ID}-symbolic.svg"]
)
def test_application_icons_are_drawings(name):
    """Both icons are well-formed SVG, without a bitmap or anything from outside in them."""
    root = ET.parse(ICONS / name).getroot()  # noqa: S314  # our own file
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"image", "script", "foreignObject"}


def test_description_and_menu_entry_agree():
    """Name, id and start of the description are those of the menu entry."""
    root = ET.parse(RESOURCES / f"{APP_ID}.metainfo.xml").getroot()  # noqa: S314  # our own file
    assert root.findtext("id") == APP_ID
    assert root.findtext("launchable") == f"{APP_ID}.desktop"
    assert root.findtext("name") == _menu_entry()["Name"]


def test_actions_of_the_menu_entry_are_options():
    """Each action of the menu entry is there, and starts the program with an option it knows."""
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    parser.read(RESOURCES / f"{APP_ID}.desktop", encoding="utf-8")
    names = [name for name in parser["Desktop Entry"]["Actions"].split(";") if name]
    assert names == ["Record", "Strip", "Quit"]
    for name in names:
        command, *options = parser[f"Desktop Action {name}"]["Exec"].split()
        assert command == parser["Desktop Entry"]["Exec"]
        assert build_parser(None).parse_args(options).action == name.lower()


def test_menu_entry_speaks_every_language():
    """Name of the kind, description, keywords and actions are there in each."""
    text = (RESOURCES / f"{APP_ID}.desktop").read_text(encoding="utf-8")
    plain = re.findall(r"^(GenericName|Comment|Keywords)=", text, re.MULTILINE)
    for language in LANGUAGES[1:]:
        for key in plain:
            assert f"{key}[{language}]=" in text
        assert text.count(f"Name[{language}]=") == 4


def test_every_xml_file_is_well_formed():
    """Every XML file of the project is well-formed: D-Bus, polkit, description, icons."""
    found = [
        path
        for folder in ("resources", "polkit", "packaging")
        for ending in ("*.xml", "*.svg", "*.policy", "*.conf")
        for path in sorted((ROOT / folder).rglob(ending))
        if path.read_text(encoding="utf-8").lstrip().startswith("<")
    ]
    assert found
    for path in found:
        ET.parse(path)  # noqa: S314  # our own file
