# SPDX-License-Identifier: GPL-3.0-or-later
"""A computer that the helper's engine runs on in tests: kernel, disk and clock, all with faults.

The simulated kernel does what the real one was seen to do: it zeroes the twin of a dirty limit
and refuses 0 bytes, resets a queue at a change of scheduler, rewrites min_free_kbytes with huge
pages, clamps, rounds, and accepts nonsense after a number. tests/kernel/helper runs the same
changes on the real kernel.
"""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from destutter_helper.engine import Engine
from destutter_helper.kernel_tree import KernelTree, Life
from destutter_helper.kernel_writer import DmaLatencyHold, Hold, KernelWriter
from destutter_helper.storage import Storage
from destutter_helper.stores import Stores

NS_PER_S = 1_000_000_000
PF_KTHREAD = 0x00200000
IOSCHED_DEFAULTS = {
    "none": {},
    "mq-deadline": {
        "async_depth": 256,
        "fifo_batch": 16,
        "front_merges": 1,
        "prio_aging_expire": 10000,
        "read_expire": 500,
        "write_expire": 5000,
        "writes_starved": 2,
    },
    "kyber": {"read_lat_nsec": 2_000_000, "write_lat_nsec": 10_000_000},
    "bfq": {
        "back_seek_max": 16384,
        "back_seek_penalty": 2,
        "fifo_expire_async": 250,
        "fifo_expire_sync": 125,
        "low_latency": 1,
        "max_budget": 0,
        "slice_idle_us": 8000,
        "strict_guarantees": 0,
        "timeout_sync": 124,
    },
}
TIMES = {
    "prio_aging_expire",
    "read_expire",
    "write_expire",
    "fifo_expire_async",
    "fifo_expire_sync",
    "timeout_sync",
}
VM_RANGES = {
    "min_free_kbytes": (0, 2**31 - 1),
    "watermark_scale_factor": (1, 3000),
    "watermark_boost_factor": (0, 2**31 - 1),
    "swappiness": (0, 200),
    "page-cluster": (0, 31),
    "vfs_cache_pressure": (0, 2**31 - 1),
    "zone_reclaim_mode": (0, 2**31 - 1),
    "max_map_count": (0, 2**31 - 1),
    "compaction_proactiveness": (0, 100),
    "dirty_background_ratio": (0, 100),
    "dirty_background_bytes": (1, 2**62),
    "dirty_ratio": (0, 100),
    "dirty_bytes": (8192, 2**62),
    "dirty_expire_centisecs": (0, 2**31 - 1),
    "dirty_writeback_centisecs": (0, 2**31 - 1),
}
RECOMMENDED_MIN_FREE_KIB = 67584
COMPUTED_MIN_FREE_KIB = 11585


class Crash(BaseException):
    """The process was killed here."""


@dataclass
class Steps:
    """Counts the moments between which a process can be killed, and kills it at one of them."""

    taken: int = 0
    crash_at: int = 0

    def step(self) -> None:
        """One moment passes."""
        self.taken += 1
        if self.taken == self.crash_at:
            raise Crash

    def restart(self, crash_at: int = 0) -> None:
        """Counts from the beginning."""
        self.taken, self.crash_at = 0, crash_at


@dataclass
class Queue:
    """One block queue (block/elevator.c, block/blk-wbt.c, block/blk-mq.c)."""

    depth: int = 1023
    scheduler: str = "none"
    nr_requests: int = 1023
    read_ahead_kb: int = 128
    wbt: int | None = 2000
    wbt_default: int = 2000
    wbt_manual: bool = False
    iosched: dict[str, int] = field(default_factory=dict)

    def switch(self, name: str) -> None:
        """Changes the scheduler; the name of none is what the kernel makes of an unknown one."""
        name = name if name in IOSCHED_DEFAULTS else "none"
        if name == self.scheduler:
            return
        self.scheduler = name
        self.nr_requests = self.depth if name == "none" else 2 * min(self.depth, 128)
        self.iosched = dict(IOSCHED_DEFAULTS[name])
        if self.wbt is not None and not self.wbt_manual:
            self.wbt = 0 if name == "bfq" else self.wbt_default

    def write(self, attribute: str, text: str) -> None:
        """A write to queue/ATTRIBUTE."""
        if attribute == "scheduler":
            self.switch(text)
        elif attribute == "nr_requests":
            self._resize(max(int(text), 4))
        elif attribute == "read_ahead_kb":
            self.read_ahead_kb = int(text) // 4 * 4
        elif attribute == "wbt_lat_usec":
            if self.wbt is None:
                raise OSError(errno.EINVAL, "Invalid argument")
            if int(text) != self.wbt:
                self.wbt, self.wbt_manual = int(text), True
        else:
            self._tune(attribute.partition("/")[2], int(text))

    def read(self, attribute: str) -> str:
        """A read of queue/ATTRIBUTE."""
        if attribute == "scheduler":
            return " ".join(
                f"[{name}]" if name == self.scheduler else name for name in IOSCHED_DEFAULTS
            )
        if attribute == "wbt_lat_usec":
            if self.wbt is None:
                raise OSError(errno.EINVAL, "Invalid argument")
            return str(self.wbt)
        if attribute in {"nr_requests", "read_ahead_kb"}:
            return str(getattr(self, attribute))
        name = attribute.partition("/")[2]
        if name not in self.iosched:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return str(self.iosched[name])

    def _resize(self, number: int) -> None:
        if self.scheduler == "none" and number > self.depth:
            raise OSError(errno.EINVAL, "Invalid argument")
        self.nr_requests = number
        if self.scheduler == "mq-deadline":
            self.iosched["async_depth"] = number

    def _tune(self, name: str, number: int) -> None:
        if name not in self.iosched:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        if name in TIMES:
            number = -(-number // 4) * 4  # jiffies at 250 Hz
        if name in {"front_merges", "low_latency", "strict_guarantees"} and number > 1:
            number = 1
        self.iosched[name] = number
        if name == "strict_guarantees" and number and self.iosched["slice_idle_us"] < 8000:
            self.iosched["slice_idle_us"] = 8000


def _fresh_vm() -> dict[str, int]:
    return {
        "min_free_kbytes": RECOMMENDED_MIN_FREE_KIB,
        "watermark_scale_factor": 10,
        "watermark_boost_factor": 15000,
        "swappiness": 60,
        "page-cluster": 3,
        "vfs_cache_pressure": 100,
        "zone_reclaim_mode": 0,
        "max_map_count": 65530,
        "compaction_proactiveness": 20,
        "dirty_background_ratio": 10,
        "dirty_background_bytes": 0,
        "dirty_ratio": 20,
        "dirty_bytes": 0,
        "dirty_expire_centisecs": 3000,
        "dirty_writeback_centisecs": 500,
    }


class SimulatedKernel(KernelTree):
    """The files of /proc, /sys and /dev that the registry names, with their side effects."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.boots = 0
        self.opened = 0
        self.inodes = 100
        self.refused: dict[str, int] = {}
        self.unreadable: dict[str, int] = {}
        self.refuse_writes_from = 0
        self.read_only = False
        self.writes: list[tuple[str, str]] = []
        self.now_ns = 1000 * NS_PER_S
        self.texts: dict[str, str] = {}
        self.boot()

    def boot(self) -> None:
        """A start of the computer: everything in memory is as the kernel makes it."""
        self.boots += 1
        self.vm = _fresh_vm()
        self.user_min_free_kib = -1
        self.thp = {"enabled": "madvise", "defrag": "madvise", "khugepaged/defrag": "1"}
        self.split_lock = "1"
        self.queues = {"nvme0n1": Queue(), "sda": Queue(depth=32, nr_requests=32)}
        self.queues["sda"].wbt = self.queues["sda"].wbt_default = 75000
        self.queues["sda"].switch("mq-deadline")
        self.nvme = {"nvme0": "100000"}
        self.sata = {"host0": "med_power_with_dipm"}
        self.identities = {
            "block/nvme0n1": ("eui.0025388b81b0a1b2", "S4EWNF0M"),
            "block/sda": ("naa.5002538e40a1b2c3", "S3Z2NB0K"),
            "nvme/nvme0": ("nqn.2014.08.org.nvmexpress:144d", "S4EWNF0M"),
        }
        self.instances: dict[str, int] = {}
        for name in ("block/nvme0n1", "block/sda", "nvme/nvme0", "scsi_host/host0"):
            self.plug(name)
        self.policies = {14: (os.SCHED_OTHER, 0), 22: (os.SCHED_OTHER, 0)}
        self.texts["/proc/sys/kernel/random/boot_id"] = f"boot-{self.boots}"
        self.texts["/proc/meminfo"] = "MemTotal:       16384000 kB\nMemFree: 1 kB"
        self.texts.setdefault("/proc/cmdline", "quiet")
        self.kill_process()

    def plug(self, name: str) -> None:
        """A device appears as a new kernel object."""
        self.inodes += 1
        self.instances[name] = self.inodes

    def unplug(self, name: str) -> None:
        """A device leaves."""
        del self.instances[name]

    def kill_process(self) -> None:
        """What a process held open is closed with it."""
        for fd in _descriptors(self):
            os.close(fd)

    def dma_latency_us(self) -> list[int]:
        """What is asked of /dev/cpu_dma_latency through open descriptors."""
        asked = [os.pread(fd, 64, 0)[-4:] for fd in _descriptors(self)]
        return [int.from_bytes(data, "little", signed=True) for data in asked if data]

    # -- KernelTree -------------------------------------------------------------------------

    def close(self) -> None:
        """See KernelTree."""

    def read(self, path: str) -> bytes:
        """See KernelTree."""
        if path in self.unreadable:
            raise OSError(self.unreadable[path], os.strerror(self.unreadable[path]))
        return self._get(path).encode() + b"\n"

    def write(self, path: str, data: bytes, life: Life | None = None) -> None:
        """See KernelTree."""
        self.steps.step()
        if life is not None and self.instances.get(self._device(life.path)) != life.inode:
            raise OSError(errno.ENODEV, "another device has this name now")
        self.writes.append((path, data.decode()))
        if self.read_only:
            raise OSError(errno.EROFS, "Read-only file system")
        if self.refuse_writes_from and len(self.writes) >= self.refuse_writes_from:
            raise OSError(errno.EIO, "Input/output error")
        if path in self.refused:
            raise OSError(self.refused[path], os.strerror(self.refused[path]))
        self.set(path, data.decode())
        self.steps.step()

    def check_writable(self, path: str) -> None:
        """See KernelTree."""
        if self.read_only:
            raise OSError(errno.EROFS, "Read-only file system")

    def open_device(self, path: str, flags: int = os.O_RDWR) -> int:
        """See KernelTree."""
        self.opened += 1
        return os.memfd_create(f"dma-{id(self)}")

    def names(self, path: str) -> list[str]:
        """See KernelTree."""
        if path == "/proc":
            return ["14", "22", "31", "cmdline", "meminfo"]
        return sorted(
            name for key in self.instances for kind, name in [key.split("/")] if kind in path
        )

    def inode(self, path: str) -> int:
        """See KernelTree."""
        return self.instances[self._device(path)]

    def link(self, path: str) -> str:
        """See KernelTree."""
        host = path.rpartition("/")[2]
        return f"../../devices/pci0000:00/0000:00:17.0/ata1/{host}/scsi_host/{host}"

    def boottime_ns(self) -> int:
        """See KernelTree."""
        return self.now_ns

    def thread_policy(self, pid: int) -> tuple[int, int]:
        """See KernelTree."""
        return self.policies[pid]

    def set_thread_policy(self, pid: int, policy: int, priority: int) -> None:
        """See KernelTree."""
        self.steps.step()
        self.policies[pid] = (policy, priority)
        self.steps.step()

    # -- files ------------------------------------------------------------------------------

    def set(self, path: str, text: str) -> None:
        """A write by anybody, without faults."""
        parts = path.strip("/").split("/")
        if path.startswith("/proc/sys/vm/"):
            self._set_vm(parts[-1], text)
        elif path.startswith("/sys/block/"):
            self._check_present(path)
            self.queues[parts[2]].write("/".join(parts[4:]), text)
        elif path.startswith("/sys/kernel/mm/transparent_hugepage/"):
            self._set_thp("/".join(parts[4:]), text)
        elif path.startswith("/sys/class/nvme/"):
            self.nvme[parts[3]] = text
        elif path.startswith("/sys/class/scsi_host/"):
            self.sata[parts[3]] = text
        elif path == "/proc/sys/kernel/split_lock_mitigate":
            self.split_lock = text
        else:
            raise AssertionError(path)

    def dump(self) -> dict[str, str]:
        """Every setting that can be read, by path."""
        found = {}
        for path in self._paths():
            try:
                found[path] = self._get(path)
            except OSError:
                continue
        for pid, policy in self.policies.items():
            found[f"/proc/{pid}"] = str(policy)
        return found

    def _paths(self) -> Iterator[str]:
        yield from (f"/proc/sys/vm/{name}" for name in self.vm)
        yield from (f"/sys/kernel/mm/transparent_hugepage/{name}" for name in self.thp)
        yield "/proc/sys/kernel/split_lock_mitigate"
        for name, queue in self.queues.items():
            for attribute in ("scheduler", "nr_requests", "wbt_lat_usec", "read_ahead_kb"):
                yield f"/sys/block/{name}/queue/{attribute}"
            yield from (f"/sys/block/{name}/queue/iosched/{knob}" for knob in queue.iosched)
        yield from (f"/sys/class/nvme/{n}/power/pm_qos_latency_tolerance_us" for n in self.nvme)
        yield from (f"/sys/class/scsi_host/{n}/link_power_management_policy" for n in self.sata)

    def _get(self, path: str) -> str:
        parts = path.strip("/").split("/")
        if path in self.texts:
            return self.texts[path]
        if path.startswith("/proc/sys/vm/"):
            return str(self.vm[parts[-1]])
        if path == "/proc/sys/kernel/split_lock_mitigate":
            return self.split_lock
        if path.startswith("/sys/kernel/mm/transparent_hugepage/"):
            return self._thp_text("/".join(parts[4:]))
        if path.startswith("/proc/"):
            return self._stat(int(parts[1]))
        if not path.startswith(("/sys/block/", "/sys/class/")):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        self._check_present(path)
        if path.startswith("/sys/block/"):
            return self._block_text(parts)
        name, attribute = parts[3], "/".join(parts[4:])
        identity = self.identities.get(f"nvme/{name}", ("", ""))
        texts = {
            "power/pm_qos_latency_tolerance_us": self.nvme.get(name),
            "link_power_management_policy": self.sata.get(name),
            "subsysnqn": identity[0],
            "serial": identity[1] + "      ",
        }
        text = texts.get(attribute)
        if text is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return text

    def _block_text(self, parts: list[str]) -> str:
        wwid, serial = self.identities.get(f"block/{parts[2]}", ("", ""))
        texts = {"size": "1000", "hidden": "0", "wwid": wwid, "device/serial": serial}
        attribute = "/".join(parts[3:])
        if texts.get(attribute):
            return texts[attribute]
        if parts[3] == "queue":
            return self.queues[parts[2]].read("/".join(parts[4:]))
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    def _device(self, path: str) -> str:
        parts = path.strip("/").split("/")
        return f"{parts[1]}/{parts[2]}" if parts[1] == "block" else f"{parts[2]}/{parts[3]}"

    def _check_present(self, path: str) -> None:
        if self._device(path) not in self.instances:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    def _set_vm(self, name: str, text: str) -> None:
        number = int(text.split()[0])
        low, high = VM_RANGES[name]
        if not low <= number <= high:
            raise OSError(errno.EINVAL, "Invalid argument")
        old, self.vm[name] = self.vm[name], number
        if name == "min_free_kbytes":
            self.user_min_free_kib = number
        if name.startswith("dirty_") and name.endswith(("_ratio", "_bytes")):
            stem, _, kind = name.rpartition("_")
            # dirty_ratio and dirty_bytes act only on a change, the background pair always.
            if stem == "dirty_background" or number != old:
                self.vm[f"{stem}_{'bytes' if kind == 'ratio' else 'ratio'}"] = 0

    def _set_thp(self, name: str, text: str) -> None:
        if name != "khugepaged/defrag" and text not in THP_CHOICES[name]:
            raise OSError(errno.EINVAL, "Invalid argument")
        self.thp[name] = text
        if name != "enabled":
            return
        if text == "never":
            if self.user_min_free_kib < COMPUTED_MIN_FREE_KIB:
                self.vm["min_free_kbytes"] = COMPUTED_MIN_FREE_KIB
        else:
            floor = max(self.vm["min_free_kbytes"], RECOMMENDED_MIN_FREE_KIB)
            self.vm["min_free_kbytes"] = floor

    def _thp_text(self, name: str) -> str:
        if name == "khugepaged/defrag":
            return self.thp[name]
        return " ".join(f"[{c}]" if c == self.thp[name] else c for c in THP_CHOICES[name])

    def _stat(self, pid: int) -> str:
        if pid == 31:  # a user's process that calls itself like a kernel thread
            return f"31 (ksoftirqd/7) S 1 31 31 0 -1 {0x400000} 0 0"
        if pid not in self.policies:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        cpu = 0 if pid == 14 else 1
        return f"{pid} (ksoftirqd/{cpu}) S 2 0 0 0 -1 {PF_KTHREAD | 0x4000000} 0 0"


THP_CHOICES = {
    "enabled": ("always", "madvise", "never"),
    "defrag": ("always", "defer", "defer+madvise", "madvise", "never"),
}


class MemoryStorage(Storage):
    """A directory whose files appear as a whole, with a disk that can fail or be full."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.files: dict[str, bytes] = {}
        self.flushed: dict[str, bytes] = {}
        self.is_last_durable = False
        self.replaces = 0
        self.fail_from = 0
        self.fail_until = 2**30
        self.error = errno.ENOSPC

    def read(self, name: str) -> bytes | None:
        """See Storage."""
        return self.files.get(name)

    def replace(
        self, name: str, data: bytes, *, previous: str = "", is_durable: bool = True
    ) -> None:
        """See Storage."""
        self._fail()
        self.steps.step()
        if previous and self.is_last_durable and name in self.files:
            self.files[previous] = self.files[name]
            self.steps.step()
        self.files[name] = data
        self.is_last_durable = is_durable
        if is_durable:
            self.flushed = dict(self.files)
        self.steps.step()

    def append(self, name: str, data: bytes, *, max_bytes: int) -> None:
        """See Storage."""
        self.files[name] = (self.files.get(name, b"") + data)[-max_bytes:]

    def rename(self, name: str, new: str) -> None:
        """See Storage."""
        if name in self.files:
            self.files[new] = self.files.pop(name)

    def link(self, name: str, new: str) -> None:
        """See Storage."""
        if name in self.files:
            self._fail()
            self.steps.step()
            self.files[new] = self.files[name]

    def remove(self, name: str) -> None:
        """See Storage."""
        if name in self.files:
            self._fail()
            self.steps.step()
            del self.files[name]
            self.flushed = dict(self.files)
            self.steps.step()

    def cut_power(self, loss: str) -> None:
        """What was not flushed is there ("nothing" lost), as it was before, or empty ("torn")."""
        lost = [name for name in self.files if self.files[name] != self.flushed.get(name)]
        if loss == "old":
            self.files = dict(self.flushed)
        if loss == "torn":
            # What became the generation before by its last rename is flushed: see Storage.
            kept = set(self.flushed.values())
            self.files |= {name: b"" for name in lost if self.files[name] not in kept}
        self.flushed = dict(self.files)

    def _fail(self) -> None:
        self.replaces += 1
        if self.fail_from and self.fail_from <= self.replaces <= self.fail_until:
            raise OSError(self.error, os.strerror(self.error))


class Computer:
    """Kernel, disk, clock, and the helper processes that live and die on them."""

    def __init__(self) -> None:
        self.steps = Steps()
        self.kernel = SimulatedKernel(self.steps)
        self.disk = MemoryStorage(self.steps)
        self.sysctl = MemoryStorage(Steps())
        self.udev = MemoryStorage(Steps())
        self.is_persistent = True
        self.log: list[str] = []
        self.holds: dict[str, Hold] = {}
        self.last_steps = 0

    def start(self) -> Engine:
        """A new helper process; the one before is dead and holds nothing any more."""
        self.kernel.kill_process()
        self.disk.is_last_durable = False  # a new process does not know
        own: dict[str, Hold] = {"cpu.dma_latency": DmaLatencyHold(self.kernel)}
        stores = Stores(
            self.disk,
            is_persistent=self.is_persistent,
            run_files=(self.sysctl, self.udev),
            log=self.log.append,
            opened=contextlib.ExitStack(),
        )
        return Engine(KernelWriter(self.kernel, own | self.holds), stores)

    def power_cut(self, loss: str = "nothing") -> None:
        """The computer goes off and comes up again; only the disk remains."""
        self.disk.cut_power(loss)
        self.kernel.boot()
        self.sysctl.files.clear()
        self.udev.files.clear()
        self.kernel.now_ns = 20 * NS_PER_S

    def run(self, work: Callable[[], object], crash_at: int = 0) -> bool:
        """Does the work; whether it got to its end, or was killed at that step."""
        self.steps.restart(crash_at)
        try:
            work()
        except Crash:
            return False
        finally:
            self.last_steps = self.steps.taken
            self.steps.restart()
        return True


def _descriptors(kernel: SimulatedKernel) -> list[int]:
    """The open descriptors of the simulated /dev/cpu_dma_latency."""
    if not kernel.opened:
        return []
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the descriptor of the listing itself
            if os.readlink(f"/proc/self/fd/{name}").startswith(f"/memfd:dma-{id(kernel)} "):
                found.append(int(name))
    return found
