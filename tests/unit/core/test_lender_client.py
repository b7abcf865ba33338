# SPDX-License-Identifier: GPL-3.0-or-later
"""A lender that answers what nobody asked: any program of the user's may take its name."""

import contextlib
import json
import os
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core import lender_client
from destutter.core.bus_caller import BusCallError
from destutter.core.lender_client import LenderAwayError, LenderClient
from destutter.core.statement import Statement
from destutter_helper.api import lending
from tests.support.bus_kit import eventually

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
    eventually(lambda: not any(map(is_open, ends)))
    client.close()


class OnPipes(LenderClient):
    """Is given these ends as a channel."""

    def __init__(self, requests: int, answers: int) -> None:
        super().__init__("unix:path=/nowhere")
        self._ends = [requests, answers]

    def _call(self, member: str, signature: str = "", *arguments: object) -> list[object]:
        return [self._ends]


@pytest.fixture
def channel() -> Iterator[tuple[int, int, int, int]]:
    """Both ends of a request's pipe and of an answer's; those of the lender are closed here."""
    theirs, requests = os.pipe()
    answers, ours = os.pipe()
    yield requests, answers, theirs, ours
    os.close(theirs)
    os.close(ours)


def test_a_told_answer_has_one_time_however_it_trickles_in(monkeypatch, channel):
    """A byte now and then put off its end: for 36 s a tick waited."""
    monkeypatch.setattr(lender_client, "_TIMEOUT_S", 0.5)
    requests, answers, _theirs, ours = channel
    client = OnPipes(requests, answers)
    is_over = threading.Event()

    def drip() -> None:
        for _ in range(20):
            if is_over.wait(0.1):
                return
            with contextlib.suppress(BrokenPipeError):  # it was given up just now
                os.write(ours, b" ")
        os.write(ours, b'[["","late"]]\n')

    dripping = threading.Thread(target=drip)
    dripping.start()
    with pytest.raises(LenderAwayError, match="does not answer"):
        client.tell([(1, 0, "io")])
    is_over.set()
    dripping.join()
    client.close()


def test_a_request_that_nobody_reads_is_not_waited_for(channel):
    """A pipe that is full already."""
    requests, answers, theirs, _ours = channel
    os.set_blocking(requests, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(requests, bytes(4096))
    os.set_blocking(requests, True)
    client = OnPipes(requests, answers)
    telling = threading.Thread(target=lambda: outcome.append(told_or_not(client)))
    outcome: list[object] = []
    telling.start()
    try:
        eventually(lambda: outcome)
    finally:
        os.set_blocking(theirs, False)
        while not outcome:
            with contextlib.suppress(BlockingIOError):
                os.read(theirs, 1 << 16)
        telling.join()
        client.close()
    assert outcome == ["away"]


def told_or_not(client: LenderClient) -> object:
    """What it tells."""
    try:
        return client.tell([(1, 0, "io")])
    except LenderAwayError:
        return "away"


def test_an_answer_without_an_end_is_cut_off(monkeypatch, channel):
    """At the length of the longest that there is."""
    monkeypatch.setattr(lender_client, "_ANSWER_MAX", 100)
    requests, answers, _theirs, ours = channel
    client = OnPipes(requests, answers)
    os.write(ours, b" " * 101 + b"[]\n")
    with pytest.raises(LenderAwayError, match="has gone"):
        client.tell([(1, 0, "io")])
    client.close()


def test_a_channel_is_pipes_or_none(channel):
    """Reading another file may wait, and so may closing it."""
    requests, answers, _theirs, _ours = channel
    os.close(answers)
    file = os.open(os.devnull, os.O_RDWR)
    client = OnPipes(requests, file)
    with pytest.raises(LenderAwayError):
        client.tell([(1, 0, "io")])
    eventually(lambda: not is_open(requests) and not is_open(file))
    client.close()


class OftenBusy:
    """Stands in for a connection to the bus, on which the lender has no time ``times`` times."""

    timeout_s = 15.0

    def __init__(self, times: int, name: str) -> None:
        self.left = times
        self._name = lending.ERROR_PREFIX + name

    def call(self, *_: object, gives: str) -> list[object]:
        """The answer to ListTasks."""
        assert gives == "s"
        if self.left:
            self.left -= 1
            error = BusCallError(Statement("core.not_lent"))
            error.name = self._name
            raise error
        return ["[7]"]


@pytest.mark.parametrize("name", ["Busy", "RateLimited"])
def test_a_lender_that_has_no_time_is_asked_again(monkeypatch, name):
    """On an emulated computer a list of all programs took what a caller may take in a second."""
    monkeypatch.setattr(lender_client, "_AGAIN_S", 0.01)
    client = LenderClient("unix:path=/nowhere")
    monkeypatch.setattr(client, "_caller", OftenBusy(3, name))
    assert client.tasks() == [7]


def test_one_that_never_has_time_is_given_up_for_now(monkeypatch):
    """It is there, and is asked at the next tick."""
    monkeypatch.setattr(lender_client, "_AGAIN_S", 0.01)
    client = LenderClient("unix:path=/nowhere")
    caller = OftenBusy(1 << 30, "Busy")
    caller.timeout_s = 0.05
    monkeypatch.setattr(client, "_caller", caller)
    with pytest.raises(LenderAwayError, match="sandbox"):
        client.tasks()
    caller.left = 0
    assert client.tasks() == [7]
