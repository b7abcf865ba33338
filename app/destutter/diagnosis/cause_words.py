# SPDX-License-Identifier: GPL-3.0-or-later
"""English words of causes that all say the same things: a name, what held the game up, a tile."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CauseWords:
    """``waited`` goes on after "waited up to 214 ms", ``tile`` says what happened."""

    name: str
    waited: str
    tile: str


CAUSE_WORDS: Mapping[str, CauseWords] = {
    "memcg_reclaim": CauseWords(
        "The game's memory limit",
        "because its own memory limit was reached",
        "The game's memory limit was reached",
    ),
    "kswapd_overwhelmed": CauseWords(
        "Background cleaning falls behind",
        "while the kernel's cleaner fell behind",
        "The kernel's cleaner fell behind",
    ),
    "compaction_stall": CauseWords(
        "Waiting for connected memory",
        "while the kernel moved memory together",
        "The kernel moved memory together",
    ),
    "swap_thrash": CauseWords(
        "Memory comes back from swap",
        "while memory came back from swap",
        "Memory came back from swap",
    ),
    "dropped_caches": CauseWords(
        "The page cache is emptied",
        "for files that had to be read again after something emptied the page cache",
        "Something emptied the page cache",
    ),
    "zone_exhaustion": CauseWords(
        "One memory node is full",
        "while one memory node was full",
        "One memory node was full",
    ),
    "io_unfairness": CauseWords(
        "Another program holds the drive",
        "while another program kept {device} busy",
        "Another program kept the drive busy",
    ),
    "wbt_throttling": CauseWords(
        "Throttled writing back",
        "while writing back was throttled",
        "Writing back was throttled",
    ),
    "nvme_power_state": CauseWords(
        "The drive wakes up slowly",
        "while {device} woke from a deep rest",
        "The drive woke from a deep rest",
    ),
    "link_power": CauseWords(
        "The link to the drive sleeps",
        "while {device} woke up",
        "The drive or its link woke up",
    ),
    "filesystem_commit": CauseWords(
        "The file system writes everything down",
        "while {device} emptied its cache",
        "The drive emptied its cache slowly",
    ),
    "page_cache_write": CauseWords(
        "Slow small writes",
        "while a small write took long",
        "A small write took long",
    ),
    "cpu_steal": CauseWords(
        "The host takes the processor",
        "while the host ran something else",
        "The host ran something else",
    ),
    "deep_c_state": CauseWords(
        "Cores sleep deeply",
        "while cores woke from deep sleep",
        "Cores woke from deep sleep",
    ),
    "frequency_ramp": CauseWords(
        "The clock stays low",
        "while the processor ran at a low clock",
        "A busy core ran at a low clock",
    ),
    "thermal_throttling": CauseWords(
        "The processor is too hot",
        "while the hot processor slowed down",
        "The hot processor slowed down",
    ),
    "irq_storm": CauseWords(
        "A device interrupts without end",
        "while interrupts held the core",
        "Interrupts held a core",
    ),
    "softirq_starvation": CauseWords(
        "Interrupt work waits",
        "while the work of interrupts got no core",
        "The work of interrupts got no core",
    ),
    "kworker_starvation": CauseWords(
        "Kernel workers wait",
        "while the kernel's workers got no core",
        "The kernel's workers got no core",
    ),
    "rt_runaway": CauseWords(
        "A real-time task keeps a core",
        "while a real-time task kept a core",
        "A real-time task kept a core",
    ),
    "split_lock": CauseWords(
        "Split locks are slowed down",
        "while split locks were slowed down",
        "Split locks were slowed down",
    ),
    "tlb_shootdowns": CauseWords(
        "Cores interrupt each other",
        "while cores interrupted each other",
        "Cores interrupted each other",
    ),
    "gpu_starvation": CauseWords(
        "The graphics card waits",
        "and the graphics card had nothing to do",
        "The graphics card had nothing to do",
    ),
    "vram_eviction": CauseWords(
        "The graphics card's memory is full",
        "while the graphics card's memory was full",
        "The graphics card's memory was full",
    ),
    "gpu_throttling": CauseWords(
        "The graphics card slows down",
        "while the graphics card slowed itself down",
        "The graphics card slowed itself down",
    ),
    "shader_compilation": CauseWords(
        "Shaders are compiled",
        "while shaders were compiled",
        "Shaders were compiled",
    ),
    "periodic_overlay": CauseWords(
        "Stutters in a beat",
        "in a regular beat",
        "Something came in a regular beat",
    ),
    "clocksource": CauseWords(
        "A slow clock source",
        "while the kernel used a slow clock",
        "The kernel used a slow clock",
    ),
}

VERDICT = (
    "{{who}} waited up to {{worst_ms}} {waited}. {{explained}} of {{total}} match. "
    "Confidence: {{confidence}}."
)
CAUSING_ONE = "{tile} at {{explained}} stutter"
CAUSING_MORE = "{tile} at {{explained}} stutters"
