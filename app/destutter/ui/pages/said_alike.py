# SPDX-License-Identifier: GPL-3.0-or-later
"""What several pages say or offer in the same words."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def no_game() -> str:
    """Why there is little to see."""
    return translate("Pages", "No game is running")


def measuring_stopped() -> str:
    """The headline where the measuring process ended by itself."""
    return translate("Pages", "Measuring stopped")


def start_again() -> str:
    """Offers to measure again after a failure or the end of a recording."""
    return translate("Pages", "Start again")


def copy_commands() -> str:
    """Offers changes as commands for a terminal."""
    return translate("Pages", "Copy commands")
