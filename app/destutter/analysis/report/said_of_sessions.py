# SPDX-License-Identifier: GPL-3.0-or-later
"""What both kinds of report say of a session, and the window's page or the terminal too."""

import os
from collections.abc import Callable, Iterator

import numpy as np

from destutter.analysis.examining.summary import Series, SessionSummary
from destutter.analysis.report.document import Band, Curve, Table
from destutter.analysis.report.language import ReportWords
from destutter.core.statement import Statement
from destutter.diagnosis.runs.phases import Phase
from destutter.diagnosis.runs.score import SHORT_S, Score, ScorePart
from destutter.diagnosis.unplayed_span import UnplayedSpan, not_counted
from destutter.session.format import SUFFIX
from destutter.words.renderer import Renderer

_LONGEST_NAME = 40
_MOST_UNPLAYED = 6  # a log that is switched on and off has very many
_LEAST_POINTS = 0.5  # a part that took less is no reason for the number
_KIB = 1024
MUCH_S = 20  # less than half a minute of comparison hangs on it
_MACHINE = (
    "distribution",
    "kernel",
    "cpu_model",
    "cpus",
    "gpus",
    "driver",
    "virtual_machine",
    "resolution",
)
_TOOLS = {
    "mangohud": "MangoHud",
    "capframex": "CapFrameX",
    "presentmon": "PresentMon",
    "xplane": "X-Plane",
}
_TRUSTS = ("short", "long")
_MEASURES: tuple[tuple[str, str, Callable[[Series], float], str], ...] = (
    ("latest_wake", "wakeup.worst_ms", np.max, "ms"),
    ("direct_reclaim", "memory.direct_pages_per_s", np.max, "pages/s"),
    ("slowest_read", "disk.read_ms", np.max, "ms"),
    ("slowest_write", "disk.write_ms", np.max, "ms"),
    ("least_available", "memory.available_bytes", np.min, "B"),
)


def verdict_texts(session: SessionSummary, reader: Renderer) -> tuple[str, str]:
    """The verdict of a session in a sentence, and what it rests on."""
    text = reader.text
    if session.assessment is None:
        headline, detail = "report.only_frames", "report.only_frames.detail"
        return text(Statement(headline)), text(Statement(detail))
    verdict = session.assessment.verdict
    return text(verdict.headline), reader.sentences(map(text, verdict.below))


def computer_measures(session: SessionSummary, reader: Renderer) -> Iterator[tuple[str, str]]:
    """What the computer did at its worst: a name and a value each, as far as it was measured."""
    for name, id_, reduce, unit in _MEASURES:
        series = session.seconds.get(id_, np.zeros(0))
        known = series[~np.isnan(series)]
        if known.size:
            told = Statement(f"report.did.{name}")
            value = reader.measures.of_metric(float(reduce(known)), unit)
            yield reader.text(told), value


def origin_name(origin: str | None, reader: Renderer) -> str:
    """What the frames, or the wake-ups in their place, come from."""
    if origin == "wakeup":
        return reader.text(Statement("report.wakeup_probe"))
    return _TOOLS.get(origin or "", origin or "")


def title_of(session: SessionSummary, words: ReportWords) -> str:
    """The game, or the file's name, with the day."""
    name = session.game or os.path.basename(session.path)
    name = name or words.say("report.this_computer")
    return words.enumerated(text for text in (name, day_of(session, words)) if text)


def day_of(session: SessionSummary, words: ReportWords) -> str:
    """The day and time of the beginning; empty when unknown."""
    return words.moment(session.started_at) if session.started_at else ""


def curve_name(badge: str, session: SessionSummary) -> str:
    """How a legend names one of two: "A: first flight"."""
    name = os.path.basename(session.path).removesuffix(SUFFIX)
    if len(name) > _LONGEST_NAME:
        name = name[: _LONGEST_NAME - 1].rstrip() + "…"
    return f"{badge}: {name}" if name else badge


def longest_curve(session: SessionSummary, name: str, role: str = "a") -> Curve:
    """The longest frame, or without frames the latest wake-up, in each second."""
    id_ = "frame.worst_ms" if session.frames is not None else "wakeup.worst_ms"
    worst = session.seconds.get(id_, np.zeros(0))
    return Curve(name, np.arange(worst.size, dtype=np.float64), worst, role)


def bands_of(session: SessionSummary, words: ReportWords) -> tuple[Band, ...]:
    """The phases as bands of a graph."""
    return tuple(
        Band(phase_name(span.phase, words), span.start_s, span.end_s)
        for span in session.told_phases
    )


def marks_of(session: SessionSummary) -> tuple[tuple[float, str], ...]:
    return tuple((marker.at_s, marker.text) for marker in session.markers)


def beside_curves(
    session: SessionSummary, words: ReportWords, first: str, *, shaded: str, dashed: str
) -> str:
    """What a graph shows: its ``first`` sentence, and what of phases and of markers is drawn."""
    phases = words.say(shaded) if session.told_phases else ""
    markers = words.say(dashed) if session.markers else ""
    return words.reader.sentences((first, phases, markers))


def machine_table(session: SessionSummary, words: ReportWords) -> Table:
    machine = session.header.machine
    rows = [
        (
            words.named("report.difference", key),
            _of_machine(key, told, words),
        )
        for key in _MACHINE
        if (told := machine.get(key))
    ]
    memory = machine.get("memory_kib")
    if isinstance(memory, int):
        size = words.numbers.of_metric(memory * _KIB, "B")
        rows.append((words.named("report.difference", "memory"), size))
    return Table(("", ""), tuple(rows))


def _of_machine(key: str, told: object, words: ReportWords) -> str:
    if isinstance(told, list):
        return words.enumerated(map(str, told))
    # Of one that hides its name it is still known that it is one.
    return words.named("report.guest", str(told)) if key == "virtual_machine" else str(told)


def phase_line(session: SessionSummary, words: ReportWords) -> str:
    """The phases with their times: warm-up 0:00 to 7:40, steady 7:40 to 24:00."""
    clock = words.numbers.clock
    return words.enumerated(
        words.say(
            "report.phase_span",
            {
                "phase": phase_name(span.phase, words),
                "from_time": clock(span.start_s),
                "to_time": clock(span.end_s),
            },
        )
        for span in session.told_phases
    )


def length_words(session: SessionSummary, words: ReportWords) -> str:
    """How long a session is, and how much of that counts where much does not."""
    length = words.numbers.length(session.duration_s)
    if not unplayed_words(session, words):
        return length
    values = {"time": words.numbers.length(session.played_s), "length": length}
    return words.say("report.played_part", values)


def unplayed_words(session: SessionSummary, words: ReportWords) -> str:
    """Why much of a session does not count; empty where that is little."""
    slept_s, still_s = session.unplayed_s
    told = not_counted(session.unplayed) if slept_s < MUCH_S <= still_s else None
    if told is not None:
        return words.say("report.why.kinds", {"what": told.values["what"]})
    whys = ("report.why.slept", slept_s), ("report.why.still", still_s)
    return words.enumerated(
        words.say(why, {"time": words.numbers.duration(seconds)})
        for why, seconds in whys
        if seconds >= MUCH_S
    )


def phase_name(phase: Phase, words: ReportWords) -> str:
    return words.named("report.phase", phase.name.lower())


def score_word(score: Score, reader: Renderer) -> str:
    return reader.named("report.score_word", score.word.replace(" ", "_"))


def _ends_of(span: UnplayedSpan, start_ns: int) -> tuple[float, float]:
    """Its ends in seconds, as far from each other as it is told to last elsewhere.

    "36 seconds paused" and "3:28 to 4:03" were one pause.
    """
    begun_s = (span.start_ns - start_ns) // 1_000_000_000
    return begun_s, begun_s + round(span.length_s)


def unplayed_line(session: SessionSummary, words: ReportWords) -> str:
    """When nothing was played, the longest times of it; empty where all was."""
    longest = sorted(session.unplayed, key=lambda span: -span.length_s)[:_MOST_UNPLAYED]
    return words.enumerated(
        words.say(
            "report.phase_span",
            {
                "phase": words.named("unplayed.name", span.kind.value),
                "from_time": words.numbers.clock(_ends_of(span, session.start_ns)[0]),
                "to_time": words.numbers.clock(_ends_of(span, session.start_ns)[1]),
            },
        )
        for span in sorted(longest, key=lambda span: span.start_ns)
    )


def score_line(score: Score, words: ReportWords) -> str:
    """Number, word, and what took points away."""
    parts = [part for part in score.parts if 100 * part.contribution >= _LEAST_POINTS]
    why = words.enumerated(_part_text(part, words) for part in parts)
    why = why or words.say("report.points.none_lost")
    if score.trust in _TRUSTS:
        trust = words.say(f"report.trust.{score.trust}", {"least_s": SHORT_S})
        why = words.say("report.points.and", {"why": why, "trust": trust})
    points, word = words.numbers.number(score.points), score_word(score, words.reader)
    return words.say("report.points", {"points": points, "word": word, "why": why})


def _part_text(part: ScorePart, words: ReportWords) -> str:
    """One thing that took points away, with its amount in an hour."""
    numbers, per_hour = words.numbers, part.per_hour
    is_time = part.id.endswith("_ms")
    amount = numbers.milliseconds(per_hour) if is_time else numbers.number(per_hour)
    what = words.say(f"report.lost.{part.id}")
    return words.say("report.lost", {"what": what, "amount": amount})
