# SPDX-License-Identifier: GPL-3.0-or-later
"""The phases of a session in words."""

from destutter.core.statement import Statement
from destutter.diagnosis.runs.phases import Phase
from destutter.ui.words.words import said_line


def phase_name(phase: Phase) -> str:
    """What a session is doing, as a title."""
    return said_line(Statement(f"report.phase.{phase.name.lower()}"))
