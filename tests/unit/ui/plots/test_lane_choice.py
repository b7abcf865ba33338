# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice of lanes is a text that may be of any version, and never leaves the card empty."""

import pytest

from destutter.ui.plots.lane_choice import USUAL, chosen_lanes, written_choice


def is_known(lane):
    return lane in (*USUAL, "cpu", "gpu")


@pytest.mark.parametrize(
    ("choice", "lanes"),
    [
        ("", USUAL),
        ("gpu frames", ("gpu", "frames")),
        ("gpu gpu frames", ("gpu", "frames")),
        ("telepathy cpu", ("cpu",)),
        ("telepathy", USUAL),
        ("   ", USUAL),
    ],
)
def test_there_is_always_a_lane(choice, lanes):
    """In the order of the text, each once; what nobody knows is passed over."""
    assert chosen_lanes(choice, is_known) == lanes


def test_the_usual_lanes_are_no_choice():
    """Who goes back to them follows what is usual in later versions as well."""
    assert written_choice(USUAL, "cpu", is_known) == ""
    assert written_choice(("cpu", "dirty"), "", is_known) == "cpu dirty"


def test_what_a_newer_version_has_chosen_waits_for_it():
    """An older one in between does not lose it."""
    assert written_choice(("gpu",), "telepathy cpu", is_known) == "gpu telepathy"
    assert written_choice(USUAL, "telepathy", is_known).split()[-1] == "telepathy"


def test_a_text_without_end_fills_no_window():
    """Forty lanes are the most."""
    choice = " ".join(f"drive:sd{number}" for number in range(900))
    assert len(chosen_lanes(choice, lambda _: True)) == 40
