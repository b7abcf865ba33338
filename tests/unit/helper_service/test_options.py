# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's command line."""

import os

import pytest

from destutter_helper.__main__ import build_parser, main


def read(*words):
    return build_parser().parse_args(words)


def test_every_mode_is_understood():
    """Modes of the units, with the harmless --no-dbus."""
    assert read("--undo-all", "--no-dbus").mode == "undo-all"
    assert read("--boot").mode == "boot"
    assert read().mode is None


@pytest.mark.parametrize(
    "words",
    [
        ["--wat"],
        ["--boot", "--recover"],
        ["--root", "/tmp"],
        ["--bus", "unix:path=/b"],
        ["x"],
        ["--undo"],
    ],
)
def test_wrong_usage_is_said(words, capsys):
    """Exit status 2 and a line that says what is wrong, before anything is touched."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "destutter-helper: error: " in capsys.readouterr().err


@pytest.mark.parametrize("words", [(), ("--undo-all",), ("--boot",)])
def test_only_root_may_start_it(words, monkeypatch, capsys):
    """Nobody else could change anything, so it says so at once."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert ended.value.code == 2
    assert "only root" in capsys.readouterr().err


def test_nothing_points_it_elsewhere():
    """No option names a directory, a bus, a file or a number: it works on this computer only."""
    assert all(action.nargs == 0 for action in build_parser()._actions)
