# SPDX-License-Identifier: GPL-3.0-or-later
"""What a kernel function that somebody sleeps in stands for."""

import pytest

from destutter.sampling.files.graphics_drivers import DRM_DRIVERS
from destutter.sampling.game.wait_places import AsleepIn, BlockedBy, asleep_in, blocked_by


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (b"folio_wait_bit_common", BlockedBy.IO),
        (b"blk_mq_get_tag", BlockedBy.IO),
        (b"rq_qos_wait", BlockedBy.IO),
        (b"request_wait_answer", BlockedBy.IO),
        (b"balance_dirty_pages_ratelimited_flags", BlockedBy.DIRTY),
        (b"jbd2_log_wait_commit", BlockedBy.JOURNAL),
        (b"btrfs_commit_transaction", BlockedBy.JOURNAL),
        (b"reclaim_throttle", BlockedBy.MEMORY),
        (b"vm_mmap_pgoff", BlockedBy.MAPS),
        (b"do_mremap", BlockedBy.MAPS),
        (b"do_mlock", BlockedBy.MAPS),
        (b"__x64_sys_munlock", BlockedBy.MAPS),
        (b"__do_sys_msync", BlockedBy.MAPS),
        (b"do_user_addr_fault", BlockedBy.MAPS),
        (b"dma_fence_default_wait", BlockedBy.OTHER),
        (b"nv_wait_for_rm", BlockedBy.OTHER),
        (b"nvme_wait_freeze", BlockedBy.IO),
        (b"kernel_clone", BlockedBy.OTHER),
        (b"0", BlockedBy.OTHER),
        (b"", BlockedBy.OTHER),
    ],
)
def test_blocked(place, kind):
    """Blocked without another reason is a wait for a drive; an untold place is not."""
    assert blocked_by(place) is kind


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (b"futex_wait_queue", AsleepIn.FUTEX),
        (b"do_wait_intr_irq", AsleepIn.FUTEX),
        (b"eventfd_read", AsleepIn.FUTEX),
        (b"do_wait", AsleepIn.OTHER),
        (b"sk_wait_data", AsleepIn.SOCKET),
        (b"unix_stream_read_generic", AsleepIn.SOCKET),
        (b"pipe_read", AsleepIn.PIPE),
        (b"do_epoll_wait", AsleepIn.EVENTS),
        (b"hrtimer_nanosleep", AsleepIn.TIMER),
        (b"dma_fence_wait_timeout", AsleepIn.GPU),
        (b"nvkms_ioctl", AsleepIn.GPU),
        (b"nvme_uring_cmd_io", AsleepIn.OTHER),
        (b"something_new", AsleepIn.OTHER),
    ],
)
def test_asleep(place, kind):
    """A main thread that waits for another thread is told from one that waits for the network."""
    assert asleep_in(place) is kind


@pytest.mark.parametrize("driver", DRM_DRIVERS)
def test_driver_of_a_graphics_card(driver):
    """Who cannot be woken in the driver of a graphics card, of whichever, waits for no drive."""
    place = f"{driver}_bo_wait".encode()
    assert blocked_by(place) is BlockedBy.OTHER
    assert asleep_in(place) is AsleepIn.GPU
