# SPDX-License-Identifier: GPL-3.0-or-later
"""Making a recording: when blocks are written, and every way in which it can fail."""

import os
import resource
import stat
import subprocess
import sys

import pytest

from destutter.core.sample import Facts, Header, Layout, Marker, Message, Sample, Trouble
from destutter.core.statement import told
from destutter.core.traced import TraceLook
from destutter.session.block_writer import MAX_MESSAGES
from destutter.session.format import RecordingError
from destutter.session.recorder import Recorder, RecordingEndedError
from destutter.session.recording_file import RecordingFile
from destutter.session.replay import ReplaySource
from tests.unit.session.streams import HEADER, SECOND_NS, record, replayed, ticks

GROWING_TOO_LARGE = """
import resource, sys
from destutter.session.recorder import Recorder, RecordingEndedError
from tests.unit.session.streams import HEADER, ticks

path, limit = sys.argv[1], int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
recorder = Recorder(path, HEADER, clock=lambda: 0)
try:
    for sample in ticks(100_000):
        recorder.accept_message(sample)
except RecordingEndedError as error:
    print(error)
    print(recorder.is_open)
try:
    recorder.accept_message(sample)
except RecordingEndedError as error:
    print(error)
recorder.close()
"""


def size_of(path):
    """The size of the file as another program sees it."""
    return path.stat().st_size


def test_header_is_written_at_once(tmp_path):
    """A recording that is killed in its first second opens, without samples."""
    path = tmp_path / "a.destutter"
    with Recorder(path, HEADER):
        assert replayed(path) == [HEADER]


def test_block_is_written_after_a_second_of_samples(tmp_path):
    """Nothing is written for 1 s of sample time; the sample that completes it writes the rest."""
    path = tmp_path / "a.destutter"
    samples = list(ticks(11))
    with Recorder(path, HEADER, clock=lambda: 0) as recorder:
        empty = size_of(path)
        for sample in samples[:10]:
            recorder.accept_message(sample)
        assert size_of(path) == empty
        recorder.accept_message(samples[10])
        assert replayed(path) == [HEADER, *samples[:10]]
    assert replayed(path) == [HEADER, *samples]


def test_a_time_that_goes_back_by_more_than_a_second_begins_a_new_block(tmp_path):
    """Else all until the time is where it was is one block, which one damaged byte costs.

    What is imported takes no second on the clock, which would end a block as well.
    """
    path = tmp_path / "a.destutter"
    later, earlier = list(ticks(3, HEADER.monotonic_ns + 60 * SECOND_NS)), list(ticks(3))
    with Recorder(path, HEADER, clock=lambda: 0) as recorder:
        for sample in later:
            recorder.accept_message(sample)
        recorder.accept_message(earlier[0])
        assert replayed(path) == [HEADER, *later]


def test_block_is_written_after_a_second_on_the_clock(tmp_path):
    """Markers without samples do not wait for ever: a second on the clock is enough."""
    path = tmp_path / "a.destutter"
    now = iter([0, SECOND_NS, SECOND_NS, SECOND_NS])
    with Recorder(path, HEADER, clock=lambda: next(now)) as recorder:
        recorder.accept_message(Marker(5, "one"))
        recorder.accept_message(Marker(6, "two"))
        assert replayed(path) == [HEADER, Marker(5, "one")]


def test_flood_of_messages_is_written_in_pieces(tmp_path):
    """Thousands of messages within one instant do not pile up in memory."""
    path = tmp_path / "a.destutter"
    with Recorder(path, HEADER, clock=lambda: 0) as recorder:
        for number in range(MAX_MESSAGES + 1):
            recorder.accept_message(Marker(number, ""))
        assert len(replayed(path)) == 1 + MAX_MESSAGES


def test_recorder_knows_its_length_and_size(tmp_path):
    """duration_s is the time between first and last sample, size_bytes that of the file."""
    path = tmp_path / "a.destutter"
    with Recorder(path, HEADER, clock=lambda: 0) as recorder:
        assert recorder.duration_s == 0
        for sample in ticks(31):
            recorder.accept_message(sample)
        assert recorder.duration_s == pytest.approx(3.0)
    assert recorder.size_bytes == size_of(path)
    assert not recorder.is_open


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("there", "the file exists already; give the recording another name"),
        (".", "this is a folder"),
        ("missing/a.destutter", "the folder does not exist"),
        ("there/a.destutter", "the folder does not exist"),
        ("x" * 300, "the name is too long"),
        ("a\0b", "this cannot be a file name"),
        ("", "the folder does not exist"),
    ],
)
def test_bad_paths_are_refused_in_words(tmp_path, monkeypatch, name, words):
    """An existing file, a folder, a missing folder and impossible names each get clear words."""
    (tmp_path / "there").write_text("mine")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordingError, match=words):
        Recorder(name, HEADER)
    assert (tmp_path / "there").read_text() == "mine"
    assert os.listdir(tmp_path) == ["there"]


@pytest.mark.parametrize("limit", [6_000, 8_192, 9_999, 10_000])
def test_file_that_cannot_grow_ends_the_recording(tmp_path, limit):
    """The recording ends with one message, keeps every whole second, and takes no more."""
    path = tmp_path / "a.destutter"
    done = subprocess.run(
        [sys.executable, "-c", GROWING_TOO_LARGE, path, str(limit)],
        capture_output=True,
        text=True,
        check=True,
    )
    words, is_open, again = done.stdout.splitlines()
    replay = ReplaySource(path)
    samples = [message for message in replay.messages() if isinstance(message, Sample)]
    assert samples == list(ticks(len(samples)))
    assert len(samples) % 10 == 0
    kept_s = round((len(samples) - 1) / 10)
    assert words == (
        f"{path}: the file cannot grow any further here. The recording ends here; "
        f"its first {kept_s} s are kept"
    )
    assert is_open == "False"
    assert again == f"{path}: the recording has ended"
    assert replay.problems == ()
    assert size_of(path) <= limit
    replay.close()


def test_no_room_for_the_header_leaves_no_file(tmp_path):
    """Where not even the header fits, nothing is left behind and the words say so."""
    path = tmp_path / "a.destutter"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(RecordingEndedError, match="nothing could be recorded"):
            Recorder(path, HEADER)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not path.exists()


def test_last_second_that_cannot_be_written_is_told(tmp_path):
    """close() says that the disk was full, once, and is quiet afterwards."""
    path = tmp_path / "a.destutter"
    recorder = Recorder(path, HEADER, clock=lambda: 0)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_of(path), before[1]))
    try:
        recorder.accept_message(next(ticks(1)))
        with pytest.raises(RecordingEndedError, match="nothing could be recorded"):
            recorder.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    recorder.close()
    assert replayed(path) == [HEADER]


def test_message_too_large_ends_the_recording(tmp_path):
    """A text of 70 MB is no measurement: the recording ends with words instead of a bad file."""
    recorder = Recorder(tmp_path / "a.destutter", HEADER, clock=lambda: 0)
    recorder.accept_message(Marker(1, "x" * (70 << 20)))
    with pytest.raises(RecordingEndedError, match="too large to be recorded"):
        recorder.close()
    assert replayed(tmp_path / "a.destutter") == [HEADER]


def test_recorder_needs_no_numpy():
    """The recording half of the package stays light: `destutter record` runs on handhelds."""
    code = "import sys, destutter.session.recorder; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_state_is_repeated_for_readers_in_the_middle(tmp_path):
    """A reader that begins anew after damage learns layouts, facts and troubles that hold."""
    layout = Layout("vmstat", ("a", "b", "c", "d"))
    first = HEADER.monotonic_ns
    facts = Facts(first, {"game.name": "X-Plane", "clocksource": "tsc"})
    trouble = Trouble(first, "gpu", told("no driver"))
    over: list[Message] = [Facts(first + 1, {"game.name": ""}), Trouble(first + 1, "zone")]
    samples = list(ticks(600))
    early: list[Message] = [layout, facts, trouble, Trouble(first, "zone", told("gone")), *over]
    path = tmp_path / "a.destutter"
    record(path, [*early, *samples])
    first_block = RecordingFile(path)
    first_block.close()
    data = bytearray(path.read_bytes())
    data[first_block.index.blocks[0].offset] ^= 0xFF
    path.write_bytes(data)
    known = Facts(first + 1, {"clocksource": "tsc"})
    assert replayed(path) == [HEADER, layout, known, trouble, *samples[100:]]


def test_header_with_an_impossible_clock_is_refused(tmp_path):
    """A wall clock that is not a number is an error of the caller, not a broken file."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        Recorder(tmp_path / "a.destutter", Header(1, float("nan"), 100))


def test_what_a_trace_found_is_for_nobody_else_to_read(tmp_path):
    """It names programs of all users. A recording without one is as readable as any file."""
    with Recorder(tmp_path / "a.destutter", HEADER) as recorder:
        recorder.accept_message(next(ticks(1)))
        assert stat.S_IMODE(os.stat(recorder.path).st_mode) & 0o400
        os.chmod(recorder.path, 0o644)
        recorder.accept_message(TraceLook(1, 2, 0, 3))
        assert stat.S_IMODE(os.stat(recorder.path).st_mode) == 0o600
