# SPDX-License-Identifier: GPL-3.0-or-later
"""What a thread waits for, by the kernel's function that it sleeps in (/proc/PID/task/TID/wchan).

The file names the first function on the way out of the scheduler (``get_wchan`` in
arch/x86/kernel/process.c); functions of locks belong to the scheduler's section and are passed
over, so that a wait for a lock is told by who takes it. For a process of somebody else the file
says 0 (proc_pid_wchan in fs/proc/base.c), and then nothing is known of what it waits for.
"""

from enum import Enum

from destutter.sampling.files.graphics_drivers import GRAPHICS_WAITS


class BlockedBy(Enum):
    """What a thread that the kernel does not let be woken waits for (state D)."""

    IO = "io"
    MEMORY = "memory"
    DIRTY = "dirty"
    JOURNAL = "journal"
    MAPS = "maps"
    OTHER = "other"
    FROZEN = "frozen"


class AsleepIn(Enum):
    """What a thread that sleeps and may be woken waits for (state S)."""

    FUTEX = "futex"
    SOCKET = "socket"
    PIPE = "pipe"
    EVENTS = "events"
    TIMER = "timer"
    GPU = "gpu"
    OTHER = "other"
    SERVER = "server"


UNKNOWN = (b"", b"0")
"""What the file holds when the place is not told."""

# Where a thread waits for the lock of a file that somebody else has (fs/locks.c): flock and fcntl.
FILE_LOCKS = (
    b"flock_lock_",
    b"locks_lock_",
    b"do_lock_file_wait",
    b"posix_lock_",
    b"fcntl_setlk",
    b"__x64_sys_flock",
    b"__do_sys_flock",
)
# Where it waits for the program that is behind a file system (fs/fuse/dev.c).
FILE_SERVERS = (b"request_wait_answer", b"fuse_")

# Where it waits for the end of a program that it has started (wait4 in kernel/exit.c). Whole
# names: the wait of an eventfd is do_wait_intr_irq.
_CHILDREN = (b"do_wait", b"__do_wait", b"kernel_wait4", b"kernel_waitid", b"do_waitid")

# Functions that a writer sleeps in when it has reached the limits of unwritten data.
DIRTY = (b"balance_dirty_pages", b"wb_wait_for_completion")
# Those in which a thread waits for a commit of ext4, btrfs, XFS or F2FS.
JOURNAL = (
    b"jbd2_",
    b"wait_transaction_",
    b"do_get_write_access",
    b"add_transaction_credits",
    b"start_this_handle",
    b"btrfs_commit_transaction",
    b"btrfs_sync_log",
    b"wait_current_trans",
    b"wait_for_commit",
    b"xlog_",
    b"xfs_log_",
    b"f2fs_issue_checkpoint",
)
# Reclaim that waits for others who free memory (mm/vmscan.c, mm/memcontrol.c, mm/compaction.c).
_MEMORY = (
    b"reclaim_throttle",
    b"throttle_direct_reclaim",
    b"congestion_wait",
    b"wait_iff_congested",
    b"shrink_",
    b"try_to_free_",
    b"mem_cgroup_",
    b"isolate_",
    b"compact_",
    b"too_many_isolated",
)
# Who changes or reads the list of mappings waits for its lock (mm/mmap.c, mm/memory.c). Seen on
# Linux 6.18 where ten threads did each kind of change beside a reader of smaps.
_MAPS = (
    b"lock_mm_and_find_vma",
    b"lock_vma_under_rcu",
    b"do_user_addr_fault",
    b"exc_page_fault",
    b"vm_mmap_pgoff",
    b"__vm_munmap",
    b"vm_munmap",
    b"__x64_sys_munmap",
    b"do_mprotect_pkey",
    b"do_mremap",
    b"__do_sys_mremap",
    b"do_mlock",
    b"__x64_sys_munlock",
    b"__do_sys_munlock",
    b"__do_sys_msync",
    b"do_madvise",
    b"madvise_",
    b"vma_start_write",
    b"__vma_start_write",
    b"__vma_enter_locked",
    b"__do_sys_brk",
    b"__x64_sys_brk",
    b"mmap_read_lock",
    b"mmap_write_lock",
    b"__mmap_lock",
    b"mm_populate",
    b"__mm_populate",
    b"exit_mm",
    b"m_start",
    b"query_vma",
)
# Whoever would change a file of a file system that is frozen (FIFREEZE: fsfreeze, a snapshot of
# LVM, a backup's agent) waits for its lock (__sb_start_write in include/linux/fs.h). Few others of
# the kernel's locks are of this kind, and none is held for as long as a stutter: of control groups
# while a task moves, of processors that come and go.
_FROZEN_FILES = (
    b"percpu_rwsem_wait",
    b"__percpu_down_read",
    b"__sb_start_write",
    b"mnt_want_write",
)
# Where the threads of a control group of version 2 stand while it is frozen (do_freezer_trap in
# kernel/signal.c), which is a sleep that can be woken (S).
_FROZEN_ASLEEP = (b"do_freezer_trap", b"get_signal")
_REFRIGERATOR = b"__refrigerator"
# No wait for a drive, though a thread cannot be woken from them.
_NO_IO = (
    b"vfork",
    b"wait_for_vfork",
    b"kernel_clone",  # vfork until the child has begun its program, on Linux 6.18
    b"ptrace_",
    b"do_coredump",
    b"synchronize_",
    b"__wait_rcu",
    b"wait_rcu",
    b"flush_work",
    b"__flush_work",
    *GRAPHICS_WAITS,
)
# Drives whose names begin like those of NVIDIA's functions.
_NO_GRAPHICS = (b"nvme", b"nvdimm")
_ASLEEP = (
    # An eventfd (fs/eventfd.c, Wine's esync) is written by another thread or process, as a futex
    # is woken; who reads a timerfd sleeps in the same function.
    (AsleepIn.FUTEX, (b"futex_", b"__futex", b"ntsync_", b"eventfd_", b"do_wait_intr")),
    (
        AsleepIn.SOCKET,
        (
            b"wait_woken",
            b"sk_wait",
            b"__skb_wait",
            b"skb_wait",
            b"unix_",
            b"inet_",
            b"tcp_",
            b"udp_",
            b"sk_stream",
        ),
    ),
    (AsleepIn.PIPE, (b"pipe_", b"anon_pipe_", b"fifo_")),
    (
        AsleepIn.EVENTS,
        (b"do_poll", b"poll_", b"do_sys_poll", b"ep_", b"do_epoll", b"do_select", b"io_cqring"),
    ),
    (AsleepIn.TIMER, (b"hrtimer_", b"do_nanosleep", b"common_nsleep")),
    # File systems in a program or on another computer: FUSE, NFS, SMB, 9p, Ceph.
    (
        AsleepIn.SERVER,
        (
            b"request_wait_answer",
            b"fuse_",
            b"rpc_",
            b"nfs",
            b"wait_for_response",
            b"cifs_",
            b"smb",
            b"p9_client_",
            b"ceph_",
        ),
    ),
    (AsleepIn.GPU, GRAPHICS_WAITS),
)

# Sleeps that can always be woken. Those of sockets, pipes and graphics cards stand beside locks.
_NEVER_BLOCKED = (AsleepIn.FUTEX, AsleepIn.TIMER, AsleepIn.EVENTS)


def blocked_by(place: bytes) -> BlockedBy:
    """What a thread in state D waits for. Where nothing else is known, a drive: most such are."""
    if place in UNKNOWN:
        return BlockedBy.OTHER
    for kind, names in (
        (BlockedBy.IO, _NO_GRAPHICS),
        (BlockedBy.DIRTY, DIRTY),
        (BlockedBy.JOURNAL, JOURNAL),
        (BlockedBy.MEMORY, _MEMORY),
        (BlockedBy.MAPS, _MAPS),
        (BlockedBy.FROZEN, _FROZEN_FILES),
        (BlockedBy.OTHER, _NO_IO),
    ):
        if place.startswith(names):
            return kind
    return BlockedBy.IO


def asleep_in(place: bytes) -> AsleepIn:
    """What a thread in state S waits for."""
    if place.startswith(_NO_GRAPHICS):
        return AsleepIn.OTHER
    for kind, names in _ASLEEP:
        if place.startswith(names):
            return kind
    return AsleepIn.OTHER


def is_for_child(place: bytes) -> bool:
    """Whether a thread that sleeps there waits for the end of a program that it has started."""
    return place.partition(b".")[0] in _CHILDREN  # without what a compiler appends


def is_frozen(state: bytes, place: bytes) -> bool:
    """Whether a thread in state S or D stands still because its control group is frozen.

    Version 1 turns a sleep that could be woken into one that cannot (D) where it stands
    (__set_task_frozen in kernel/freezer.c), and nobody else sleeps so in such a place. State and
    place are of two files: a thread that was woken between the two looks the same, so that who
    asks has to see the state again.
    """
    if state == b"D":
        return place.startswith(_REFRIGERATOR) or asleep_in(place) in _NEVER_BLOCKED
    return place.startswith(_FROZEN_ASLEEP)
