# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of reports that the terminal makes, in any language of the catalogue."""

from datetime import UTC, datetime
from functools import cache, partial

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.comparing.differences import Difference
from destutter.analysis.report import words
from destutter.analysis.report.language import ReportWords
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Confidence, Culprit, Evidence
from destutter.diagnosis.phases import Phase
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
        return words.clock(seconds)


class _Diagnosis:
    """Statements as the terminal writes them."""

    def __init__(self, reader: Renderer) -> None:
        self._reader = reader

    def text(self, statement: Statement) -> str:
        return self._reader.text(statement)

    def sentence(self, statement: Statement) -> str:
        return self._reader.sentence(statement)

    def cause(self, cause: str) -> str:
        return self._reader.named("cause", cause)

    def confidence(self, confidence: Confidence) -> str:
        return self._reader.named("confidence", confidence.value)

    def metric(self, evidence: Evidence) -> str:
        name = self._reader.named("metric", evidence.metric)
        if not evidence.instance:
            return name
        values = {"metric": name, "instance": evidence.instance}
        return self.text(Statement("terminal.instance", values))

    def value(self, evidence: Evidence) -> str:
        return self._reader.quantity(evidence.value, evidence.unit)

    def threshold(self, evidence: Evidence) -> str:
        return self._reader.quantity(evidence.threshold, evidence.unit)

    def culprit(self, culprit: Culprit) -> str:
        by = Statement(f"report.by.{culprit.what}", {"name": culprit.comm})
        if culprit.told is None:
            return self.text(by)
        return self.text(Statement("terminal.culprit", {"by": by, "why": culprit.told}))


class _Comparison:
    """Comparisons in the words of ``report.words``."""

    def __init__(self, reader: Renderer) -> None:
        self._reader = reader

    def headline(self, comparison: Comparison) -> str:
        return words.headline(comparison, self._reader)

    def detail(self, comparison: Comparison) -> str:
        return words.detail(comparison, self._reader)

    def measure(self, id_: str) -> str:
        return words.row_name(id_, self._reader)

    def value(self, value: float | None, unit: str) -> str:
        return words.value(value, unit, self._reader)

    def change(self, row: Row) -> str:
        return words.change_words(row, self._reader)

    def difference(self, difference: Difference) -> tuple[str, str, str]:
        name = words.difference_name(difference.id, self._reader)
        return name, difference.a, difference.b


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

    def phase(phase_: Phase) -> str:
        return words.phase_name(phase_, reader)

    return ReportWords(
        language=language.replace("_", "-"),
        numbers=_Numbers(reader),
        diagnosis=_Diagnosis(reader),
        comparison=_Comparison(reader),
        moment=moment,
        enumerated=reader.enumerated,
        phase=phase,
        part=partial(words.difference_name, words=reader),
        warning=partial(words.warning, words=reader),
        score_word=lambda word: reader.named("report.score_word", word.replace(" ", "_")),
        setting_value=lambda _tunable, value: value,
    )
