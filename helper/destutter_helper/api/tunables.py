# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed list of kernel settings that Destutter may change while the computer runs.

Two ranges: ``low``..``high`` is what the kernel accepts (a recorded value is checked against it
before it is written back), ``safe`` is what we let a user ask for. The first keeps a damaged
journal harmless, the second keeps the computer usable; where it depends on the size of the memory,
``safe_values`` has the rule.

``rank`` orders the writes of a change set; an undo uses the same order, because the kernel makes
dependents follow their master in both directions (mm/khugepaged.c rewrites min_free_kbytes at a
change of THP, block/elevator.c resets the queue at a change of scheduler, block/mq-deadline.c
sets async_depth from nr_requests).
"""

from dataclasses import dataclass, replace

from destutter_helper.api.choices import active_choice
from destutter_helper.api.statement import Said

_INT_MAX = 2**31 - 1

INT = "int"
CHOICE = "choice"  # one of ``choices``; the kernel may show all of them with [the active one]
LATENCY = "latency"  # a number of µs; the kernel also shows "auto" and "any"
POLICY = "policy"  # "other", "fifo:PRIORITY" or "rr:PRIORITY" of a kernel thread
HOLD = "hold"  # true only while somebody holds it: a descriptor or a lease on the bus

SYSCTLS = "/proc/sys/"
NOT_HELD = "none"  # the state of a hold that we do not hold
POLICIES = ("other", "fifo", "rr", "batch", "4", "idle", "deadline")  # uapi/linux/sched.h


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """How devices of one kind are enumerated: a directory and the files that identify one."""

    directory: str
    wwid: tuple[str, ...] = ()
    serial: tuple[str, ...] = ()
    requires: str = ""  # a file that a device must have to count
    instance: str = ""  # the directory whose inode is this life of the device


DEVICE_KINDS = {
    # The queue's kernel object lives exactly as long as the values in it: a changed medium (loop,
    # card reader) keeps both, a drive that is plugged in gets new ones. diskseq changes in both
    # cases, so it cannot tell whether a value of ours is still there.
    "block": DeviceKind(
        "/sys/block",
        ("wwid", "device/wwid"),
        ("serial", "device/serial"),
        "queue/read_ahead_kb",
        "queue",
    ),
    "nvme": DeviceKind("/sys/class/nvme", ("subsysnqn",), ("serial",), "serial"),
    "scsi_host": DeviceKind("/sys/class/scsi_host", requires="link_power_management_policy"),
    "cpu": DeviceKind("/proc"),  # ksoftirqd/N stands for its CPU; see kernel_writer
}


@dataclass(frozen=True, slots=True)
class Tunable:
    """One setting.

    ``path`` is absolute, with ``{device}`` for the kernel's name of the device; empty for what is
    no file. ``scheduler`` names the I/O scheduler under which the file exists. Settings of one
    ``group`` stand and fall together: the kernel ties them, so they have one state and are taken
    back as one. ``twin`` is the other member of a pair of which exactly one is active. ``moves``
    are ids that the kernel changes by itself at a write. ``tolerance`` is how far the kernel's
    rounding may move an accepted value, ``residue`` what stays behind after an exact undo until
    the next restart.
    """

    id: str
    label: str
    path: str
    unit: str = ""
    kind: str = INT
    device_kind: str = ""
    low: int = 0
    high: int = _INT_MAX
    safe: tuple[int, int] | None = None
    choices: tuple[str, ...] = ()
    unoffered: tuple[str, ...] = ()
    rank: int = 50
    group: str = ""
    twin: str = ""
    scheduler: str = ""
    moves: tuple[str, ...] = ()
    tolerance: int = 0
    residue: Said | None = None
    min_kernel: str = ""

    @property
    def offered(self) -> tuple[str, ...]:
        """The choices that a user may ask for; the others are only read and written back."""
        return tuple(one for one in self.choices if one not in self.unoffered)

    @property
    def cell(self) -> str:
        """The name of the state that the setting is a part of: its group, or itself."""
        return self.group or self.id

    def path_on(self, device: str) -> str:
        """The path on the device of that kernel name, which is empty where there is none."""
        return self.path.replace("{device}", device)


_QUEUE = "/sys/block/{device}/queue/"
_LINK_POWER = ("max_performance", "medium_power", "med_power_with_dipm")
_THP = "/sys/kernel/mm/transparent_hugepage/"


def _iosched(
    scheduler: str, name: str, unit: str, low: int, high: int, safe: tuple[int, int]
) -> Tunable:
    """A knob of one I/O scheduler; the file exists only while that scheduler is active."""
    return Tunable(
        f"block.iosched.{name}",
        f"{scheduler} {name.replace('_', ' ')}",
        f"{_QUEUE}iosched/{name}",
        unit,
        device_kind="block",
        low=low,
        high=high,
        safe=safe,
        # Times are kept in jiffies: at 100 Hz a value moves by up to 10 ms.
        tolerance=10 if unit == "ms" else 0,
        rank=13 if name == "strict_guarantees" else 14,
        group="queue",
        scheduler=scheduler,
        # bfq raises slice_idle to 8 ms when strict guarantees are switched on.
        moves=("block.iosched.slice_idle_us",) if name == "strict_guarantees" else (),
    )


def _vm(
    name: str,
    label: str,
    unit: str,
    kernel: tuple[int, int],
    safe: tuple[int, int] | None,
    rank: int = 50,
) -> Tunable:
    path = f"/proc/sys/vm/{name}"
    return Tunable(
        f"vm.{name}", label, path, unit, low=kernel[0], high=kernel[1], safe=safe, rank=rank
    )


def _pair(
    ratio: str, byte_count: str, label: str, safe: tuple[int, int], rank: int
) -> tuple[Tunable, Tunable]:
    """Two files of which exactly one is active; the limits of the bytes depend on the memory."""
    members = (
        replace(_vm(ratio, label, "%", (0, 100), safe, rank), twin=f"vm.{byte_count}"),
        replace(_vm(byte_count, label, "bytes", (1, 2**63 - 1), None, rank), twin=f"vm.{ratio}"),
    )
    group = f"pair of {ratio}"
    return replace(members[0], group=group), replace(members[1], group=group)


_IOSCHED = (
    _iosched("mq-deadline", "read_expire", "ms", 0, _INT_MAX, (10, 10_000)),
    _iosched("mq-deadline", "write_expire", "ms", 0, _INT_MAX, (10, 60_000)),
    _iosched("mq-deadline", "prio_aging_expire", "ms", 0, _INT_MAX, (100, 60_000)),
    _iosched("mq-deadline", "writes_starved", "", 0, _INT_MAX, (1, 16)),
    _iosched("mq-deadline", "fifo_batch", "", 0, _INT_MAX, (1, 64)),
    _iosched("mq-deadline", "front_merges", "", 0, 1, (0, 1)),
    _iosched("mq-deadline", "async_depth", "", 1, _INT_MAX, (1, 4096)),
    _iosched("kyber", "read_lat_nsec", "ns", 0, 10**12, (100_000, 10**9)),
    _iosched("kyber", "write_lat_nsec", "ns", 0, 10**12, (100_000, 10**10)),
    _iosched("bfq", "low_latency", "", 0, 1, (0, 1)),
    _iosched("bfq", "strict_guarantees", "", 0, 1, (0, 1)),
    _iosched("bfq", "slice_idle_us", "µs", 0, _INT_MAX, (0, 100_000)),
    _iosched("bfq", "timeout_sync", "ms", 1, _INT_MAX, (20, 2_000)),
    _iosched("bfq", "fifo_expire_sync", "ms", 1, _INT_MAX, (10, 10_000)),
    _iosched("bfq", "fifo_expire_async", "ms", 1, _INT_MAX, (10, 10_000)),
    _iosched("bfq", "back_seek_max", "KiB", 0, _INT_MAX, (0, 1024 * 1024)),
    _iosched("bfq", "back_seek_penalty", "", 1, _INT_MAX, (1, 16)),
    _iosched("bfq", "max_budget", "sectors", 0, _INT_MAX, (0, 65_536)),
)

TUNABLES: tuple[Tunable, ...] = (
    # Memory reclaim (mm/page_alloc.c, mm/vmscan.c)
    replace(
        _vm("min_free_kbytes", "reserved free memory", "KiB", (0, _INT_MAX), None, 30),
        group="huge pages",
        residue=Said("helper.residue.reserve"),
    ),
    # 500 keeps up to 10.6 of 96 GB free and takes 16 GB from MemAvailable; beyond it earlyoom and
    # launchers see a full computer. 10 is the kernel's default.
    _vm("watermark_scale_factor", "watermark distance", "1/10000", (1, 3000), (10, 500), 31),
    # Not above the kernel's default: a boost is a share of the high mark, and with a scale factor
    # of 500 on 96 GB that frees up to 15.9 GB at once.
    _vm("watermark_boost_factor", "watermark boost", "1/10000", (0, _INT_MAX), (0, 15_000), 32),
    _vm("swappiness", "swappiness", "", (0, 200), (0, 200)),
    _vm("page-cluster", "pages read from swap at once", "power of two", (0, 31), (0, 6)),
    # At 0 the kernel never frees inodes, and can run out of memory (sysctl/vm.rst).
    _vm("vfs_cache_pressure", "pressure on inode caches", "%", (0, _INT_MAX), (10, 500)),
    _vm("zone_reclaim_mode", "reclaim inside a memory node", "", (0, 15), (0, 7)),
    # From the kernel's default, as a running game may have so many, to what SteamOS and Bazzite
    # set (2147483642).
    _vm("max_map_count", "mappings of one process", "", (0, _INT_MAX), (65_530, _INT_MAX - 5)),
    replace(
        _vm("compaction_proactiveness", "compaction ahead of need", "%", (0, 100), (0, 100)),
        min_kernel="5.9",
    ),
    # Dirty pages (mm/page-writeback.c): writing one member of a pair zeroes the other one
    *_pair("dirty_background_ratio", "dirty_background_bytes", "background writing", (1, 40), 54),
    *_pair("dirty_ratio", "dirty_bytes", "limit of unwritten data", (5, 50), 55),
    _vm("dirty_expire_centisecs", "age of written data", "cs", (0, _INT_MAX), (100, 30_000), 56),
    # 0 switches periodic writing off: nobody may ask for that, but it can be written back.
    _vm("dirty_writeback_centisecs", "writing interval", "cs", (0, _INT_MAX), (100, 6_000), 57),
    # Transparent huge pages (mm/huge_memory.c, mm/khugepaged.c)
    Tunable(
        "thp.enabled",
        "huge pages",
        _THP + "enabled",
        kind=CHOICE,
        choices=("always", "madvise", "never"),
        rank=20,
        group="huge pages",
        moves=("vm.min_free_kbytes",),
    ),
    Tunable(
        "thp.defrag",
        "waiting for huge pages",
        _THP + "defrag",
        kind=CHOICE,
        choices=("always", "defer", "defer+madvise", "madvise", "never"),
        rank=21,
    ),
    Tunable(
        "thp.khugepaged_defrag",
        "compaction by khugepaged",
        _THP + "khugepaged/defrag",
        high=1,
        safe=(0, 1),
        rank=22,
    ),
    # Block queues (block/elevator.c, block/blk-wbt.c, block/blk-sysfs.c)
    Tunable(
        "block.scheduler",
        "I/O scheduler",
        _QUEUE + "scheduler",
        kind=CHOICE,
        device_kind="block",
        choices=("none", "mq-deadline", "kyber", "bfq"),
        rank=10,
        group="queue",
        moves=("block.nr_requests", *(tunable.id for tunable in _IOSCHED), "block.wbt_lat_usec"),
    ),
    Tunable(
        "block.nr_requests",
        "requests in the queue",
        _QUEUE + "nr_requests",
        device_kind="block",
        low=1,
        # Of less than 4 the kernel makes 4 (BLKDEV_MIN_RQ; 1 became 4).
        safe=(4, 4096),
        rank=12,
        group="queue",
        moves=("block.iosched.async_depth",),
    ),
    *_IOSCHED,
    Tunable(
        "block.wbt_lat_usec",
        "write-back throttling",
        _QUEUE + "wbt_lat_usec",
        "µs",
        device_kind="block",
        safe=(0, 1_000_000),
        rank=16,
        group="queue",
        residue=Said("helper.residue.throttling"),
    ),
    Tunable(
        "block.read_ahead_kb",
        "read ahead",
        _QUEUE + "read_ahead_kb",
        "KiB",
        device_kind="block",
        safe=(0, 65_536),
        rank=18,
        # The kernel rounds down to whole pages (5 became 4 here), and a page has up to 64 KiB.
        tolerance=64,
    ),
    # Power saving of storage (drivers/nvme/host/core.c, drivers/ata/libata-sata.c)
    Tunable(
        "nvme.latency_tolerance",
        "NVMe wake-up delay allowed",
        "/sys/class/nvme/{device}/power/pm_qos_latency_tolerance_us",
        "µs",
        kind=LATENCY,
        device_kind="nvme",
        # Not above the kernel's own value: a larger one, as "auto" and "any", lets the drive sleep
        # deeper than before (drivers/nvme/host/core.c).
        safe=(0, 100_000),
        rank=60,
    ),
    Tunable(
        "sata.link_power",
        "SATA link power saving",
        "/sys/class/scsi_host/{device}/link_power_management_policy",
        kind=CHOICE,
        device_kind="scsi_host",
        choices=(*_LINK_POWER, "min_power_with_partial", "min_power"),
        unoffered=("min_power",),  # reputed to damage data on some drives
        rank=61,
    ),
    # Processor
    Tunable(
        "kernel.split_lock_mitigate",
        "slowing of split locks",
        "/proc/sys/kernel/split_lock_mitigate",
        high=1,
        safe=(0, 1),
        rank=62,
        min_kernel="6.2",
    ),
    Tunable(
        "softirq.policy",
        "scheduling of ksoftirqd",
        "",
        kind=POLICY,
        device_kind="cpu",
        low=1,
        high=99,
        safe=(1, 49),
        rank=63,
    ),
    Tunable(
        "cpu.power_profile",
        "power profile held",
        "",
        kind=HOLD,
        choices=("performance", "power-saver"),
        rank=70,
    ),
    Tunable(
        "cpu.dma_latency",
        "processor wake-up delay allowed",
        "/dev/cpu_dma_latency",
        "µs",
        kind=HOLD,
        # PM_QOS_CPU_LATENCY_DEFAULT_VALUE (include/linux/pm_qos.h): nobody asks for anything.
        high=2_000_000_000,
        safe=(0, 2_000),
        rank=71,
    ),
)

BY_ID = {tunable.id: tunable for tunable in TUNABLES}
CELLS = {
    cell: tuple(sorted((t for t in TUNABLES if t.cell == cell), key=lambda t: (t.rank, t.id)))
    for cell in {tunable.cell for tunable in TUNABLES}
}
"""The settings that have one state, in the order in which they are written."""


def is_kernel_value(tunable: Tunable, value: str) -> bool:
    """Whether the kernel takes ``value`` as a whole: "60 junk" is accepted by it, not by us."""
    if tunable.kind == POLICY:
        word, _, priority = value.partition(":")
        is_real_time = word in {"fifo", "rr"}
        return value == "other" or (
            is_real_time and is_number(priority, tunable.low, tunable.high)
        )
    if tunable.kind == HOLD and value == NOT_HELD:
        return True
    if tunable.choices:
        return value in tunable.choices
    is_word = tunable.kind == LATENCY and value in {"auto", "any"}
    return is_word or is_number(value, tunable.low, tunable.high)


def is_accepted(tunable: Tunable, wanted: str | None, current: str | None) -> bool:
    """Whether ``current`` is what the kernel may make of ``wanted`` by rounding."""
    if wanted == current or wanted is None or current is None:
        return wanted == current
    are_numbers = wanted.isdecimal() and current.isdecimal()
    return are_numbers and abs(int(wanted) - int(current)) <= tunable.tolerance


def step_aside(value: str) -> str:
    """Another tolerance, to be written before this one where this one may be there already."""
    return "50000" if value == "100000" else "100000"


def value_in_file(tunable: Tunable, text: str) -> str:
    """The value that the kernel's file shows; ValueError when it should be a number and is not."""
    if tunable.kind == CHOICE:
        return active_choice(text)
    return str(int(text)) if tunable.kind == INT else text.strip()


def policy_value(policy: int, priority: int) -> str:
    """The value of a thread's scheduling, from the kernel's numbers (sched_setscheduler(2))."""
    word = POLICIES[policy] if policy < len(POLICIES) else str(policy)
    return word if word == "other" else f"{word}:{priority}"


def reason_absent(tunable: Tunable) -> Said:
    """Why a kernel or device has no file for it."""
    if tunable.scheduler:
        return Said("helper.absent.setting_of_scheduler", {"scheduler": tunable.scheduler})
    if tunable.device_kind:
        return Said("helper.absent.setting_of_device")
    if tunable.min_kernel:
        return Said("helper.absent.setting_of_later_kernel", {"version": tunable.min_kernel})
    return Said("helper.absent.setting_of_kernel")


def read_state(state: str) -> dict[str, str]:
    """The values in a state, by id; a state is ``id=value`` for each setting, with spaces."""
    return dict(word.partition("=")[::2] for word in state.split())


def is_number(text: str, low: int, high: int) -> bool:
    """Whether a text is a whole number within both limits, as the kernel writes it."""
    is_plain = text.isascii() and text.isdecimal() and len(text) < 20
    return is_plain and str(int(text)) == text and low <= int(text) <= high
