# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes statements and names in a language, and with ``Measures`` what is measured.

A statement without a text, as of a newer helper, is shown by its id and its values.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce

from destutter.core.statement import Statement, Value
from destutter.words.catalogue import find_text, form_of
from destutter.words.language import ENGLISH
from destutter.words.measures import Measures

_NO_LINE_BREAKS = dict.fromkeys(map(ord, "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"), " ")

_WITHOUT_CATALOGUE = {
    "core.told": "{text}",
    "grammar.comma": ", ",
    "grammar.and": "{names}, {last}",
    "grammar.next_sentence": "{first} {second}",
    "grammar.full_stop": "{text}.",
    "grammar.main_thread": "main thread",
    "grammar.render_thread": "render thread {name}",
}
"""What keeps values readable, and none of them lost, where the files are missing."""


class Renderer:
    """The words of one language; numbers are the language's own unless others are given."""

    def __init__(self, language: str = ENGLISH, measures: Measures | None = None) -> None:
        self.language = language
        self.measures = measure = Measures(language) if measures is None else measures
        self._by_name: Mapping[str, Callable[[str], str]] = {
            "group": lambda group: self.named("group", f"{group}.inside"),
            "cause": lambda cause: self.named("cause", cause),
            "confidence": lambda name: self.named("confidence", name),
            "who": lambda name: name or self._fixed("grammar.somebody"),
            "quiet": lambda names: self.groups(names.split(",")),
            "busy": lambda names: self.groups(names.split(",")),
            "main_thread": self._main_thread,
        }
        self._by_ending: tuple[tuple[str, Callable[[float], str]], ...] = (
            ("bytes_per_s", lambda value: measure.of_metric(value, "B/s")),
            ("per_s", lambda value: measure.figure(value, "/s")),
            ("_bytes", measure.size),
            ("_ms", measure.milliseconds),
            ("_pct", measure.percent),
            ("_s", measure.duration),
            ("celsius", lambda value: measure.figure(round(value), "°C")),
        )

    def text(self, statement: Statement) -> str:
        written = {key: self.place(key, value) for key, value in statement.values.items()}
        written.setdefault("main_thread", self._main_thread(""))
        text = find_text(self.language, statement.id) or _WITHOUT_CATALOGUE.get(statement.id)
        if text is not None:
            try:
                return form_of(text, statement.values).format_map(written)
            except KeyError:  # the text of another version has other places
                pass
        said = "; ".join(f"{key}: {written[key]}" for key in statement.values)
        return f"{statement.id} ({said})" if said else statement.id

    def sentence(self, statement: Statement) -> str:
        """The statement as a sentence of its own: with a capital and a full stop."""
        return self.as_sentence(self.text(statement))

    def as_sentence(self, text: str) -> str:
        """A remark that may begin small and have no stop, with a capital and a full stop."""
        return self.with_full_stop(text[:1].upper() + text[1:])

    def with_full_stop(self, text: str) -> str:
        """A sentence that may begin with the name of a drive, which stays as the kernel has it."""
        if not text or text.endswith((".", "!", "?", "…", "。")):
            return text
        return self._filled("grammar.full_stop", text=text)

    def named(self, subject: str, name: str) -> str:
        """The name of a cause, a group, a metric; an unknown one is called by its id."""
        text = find_text(self.language, f"{subject}.{name}")
        return text if isinstance(text, str) else name

    def listed(self, names: Iterable[str]) -> str:
        """Names as part of a sentence: "vm.swappiness, nvme0n1 and sda"."""
        *others, last = [*names] or [""]
        if not others:
            return last
        return self._filled("grammar.and", names=self.enumerated(others), last=last)

    def groups(self, names: Iterable[str]) -> str:
        """Groups as the beginning of a sentence: "Memory, storage and CPU"."""
        first, *others = [*names] or [""]
        inside = (f"{name}.inside" for name in others)
        return self.listed(self.named("group", name) for name in (first, *inside))

    def enumerated(self, names: Iterable[str]) -> str:
        """Names and nothing else: "none, bfq, kyber"."""
        return self._fixed("grammar.comma").join(names)

    def sentences(self, texts: Iterable[str]) -> str:
        """Whole sentences in one paragraph; empty ones are left out."""
        said = [text for text in texts if text] or [""]
        pair = "grammar.next_sentence"
        return reduce(lambda one, two: self._filled(pair, first=one, second=two), said)

    def place(self, key: str, value: Value) -> str:
        """What stands at one place of a text: the end of its name is the kind of the value."""
        if isinstance(value, Statement):
            return self.sentence(value) if key.endswith("sentence") else self.text(value)
        if isinstance(value, tuple):
            if key.endswith("sentences"):
                return self.sentences(map(self.sentence, value))
            return self.listed(map(self.text, value))
        if isinstance(value, str):
            # A name out of a recording or of a file begins no line of its own.
            value = value.translate(_NO_LINE_BREAKS)
            return self._by_name[key](value) if key in self._by_name else value
        for ending, write in self._by_ending:
            if key.endswith(ending):
                return write(value)
        return self.measures.number(value, 0 if float(value).is_integer() else 1)

    def _filled(self, id_: str, **values: str) -> str:
        """A text of the grammar with its values; one with other places is not used."""
        try:
            return self._fixed(id_).format_map(values)
        except KeyError:
            return _WITHOUT_CATALOGUE[id_].format_map(values)

    def _main_thread(self, name: str) -> str:
        """The thread that shows the frames: the main one, where no other one's name is given."""
        if name:
            return self._filled("grammar.render_thread", name=name)
        return self._fixed("grammar.main_thread")

    def _fixed(self, id_: str) -> str:
        text = find_text(self.language, id_)
        return text if isinstance(text, str) else _WITHOUT_CATALOGUE.get(id_, "")


@cache
def renderer(language: str = ENGLISH) -> Renderer:
    """The renderer of a language with the language's own numbers."""
    return Renderer(language)


def english(statement: Statement) -> str:
    """The statement in English: for logs, ``--json`` and files."""
    return renderer().text(statement)
