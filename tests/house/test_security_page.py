# SPDX-License-Identifier: GPL-3.0-or-later
"""SECURITY.md: every attack and fault that it numbers has a test or a guest's scenario."""

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "SECURITY.md").read_text("utf-8")
_NUMBERED = re.compile(r"`(?:test_)?([afl]\d+)(?:_\*)?`")
_TESTED = re.compile(r"def (?:test|scenario)_([afl]\d+)_")


def _tested() -> set[str]:
    files = (CHECKOUT / "tests").rglob("*.py")
    return {name for file in files for name in _TESTED.findall(file.read_text("utf-8"))}


def test_what_has_a_number_has_a_test():
    """A promise named `test_l3_*`, which nobody had written."""
    numbered = set(_NUMBERED.findall(PAGE))
    assert len(numbered) > 100
    assert numbered - _tested() == set()


def test_what_is_tested_has_a_number():
    """What a test of an attack shows stands on the page, too."""
    assert _tested() - set(_NUMBERED.findall(PAGE)) == set()
