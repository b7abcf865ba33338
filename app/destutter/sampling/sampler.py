# SPDX-License-Identifier: GPL-3.0-or-later
"""The sampler as a whole: one tick makes one sample, at deadlines that do not drift.

Sources of the catalog that change fast are read at every tick. Those worth reading once a second
take turns, so that no tick is much dearer than another. What is slow runs beside the ticks
(``slow``), and its latest readings ride along with the next sample.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from destutter.core.catalog import SLOW_PERIODS_S, SOURCES, Cadence
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import Facts, Header, Message, Sample, Trouble
from destutter.core.sandbox import read_sandbox
from destutter.core.statement import Statement
from destutter.sampling.facts import FactReader
from destutter.sampling.files.hidden import NEVER_LENT, OF_OTHER_PROGRAMS, HiddenSampler
from destutter.sampling.finding.frame_logs import FrameLogFinder
from destutter.sampling.finding.game_mode import GameModeWatch
from destutter.sampling.finding.game_watch import FRAME_LOG, GameWatch
from destutter.sampling.finding.log_writer import LogWriterFinder
from destutter.sampling.frames.frame_feed import FrameFeed
from destutter.sampling.game.frame_thread import FrameThread
from destutter.sampling.machine import clock_ticks, describe_machine
from destutter.sampling.probes.probe_clock import slept_ns
from destutter.sampling.processes.game_drives import GameDrives
from destutter.sampling.registry import SAMPLERS, build_parts
from destutter.sampling.ticks.hold_ups import HoldUps, LookFor
from destutter.sampling.ticks.sampler_track import Batch, SamplerTrack
from destutter.sampling.ticks.slow import RepeatedJob, SlowSide

_FACTS_PERIOD_S = 10.0  # profiles, governors, swap, displays: what somebody sets now and then
_SEARCH_PERIOD_S = 5.0  # a game counts after 20 s (process_finder.py); five more are no loss
_LATE_US = 30_000  # a tick so late, or a game's thread, means that others had the processors
_WHO_RAN = ("process", "realtime", "kernel_thread")
_PARTNERS_PERIOD_S = 1.0
_FRAME_THREAD_PERIOD_S = 1.0
_GAME_DRIVES_PERIOD_S = 5.0
_LOGS_PERIOD_S = 2.0  # whoever started the game sees its frame times before the menu is there
_HIDES_PROGRAMS = Statement("sampling.hides_programs")
_HIDES_MAPS = Statement("sampling.hides_maps")
_TELLS_FRAMES = "X-Plane"
_OF_THE_GAME = ("game", "game_status", "game_wait", "busy_thread", "thread", "gpu_engine")


@dataclass(frozen=True, slots=True)
class SamplerOptions:
    """What to measure. ``pid`` is the game; without one it is searched for, if wanted.

    ``bus_address`` is that of the session bus, on which GameMode tells of games; empty: not asked.
    With ``may_listen`` a game that tells its frames by itself (X-Plane) is listened to, and the
    log that MangoHud writes for the game is looked for, also in ``log_folder``; and as long as no
    game is known, who writes a log there or in ``more_log_folders``.
    """

    interval_ms: int = 100
    pid: int | None = None
    is_searching: bool = True
    session_type: str = ""
    bus_address: str = ""
    may_listen: bool = False
    log_folder: Path | None = None
    more_log_folders: tuple[Path, ...] = ()


class Sampler:
    """Reads a tree. ``clock`` gives nanoseconds of CLOCK_MONOTONIC.

    Call ``begin`` once, then ``tick`` at each deadline, and ``close`` at the end. ``slow`` is what
    runs beside the ticks, once it was started.
    """

    def __init__(
        self,
        files: KernelFiles,
        options: SamplerOptions,
        clock: Callable[[], int] = time.monotonic_ns,
        suspended: Callable[[], int] = slept_ns,
    ) -> None:
        self._files = files
        self._options = options
        self._clock = clock
        self._suspended = suspended
        self.skipped_ticks = 0
        self._parts = build_parts(files, clock, lambda: self.skipped_ticks)
        self._game_mode = GameModeWatch(options.bus_address)
        self._game = GameWatch(files, self._parts.watch, clock_ticks(files), self._game_mode.pids)
        self._facts = FactReader(files, options.session_type)
        self._told_facts: dict[str, str] = {}
        self._search_problem: Statement | None = None
        self._sandbox = read_sandbox(files)
        self._tracks = self._make_tracks()
        self._plan = _turns(self._tracks, options.interval_ms)
        self._jobs = self._make_jobs()
        self.slow = SlowSide(list(self._jobs.values()), clock)
        self._hold_ups = HoldUps()
        self._pending = Batch()
        self._ticks = 0
        self._is_listening = False
        self._logs = FrameLogFinder(files, options.log_folder)
        own = () if options.log_folder is None else (options.log_folder,)
        self._writers = LogWriterFinder(files, (*own, *options.more_log_folders))
        self._followed: tuple[int, Path] | None = None
        self.frames = FrameFeed(clock, self._sandbox)
        self._frame_thread = FrameThread(files, self._parts.watch, self._parts.game_threads)
        self._told_frame_thread = ""
        self._game_drives, self._told_drives = GameDrives(files), ""

    def begin(self, wall_time: float) -> list[Message]:
        """The header and all facts. ``wall_time`` is seconds since 1970, for showing a date."""
        now_ns = self._clock()
        header = Header(
            now_ns, wall_time, self._options.interval_ms, describe_machine(self._files)
        )
        self._read_facts(self._pending)
        if self._options.pid is not None:
            self.watch(self._options.pid)
        elif self._options.is_searching:
            self._game.search()
        messages, self._pending.messages = self._pending.messages, []
        return [header, *messages]

    def watch(self, pid: int | None) -> None:
        """Watch this process as the game from now on; None: the computer as a whole."""
        self._game.follow(pid, self._clock(), self._suspended(), self._pending)
        self._wake_game()

    def tick(self, deadline_ns: int) -> list[Message]:
        """Take one sample; the sample comes last, after what changed."""
        start_ns = self._clock()
        suspended_ns = self._suspended()
        batch, self._pending = self._pending, Batch()
        turn = self._ticks % len(self._plan)
        self._files.begin_look(f"tick {turn}")
        if self._game.take_found(start_ns, suspended_ns, batch):
            self._wake_game()
        for track in self._plan[turn]:
            track.run(batch)
        self._ticks += 1
        self._look_who_ran(start_ns, deadline_ns)
        if self._tracks["game"].is_absent and self._parts.watch.pid is not None:
            self._game.end(start_ns, batch)
            self._stop_listening()
            if self._options.pid is None and self._options.is_searching:
                self._game.search()
        self.slow.take(batch)
        self._follow_found_log()
        batch.messages.extend(self.frames.take())
        collect_us = (self._clock() - start_ns) // 1000
        late_us = max(start_ns - deadline_ns, 0) // 1000
        readings = tuple(batch.readings)
        sample = Sample(start_ns, suspended_ns, collect_us, late_us, readings)
        return [*batch.messages, sample]

    def next_deadline(self, deadline_ns: int) -> int:
        """The deadline after this one; those that are over already are skipped and counted.

        The turns of a second go on where they were: on a computer that hangs at one place of each
        second, those that it skips would never come.
        """
        step_ns = self._options.interval_ms * 1_000_000
        following_ns = deadline_ns + step_ns
        missed = (self._clock() - following_ns) // step_ns
        if missed > 0:
            self.skipped_ticks += missed
            following_ns += missed * step_ns
        return following_ns

    def close(self) -> None:
        """Stop the slow side and give all descriptors back."""
        self.slow.stop()
        self._game_mode.close()
        self.frames.stop()
        for track in self._tracks.values():
            track.close()

    def _wake_game(self) -> None:
        for name in _OF_THE_GAME:
            self._tracks[name].wake()
        self._stop_listening()
        if "frame_logs" in self._jobs:
            self.slow.hurry([self._jobs["frame_logs"]])
        may_listen = self._options.may_listen and not self.frames.is_following
        if may_listen and self._game.name.startswith(_TELLS_FRAMES):
            self.frames.listen_for_beacon()
            self._is_listening = True

    def _follow_found_log(self) -> None:
        """Read the log that was found for the game, unless frames come from elsewhere."""
        found = self._logs.found
        if found == self._followed or found is None or found[0] != self._parts.watch.pid:
            return
        if self._has_other_frames():
            return
        self.frames.follow(str(found[1]))
        self._followed, self._is_listening = found, False

    def _has_other_frames(self) -> bool:
        """Whether frames come from what the user named, or from the game itself.

        An X-Plane that is only listened for may never speak: its beacon can be switched off, and
        players run MangoHud beside it.
        """
        is_silent = self._is_listening and not self.frames.has_frames
        return self.frames.is_following and self._followed is None and not is_silent

    def _stop_listening(self) -> None:
        """Leave a source of frames that nobody asked for."""
        if self._is_listening or self._followed is not None:
            self.frames.stop()
        self._is_listening, self._followed = False, None

    def _make_tracks(self) -> dict[str, SamplerTrack]:
        # What is lent may come and go; files that cannot be lent are hidden for good.
        is_hidden = self._sandbox is not None and self._files.shares_processes
        hidden = dict.fromkeys(NEVER_LENT if self._sandbox is not None else (), _HIDES_MAPS)
        if is_hidden:
            hidden |= dict.fromkeys(OF_OTHER_PROGRAMS, _HIDES_PROGRAMS)
        tracks = {}
        for name, make in SAMPLERS.items():
            sampler = make(self._parts)
            if name in hidden:
                sampler = HiddenSampler(sampler.sources, hidden[name])
            tracks[name] = SamplerTrack(sampler, self._clock)
        return tracks

    def _make_jobs(self) -> dict[str, RepeatedJob]:
        jobs: dict[str, tuple[float, Callable[[Batch], None]]] = {
            name: (period_s, self._tracks[name].run) for name, period_s in SLOW_PERIODS_S.items()
        }
        jobs["search"] = _SEARCH_PERIOD_S, self._search
        if self._sandbox is None:
            jobs["partners"] = _PARTNERS_PERIOD_S, self._find_partners
            jobs["map_readers"] = _PARTNERS_PERIOD_S, self._find_map_readers
        if self._options.may_listen:
            jobs["frame_logs"] = _LOGS_PERIOD_S, self._find_log
        jobs["frame_thread"] = _FRAME_THREAD_PERIOD_S, self._find_frame_thread
        jobs["game_drives"] = _GAME_DRIVES_PERIOD_S, self._find_drives
        jobs["facts"] = _FACTS_PERIOD_S, self._read_facts
        return {name: self._job(name, *each) for name, each in jobs.items()}

    def _job(self, name: str, period_s: float, work: Callable[[Batch], None]) -> RepeatedJob:
        def work_in_a_look(batch: Batch) -> None:
            self._files.begin_look(name)
            work(batch)

        return RepeatedJob(period_s, work_in_a_look)

    def _look_who_ran(self, start_ns: int, deadline_ns: int) -> None:
        """Look at the processes now when the game was held up, or everybody waits for a core.

        At its usual time the look would come seconds after who did it, and find an average, or
        nobody any more.
        """
        was_held_up = self._parts.game_threads.take_hold_up()
        is_late = start_ns - deadline_ns >= _LATE_US * 1000
        look = self._hold_ups.due(start_ns, is_held_up=was_held_up or is_late)
        if look is not None:
            self._parts.table.is_thorough = look is LookFor.WHO_RAN
            self.slow.hurry([self._jobs[name] for name in _WHO_RAN])
        if self._parts.partners.take_new() and "partners" in self._jobs:
            self.slow.hurry([self._jobs["partners"]])
        if self._parts.map_readers.take_new() and "map_readers" in self._jobs:
            self.slow.hurry([self._jobs["map_readers"]])

    def _search(self, batch: Batch) -> None:
        """Look for a game, and rank the threads of the one that is watched."""
        problem = None
        try:
            self._game.look(self._parts.table)
            self._parts.threads.look()
        except KernelFileError as error:
            problem = error.statement
        problem = problem or self._game_mode.problem
        if problem != self._search_problem:
            batch.messages.append(Trouble(self._clock(), "search", problem))
        self._search_problem = problem

    def _find_log(self, _batch: Batch) -> None:
        """Look for MangoHud's log of the game, as long as nobody named another one.

        Without a game: for who writes one; also where the one that was found tells no frames. A
        simulator that ran in the background was watched, and not the game that was played.
        """
        is_silent = self._game.is_guess and not self.frames.has_frames
        if self._game.is_missing or is_silent:
            pid = self._writers.look()
            if pid is not None and pid != self._parts.watch.pid:
                self._game.offer(pid, FRAME_LOG)
        if not self._has_other_frames():
            self._logs.look(self._parts.watch.pid)

    def _find_frame_thread(self, batch: Batch) -> None:
        """Look for the thread that shows the game's frames, and tell of it."""
        self._frame_thread.look(self.frames.log)
        self._parts.game_threads.shows_frames = self._frame_thread.tid
        label = self._frame_thread.label
        if label != self._told_frame_thread:
            self._told_frame_thread = label
            batch.messages.append(Facts(self._clock(), {"game.lead": label}))

    def _find_drives(self, batch: Batch) -> None:
        told = self._game_drives.look(self._parts.watch.pid)
        if told != self._told_drives:
            self._told_drives = told
            batch.messages.append(Facts(self._clock(), {"game.drives": told}))

    def _find_partners(self, _batch: Batch) -> None:
        """Look for whom the game waits in shared memory, as far as it does."""
        try:
            self._parts.partner_finder.look()
        except KernelFileError:
            # Processes cannot be listed, which the source "process" says.
            return

    def _find_map_readers(self, _batch: Batch) -> None:
        self._parts.map_readers.search()

    def _read_facts(self, batch: Batch) -> None:
        """Put the facts that changed into a batch; an empty text for one that ended."""
        old, new = self._told_facts, self._facts.read()
        changed = dict.fromkeys(old.keys() - new.keys(), "")
        changed |= {name: text for name, text in new.items() if old.get(name) != text}
        if changed:
            batch.messages.append(Facts(self._clock(), changed))
        self._told_facts = new


def _turns(tracks: Mapping[str, SamplerTrack], interval_ms: int) -> list[list[SamplerTrack]]:
    """Which samplers are read at which tick of a second."""
    count = max(1, round(1000 / interval_ms))
    plan: list[list[SamplerTrack]] = [[] for _ in range(count)]
    seconds = [name for name in tracks if SOURCES[name].cadence is Cadence.SECOND]
    for name, track in tracks.items():
        if SOURCES[name].cadence is Cadence.TICK:
            for turn in plan:
                turn.append(track)
    for index, name in enumerate(seconds):
        plan[index * count // len(seconds) % count].append(tracks[name])
    return plan
