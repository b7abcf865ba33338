# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripted streams for every state of the live page. All of it is test data.

The game is called "Test Flight" and the machine "scripted", so that no picture made from these
can be taken for a measurement. Everything goes through the real pipeline and the real diagnosis.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.core.probes import probes_started
from destutter.core.sample import Facts, Frames, Header, Layout, Message, Sample
from destutter.core.traced import CORE, DIRTY_PAUSE, RECLAIM, TracedThread, TracedWait, TraceLook
from destutter.diagnosis.assessor import Assessor
from destutter.sampling.computer.pressure import ABSENT
from tests.support.scripted_source import START_NS, TICK_NS, Script

GAME = "Test Flight"
BATCH_NS = 250_000_000
_MIB_PAGES = 256
SOURCES = ("vmstat", "meminfo", "stat", "pressure", "disk", "cpu", "game")


@dataclass
class Moment:
    """What happens in one tick: growth per second, and how late the probe is."""

    rates: dict[str, float]
    late_ms: float = 0.3
    dirty_pages: float = 60_000


class Scene:
    """A computer that runs a game, tick by tick, with noise that is the same every time."""

    def __init__(
        self,
        *,
        has_frames: bool = True,
        has_pressure: bool = True,
        has_gpu: bool = True,
        has_game: bool = True,
        disks: Sequence[str] = ("nvme0n1", "sda"),
    ) -> None:
        self._random = random.Random(7)  # noqa: S311  the same noise every time
        self._has_frames = has_frames
        self._disks = tuple(disks)
        self._dirty = 40_000.0
        sources = [s for s in SOURCES if has_pressure or s != "pressure"]
        sources = [s for s in sources if has_game or s != "game"]
        sources += ["gpu"] if has_gpu else []
        instances = {
            "pressure": ("cpu", "io", "memory"),
            "disk": self._disks,
            "cpu": tuple(f"cpu{number}" for number in range(4)),
            "gpu": ("0 Scripted card",),
        }
        self.script = Script(sources, instances)
        self._gpu = has_gpu
        for disk in self._disks:
            for field in ("in_flight", "reads_in_flight", "writes_in_flight"):
                self.script.set(f"disk:{disk}.{field}", 0)
        self._set_levels(has_gpu=has_gpu)
        self.script.messages[0] = Header(START_NS, 1_763_000_000.0, 100, {"name": "scripted"})
        if has_game:
            started = str(START_NS - 2_460_000_000_000)
            facts = {"game.pid": "4242", "game.name": GAME, "game.started": started}
            self.script.messages.append(Facts(START_NS, facts))
        if not has_pressure:
            self.script.trouble("pressure", ABSENT)

    def _set_levels(self, *, has_gpu: bool) -> None:
        self.script.set("vmstat.nr_dirty_background_threshold", 400 * _MIB_PAGES)
        self.script.set("vmstat.nr_dirty_threshold", 1600 * _MIB_PAGES)
        if has_gpu:
            card = "gpu:0 Scripted card"
            for field, value in (
                ("busy_pct", 94),
                ("vram_used_bytes", 9_400_000_000),
                ("vram_total_bytes", 12_000_000_000),
                ("throttle_reasons", 0),
                ("temperature_mdeg", 64_000),
            ):
                self.script.set(f"{card}.{field}", value)

    def run(self, seconds: float, shape: Callable[[float], Moment] | None = None) -> "Scene":
        """Let time pass; ``shape`` gives what happens so many seconds after the beginning."""
        for tick in range(round(seconds * 10)):
            moment = Moment({}) if shape is None else shape(tick / 10)
            rates = self._background() | moment.rates
            self._dirty += self._random.uniform(-200, 900)
            if self._dirty > 460 * _MIB_PAGES:
                self._dirty = 90 * _MIB_PAGES
            self.script.set("vmstat.nr_dirty", self._dirty + moment.dirty_pages - 60_000)
            self.script.set("vmstat.nr_writeback", max(0.0, self._random.gauss(300, 200)))
            if self._gpu:
                busy = min(100.0, self._random.gauss(94, 2))
                self.script.set("gpu:0 Scripted card.busy_pct", busy)
            late = moment.late_ms * self._random.lognormvariate(0, 0.4)
            self.script.run(0.1, rates, late_ms=late)
            if self._has_frames:
                self._frames(0.1)
        return self

    def _frames(self, seconds: float) -> None:
        count = round(seconds * 60)
        self.script.frames(
            *(max(14.0, self._random.gauss(16.6, 0.35)) for _ in range(count)), origin="mangohud"
        )

    def long_frame(self, frame_ms: float) -> "Scene":
        """A frame that took this long, ending now."""
        self.script.frames(frame_ms * 0.4, frame_ms, origin="mangohud")
        return self

    def _background(self) -> dict[str, float]:
        vary = self._random.lognormvariate
        rates: dict[str, float] = {
            "pressure:cpu.some_us": 14_000 * vary(0, 0.5),
            "pressure:io.some_us": 5_000 * vary(0, 0.6),
            "pressure:memory.some_us": 300 * vary(0, 0.6),
            "game.run_ns": 8e8,
            "game.run_delay_ns": 2e6 * vary(0, 0.5),
        }
        for index, disk in enumerate(self._disks):
            slow = (0.25, 6.0, 1.4, 3.0)[index % 4]
            busy = (900.0, 30.0, 60.0, 20.0)[index % 4]
            reads = busy * vary(0, 0.3)
            rates[f"disk:{disk}.reads"] = reads
            rates[f"disk:{disk}.sectors_read"] = reads * 64
            rates[f"disk:{disk}.read_ms"] = reads * slow * vary(0, 0.12)
            rates[f"disk:{disk}.writes"] = busy / 3
            rates[f"disk:{disk}.write_ms"] = busy / 3 * slow * 2.6 * vary(0, 0.12)
            rates[f"disk:{disk}.weighted_ms"] = busy * slow
        return rates


def pulse(at: float, centre: float, width: float) -> float:
    """A bump of height 1 that fades behind its centre more slowly than it rises."""
    distance = at - centre
    if distance < -width / 4 or distance > 3 * width:
        return 0.0
    return 1.0 if abs(distance) <= width / 4 else 2.0 ** (-2 * distance / width)


def reclaim_storm(at: float, centre: float, width: float = 2.4) -> dict[str, float]:
    """Growth per second while programs free memory themselves."""
    height = pulse(at, centre, width)
    if height <= 0:
        return {}
    return {
        "vmstat.pgsteal_direct": 75_000 * height,
        "vmstat.pgscan_direct": 90_000 * height,
        "vmstat.allocstall_normal": 900 * height,
        "vmstat.pgsteal_kswapd": 40_000 * height,
        "vmstat.pgscan_kswapd": 50_000 * height,
        "pressure:memory.some_us": 340_000 * height,
        "pressure:io.some_us": 90_000 * height,
        # Who frees memory works in the kernel meanwhile.
        "game.system_ticks": 70 * height,
    }


def stuttering(**options: bool | Sequence[str]) -> Scene:
    """Two stutters from memory and one without a cause within two minutes."""
    scene = Scene(**options)  # type: ignore[arg-type]
    centres = (58.0, 102.0)

    def shape(at: float) -> Moment:
        rates: dict[str, float] = {}
        for centre in centres:
            rates |= reclaim_storm(at, centre)
        if 80 <= at < 84:
            rates["disk:nvme0n1.write_ms"] = 80 * 41.0 * 2.0 ** (80 - at)
        late = 35.0 if any(abs(at - centre) < 0.05 for centre in centres) else 0.3
        return Moment(rates, late)

    scene.run(58.2, shape).long_frame(182)
    scene.run(22.0, lambda at: shape(at + 58.2)).long_frame(96)
    scene.run(22.0, lambda at: shape(at + 80.2)).long_frame(214)
    return scene.run(18.0, lambda at: shape(at + 102.2))


def traced() -> Scene:
    """The same with the kernel's trace: waits for memory, a drive and a core all the while."""
    scene = stuttering()
    thread = TracedThread(4242, "main", 4242)
    kinds = (RECLAIM, CORE, DIRTY_PAUSE)
    for turn, message in enumerate(list(scene.script.messages)):
        if isinstance(message, Sample) and turn % 3 == 0:
            end_ns = message.monotonic_ns
            begin_ns = end_ns - 200_000_000
            wait = TracedWait(thread, kinds[turn // 3 % 3], begin_ns, 30_000_000)
            scene.script.messages.append(TraceLook(begin_ns, end_ns, 0, 0, waits=(wait,)))
    scene.script.messages.sort(key=_time_of_any)
    return scene


def crowded_host() -> Scene:
    """Stutters from memory in a guest whose host takes a little time always."""
    scene = Scene(has_gpu=False)
    scene.script.fact(machine__virtual="QEMU")

    def shape(at: float) -> Moment:
        late = 35.0 if abs(at - 39.0) < 0.05 else 0.3
        return Moment(reclaim_storm(at, 39.0) | {"stat.steal": 6.0}, late)

    for _ in range(3):
        scene.run(40.0, shape).long_frame(170)
    return scene


def smooth() -> Scene:
    """Nothing happens for two and a half minutes."""
    return Scene().run(150.0)


def first_seconds() -> Scene:
    """The first four seconds."""
    return Scene().run(4.0)


def sampled_log() -> Scene:
    """A smooth game whose log holds one frame in a tenth of a second."""
    scene = Scene(has_frames=False)
    for tick in range(1200):
        scene.run(0.1).script.frames(16.2 + 0.1 * (tick % 7))
    return scene


def whole_computer(sees_programs: bool = True) -> Scene:
    """No game and no frame times, with two late wake-ups under memory pressure."""
    scene = Scene(has_frames=False, has_game=False, has_gpu=False)
    programs = (("4242 Test Flight", 181.0), ("911 test-browser", 22.0), ("77 test-sync", 6.0))
    if sees_programs:
        scene.script.look(
            *({"interval_us": 2_000_000, "cpu_us": 20_000 * share} for _, share in programs),
            names=[name for name, _ in programs],
        )

    def shape(at: float) -> Moment:
        late = 41.0 if 60.0 <= at < 60.1 or 95.0 <= at < 95.1 else 0.25
        return Moment(reclaim_storm(at, 59.8, 1.2) | reclaim_storm(at, 94.8, 1.2), late)

    return scene.run(120.0, shape)


def no_pressure() -> Scene:
    """A kernel that does not report pressure."""
    return stuttering(has_pressure=False)


def virtual_machine() -> Scene:
    """A guest: no sensors, no graphics card, and a host that takes time."""
    scene = Scene(has_frames=False, has_game=False, has_gpu=False)
    scene.script.fact(machine__virtual="QEMU", pressure="yes")
    return scene.run(70.0, lambda _: Moment({"stat.steal": 6.0}, 1.4))


def without_probe() -> Scene:
    """A game without frame times, and a probe that was started and says nothing."""
    scene = Scene(has_frames=False)
    scene.script.messages.append(probes_started(START_NS, ["wakeup"]))
    messages = scene.run(30.0).script.messages
    messages[:] = [kept for each in messages if (kept := _without_wakes(each)) is not None]
    return scene


def _without_wakes(message: Message) -> Message | None:
    if isinstance(message, Sample):
        readings = tuple(each for each in message.readings if each.source != "wakeup")
        return replace(message, readings=readings) if readings else None
    is_announced = isinstance(message, Layout) and message.source == "wakeup"
    return None if is_announced else message


def asleep() -> Scene:
    """The computer slept for nine seconds."""
    scene = Scene().run(80.0)
    scene.script.sleep(9.0)
    sample = scene.script.messages
    scene.run(30.0)
    _mark_suspend(sample, 9_000_000_000)
    return scene


def _mark_suspend(messages: list[Message], slept_ns: int) -> None:
    """Count the sleep in every sample after the longest pause."""
    samples = [(i, m) for i, m in enumerate(messages) if isinstance(m, Sample)]
    after = max(
        range(1, len(samples)),
        key=lambda i: samples[i][1].monotonic_ns - samples[i - 1][1].monotonic_ns,
    )
    for index, sample in samples[after:]:
        messages[index] = Sample(
            sample.monotonic_ns, slept_ns, sample.collect_us, sample.late_us, sample.readings
        )


def marked() -> Scene:
    """Somebody marked a moment."""
    scene = Scene().run(40.0)
    scene.script.mark("landing")
    return scene.run(20.0)


def refused() -> Scene:
    """The kernel does not let this user read the game's own files."""
    scene = Scene()
    scene.script.trouble("thread", "/proc/4242/task: Permission denied")
    return scene.run(60.0)


def many_disks() -> Scene:
    """Four drives, more than the graph has room for."""
    return stuttering(disks=("nvme0n1", "sda", "nvme1n1", "sdb"))


def stutter_storm() -> Scene:
    """More stutters than labels have room for."""
    scene = Scene()
    for index in range(26):
        scene.run(3.2, lambda at: Moment(reclaim_storm(at, 3.0, 0.8)))
        scene.long_frame(70 + 9 * (index * 5 % 17))
    return scene


def snapshots(messages: Iterable[Message], pipeline: Pipeline | None = None) -> Iterator[Snapshot]:
    """The messages through the real pipeline, four snapshots a second."""
    pipeline = Pipeline(Assessor()) if pipeline is None else pipeline
    due_ns = START_NS + BATCH_NS
    for message in messages:
        now_ns = _time(message)
        if now_ns is not None and now_ns > due_ns:
            snapshot = pipeline.take_snapshot()
            if snapshot is not None:
                yield snapshot
            due_ns = max(due_ns + BATCH_NS, now_ns - TICK_NS)
        pipeline.accept_message(message)
    last = pipeline.take_snapshot()
    if last is not None:
        yield last


def _time_of_any(message: Message) -> int:
    return message.end_ns if isinstance(message, TraceLook) else _time(message) or START_NS


def _time(message: Message) -> int | None:
    if isinstance(message, Sample):
        return message.monotonic_ns
    if isinstance(message, Frames):
        return message.monotonic_ns[-1]
    return None
