# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may read what the kernel records, and when that ends.

A grant is one connection's: it ends with it, with the last copy of ``hold``, after four hours,
when its owner says so, and with the helper. Descriptors that are lent cannot be taken back; what
they lead to is stopped and emptied instead (`trace_instances`).
"""

import contextlib
import os
import secrets
import select
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from destutter_helper.api import tracing
from destutter_helper.api.call_path import PATHS_MAX, CallPath, Sleep
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.trace_events import LISTED
from destutter_helper.api.tracing import Formats, TraceOptions
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.log import Log
from destutter_helper.trace_instances import Instance, Instances
from destutter_helper.trace_tasks import threads_of

LOOK_S = 10
"""How often somebody has to look at the time; a grant ends at the last look before its end."""

TIMES_LENT_MAX = (
    4  # each ring: each descriptor takes memory of the kernel, of which nobody is billed
)
_NS_PER_S = 1_000_000_000
_CLOCK_MONOTONIC_COARSE = 6  # linux/time.h; its steps are jiffies


@dataclass(frozen=True, slots=True)
class Grant:
    """One that runs. ``hold`` is our end of a pipe, whose other end its owner keeps."""

    id: str
    uid: int
    owner_name: str
    hold: int
    ends_at_ns: int
    instances: tuple[Instance, ...]

    @property
    def lent(self) -> tuple[Instance, ...]:
        """Those whose rings the owner may have."""
        return tuple(one for one in self.instances if one.kind != tracing.PATHS)


class Grants:
    """All grants of this helper: two at most, one of each user."""

    def __init__(self, tree: KernelTree, log: Log) -> None:
        """Remove what a helper before has left."""
        self._tree = tree
        self._log = log
        self._instances = Instances(tree, log)
        self._running: dict[str, Grant] = {}
        self._lent: Counter[str] = Counter()  # by id, how many descriptors
        self._paths: Counter[str] = Counter()  # by id, how many were asked for
        self._holds = select.epoll()
        self._instances.clear()

    def close(self) -> None:
        """End all of them."""
        self._end(list(self._running.values()), "shutdown")
        self._holds.close()

    @property
    def are_running(self) -> bool:
        return bool(self._running)

    @property
    def owners(self) -> set[str]:
        """The connections that have one."""
        return {each.owner_name for each in self._running.values()}

    def fileno(self) -> int:
        """Readable when somebody has let a ``hold`` go; then ``hear``."""
        return self._holds.fileno()

    def check(self, uid: int) -> None:
        """Errors: Busy when this user, or two others, have a grant; those of ``Instances``."""
        if any(grant.uid == uid for grant in self._running.values()):
            raise HelperError("Busy", Said("helper.trace.one_each"))
        if len(self._running) >= tracing.GRANTS_MAX:
            raise HelperError("Busy", Said("helper.trace.busy", {"count": tracing.GRANTS_MAX}))
        self._instances.check()

    def begin(self, uid: int, owner_name: str, options: TraceOptions) -> tuple[str, str, int]:
        """A new grant: its id, its formats, and the end of a pipe, which the caller closes.

        Errors as of ``check``, which is asked again: polkit may have taken its time; and Refused.
        """
        self.check(uid)
        id_, kinds = secrets.token_hex(16), options.instances
        most_s = tracing.EXPERT_MAX_S if options.expert else tracing.GRANT_MAX_S
        ends_at_ns = self._tree.boottime_ns() + most_s * _NS_PER_S
        with contextlib.ExitStack() as undo:
            made: list[Instance] = []
            for kind in kinds:
                made.append(self._instances.make(id_, kind))
                undo.callback(self._instances.end, made[-1].name)
            formats = self._formats(made, ends_at_ns)
            if options.expert:
                # A kernel that records no stacks has the rest all the same.
                with contextlib.suppress(HelperError):
                    made.append(self._instances.make(id_, tracing.PATHS))
                    undo.callback(self._instances.end, made[-1].name)
            ours, theirs = os.pipe()
            undo.callback(os.close, theirs)
            undo.callback(os.close, ours)
            self._holds.register(ours, select.EPOLLHUP)
            undo.pop_all()
        self._running[id_] = Grant(id_, uid, owner_name, ours, ends_at_ns, tuple(made))
        self._log(f"trace began uid={uid} sender={owner_name} instances={','.join(kinds)}")
        return id_, tracing.encode_formats(formats), theirs

    def open_rings(self, id_: str, owner_name: str, first: int) -> list[int]:
        """Descriptors from that index on, as many as fit into one answer; the caller closes them.

        Errors: NotOwner, NoSuchTransaction, Refused, RateLimited.
        """
        grant = self._of(id_, owner_name)
        rings = [(one, cpu) for one in grant.lent for cpu in one.cpus]
        if self._lent[id_] >= len(rings) * TIMES_LENT_MAX:
            raise HelperError("RateLimited", Said("helper.trace.lent_often"))
        with contextlib.ExitStack() as undo:
            opened = []
            for one, cpu in rings[first : first + tracing.MOST_DESCRIPTORS]:
                opened.append(self._instances.open_ring(one, cpu))
                undo.callback(os.close, opened[-1])
            undo.pop_all()
        self._lent[id_] += len(opened)
        return opened

    def set_tasks(self, id_: str, owner_name: str, pids: Iterable[int]) -> None:
        """Let the game's instances see the threads of these processes, and no others.

        Errors: NotOwner, NoSuchTransaction, those of ``threads_of``, InvalidArgument without such
        an instance.
        """
        grant = self._of(id_, owner_name)
        games = [one for one in grant.instances if one.kind in LISTED]
        if not games:
            raise HelperError("InvalidArgument", Said("helper.trace.no_game"))
        threads = threads_of(self._tree, grant.uid, pids)
        for one in games:
            self._instances.list_tasks(one, threads)

    def call_path(self, id_: str, owner_name: str, sleep: Sleep) -> CallPath:
        """In which functions of the kernel a thread of the owner's went to sleep.

        Errors: NotOwner, NoSuchTransaction, Unsupported where no stacks are recorded, RateLimited,
        those of ``threads_of``, Refused when it is not recorded any more.
        """
        grant = self._of(id_, owner_name)
        paths = [one for one in grant.instances if one.kind == tracing.PATHS]
        if not paths:
            raise HelperError("Unsupported", Said("helper.trace.no_paths"))
        if self._paths[id_] >= PATHS_MAX:
            raise HelperError("RateLimited", Said("helper.trace.paths_often", {"most": PATHS_MAX}))
        self._paths[id_] += 1
        # A switch to a thread on the list is recorded too, with the stack of who had the core.
        threads_of(self._tree, grant.uid, (sleep.thread,))
        return self._instances.call_path(paths[0], sleep)

    def end(self, id_: str, owner_name: str) -> None:
        """End a grant of the owner's own; errors NotOwner, NoSuchTransaction."""
        self._end([self._of(id_, owner_name)], "asked")

    def forget(self, sender: str) -> None:
        """End the grant of a connection that has left the bus."""
        self._end(
            [one for one in self._running.values() if one.owner_name == sender], "owner-gone"
        )

    def hear(self) -> None:
        """End the grants whose ``hold`` nobody keeps any more."""
        closed = {descriptor for descriptor, _event in self._holds.poll(0)}
        self._end([one for one in self._running.values() if one.hold in closed], "hold-closed")

    def look(self) -> None:
        """End what has had its time, and try again to remove what was still open somewhere."""
        next_ns = self._tree.boottime_ns() + LOOK_S * _NS_PER_S
        self._end([one for one in self._running.values() if one.ends_at_ns < next_ns], "deadline")
        if self._instances.are_left:
            self._instances.clear()

    def _of(self, id_: str, owner_name: str) -> Grant:
        grant = self._running.get(id_)
        if grant is None:
            raise HelperError("NoSuchTransaction", Said("helper.trace.over"))
        if grant.owner_name != owner_name:
            raise HelperError("NotOwner", Said("helper.trace.not_owner"))
        return grant

    def _end(self, grants: list[Grant], reason: str) -> None:
        for grant in grants:
            del self._running[grant.id], self._lent[grant.id], self._paths[grant.id]
            self._holds.unregister(grant.hold)
            os.close(grant.hold)  # its owner, who keeps the other end, sees an error there
            for one in grant.instances:
                self._instances.end(one.name)
            self._log(f"trace ended uid={grant.uid} reason={reason}")
        if grants:
            self._instances.clear()

    def _formats(self, made: list[Instance], ends_at_ns: int) -> Formats:
        return Formats(
            version=tracing.FORMATS_VERSION,
            cpus=made[0].cpus,
            instances=tuple(one.kind for one in made),
            page=self._instances.page(made[0]),
            events={name: event for one in made for name, event in one.events.items()},
            missing=tuple(name for one in made for name in one.missing),
            tick_ns=round(time.clock_getres(_CLOCK_MONOTONIC_COARSE) * _NS_PER_S),
            clock=tracing.CLOCK,
            ends_at_ns=ends_at_ns,
        )
