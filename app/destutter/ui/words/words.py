# SPDX-License-Identifier: GPL-3.0-or-later
"""What diagnosis says, in the language of the window and with its numbers."""

from collections.abc import Iterable

from PySide6.QtCore import QLocale

from destutter.analysis.report.diagnosis_words import DiagnosisWords
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Group
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.translations import spoken_language
from destutter.words.renderer import Renderer


class Words(DiagnosisWords):
    """Writes statements, names and measurements for one locale."""

    def __init__(self, quantities: Quantities) -> None:
        super().__init__(Renderer(quantities.language, quantities))
        self.quantities = quantities

    def text(self, statement: Statement) -> str:
        return self.renderer.text(statement)

    def sentence(self, statement: Statement) -> str:
        """The statement with a capital and a full stop."""
        return self.renderer.sentence(statement)

    def group(self, group: Group) -> str:
        """The name of a group, as a title."""
        return self.renderer.named("group", group.value)

    def listed(self, groups: Iterable[Group]) -> str:
        """Names of groups as part of a sentence: "Memory, storage and CPU"."""
        return self.renderer.groups(group.value for group in groups)


def spoken() -> Renderer:
    """The language of the window, where nothing else is written by ``Words``."""
    return Renderer(spoken_language(), Quantities(QLocale()))


def said(statement: Statement) -> str:
    """A statement in the language of the window."""
    return spoken().text(statement)


def said_sentence(statement: Statement) -> str:
    """The same with a capital and a full stop."""
    return spoken().sentence(statement)


def said_line(statement: Statement) -> str:
    """The same with a capital and no full stop, as the one line of a notice."""
    text = said(statement)
    return text[:1].upper() + text[1:]


def said_message(message: Statement | None) -> str:
    """Why a request ended as it did; empty where nothing is said."""
    return "" if message is None else said(message)
