# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person can do in a few words, where that is no setting."""

from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.finding import OWN_READING, OWN_SAVING, Finding
from destutter.diagnosis.remedy import programs_to_close
from destutter.words.renderer import Renderer

translate = QCoreApplication.translate


def title_of_deed(renderer: Renderer, finding: Finding | None) -> str:
    """What to do about this cause; None stands for the game's own work."""
    if finding is None or finding.kind in (OWN_SAVING, OWN_READING):
        return translate("Guide", "Something to change in the game itself")
    if programs := programs_to_close(finding):
        text = translate("Guide", "Close {programs} while you play")
        return text.format(programs=renderer.enumerated(programs))
    return translate("Guide", "Something you can do yourself")


def did_that() -> str:
    """The way on for who has done it."""
    return translate("Guide", "I did that: record again and compare")
