# SPDX-License-Identifier: GPL-3.0-or-later
"""An expert's trace of the window as a test has it: lent, refused, and what it told."""

import time
from collections.abc import Container
from types import SimpleNamespace
from typing import Any

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.kernel_trace import KernelTrace, TraceKind, TraceStatus
from destutter.core.statement import Statement
from destutter.core.traced import (
    FILE,
    GPU,
    INTERRUPT,
    MISSING,
    TracedSleep,
    TracedTally,
    TracedThread,
    TraceLook,
    TraceLoss,
)
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import smooth

MS, S = 1_000_000, 1_000_000_000
TALLIES = (
    TracedTally(INTERRUPT, "nvme0q1", 1_204, 14 * MS, MS // 20),
    TracedTally(INTERRUPT, "xhci_hcd", 310, 9 * MS, MS // 2),
    TracedTally(INTERRUPT, "i801_smbus", 12, 61 * MS, 7 * MS),
    TracedTally(GPU, "RenderThread amdgpu", 3_480, 21_400 * MS, 48 * MS),
    TracedTally(FILE, "/home/user/.local/share/Steam/steamapps/common/flight/engine.so", 212),
    TracedTally(FILE, "nvme0n1p2, 1049871", 9),
)


FUNCTIONS = (
    *("trace_event_raw_event_sched_switch", "__traceiter_sched_switch", "__schedule", "schedule"),
    *("io_schedule", "folio_wait_bit_common", "filemap_update_page", "filemap_get_pages"),
    *("filemap_read", "ext4_file_read_iter", "vfs_read", "ksys_pread64", "do_syscall_64"),
    "entry_SYSCALL_64_after_hwframe",
)


class ScriptedTrace(KernelTrace):
    """One whose answers a test gives."""

    def __init__(self) -> None:
        super().__init__("unix:path=/nowhere")
        self.asked: list[str] = []
        self.functions = FUNCTIONS

    def ask_as_expert(self) -> None:
        """Note it."""
        self.asked.append("expert")

    def ask_path(self, sleep: TracedSleep) -> None:
        """Note it, and answer at once."""
        self.asked.append(f"path {sleep.thread.tid} {sleep.begin_ns}")
        self.path_told.emit(sleep, self.functions)

    def lend(self, left_s: int = 60, *, is_expert: bool = True) -> None:
        """The helper has given one."""
        grant: Any = SimpleNamespace(
            left_s=left_s, is_over=False, close=lambda: None, watch=lambda _pid: None
        )
        self._grant = grant
        self._game = 4711
        self._change(TraceStatus(TraceKind.RUNNING, is_expert=is_expert))

    def refuse(self, why: Statement, *, is_absent: bool = False) -> None:
        """It has not, or is not there."""
        self._change(TraceStatus(why=why, is_absent=is_absent))

    def end(self) -> None:
        """The minute is over, or somebody has had enough."""
        self.asked.append("end")
        self._grant = None
        self._change(TraceStatus())


def expert_looks(
    kinds: Container[str] = (INTERRUPT, GPU, FILE), *, loses: bool = False, is_deep: bool = True
) -> tuple[TraceLook, ...]:
    """Two looks, 41 seconds apart."""
    now_ns = time.monotonic_ns()
    told = tuple(each for each in TALLIES if each.kind in kinds)
    losses = (TraceLoss(now_ns, now_ns + 2 * S, 7, "expert"),) if loses else ()
    first = TraceLook(now_ns - S, now_ns, 0, 40_000, counts={"events": 900})
    streamer = TracedThread(4713, "streamer", 4711)
    slept = (TracedSleep(streamer, now_ns, 184 * MS),) if is_deep else ()
    last = TraceLook(
        now_ns,
        now_ns + 41 * S,
        0,
        260_000,
        counts={"events": 231_400},
        losses=losses,
        deep_sleeps=slept,
        tallies=told,
    )
    return first, last


def expert_snapshot(
    looks: tuple[TraceLook, ...], missing: str = "", game: str = "4711"
) -> Snapshot:
    """A moment with these looks, on a kernel that lacks these events."""
    (*_, last) = snapshots_of(smooth)
    facts = {**last.facts, "game.pid": game, MISSING: missing}
    return Snapshot(last.assessment, facts=facts, looks=looks)
