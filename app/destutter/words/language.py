# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the program's languages a person reads."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

ENGLISH = "en"


class PluralForms(NamedTuple):
    """The forms of a text with a number, and at which of them a number stands, from 0.

    ``which`` is the formula of gettext's Plural-Forms (Unicode's CLDR has it for every language).
    """

    names: tuple[str, ...]
    which: Callable[[float], int]


PLURALS: Mapping[str, PluralForms] = {
    ENGLISH: PluralForms(("one", "other"), lambda n: n != 1),
    "de": PluralForms(("one", "other"), lambda n: n != 1),
    "zh_CN": PluralForms(("other",), lambda _n: 0),
}
"""Complete languages, by the names of their files and folders, and their plurals."""

LANGUAGES = tuple(PLURALS)

_WITHOUT = ("C", "POSIX")


def chosen_language(wanted: str, preferred: Sequence[str]) -> str:
    """The language of ``LANGUAGES`` to use: the wanted one, else the first that is preferred.

    ``preferred`` are names such as "de-AT", "zh-Hans-CN" (``QLocale.uiLanguages``) or
    "de_AT.UTF-8". English when none of them is there.
    """
    if wanted in LANGUAGES:
        return wanted
    for name in preferred:
        parts = name.partition(".")[0].partition("@")[0].replace("_", "-").split("-")
        if parts[0] == "zh" and not {"TW", "HK", "MO", "Hant"} & set(parts):
            return "zh_CN"
        # A script may stand before the country: "pt-Latn-BR".
        for known in (f"{parts[0]}_{parts[-1]}", parts[0]):
            if known in LANGUAGES:
                return known
    return ENGLISH


def language_of(environ: Mapping[str, str]) -> str:
    """The language of a terminal, by the variables that gettext's manual names, in its order."""
    names = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "")
    if locale.partition(".")[0] in ("", *_WITHOUT):
        return ENGLISH
    wishes = [name for name in environ.get("LANGUAGE", "").split(":") if name]
    return chosen_language("", wishes or [locale])
