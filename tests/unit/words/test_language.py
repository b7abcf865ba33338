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
