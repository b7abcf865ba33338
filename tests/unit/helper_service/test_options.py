# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's command line, and the wall between the real tree and scratch trees."""

import pytest

from destutter_helper.__main__ import Options, UsageError, check_rights, main, read_options


def test_every_mode_is_understood():
    """Modes of the units, with the harmless --no-dbus."""
    assert read_options(["--undo-all", "--no-dbus"]) == Options(mode="--undo-all")
    assert read_options(["--boot"]) == Options(mode="--boot")
    assert read_options([]) == Options()


def test_scratch_options_are_understood():
    """A tree, a bus and an idle time."""
    read = read_options(["--root", "/tmp/x", "--bus", "unix:path=/b", "--idle-ms", "50"])
    assert read == Options(root="/tmp/x", bus="unix:path=/b", idle_ms=50)


@pytest.mark.parametrize(
    "words",
    [["--wat"], ["--boot", "--recover"], ["--root"], ["--idle-ms", "-1"], ["x"], ["--root", ""]],
)
def test_wrong_usage_is_said(words, capsys):
    """Exit status 2 and one line that says what is wrong, before anything is touched."""
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("destutter-helper: ")


@pytest.mark.parametrize(
    ("options", "euid"),
    [
        (Options(), 1000),
        (Options(mode="--undo-all"), 1000),
        (Options(root="/proc/self/root"), 1000),
        (Options(bus="unix:path=/b"), 0),
        (Options(root="/proc/self/root", bus="unix:path=/b"), 0),
        (Options(root="/tmp"), 0),
        (Options(root="/tmp"), 1000),
    ],
)
def test_real_and_scratch_never_mix(options, euid):
    """Only root serves the real tree, only on the system bus; a scratch tree never goes there."""
    with pytest.raises(UsageError):
        check_rights(options, euid)


@pytest.mark.parametrize(
    ("options", "euid"),
    [
        (Options(), 0),
        (Options(mode="--boot"), 0),
        (Options(root="/tmp", bus="unix:path=/b"), 1000),
        (Options(mode="--recover", root="/tmp"), 1000),
    ],
)
def test_allowed_combinations(options, euid):
    """Root with the real tree; anybody with a scratch tree and a bus of their own."""
    check_rights(options, euid)
