# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings that were cut off, damaged or never were one."""

import os
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metric_table import METRICS
from destutter.core.metrics import DAMAGED, Deriver
from destutter.core.sample import Facts, Layout, Marker, Message, Reading, Sample, Trouble
from destutter.core.statement import Statement, told
from destutter.session.block_index import read_index
from destutter.session.csv_table import export_csv
from destutter.session.format import (
    FORMAT_VERSION,
    HEAD_BYTES,
    MAGIC,
    SYNC,
    Flag,
    RecordingError,
    pack_block,
    pack_preamble,
)
from destutter.session.recording_file import RecordingFile
from destutter.session.replay import ReplaySource
from tests.unit.session.streams import HEADER, SECOND_NS, TICK_NS, record, replayed, ticks

LAYOUT = Layout("vmstat", ("a", "b", "nr_dirty", "d"))
PREAMBLE = pack_preamble(HEADER, "x")


@pytest.fixture
def recording(tmp_path):
    """30 s of ticks: blocks 0, 10 and 20 are key blocks."""
    record(tmp_path / "a.destutter", [LAYOUT, *ticks(300)])
    return tmp_path / "a.destutter"


def blocks_of(path):
    """Offset and end of every block."""
    file = RecordingFile(path)
    file.close()
    return [(entry.offset, entry.end) for entry in file.index.blocks]


def damage(path, offset, data=b"\xff\xff"):
    """Overwrite bytes in the middle of the file."""
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def test_torn_tail_is_left_out_and_told(recording):
    """Cut off after any byte, a recording opens with all blocks that are whole."""
    data = recording.read_bytes()
    blocks = blocks_of(recording)
    everything = [HEADER, LAYOUT, *ticks(300)]
    for size in range(blocks[0][0], blocks[2][1] + 1, 7):
        recording.write_bytes(data[:size])
        whole = sum(end <= size for _, end in blocks)
        replay = ReplaySource(recording)
        kept = 1 + whole * 10 + (whole > 0)
        assert list(replay.messages()) == everything[:kept]
        torn = size - (blocks[whole - 1][1] if whole else blocks[0][0])
        assert replay.file.index.torn_bytes == torn
        assert replay.problems == ((Statement("session.torn", {"torn": torn}),) if torn else ())
        replay.close()


@pytest.mark.parametrize("cut", [0, 1, 40, 3000])
def test_a_second_recording_behind_the_first_is_left_out_and_told(recording, cut):
    """As ``cat`` joins two, also behind a torn end: another time, maybe of another game."""
    data = recording.read_bytes()
    first = data[: len(data) - cut]
    recording.write_bytes(first)
    alone = ReplaySource(recording)
    kept, rest = list(alone.messages()), alone.file.index.torn_bytes
    alone.close()
    recording.write_bytes(first + data)
    joined = ReplaySource(recording)
    assert list(joined.messages()) == kept
    told = Statement("session.another", {"rest_bytes": rest + len(data)})
    assert joined.problems == (told,)
    joined.close()


@pytest.mark.parametrize("place", [0, 5, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 30])
def test_damaged_block_costs_until_the_next_key_block(recording, place):
    """Bytes changed in the head or body of block 13 lose blocks 13 to 19, told as one gap."""
    damage(recording, blocks_of(recording)[13][0] + place)
    replay = ReplaySource(recording)
    samples = list(ticks(300))
    assert list(replay.messages()) == [HEADER, LAYOUT, *samples[:130], *samples[200:]]
    (gap,) = replay.gaps
    assert (gap.start_ns, gap.end_ns) == (samples[129].monotonic_ns, samples[200].monotonic_ns)
    assert gap.reason == "damaged"
    assert replay.problems == (Statement("session.lost", {"lost": 7.1, "second": 12.9}),)
    replay.close()


def test_counters_of_what_was_lost_are_spread_over_nothing_behind_a_probe(tmp_path):
    """The probe's own sample comes first behind the damage, and the sampler's has the counters.

    Else all faults of the lost seconds are the game's within them, of which nothing is known.
    """
    layout = Layout("vmstat", ("pgmajfault", "b", "c", "d"))
    stream: list[Message] = [layout]
    for sample in ticks(300, sources=("vmstat",)):
        woken_ns = sample.monotonic_ns - TICK_NS // 2
        stream += [Sample(woken_ns, 0, 5, 0, (Reading("wakeup", woken_ns, (0, 1, 2)),)), sample]
    path = tmp_path / "a.destutter"
    record(path, stream)
    damage(path, blocks_of(path)[13][0])
    deriver = Deriver(METRICS)
    deriver.accept_layout(layout)
    told = [deriver.derive(each) for each in replayed(path) if isinstance(each, Sample)]
    (behind,) = [each for each in told if each.gap is not None]
    assert behind.gap is not None
    assert behind.gap.reason == DAMAGED
    assert behind.values["memory.major_faults_per_s"] is None


def test_damaged_last_key_block_is_a_gap_to_the_end(recording):
    """When no key block follows, everything after the damage is one gap up to the last block."""
    damage(recording, blocks_of(recording)[20][0])
    replay = ReplaySource(recording)
    samples = list(ticks(300))
    assert list(replay.messages()) == [HEADER, LAYOUT, *samples[:200]]
    (gap,) = replay.gaps
    assert gap.end_ns == samples[299].monotonic_ns
    replay.close()


def test_missing_piece_is_found(recording):
    """Bytes that are missing in the middle, not changed, cost no more than changed ones."""
    data = recording.read_bytes()
    start, end = blocks_of(recording)[13]
    recording.write_bytes(data[: start + 20] + data[end - 1 :])
    samples = list(ticks(300))
    assert replayed(recording) == [HEADER, LAYOUT, *samples[:130], *samples[200:]]


def test_markers_survive_in_blocks_without_samples_to_decode(tmp_path):
    """What is not numbers is read from blocks whose numbers are lost, in its place."""
    stream: list[Message] = [LAYOUT]
    for number, sample in enumerate(ticks(300)):
        stream.append(sample)
        if number % 10 == 5:
            stream.append(Marker(sample.monotonic_ns, f"mark {number // 10}"))
    path = tmp_path / "a.destutter"
    record(path, stream)
    damage(path, blocks_of(path)[13][0])
    markers = [message for message in replayed(path) if isinstance(message, Marker)]
    assert [marker.text for marker in markers] == [f"mark {n}" for n in range(30) if n != 13]


def test_state_that_changed_in_the_damage_is_made_up_for(tmp_path):
    """A layout, a fact and a trouble of the lost block are told after the gap, and no others."""
    new = Layout("vmstat", ("d", "c", "b", "a"))
    samples = list(ticks(300))
    facts = Facts(samples[0].monotonic_ns, {"clocksource": "tsc", "game.name": "DCS"})
    later = Facts(samples[133].monotonic_ns, {"clocksource": "hpet", "game.name": ""})
    held, lost = Trouble(1, "gpu", told("no driver")), Trouble(2, "zone", told("damaged"))
    stream: list[Message] = [LAYOUT, facts, held, *samples[:133]]
    stream += [new, later, lost, *samples[133:]]
    path = tmp_path / "a.destutter"
    record(path, stream)
    damage(path, blocks_of(path)[13][0] + HEAD_BYTES)
    before = [HEADER, LAYOUT, facts, held, *samples[:130]]
    after = [*before, new, later, lost, *samples[200:]]
    assert replayed(path) == after


@pytest.mark.parametrize("place", [0, HEAD_BYTES])
def test_state_that_changed_right_before_a_key_block_is_made_up_for(tmp_path, place):
    """Numbers after a lost block have the layout that was in it, also when they begin anew there.

    ``place`` 0: not even the head of the lost block can be found.
    """
    new = Layout("vmstat", ("d", "c", "b", "a"))
    samples = list(ticks(300))
    path = tmp_path / "a.destutter"
    record(path, [LAYOUT, *samples[:193], new, *samples[193:]])
    damage(path, blocks_of(path)[19][0] + place)
    assert replayed(path) == [HEADER, LAYOUT, *samples[:190], new, *samples[200:]]


def test_zeros_after_a_power_cut_are_a_torn_tail(recording):
    """A file whose last pages never reached the disk ends where its blocks end."""
    data = recording.read_bytes()
    start, _ = blocks_of(recording)[25]
    recording.write_bytes(data[:start] + bytes(len(data) - start))
    assert replayed(recording) == [HEADER, LAYOUT, *ticks(250)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b"time,fps\n1,60\n" * 9, "this is not a Destutter recording"),
        (bytes(100), "this is not a Destutter recording"),
        (MAGIC[:9], "the recording was cut off before it began"),
        (PREAMBLE[:-1], "the recording was cut off before it began"),
        (PREAMBLE[:-1] + bytes([PREAMBLE[-1] ^ 1]), "the header of the recording is damaged"),
        (MAGIC + struct.pack("<HHII", 1, 1, 1 << 30, 0), "the header .* is damaged"),
    ],
    ids=["empty", "foreign", "zeros", "cut in the mark", "cut", "damaged", "too long"],
)
def test_files_that_are_no_recordings_are_refused_in_words(tmp_path, data, words):
    """Empty, foreign, cut off in the header or damaged there: each gets its own line."""
    path = tmp_path / "a.destutter"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=f"^{path}: {words}"):
        ReplaySource(path)


def test_newer_recordings_are_refused_with_advice(recording):
    """A file that needs a newer reader says so, and what to do."""
    damage(recording, len(MAGIC), struct.pack("<HH", 7, 3))
    with pytest.raises(RecordingError, match=r"newer Destutter .*format 3.*update Destutter"):
        ReplaySource(recording)


def test_newer_recordings_that_we_can_read_are_read(recording):
    """A higher version alone is read, and said."""
    damage(recording, len(MAGIC), struct.pack("<H", FORMAT_VERSION + 1))
    replay = ReplaySource(recording)
    assert list(replay.messages()) == [HEADER, LAYOUT, *ticks(300)]
    assert replay.problems == (Statement("session.newer_left_out"),)
    replay.close()


def test_paths_that_cannot_be_read_are_refused_in_words(tmp_path):
    """A missing file, a folder, a pipe and an impossible name each get clear words."""
    os.mkfifo(tmp_path / "pipe")
    for name, words in {
        "missing": "there is no such file",
        ".": "this is a folder, not a recording",
        "pipe": "this is not a file",
        "a\0b": "this cannot be a file name",
    }.items():
        with pytest.raises(RecordingError, match=words):
            ReplaySource(os.path.join(tmp_path, name))


def test_closed_recording_refuses_in_words(recording):
    """Reading after close() is an error with words; closing twice is not."""
    replay = ReplaySource(recording)
    replay.close()
    replay.close()
    with pytest.raises(RecordingError, match="has been closed"):
        list(replay.messages())


BAD_PAYLOADS = {
    "too short": b"123",
    "parts longer than the block": struct.pack("<4I", 1000, 0, 0, 0),
    "odd order": struct.pack("<4I", 0, 0, 2, 1) + b"[]" + b"\0",
    "odd columns": struct.pack("<4I", 0, 0, 2, 0) + b"[]" + b"123",
    "shapes that are no JSON": struct.pack("<4I", 0, 0, 2, 0) + b"[?",
    "shapes of something else": struct.pack("<4I", 0, 0, 5, 0) + b"[[7]]",
    "a reading of -1 values": struct.pack("<4I", 0, 0, 12, 0) + b'[[["a",-1]]]',
    "an unknown shape": struct.pack("<4I", 0, 0, 2, 2) + b"[]" + b"\5\0",
    "events that are missing": struct.pack("<4I", 0, 0, 2, 2) + b"[]" + b"\0\0",
    "numbers that are missing": struct.pack("<4I", 0, 0, 4, 2) + b"[[]]" + b"\1\0",
    "numbers too many": struct.pack("<4I", 0, 0, 2, 0) + b"[]" + bytes(8),
    "a table beyond all memory": struct.pack("<4I", 0, 0, 30, 2)
    + b'[[["a",99999999999999999999]]]'
    + b"\1\0",
    "text that is no UTF-8": struct.pack("<4I", 0, 1, 2, 2) + b"\xff[]\0\0",
}


@pytest.mark.parametrize("payload", BAD_PAYLOADS.values(), ids=BAD_PAYLOADS.keys())
def test_block_that_adds_up_but_makes_no_sense_is_damage(tmp_path, payload):
    """A block with a right checksum and wrong content is a gap, and the next key block is read."""
    path = tmp_path / "a.destutter"
    record(path, ticks(10))
    first = HEADER.monotonic_ns
    bad = pack_block(Flag.KEY | Flag.SAMPLES | Flag.MARKERS, payload, first + TICK_NS, first + 2)
    data = path.read_bytes()
    good = data[blocks_of(path)[0][0] :]
    path.write_bytes(data + bad + good)
    replay = ReplaySource(path)
    assert list(replay.messages()) == [HEADER, *ticks(10), *ticks(10)]
    assert len(replay.gaps) == 1
    replay.close()


def test_lines_of_a_newer_version_are_left_out(tmp_path):
    """A message kind that this version does not know is skipped, the rest is read."""
    path = tmp_path / "a.destutter"
    text = b'["x",1]\n["m",5,"mark"]'
    parts = struct.pack("<4I", 0, len(text), 2, 4) + text + b"[]" + bytes(4)
    flags = Flag.KEY | Flag.MARKERS
    path.write_bytes(pack_preamble(HEADER, "x") + pack_block(flags, parts, 5, 5))
    assert replayed(path) == [HEADER, Marker(5, "mark")]


def test_packed_trap_is_damage(tmp_path):
    """A block that unpacks to more than its head says is not unpacked any further."""
    path = tmp_path / "a.destutter"
    block = pack_block(Flag.KEY, bytes(1 << 20), 0, 0)
    rest = bytearray(block[8:HEAD_BYTES])
    rest[12:16] = struct.pack("<I", 100)
    head = SYNC + struct.pack("<I", zlib.crc32(rest)) + rest
    path.write_bytes(pack_preamble(HEADER, "x") + head + block[HEAD_BYTES:])
    replay = ReplaySource(path)
    assert len(replay.file.index.blocks) == 1
    assert list(replay.messages()) == [HEADER]
    replay.close()


def test_file_full_of_false_blocks_is_given_up(tmp_path):
    """A file made of marks that promise large blocks is not searched for ever."""
    path = tmp_path / "a.destutter"
    head = pack_block(Flag.KEY, os.urandom(1 << 16), 0, 0)[:HEAD_BYTES]
    path.write_bytes(pack_preamble(HEADER, "x") + (head + SYNC) * 40_000)
    descriptor = os.open(path, os.O_RDONLY)
    index = read_index(descriptor, len(pack_preamble(HEADER, "x")))
    os.close(descriptor)
    assert index.blocks == ()
    assert index.torn_bytes == 40_000 * (HEAD_BYTES + len(SYNC))


@given(st.data())
def test_no_damage_makes_a_reader_fail(tmp_path_factory, data):
    """Whatever bytes change or go, a recording opens or is refused, and plays a part of itself."""
    path = tmp_path_factory.mktemp("fuzz") / "a.destutter"
    stream: list[Message] = [LAYOUT, *ticks(130), Marker(HEADER.monotonic_ns, "mark")]
    record(path, stream)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 90))
        content[at : at + length] = data.draw(st.binary(max_size=90))
    path.write_bytes(content)
    try:
        replay = ReplaySource(path)
    except RecordingError:
        return
    known = list(ticks(130))
    samples = [message for message in replay.messages() if isinstance(message, Sample)]
    assert all(sample in known for sample in samples)
    assert all(gap.start_ns <= gap.end_ns <= 30 * SECOND_NS for gap in replay.gaps)
    assert export_csv(replay, path.with_suffix(".csv"), ["memory.dirty_bytes"]) == len(samples)
    replay.close()
