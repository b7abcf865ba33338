# SPDX-License-Identifier: GPL-3.0-or-later
"""What each thread of the game waits for, looked at only when somebody seems to wait.

A look at 200 threads costs 2 to 3 ms (10 to 15 us each for the line of its state and, of who
sleeps, its place, with nothing in a cache; 7 ms for the first one, which opens them; Linux 6.18),
which at every tick would be more than all the rest of the sampler. So there is a look only in
ticks in which time was lost: the pressure of memory or of the drives grew, the main thread ran
clearly less than it usually does, or cannot be woken. And looks have an allowance of processor
time that fills up slowly, so that a computer that is always under pressure costs no more than
that. While less than most of it is there, only the threads that tell are looked at: the main one,
those that usually work, new ones, and those that did anything in the last whole look (0.2 to
0.4 ms; of whole looks alone a freeze of a second had two, and the next freezes none).

Where the first thread only takes in events while another one draws, that one's pause is told by
what all busy threads together run less; it counts as the main thread then.

A main thread that runs far more than it usually does computes, or spins until another thread is
done: there is a look then too, at where the threads that usually work are.

While the main thread waits for another (in a futex, or in a poll, as Wine with esync does) the
places of the sleeping threads are read as well, and those told that are where they never were
while the main thread ran as it does: that is looked up for one thread per tick. These files stay
open too: to find that of a thread that nobody asked for lately takes 100 us, to read it again 5.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import RawValue
from destutter.sampling.computer.pressure import PressureTotals
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import PROC, name_in, state_in
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.connections import OwnEnds
from destutter.sampling.game.game_threads import MOST_LOOKED_AT, AloneWait, GameThreads
from destutter.sampling.game.holders import Holders, Keeps, how_kept
from destutter.sampling.game.look_allowance import Allowance
from destutter.sampling.game.map_readers import MapReaders
from destutter.sampling.game.paces import LeadPace, PaceInTick, SharedPace
from destutter.sampling.game.system_calls import SystemCalls
from destutter.sampling.game.usual_places import FoundIn, UsualPlaces, found_in
from destutter.sampling.game.wait_places import (
    UNKNOWN,
    AsleepIn,
    BlockedBy,
    asleep_in,
    blocked_by,
    is_frozen,
)
from destutter.sampling.game.watched_process import WatchedProcess

_STALLS = ("io", "memory")
_LONG_US = 30_000  # of a tick: so much lost is worth a look at all processes (busy_threads.py)
_LOST_US = 2_000  # a stutter loses 50 ms and more, of which ticks may see the last bit only
_FOR_SPINNING = 0.25  # of the most that can be saved: most that run so long compute
_FOR_ALL = 0.6  # of that: one look at all begins a freeze, and leaves the most for short ones
_FEW = 32  # threads of which a look is cheap anyway
_STOPPED = (b"T", b"t")
_TRACED = b"t"
_AWAKE = (b"R", b"D", *_STOPPED)
_MOST_ASKED = 4  # threads of a look whose call is read, 100 us each where it was not lately
_MOST_NAMED = 16  # more would make a sample long and prove nothing more
_NEWEST = 16  # of fewer the worker that was started for this frame may be none
_ASKS = (FoundIn.PIPE, FoundIn.SOCKET)
_BLOCKED = {kind: index for index, kind in enumerate(BlockedBy)}
_ASLEEP = {kind: index for index, kind in enumerate(AsleepIn)}


@dataclass
class _Look:
    """What one look found: how many threads per kind, where the main thread sleeps, and who.

    ``lead`` is the thread that counts as the main thread. ``spun_for`` are those of which a main
    thread that spins may wait for one; ``holders`` who keeps them, by how. ``untimed`` says
    whether the futex of the main thread has no time of its own (None: not told), ``answered_at``
    the pipe or socket in which it, or one for which it waits, sleeps (none: not told which, None:
    in neither), ``watched`` those that it watches for events (likewise), ``awake`` counts the
    others that do anything. ``telling`` are those who were found awake, blocked or elsewhere than
    usual, and without ``is_whole`` only who seems to tell was looked at.
    """

    lead: int | None
    blocked: list[int] = field(default_factory=lambda: [0] * len(_BLOCKED))
    asleep: list[int] = field(default_factory=lambda: [0] * len(_ASLEEP))
    stopped: int = 0
    named: dict[str, BlockedBy] = field(default_factory=dict)
    unusual: dict[str, FoundIn] = field(default_factory=dict)
    is_handed_on: bool = False
    answered_at: frozenset[str] | None = None
    watched: frozenset[str] | None = None
    untimed: RawValue = None
    awake: int = 0
    asked: int = 0
    spun_for: AbstractSet[int] = frozenset()
    is_whole: bool = True
    telling: set[int] = field(default_factory=set)
    holders: dict[Keeps, str] = field(default_factory=dict)

    def count_if_awake(self, tid: int, state: bytes) -> None:
        """One that does anything, other than the main thread."""
        if tid != self.lead and state in _AWAKE:
            self.awake += 1
            self.telling.add(tid)

    @property
    def finds_nobody_awake(self) -> bool:
        """Whether none but the main thread did anything: who was not looked at may have."""
        return self.is_whole and not self.awake

    @property
    def naps(self) -> bool:
        """Whether the main thread sleeps on a timer."""
        return bool(self.asleep[_ASLEEP[AsleepIn.TIMER]])


class ThreadWaitSampler:
    """Looks at all threads of the game, as far as the allowance goes."""

    sources = ("game_wait", "blocked_thread", "unusual_thread", "holder")

    def __init__(
        self,
        lists: ThreadLists,
        watch: WatchedProcess,
        threads: GameThreads,
        stalls: PressureTotals,
        readers: MapReaders,
        allowance: Allowance,
    ) -> None:
        self._lists = lists
        self._files = lists.files
        self._readers = readers
        self._holders = Holders(lists.files, readers)
        self._calls = SystemCalls(lists.files)
        self._own_ends = OwnEnds(lists.files)
        self._watch = watch
        self._threads = threads
        self._allowance = allowance
        self._stalls = stalls
        self._stalled_us: dict[str, RawValue] = {}
        self._pid: int | None = None
        self._lead: int | None = None
        self._pace, self._shared_pace = LeadPace(), SharedPace()
        self._stats: dict[int, KeptFile] = {}
        self._places: dict[int, KeptFile] = {}
        self._usual = UsualPlaces()
        self._noted: tuple[int, FoundIn | None] | None = None
        self._telling: set[int] = set()
        self._looks = 0

    def read(self) -> Sequence[Measurement]:
        """What was seen; nothing in ticks without a look, and while no game is watched."""
        pid = self._watch.pid
        if pid != self._pid:
            self._close_game()
            self._pid = pid
        lost = self._lost()
        if pid is None:
            return ()
        if asked := self._asked(pid, lost):
            return asked
        # In nearly every tick there is neither: looked at here, as each call costs 3 us of a tick.
        if self._readers.found:
            return self._found_reader()
        return self._traced(pid) if self._watch.is_traced else ()

    def _asked(self, pid: int, lost: int) -> Sequence[Measurement]:
        paused, spins = self._lead_paces()
        stands = self._who_stands() if self._threads.busy_runs[0] else None
        lead = self._lead if paused or stands is None else stands
        paused = paused or stands is not None
        if paused and lost >= _LONG_US:
            # Who did it may be gone before the next look at all processes.
            self._threads.was_held_up = True
        if paused or spins:
            self._noted = None
        else:
            # Whoever else waits meanwhile: beside a program that always reads nothing would ever
            # be usual, and a worker in the lock of a file was lost among what that one did.
            self._learn(pid)
            if lost < _LOST_US and not self._watch.is_blocked:
                return ()
        saved = self._allowance.saved
        # What the main thread lacks is nearer to the game than what the whole computer waits for.
        is_near = (paused and saved > 0.0) or (spins and saved > _FOR_SPINNING)
        # It may have run nearly all of a tick at whose end it cannot be woken: two of three waits
        # of 75 ms for the memory map were over when it was seen to have run less.
        is_near = is_near or (self._watch.is_blocked and saved > _FOR_SPINNING)
        # Half is saved for ticks in which the main thread itself lacks time.
        if not is_near and not (lost >= _LOST_US and saved > 0.5):
            return ()
        workers = {tid for tid, _ in self._threads.busy} if spins else set()
        with self._allowance.spending():
            look = self._look(pid, lead, workers, is_whole=saved >= _FOR_ALL)
        if look is not None and look.answered_at is not None:
            self._threads.waits_alone = AloneWait(in_memory=False, ends=look.answered_at)
        elif look is not None and look.watched is not None:
            # Whoever of its own works meanwhile: nobody wakes a thread of its game by events.
            self._threads.waits_alone = AloneWait(
                in_memory=False, ends=look.watched, for_events=True
            )
        elif look is not None and look.finds_nobody_awake and (look.is_handed_on or look.naps):
            # Who looks for an answer in shared memory again and again sleeps on a timer meanwhile.
            self._threads.waits_alone = AloneWait(in_memory=True)
        return () if look is None else self._told(look)

    def close(self) -> None:
        self._close_game()
        self._stalled_us = {}

    def _close_game(self) -> None:
        for file in (*self._stats.values(), *self._places.values()):
            file.close()
        self._calls.close()
        self._own_ends.forget()
        self._stats, self._places = {}, {}
        self._usual, self._noted = UsualPlaces(), None
        self._telling = set()
        self._lead = self._pid = None

    def _lost(self) -> int:
        """Microseconds that tasks here lost to memory or drives since the last tick."""
        lost = 0
        for name in _STALLS:
            total = self._stalls.some_us.get(name)
            before = self._stalled_us.get(name)
            if total is not None and before is not None:
                lost = max(lost, total - before)
            self._stalled_us[name] = total
        return lost

    def _lead_paces(self) -> PaceInTick:
        """Whether the thread that drives the frames ran less than it usually does, or far more."""
        lead = self._threads.lead or self._pid
        if lead != self._lead:
            self._lead, self._pace = lead, LeadPace()
        is_first = lead == self._pid
        return self._pace.take(self._watch.main_run_ns if is_first else self._threads.lead_run_ns)

    def _who_stands(self) -> int | None:
        """The thread that lacks most time while all busy ones together stand."""
        name = self._shared_pace.take(*self._threads.busy_runs)
        return None if name is None else int(name.split(" ", 1)[0])

    def _learn(self, pid: int) -> None:
        """Note where one of the threads is while all is well."""
        tids = self._threads.tids if self._threads.pid == pid else ()
        self._usual.there(tids)
        tid = self._usual.next_of(tids)
        if self._noted is not None:
            self._usual.note(*self._noted)
            self._noted = None
        if tid is not None and tid != self._lead:
            # A stutter begins within a tick that looks well: the next one tells.
            self._noted = tid, found_in(self._place(pid, tid))

    def _found_reader(self) -> Sequence[Measurement]:
        """Who reads the map, where a look of just now had it searched for."""
        reader = self._holders.found_reader()
        return _held({Keeps.READS: reader}) if reader else ()

    def _traced(self, pid: int) -> Sequence[Measurement]:
        """Who traces a main thread that stands still, in ticks without a look.

        A tracer of system calls stops it for less than a look is worth, again and again.
        """
        tracer = self._holders.tracer(pid, pid)
        return _held({Keeps.TRACES: tracer}) if tracer else ()

    def _look(
        self, pid: int, lead: int | None, spun_for: AbstractSet[int], *, is_whole: bool
    ) -> _Look | None:
        if self._threads.pid != pid:
            return None
        look = _Look(lead, spun_for=spun_for)
        # A thread that was started for the work is in no list of before.
        listed = self._lists.of(pid, self._watch.threads) or self._threads.tids
        # The main thread first, whichever that is (`GameThreads.lead`): what it waits for decides
        # whether the others' places are read.
        tids = sorted(_most_looked_at(listed), key=lambda tid: tid != lead)
        there = set(tids)
        self._usual.keep(there)
        for kept in (self._stats, self._places):
            for tid in kept.keys() - there:
                kept.pop(tid).close()
        if not is_whole and len(tids) > _FEW:
            look.is_whole = False
            tids = self._those_that_tell(tids, lead)
        for tid in tids:
            file = self._stats.get(tid)
            if file is None:
                file = self._stats[tid] = KeptFile(self._files, f"{PROC}/{pid}/task/{tid}/stat")
            data = file.find()
            if data:
                self._note(look, pid, tid, data)
        self._looks += 1
        self._telling = look.telling if look.is_whole else self._telling | look.telling
        return look

    def _those_that_tell(self, tids: Sequence[int], lead: int | None) -> list[int]:
        """Of all threads those that usually work, did something lately, or are new."""
        new = [tid for tid in tids if tid not in self._stats][-_NEWEST:]
        telling = {lead, *(tid for tid, _ in self._threads.busy), *self._telling, *new}
        return [tid for tid in tids if tid in telling]

    def _note(self, look: _Look, pid: int, tid: int, data: bytes) -> None:
        state = state_in(data)
        look.count_if_awake(tid, state)
        is_worker = look.is_handed_on or tid in look.spun_for
        is_asked = state == b"D" or (state == b"S" and (tid == look.lead or is_worker))
        if state == b"S" and not is_asked:
            return  # most of two hundred rest, and it does not matter where
        place = self._place(pid, tid) if is_asked else b""
        if state in _STOPPED or (is_frozen(state, place) and self._state(tid) == state):
            look.stopped += 1
            if state == _TRACED and Keeps.TRACES not in look.holders:
                look.holders[Keeps.TRACES] = self._holders.tracer(pid, tid)
        elif state == b"D":
            self._note_holder(look, pid, tid, place)
            by = self._blocked_by(look, pid, tid, place)
            look.blocked[_BLOCKED[by]] += 1
            if len(look.named) < _MOST_NAMED:
                look.named[f"{tid} {name_in(data)}"] = by
        elif tid == look.lead:
            self._note_lead(look, pid, tid, place)
        elif is_worker and len(look.unusual) < _MOST_NAMED:
            # Asleep in no place: it was woken between the two files.
            is_told = state != b"S" or place not in UNKNOWN
            found = found_in(place) if is_told else None
            if found is not None and self._usual.is_unusual(tid, found):
                self._note_unusual(look, pid, tid, place, found, f"{tid} {name_in(data)}")

    def _note_unusual(
        self, look: _Look, pid: int, tid: int, place: bytes, found: FoundIn, label: str
    ) -> None:
        ends = self._calls.ends(pid, tid) if found in _ASKS else frozenset[str]()
        if self._own_ends.are_all(pid, ends):
            return  # for work of its own game, as in a futex
        self._note_holder(look, pid, tid, place)
        look.unusual[label] = found
        look.telling.add(tid)
        if found in _ASKS and look.answered_at is None:
            look.answered_at = ends

    def _blocked_by(self, look: _Look, pid: int, tid: int, place: bytes) -> BlockedBy:
        by = blocked_by(place)
        if by is BlockedBy.MAPS and Keeps.READS not in look.holders:
            look.holders[Keeps.READS] = self._holders.reader(pid)
        is_served = by is BlockedBy.IO and self._is_served(look, pid, tid)
        return BlockedBy.OTHER if is_served else by

    def _note_lead(self, look: _Look, pid: int, tid: int, place: bytes) -> None:
        """Where the thread that drives the frames sleeps, and for whom."""
        if place in UNKNOWN:
            return
        self._note_holder(look, pid, tid, place)
        kind, ends = asleep_in(place), frozenset[str]()
        is_own = False
        if kind in (AsleepIn.PIPE, AsleepIn.SOCKET):
            ends = self._calls.ends(pid, tid)
            is_own = self._own_ends.are_all(pid, ends)
        # Who reads from a pipe into which a thread of its own writes waits for that thread, as in
        # a futex: of 11 freezes behind a loader's pipe ten were an "answer of another program".
        kind = AsleepIn.FUTEX if is_own else kind
        look.asleep[_ASLEEP[kind]] = 1
        look.is_handed_on = kind in (AsleepIn.FUTEX, AsleepIn.EVENTS)
        if is_own:
            look.untimed = 1
        elif kind in (AsleepIn.PIPE, AsleepIn.SOCKET):
            look.answered_at = ends
        elif kind is AsleepIn.EVENTS:
            look.watched = self._calls.watched(pid, tid)
        elif kind is AsleepIn.FUTEX:
            look.untimed = self._calls.is_untimed(pid, tid)

    def _note_holder(self, look: _Look, pid: int, tid: int, place: bytes) -> None:
        """Ask who keeps a thread that sleeps in that place: once a look, and only then."""
        how = how_kept(place)
        if how is Keeps.LOCKS and how not in look.holders:
            look.holders[how] = self._holders.holder_of_lock(pid)
        elif how is Keeps.SERVES and how not in look.holders:
            look.holders[how] = self._holders.server(pid)
        elif how is Keeps.CHILD and how not in look.holders:
            look.holders[how] = self._holders.child(pid, tid)

    def _is_served(self, look: _Look, pid: int, tid: int) -> bool:
        """Whether a thread that sleeps as for a drive waits for a program's file system (FUSE).

        It sleeps where the page of a file is awaited, of whatever kind the file is: beside a busy
        drive the game waited for that drive. Asked only where there is such a file system, and of
        the first few threads of a look.
        """
        served = self._holders.served(pid)
        if not served or look.asked >= _MOST_ASKED:
            return False
        look.asked += 1
        name = served.get(self._calls.mount(pid, tid))
        if name is not None:
            look.holders.setdefault(Keeps.SERVES, f"0 {name}")
        return name is not None

    def _state(self, tid: int) -> bytes:
        return state_in(self._stats[tid].find() or b"")

    def _place(self, pid: int, tid: int) -> bytes:
        file = self._places.get(tid)
        if file is None:
            file = self._places[tid] = KeptFile(self._files, f"{PROC}/{pid}/task/{tid}/wchan")
        try:
            data = file.find()
        except KernelFileError:
            # Somebody else's process, or one that just ended: not known, and no failure.
            return b""
        return (data or b"").strip()

    def _told(self, look: _Look) -> Sequence[Measurement]:
        values: tuple[RawValue, ...] = (
            self._looks,
            look.stopped,
            *look.blocked,
            *look.asleep,
            look.untimed,
        )
        measured = [Measurement("game_wait", None, values)]
        if look.named:
            rows: list[RawValue] = []
            for kind in look.named.values():
                rows += [int(kind is each) for each in BlockedBy]
            measured.append(Measurement("blocked_thread", tuple(look.named), tuple(rows)))
        if look.unusual:
            rows = [int(found is each) for found in look.unusual.values() for each in FoundIn]
            measured.append(Measurement("unusual_thread", tuple(look.unusual), tuple(rows)))
        return [*measured, *_held(look.holders)]


def _held(holders: Mapping[Keeps, str]) -> Sequence[Measurement]:
    named = [(how, name) for how, name in holders.items() if name]
    names = tuple(sorted({name for _, name in named}))
    rows = tuple(int((how, name) in named) for name in names for how in Keeps)
    return (Measurement("holder", names, rows),) if named else ()


def _most_looked_at(tids: Sequence[int]) -> Sequence[int]:
    """Of very many the first, and the newest ones, which may have been started for the work."""
    if len(tids) <= MOST_LOOKED_AT:
        return tids
    return (*tids[: MOST_LOOKED_AT - _NEWEST], *tids[-_NEWEST:])
