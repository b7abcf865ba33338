# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading in the background: its answer, its errors, and work that outlives its window."""

import logging
import threading

import shiboken6
from PySide6.QtCore import QObject

from destutter.bridge import background
from destutter.bridge.background import Background


def test_the_answer_comes_into_the_thread_that_asked(qtbot):
    """The work runs elsewhere, the signal here."""
    threads = []

    def work():
        threads.append(threading.current_thread())
        return "read"

    reading = Background(work)
    heard: list[object] = []
    reading.done.connect(lambda answer: heard.append((answer, threading.current_thread())))
    reading.start()
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [("read", threading.main_thread())]
    assert threads != [threading.main_thread()]
    reading.stop()


def test_asked_again_while_it_reads_it_reads_once_more(qtbot):
    """However often: what was read before the last question may be old."""
    may_go = threading.Semaphore(0)
    begun: list[int] = []

    def work():
        begun.append(len(begun))
        may_go.acquire()

    reading = Background(work)
    for _ in range(4):
        reading.start()
    may_go.release(9)
    qtbot.waitUntil(lambda: len(begun) == 2)
    reading.stop()
    assert begun == [0, 1]


def test_an_error_is_logged_and_the_next_question_is_answered(qtbot, caplog):
    """Nobody waits for ever for an answer that cannot come."""
    answers = iter([ZeroDivisionError("of this test"), "read"])

    def work():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    reading = Background(work)
    heard: list[object] = []
    reading.done.connect(heard.append)
    with caplog.at_level(logging.WARNING):
        reading.start()
        qtbot.waitUntil(lambda: "of this test" in caplog.text)
    reading.start()
    qtbot.waitUntil(lambda: heard == ["read"])
    reading.stop()


def test_work_that_hangs_keeps_no_window_from_closing(qapp, monkeypatch):
    """It ends after its window, and there is nobody to tell any more."""
    monkeypatch.setattr(background, "_WAIT_S", 0.01)
    may_go, has_ended = threading.Event(), threading.Event()

    def work():
        may_go.wait(10)
        has_ended.set()
        return "too late"

    window = QObject()
    reading = Background(work, window)
    heard: list[object] = []
    reading.done.connect(heard.append)
    reading.start()
    thread = reading._thread
    assert thread is not None
    reading.stop()
    assert not has_ended.is_set()
    shiboken6.delete(window)
    may_go.set()
    thread.join(10)
    qapp.processEvents()
    assert has_ended.is_set()
    assert heard == []
