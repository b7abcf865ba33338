# SPDX-License-Identifier: GPL-3.0-or-later
"""What the guide says on its way needs no knowledge of the system: words that do are not in it."""

import json
import re
from collections.abc import Iterator

import pytest

from destutter.diagnosis.causes.registry import CAUSES
from destutter.ui.words.explanation_pages import ExplanationPages, in_players_words
from destutter.words.language import LANGUAGES
from tests.house.source_tree import ROOT

RESOURCES = ROOT / "resources"
NAMES = (
    r"\bnice\b|cgroup|CPUQuota|schedstat|softirq|kworker|kswapd|/proc|/sys|sysctl|systemd|"
    r"zram|mq-deadline|\bbfq\b|kyber|run queue|irqbalance|\bio\.|memory\.high"
)
WORDS = {
    "en": r"control group|real-time task|[Kk]ernel|scheduler|reclaim|queue|"
    r"[Ii]nterrupts?\b(?! each)",
    "de": r"Kontrollgruppe|Echtzeitaufgabe|Nice-Wert|Kernels?\b|Scheduler|Interrupt|Warteschlange",
    "zh_CN": "控制组|实时任务|内核|调度|中断|排队|队列",
}
SAID = re.compile(
    r"(remedy|cause)\.|tuning\.\w+\.(effect|cost)\b|tuning\.scheduler\.choice\.behind$|"
    r"tile\.(causing|likely|watch)\."
)


def _told(language: str) -> Iterator[tuple[str, str]]:
    """Where each text stands, and the text."""
    for subject in ("remedy", "cause", "tuning", "tile"):
        path = RESOURCES / "catalogue" / language / f"{subject}.json"
        for id_, text in json.loads(path.read_text(encoding="utf-8")).items():
            if SAID.match(id_):
                yield id_, text if isinstance(text, str) else " ".join(text.values())
    pages = ExplanationPages(RESOURCES / "explanations", (language,))
    for path in sorted((RESOURCES / "explanations" / language).glob("cause.*.md")):
        id_ = path.stem.partition(".")[2]
        for item in in_players_words(pages.cause(id_)):
            yield path.name, item
    for id_ in sorted({each for spec in CAUSES for each in spec.tunables}):
        yield id_, pages.tunable(id_).title


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_says_no_word_of_the_system(language):
    """Names of causes, what helps, and of a setting its title, what one notices and its cost."""
    told = list(_told(language))
    assert len(told) > 150
    unknown = re.compile(f"{NAMES}|{WORDS[language]}")
    assert [(where, text) for where, text in told if unknown.search(text)] == []


@pytest.mark.parametrize(
    ("language", "kernel"), [("en", "[Kk]ernel"), ("de", "Kernel"), ("zh_CN", "内核")]
)
def test_a_verdict_does_not_speak_of_the_kernel(language, kernel):
    """The first sentence that a player reads, and the outcome in the list of recordings."""
    folder = RESOURCES / "catalogue" / language
    texts = {
        id_: text if isinstance(text, str) else " ".join(text.values())
        for subject in ("verdict", "session")
        for id_, text in json.loads((folder / f"{subject}.json").read_text("utf-8")).items()
        if id_.startswith(("verdict.", "session.outcome."))
    }
    assert len(texts) > 300
    told = {id_: re.sub(r"\{\w+\}", "", text) for id_, text in texts.items()}
    assert [id_ for id_, text in told.items() if re.search(kernel, text)] == []


FIRST_FIGURES = (
    *("disk.queue_depth", "disk.read_await_ms", "disk.write_await_ms", "game.run_delay_ms_per_s"),
    *("game.direct_reclaim_pct", "stat.procs_running", "disk.busy_pct"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_causes_are_explained_and_measured_without_a_word_of_the_system(language):
    """ "Requests in the queue" stood in large figures, "the scheduler" below them, "the kernel" in
    why fifteen rarer causes happen.
    """
    unknown = re.compile(f"{NAMES}|{WORDS[language]}")
    pages = ExplanationPages(RESOURCES / "explanations", (language,))
    path = RESOURCES / "catalogue" / language / "metric.json"
    metrics = json.loads(path.read_text(encoding="utf-8"))
    files = (RESOURCES / "explanations" / language).glob("cause.*.md")
    causes = sorted(each.stem.partition(".")[2] for each in files)
    told = [(id_, pages.cause(id_).why) for id_ in causes]
    told += [(id_, text) for id_ in FIRST_FIGURES if (text := metrics.get(f"metric.{id_}"))]
    assert len(told) > len(CAUSES) + 3
    assert [(where, text) for where, text in told if unknown.search(text)] == []


def test_each_cause_has_something_that_can_be_done():
    """A setting to try, or an item that a player understands."""
    pages = ExplanationPages(RESOURCES / "explanations", ("en",))
    without = [
        spec.id
        for spec in CAUSES
        if not spec.tunables and not in_players_words(pages.cause(spec.id))
    ]
    assert without == []
