# SPDX-License-Identifier: GPL-3.0-or-later
"""The offer of the guide: one line that can be closed for good."""

from PySide6.QtCore import QCoreApplication

from destutter.guide_progress import GuideProgress, GuideStep
from destutter.ui.controls.notices import Notice
from destutter.ui.guide.step_words import step_name

translate = QCoreApplication.translate

OFFER = "guide"


def offer_notice(progress: GuideProgress) -> Notice | None:
    """What the Live page says about the guide; None when somebody did not want to begin."""
    if progress.is_begun:
        words = translate("Guide", "The guide waits at step {number} of {count}: {name}")
        step = progress.step
        text = words.format(number=step.number, count=len(GuideStep), name=step_name(step))
        return Notice(OFFER, "info", text, action=translate("Guide", "Continue the guide"))
    if progress.is_declined:
        return None
    return Notice(
        OFFER,
        "info",
        translate("Guide", "New here? The guide finds out why a game stutters, in five steps"),
        action=translate("Guide", "Open the guide"),
    )
