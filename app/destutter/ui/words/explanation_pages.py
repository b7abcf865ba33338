# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages ``resources/explanations/LANGUAGE/{cause,tunable,page}.ID.md``, read when needed.

A page is a title and sections of fixed names, in every language in the same order; the window
shows them as text, never as a document of its own. No Qt.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger("destutter.explanations")

CAUSE, TUNABLE, PAGE = "cause", "tunable", "page"
ENGLISH = "en"
PAGE_SECTIONS = ("tells", "figures", "can")

_SECTIONS = {
    CAUSE: ("feels", "why", "helps", "risk", "not_when", "source"),
    TUNABLE: ("does", "when", "risk", "not_when", "source"),
    PAGE: PAGE_SECTIONS,
}
# Latin marks end a sentence before a space, the full-width marks of Chinese anywhere.
_SENTENCE_ENDS = re.compile("(?<=[.!?])\\s+|(?<=[\u3002\uff01\uff1f])")
_CODE = re.compile(r"`([^`\n]+)`")
_MOST_SENTENCES = 3


class ExplanationError(Exception):
    """A page that cannot be used, in words with its path."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One page. ``sections`` by the names in ``_SECTIONS``, as paragraphs of plain text."""

    id: str
    title: str
    sections: dict[str, str]

    def section(self, name: str) -> str:
        """The text of a section without marks for code; empty for one that a kind has not."""
        return _CODE.sub(r"\1", self.sections.get(name, ""))

    @property
    def why(self) -> str:
        """Why it happens, or what the setting does, in at most three sentences."""
        text = self.section("why") or self.section("does")
        ends = [match.start() for match in _SENTENCE_ENDS.finditer(text)]
        return text[: ends[_MOST_SENTENCES - 1]] if len(ends) >= _MOST_SENTENCES else text

    @property
    def advice(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What helps, one item each, with the words in it that are code."""
        text = self.sections.get("helps", "")
        items = re.split(r"^- |\n- ", text) if text.startswith("- ") else [text]
        return tuple(
            (_CODE.sub(r"\1", " ".join(item.split())), tuple(_CODE.findall(item)))
            for item in items
            if item.strip()
        )


def in_players_words(advice: Explanation) -> tuple[str, ...]:
    """The items that need no knowledge of the system: those without a word that is code."""
    return tuple(text for text, words in advice.advice if not words)


class ExplanationPages:
    """All pages below a folder, in the first of ``languages`` that has them, else in English."""

    def __init__(self, folder: Path, languages: Sequence[str] = ()) -> None:
        self._folders = [folder / each for each in dict.fromkeys((*languages, ENGLISH))]
        self._pages: dict[tuple[str, str], Explanation | ExplanationError] = {}

    def cause(self, cause: str) -> Explanation:
        """The page of a cause; raises ``ExplanationError``."""
        return self._page(CAUSE, cause)

    def tunable(self, tunable: str) -> Explanation:
        """The page of a setting; raises ``ExplanationError``."""
        return self._page(TUNABLE, tunable)

    def page(self, page: str) -> Explanation:
        """What a page of the window tells; raises ``ExplanationError``."""
        return self._page(PAGE, page)

    def _page(self, kind: str, id_: str) -> Explanation:
        found = self._pages.get((kind, id_))
        if found is None:
            try:
                found = _read(self._folders, kind, id_)
            except ExplanationError as error:
                # Pages go on without it, with the plain name: told to whoever packs the program.
                log.warning("%s", error)
                found = error
            self._pages[kind, id_] = found
        if isinstance(found, ExplanationError):
            raise found
        return found


def _read(folders: Sequence[Path], kind: str, id_: str) -> Explanation:
    name = f"{kind}.{id_}.md"
    path = next((each / name for each in folders if (each / name).is_file()), None)
    if path is None:
        raise ExplanationError(f"{folders[-1] / name} is missing. Install the program again.")
    try:
        return parse(kind, id_, path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExplanationError(f"{path}: {error}") from None


def parse(kind: str, id_: str, text: str) -> Explanation:
    """A page from its text; raises ``ValueError`` with the line for one of another form."""
    if not text.startswith("# "):
        raise ValueError("line 1: a title beginning with '# ' is missing")
    title, *parts = text[2:].split("\n## ")
    names = _SECTIONS[kind]
    if len(parts) != len(names):
        line = text.rstrip().count("\n") + 1
        raise ValueError(f"line {line}: {len(parts)} sections instead of {len(names)}")
    bodies = (part.partition("\n")[2].strip() for part in parts)
    return Explanation(id_, title.strip(), dict(zip(names, bodies, strict=True)))
