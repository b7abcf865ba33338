# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that opens kernel files: registry paths, one write, read back.

It never sees a path or a text that a client wrote: paths come from the registry, device names
from the kernel's own directories, values are checked against the registry.
"""

import errno
import os
import re
import struct
from collections.abc import Mapping
from typing import Protocol

from destutter_helper.api.names import HelperError
from destutter_helper.api.tunables import (
    BY_ID,
    CHOICE,
    DEVICE_KINDS,
    HOLD,
    INT,
    LATENCY,
    NOT_HELD,
    POLICY,
    Tunable,
)
from destutter_helper.device import Device, is_in_use, read_device
from destutter_helper.kernel_tree import ABSENT, KernelTree

_POLICIES = {os.SCHED_OTHER: "other", os.SCHED_FIFO: "fifo", os.SCHED_RR: "rr"}
_PF_KTHREAD = 0x00200000  # include/linux/sched.h; cannot be faked, unlike a thread's name


class Hold(Protocol):
    """A setting that ends with its holder, such as a profile lease on the bus."""

    def unavailable(self) -> str:
        """Why it cannot be held here, in words; empty when it can."""
        ...

    def value(self) -> str:
        """What we hold right now; NOT_HELD when nothing."""
        ...

    def set(self, value: str) -> None:
        """Holds ``value`` instead of what was held before; NOT_HELD lets go. Raises OSError."""
        ...


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

    def unavailable(self) -> str:
        """Empty when the device can be opened."""
        if self._fd is None:
            try:
                os.close(self._tree.open_device(self._path))
            except OSError as error:
                return f"{self._path}: {error.strerror}"
        return ""

    def value(self) -> str:
        """The µs that we ask for, or NOT_HELD."""
        return self._value

    def set(self, value: str) -> None:
        """Opens the device if need be and writes the µs; NOT_HELD closes it."""
        if value == NOT_HELD:
            if self._fd is not None:
                os.close(self._fd)
            self._fd = None
        else:
            if self._fd is None:
                self._fd = self._tree.open_device(self._path)
            os.write(self._fd, struct.pack("i", int(value)))
        self._value = value


class KernelWriter:
    """Reads and writes tunables. A state is the canonical text of a value; None is "absent".

    The state of a pair (dirty_ratio, dirty_bytes) is ``id=value`` of its active member, because
    writing one zeroes the other and the kernel refuses to write 0 back.
    """

    def __init__(self, tree: KernelTree, holds: Mapping[str, Hold]) -> None:
        self.tree = tree
        self._holds = holds
        self._ksoftirqd: dict[str, int] = {}

    def boot_id(self) -> str:
        """This boot's random name; empty when the kernel does not tell."""
        return self._text("/proc/sys/kernel/random/boot_id")

    def command_line(self) -> list[str]:
        """The words of the kernel's command line."""
        return self._text("/proc/cmdline").split()

    def memory_kib(self) -> int:
        """RAM in KiB (MemTotal). HelperError Unsupported when the kernel does not tell."""
        match = re.search(r"^MemTotal: +(\d+) kB$", self._text("/proc/meminfo"), re.MULTILINE)
        if not match:
            raise HelperError("Unsupported", "the size of the memory is not known")
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

    # -- devices ----------------------------------------------------------------------------

    def devices(self, kind: str) -> list[Device]:
        """All devices of a kind that are in use, by name."""
        if kind == "cpu":
            self._find_ksoftirqd()
            names = sorted(self._ksoftirqd, key=lambda name: int(name[3:]))
        else:
            names = self.tree.names(DEVICE_KINDS[kind].directory)
        found = [device for name in names if (device := self._look_up(kind, name)) is not None]
        return [device for device in found if is_in_use(self.tree, device)]

    def device(self, kind: str, name: str) -> Device | None:
        """The device in use of that kernel name, exactly as the kernel lists it, or None."""
        if kind != "cpu" and name not in self.tree.names(DEVICE_KINDS[kind].directory):
            return None
        device = self._look_up(kind, name)
        return device if device and is_in_use(self.tree, device) else None

    def is_present(self, device: Device | None) -> bool:
        """Whether the very device is still there: same name, identity and kernel object."""
        return device is None or self._look_up(device.kind, device.name) == device

    def _look_up(self, kind: str, name: str) -> Device | None:
        if kind != "cpu":
            return read_device(self.tree, kind, name)
        if not self._is_ksoftirqd(name, self._ksoftirqd.get(name, 0)):
            self._find_ksoftirqd()
        pid = self._ksoftirqd.get(name)
        return None if pid is None else Device(kind, name, "", "", str(pid))

    def _find_ksoftirqd(self) -> None:
        self._ksoftirqd = {}
        for pid in self.tree.names("/proc"):
            name = self._ksoftirqd_cpu(int(pid)) if pid.isdecimal() else None
            if name is not None:
                self._ksoftirqd[name] = int(pid)

    def _is_ksoftirqd(self, name: str, pid: int) -> bool:
        return pid > 0 and self._ksoftirqd_cpu(pid) == name

    def _ksoftirqd_cpu(self, pid: int) -> str | None:
        """The CPU that the kernel thread ``pid`` is ksoftirqd of, as "cpu3"; else None."""
        try:
            text = self.tree.read(f"/proc/{pid}/stat").decode("ascii", "replace")
        except OSError:
            return None  # it ended meanwhile
        name, _, rest = text.partition(" (")[2].rpartition(") ")
        match = re.fullmatch(r"ksoftirqd/(\d+)", name)
        is_kernel_thread = len(rest.split()) > 6 and int(rest.split()[6]) & _PF_KTHREAD
        return f"cpu{match[1]}" if match and is_kernel_thread else None

    # -- values -----------------------------------------------------------------------------

    def read(self, tunable: Tunable, device: Device | None = None) -> str | None:
        """The state of now; None when this kernel or device has no such setting.

        HelperError Refused when it is there but cannot be read or understood.
        """
        try:
            return self._read(tunable, device)
        except OSError as error:
            # wbt_lat_usec answers EINVAL on a queue without write-back throttling.
            if error.errno in ABSENT or error.errno == errno.EINVAL:
                return None
            raise _refused(tunable, device, f"cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise _refused(tunable, device, f"is not understood: {error}") from error

    def write(self, tunable: Tunable, device: Device | None, state: str) -> str | None:
        """Writes a state that ``check`` accepts and returns the state read back.

        HelperError Refused when the kernel does not take it.
        """
        self.check(tunable, device, state)
        try:
            self._write(tunable, device, state)
        except OSError as error:
            reason = f"the kernel does not take {state}: {error.strerror}"
            raise _refused(tunable, device, reason) from error
        return self.read(tunable, device)

    def check(self, tunable: Tunable, device: Device | None, state: str) -> None:
        """HelperError OutOfRange unless the kernel would take ``state`` as a whole.

        Also for values out of our own journal: nothing is trusted for being in there.
        """
        member, value = _member(tunable, state)
        if member.kind == POLICY:
            word, _, priority = value.partition(":")
            is_valid = value == "other" or (
                word in {"fifo", "rr"} and _is_number(priority, member.low, member.high)
            )
        elif member.kind == HOLD:
            is_valid = value in (NOT_HELD, *member.choices) or (
                not member.choices and _is_number(value, member.low, member.high)
            )
        elif member.kind == CHOICE:
            is_valid = value in member.choices
        else:
            is_valid = _is_number(value, member.low, member.high) or (
                member.kind == LATENCY and value in {"auto", "any"}
            )
        if not is_valid:
            raise HelperError(
                "OutOfRange",
                f"{ascii(state)[:40]} is not a value that the kernel takes",
                id=tunable.id,
                device=device.name if device else "",
            )

    def check_writable(self, tunable: Tunable, device: Device | None) -> None:
        """HelperError Unsupported when the file is there but closed for writing (containers)."""
        if tunable.kind in {HOLD, POLICY}:
            return
        try:
            self.tree.check_writable(_path(tunable, device))
        except OSError as error:
            raise HelperError(
                "Unsupported",
                f"cannot be changed here: {error.strerror}",
                id=tunable.id,
                device=device.name if device else "",
            ) from error

    def unavailable(self, tunable: Tunable, device: Device | None) -> str:
        """Why ``read`` answers None, in words."""
        if tunable.kind == HOLD:
            hold = self._holds.get(tunable.id)
            return hold.unavailable() if hold else "this helper cannot hold it"
        if tunable.scheduler:
            return f"exists only while the I/O scheduler of the drive is {tunable.scheduler}"
        return "this drive has no such setting" if device else "this kernel has no such setting"

    def release_holds(self) -> None:
        """Lets go of everything that is held."""
        for hold in self._holds.values():
            if hold.value() != NOT_HELD:
                hold.set(NOT_HELD)

    def is_holding(self) -> bool:
        """Whether a hold would end with this process."""
        return any(hold.value() != NOT_HELD for hold in self._holds.values())

    def _read(self, tunable: Tunable, device: Device | None) -> str | None:
        if tunable.kind == HOLD:
            hold = self._holds.get(tunable.id)
            return None if hold is None or hold.unavailable() else hold.value()
        if tunable.kind == POLICY:
            assert device is not None  # noqa: S101 (the registry says so)
            policy, priority = self.tree.thread_policy(int(device.instance))
            word = _POLICIES.get(policy, f"policy-{policy}")
            return word if word == "other" else f"{word}:{priority}"
        value = self._read_file(tunable, device)
        if not tunable.twin:
            return value
        twin = BY_ID[tunable.twin]
        if value == "0":
            twin_value = self._read_file(twin, device)
            if twin_value != "0":
                return f"{twin.id}={twin_value}"
            return f"{max(tunable.id, twin.id)}=0"  # both zero: "..._ratio=0" brings it back
        return f"{tunable.id}={value}"

    def _read_file(self, tunable: Tunable, device: Device | None) -> str:
        text = self.tree.read(_path(tunable, device)).decode("ascii").strip()
        if tunable.kind == CHOICE:
            match = re.search(r"\[([^]]+)\]", text)
            return match[1] if match else text
        return str(int(text)) if tunable.kind == INT else text

    def _write(self, tunable: Tunable, device: Device | None, state: str) -> None:
        member, value = _member(tunable, state)
        if member.kind == HOLD:
            self._holds[member.id].set(value)
        elif member.kind == POLICY:
            assert device is not None  # noqa: S101 (the registry says so)
            word, _, priority = value.partition(":")
            policy = next(number for number, name in _POLICIES.items() if name == word)
            self.tree.set_thread_policy(int(device.instance), policy, int(priority or 0))
        else:
            if member.twin and value == "0":
                # dirty_ratio zeroes its twin only when its own value really changes.
                self.tree.write(_path(member, device), b"1")
            self.tree.write(_path(member, device), value.encode("ascii"))
            if member.twin and not self.tree.is_live:
                # A scratch tree has no kernel that zeroes the other member.
                self.tree.write(_path(BY_ID[member.twin], device), b"0")


def is_accepted(tunable: Tunable, wanted: str | None, current: str | None) -> bool:
    """Whether ``current`` is what the kernel may make of ``wanted`` by rounding."""
    if wanted == current or wanted is None or current is None:
        return wanted == current
    if tunable.tolerance and wanted.isdecimal() and current.isdecimal():
        return abs(int(wanted) - int(current)) <= tunable.tolerance
    return False


def state_of(tunable: Tunable, value: str) -> str:
    """The state that stands for a user's value: ``id=value`` for a member of a pair."""
    return f"{tunable.id}={value}" if tunable.twin else value


def _member(tunable: Tunable, state: str) -> tuple[Tunable, str]:
    """The file and the text that stand for a state."""
    name, _, value = state.partition("=")
    if tunable.twin and name in {tunable.id, tunable.twin}:
        return BY_ID[name], value
    return tunable, state


def _path(tunable: Tunable, device: Device | None) -> str:
    return tunable.path.replace("{device}", device.name if device else "")


def _is_number(text: str, low: int, high: int) -> bool:
    return re.fullmatch(r"0|[1-9][0-9]{0,18}", text) is not None and low <= int(text) <= high


def _refused(tunable: Tunable, device: Device | None, reason: str) -> HelperError:
    return HelperError("Refused", reason, id=tunable.id, device=device.name if device else "")
