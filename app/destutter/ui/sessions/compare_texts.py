# SPDX-License-Identifier: GPL-3.0-or-later
"""What a comparison says: the banner, the lines of the table, what differs, and cautions."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from destutter.analysis.comparing.comparison import Comparison, Row, RowChange
from destutter.analysis.comparing.confirmation import Confirmation
from destutter.analysis.comparing.differences import Difference
from destutter.diagnosis.comparison import LEAST_MINUTES, ComparedOutcome, Reason
from destutter.ui.controls.banner import BannerText, Urgency
from destutter.ui.controls.notices import Notice
from destutter.ui.sessions.compare_words import (
    GRAVE,
    difference_name,
    measure_name,
    warning_text,
)
from destutter.ui.sessions.measure_table import ChangeState, MeasureRow
from destutter.ui.sessions.single_texts import report_action
from destutter.ui.words.listing import enumerated
from destutter.ui.words.quantities import MINUS, Quantities
from destutter.ui.words.setting_words import SettingWords

translate = QCoreApplication.translate

FIRST = (
    "long_frames",
    "late_wakes",
    "longest_frame",
    "latest_wake",
    "direct_peak",
    "write_p99",
    "read_p99",
    "average_fps",
    "least_available",
)
"""What people look for, in this order; the rest comes below "More measures"."""

_STATES = {
    RowChange.BETTER: ChangeState.BETTER,
    RowChange.WORSE: ChangeState.WORSE,
    RowChange.SAME: ChangeState.SAME,
    RowChange.UNSURE: ChangeState.OPEN,
    RowChange.CONTEXT: ChangeState.NONE,
    RowChange.MISSING: ChangeState.NONE,
}
_NOT_CAUTIONS = frozenset({"too_short", "one_run_each", "few_runs"})
_LOOKS = {
    ComparedOutcome.BETTER: ("ok", "clear"),
    ComparedOutcome.WORSE: ("bad", "causing"),
    ComparedOutcome.NO_DIFFERENCE: ("info", "not-measured"),
    ComparedOutcome.TOO_CLOSE: ("info", "watch"),
}


class CompareTexts:
    """Writes about two sessions in the user's language."""

    def __init__(self, quantities: Quantities, settings: SettingWords) -> None:
        self._quantities = quantities
        self._settings = settings

    # --- the banner --------------------------------------------------------------------------

    def banner(self, comparison: Comparison) -> BannerText:
        """The verdict in one sentence, and how far it carries in another."""
        kind, icon = _LOOKS[comparison.outcome]
        return BannerText(
            kind,
            icon,
            self.headline(comparison),
            self.detail(comparison),
            Urgency.INFO,
            (report_action(),),
        )

    def headline(self, comparison: Comparison) -> str:
        """The verdict."""
        if comparison.outcome is ComparedOutcome.NO_DIFFERENCE:
            return translate("Compare", "No real difference between the two recordings")
        if comparison.outcome is ComparedOutcome.TOO_CLOSE:
            return self._open_headline(comparison)
        words = (
            translate("Compare", "Smoother: {what}")
            if comparison.outcome is ComparedOutcome.BETTER
            else translate("Compare", "Less smooth: {what}")
        )
        return words.format(what=self._fall_or_rise(comparison))

    def _open_headline(self, comparison: Comparison) -> str:
        if comparison.reason is Reason.TOO_SHORT:
            return translate("Compare", "Too short for a fair comparison")
        if comparison.reason is Reason.NOTHING_COMMON:
            return translate("Compare", "The two have no measure of smoothness in common")
        return translate("Compare", "Too close to call")

    def _fall_or_rise(self, comparison: Comparison) -> str:
        """ "long frames fell from 41 to 2 in 10 minutes", by the row that people understand."""
        by_id = {row.id: row for row in comparison.rows}
        frames, wakes = by_id.get("long_frames"), by_id.get("late_wakes")
        row = frames if frames is not None and frames.a is not None else wakes
        if row is None or row.a is None or row.b is None:
            return translate("Compare", "less time was lost")
        is_frames = row is frames
        if row.b <= row.a:
            words = (
                translate("Compare", "long frames fell from {a} to {b} in 10 minutes")
                if is_frames
                else translate("Compare", "late wake-ups fell from {a} to {b} in 10 minutes")
            )
        else:
            words = (
                translate("Compare", "long frames rose from {a} to {b} in 10 minutes")
                if is_frames
                else translate("Compare", "late wake-ups rose from {a} to {b} in 10 minutes")
            )
        return words.format(a=self._count(row.a), b=self._count(row.b))

    def detail(self, comparison: Comparison) -> str:
        """Why it may be said, or why not."""
        if comparison.outcome is ComparedOutcome.TOO_CLOSE:
            return self._why_open(comparison)
        if grave := self._gravest(comparison):
            return warning_text(grave)
        if comparison.outcome is ComparedOutcome.NO_DIFFERENCE:
            return translate("Compare", "What is left is within a tenth, and surely so.")
        return translate(
            "Compare", "The difference is larger than that between two minutes of the same run."
        )

    @staticmethod
    def _gravest(comparison: Comparison) -> str:
        return next((each for each in GRAVE if each in comparison.warnings), "")

    def _why_open(self, comparison: Comparison) -> str:
        match comparison.reason:
            case Reason.TOO_SHORT:
                return self._how_short(comparison)
            case Reason.SPREAD:
                return translate(
                    "Compare", "The two runs differ less than two minutes of the same run do."
                )
            case Reason.NOTHING_COMMON:
                return translate(
                    "Compare", "One has frame times and the other has not, or neither has any."
                )
            case _:
                return translate(
                    "Compare",
                    "Chance alone could make such a difference. Longer runs tell more.",
                )

    def _how_short(self, comparison: Comparison) -> str:
        least = self._quantities.span(60 * LEAST_MINUTES)
        shorter_s = min(comparison.a.duration_s, comparison.b.duration_s)
        if shorter_s >= 60 * LEAST_MINUTES:
            return translate(
                "Compare",
                "They share less than {least} of the same phase; compare longer recordings of "
                "the same part.",
            ).format(least=least)
        return translate(
            "Compare",
            "Only {time} recorded in one of them; play at least {least} for a fair comparison.",
        ).format(time=self._quantities.span(shorter_s), least=least)

    def cautions(self, comparison: Comparison) -> Iterator[Notice]:
        """What to keep in mind besides the banner, one line each: what all runs say, then the
        grave ones first."""
        yield from self._all_runs(comparison.confirmation)
        said = set(_NOT_CAUTIONS)
        if comparison.outcome is not ComparedOutcome.TOO_CLOSE:
            said.add(self._gravest(comparison))
        ids = [each for each in comparison.warnings if each not in said]
        for id_ in sorted(ids, key=lambda each: each not in GRAVE):
            text = warning_text(id_)
            if text:
                kind = "warn" if id_ in GRAVE else "info"
                yield Notice(id_, kind, text, can_be_closed=False)

    def _all_runs(self, all_runs: Confirmation | None) -> Iterator[Notice]:
        """What further recordings with the settings of both sides add."""
        if all_runs is None or not all_runs.has_enough or all_runs.primary is None:
            return
        row = all_runs.primary
        places = {
            "runs_a": self._quantities.number(all_runs.runs_a, 0),
            "runs_b": self._quantities.number(all_runs.runs_b, 0),
            "a": self._count(row.rate_a),
            "b": self._count(row.rate_b),
            "chance": self._quantities.percent(100 * row.chance, 1),
        }
        if row.is_confirmed:
            text = translate(
                "Compare",
                "Confirmed by {runs_a} recordings with the settings of A and {runs_b} with those "
                "of B: from {a} to {b} in 10 minutes",
            )
        else:
            text = translate(
                "Compare",
                "Not confirmed by {runs_a} recordings with the settings of A and {runs_b} with "
                "those of B: from {a} to {b} in 10 minutes",
            )
        detail = translate(
            "Compare", "By chance alone that happens in {chance} of such comparisons."
        )
        kind = {ComparedOutcome.BETTER: "ok", ComparedOutcome.WORSE: "bad"}.get(
            row.outcome, "info"
        )
        yield Notice(
            "all_runs",
            kind,
            text.format(**places),
            detail.format(**places),
            can_be_closed=False,
        )

    # --- the table ---------------------------------------------------------------------------

    def heads(self, comparison: Comparison) -> tuple[str, ...]:
        """The heads of the table; "before" is only what was earlier."""
        a, b = comparison.a.started_at, comparison.b.started_at
        is_in_order = a is None or b is None or a <= b
        return (
            translate("Compare", "Measure"),
            translate("Compare", "A  before") if is_in_order else "A",
            translate("Compare", "B  after") if is_in_order else "B",
            translate("Compare", "Change"),
        )

    def rows(self, comparison: Comparison, *, is_whole: bool) -> tuple[MeasureRow, ...]:
        """The lines; only the first ones unless ``is_whole``."""
        rows = [row for row in comparison.rows if row.a is not None or row.b is not None]
        order = {id_: at for at, id_ in enumerate(FIRST)}
        first = sorted((row for row in rows if row.id in order), key=lambda row: order[row.id])
        rest = [row for row in rows if row.id not in order] if is_whole else []
        return tuple(self.row(each) for each in (*first, *rest))

    def row(self, row: Row) -> MeasureRow:
        """One line."""
        return MeasureRow(
            self.measure(row.id),
            self.value(row.a, row.unit),
            self.value(row.b, row.unit),
            self.change(row),
            _STATES[row.change],
            self._tip(row),
        )

    def measure(self, id_: str) -> str:
        """The name of what is measured."""
        return measure_name(id_)

    def value(self, value: float | None, unit: str) -> str:
        """A value in its unit; a dash where nothing was measured."""
        quantities = self._quantities
        if value is None:
            return "–"
        if unit == "s/10 min":
            return quantities.milliseconds(value * 1000)
        if unit in ("/10 min", "/GB"):
            return self._count(value)
        if unit == "B/min":
            return quantities.size(value)
        written = {
            "pages/GB": (self._count(value), "pages"),
            "ms/min": (self._count(value), unit),
            "pages/min": (self._count(value), unit),
            "fps": (quantities.number(value, 1), unit),
            "pages/s": (quantities.number(value), unit),
        }
        if unit in written:
            number, counted = written[unit]
            return quantities.with_unit(number, quantities.unit(counted, value))
        return quantities.of_metric(value, unit)

    def change(self, row: Row) -> str:
        """The change in words, or in numbers where these say more."""
        if row.change is RowChange.MISSING:
            return translate("Compare", "not measured in both")
        if row.a is None or row.b is None:
            return ""
        if row.change is RowChange.SAME:
            return translate("Compare", "no real change")
        if row.change is RowChange.UNSURE:
            if row.compared is not None and row.compared.reason is Reason.TOO_SHORT:
                return translate("Compare", "too short to tell")
            return translate("Compare", "too close to call")
        if row.b == 0 and row.a > 0:
            return translate("Compare", "gone")
        if row.a == 0 and row.b > 0:
            return translate("Compare", "new")
        return self._by_how_much(row)

    def _by_how_much(self, row: Row) -> str:
        percent = row.change_pct or 0.0
        if abs(percent) < 1:
            # The figures are those of the whole run; the verdict is about its minutes.
            return {
                RowChange.BETTER: translate("Compare", "better on average"),
                RowChange.WORSE: translate("Compare", "worse on average"),
            }.get(row.change, translate("Compare", "as before"))
        if percent > 300 and row.a:
            times = self._quantities.number(1 + percent / 100, 1)
            return translate("Compare", "{times} times as much").format(times=times)
        sign = MINUS if percent < 0 else "+"
        return f"{sign}{self._quantities.percent(abs(percent), 0)}"

    def _tip(self, row: Row) -> str:
        compared = row.compared
        if compared is None or compared.ratio is None or compared.low is None:
            return ""
        high = compared.low if compared.high is None else compared.high
        return translate(
            "Compare", "B is {ratio} times A; with 95 % certainty between {low} and {high} times."
        ).format(
            ratio=self._quantities.number(compared.ratio, 2),
            low=self._quantities.number(compared.low, 2),
            high=self._quantities.number(high, 2),
        )

    def _count(self, value: float) -> str:
        decimals = 0 if value >= 10 or value == round(value) else 1
        return self._quantities.number(value, decimals)

    # --- what differs ------------------------------------------------------------------------

    def difference_heads(self) -> tuple[str, ...]:
        """The heads of the list of differences."""
        return (translate("Compare", "What differs"), "A", "B")

    def differences(self, comparison: Comparison) -> tuple[MeasureRow, ...]:
        """What was different besides the smoothness; settings by their plain name."""
        return tuple(
            MeasureRow(*self.difference(each), tip=each.id if each.is_setting else "")
            for each in comparison.differences
        )

    def difference(self, each: Difference) -> tuple[str, str, str]:
        """What differs, in A, and in B."""
        if not each.is_setting:
            return difference_name(each.id), each.a, each.b
        tunable, _, device = each.id.partition("@")
        name = self._settings.name(tunable)
        return (
            enumerated((name, device)) if device else name,
            self._settings.value(tunable, each.a),
            self._settings.value(tunable, each.b),
        )
