# SPDX-License-Identifier: GPL-3.0-or-later
"""Words: complete for every cause, and written as a calm expert would."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from destutter.core.metric_table import METRIC_BY_ID
from destutter.diagnosis.causes import CAUSES
from destutter.diagnosis.finding import Confidence, Finding, Group, Statement
from destutter.diagnosis.rules_cpu import OWN_LIMIT
from destutter.diagnosis.rules_gpu import LINK
from destutter.diagnosis.verdict_words import Plural
from destutter.diagnosis.wording import (
    CAUSE_NAMES,
    METRIC_NAMES,
    TEMPLATES,
    duration,
    named_as,
    places,
    quantity,
    render,
    told_with,
)

EXPLANATIONS = Path(__file__).resolve().parents[3] / "resources" / "explanations" / "en"
CAUSE_IDS = [spec.id for spec in CAUSES]


def _texts():
    for template in TEMPLATES.values():
        if isinstance(template, Plural):
            yield template.one
            yield template.other
        else:
            yield template


@pytest.mark.parametrize("cause", CAUSE_IDS)
def test_every_cause_has_its_texts(cause):
    """A name, a banner, two tile reasons and a page that explains it."""
    assert CAUSE_NAMES[cause]
    for template in (f"verdict.{cause}", f"tile.causing.{cause}", f"tile.watch.{cause}"):
        assert template in TEMPLATES
    page = (EXPLANATIONS / f"cause.{cause}.md").read_text(encoding="utf-8")
    assert page.startswith("# ")


def test_a_kind_of_a_cause_has_all_the_sentences_of_a_cause():
    """Where a cause comes about in a way of its own, no place says the usual words."""
    for kind in (f"run_queue_delay.{OWN_LIMIT}", f"gpu_throttling.{LINK}"):
        for place in ("verdict", "tile.causing", "tile.watch"):
            assert f"{place}.{kind}" in TEMPLATES


def test_a_limit_of_the_games_own_blames_no_other_program():
    """The same cause has words of its own where the game's own group withheld the time."""
    limit = Finding("run_queue_delay", Group.CPU, Confidence.HIGH, 2, 2, 0, 1, (), kind=OWN_LIMIT)
    names = [f"{place}.{limit.told_as}" for place in ("verdict", "tile.causing", "tile.watch")]
    for template in map(TEMPLATES.__getitem__, names):
        text = template.other if isinstance(template, Plural) else template
        assert "limit for the processor" in text
        assert "other programs" not in text


@pytest.mark.parametrize(
    "told", [*CAUSE_IDS, f"run_queue_delay.{OWN_LIMIT}", f"gpu_throttling.{LINK}"]
)
def test_every_sentence_of_a_cause_can_do_without_its_measurements(told):
    """Not every measurement speaks every time, and a wait need not be of a known drive."""
    for kind in ("causing", "watch"):
        assert places(told_with(f"tile.{kind}.{told}", {"explained": 2}).id) <= {"explained"}
    always: dict[str, str | int | float] = {
        "who": "X",
        "worst_ms": 90.0,
        "explained": 2,
        "total": 3,
        "confidence": "high",
    }
    assert render(told_with(f"verdict.{told}", always))


def test_no_text_is_left_over():
    """Names and pages exist only for causes that exist, and for ways in which one comes about."""
    pages = {path.stem.removeprefix("cause.") for path in EXPLANATIONS.glob("cause.*.md")}
    assert set(CAUSE_NAMES) == pages
    assert {name.partition(".")[0] for name in CAUSE_NAMES} == set(CAUSE_IDS)
    told = {name.removeprefix("verdict.") for name in TEMPLATES if name.startswith("verdict.")}
    assert set(CAUSE_NAMES) <= told


def test_a_finding_is_named_by_its_way_where_that_has_a_name():
    """Else by its cause: a finding that is only busy has no name of its own."""
    finding = Finding("slow_device", Group.STORAGE, Confidence.LOW, 1, 2, 0, 1, ())
    assert named_as(finding) == "slow_device"
    assert named_as(replace(finding, kind="busy")) == "slow_device"
    assert named_as(replace(finding, kind="limit")) == "slow_device.limit"


def test_every_metric_of_a_rule_exists():
    """Rules and names of evidence refer to the table of metrics."""
    for spec in CAUSES:
        assert set(spec.watches) <= METRIC_BY_ID.keys()
        assert set(spec.remembers) <= set(spec.watches)
    assert METRIC_NAMES.keys() <= METRIC_BY_ID.keys()


def test_tunables_of_causes_exist():
    """A cause names settings that the helper knows."""
    from destutter_helper.api.tunables import BY_ID

    for spec in CAUSES:
        assert set(spec.tunables) <= BY_ID.keys()


def test_the_tone_is_calm():
    """No exclamation marks, no promises, no words of advertising, nobody is blamed."""
    forbidden = re.compile(r"!|\b(optimi[sz]e|boost|tweak|you|your|guarantee)", re.IGNORECASE)
    assert [text for text in _texts() if forbidden.search(text)] == []


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
                "X-Plane waited up to 214\u00a0ms while the kernel freed memory. "
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
            Statement("tile.causing.direct_reclaim", {"explained": 2, "pages_per_s": 75214.0}),
            "Direct reclaim hit 2 stutters, up to 75,214\u00a0pages/s",
        ),
        (
            Statement("tile.memory.clear", {"available_bytes": 12.34 * 2**30}),
            "No program had to wait for memory; 12.3\u00a0GB available",
        ),
    ],
)
def test_sentences(statement, sentence):
    """Numbers have separators and units, with a no-break space between them."""
    assert render(statement) == sentence


@pytest.mark.parametrize(
    ("value_s", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59.6, "60 seconds"),
        (60, "1 minute"),
        (100, "100 seconds"),
        (120, "2 minutes"),
        (2460, "41 minutes"),
        (3600, "1 hour"),
        (9000, "2 hours"),
    ],
)
def test_durations(value_s, words):
    """Spans are said as people say them, and never rounded up to more than they are."""
    assert duration(value_s).replace("\u00a0", " ") == words


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.4, "ms", "0.4 ms"),
        (0.01, "ms", "< 0.1 ms"),
        (12_345.0, "ms", "12.3 s"),
        (1536.0, "B", "1.5 kB"),
        (3 * 2**30, "B/s", "3 GB/s"),
        (75_214.3, "pages/s", "75,214 pages/s"),
        (50.0, "%", "50 %"),
    ],
)
def test_quantities(value, unit, text):
    """Values of metrics in the units of their specs."""
    assert quantity(value, unit).replace("\u00a0", " ") == text
