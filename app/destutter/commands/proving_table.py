# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of ``destutter prove``, in the language of the terminal."""

import statistics
from collections.abc import Mapping, Sequence

from destutter.commands.prove_place import Place
from destutter.core.statement import Statement, Value
from destutter.proving.experiment import BlockMeasure, Experiment
from destutter.proving.paired import Judgement
from destutter.words.columns import to_left, to_right
from destutter.words.renderer import Renderer

Block = Mapping[str, float]
_NAME = 44
_CELL = 13
_UNITS = {"ms": " ms", "per_s": " /s", "count": "", "ratio": " : 1", "MiB": " MiB"}


def amount(value: float, unit: str, words: Renderer) -> str:
    """A value with three digits that count, and its unit."""
    if unit in ("count", "MiB") or value >= 100:
        decimals = 0
    elif value >= 10:
        decimals = 1
    else:
        decimals = 2 if value >= 0.1 or value == 0 else 3
    return words.measures.number(value, decimals) + _UNITS[unit]


def alone_lines(
    experiment: Experiment, place: Place, blocks: Sequence[Block], words: Renderer
) -> list[str]:
    """Median and worst of every measure over blocks under the present settings."""
    where = words.text(_where(experiment.name, place, len(blocks)))
    lines = [where, "", _row("", *_heads(words, "median", "worst"))]
    for measure in experiment.measures:
        values = [block[measure.id] for block in blocks]
        worst = max(values) if measure.is_cost else min(values)
        cells = (amount(each, measure.unit, words) for each in (statistics.median(values), worst))
        lines.append(_row(words.text(measure.label), *cells))
    return lines


def pair_lines(
    experiment: Experiment,
    against: Sequence[str],
    present: Sequence[Block],
    other: Sequence[Block],
    judgements: Mapping[str, Judgement],
    words: Renderer,
) -> list[str]:
    """Every measure under both settings with its verdict, and one sentence below."""
    told: dict[str, Value] = {"pairs": len(present), "changes": " ".join(against)}
    lines = [words.text(Statement("proving.pairs", told)), ""]
    *heads, verdict = _heads(words, "now", "tried", "ratio", "interval", "verdict")
    lines.append(f"{_row('', *heads)}  {verdict}")
    for measure in experiment.measures:
        a = statistics.median(block[measure.id] for block in present)
        b = statistics.median(block[measure.id] for block in other)
        cells = [amount(a, measure.unit, words), amount(b, measure.unit, words)]
        lines.append(_judged(measure, cells, judgements.get(measure.id), words))
    first = experiment.measures[0]
    return [*lines, "", words.text(_conclusion(first, judgements.get(first.id), words))]


def _judged(
    measure: BlockMeasure, cells: list[str], judgement: Judgement | None, words: Renderer
) -> str:
    name = words.text(measure.label)
    if judgement is None:
        return f"{_row(name, *cells, '-', '-')}  {words.text(Statement('proving.neither'))}"
    ratio, low, high = judgement.ratio, judgement.low, judgement.high
    if not measure.is_cost:
        ratio, low, high = 1 / ratio, 1 / high, 1 / low
    number = words.measures.number
    interval = Statement("proving.interval", {"low": number(low, 2), "high": number(high, 2)})
    cells = [*cells, number(ratio, 2), words.text(interval)]
    outcome = words.text(Statement(f"proving.outcome.{judgement.outcome.name.lower()}"))
    return f"{_row(name, *cells)}  {outcome}"


def _conclusion(measure: BlockMeasure, judgement: Judgement | None, words: Renderer) -> Statement:
    if judgement is None:
        return Statement("proving.conclusion.neither", {"measure": measure.label})
    return Statement(
        f"proving.conclusion.{judgement.outcome.name.lower()}",
        {"measure": measure.label, "p": words.measures.number(judgement.p, 2)},
    )


def scheduler_lines(
    place: Place, results: Mapping[str, Sequence[Block]], words: Renderer
) -> list[str]:
    """The medians of the fairness test, a line per scheduler."""
    told: dict[str, Value] = {"drive": place.drive or "", "folder": place.folder}
    lines = [words.text(Statement("proving.schedulers", told)), ""]
    heads = _heads(words, "reader_p99", "reader", "heavy", "heavy_to_reader")
    lines.append(_row("", *heads))
    columns = (
        ("reader_p99_ms", "ms"),
        ("reader_per_s", "per_s"),
        ("heavy_per_s", "per_s"),
        ("heavy_per_reader", "ratio"),
    )
    for name, blocks in results.items():
        cells = (
            amount(statistics.median(block[key] for block in blocks), unit, words)
            for key, unit in columns
        )
        lines.append(_row(name, *cells))
    return lines


def best_line(drive: str, best: str | None, words: Renderer) -> list[str]:
    """What to do with the table; a few blocks only choose the candidate."""
    if best is None:
        return ["", words.text(Statement("proving.no_best"))]
    judge = f"destutter prove storage --device {drive} --against block.scheduler@{drive}={best}"
    return [
        "",
        words.text(Statement("proving.best", {"scheduler": best})),
        words.text(Statement("proving.judge", {"command": judge})),
    ]


def _heads(words: Renderer, *names: str) -> list[str]:
    return [words.text(Statement(f"proving.head.{name}")) for name in names]


def _where(name: str, place: Place, blocks: int) -> Statement:
    told: dict[str, Value] = {"name": name, "blocks": blocks}
    if not place.folder:
        return Statement("proving.blocks", told)
    told["folder"] = place.folder
    if not place.drive:
        return Statement("proving.blocks.in", told)
    return Statement("proving.blocks.on", {**told, "drive": place.drive})


def _row(name: str, *cells: str) -> str:
    return to_left(name, _NAME) + "".join(to_right(cell, _CELL + 1) for cell in cells)
