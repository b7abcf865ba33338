# SPDX-License-Identifier: GPL-3.0-or-later
"""The guardian: a process beside the service that takes a trial back when its time is over.

The service speaks to strangers: it can be flooded, wait for a disk or a log, grow until the
kernel kills it. None of that may hold up the end of a trial. So the guardian is forked before the
service loads anything of the bus, knows only what the service told it about the running trial,
and writes kernel files. It opens no file of ours, writes no log (but for one line when it fails)
and speaks to nobody else; its memory is locked, it is the last that the kernel kills for want of
memory, and it goes before whoever wants a core.

It ends a trial at the deadline, when the owner closes the hold, when it is asked to stop, and
when the service dies. The journal is none of its business: it says already what is right for the
next start, and finds it done.
"""

import contextlib
import ctypes
import gc
import os
import resource
import select
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from destutter_helper import write_back
from destutter_helper.api import names, payload
from destutter_helper.api.devices import Device
from destutter_helper.api.tunables import CELLS, HOLD
from destutter_helper.journal import Entry
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.log import Log
from destutter_helper.report import FAILED

WATCH, BIND, MOVE, PAUSE, FORGET = "watch", "bind", "move", "pause", "forget"
DONE, LEFT = b".", b","
REASONS = {
    b"d": names.ENDED_DEADLINE,
    b"h": names.ENDED_HOLD_CLOSED,
    b"s": names.ENDED_SHUTDOWN,
    b"g": names.ENDED_GAME,
}
# Deadlines are CLOCK_BOOTTIME, and poll's timeout does not count sleep: so it looks, and is late
# by this at most. SECURITY.md promises the end of a trial of 5 s within 6 s.
LOOK_EVERY_MS = 200
TRIES_ALONE = 25  # five seconds: then the next start of the service tries again
# What the service holds ends only with it. So long it may let go by itself before it is killed; a
# trial of 5 s has to be over within 6 s.
RELEASE_HOLDS_S = 0.5
DRIVES_ANSWER_S = 0.3  # before the service is told, which then asks them itself
STACK_BYTES = 256 * 1024  # of a thread for a drive: locked in memory like everything else
# The values are back by now: a service that waits for a slow disk (a flush of 10 s) is not
# killed for that, as a new one would have to be loaded from the same disk.
REACT_S = 30.0
ORDER_MAX_BYTES = 16 * 1024 * 1024
MCL_CURRENT, MCL_FUTURE = 1, 2  # asm-generic/mman.h
LOCKED_MAX_BYTES = 64 * 1024 * 1024
OOM_SCORE = "/proc/self/oom_score_adj"
LAST_TO_BE_KILLED, LATE_TO_BE_KILLED = -1000, -500  # include/uapi/linux/oom.h
# Of 99, which are the kernel's own watchdogs'. Realtime groups let users have up to 98, too.
PRIORITY = 98
MOST_CPU_S = 2  # in one go; it needs some milliseconds, and nothing may stand above a loop of ours
_LENGTH = struct.Struct("=I")


@dataclass(frozen=True, slots=True)
class Order:
    """What the service says: watch these entries, the end of a game as well, move the deadline,
    pause it, or forget all.
    """

    what: str
    deadline_boottime_ns: int = 0
    entries: tuple[Entry, ...] = ()


class Guardian:
    """The service's end. Every method raises OSError when the guardian is gone."""

    # One byte for each order (LEFT, if something that it began is missing), and one when the
    # guardian acted by itself: nothing to parse.

    def __init__(self, channel: socket.socket, pid: int) -> None:
        self._channel = channel
        self.pid = pid
        self.ended = ""
        """Why the guardian took the trial back by itself, one of the ENDED_ names."""
        self.is_half_done = False
        """Whether it has begun to take it back, and something is still missing."""

    def fileno(self) -> int:
        """The descriptor that can be read when there is news for ``hear``."""
        return self._channel.fileno()

    def watch(self, entries: Iterable[Entry], deadline_boottime_ns: int, hold: int = -1) -> None:
        """Take the entries to their goals at the deadline, or when the pipe ``hold`` is closed."""
        self.ended, self.is_half_done = "", False
        self._say(Order(WATCH, deadline_boottime_ns, tuple(entries)), hold)

    def bind(self, process: int, deadline_boottime_ns: int) -> str:
        """End the trial with a process too, given by its pidfd; ``ended``, if it is too late."""
        return self._say(Order(BIND, deadline_boottime_ns), process)

    def move(self, deadline_boottime_ns: int) -> str:
        """Put the deadline elsewhere, also after a pause; ``ended``, if it is too late."""
        return self._say(Order(MOVE, deadline_boottime_ns))

    def pause(self) -> str:
        """Do nothing by itself until ``move``; ``ended``, if it is too late."""
        return self._say(Order(PAUSE))

    def forget(self) -> None:
        """Leave the rest to the service, for which the trial is over."""
        self._say(Order(FORGET))
        self.ended = ""

    def hear(self) -> None:
        """Read the news, if there is any: `ended` afterwards.

        An order may have read it a moment ago, between the look at the descriptor and this call.
        """
        with contextlib.suppress(BlockingIOError):
            self._take(self._channel.recv(1, socket.MSG_DONTWAIT))

    def close(self) -> None:
        """End the guardian, which takes back what it still watches; wait for it."""
        self._channel.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def _say(self, order: Order, descriptor: int = -1) -> str:
        # As one: of half an order the guardian would have to wait for the rest, whatever stops us.
        text = payload.encode(order).encode()
        data = _LENGTH.pack(len(text)) + text
        sent = socket.send_fds(self._channel, [data], [] if descriptor < 0 else [descriptor])
        self._channel.sendall(data[sent:])
        while (answer := self._take(self._channel.recv(1))) not in {DONE, LEFT}:
            pass
        self.is_half_done = answer == LEFT
        return self.ended

    def _take(self, answer: bytes) -> bytes:
        if not answer:
            raise ConnectionResetError("the guardian of the trial is gone")
        self.ended = REASONS.get(answer, self.ended)
        return answer


def start(tree: KernelTree, confine: Callable[[], None]) -> Guardian:
    """Fork the guardian and wait until it is ready. OSError when it does not get there."""
    ours, theirs = socket.socketpair()
    service = os.getpid()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            ours.close()
            # In this order: a higher limit of locked memory and the lowest OOM score need the
            # rights that confine() gives away.
            _never_wait_for_memory()
            _never_wait_for_a_core()
            confine()
            _Watcher(KernelWriter(tree, {}), theirs, service).run()
            status = 0
        except Exception as error:  # noqa: BLE001 (the last line of this process)
            # The only thing it ever says: the service sees no more of this than that it is gone.
            Log().alert(f"the guardian failed: {error!r}")
        finally:
            os._exit(status)  # nothing of the service's clearing up, and no trace in its log
    theirs.close()
    guardian = Guardian(ours, pid)
    try:
        # Without effect: its answer tells that the guardian is ready, OSError that it died.
        guardian.forget()
    except OSError:
        guardian.close()
        raise
    _stand_back()
    return guardian


def _stand_back() -> None:
    """The service comes after most programs, but before its guardian, when memory is full."""
    with contextlib.suppress(OSError), open(OOM_SCORE, "r+") as file:
        if int(file.read()) < LATE_TO_BE_KILLED:
            file.write(str(LATE_TO_BE_KILLED))


def _never_wait_for_memory() -> None:
    """Keep every page in memory, and be the last one that is killed for want of it.

    As far as the rights go: a systemd unit grants both, elsewhere root has them.
    """
    gc.disable()  # orders leave no cycles behind, and a collection touches every page
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (LOCKED_MAX_BYTES, LOCKED_MAX_BYTES))
    # Where the limit cannot be raised (a container), the kernel would refuse every new page as
    # soon as the right to exceed it is given away: then only what is there by now is locked.
    is_raised = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] >= LOCKED_MAX_BYTES
    ctypes.CDLL(None).mlockall(MCL_CURRENT | (MCL_FUTURE if is_raised else 0))
    with contextlib.suppress(OSError), open(OOM_SCORE, "w") as file:
        file.write(str(LAST_TO_BE_KILLED))


def _never_wait_for_a_core() -> None:
    """Run before every program of users, as far as the rights go; threads inherit it.

    500 busy processes of a user, each in a session of its own, have as many shares of two cores:
    a trial of 5 s on four drives ended after 7.7 to 9.7 s, and after 5.07 s with this.
    """
    with contextlib.suppress(OSError, ValueError):
        most = MOST_CPU_S * 1_000_000
        resource.setrlimit(resource.RLIMIT_RTTIME, (most, most))
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))


class _Watcher:
    """The guardian's own loop."""

    def __init__(self, kernel: KernelWriter, channel: socket.socket, service: int) -> None:
        self._kernel = kernel
        self._channel = channel
        self._service = service
        self._entries: list[Entry] = []
        self._done: set[int] = set()  # the ids of those that are back
        self._writing: dict[Device, threading.Thread] = {}
        self._deadline_ns = 0
        self._hold = self._process = -1
        self._is_watching = False
        self._give_up_s: float | None = None  # CLOCK_MONOTONIC: when the service must have reacted
        threading.stack_size(STACK_BYTES)
        self._signals, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)

    def run(self) -> None:
        """Watch until the service is gone, and then take back what is left."""
        while self._look():
            pass
        tries = TRIES_ALONE if self._is_watching or self._give_up_s is not None else 0
        while self._entries and tries:
            self._take_back()
            tries -= 1
            if self._entries:
                time.sleep(LOOK_EVERY_MS / 1000)

    def _look(self) -> bool:
        ready = self._wait()
        # Before the order is read: a Keep or Extend that comes with the deadline or after it must
        # find the trial ended, or values would stay that nobody confirmed in time.
        if self._signals in ready:
            os.read(self._signals, 64)
            self._end(b"s")
        if self._hold in ready:
            self._end(b"h")
        if self._process in ready:
            self._end(b"g")
        if self._kernel.tree.boottime_ns() >= self._deadline_ns:
            self._end(b"d")
        if self._give_up_s is not None:
            self._take_back()  # what the kernel refused a moment ago
            self._urge()
        return self._channel.fileno() not in ready or self._obey()

    def _wait(self) -> set[int]:
        """The descriptors with news. Timers do not count sleep, so the clock is looked at."""
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        poll.register(self._signals, select.POLLIN)
        if self._is_watching and self._hold >= 0:
            poll.register(self._hold, 0)  # hang-ups are always told
        if self._is_watching and self._process >= 0:
            poll.register(self._process, select.POLLIN)
        is_busy = self._is_watching or self._give_up_s is not None
        return {fd for fd, _event in poll.poll(LOOK_EVERY_MS if is_busy else None)}

    def _obey(self) -> bool:
        """Do what the service says; False when it is gone."""
        with contextlib.suppress(ConnectionError):
            header, descriptors, _flags, _address = socket.recv_fds(self._channel, _LENGTH.size, 1)
            if header:
                rest = self._receive(_LENGTH.size - len(header))
                text = self._receive(*_LENGTH.unpack(header + rest))
                order = payload.decode(Order, text.decode(), max_bytes=ORDER_MAX_BYTES)
                self._do(order)
                if order.what == BIND:
                    self._close(self._process)
                    self._process = descriptors[0]
                elif descriptors:
                    self._hold = descriptors[0]
                is_half_done = self._give_up_s is not None and self._entries
                self._channel.sendall(LEFT if is_half_done else DONE)
                return True
        return False

    def _receive(self, count: int) -> bytes:
        parts = []
        while count:
            parts.append(self._channel.recv(min(count, 1 << 16)))
            if not parts[-1]:
                raise ConnectionResetError
            count -= len(parts[-1])
        return b"".join(parts)

    def _do(self, order: Order) -> None:
        if order.what == PAUSE:
            self._is_watching = False
        elif order.what in {BIND, MOVE}:
            self._deadline_ns = order.deadline_boottime_ns
            self._is_watching = self._give_up_s is None
        else:
            self._close(self._hold, self._process)
            self._hold = self._process = -1
            self._give_up_s, self._done = None, set()
            self._entries, self._deadline_ns = list(order.entries), order.deadline_boottime_ns
            self._is_watching = order.what == WATCH

    def _close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            if descriptor >= 0:
                os.close(descriptor)

    def _end(self, reason: bytes) -> None:
        """Take the trial back, and then tell the service; holds end with it at the latest."""
        if not self._is_watching:
            return
        self._is_watching = False
        has_holds = any(CELLS[one.cell][0].kind == HOLD for one in self._entries)
        self._give_up_s = time.monotonic() + (RELEASE_HOLDS_S if has_holds else REACT_S)
        # The kernel first, and then the news: a service that does not read holds up nothing.
        self._take_back()
        with contextlib.suppress(ConnectionError):
            # Never waits: the service may hang, and what the kernel refused is still to be tried
            # again.
            self._channel.send(reason, socket.MSG_DONTWAIT)

    def _take_back(self) -> None:
        """Write what can be written; what the kernel refused stays for the next look.

        Changing a queue waits for what its drive has in hand, for ever if the drive hangs: so each
        drive has a thread of its own, which holds up nobody else.
        """
        mine = [one for one in self._entries if CELLS[one.cell][0].kind != HOLD]
        mine.sort(key=lambda one: CELLS[one.cell][0].rank)
        drives = {one.device for one in mine if one.device and one.device.kind != "cpu"}
        # First what answers at once: a drive that hangs would hold it up.
        self._write_back([one for one in mine if one.device not in drives])
        for device in drives:
            if device not in self._writing or not self._writing[device].is_alive():
                its = [one for one in mine if one.device == device]
                thread = threading.Thread(target=self._write_back, args=(its,), daemon=True)
                self._writing[device] = thread
                try:
                    thread.start()
                except RuntimeError:  # no room for another one: then one after the other
                    del self._writing[device]
                    self._write_back(its)
        give_up = time.monotonic() + DRIVES_ANSWER_S
        for thread in self._writing.values():
            thread.join(max(0.0, give_up - time.monotonic()))
        self._entries = [one for one in mine if id(one) not in self._done]

    def _write_back(self, entries: list[Entry]) -> None:
        for one in entries:
            finding = write_back.judge(self._kernel, one)
            if write_back.carry_out(self._kernel, one, finding).outcome != FAILED:
                self._done.add(id(one))

    def _urge(self) -> None:
        """End a service that does not react: what it holds ends with it, the rest is done."""
        if self._give_up_s is not None and time.monotonic() > self._give_up_s:
            self._give_up_s = None
            if os.getppid() == self._service:
                os.kill(self._service, signal.SIGKILL)
