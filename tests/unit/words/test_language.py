# SPDX-License-Identifier: GPL-3.0-or-later
"""Which language a person reads."""

import pytest

from destutter.words.language import chosen_language, language_of


def test_language_of_the_system():
    """The first that we have; traditional Chinese is another language than simplified."""
    assert chosen_language("", ["de-AT", "en"]) == "de"
    assert chosen_language("", ["fr-FR", "zh-Hans-CN"]) == "zh_CN"
    assert chosen_language("", ["zh-Hant-TW", "de"]) == "de"
    assert chosen_language("", []) == "en"
    assert chosen_language("de", ["zh-CN"]) == "de"
    assert chosen_language("xx", ["zh_CN"]) == "zh_CN"


@pytest.mark.parametrize(
    ("offered", "language"),
    [(("en", "pt", "pt_BR"), "pt_BR"), (("en", "pt"), "pt"), (("en", "pt_BR"), "pt_BR")],
)
@pytest.mark.parametrize("name", ["pt-BR", "pt_BR.UTF-8", "pt-Latn-BR"])
def test_a_language_of_a_country_comes_before_that_of_all(monkeypatch, offered, language, name):
    """Where there is a catalogue of the country; Portugal does not get Brazil's."""
    monkeypatch.setattr("destutter.words.language.LANGUAGES", offered)
    assert chosen_language("", [name]) == language
    assert chosen_language("", ["pt-PT"]) == ("pt" if "pt" in offered else "en")


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "zh_CN.GB18030"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE@euro"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "C", "LANGUAGE": "de"}, "en"),
        ({"LANG": "POSIX", "LC_ALL": ""}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en"}, "en"),
    ],
)
def test_language_of_a_terminal(environ, language):
    """As gettext reads the environment: C and POSIX say English, whatever LANGUAGE says."""
    assert language_of(environ) == language
