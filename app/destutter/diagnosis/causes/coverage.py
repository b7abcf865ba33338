# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured on this computer and what is not, with the reason."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from destutter.core.metric_table import METRICS
from destutter.core.metrics import Metrics
from destutter.core.probes import probe_fact
from destutter.core.sample import Facts, Header, Layout, Trouble
from destutter.core.sandbox import NAME as FLATPAK
from destutter.core.statement import Statement, told
from destutter.core.traced import FOLLOWED, MISSING, SOURCE, TraceLook
from destutter.diagnosis.causes.cause import CauseSpec
from destutter.diagnosis.finding import NotMeasured
from destutter.words.catalogue import find_text
from destutter.words.language import ENGLISH

FRAMES = "frames"
"""Stands beside the names of sources: the game's frame times."""

_NO_GAME = Statement("coverage.no_game")
_NO_GROUP = Statement("coverage.no_group")
_NO_CLIENT = Statement("coverage.no_client")

_HIDDEN = Statement("coverage.hidden")

_WHY_SILENT = {
    FRAMES: Statement("coverage.no_frames"),
    "wakeup": Statement("coverage.no_wakeup"),
    "write": Statement("coverage.no_write"),
    "game": _NO_GAME,
    "thread": _NO_GAME,
    "game_status": _NO_GAME,
    "game_wait": _NO_GAME,
    "blocked_thread": _NO_GAME,
    "unusual_thread": _NO_GAME,
    "holder": _NO_GAME,
    "partner": _NO_GAME,
    "busy_thread": _NO_GAME,
    "game_cgroup": _NO_GROUP,
    "game_pressure": _NO_GROUP,
    "gpu_engine": _NO_CLIENT,
    "gpu_region": _NO_CLIENT,
    "process": Statement("coverage.too_short"),
    "gpu_stretch": Statement("coverage.uncounted_card"),
    "gpu_process": Statement("coverage.uncounted_card"),
}
"""What it means that nothing came of a source, not even word that it is missing."""

_WHY_EMPTY = {
    "vmstat": Statement("coverage.no_vmstat"),
    "pressure": Statement("coverage.no_pressure"),
    "disk": Statement("coverage.no_disk"),
    "stat": Statement("coverage.no_stat"),
    "kernel_thread": Statement("coverage.no_kernel_threads"),
    "swap": Statement("coverage.no_swap"),
    "zram": Statement("coverage.no_zram"),
    "realtime": Statement("coverage.no_realtime"),
    "realtime_run": Statement("coverage.no_realtime"),
    "gpu": Statement("coverage.no_gpu"),
    "gpu_process": Statement("coverage.card_not_full"),
    "power": Statement("coverage.no_power"),
}
"""What it means that a source was looked at and has nothing in it."""

_NONE_IS_AN_ANSWER = frozenset({"process"})
"""Sources that list who worked: on a computer at rest nobody did."""

SAMPLED_LOG = Statement("coverage.sampled_log")
_LATE = Statement("coverage.late")
_TOO_FEW = Statement("coverage.too_few")
_STARTING = Statement("coverage.starting")
_NOT_OFFERED = Statement("coverage.not_offered")
_LISTED = (FRAMES, "wakeup", "pressure", "disk", "vmstat", "stat", "game", "gpu", "power")
_OF_THE_GAME = frozenset(
    source for source, why in _WHY_SILENT.items() if why in (_NO_GAME, _NO_GROUP, _NO_CLIENT)
)
_PARTS_OF_CARD = ("gpu_stretch", "gpu_process")  # without a card that is said once
_POWER_SOURCES = ("power", "temperature", "throttle", "cpufreq")

_METRICS_OF: dict[str, frozenset[str]] = {
    source: frozenset(spec.id for spec in METRICS if spec.source == source)
    for source in {spec.source for spec in METRICS}
}

_LEAST_LOST_NS = 1_000_000_000  # the first look may lose a quarter second before it is read


class Coverage:
    """Keeps account of the sources that delivered, and of those that said why they cannot."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._unseen = dict(_METRICS_OF)
        self._looked_at: dict[str, bool] = {}
        self._troubles: dict[str, Statement] = {}
        self._leaves_frames_out = False
        self._lost_ns = 0
        self.machine: Mapping[str, Any] = {}
        self.facts: dict[str, str] = {}

    @property
    def is_virtual_machine(self) -> bool:
        """Whether the computer is a guest, where the host's power and time are invisible."""
        name = self.facts.get("machine.virtual") or self.machine.get("virtual_machine")
        return name not in (None, "", "no")

    @property
    def hides_games(self) -> bool:
        """Whether a sandbox keeps other programs out of sight, and nobody has shown us a game."""
        return self.machine.get("sandbox") == FLATPAK and "game.pid" not in self.facts

    def accept_header(self, header: Header) -> None:
        """Take in what the stream says about the machine."""
        self.machine = header.machine

    def accept_facts(self, facts: Facts) -> None:
        """Take in facts; an empty text takes one back."""
        for name, value in facts.facts.items():
            if value:
                self.facts[name] = value
            else:
                self.facts.pop(name, None)

    def accept_layout(self, layout: Layout) -> None:
        """Take in that a source was looked at, and whether there was anything in it."""
        self._looked_at[layout.source] = layout.width > 0
        if layout.source in _NONE_IS_AN_ANSWER:
            self._seen.add(layout.source)

    def accept_trouble(self, trouble: Trouble) -> None:
        """Take in why a source cannot deliver; without a reason it is taken back."""
        if trouble.reason is not None:
            self._troubles[trouble.source] = trouble.reason
        else:
            self._troubles.pop(trouble.source, None)

    def accept_frames(self, *, are_sampled: bool = False) -> None:
        """Note that frame times arrive. With most of them left out, frames are not measured."""
        self._leaves_frames_out = are_sampled
        if are_sampled:
            self._seen.discard(FRAMES)
        else:
            self._seen.add(FRAMES)

    def accept_metrics(self, metrics: Metrics) -> None:
        """Note the sources that delivered a value."""
        present = metrics.values.keys() | metrics.instanced.keys()
        for source in [name for name, ids in self._unseen.items() if ids & present]:
            if any(_has_value(metrics, metric) for metric in self._unseen[source] & present):
                self._seen.add(source)
                del self._unseen[source]

    def accept_look(self, look: TraceLook) -> None:
        """Note for how long a look at the trace lost events, wherever."""
        covered_ns = look.begin_ns
        for loss in sorted(look.losses, key=lambda each: each.begin_ns):
            self._lost_ns += max(0, loss.end_ns - max(loss.begin_ns, covered_ns))
            covered_ns = max(covered_ns, loss.end_ns)

    def is_seen(self, *sources: str) -> bool:
        """Whether any of the sources has delivered a value."""
        return any(source in self._seen for source in sources)

    def why_not(self, source: str) -> Statement:
        """Why a source is not measured, in one sentence.

        What is missing here is told apart from what was not read in time: on a computer that has
        no time for anything, nothing may be said to be missing.
        """
        is_power = source in _POWER_SOURCES
        if source == FRAMES and self._leaves_frames_out:
            return SAMPLED_LOG
        if source in _OF_THE_GAME and self.hides_games:
            return _HIDDEN
        if is_power and self.is_virtual_machine:
            return Statement("coverage.virtual_power")
        for name in (source, *_POWER_SOURCES) if is_power else (source,):
            if reason := self._troubles.get(name):
                return reason
        has_anything = self._looked_at.get(source)
        if has_anything is not None:
            return _TOO_FEW if has_anything else _WHY_EMPTY.get(source, _NOT_OFFERED)
        if self.facts.get(probe_fact(source)):
            return _STARTING
        why = _WHY_SILENT.get(source, _LATE)
        return _LATE if why == _NO_GAME and self.facts.get("game.pid") else why

    def not_measured(self, causes: Iterable[CauseSpec]) -> list[NotMeasured]:
        """What is missing: sources first, then the causes that need them."""
        missing = [
            source
            for source in _LISTED
            if not self.is_seen(*(_POWER_SOURCES if source == "power" else (source,)))
        ]
        found = [NotMeasured(name_of_source(source), self.why_not(source)) for source in missing]
        found += [
            NotMeasured(name_of_source(source), reason)
            for source, reason in self._troubles.items()
            if source not in missing and source not in (*_POWER_SOURCES, *_PARTS_OF_CARD)
        ]
        if self._lost_ns >= _LEAST_LOST_NS:
            why = Statement("coverage.trace_lost", {"span_s": round(self._lost_ns / 1e9)})
            found.append(NotMeasured(name_of_source(SOURCE), why))
        for spec in causes:
            name = Statement(f"cause.{spec.id}")
            if self._is_traced(spec.traced_by):
                continue
            if spec.unmeasurable is not None:
                found.append(NotMeasured(name, spec.unmeasurable))
                continue
            lacking = self.lacking(spec)
            if lacking is not None:
                found.append(NotMeasured(name, self.why_not(lacking)))
        return list(dict.fromkeys(found))

    def _is_traced(self, event: str) -> bool:
        """Whether a trace of a game runs, and has this event."""
        missing = self.facts.get(MISSING, "").split(",")
        return bool(event) and FOLLOWED in self.facts and event not in missing

    def lacking(self, spec: CauseSpec, also: AbstractSet[str] = frozenset()) -> str | None:
        """A source without which a cause cannot be measured; None when it can.

        ``also`` are sources that deliver, but have not for long enough to be told from here. One
        that is missing is named before one that gave too little yet.
        """
        gaps = [sorted(needed - self._seen - also, key=self._is_there) for needed in spec.needs]
        if not gaps or any(not gap for gap in gaps):
            return None
        return min(gaps, key=len)[0]

    def _is_there(self, source: str) -> tuple[bool, str]:
        return self._looked_at.get(source, False), source


def name_of_source(source: str) -> Statement:
    """The name of a source; one of a newer version is called by its id."""
    id_ = f"source.{source}"
    return Statement(id_) if find_text(ENGLISH, id_) is not None else told(source)


def _has_value(metrics: Metrics, metric: str) -> bool:
    instances = metrics.instanced.get(metric, {})
    return metrics.values.get(metric) is not None or any(
        value is not None for value in instances.values()
    )
