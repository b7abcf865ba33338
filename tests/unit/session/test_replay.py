# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a source of messages."""

from destutter.core.sample import (
    Facts,
    Frames,
    Header,
    Layout,
    Marker,
    Message,
    Reading,
    Sample,
    Trouble,
)
from destutter.core.statement import told
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource, Since
from destutter.session.store import describe
from tests.unit.session.streams import HEADER, record, ticks

FIRST = HEADER.monotonic_ns
S_NS = 1_000_000_000
LAYOUT = Layout("vmstat", ("a", "b", "c", "d"))


def test_two_passes_at_once_do_not_disturb_each_other(tmp_path):
    """Two iterations over one recording each see everything, in order."""
    samples = list(ticks(600))
    stream: list[Message] = [
        LAYOUT,
        Facts(FIRST, {"game.name": "DCS", "clocksource": "tsc"}),
        Trouble(FIRST, "gpu", told("no driver")),
        *samples[:200],
        Facts(samples[200].monotonic_ns, {"game.name": ""}),
        Layout("vmstat", ("d", "c", "b", "a")),
        *samples[200:400],
        Marker(samples[400].monotonic_ns, "mark"),
        Frames("mangohud", (samples[400].monotonic_ns - 5, samples[400].monotonic_ns), (7, 8)),
        *samples[400:],
    ]
    record(tmp_path / "a.destutter", stream)
    replay = ReplaySource(tmp_path / "a.destutter")
    pairs = list(zip(replay.messages(), replay.messages(), strict=True))
    assert pairs == [(message, message) for message in (HEADER, *stream)]
    replay.close()


def test_own_header_comes_first_even_in_an_empty_recording(tmp_path):
    """The first message of a source is its header, also when nothing follows."""
    header = Header(7, 2.5, 50, {"cpus": 2}, {})
    record(tmp_path / "a.destutter", [], header)
    source = ReplaySource(tmp_path / "a.destutter")
    assert list(source.messages()) == [header]
    assert source.gaps == ()
    assert list(source.layouts()) == []
    source.close()


def test_what_is_older_than_the_recording_does_not_make_it_longer(tmp_path):
    """It has to know of the stream in which it begins: of 40 s the replay said 10:36."""
    path = tmp_path / "late.destutter"
    header = Header(600 * S_NS, 0.0, 100)
    layout = Layout("pressure", ("some_us", "full_us"), ("cpu",))
    times = (3 * S_NS, *range(600 * S_NS, 641 * S_NS, S_NS))
    with Recorder(path, header) as recorder:
        recorder.accept_message(layout)
        for at in times:
            reading = Reading("pressure", at, (at // 1000, 0))
            recorder.accept_message(Sample(at, 0, 5, 0, (reading,)))
    source = ReplaySource(path)
    assert source.span_ns == (600 * S_NS, 640 * S_NS)
    assert describe(path).duration_s == 40
    for since_ns in (None, 500 * S_NS, 601 * S_NS):
        assert Since(source, since_ns).start_ns == 600 * S_NS
    source.close()
