# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of two sessions, by the window's page, the terminal and their reports alike."""

from collections.abc import Mapping

from destutter.analysis.comparing.comparison import Comparison, Row, RowChange
from destutter.analysis.comparing.differences import Difference
from destutter.analysis.comparing.rows import ROW_BY_ID
from destutter.analysis.report.language import ReportWords
from destutter.analysis.report.said_of_sessions import phase_name, unplayed_words
from destutter.core.compared import LEAST_MINUTES, ComparedOutcome
from destutter.core.statement import Statement, Value
from destutter.diagnosis.runs.compared_minutes import Compared, Reason
from destutter.diagnosis.runs.confirmed_counts import LEAST_RUNS
from destutter.words.catalogue import find_text
from destutter.words.measures import SECONDS_FROM_MS

DECIDED = {ComparedOutcome.BETTER: "better", ComparedOutcome.WORSE: "worse"}
"""As the ids of texts name an outcome that says something."""

_LIMITS: Mapping[str, Value] = {"minutes": LEAST_MINUTES, "runs": LEAST_RUNS}
_UNCOMPARED = frozenset({Reason.TOO_SHORT, Reason.NOTHING_COMMON, Reason.OTHER_GAMES})
_LEAST_TIMES = 0.01  # less would be told as 0.00 times
_NEARLY_ALL_PCT = 99.5
_LEAST_CHANGE_PCT = 0.05  # less would be told as 0.0 %
_MOST_CHANGE_PCT = 300  # more is easier to see as so many times


def headline(comparison: Comparison, words: ReportWords) -> str:
    """The verdict, without a full stop."""
    row, outcome = _telling_row(comparison), comparison.outcome
    if outcome in DECIDED and row is not None:
        a, b = both_values(row, words)
        return words.say(f"report.compared.{row.id}.{DECIDED[outcome]}", {"a": a, "b": b})
    if outcome is ComparedOutcome.NO_DIFFERENCE:
        return words.say("report.compared.no_difference")
    name = comparison.reason.name.lower() if comparison.reason in _UNCOMPARED else "too_close"
    return words.say(f"report.compared.{name}")


def _telling_row(comparison: Comparison) -> Row | None:
    """What the verdict rests on, or rather the count of stutters, which a player counts too, where
    that says the same for itself.

    Few very long ones may weigh more than many shorter ones: "stutters fell from 158 to 133" stood
    above the same two figures as "too close to call", and the 62 seconds that decided nowhere.
    """
    row = comparison.primary
    if row is None or row.id != "hitch_s":
        return row
    for stutters in (each for each in comparison.rows if each.id == "stutters"):
        more = (stutters.b or 0.0) - (stutters.a or 0.0)
        is_more = (more <= -1) if comparison.outcome is ComparedOutcome.BETTER else (more >= 1)
        if is_more and stutters.change.value == comparison.outcome.value:
            return stutters
    return row


def lost_words(comparison: Comparison, words: ReportWords) -> str:
    """What the verdict rests on, as a player reads it: the seconds lost in ten minutes before and
    after. Empty where frame times do not tell them, nothing is decided, or the headline has them.
    """
    rows = [each for each in comparison.rows if each.id == "hitch_s"]
    if comparison.outcome not in DECIDED or not rows or rows[0].a is None or rows[0].b is None:
        return ""
    if _telling_row(comparison) is rows[0]:
        return ""
    a, b = both_values(rows[0], words)
    return words.say("report.compared.lost", {"a": a, "b": b})


def detail(comparison: Comparison, words: ReportWords) -> str:
    """Why that may be said, or why no more, which minutes it rests on, and what was counted."""
    why, counted = reason_words(comparison, words), counted_words(comparison, words)
    compared, phases = compared_minutes(comparison), comparison.phases_compared
    if compared is None:
        return words.reader.sentences((why, counted))
    is_whole = not phases or _is_whole(comparison, compared)
    names = words.enumerated(phase_name(each, words) for each in phases)
    places: dict[str, Value] = {"minutes_a": compared.minutes_a, "minutes_b": compared.minutes_b}
    rests_on = weighed = ""
    if not (is_whole and counted):
        told = "report.compared.phases" if phases else "report.compared.minutes"
        rests_on = words.say(told, {**places, "names": names})
    elif len(phases) > 1:
        # "From 17 in 10 minutes" beside 34 in 24 minutes: who divides gets 14.
        weighed = words.say("report.compared.weighed", {"names": names})
    return words.reader.sentences((why, rests_on, counted, weighed))


def counted_words(comparison: Comparison, words: ReportWords) -> str:
    """How many stutters each of the two has by its own page, and in what time; empty without
    frames of both. By it a reader finds his figures again."""
    both = comparison.a, comparison.b
    if any("frame.stutters" not in each.seconds for each in both):
        return ""
    places: dict[str, Value] = {}
    for name, session in zip("ab", both, strict=True):
        places[f"stutters_{name}"] = session.frame_stutters
        # As the list of recordings has it; the seconds that have begun are one more.
        places[f"time_{name}"] = words.numbers.length(min(session.played_s, session.duration_s))
    return words.say("report.compared.counted", places)


def _is_whole(comparison: Comparison, compared: Compared) -> bool:
    minutes = comparison.a.whole_minutes, comparison.b.whole_minutes
    return minutes == (compared.minutes_a, compared.minutes_b)


def compared_minutes(comparison: Comparison) -> Compared | None:
    """What the verdict rests on, with the minutes of both; None where too little could be."""
    row = comparison.primary
    return None if comparison.reason in _UNCOMPARED or row is None else row.compared


def reason_words(comparison: Comparison, words: ReportWords) -> str:
    """Why the verdict may be said, or why no more."""
    if comparison.reason is Reason.TOO_SHORT:
        return _too_short(comparison, words)
    if comparison.reason is Reason.NONE:
        is_verdict = comparison.outcome.is_decided
        return words.say(f"report.why.{'verdict' if is_verdict else 'no_difference'}")
    return words.say(f"report.why.{comparison.reason.name.lower()}")


def _too_short(comparison: Comparison, words: ReportWords) -> str:
    """Of the side of which less counts: a flight of ten minutes may have slept for seven."""
    side, session = min((("A", comparison.a), ("B", comparison.b)), key=lambda at: at[1].played_s)
    if session.whole_minutes >= LEAST_MINUTES:
        return words.say("report.why.little_shared", _LIMITS)
    if why := unplayed_words(session, words):
        values = {"side": side, "why": why, **_LIMITS}
        values["time"], values["length"] = map(
            words.numbers.length, (session.played_s, session.duration_s)
        )
        return words.say("report.why.unplayed", values)
    # Of 7:57 "7 minutes" were told, where the list of recordings had 8:13.
    told = words.numbers.length(min(session.played_s, session.duration_s))
    if session.played_s < 60:
        told = words.numbers.duration(min(session.duration_s, session.played_s + 1.0))
    return words.say("report.why.too_short", {**_LIMITS, "time": told})


def certainty(row: Row | None, words: ReportWords) -> str:
    """The ratio of a row with the ends of its interval; empty where there is none."""
    if row is None or row.compared is None:
        return ""
    ratio, low, high = row.compared.ratio, row.compared.low, row.compared.high
    if ratio is None or low is None or high is None:
        return ""
    if ROW_BY_ID[row.id].is_inverse:  # what is compared is the time of a frame
        ratio, low, high = 1 / ratio, 1 / high, 1 / low
    told: dict[str, Value] = {
        name: words.numbers.number(times, 2 if times < 10 else 0)
        for name, times in (("ratio", ratio), ("low", low), ("high", high))
    }
    is_least = low < _LEAST_TIMES
    return words.say(f"report.compared.{'at_most' if is_least else 'times'}", told)


def change_words(row: Row, words: ReportWords) -> str:
    """The last column of the table: by how much, and what that means."""
    if row.change is RowChange.CONTEXT:
        return "" if row.change_pct is None else change_amount(row.change_pct, words)
    is_short = row.compared is not None and row.compared.reason is Reason.TOO_SHORT
    if row.change is RowChange.UNSURE and is_short:
        return words.say("report.change.too_short")
    word = words.named("report.change", row.change.name.lower())
    if row.change in (RowChange.MISSING, RowChange.SAME, RowChange.UNSURE):
        return word
    is_more = (row.change is RowChange.BETTER) == row.more_is_better
    percent = row.change_pct
    if percent is not None and (percent if is_more else -percent) < 1:
        # The figures are those of a minute or of the whole run; the word is about all minutes.
        return words.say("report.change.on_average", {"word": word})
    if row.b == 0 and not row.more_is_better:
        return words.say("report.change.gone")
    if percent is None:
        return words.say("report.change.new", {"word": word})
    return words.say("report.change.by", {"amount": change_amount(percent, words), "word": word})


def change_amount(value_pct: float, words: ReportWords) -> str:
    """A change: −83 %, +12 %, 6.5 times as much."""
    amount = abs(value_pct)
    if amount < _LEAST_CHANGE_PCT:
        return words.say("report.change.none")
    if value_pct > _MOST_CHANGE_PCT:
        times = words.numbers.number(1 + value_pct / 100, 1)
        return words.say("report.change.times", {"times": times})
    decimals = 0 if amount >= 10 else 1
    if _NEARLY_ALL_PCT <= amount < 100:
        # A fall by 99.96 % leaves something.
        amount, decimals = min(amount, 99.9) if value_pct < 0 else amount, 1
    sign = "−" if value_pct < 0 else "+"
    return f"{sign}{words.numbers.percent(amount, decimals)}"


def both_values(row: Row, words: ReportWords) -> tuple[str, str]:
    """The two figures of a row in one unit: 2.6 s became 1,891 ms, and one had to look twice."""
    most = max((each for each in (row.a, row.b) if each is not None), default=0.0)
    return value_words(row.a, row.unit, words, most), value_words(row.b, row.unit, words, most)


def value_words(value: float | None, unit: str, words: ReportWords, beside: float = 0.0) -> str:
    """A figure of a row, short: what it is divided by stands in the row's name. It has the unit
    of what is ``beside`` it, where that is more."""
    if value is None:
        return "–"
    numbers, name, most = words.numbers, unit.partition("/")[0], max(value, beside)
    if unit == "s/10 min" and most < 1:
        return numbers.milliseconds(value * 1000)
    if (unit == "ms" and most >= SECONDS_FROM_MS) or (unit == "s/10 min" and 0 < value < 1):
        return numbers.figure(value / (1000 if unit == "ms" else 1), "s")
    if unit in ("/10 min", "/GB", "pages/GB", "pages/min", "s/10 min"):
        decimals = 0 if value >= 10 or value == round(value) else 1
        figure = numbers.number(value, decimals)
        return numbers.with_unit(figure, numbers.unit(name, value)) if name else figure
    return numbers.of_metric(value, name if unit in ("B/min", "ms/min") else unit)


def row_heads(
    words: ReportWords, comparison: Comparison | None = None
) -> tuple[str, str, str, str]:
    """The heads above ``row_cells``. With the comparison that they are of they say where they tell
    a part of the runs: then the figures of one run are others beside another run.
    """
    is_part = False
    primary = None if comparison is None else comparison.primary
    compared = None if primary is None else primary.compared
    if comparison is not None and comparison.phases_compared and compared is not None:
        is_part = not _is_whole(comparison, compared)
    measure = words.say("report.measure.shared" if is_part else "report.measure")
    return measure, "A", "B", words.say("report.change")


def row_cells(row: Row, words: ReportWords) -> tuple[str, str, str, str]:
    """A row of the table: what is measured, in A, in B, and the change."""
    a, b = both_values(row, words)
    return row_name(row.id, words), a, b, change_words(row, words)


def row_name(id_: str, words: ReportWords) -> str:
    return words.named("report.row", id_)


def gone_words(comparison: Comparison, words: ReportWords) -> str:
    """That a cause is gone as it was wanted; empty where none is known to be."""
    if not comparison.gone:
        return ""
    return words.say("report.gone", {"programs": words.enumerated(comparison.gone)})


def warning(id_: str, words: ReportWords) -> str:
    """A sentence of caution; empty for one that this version does not know."""
    told = Statement(f"report.warning.{id_}", _LIMITS)
    return "" if find_text(words.reader.language, told.id) is None else words.reader.text(told)


def difference_cells(difference: Difference, words: ReportWords) -> tuple[str, str, str]:
    """What differs, in A, and in B."""
    id_, a, b = difference.id, difference.a, difference.b
    if not difference.is_setting:
        return words.named("report.difference", id_), a, b
    tunable = id_.partition("@")[0]
    return (
        words.setting_name(id_),
        words.setting_value(tunable, a),
        words.setting_value(tunable, b),
    )
