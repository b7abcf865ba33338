# SPDX-License-Identifier: GPL-3.0-or-later
"""A look at the trace as lines of a table, or as JSON."""

import dataclasses
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic_ns
from typing import Any

from destutter.analysis.examining.longest_path import KnownPath
from destutter.analysis.examining.traced_sums import TracedSums
from destutter.core.statement import Statement, Value
from destutter.core.traced import (
    FILE,
    GPU,
    INTERRUPT,
    FilesystemCommit,
    SlowRequest,
    TracedMoment,
    TracedWait,
    TraceLook,
    TraceLoss,
)
from destutter.words.columns import to_left, to_right
from destutter.words.renderer import Renderer
from destutter.words.traced import called, request_words, wait_words
from destutter_helper.api.tracing import DRIVES, EXPERT, GAME, WAITS

_PARTLY = {
    WAITS: "partly.waits",
    DRIVES: "partly.drives",
    GAME: "partly.game",
    EXPERT: "partly.expert",
}
"""What is said of a loss, by the instance that it was in."""

_TALLIED = {
    INTERRUPT: "interrupt",
    GPU: "gpu",
    FILE: "file",
}
"""What stands above the sums of each kind."""

_WIDTHS = (12, 9, 30, 24)  # time, length, what, who; then what else is known

_Row = tuple[int, str, str, str, str]
"""When it ended in ns, how long it was, what, who, and what else is known."""


class TraceTable:
    """Writes looks in the words of a language. ``game`` None: the waits of all threads."""

    def __init__(self, words: Renderer, game: int | None) -> None:
        self._words = words
        self._game = game
        self._begin_ns = monotonic_ns()
        self._begin = datetime.now(UTC).astimezone()
        self._sums = TracedSums()
        self._waits = self._slow = self._lost = self._requests = 0

    def head(self, missing: Sequence[str]) -> Iterator[str]:
        """What the columns are, and what this kernel does not tell."""
        if missing:
            yield self._say("missing", events=", ".join(missing))
        names = ("time", "length", "what", "who", "more")
        yield self._line(*(self._say(f"head.{name}") for name in names))

    def lines(self, look: TraceLook) -> Iterator[str]:
        """What was found, in the order in which it ended."""
        self._count(look)
        rows = [self._wait(each) for each in look.waits if self._is_wanted(each)]
        self._waits += len(rows)
        rows += map(self._request, look.requests)
        rows += map(self._commit, look.commits)
        rows += map(self._moment, look.moments)
        rows += map(self._loss, look.losses)
        for end_ns, *cells in sorted(rows):
            yield self._line(self._clock(end_ns), *cells)
        if look.untold:
            yield self._say("untold", count=look.untold)

    def status(self) -> str:
        """What was seen so far: that nothing takes long is told by no line."""
        return self._say("status", events=self._sums.events, requests=self._requests)

    def end(self) -> Iterator[str]:
        """What it was in all, and what it cost."""
        sums = self._sums
        if sums.is_empty:
            return
        yield ""
        yield self._say("total", waits=self._waits, slow=self._slow, requests=self._requests)
        if sums.partly_ns:
            partly = self._words.measures.duration(sums.partly_ns / 1e9)
            yield self._say("total_lost", count=self._lost, partly=partly)
        if sums.taken_ns:
            yield self._say("cost", events=sums.events, cpu_pct=round(sums.cost_pct, 2))
        for kind in _TALLIED:
            yield from self._tallied(kind)

    def path(self, known: KnownPath | None) -> Iterator[str]:
        """The longest sleep that no signal ends, and its way through the kernel."""
        if known is None:
            return
        sleep = known.sleep
        yield ""
        values: dict[str, Value] = {
            "who": called(sleep.thread),
            "length_ms": _ms(sleep.duration_ns),
        }
        yield self._say("path" if known.functions else "path.unknown", **values)
        for function in known.functions:
            yield f"  {function}"

    def _tallied(self, kind: str) -> Iterator[str]:
        """What was added up of a kind, the most first."""
        found = self._sums.of(kind)
        if found:
            yield ""
            yield self._say(f"tally.head.{_TALLIED[kind]}")
        for each in found:
            values: dict[str, Value] = {"count": each.count, "name": each.name}
            if kind != FILE:
                values |= {"total_ms": _ms(each.total_ns), "longest_ms": _ms(each.longest_ns)}
            yield self._say("tally.file" if kind == FILE else "tally", **values)

    def _count(self, look: TraceLook) -> None:
        self._sums.accept_looks((look,))
        self._requests += look.counts.get("requests", 0)
        self._slow += len(look.requests)
        self._lost += sum(each.events or 0 for each in look.losses)

    def _is_wanted(self, wait: TracedWait) -> bool:
        # ksoftirqd and other threads of the kernel wait too, and the game behind them.
        return self._game is None or wait.thread.pid == self._game or wait.kind == "core"

    def _wait(self, wait: TracedWait) -> _Row:
        end_ns = wait.begin_ns + wait.duration_ns
        return self._row(end_ns, wait.duration_ns, *wait_words(self._words, wait))

    def _request(self, request: SlowRequest) -> _Row:
        end_ns = request.begin_ns + request.duration_ns
        return self._row(end_ns, request.duration_ns, *request_words(self._words, request))

    def _commit(self, commit: FilesystemCommit) -> _Row:
        what = self._say("commit", filesystem=commit.filesystem, device=commit.device)
        if commit.locked_ns is None or commit.flushing_ns is None or commit.logging_ns is None:
            return self._row(commit.end_ns, None, what, "", "")
        phases = (commit.locked_ns, commit.flushing_ns, commit.logging_ns)
        locked, flushing, logging = map(_ms, phases)
        more = self._say("phases", locked_ms=locked, flushing_ms=flushing, logging_ms=logging)
        return self._row(commit.end_ns, sum(phases), what, "", more)

    def _moment(self, moment: TracedMoment) -> _Row:
        who = "" if moment.thread is None else called(moment.thread)
        return self._row(
            moment.at_ns, None, self._say(f"moment.{moment.kind}"), who, moment.device
        )

    def _loss(self, loss: TraceLoss) -> _Row:
        more = "" if loss.events is None else self._say("lost", count=loss.events)
        what = self._say(_PARTLY.get(loss.instance, "partly"))
        return self._row(loss.end_ns, loss.end_ns - loss.begin_ns, what, "", more)

    def _row(self, end_ns: int, length_ns: int | None, what: str, who: str, more: str) -> _Row:
        length = "" if length_ns is None else self._words.measures.milliseconds(_ms(length_ns))
        return end_ns, length, what, who, more

    def _line(self, when: str, length: str, what: str, who: str, more: str) -> str:
        cells = (
            to_left(when, _WIDTHS[0]),
            to_right(length, _WIDTHS[1]),
            to_left(what, _WIDTHS[2]),
            to_left(who, _WIDTHS[3]),
            more,
        )
        return "  ".join(cells).rstrip()

    def _clock(self, time_ns: int) -> str:
        since = timedelta(microseconds=(time_ns - self._begin_ns) // 1000)
        return f"{self._begin + since:%H:%M:%S.%f}"[:-3]

    def _say(self, id_: str, **values: Value) -> str:
        return self._words.text(Statement(f"tracing.{id_}", values))


def look_json(look: TraceLook) -> dict[str, Any]:
    """The look with the names of its values, as ``core.traced`` explains them."""
    return dataclasses.asdict(look)


def _ms(time_ns: int) -> float:
    return time_ns / 1e6
