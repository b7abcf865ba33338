# SPDX-License-Identifier: GPL-3.0-or-later
"""A key of every page stands once, in ``ui/controls/shortcuts.py``; texts take its name from
there."""

import re

from destutter.ui.controls.shortcuts import MARK, QUIT, RECORD, key_text
from tests.house.source_tree import APP, PARSES_SOURCE, docstring_nodes, modules_below

pytestmark = PARSES_SOURCE

KEYS = re.compile(
    "|".join(rf"\b{re.escape(keys)}\b" for keys in (MARK, QUIT, RECORD)) + r"|\bAlt\+"
)
TABLE = APP / "ui" / "controls" / "shortcuts.py"


def test_keys_are_named_in_one_place():
    """A text with a key in it would go on to name it after the key was changed."""
    wrong = []
    for module in modules_below(APP / "ui"):
        docstrings = docstring_nodes(module)
        for node in module.nodes:
            named = getattr(node, "attr", "") or getattr(node, "value", "")
            is_text = isinstance(named, str) and node not in docstrings and module.path != TABLE
            if is_text and KEYS.search(named.removeprefix("Key_")):
                wrong.append(module.at(node, named))
    assert wrong == []


def test_a_key_is_written_as_the_desktop_does():
    """Without a translation as in the table."""
    assert key_text(RECORD) == RECORD
