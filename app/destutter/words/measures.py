# SPDX-License-Identifier: GPL-3.0-or-later
"""How measurements are written: with which unit, and with how many decimals.

Terminal, window and reports write a value alike; a window only has its locale's marks in a number.
Between number and unit stands a no-break space.
"""

from destutter.words.catalogue import find_text, form_of
from destutter.words.language import ENGLISH

NBSP = "\N{NO-BREAK SPACE}"

SECONDS_FROM_MS = 1_999.5
_MICROSECONDS_BELOW_MS = 0.0995  # what is no longer told as 0.1 ms
_STEP = 1024
_NEARLY_TWO = 1.95  # of a unit: from here on it is told in that


class Measures:
    """Numbers and their units in a language."""

    def __init__(self, language: str = ENGLISH) -> None:
        self.language = language

    def number(self, value: float, decimals: int = 0) -> str:
        """A plain number with separators: 75,214."""
        marks = {",": "grammar.thousands", ".": "grammar.decimal"}
        own = str.maketrans({mark: self._mark(id_, mark) for mark, id_ in marks.items()})
        return f"{value:,.{decimals}f}".translate(own)

    def with_unit(self, number: str, unit: str) -> str:
        """A written number and its unit, which stay on one line."""
        return f"{number}{NBSP}{unit}"

    def unit(self, unit: str, count: float | None = None) -> str:
        """A unit in the language: "ms/s" has the id ``unit.ms_per_s``; "%" and "GB" have none.

        For a ``count`` of one it stands in its singular.
        """
        name = unit.lower().replace("µ", "u").replace("/", "_per_").replace(" ", "_").strip("_")
        text = find_text(self.language, f"unit.{name}")
        return unit if text is None else form_of(text, {"count": 2 if count is None else count})

    # --- as they are read --------------------------------------------------------------------

    def figure(self, value: float, unit: str = "") -> str:
        """A number with its unit, as precise as it is read at a glance: 214, 34.4, 34, 0.27."""
        number = self.number(value, _decimals(abs(value)))
        if not unit or unit.startswith("/"):
            return number + self.unit(unit)
        return self.with_unit(number, self.unit(unit, value))

    def of_metric(self, value: float, unit: str) -> str:
        """A metric's value with its unit, as ``MetricSpec.unit`` names it."""
        if unit == "ms":
            return self.milliseconds(value)
        if unit in ("B", "B/s"):
            return self.size(value) + (self.unit("/s") if unit == "B/s" else "")
        return self.figure(value, unit)

    def milliseconds(self, value_ms: float) -> str:
        """A wait: 12.3 s, 214 ms, 16.7 ms, 0.27 ms, 85 µs."""
        if value_ms >= SECONDS_FROM_MS:
            return self.figure(value_ms / 1000, "s")
        if 0 < value_ms < _MICROSECONDS_BELOW_MS:
            return self.figure(value_ms * 1000, "µs")
        return self.figure(value_ms, "ms")

    def percent(self, value_pct: float, decimals: int | None = None) -> str:
        """A share: 34.4 %; with as many decimals as those beside it, where that is wanted."""
        if decimals is None:
            return self.figure(value_pct, "%")
        return self.with_unit(self.number(value_pct, decimals), self.unit("%"))

    def size(self, value_bytes: float, decimals: int | None = None) -> str:
        """A size in steps of 1024, with the units that people know: 1.4 GB, 458 MB."""
        power = next((each for each in (4, 3, 2, 1) if abs(value_bytes) >= _STEP**each), 0)
        value, unit = value_bytes / _STEP**power, ("bytes", "kB", "MB", "GB", "TB")[power]
        if decimals is None:
            return self.figure(value, unit)
        return self.with_unit(self.number(value, decimals), self.unit(unit, value))

    # --- times -------------------------------------------------------------------------------

    def clock(self, seconds: float) -> str:
        """A time since the beginning, as on a stopwatch: 0:42, 1:02:03."""
        minutes, rest = divmod(int(max(seconds, 0.0)), 60)
        hours, minutes = divmod(minutes, 60)
        if not hours:
            return f"{self.number(minutes)}:{self._two_digits(rest)}"
        return f"{self.number(hours)}:{self._two_digits(minutes)}:{self._two_digits(rest)}"

    def span(self, seconds: float) -> str:
        """A span of time beside other figures: 30 s, 2 min, 41 min, 3 h 5 min.

        As ``duration`` says it in a sentence: 2:39 was "3 min" above "2 minutes".
        """
        whole = round(seconds)
        if whole < _NEARLY_TWO * 60:
            return self.with_unit(self.number(whole), self.unit("s"))
        minutes = max(2, whole // 60)
        text = self.with_unit(self.number(minutes % 60), self.unit("min"))
        if minutes < 60:
            return text
        hours = self.with_unit(self.number(minutes // 60), self.unit("h"))
        return hours if minutes % 60 == 0 else f"{hours} {text}"

    def length(self, seconds: float) -> str:
        """How long a recording is, to the second below an hour: 7 min 34 s.

        "6 min", "7 minutes" and an axis to 7:32 stood on one page.
        """
        minutes, rest = divmod(int(max(seconds, 0.0)), 60)
        if not minutes or minutes >= 60:
            return self.span(seconds)
        parts = [self.with_unit(self.number(minutes), self.unit("min"))]
        if rest:
            parts.append(self.with_unit(self.number(rest), self.unit("s")))
        return NBSP.join(parts)

    def duration(self, value_s: float) -> str:
        """A span in a sentence, in the words of everyday: 45 seconds, 2 minutes, 3 hours."""
        for seconds, unit in ((3600, "hour"), (60, "minute")):
            # Nearly two minutes are two minutes, and not 119 seconds.
            if value_s >= _NEARLY_TWO * seconds or value_s == seconds:
                count = 1 if value_s == seconds else max(2, int(value_s // seconds))
                return self._counted(unit, count, 0)
        value_s = max(value_s, 0.0)
        is_part = value_s < 2 and value_s != round(value_s)
        return self._counted("second", value_s, 1 if is_part else 0)

    # --- on axes -----------------------------------------------------------------------------

    def on_axis(self, value: float, unit: str) -> str:
        """A round value of a metric beside an axis."""
        return self.round_milliseconds(value) if unit == "ms" else self.of_metric(value, unit)

    def round_milliseconds(self, value_ms: float) -> str:
        """A duration on an axis: 17 ms, 100 µs, 2 s."""
        if value_ms >= 1000:
            decimals = 0 if value_ms % 1000 == 0 else 1
            return self.with_unit(self.number(value_ms / 1000, decimals), self.unit("s"))
        if value_ms >= 1:
            decimals = 1 if value_ms < 10 and abs(value_ms - round(value_ms)) > 0.05 else 0
            return self.with_unit(self.number(value_ms, decimals), self.unit("ms"))
        return self.with_unit(self.number(value_ms * 1000), self.unit("µs"))

    def round_size(self, value_bytes: float) -> str:
        """A size on an axis: 2 GB."""
        return self.size(value_bytes, 0)

    def _mark(self, id_: str, otherwise: str) -> str:
        text = find_text(self.language, id_)
        return text if isinstance(text, str) else otherwise

    def _two_digits(self, value: int) -> str:
        return "".join(map(self.number, divmod(value, 10)))

    def _counted(self, unit: str, count: float, decimals: int) -> str:
        text = find_text(self.language, f"unit.{unit}") or "{count}"
        number = self.number(count, decimals)
        try:
            written = form_of(text, {"count": count}).format_map({"count": number})
        except KeyError:  # the text of another version has other places
            written = f"{number} {unit}"
        return written.replace(" ", NBSP)


def _decimals(value: float) -> int:
    """Three figures at most, and none behind the point that are only noughts: 12 ms, not 12.0."""
    most = 0 if value >= 99.95 else 1 if value >= 0.995 else 2
    while most and round(value, most) == round(value, most - 1):
        most -= 1
    return most
