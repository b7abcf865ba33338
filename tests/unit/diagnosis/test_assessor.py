# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole of diagnosis on streams: what a player would read."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.metric_table import METRICS
from destutter.core.metrics import Metrics
from destutter.core.sample import Facts, Frames, Trouble
from destutter.core.statement import told
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.causes.registry import watched_metrics
from destutter.diagnosis.finding import Confidence, Group, TileState, VerdictKind
from destutter.diagnosis.findings.order import rank
from destutter.words.renderer import english, renderer
from tests.support.sampled import sampled
from tests.support.scripted_source import Script

RECLAIM = {
    "vmstat.allocstall_normal": 200.0,
    "vmstat.pgsteal_direct": 40_000.0,
    "vmstat.pgsteal_kswapd": 20_000.0,
    "pressure:memory.some_us": 300_000.0,
}
SLOW_READS = {
    "disk:nvme0n1.reads": 100.0,
    "disk:nvme0n1.read_ms": 100.0 * 80,
    "disk:nvme0n1.sectors_read": 100.0 * 8,
}
FAST_READS = {**SLOW_READS, "disk:nvme0n1.read_ms": 20.0}
COPY = {
    "disk:sda.writes": 400.0,
    "disk:sda.write_ms": 400.0 * 120,
    "disk:sda.sectors_written": 400.0 * 2048,
    "vmstat.nr_dirtied": 50_000.0,
    "vmstat.nr_written": 50_000.0,
    "pressure:io.some_us": 800_000.0,
}


def _assess(script, horizon_s=600.0, recent_s=120.0):
    pipeline = Pipeline(Assessor(horizon_s, recent_s))
    assessment = None
    for message in script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    assessment = snapshot.assessment
    for statement in (assessment.verdict.headline, assessment.verdict.detail):
        assert english(statement)
    for group in assessment.groups:
        assert english(group.reason)
    return assessment


def _state(assessment, group):
    return next(each.state for each in assessment.groups if each.group is group)


def test_a_recording_that_is_too_short_says_so():
    """ "First result in 4 seconds" stood in the list for ever."""
    verdict = _assess(Script().run(4.1), horizon_s=None, recent_s=None).verdict
    assert verdict.kind is VerdictKind.MEASURING
    assert verdict.headline.id == "verdict.short"
    assert verdict.detail.values == {"span_s": 4, "needed_s": 8}


def test_the_first_seconds_are_measuring_with_a_countdown():
    """Three seconds in, the first result is five away, and no tile claims anything."""
    assessment = _assess(Script().run(3.1))
    assert assessment.verdict.kind is VerdictKind.MEASURING
    assert assessment.verdict.headline.values["left_s"] == 5
    assert {group.state for group in assessment.groups} == {TileState.NOT_MEASURED}


def test_a_verdict_is_there_within_ten_seconds():
    """Whatever it is, after nine seconds it is not measuring any more."""
    assert _assess(Script().run(9)).verdict.kind is VerdictKind.SMOOTH


def test_nothing_at_all_is_measuring():
    """Before the first message there is no verdict and no error."""
    assert Assessor().assess().verdict.kind is VerdictKind.MEASURING


def test_a_quiet_computer_is_smooth_and_has_no_findings():
    """Ten quiet minutes: smooth since the start, nothing blamed."""
    assessment = _assess(Script().run(605))
    assert assessment.verdict.kind is VerdictKind.SMOOTH
    assert assessment.verdict.headline.values["span_s"] == 604
    assert assessment.findings == ()
    assert assessment.spikes == ()
    assert _state(assessment, Group.MEMORY) is TileState.CLEAR


def test_a_log_that_leaves_frames_out_proves_nothing_smooth():
    """Ten frames a second of sixty: the probe decides, and the frames count as not measured."""
    script = Script().run(1)
    for _ in range(200):
        script.run(0.1).frames(16.7)
    assessment = _assess(script)
    assert assessment.verdict.kind is VerdictKind.SMOOTH
    assert "leaves out most frames" in english(assessment.verdict.detail)
    assert (
        "log_interval=0"
        in {str(each.what): str(each.why) for each in assessment.not_measured}["Frame times"]
    )
    assert _assess(script.hiccup(180.0)).verdict.kind is not VerdictKind.SMOOTH


def test_a_game_that_shows_nothing_any_more_is_not_without_hiccups():
    """It hung for good, or its log ended: the probe tells of the computer alone."""
    script = Script().run(1).fact(game__pid="7")
    for _ in range(200):
        script.run(0.1).frames(*[16.7] * 6)
    script.run(15)
    assessment = _assess(script)
    assert assessment.verdict.kind is VerdictKind.NOT_MEASURED
    assert english(assessment.verdict.headline).startswith("No frame for ")
    assert "stands still, loads, or its log has ended" in english(assessment.verdict.detail)


def test_without_a_probe_a_log_that_leaves_frames_out_is_no_measurement():
    """As in an imported log: no stutter among few frames does not mean that there was none."""
    script = Script(has_probe=False)
    for _ in range(200):
        script.run(0.1).frames(16.7)
    assessment = _assess(script)
    assert assessment.verdict.kind is VerdictKind.NOT_MEASURED
    assert "leaves out most frames" in english(assessment.verdict.detail)


def test_reclaim_with_hiccups_is_the_cause_with_high_confidence():
    """Three bursts, each with a late wake-up: memory, three of three, and who did it."""
    script = Script().run(20)
    for _ in range(3):
        script.run(1, RECLAIM).hiccup(180.0).run(1, RECLAIM).run(15)
        script.look({"interval_us": 5_000_000, "cpu_us": 4_000_000}, names=("42 hog",))
        script.run(1)
    assessment = _assess(script)
    (finding,) = assessment.findings
    assert assessment.verdict.kind is VerdictKind.STUTTER
    assert assessment.verdict.finding == finding
    assert finding.cause == "direct_reclaim"
    assert finding.confidence is Confidence.HIGH
    assert (finding.stutters_explained, finding.stutters_total) == (3, 3)
    assert [(each.comm, each.pid) for each in finding.culprits] == [("hog", 42)]
    assert {spike.cause for spike in assessment.spikes} == {"direct_reclaim"}
    # Nobody plays: it is told, and accused of nothing.
    assert _state(assessment, Group.MEMORY) is TileState.NOTED
    assert _state(assessment, Group.CPU) is TileState.CLEAR


def test_reclaim_without_any_stutter_is_only_watched():
    """The signal alone blames nobody: low confidence, nothing explained, and still smooth."""
    assessment = _assess(Script().run(20).run(3, RECLAIM).run(4))
    (finding,) = assessment.findings
    assert finding.confidence is Confidence.LOW
    assert finding.stutters_explained == 0
    assert assessment.verdict.kind is VerdictKind.SMOOTH
    assert _state(assessment, Group.MEMORY) is TileState.NOTED


def test_stalls_with_few_pages_are_told_without_a_number():
    """Many stalls that freed next to nothing: the pages do not speak, the tile still does."""
    stalls = {"vmstat.allocstall_normal": 30.0, "vmstat.pgsteal_direct": 90.0}
    assessment = _assess(Script(("vmstat", "stat", "cpu")).run(20).run(3, stalls).run(4))
    (finding,) = assessment.findings
    assert [each.metric for each in finding.evidence] == ["memory.allocstall_per_s"]
    reasons = {group.group: english(group.reason) for group in assessment.groups}
    assert reasons[Group.MEMORY] == "Programs freed memory themselves"


def test_reclaim_all_the_time_explains_nothing():
    """Always on, and now and then a hiccup: they would have met by chance as well."""
    script = Script().run(1)
    for pause_s in (9, 4, 13, 6, 11, 5, 14, 8, 3, 12):
        script.run(pause_s, RECLAIM).hiccup(60.0)
    assessment = _assess(script.run(2, RECLAIM))
    (finding,) = assessment.findings
    assert finding.stutters_explained == 0
    assert assessment.verdict.kind is VerdictKind.UNEXPLAINED
    assert {spike.cause for spike in assessment.spikes} == {None}


def test_hiccups_alone_are_unexplained():
    """No signal moved with them, and it is said so."""
    script = Script().run(15)
    for _ in range(3):
        script.hiccup(60.0).run(10)
    assessment = _assess(script)
    assert assessment.verdict.kind is VerdictKind.UNEXPLAINED
    assert assessment.findings == ()
    # A late wake-up is a wait for a core by itself: the processor is not cleared of it.
    assert "Memory and storage showed nothing" in english(assessment.verdict.detail)


def test_a_stutter_of_this_moment_is_looked_into_before_it_is_given_up():
    """Right after it the rules have not seen its second yet: the cause is being looked for."""
    assessment = _assess(Script().run(15).hiccup(60.0))
    assert assessment.verdict.detail.id == "verdict.pending.detail"


def test_a_stutter_at_the_end_of_a_recording_is_given_up_at_once():
    """Nothing more comes that could tell its cause."""
    assessment = _assess(Script().run(15).hiccup(60.0), None, None)
    assert assessment.verdict.kind is VerdictKind.UNEXPLAINED
    assert assessment.verdict.detail.id.startswith("verdict.wakeup.")


def test_a_big_copy_with_idle_reads_is_nobodys_stutter():
    """Slow writes to another drive near the dirty limit: no finding, whatever the write times."""
    script = Script().run(15).set("vmstat.nr_dirty", 430_000).run(60, COPY)
    assessment = _assess(script)
    assert assessment.findings == ()
    assert assessment.verdict.kind is VerdictKind.SMOOTH


def test_a_slow_drive_at_the_long_frames_is_the_cause():
    """Frames of 200 ms whenever reads take 80 ms; the drive is the first culprit."""
    script = Script(has_probe=False)
    for _ in range(6):
        for _ in range(10):
            script.run(1, FAST_READS).frames(*[16.7] * 59)
        script.run(2, SLOW_READS).frames(*[16.7] * 50, 200.0, *[16.7] * 50)
        script.run(0.5, FAST_READS)
    assessment = _assess(script)
    finding = assessment.findings[0]
    assert finding.cause == "slow_device"
    assert finding.stutters_explained == 6
    assert finding.culprits[0].comm == "nvme0n1"
    assert assessment.verdict.headline.id == "verdict.stutter.frames"
    assert "nvme0n1 was slow" in english(assessment.verdict.detail)


def test_a_crowd_on_the_cores_explains_late_wake_ups():
    """Nine tasks for four cores all the time: late wake-ups are that very wait."""
    busy = {"pressure:cpu.some_us": 600_000.0}
    script = Script().set("stat.procs_running", 9).run(12, busy).hiccup(50.0).run(8, busy)
    assessment = _assess(script)
    (finding,) = assessment.findings
    assert finding.cause == "run_queue_delay"
    assert finding.stutters_explained == 1
    assert finding.evidence[0].metric == "wakeup.worst_ms"


def test_without_frames_and_probe_stutter_is_not_measured():
    """No frame times and no wake-ups: neither smooth nor green, but not measured and why."""
    assessment = _assess(Script(has_probe=False).run(12))
    assert assessment.verdict.kind is VerdictKind.NOT_MEASURED
    assert {"Frame times", "Wake-up delay"} <= {str(each.what) for each in assessment.not_measured}


def test_a_probe_that_fell_silent_is_not_smooth():
    """Ten seconds after its last word the probe measures nothing any more."""
    script = Script().run(12)
    script._has_probe = False
    assert _assess(script.run(12)).verdict.kind is VerdictKind.NOT_MEASURED


def test_missing_sources_are_named_with_their_reason():
    """The reason that a source gave stands in the tile and in the list; none is green."""
    script = Script(("stat", "cpu")).trouble("vmstat", "/proc/vmstat, line 3: is not a number")
    script.trouble("pressure", "PSI is switched off").run(12)
    assessment = _assess(script)
    missing = {str(each.what): renderer().sentence(each.why) for each in assessment.not_measured}
    assert missing["Memory reclaim"] == "/proc/vmstat, line 3: is not a number."
    assert missing["Pressure (PSI)"] == "PSI is switched off."
    assert missing["Waiting for free memory"] == "/proc/vmstat, line 3: is not a number."
    assert _state(assessment, Group.MEMORY) is TileState.NOT_MEASURED
    assert _state(assessment, Group.STORAGE) is TileState.NOT_MEASURED
    assert _state(assessment, Group.GPU) is TileState.NOT_MEASURED


def test_a_source_that_recovers_is_not_listed_any_more():
    """An empty reason takes the trouble back."""
    script = Script().run(5).trouble("disk", "line 4 is cut off").run(5).trouble("disk", "")
    assert "Drives" not in {str(each.what) for each in _assess(script.run(5)).not_measured}


def test_a_virtual_machine_says_so():
    """No sensors in a guest, and the host as a possible reason for hiccups."""
    script = Script().fact(machine__virtual="KVM").run(15).hiccup(60.0).run(10)
    assessment = _assess(script.trouble("power", "this computer shows no power readings"))
    reasons = {group.group: english(group.reason) for group in assessment.groups}
    assert reasons[Group.POWER] == "No power sensors in this virtual machine."
    assert "host" in english(assessment.verdict.detail)


@pytest.mark.parametrize(("by_frames", "who"), [(True, "X-Plane"), (False, "A program")])
def test_the_game_is_called_by_its_name_and_is_no_culprit(by_frames, who):
    """The watched process is who waited, not who did it; by a late wake-up nobody knows who."""
    script = Script().fact(game__name="X-Plane", game__pid="7").run(20)
    for _ in range(2):
        script.run(1, RECLAIM)
        script = script.frames(*[16.0] * 60, 180.0) if by_frames else script.hiccup(180.0)
        script.run(1, RECLAIM).run(15)
        script.look(
            {"interval_us": 5_000_000, "cpu_us": 4_900_000},
            {"interval_us": 5_000_000, "cpu_us": 3_000_000},
            names=("7 X-Plane", "42 hog"),
        ).run(1)
    assessment = _assess(script)
    assert english(assessment.verdict.detail).startswith(f"{who} waited up to 180")
    assert [each.comm for each in assessment.findings[0].culprits] == ["hog"]


def test_old_stutters_leave_the_banner_and_then_the_list():
    """After two minutes the banner is smooth again, after ten the stutter is forgotten."""
    script = Script().run(15).hiccup(90.0)
    assert _assess(script.run(60)).verdict.kind is VerdictKind.UNEXPLAINED
    after_minutes = _assess(script.run(100))
    assert after_minutes.verdict.kind is VerdictKind.SMOOTH
    assert after_minutes.verdict.headline.values["span_s"] == 160
    assert len(after_minutes.spikes) == 1
    assert _assess(script.run(500)).spikes == ()


def test_a_whole_recording_is_judged_as_one():
    """Without a horizon a stutter at the beginning of a long stream still counts."""
    script = Script().run(15).hiccup(90.0).run(700)
    assessment = _assess(script, None, None)
    assert len(assessment.spikes) == 1
    assert assessment.verdict.headline.values["span_s"] == 715


_NUMBERS = st.one_of(st.none(), st.floats(0.0, 1e6), st.floats())
# What rules read comes often, so that causes are entered; everything else comes too.
_NAMES = st.one_of(
    st.sampled_from(sorted(watched_metrics() | {"wakeup.worst_ms", "process.cpu_pct"})),
    st.sampled_from([spec.id for spec in METRICS]),
)
_VALUES = st.dictionaries(_NAMES, _NUMBERS, max_size=40)
_INSTANCED = st.dictionaries(
    _NAMES,
    st.dictionaries(st.sampled_from(["nvme0n1", "cpu0", "memory", "7 game", "x"]), _NUMBERS),
    max_size=20,
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(-5, 400), _VALUES, _INSTANCED), max_size=60), st.data())
def test_whatever_comes_nothing_breaks(ticks, data):
    """Random metrics never raise; findings are ranked; explained is never more than total."""
    assessor = Assessor()
    now_ns = 1_000_000_000_000
    for step, values, instanced in ticks:
        now_ns += step * 10_000_000
        assessor.accept_metrics(Metrics(now_ns, step / 100, values, instanced))
        if data.draw(st.booleans()):
            lengths = data.draw(st.lists(st.integers(-(10**20), 10**20), max_size=5))
            assessor.accept_frames(Frames("x", (now_ns,) * len(lengths), tuple(lengths)))
        if data.draw(st.integers(0, 9)) == 0:
            assessor.accept_facts(Facts(now_ns, {"game.pid": "x", "game.name": ""}))
            assessor.accept_trouble(Trouble(now_ns, "gpu", told("no driver")))
        assessment = assessor.assess()
        findings = assessment.findings
        assert list(findings) == sorted(findings, key=rank)
        for finding in findings:
            assert 0 <= finding.stutters_explained <= finding.stutters_total
            assert finding.first_ns <= finding.last_ns
        assert len(assessment.groups) == 5
        for statement in (assessment.verdict.headline, assessment.verdict.detail):
            assert english(statement)
        for group in assessment.groups:
            assert english(group.reason)
        assert all(math.isfinite(spike.duration_ms) for spike in assessment.spikes)


def test_stutters_of_a_game_that_ended_are_none_of_the_computers():
    """Nor is what the game did in them; what comes after its end is."""
    script = Script().fact(game__name="X-Plane", game__pid="7").run(20)
    for _ in range(6):
        script.hiccup(60.0).run(2)
    assert "6" in english(_assess(script).verdict.headline)
    script.fact(game__name="", game__pid="").run(10)
    ended = _assess(script).verdict
    assert ended.headline.id == "verdict.computer.smooth"
    after = _assess(script.hiccup(60.0).run(4)).verdict.headline
    assert "itself had 1 hiccup" in english(after)


def test_assessing_again_without_news_gives_the_same():
    """Asked four times a second, it says the same until something happened."""
    assessor = Assessor()
    pipeline = Pipeline(assessor)
    for message in Script().run(20).hiccup(50.0).run(5).messages:
        pipeline.accept_message(message)
    assert assessor.assess() == assessor.assess()


@pytest.mark.parametrize("minutes", sampled([2, 5], [2]))
def test_memory_stays_constant_however_long_it_runs(minutes):
    """With a horizon of one minute, two minutes or five leave the same amount behind."""
    assessor = Assessor(horizon_s=60.0, recent_s=30.0)
    pipeline = Pipeline(assessor)
    script = Script(("vmstat", "stat", "cpu"))
    for _ in range(6 * minutes):
        script.run(9.9, RECLAIM).hiccup(40.0)
    for message in script.messages:
        pipeline.accept_message(message)
        pipeline.take_snapshot()
    assert len(assessor._spikes.spikes) <= 7
    assert len(assessor._observed) <= 62
    assert all(len(detector.moments) <= 62 for detector in assessor._detectors)


def test_a_read_as_long_as_a_stutter_is_not_green():
    """ "Clear: answered reads within 153 ms" stood above a line that says what 20 ms can do."""
    script = Script()
    script.run(40, FAST_READS)
    assert _state(_assess(script), Group.STORAGE) is TileState.CLEAR
    slow = {**SLOW_READS, "disk:nvme0n1.reads": 10.0, "disk:nvme0n1.read_ms": 10.0 * 153}
    script.run(1, slow).run(20, FAST_READS)
    told = next(one for one in _assess(script).groups if one.group is Group.STORAGE)
    assert told.state is not TileState.CLEAR
    assert "153" in english(told.reason)
