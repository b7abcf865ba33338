# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the system in the words of the catalogue."""

import errno
import os

import pytest

from destutter.core.statement import Statement
from destutter.core.system_error import NAMES, system_reason
from destutter.words.catalogue import texts
from destutter.words.language import LANGUAGES


def test_an_error_of_the_kernel_is_said_by_its_name():
    """As a real call raises it."""
    with pytest.raises(OSError, match="No such file") as caught:
        os.open("/nowhere/at/all", os.O_RDONLY)
    assert system_reason(caught.value) == Statement("system.enoent")
    assert str(system_reason(caught.value)) == "No such file or directory"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_english_words_are_those_that_people_search_for(name):
    """The C library's, without its translations."""
    assert str(Statement(f"system.{name.lower()}")) == os.strerror(getattr(errno, name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_each_and_for_no_other(language):
    """An error that is not in the list would be told as it is."""
    assert set(texts(language, "system")) == {f"system.{name.lower()}" for name in NAMES}


def test_what_has_words_of_its_own_keeps_them():
    """A number may stand for more than the system's word for it."""
    assert str(system_reason(OSError(errno.EIO, "the drive left"))) == "the drive left"
    assert str(system_reason(OSError(errno.EL2HLT, os.strerror(errno.EL2HLT)))) == "Level 2 halted"
    assert str(system_reason(TimeoutError("timed out"))) == "timed out"
