# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of the guide in one word each."""

from PySide6.QtCore import QCoreApplication

from destutter.guide_progress import GuideStep


def step_name(step: GuideStep) -> str:
    translate = QCoreApplication.translate
    return {
        GuideStep.WELCOME: translate("Guide", "Welcome"),
        GuideStep.CHECK: translate("Guide", "Check"),
        GuideStep.RECORD: translate("Guide", "Record"),
        GuideStep.CHOOSE: translate("Guide", "Choose"),
        GuideStep.COMPARE: translate("Guide", "Compare"),
    }[step]
