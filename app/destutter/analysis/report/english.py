# SPDX-License-Identifier: GPL-3.0-or-later
"""English for reports: that of the command line, which is the same wherever it runs."""

from datetime import UTC, datetime

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.comparing.differences import Difference
from destutter.analysis.report import words
from destutter.analysis.report.language import ReportWords
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Confidence, Culprit, Evidence
from destutter.words.renderer import NBSP, renderer

_ENGLISH = renderer()


class _Numbers:
    """Numbers as the terminal writes them."""

    def number(self, value: float, decimals: int = 0) -> str:
        return _ENGLISH.number(value, decimals)

    def with_unit(self, number: str, unit: str) -> str:
        return f"{number}{NBSP}{unit}"

    def milliseconds(self, value_ms: float) -> str:
        return _ENGLISH.milliseconds(value_ms)

    def percent(self, value_pct: float, decimals: int = 1) -> str:
        return self.with_unit(_ENGLISH.number(value_pct, decimals), "%")

    def of_metric(self, value: float, unit: str) -> str:
        return _ENGLISH.quantity(value, unit)

    def on_axis(self, value: float, unit: str) -> str:
        return _ENGLISH.quantity(value, unit)

    def span(self, seconds: float) -> str:
        return _ENGLISH.duration(seconds + 0.5)

    def minutes_seconds(self, seconds: float) -> str:
        return words.clock(seconds)


class _Diagnosis:
    """Statements as the terminal writes them."""

    def text(self, statement: Statement) -> str:
        return _ENGLISH.text(statement)

    def sentence(self, statement: Statement) -> str:
        return _ENGLISH.sentence(statement)

    def cause(self, cause: str) -> str:
        return _ENGLISH.named("cause", cause)

    def confidence(self, confidence: Confidence) -> str:
        return _ENGLISH.named("confidence", confidence.value)

    def metric(self, evidence: Evidence) -> str:
        name = _ENGLISH.named("metric", evidence.metric)
        return f"{name} ({evidence.instance})" if evidence.instance else name

    def value(self, evidence: Evidence) -> str:
        return _ENGLISH.quantity(evidence.value, evidence.unit)

    def threshold(self, evidence: Evidence) -> str:
        return _ENGLISH.quantity(evidence.threshold, evidence.unit)

    def culprit(self, culprit: Culprit) -> str:
        why = f", {_ENGLISH.text(culprit.why)}" if culprit.why else ""
        return f"{culprit.what} {culprit.comm}{why}"


class _Comparison:
    """Comparisons in the words of ``report.words``."""

    def headline(self, comparison: Comparison) -> str:
        return words.headline(comparison)

    def detail(self, comparison: Comparison) -> str:
        return words.detail(comparison)

    def measure(self, id_: str) -> str:
        return words.ROW_NAMES[id_]

    def value(self, value: float | None, unit: str) -> str:
        return words.value(value, unit)

    def change(self, row: Row) -> str:
        return words.change_words(row)

    def difference(self, difference: Difference) -> tuple[str, str, str]:
        return words.difference_name(difference.id), difference.a, difference.b


def moment(seconds: float) -> str:
    """The day and time (UTC) so many seconds after 1970; empty where no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""


ENGLISH = ReportWords(
    language="en",
    translate=lambda _context, text: text,
    numbers=_Numbers(),
    diagnosis=_Diagnosis(),
    comparison=_Comparison(),
    moment=moment,
    enumerated=", ".join,
    phase=lambda phase: words.PHASE_NAMES[phase],
    part=words.difference_name,
    warning=lambda id_: words.WARNINGS.get(id_, ""),
    score_word=lambda word: word,
    setting_value=lambda _tunable, value: value,
)
