# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper says, as this program's statements."""

from hypothesis import given

from destutter.analysis.changes.helper_statements import note_of, statement_of
from destutter.words.language import LANGUAGES
from destutter.words.renderer import english, renderer
from destutter_helper.api.payload import Result
from destutter_helper.api.statement import Said, told
from tests.support.said_texts import saids


@given(saids)
def test_both_sides_say_the_same_in_english(said: Said) -> None:
    """Whatever a helper says, known or not; and no language fails at it."""
    statement = statement_of(said)
    assert english(statement) == str(said)
    assert all(isinstance(renderer(each).text(statement), str) for each in LANGUAGES)


def test_notes_of_a_result_are_one_statement() -> None:
    """None where nothing was noted; several one behind the other, as in the helper's log."""
    assert note_of(Result("vm.swappiness", "", "restored", "60", "60")) is None
    result = Result("vm.swappiness", "", "failed", "60", "60", notes=(*map(told, "abc"),))
    note = note_of(result)
    assert note is not None
    assert english(note) == result.note == "a; b; c"
