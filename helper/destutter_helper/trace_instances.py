# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes and removes the private instances of tracefs in which the closed set is recorded.

Uid 0 needs no capability for any of it. An instance is made for one grant, and never used again or
widened: whoever has kept its descriptors would see what is switched on in it later.

The dead man's handle: with ``disable_on_free`` the kernel stops an instance and frees its memory
when ``free_buffer`` is closed, so also when this process is killed.
"""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from destutter_helper.api.call_path import CallPath, Sleep
from destutter_helper.api.devices import find_devices
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.trace_events import LISTED, OFF, SETUPS
from destutter_helper.api.tracing import GAME, Event, RingPage
from destutter_helper.kernel_tree import SECURITY, TRACING, KernelTree, why
from destutter_helper.log import Log
from destutter_helper.trace_path import AT_ONCE_US, functions_in
from destutter_helper.trace_set import parse_format, parse_header_page, shows_addresses

# Of inodes each is 0.3 MB, and 9 MB on Linux 6.1, which count for the 192 MB of the helper's unit.
LEFT_MAX = 8
_STACKS_MAX = 2 * 1024 * 1024  # of one processor's text: 128 KB of records are some 500 KB
_PLACE = f"{TRACING}/instances"
_OURS = re.compile(rf"destutter-[0-9a-f]{{32}}-({'|'.join(SETUPS)})")
_CPU = re.compile(r"cpu(\d{1,4})", re.ASCII)
_LOCKDOWN = f"{SECURITY}/lockdown"


@dataclass(slots=True)
class Instance:
    """One that is there: its directory, and how what it records is read.

    ``always``: threads that its list holds whatever is asked for. ``handle`` is a descriptor.
    """

    name: str
    kind: str
    handle: int
    cpus: tuple[int, ...]
    always: tuple[int, ...] = ()
    events: dict[str, Event] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


class Instances:
    """Destutter's instances on this computer; nothing else of tracefs is ever touched."""

    def __init__(self, tree: KernelTree, log: Log) -> None:
        self._tree = tree
        self._log = log
        self._made: dict[str, Instance] = {}
        self._left: frozenset[str] = frozenset()

    @property
    def are_left(self) -> bool:
        """Whether ``clear`` could not remove everything."""
        return bool(self._left)

    def check(self) -> None:
        """Errors: Unsupported where there is no tracing for us, Busy while too much is left."""
        with _refusing():
            found = self._tree.names(TRACING)
        if "instances" not in found:
            # With lockdown=confidentiality the kernel makes no "instances", or nothing at all.
            is_locked = "events" in found or "[confidentiality]" in self._lockdown()
            reason = "locked" if is_locked else "no_tracefs"
            raise HelperError("Unsupported", Said(f"helper.trace.{reason}"))
        # Each takes memory of the kernel for as long as somebody keeps a descriptor of it.
        self.clear()
        if len(self._left) >= LEFT_MAX:
            raise HelperError("Busy", Said("helper.trace.descriptors_kept"))

    def make(self, id_: str, kind: str) -> Instance:
        """One that records. HelperError Refused, and nothing is left, when it cannot be made."""
        name, setup = f"destutter-{id_}-{kind}", SETUPS[kind]
        with _refusing():
            # One of this name is somebody else's: mkdir refuses, and it stays as it is.
            self._tree.make_instance(f"{_PLACE}/{name}")
        try:
            with _refusing():
                for file in OFF:
                    with contextlib.suppress(FileNotFoundError):
                        self._write(name, file, "0")
                for file, text in setup.files:
                    self._write(name, file, text)
                cpus = self._cpus(name)
                handle = self._tree.open_trace(f"{_PLACE}/{name}/free_buffer", os.O_WRONLY)
                made = self._made[name] = Instance(name, kind, handle, cpus)
                self._prepare(made, setup.events)
                if kind == GAME:
                    made.always = self._softirq_threads()
                if kind in LISTED:
                    self.list_tasks(made, ())
        except HelperError:
            self.end(name)
            raise
        return made

    def page(self, made: Instance) -> RingPage:
        """How what one read gives is built up; Refused when the kernel tells it otherwise."""
        with _refusing():
            return parse_header_page(self._read(made.name, "events/header_page"))

    def open_ring(self, made: Instance, cpu: int) -> int:
        """A descriptor of a processor's ring, to be lent; Refused when there is none."""
        # Not blocking: a reader that sleeps in it could not be told that the grant has ended.
        path = f"{_PLACE}/{made.name}/per_cpu/cpu{cpu}/trace_pipe_raw"
        with _refusing():
            return self._tree.open_trace(path, os.O_RDONLY | os.O_NONBLOCK)

    def call_path(self, made: Instance, sleep: Sleep) -> CallPath:
        """In which functions a thread went to sleep; Refused when the kernel has that no more.

        What is asked for may be of any processor; the nearest is the one that is meant.
        """
        near = []
        for cpu in made.cpus:
            with _refusing():
                found = functions_in(self._stacks(made, cpu), sleep)
            if found is not None:
                near.append(found)
                if found[0] < AT_ONCE_US:
                    break
        if not near:
            raise HelperError("Refused", Said("helper.trace.no_path"))
        return CallPath(min(near)[1])

    def list_tasks(self, made: Instance, tids: Iterable[int]) -> None:
        """Let it see these threads, and no others; Refused when the kernel does not take them."""
        listed = " ".join(map(str, sorted({*made.always, *tids})))
        with _refusing():
            # Opening the list for writing empties it, and without a list everybody is seen: so
            # nothing is recorded until the new one is there, which takes some ms.
            for event in made.events:
                self._write(made.name, f"events/{event}/enable", "0")
            if listed:
                self._tree.write_list(f"{_PLACE}/{made.name}/set_event_pid", listed.encode())
                for event in made.events:
                    self._write(made.name, f"events/{event}/enable", "1")

    def end(self, name: str) -> bool:
        """Stop it and remove it; False when somebody keeps a descriptor, and then it is empty."""
        self._try_to_write(name, "events/enable", "0")
        made = self._made.pop(name, None)
        if made is not None:
            with contextlib.suppress(OSError):
                os.close(made.handle)
        try:
            self._tree.remove_instance(f"{_PLACE}/{name}")
        except FileNotFoundError:
            return True
        except OSError:
            # What is kept open shows nothing more, and is 7 kB for each processor.
            self._try_to_write(name, "tracing_on", "0")
            self._try_to_write(name, "buffer_size_kb", "4")
            return False
        return True

    def clear(self) -> None:
        """Remove what nobody has a grant for, as far as nobody keeps it open; the log tells that.

        Left by a helper that was killed, or by a program that has kept descriptors.
        """
        try:
            found = self._tree.names(_PLACE)
        except OSError:  # closed to us: so nothing of ours is there
            found = []
        ours = [name for name in found if _OURS.fullmatch(name) and name not in self._made]
        left = frozenset(name for name in ours if not self.end(name))
        if left - self._left:
            names = " ".join(sorted(left))
            self._log.alert(f"some program keeps what it may no longer read: {names}")
        self._left = left

    def _prepare(self, made: Instance, events: dict[str, str]) -> None:
        """Set the filters and learn the forms; what records at once is switched on."""
        for event, filter_ in events.items():
            try:
                form = self._form(made.name, event)
                # Before it is switched on: without its filter it would show too much.
                if filter_:
                    self._write(made.name, f"events/{event}/filter", filter_)
                if made.kind not in LISTED:
                    self._write(made.name, f"events/{event}/enable", "1")
            except (OSError, ValueError):
                made.missing.append(event)
            else:
                made.events[event] = form

    def _form(self, name: str, event: str) -> Event:
        form = parse_format(self._read(name, f"events/{event}/format"))
        if shows_addresses(form):  # a newer kernel may tell more than those that were looked at
            raise ValueError("shows addresses of the kernel")
        return form

    def _cpus(self, name: str) -> tuple[int, ...]:
        found = map(_CPU.fullmatch, self._tree.names(f"{_PLACE}/{name}/per_cpu"))
        return tuple(sorted(int(match[1]) for match in found if match))

    def _softirq_threads(self) -> tuple[int, ...]:
        return tuple(int(device.instance) for device in find_devices(self._tree, "cpu"))

    def _stacks(self, made: Instance, cpu: int) -> str:
        path = f"{_PLACE}/{made.name}/per_cpu/cpu{cpu}/trace"
        return self._tree.read_whole(path, _STACKS_MAX).decode("ascii", "replace")

    def _lockdown(self) -> str:
        try:
            return self._tree.read(_LOCKDOWN).decode("ascii", "replace")
        except OSError:
            return ""

    def _read(self, name: str, file: str) -> str:
        return self._tree.read_whole(f"{_PLACE}/{name}/{file}").decode("ascii", "replace")

    def _write(self, name: str, file: str, text: str) -> None:
        self._tree.write(f"{_PLACE}/{name}/{file}", text.encode())

    def _try_to_write(self, name: str, file: str, text: str) -> None:
        with contextlib.suppress(OSError):
            self._write(name, file, text)


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """What the kernel refuses, or tells in an unknown form, as an answer."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = why(error) if isinstance(error, OSError) else str(error)
        raise HelperError("Refused", Said("helper.trace.refused", {"error": reason})) from error
