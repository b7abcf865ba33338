# SPDX-License-Identifier: GPL-3.0-or-later
"""The fix fixes: a game that reads beside a busy program, under one I/O scheduler and another.

The drive serves 600 requests a second. The busy program, fio, has many reads under way at once:
without a scheduler each read of the game waits behind all of them. A second fio reads one page
after the other and times them.
"""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.vm.inside import say
from tests.vm.installed import run
from tests.vm.pairs import Figures, compared, measure

DRIVE = "/dev/nvme0n1"
QUEUE = Path("/sys/block/nvme0n1/queue/scheduler")
WANTED = "bfq"
AT_ONCE = 64
BUSY_S, CALM_S = 1.5, 2.5
SPARE_S = 60
GAME = {"hz": 20, "work-ms": 2, "alloc-kib": 64, "assets": DRIVE, "read-kib": 4, "reads": 8}
FIO = [
    *("fio", f"--filename={DRIVE}", "--direct=1", "--rw=randread", "--bs=4k", "--randrepeat=0"),
    *("--thread", "--eta=never"),
]
"""Threads stop with their process; a process of fio's own for each job would not."""
BUSY = [*FIO, "--name=busy", "--ioengine=libaio", f"--iodepth={AT_ONCE}"]
PROBE = [*FIO, "--name=probe", "--ioengine=psync", "--thinktime=20ms"]


def scenario_both_packages_install() -> None:
    """both packages are installed"""
    run("dpkg", "-i", *sorted(str(path) for path in Path("packages").glob("*.deb")))


def scenario_another_scheduler_shortens_the_waits() -> None:
    """under bfq the game loses less time beside a busy program, says compare"""
    say(f"# the scheduler is {QUEUE.read_text().strip()}, tried is {WANTED}")
    verdict = compared(measure([("block.scheduler", "nvme0n1", WANTED)], busy_program, GAME))
    assert verdict == "better", verdict


def busy_program(end: float) -> Figures:
    """Many reads at once, now and then; how long single ones beside them take."""
    Path("/proc/sys/vm/drop_caches").write_text("1")
    with reading(PROBE, end, "probe.json"), reading(BUSY, end, "busy.json") as busy:
        while (left := end - time.monotonic()) > BUSY_S + CALM_S:
            busy.send_signal(signal.SIGCONT)
            time.sleep(BUSY_S)
            busy.send_signal(signal.SIGSTOP)
            time.sleep(CALM_S)
        time.sleep(max(left, 0))
        busy.send_signal(signal.SIGCONT)
    waits, quick = read_of("probe.json"), read_of("busy.json")
    percentiles = waits["clat_ns"]["percentile"]
    return {
        "median read (ms)": percentiles["50.000000"] / 1e6,
        "99th percentile (ms)": percentiles["99.000000"] / 1e6,
        "worst read (ms)": waits["clat_ns"]["max"] / 1e6,
        "reads of the busy program": quick["total_ios"],
        "busy program's to ours": quick["total_ios"] / waits["total_ios"],
    }


@contextmanager
def reading(command: list[str], end: float, file: str) -> Iterator[subprocess.Popen[bytes]]:
    """fio until this moment; its report, in JSON, is then in the file."""
    seconds = max(round(end - time.monotonic()), 1)
    timed = ["--time_based", f"--runtime={seconds}", "--output-format=json", f"--output={file}"]
    with subprocess.Popen([*command, *timed]) as process:
        try:
            yield process
            process.wait(SPARE_S)
        finally:
            process.kill()


def read_of(file: str) -> dict[str, Any]:
    """What fio's report says of reads."""
    report: dict[str, Any] = json.loads(Path(file).read_text())["jobs"][0]["read"]
    return report
