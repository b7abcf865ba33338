# SPDX-License-Identifier: GPL-3.0-or-later
"""A few seconds of what `make fuzz ARGS="interleavings 3600"` does for an hour."""

from tests.fuzz import interleavings


def test_nothing_is_left_whoever_does_what_in_any_order(capsys):
    """The order is a fixed one: chance is for the longer run."""
    assert interleavings.main(["8", "20261124"]) == 0
    assert "rounds" in capsys.readouterr().out
