# SPDX-License-Identifier: GPL-3.0-or-later
"""The five tiles: state, one reason, and the metric behind the small graph."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.statement import Statement, Value
from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.finding import (
    BUSY,
    Confidence,
    Evidence,
    Finding,
    Group,
    GroupState,
    TileState,
)
from destutter.diagnosis.history.drives import drives
from destutter.diagnosis.history.window import KEPT_S, Window
from destutter.diagnosis.stutters.spikes import STUTTER_MS, WAKEUP_LIMIT_MS, SpikeDetector
from destutter.diagnosis.wording import told_with
from destutter.words.catalogue import find_text, places
from destutter.words.language import ENGLISH

_GRAPH_S = 60  # the minute that a tile's small graph shows
_WATCH_NS = 60_000_000_000  # likewise: no tile is "clear" while its graph still shows the cause
_WORTH_WATCHING = frozenset({"tile.cpu.late", "tile.memory.waited", "tile.storage.slow"})
_SOME_WAITING_PCT = 1.0  # 300 ms of it: a game that freezes without frame times is not green

TILE_METRICS = (
    "memory.available_bytes",
    "disk.reads_per_s",
    "disk.read_await_ms",
    "cpu.busy_pct",
    "game.run_delay_ms_per_s",
    "gpu.busy_pct",
    "gpu.vram_used_pct",
    "temperature.celsius",
    "throttle.events_per_s",
    "cpufreq.of_max_pct",
)
"""What tiles show beside the metrics of the rules."""


@dataclass(frozen=True, slots=True)
class View:
    """What a tile may look at.

    ``unexplained_wake_ms`` is the latest wake-up of the last minutes that no cause explains.
    ``has_game``: there is a game that can stutter.
    """

    window: Window
    spikes: SpikeDetector
    coverage: Coverage
    now_ns: int
    unexplained_wake_ms: float | None = None
    has_game: bool = True


@dataclass(frozen=True, slots=True)
class _Tile:
    """One tile as data: it is measured when any of its sources is."""

    group: Group
    sources: tuple[str, ...]
    describe: Callable[[View], tuple[Statement, str | None, str | None]]


def group_states(
    view: View, findings: Sequence[Finding], causing: Mapping[str, int]
) -> tuple[GroupState, ...]:
    """The five tiles in their fixed order.

    ``causing`` has the number of stutters of the last minutes that each cause explains.
    """
    return tuple(_state(tile, view, findings, causing) for tile in _TILES)


def waiting() -> tuple[GroupState, ...]:
    """The tiles while the first seconds are measured."""
    reason = Statement("tile.waiting")
    return tuple(GroupState(tile.group, TileState.NOT_MEASURED, reason) for tile in _TILES)


def _state(
    tile: _Tile, view: View, findings: Sequence[Finding], causing: Mapping[str, int]
) -> GroupState:
    own = [finding for finding in findings if finding.group is tile.group]
    is_seen = view.coverage.is_seen(*tile.sources)
    if not is_seen and not any(causing.get(finding.cause) for finding in own):
        reason = Statement(
            "tile.not_measured", {"why_sentence": view.coverage.why_not(tile.sources[0])}
        )
        return GroupState(tile.group, TileState.NOT_MEASURED, reason)
    clear, metric, instance = tile.describe(view)
    seen = TileState.WATCH if view.has_game else TileState.NOTED
    for finding in own if view.has_game else ():
        # A guess is worth a look, and no answer.
        if causing.get(finding.cause) and finding.confidence is not Confidence.LOW:
            reason = _told("causing", finding, causing[finding.cause])
            is_sure = finding.confidence is Confidence.HIGH
            state = TileState.CAUSING if is_sure else TileState.LIKELY
            return GroupState(tile.group, state, reason, *_shown(finding, metric))
    for finding in own:
        if finding.is_active or view.now_ns - finding.last_ns < _WATCH_NS:
            reason = _told("watch", finding, 0)
            return GroupState(tile.group, seen, reason, *_shown(finding, metric))
    state = seen if clear.id in _WORTH_WATCHING else TileState.CLEAR
    return GroupState(tile.group, state, clear, metric, instance)


def _told(kind: str, finding: Finding, explained: int) -> Statement:
    """The sentence for a finding: its measurements fill the places.

    Not every measurement speaks every time; the plain sentence needs none.
    """
    if finding.kind == BUSY:
        return Statement("tile.watch.busy", {"busy": finding.group.value})
    values: dict[str, Value] = {"explained": explained}
    for evidence in finding.evidence:
        values = {**_places_of(evidence), **values}
    told = told_with(f"tile.{kind}.{finding.told_as}", values)
    spoken = set(values) if find_text(ENGLISH, told.id) is None else places(told.id)
    return Statement(told.id, {key: values[key] for key in spoken | {"explained"}})


def _places_of(evidence: Evidence) -> dict[str, Value]:
    """The places of a template that a measurement fills."""
    values: dict[str, Value] = {}
    if evidence.metric in _PLACES:
        values[_PLACES[evidence.metric]] = evidence.value
    if evidence.instance is not None and METRIC_BY_ID[evidence.metric].source == "disk":
        values["device"] = evidence.instance
    return values


# By metric, since the sentence is about this one: shares of other things are in per cent too.
_PLACES = {
    "memory.dirty_of_threshold_pct": "value_pct",
}


def _shown(finding: Finding, metric: str | None) -> tuple[str | None, str | None]:
    """The graph of a finding is that of its foremost measurement."""
    if not finding.evidence:
        return metric, None
    return finding.evidence[0].metric, finding.evidence[0].instance


def _memory(view: View) -> tuple[Statement, str | None, str | None]:
    metric = "memory.direct_reclaim_per_s"
    waited_pct = view.window.mean("pressure.some_pct", "memory", seconds=KEPT_S) or 0.0
    if waited_pct >= _SOME_WAITING_PCT:
        waited = Statement("tile.memory.waited", {"share_pct": waited_pct})
        return waited, "pressure.some_pct", "memory"
    available = view.window.last("memory.available_bytes")
    if available is None:
        return Statement("tile.memory.clear.plain"), metric, None
    return Statement("tile.memory.clear", {"available_bytes": available}), metric, None


def _storage(view: View) -> tuple[Statement, str | None, str | None]:
    metric = "disk.read_await_ms"
    peaks = {
        name: peak[0]
        for name in drives(view.window, KEPT_S)
        if (peak := view.window.peak(metric, name, KEPT_S)) is not None
    }
    if not peaks:
        known = drives(view.window, KEPT_S)
        return Statement("tile.storage.idle"), metric, known[0] if known else None
    device = max(peaks, key=lambda name: peaks[name])
    values: dict[str, Value] = {"device": device, "await_ms": peaks[device]}
    # "Clear: answered reads within 153 ms" stood above a line that says what 20 ms can do.
    is_slow = peaks[device] >= STUTTER_MS
    told = "tile.storage.slow" if is_slow else "tile.storage.clear"
    return Statement(told, values), metric, device


def _cpu(view: View) -> tuple[Statement, str | None, str | None]:
    if view.unexplained_wake_ms is not None:
        late_ms = view.unexplained_wake_ms
        return Statement("tile.cpu.late", {"late_ms": late_ms}), "wakeup.worst_ms", None
    delay = view.window.mean("game.run_delay_ms_per_s", seconds=KEPT_S)
    if delay is not None:
        statement = Statement("tile.cpu.clear.game", {"delay_ms": delay})
        return statement, "game.run_delay_ms_per_s", None
    late = view.spikes.worst_wake_ms(view.now_ns - _GRAPH_S * 1_000_000_000)
    if late is not None and late < WAKEUP_LIMIT_MS:
        return Statement("tile.cpu.clear.wakeup", {"late_ms": late}), "wakeup.worst_ms", None
    busy = view.window.mean("cpu.busy_pct", seconds=KEPT_S) or 0.0
    return Statement("tile.cpu.clear", {"busy_pct": busy}), "cpu.busy_pct", None


def _gpu(view: View) -> tuple[Statement, str | None, str | None]:
    window, metric = view.window, "gpu.busy_pct"
    cards = window.instances(metric, KEPT_S)
    card = max(cards, key=lambda name: window.last(metric, name, KEPT_S) or 0.0, default=None)
    busy = None if card is None else window.last(metric, card, KEPT_S)
    if busy is None:
        return Statement("tile.gpu.clear.plain"), metric, card
    vram = window.last("gpu.vram_used_pct", card, KEPT_S)
    if vram is None:
        return Statement("tile.gpu.clear", {"busy_pct": busy}), metric, card
    return Statement("tile.gpu.clear.vram", {"busy_pct": busy, "vram_pct": vram}), metric, card


def _power(view: View) -> tuple[Statement, str | None, str | None]:
    window = view.window
    hottest = _highest(window, "temperature.celsius")
    if hottest is not None:
        name, celsius = hottest
        statement = Statement("tile.power.clear.temperature", {"celsius": celsius})
        return statement, "temperature.celsius", name
    fastest = _highest(window, "cpufreq.of_max_pct")
    if fastest is not None:
        name, share = fastest
        statement = Statement("tile.power.clear.clock", {"clock_pct": share})
        return statement, "cpufreq.of_max_pct", name
    return Statement("tile.power.clear"), "throttle.events_per_s", None


def _highest(window: Window, metric: str) -> tuple[str, float] | None:
    values = {
        name: value
        for name in window.instances(metric, KEPT_S)
        if (value := window.last(metric, name, KEPT_S)) is not None
    }
    return max(values.items(), key=lambda item: item[1], default=None)


_TILES = (
    _Tile(Group.MEMORY, ("vmstat", "meminfo"), _memory),
    _Tile(Group.STORAGE, ("disk",), _storage),
    _Tile(Group.CPU, ("wakeup", "game", "stat"), _cpu),
    _Tile(Group.GPU, ("gpu",), _gpu),
    _Tile(Group.POWER, ("power", "temperature", "throttle", "cpufreq"), _power),
)
