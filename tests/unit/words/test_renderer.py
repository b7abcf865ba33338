# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements, names and numbers in a language."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.statement import Statement, Value
from destutter.words.measures import NBSP
from destutter.words.renderer import english, renderer


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            Statement("verdict.stutter.frames", {"count": 3, "span_s": 120, "group": "memory"}),
            "3 stutters in the last 2\u00a0minutes — most likely cause: memory",
        ),
        (
            Statement("verdict.stutter.wakeup", {"count": 1, "span_s": 45, "group": "cpu"}),
            "1 hiccup of the computer in the last 45\u00a0seconds — most likely cause: CPU",
        ),
        (
            Statement(
                "verdict.direct_reclaim",
                {
                    "who": "X-Plane",
                    "worst_ms": 214.4,
                    "explained": 2,
                    "total": 3,
                    "confidence": "high",
                },
            ),
            (
                "X-Plane waited up to 214\u00a0ms while the system freed memory. "
                "2 of 3 match. Confidence: high."
            ),
        ),
        (
            Statement("verdict.unseen.quiet.detail", {"quiet": "memory,storage,cpu"}),
            (
                "What the game waited for could not be seen. Memory, storage and CPU showed "
                "nothing at the time."
            ),
        ),
        (
            Statement("tile.causing.direct_reclaim", {"explained": 2}),
            "Programs had to free memory at 2 stutters",
        ),
        (
            Statement("tile.memory.clear", {"available_bytes": 12.34 * 2**30}),
            "No program had to wait for memory; 12.3\u00a0GB available",
        ),
    ],
)
def test_sentences(statement, sentence):
    """Numbers have separators and units, with a no-break space between them."""
    assert english(statement) == sentence


def test_values_have_the_marks_and_units_of_the_language():
    """A German reads 0,5 Sekunden."""
    statement = Statement("reason.period", {"met": 2, "total": 3, "period_s": 0.5, "expected": 1})
    assert f"0,5{NBSP}Sekunden" in renderer("de").text(statement)


@pytest.mark.parametrize(
    ("id_", "place", "one", "two"),
    [
        ("report.part.hitches", "total", "1 of 1 hitch", "1 of 2 hitches"),
        ("report.part.stutters", "total", "1 of 1 stutter", "1 of 2 stutters"),
        ("report.samples", "count", "1 sample", "2 samples"),
        ("command.captured", "count", "Captured 1 file", "Captured 2 files"),
    ],
)
def test_one_is_no_more_than_one(id_, place, one, two):
    """What can be a single thing is told in the singular."""
    values: dict[str, Value] = {"met": 1, "count": 1, "size_bytes": 1, "path": "x"}
    for number, words in ((1, one), (2, two)):
        text = renderer().text(Statement(id_, {**values, place: number}))
        assert re.match(rf"{words}\b", text)


def test_a_language_that_lacks_a_text_has_the_english_one(monkeypatch):
    """Nobody is left without an answer because a translation is behind."""
    monkeypatch.setattr("destutter.words.catalogue.texts", _only_english)
    assert renderer("de").named("cause", "new") == "A new cause"


def _only_english(language: str, subject: str) -> dict[str, str]:
    return {"cause.new": "A new cause"} if (language, subject) == ("en", "cause") else {}


def test_a_sentence_inside_a_sentence():
    """A statement is a value like others; several are a list, or sentences of their own."""
    reasons = (Statement("reason.direct"), Statement("reason.no_match"))
    why = Statement("tile.not_measured", {"why_sentence": Statement("reason.no_match")})
    assert english(why) == "No stutter is known to come from it."
    assert renderer().place("things", reasons) == (
        "A wait of the game itself was measured and No stutter is known to come from it"
    )
    assert renderer("zh_CN").place("sentences", reasons).count("\u3002") == 2
    assert renderer().place("sentences", reasons) == (
        "A wait of the game itself was measured. No stutter is known to come from it."
    )


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Statement("tuning.newer"), "tuning.newer"),
        (Statement("newer.one", {"size_bytes": 2**30}), f"newer.one (size_bytes: 1{NBSP}GB)"),
        (Statement("reason.seen", {"met": 3}), "reason.seen (met: 3)"),
        (Statement("../reason", {"a": "b"}), "../reason (a: b)"),
    ],
)
def test_what_has_no_text_is_shown_with_its_values(statement, text):
    """A newer helper's id, or one of another version whose places are others, is not lost."""
    assert english(statement) == text


VALUES = st.text(max_size=5) | st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.sampled_from(["verdict.hitches", "reason.seen", "x.y"]),
    st.dictionaries(
        st.sampled_from(["count", "span_s", "a_bytes", "b_ms", "quiet", "group", "c_pct", "met"]),
        VALUES,
        max_size=4,
    ),
)
def test_any_values_can_be_written(id_: str, values: dict[str, Value]):
    """What comes from a file or another process breaks nothing."""
    assert english(Statement(id_, values))


def test_names_one_after_the_other():
    """In a sentence the last has its "and"; alone they have commas only."""
    names = ["sda", "sdb", "sdc"]
    assert renderer().listed(names) == "sda, sdb and sdc"
    assert renderer().listed([]) == ""
    assert renderer().listed(["sda"]) == "sda"
    assert renderer().enumerated(names) == "sda, sdb, sdc"
    assert renderer("de").groups(["memory", "storage"]) == "Speicher und Laufwerke"
    assert renderer().groups(["memory", "storage"]) == "Memory and storage"


@pytest.mark.parametrize("end", [".", "!", "?", "…", "。"])
def test_a_sentence_has_one_end(end):
    """What ends already gets no full stop."""
    assert renderer().as_sentence(f"waits{end}") == f"Waits{end}"
    assert renderer().as_sentence("waits") == "Waits."
    assert renderer().as_sentence("") == ""
