# SPDX-License-Identifier: GPL-3.0-or-later
"""What both kinds of report say of a session, and the window's page or the terminal too."""

import os
from collections.abc import Callable, Iterator

import numpy as np

from destutter.analysis.examining.summary import Series, SessionSummary
from destutter.analysis.report.document import Band, Curve, Table
from destutter.analysis.report.language import DiagnosisWords, Numbers, ReportWords, Translate
from destutter.diagnosis.score import Score, ScorePart
from destutter.session.format import SUFFIX

_LONGEST_NAME = 40
_LEAST_POINTS = 0.5
_KIB = 1024
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


def verdict_texts(
    session: SessionSummary, translate: Translate, diagnosis: DiagnosisWords
) -> tuple[str, str]:
    """The verdict of a session in a sentence, and what it rests on."""
    if session.assessment is None:
        return (
            translate("Sessions", "Frame times only"),
            translate("Sessions", "A frame log does not tell what the computer did."),
        )
    verdict = session.assessment.verdict
    return diagnosis.text(verdict.headline), " ".join(map(diagnosis.text, verdict.below))


def computer_measures(
    session: SessionSummary, translate: Translate, numbers: Numbers
) -> Iterator[tuple[str, str]]:
    """What the computer did at its worst: a name and a value each, as far as it was measured."""
    kinds: tuple[tuple[str, str, Callable[[Series], float], str], ...] = (
        (translate("Sessions", "Latest wake-up of a program"), "wakeup.worst_ms", np.max, "ms"),
        (
            translate("Sessions", "Direct reclaim, highest"),
            "memory.direct_pages_per_s",
            np.max,
            translate("Units", "pages/s"),
        ),
        (translate("Sessions", "Slowest read of a drive"), "disk.read_ms", np.max, "ms"),
        (translate("Sessions", "Slowest write of a drive"), "disk.write_ms", np.max, "ms"),
        (
            translate("Sessions", "Memory available, lowest"),
            "memory.available_bytes",
            np.min,
            "B",
        ),
    )
    for name, id_, reduce, unit in kinds:
        series = session.seconds.get(id_, np.zeros(0))
        known = series[~np.isnan(series)]
        if known.size:
            yield name, numbers.of_metric(float(reduce(known)), unit)


def origin_name(origin: str | None, translate: Translate) -> str:
    """What the frames, or the wake-ups in their place, come from."""
    return {
        "mangohud": "MangoHud",
        "capframex": "CapFrameX",
        "presentmon": "PresentMon",
        "xplane": "X-Plane",
        "wakeup": translate("Report", "the wake-up probe"),
    }.get(origin or "", origin or "")


def title_of(session: SessionSummary, words: ReportWords) -> str:
    """The game, or the file's name, with the day."""
    name = session.game or os.path.basename(session.path)
    name = name or words.translate("Report", "this computer")
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
        Band(words.phase(span.phase), span.start_s, span.end_s) for span in session.phases
    )


def marks_of(session: SessionSummary) -> tuple[tuple[float, str], ...]:
    """The markers of a graph."""
    return tuple((marker.at_s, marker.text) for marker in session.markers)


def machine_table(session: SessionSummary, words: ReportWords) -> Table:
    """The computer."""
    machine = session.header.machine
    rows = [
        (
            words.part(key),
            words.enumerated(map(str, told)) if isinstance(told, list) else str(told),
        )
        for key in _MACHINE
        if (told := machine.get(key))
    ]
    memory = machine.get("memory_kib")
    if isinstance(memory, int):
        rows.append((words.part("memory"), words.numbers.of_metric(memory * _KIB, "B")))
    return Table(("", ""), tuple(rows))


def phase_line(session: SessionSummary, words: ReportWords) -> str:
    """The phases with their times: warm-up 0:00 to 7:40, steady 7:40 to 24:00."""
    clock = words.numbers.minutes_seconds
    text = words.translate("Report", "{phase} {from_time} to {to_time}")
    return words.enumerated(
        text.format(
            phase=words.phase(span.phase),
            from_time=clock(span.start_s),
            to_time=clock(span.end_s),
        )
        for span in session.phases
    )


def score_line(score: Score, words: ReportWords) -> str:
    """Number, word, and what took points away."""
    translate = words.translate
    parts = [part for part in score.parts if 100 * part.contribution >= _LEAST_POINTS]
    why = words.enumerated(_part_text(part, words) for part in parts)
    why = why or translate("Report", "nothing took points away")
    if trust := _trust(score.trust, translate):
        why = f"{why}; {trust}"
    return translate("Report", "{points} of 100, {word} ({why})").format(
        points=words.numbers.number(score.points), word=words.score_word(score.word), why=why
    )


def _part_text(part: ScorePart, words: ReportWords) -> str:
    """One thing that took points away, with its amount in an hour."""
    translate, numbers = words.translate, words.numbers
    names = {
        "hitch_ms": translate("Report", "long frames"),
        "late_wake_ms": translate("Report", "late wake-ups"),
        "allocation_stalls": translate("Report", "allocation stalls"),
        "swap_in_pages": translate("Report", "swap"),
        "slow_io_moments": translate("Report", "slow drives"),
        "run_delay_ms": translate("Report", "waiting for a core"),
        "throttle_ms": translate("Report", "throttling"),
    }
    is_time = part.id.endswith("_ms")
    return translate("Report", "{what} {amount} an hour").format(
        what=names[part.id],
        amount=numbers.milliseconds(part.per_hour) if is_time else numbers.number(part.per_hour),
    )


def _trust(trust: str, translate: Translate) -> str:
    return {
        "short": translate("Report", "shorter than 15 minutes, so it says little"),
        "long": translate("Report", "an hour or more, so it carries far"),
    }.get(trust, "")
