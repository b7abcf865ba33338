# SPDX-License-Identifier: GPL-3.0-or-later
"""The lanes that can be chosen beside the usual five, as a table. Ids are in users' settings:
never rename one."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from destutter.ui.plots.lane_measures import LaneMetric, Pick
from destutter.ui.plots.measured_lane import LaneSpec, LineSpec, SourceText
from destutter.ui.plots.scale import DecadeScale, LinearScale

_SHARE = LinearScale(100.0, most=100.0)
_BYTES = LinearScale(64 * 1024.0**2, base=1024.0)
_CARDS = ("gpu", "other", "power")


def _line(
    metric: str, name: SourceText, color: str, pick: Pick = Pick.ONLY, *, is_filled: bool = False
) -> LineSpec:
    return LineSpec(LaneMetric(metric, pick), name, (color,), is_filled)


MORE_LANES: tuple[LaneSpec, ...] = (
    LaneSpec(
        "cpu",
        QT_TRANSLATE_NOOP("Lanes", "Processor load"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "How busy the cores are. One core that has everything to do holds up a game while the "
            "average is low; time that the host takes is missing in a virtual machine.",
        ),
        ("stat", "cpu"),
        (
            _line("cpu.busy_pct", QT_TRANSLATE_NOOP("Lanes", "all cores"), "cpu", is_filled=True),
            _line(
                "core.busy_pct",
                QT_TRANSLATE_NOOP("Lanes", "busiest core"),
                "frame",
                Pick.HIGHEST,
            ),
            _line("cpu.steal_pct", QT_TRANSLATE_NOOP("Lanes", "taken by the host"), "other"),
        ),
        "%",
        _SHARE,
    ),
    LaneSpec(
        "clock",
        QT_TRANSLATE_NOOP("Lanes", "Processor clock"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "The clock of the fastest and of the slowest core. It falls when there is little to "
            "do, and when the processor gets too hot.",
        ),
        ("cpufreq",),
        (
            _line(
                "cpufreq.current_mhz",
                QT_TRANSLATE_NOOP("Lanes", "fastest core"),
                "cpu",
                Pick.HIGHEST,
            ),
            _line(
                "cpufreq.current_mhz",
                QT_TRANSLATE_NOOP("Lanes", "slowest core"),
                "other",
                Pick.LOWEST,
            ),
        ),
        "MHz",
        LinearScale(1000.0),
    ),
    LaneSpec(
        "core_wait",
        QT_TRANSLATE_NOOP("Lanes", "Wait for a core"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "For how much of each second threads of the game could have worked and had no core.",
        ),
        ("game", "busy_thread"),
        (
            _line("game.run_delay_ms_per_s", QT_TRANSLATE_NOOP("Lanes", "main thread"), "frame"),
            _line(
                "worker.run_delay_ms_per_s",
                QT_TRANSLATE_NOOP("Lanes", "any busy thread"),
                "cpu",
                Pick.HIGHEST,
            ),
        ),
        "ms/s",
        LinearScale(20.0),
    ),
    LaneSpec(
        "wakeup",
        QT_TRANSLATE_NOOP("Lanes", "CPU wake-up delay"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "A small program asks to be woken at exact times. As late as it wakes, a game may "
            "wake, too.",
        ),
        ("wakeup",),
        (_line("wakeup.worst_ms", QT_TRANSLATE_NOOP("Lanes", "longest delay"), "frame"),),
        "ms",
        DecadeScale(1000.0, low=1.7, high=5.2),
    ),
    LaneSpec(
        "gpu",
        QT_TRANSLATE_NOOP("Lanes", "Graphics card load"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "How busy each graphics card is. A card that is always busy sets the frame rate; with "
            "one that often rests something else does.",
        ),
        ("gpu",),
        (LineSpec(LaneMetric("gpu.busy_pct", Pick.EACH), "", _CARDS, is_filled=True),),
        "%",
        _SHARE,
    ),
    LaneSpec(
        "vram",
        QT_TRANSLATE_NOOP("Lanes", "Video memory"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "Memory of the graphics card in use. What does not fit lies in the computer's "
            "memory, which is much slower.",
        ),
        ("gpu",),
        (
            LineSpec(LaneMetric("gpu.vram_used_bytes", Pick.EACH), "", _CARDS, is_filled=True),
            _line(
                "gpu.vram_total_bytes",
                QT_TRANSLATE_NOOP("Lanes", "size"),
                "frame",
                Pick.HIGHEST,
            ),
            _line(
                "gpu.gtt_used_bytes",
                QT_TRANSLATE_NOOP("Lanes", "in the computer's memory"),
                "memory",
                Pick.HIGHEST,
            ),
        ),
        "B",
        _BYTES,
    ),
    LaneSpec(
        "memory",
        QT_TRANSLATE_NOOP("Lanes", "Memory"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "What programs could still get, what the cache of files holds, and what lies in swap.",
        ),
        ("meminfo",),
        (
            _line(
                "memory.available_bytes",
                QT_TRANSLATE_NOOP("Lanes", "available"),
                "memory",
                is_filled=True,
            ),
            _line("memory.cached_bytes", QT_TRANSLATE_NOOP("Lanes", "page cache"), "storage"),
            _line("swap.used_bytes", QT_TRANSLATE_NOOP("Lanes", "in swap"), "write", Pick.SUM),
        ),
        "B",
        _BYTES,
        every_s=5.0,
    ),
    LaneSpec(
        "swapping",
        QT_TRANSLATE_NOOP("Lanes", "Swapping"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "Pages of memory that went to swap and came back, and how often a program had to "
            "wait until a page was read.",
        ),
        ("vmstat",),
        (
            _line("memory.swap_in_per_s", QT_TRANSLATE_NOOP("Lanes", "read back"), "memory"),
            _line("memory.swap_out_per_s", QT_TRANSLATE_NOOP("Lanes", "written out"), "write"),
            _line(
                "memory.major_faults_per_s",
                QT_TRANSLATE_NOOP("Lanes", "waits for pages"),
                "frame",
            ),
        ),
        "/s",
        LinearScale(100.0),
    ),
    LaneSpec(
        "background_reclaim",
        QT_TRANSLATE_NOOP("Lanes", "Background reclaim"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "Pages that the kernel freed ahead of time, and pages of files that were freed and "
            "needed again.",
        ),
        ("vmstat",),
        (
            _line(
                "memory.kswapd_reclaim_per_s",
                QT_TRANSLATE_NOOP("Lanes", "freed pages"),
                "memory",
                is_filled=True,
            ),
            _line(
                "memory.refault_file_per_s", QT_TRANSLATE_NOOP("Lanes", "needed again"), "storage"
            ),
        ),
        "/s",
        LinearScale(1000.0),
    ),
    LaneSpec(
        "throughput",
        QT_TRANSLATE_NOOP("Lanes", "Drive throughput"),
        QT_TRANSLATE_NOOP("Lanes", "What the busiest drive read and wrote."),
        ("disk",),
        (
            _line(
                "disk.read_bytes_per_s",
                QT_TRANSLATE_NOOP("Lanes", "read"),
                "storage",
                Pick.HIGHEST,
            ),
            _line(
                "disk.write_bytes_per_s",
                QT_TRANSLATE_NOOP("Lanes", "written"),
                "write",
                Pick.HIGHEST,
            ),
        ),
        "B/s",
        LinearScale(16 * 1024.0**2, base=1024.0),
    ),
    LaneSpec(
        "queue",
        QT_TRANSLATE_NOOP("Lanes", "Drive queue"),
        QT_TRANSLATE_NOOP(
            "Lanes", "How many requests waited at the same time, at the drive with the most."
        ),
        ("disk",),
        (
            _line(
                "disk.queue_depth",
                QT_TRANSLATE_NOOP("Lanes", "longest queue"),
                "storage",
                Pick.HIGHEST,
                is_filled=True,
            ),
        ),
        "requests",
        LinearScale(4.0),
    ),
    LaneSpec(
        "network",
        QT_TRANSLATE_NOOP("Lanes", "Network queues"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "How often the kernel worked on network packets, how often it had to put the rest "
            "off, and how many packets it dropped because a queue was full.",
        ),
        ("softnet", "softirq"),
        (
            _line(
                "core.softirq_net_per_s",
                QT_TRANSLATE_NOOP("Lanes", "rounds of work"),
                "other",
                Pick.SUM,
            ),
            _line(
                "softnet.squeezed_per_s", QT_TRANSLATE_NOOP("Lanes", "put off"), "power", Pick.SUM
            ),
            _line("softnet.dropped_per_s", QT_TRANSLATE_NOOP("Lanes", "dropped"), "bad", Pick.SUM),
        ),
        "/s",
        LinearScale(100.0),
    ),
    LaneSpec(
        "interrupts",
        QT_TRANSLATE_NOOP("Lanes", "Interrupts"),
        QT_TRANSLATE_NOOP(
            "Lanes", "How often devices interrupted the cores, and how often a core changed tasks."
        ),
        ("stat",),
        (
            _line("cpu.interrupts_per_s", QT_TRANSLATE_NOOP("Lanes", "interrupts"), "cpu"),
            _line(
                "cpu.context_switches_per_s", QT_TRANSLATE_NOOP("Lanes", "task changes"), "other"
            ),
        ),
        "/s",
        LinearScale(1000.0),
    ),
    LaneSpec(
        "temperature",
        QT_TRANSLATE_NOOP("Lanes", "Temperature"),
        QT_TRANSLATE_NOOP("Lanes", "The hottest sensor of the computer, and of graphics cards."),
        ("temperature", "gpu"),
        (
            _line(
                "temperature.celsius",
                QT_TRANSLATE_NOOP("Lanes", "hottest sensor"),
                "power",
                Pick.HIGHEST,
            ),
            _line(
                "gpu.temperature_celsius",
                QT_TRANSLATE_NOOP("Lanes", "graphics card"),
                "gpu",
                Pick.HIGHEST,
            ),
        ),
        "°C",
        LinearScale(100.0),
        every_s=5.0,
    ),
    LaneSpec(
        "power",
        QT_TRANSLATE_NOOP("Lanes", "Power"),
        QT_TRANSLATE_NOOP(
            "Lanes", "What the computer's sensors tell of its power, and graphics cards of theirs."
        ),
        ("power", "gpu"),
        (
            _line(
                "power.watts", QT_TRANSLATE_NOOP("Lanes", "largest sensor"), "power", Pick.HIGHEST
            ),
            _line("gpu.power_w", QT_TRANSLATE_NOOP("Lanes", "graphics card"), "gpu", Pick.HIGHEST),
        ),
        "W",
        LinearScale(50.0),
        every_s=5.0,
    ),
)


def drive_lane(drive: str) -> LaneSpec:
    """The lane of one drive: whether reads, writes or flushes are slow there."""
    return LaneSpec(
        f"{DRIVE}{drive}",
        QT_TRANSLATE_NOOP("Lanes", "Drive {drive}"),
        QT_TRANSLATE_NOOP(
            "Lanes",
            "How long this drive took from a request to its answer. A flush is over when "
            "everything written before is safe.",
        ),
        ("disk",),
        tuple(
            LineSpec(LaneMetric(metric, instance=drive), name, (color,))
            for metric, name, color in (
                ("disk.read_await_ms", QT_TRANSLATE_NOOP("Lanes", "reads"), "storage"),
                ("disk.write_await_ms", QT_TRANSLATE_NOOP("Lanes", "writes"), "write"),
                ("disk.flush_await_ms", QT_TRANSLATE_NOOP("Lanes", "flushes"), "other"),
            )
        ),
        "ms",
        DecadeScale(1000.0),
        every_s=0.1,
    )


DRIVE = "drive:"
