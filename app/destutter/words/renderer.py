# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes statements, names and numbers in a language.

Between number and unit stands a no-break space. A statement without a text, as of a newer helper,
is shown by its id and its values.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from typing import Protocol

from destutter.core.statement import Statement, Value
from destutter.words.catalogue import Plural, Text, find_text
from destutter.words.language import ENGLISH

NBSP = "\N{NO-BREAK SPACE}"


_NO_LINE_BREAKS = dict.fromkeys(map(ord, "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"), " ")

_WITHOUT_CATALOGUE = {
    "core.told": "{text}",
    "grammar.comma": ", ",
    "grammar.and": "{names}, {last}",
    "grammar.next_sentence": "{first} {second}",
    "grammar.full_stop": "{text}.",
    "grammar.thousands": ",",
    "grammar.decimal": ".",
}
"""What keeps values readable, and none of them lost, where the files are missing."""


def with_unit(number: str, unit: str) -> str:
    """A written number and its unit, which stay on one line."""
    return f"{number}{NBSP}{unit}"


class NumberWriter(Protocol):
    """How numbers are written; a window has its locale's."""

    def number(self, value: float, decimals: int = 0, /) -> str: ...
    def with_unit(self, number: str, unit: str, /) -> str: ...


class Renderer:
    """The words of one language; ``numbers`` are the language's own unless others are given."""

    def __init__(self, language: str = ENGLISH, numbers: NumberWriter | None = None) -> None:
        self.language = language
        self._numbers = _LanguageNumbers(self._fixed) if numbers is None else numbers
        self._by_name: Mapping[str, Callable[[str], str]] = {
            "group": lambda group: self.named("group", f"{group}.inside"),
            "cause": lambda cause: self.named("cause", cause),
            "confidence": lambda name: self.named("confidence", name),
            "who": lambda name: name or self._fixed("grammar.somebody"),
            "quiet": lambda names: self.groups(names.split(",")),
            "busy": lambda names: self.groups(names.split(",")),
        }
        self._by_ending: tuple[tuple[str, Callable[[float], str]], ...] = (
            ("pages_per_s", lambda value: self.quantity(round(value), "pages/s")),
            ("bytes_per_s", lambda value: self.quantity(value, "B/s")),
            ("per_s", lambda value: self.quantity(value, "/s")),
            ("_bytes", self.size),
            ("_ms", self.milliseconds),
            ("_pct", lambda value: self.quantity(value, "%")),
            ("_s", self.duration),
            ("celsius", lambda value: self.quantity(round(value), "°C")),
        )

    def text(self, statement: Statement) -> str:
        """The statement's text with its values."""
        written = {key: self.place(key, value) for key, value in statement.values.items()}
        text = find_text(self.language, statement.id) or _WITHOUT_CATALOGUE.get(statement.id)
        if text is not None:
            try:
                return _form(text, statement.values).format_map(written)
            except KeyError:  # the text of another version has other places
                pass
        said = "; ".join(f"{key}: {value}" for key, value in written.items())
        return f"{statement.id} ({said})" if said else statement.id

    def sentence(self, statement: Statement) -> str:
        """The statement as a sentence of its own: with a capital and a full stop."""
        text = self.text(statement)
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
        return self.number(value, 0 if float(value).is_integer() else 1)

    def number(self, value: float, decimals: int = 0) -> str:
        """A plain number with separators: 75,214."""
        return self._numbers.number(value, decimals)

    def figure(self, value: float, unit: str) -> str:
        """A number in two or three figures with its unit."""
        number = self.number(value, 0 if abs(value) >= 100 or float(value).is_integer() else 1)
        if not unit or unit.startswith("/"):
            return number + self.unit(unit)
        return self._numbers.with_unit(number, self.unit(unit, value))

    def quantity(self, value: float, unit: str) -> str:
        """A metric's value with its unit, as ``MetricSpec.unit`` names it."""
        if unit == "ms":
            return self.milliseconds(value)
        if unit in ("B", "B/s"):
            return self.size(value) + (self.unit("/s") if unit == "B/s" else "")
        if unit == "s":
            return self.duration(value)
        return self.figure(value, unit)

    def size(self, value_bytes: float) -> str:
        """A size in steps of 1024: 1.4 GB."""
        for power, unit in ((3, "GB"), (2, "MB"), (1, "kB")):
            if abs(value_bytes) >= 1024**power:
                return self.figure(value_bytes / 1024**power, unit)
        return self.figure(value_bytes, "bytes")

    def milliseconds(self, value_ms: float) -> str:
        """A wait: 0.4 ms, 214 ms, 12 s."""
        if value_ms >= 10_000:
            return self.figure(value_ms / 1000, "s")
        if 0 < value_ms < 0.05:
            return f"<{NBSP}{self.figure(0.1, 'ms')}"
        return self.figure(value_ms, "ms")

    def duration(self, value_s: float) -> str:
        """A span in the words of everyday: 45 seconds, 2 minutes, 3 hours."""
        for seconds, unit in ((3600, "hour"), (60, "minute")):
            # Nearly two minutes are two minutes, and not 119 seconds.
            if value_s >= 1.95 * seconds or value_s == seconds:
                count = 1 if value_s == seconds else max(2, int(value_s // seconds))
                return self._counted(unit, count, 0)
        value_s = max(value_s, 0.0)
        is_part = value_s < 2 and value_s != round(value_s)
        return self._counted("second", value_s, 1 if is_part else 0)

    def _counted(self, unit: str, count: float, decimals: int) -> str:
        text = find_text(self.language, f"unit.{unit}") or "{count}"
        number = self.number(count, decimals)
        try:
            written = _form(text, {"count": count}).format_map({"count": number})
        except KeyError:  # the text of another version has other places
            written = f"{number} {unit}"
        return written.replace(" ", NBSP)

    def unit(self, unit: str, count: float | None = None) -> str:
        """A unit in the language: "ms/s" has the id ``unit.ms_per_s``; "%" and "GB" have none.

        For a ``count`` of one it stands in its singular.
        """
        name = unit.lower().replace("µ", "u").replace("/", "_per_").replace(" ", "_").strip("_")
        text = find_text(self.language, f"unit.{name}")
        return unit if text is None else _form(text, {"count": 2 if count is None else count})

    def _filled(self, id_: str, **values: str) -> str:
        """A text of the grammar with its values; one with other places is not used."""
        try:
            return self._fixed(id_).format_map(values)
        except KeyError:
            return _WITHOUT_CATALOGUE[id_].format_map(values)

    def _fixed(self, id_: str) -> str:
        text = find_text(self.language, id_)
        return text if isinstance(text, str) else _WITHOUT_CATALOGUE.get(id_, "")


class _LanguageNumbers:
    """Numbers with the marks of a language; ``fixed`` gives its texts."""

    def __init__(self, fixed: Callable[[str], str]) -> None:
        self._fixed = fixed

    def number(self, value: float, decimals: int = 0, /) -> str:
        marks = str.maketrans(
            {",": self._fixed("grammar.thousands"), ".": self._fixed("grammar.decimal")}
        )
        return f"{value:,.{decimals}f}".translate(marks)

    def with_unit(self, number: str, unit: str, /) -> str:
        return with_unit(number, unit)


@cache
def renderer(language: str = ENGLISH) -> Renderer:
    """The renderer of a language with the language's own numbers."""
    return Renderer(language)


def english(statement: Statement) -> str:
    """The statement in English: for logs, ``--json`` and files."""
    return renderer().text(statement)


def _form(text: Text, values: Mapping[str, Value]) -> str:
    if not isinstance(text, Plural):
        return text
    return text.one if values[text.by] == 1 else text.other
