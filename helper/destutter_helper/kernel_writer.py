# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that writes settings: registry paths, one write, read back.

It never sees a path or a text that a client wrote: paths come from the registry, device names
from the kernel's own directories, values are checked against the registry.
"""

import errno
import os
import re
import struct
from collections.abc import Collection, Mapping
from typing import Protocol

from destutter_helper.api import devices, tunables
from destutter_helper.api.devices import Device, name_of
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.states import part_of, parts
from destutter_helper.api.tunables import BY_ID, CELLS, HOLD, LATENCY, NOT_HELD, POLICY, Tunable
from destutter_helper.kernel_tree import KernelTree, Life, why


class Hold(Protocol):
    """A setting that ends with its holder, such as a profile lease on the bus."""

    def unavailable(self) -> Said | None:
        """Why it cannot be held here; None when it can."""

    def value(self) -> str:
        """What we hold right now; NOT_HELD when nothing."""

    def set(self, value: str) -> None:
        """Holds ``value`` instead of what was held before; NOT_HELD lets go. Raises OSError."""


class DmaLatencyHold:
    """``/dev/cpu_dma_latency``: a request in µs that lasts as long as the descriptor is open.

    The kernel reads exactly four bytes as a number and anything else as hexadecimal text
    (kernel/power/qos.c), hence the packed integer.
    """

    def __init__(self, tree: KernelTree) -> None:
        self._tree = tree
        self._path = BY_ID["cpu.dma_latency"].path
        self._fd: int | None = None
        self._value = NOT_HELD

    def unavailable(self) -> Said | None:
        """None when the device can be opened."""
        try:
            if self._fd is None:
                os.close(self._tree.open_device(self._path))
        except OSError as error:
            return Said("helper.file", {"path": self._path, "reason": why(error)})
        return None

    def value(self) -> str:
        """The µs that we ask for, or NOT_HELD."""
        return self._value

    def set(self, value: str) -> None:
        """Opens the device if need be and writes the µs; NOT_HELD closes it."""
        if value != NOT_HELD:
            self._fd = self._tree.open_device(self._path) if self._fd is None else self._fd
            os.write(self._fd, struct.pack("i", int(value)))
        elif self._fd is not None:
            os.close(self._fd)
            self._fd = None
        self._value = value


class KernelWriter:
    """Values of tunables, and states of cells, on the devices of this computer.

    A value is canonical text, None when there is no such setting. A state is the text of all
    values of a cell, ``id=value`` with spaces, without absent ones. Of a pair (dirty_ratio,
    dirty_bytes) it has the active member only: writing that one zeroes the other, and the kernel
    refuses to write 0 back. All methods that read or write raise HelperError Refused.
    """

    def __init__(self, tree: KernelTree, holds: Mapping[str, Hold]) -> None:
        self.tree = tree
        self._holds = holds
        self._processors: tuple[str, list[Device]] = ("", [])

    # -- the computer -----------------------------------------------------------------------

    def boot_id(self) -> str:
        """This boot's random name; empty when the kernel does not tell.

        HelperError Refused for want of memory or descriptors: by an empty name the journal would
        be another boot's, and what it knows forgotten.
        """
        try:
            return self.tree.read("/proc/sys/kernel/random/boot_id").decode("ascii").strip()
        except OSError as error:
            if error.errno in (errno.ENOMEM, errno.EMFILE, errno.ENFILE):
                said = Said("helper.kernel.no_boot_id", {"error": why(error)})
                raise HelperError("Refused", said) from error
            return ""

    def command_line(self) -> list[str]:
        """The words of the kernel's command line."""
        return self._text("/proc/cmdline").split()

    def memory_kib(self) -> int:
        """RAM in KiB (MemTotal). HelperError Unsupported when the kernel does not tell."""
        match = re.search(r"^MemTotal: +(\d+) kB$", self._text("/proc/meminfo"), re.MULTILINE)
        if not match:
            raise HelperError("Unsupported", Said("helper.kernel.no_memory_size"))
        return int(match[1])

    def administrator_sets(self, tunable: Tunable) -> bool:
        """Whether /etc/sysctl.conf names it, which procps applies after every other file."""
        names = {tunable.id, tunable.id.replace(".", "/")}
        lines = self._text("/etc/sysctl.conf").splitlines()
        return any(line.partition("=")[0].strip(" \t-") in names for line in lines)

    def _text(self, path: str) -> str:
        try:
            return self.tree.read(path).decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def devices(self, kind: str, wanted: str = "") -> list[Device]:
        """See ``find_devices``. A processor's thread is looked for among all only once.

        With 2,000 processes that takes 72 ms, and is needed for each change of a set. The list
        holds as long as its threads live and the kernel names the same processors.
        """
        if kind != "cpu":
            return devices.find_devices(self.tree, kind, wanted)
        processors = self._text("/sys/devices/system/cpu/online")
        known, found = self._processors
        are_there = all(devices.is_present(self.tree, one) for one in found)
        if not processors or known != processors or not are_there:
            found = devices.find_devices(self.tree, kind)
            self._processors = processors, found
        return [device for device in found if wanted in {"", device.name}]

    # -- values -----------------------------------------------------------------------------

    def value(self, tunable: Tunable, device: Device | None = None) -> str | None:
        """The value of now; None when this kernel or device has no such setting."""
        try:
            if tunable.kind == HOLD:
                hold = self._holds.get(tunable.id)
                return None if hold is None or hold.unavailable() else hold.value()
            if tunable.kind == POLICY and device is not None:
                return tunables.policy_value(*self.tree.thread_policy(int(device.instance)))
            text = self.tree.read(tunable.path_on(name_of(device))).decode("ascii")
            return tunables.value_in_file(tunable, text)
        except OSError as error:
            # wbt_lat_usec answers EINVAL on a queue without write-back throttling.
            if error.errno in devices.ABSENT or error.errno == errno.EINVAL:
                return None
            reason = Said("helper.kernel.unreadable", {"error": why(error)})
        except ValueError as error:
            reason = Said("helper.kernel.not_understood", {"error": str(error)})
        raise entry_error("Refused", reason, tunable, device)

    def value_if_told(self, tunable: Tunable, device: Device | None) -> str | None:
        """The value of now; None also when it cannot be read."""
        try:
            return self.value(tunable, device)
        except HelperError:
            return None

    def write(self, tunable: Tunable, device: Device | None, value: str) -> None:
        """Writes a value that the registry allows, and reads it back.

        HelperError OutOfRange for a value that the kernel would not take as a whole (also out of
        our own journal: nothing is trusted for being in there), Refused when it does not take it.
        """
        if not tunables.is_kernel_value(tunable, value):
            reason = Said("helper.value.not_kernels", {"value": ascii(value)[:40]})
            raise entry_error("OutOfRange", reason, tunable, device)
        try:
            self._write(tunable, device, value)
        except OSError as error:
            reason = Said("helper.kernel.not_taken", {"value": value, "error": why(error)})
            raise entry_error("Refused", reason, tunable, device) from error
        # A write that succeeded proves nothing: "60 junk" is taken for 60, and the scheduler
        # "nonesuch" for none.
        current = self.value(tunable, device)
        if not tunables.is_accepted(tunable, value, current):
            reason = Said("helper.kernel.made", {"present": str(current), "value": value})
            raise entry_error("Refused", reason, tunable, device)

    def state(self, cell: str, device: Device | None) -> str:
        """The state of now; empty when nothing of the cell is there."""
        values = {one: self.value(one, device) for one in CELLS[cell]}
        there = {one: value for one, value in values.items() if value is not None}
        active = {one: value for one, value in there.items() if not (one.twin and value == "0")}
        if not active:  # of a pair of zeros, writing "..._ratio=0" brings both back
            active = {one: value for one, value in there.items() if one.unit == "%"}
        return " ".join(f"{one.id}={value}" for one, value in active.items())

    def write_state(
        self, cell: str, device: Device | None, state: str, *, leave: Collection[str] = ()
    ) -> None:
        """Brings a cell to a state, in the cell's order, by as few writes as possible.

        The parts in ``leave`` stay as they are now. If the kernel moves one of them with what is
        written, its value is lost, and it gets the one of ``state``, too.
        """
        before, wanted = parts(self.state(cell, device)), tunables.read_state(state)
        if wanted and all(before.get(i) == word for i, word in parts(state).items()):
            return
        left = set()
        for tunable in CELLS[cell]:
            value = wanted.get(tunable.id)
            if value is None:
                continue
            now, part = self.value(tunable, device), part_of(tunable.id)
            is_as_before = before.get(part) == f"{tunable.id}={now}"
            if leave and (now is None or (part in leave and is_as_before)):
                left.add(tunable.id)
            elif tunable.twin or now != value:
                self.write(tunable, device, value)
        current = tunables.read_state(became := self.state(cell, device))
        is_there = bool(wanted) and all(
            id_ in current and tunables.is_accepted(BY_ID[id_], value, current[id_])
            for id_, value in wanted.items()
            if id_ not in left
        )
        if not is_there:
            states = {"settings": became, "wanted_settings": state}
            reason = Said("helper.kernel.became", states)
            raise entry_error("Refused", reason, CELLS[cell][0], device)

    def check_writable(self, tunable: Tunable, device: Device | None) -> None:
        """HelperError Unsupported when the file is there but closed for writing (containers)."""
        if tunable.kind not in {HOLD, POLICY}:
            try:
                self.tree.check_writable(tunable.path_on(name_of(device)))
            except OSError as error:
                reason = Said("helper.kernel.not_changeable", {"error": why(error)})
                raise entry_error("Unsupported", reason, tunable, device) from error

    def unavailable(self, tunable: Tunable) -> Said | None:
        """Why ``value`` is None."""
        if tunable.kind == HOLD:
            hold = self._holds.get(tunable.id)
            return hold.unavailable() if hold else Said("helper.absent.hold")
        return tunables.reason_absent(tunable)

    def is_holding(self) -> bool:
        """Whether a hold would end with this process."""
        return any(hold.value() != NOT_HELD for hold in self._holds.values())

    def _write(self, tunable: Tunable, device: Device | None, value: str) -> None:
        if tunable.kind == HOLD:
            self._holds[tunable.id].set(value)
        elif tunable.kind == POLICY and device is not None:
            word, _, priority = value.partition(":")
            policy = tunables.POLICIES.index(word)
            self.tree.set_thread_policy(int(device.instance), policy, int(priority or 0))
        else:
            path, life = tunable.path_on(name_of(device)), _life(device)
            if tunable.twin and value == "0":
                # dirty_ratio zeroes its twin only when its own value really changes.
                self.tree.write(path, b"1")
            # Stored before an NVMe controller was ready it had no effect, nor has an equal write
            # (drivers/nvme/host/core.c, nvme_set_latency_tolerance).
            if tunable.kind == LATENCY and self.value(tunable, device) == value:
                self.tree.write(path, tunables.step_aside(value).encode("ascii"), life)
            self.tree.write(path, value.encode("ascii"), life)


def _life(device: Device | None) -> Life | None:
    """The very device that is meant, not merely its name: it may have gone since it was found."""
    if device is None:
        return None
    return Life(devices.directory_of(device.kind, device.name), int(device.instance))


def entry_error(name: str, reason: Said, tunable: Tunable, device: Device | None) -> HelperError:
    """An error that names its entry."""
    return HelperError(name, reason, id=tunable.id, device=name_of(device))
