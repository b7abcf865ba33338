# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished English texts are found again by their templates."""

from hypothesis import given
from hypothesis import strategies as st

from destutter.ui.words.engine_texts import EngineTexts

TEXTS = EngineTexts(
    [
        "On battery.",
        "{0} more cannot be used by any program.",
        "{0}: {1}",
        "there is no process {0} (any more)",
        "there is no process {0} (any more) and {1}",
    ]
)


def test_fixed_text():
    """A text without places is its own template."""
    assert TEXTS.find("On battery.") == ("On battery.", ())


def test_places_are_read():
    """What stands in a place comes back, also signs that mean something in a pattern."""
    found = TEXTS.find("1.5 GiB (a+b) more cannot be used by any program.")
    assert found == ("{0} more cannot be used by any program.", ("1.5 GiB (a+b)",))


def test_the_fuller_template_wins():
    """Of two that fit, the one with more fixed words."""
    found = TEXTS.find("there is no process 7 (any more) and x")
    assert found == ("there is no process {0} (any more) and {1}", ("7", "x"))


def test_template_of_nothing_but_places_fits_nothing():
    """ "{0}: {1}" would fit every error."""
    assert TEXTS.find("disk: full") is None


@given(st.text(max_size=60))
def test_any_text_is_searched_for(text):
    """Unknown texts are None, and no text breaks a pattern."""
    found = TEXTS.find(text)
    assert found is None or text != ""
