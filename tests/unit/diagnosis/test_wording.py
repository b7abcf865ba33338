# SPDX-License-Identifier: GPL-3.0-or-later
"""Words: complete for every cause, and written as a calm expert would."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.statement import Value
from destutter.diagnosis.causes.graphics import LINK
from destutter.diagnosis.causes.registry import CAUSES
from destutter.diagnosis.finding import OWN_LIMIT, Confidence, Finding, Group
from destutter.diagnosis.wording import named_as, told_with
from destutter.words.catalogue import Plural, find_text, places, texts
from destutter.words.renderer import english

EXPLANATIONS = Path(__file__).resolve().parents[3] / "resources" / "explanations" / "en"
CAUSE_IDS = [spec.id for spec in CAUSES]


SUBJECTS = ("verdict", "tile", "reason", "culprit", "cause", "metric", "group", "confidence")
CAUSE_NAMES = {id_.removeprefix("cause.") for id_ in texts("en", "cause")}


def _texts():
    for text in (text for subject in SUBJECTS for text in texts("en", subject).values()):
        yield from text.forms if isinstance(text, Plural) else (text,)


@pytest.mark.parametrize("cause", CAUSE_IDS)
def test_every_cause_has_its_texts(cause):
    """A name, a banner, two tile reasons and a page that explains it."""
    assert cause in CAUSE_NAMES
    for template in (f"verdict.{cause}", f"tile.causing.{cause}", f"tile.watch.{cause}"):
        assert find_text("en", template)
    page = (EXPLANATIONS / f"cause.{cause}.md").read_text(encoding="utf-8")
    assert page.startswith("# ")


def test_a_kind_of_a_cause_has_all_the_sentences_of_a_cause():
    """Where a cause comes about in a way of its own, no place says the usual words."""
    for kind in (f"run_queue_delay.{OWN_LIMIT}", f"gpu_throttling.{LINK}"):
        for place in ("verdict", "tile.causing", "tile.watch"):
            assert find_text("en", f"{place}.{kind}")


def test_a_limit_of_the_games_own_blames_no_other_program():
    """The same cause has words of its own where the game's own group withheld the time."""
    limit = Finding("run_queue_delay", Group.CPU, Confidence.HIGH, 2, 2, 0, 1, (), kind=OWN_LIMIT)
    names = [f"{place}.{limit.told_as}" for place in ("verdict", "tile.causing", "tile.watch")]
    for template in (find_text("en", name) for name in names):
        text = template.forms[-1] if isinstance(template, Plural) else template
        assert text is not None
        assert "limit for the processor" in text
        assert "other programs" not in text


@pytest.mark.parametrize(
    "told", [*CAUSE_IDS, f"run_queue_delay.{OWN_LIMIT}", f"gpu_throttling.{LINK}"]
)
def test_every_sentence_of_a_cause_can_do_without_its_measurements(told):
    """Not every measurement speaks every time, and a wait need not be of a known drive."""
    for kind in ("causing", "watch"):
        assert places(told_with(f"tile.{kind}.{told}", {"explained": 2}).id) <= {"explained"}
    always: dict[str, Value] = {
        "who": "X",
        "worst_ms": 90.0,
        "explained": 2,
        "total": 3,
        "confidence": "high",
    }
    assert english(told_with(f"verdict.{told}", always))


def test_no_text_is_left_over():
    """Names and pages exist only for causes that exist, and for ways in which one comes about."""
    pages = {path.stem.removeprefix("cause.") for path in EXPLANATIONS.glob("cause.*.md")}
    assert pages == CAUSE_NAMES
    assert {name.partition(".")[0] for name in CAUSE_NAMES} == set(CAUSE_IDS)
    told = {name.removeprefix("verdict.") for name in texts("en", "verdict")}
    assert told >= CAUSE_NAMES


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
    names = {id_.removeprefix("metric.") for id_ in texts("en", "metric")}
    assert names <= METRIC_BY_ID.keys()


def test_tunables_of_causes_exist():
    """A cause names settings that the helper knows."""
    from destutter_helper.api.tunables import BY_ID

    for spec in CAUSES:
        assert set(spec.tunables) <= BY_ID.keys()


def test_the_tone_is_calm():
    """No exclamation marks, no promises, no words of advertising, nobody is blamed."""
    forbidden = re.compile(r"!|\b(optimi[sz]e|boost|tweak|you|your|guarantee)", re.IGNORECASE)
    assert [text for text in _texts() if forbidden.search(text)] == []
