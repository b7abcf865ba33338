# SPDX-License-Identifier: GPL-3.0-or-later
"""The sampler as a whole, on trees and with a clock that is moved by hand."""

import pytest

from destutter.core.catalog import PROBES, SLOW_PERIODS_S, SOURCES, Cadence
from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import Facts, Frames, Header, Layout, Sample, Trouble
from destutter.sampling.probes.probe_clock import slept_ns
from destutter.sampling.registry import SAMPLERS, build_parts
from destutter.sampling.sampler import Sampler, SamplerOptions
from tests.support.fake_root import FakeRoot, proc_stat
from tests.support.measuring import SteppedClock

PID = 4711


class Run:
    """A sampler on a tree; messages of each tick."""

    def __init__(self, files, **options):
        self.clock = SteppedClock()
        self.slept_ns = 0
        self.sampler = Sampler(files, SamplerOptions(**options), self.clock, lambda: self.slept_ns)
        self.begun = self.sampler.begin(1.7e9)
        self.deadline_ns = self.clock.now_ns

    def tick(self, *, late_s=0.0, slow=False):
        """The messages of the next tick."""
        if slow:
            self.sampler.slow.run_due()
        self.clock.now_ns = max(self.clock.now_ns, self.deadline_ns) + round(late_s * 1e9)
        messages = self.sampler.tick(self.deadline_ns)
        self.deadline_ns = self.sampler.next_deadline(self.deadline_ns)
        return messages

    def ticks(self, count, **how):
        """The messages of several ticks."""
        return [message for _ in range(count) for message in self.tick(**how)]


@pytest.fixture
def root(tmp_path):
    """A small computer."""
    return FakeRoot(
        tmp_path,
        {
            "/proc/vmstat": "nr_free_pages 5\n",
            "/proc/stat": proc_stat(),
            "/proc/uptime": "5000.00 9000.00\n",
            "/proc/swaps": "Filename Type Size Used Priority\n",
        },
    )


@pytest.fixture
def start(root):
    """Starts samplers that are closed at the end."""
    runs = []

    def made(**options):
        runs.append(Run(root.files, **options))
        return runs[-1]

    yield made
    for run in runs:
        run.sampler.close()


def test_every_source_has_exactly_one_sampler():
    """Each source of the catalog that is no probe's is delivered by one sampler."""
    parts = build_parts(KernelFiles(), lambda: 0, lambda: 0)
    delivered = [source for make in SAMPLERS.values() for source in make(parts).sources]
    assert sorted(delivered) == sorted(SOURCES.keys() - PROBES)


def test_slow_sources_have_a_period_and_no_others():
    """What runs beside the ticks is what the catalog calls slow; NVML at most once a second."""
    slow = {name for name in SAMPLERS if SOURCES[name].cadence is Cadence.SLOW}
    assert SLOW_PERIODS_S.keys() == slow
    assert SLOW_PERIODS_S["gpu"] >= 1


def test_a_stream_begins_with_its_header_and_all_facts(start):
    """First the header with the machine, then facts, then samples."""
    header, facts = start(interval_ms=50).begun
    assert isinstance(header, Header)
    assert (header.interval_ms, header.wall_time) == (50, 1.7e9)
    assert header.machine["page_bytes"] == 4096
    assert isinstance(facts, Facts)
    assert facts.facts["machine.virtual"] == "no"


def test_layouts_precede_their_readings(start):
    """Every reading fits the layout that came before it."""
    run = start()
    layouts = {}
    for message in run.ticks(40, slow=True):
        if isinstance(message, Layout):
            layouts[message.source] = message
            assert message.fields == SOURCES[message.source].fields
        if isinstance(message, Sample):
            for reading in message.readings:
                assert len(reading.values) == layouts[reading.source].width
    assert layouts.keys() >= {"vmstat", "stat", "cpu", "self", "swap", "process"}


def test_sources_are_read_at_their_own_rate(start):
    """Fast sources at each tick, the others once a second, never all in one tick."""
    run = start()
    samples = [m for m in run.ticks(20) if isinstance(m, Sample)]
    counts: dict[str, int] = {}
    for sample in samples:
        for reading in sample.readings:
            counts[reading.source] = counts.get(reading.source, 0) + 1
    assert (counts["vmstat"], counts["stat"], counts["cpu"], counts["self"]) == (20, 20, 2, 2)


def test_what_is_missing_is_told_once_per_source(start):
    """A tree without most files has one trouble per source, in words, and goes on."""
    troubles = [m for m in start().ticks(100, slow=True) if isinstance(m, Trouble)]
    sources = [trouble.source for trouble in troubles]
    assert len(sources) == len(set(sources))
    assert {"pressure", "meminfo", "disk", "zone", "cpufreq", "gpu"} <= set(sources)
    assert all(trouble.reason for trouble in troubles)


def test_a_damaged_file_costs_only_its_source(root, start):
    """One broken file is named with its line; all other sources are delivered, and it recovers."""
    run = start()
    run.tick()
    root.put("/proc/vmstat", "nr_free_pages\n")
    messages = run.tick()
    assert [
        str(m.reason) for m in messages if isinstance(m, Trouble) and m.source == "vmstat"
    ] == ["/proc/vmstat, line 1: has a name without a value"]
    assert "stat" in [reading.source for reading in messages[-1].readings]
    root.put("/proc/vmstat", "nr_free_pages 7\n")
    told = [m for m in run.ticks(15) if isinstance(m, Trouble) and m.source == "vmstat"]
    assert [trouble.reason for trouble in told] == [None]


def test_lateness_and_cost_are_measured(start):
    """How late a tick began is told in microseconds, and what slept before it."""
    run = start()
    run.slept_ns = 7_000_000
    sample = run.tick(late_s=0.005)[-1]
    assert (sample.late_us, sample.suspended_ns, sample.collect_us) == (5000, 7_000_000, 0)


def test_missed_ticks_are_skipped_and_counted(start):
    """After a stall there is one late tick, and the grid of deadlines stays."""
    run = start()
    run.tick()
    first_ns = run.deadline_ns
    sample = run.tick(late_s=0.53)[-1]
    assert sample.late_us == 530_000
    assert run.deadline_ns == first_ns + 600_000_000 - 100_000_000
    skipped = [
        reading.values[2]
        for message in run.ticks(10)
        if isinstance(message, Sample)
        for reading in message.readings
        if reading.source == "self"
    ]
    assert skipped == [4]


def _sources(messages):
    """The sources of all readings, as often as they were read."""
    samples = [message for message in messages if isinstance(message, Sample)]
    return [reading.source for each in samples for reading in each.readings]


@pytest.mark.parametrize("place", range(10))
def test_a_computer_that_hangs_at_one_place_of_each_second_is_measured_as_a_whole(start, place):
    """What has its turn once a second has it after the hang: else it is never read again."""
    run = start()
    usual = set(_sources(start().ticks(10)))
    begun_ns = run.deadline_ns
    messages = run.ticks(place)
    while run.deadline_ns < begun_ns + 10_000_000_000:
        is_there = (run.deadline_ns - begun_ns) // 100_000_000 % 10 == place
        messages += run.tick(late_s=0.43 if is_there else 0.0)
    read = _sources(messages)
    assert {"cpu", "self"} <= usual
    assert min(map(read.count, usual)) >= 6


def test_a_given_game_is_watched_and_its_end_told(root, start):
    """Facts name the game; when it ends they are withdrawn, and the samples go on."""
    root.put_process(PID, "game", starttime=400, utime=3)
    root.put_thread(PID, PID, "game")
    run = start(pid=PID)
    assert run.begun[-1].facts == {
        "game.pid": str(PID),
        "game.name": "game",
        "game.started": "4000000000",
        "game.start_ticks": "400",
        "game.found_as": "chosen",
        "game.version": "",
    }
    sources = {r.source for m in run.ticks(10) if isinstance(m, Sample) for r in m.readings}
    assert {"game", "thread"} <= sources
    root.put_process(PID, "game", state="Z")
    messages = run.tick()
    assert [str(m.reason) for m in messages if isinstance(m, Trouble)] == [
        f"there is no process {PID} (any more)"
    ]
    gone = next(m for m in messages if isinstance(m, Facts))
    assert gone.facts["game.pid"] == ""
    assert isinstance(run.tick()[-1], Sample)


def test_a_game_that_does_not_exist_is_told(start):
    """A number that no process has is a trouble, not an end."""
    messages = start(pid=99).tick()
    assert any(isinstance(m, Trouble) and "99" in str(m.reason) for m in messages)
    assert isinstance(messages[-1], Sample)


def test_a_game_is_found_by_itself_and_the_next_one_too(root, start):
    """Without a number the search finds a game; when it ends the search goes on."""
    run = start()
    root.put_process(PID, "X-Plane-x86_64", starttime=100)
    found = [m for m in run.ticks(60, slow=True) if isinstance(m, Facts)]
    assert [m.facts["game.name"] for m in found if "game.name" in m.facts] == ["X-Plane-x86_64"]
    root.put_process(PID, "X-Plane-x86_64", state="Z")
    root.put_process(88, "DCS.exe", starttime=100)
    later = [m for m in run.ticks(120, slow=True) if isinstance(m, Facts)]
    assert [m.facts["game.pid"] for m in later if "game.pid" in m.facts] == ["", "88"]


def test_the_search_can_be_left_out(root, start):
    """With the search off, and after "watch the computer", no game is taken."""
    root.put_process(PID, "X-Plane-x86_64", starttime=100)
    silent = start(is_searching=False)
    assert not [m for m in silent.ticks(60, slow=True) if "game.pid" in getattr(m, "facts", {})]
    told = start()
    told.sampler.watch(None)
    facts = [m.facts for m in told.ticks(60, slow=True) if isinstance(m, Facts)]
    assert [f["game.pid"] for f in facts if "game.pid" in f] == [""]


def _search(messages):
    """What is told of the search."""
    return [m.reason for m in messages if isinstance(m, Trouble) and m.source == "search"]


def test_a_search_that_fails_is_told(root, start):
    """When the search cannot be made, the reason is told once and withdrawn when it works."""
    run = start()
    root.put("/proc/uptime", "rubbish\n")
    assert list(map(str, _search(run.ticks(120, slow=True)))) == [
        "/proc/uptime, line 1: is not a time"
    ]
    root.put("/proc/uptime", "5000.00 9000.00\n")
    assert _search(run.ticks(60, slow=True)) == [None]


def test_facts_that_change_are_told_alone(root, start):
    """Only what changed is sent again, and what ended as an empty text."""
    scheduler = "/sys/block/sda/queue/scheduler"
    root.put(scheduler, "[none] bfq\n")
    run = start()
    run.ticks(5, slow=True)
    root.put(scheduler, "none [bfq]\n")
    facts = [m.facts for m in run.ticks(110, slow=True) if isinstance(m, Facts)]
    assert facts == [{"disk.sda.scheduler": "bfq"}]
    root.remove("/sys/block/sda")
    facts = [m.facts for m in run.ticks(110, slow=True) if isinstance(m, Facts)]
    assert facts == [{"disk.sda.scheduler": "", "disk.sda.schedulers": ""}]


def test_sleep_is_whole_milliseconds_and_never_negative():
    """Two clocks that are read one after the other do not look like sleep."""
    assert slept_ns() >= 0
    assert slept_ns() % 1_000_000 == 0


def test_a_game_that_tells_its_frames_is_listened_to_while_it_runs(root, start):
    """X-Plane's beacon; not where another tree is read, and not instead of a chosen source."""
    root.put_process(PID, "X-Plane-x86_64", starttime=100)
    run = start(pid=PID, may_listen=True)
    feed = run.sampler.frames
    assert feed.is_following
    root.put_process(PID, "X-Plane-x86_64", state="Z")
    run.tick()
    assert not feed.is_following
    root.put_process(PID, "X-Plane-x86_64", starttime=100)
    assert not start(pid=PID).sampler.frames.is_following


def test_a_chosen_log_is_not_left_for_the_beacon(root, start):
    """Who named a log gets its frames, whatever is played, also after the game."""
    root.put_process(PID, "X-Plane-x86_64", starttime=100)
    run = start(is_searching=False, may_listen=True)
    run.sampler.frames.follow("/a/folder")
    run.sampler.watch(PID)
    root.put_process(PID, "X-Plane-x86_64", state="Z")
    run.tick()
    assert run.sampler.frames.is_following


def test_other_games_are_not_listened_to(root, start):
    """Nobody else has a beacon."""
    root.put_process(PID, "game", starttime=100)
    assert not start(pid=PID, may_listen=True).sampler.frames.is_following


def test_the_log_of_a_game_is_followed_while_it_runs(root, start, tmp_path):
    """Found beside the ticks, without a word of the user's; left with the game."""
    folder = tmp_path / "logs"
    folder.mkdir()
    log = folder / "game.csv"
    root.put_process(PID, "game", starttime=100)
    run = start(pid=PID, may_listen=True, log_folder=folder)
    run.ticks(3, slow=True)
    assert not run.sampler.frames.is_following
    log.write_text("fps,frametime,elapsed\n")
    found = run.ticks(60, slow=True)
    assert run.sampler.frames.is_following
    assert not [m for m in found if isinstance(m, Trouble) and m.source == "frames"]
    root.put_process(PID, "game", state="Z")
    run.ticks(60, slow=True)
    assert not run.sampler.frames.is_following


def test_the_log_of_an_x_plane_that_tells_nothing_itself_is_followed(root, start, tmp_path):
    """MangoHud runs beside it, and the beacon was waited for in vain as long as it ran."""
    root.put_process(PID, "X-Plane-x86_64", starttime=100)
    run = start(pid=PID, may_listen=True, log_folder=tmp_path)
    assert run.sampler._is_listening
    log = tmp_path / "X-Plane-x86_64.csv"
    log.write_text("fps,frametime,elapsed\n")
    run.ticks(60, slow=True)
    assert run.sampler._followed == (PID, log)
    with log.open("a") as file:
        file.write("60,16.6,1000000\n60,16.6,17600000\n")
    told = run.ticks(5)
    assert [m for m in told if isinstance(m, Frames)]
    root.put_process(PID, "X-Plane-x86_64", state="Z")
    run.ticks(60, slow=True)
    assert not run.sampler.frames.is_following


def test_a_log_that_was_named_is_not_left_for_one_that_was_found(root, start, tmp_path):
    """Who chose knows better."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "game.csv").write_text("fps,frametime,elapsed\n")
    root.put_process(PID, "game", starttime=100)
    run = start(pid=PID, may_listen=True, log_folder=folder)
    run.sampler.frames.follow("/a/folder")
    run.ticks(60, slow=True)
    assert run.sampler._followed is None


def test_which_thread_shows_the_frames_is_a_fact(root, start, tmp_path):
    """And for the looks at threads; when the game has ended it is none any more."""
    log = tmp_path / "game.csv"
    log.write_text("fps,frametime,elapsed\n")
    root.put_process(PID, "game", starttime=100)
    root.put(f"/proc/{PID}/task/4712/comm", "render\n")
    run = start(pid=PID)
    run.sampler.frames.follow(str(log))
    told = run.ticks(5, slow=True)
    for second in range(1, 6):
        with log.open("a") as file:
            file.write("60,16.6,1000000\n" * 200)
        written = second * 200 * len("60,16.6,1000000\n")
        root.put(f"/proc/{PID}/task/{PID}/io", f"rchar: 1\nwchar: {second}\n")
        root.put(f"/proc/{PID}/task/4712/io", f"rchar: 1\nwchar: {written}\n")
        told += run.ticks(10, slow=True)
    assert run.sampler._parts.game_threads.shows_frames == 4712
    root.put_process(PID, "game", state="Z")
    told += run.ticks(20, slow=True)
    leads = [m.facts["game.lead"] for m in told if "game.lead" in getattr(m, "facts", {})]
    assert leads == ["4712 render", ""]


def test_a_tick_that_comes_late_is_a_reason_to_look_who_ran(start, root):
    """At once, and not when the three seconds are over; once a second at the most."""
    run = start(pid=None)
    root.put_process(50, "hog", utime=5)
    run.ticks(3, slow=True)
    root.put_process(50, "hog", utime=60)

    def looks(messages):
        samples = [message for message in messages if isinstance(message, Sample)]
        return sum(reading.source == "process" for each in samples for reading in each.readings)

    assert looks(run.ticks(5, slow=True)) == 0
    late = run.tick(late_s=0.6) + run.ticks(2, slow=True)
    assert looks(late) == 1
    assert looks(run.tick(late_s=0.2) + run.ticks(2, slow=True)) == 0
