# SPDX-License-Identifier: GPL-3.0-or-later
"""Chinese texts have the full-width marks of Chinese."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from tests.house.source_tree import ROOT

RESOURCES = ROOT / "resources"
NEAR = "[\u3400-\u9fff\uff00-\uffef、。{}]"
"""Signs of Chinese, its marks, and places, which are filled with words."""

HALF_WIDTH = re.compile(
    rf"(?:(?<={NEAR})|(?<={NEAR} ))[,:;?!()]|[,:;?!()](?= ?{NEAR})"
    r"|\uff08[^\uff08\uff09]*\)|\([^()]*\uff09"
)
RIGHT = re.compile(r"\(\*[^)]*\)|[a-z]+:\{|\}:\d|`[^`]*`|\]\([^)]*\)|[a-z]+\(\d\)")
"""What filters files, values of the kernel, ratios; code, links and manuals of the pages."""


def half_width(text: str) -> list[str]:
    """Marks of other scripts beside what is Chinese."""
    return HALF_WIDTH.findall(RIGHT.sub("", text))


def _catalogue() -> Iterator[tuple[str, str]]:
    for path in sorted((RESOURCES / "catalogue" / "zh_CN").glob("*.json")):
        for id_, text in json.loads(path.read_text(encoding="utf-8")).items():
            for form in [text] if isinstance(text, str) else [text["other"]]:
                yield id_, form


def _translations() -> Iterator[tuple[str, str]]:
    tree = ET.parse(RESOURCES / "translations" / "destutter_zh_CN.ts")  # noqa: S314  our own file
    for message in tree.iter("message"):
        source = message.findtext("source") or ""
        for form in (*message.iter("translation"), *message.iter("numerusform")):
            yield source, form.text or ""


def _pages() -> Iterator[tuple[str, str]]:
    for path in sorted((RESOURCES / "explanations" / "zh_CN").glob("*.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path.name}:{number}", line


@pytest.mark.parametrize("texts", [_catalogue, _translations, _pages])
def test_marks_are_full_width(texts):
    """No comma, colon or bracket of half the width stands beside a sign of Chinese."""
    said = list(texts())
    assert len(said) > 100
    assert [(where, text) for where, text in said if half_width(text)] == []


def test_half_width_marks_are_seen():
    """And where they are right they are left alone: numbers, code, units, filters of files."""
    for text in ("停顿,没有", "原因: {what}", "{what}:{why}", "交换(swap)", "\uff08swap)", "好!"):
        assert half_width(text), text
    for text in (
        "1,024 页",
        "每天 12:30",
        "`a(b)` 是",
        "文件 (*.csv *.json)",
        "fifo:{low}",
        "2:1",
    ):
        assert not half_width(text), text
