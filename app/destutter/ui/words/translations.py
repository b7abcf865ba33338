# SPDX-License-Identifier: GPL-3.0-or-later
"""The language of the window: translators for it, and its numbers and dates."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from destutter.words.language import LANGUAGES, chosen_language


def spoken_language() -> str:
    """The language that the window speaks: its translation says its own name."""
    return QCoreApplication.translate("Language", "en", "the name of this file: de, zh_CN")


def languages_of(locale: QLocale) -> tuple[str, ...]:
    """Folders of ``resources/explanations`` for a locale, the best first."""
    language = chosen_language("", (locale.name(),))
    return (language, language.partition("_")[0])


def install_translations(
    application: QCoreApplication, folder: Path, wanted: str = ""
) -> tuple[str, list[QTranslator]]:
    """Let the application speak a language; the chosen one, and what has to be kept alive.

    ``folder`` holds ``destutter_LANGUAGE.qm``. Without a wish the system's languages decide.
    English has a file of its own: its plurals. A wish that differs from the system also changes
    how numbers are written.
    """
    language = chosen_language(wanted, QLocale().uiLanguages())
    if wanted in LANGUAGES:
        QLocale.setDefault(QLocale(language))
    own, of_qt = QTranslator(application), QTranslator(application)
    places = (
        (
            of_qt,
            f"qtbase_{language}",
            QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
        ),
        (own, f"destutter_{language}", str(folder)),
    )
    translators = []
    for translator, name, place in places:
        if translator.load(name, place):
            application.installTranslator(translator)
            translators.append(translator)
    return language, translators
