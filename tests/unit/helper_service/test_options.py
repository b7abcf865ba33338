# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's command line, and the wall between the real tree and scratch trees."""

import pytest

from destutter_helper.__main__ import build_parser, find_misuse, main


def read(*words):
    return build_parser().parse_args(words)


def test_every_mode_is_understood():
    """Modes of the units, with the harmless --no-dbus."""
    assert read("--undo-all", "--no-dbus").mode == "undo-all"
    assert read("--boot").mode == "boot"
    assert read().mode is None


def test_scratch_options_are_understood():
    """A tree, a bus and an idle time."""
    options = read("--root", "/tmp/x", "--bus", "unix:path=/b", "--idle-ms", "50")
    assert (options.root, options.bus, options.idle_ms) == ("/tmp/x", "unix:path=/b", 50)


@pytest.mark.parametrize(
    "words",
    [["--wat"], ["--boot", "--recover"], ["--root"], ["--idle-ms", "x"], ["x"], ["--undo"]],
)
def test_wrong_usage_is_said(words, capsys):
    """Exit status 2 and a line that says what is wrong, before anything is touched."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "destutter-helper: error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "euid"),
    [
        ((), 1000),
        (("--undo-all",), 1000),
        (("--root", "/proc/self/root"), 1000),
        (("--bus", "unix:path=/b"), 0),
        (("--root", "/proc/self/root", "--bus", "unix:path=/b"), 0),
        (("--root", "/tmp"), 0),
        (("--root", "/tmp"), 1000),
    ],
)
def test_real_and_scratch_never_mix(words, euid):
    """Only root serves the real tree, only on the system bus; a scratch tree never goes there."""
    assert find_misuse(read(*words), euid)


@pytest.mark.parametrize(
    ("words", "euid"),
    [
        ((), 0),
        (("--boot",), 0),
        (("--root", "/tmp", "--bus", "unix:path=/b"), 1000),
        (("--recover", "--root", "/tmp"), 1000),
    ],
)
def test_allowed_combinations(words, euid):
    """Root with the real tree; anybody with a scratch tree and a bus of their own."""
    assert find_misuse(read(*words), euid) == ""
