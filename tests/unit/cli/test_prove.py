# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter prove``: real short runs, tables, and wrong usage."""

import json
from unittest.mock import Mock

import pytest

from destutter.commands.prove_place import CalmWait, Place
from destutter.commands.proving import Runner, judge_blocks
from destutter.commands.proving_table import (
    alone_lines,
    amount,
    best_line,
    pair_lines,
    scheduler_lines,
)
from destutter.commands.terminal import CommandError
from destutter.core.statement import Statement, told
from destutter.proving.experiment import BlockMeasure
from destutter.words.language import LANGUAGES
from destutter.words.renderer import renderer
from tests.support.commands import run_real
from tests.support.fake_root import FakeRoot

pytestmark = pytest.mark.slow


class Scripted:
    """An experiment of two measures."""

    name = "storage"
    measures: tuple[BlockMeasure, ...] = (
        BlockMeasure("wait_ms", told("wait"), "ms"),
        BlockMeasure("done", told("done"), "per_s", is_cost=False),
        BlockMeasure("never", told("never"), "count"),
    )
    ended_early: Statement | None = None

    def prepare(self):
        """Nothing."""

    def block(self):
        """One block."""
        return {"wait_ms": 1.0, "done": 2.0, "never": 0.0}

    def close(self):
        """Nothing."""


class EndedEarly(Scripted):
    """A block of it ended early."""

    ended_early = told("memory ran out")


def _blocks(wait, done):
    return [{"wait_ms": wait + 0.01 * n, "done": done + n, "never": 0.0} for n in range(6)]


@pytest.fixture
def calm(monkeypatch):
    """The computer that runs the tests counts as calm, whatever else it does."""
    monkeypatch.setattr(CalmWait, "wait", lambda _self: None)


def test_wake_ups_as_json(commands, calm):
    """Raw blocks and what their values mean."""
    outcome = commands.run("prove", "wakeup", "--seconds", "1", "--blocks", "1", "--json")
    assert outcome.status == 0, outcome.errors
    told = json.loads(outcome.output)
    assert len(told["blocks"]) == 1
    assert set(told["blocks"][0]) == {measure["id"] for measure in told["measures"]}


def test_writes_as_a_table(commands, calm, tmp_path):
    """Folder and drive are named, and a row per measure follows."""
    outcome = commands.run(
        "prove", "write", "--folder", tmp_path, "--seconds", "1", "--blocks", "1"
    )
    assert outcome.status == 0, outcome.errors
    assert str(tmp_path) in outcome.output
    assert "worst write of a second" in outcome.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("seconds_of_waiting", "patience"), [((0.9, 0.5, 0.2), 3), ((0.9,) * 20, 10)]
)
def test_busy_computer_is_waited_for_and_then_refused(
    monkeypatch, tmp_path, seconds_of_waiting, patience
):
    """Measuring begins once programs wait for less than 30 % of a second, or never."""
    root = FakeRoot(tmp_path, {})
    total_us = 0
    told: list[float] = []

    def put(more_us):
        nonlocal total_us
        total_us += more_us
        root.put("/proc/pressure/cpu", f"some avg10=0.00 avg60=0.00 avg300=0.00 total={total_us}")

    def sleep(_seconds):
        told.append(seconds_of_waiting[len(told)])
        put(int(told[-1] * 1e6))

    put(0)
    monkeypatch.setattr("destutter.commands.prove_place.time.sleep", sleep)
    calm = CalmWait(root.files)
    if patience < 10:
        calm.wait()
    else:
        with pytest.raises(CommandError, match=r"too busy to measure: .* 90\s% of the time"):
            calm.wait()
    assert len(told) == patience
    calm.close()


@pytest.mark.parametrize(
    ("experiment", "below"),
    [(Scripted(), []), (EndedEarly(), ["", "A block ended early: memory ran out."])],
)
def test_a_block_that_ended_early_is_told_below_the_table(experiment, below):
    """With fewer bytes than asked for its times are those of less memory."""
    terminal = Mock(words=renderer("en"))
    Runner(experiment, Mock(), terminal).say(["table"])
    assert [call.args[0] for call in terminal.line.call_args_list] == ["table", *below]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "experiment"),
        (("nonsense",), "nonsense"),
        (("wakeup", "--device", "sda"), "no drive"),
        (("wakeup", "--seconds", "0"), "0"),
        (("wakeup", "--seconds", "0.5"), "1 to 600"),
        (("wakeup", "--blocks", "x"), "x"),
        (("wakeup", "--fill", "/tmp"), "memory"),
        (("write", "--all-schedulers"), "storage"),
        (("wakeup", "--against", "nonsense"), "nonsense"),
        (("wakeup", "--against", "vm.swappiness=10", "--pairs", "5"), "5"),
        (("storage", "--all-schedulers", "--against", "vm.swappiness=1"), "different"),
    ],
)
def test_wrong_usage_is_one_line(words, told):
    """Status 2, and the line names what was wrong."""
    outcome = run_real("prove", *words)
    assert outcome.status == 2
    assert told in outcome.errors
    assert len(outcome.errors.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("storage", "--device", "nothing"),
        ("write", "--folder", "/nowhere"),
        ("write", "--folder", "/proc/self"),
        ("memory", "--mib", "16000000", "--fill", "/proc/self/mem", "--blocks", "0"),
    ],
)
def test_what_cannot_be_done_is_one_line(words):
    """Status 1 or 2 in one line, never a traceback."""
    outcome = run_real("prove", *words)
    assert outcome.status in (1, 2)
    assert len(outcome.errors.splitlines()) == 1
    assert "Traceback" not in outcome.errors


def test_verdict_of_a_measure_of_which_more_is_better():
    """Fewer operations done are worse although the number is smaller."""
    judgements = judge_blocks(Scripted(), _blocks(1, 1000), _blocks(1, 500))
    assert judgements["done"].outcome.value == "worse"
    assert judgements["wait_ms"].outcome.value == "no real difference"
    assert "never" not in judgements


def test_table_of_pairs():
    """Each measure with both values and its verdict; the first one decides the sentence."""
    present, other = _blocks(4, 1000), _blocks(2, 1000)
    judgements = judge_blocks(Scripted(), present, other)
    lines = pair_lines(Scripted(), ["vm.swappiness=10"], present, other, judgements, renderer())
    assert "vm.swappiness=10" in lines[0]
    assert any(line.startswith("wait ") and line.endswith("better") for line in lines)
    assert any("none on either side" in line for line in lines)
    assert lines[-1].startswith("Better: these settings shorten 'wait'")


def test_table_of_one_side_and_of_schedulers():
    """Medians and worsts; a line per scheduler and the command that judges the best."""
    lines = alone_lines(Scripted(), Place("/games", "sda"), _blocks(1, 1000), renderer())
    assert lines[0] == "storage in /games on sda: 6 blocks"
    keys = ("reader_p99_ms", "reader_per_s", "heavy_per_s", "heavy_per_reader")
    lines = scheduler_lines(
        Place("/games", "sda"), {"bfq": [dict.fromkeys(keys, 2.0)]}, renderer()
    )
    assert lines[-1].startswith("bfq")
    assert "--against block.scheduler@sda=bfq" in best_line("sda", "bfq", renderer())[-1]
    assert "nothing is advised" in best_line("sda", None, renderer())[-1]


def test_tables_are_told_in_the_language():
    """Names of measures, numbers and the verdict; cells keep their width beside wide signs."""
    present, other = _blocks(1200, 1), _blocks(600, 1)
    judgements = judge_blocks(Scripted(), present, other)
    german, chinese = (
        pair_lines(Scripted(), ["x=1"], present, other, judgements, renderer(language))
        for language in LANGUAGES[1:]
    )
    assert german[0] == "6 Paare von Blöcken: jetzt gegen x=1"
    assert "1.200 ms" in german[3]
    assert german[-1].startswith("Besser: ")
    assert chinese[3].endswith("更好")
    assert chinese[2].index("结论") == german[2].index("Urteil") - sum(
        sign > "\u2fff" for sign in chinese[2].partition("结论")[0]
    )


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0, "ms", "0.00 ms"),
        (0.0123, "ms", "0.012 ms"),
        (12.34, "ms", "12.3 ms"),
        (123456.7, "per_s", "123,457 /s"),
        (3.2, "count", "3"),
    ],
)
def test_amounts_have_the_digits_that_count(value, unit, text):
    """Three digits and a unit."""
    assert amount(value, unit, renderer()) == text
