# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings and their values as people write them: plain name, numbers with a fitting unit."""

from collections.abc import Callable

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

from destutter.ui.words.explanation_pages import ExplanationError, ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter_helper.api.tunables import BY_ID, HOLD, NOT_HELD

translate = QCoreApplication.translate

_SWITCHES = frozenset(
    {
        "kernel.split_lock_mitigate",
        "thp.khugepaged_defrag",
        "block.iosched.low_latency",
        "block.iosched.strict_guarantees",
        "block.iosched.front_merges",
    }
)
_SHARE = "1/10000"  # as the kernel counts parts of the memory
_MOST_DIGITS = 18  # fits into the 64 bits of Qt's numbers
_TIME_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"))
"""Nanoseconds of each unit; the words are those of ``Quantities``."""


_PLAIN = {
    "block.scheduler": {
        "none": QT_TRANSLATE_NOOP("Settings", "who asks first"),
        "mq-deadline": QT_TRANSLATE_NOOP("Settings", "who reads"),
        "kyber": QT_TRANSLATE_NOOP("Settings", "who needs little"),
        "bfq": QT_TRANSLATE_NOOP("Settings", "each in turn"),
    },
    "thp.enabled": {
        "always": QT_TRANSLATE_NOOP("Settings", "always"),
        "madvise": QT_TRANSLATE_NOOP("Settings", "on request"),
        "never": QT_TRANSLATE_NOOP("Settings", "never"),
    },
    "thp.defrag": {
        "always": QT_TRANSLATE_NOOP("Settings", "always"),
        "defer": QT_TRANSLATE_NOOP("Settings", "later"),
        "defer+madvise": QT_TRANSLATE_NOOP("Settings", "on request, else later"),
        "madvise": QT_TRANSLATE_NOOP("Settings", "on request"),
        "never": QT_TRANSLATE_NOOP("Settings", "never"),
    },
    "sata.link_power": {
        "max_performance": QT_TRANSLATE_NOOP("Settings", "never asleep"),
        "medium_power": QT_TRANSLATE_NOOP("Settings", "light sleep"),
        "med_power_with_dipm": QT_TRANSLATE_NOOP("Settings", "light sleep"),
        "min_power_with_partial": QT_TRANSLATE_NOOP("Settings", "deep sleep"),
        "min_power": QT_TRANSLATE_NOOP("Settings", "deep sleep"),
    },
}


class SettingWords:
    """Writes names and values of settings for one locale."""

    def __init__(self, quantities: Quantities, explanations: ExplanationPages) -> None:
        self._quantities = quantities
        self._explanations = explanations
        self._by_unit: dict[str, Callable[[int], str]] = {
            "KiB": lambda value: quantities.size(value * 1024),
            "bytes": quantities.size,
            _SHARE: self._share,
            "%": lambda value: quantities.percent(float(value), 0),
            "cs": lambda value: self._time(value * 10_000_000),
            "ms": lambda value: self._time(value * 1_000_000),
            "µs": lambda value: self._time(value * 1000),
            "ns": self._time,
            "power of two": self._pages,
            "sectors": lambda value: quantities.size(value * 512),
        }

    def name(self, tunable: str) -> str:
        """The plain name: the title of its page, else the registry's label."""
        try:
            return self._explanations.tunable(tunable).title
        except ExplanationError:
            label = BY_ID[tunable].label if tunable in BY_ID else tunable
            return label[:1].upper() + label[1:]

    @property
    def locale(self) -> QLocale:
        return self._quantities.locale

    def risk(self, tunable: str) -> str:
        """What can go wrong, from the page of the setting; empty without one."""
        try:
            return self._explanations.tunable(tunable).section("risk")
        except ExplanationError:
            return ""

    def value(self, tunable: str, value: str | None) -> str:
        """A value with its unit; raises nothing for values that the registry does not know."""
        if value is None:
            return translate("Settings", "not readable")
        if value == NOT_HELD and tunable in BY_ID and BY_ID[tunable].kind == HOLD:
            return translate("Settings", "not held")
        if not (value.isascii() and value.isdecimal() and len(value) <= _MOST_DIGITS):
            return value
        if tunable in _SWITCHES:
            return translate("Settings", "on") if value != "0" else translate("Settings", "off")
        unit = BY_ID[tunable].unit if tunable in BY_ID else ""
        write = self._by_unit.get(unit)
        return self._quantities.number(int(value)) if write is None else write(int(value))

    def plain(self, tunable: str, value: str | None) -> str:
        """The same in a player's words, where a value has a name of the kernel's own."""
        told = _PLAIN.get(tunable, {}).get(value or "")
        if told is None:
            return self.value(tunable, value)
        return translate("Settings", str(told))

    def _share(self, value: int) -> str:
        """Parts in ten thousand as a share: 0.1 %, 0.15 %, 1.6 %, 150 %.

        Below one percent exactly: 10 and 15 were both "0.1 %", as what is and as what is advised.
        """
        is_exact_with_one = value % 10 == 0 or value >= 100
        decimals = 0 if value % 100 == 0 else 1 if is_exact_with_one else 2
        return self._quantities.percent(value / 100, decimals)

    def _time(self, time_ns: int) -> str:
        """A time without figures that nobody set: 5 s, 1.5 s, 2 ms."""
        step, unit = next(
            ((step, unit) for step, unit in _TIME_UNITS if time_ns >= step), _TIME_UNITS[-1]
        )
        decimals = next((d for d in range(3) if time_ns * 10**d % step == 0), 3)
        number = self._quantities.number(time_ns / step, decimals)
        return self._quantities.with_unit(number, self._quantities.unit(unit))

    @staticmethod
    def _pages(power: int) -> str:
        return translate("Settings", "%n page(s)", None, 1 << min(power, 20))
