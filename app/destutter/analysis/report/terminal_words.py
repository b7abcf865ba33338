# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of reports that the terminal makes, in any language of the catalogue."""

from datetime import UTC, datetime
from functools import cache

from destutter.analysis.report.language import ReportWords
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Confidence, Culprit, Evidence
from destutter.words.language import ENGLISH
from destutter.words.renderer import Renderer, renderer, with_unit


class _Numbers:
    """Numbers as the terminal writes them."""

    def __init__(self, reader: Renderer) -> None:
        self._reader = reader

    def number(self, value: float, decimals: int = 0) -> str:
        return self._reader.number(value, decimals)

    def with_unit(self, number: str, unit: str) -> str:
        return with_unit(number, unit)

    def milliseconds(self, value_ms: float) -> str:
        return self._reader.milliseconds(value_ms)

    def percent(self, value_pct: float, decimals: int = 1) -> str:
        return self.with_unit(self._reader.number(value_pct, decimals), "%")

    def of_metric(self, value: float, unit: str) -> str:
        return self._reader.quantity(value, unit)

    def on_axis(self, value: float, unit: str) -> str:
        return self._reader.quantity(value, unit)

    def span(self, seconds: float) -> str:
        return self._reader.duration(seconds + 0.5)

    def minutes_seconds(self, seconds: float) -> str:
        return clock(seconds)


class _Diagnosis:
    """Statements as the terminal writes them."""

    def __init__(self, reader: Renderer) -> None:
        self._reader = reader

    def cause(self, cause: str) -> str:
        return self._reader.named("cause", cause)

    def confidence(self, confidence: Confidence) -> str:
        return self._reader.named("confidence", confidence.value)

    def metric(self, evidence: Evidence) -> str:
        name = self._reader.named("metric", evidence.metric)
        if not evidence.instance:
            return name
        values = {"metric": name, "instance": evidence.instance}
        return self._reader.text(Statement("terminal.instance", values))

    def value(self, evidence: Evidence) -> str:
        return self._reader.quantity(evidence.value, evidence.unit)

    def threshold(self, evidence: Evidence) -> str:
        return self._reader.quantity(evidence.threshold, evidence.unit)

    def culprit(self, culprit: Culprit) -> str:
        by = Statement(f"report.by.{culprit.what}", {"name": culprit.comm})
        if culprit.told is None:
            return self._reader.text(by)
        return self._reader.text(Statement("terminal.culprit", {"by": by, "why": culprit.told}))


def clock(seconds: float) -> str:
    """A time since the beginning: 7:40, 1:02:03."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def moment(seconds: float) -> str:
    """The day and time (UTC) so many seconds after 1970; empty where no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""


@cache
def terminal_words(language: str = ENGLISH) -> ReportWords:
    """The words of a language of the catalogue; English ones are also those of ``--json``."""
    reader = renderer(language)
    return ReportWords(
        language=language.replace("_", "-"),
        reader=reader,
        numbers=_Numbers(reader),
        diagnosis=_Diagnosis(reader),
        moment=moment,
        setting_name=str,
        setting_value=lambda _tunable, value: value,
    )
