# SPDX-License-Identifier: GPL-3.0-or-later
"""What the builder of reports, and whoever tells of comparisons, asks of a language.

What it says stands in the catalogue, subject ``report``, in the window and in the terminal alike;
these differ in how they write numbers, evidence and settings.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import Confidence, Culprit, Evidence
from destutter.words.renderer import Renderer


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

    def cause(self, cause: str, /) -> str: ...
    def confidence(self, confidence: Confidence, /) -> str: ...
    def metric(self, evidence: Evidence, /) -> str: ...
    def value(self, evidence: Evidence, /) -> str: ...
    def threshold(self, evidence: Evidence, /) -> str: ...
    def culprit(self, culprit: Culprit, /) -> str: ...


@dataclass(frozen=True, slots=True)
class ReportWords:
    """One language of reports.

    ``language`` is its tag (BCP 47); ``moment`` writes seconds since 1970, empty where no calendar
    has them; ``setting_name`` names a setting by its key, with the device that it may be of;
    ``setting_value`` writes the value (second) of a setting (first).
    """

    language: str
    reader: Renderer
    numbers: Numbers
    diagnosis: DiagnosisWords
    moment: Callable[[float], str]
    setting_name: Callable[[str], str]
    setting_value: Callable[[str, str], str]

    def say(self, id_: str, values: Mapping[str, Value] | None = None) -> str:
        """One of the builder's own texts."""
        return self.reader.text(Statement(id_, values or {}))

    def named(self, subject: str, name: str) -> str:
        """The name of a measure, a part of the computer, a phase; an unknown one is its id."""
        return self.reader.named(subject, name)

    def enumerated(self, names: Iterable[str]) -> str:
        """Names and nothing else, one after the other."""
        return self.reader.enumerated(names)
