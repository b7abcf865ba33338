# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments that run a process of ours per block, for real and for a short time."""

import json
import sys

import pytest

from destutter.core.sample import Trouble, encode
from destutter.core.statement import Statement
from destutter.proving.experiment import ExperimentError
from destutter.proving.probing import MemoryBursts, Probing, wake_up_probe, write_probe
from destutter.sampling.own_program import own_command

pytestmark = pytest.mark.slow


def _python(text):
    return [sys.executable, "-c", text]


def test_wake_up_probe_measures_every_value():
    """One short block of the real probe gives a value per measure."""
    experiment = wake_up_probe([*own_command(), "--wakeup-probe"], 2.0)
    block = experiment.block()
    assert set(block) == {measure.id for measure in experiment.measures}
    assert 0 < block["worst_ms"] <= block["most_ms"]


def test_write_probe_measures_every_value(tmp_path):
    """One short block of the real probe gives a value per measure and leaves no file."""
    experiment = write_probe([*own_command(), "--write-probe"], str(tmp_path), 2.0)
    block = experiment.block()
    assert set(block) == {measure.id for measure in experiment.measures}
    assert block["worst_write_ms"] > 0
    assert not list(tmp_path.iterdir())


def test_words_of_the_probe_are_the_error():
    """A probe that cannot write says where, without its own name before it."""
    experiment = write_probe([*own_command(), "--write-probe"], "/proc", 1.0)
    with pytest.raises(ExperimentError, match=r"^/proc: takes no files"):
        experiment.block()


def test_memory_burst_for_real():
    """32 MiB, the distance between two looks at the computer's state, are touched and counted."""
    experiment = MemoryBursts([*own_command(), "--memory-burst", "--mib", "32"])
    block = experiment.block()
    assert block["mib"] == 32
    assert block["over_5ms"] <= block["over_1ms"]


@pytest.mark.parametrize("text", ["print('nonsense')", "print('{}')", "print('[1]')", "pass"])
def test_nonsense_of_a_process_is_told(text):
    """A result of another shape is an error in words."""
    with pytest.raises(ExperimentError):
        MemoryBursts(_python(text)).block()
    with pytest.raises(ExperimentError):
        Probing("x", _python(text), 1.0, (), lambda rows, _seconds: dict(rows[0])).block()


def test_process_that_fails_without_words():
    """Its status is better than silence."""
    with pytest.raises(ExperimentError, match="status 3"):
        MemoryBursts(_python("raise SystemExit(3)")).block()


def test_why_a_burst_ended_early_is_known():
    """The reason of the last block that did, whatever blocks follow it."""
    burst: dict[str, object] = {measure.id: 1 for measure in MemoryBursts.measures}
    burst["stopped"] = {"id": "proving.early.swap"}
    experiment = MemoryBursts(_python(f"print({json.dumps(json.dumps(burst))})"))
    assert experiment.ended_early is None
    experiment.block()
    assert experiment.ended_early == Statement("proving.early.swap")


def test_what_cannot_be_measured_is_told_as_a_statement():
    """A process says why on its output; the English on its errors is for people."""
    why = Statement("proving.burst.not_told", {"name": "MemFree"})
    text = f"print({encode(Trouble(0, 'memory', why))!r}); raise SystemExit('destutter: English')"
    with pytest.raises(ExperimentError) as info:
        MemoryBursts(_python(text)).block()
    assert info.value.statement.id == "proving.burst.not_told"
