# SPDX-License-Identifier: GPL-3.0-or-later
"""The running kernel's settings for tests that change them: seen, compared, and put back."""

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from destutter_helper.api.devices import Device, find_devices
from destutter_helper.api.tunables import CELLS, HOLD, NOT_HELD
from destutter_helper.engine import Engine
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import DmaLatencyHold, KernelWriter
from destutter_helper.storage import Storage
from destutter_helper.stores import Stores

LOOP_SET_FD = 0x4C00
LOOP_CLR_FD = 0x4C01
LOOP_CTL_ADD = 0x4C80
LOOP_CTL_REMOVE = 0x4C81
LOOP_MAJOR = 7
MEDIUM_BYTES = 32 * 1024 * 1024
FIRST_OWN_LOOP = 40


class LoopDevice:
    """A loop device of our own, on a file of zeros; gone with all its settings at ``remove``."""

    def __init__(self, medium: Path) -> None:
        self.medium = medium
        medium.touch()
        os.truncate(medium, MEDIUM_BYTES)
        self.number = self._add()
        self.name = f"loop{self.number}"
        self.queue = Path(f"/sys/block/{self.name}/queue")
        self.attach()

    def _add(self) -> int:
        with open("/dev/loop-control", "rb") as control:
            for number in range(FIRST_OWN_LOOP, FIRST_OWN_LOOP + 50):
                with contextlib.suppress(FileExistsError):
                    return int(fcntl.ioctl(control, LOOP_CTL_ADD, number))
        raise AssertionError("no free loop device")

    @contextlib.contextmanager
    def _node(self) -> Iterator[int]:
        path = Path(f"/dev/{self.name}")
        if not path.exists():
            os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(LOOP_MAJOR, self.number))
        fd = os.open(path, os.O_RDWR)
        try:
            yield fd
        finally:
            os.close(fd)

    def attach(self) -> None:
        """Puts the medium in."""
        with self._node() as node, open(self.medium, "r+b") as medium:
            fcntl.ioctl(node, LOOP_SET_FD, medium.fileno())

    def detach(self) -> None:
        """Takes the medium out; the kernel keeps the queue and its values."""
        with self._node() as node:
            fcntl.ioctl(node, LOOP_CLR_FD, 0)

    def replug(self) -> None:
        """Removes the device and adds it again: the same name, a new kernel object."""
        self.remove()
        with open("/dev/loop-control", "rb") as control:
            fcntl.ioctl(control, LOOP_CTL_ADD, self.number)
        self.attach()

    def remove(self) -> None:
        """Removes the device with everything that was set on it."""
        if not self.queue.exists():
            return
        with contextlib.suppress(OSError):
            self.detach()
        give_up = time.monotonic() + 5
        with open("/dev/loop-control", "rb") as control:
            while True:
                try:
                    fcntl.ioctl(control, LOOP_CTL_REMOVE, self.number)
                    break
                except OSError:  # still busy with the detaching
                    if time.monotonic() > give_up:
                        raise
                    time.sleep(0.01)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"/dev/{self.name}")

    def set(self, attribute: str, value: str) -> None:
        """A write to queue/ATTRIBUTE by somebody else."""
        (self.queue / attribute).write_text(value)

    def get(self, attribute: str) -> str:
        """The text of queue/ATTRIBUTE."""
        return (self.queue / attribute).read_text().strip()

    def schedulers(self) -> list[str]:
        """What the kernel offers for this device now."""
        return self.get("scheduler").replace("[", "").replace("]", "").split()


class RealKernel:
    """Reads and writes every setting of the registry on the running kernel."""

    def __init__(self, loops: tuple[str, ...] = ()) -> None:
        self.tree = KernelTree("/")
        self.writer = KernelWriter(self.tree, {})
        self._loops = loops

    def close(self) -> None:
        """Closes the tree."""
        self.tree.close()

    def dump(self) -> dict[str, str]:
        """The state of every cell that these tests can change, by cell and device."""
        found = {}
        for cell, tunables in CELLS.items():
            for device in self._devices(tunables[0].device_kind):
                if tunables[0].kind != HOLD:
                    name = device.name if device else ""
                    found[f"{cell}@{name}"] = self.writer.state(cell, device)
        found["cpu.dma_latency"] = str(held_dma_latency_us())
        return found

    def put_back(self, dump: dict[str, str]) -> None:
        """Writes whatever differs from ``dump``."""
        for key, state in dump.items():
            cell, _, name = key.partition("@")
            if "@" not in key or not state:
                continue
            kind = CELLS[cell][0].device_kind
            devices = find_devices(self.tree, kind, name) if name else [None]
            for device in devices:
                self.writer.write_state(cell, device, state)

    def _devices(self, kind: str) -> list[Device | None]:
        if not kind:
            return [None]
        found: list[Device | None] = list(find_devices(self.tree, kind))
        if kind == "block":
            found = [device for device in found if device and device.name in self._loops]
        return found


class Helper:
    """A helper process on the running kernel, with its files below ``directory``."""

    def __init__(
        self,
        directory: Path,
        tree: KernelTree | None = None,
        state: Storage | None = None,
    ) -> None:
        self._tree = tree or KernelTree("/")
        self._state = state or Storage(str(directory))
        self.hold = DmaLatencyHold(self._tree)
        opened = contextlib.ExitStack()
        opened.callback(self._state.close)
        stores = Stores(
            self._state,
            is_persistent=True,
            run_files=(None, None),
            log=lambda _text: None,
            opened=opened,
        )
        self.engine = Engine(
            KernelWriter(self._tree, {"cpu.dma_latency": self.hold}),
            stores,
        )

    def __enter__(self) -> Engine:
        return self.engine

    def __exit__(self, *_exception: object) -> None:
        self.hold.set(NOT_HELD)  # ends with the process
        self.engine.close()


def held_dma_latency_us() -> int:
    """What the kernel's PM QoS asks of the processors now, in µs."""
    with open("/dev/cpu_dma_latency", "rb", buffering=0) as device:
        return int.from_bytes(device.read(4), "little", signed=True)
