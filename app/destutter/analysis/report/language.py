# SPDX-License-Identifier: GPL-3.0-or-later
"""What the builder of reports asks of a language.

The builder's own texts stand in the catalogue, subject ``report``. What window and terminal also
say elsewhere comes from their own words.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.comparing.differences import Difference
from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import Confidence, Culprit, Evidence
from destutter.diagnosis.phases import Phase


class Numbers(Protocol):
    """Numbers with their units."""

    def number(self, value: float, decimals: int = 0, /) -> str: ...
    def with_unit(self, number: str, unit: str, /) -> str: ...
    def milliseconds(self, value_ms: float, /) -> str: ...
    def percent(self, value_pct: float, decimals: int = 1, /) -> str: ...
    def of_metric(self, value: float, unit: str, /) -> str: ...
    def on_axis(self, value: float, unit: str, /) -> str: ...
    def span(self, seconds: float, /) -> str: ...
    def minutes_seconds(self, seconds: float, /) -> str: ...


class DiagnosisWords(Protocol):
    """What diagnosis says."""

    def text(self, statement: Statement, /) -> str: ...
    def sentence(self, statement: Statement, /) -> str: ...
    def cause(self, cause: str, /) -> str: ...
    def confidence(self, confidence: Confidence, /) -> str: ...
    def metric(self, evidence: Evidence, /) -> str: ...
    def value(self, evidence: Evidence, /) -> str: ...
    def threshold(self, evidence: Evidence, /) -> str: ...
    def culprit(self, culprit: Culprit, /) -> str: ...


class ComparisonWords(Protocol):
    """What is said of two sessions. ``difference`` is what differs, in A, and in B."""

    def headline(self, comparison: Comparison, /) -> str: ...
    def detail(self, comparison: Comparison, /) -> str: ...
    def measure(self, id_: str, /) -> str: ...
    def value(self, value: float | None, unit: str, /) -> str: ...
    def change(self, row: Row, /) -> str: ...
    def difference(self, difference: Difference, /) -> tuple[str, str, str]: ...


@dataclass(frozen=True, slots=True)
class ReportWords:
    """One language of reports.

    ``language`` is its tag (BCP 47); ``moment`` writes seconds since 1970, empty where no calendar
    has them; ``part`` is one of the computer, ``setting_value`` the value (second) of a setting
    (first); ``warning`` is empty for an unknown id.
    """

    language: str
    numbers: Numbers
    diagnosis: DiagnosisWords
    comparison: ComparisonWords
    moment: Callable[[float], str]
    enumerated: Callable[[Iterable[str]], str]
    phase: Callable[[Phase], str]
    part: Callable[[str], str]
    warning: Callable[[str], str]
    score_word: Callable[[str], str]
    setting_value: Callable[[str, str], str]

    def say(self, id_: str, values: Mapping[str, Value] | None = None) -> str:
        """One of the builder's own texts."""
        return self.diagnosis.text(Statement(id_, values or {}))
