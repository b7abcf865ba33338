# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper says as id and values: read again, in English, never more than the limits."""

import copy
import json
import pickle
import string
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from destutter_helper.api.names import HelperError, error_of
from destutter_helper.api.payload import Result, decode, encode
from destutter_helper.api.statement import (
    DEEPEST,
    NUMBER_MAX,
    TEXT_MAX,
    VALUES_MAX,
    Said,
    plain_said,
    read_said,
    told,
)
from destutter_helper.api.texts import TEXTS
from destutter_helper.report import not_all_back
from tests.support.said_texts import saids

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "values", "x"]) | st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


def _nested(depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {"id": "helper.told", "values": {"text": "x"}}
    for _ in range(depth):
        data = {"id": "helper.start.failed", "values": {"reason": data}}
    return data


@given(saids)
def test_what_is_said_survives_the_wire(said: Said) -> None:
    """Read again it is the same, with the same hash and the same English, in one line."""
    again = decode(Said, encode(said))
    assert (again, hash(again), str(again)) == (said, hash(said), str(said))
    assert (copy.deepcopy(said), pickle.loads(pickle.dumps(said))) == (said, said)  # noqa: S301
    assert str(said).isprintable()


@given(json_values | st.fixed_dictionaries({"id": st.text(), "values": json_values}))
def test_any_json_is_said_or_refused(data: object) -> None:
    """A ValueError or a statement; over the wire a named error or the same."""
    try:
        said = read_said(data)
    except ValueError:
        with pytest.raises(HelperError) as refused:
            decode(Said, json.dumps(data))
        assert refused.value.name == "InvalidArgument"
        assert str(refused.value).isprintable()
    else:
        assert plain_said(said) == data


@pytest.mark.parametrize(
    "data",
    [
        {"id": "helper.told", "values": dict.fromkeys((f"a{n}" for n in range(10_000)), "x")},
        {"id": "helper.told", "values": {"left": [_nested(0)] * (VALUES_MAX + 1)}},
        {"id": "helper.told", "values": {"left": [[[]]]}},
        _nested(DEEPEST + 1),
        _nested(100),
        {"id": "helper.told", "values": {"text": "x" * (TEXT_MAX + 1)}},
        {"id": "helper.told", "values": {"text": "one\ntwo"}},
        {"id": "helper.told", "values": {"text": "\ud800"}},
        {"id": "helper.told", "values": {"number": 2**63}},
        {"id": "helper.told", "values": {"number": True}},
        {"id": "helper.told", "values": {"number": 1.5}},
        {"id": "helper.told", "values": {"0.__class__": "x"}},
        {"id": "helper.{0.__class__}", "values": {}},
        {"id": "status.helper", "values": {}},
        {"id": "helper.../x", "values": {}},
        {"id": "helper.told"},
        {"id": "helper.told", "values": {}, "more": 1},
    ],
)
def test_more_than_the_limits_is_refused(data: object) -> None:
    """Too many, too deep, too long, no letters, no id of the helper's, no name of a place."""
    with pytest.raises(ValueError, match=r"(has|is) "):
        read_said(data)


@pytest.mark.parametrize("value", ["{0.__class__}", "{text}", "{", "}", "%s", "{text!r:>99}"])
def test_no_value_is_a_format(value: str) -> None:
    """What looks like a place stays what it is, in a known text and in an unknown one."""
    assert str(told(value)) == value
    assert str(Said("helper.unheard_of", {"text": value})) == f"helper.unheard_of (text: {value})"
    assert str(Said(f"helper.{value}")) == f"helper.{value}"


def test_what_is_made_keeps_to_the_limits() -> None:
    """A long text is cut, control characters go, and what is too deep becomes a text."""
    deep = told("the end")
    for _ in range(3 * DEEPEST):
        deep = Said("helper.start.failed", {"reason": deep})
    most = Said("helper.told", {"number": NUMBER_MAX, "other": -NUMBER_MAX})
    for said in (told("x" * 10_000), told("a\nb\x1b[2J\ud800"), deep, most):
        assert read_said(json.loads(encode(said))) == said
    assert len(str(told("x" * 10_000))) == TEXT_MAX
    assert str(told("a\nb")) == "a?b"
    assert str(deep).endswith("not set: the end")


def test_what_could_not_be_taken_back_of_300_settings_can_be_read_again() -> None:
    """The deepest that is said, as a notice of a start: the first are named, the rest counted."""
    theirs = Said("helper.note.somebody_else", {"settings": "vm.swappiness=60 " * 99})
    left = [Result("vm.swappiness", "sda", "foreign", "1", "2", notes=(theirs,))] * 300
    error = HelperError("Refused", not_all_back(told("no room"), left), id="vm.swappiness")
    notice = Said("helper.start.failed", {"reason": error.whole})
    assert read_said(json.loads(encode(notice))) == notice
    assert str(notice).endswith(" and 280 more")


def test_a_text_of_another_version_is_shown_with_its_values() -> None:
    """An id that is not known, and a known one with other places."""
    assert str(Said("helper.of_tomorrow", {"name": "sda", "count": 75_214})) == (
        "helper.of_tomorrow (count: 75,214; name: sda)"
    )
    assert str(Said("helper.note.lost", {"what": "x"})) == "helper.note.lost (what: x)"


def test_texts_have_plain_places_only() -> None:
    """Nothing in a text looks into a value, and no place asks the application for a unit."""
    for id_, text in TEXTS.items():
        for _, place, form, conversion in string.Formatter().parse(text):
            assert not form, id_
            assert not conversion, id_
            assert place is None or place.isidentifier(), id_
            assert place not in {"group", "cause", "confidence", "who", "quiet", "busy"}, id_
            endings = ("_bytes", "_ms", "_pct", "_s", "per_s", "celsius", "sentence", "sentences")
            assert not (place or "").endswith(endings), id_


@given(saids, st.sampled_from(["", "vm.swappiness"]), st.sampled_from(["", "sda"]))
@example(Said("helper.entry", {"reason": Said("helper.absent.device")}), "", "")
def test_an_error_is_the_same_on_the_other_side(said: Said, id_: str, device: str) -> None:
    """Its name, why, and the entry that failed; its line in English begins with the entry."""
    device = device if id_ else ""
    error = HelperError("Refused", said, id=id_, device=device)
    again = error_of("Refused", decode(Said, encode(error.whole)))
    assert str(again) == str(error)
    assert str(error).endswith(error.reason)
    if said.id not in {"helper.entry", "helper.entry_on"}:
        assert (again.id, again.device) == (id_, device)
