# SPDX-License-Identifier: GPL-3.0-or-later
"""SAMPLERS: which sampler delivers which sources, and how it is built."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.computer.cpu_power import FrequencySampler, IdleSampler, ThrottleSampler
from destutter.sampling.computer.disks import DiskSampler
from destutter.sampling.computer.firmware_events import FirmwareEventSampler
from destutter.sampling.computer.interrupts import InterruptSampler, SoftirqSampler, SoftnetSampler
from destutter.sampling.computer.pressure import PressureSampler, PressureTotals
from destutter.sampling.computer.procfs import (
    CpuSampler,
    MeminfoSampler,
    StatSampler,
    VmstatSampler,
)
from destutter.sampling.computer.schedule import RunqueueSampler
from destutter.sampling.computer.sensors import PowerSampler, TemperatureSampler
from destutter.sampling.computer.swap import SwapSampler, ZramSampler
from destutter.sampling.computer.zones import ZoneSampler
from destutter.sampling.files.measurement import SourceSampler
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.busy_threads import BusyThreadSampler
from destutter.sampling.game.game import GameSampler
from destutter.sampling.game.game_cgroup import GameCgroupSampler, GamePressureSampler
from destutter.sampling.game.game_status import GameStatusSampler
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.look_allowance import Allowance
from destutter.sampling.game.map_readers import MapReaders
from destutter.sampling.game.partners import PartnerFinder, PartnerSampler, PartnerWatch
from destutter.sampling.game.thread_ranking import ThreadRanking
from destutter.sampling.game.thread_waits import ThreadWaitSampler
from destutter.sampling.game.threads import ThreadSampler
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.gpu.drm_clients import DrmClientSampler
from destutter.sampling.gpu.gpu import GraphicsSampler
from destutter.sampling.gpu.gpu_amd import AmdCards
from destutter.sampling.gpu.gpu_intel import IntelCards
from destutter.sampling.gpu.gpu_nvidia import NvidiaCards, load_nvml
from destutter.sampling.machine import clock_ticks, page_bytes
from destutter.sampling.own_cost import OwnCostSampler
from destutter.sampling.processes.kernel_threads import KernelThreadSampler
from destutter.sampling.processes.process_table import ProcessTable
from destutter.sampling.processes.processes import ProcessSampler, RealtimeSampler
from destutter.sampling.processes.realtime_run import RealtimeRunSampler, RealtimeThreads


@dataclass(slots=True)
class SamplerParts:
    """What samplers are built from; ``clock`` gives nanoseconds of CLOCK_MONOTONIC."""

    files: KernelFiles
    clock: Callable[[], int]
    skipped_ticks: Callable[[], int]
    watch: WatchedProcess
    lists: ThreadLists
    threads: ThreadRanking
    game_threads: GameThreads
    realtime: RealtimeThreads
    table: ProcessTable
    stalls: PressureTotals
    partners: PartnerWatch
    partner_finder: PartnerFinder
    map_readers: MapReaders

    @property
    def tick(self) -> int:
        """Clock ticks per second of the kernel that is read."""
        return clock_ticks(self.files)


def build_parts(
    files: KernelFiles, clock: Callable[[], int], skipped_ticks: Callable[[], int]
) -> SamplerParts:
    """The shared parts for one tree."""
    watch = WatchedProcess()
    lists = ThreadLists(files)
    table = ProcessTable(files, clock)
    partners = PartnerWatch()
    return SamplerParts(
        files=files,
        clock=clock,
        skipped_ticks=skipped_ticks,
        watch=watch,
        lists=lists,
        threads=ThreadRanking(files, watch, lists),
        game_threads=GameThreads(),
        realtime=RealtimeThreads(),
        table=table,
        stalls=PressureTotals(),
        partners=partners,
        partner_finder=PartnerFinder(files, watch, partners, clock),
        map_readers=MapReaders(files, clock),
    )


def _graphics(parts: SamplerParts) -> GraphicsSampler:
    load = load_nvml if parts.files.is_live else None
    return GraphicsSampler(
        [
            NvidiaCards(parts.files, parts.clock, load, time.time_ns),
            AmdCards(parts.files, parts.clock),
            IntelCards(parts.files),
        ],
        parts.files,
    )


def _processes(parts: SamplerParts) -> ProcessSampler:
    return ProcessSampler(
        parts.files,
        parts.table,
        parts.watch,
        parts.tick,
        page_bytes(parts.files),
        parts.lists,
    )


SAMPLERS: dict[str, Callable[[SamplerParts], SourceSampler]] = {
    "stat": lambda parts: StatSampler(parts.files, parts.lists),
    "vmstat": lambda parts: VmstatSampler(parts.files),
    "pressure": lambda parts: PressureSampler(parts.files, parts.stalls),
    "disk": lambda parts: DiskSampler(parts.files),
    "game": lambda parts: GameSampler(parts.files, parts.watch, page_bytes(parts.files)),
    "game_pressure": lambda parts: GamePressureSampler(parts.files, parts.watch),
    "game_status": lambda parts: GameStatusSampler(
        parts.files, parts.watch, parts.clock, parts.game_threads
    ),
    "thread": lambda parts: ThreadSampler(
        parts.files,
        parts.watch,
        parts.threads.choose,
        parts.game_threads,
        parts.clock,
        parts.lists,
    ),
    "busy_thread": lambda parts: BusyThreadSampler(parts.files, parts.watch, parts.game_threads),
    "game_wait": lambda parts: ThreadWaitSampler(
        parts.lists,
        parts.watch,
        parts.game_threads,
        parts.stalls,
        parts.map_readers,
        Allowance(parts.clock),
    ),
    "partner": lambda parts: PartnerSampler(parts.partners, parts.game_threads, parts.clock),
    "realtime_run": lambda parts: RealtimeRunSampler(parts.files, parts.realtime),
    "meminfo": lambda parts: MeminfoSampler(parts.files),
    "vmstat_more": lambda parts: VmstatSampler(parts.files, "vmstat_more"),
    "game_cgroup": lambda parts: GameCgroupSampler(parts.files, parts.watch),
    "interrupt": lambda parts: InterruptSampler(parts.files),
    "zone": lambda parts: ZoneSampler(parts.files),
    "cpu": lambda parts: CpuSampler(parts.files),
    "softirq": lambda parts: SoftirqSampler(parts.files),
    "runqueue": lambda parts: RunqueueSampler(parts.files),
    "softnet": lambda parts: SoftnetSampler(parts.files),
    "cpufreq": lambda parts: FrequencySampler(parts.files),
    "throttle": lambda parts: ThrottleSampler(parts.files),
    "self": lambda parts: OwnCostSampler(parts.skipped_ticks),
    # Outside the tick. "process" looks at the table that the next two use.
    "process": _processes,
    "realtime": lambda parts: RealtimeSampler(
        parts.files, parts.table, parts.tick, parts.realtime, parts.lists
    ),
    "kernel_thread": lambda parts: KernelThreadSampler(parts.files, parts.table),
    "gpu": _graphics,
    "gpu_engine": lambda parts: DrmClientSampler(parts.files, parts.watch, parts.clock),
    "temperature": lambda parts: TemperatureSampler(parts.files, parts.clock),
    "power": lambda parts: PowerSampler(parts.files),
    "swap": lambda parts: SwapSampler(parts.files),
    "zram": lambda parts: ZramSampler(parts.files),
    "cpuidle": lambda parts: IdleSampler(parts.files),
    "firmware_event": lambda parts: FirmwareEventSampler(parts.files),
}
"""By the first source that each delivers, in the order in which they are read."""
