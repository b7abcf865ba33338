# SPDX-License-Identifier: GPL-3.0-or-later
"""What a client may send, and how a wrong request is answered."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api.names import REQUEST_MAX_BYTES, HelperError
from destutter_helper.api.payload import (
    Change,
    ChangeSet,
    Plan,
    PlanStep,
    Result,
    Results,
    State,
    Tunables,
    TunableState,
    UndoRequest,
    decode,
    encode,
    read_change_set,
    read_undo_request,
)
from tests.support.said_texts import saids

texts = st.text(max_size=20)
optional = st.none() | texts
told = st.lists(saids, max_size=2).map(tuple)
results = st.builds(Result, texts, texts, texts, optional, optional, texts, told)
tunable_states = st.builds(TunableState, unavailable=st.none() | saids)
PAYLOADS = st.one_of(
    st.builds(ChangeSet, st.lists(st.builds(Change, texts, texts, texts)).map(tuple)),
    st.builds(Results, st.lists(results, max_size=3).map(tuple)),
    st.builds(
        State,
        texts,
        st.integers(0, 600),
        st.integers(-1, 2**31),
        texts,
        st.lists(results, max_size=2).map(tuple),
        st.lists(results, max_size=2).map(tuple),
        st.lists(st.builds(Change, texts, texts, texts), max_size=2).map(tuple),
        told,
        told,
    ),
    st.builds(
        Plan,
        st.lists(st.builds(PlanStep, texts, texts, optional, texts), max_size=2).map(tuple),
        told,
        told,
        told,
        texts,
    ),
    st.builds(Tunables, st.lists(tunable_states, max_size=2).map(tuple)),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(PAYLOADS)
def test_every_payload_survives_the_wire(payload: object) -> None:
    """decode(encode(x)) is x."""
    assert decode(type(payload), encode(payload)) == payload


def _error_of(text: str) -> HelperError | None:
    try:
        change_set = read_change_set(text)
    except HelperError as error:
        return error
    assert 1 <= len(change_set.changes) <= 64
    return None


@given(st.text() | json_values.map(json.dumps))
def test_any_text_is_a_change_set_or_a_named_error(text: str) -> None:
    """Nothing that a client can send raises anything but a named error with a reason."""
    error = _error_of(text)
    if error is not None:
        assert error.name in {"InvalidArgument", "TooLarge"}
        assert error.reason
        assert str(error).isprintable()


@given(
    st.fixed_dictionaries({"changes": st.lists(json_values, max_size=3)})
    | st.fixed_dictionaries(
        {
            "changes": st.lists(
                st.fixed_dictionaries({"id": json_values, "value": json_values}), max_size=3
            )
        }
    )
)
def test_wrong_types_inside_are_named_with_their_place(request_: object) -> None:
    """A number where a text belongs is refused, and the error says in which entry."""
    error = _error_of(json.dumps(request_))
    if error is not None:
        assert "changes" in error.reason or "JSON" in error.reason


def _refusal(text: str) -> HelperError:
    with pytest.raises(HelperError) as caught:
        read_change_set(text)
    return caught.value


def _one(**more: object) -> str:
    return json.dumps({"changes": [{"id": "vm.swappiness", "value": "10"} | more]})


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("", "InvalidArgument", "not valid JSON"),
        ("[]", "InvalidArgument", "not an object"),
        ('{"changes": []}', "InvalidArgument", "1 to 64, not 0"),
        ('{"changes": 1}', "InvalidArgument", "changes: is not a list"),
        ('{"changes": [1]}', "InvalidArgument", "changes[0]: is not an object"),
        (_one(value=10), "InvalidArgument", "changes[0].value: is not of type str"),
        (_one(value=True), "InvalidArgument", "changes[0].value"),
        (_one(value=None), "InvalidArgument", "changes[0].value"),
        (_one(value=1.5), "InvalidArgument", "1.5 is not a whole one"),
        ('{"changes": [NaN]}', "InvalidArgument", "NaN is not a whole one"),
        (_one(path="/etc/passwd"), "InvalidArgument", "'path' is not known"),
        ('{"changes": [], "changes": []}', "InvalidArgument", "'changes' is there twice"),
        ('{"changes": [{"value": "1"}]}', "InvalidArgument", "'id' is missing"),
        (_one(id="vm.swappiness\n"), "InvalidArgument", "changes[0].id"),
        (_one(id="../kernel/core_pattern"), "InvalidArgument", "changes[0].id"),
        (_one(id="v" * 97), "InvalidArgument", "changes[0].id"),
        (_one(device="../../kernel"), "InvalidArgument", "changes[0].device"),
        (_one(device="sd\x00a"), "InvalidArgument", "changes[0].device"),
        (_one(value='10", RUN+="/tmp/x'), "InvalidArgument", "changes[0].value"),
        (_one(value="10\n"), "InvalidArgument", "changes[0].value"),
        (_one(value=""), "InvalidArgument", "changes[0].value"),
        (_one(value="1" * 33), "InvalidArgument", "changes[0].value"),
        (_one(value="\u0661\u0660"), "InvalidArgument", "changes[0].value"),
        ("[" * 20000, "TooLarge", "16384"),
        ("[" * 10000, "InvalidArgument", "not valid JSON"),
        ('"' + "ü" * 9000 + '"', "TooLarge", "16384"),
        ("1" * 10000, "InvalidArgument", "not valid JSON"),
    ],
)
def test_bad_requests_are_refused_with_a_reason(text: str, name: str, words: str) -> None:
    """Each kind of bad request has its error and says what is wrong, and where."""
    error = _refusal(text)
    assert error.name == name
    assert words in str(error)


def test_sixty_five_changes_are_too_many() -> None:
    """A set has at most 64 changes."""
    changes = [{"id": f"vm.x{number}", "value": "1"} for number in range(65)]
    assert "not 65" in str(_refusal(json.dumps({"changes": changes})))


def test_the_same_setting_twice_is_refused_by_name() -> None:
    """Two wishes for one setting have no order, so neither is done."""
    change = {"id": "block.scheduler", "device": "sda", "value": "none"}
    error = _refusal(json.dumps({"changes": [change, change | {"value": "bfq"}]}))
    assert (error.id, error.device) == ("block.scheduler", "sda")


def test_the_longest_request_is_read() -> None:
    """64 changes with long names still fit into one request."""
    changes = [
        {"id": f"block.iosched.read_expire{number:02}", "device": "nvme0n1", "value": "100"}
        for number in range(64)
    ]
    text = json.dumps({"changes": changes})
    assert len(text) < REQUEST_MAX_BYTES
    assert len(read_change_set(text).changes) == 64


def test_undo_request_defaults_to_everything() -> None:
    """An empty object means: undo everything, force nothing."""
    assert read_undo_request("{}") == UndoRequest(None, (), ())


def test_undo_request_names_are_checked() -> None:
    """A name in an undo has the form of an id with an optional device."""
    request = read_undo_request('{"ids": ["block.scheduler@sda"], "force": ["vm.swappiness"]}')
    assert request.ids == ("block.scheduler@sda",)
    with pytest.raises(HelperError, match=r"force\[0\]"):
        read_undo_request('{"force": ["a b"]}')


def test_reply_limit_is_larger_than_the_request_limit() -> None:
    """The list of settings of a computer with many drives is longer than a request may be."""
    state = TunableState("i" * 60, "d", "l", "", "int", "1", 0, 1, (), None, None, "")
    many = Tunables((state,) * 200)
    assert len(encode(many)) > REQUEST_MAX_BYTES
    assert decode(Tunables, encode(many)) == many
