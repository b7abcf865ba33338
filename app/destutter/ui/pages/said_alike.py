# SPDX-License-Identifier: GPL-3.0-or-later
"""What several pages say or offer in the same words."""

from PySide6.QtCore import QCoreApplication

from destutter.core.compared import LEAST_MINUTES
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import spoken

translate = QCoreApplication.translate


def no_game() -> str:
    """Why there is little to see."""
    return translate("Pages", "No game is running")


def measuring_stopped() -> str:
    """The headline where the measuring process ended by itself."""
    return translate("Pages", "Measuring stopped")


def reading_recording(share: float, quantities: Quantities) -> str:
    """Stands for what is found, while a recording is read up to where it shall be shown."""
    text = translate("Pages", "Reading the recording… {percent}")
    return text.format(percent=quantities.percent(100 * share, 0))


def about_helper() -> str:
    """Leads to the page that says what the helper is, and how to get it where that helps."""
    return translate("Pages", "About the helper")


def start_again() -> str:
    """Offers to measure again after a failure or the end of a recording."""
    return translate("Pages", "Start again")


def copy_commands() -> str:
    """Offers changes as commands for a terminal."""
    return translate("Pages", "Copy commands")


def show_the_cause() -> str:
    """Leads from a verdict to what is known of its cause."""
    return translate("Pages", "Show the cause")


def try_for_game(*, is_flight: bool) -> str:
    """Offers a trial that lasts as long as what is played."""
    flight = translate("Pages", "Try for this flight")
    return flight if is_flight else translate("Pages", "Try for this game")


def trial_needs() -> str:
    """What a trial with a game needs for a verdict, said before it begins."""
    text = translate(
        "Pages", "For a fair comparison both need {minutes} minutes of play: before, and with it."
    )
    return text.format(minutes=spoken().measures.number(LEAST_MINUTES))


def keep_always() -> str:
    """Offers to keep what is on trial, or was."""
    return translate("Pages", "Keep for every start")


def keep_for_game() -> str:
    """The same, for as long as that game runs, each time."""
    return translate("Pages", "Keep for this game")


def take_back() -> str:
    """Offers to keep nothing of it."""
    return translate("Pages", "Take back")


def values_are_back() -> str:
    """What follows from that."""
    return translate("Pages", "The values from before are back.")
