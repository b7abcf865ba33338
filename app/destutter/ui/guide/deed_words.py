# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person can do in a few words, where that is no setting."""

from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.finding import OWN_READING, OWN_SAVING
from destutter.diagnosis.remedy import programs_to_close
from destutter.ui.guide.answer import Answer
from destutter.words.renderer import Renderer

translate = QCoreApplication.translate


def title_of_deed(renderer: Renderer, answer: Answer) -> str:
    """What to do about most of the stutters."""
    if answer.blames_game and answer.helps is not None:
        return translate("Guide", "Less detail in the game, or a limit for its frame rate")
    finding = None if answer.blames_game else answer.finding
    if finding is None or finding.kind in (OWN_SAVING, OWN_READING):
        return translate("Guide", "Something to change in the game itself")
    if programs := programs_to_close(finding):
        text = translate("Guide", "Close {programs} while you play")
        return text.format(programs=renderer.enumerated(programs))
    return translate("Guide", "Something you can do yourself")


def did_that() -> str:
    """The way on for who has done it."""
    return translate("Guide", "I did that: record again and compare")
