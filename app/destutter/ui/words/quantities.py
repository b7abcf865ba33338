# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers with units as people of the user's language write them.

Between number and unit stands a no-break space. Units stand in the catalogue, as every
text that is not of a widget alone.
"""

from collections.abc import Callable

from PySide6.QtCore import QDateTime, QLocale, QTimeZone

from destutter.ui.words.translations import spoken_language
from destutter.words.renderer import renderer

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
_FIRST_STRONG, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


class Quantities:
    """Writes quantities for one locale."""

    def __init__(self, locale: QLocale, *, is_mirrored: bool = False) -> None:
        """``is_mirrored``: the texts around are written from right to left."""
        # The bare locale "C" groups no digits; what people read is written as in English.
        is_bare = locale.language() == QLocale.Language.C
        self.locale = QLocale(QLocale.Language.English) if is_bare else locale
        self._is_mirrored = is_mirrored

    def number(self, value: float, decimals: int = 0) -> str:
        """A plain number: 75,214."""
        return self.locale.toString(float(value), "f", decimals)

    def with_unit(self, number: str, unit: str) -> str:
        """A number and its unit."""
        return self._isolated(f"{number}{NBSP}{unit}")

    @staticmethod
    def unit(unit: str, count: float | None = None) -> str:
        """A unit in the language of the window; for a ``count`` of one in its singular."""
        return renderer(spoken_language()).unit(unit, count)

    def _isolated(self, text: str) -> str:
        """In a text from right to left, "2 min" must not become "min 2"."""
        return f"{_FIRST_STRONG}{text}{_END}" if self._is_mirrored else text

    def milliseconds(self, value_ms: float) -> str:
        """A duration with two or three figures: 214 ms, 2.7 ms, 0.27 ms, 85 µs, 12 s."""
        if value_ms >= 10_000:
            return self.with_unit(self.number(value_ms / 1000), self.unit("s"))
        if value_ms >= 100:
            return self.with_unit(self.number(value_ms), self.unit("ms"))
        if value_ms >= 1:
            return self.with_unit(self.number(value_ms, 1), self.unit("ms"))
        if value_ms == 0:
            return self.with_unit(self.number(0), self.unit("ms"))
        if value_ms >= 0.1:
            return self.with_unit(self.number(value_ms, 2), self.unit("ms"))
        return self.with_unit(self.number(value_ms * 1000), self.unit("µs"))

    def round_milliseconds(self, value_ms: float) -> str:
        """A duration on an axis: 17 ms, 100 µs, 2 s."""
        if value_ms >= 1000:
            decimals = 0 if value_ms % 1000 == 0 else 1
            number = self.number(value_ms / 1000, decimals)
            return self.with_unit(number, self.unit("s"))
        if value_ms >= 1:
            decimals = 1 if value_ms < 10 and abs(value_ms - round(value_ms)) > 0.05 else 0
            return self.with_unit(self.number(value_ms, decimals), self.unit("ms"))
        return self.with_unit(self.number(value_ms * 1000), self.unit("µs"))

    def percent(self, value_pct: float, decimals: int = 1) -> str:
        """A share: 34.0 %."""
        return self.with_unit(self.number(value_pct, decimals), self.locale.percent())

    def size(self, value_bytes: float) -> str:
        """A size in steps of 1024, with the units that people know: 1.4 GB, 458 MB."""
        return self._size(value_bytes, 1 if 1 <= _in_its_unit(value_bytes) < 99.95 else 0)

    def exact_size(self, value_bytes: float) -> str:
        """A size that somebody has set: 66 MB, 1.5 GB."""
        value = _in_its_unit(value_bytes)
        return self.round_size(value_bytes) if value == int(value) else self.size(value_bytes)

    def round_size(self, value_bytes: float) -> str:
        """A size on an axis: 2 GB."""
        return self._size(value_bytes, 0)

    def _size(self, value_bytes: float, decimals: int) -> str:
        text = self.locale.formattedDataSize(
            int(value_bytes), decimals, QLocale.DataSizeFormat.DataSizeTraditionalFormat
        )
        return self._isolated(text.replace(" ", NBSP))

    def short_number(self, value: float) -> str:
        """A large number on an axis: 80k, 1.5M."""
        for power, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
            if value >= power:
                scaled = value / power
                return self.number(scaled, 0 if scaled == round(scaled) else 1) + suffix
        return self.number(value)

    def minutes_seconds(self, seconds: float) -> str:
        """A span of time as on a stopwatch: 0:42."""
        whole = max(0, round(seconds))
        seconds_text = self.locale.toString(whole % 60).rjust(2, self.locale.zeroDigit())
        return f"{self.number(whole // 60)}:{seconds_text}"

    def span(self, seconds: float) -> str:
        """A span of time in words: 30 s, 2 min, 41 min, 3 h 5 min."""
        whole = round(seconds)
        if whole < 90:
            return self.with_unit(self.number(whole), self.unit("s"))
        minutes = round(whole / 60)
        text = self.with_unit(self.number(minutes % 60), self.unit("min"))
        if minutes < 60:
            return text
        hours = self.with_unit(self.number(minutes // 60), self.unit("h"))
        return hours if minutes % 60 == 0 else f"{hours} {text}"

    def on_axis(self, value: float, unit: str) -> str:
        """A round value of a metric beside an axis."""
        if unit == "ms":
            return self.round_milliseconds(value)
        return self.exact_size(value) if unit == "B" else self.of_metric(value, unit)

    def of_metric(self, value: float, unit: str) -> str:
        """A value of a metric with the unit of its specification."""
        writers: dict[str, Callable[[float], str]] = {
            "ms": self.milliseconds,
            "%": self.percent,
            "B": self.size,
        }
        if unit in writers:
            return writers[unit](value)
        if unit == "B/s":
            return self.size(value) + self.unit("/s")
        decimals = 0 if abs(value) >= 100 or value == round(value) else 1
        number = self.number(value, decimals)
        if unit.startswith("/"):
            return number + self.unit(unit)
        if not unit:
            return number
        return self.with_unit(number, self.unit(unit, value))


def _in_its_unit(value_bytes: float) -> float:
    """The number before MB, GB, ...; 0 for what is smaller than a megabyte."""
    value = abs(value_bytes) / 2**20
    while value >= 1024:
        value /= 1024
    return value if value >= 1 else 0.0


class WallClock:
    """Turns moments of CLOCK_MONOTONIC into the time of day in the user's zone."""

    def __init__(self, locale: QLocale, zone: QTimeZone | None = None) -> None:
        self._locale = locale
        self._zone = QTimeZone.systemTimeZone() if zone is None else zone
        self._offset_s: float | None = None

    def set_reference(self, monotonic_ns: int, wall_time: float) -> None:
        """``wall_time`` (seconds since 1970) was at this moment."""
        self._offset_s = wall_time - monotonic_ns / 1e9

    @property
    def is_known(self) -> bool:
        """Whether the stream has said when it began."""
        return self._offset_s is not None

    def seconds_of_day(self, monotonic_ns: int) -> float:
        """Seconds since local midnight, for ticks at round times."""
        moment = self._moment(monotonic_ns)
        return moment.time().msecsSinceStartOfDay() / 1e3

    def time(self, monotonic_ns: int, *, tenths: bool = False) -> str:
        """The time of day: 14:32:07, or 14:32:07.4 with tenths."""
        time = self._moment(monotonic_ns).time()
        text = self._locale.toString(time, "HH:mm:ss")
        return f"{text}{self._locale.decimalPoint()}{time.msec() // 100}" if tenths else text

    def _moment(self, monotonic_ns: int) -> QDateTime:
        wall_s = (self._offset_s or 0.0) + monotonic_ns / 1e9
        return QDateTime.fromMSecsSinceEpoch(int(wall_s * 1000), self._zone)
