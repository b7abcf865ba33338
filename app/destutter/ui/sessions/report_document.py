# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of what the page shows, in the words of the page and the user's language."""

import os
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from destutter.bridge.comparing import Comparison
from destutter.bridge.report.document import (
    Band,
    Block,
    Chart,
    Curve,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
    Tone,
)
from destutter.bridge.report.session_document import curve_name, longest_curve
from destutter.bridge.session_summary import SessionSummary
from destutter.diagnosis.finding import Finding
from destutter.diagnosis.wording import named_as
from destutter.tuning.recommendation import Recommendation, against
from destutter.ui.engine_texts import engine_text, name_text
from destutter.ui.listing import enumerated
from destutter.ui.quantities import Quantities
from destutter.ui.sessions.compare_texts import CompareTexts
from destutter.ui.sessions.compare_words import difference_name, warning_text
from destutter.ui.sessions.measure_table import MeasureRow
from destutter.ui.sessions.phase_words import phase_name
from destutter.ui.sessions.single_texts import SingleTexts
from destutter.ui.setting_words import SettingWords
from destutter.ui.words import Words

translate = QCoreApplication.translate

_TONES = {"ok": Tone.GOOD, "bad": Tone.BAD}
_MACHINE = ("distribution", "kernel", "cpu_model", "cpus", "gpus", "driver", "resolution")
_KIB = 1024


class ReportDocuments:
    """Writes reports for one locale."""

    def __init__(self, quantities: Quantities, words: Words, settings: SettingWords) -> None:
        self._quantities = quantities
        self._words = words
        self._settings = settings
        self._single = SingleTexts(quantities, words)
        self._pair = CompareTexts(quantities, settings)

    @property
    def language(self) -> str:
        """The tag (BCP 47) of what they are written in."""
        return self._quantities.locale.bcp47Name()

    def single(self, session: SessionSummary) -> ReportDocument:
        """One session."""
        return ReportDocument(self._title(session), tuple(self._single_blocks(session)))

    def pair(self, comparison: Comparison) -> ReportDocument:
        """Two sessions."""
        title = translate("Report", "Destutter: before and after")
        game = comparison.b.game or comparison.a.game
        title = enumerated((title, game)) if game else title
        return ReportDocument(title, tuple(self._pair_blocks(comparison)))

    def _title(self, session: SessionSummary) -> str:
        name = session.game or os.path.basename(session.path)
        return enumerated(text for text in (f"Destutter: {name}", self._day(session)) if text)

    def _day(self, session: SessionSummary) -> str:
        if not session.started_at or not 0 < session.started_at < 4e9:
            return ""
        moment = QDateTime.fromSecsSinceEpoch(int(session.started_at))
        return self._quantities.locale.toString(moment, QLocale.FormatType.ShortFormat)

    # --- one session -------------------------------------------------------------------------

    def _single_blocks(self, session: SessionSummary) -> Iterator[Block]:
        banner = self._single.banner(session)
        yield Paragraph(banner.headline, _TONES.get(banner.kind, Tone.PLAIN))
        yield Paragraph(banner.detail)
        yield Paragraph(self._basis(session), Tone.NOTE)
        for text in (
            *map(warning_text, session.artefacts),
            *map(engine_text, session.problems),
        ):
            yield Paragraph(text, Tone.NOTE)
        yield _table(self._single.heads(), self._single.rows(session))
        yield from self._longest((longest_curve(session, ""),), session)
        findings = () if session.assessment is None else session.assessment.findings
        for finding in findings:
            if finding.explains and not finding.consequence_of:
                yield from self._finding(finding, session.recommendations)
        yield from self._asides(findings)
        yield from self._computer(session)
        if session.tunables:
            heads = translate("Report", "Setting"), translate("Report", "Value at the start")
            yield Table(heads, tuple(sorted(session.tunables.items())))
        left_out = () if session.assessment is None else session.assessment.not_measured
        if left_out:
            yield Heading(translate("Report", "Not measured"))
            words = translate("Report", "{what}: {why}")
            yield Listing(
                tuple(
                    words.format(what=name_text(each.what), why=engine_text(each.why))
                    for each in left_out
                )
            )

    def _asides(self, findings: Sequence[Finding]) -> Iterator[Block]:
        """What only came with a cause that is told, and what explains nothing."""
        name = self._words.cause
        came_with = translate("Report", "{what}: came with {cause}")
        told = [
            came_with.format(what=name(named_as(each)), cause=name(each.consequence_of))
            if each.consequence_of
            else name(named_as(each))
            for each in findings
            if each.consequence_of or each.is_aside
        ]
        if told:
            yield Heading(translate("Report", "Also seen"))
            yield Listing(tuple(told))

    def _basis(self, session: SessionSummary) -> str:
        return translate("Report", "{time} recorded, file {name}").format(
            time=self._quantities.span(session.duration_s), name=os.path.basename(session.path)
        )

    def _finding(self, finding: Finding, advice: tuple[Recommendation, ...]) -> Iterator[Block]:
        words = self._words
        yield Heading(words.cause(named_as(finding)))
        if finding.stutters_total:
            text = translate("Report", "Explains {count} of {total} stutters. Confidence: {word}.")
            yield Paragraph(
                text.format(
                    count=self._quantities.number(finding.stutters_explained),
                    total=self._quantities.number(finding.stutters_total),
                    word=words.confidence(finding.confidence),
                )
            )
        limit = translate("Report", "{what}: {value}, counts from {limit}")
        yield Listing(
            (
                *(
                    limit.format(
                        what=words.metric(each),
                        value=words.value(each),
                        limit=words.threshold(each),
                    )
                    for each in finding.evidence
                ),
                *map(words.culprit, finding.culprits),
                *map(words.text, finding.reasons),
            )
        )
        advised = against(advice, finding.cause)
        if advised:
            yield Table(
                (
                    translate("Report", "Setting"),
                    translate("Report", "Was"),
                    translate("Report", "Advised"),
                    translate("Report", "Why"),
                ),
                tuple(self._advice(each) for each in advised),
            )

    def _advice(self, advice: Recommendation) -> tuple[str, ...]:
        values = (
            self._settings.value(advice.tunable, each)
            for each in (advice.current, advice.recommended)
        )
        return (advice.key, *values, engine_text(advice.reason))

    # --- two sessions ------------------------------------------------------------------------

    def _pair_blocks(self, comparison: Comparison) -> Iterator[Block]:
        texts = self._pair
        banner = texts.banner(comparison)
        yield Paragraph(banner.headline, _TONES.get(banner.kind, Tone.PLAIN))
        yield Paragraph(banner.detail)
        yield Listing(tuple(filter(None, map(warning_text, comparison.warnings))))
        yield self._sides(comparison)
        a, b = comparison.a, comparison.b
        curves = (
            longest_curve(a, curve_name("A", a)),
            longest_curve(b, curve_name("B", b), "b"),
        )
        yield from self._longest(curves, comparison.b)
        yield Heading(translate("Report", "Measured"))
        yield _table(texts.heads(comparison), texts.rows(comparison, is_whole=True))
        different = texts.differences(comparison)
        if different:
            heading, *sides = texts.difference_heads()
            yield Heading(heading)
            yield _table(("", *sides), different)
        yield from self._computer(comparison.b)

    def _sides(self, comparison: Comparison) -> Table:
        a, b = comparison.a, comparison.b
        span = self._quantities.span
        rows = (
            (translate("Report", "File"), *(os.path.basename(each.path) for each in (a, b))),
            (translate("Report", "Began"), self._day(a), self._day(b)),
            (translate("Report", "Length"), span(a.duration_s), span(b.duration_s)),
            (translate("Report", "Phases"), self._phases(a), self._phases(b)),
        )
        return Table(("", "A", "B"), rows)

    def _phases(self, session: SessionSummary) -> str:
        clock = self._quantities.minutes_seconds
        words = translate("Report", "{phase} {from_time} to {to_time}")
        return enumerated(
            words.format(
                phase=phase_name(span.phase),
                from_time=clock(span.start_s),
                to_time=clock(span.end_s),
            )
            for span in session.phases
        )

    # --- both --------------------------------------------------------------------------------

    def _longest(self, curves: tuple[Curve, ...], phased: SessionSummary) -> Iterator[Block]:
        """The longest frame, or without frames the latest wake-up, in each second."""
        drawn = tuple(each for each in curves if each.x.size and not np.isnan(each.y).all())
        if not drawn:
            return
        bands = tuple(
            Band(phase_name(span.phase), span.start_s, span.end_s) for span in phased.phases
        )
        title = (
            translate("Report", "Latest wake-up in each second")
            if phased.frames is None
            else translate("Report", "Longest frame in each second")
        )
        text = translate("Report", "Shaded: phases. Dashed: markers.")
        marks = tuple((each.at_s, each.text) for each in phased.markers)
        yield Chart(title, text, drawn, "ms", bands=bands, marks=marks)

    def _computer(self, session: SessionSummary) -> Iterator[Block]:
        machine = session.header.machine
        rows = [
            (difference_name(key), enumerated(map(str, told)) if isinstance(told, list) else told)
            for key in _MACHINE
            if (told := machine.get(key))
        ]
        memory = machine.get("memory_kib")
        if isinstance(memory, int):
            rows.append((difference_name("memory"), self._quantities.size(memory * _KIB)))
        if rows:
            yield Heading(translate("Report", "The computer"))
            yield Table(("", ""), tuple((name, str(told)) for name, told in rows))


def _table(heads: tuple[str, ...], rows: tuple[MeasureRow, ...]) -> Table:
    count = len(heads)
    cells = tuple((row.name, row.a, row.b, row.change)[:count] for row in rows)
    return Table(heads, cells, frozenset(range(1, count)))
