# SPDX-License-Identifier: GPL-3.0-or-later
"""The phases of a session in words."""

from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.phases import Phase


def phase_name(phase: Phase) -> str:
    """What a session is doing, as a title."""
    translate = QCoreApplication.translate
    return {
        Phase.WARM_UP: translate("Sessions", "Warm-up"),
        Phase.RAMP_UP: translate("Sessions", "Ramp-up"),
        Phase.STEADY: translate("Sessions", "Steady"),
    }[phase]
