# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's trace tells of a wait or a request, in words: the same in every table."""

from collections.abc import Sequence
from typing import NamedTuple

from destutter.core.statement import Statement, Value
from destutter.core.traced import SlowRequest, TracedThread, TracedWait
from destutter.words.renderer import Renderer

_REST_NS = 1_000_000  # no drive falls asleep in less


class TracedWords(NamedTuple):
    """What it was, who waited, and what else is known; texts may be empty."""

    what: str
    who: str
    more: str


def wait_words(words: Renderer, wait: TracedWait) -> TracedWords:
    """Behind whom or because of which drive a thread waited."""
    more = wait.device
    if wait.behind is not None:
        id_ = "behind_realtime" if wait.is_behind_realtime else "behind"
        more = _say(words, id_, name=called(wait.behind))
    return TracedWords(_say(words, f"wait.{wait.kind}"), called(wait.thread), more)


def request_words(
    words: Renderer, request: SlowRequest, folders: Sequence[str] = ()
) -> TracedWords:
    """Which request of whom, where it spent its time, and for how long the drive had rested.

    ``folders`` are where file systems of its drive are mounted.
    """
    if request.is_written_back:
        who = _say(words, "written_back")
    else:
        who = _say(words, "nobody") if request.thread is None else called(request.thread)
    parts = []
    if request.queue_ns is not None:
        parts.append(_say(words, "queued", queue_ms=request.queue_ns / 1e6))
    parts.append(_say(words, "in_drive", device_ms=request.device_ns / 1e6))
    if request.idle_ns is not None and request.idle_ns >= _REST_NS:
        parts.append(_say(words, "idle", idle_ms=request.idle_ns / 1e6))
    operation = _say(words, f"operation.{request.operation}")
    what = _say(words, "request", operation=operation, device=request.device)
    if folders:
        what = _say(words, "mounted", request=what, folders=words.enumerated(folders))
    return TracedWords(what, who, words.enumerated(parts))


def called(thread: TracedThread) -> str:
    return f"{thread.name} {thread.tid}" if thread.name else str(thread.tid)


def _say(words: Renderer, id_: str, **values: Value) -> str:
    return words.text(Statement(f"tracing.{id_}", values))
