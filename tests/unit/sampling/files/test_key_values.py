# SPDX-License-Identifier: GPL-3.0-or-later
"""Steam's text format."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.files.key_values import group_of, parse_key_values, text_of

NAMES = st.text(st.characters(codec="ascii", exclude_characters='"\\'), min_size=1, max_size=9)
WORDS = st.text(max_size=20)
GROUPS = st.recursive(
    st.dictionaries(NAMES.map(str.lower), WORDS, max_size=4),
    lambda inner: st.dictionaries(NAMES.map(str.lower), WORDS | inner, max_size=4),
    max_leaves=12,
)


def _written(values, name="x"):
    """As Steam writes it: everything in quotes, a backslash before quotes and backslashes."""
    if isinstance(values, str):
        escaped = values.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{name}"\t\t"{escaped}"\n'
    inside = "".join(_written(value, key) for key, value in values.items())
    return f'"{name}"\n{{\n{inside}}}\n'


@given(GROUPS)
def test_what_steam_writes_is_read_again(values):
    """Also names and values with quotes, backslashes and lines."""
    assert parse_key_values(_written(values)) == {"x": values}


@given(GROUPS, st.data())
def test_a_torn_file_keeps_what_came_before_the_tear(values, data):
    """No error, and nothing that the whole file does not have."""
    text = _written(values)
    torn = parse_key_values(text[: data.draw(st.integers(0, len(text)))])
    found = torn.get("x", {})
    assert isinstance(found, str | dict)
    whole = [each for each, value in values.items() if isinstance(value, str)]
    if isinstance(found, dict):
        assert [each for each in list(found)[:-1] if each in whole] == [
            each for each in whole if each in list(found)[:-1]
        ]


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    """Whatever stands in a file of that name: values, or nothing."""
    assert isinstance(parse_key_values(text), dict)


@pytest.mark.parametrize("text", ["{" * 10**5, '"a"{' * 10**5, '"a" "b"}' * 10**4, '"' * 10**5])
def test_a_file_that_was_made_to_harm_ends_early(text):
    """Neither a deep nor a long one costs more than its length."""
    assert len(parse_key_values(text)) <= 1


def test_bare_words_remarks_and_equal_names():
    """As in files that people wrote: the first of equal names counts, groups are joined."""
    text = 'A { b 1 // "b" "2"\n b 3 }\nA { c "4" } "d" {} }'
    assert parse_key_values(text) == {"a": {"b": "1", "c": "4"}, "d": {}}
    found = parse_key_values(text)
    assert text_of(group_of(found, "a"), "c") == "4"
    assert group_of(group_of(found, "a"), "c") == {}
    assert text_of(found, "a") == ""
