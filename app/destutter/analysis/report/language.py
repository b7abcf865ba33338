# SPDX-License-Identifier: GPL-3.0-or-later
"""What the builder of reports, and whoever tells of comparisons, asks of a language.

What it says stands in the catalogue, subject ``report``, in the window and in the terminal alike;
these differ in the marks of numbers and in how they write moments and settings.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from destutter.analysis.report.diagnosis_words import DiagnosisWords
from destutter.core.statement import Statement, Value
from destutter.words.measures import Measures
from destutter.words.renderer import Renderer


@dataclass(frozen=True, slots=True)
class ReportWords:
    """One language of reports.

    ``language`` is its tag (BCP 47); ``moment`` writes seconds since 1970, empty where no calendar
    has them; ``setting_name`` names a setting by its key, with the device that it may be of;
    ``setting_value`` writes the value (second) of a setting (first).
    """

    language: str
    reader: Renderer
    moment: Callable[[float], str]
    setting_name: Callable[[str], str]
    setting_value: Callable[[str, str], str]

    @property
    def numbers(self) -> Measures:
        return self.reader.measures

    @property
    def diagnosis(self) -> DiagnosisWords:
        """What is said of findings."""
        return DiagnosisWords(self.reader)

    def say(self, id_: str, values: Mapping[str, Value] | None = None) -> str:
        """One of the builder's own texts."""
        return self.reader.text(Statement(id_, values or {}))

    def named(self, subject: str, name: str) -> str:
        """The name of a measure, a part of the computer, a phase; an unknown one is its id."""
        return self.reader.named(subject, name)

    def enumerated(self, names: Iterable[str]) -> str:
        """Names and nothing else, one after the other."""
        return self.reader.enumerated(names)
