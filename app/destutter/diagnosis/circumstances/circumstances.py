# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured within one stutter: where its time went, as far as that can be known.

A stutter does not begin and end with a tick. What the ticks that it overlaps measured beyond what
the rest of them usually have is taken to lie within it (``inside``), so that neither the work of
a game that goes on beside it nor a copy that runs all the time is counted twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from destutter.core.catalog import SLOW_PERIODS_S
from destutter.core.traced import DIRTY_PAUSE, REQUEST
from destutter.diagnosis.circumstances.covered import covered_ms
from destutter.diagnosis.circumstances.drive_load import (
    DriveLimit,
    Load,
    drive_limit,
    loads,
    own_written,
    slowest_drive,
)
from destutter.diagnosis.circumstances.host_steal import stolen_ms
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.memory_signs import (
    freed,
    limit_nearby,
    own_swapped,
    taken,
    was_dropped,
)
from destutter.diagnosis.circumstances.naps import is_one_sleep, naps, polls
from destutter.diagnosis.circumstances.partners import Partner, partners
from destutter.diagnosis.circumstances.span import PCT_TO_MS_PER_S, StutterSpan
from destutter.diagnosis.circumstances.thread_looks import ThreadLooks, usually_seen
from destutter.diagnosis.circumstances.thread_times import (
    NO_THREAD,
    by_second,
    longest,
    most_of,
    usual_share,
)
from destutter.diagnosis.circumstances.traced_waits import TracedWaits
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.card_log import CardWork
from destutter.diagnosis.history.tick_log import LATE_NS, Tick, TickLog
from destutter.diagnosis.history.window import SECOND_NS
from destutter.diagnosis.shares import CLEARLY_MOST

_LOOKED_NS = int(SLOW_PERIODS_S["realtime"] * 1e9)
_CARD_NS = int(SLOW_PERIODS_S["gpu"] * 1e9)
_OWN_BYTES = ("game.read_bytes_per_s", "game.write_bytes_per_s")
_DRIVE_BYTES = ("disk.read_bytes_per_s", "disk.write_bytes_per_s")
_NOBODY = ("", "", 0)
_SOME_BYTES = 256 * 1024.0  # a second: no log of a resting computer
_NEARLY_ALL_BYTES = 0.8  # of a drive's traffic: beside it somebody's log may be written
_MANY_REQUESTS = 8.0  # one thread has one, and what the kernel reads ahead of it two or three
_LITTLE = 0.5  # of a wait: a drive that worked longer was slow as well


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Times are milliseconds within the stutter, counts are of the ticks that it overlaps."""

    duration_ms: float
    span_ms: float = 0.0
    is_covered: bool = False
    lost_ms: Mapping[str, float] = field(default_factory=dict)
    own_ms: Mapping[str, float] | None = None
    own_usual: Mapping[str, float] = field(default_factory=dict)
    """Pressure (PSI), by resource: ``lost_ms`` is when somebody on this computer waited,
    ``own_ms`` the same of the game's own control group, None where it has none, ``own_usual`` the
    share of time that it waits anyhow. ``span_ms`` is the length of those ticks.
    """

    looks: int = 0
    main_blocked: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    seen_usual: Mapping[str, float] = field(default_factory=dict)
    streams: bool = False
    waiters: Mapping[str, int] = field(default_factory=dict)
    holders: Mapping[tuple[str, str], int] = field(default_factory=dict)
    stopped: int = 0
    threads: int = 0
    """Looks at the game's threads, and how many found the main thread blocked; ``seen`` in how
    many a thread was blocked, by what, ``seen_usual`` in what share of the ticks outside of all
    stutters, ``streams``: that is no less than within all of them. ``waiters`` are the blocked
    threads by name, ``holders`` who kept them, by how ("traces", "locks", "serves") and name.
    """

    asleep: Mapping[str, int] = field(default_factory=dict)
    on_timer: bool = False
    timed_looks: int = 0
    in_one_sleep: bool = False
    polls: bool = False
    handed_on: int = 0
    kept: tuple[str, str, int] = _NOBODY
    kept_naps: bool = False
    kept_usual: float = 0.0
    partners: tuple[Partner, ...] = ()
    """Where the main thread slept, in how many looks ("untimed": in a futex without a time of its
    own). ``on_timer``: each look between its very ends found it on a timer, ``timed_looks``: so
    many did, ``in_one_sleep``: it woke up no more often than it usually does, as who polls would,
    ``polls``: it did within the stutter itself. ``handed_on`` counts the looks that found it
    waiting for another, ``kept`` is the thread that most of them found where it never is while all
    is well, with what it did and how often, ``kept_usual`` the share of time that this runs
    anyhow, ``kept_naps``: it woke up far more often. ``partners``: what those did for which the
    game may wait.
    """

    delayed: tuple[str, float] = NO_THREAD
    is_delay_dated: bool = True
    runner: tuple[str, float] = NO_THREAD
    runner_usual: float = 0.0
    realtime: tuple[str, float] = NO_THREAD
    cores: int = 0
    used_ms: float = 0.0
    cpu_ms: float = 0.0
    brief_ms: float = 0.0
    system_ms: float = 0.0
    kernel_part: float = 1.0
    others_kernel: float = 0.0
    steal_ms: float = 0.0
    withheld_ms: float = 0.0
    held_ms: float = 0.0
    wake_ms: float = 0.0
    """The processor. ``delayed`` stood longest in a run queue, ``runner`` ran most, each with its
    time (without a name: the main thread), ``runner_usual`` how much it runs anyhow. All
    programs ``used_ms`` of the ``cores``, the game ``cpu_ms`` of that, of which ``brief_ms`` are
    of none of the threads that are followed: of one that lives for the stutter only, or one of
    very many. ``system_ms`` is what the kernel worked for the game, ``kernel_part`` its share of
    what the game had in the ticks, ``others_kernel`` of what all others had. ``steal_ms`` is what
    the host took of a thread that wanted a core all the while, 0 where it only took back what a
    crowd had just used; ``withheld_ms`` what the game's limit withheld in that second, ``held_ms``
    what of that lies within the stutter.
    """

    drive: str = ""
    await_ms: float = 0.0
    is_write: bool = False
    request_ms: float = 0.0
    drive_ms: float | None = None
    drive_usual: float = 0.0
    own_bytes: float = 0.0
    drive_bytes: float = 0.0
    own_read: float = 0.0
    own_written: float = 0.0
    drive_written: float = 0.0
    own_beyond: float = 0.0
    drive_beyond: float = 0.0
    loads: Mapping[str, Load] = field(default_factory=dict)
    drive_limit: DriveLimit | None = None
    """The slowest drive, of those that it waited for where that was traced, and how it answered,
    ``request_ms``: how long it worked for a single request on average. ``drive_ms`` is how long
    the busiest one had work, None where none was measured, ``drive_usual`` the share of time that
    it has anyhow. The bytes are those that the game and the slowest drive moved, ``own_read`` and
    ``drive_written`` a part of them, the "beyond" what of them is out of the ordinary;
    ``own_written`` is the game's share of what the drive wrote in the last seconds, for what a
    program writes reaches the drive later. ``loads`` is what each drive had to do,
    ``drive_limit`` the game's group's that may have been used up.
    """

    swap_ins: float = 0.0
    swap_outs: float = 0.0
    own_swapped: float | None = None
    faults: float = 0.0
    refaults: float = 0.0
    minor_faults: float = 0.0
    taken_bytes: float = 0.0
    allocstalls: float = 0.0
    reclaimed: float = 0.0
    freed: float = 0.0
    compactions: float = 0.0
    dropped: bool = False
    limit_hits: float = 0.0
    limit_nearby: float = 0.0
    """Memory. Pages of everybody were swapped; ``own_swapped`` is how far the game's own swap
    moved around the stutter, in bytes, None where that was not read. ``faults`` are major ones,
    ``refaults`` pages of anybody's files that came back after use, ``minor_faults`` those beyond
    what the game usually has, ``taken_bytes`` what its memory grew by, from tick to tick.
    ``freed`` are pages that anybody had to free up to then. ``dropped``: the page cache had been
    emptied by hand shortly before. ``limit_hits`` is how often a second the game's group reached
    its limit then, ``limit_nearby`` in the seconds around it.
    """

    card: CardWork | None = None
    traced: TracedWaits | None = None
    awaited: frozenset[str] | None = None
    lead: str = ""
    """What a graphics card did, None where nobody counted that; the kernel's trace, and the drives
    of the game's long requests by that: None where others may be what it waited for. ``lead``:
    the name of the thread that shows the frames, which is meant by the main one, if it is another.
    """

    @property
    def main(self) -> MainWork | None:
        """What the main thread did, to the millisecond; None where only counters tell of it."""
        return None if self.traced is None else self.traced.main

    def share(self, waited_ms: float) -> float:
        """A time as a part of the stutter."""
        return waited_ms / self.duration_ms if self.duration_ms > 0 else 0.0

    def can_be_drive(self, waited_ms: float) -> bool:
        """Whether any drive had requests for so long a wait; not denied where none is measured."""
        share = self.share(waited_ms)
        return not self.loads or any(each.can_hold(share) for each in self.loads.values())

    def is_crowded(self, waited_ms: float) -> bool:
        """Whether others' requests can have stood before the game's on the slowest drive."""
        load = self.loads.get(self.drive)
        return load is None or load.has_others(self.share(waited_ms))

    @property
    def has_strangers(self) -> bool:
        """Whether somebody else moved as much as the game on the slowest drive in the stutter.

        Who was busy there at another time of the same look at processes held nobody up.
        """
        load = self.loads.get(self.drive)
        if load is None:
            return True
        return load.bytes_per_s - load.own_bytes_per_s >= max(load.own_bytes_per_s, _SOME_BYTES)

    @property
    def others_bytes(self) -> float:
        """What the slowest drive moved for others: what the game did not read meanwhile, nor
        had written shortly before.
        """
        written = self.drive_written * (1.0 - self.own_written)
        return max(self.drive_bytes - self.drive_written - self.own_read, 0.0) + written

    @property
    def own_requests(self) -> float:
        """How many requests the game itself had in the slowest drive on average, where nearly all
        that this did was for the game; 0 where it was not, or where they were few.
        """
        load = self.loads.get(self.drive)
        others = self.others_bytes
        is_own = load is not None and others <= (1.0 - _NEARLY_ALL_BYTES) * self.drive_bytes > 0
        return load.requests if load and is_own and load.requests >= _MANY_REQUESTS else 0.0

    def is_limited(self, waited_ms: float) -> bool:
        """Whether a limit of its own group for a drive held the game back for so long."""
        limit = self.drive_limit
        if limit is None:
            return False
        if limit.drive:
            return limit.holds(self.loads.get(limit.drive), self.share(waited_ms), waited_ms)
        # Recordings from before limits were read with their values.
        worked_ms = max(self.drive_ms or 0.0, self.await_ms)
        return worked_ms < _LITTLE * waited_ms or not self.can_be_drive(waited_ms)


def circumstances(log: TickLog, spike: Spike, traced: TracedWaits | None = None) -> Circumstances:
    """Gather what the log has of a stutter. It must reach a little beyond its end.

    What the trace has of the main thread takes the place of what counters let suppose of it.
    """
    ticks = log.between(spike.start_ns - LATE_NS // 3, spike.monotonic_ns + LATE_NS)
    if covered_ms(spike, ticks) < CLEARLY_MOST * spike.duration_ms:
        # Of a recording with a hole; what lies beside it is not what the stutter waited for.
        return Circumstances(spike.duration_ms, traced=traced)
    return _measured(log, spike, ticks, traced)


def _measured(
    log: TickLog, spike: Spike, ticks: Sequence[Tick], traced: TracedWaits | None
) -> Circumstances:
    span = StutterSpan(log, spike, ticks)
    looks = ThreadLooks(spike, ticks)
    awaited = _awaited(traced, looks)
    drive, await_ms, is_write = slowest_drive(ticks, awaited, log.game_drives)
    busiest, drive_ms = span.busiest_drive(awaited)
    own = span.rates_of("game.pressure_some_pct")
    met = Circumstances(
        duration_ms=spike.duration_ms,
        traced=traced,
        awaited=awaited,
        span_ms=1e3 * sum(tick.length_s for tick in ticks),
        is_covered=ticks[0].start_ns <= spike.start_ns,
        lost_ms=span.times_of("pressure.some_pct", PCT_TO_MS_PER_S),
        own_ms=span.times_of("game.pressure_some_pct", PCT_TO_MS_PER_S) if own else None,
        own_usual={name: usual / 100.0 for name, usual in own.items()},
        looks=looks.count,
        main_blocked=looks.times_blocked(log.main),
        seen=looks.seen,
        asleep=looks.asleep,
        waiters=looks.waiters,
        seen_usual=usually_seen(log),
        holders=looks.holders,
        handed_on=looks.handed_on,
        kept=looks.kept,
        kept_usual=(log.usual(("worker.cpu_ms_per_s", looks.kept[0])) or 0.0) / 1e3,
        on_timer=0 < looks.inside == looks.on_timer,
        timed_looks=looks.on_timer,
        polls=polls(log, spike, span),
        in_one_sleep=is_one_sleep(log, spike, span),
        system_ms=span.inside(("game.system_ms_per_s", None), most=None),
        kernel_part=span.kernel_part(),
        cores=log.cores,
        used_ms=span.used_ms(),
        cpu_ms=span.inside(("game.cpu_ms_per_s", None), most=None),
        brief_ms=_brief(log, spike, span),
        realtime=_realtime(log, spike, most_of(span.times_of("realtime.run_ms_per_s"))),
        steal_ms=stolen_ms(log, spike, ticks),
        withheld_ms=_highest(log, spike, "cgroup.cpu_limit_ms_per_s"),
        held_ms=_held(log, spike),
        wake_ms=log.worst_wake_ms(spike.start_ns, spike.monotonic_ns + LATE_NS),
        stopped=looks.stopped,
        threads=int(max(tick.values.get("game.threads", 0.0) for tick in ticks)),
        drive=drive,
        await_ms=await_ms,
        is_write=is_write,
        drive_ms=drive_ms,
        drive_usual=(log.usual(("disk.busy_pct", busiest)) or 0.0) / 100.0,
        request_ms=span.request_ms(drive),
        own_bytes=sum(map(span.total, _OWN_BYTES)),
        own_read=span.total("game.read_bytes_per_s"),
        own_written=own_written(log, spike, drive),
        drive_written=span.total_of("disk.write_bytes_per_s", drive),
        drive_bytes=sum(span.total_of(metric, drive) for metric in _DRIVE_BYTES),
        own_beyond=sum(span.inside((metric, None), most=None) for metric in _OWN_BYTES),
        drive_beyond=sum(span.inside((metric, drive), most=None) for metric in _DRIVE_BYTES),
    )
    return _with_memory(_with_threads(met, log, spike, span), log, spike, span, ticks)


def _awaited(traced: TracedWaits | None, looks: ThreadLooks) -> frozenset[str] | None:
    """The drives whose requests threads of the game waited for; with none of 5 ms no drive that
    takes longer for one. Who waits for a commit, or is held back as a writer, asks none itself.
    """
    if traced is None or REQUEST not in traced.told:
        return None
    asks_none = bool(traced.of([DIRTY_PAUSE])) or any(map(looks.seen.get, ("journal", "dirty")))
    return traced.drives or (None if asks_none else frozenset())


def _with_threads(
    met: Circumstances, log: TickLog, spike: Spike, span: StutterSpan
) -> Circumstances:
    """The same, with which of its threads ran and stood in a run queue longest."""
    main = met.main
    ran_ms, ready_ms = (None, None) if main is None else (main.ran_ms, main.ready_ms)
    runner = longest(log, spike, span, "cpu_ms_per_s", ran_ms)
    delayed = longest(log, spike, span, "run_delay_ms_per_s", ready_ms)
    return replace(
        met,
        lead=log.lead.partition(" ")[2],
        delayed=delayed,
        is_delay_dated=not delayed[0] or span.has(("worker.run_delay_ms_per_s", delayed[0])),
        runner=runner,
        runner_usual=usual_share(log, runner[0]),
    )


def _with_memory(
    met: Circumstances, log: TickLog, spike: Spike, span: StutterSpan, ticks: Sequence[Tick]
) -> Circumstances:
    """The same, with what the kernel did for memory, how often limits were reached, how the thread
    slept that was waited for, and what those did that share memory with the game.
    """
    return replace(
        met,
        kept_naps=naps(log, spike, met.kept[0]),
        others_kernel=span.others_kernel_part(),
        swap_ins=span.total("memory.swap_in_per_s"),
        swap_outs=span.total("memory.swap_out_per_s"),
        own_swapped=own_swapped(log, spike),
        faults=span.total("game.major_faults_per_s"),
        minor_faults=span.inside(("game.page_faults_per_s", None), most=None),
        taken_bytes=taken(log, ticks),
        allocstalls=span.total("memory.allocstall_per_s"),
        reclaimed=span.total("memory.direct_reclaim_per_s"),
        freed=freed(log, spike),
        refaults=span.total("memory.refault_file_per_s"),
        compactions=span.total("memory.compact_stall_per_s"),
        dropped=was_dropped(log, spike),
        limit_hits=_highest(log, spike, "cgroup.limit_events_per_s"),
        limit_nearby=limit_nearby(log, spike),
        loads=loads(spike, ticks),
        drive_limit=drive_limit(log, spike, ticks),
        partners=partners(log, spike, span, ticks),
        card=log.cards.work(spike, log.game_pid, _CARD_NS),
    )


def _brief(log: TickLog, spike: Spike, span: StutterSpan) -> float:
    """What the process used beyond all of its threads that are followed, by tick or by second.

    The kernel counts what a thread used for its process even when it has ended
    (``thread_group_cputime`` in kernel/sched/cputime.c). Nothing before the threads that are read
    once a second have been read: it may be one of those.
    """
    if log.end_ns < spike.monotonic_ns + SECOND_NS:
        return 0.0
    by_tick = span.times_of("worker.cpu_ms_per_s")
    known = {**by_second(log, spike, "thread.cpu_ms_per_s"), **by_tick}
    is_main = any(name.partition(" ")[0] == log.game_pid for name in known)
    main_ms = 0.0 if is_main else span.inside(("game.main_cpu_ms_per_s", None))
    used_ms = span.inside(("game.cpu_ms_per_s", None), most=None)
    return max(used_ms - main_ms - sum(max(each, 0.0) for each in known.values()), 0.0)


def _held(log: TickLog, spike: Spike) -> float:
    """What the game's limit for the processor withheld within a stutter; 0 where it is not why.

    The group is asked once a second, and a second has several frames. The kernel books a wait for
    a core when it ends, so that one which made a frame late is in a tick that the frame overlaps,
    and those of the frames behind it are not. A wait that is mostly somebody else's is not told.
    """
    ticks = log.between(spike.start_ns, spike.monotonic_ns + SECOND_NS)
    withheld_ms = sum(tick.values.get("cgroup.cpu_limit_ms_per_s", 0.0) for tick in ticks)
    if withheld_ms <= 0.0:
        return 0.0
    delays: dict[str, float] = {}
    for tick in log.between(spike.start_ns, spike.monotonic_ns):
        main = tick.values.get("game.run_delay_ms_per_s")
        workers = tick.instanced.get("worker.run_delay_ms_per_s", {})
        for name, rate in (*workers.items(), *(() if main is None else (("", main),))):
            delays[name] = delays.get(name, 0.0) + rate * tick.length_s
    if not delays:
        return min(withheld_ms, spike.duration_ms)
    delay_ms = max(delays.values())
    is_why = 2.0 * withheld_ms >= delay_ms
    return min(delay_ms, withheld_ms, spike.duration_ms) if is_why else 0.0


def _realtime(log: TickLog, spike: Spike, by_tick: tuple[str, float]) -> tuple[str, float]:
    """The real-time thread that ran longest, and how long within the stutter.

    One that nobody knew before is in no tick. The look that follows the late tick has what it used
    since the look before, three seconds at the most, and that can all have been in the stutter.
    """
    if by_tick[1] > 0:
        return by_tick
    looked: dict[str, float] = {}
    for tick in log.between(spike.monotonic_ns, spike.monotonic_ns + _LOOKED_NS):
        for name, share_pct in tick.instanced.get("realtime.cpu_pct", {}).items():
            used_ms = share_pct / 100.0 * _LOOKED_NS / 1e6
            looked[name] = max(looked.get(name, 0.0), min(used_ms, spike.duration_ms))
    return most_of(looked)


def _highest(log: TickLog, spike: Spike, metric: str) -> float:
    """The highest value of what is read once a second and may be read a second after its end."""
    ticks = log.between(spike.start_ns, spike.monotonic_ns + SECOND_NS)
    return max((tick.values.get(metric, 0.0) for tick in ticks), default=0.0)
