# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of reports that the terminal makes, in any language of the catalogue."""

from datetime import UTC, datetime
from functools import cache

from destutter.analysis.report.language import ReportWords
from destutter.words.language import ENGLISH
from destutter.words.renderer import renderer


def moment(seconds: float) -> str:
    """The day and time (UTC) so many seconds after 1970; empty where no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""


@cache
def terminal_words(language: str = ENGLISH) -> ReportWords:
    """The words of a language of the catalogue; English ones are also those of ``--json``."""
    return ReportWords(
        language=language.replace("_", "-"),
        reader=renderer(language),
        moment=moment,
        setting_name=str,
        setting_value=lambda _tunable, value: value,
    )
