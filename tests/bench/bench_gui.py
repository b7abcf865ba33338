# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs: CPU visible and hidden, start, memory, and long spans of time.

The live page is compared with five bare pyqtgraph plots that draw the same points in twelve
curves at the same rate, in turns of a few seconds in one process; start and memory with an empty
QWidget, each in processes of their own. The streams are scripted test data; only the memory of
the whole program is that of the real one, measuring this computer. Platform: the one in
QT_QPA_PLATFORM, else "offscreen"; the cost of an X server is not in it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.row import Row

ROUNDS = 5
ROUND_S = 4.0
WARM_UP_S = 1.0
TICK_MS = 250
STARTS = 5
PROGRAM_S = 20.0


def run() -> list[Row]:
    """Measure everything; about a minute and a half."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return [*_start_and_memory(), *_cpu(), _long_span()]


def _row(name: str, value: float, unit: str, reference: str, ratio: float, limit: float) -> Row:
    return Row(name, value, unit, reference, ratio, f"<= {limit:g}", ratio <= limit)


# --- start and memory: processes of their own -------------------------------------------------


def _start_and_memory() -> list[Row]:
    ours: list[dict[str, float]] = []
    empty: list[dict[str, float]] = []
    from destutter.core.sample import encode
    from tests.support import live_scenes

    with tempfile.NamedTemporaryFile("w", suffix=".stream", encoding="ascii") as stream:
        stream.writelines(encode(each) + "\n" for each in live_scenes.stuttering().script.messages)
        stream.flush()
        for _ in range(STARTS):
            empty.append(_child("empty", stream.name))
            ours.append(_child("live", stream.name))
    start, start_empty = _median(ours, "start_ms"), _median(empty, "start_ms")
    rss, rss_empty = _median(ours, "rss_mb"), _median(empty, "rss_mb")
    return [
        _row(
            "start to first picture of the window",
            start,
            "ms",
            f"empty QWidget, {start_empty:.0f} ms",
            start / start_empty,
            1.6,
        ),
        _row(
            "memory of the live page with data",
            rss,
            "MB",
            f"empty QWidget, {rss_empty:.0f} MB",
            rss / rss_empty,
            1.8,
        ),
    ]


def _median(measured: list[dict[str, float]], key: str) -> float:
    return statistics.median(one[key] for one in measured)


def _child(what: str, stream: str) -> dict[str, float]:
    begun = time.monotonic()
    command = [sys.executable, "-m", "tests.bench.gui_child", what, repr(begun), stream]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=120)
    start_ms, rss_mb = done.stdout.split()[-2:]
    return {"start_ms": float(start_ms), "rss_mb": float(rss_mb)}


def _whole_program() -> list[Row]:
    """The window and its children after 20 s; what several processes share counts once.

    Pss of proc_pid_smaps(5): a page mapped by three processes is a third in each.
    """
    with tempfile.TemporaryDirectory() as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "HOME": home}
        command = [sys.executable, "-m", "destutter"]
        window = subprocess.Popen(command, env=os.environ | places, stderr=subprocess.DEVNULL)
        try:
            time.sleep(PROGRAM_S)
            family = [str(window.pid), *_children(window.pid)]
            pss_mb = sum(_smaps_kib(pid, "Pss") for pid in family) / 1024
            rss_mb = sum(_smaps_kib(pid, "Rss") for pid in family) / 1024
        finally:
            window.terminate()
            window.wait()
    return [
        Row(
            f"window and its {len(family) - 1} children, memory together",
            pss_mb,
            "MB",
            f"sum of their RSS, {rss_mb:.0f} MB",
            pss_mb / rss_mb,
            "<= 150 MB",
            pss_mb <= 150,
        )
    ]


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def _smaps_kib(pid: str, name: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


# --- CPU ---------------------------------------------------------------------------------------


def _cpu() -> list[Row]:
    from tests.bench.gui_pages import BarePlots, Live, application

    app = application()
    live = Live(app)
    bare = BarePlots(live.curves())
    visible, hidden, reference = [], [], []
    for _ in range(ROUNDS):
        live.show()
        _share(app.processEvents, live.tick, WARM_UP_S)
        visible.append(_share(app.processEvents, live.tick))
        live.hide()
        hidden.append(_share(app.processEvents, live.tick))
        bare.show()
        _share(app.processEvents, bare.tick, WARM_UP_S)
        reference.append(_share(app.processEvents, bare.tick))
        bare.hide()
    live.close()
    seen, unseen, plain = (statistics.median(each) for each in (visible, hidden, reference))
    ratio = statistics.median(v / r for v, r in zip(visible, reference, strict=True))
    return [
        Row(
            "live page, visible, 4 Hz, five lanes, 12 curves",
            seen,
            "% of a core",
            f"five bare pyqtgraph plots, same points, {plain:.2f} %",
            ratio,
            "<= 2.5 % and <= 1.5",
            seen <= 2.5 and ratio <= 1.5,
        ),
        Row(
            "live page, hidden",
            unseen,
            "% of a core",
            f"the same, visible, {seen:.2f} %",
            unseen / seen,
            "<= 0.5 % and <= 0.25",
            unseen <= 0.5 and unseen / seen <= 0.25,
        ),
    ]


def _share(
    process_events: Callable[[], None], tick: Callable[[], None], seconds: float = ROUND_S
) -> float:
    """CPU time of this process in percent of real time, with a tick four times a second."""
    process_events()
    begun, cpu = time.monotonic(), time.process_time()
    due = begun
    while due < begun + seconds:
        tick()
        due += TICK_MS / 1000
        # Each turn of the loop may queue the next one: a lane per turn.
        for _ in range(12):
            process_events()
        time.sleep(max(0.0, due - time.monotonic()))
    return 100.0 * (time.process_time() - cpu) / (time.monotonic() - begun)


def _long_span() -> Row:
    """Four ticks a second of a game with 60 frames a second; only the span in view differs."""
    from tests.bench.gui_pages import Span, application

    app = application()
    spans = {seconds: Span(app, seconds) for seconds in (600.0, 10.0)}
    cost: dict[float, list[float]] = {seconds: [] for seconds in spans}
    for _ in range(ROUNDS):
        for seconds, span in spans.items():
            span.show()
            cost[seconds].append(_share(app.processEvents, span.tick))
            span.hide()
    for span in spans.values():
        span.close()
    long, short = statistics.median(cost[600.0]), statistics.median(cost[10.0])
    return _row(
        "live page with 36,000 frames in view",
        long,
        "% of a core",
        f"600 frames in view, {short:.2f} %",
        long / short,
        1.2,
    )
