# SPDX-License-Identifier: GPL-3.0-or-later
"""What the probes share: lines that never wait for their reader, commands, and the end."""

import fcntl
import os

import pytest

from destutter.core.catalog import SOURCES
from destutter.core.last_words import last_words
from destutter.core.sample import Header, Layout, Reading, Sample, Trouble, decode
from destutter.core.statement import told
from destutter.sampling.probes.probe_stream import ProbeParser, ProbeStream
from tests.unit.sampling.probes.fakes import MS, FakeClock

VALUES = tuple(range(9))


@pytest.fixture
def pipes():
    """Standard input and output of a probe: (input, its writer, reader, output)."""
    descriptors = [*os.pipe(), *os.pipe()]
    yield descriptors
    for descriptor in descriptors:
        if descriptor >= 0:
            os.close(descriptor)


def close(pipes, index):
    """Close one end now."""
    os.close(pipes[index])
    pipes[index] = -1


def stream_on(pipes, batch_ms=250, clock=None):
    """A stream of the wake-up probe on the pipes."""
    return ProbeStream("wakeup", batch_ms, clock or FakeClock(), pipes[0], pipes[3])


def lines_in(pipes):
    """The messages that have been written."""
    os.set_blocking(pipes[2], False)
    try:
        data = os.read(pipes[2], 1 << 20)
    except BlockingIOError:
        return []
    return [decode(line) for line in data.splitlines()]


def test_begins_with_header_and_layout(pipes):
    """The first two lines say what the samples are."""
    stream_on(pipes).begin(100)
    header, layout = lines_in(pipes)
    assert isinstance(header, Header)
    assert (header.monotonic_ns, header.interval_ms) == (1000 * MS, 100)
    assert layout == Layout("wakeup", SOURCES["wakeup"].fields)


def test_samples_are_written_in_batches(pipes):
    """Three samples within 250 ms are one write, so that the reader wakes once."""
    clock = FakeClock()
    stream = stream_on(pipes, clock=clock)
    stream.begin(100)
    lines_in(pipes)
    for _ in range(3):
        assert lines_in(pipes) == []
        clock.t += 100 * MS
        stream.emit(clock.t, clock.t - 3 * MS, VALUES)
    samples = lines_in(pipes)
    assert len(samples) == 3
    assert samples[2] == Sample(clock.t, 0, 0, 3000, (Reading("wakeup", clock.t, VALUES),))


def test_suspend_is_told(pipes):
    """A sample after a suspend says how long the computer has slept."""
    clock = FakeClock()
    clock.slept = 7_000 * MS
    stream_on(pipes, batch_ms=0, clock=clock).emit(clock.t, clock.t, VALUES)
    (sample,) = lines_in(pipes)
    assert sample.suspended_ns == 7_000 * MS


def test_end_of_input_stops(pipes):
    """When whoever started the probe closes its input, or dies, the probe stops."""
    stream = stream_on(pipes)
    stream.emit(0, 0, VALUES)
    assert not stream.is_stopping
    close(pipes, 1)
    stream.emit(500 * MS, 0, VALUES)
    assert stream.is_stopping


def test_reader_that_is_gone_stops(pipes):
    """A broken pipe is the end, not an error."""
    stream = stream_on(pipes)
    close(pipes, 2)
    stream.begin(100)
    assert stream.is_stopping


def test_batch_command_changes_the_batch(pipes):
    """`batch 0` writes each sample at once; nonsense changes nothing."""
    clock = FakeClock()
    stream = stream_on(pipes, batch_ms=60_000, clock=clock)
    stream.begin(100)
    lines_in(pipes)
    for command, samples in ((b"batch many\nwatch 7\nbatch 0\nbat", 1), (b"ch 60000\n", 0)):
        os.write(pipes[1], command)
        clock.t += 500 * MS
        stream.emit(clock.t, clock.t, VALUES)
        assert len(lines_in(pipes)) == samples
    assert not stream.is_stopping


def test_reader_that_stalls_is_not_waited_for(pipes):
    """With a full pipe the probe goes on, and what was kept arrives later in order."""
    fcntl.fcntl(pipes[3], fcntl.F_SETPIPE_SZ, 4096)
    clock = FakeClock()
    stream = stream_on(pipes, batch_ms=0, clock=clock)
    for number in range(500):
        stream.emit(clock.t + number, clock.t + number, VALUES)
    found: list[bytes] = []
    while b"".join(found).count(b"\n") < 500:
        found.append(os.read(pipes[2], 1 << 16))
        stream.flush()
    messages = [decode(line) for line in b"".join(found).splitlines()]
    samples = [message for message in messages if isinstance(message, Sample)]
    assert [sample.monotonic_ns - clock.t for sample in samples] == list(range(500))


def test_complaint_is_told_to_programs_and_people(pipes, capfd):
    """A probe that cannot go on says why on its stream and on standard error."""
    stream_on(pipes).complain(told("the disk is full"))
    (trouble,) = lines_in(pipes)
    assert trouble == Trouble(1000 * MS, "wakeup", told("the disk is full"))
    assert last_words(capfd.readouterr().err.encode()) == told("the disk is full")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seconds", "0"],
        ["--seconds", "-1"],
        ["--seconds", "soon"],
        ["--seconds", "nan"],
        ["--seconds", "inf"],
        ["--interval-us", "50"],
        ["--interval-us", "\u0661\u0660\u0660\u0660"],
        ["--sample-ms", "1.5"],
        ["--batch-ms", "-1"],
        ["--nonsense"],
        ["left over"],
    ],
)
def test_wrong_usage_is_one_line(capfd, arguments):
    """Zero, negative, text and unknown arguments each give one line and exit status 2."""
    with pytest.raises(SystemExit) as exit_info:
        ProbeParser("wakeup", 5000).parse_args(arguments)
    assert exit_info.value.code == 2
    output, errors = capfd.readouterr()
    assert output == ""
    assert errors.count("\n") == 1
    assert "argument" in str(last_words(errors.encode()))
