# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of comparisons for the terminal and its reports. The window's page has its own."""

from collections.abc import Mapping

from destutter.analysis.comparing.comparison import Comparison, Row, RowChange
from destutter.analysis.comparing.rows import ROW_BY_ID, Shown
from destutter.core.statement import Statement, Value
from destutter.diagnosis.comparison import LEAST_MINUTES, ComparedOutcome, Reason
from destutter.diagnosis.confirmation import LEAST_RUNS
from destutter.diagnosis.phases import Phase
from destutter.words.catalogue import find_text
from destutter.words.renderer import NBSP, Renderer

_LIMITS: Mapping[str, Value] = {"minutes": LEAST_MINUTES, "runs": LEAST_RUNS}
_OUTCOMES = {
    ComparedOutcome.BETTER: "better",
    ComparedOutcome.WORSE: "worse",
    ComparedOutcome.NO_DIFFERENCE: "no_difference",
}
_LEAST_TIMES = 0.01  # less would be told as 0.00 times
_NEARLY_ALL_PCT = 99.5
_LEAST_CHANGE_PCT = 0.05  # less would be told as 0.0 %


def headline(comparison: Comparison, words: Renderer) -> str:
    """The verdict in one sentence."""
    return words.text(_verdict(comparison, words))


def _verdict(comparison: Comparison, words: Renderer) -> Statement:
    row = comparison.primary
    if comparison.reason is Reason.TOO_SHORT:
        minutes = min(comparison.a.whole_minutes, comparison.b.whole_minutes)
        return Statement("report.compared.too_short", {"minutes": minutes, "least": LEAST_MINUTES})
    if row is None or row.a is None or row.b is None:
        return Statement("report.compared.nothing_common")
    if comparison.outcome in _OUTCOMES:
        what = "hitches" if row.id == "hitch_s" else "wakes"
        values = {"a": value(row.a, row.unit, words), "b": value(row.b, row.unit, words)}
        return Statement(f"report.compared.{what}.{_OUTCOMES[comparison.outcome]}", values)
    is_spread = comparison.reason is Reason.SPREAD
    return Statement("report.compared.spread" if is_spread else "report.compared.chance")


def detail(comparison: Comparison, words: Renderer) -> str:
    """What the verdict rests on."""
    row = comparison.primary
    if row is None or row.compared is None or comparison.reason is Reason.TOO_SHORT:
        return words.text(Statement("report.compared.no_verdict"))
    compared = row.compared
    minutes: dict[str, Value] = {"minutes_a": compared.minutes_a, "minutes_b": compared.minutes_b}
    told = Statement("report.compared.minutes", minutes)
    if comparison.phases_compared:
        names = words.enumerated(phase_name(each, words) for each in comparison.phases_compared)
        told = Statement("report.compared.phases", {**minutes, "names": names})
    sentences = [words.text(told)]
    if compared.low is not None and compared.high is not None:
        high = _times(compared.high, words)
        told = Statement("report.compared.at_most", {"high": high})
        if compared.low >= _LEAST_TIMES:
            low = _times(compared.low, words)
            told = Statement("report.compared.times", {"low": low, "high": high})
        sentences.append(words.text(told))
    return words.sentences(sentences)


def change_words(row: Row, words: Renderer) -> str:
    """The last column of the table."""
    if row.change is RowChange.CONTEXT:
        return "" if row.change_pct is None else signed_percent(row.change_pct, words)
    word = words.named("report.change", row.change.name.lower())
    if row.change in (RowChange.MISSING, RowChange.SAME, RowChange.UNSURE):
        return word
    if ROW_BY_ID[row.id].shown is not Shown.RATE and not row.more_is_better:
        # Its figure is one minute's; the word is about all of them.
        return words.text(Statement("report.change.by_minute", {"word": word}))
    if row.b == 0 and not row.more_is_better:
        return words.text(Statement("report.change.gone"))
    if row.change_pct is None:
        return words.text(Statement("report.change.new", {"word": word}))
    amount = signed_percent(row.change_pct, words)
    return words.text(Statement("report.change.by", {"amount": amount, "word": word}))


def signed_percent(value_pct: float, words: Renderer) -> str:
    """A change: −83 %, +12 %."""
    amount = abs(value_pct)
    if amount < _LEAST_CHANGE_PCT:
        return words.text(Statement("report.change.none"))
    decimals = 0 if amount >= 10 else 1
    if _NEARLY_ALL_PCT <= amount < 100:
        # A fall by 99.96 % leaves something.
        amount, decimals = min(amount, 99.9) if value_pct < 0 else amount, 1
    sign = "−" if value_pct < 0 else "+"
    return f"{sign}{words.number(amount, decimals)}{NBSP}%"


def value(value_: float | None, unit: str, words: Renderer) -> str:
    """A figure of a row with its unit, short."""
    if value_ is None:
        return words.text(Statement("report.unmeasured"))
    if unit == "s/10 min":
        is_long = value_ >= 1
        return words.figure(value_, "s") if is_long else words.milliseconds(value_ * 1000)
    if unit in ("B", "B/min"):
        return words.size(value_)
    if unit in ("ms", "ms/min"):
        return words.milliseconds(value_)
    figure = words.number(value_, 0 if abs(value_) >= 100 or float(value_).is_integer() else 1)
    bare = unit in ("/10 min", "/GB", "pages/GB", "pages/min")
    return figure if bare else f"{figure}{NBSP}{words.unit(unit, value_)}"


def row_name(id_: str, words: Renderer) -> str:
    """What a row measures."""
    return words.named("report.row", id_)


def warning(id_: str, words: Renderer) -> str:
    """A sentence of caution; empty for one that this version does not know."""
    told = Statement(f"report.warning.{id_}", _LIMITS)
    return "" if find_text(words.language, told.id) is None else words.text(told)


def difference_name(id_: str, words: Renderer) -> str:
    """What differs; the key of a setting as it is."""
    return words.named("report.difference", id_)


def phase_name(phase: Phase, words: Renderer) -> str:
    """What a session is doing."""
    return words.named("report.phase", phase.name.lower())


def clock(seconds: float) -> str:
    """A time since the beginning: 7:40, 1:02:03."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _times(ratio: float, words: Renderer) -> str:
    return words.number(ratio, 2 if ratio < 10 else 0)
