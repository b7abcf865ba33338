# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about the graphics card, and about making ready what it draws."""

from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import CauseSpec, Limits, Signal, unjudged, worst
from destutter.diagnosis.finding import Evidence, Group
from destutter.diagnosis.history.window import Window

LINK = "link"
"""The kind of slowness that lies in the card's link, not in the card."""

_BACK_S = 5  # cards are read once a second: one that failed must not end a fall or a full memory
# NVML: hardware slowdown, thermal slowdown, power brake; its power cap (0x4) is usual under load.
_HARDWARE_REASONS = 0x08 | 0x40 | 0x80
_COMPILERS = ("dxvk-shader", "[vkd3d]", "vkd3d", "fossilize")


def gpu_starvation(window: Window, limits: Limits) -> Signal | None:
    """The card suddenly has little to do while the game runs: it waits for the processor.

    Its load falls well below the usual of the last minute. A menu or a loading screen does that
    too, but stays so: only the fall counts, some seconds long. Without a game nobody waits.
    """
    cards = window.instances("gpu.busy_pct", _BACK_S)
    if not cards or window.mean("game.main_cpu_ms_per_s", seconds=_BACK_S) is None:
        return None
    best = Signal(0.0, ())
    for card in cards:
        usual = window.median("gpu.busy_pct", card, seconds=60)
        now = window.last("gpu.busy_pct", card, 2)
        before = window.peak("gpu.busy_pct", card, _BACK_S)
        if usual is None or now is None or before is None or before[0] < usual - limits["near"]:
            continue
        strength = max(usual - now, 0.0) / limits["fall_pct"]
        if strength > best.strength:
            at_ns = window.newest.end_ns if window.newest else 0
            limit = usual - limits["fall_pct"]
            best = Signal(
                strength, (Evidence("gpu.busy_pct", "%", now, limit, at_ns, card),), card
            )
    return best


def vram_eviction(window: Window, limits: Limits) -> Signal | None:
    """The card's memory is full, and textures go back and forth through the slot.

    Full for five seconds; or nearly full while the part that lies in the computer's own memory
    grows.
    """
    best: Signal | None = None
    for card in window.instances("gpu.vram_used_pct", _BACK_S):
        used = window.low("gpu.vram_used_pct", card, _BACK_S)
        if used is None:
            continue
        spilt = _spilt_bytes(window, card)
        is_spilling = used >= limits["nearly_pct"] and spilt >= limits["spilt_bytes"]
        strength = used / limits["full_pct"]
        if is_spilling:
            strength = max(strength, spilt / limits["spilt_bytes"])
        if best is None or strength > best.strength:
            limit = limits["nearly_pct"] if is_spilling else limits["full_pct"]
            best = Signal(strength, worst(window, "gpu.vram_used_pct", limit, card, 5), card)
    return best


def _spilt_bytes(window: Window, card: str) -> float:
    low = window.low("gpu.gtt_used_bytes", card, _BACK_S)
    now = window.last("gpu.gtt_used_bytes", card, _BACK_S)
    return 0.0 if low is None or now is None else now - low


def gpu_throttling(window: Window, limits: Limits) -> Signal | None:
    """The card is slower than it could be: it throttles itself, or its link does not run fully."""
    signals = (_throttled(window, limits), _narrow_link(window, limits))
    measured = [signal for signal in signals if signal is not None]
    return max(measured, key=lambda signal: signal.strength, default=None)


def _narrow_link(window: Window, limits: Limits) -> Signal | None:
    """Under load the link has fewer lanes, or a lower speed, than card and slot can have.

    At rest a link slows down to save power, which means nothing. While the card works it runs at
    its full speed, unless a contact, a riser or a setting of the firmware keeps it from that.
    """
    best: Signal | None = None
    for metric in ("gpu.link_width_pct", "gpu.link_speed_pct"):
        for card in window.instances(metric, _BACK_S):
            share = (window.peak(metric, card, _BACK_S) or (0.0, 0))[0]
            busy = window.low("gpu.busy_pct", card, _BACK_S) or 0.0
            is_slow = 0.0 < share < limits["link_pct"] and busy >= limits["busy_pct"]
            strength = limits["link_pct"] / share if is_slow else 0.0
            if best is None or strength > best.strength:
                evidence = worst(window, metric, 100.0, card, _BACK_S)
                best = Signal(strength, evidence, card, kind=LINK)
    return best


def _throttled(window: Window, limits: Limits) -> Signal | None:
    """The card slows itself down by heat or by its power supply, for two looks in a row.

    Bits as NVML names them: hardware slowdown, hardware heat, power brake. The ordinary limit of
    power is reached at every full load and means nothing.
    """
    metric = "gpu.throttle_reasons"
    best: Signal | None = None
    for card in window.instances(metric, 3):
        newest = window.last(metric, card, 2)
        lowest = window.low(metric, card, 3)
        if newest is None or lowest is None:
            continue
        is_slowed = all(int(bits) & _HARDWARE_REASONS for bits in (newest, lowest))
        strength = limits["strength"] if is_slowed else 0.0
        if best is None or strength > best.strength:
            best = Signal(strength, worst(window, metric, 8.0, card, 3), card)
    return best


def shader_compilation(window: Window, limits: Limits) -> Signal | None:
    """Threads of the game translate shaders, as on the first visit of a place.

    Known by the names that DXVK, vkd3d and Steam give them. The kernel counts nothing of it.
    """
    metric = "thread.cpu_ms_per_s"
    names = window.instances(metric, 3)
    if not names:
        return None
    # Threads are read once a second, so that the reading may fall into the second after.
    work = {
        name: (window.peak(metric, name, 2) or (0.0, 0))[0] for name in names if is_compiler(name)
    }
    total = sum(work.values())
    busiest = max(work, key=lambda name: work[name], default=None)
    evidence = worst(window, metric, limits["cpu_ms_per_s"] / max(len(work), 1), busiest, 2)
    return Signal(total / limits["cpu_ms_per_s"], evidence, busiest)


def is_compiler(instance: str) -> bool:
    """Whether a thread ("TID NAME") translates shaders, by the names that are known."""
    name = instance.partition(" ")[2].lower()
    return "shader" in name or name.startswith(_COMPILERS)


_MIB = 1024.0 * 1024.0

GRAPHICS: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="gpu_starvation",
        group=Group.GPU,
        rule=gpu_starvation,
        suspects=suspects.nobody,
        # 30 points below the median of the last minute. "near": before the fall it was within half
        # of it of its median, so that this is the fall.
        limits={"fall_pct": 30.0, "near": 15.0},
        watches=(
            "gpu.busy_pct",
            "game.main_cpu_ms_per_s",
        ),
        needs=(frozenset({"gpu", "game"}),),
        alarm=2.5,
        remembers=("gpu.busy_pct",),
        yields_to=(
            "direct_reclaim",
            "memcg_reclaim",
            "kswapd_overwhelmed",
            "compaction_stall",
            "swap_thrash",
            "zone_exhaustion",
            "dirty_throttling",
            "dropped_caches",
            "slow_device",
            "io_unfairness",
            "nvme_power_state",
            "link_power",
            "filesystem_commit",
            "page_cache_write",
            "cpu_steal",
            "run_queue_delay",
            "frequency_ramp",
            "thermal_throttling",
            "irq_storm",
            "softirq_starvation",
            "kworker_starvation",
            "rt_runaway",
            "vram_eviction",
            "gpu_throttling",
            "shader_compilation",
        ),
    ),
    CauseSpec(
        # Found in the times of the stutters (card_blame.py): a game that always has the card full
        # has no second in which a rule could tell it.
        id="gpu_saturation",
        group=Group.GPU,
        rule=unjudged,
        suspects=suspects.nobody,
        limits={},
        needs=(frozenset({"gpu_stretch", "game"}),),
        yields_to=("vram_eviction", "gpu_throttling"),
    ),
    CauseSpec(
        id="vram_eviction",
        group=Group.GPU,
        rule=vram_eviction,
        suspects=suspects.nobody,
        # Full for 5 s, or nearly and the part in the computer's memory grows. The memory of a chip
        # with graphics stands near 99 % always; nothing here tells it apart yet.
        limits={"full_pct": 97.0, "nearly_pct": 95.0, "spilt_bytes": 32 * _MIB},
        watches=(
            "gpu.vram_used_pct",
            "gpu.gtt_used_bytes",
        ),
        needs=(frozenset({"gpu"}),),
        alarm=3.0,
    ),
    CauseSpec(
        id="gpu_throttling",
        group=Group.GPU,
        rule=gpu_throttling,
        suspects=suspects.nobody,
        # The kernel rounds nothing: a link with all its lanes at full speed has 100 %.
        limits={"strength": 10.0, "link_pct": 99.0, "busy_pct": 80.0},
        watches=(
            "gpu.throttle_reasons",
            "gpu.busy_pct",
            "gpu.link_width_pct",
            "gpu.link_speed_pct",
        ),
        needs=(frozenset({"gpu"}),),
    ),
    CauseSpec(
        id="shader_compilation",
        # Work of the game's threads, whatever it is for.
        group=Group.CPU,
        rule=shader_compilation,
        suspects=suspects.nobody,
        # Half a core: below it they keep no game from its frame time.
        limits={"cpu_ms_per_s": 500.0},
        watches=("thread.cpu_ms_per_s",),
        needs=(frozenset({"thread"}),),
        alarm=3.0,
        yields_to=(
            "direct_reclaim",
            "memcg_reclaim",
            "swap_thrash",
            "slow_device",
            "io_unfairness",
            "thermal_throttling",
        ),
    ),
)
