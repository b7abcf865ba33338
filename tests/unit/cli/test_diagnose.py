# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter diagnose``."""

import json

import pytest

from destutter.core.statement import told
from destutter.sampling.live import LiveSourceError
from destutter.session.recorder import Recorder
from tests.support.commands import BreakingSource
from tests.support.scripted_source import Script

RECLAIM = {
    "vmstat.allocstall_normal": 200.0,
    "vmstat.pgsteal_direct": 40_000.0,
    "pressure:memory.some_us": 300_000.0,
}


def _stuttering():
    script = Script().run(20)
    for _ in range(3):
        script.run(1, RECLAIM).hiccup(180.0).run(1, RECLAIM).run(15)
        script.look({"interval_us": 5_000_000, "cpu_us": 4_000_000}, names=("42 hog",)).run(1)
    return script


def _record(script, path):
    with Recorder(path, script.messages[0]) as recorder:
        for message in script.messages:
            recorder.accept_message(message)
    return path


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A recording of 74 seconds with three stutters from direct reclaim."""
    return _record(_stuttering(), tmp_path_factory.mktemp("recordings") / "a.destutter")


def test_a_recording_is_told_in_words(commands, recording):
    """Verdict, finding with evidence and culprit, what was not measured, and on what it rests."""
    outcome = commands.run("diagnose", recording)
    assert (outcome.status, outcome.errors) == (0, "")
    text = outcome.output.replace("\N{NO-BREAK SPACE}", " ")
    for words in (
        "No game is measured. The computer itself had 3 hiccups",
        "Waiting for free memory (direct_reclaim)",
        "Explains 3 of 3 stutters. Confidence: high.",
        "Pages that programs freed themselves: 40,000 pages/s, counts from 500 pages/s",
        "  hog (42), used 80 % of one core",
        "Not measured: ",
        "in 74 s.",
    ):
        assert words in text


def test_what_is_not_measured_is_a_line_until_somebody_asks(commands, recording):
    """A count and the most usual reason; --verbose lists each with its own."""
    lines = commands.run("diagnose", recording).output.splitlines()
    told = [line for line in lines if line.startswith("Not measured")]
    assert len(told) == 1
    assert "--verbose" in told[0]
    missing = json.loads(commands.run("diagnose", recording, "--json").output)["not_measured"]
    assert f" {len(missing)} things" in told[0]
    everything = commands.run("diagnose", recording, "--verbose").output
    assert all(f"  {each['what']}: {each['why']}" in everything for each in missing)


def test_what_explains_nothing_is_no_cause(commands, tmp_path):
    """It is named below all causes, without a word about how sure it is."""
    script = Script().run(20)
    script.run(5, RECLAIM)
    path = _record(script.run(20), tmp_path / "a.destutter")
    text = commands.run("diagnose", path).output
    assert "Also seen, but it explains nothing:" in text
    assert "Waiting for free memory (direct_reclaim)" in text
    assert "confidence" not in text


def test_json_has_exactly_the_promised_shape(commands, recording):
    """Every key that programs rely on, and no other."""
    told = json.loads(commands.run("diagnose", recording, "--json").output)
    assert list(told) == [
        "duration_s",
        "samples",
        "frames",
        "verdict",
        "headline",
        "detail",
        "told",
        "time_lost",
        "findings",
        "not_measured",
        "session",
    ]
    frames = {"source": "wakeup", "count": 0, "stutters": 3, "hitches": 0}
    assert told["frames"] == frames
    assert told["verdict"] == "stutter"
    assert told["told"]["headline"]["id"] == "verdict.computer.whole"
    assert set(told["told"]) == {"headline", "detail"}
    assert told["duration_s"] == pytest.approx(74.2)
    lost = told["time_lost"]
    assert set(lost) == {"total_ms", "parts_ms", "traced_ms", "stutters"}
    assert sum(lost["parts_ms"].values()) == pytest.approx(lost["total_ms"])
    each = lost["stutters"]
    assert [one["cause"] for one in each] == ["direct_reclaim"] * 3
    assert set(each[0]) == {"at_s", "cause", "total_ms", "parts_ms", "traced_ms"}
    assert sum(one["total_ms"] for one in each) == pytest.approx(lost["total_ms"])
    for one in each:
        assert sum(one["parts_ms"].values()) == pytest.approx(one["total_ms"], abs=0.01)
    (finding,) = told["findings"]
    assert finding["cause"] == "direct_reclaim"
    assert finding["confidence"] == "high"
    assert (finding["stutters_explained"], finding["stutters_total"]) == (3, 3)
    assert 19 < finding["first_s"] < 21 < finding["last_s"] < 60
    assert finding["evidence"][0] == {
        "metric": "memory.direct_reclaim_per_s",
        "unit": "pages/s",
        "value": 40_000.0,
        "threshold": 500.0,
    }
    (culprit,) = finding["culprits"]
    assert culprit.pop("why") == "used 80\N{NO-BREAK SPACE}% of one core"
    assert culprit == {"pid": 42, "comm": "hog", "what": "process", "started_by": None}
    assert finding["remedy"] is None
    assert finding["recommendations"] == []
    assert set(told["not_measured"][0]) == {"what", "why"}


def test_settings_of_the_recording_bring_their_advice(commands, tmp_path):
    """A boost factor that does not fit the recorded gap is advised against, with its reason."""
    script = _stuttering()
    header = script.messages[0]
    tunables = {"vm.watermark_scale_factor": "125", "vm.watermark_boost_factor": "15000"}
    script.messages[0] = type(header)(
        header.monotonic_ns, header.wall_time, header.interval_ms, {}, tunables
    )
    path = _record(script, tmp_path / "a.destutter")
    told = json.loads(commands.run("diagnose", path, "--json").output)
    (advice,) = told["findings"][0]["recommendations"]
    assert advice["tunable"] == "vm.watermark_boost_factor"
    assert (advice["device"], advice["current"], advice["recommended"]) == (None, "15000", "0")
    assert (advice["risk"], bool(advice["reason"])) == ("low", True)
    assert "advised: vm.watermark_boost_factor 0" in commands.run("diagnose", path).output


def test_a_part_of_a_recording(commands, recording):
    """--seconds looks only at the beginning, before the first stutter."""
    told = json.loads(commands.run("diagnose", recording, "--json", "--seconds", "15").output)
    assert told["findings"] == []
    assert told["verdict"] == "smooth"
    assert told["duration_s"] <= 15.0


def test_a_recording_that_is_too_short_says_so(commands, tmp_path):
    """Three seconds are no ground for a verdict."""
    path = _record(Script().run(3), tmp_path / "a.destutter")
    outcome = commands.run("diagnose", path)
    assert outcome.status == 0
    assert outcome.output.startswith("Too short to judge: 3 s, and 8 s are needed.")


def test_a_quiet_stream_says_so_and_nothing_else(commands):
    """Live: smooth, no findings."""
    commands.source = Script().run(15).source()
    told = json.loads(commands.run("diagnose", "--json").output)
    assert (told["verdict"], told["findings"]) == ("smooth", [])
    assert commands.options.seconds == 15.0


def test_ctrl_c_judges_what_there_is(commands):
    """Impatience is no error."""
    commands.source = BreakingSource(Script().run(9).messages, KeyboardInterrupt())
    outcome = commands.run("diagnose", "--seconds", "60")
    assert (outcome.status, outcome.errors) == (0, "")
    assert "The computer itself had no hiccup for" in outcome.output


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyboardInterrupt(), "nothing was measured"),
        (LiveSourceError(told("the sampler was killed")), "the sampler was killed"),
    ],
)
def test_nothing_measured_is_an_error(commands, error, words):
    """Without a sample there is no verdict, and no empty one."""
    commands.source = BreakingSource(Script().messages, error)
    outcome = commands.run("diagnose")
    assert (outcome.status, outcome.output) == (1, "")
    assert words in outcome.complaint


def _cut(recording, keep):
    data = recording.read_bytes()
    return data[: keep if keep > 0 else len(data) + keep]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda data: b"", "empty"),
        (lambda data: data[:40], "cut off"),
        (lambda data: b"MangoHud v1\nfps,frametime\n", "not a Destutter recording"),
        (lambda data: bytes(range(256)) * 40, "not a Destutter recording"),
        (lambda data: data[:16] + b"\xff\xff\xff\xff" + data[20:], "newer"),
    ],
)
def test_files_that_are_no_recording(commands, recording, tmp_path, make, words):
    """Empty, cut off at the beginning, somebody else's, newer: one line and status 1."""
    path = tmp_path / "b.destutter"
    path.write_bytes(make(recording.read_bytes()))
    outcome = commands.run("diagnose", path)
    assert (outcome.status, outcome.output) == (1, "")
    assert words in outcome.complaint


def test_a_recording_with_a_beginning_only(commands, tmp_path):
    """A header and no samples: there is nothing to judge."""
    path = _record(Script(), tmp_path / "b.destutter")
    outcome = commands.run("diagnose", path)
    assert (outcome.status, outcome.output) == (1, "")
    assert "holds no measurements" in outcome.complaint


@pytest.mark.parametrize("words", ["nothing.destutter", "."])
def test_a_recording_that_is_not_there(commands, tmp_path, monkeypatch, words):
    """A missing file and a folder."""
    monkeypatch.chdir(tmp_path)
    outcome = commands.run("diagnose", words)
    assert (outcome.status, outcome.output) == (1, "")
    assert words in outcome.complaint


def test_a_torn_recording_is_judged_and_the_tear_is_told(commands, recording, tmp_path):
    """What is whole is judged; one line says what is missing, and the status is not 0."""
    path = tmp_path / "torn.destutter"
    path.write_bytes(_cut(recording, -100))
    outcome = commands.run("diagnose", path, "--json")
    assert outcome.status == 1
    assert "cut off" in outcome.complaint
    assert json.loads(outcome.output)["verdict"] == "stutter"


def test_a_damaged_middle_is_told_with_its_place(commands, recording, tmp_path):
    """One changed byte costs a second, and it is said which."""
    data = bytearray(recording.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path = tmp_path / "damaged.destutter"
    path.write_bytes(data)
    outcome = commands.run("diagnose", path)
    assert outcome.status == 1
    assert "damaged" in outcome.errors


def test_a_found_cause_says_what_to_change(commands, tmp_path):
    """Direct reclaim with the kernel's own marks: a wider gap, its cost, and the command."""
    script = _stuttering()
    header = script.messages[0]
    tunables = {
        "vm.watermark_scale_factor": "10",
        "vm.watermark_boost_factor": "15000",
        "vm.min_free_kbytes": "67584",
        "vm.swappiness": "60",
    }
    machine = {"memory_kib": 32 * 1024 * 1024, "page_bytes": 4096}
    script.messages[0] = type(header)(
        header.monotonic_ns, header.wall_time, header.interval_ms, machine, tunables
    )
    path = _record(script, tmp_path / "a.destutter")
    told = json.loads(commands.run("diagnose", path, "--json").output)
    advice = {each["tunable"]: each for each in told["findings"][0]["recommendations"]}
    assert set(advice) == {"vm.watermark_scale_factor", "vm.watermark_boost_factor"}
    assert set(advice["vm.watermark_scale_factor"]) == {
        "tunable",
        "device",
        "current",
        "recommended",
        "reason",
        "risk",
    }
    factor = advice["vm.watermark_scale_factor"]["recommended"]
    assert 100 <= int(factor) <= 250
    output = commands.run("diagnose", path).output
    assert "of memory stay free" in output
    command = f"vm.watermark_scale_factor={factor} vm.watermark_boost_factor=0"
    assert output.endswith(f"\n\nWhat to change: destutter apply {command}\n")
