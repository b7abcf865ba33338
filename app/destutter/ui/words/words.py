# SPDX-License-Identifier: GPL-3.0-or-later
"""What diagnosis says, in the language of the window and with its numbers."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QLocale

from destutter.core.statement import Statement
from destutter.diagnosis.finding import Confidence, Culprit, Evidence, Group
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.translations import spoken_language
from destutter.words.renderer import Renderer


class Words:
    """Writes statements, names and measurements for one locale."""

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities
        self.renderer = Renderer(spoken_language(), quantities)

    def text(self, statement: Statement) -> str:
        """The sentence of a statement."""
        return self.renderer.text(statement)

    def sentence(self, statement: Statement) -> str:
        """The statement with a capital and a full stop."""
        return self.renderer.sentence(statement)

    def group(self, group: Group) -> str:
        """The name of a group, as a title."""
        return self.renderer.named("group", group.value)

    def group_inside(self, group: Group) -> str:
        """The name of a group inside a sentence."""
        return self.renderer.named("group", f"{group.value}.inside")

    def cause(self, cause: str) -> str:
        """The name of a cause, as a title; an unknown one is called by its id."""
        return self.renderer.named("cause", cause)

    def confidence(self, confidence: Confidence) -> str:
        """How sure, in a word."""
        return self.renderer.named("confidence", confidence.value)

    def metric(self, evidence: Evidence) -> str:
        """What was measured, and on which device or resource."""
        name = self.renderer.named("metric", evidence.metric)
        if evidence.instance is None:
            return name
        instance = evidence.instance
        if "pressure" in evidence.metric:
            instance = _resources().get(instance, instance)
        return self.renderer.enumerated((name, instance))

    def value(self, evidence: Evidence) -> str:
        """The measurement with its unit."""
        return self._quantities.of_metric(evidence.value, evidence.unit)

    def threshold(self, evidence: Evidence) -> str:
        """The limit that the measurement is compared with."""
        return self._quantities.of_metric(evidence.threshold, evidence.unit)

    def culprit(self, culprit: Culprit) -> str:
        """Who did it: name, number and what it was doing."""
        name = culprit.comm if culprit.pid is None else f"{culprit.comm} ({culprit.pid})"
        if culprit.told is None:
            return name
        return self.text(Statement("terminal.culprit", {"by": name, "why": culprit.told}))

    def listed(self, groups: Iterable[Group]) -> str:
        """Names of groups as part of a sentence: "Memory, storage and CPU"."""
        return self.renderer.groups(group.value for group in groups)


def said(statement: Statement) -> str:
    """A statement in the language of the window, where nothing else is written by ``Words``."""
    return _renderer().text(statement)


def said_sentence(statement: Statement) -> str:
    """The same with a capital and a full stop."""
    return _renderer().sentence(statement)


def said_line(statement: Statement) -> str:
    """The same with a capital and no full stop, as the one line of a notice."""
    text = said(statement)
    return text[:1].upper() + text[1:]


def said_message(message: Statement | None) -> str:
    """Why a request ended as it did; empty where nothing is said."""
    return "" if message is None else said(message)


def _renderer() -> Renderer:
    return Renderer(spoken_language(), Quantities(QLocale()))


def _resources() -> dict[str, str]:
    """What the kernel reports pressure for, as the graphs call it."""
    translate = QCoreApplication.translate
    return {
        "memory": translate("Lanes", "memory"),
        "io": translate("Lanes", "I/O"),
        "cpu": translate("Lanes", "CPU"),
    }
