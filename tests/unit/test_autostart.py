# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry that starts the program with the desktop."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.autostart import Autostart, AutostartError
from destutter.menu_entry import ID, plain

NAMES = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("Cs", "Cc")),
    min_size=1,
    max_size=30,
).filter(lambda name: "/" not in name and name.strip() == name and name not in (".", ".."))


def _entry(folder: Path, program: str = "destutter") -> Autostart:
    return Autostart(folder / "autostart" / f"{ID}.desktop", program)


def _values(entry: Autostart) -> dict[str, str]:
    lines = entry.file.read_text().splitlines()[1:]
    return dict(line.split("=", 1) for line in lines)


def test_it_is_put_there_and_taken_away(tmp_path):
    """Started without a window; what is gone is no entry, and twice does no harm."""
    entry = _entry(tmp_path)
    seen = [entry.is_on]
    entry.put()
    seen.append(entry.is_on)
    assert shlex.split(_values(entry)["Exec"]) == ["destutter", "--hidden"]
    subprocess.run(["desktop-file-validate", entry.file], check=True, timeout=30)
    entry.remove()
    entry.remove()
    assert [*seen, entry.is_on] == [False, True, False]
    assert list(entry.file.parent.iterdir()) == []


@given(name=NAMES)
def test_any_name_of_a_file_is_started_as_it_is(tmp_path_factory, name):
    """Spaces, quotes, signs of a shell and percent signs, read back as a desktop does."""
    folder = tmp_path_factory.mktemp("autostart")
    program = f"/home/pilot/{name}"
    entry = _entry(folder, program)
    entry.put()
    values = _values(entry)
    assert plain(values["TryExec"]) == program
    command = plain(values["Exec"]).replace("%%", "%")
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', command)
    assert [re.sub(r"\\(.)", r"\1", each) for each in words] == [program, "--hidden"]


@pytest.mark.parametrize("switch", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktops_own_list_switched_off_is_off(tmp_path, switch):
    """Those lists leave the file, and write into it."""
    entry = _entry(tmp_path)
    entry.put()
    name = switch.partition("=")[0]
    kept = [each for each in entry.file.read_text().splitlines() if not each.startswith(name)]
    entry.file.write_text("\n".join([*kept, switch]) + "\n")
    assert not entry.is_on
    entry.follow()
    assert not entry.is_on, "an entry that is off was brought up to date"
    entry.put()
    assert entry.is_on


def test_an_appimage_that_was_moved_is_followed(tmp_path):
    """The entry names a file that is gone; one that is there, or is a command, stays."""
    old, new = tmp_path / "old.AppImage", tmp_path / "new.AppImage"
    for each in (old, new):
        each.write_bytes(b"")
        each.chmod(0o755)
    _entry(tmp_path, str(old)).put()
    entry = _entry(tmp_path, str(new))
    entry.follow()
    assert _values(entry)["TryExec"] == str(old), "it is there, and was chosen"
    old.unlink()
    entry.follow()
    assert _values(entry)["TryExec"] == str(new)


def test_the_program_that_runs_is_what_is_started(tmp_path, monkeypatch):
    """The command beside this Python, a package's, or this Python; by its whole path, since an
    active virtual environment is none at the next log-in."""
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    python = tmp_path / "venv" / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    alone = Autostart.of_this_program(environment)
    assert alone.file == tmp_path / "autostart" / f"{ID}.desktop"
    assert (alone.program, alone.words) == (str(python), ("-m", "destutter"))
    for folder in ("bin", "venv"):
        command = tmp_path / folder / "destutter"
        command.parent.mkdir()
        command.write_text("#!/bin/sh\n")
        command.chmod(0o755)
        found = Autostart.of_this_program(environment)
        assert (found.program, found.words) == (str(command), ())


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    """With the path, which may be somebody else's."""
    (tmp_path / "autostart").write_text("a file\n")
    with pytest.raises(AutostartError) as refused:
        _entry(tmp_path).put()
    assert refused.value.statement.id == "core.file"
    with pytest.raises(AutostartError):
        _entry(tmp_path).remove()
