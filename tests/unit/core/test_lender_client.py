# SPDX-License-Identifier: GPL-3.0-or-later
"""A lender that answers what nobody asked: any program of the user's may take its name."""

import contextlib
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.lender_client import LenderAwayError, LenderClient

ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


class Answering(LenderClient):
    """Gets this answer to every call, and on the channel."""

    def __init__(self, answer: object) -> None:
        super().__init__("unix:path=/nowhere")
        self._answer = answer
        self._nobody: list[int] = []

    def close(self) -> None:
        """Both sides."""
        super().close()
        for end in self._nobody:
            os.close(end)

    def _call(self, member: str, signature: str = "", *arguments: object) -> list[object]:
        if member == "OpenChannel":
            answers, ours = os.pipe()
            os.write(ours, _json(self) + b"\n")
            os.close(ours)
            nobody, requests = os.pipe()
            self._nobody.append(nobody)
            return [[requests, answers]]
        return [_json(self).decode()]


def _json(client: Answering) -> bytes:
    return json.dumps(client._answer).encode()[:60_000]


def is_open(descriptor: int) -> bool:
    """Whether nobody has closed it."""
    with contextlib.suppress(OSError):
        os.fstat(descriptor)
        return True
    return False


@given(ANSWERS)
def test_any_answer_is_values_of_the_right_kind_or_one_named_error(answer):
    """Whatever stands in it."""
    client = Answering(answer)
    for ask in (
        client.tasks,
        lambda: client.graphics(1),
        lambda: client.program(1),
        lambda: client.tell([(1, 0, "io")]),
    ):
        with contextlib.suppress(LenderAwayError):
            assert isinstance(ask(), list | dict)
    client.close()


def test_an_answer_without_end_of_nesting_is_no_answer():
    """JSON that would use up the stack."""

    class Deep(Answering):
        def _call(self, member: str, signature: str = "", *arguments: object) -> list[object]:
            return ["[" * 100_000]

    assert Deep(None).tasks() == []


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_channel_with_another_number_of_ends_leaves_none_open(monkeypatch, count):
    """Any program of the user's may take the lender's name."""
    client = Answering([])
    ends = [os.open(os.devnull, os.O_RDONLY) for _ in range(count)]
    monkeypatch.setattr(client, "_call", lambda *_: [ends])
    with pytest.raises(LenderAwayError):
        client.tell([(0, 1, "stat")])
    assert not any(map(is_open, ends))
    client.close()
