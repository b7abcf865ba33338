# SPDX-License-Identifier: GPL-3.0-or-later
"""The run of an experiment: blocks, their order, and what is told of them."""

import argparse
import contextlib
import secrets
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from destutter.commands.computer import computer
from destutter.commands.prove_place import CalmWait, Place, place_of
from destutter.commands.proving_table import (
    alone_lines,
    best_line,
    pair_lines,
    scheduler_lines,
)
from destutter.commands.terminal import CommandError, Terminal, UsageError
from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter.proving.experiment import Experiment, ExperimentError
from destutter.proving.fairness import Fairness
from destutter.proving.paired import Judgement, judge, order_of_blocks
from destutter.proving.probing import MemoryBursts, wake_up_probe, write_probe
from destutter.sampling.own_program import own_command
from destutter.tuning.advice_storage import best_scheduler
from destutter.tuning.machine_profile import read_profile
from destutter.tuning.recommendation import PairResult
from destutter.words.renderer import english
from destutter_helper.api.payload import Change, ChangeSet

Block = Mapping[str, float]
_ON_A_DRIVE = ("storage", "write")
# A choice: a probe takes a moment to begin, and nobody waits ten minutes for one of many blocks.
_BLOCK_LIMITS_S = (1, 600)


def run_prove(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Make the experiment that was asked for; always takes its files and settings back.

    Raises ``CommandError`` or ``UsageError`` in words. Exit status 0.
    """
    files = computer()
    _check(arguments)
    place = place_of(arguments, files) if arguments.experiment in _ON_A_DRIVE else Place("", None)
    experiment = make_experiment(arguments, place)
    runner = Runner(experiment, CalmWait(files), terminal)
    try:
        with contextlib.closing(runner):
            experiment.prepare()
            if arguments.all_schedulers:
                return _all_schedulers(arguments, place, runner, files)
            if arguments.against:
                return _against(arguments, runner)
            return _alone(arguments, place, runner)
    except ExperimentError as error:
        raise CommandError(error.statement) from None


def _check(arguments: argparse.Namespace) -> None:
    name = arguments.experiment
    if arguments.all_schedulers and name != "storage":
        raise UsageError(Statement("cli.prove.only_storage"))
    if arguments.all_schedulers and arguments.against:
        raise UsageError(Statement("cli.prove.two_experiments"))
    if name not in _ON_A_DRIVE and (arguments.device or arguments.folder):
        raise UsageError(Statement("cli.prove.needs_no_drive", {"name": name}))
    if name != "memory" and (arguments.fill or arguments.mib):
        raise UsageError(Statement("cli.prove.only_memory"))
    least, most = _BLOCK_LIMITS_S
    if not least <= arguments.seconds <= most:
        raise UsageError(Statement("cli.prove.block_length", {"least": least, "most": most}))


def make_experiment(arguments: argparse.Namespace, place: Place) -> Experiment:
    program = own_command()
    match arguments.experiment:
        case "storage":
            return Fairness(place.folder, arguments.seconds)
        case "write":
            command = [*program, "--write-probe"]
            return write_probe(command, place.folder, arguments.seconds)
        case "wakeup":
            return wake_up_probe([*program, "--wakeup-probe"], arguments.seconds)
        case _:
            command = [*program, "--memory-burst", "--mib", str(arguments.mib or 0)]
            for path in arguments.fill:
                command += ["--fill", path]
            return MemoryBursts(command)


class Runner:
    """Measures blocks one after the other, each on a calm computer."""

    def __init__(self, experiment: Experiment, calm: CalmWait, terminal: Terminal) -> None:
        self.experiment = experiment
        self.terminal = terminal
        self._calm = calm
        self._done = 0

    def block(self, planned: int) -> Block:
        """Wait until it is calm, then measure once."""
        self._done += 1
        self.terminal.status(
            self.terminal.words.text(
                Statement(
                    "proving.progress",
                    {"name": self.experiment.name, "block": self._done, "blocks": planned},
                )
            )
        )
        self._calm.wait()
        return self.experiment.block()

    def say(self, table: Sequence[str]) -> None:
        """The table, and below it that a block did not come to its end."""
        early = self.experiment.ended_early
        told = Statement("proving.ended_early", {"reason": early}) if early else None
        for line in (*table, *(["", self.terminal.words.text(told)] if told else [])):
            self.terminal.line(line)

    def close(self) -> None:
        self.terminal.end_status()
        self.experiment.close()
        self._calm.close()


def _alone(arguments: argparse.Namespace, place: Place, runner: Runner) -> int:
    blocks = [runner.block(arguments.blocks) for _ in range(arguments.blocks)]
    if arguments.json:
        runner.terminal.json(_as_json(runner, place, blocks=blocks))
        return 0
    runner.say(alone_lines(runner.experiment, place, blocks, runner.terminal.words))
    return 0


def _against(arguments: argparse.Namespace, runner: Runner) -> int:
    from destutter.commands.helper_session import parse_changes
    from destutter.commands.prove_arms import trials

    changes = ChangeSet(parse_changes(arguments.against))
    order = order_of_blocks(arguments.pairs, secrets.randbits(32))
    present: list[Block] = []
    other: list[Block] = []
    with trials(arguments.seconds) as arms:
        for is_other in order:
            if is_other:
                with arms.under(changes):
                    other.append(runner.block(len(order)))
            else:
                present.append(runner.block(len(order)))
    judgements = judge_blocks(runner.experiment, present, other)
    if arguments.json:
        runner.terminal.json(
            _as_json(
                runner,
                Place("", None),
                against=arguments.against,
                present=present,
                other=other,
                judgements={name: _told(each) for name, each in judgements.items()},
            )
        )
        return 0
    lines = pair_lines(
        runner.experiment, arguments.against, present, other, judgements, runner.terminal.words
    )
    runner.say(lines)
    return 0


def judge_blocks(
    experiment: Experiment, present: Sequence[Block], other: Sequence[Block]
) -> dict[str, Judgement]:
    """A verdict per measure; of one of which more is better, the inverse is judged."""
    found = {}
    for measure in experiment.measures:
        a = [block[measure.id] for block in present]
        b = [block[measure.id] for block in other]
        if any(a) or any(b):
            found[measure.id] = judge(a, b) if measure.is_cost else judge(b, a)
    return found


def _all_schedulers(
    arguments: argparse.Namespace, place: Place, runner: Runner, files: KernelFiles
) -> int:
    from destutter.commands.prove_arms import trials

    drive = None if place.drive is None else read_profile(files).drive(place.drive)
    if drive is None or not drive.schedulers:
        raise CommandError(Statement("command.no_schedulers", {"folder": place.folder}))
    planned = arguments.blocks * len(drive.schedulers)
    results: dict[str, list[Block]] = {name: [] for name in drive.schedulers}
    with trials(arguments.seconds) as arms:
        for turn in range(arguments.blocks):
            names = drive.schedulers if turn % 2 == 0 else tuple(reversed(drive.schedulers))
            for name in names:
                change = ChangeSet((Change("block.scheduler", name, drive.name),))
                with arms.under(change):
                    results[name].append(runner.block(planned))
    best = best_scheduler({name: pair_result(blocks) for name, blocks in results.items()})
    if arguments.json:
        runner.terminal.json(_as_json(runner, place, schedulers=results, best=best))
        return 0
    words = runner.terminal.words
    for line in (*scheduler_lines(place, results, words), *best_line(drive.name, best, words)):
        runner.terminal.line(line)
    return 0


def pair_result(blocks: Sequence[Block]) -> PairResult:
    """The medians over blocks, as advice wants them."""
    return PairResult(
        statistics.median(block["reader_p99_ms"] for block in blocks),
        statistics.median(block["heavy_per_s"] for block in blocks),
    )


def _told(judgement: Judgement) -> dict[str, Any]:
    return {
        "ratio": judgement.ratio,
        "low": judgement.low,
        "high": judgement.high,
        "p": judgement.p,
        "verdict": judgement.outcome.value,
    }


def _as_json(runner: Runner, place: Place, **results: Any) -> dict[str, Any]:
    measures = [
        {
            "id": each.id,
            "label": english(each.label),
            "unit": each.unit,
            "less_is_better": each.is_cost,
        }
        for each in runner.experiment.measures
    ]
    where = {"folder": place.folder, "drive": place.drive} if place.folder else {}
    early = runner.experiment.ended_early
    if early is not None:
        results["ended_early"] = english(early)
    return {"experiment": runner.experiment.name, **where, "measures": measures, **results}
