# SPDX-License-Identifier: GPL-3.0-or-later
"""A catalogue that somebody damaged: what was measured is told all the same."""

import logging
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from destutter.core.statement import Statement
from destutter.words import catalogue
from destutter.words.renderer import Renderer
from tests.house.source_tree import ROOT

SAID = Statement("session.unreadable", {"reason": "no such drive"})
DAMAGED = [b"", b"[]", b"null", b"{", b"\xff", b"\xef\xbb\xbf{}", b"[" * 100_000]
NAMES = ["empty", "list", "null", "cut off", "no text", "mark", "deep"]


@pytest.fixture
def files(tmp_path, monkeypatch, caplog):
    """A catalogue of its own, and what writes one of its files."""
    shutil.copytree(ROOT / "resources" / "catalogue", tmp_path / "catalogue")
    monkeypatch.setattr(catalogue, "resource_folder", lambda: tmp_path)

    def forget():
        for kept in (catalogue.texts, catalogue.places, catalogue._files):
            kept.cache_clear()

    def write(name, data):
        (tmp_path / "catalogue" / name).write_bytes(data)
        forget()

    forget()
    with caplog.at_level(logging.WARNING):
        yield write
    forget()


@pytest.mark.parametrize("data", DAMAGED, ids=NAMES)
@pytest.mark.parametrize("name", ["session", "grammar", "unit"])
def test_a_damaged_file_costs_its_own_texts(files, name, data):
    """The other language stands in; without any, the id and its values are told."""
    files(f"de/{name}.json", data)
    assert "no such drive" in Renderer("de").sentence(SAID)
    files(f"en/{name}.json", data)
    for language in ("de", "en"):
        words = Renderer(language)
        assert "no such drive" in words.sentence(SAID)
        assert words.measures.duration(3.0)
        assert words.listed(["a", "b"]).startswith("a")


@pytest.mark.parametrize(
    "text",
    [
        '"{unbalanced"',
        '"}"',
        '"{reason:d}"',
        '"{0}"',
        '"{reason.x}"',
        '"{reason!r}"',
        "null",
        "[]",
    ],
)
def test_a_text_that_cannot_be_written_is_none(files, text):
    """Braces without partners, places that are no names: that of the other language is used."""
    files("de/session.json", f'{{"session.unreadable": {text}}}'.encode())
    assert Renderer("de").text(SAID) == "the recording cannot be read: no such drive"


def test_another_texts_places_lose_no_value(files):
    """A text of another version, in the grammar as well."""
    files("de/session.json", b'{"session.unreadable": "{why}"}')
    files("de/grammar.json", b'{"grammar.full_stop": "{x}", "grammar.and": "{x}"}')
    words = Renderer("de")
    assert "no such drive" in words.sentence(SAID)
    assert words.listed(["a", "b"]) == "a, b"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
def test_any_text_of_a_file_can_be_read(files, text):
    """Whatever stands there is written, or passed over."""
    del files
    read = catalogue._text(text, "en")
    assert read is None or catalogue.places_of(read) is not None


def test_a_name_begins_no_line_of_its_own():
    """A recording's names are anybody's: one with a line break would forge what is told."""
    forged = Statement("session.unreadable", {"reason": "x\n0 stutters: all is fine\r\u2028y"})
    assert "\n" not in Renderer("en").text(forged)
    assert len(Renderer("en").text(forged).splitlines()) == 1
