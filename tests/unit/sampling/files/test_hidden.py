# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Flatpak hides is not measured, and never told as if there were nothing of the kind."""

import time

import pytest

from destutter.core.sample import Header, Sample, Trouble
from destutter.core.sandbox import INFO, Sandbox
from destutter.sampling.computer.firmware_events import FirmwareEventSampler
from destutter.sampling.files.hidden import NEVER_LENT, OF_OTHER_PROGRAMS
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.frames.frame_feed import FrameFeed
from destutter.sampling.machine import describe_machine
from destutter.sampling.registry import SAMPLERS
from destutter.sampling.sampler import Sampler, SamplerOptions
from tests.support.fake_root import FakeRoot
from tests.support.flatpak_sandbox import flatpak_info
from tests.support.measuring import SteppedClock


@pytest.fixture
def root(tmp_path):
    """A Flatpak: this program under a number of its own, and the counters of the computer."""
    root = FakeRoot(
        tmp_path,
        {
            INFO: flatpak_info(),
            "/etc/os-release": 'PRETTY_NAME="KDE Flatpak runtime"\n',
            "/run/host/os-release": 'PRETTY_NAME="Bazzite 42"\n',
            "/proc/stat": "cpu  1 0 1 9 0 0 0 0 0 0\ncpu0 1 0 1 9 0 0 0 0 0 0\nctxt 5\n",
        },
    )
    root.put_process(2, "destutter")
    return root


def _messages(root):
    clock = SteppedClock()
    sampler = Sampler(root.files, SamplerOptions(), clock, lambda: 0)
    messages = sampler.begin(1.7e9)
    for _ in range(3):
        sampler.slow.run_due()
        messages += sampler.tick(clock.now_ns)
        clock.now_ns += 4_000_000_000
    sampler.close()
    return messages


def test_other_programs_are_told_as_hidden(root):
    """Nothing is delivered in their name, for it would only be this program itself."""
    messages = _messages(root)
    troubles = {each.source: each.reason for each in messages if isinstance(each, Trouble)}
    assert SAMPLERS.keys() >= OF_OTHER_PROGRAMS
    for name in OF_OTHER_PROGRAMS:
        assert "sandbox hides all other programs" in str(troubles[name])
    readings = [
        reading for each in messages if isinstance(each, Sample) for reading in each.readings
    ]
    assert not OF_OTHER_PROGRAMS & {each.source for each in readings}
    assert readings


def test_who_shares_memory_is_told_to_no_sandbox(root):
    """With its reason, and no process is searched."""
    troubles = [each for each in _messages(root) if isinstance(each, Trouble)]
    assert {"partner"} == NEVER_LENT
    (reason,) = (each.reason for each in troubles if each.source == "partner")
    assert "what memory programs have mapped" in str(reason)


def test_header_tells_the_sandbox_and_the_system_around_it(root):
    """So that a recording says it too; the distribution is the computer's, not the runtime's."""
    header = next(each for each in _messages(root) if isinstance(each, Header))
    assert header.machine["sandbox"] == "flatpak"
    assert header.machine["distribution"] == "Bazzite 42"
    root.remove(INFO)
    machine = describe_machine(root.files)
    assert "sandbox" not in machine
    assert machine["distribution"] == "KDE Flatpak runtime"


def test_firmware_is_hidden_and_not_missing(root):
    """The computer may well count its events."""
    with pytest.raises(AbsentError, match="sandbox"):
        FirmwareEventSampler(root.files).read()


def test_xplane_without_a_network_says_how_to_open_it():
    """Silence would send people to X-Plane's settings."""
    feed = FrameFeed(time.monotonic_ns, Sandbox("io.github.destutter.Destutter"))
    feed.listen_for_beacon()
    (trouble,) = feed.take()
    assert isinstance(trouble, Trouble)
    assert str(trouble.reason).endswith(
        "flatpak run --share=network io.github.destutter.Destutter"
    )
    feed.listen("127.0.0.1", 49000)
    assert feed.take() == []  # the same, told once
    feed.stop()
