# SPDX-License-Identifier: GPL-3.0-or-later
"""The live stream: real child processes, merged, and ended without leftovers."""

import sys
import threading
import time

import pytest

from destutter.core.sample import Facts, Frames, Header, Marker, Sample, Trouble
from destutter.core.traced import TraceLook
from destutter.sampling.live import LiveSource, LiveSourceError
from destutter.sampling.own_program import own_command
from destutter.sampling.programs import LiveOptions
from destutter.sampling.trace_source import LentTrace
from tests.guards.leftovers import live_children
from tests.support.fake_root import FakeRoot, proc_stat

HEADER = '["h",1,1.0,100,{"cpus":2},{}]'
SAMPLE = '["s",2,0,1,1,[]]'


@pytest.fixture
def tree(tmp_path):
    """A small computer."""
    return FakeRoot(tmp_path, {"/proc/stat": proc_stat()}).files.root


STEPS = """
import os, sys, time

def done(step):
    with open(step + ".new", "w") as file:
        file.write(str(os.getpid()))
    os.rename(step + ".new", step)

def until(step):
    while not os.path.exists(step):
        time.sleep(0.001)
"""


def script(text, folder="."):
    """A command that runs a piece of Python in place of the program.

    Several of them in one folder wait for each other's steps.
    """
    return [sys.executable, "-c", f"{STEPS}os.chdir({str(folder)!r})\n{text}"]


def write(*lines):
    """Python that writes lines and flushes."""
    return f"print({chr(92) + 'n'!r}.join({list(lines)!r}), flush=True)\n".replace("\\\\n", "\\n")


def test_the_sampler_runs_as_a_process_of_its_own(tree):
    """A stream of the asked length: the header first, then samples; nothing stays behind."""
    source = LiveSource(LiveOptions(root=tree, interval_ms=20, seconds=0.3, batch_ms=0))
    stream = list(source.messages())
    assert isinstance(stream[0], Header)
    assert sum(isinstance(message, Sample) for message in stream) >= 10
    source.close()
    assert [child.process.returncode for child in source._children] == [0]


def test_closing_ends_the_stream(tree):
    """Closed from another thread, the stream ends by itself and the process is gone."""
    source = LiveSource(LiveOptions(root=tree, interval_ms=20, batch_ms=0))
    is_under_way = threading.Event()

    def close() -> None:
        is_under_way.wait()
        source.close()

    closer = threading.Thread(target=close, daemon=True)
    closer.start()
    for message in source.messages():
        if isinstance(message, Sample):
            is_under_way.set()
    closer.join()
    source.close()


def test_leaving_the_stream_ends_the_process(tree):
    """A reader that stops half way leaves no process."""
    before = live_children()
    source = LiveSource(LiveOptions(root=tree, interval_ms=20, batch_ms=0))
    assert live_children() != before
    for message in source.messages():
        if isinstance(message, Sample):
            break
    source.close()
    assert live_children() == before


def test_a_source_that_is_never_read_can_be_closed(tree):
    """Closing before reading ends the process, twice if need be."""
    before = live_children()
    source = LiveSource(LiveOptions(root=tree))
    assert live_children() != before
    source.close()
    source.close()
    assert live_children() == before


def test_a_log_of_frames_is_followed(tree, tmp_path):
    """A log that is not there yet is told, and its frames arrive once it is."""
    log = tmp_path / "game.csv"
    source = LiveSource(LiveOptions(root=tree, interval_ms=20, batch_ms=0, frames=str(log)))
    seen: list[object] = []
    for message in source.messages():
        if isinstance(message, Trouble) and message.source == "frames":
            seen.append("" if message.reason is None else str(message.reason))
            if not log.exists():
                log.write_text(f"fps,frametime,elapsed\n60,17,{10**13}\n")
        elif isinstance(message, Frames):
            seen.append(message.frame_us)
            source.close()
    assert seen == [f"{log}: not there yet", "", (17_000,)]


def test_a_tree_that_is_none_is_told(tmp_path):
    """The sampler's own words are the reason."""
    source = LiveSource(LiveOptions(root=str(tmp_path)))
    with pytest.raises(LiveSourceError, match=r"^/.*holds no captured computer"):
        list(source.messages())


def test_a_program_that_cannot_be_started_is_told():
    """A missing program is an error in words."""
    with pytest.raises(LiveSourceError, match="could not be started"):
        LiveSource(LiveOptions(), ["/nowhere/at/all"])


def test_a_sampler_that_dies_is_told():
    """An end with an error names the last line of it, or the status."""
    source = LiveSource(LiveOptions(), script(write(HEADER) + "sys.exit('no more memory')"))
    with pytest.raises(LiveSourceError, match="no more memory"):
        list(source.messages())
    source = LiveSource(LiveOptions(), script(write(HEADER) + "sys.exit(3)"))
    with pytest.raises(LiveSourceError, match="status 3"):
        list(source.messages())


def test_rubbish_is_refused():
    """A process that writes something else is no sampler."""
    source = LiveSource(LiveOptions(), script(write("hello")))
    with pytest.raises(LiveSourceError, match="something else"):
        list(source.messages())


def test_a_process_that_does_not_listen_is_ended(monkeypatch):
    """One that ignores its input and signals is killed in the end."""
    monkeypatch.setattr("destutter.sampling.live._STOP_S", 0.2)
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    source = LiveSource(LiveOptions(), script(deaf + write(HEADER) + "time.sleep(60)"))
    begun = time.monotonic()
    for _ in source.messages():
        break
    source.close()
    assert time.monotonic() - begun < 30


PROBES = f"""
if "--wakeup-probe" in sys.argv:
    {write(HEADER, '["m",5,"probe"]').strip()}
    done("spoken")
    until("begun")
    sys.exit("the clock broke")
until("spoken")
{write(HEADER, SAMPLE).strip()}
done("begun")
sys.stdin.read()
"""


def test_probes_are_merged_behind_the_sampler_header(tmp_path):
    """What a probe says before the sampler's header waits for it; its own header is dropped."""
    source = LiveSource(LiveOptions(probes=("wakeup",)), script(PROBES, tmp_path))
    stream = []
    for message in source.messages():
        stream.append(message)
        if isinstance(message, Trouble):
            source.close()
    kinds = [type(message) for message in stream]
    assert kinds[0] is Header
    assert kinds.count(Header) == 1
    assert Marker in kinds
    (trouble,) = [message for message in stream if isinstance(message, Trouble)]
    assert (trouble.source, str(trouble.reason)) == ("wakeup", "the probe ended: the clock broke")


def test_a_stream_says_which_probes_were_started(tmp_path):
    """Right behind the header: one that takes long to begin is not taken for one that is off."""
    source = LiveSource(LiveOptions(probes=("wakeup",)), script(PROBES, tmp_path))
    stream = []
    for message in source.messages():
        stream.append(message)
        if len(stream) == 2:
            source.close()
    assert isinstance(stream[0], Header)
    told = stream[1]
    assert isinstance(told, Facts)
    assert told.facts == {"probe.wakeup": "started"}


def test_probes_measure_this_computer_only(tree):
    """On a captured tree no probe is started, and none is said to be."""
    source = LiveSource(LiveOptions(root=tree, seconds=0.1, probes=("wakeup", "write")))
    stream = list(source.messages())
    assert not [message for message in stream if isinstance(message, Trouble)
                and message.source in ("wakeup", "write")]  # fmt: skip
    facts = [name for message in stream if isinstance(message, Facts) for name in message.facts]
    assert not [name for name in facts if name.startswith("probe.")]


def test_options_become_arguments():
    """Every option that is set is passed on."""
    options = LiveOptions("/r", 50, pid=7, seconds=2.5, batch_ms=10, is_searching=False)
    assert options.sampler_arguments() == [
        "--sampler", "--root", "/r", "--interval-ms", "50", "--batch-ms", "10",
        "--pid", "7", "--seconds", "2.5", "--no-auto",
    ]  # fmt: skip
    assert LiveOptions().sampler_arguments()[-1] == "250"
    assert LiveOptions(frames="/a.csv").sampler_arguments()[-2:] == ["--frames", "/a.csv"]
    assert LiveOptions(xplane="h:1").sampler_arguments()[-2:] == ["--xplane", "h:1"]


def test_captured_tree_is_read_without_a_probe():
    """A probe measures this computer, which another root is not about."""
    options = LiveOptions(batch_ms=10, probes=("wakeup",))
    assert options.programs(["d"])["wakeup"] == ["d", "--wakeup-probe", "--batch-ms", "10"]
    assert list(LiveOptions(root="/srv", pid=7, probes=("wakeup",)).programs()) == ["sampler"]


def test_a_frozen_bundle_starts_itself(monkeypatch):
    """In a bundle the program is its own interpreter."""
    assert own_command()[1:] == ["-m", "destutter"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command() == [sys.executable]


TRACED = """
import json
if '--trace-reader' in sys.argv:
    said = sys.stdin.readline()
    print('["k",5,9,0,1,0,{},[],[],[],[],[]]', flush=True)
    done("spoken")
    said += sys.stdin.readline() + sys.stdin.read()
    print(json.dumps(["m", 20, said]), flush=True)
else:
    until("spoken")
    print('["h",1,1.0,100,{},{}]', flush=True)
    print('["s",2,0,1,1,[]]', flush=True)
"""
# The sampler ends when somebody has taken note of the end of the reader, and waited for it.
UNTRACED = """
if '--trace-reader' in sys.argv:
    done("begun")
    sys.exit('the trace is gone')
until("begun")
print('["h",1,1.0,100,{},{}]', flush=True)
print('["s",2,0,1,1,[]]', flush=True)
with open("begun") as file:
    reader = "/proc/" + file.read()
while os.path.exists(reader):
    time.sleep(0.001)
"""


def traced(folder):
    """A stream with a trace whose reader tells what it was told, and the messages of it."""
    formats = LentTrace('{"version":\n1}', ())
    source = LiveSource(LiveOptions(), script(TRACED, folder), formats)
    for message in source.messages():
        yield message
        if isinstance(message, Sample):
            yield source.follow(77, 78)


def test_a_trace_is_read_beside_the_sampler_and_ends_with_it(tmp_path):
    """Its looks come behind the header, its last words at the end; it is told whose waits."""
    before = live_children()
    header, *rest = traced(tmp_path)
    assert isinstance(header, Header)
    assert TraceLook(5, 9, 0, 1) in rest
    assert [each.facts for each in rest if isinstance(each, Facts)] == [
        {"trace.game": "77", "trace.lead": "78"}
    ]
    assert rest[-1] == Marker(20, '{"version": 1}\ngame 77 78\n')
    assert live_children() == before


def test_a_reader_of_a_trace_that_fails_is_a_trouble_and_no_end(tmp_path):
    """The sampler goes on."""
    source = LiveSource(LiveOptions(), script(UNTRACED, tmp_path), LentTrace("{}", ()))
    stream = list(source.messages())
    (trouble,) = [each for each in stream if isinstance(each, Trouble)]
    assert trouble.source == "trace"
    assert str(trouble.reason).endswith("ended: the trace is gone")
    assert any(isinstance(each, Sample) for each in stream)
