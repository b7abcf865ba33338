# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of ``destutter prove``."""

import statistics
from collections.abc import Mapping, Sequence

from destutter.commands.prove_place import Place
from destutter.proving.experiment import BlockMeasure, Experiment
from destutter.proving.paired import Judgement, PairedOutcome

Block = Mapping[str, float]
_NAME = 44
_CELL = 13
_UNITS = {"ms": " ms", "per_s": " /s", "count": "", "ratio": " : 1", "MiB": " MiB"}


def amount(value: float, unit: str) -> str:
    """A value with three digits that count, and its unit."""
    if unit in ("count", "MiB") or value >= 100:
        text = f"{value:,.0f}"
    elif value >= 10:
        text = f"{value:.1f}"
    elif value >= 0.1 or value == 0:
        text = f"{value:.2f}"
    else:
        text = f"{value:.3f}"
    return text + _UNITS[unit]


def alone_lines(experiment: Experiment, place: Place, blocks: Sequence[Block]) -> list[str]:
    """Median and worst of every measure over blocks under the present settings."""
    lines = [_where(experiment.name, place, len(blocks)), "", _row("", "median", "worst")]
    for measure in experiment.measures:
        values = [block[measure.id] for block in blocks]
        worst = max(values) if measure.is_cost else min(values)
        middle = amount(statistics.median(values), measure.unit)
        lines.append(_row(measure.label, middle, amount(worst, measure.unit)))
    return lines


def pair_lines(
    experiment: Experiment,
    against: Sequence[str],
    present: Sequence[Block],
    other: Sequence[Block],
    judgements: Mapping[str, Judgement],
) -> list[str]:
    """Every measure under both settings with its verdict, and one sentence below."""
    lines = [f"{len(present)} pairs of blocks: now against {' '.join(against)}", ""]
    lines.append(_row("", "now", "tried", "tried : now", "95 % interval") + "  verdict")
    for measure in experiment.measures:
        a = statistics.median(block[measure.id] for block in present)
        b = statistics.median(block[measure.id] for block in other)
        cells = [amount(a, measure.unit), amount(b, measure.unit)]
        lines.append(_judged(measure, cells, judgements.get(measure.id)))
    first = experiment.measures[0]
    return [*lines, "", _conclusion(first, judgements.get(first.id))]


def _judged(measure: BlockMeasure, cells: list[str], judgement: Judgement | None) -> str:
    if judgement is None:
        return _row(measure.label, *cells, "-", "-") + "  none on either side"
    ratio, low, high = judgement.ratio, judgement.low, judgement.high
    if not measure.is_cost:
        ratio, low, high = 1 / ratio, 1 / high, 1 / low
    interval = f"{low:.2f} to {high:.2f}"
    return f"{_row(measure.label, *cells, f'{ratio:.2f}', interval)}  {judgement.outcome.value}"


def _conclusion(measure: BlockMeasure, judgement: Judgement | None) -> str:
    if judgement is None:
        return f"Neither side had any {measure.label}: this load is too light to tell them apart."
    sentences = {
        PairedOutcome.BETTER: "Better: these settings shorten",
        PairedOutcome.WORSE: "Worse: these settings lengthen",
        PairedOutcome.NO_DIFFERENCE: "No real difference in",
        PairedOutcome.TOO_CLOSE: "Too close to call for",
    }
    return f"{sentences[judgement.outcome]} '{measure.label}' (p = {judgement.p:.2f})."


def scheduler_lines(place: Place, results: Mapping[str, Sequence[Block]]) -> list[str]:
    """The medians of the fairness test, a line per scheduler."""
    lines = [f"I/O schedulers of {place.drive}, in {place.folder}", ""]
    lines.append(_row("", "reader p99", "reader", "heavy job", "heavy : one"))
    columns = (
        ("reader_p99_ms", "ms"),
        ("reader_per_s", "per_s"),
        ("heavy_per_s", "per_s"),
        ("heavy_per_reader", "ratio"),
    )
    for name, blocks in results.items():
        cells = (
            amount(statistics.median(block[key] for block in blocks), unit)
            for key, unit in columns
        )
        lines.append(_row(name, *cells))
    return lines


def best_line(drive: str, best: str | None) -> list[str]:
    """What to do with the table; a few blocks only choose the candidate."""
    if best is None:
        return ["", "No scheduler keeps the heavy job fast: nothing is advised."]
    judge = f"destutter prove storage --device {drive} --against block.scheduler@{drive}={best}"
    return [
        "",
        f"{best} has the quickest single reader among those that keep the heavy job fast.",
        f"Judge it: {judge}",
    ]


def _where(name: str, place: Place, blocks: int) -> str:
    where = f" in {place.folder}" if place.folder else ""
    on = f" on {place.drive}" if place.drive else ""
    return f"{name}{where}{on}: {blocks} block{'s' if blocks != 1 else ''}"


def _row(name: str, *cells: str) -> str:
    return name.ljust(_NAME) + "".join(cell.rjust(_CELL + 1) for cell in cells)
