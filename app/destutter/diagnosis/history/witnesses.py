# SPDX-License-Identifier: GPL-3.0-or-later
"""What processes did around a moment, so that a finding can name who did it.

The sampler looks at all processes every few seconds only. The look that covers a spike ends after
it, so who did it is settled some seconds later, once, and then does not change any more.
"""

import math
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from destutter.core.interpreters import is_interpreter
from destutter.core.metrics import Metrics
from destutter.diagnosis.history.starters import Starters

_KEPT = 12  # half a minute of looks every three seconds; a stutter is settled by the look after it
_ENOUGH_LOOKS = 3  # nine seconds: of fewer nothing is usual yet
_LOW_PRIORITY = 10  # of a tenth of the weight and less (sched_prio_to_weight)
_SCHED_IDLE = 5  # sched(7): less than nice 19, whatever its own nice value says
_AS_USUAL = 1.3  # times: who does hardly more than ever did not make this stutter
_ALONE = 2 / 3  # of what all of its name used: then it is not the name that did it
_READ, _WRITTEN = "disk.read_bytes_per_s", "disk.write_bytes_per_s"
_OWN_NAMES = ("destutter",)

PROCESS_METRICS = (
    "process.cpu_pct",
    "process.system_pct",
    "process.major_faults",
    "process.io_bytes_per_s",
    "process.write_bytes_per_s",
    "process.rss_bytes",
    "process.began_s",
    "process.in_game_group",
    "process.children_pct",
    "process.nice",
    "process.policy",
    "process.parent_pid",
    "process.shares_cores",
    "process_drive.has_files",
    "process.of_game",
    "process.same_name",
    "process.same_name_pct",
    "realtime.cpu_pct",
)


@dataclass(frozen=True, slots=True)
class Process:
    """What one process (or thread under a real-time policy) did in one look."""

    pid: int | None
    comm: str
    cpu_pct: float = 0.0
    io_bytes_per_s: float = 0.0
    write_bytes_per_s: float = 0.0
    major_faults: float = 0.0
    grown_bytes: float = 0.0
    held_bytes: float = 0.0
    in_game_group: bool = False
    """Whether it shares the game's own memory limit; False where that is not known."""
    system_pct: float = 0.0
    """What of ``cpu_pct`` the kernel worked for it; 0 in recordings from before it was told."""
    children_pct: float = 0.0
    """What the programs used that it had started, and that ended meanwhile."""
    is_game: bool = False
    """Whether it is a thread of the watched game, a process of its name, or one it started."""
    count: int = 1
    """Of how many processes of one name it is the sum."""
    same_name: int = 0
    """How many of its name worked, those that are not told one by one too; 0: not recorded."""
    same_name_pct: float = 0.0
    """What those used together."""
    usual_pct: float = 0.0
    """What it uses anyhow: the lowest quarter of the looks before ends there."""
    gives_way: bool = False
    """Whether it has a low priority, and uses no more than it often does: it takes what is left,
    and less of it while others hold the processor. A low priority alone is no alibi: in a
    scheduling group of its own it counts for nothing."""
    drives: frozenset[str] = frozenset()
    """Those on which its files lie, with what is below them; empty where that is not known."""
    has_other_cores: bool = False
    """Whether it may run on none of the cores of the game, so that it took none from it."""
    starter: str = ""
    """The program that starts it again and again, as "NAME (PID)"; empty where nobody is known."""

    @property
    def beyond_pct(self) -> float:
        """What it used beyond that: who always computes in the background is no news."""
        return max(self.cpu_pct - self.usual_pct, 0.0)


@dataclass(frozen=True, slots=True)
class Witness:
    """One look at the processes: from ``start_ns`` to ``end_ns``.

    ``moved`` is what each drive read and wrote meanwhile, in bytes a second, ``written`` what of
    that it wrote. ``memory_bytes`` is all that the computer has; 0 where that is not known.
    """

    start_ns: int
    end_ns: int
    processes: tuple[Process, ...]
    realtime: tuple[Process, ...]
    moved: Mapping[str, float] = field(default_factory=dict)
    written: Mapping[str, float] = field(default_factory=dict)
    memory_bytes: float = 0.0


class Witnesses:
    """The looks at processes of the last half minute."""

    def __init__(self) -> None:
        self._looks: deque[Witness] = deque(maxlen=_KEPT)
        self._rss: dict[str, float] = {}
        self._used: deque[Mapping[str, float | None]] = deque(maxlen=_KEPT)
        self._newest_s = 0.0
        self._memory_bytes = 0.0
        self._bytes: dict[str, dict[str, float]] = {_READ: {}, _WRITTEN: {}}
        self.game_pid: int | None = None
        self._starters = Starters()

    def accept_metrics(self, metrics: Metrics) -> None:
        """Take in a tick: what the drives moved, and a look where it carries one."""
        self._memory_bytes = metrics.values.get("memory.total_bytes") or self._memory_bytes
        for metric in self._bytes.keys() & metrics.instanced.keys():
            so_far = self._bytes[metric]
            for drive, rate in metrics.instanced[metric].items():
                if rate is not None and math.isfinite(rate):
                    so_far[drive] = so_far.get(drive, 0.0) + rate * metrics.elapsed_s
        if "process.cpu_pct" not in metrics.instanced:
            return
        now_ns = metrics.monotonic_ns
        start_ns = self._looks[-1].end_ns if self._looks else now_ns
        processes = self._processes(metrics.instanced)
        realtime = self._realtime(metrics.instanced.get("realtime.cpu_pct", {}))
        length_s = (now_ns - start_ns) / 1e9
        read, written = self._rates(_READ, length_s), self._rates(_WRITTEN, length_s)
        drives = read.keys() | written.keys()
        moved = {drive: read.get(drive, 0.0) + written.get(drive, 0.0) for drive in drives}
        all_bytes = self._memory_bytes
        look = Witness(start_ns, now_ns, processes, realtime, moved, written, all_bytes)
        self._looks.append(look)

    def _rates(self, metric: str, length_s: float) -> dict[str, float]:
        """What was counted since the last look, in bytes a second; the count begins anew."""
        counted, self._bytes[metric] = self._bytes[metric], {}
        return {drive: count / length_s for drive, count in counted.items() if length_s > 0}

    @property
    def looks(self) -> tuple[Witness, ...]:
        """All of them, in order of time."""
        return tuple(self._looks)

    def at(self, monotonic_ns: int) -> tuple[Witness | None, bool]:
        """The look nearest to a moment, and whether it is final: a later one would not do."""
        for look in self._looks:
            if look.end_ns >= monotonic_ns:
                return look, True
        return (self._looks[-1], False) if self._looks else (None, False)

    def covering(self, start_ns: int, end_ns: int) -> tuple[Witness | None, bool]:
        """The look with most of a span, and whether it is final.

        The one that ends after it may have begun in its last tenth, and be that of a quiet second.
        """
        shares = [
            (min(look.end_ns, end_ns) - max(look.start_ns, start_ns), look) for look in self._looks
        ]
        most_ns, found = max(shares, key=lambda each: each[0], default=(0, None))
        if most_ns <= 0:
            return self.at(end_ns)
        return found, self._looks[-1].end_ns >= end_ns

    def _processes(
        self, instanced: Mapping[str, Mapping[str, float | None]]
    ) -> tuple[Process, ...]:
        def read(metric: str, instance: str) -> float:
            value = instanced.get(metric, {}).get(instance)
            return value if value is not None and math.isfinite(value) else 0.0

        rss = {name: read("process.rss_bytes", name) for name in instanced["process.cpu_pct"]}
        newest_s = self._newest_s
        begun = {name: read("process.began_s", name) for name in rss}
        self._newest_s = max((newest_s, *begun.values()))

        new = {name for name, since_s in begun.items() if 0.0 < newest_s < since_s}
        parents = {name: int(read("process.parent_pid", name)) for name in rss}
        starters = self._starters.note(parents, new)

        drives = _drives(instanced.get("process_drive.has_files", ()))

        def before(name: str) -> float:
            # Whoever began after all that were busy before had nothing then; of another that was
            # not among the busiest nothing is known.
            return self._rss.get(name, 0.0 if name in new else rss[name])

        found = tuple(
            Process(
                *split_instance(name),
                cpu_pct=read("process.cpu_pct", name),
                io_bytes_per_s=read("process.io_bytes_per_s", name),
                write_bytes_per_s=read("process.write_bytes_per_s", name),
                major_faults=read("process.major_faults", name),
                grown_bytes=rss[name] - before(name),
                held_bytes=rss[name],
                in_game_group=read("process.in_game_group", name) > 0,
                system_pct=read("process.system_pct", name),
                children_pct=read("process.children_pct", name),
                same_name=int(read("process.same_name", name)),
                same_name_pct=read("process.same_name_pct", name),
                usual_pct=self._usual(name),
                is_game=read("process.of_game", name) > 0,
                drives=drives.get(name, frozenset()),
                has_other_cores=instanced.get("process.shares_cores", {}).get(name) == 0.0,
                starter=starters.get(name, ""),
                gives_way=(
                    read("process.nice", name) >= _LOW_PRIORITY
                    or read("process.policy", name) == _SCHED_IDLE
                )
                and read("process.cpu_pct", name) <= _AS_USUAL * self._usual(name, at=0.75),
            )
            for name in rss
        )
        own = next((each.comm for each in found if self._is_game(each)), None)
        if own is not None:
            found = tuple(
                replace(each, is_game=each.is_game or each.comm == own) for each in found
            )
        self._rss = rss
        self._used.append(instanced["process.cpu_pct"])
        return tuple(each for each in found if not is_own(each.comm) and not self._is_game(each))

    def _usual(self, name: str, at: float = 0.25) -> float:
        """Where so much of the looks before ends. 0 while little is known; who is not among those
        told used next to nothing.
        """
        known = sorted(look.get(name) or 0.0 for look in self._used)
        return known[int(len(known) * at)] if len(known) >= _ENOUGH_LOOKS else 0.0

    def _realtime(self, shares: Mapping[str, float | None]) -> tuple[Process, ...]:
        found = (
            Process(*split_instance(name), cpu_pct=share)
            for name, share in shares.items()
            if share is not None and math.isfinite(share)
        )
        return tuple(replace(each, is_game=self._is_game(each)) for each in found)

    def _is_game(self, process: Process) -> bool:
        """Whether it is the watched game, which does not hold itself up."""
        return process.pid is not None and process.pid == self.game_pid


def _drives(rows: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """By program, of "DRIVE PID NAME"."""
    found: dict[str, set[str]] = {}
    for row in rows:
        drive, _, program = row.partition(" ")
        found.setdefault(program, set()).add(drive)
    return {program: frozenset(drives) for program, drives in found.items()}


def is_own(comm: str) -> bool:
    """Whether a name belongs to this program, which never blames itself for being awake."""
    # Also as a script of an interpreter: "python3 destutter".
    return any(word.startswith(_OWN_NAMES) for word in comm.split())


def split_instance(instance: str) -> tuple[int | None, str]:
    """PID and name of "PID NAME", or thread and name of "PID/TID NAME"."""
    number, _, name = instance.partition(" ")
    pid = number.partition("/")[0]
    return (int(pid), name) if pid.isdecimal() else (None, instance)


def busiest(processes: Iterable[Process], measure: str, at_least: float) -> Process | None:
    """The program with the highest value of one measure, if it is worth naming.

    Several processes of one name are one program: the parts of a compiler, or the six workers of
    an indexer of which none has much. Such a sum has no process id, and ``count`` says of how many
    it is. What an interpreter runs is a program of its own, which only its id tells.
    """
    best = max(
        _by_name(processes, measure),
        key=lambda process: float(getattr(process, measure)),
        default=None,
    )
    if best is None or getattr(best, measure) < at_least:
        return None
    return best


def _by_name(processes: Iterable[Process], measure: str) -> Iterable[Process]:
    processes = tuple(processes)
    named: dict[str | tuple[str, int | None], Process] = {}
    for process in processes:
        key = (process.comm, process.pid) if is_interpreter(process.comm) else process.comm
        first = named.get(key)
        if first is None or (getattr(process, measure) and not getattr(first, measure)):
            named[key] = process
        elif getattr(process, measure):
            named[key] = _sum(first, process, measure)
    if measure not in ("cpu_pct", "beyond_pct"):
        return named.values()
    return [_whole(_leader(each, processes)) for each in named.values()]


def _leader(whole: Process, processes: Iterable[Process]) -> Process:
    """The one that did it of a name, where the others of that name hardly worked."""
    if whole.count == 1:
        return whole
    alike = (each for each in processes if each.comm == whole.comm)
    most = max(alike, key=lambda each: each.cpu_pct)
    return most if most.cpu_pct >= _ALONE * whole.cpu_pct else whole


def _whole(process: Process) -> Process:
    """A program with what all processes of its name used, where that is recorded."""
    alone = process.count == 1 and process.cpu_pct >= _ALONE * process.same_name_pct
    # The sampler counts by the kernel's name, which of a script is its interpreter's.
    is_script = is_interpreter(process.comm.partition(" ")[0])
    if process.same_name <= 1 or is_script or alone:
        return process
    used = max(process.cpu_pct, process.same_name_pct)
    return replace(process, pid=None, count=process.same_name, cpu_pct=used)


def all_cpu_pct(processes: Iterable[Process]) -> float:
    """What all of them used, as a share of one core."""
    return sum(each.cpu_pct for each in _by_name(processes, "cpu_pct"))


def _sum(first: Process, process: Process, measure: str) -> Process:
    amounts = {measure, "write_bytes_per_s"} - {"beyond_pct"}
    if measure in ("cpu_pct", "beyond_pct"):
        amounts |= {"cpu_pct", "usual_pct"}
    added = {each: getattr(first, each) + getattr(process, each) for each in amounts}
    return replace(first, pid=None, count=first.count + 1, **added)
