# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page reads from a snapshot, the small graphs, and the program's own cost."""

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Metrics
from destutter.core.sample import Header
from destutter.core.statement import Statement, told
from destutter.diagnosis.finding import Assessment, Verdict, VerdictKind
from destutter.ui.live.last_minute import LastMinute
from destutter.ui.live.live_state import MeasuringLimits, programs, steal_pct
from destutter.ui.pages.watched_game import WatchedGame
from destutter.ui.shell.own_cost import OwnCost

SECOND = 1_000_000_000


def snapshot(metrics=(), facts=None, troubles=None, machine=None):
    """A snapshot without a verdict worth mentioning."""
    statement = Statement("verdict.measuring", {"left_s": 3})
    verdict = Verdict(VerdictKind.MEASURING, statement, statement)
    assessment = Assessment(0, verdict, (), (), (), ())
    header = None if machine is None else Header(0, 0.0, 100, machine)
    return Snapshot(assessment, tuple(metrics), (), (), facts or {}, troubles or {}, header)


def test_game_of_the_facts():
    """Name, process and start come from the facts; without a process there is no game."""
    facts = {"game.pid": "77", "game.name": "X-Plane", "game.started": "-500"}
    assert WatchedGame.from_facts(facts) == WatchedGame(77, "X-Plane", -500)
    assert WatchedGame.from_facts({"game.pid": "77"}) == WatchedGame(77, "77", None)
    assert WatchedGame.from_facts({}) is None


def test_virtual_machine_is_noticed():
    """A hypervisor in the facts or in the header counts; "no" does not."""
    assert MeasuringLimits.of(snapshot(facts={"machine.virtual": "QEMU"})).hypervisor == "QEMU"
    assert MeasuringLimits.of(snapshot(machine={"virtual_machine": "KVM"})).hypervisor == "KVM"
    assert MeasuringLimits.of(snapshot(facts={"machine.virtual": "no"})).hypervisor is None


def test_refused_sources_are_noticed():
    """What the kernel does not let the user read is named; what it does not have is not."""
    denied = Statement("system.eacces")
    troubles = {
        "thread": Statement("core.file", {"path": "/proc/4242/task", "reason": denied}),
        "swap": told("this kernel has no swap"),
        "disk": Statement("core.file", {"path": "/proc/diskstats", "reason": denied}),
        "gpu": Statement("system.eperm"),
        "process": Statement("system.enoent"),
    }
    refused = MeasuringLimits.of(snapshot(troubles=troubles)).refused
    assert [source for source, _ in refused] == ["gpu", "thread"]


def test_a_refusal_is_no_matter_of_its_words():
    """What only holds such words, as the name of a file, is none; an older recording has them."""
    path = "/tmp/Permission denied"
    missing = Statement("core.file", {"path": path, "reason": Statement("system.enoent")})
    troubles = {"thread": missing, "gpu": told("/dev/dri/card0: Permission denied")}
    refused = MeasuringLimits.of(snapshot(troubles=troubles)).refused
    assert [source for source, _ in refused] == ["gpu"]


def test_steal_is_the_newest():
    """The last measured share counts; without one there is none."""
    newest = [Metrics(1, 0.1, {"cpu.steal_pct": 1.0}), Metrics(2, 0.1, {"cpu.steal_pct": 2.0})]
    assert steal_pct(snapshot([*newest, Metrics(3, 0.1)])) == 2.0
    assert steal_pct(snapshot([Metrics(3, 0.1)])) is None


def test_programs_by_use():
    """Programs to choose from, the busiest first; what is not a process is left out."""
    shares = {"5 a": 1.0, "6 my game": 90.0, "odd": 3.0, "7 gone": None}
    found = programs(snapshot([Metrics(1, 0.1, {}, {"process.cpu_pct": shares})]))
    assert found == [(6, "my game", 90.0), (5, "a", 1.0)]


def test_small_graph_shows_a_minute():
    """The largest value of each second of the last minute, and nothing older."""
    minute = LastMinute()
    for tick in range(1200):
        value = 9.0 if tick == 1111 else 1.0
        minute.accept_metrics([Metrics(tick * SECOND // 10, 0.1, {"cpu.busy_pct": value})])
    points = minute.line("cpu.busy_pct", None)
    assert len(points) == 61
    assert points[0][0] >= 0.0
    assert points[-1][0] == 1.0
    assert [value for _, value in points].count(9.0) == 1


def test_small_graph_breaks_where_nothing_was_measured():
    """A pause of ten seconds interrupts the line."""
    minute = LastMinute()
    for second in (*range(10), *range(20, 30)):
        minute.accept_metrics(
            [Metrics(second * SECOND, 0.1, {}, {"disk.read_await_ms": {"sda": 1.0}})]
        )
    points = minute.line("disk.read_await_ms", "sda")
    assert [value for _, value in points].count(None) == 1
    assert minute.line("disk.read_await_ms", "sdb") == []


def test_own_cost_is_of_all_processes():
    """Shares since the last look, those of new processes from their start, and all memories."""
    now, used = [0], [{1: (1_000_000, 100_000), 2: (7_000_000, 20_000)}]
    cost = OwnCost(lambda: used[0], lambda: now[0])
    assert cost.take() is None
    now[0] = SECOND
    assert cost.take() is None
    now[0] = 4 * SECOND
    used[0] = {1: (1_040_000, 120_000), 3: (20_000, 15_000)}
    taken = cost.take()
    assert taken is not None
    assert round(taken.core_pct, 3) == 1.5
    assert taken.memory_bytes == 135_000 * 1024
