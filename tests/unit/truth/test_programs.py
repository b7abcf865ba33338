# SPDX-License-Identifier: GPL-3.0-or-later
"""What the programs of the bench are made of; nothing is compiled here."""

from tests.truth.programs import HERE, SOURCES


def test_whoever_plays_a_game_is_linked_with_it():
    """Every source is part of a program, and the game part of each that includes its header."""
    texts = {path.stem: path.read_text() for path in HERE.glob("*.c")}
    assert {name for sources in SOURCES.values() for name in sources} == texts.keys()
    for name, sources in SOURCES.items():
        assert ("game" in sources) == any('"game.h"' in texts[each] for each in sources), name
