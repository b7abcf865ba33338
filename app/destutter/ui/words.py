# SPDX-License-Identifier: GPL-3.0-or-later
"""What diagnosis says, in the user's language: templates are translated, numbers localised.

Templates, names of causes and of metrics have the translation context "Wording".
"""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.finding import Confidence, Culprit, Evidence, Group, Statement
from destutter.diagnosis.verdict_words import Plural
from destutter.diagnosis.wording import (
    CAUSE_NAMES,
    CONFIDENCE_NAMES,
    GROUP_NAMES,
    GROUPS_INSIDE,
    METRIC_NAMES,
    TEMPLATES,
)
from destutter.ui.engine_texts import engine_text
from destutter.ui.listing import enumerated, listed
from destutter.ui.quantities import Quantities


def _translate(text: str) -> str:
    return QCoreApplication.translate("Wording", text)


class Words:
    """Writes statements, names and measurements for one locale."""

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities
        self._by_key: dict[str, Callable[[str], str]] = {
            "group": lambda name: self.group_inside(Group(name)),
            "cause": self.cause,
            "confidence": lambda name: self.confidence(Confidence(name)),
            "who": lambda name: name or QCoreApplication.translate("Wording", "A program"),
            "quiet": self._listed,
            "busy": self._listed,
            "why": engine_text,
            "also": engine_text,
        }
        self._by_ending: tuple[tuple[str, Callable[[float], str]], ...] = (
            ("pages_per_s", lambda value: quantities.of_metric(round(value), "pages/s")),
            ("_bytes_per_s", lambda value: quantities.of_metric(value, "B/s")),
            ("_bytes", quantities.size),
            ("_ms", self._wait),
            ("_pct", lambda value: quantities.percent(value, _decimals(value))),
            ("_s", self._duration),
            ("celsius", lambda value: quantities.of_metric(round(value), "°C")),
        )

    def text(self, statement: Statement) -> str:
        """The sentence of a statement; raises ``KeyError`` for an id without a template."""
        template = TEMPLATES[statement.id]
        if isinstance(template, Plural):
            is_one = statement.values[template.key] == 1
            template = template.one if is_one else template.other
        places = {key: self._place(key, value) for key, value in statement.values.items()}
        return _translate(template).format(**places)

    def group(self, group: Group) -> str:
        """The name of a group, as a title."""
        return _translate(GROUP_NAMES[group])

    def group_inside(self, group: Group) -> str:
        """The name of a group inside a sentence."""
        return _translate(GROUPS_INSIDE[group])

    def cause(self, cause: str) -> str:
        """The name of a cause, as a title; an unknown one is called by its id."""
        return _translate(CAUSE_NAMES.get(cause, cause))

    def confidence(self, confidence: Confidence) -> str:
        """How sure, in a word."""
        return _translate(CONFIDENCE_NAMES[confidence])

    def metric(self, evidence: Evidence) -> str:
        """What was measured, and on which device or resource."""
        name = _translate(METRIC_NAMES.get(evidence.metric, evidence.metric))
        if evidence.instance is None:
            return name
        instance = evidence.instance
        if "pressure" in evidence.metric:
            instance = _resources().get(instance, instance)
        return enumerated((name, instance))

    def value(self, evidence: Evidence) -> str:
        """The measurement with its unit."""
        return self._quantities.of_metric(evidence.value, evidence.unit)

    def threshold(self, evidence: Evidence) -> str:
        """The limit that the measurement is compared with."""
        return self._quantities.of_metric(evidence.threshold, evidence.unit)

    def culprit(self, culprit: Culprit) -> str:
        """Who did it: name, number and what it was doing."""
        name = culprit.comm if culprit.pid is None else f"{culprit.comm} ({culprit.pid})"
        return name if culprit.why is None else f"{name} {self.text(culprit.why)}"

    def _place(self, key: str, value: str | float) -> str:
        if isinstance(value, str):
            writer = self._by_key.get(key)
            return value if writer is None else writer(value)
        for ending, write in self._by_ending:
            if key.endswith(ending):
                return write(float(value))
        return self._quantities.number(value, 0 if value == int(value) else 1)

    def _wait(self, value_ms: float) -> str:
        if 0 < value_ms < 0.05:
            return "< " + self._quantities.milliseconds(0.1)
        if 0.1 <= value_ms < 100:
            number = self._quantities.number(value_ms, _decimals(value_ms))
            return self._quantities.with_unit(number, QCoreApplication.translate("Units", "ms"))
        return self._quantities.milliseconds(value_ms)

    def _duration(self, value_s: float) -> str:
        translate = QCoreApplication.translate
        for seconds, one, more in (
            (3600.0, translate("Units", "{count} hour"), translate("Units", "{count} hours")),
            (60.0, translate("Units", "{count} minute"), translate("Units", "{count} minutes")),
            (1.0, translate("Units", "{count} second"), translate("Units", "{count} seconds")),
        ):
            # Nearly two minutes are two minutes, and not 119 seconds.
            is_many = value_s >= 1.95 * seconds
            if is_many or value_s == seconds or seconds == 1:
                count = max(value_s, 0.0)
                if seconds > 1:
                    count = max(2.0, value_s // seconds) if is_many else 1.0
                is_part = seconds == 1 and count < 2 and count != round(count)
                count = count if is_part else round(count)
                number = self._quantities.number(count, 1 if is_part else 0)
                return (one if count == 1 else more).format(count=number).replace(" ", "\u00a0")
        raise AssertionError("unreachable")

    def _listed(self, names: str) -> str:
        return self.listed(Group(name) for name in names.split(",") if name)

    def listed(self, groups: Iterable[Group]) -> str:
        """Names of groups as part of a sentence: "Memory, storage and CPU"."""
        named = list(groups)
        names = [self.group(group) for group in named[:1]]
        names += [self.group_inside(group) for group in named[1:]]
        return listed(names)


def _resources() -> dict[str, str]:
    """What the kernel reports pressure for, as the graphs call it."""
    translate = QCoreApplication.translate
    return {
        "memory": translate("Lanes", "memory"),
        "io": translate("Lanes", "I/O"),
        "cpu": translate("Lanes", "CPU"),
    }


def _decimals(value: float) -> int:
    return 0 if abs(value) >= 100 or value == int(value) else 1
