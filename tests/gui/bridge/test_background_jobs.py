# SPDX-License-Identifier: GPL-3.0-or-later
"""Work outside the window's thread."""

import logging
import sys
import threading

from destutter.bridge.background_jobs import Job, JobCancelled, Jobs
from destutter.core.statement import Statement
from destutter.session.format import RecordingError


def test_answer_comes_in_the_windows_thread(qtbot) -> None:
    """The work runs elsewhere, its answer and its progress arrive here."""
    jobs = Jobs()
    threads: list[int] = []

    def work(job: Job) -> str:
        threads.append(threading.get_ident())
        job.progress(0.5)
        return "done"

    job = jobs.start(work)
    told: list[float] = []
    job.progressed.connect(told.append)
    with qtbot.waitSignal(job.done) as done:
        pass
    assert done.args == ["done"]
    assert told == [0.5]
    assert threads[0] != threading.get_ident()
    jobs.stop()


def test_expected_error_is_told_in_its_words(qtbot) -> None:
    """What the job names is for people."""
    jobs = Jobs()

    def work(_job: Job) -> None:
        raise RecordingError(Statement("session.disk_full"))

    with qtbot.waitSignal(jobs.start(work, RecordingError).failed) as failed:
        pass
    assert failed.args == [Statement("session.disk_full")]
    jobs.stop()


def test_unexpected_error_is_logged_and_told(qtbot, caplog) -> None:
    """A bug is not lost with its thread."""
    jobs = Jobs()

    def work(_job: Job) -> None:
        raise KeyError("bug")

    with caplog.at_level(logging.ERROR):
        with qtbot.waitSignal(jobs.start(work, RecordingError).failed) as failed:
            pass
        jobs.stop()
    assert failed.args == [Statement("bridge.job_failed")]
    assert "bug" in caplog.text


def test_cancelled_work_ends_and_says_nothing(qtbot) -> None:
    """It notices at its next look."""
    jobs = Jobs()
    begun, ended = threading.Event(), threading.Event()

    def work(job: Job) -> None:
        begun.set()
        try:
            while True:
                job.check()
        except JobCancelled:
            ended.set()
            raise

    job = jobs.start(work)
    assert begun.wait(5)
    with qtbot.assertNotEmitted(job.done), qtbot.assertNotEmitted(job.failed):
        job.cancel()
        assert ended.wait(5)
        jobs.stop()


def test_an_answer_that_is_under_way_is_not_told_to_who_cancelled(qtbot) -> None:
    """Whoever reads the next thing meanwhile would take it for the answer to that."""
    jobs = Jobs()
    is_next = threading.Event()
    job = jobs.start(lambda _job: "the first")
    following = jobs.start(lambda _job: is_next.set())
    assert is_next.wait(5)  # one after the other: the first answer has left the thread
    with qtbot.assertNotEmitted(job.done), qtbot.waitSignal(following.done):
        job.cancel()
    jobs.stop()


def test_interpreter_is_as_before_when_all_have_done(qtbot) -> None:
    """Threads take short turns only while somebody reads."""
    before = sys.getswitchinterval()
    one, other = Jobs(), Jobs()
    go_on = threading.Event()
    first = one.start(lambda _job: go_on.wait(5))
    second = other.start(lambda _job: None)
    assert sys.getswitchinterval() < before
    with qtbot.waitSignal(second.ended):
        pass
    assert sys.getswitchinterval() < before
    with qtbot.waitSignal(first.ended):
        go_on.set()
    assert sys.getswitchinterval() == before
    one.stop()
    other.stop()
    other.start(lambda _job: None)
    other.stop()
    assert sys.getswitchinterval() == before
