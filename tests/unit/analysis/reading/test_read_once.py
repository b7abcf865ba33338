# SPDX-License-Identifier: GPL-3.0-or-later
"""Several that look at one recording read it once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from destutter.analysis.reading import read_once
from destutter.analysis.reading.read_once import ReadOnce
from tests.support.sessions import summary

SUMMARY = summary(np.full(600, 16.7), "a")
WAIT_S = 10


class LeftError(Exception):
    """Nobody wants it any more."""


class Reading:
    """Reads when it is let to, and counts how often."""

    def __init__(self) -> None:
        self.count = 0
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.error: Exception | None = None

    def __call__(self, tell):
        self.count += 1
        tell(0.25)
        self.begun.set()
        assert self.may_end.wait(WAIT_S)
        if self.error is not None:
            raise self.error
        return SUMMARY


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Who waits looks often."""
    monkeypatch.setattr(read_once, "_LOOK_S", 0.001)


@pytest.fixture
def pool():
    """Threads of the examiners."""
    with ThreadPoolExecutor(3) as made:
        yield made


def test_who_comes_second_waits_and_hears_how_far_it_is(pool):
    """Guide, verdict and page of sessions, at the end of one trial."""
    once, reading, heard = ReadOnce(), Reading(), threading.Event()
    first = pool.submit(once.read, "a", reading, lambda _share: None, lambda: None)
    assert reading.begun.wait(WAIT_S)

    def tell(share):
        if share == 0.25:
            heard.set()

    others = [pool.submit(once.read, "a", reading, tell, lambda: None) for _ in range(2)]
    assert heard.wait(WAIT_S)
    reading.may_end.set()
    assert [each.result(WAIT_S) for each in (first, *others)] == [SUMMARY] * 3
    assert reading.count == 1
    assert once.known("a") is SUMMARY


def test_another_file_does_not_wait(pool):
    """It is read beside the first."""
    once, slow, other = ReadOnce(), Reading(), Reading()
    first = pool.submit(once.read, "a", slow, lambda _share: None, lambda: None)
    assert slow.begun.wait(WAIT_S)
    other.may_end.set()
    assert once.read("b", other, lambda _share: None, lambda: None) is SUMMARY
    slow.may_end.set()
    assert first.result(WAIT_S) is SUMMARY


def test_who_waits_may_leave(pool):
    """The page was left; the first one reads on."""
    once, reading = ReadOnce(), Reading()
    first = pool.submit(once.read, "a", reading, lambda _share: None, lambda: None)
    assert reading.begun.wait(WAIT_S)

    def leave():
        raise LeftError

    with pytest.raises(LeftError):
        once.read("a", reading, lambda _share: None, leave)
    reading.may_end.set()
    assert first.result(WAIT_S) is SUMMARY


def test_when_the_first_one_fails_the_next_one_reads(pool):
    """It may have been cancelled, which is nothing to the others."""
    once, failing, reading = ReadOnce(), Reading(), Reading()
    failing.error = LeftError()
    first = pool.submit(once.read, "a", failing, lambda _share: None, lambda: None)
    assert failing.begun.wait(WAIT_S)
    second = pool.submit(once.read, "a", reading, lambda _share: None, lambda: None)
    failing.may_end.set()
    with pytest.raises(LeftError):
        first.result(WAIT_S)
    reading.may_end.set()
    assert second.result(WAIT_S) is SUMMARY
    assert (failing.count, reading.count) == (1, 1)


def test_the_oldest_is_forgotten():
    """A folder of hundreds is not kept in memory; what was looked at again stays."""
    once, reading = ReadOnce(), Reading()
    reading.may_end.set()
    for key in ("a", "b", "c", "d", "e", "f", "a", "g"):
        once.read(key, reading, lambda _share: None, lambda: None)
    assert reading.count == 7
    assert once.known("b") is None
    assert once.known("a") is once.known("g") is SUMMARY
