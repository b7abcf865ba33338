# SPDX-License-Identifier: GPL-3.0-or-later
"""Every cause: the registry is complete, each rule knows its example and its false alarms."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Metrics
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.causes.cause import unjudged
from destutter.diagnosis.causes.registry import CAUSE_BY_ID, CAUSES
from destutter.diagnosis.history.witnesses import Process, Witness
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN
from tests.support.windows import empty_window, fill, window_of

IDS = """
direct_reclaim memcg_reclaim kswapd_overwhelmed compaction_stall swap_thrash dirty_throttling
slow_device io_unfairness wbt_throttling nvme_power_state link_power filesystem_commit
zone_exhaustion page_cache_write cpu_steal run_queue_delay deep_c_state frequency_ramp
thermal_throttling irq_storm softirq_starvation kworker_starvation rt_runaway split_lock
tlb_shootdowns gpu_starvation gpu_saturation vram_eviction gpu_throttling shader_compilation
periodic_overlay clocksource dropped_caches
""".split()
MIB = 1024.0 * 1024.0
FELT = {"pressure.some_pct": {"memory": 2.0, "io": 5.0, "cpu": 5.0}}
QUIET = {"pressure.some_pct": {"memory": 0.0, "io": 0.0, "cpu": 0.0}}
COPY = {"memory.kswapd_reclaim_per_s": 9000.0, "memory.kswapd_efficiency_pct": 99.0}
THRASH = {"memory.kswapd_reclaim_per_s": 9000.0, "memory.refault_file_per_s": 5000.0}
KSWAPD = {"process.cpu_pct": {"40 kswapd0": 80.0}}
GAME_IO = {"game.read_bytes_per_s": MIB}
SLOW_READS = {"disk.reads_per_s": {"nvme0n1": 50.0}, "disk.read_await_ms": {"nvme0n1": 60.0}}
HOG = {"disk.read_bytes_per_s": {"nvme0n1": 200 * MIB}, "disk.queue_depth": {"nvme0n1": 60.0}}
WRITER = {"disk.write_bytes_per_s": {"nvme0n1": 200 * MIB}, "disk.queue_depth": {"nvme0n1": 60.0}}
OWN = {"game.pressure_some_pct": {"memory": 40.0, "io": 40.0, "cpu": 40.0}}
OTHERS = {"game.pressure_some_pct": {"memory": 0.0, "io": 0.0, "cpu": 0.0}}
JOURNAL = {"game.journal_wait_pct": 30.0}
FLUSH = {
    "disk.reads_per_s": {"nvme0n1": 0.0},
    "disk.flushes_per_s": {"nvme0n1": 2.0},
    "disk.flush_await_ms": {"nvme0n1": 50.0},
}
RT = {"realtime.cpu_pct": {"5/5 hog": 95.0}, "realtime.processor": {"5/5 hog": 1.0}}
SOUND = {"realtime.cpu_pct": {"5/5 pipewire": 4.0}, "process.cpu_pct": {"9 sh": 1.0}}
WAITS = {"kernel_thread.run_delay_ms_per_s": {"kworker/1": 60.0, "ksoftirqd/1": 90.0}}
THREAD = {"thread.cpu_ms_per_s": {"7 main": 900.0}, "thread.processor": {"7 main": 2.0}}
CLOCK = {"cpufreq.of_max_pct": {"policy0": 40.0}, "cpufreq.limit_pct": {"policy0": 100.0}}
HOT = {"temperature.celsius": {"Tctl": 95.0}, "temperature.critical_celsius": {"Tctl": 95.0}}
GAME = {"game.main_cpu_ms_per_s": 600.0}
DEEP = {"wakeup.average_ms": 0.5, "cpuidle.entered_per_s": {"C10 890us": 500.0}}
FULL_LOAD = {"gpu.busy_pct": {"card0": 96.0}}

HOLDS = [
    ("memcg_reclaim", FELT | {"cgroup.limit_events_per_s": 50.0}),
    ("memcg_reclaim", FELT | {"cgroup.direct_reclaim_per_s": 900.0}),
    ("kswapd_overwhelmed", FELT | THRASH),
    ("kswapd_overwhelmed", FELT | COPY | KSWAPD | {"memory.allocstall_per_s": 9.0}),
    ("compaction_stall", FELT | {"memory.compact_stall_per_s": 2.0}),
    ("swap_thrash", FELT | {"memory.swap_in_per_s": 90.0}),
    ("dropped_caches", {"memory.drop_caches_per_s": 1.0}),
    ("zone_exhaustion", FELT | {"memory.zone_reclaim_per_s": 20.0}),
    ("io_unfairness", GAME_IO | SLOW_READS | HOG),
    ("io_unfairness", GAME_IO | HOG | OWN | {"disk.reads_per_s": {"nvme0n1": 50.0}}),
    ("io_unfairness", GAME_IO | SLOW_READS | WRITER | {"game.write_bytes_per_s": 0.0}),
    ("filesystem_commit", FELT | FLUSH),
    ("filesystem_commit", OWN | JOURNAL),
    ("filesystem_commit", OTHERS | JOURNAL),
    ("swap_thrash", FELT | {"memory.swap_in_per_s": 30.0, "game.major_faults_per_s": 25.0}),
    ("page_cache_write", {"write.worst_write_ms": 40.0, "write.worst_wake_ms": 1.0}),
    ("cpu_steal", {"cpu.steal_pct": 5.0}),
    ("deep_c_state", GAME | DEEP),
    ("frequency_ramp", THREAD | CLOCK),
    ("thermal_throttling", {"throttle.core_ms_per_s": 90.0}),
    ("thermal_throttling", HOT | CLOCK | {"cpu.busy_pct": 80.0}),
    ("irq_storm", {"interrupt.per_s": {"24 xhci_hcd": 40_000.0}}),
    ("irq_storm", THREAD | {"core.irq_pct": {"cpu2": 40.0}}),
    ("irq_storm", {"firmware.events_per_s": {"gpe6F": 4000.0}}),
    ("softirq_starvation", WAITS),
    ("kworker_starvation", WAITS | RT),
    ("rt_runaway", RT),
    ("tlb_shootdowns", {"interrupt.per_s": {"TLB": 50_000.0}}),
    ("vram_eviction", {"gpu.vram_used_pct": {"card0": 98.0}}),
    ("gpu_throttling", {"gpu.throttle_reasons": {"card0": 0x48}}),
    ("gpu_throttling", FULL_LOAD | {"gpu.link_speed_pct": {"card0": 75.0}}),
    ("shader_compilation", {"thread.cpu_ms_per_s": {"8 dxvk-shader-0": 700.0}}),
]
HOLDS_NOT = [
    ("memcg_reclaim", {"cgroup.limit_events_per_s": 50.0, "cgroup.pressure_some_pct": 0.0}),
    (
        "memcg_reclaim",
        {"cgroup.direct_reclaim_per_s": 900.0, "memory.direct_reclaim_per_s": 900.0},
    ),
    ("kswapd_overwhelmed", FELT | COPY | KSWAPD),
    ("kswapd_overwhelmed", QUIET | THRASH),
    ("compaction_stall", QUIET | {"memory.compact_stall_per_s": 2.0}),
    (
        "compaction_stall",
        FELT | {"memory.compact_stall_per_s": 200.0, "memory.allocstall_per_s": 6000.0},
    ),
    ("compaction_stall", FELT | OTHERS | {"memory.compact_stall_per_s": 2.0}),
    ("direct_reclaim", FELT | OTHERS | {"memory.allocstall_per_s": 400.0}),
    ("kswapd_overwhelmed", FELT | OTHERS | THRASH),
    ("filesystem_commit", FELT | OTHERS | FLUSH),
    (
        "compaction_stall",
        FELT | {"memory.compact_stall_per_s": 2.0, "memory.drop_caches_per_s": 1.0},
    ),
    ("swap_thrash", FELT | {"memory.swap_in_per_s": 0.0, "memory.swap_out_per_s": 9e5}),
    ("swap_thrash", QUIET | {"memory.swap_in_per_s": 90.0}),
    ("swap_thrash", FELT | {"memory.swap_in_per_s": 9e4, "game.major_faults_per_s": 2.0}),
    (
        "direct_reclaim",
        FELT | {"memory.allocstall_per_s": 90.0, "memory.compact_stall_per_s": 200.0},
    ),
    ("zone_exhaustion", QUIET | {"memory.zone_reclaim_per_s": 20.0}),
    ("io_unfairness", {"game.read_bytes_per_s": 80 * MIB} | SLOW_READS | HOG),
    ("io_unfairness", {"game.read_bytes_per_s": 0.0} | SLOW_READS | HOG),
    ("io_unfairness", GAME_IO | SLOW_READS | WRITER | {"game.write_bytes_per_s": 199 * MIB}),
    (
        "io_unfairness",
        GAME_IO | HOG | OWN | {"disk.reads_per_s": {"nvme0n1": 9.0}, "memory.swap_in_per_s": 9e3},
    ),
    ("io_unfairness", GAME_IO | OWN | {"disk.reads_per_s": {"nvme0n1": 50.0}}),
    (
        "io_unfairness",
        GAME_IO | HOG | OWN | {"disk.reads_per_s": {"nvme0n1": 9.0}, "game.dirty_wait_pct": 60.0},
    ),
    ("filesystem_commit", QUIET | FLUSH),
    ("page_cache_write", {"write.worst_write_ms": 40.0, "write.worst_wake_ms": 41.0}),
    ("page_cache_write", {"write.worst_write_ms": 40.0, "memory.dirty_of_threshold_pct": 90.0}),
    ("dropped_caches", {"memory.drop_caches_per_s": 0.0}),
    ("cpu_steal", {"cpu.steal_pct": 0.2}),
    ("deep_c_state", DEEP),
    ("frequency_ramp", THREAD | CLOCK | HOT),
    ("frequency_ramp", {"thread.cpu_ms_per_s": {"7 main": 90.0}} | CLOCK),
    ("thermal_throttling", HOT | CLOCK | {"cpu.busy_pct": 2.0}),
    ("irq_storm", {"firmware.events_per_s": {"gpe6F": 90.0}}),
    ("irq_storm", {"interrupt.per_s": {"LOC": 90_000.0, "24 nvme0q1": 100.0}}),
    (
        "irq_storm",
        {"interrupt.per_s": {"24 nvme0q1": 27_000.0}, "disk.reads_per_s": {"nvme0n1": 26_500.0}},
    ),
    ("softirq_starvation", {"kernel_thread.run_delay_ms_per_s": {"ksoftirqd/0": 20.0}}),
    ("kworker_starvation", WAITS),
    ("kworker_starvation", WAITS | RT | {"realtime.processor": {"5/5 hog": 0.0}}),
    ("rt_runaway", SOUND),
    ("rt_runaway", {"realtime.cpu_pct": {"9/9 irq/24-xhci": 60.0}}),
    ("tlb_shootdowns", {"interrupt.per_s": {"TLB": 900.0}}),
    ("vram_eviction", {"gpu.vram_used_pct": {"card0": 96.0}}),
    ("gpu_throttling", {"gpu.throttle_reasons": {"card0": 0x04}}),
    ("gpu_throttling", FULL_LOAD | {"gpu.link_width_pct": {"card0": 100.0}}),
    ("gpu_throttling", {"gpu.busy_pct": {"card0": 5.0}, "gpu.link_speed_pct": {"card0": 25.0}}),
    ("shader_compilation", {"thread.cpu_ms_per_s": {"8 main": 900.0}}),
    ("clocksource", {}),
]


def _signal(cause, given_values, facts=()):
    window = empty_window()
    window.facts = dict(facts)
    fill(window, given_values, 6)
    spec = CAUSE_BY_ID[cause]
    return spec.rule(window, spec.limits)


def _strength(spec, window):
    signal = spec.rule(window, spec.limits)
    assert signal is not None
    return signal.strength


def test_every_documented_cause_is_in_the_registry():
    """Ids are in users' files: none is missing, none is renamed."""
    assert sorted(spec.id for spec in CAUSES) == sorted(IDS)


def test_a_cause_without_a_rule_says_why():
    """Only the beat and a card's work are found in stutters, without a rule; any other says in a
    sentence what is missing.
    """
    without = {spec.id for spec in CAUSES if spec.rule is unjudged}
    assert without == {"wbt_throttling", "split_lock", "periodic_overlay", "gpu_saturation"}
    said = {spec.id for spec in CAUSES if spec.unmeasurable}
    assert said == {"wbt_throttling", "split_lock"}


def test_causes_yield_to_causes_that_exist_and_never_in_a_circle():
    """A consequence points at its causes, not the other way round as well."""
    for spec in CAUSES:
        for other in spec.yields_to:
            assert spec.id not in CAUSE_BY_ID[other].yields_to


@pytest.mark.parametrize(("cause", "given_values"), HOLDS)
def test_an_example_is_recognised(cause, given_values):
    """The cause is there, and at least one measurement says so."""
    signal = _signal(cause, given_values)
    assert signal is not None
    assert signal.strength >= 1.0
    assert signal.evidence


@pytest.mark.parametrize(("cause", "given_values"), HOLDS_NOT)
def test_a_neighbour_that_looks_like_it_is_not(cause, given_values):
    """Known false alarms stay below the threshold."""
    signal = _signal(cause, given_values)
    assert signal is None or signal.strength < 1.0


@pytest.mark.parametrize("cause", [spec.id for spec in CAUSES if spec.rule is not unjudged])
def test_nothing_measured_is_no_signal(cause):
    """With no measurement at all a rule is silent, not clear."""
    spec = CAUSE_BY_ID[cause]
    assert spec.rule(empty_window(), spec.limits) is None


@pytest.mark.parametrize("cause", ["direct_reclaim", "swap_thrash", "compaction_stall"])
def test_what_the_games_own_group_waited_for_memory_is_told(cause):
    """400 ms a second, at most 40 in a tick: a wait that is compared with the stutter."""
    counter = {
        "direct_reclaim": "memory.allocstall_per_s",
        "swap_thrash": "memory.swap_in_per_s",
        "compaction_stall": "memory.compact_stall_per_s",
    }[cause]
    signal = _signal(cause, FELT | OWN | {counter: 900.0})
    assert signal.strength >= 1.0
    assert signal.stall_ms == pytest.approx(400.0)
    assert [waited for _, waited in signal.stalls] == pytest.approx([40.0] * 10)


@pytest.mark.parametrize(("core", "waited_ms"), [(2.0, 300.0), (1.0, None)])
def test_a_wait_on_the_core_of_a_real_time_task_is_the_wait_for_it(core, waited_ms):
    """The same core: what the game waited for it; another one: only that both were there."""
    task = {"realtime.cpu_pct": {"5/5 hog": 95.0}, "realtime.processor": {"5/5 hog": core}}
    signal = _signal("rt_runaway", THREAD | task | {"game.run_delay_ms_per_s": 300.0})
    assert signal.strength >= 1.0
    assert signal.stall_ms == (None if waited_ms is None else pytest.approx(waited_ms))


@pytest.mark.parametrize(
    ("tasks", "cores", "more", "proves"),
    [
        (2, 2, {}, True),
        (1, 2, {}, True),  # 95 % of two cores are 47 % of the computer
        (1, 8, {}, False),  # seven cores are left: a wait may have had any reason
        (2, 2, {"cpu.steal_pct": 4.0}, False),
        (2, 2, {"game.run_delay_ms_per_s": 1.0}, False),  # the game itself tells
    ],
)
def test_late_wake_ups_while_real_time_tasks_keep_the_cores_are_the_wait(
    tasks, cores, more, proves
):
    """Somebody keeps the cores all the time: no stutter could tell it from chance."""
    keeps = {
        "realtime.cpu_pct": {f"5/{each} hog": 95.0 for each in range(tasks)},
        "realtime.processor": {f"5/{each} hog": float(each) for each in range(tasks)},
        "core.busy_pct": {f"cpu{each}": 100.0 for each in range(cores)},
    }
    signal = _signal("rt_runaway", keeps | more)
    assert signal.strength >= 3.0
    assert signal.proves_origin == (WAKEUP_ORIGIN if proves else None)


def test_interrupts_on_the_games_core_are_a_wait_that_no_run_queue_shows():
    """60 % of its core are 600 ms a second, 60 in each tick."""
    signal = _signal("irq_storm", THREAD | {"core.irq_pct": {"cpu2": 60.0}})
    assert (signal.stall_ms, signal.stall_peak_ms) == (600.0, 60.0)


def test_the_limit_of_the_games_own_group_is_a_wait_for_a_core():
    """Idle cores beside it, and nobody else to blame."""
    signal = _signal("run_queue_delay", GAME | {"cgroup.cpu_limit_ms_per_s": 400.0})
    assert signal.strength >= 1.0
    assert signal.stall_ms == pytest.approx(400.0)
    spec = CAUSE_BY_ID["run_queue_delay"]
    hog = Process(9, "hog", cpu_pct=99.0)
    assert spec.suspects(signal, Witness(0, 1, (hog,), ())) == ()
    others = _signal("run_queue_delay", GAME | OWN | {"game.run_delay_ms_per_s": 400.0})
    assert (signal.kind, others.kind) == ("limit", "")
    assert spec.suspects(others, Witness(0, 1, (hog,), ())) != ()


def test_compressed_swap_may_give_back_much_more():
    """What would be thrashing on a drive goes unnoticed with zram."""
    values = FELT | {"memory.swap_in_per_s": 900.0}
    assert _signal("swap_thrash", values).strength >= 1.0
    assert _signal("swap_thrash", values, {"swap.kind": "zram"}).strength < 1.0


def test_a_slow_clock_is_a_lasting_state():
    """The chip is named; the processor's clock and that of a host are fine."""
    assert _signal("clocksource", {}, {"clocksource": "hpet"}).strength >= 1.0
    for fine in ("tsc", "kvm-clock"):
        assert _signal("clocksource", {}, {"clocksource": fine}).strength < 1.0


def test_a_card_that_suddenly_rests_starves():
    """The fall counts; a menu that stays quiet does not."""
    busy = GAME | {"gpu.busy_pct": {"card0": 95.0}}
    idle = GAME | {"gpu.busy_pct": {"card0": 20.0}}
    spec = CAUSE_BY_ID["gpu_starvation"]
    window = fill(window_of(busy, 20), idle, 1)
    assert _strength(spec, window) >= 1.0
    assert _strength(spec, fill(window, idle, 9)) < 1.0


def _reads(drive, rest_s, waits_ms, count=1, busy_ms=None):
    """A drive that rests, then answers a tick of reads one after the other; once per wait.

    ``waits_ms``: how long they took on average.

    ``busy_ms``: before all that it was busy for a while and took so long for each read.
    """
    window, now_ns = empty_window(), 0
    signals = []
    spec = CAUSE_BY_ID["nvme_power_state" if drive.startswith("nvme") else "link_power"]
    for _ in range(0 if busy_ms is None else 30):
        now_ns += 100_000_000
        busy = {
            "disk.reads_per_s": {drive: 30.0},
            "disk.busy_pct": {drive: 50.0},
            "disk.read_await_ms": {drive: busy_ms},
        }
        window.accept_metrics(Metrics(now_ns, 0.1, {}, busy))
    for wait_ms in waits_ms:
        for tick in range(round(10 * rest_s) + 1):
            now_ns += 100_000_000
            reads = 10.0 * count if tick == round(10 * rest_s) else 0.0
            instanced: dict[str, dict[str, float | None]] = {
                "disk.reads_per_s": {drive: reads},
                "disk.writes_per_s": {drive: 0.0},
                "disk.busy_pct": {drive: count * wait_ms if reads else 0.0},
                "disk.read_await_ms": {drive: wait_ms if reads else None},
            }
            if window.accept_metrics(Metrics(now_ns, 0.1, {}, instanced)) is not None:
                signals.append(spec.rule(window, spec.limits))
    return max(signal.strength for signal in signals if signal is not None)


@pytest.mark.parametrize("drive", ["nvme0n1", "sda"])
def test_alike_waits_after_a_rest_are_a_drive_that_wakes(drive):
    """So many of nearly the same length within five minutes are no accident; a few may be."""
    waits = [10.0, 10.5, 11.0, 10.2, 10.8, 10.4, 10.1, 10.6, 10.9]
    assert _reads(drive, 2.0, waits) >= 1.0
    assert _reads(drive, 2.0, waits[:5]) < 1.0


def test_quick_reads_behind_the_slow_one_do_not_hide_it():
    """Five in a tick: on average they take 2.2 ms, the first of them took 10.2."""
    waits = [2.2, 2.21, 2.18, 2.22, 2.2, 2.19, 2.21, 2.2, 2.19]
    assert _reads("nvme0n1", 2.0, waits, count=5, busy_ms=0.2) >= 1.0
    assert _reads("nvme0n1", 2.0, [0.25] * 9, count=5, busy_ms=0.2) < 1.0


def test_waits_of_any_length_or_without_a_rest_are_not():
    """Housekeeping of the drive takes what it takes, and comes under load."""
    assert _reads("nvme0n1", 2.0, [6.0, 40.0, 9.0, 80.0, 5.5, 20.0, 8.0, 16.0, 30.0, 12.0]) < 1.0
    assert _reads("nvme0n1", 0.0, [10.0] * 30) < 1.0
    assert _reads("nvme0n1", 2.0, [10.0, 10.0]) < 1.0


METRICS = sorted({metric for spec in CAUSES for metric in spec.watches})
NUMBERS = st.floats(-1e12, 1e12) | st.sampled_from([0.0, 1.0, 100.0, float("nan"), float("inf")])
INSTANCES = st.sampled_from(
    ["nvme0n1", "sda", "card0", "7 main", "cpu0", "memory", "x", "policy0"]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from(METRICS), st.none() | NUMBERS, max_size=12),
            st.dictionaries(
                st.sampled_from(METRICS),
                st.dictionaries(INSTANCES, st.none() | NUMBERS, max_size=3),
                max_size=12,
            ),
        ),
        min_size=12,
        max_size=24,
    )
)
def test_no_measurements_make_a_rule_fail(stream):
    """Whatever the numbers are: an assessment, with no more explained than there were."""
    assessor = Assessor()
    for index, (values, instanced) in enumerate(stream):
        now_ns = (index + 1) * 1_000_000_000
        late = {"wakeup.worst_ms": 60.0}
        assessor.accept_metrics(Metrics(now_ns, 1.0, values | late, instanced))
    for finding in assessor.assess().findings:
        assert 0 <= finding.stutters_explained <= finding.stutters_total
        assert all(each.metric in METRIC_BY_ID for each in finding.evidence)
