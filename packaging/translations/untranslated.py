# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks what a change has in English alone, so that whoever writes no other language can send it.

`.venv/bin/python packaging/translations/untranslated.py` writes the list untranslated.txt beside
this file, one text a line: what the other languages lack now. The tests of tests/house allow that
and nothing else; a text that is translated has to leave the list, by the same command. Until then
the program says it in English. `--none` only tells whether the list is empty, by the exit status:
nothing is released before.
"""

import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from destutter.words.language import ENGLISH, LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
LIST = Path(__file__).with_name("untranslated.txt")


def main() -> int:
    """Write the list, or with --none look at it; returns the exit status."""
    if sys.argv[1:] == ["--none"]:
        sys.stderr.writelines(f"untranslated: {line}\n" for line in marked())
        return 1 if marked() else 0
    if sys.argv[1:]:
        sys.exit("usage: packaging/translations/untranslated.py [--none]")
    found = missing()
    LIST.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    sys.stdout.write(f"{len(found)} texts are marked as untranslated in {LIST}\n")
    return 0


def marked() -> list[str]:
    """The lines of the list."""
    return LIST.read_text(encoding="utf-8").splitlines()


def missing() -> list[str]:
    """What the languages lack beside English, as lines of the list, sorted."""
    return sorted(
        f"{language} {kind} {name}"
        for language in LANGUAGES
        if language != ENGLISH
        for kind, names in (
            ("catalogue", _ids(ENGLISH) - _ids(language)),
            ("page", _pages(ENGLISH) - _pages(language)),
            ("widget", set(_unfinished(language))),
        )
        for name in names
    )


def _ids(language: str) -> set[str]:
    files = (RESOURCES / "catalogue" / language).glob("*.json")
    return {id_ for file in files for id_ in json.loads(file.read_text(encoding="utf-8"))}


def _pages(language: str) -> set[str]:
    return {page.stem for page in (RESOURCES / "explanations" / language).glob("*.md")}


def _unfinished(language: str) -> Iterator[str]:
    tree = ET.parse(RESOURCES / "translations" / f"destutter_{language}.ts")  # noqa: S314  our own
    for context in tree.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is not None and translation.get("type") == "unfinished":
                source = " ".join((message.findtext("source") or "").split())
                yield f"{context.findtext('name')}: {source}"


if __name__ == "__main__":
    sys.exit(main())
