# SPDX-License-Identifier: GPL-3.0-or-later
"""Who did it: from a signal and a look at the processes to at most three names."""

import re
from collections.abc import Iterable
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.circumstances.kernel_time import PAGED
from destutter.diagnosis.finding import MOST_CULPRITS, OWN_LIMIT, Culprit
from destutter.diagnosis.history.witnesses import Process, Witness, all_cpu_pct, busiest
from destutter.diagnosis.shares import REALTIME_PCT

_MIB = 1024.0 * 1024.0
_GROWN_BYTES = 64 * _MIB  # in a look of three seconds; with less whoever opens a page is named
# One that kept its group at the limit grew by 14 to 68 MB in a look.
_GROWN_IN_FULL_BYTES = 8 * _MIB
# Of the computer's memory: a machine in the machine, an editor of pictures; a browser's tabs are
# programs of some hundred MB.
_MUCH_HELD = 0.25
# What no browser or log moves, as in causes/drives.py.
_IO_BYTES_PER_S = 8 * _MIB
_LEAST_BYTES_PER_S = 256 * 1024.0  # no log of a resting computer
_LEAST_SYNCED_PER_S = 64 * 1024.0  # sixteen pages: no log of a resting computer
_PART_OF_COMMIT = 0.1  # of what the drive wrote; 98 kB/s stood beside a game's own 60 MB/s
_TIMES_DRIVE = 3.0  # times what the drive moved: less may still lie in memory (_on_drive)
_OF_TRAFFIC = 0.5  # of what was moved: with less somebody else moved more
_MOST_OF_ALL = 0.6  # of what all used: with less it was a crowd
_SOME_PCT = 5.0  # of a core, as meters and daemons use it
# Meters and daemons beside a miner that gave way used 4 to 5; a program of 150 ms used 10 to 20.
_OTHERS_PCT = 10.0
_CAME_PCT = 20.0  # of a core; what a browser has now and then
_NEW = 0.3  # of what all used: one that always computes varies by a tenth of it
# Of a core: what a waiting loop of a shell starts had 1 to 10 in a look, a storm of programs 40
# and more, as the whole time of each is booked when it has ended.
_STARTED_PCT = 30.0
_A_SIDE = 0.05  # of what was read and written together: less is not worth a word
_BUSY_PCT = 50.0  # of a core: enough, whatever the others used
# Of a core: one that paged a game out had 9 to 34 in a look, meters and tools that read /proc 8.
# So near to each other nothing parts them all: rather nobody is named than a meter.
_PAGER_PCT = 10.0
_IN_KERNEL = 0.5  # of what it used: who calls process_madvise is there for nearly all of it
_MOMENT_PCT = (
    25.0  # of a core: a meter that runs for 50 ms every two seconds uses 3; a compiler 100
)
_PAUSES = {"sleep"}  # a script's pause keeps a beat, and what comes after it does the work
_STARTS_ALL = ("systemd", "init")  # take over the children of whoever has ended
_FIRST = 1  # as does the first process, whatever it is called in a container
_OF_LOOP_DRIVES = re.compile(r"kworker/.*[-+]loop\d+")
_KERNEL_CLEANERS = ("kswapd", "kcompactd", "khugepaged", "kworker", "kthreadd", "jbd2")


def who_filled_memory(_signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """Whose memory grew most, and who holds a good part of all; else who moved most data through
    the page cache.

    Who took 20 of 24 GB an hour ago leaves little to the game and to files, and was never named:
    the advice was to close who wrote a log.
    """
    processes = _people(witness)
    grown = busiest(processes, "grown_bytes", _GROWN_BYTES)
    holder = _by_holding(processes, witness)
    if grown is not None:
        others = (each for each in holder if each.comm != grown.comm)
        return (_culprit(grown, "culprit.grew", grown_bytes=grown.grown_bytes), *others)
    return (*holder, *_by_traffic(processes)) or _by_cpu(processes)


def who_made_it_swap(signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """Whose memory grew most where that made it short; else who worked in the kernel.

    Paging out is work for the kernel, done in the call of who asks for it (``madvise_pageout`` in
    mm/madvise.c, ``memory_reclaim`` in mm/memcontrol.c). Who only computes, moves data, or takes
    memory of which there is enough, did not page a game out. Recordings of before do not tell the
    kernel's time apart.
    """
    processes = _people(witness)
    if not any(each.system_pct for each in processes):
        return who_filled_memory(signal, witness)
    is_enough = signal.kind == PAGED
    takers = tuple(each for each in processes if each.in_game_group or not is_enough)
    grown = busiest(takers, "grown_bytes", _GROWN_BYTES)
    if grown is not None:
        return (_culprit(grown, "culprit.grew", grown_bytes=grown.grown_bytes),)
    # A compiler has more system time than a pager of few pages, and computes for most of its own.
    workers = tuple(each for each in processes if each.system_pct >= _IN_KERNEL * each.cpu_pct)
    least = max(_MOST_OF_ALL * sum(each.system_pct for each in workers), _PAGER_PCT)
    found = busiest(workers, "system_pct", least)
    if found is not None:
        return (_culprit(found, "culprit.system", cpu_pct=found.system_pct),)
    return () if is_enough else _by_traffic(processes)


def who_filled_the_group(_signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """Whose memory grew most of those that share the limit of the game's own group.

    In a full group whoever wants a page must first free another, in its own call
    (``try_charge_memcg`` in mm/memcontrol.c): it grows slowly, and works in the kernel.
    """
    inside = tuple(each for each in _people(witness) if each.in_game_group)
    grown = busiest(inside, "grown_bytes", _GROWN_BYTES)
    if grown is None:
        grown = busiest(filter(_frees_pages, inside), "grown_bytes", _GROWN_IN_FULL_BYTES)
    if grown is None:
        return ()
    return (_culprit(grown, "culprit.grew", grown_bytes=grown.grown_bytes),)


def who_used_the_disk(signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """The device, then who read and wrote most."""
    device = (Culprit("device", signal.subject),) if signal.subject else ()
    moved = None if witness is None else witness.moved.get(signal.subject or "")
    least = _IO_BYTES_PER_S
    if moved is not None:
        # A look covers seconds, of which a burst that holds the game up takes half a one.
        least = min(least, max(_OF_TRAFFIC * moved, _LEAST_BYTES_PER_S))
    people = _on_drive(signal.subject, witness)
    found = _by_traffic(_as_far_as_written(people, signal.subject, witness), least)
    return device + _named_for(signal.subject, found)


def _named_for(drive: str | None, culprits: tuple[Culprit, ...]) -> tuple[Culprit, ...]:
    return tuple(replace(each, place=drive or "") for each in culprits)


def who_wrote(_signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """Who wrote most: nobody waits for the unwritten data of one that reads."""
    found = busiest(_people(witness), "write_bytes_per_s", _IO_BYTES_PER_S)
    if found is None or found.is_game:
        return ()
    return (_culprit(found, "culprit.wrote", io_bytes_per_s=found.write_bytes_per_s),)


def who_wrote_to_the_disk(signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """The device, then who wrote most.

    Whoever has little written down again and again makes a commit as long as one who writes much:
    a good part of what all but the game wrote is enough, but not beside a game that fills the
    commit itself.
    """
    device = (Culprit("device", signal.subject),) if signal.subject else ()
    people = _on_drive(signal.subject, witness)
    written = sum(each.write_bytes_per_s for each in people)
    least = min(_IO_BYTES_PER_S, max(_OF_TRAFFIC * written, _LEAST_SYNCED_PER_S))
    by_all = 0.0 if witness is None else witness.written.get(signal.subject or "", 0.0)
    # Little data with a commit each is written ten times over: of few bytes it says nothing.
    if by_all > _IO_BYTES_PER_S:
        least = max(least, _PART_OF_COMMIT * by_all)
    found = busiest(people, "write_bytes_per_s", least)
    if found is None or found.is_game:
        return device
    who = _culprit(found, "culprit.wrote", io_bytes_per_s=found.write_bytes_per_s)
    return device + _named_for(signal.subject, (who,))


def who_held_the_cpu(signal: Signal, witness: Witness | None) -> tuple[Culprit, ...]:
    """A real-time task that no game can push aside, then the busiest process.

    Nobody where the game's own limit held it back.
    """
    if witness is None or signal.kind == OWN_LIMIT:
        return ()
    realtime = busiest(witness.realtime, "cpu_pct", REALTIME_PCT)
    first: tuple[Culprit, ...] = ()
    if realtime is not None:
        used = {"cpu_pct": realtime.cpu_pct}
        why = Statement("culprit.realtime.own" if realtime.is_game else "culprit.realtime", used)
        first = (Culprit("realtime", realtime.comm, realtime.pid, why),)
    # Who only started others stands behind whoever was measured to work.
    processes = _not_giving_way(
        tuple(each for each in witness.processes if not each.has_other_cores)
    )
    crowd = _by_loop_drives(witness) or (*_by_cpu(processes), *_by_children(processes))
    return first + crowd


def _frees_pages(process: Process) -> bool:
    least = max(_PAGER_PCT, _IN_KERNEL * process.cpu_pct)
    return process.system_pct >= least


def nobody(_signal: Signal, _witness: Witness | None) -> tuple[Culprit, ...]:
    """No single program: the computer itself, or the game."""
    return ()


def which_device(signal: Signal, _witness: Witness | None) -> tuple[Culprit, ...]:
    """The device that the signal is about."""
    return (Culprit("device", signal.subject),) if signal.subject else ()


def which_interrupt(signal: Signal, _witness: Witness | None) -> tuple[Culprit, ...]:
    """The line of interrupts that the signal is about."""
    return (Culprit("interrupt", signal.subject),) if signal.subject else ()


_WATCHERS = ("mangohud", "nvidia-smi", "radeontop", "sensors", "conky", "corectrl", "btop", "htop")


def who_watches(witnesses: Iterable[Witness]) -> tuple[Culprit, ...]:
    """Programs that measure in a beat, and those that only lived for a moment, most seen first."""
    known: dict[str, int] = {}
    newest: int | None = None
    busy: set[str] = set()
    for look in witnesses:
        before = newest
        used: dict[str, float] = {}
        for process in look.processes:
            # Numbers are given in turn, so that one above all of the looks before is new since
            # then; one that was there all along may be among the busiest in a single look too.
            is_new = before is not None and process.pid is not None and process.pid > before
            if is_new or process.comm.startswith(_WATCHERS):
                known[process.comm] = known.get(process.comm, 0) + 1
            newest = max(newest or 0, process.pid or 0)
            used[process.comm] = used.get(process.comm, 0.0) + process.cpu_pct
        busy |= {comm for comm, cpu_pct in used.items() if cpu_pct > _MOMENT_PCT}
    # One that came once is chance; one that comes again under new numbers has a beat.
    named = [
        comm
        for comm in known
        if comm.startswith(_WATCHERS) or (known[comm] > 1 and comm not in busy | _PAUSES)
    ]
    named.sort(key=lambda comm: (-known[comm], comm))
    return tuple(Culprit("process", comm) for comm in named[:MOST_CULPRITS])


def _people(witness: Witness | None) -> tuple[Process, ...]:
    """Processes without the kernel's own threads: these work for somebody else."""
    processes = () if witness is None else witness.processes
    return tuple(each for each in processes if not each.comm.startswith(_KERNEL_CLEANERS))


def _on_drive(drive: str | None, witness: Witness | None) -> tuple[Process, ...]:
    """Processes without those whose traffic can only have gone to another drive.

    The kernel counts what a process moves over all drives (``/proc/PID/io``). Where its open files
    tell on which they lie, that is known; else one that moved several times as much as the drive,
    while another drive moved about as much, was busy there. What goes into the page cache first is
    counted at once and reaches its drive later, so that more than the drive moved is no proof by
    itself. What is read has left its drive when it is counted: who read 503 MB/s in the look that
    had its child's whole life was told as who used a drive of 1 MB/s, beside the one who did.
    """
    known = _people(witness)
    processes = tuple(each for each in known if not each.drives or drive in (None, *each.drives))
    if witness is None or drive is None or drive not in witness.moved:
        return processes
    most = _TIMES_DRIVE * witness.moved[drive]
    others = [rate for name, rate in witness.moved.items() if name != drive and rate > most]

    def is_elsewhere(process: Process) -> bool:
        rate = process.io_bytes_per_s
        if rate - process.write_bytes_per_s > most:
            return True
        return rate > most and any(_OF_TRAFFIC * rate <= other for other in others)

    return tuple(each for each in processes if not is_elsewhere(each))


def _as_far_as_written(
    processes: tuple[Process, ...], drive: str | None, witness: Witness | None
) -> tuple[Process, ...]:
    """Processes with no more written than the drive wrote meanwhile.

    What waits in the page cache held nobody up so far, and of pieces that are written over again
    the kernel counts the whole folio each time: a log of 0.24 MB/s counted as 12.
    """
    most = None if witness is None else witness.written.get(drive or "")
    if most is None:
        return processes

    def as_far(each: Process) -> Process:
        waits = max(each.write_bytes_per_s - most, 0.0)
        return replace(
            each,
            io_bytes_per_s=each.io_bytes_per_s - waits,
            write_bytes_per_s=each.write_bytes_per_s - waits,
        )

    return tuple(map(as_far, processes))


def _by_holding(processes: tuple[Process, ...], witness: Witness | None) -> tuple[Culprit, ...]:
    if witness is None or not witness.memory_bytes:
        return ()
    others = (each for each in processes if not each.is_game)
    found = busiest(others, "held_bytes", _MUCH_HELD * witness.memory_bytes)
    if found is None:
        return ()
    return (_culprit(found, "culprit.holds", held_bytes=found.held_bytes),)


def _by_traffic(
    processes: tuple[Process, ...], least: float = _IO_BYTES_PER_S
) -> tuple[Culprit, ...]:
    found = busiest(processes, "io_bytes_per_s", least)
    if found is None or found.is_game:  # what the game starts reads and writes for the game
        return ()
    return (_culprit(found, _moved(found), io_bytes_per_s=found.io_bytes_per_s),)


def _moved(process: Process) -> str:
    """What says that it read, wrote, or both."""
    least = _A_SIDE * process.io_bytes_per_s
    if process.write_bytes_per_s < least:
        return "culprit.traffic.read"
    if process.io_bytes_per_s - process.write_bytes_per_s < least:
        return "culprit.traffic.wrote"
    return "culprit.traffic"


def _not_giving_way(processes: tuple[Process, ...]) -> tuple[Process, ...]:
    """Without those of a low priority that always compute as much, where anybody else worked."""
    others = tuple(each for each in processes if not each.gives_way)
    worked = sum(each.beyond_pct + each.children_pct for each in others)
    return others if worked >= _OTHERS_PCT else processes


def _by_cpu(processes: tuple[Process, ...]) -> tuple[Culprit, ...]:
    """Whoever used half a core, or less but most of what all others together did.

    A look covers seconds: who holds both cores for 350 ms out of 2.3 s uses 15 % of each.
    """
    used = all_cpu_pct(processes)
    beyond = sum(each.beyond_pct for each in processes)
    # Where much of it is beyond what they use anyhow, who began now is nearer to the stutter than
    # who computes all the time: one of the lowest priority that nobody notices takes what is left.
    is_new = beyond >= _NEW * used or _is_steady(processes)
    measure, whole = ("beyond_pct", beyond) if is_new else ("cpu_pct", used)
    least = min(_BUSY_PCT, max(_MOST_OF_ALL * whole, _SOME_PCT))
    found = busiest(processes, measure, least)
    if found is None:
        return ()
    if found.count == 1:
        why = "culprit.cpu.own" if found.is_game else "culprit.cpu"
        return (_culprit(found, why, cpu_pct=found.cpu_pct),)
    # Older recordings hold the busiest of a look only.
    why = "culprit.cpu.several" if found.same_name else "culprit.cpu.least"
    if found.is_game:
        why = "culprit.cpu.own.several"
    return (_culprit(found, why, count=found.count, cpu_pct=found.cpu_pct),)


def _is_steady(processes: tuple[Process, ...]) -> bool:
    """Whether whoever used most did what it always does, while another one came.

    An encoder with 70 to 98 % of a core in each look, and the least where ten threads of another
    program had 26 to 59 % that otherwise have 5.
    """
    most = max(processes, key=lambda each: each.cpu_pct, default=None)
    came = max((each.beyond_pct for each in processes), default=0.0)
    return most is not None and most.beyond_pct < _NEW * came and came >= _CAME_PCT


def _by_children(processes: tuple[Process, ...]) -> tuple[Culprit, ...]:
    """Whoever started program after program, each of which ended before anybody looked at it.

    Where what these used was a good part of a core, and most of what all others did.
    """
    found = busiest(
        (each for each in processes if not _starts_all(each)), "children_pct", _STARTED_PCT
    )
    if found is None:
        return ()
    used = found.children_pct + all_cpu_pct(processes)
    if found.children_pct < _MOST_OF_ALL * used:
        return ()
    # No figure: the kernel books what a child used when it has ended, 407 % of a core in one look.
    return (_culprit(found, "culprit.started"),)


def _starts_all(process: Process) -> bool:
    return process.pid == _FIRST or process.comm in _STARTS_ALL


def _by_loop_drives(witness: Witness) -> tuple[Culprit, ...]:
    """The loop drives whose kernel workers had most of the processor, and who used those.

    The kernel reads and writes the file behind such a drive in threads of its own, each of which
    serves now this drive and now that (``loop_queue_work`` in drivers/block/loop.c).
    """
    people = _people(witness)
    work_pct = sum(each.cpu_pct for each in witness.processes if _OF_LOOP_DRIVES.match(each.comm))
    used = sum(each.cpu_pct for each in witness.processes)
    least = min(_BUSY_PCT, max(_MOST_OF_ALL * used, _SOME_PCT))
    if work_pct < least or busiest(people, "cpu_pct", work_pct) is not None:
        return ()
    moved = {drive: rate for drive, rate in witness.moved.items() if drive.startswith("loop")}
    why = Statement("culprit.loop", {"cpu_pct": work_pct})
    busy = [name for name in moved if moved[name] >= _OF_TRAFFIC * max(moved.values())]
    drive = busy[0] if len(busy) == 1 else "loop*"
    least_bytes = max(_OF_TRAFFIC * sum(moved.values()), _LEAST_BYTES_PER_S)
    return (Culprit("device", drive, None, why), *_by_traffic(people, least_bytes))


def _culprit(process: Process, why: str, **values: float) -> Culprit:
    told = Statement(why, values)
    return Culprit(
        *("process", process.comm, process.pid, told, process.starter), gives_way=process.gives_way
    )
