# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual page and completion say what the command line can do, and nothing else."""

import subprocess
from types import ModuleType

import pytest

from destutter.cli import COMMANDS
from tests.house.source_tree import ROOT, loaded


@pytest.fixture(scope="module")
def manual() -> ModuleType:
    """The program that writes both."""
    return loaded(ROOT / "packaging" / "manual" / "manual.py")


def test_files_fit_the_command_line(manual):
    """Both files are what the options of now give; packaging/manual/manual.py writes them."""
    assert manual.MAN.read_text(encoding="utf-8") == manual.man_page()
    assert manual.COMPLETION.read_text(encoding="utf-8") == manual.bash_completion()


def test_manual_page_is_well_formed(manual):
    """man formats the page without a warning, and every command has its place in it."""
    done = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", manual.MAN],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    text = manual.MAN.read_text(encoding="utf-8")
    assert all(f'.SS "{name}' in text.replace("\\-", "-") for name in COMMANDS)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("destutter rec", {"record"}),
        ("destutter undo --a", {"--all", "--accept"}),
        ("destutter --st", {"--strip"}),
    ],
)
def test_completion_completes(manual, line, expected):
    """bash completes commands and the options of the one that stands there."""
    words = line.split()
    code = (
        f"source {manual.COMPLETION}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        'COMPREPLY=(); _destutter; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert set(done.stdout.split()) == expected
