# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs: CPU visible, hidden and as strip, start, memory, long spans of time.

The live page is compared with five bare pyqtgraph plots that draw the same points in twelve
curves at the same rate, and with lanes painted by hand, in turns of a few seconds in one process;
start and memory with an empty QWidget, each in processes of their own. The streams are scripted
test data; only the start is that of the real program, measuring this computer. Platform: the one
in QT_QPA_PLATFORM, else "offscreen"; the cost of an X server is not in it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence

from destutter.settings import Places
from tests.bench.row import Row

ROUNDS = 5
ROUND_S = 4.0
WARM_UP_S = 1.0
TICK_MS = 250
STARTS = 5
_STARTED = ("empty", "painted", "by_hand", "plots", "drawn", "live")


def run() -> list[Row]:
    """Measure everything; about three minutes."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return [*_start_and_memory(), *_cpu(), _long_span(), *_running()]


def _row(name: str, value: float, unit: str, reference: str, ratio: float, limit: float) -> Row:
    return Row(name, value, unit, reference, ratio, f"<= {limit:g}", ratio <= limit)


# --- start and memory: processes of their own -------------------------------------------------


def _start_and_memory() -> list[Row]:
    from destutter.core.sample import encode
    from tests.support import live_scenes

    with tempfile.NamedTemporaryFile("w", suffix=".stream", encoding="ascii") as stream:
        stream.writelines(encode(each) + "\n" for each in live_scenes.stuttering().script.messages)
        stream.flush()
        # The first of each is not counted: it compiles, and reads from the disk.
        turns = [{what: _child(what, stream.name) for what in _STARTED} for _ in range(STARTS + 1)]
    ms, mb = (
        {what: statistics.median(turn[what][number] for turn in turns[1:]) for what in _STARTED}
        for number in range(2)
    )
    rss, rss_empty = mb["live"], mb["empty"]
    return [
        _row(
            "start of the program to the first picture of its window",
            ms["painted"],
            "ms",
            f"empty QWidget, {ms['empty']:.0f} ms",
            ms["painted"] / ms["empty"],
            1.6,
        ),
        Row(
            "start of the program to its page with graphs",
            ms["drawn"],
            "ms",
            f"five bare pyqtgraph plots, {ms['plots']:.0f} ms",
            ms["drawn"] / ms["plots"],
            "",
            None,
        ),
        Row(
            "five bare pyqtgraph plots, first picture",
            ms["plots"],
            "ms",
            f"five lanes painted by hand, {ms['by_hand']:.0f} ms",
            ms["plots"] / ms["by_hand"],
            "",
            None,
        ),
        Row(
            "five bare pyqtgraph plots, memory",
            mb["plots"],
            "MB",
            f"five lanes painted by hand, {mb['by_hand']:.0f} MB",
            mb["plots"] / mb["by_hand"],
            "",
            None,
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


def _child(what: str, stream: str = "") -> list[float]:
    """The numbers that the child has printed."""
    command = [sys.executable, "-m", "tests.bench.gui_child", what, "", stream]
    with tempfile.TemporaryDirectory() as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        # The very first start opens on the guide, and this measures the live page.
        known = Places.from_environment(places).guide_file
        known.parent.mkdir()
        known.write_text("{}")
        environment = os.environ | places
        # Compiled modules are kept, as on any computer where the program was started before.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command[-2] = repr(time.monotonic())
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, check=True, text=True, timeout=120
        )
    return [float(number) for number in done.stdout.split()]


# --- CPU ---------------------------------------------------------------------------------------


def _cpu() -> list[Row]:
    from tests.bench.gui_pages import BarePlots, Live, application
    from tests.bench.painted_lanes import PaintedLanes

    app = application()
    live = Live(app)
    bare, painted = BarePlots(live.curves()), PaintedLanes(live.curves())
    turns = [
        ("visible", live.show, live.tick, live.hide),
        ("hidden", _nothing, live.tick, _nothing),
        ("strip", live.show_strip, live.tick, live.hide_strip),
        ("plots", bare.show, bare.tick, bare.hide),
        ("by hand", painted.show, painted.tick, painted.hide),
    ]
    shares: dict[str, list[float]] = {what: [] for what, *_ in turns}
    for _ in range(ROUNDS):
        for what, show, tick, hide in turns:
            show()
            _share(app.processEvents, tick, WARM_UP_S)
            shares[what].append(_share(app.processEvents, tick))
            hide()
    live.close()
    return _cpu_rows(shares)


def _nothing() -> None:
    pass


def _cpu_rows(shares: Mapping[str, Sequence[float]]) -> list[Row]:
    share = {what: statistics.median(each) for what, each in shares.items()}
    seen, unseen, small = share["visible"], share["hidden"], share["strip"]

    def times(reference: str) -> float:
        pairs = zip(shares["visible"], shares[reference], strict=True)
        return statistics.median(mine / other for mine, other in pairs)

    ratio = times("plots")
    return [
        Row(
            "live page, visible, 4 Hz, five lanes, 12 curves",
            seen,
            "% of a core",
            f"five bare pyqtgraph plots, same points, {share['plots']:.2f} %",
            ratio,
            "<= 2.5 % and <= 1.5",
            seen <= 2.5 and ratio <= 1.5,
        ),
        Row(
            "the same, against painting by hand without axes and words",
            seen,
            "% of a core",
            f"one QPolygonF per series, same points, {share['by hand']:.2f} %",
            times("by hand"),
            "",
            None,
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
        Row(
            "compact strip, window hidden",
            small,
            "% of a core",
            f"the window, visible, {seen:.2f} %",
            small / seen,
            "<= 1 %",
            small <= 1.0,
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


def _running() -> list[Row]:
    """The program's own process, diagnosis included, while it measures this computer."""
    seen, unseen, small = _child("running")
    name, reference = "the program, measuring this computer", f"the same, visible, {seen:.2f} %"
    return [
        Row(f"{name}, visible", seen, "% of a core", "", None, "<= 2.5 %", seen <= 2.5),
        Row(
            f"{name}, hidden",
            unseen,
            "% of a core",
            reference,
            unseen / seen,
            "<= 0.5 %",
            unseen <= 0.5,
        ),
        Row(
            f"{name}, strip",
            small,
            "% of a core",
            reference,
            small / seen,
            "<= 1 %",
            small <= 1.0,
        ),
    ]


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
