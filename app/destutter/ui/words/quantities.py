# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people of the user's locale write them, and the time of day."""

from PySide6.QtCore import QDateTime, QLocale, QTimeZone

from destutter.ui.words.translations import spoken_language
from destutter.words.measures import Measures

MINUS = "\N{MINUS SIGN}"
_FIRST_STRONG, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


class Quantities(Measures):
    """What is measured, in the language of the window, with the numbers of one locale."""

    def __init__(self, locale: QLocale, *, is_mirrored: bool = False) -> None:
        """``is_mirrored``: the texts around are written from right to left."""
        super().__init__(spoken_language())
        # The bare locale "C" groups no digits; what people read is written as in English.
        is_bare = locale.language() == QLocale.Language.C
        self.locale = QLocale(QLocale.Language.English) if is_bare else locale
        self._is_mirrored = is_mirrored

    def number(self, value: float, decimals: int = 0) -> str:
        return self.locale.toString(float(value), "f", decimals)

    def with_unit(self, number: str, unit: str) -> str:
        # In a text from right to left, "2 min" must not become "min 2".
        text = super().with_unit(number, unit)
        return f"{_FIRST_STRONG}{text}{_END}" if self._is_mirrored else text

    def unit(self, unit: str, count: float | None = None) -> str:
        return self.locale.percent() if unit == "%" else super().unit(unit, count)

    def short_number(self, value: float) -> str:
        """A large number on an axis: 80k, 1.5M."""
        for power, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
            if value >= power:
                scaled = value / power
                return self.number(scaled, 0 if scaled == round(scaled) else 1) + suffix
        return self.number(value)


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
