# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports: one file that needs nothing, says no names, and cannot be hurt by one."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.report.comparison_document import comparison_document
from destutter.analysis.report.document import (
    Chart,
    Curve,
    Heading,
    Paragraph,
    ReportDocument,
    Table,
)
from destutter.analysis.report.html import to_html
from destutter.analysis.report.markdown import plain, to_markdown
from destutter.analysis.report.redaction import _OF_SETTINGS, Redactor, redacted, secrets_of
from destutter.analysis.report.said_of_sessions import machine_table
from destutter.analysis.report.session_document import session_document
from destutter.analysis.report.svg import WIDTH, chart_svg, thinned
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.sample import Header
from destutter_helper.api.tunables import BY_ID
from tests.support.sessions import frames_of, marker, summary

ENGLISH = terminal_words()

EVIL = "<script>alert(1)</script>'\"&|` =cmd|' /C calc'!A0\n# @everyone \x00\ud800 http://x.y"


class _Reader(HTMLParser):
    """Notes what a page consists of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.values: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the tag and its attributes."""
        self.tags.add(tag)
        self.values += [f"{name}={value}" for name, value in attrs]


def _read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    return reader


@pytest.fixture(scope="module")
def comparison():
    """Two runs of twelve minutes with names that mean harm."""
    a = summary(frames_of(12, 3, 1), game=EVIL, markers=(marker(60, EVIL),))
    return compare_sessions(a, summary(frames_of(12, 0.2, 2), game=EVIL, name="b.csv"))


def test_a_page_loads_nothing_and_runs_nothing(comparison) -> None:
    """No script, no link, no picture from elsewhere, no handler; a policy forbids them, too."""
    page = to_html(comparison_document(comparison, ENGLISH), ENGLISH)
    page.encode("utf-8")
    reader = _read(page)
    assert not reader.tags & {"script", "link", "img", "iframe", "object", "embed", "a", "form"}
    assert not [value for value in reader.values if re.match(r"on|src=|href=|style=", value)]
    assert "http" not in re.sub(r"http-equiv|http://x\.y", "", page)
    assert "default-src 'none'" in page
    assert "url(" not in page
    assert "@import" not in page


def test_a_page_follows_dark_and_light(comparison) -> None:
    """By the reader's own choice."""
    assert "prefers-color-scheme: dark" in to_html(
        comparison_document(comparison, ENGLISH), ENGLISH
    )


def test_a_legend_names_both_recordings(comparison) -> None:
    """Who looks at the graph alone knows which line is whose."""
    document = comparison_document(comparison, ENGLISH)
    charts = [block for block in document.blocks if isinstance(block, Chart)]
    assert charts
    for chart in charts:
        assert [curve.name[:3] for curve in chart.curves] == ["A: ", "B: "]
        assert chart.curves[1].name == "B: b.csv"


def test_only_what_is_drawn_is_named_below_a_graph() -> None:
    """Two logs without phases had "Shaded: the phases of B" below lines on white."""
    bare = replace(summary(frames_of(12, 3, 1)), phases=(), markers=())
    marked = replace(summary(frames_of(12, 3, 2)), phases=(), markers=(marker(60, "here"),))

    def below_first_graph(document: ReportDocument) -> str:
        return next(each.text for each in document.blocks if isinstance(each, Chart))

    assert below_first_graph(session_document(bare, ENGLISH)).startswith("The longest was ")
    assert "Shaded" not in below_first_graph(session_document(bare, ENGLISH))
    both = comparison_document(compare_sessions(bare, marked), ENGLISH)
    told = "A and B from their beginnings. Dashed: the markers of B."
    assert below_first_graph(both) == told


def test_a_page_of_a_session_has_graphs_and_figures() -> None:
    """Frames, both kinds of 1 % low, a graph with a description."""
    session = summary(frames_of(3, 2), markers=(marker(60, "take-off"),))
    page = to_html(session_document(session, ENGLISH), ENGLISH)
    for words in ("mean of the slowest 1 %", "by the 99th percentile", "take-off", "Score:"):
        assert words in page
    (drawn,) = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    tree = ET.fromstring(drawn)  # noqa: S314  our own graph
    assert "Longest frame" in tree.attrib["aria-label"]


def test_tables_of_markdown_keep_their_columns(comparison) -> None:
    """Pipes, line breaks, mentions and markup in names change nothing."""
    text = to_markdown(comparison_document(comparison, ENGLISH))
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    assert "<script" not in re.sub(r"\\<", "", text)
    assert "http://" not in text
    assert not re.search(r"(?<!\\)@everyone", text)


@given(st.text(max_size=60))
def test_any_text_is_one_harmless_line_of_markdown(text: str) -> None:
    """No line break, no cell end, no tag, no link."""
    line = plain(text)
    assert "\n" not in line
    assert "\r" not in line
    assert not re.search(r"(?<!\\)(?:\\\\)*[|<>`]", line)
    assert "://" not in line


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_can_stand_in_a_page(text: str) -> None:
    """What comes back from the parser is text, and the file is UTF-8."""
    page = to_html(ReportDocument(text, (Paragraph(text), Table((text,), ((text,),)))), ENGLISH)
    page.encode("utf-8")
    assert not _read(page).tags & {"script", "b", "x"}


def test_names_of_people_computers_and_folders_are_left_out(comparison) -> None:
    """Of this computer, and of another one whose paths stand in a recording."""
    texts = (
        "/home/anna/logs/Flight.csv by Anna on box7",
        r"C:\Users\Bert\captures\x.json and bert",
        "~/games/x and /run/media/cleo/disk/file.txt",
        "pages/s, /proc/vmstat, 1/2, and/or, mq-deadline",
    )
    document = ReportDocument("box7", tuple(Heading(text) for text in texts))
    told = redacted(document, Redactor({"box7": "(computer)"}))
    words = [block.text for block in told.blocks if isinstance(block, Heading)]
    assert told.title == "(computer)"
    assert words[0] == "…/Flight.csv by (user) on (computer)"
    assert words[1] == "…\\x.json and (user)"
    assert words[2] == "…/x and …/file.txt"
    assert words[3] == texts[3]


@pytest.mark.parametrize("names", [("anna", "anna-pc"), ("anna-pc", "anna")])
def test_a_name_within_a_longer_one_leaves_nothing_of_that(names: tuple[str, str]) -> None:
    """Many a computer is called after who uses it: "(user)-pc" would tell what it is called."""
    places = {"anna": "(user)", "anna-pc": "(computer)"}
    told = Redactor({name: places[name] for name in names}).text("Anna on anna-pc")
    assert told == "(user) on (computer)"


def test_settings_keep_their_names_on_a_computer_that_is_called_like_them() -> None:
    """ "(computer).swappiness" stood in a report for thirteen settings."""
    text = Redactor({"vm": "(computer)", "VM": "(computer)"}).text
    assert (
        text("vm.swappiness, vm.dirty_ratio on vm.")
        == "vm.swappiness, vm.dirty_ratio on (computer)."
    )
    assert {name.partition(".")[0] for name in BY_ID} <= _OF_SETTINGS


def test_a_computer_that_hides_its_host_is_a_virtual_machine_all_the_same() -> None:
    """The page of the system said "yes", the report "unknown"."""
    told = summary(np.full(3, 16.7), header=Header(0, 1.7e9, 100, {"virtual_machine": "unknown"}))
    assert machine_table(told, ENGLISH).rows == (("Virtual machine", "yes"),)


def test_secrets_are_those_of_the_environment() -> None:
    """The user's name by any variable; root and short names are nobody's."""
    found = secrets_of({"USER": "anna", "LOGNAME": "root", "HOME": "/home/anna2"})
    assert {"anna", "anna2"} <= found.keys()
    assert "root" not in found


@given(st.text(max_size=80), st.sampled_from(["anna", "box7", "a.b"]))
def test_no_secret_survives_as_a_word(text: str, secret: str) -> None:
    """Whatever stands around it."""
    told = Redactor({secret: "(user)"}).text(f"{text} {secret} {text}")
    assert not re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", told)


@given(
    st.integers(0, 5000),
    st.integers(1, 200),
    st.integers(0, 2**32 - 1),
    st.floats(0, 0.5),
)
def test_thinning_keeps_extremes_and_order(size, columns, seed, missing) -> None:
    """The highest and the lowest point survive, in at most two points a column."""
    generator = np.random.default_rng(seed)
    x = np.sort(generator.uniform(0, 100, size))
    y = generator.exponential(10, size)
    y[generator.random(size) < missing] = np.nan
    thin_x, thin_y = thinned(x, y, columns, 0.0, 100.0)
    known = y[~np.isnan(y)]
    assert (np.diff(thin_x) >= 0).all()
    assert not np.isnan(thin_y).any()
    assert thin_y.size <= max(2 * columns, 0) or thin_y.size == known.size <= 2 * columns
    if known.size:
        assert (thin_y.max(), thin_y.min()) == (known.max(), known.min())


@given(
    st.lists(st.floats(-1e9, 1e12) | st.just(float("nan")), max_size=30),
    st.sampled_from(["s", "ms"]),
    st.sampled_from(["ms", "%", "B", "/s"]),
)
def test_any_series_becomes_a_picture_with_numbers_inside_it(values, x_unit, y_unit) -> None:
    """Empty, flat, huge, negative or missing values: well-formed, and nothing outside."""
    y = np.array(values, dtype=np.float64)
    curve = Curve("<&>", np.arange(y.size, dtype=np.float64), y)
    chart = Chart("a < b", "text", (curve, curve), y_unit, x_unit, marks=((3.0, "<x>"),))
    tree = ET.fromstring(chart_svg(chart, ENGLISH.numbers))  # noqa: S314  our own graph
    for line in tree.iter("polyline"):
        for point in line.attrib["points"].split():
            at, height = (float(each) for each in point.split(","))
            assert 0 <= at <= WIDTH
            assert 0 <= height <= 240


def test_spaces_of_every_locale_stay_spaces() -> None:
    """A time of day may have a narrow one before its "AM"; control characters have no place."""
    rows = (("Began", "4:38\N{NARROW NO-BREAK SPACE}AM"), ("Name", "bell\a"))
    page = to_html(ReportDocument("Report", (Table(("", ""), rows),)), ENGLISH)
    assert "4:38\N{NARROW NO-BREAK SPACE}AM" in page
    assert "bell\N{REPLACEMENT CHARACTER}" in page
    assert "<thead>" not in page, "a table without heads has no empty line"
