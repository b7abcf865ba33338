# SPDX-License-Identifier: GPL-3.0-or-later
"""What a made-up computer has, and its CPU-wide and machine-wide files below /proc.

Formats: Documentation/filesystems/proc.rst, Documentation/accounting/psi.rst,
Documentation/scheduler/sched-stats.rst and, for the order of columns, kernel 6.12 in a guest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.data.roots.synthetic.tree import Content, Tree, cpu_list

CPU_FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal", "guest", "gn")
SOFTIRQS = (
    "HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU".split()  # kernel/softirq.c
)
LOCAL_INTERRUPTS = {  # arch/x86/kernel/irq.c, arch_show_interrupts()
    "NMI": "Non-maskable interrupts",
    "LOC": "Local timer interrupts",
    "SPU": "Spurious interrupts",
    "PMI": "Performance monitoring interrupts",
    "IWI": "IRQ work interrupts",
    "RTR": "APIC ICR read retries",
    "RES": "Rescheduling interrupts",
    "CAL": "Function call interrupts",
    "TLB": "TLB shootdowns",
    "TRM": "Thermal event interrupts",
    "THR": "Threshold APIC interrupts",
    "MCE": "Machine check exceptions",
    "MCP": "Machine check polls",
}


@dataclass(frozen=True)
class Cpu:
    """One logical CPU: the core and NUMA node it belongs to, and its siblings on that core."""

    number: int
    core: int
    siblings: tuple[int, ...]
    node: int = 0
    is_efficient: bool = False


@dataclass(frozen=True)
class Interrupt:
    """One device row of /proc/interrupts, with the CPU that takes all of it."""

    number: int
    cpu: int
    count: int
    description: str


@dataclass(frozen=True)
class Computer:
    """A computer; ``busy_ticks`` are the ten columns of one CPU in /proc/stat."""

    release: str
    command_line: str
    vendor: str
    model: str
    cpu_flags: str
    cpus: tuple[Cpu, ...]
    uptime_s: int
    busy_ticks: tuple[int, ...]
    local_counts: Mapping[str, int]
    interrupts: tuple[Interrupt, ...]
    pressure: Mapping[str, str]
    schedstat_version: int
    sysctl: Mapping[str, Content] = field(default_factory=dict)

    @property
    def numbers(self) -> list[int]:
        """The numbers of all CPUs."""
        return [cpu.number for cpu in self.cpus]


def add_proc(tree: Tree, computer: Computer) -> None:
    """Everything about the computer as a whole, except its memory and its devices."""
    count = len(computer.cpus)
    build = "(builder) (gcc) #1 SMP PREEMPT_DYNAMIC"
    tree.put("/proc/version", f"Linux version {computer.release} {build}")
    tree.put("/proc/cmdline", computer.command_line)
    idle_s = computer.uptime_s * count * 3 // 4
    tree.put("/proc/uptime", f"{computer.uptime_s}.42 {idle_s}.17")
    tree.put("/proc/loadavg", "5.21 4.87 3.90 6/1482 48211")
    tree.put("/proc/cpuinfo", _cpuinfo(computer))
    tree.put("/proc/stat", _stat(computer))
    tree.put("/proc/interrupts", _interrupts(computer))
    tree.put("/proc/softirqs", _softirqs(computer))
    tree.put("/proc/schedstat", _schedstat(computer))
    tree.put("/proc/net/softnet_stat", _softnet(computer))
    for interrupt in computer.interrupts:
        for name, cpus in (("smp", computer.numbers), ("effective", [interrupt.cpu])):
            tree.put(f"/proc/irq/{interrupt.number}/{name}_affinity_list", cpu_list(cpus))
    for resource, text in computer.pressure.items():
        tree.put(f"/proc/pressure/{resource}", text)
    tree.put_all("/proc/sys/kernel", {"osrelease": computer.release, **computer.sysctl})
    tree.put("/proc/sys/kernel/random/boot_id", "5d0e5e7a-0000-4000-8000-000000000000")


def pressure(some_us: int, full_us: int | None, percent: float = 0.0) -> str:
    """The lines of one /proc/pressure file; no second line for None."""
    averages = f"avg10={percent:.2f} avg60={percent / 2:.2f} avg300={percent / 4:.2f}"
    lines = [f"some {averages} total={some_us}"]
    if full_us is not None:
        lines.append(f"full {averages} total={full_us}")
    return "\n".join(lines)


def _cpuinfo(computer: Computer) -> str:
    blocks = []
    for cpu in computer.cpus:
        pairs = {
            "processor\t": cpu.number,
            "vendor_id\t": computer.vendor,
            "model name\t": computer.model,
            "cpu MHz\t\t": "3193.921",
            "physical id\t": 0,
            "core id\t\t": cpu.core,
            "flags\t\t": computer.cpu_flags,
        }
        blocks.append("".join(f"{name}: {value}\n" for name, value in pairs.items()))
    return "\n".join(blocks)


def _ticks(computer: Computer, cpu: int) -> list[int]:
    """Columns of one CPU, a little different for each so that mixed-up CPUs are noticed."""
    return [ticks + cpu * (ticks // 100) for ticks in computer.busy_ticks]


def _stat(computer: Computer) -> str:
    rows = [_ticks(computer, number) for number in computer.numbers]
    totals = [sum(column) for column in zip(*rows, strict=True)]
    lines = ["cpu  " + " ".join(map(str, totals))]
    for number, row in zip(computer.numbers, rows, strict=True):
        lines.append(f"cpu{number} " + " ".join(map(str, row)))
    counts = [interrupt.count for interrupt in computer.interrupts]
    local = sum(computer.local_counts.values()) * len(computer.cpus)
    lines.append(f"intr {sum(counts) + local} " + " ".join(map(str, counts)))
    lines += ["ctxt 498127349", "btime 1760000000", "processes 48211"]
    lines += ["procs_running 6", "procs_blocked 1"]
    kinds = [sum(_softirq_row(computer, kind)) for kind in range(len(SOFTIRQS))]
    lines.append(f"softirq {sum(kinds)} " + " ".join(map(str, kinds)))
    return "\n".join(lines)


def _softirq_row(computer: Computer, kind: int) -> list[int]:
    return [(kind + 1) * 104729 + number * 31 for number in computer.numbers]


def _softirqs(computer: Computer) -> str:
    lines = [" " * 20 + "".join(f"{f'CPU{number}':<11}" for number in computer.numbers)]
    for kind, name in enumerate(SOFTIRQS):
        row = "".join(f" {count:>10}" for count in _softirq_row(computer, kind))
        lines.append(f"{name:>12}:{row}")
    return "\n".join(lines)


def _interrupts(computer: Computer) -> str:
    lines = [" " * 11 + "".join(f"{f'CPU{number}':<11}" for number in computer.numbers)]
    for interrupt in computer.interrupts:
        row = "".join(
            f"{interrupt.count if number == interrupt.cpu else 0:>10} "
            for number in computer.numbers
        )
        lines.append(f"{interrupt.number:>4}: {row} {interrupt.description}")
    for name, text in LOCAL_INTERRUPTS.items():
        count = computer.local_counts.get(name, 0)
        row = "".join(f"{count:>10} " for _ in computer.numbers)
        lines.append(f"{name:>4}: {row}  {text}")
    lines += [" ERR:          0", " MIS:          0"]
    return "\n".join(lines)


def _schedstat(computer: Computer) -> str:
    lines = [f"version {computer.schedstat_version}", "timestamp 4315871234"]
    every_cpu = f"{(1 << len(computer.cpus)) - 1:x}"
    for number in computer.numbers:
        run_ns, delay_ns = 1_834_111_222_333 + number * 1_000_003, 91_000_111_222 + number * 1009
        lines.append(f"cpu{number} 0 0 0 0 0 0 {run_ns} {delay_ns} {48_000_123 + number}")
        lines.append(f"domain0 {every_cpu}" + " 0" * 36)
    return "\n".join(lines)


def _softnet(computer: Computer) -> str:
    rows = []
    for number in computer.numbers:
        columns = [0x1A2B3C + number, 0, 0x11, *[0] * 9, number, 0, 0]
        rows.append(" ".join(f"{column:08x}" for column in columns))
    return "\n".join(rows)
