# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage's entry in the desktop's menu."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.menu_entry import ID, MenuEntry, MenuEntryError, own_command
from tests.house.source_tree import ROOT


def image_in(folder, name="Destutter.AppImage"):
    """An entry for an AppImage with that name; its content is that of the checkout."""
    inside = folder / "mounted"
    icons = inside / "usr/share/icons/hicolor"
    if not inside.exists():
        icons.parent.mkdir(parents=True)
        shutil.copytree(ROOT / "resources/icons/hicolor", icons)
        shutil.copy(ROOT / f"resources/{ID}.desktop", inside)
    image = folder / name
    image.write_bytes(b"")
    return MenuEntry(image, inside, folder / "data", (folder / "share",))


def _value(entry, key):
    return [
        line.partition("=")[2]
        for line in entry.file.read_text().split("\n")
        if line.startswith(f"{key}=")
    ]


def test_entry_starts_this_file_with_all_its_actions(tmp_path):
    """The menu, its actions, the icon, and a desktop that leaves out what was deleted."""
    entry = image_in(tmp_path)
    assert entry.may_be_offered
    entry.add()
    assert entry.is_there
    assert not entry.may_be_offered
    words = [shlex.split(each) for each in _value(entry, "Exec")]
    image = str(entry.image)
    assert words == [[image], [image, "--record"], [image, "--strip"], [image, "--quit"]]
    assert _value(entry, "TryExec") == [image]
    assert (entry.data / f"icons/hicolor/scalable/apps/{ID}.svg").is_file()
    subprocess.run(["desktop-file-validate", entry.file], check=True, timeout=30)


def test_removal_leaves_nothing(tmp_path):
    """Neither the entry nor its icons; a second time there is nothing to do."""
    entry = image_in(tmp_path)
    entry.add()
    entry.remove()
    entry.remove()
    assert not entry.is_there
    assert [each for each in entry.data.rglob("*") if each.is_file()] == []


_NAMES = st.text(
    st.characters(exclude_characters="/\0\n\r", exclude_categories=["Cs"]), max_size=30
)


@given(name=_NAMES)
def test_any_path_is_quoted(tmp_path_factory, name):
    """Spaces, quotes, dollars, backslashes and percent signs of folders are no command."""
    folder = tmp_path_factory.mktemp("image")
    entry = image_in(folder, "x" + name)
    entry.add()
    value = _value(entry, "Exec")[0]
    # As a desktop reads it: the file's escapes, the percent signs, then the quotes.
    command = value.replace("\\\\", "\\").replace("%%", "%")
    assert command.startswith('"')
    assert _unquoted(command) == str(entry.image)
    again = MenuEntry(entry.image, entry.inside, entry.data)
    assert again.is_there


def _unquoted(command):
    assert command[-1] == '"'
    text, escaped = "", False
    for sign in command[1:-1]:
        if sign == "\\" and not escaped:
            escaped = True
            continue
        assert escaped or sign not in '"`$'
        text += sign
        escaped = False
    return text


def test_entry_of_somebody_else_is_left_alone(tmp_path):
    """A user's own entry, and that of another tool."""
    entry = image_in(tmp_path)
    entry.file.parent.mkdir(parents=True)
    entry.file.write_text("[Desktop Entry]\nExec=mine\n")
    assert not entry.may_be_offered
    with pytest.raises(MenuEntryError, match="was not made by Destutter"):
        entry.add()
    entry.remove()
    assert entry.file.read_text() == "[Desktop Entry]\nExec=mine\n"


def test_package_has_an_entry_of_its_own(tmp_path):
    """Nobody needs two."""
    entry = image_in(tmp_path)
    packaged = tmp_path / f"share/applications/{ID}.desktop"
    packaged.parent.mkdir(parents=True)
    packaged.write_text("")
    assert not entry.may_be_offered


def test_entry_follows_a_file_that_was_moved(tmp_path):
    """A newer version under another name, when the old one is gone; never while it is there."""
    old = image_in(tmp_path, "Destutter-1.AppImage")
    old.add()
    new = image_in(tmp_path, "Destutter-2.AppImage")
    new.follow()
    assert _value(new, "TryExec") == [str(old.image)]
    old.image.unlink()
    new.follow()
    assert _value(new, "TryExec") == [str(new.image)]


def test_full_or_closed_folder_is_told(tmp_path):
    """Where the home cannot be written the reason stands there."""
    entry = image_in(tmp_path)
    entry.data.write_text("a file where a folder should be")
    with pytest.raises(MenuEntryError, match="data"):
        entry.add()


def test_only_the_appimage_itself_has_an_entry(tmp_path):
    """A terminal out of another AppImage leaves its variables to what runs in it."""
    inside = tmp_path / "mounted"
    program = inside / "usr/lib/destutter/destutter"
    program.parent.mkdir(parents=True)
    program.write_text("")
    environment = {"APPIMAGE": "/home/p/D.AppImage", "APPDIR": str(inside), "HOME": "/home/p"}
    entry = MenuEntry.of_this_program(environment, str(program))
    assert entry is not None
    assert entry.file == Path(f"/home/p/.local/share/applications/{ID}.desktop")
    assert entry.system == (Path("/usr/local/share"), Path("/usr/share"))
    assert MenuEntry.of_this_program(environment, "/usr/bin/python3") is None
    assert MenuEntry.of_this_program({"HOME": "/home/p"}, str(program)) is None


def test_commands_name_the_file_of_an_appimage(tmp_path, monkeypatch):
    """ "destutter mark" is no command of who has nothing but that file."""
    assert own_command() == "destutter"
    entry = image_in(tmp_path, "My Destutter.AppImage")
    monkeypatch.setenv("APPIMAGE", str(entry.image))
    monkeypatch.setenv("APPDIR", str(entry.inside))
    monkeypatch.setattr("sys.executable", str(entry.inside / "usr/lib/destutter/destutter"))
    assert shlex.split(f"{own_command()} mark") == [str(entry.image), "mark"]
