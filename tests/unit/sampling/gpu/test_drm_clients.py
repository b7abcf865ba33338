# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game does on the graphics card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.gpu.drm_clients import DrmClientSampler, drm_descriptors, parse_fdinfo
from tests.support.fake_root import FakeRoot
from tests.support.measuring import SteppedClock, parsed, read_once

PID = 4711
AMD = (
    "pos:\t0\nflags:\t02\ndrm-driver:\tamdgpu\ndrm-client-id:\t{client}\n"
    "drm-pdev:\t0000:03:00.0\ndrm-engine-gfx:\t{busy} ns\ndrm-engine-capacity-gfx:\t1\n"
    "drm-memory-vram:\t 100 KiB\ndrm-resident-vram:\t2 MiB\ndrm-memory-gtt:\t 4 KiB\n"
)
XE = (
    "drm-driver:\txe\ndrm-client-id:\t9\ndrm-pdev:\t0000:00:02.0\n"
    "drm-cycles-rcs:\t{cycles}\ndrm-total-cycles-rcs:\t{total}\ndrm-resident-vram0:\t1 GiB\n"
)


class Card:
    """A game with descriptors, a clock and the sampler on it."""

    def __init__(self, folder):
        self.root = FakeRoot(folder)
        self.clock = SteppedClock()
        self.watch = WatchedProcess(PID)
        self.sampler = DrmClientSampler(self.root.files, self.watch, self.clock)

    def put(self, descriptor, text):
        """A descriptor of the game."""
        self.root.put(f"/proc/{PID}/fdinfo/{descriptor}", text)

    def read(self):
        """Engine to busy time, and region to size."""
        found = read_once(self.sampler)
        return (
            {name: row["busy_ns"] for name, row in found["gpu_engine"].items()},
            {name: row["resident_bytes"] for name, row in found["gpu_region"].items()},
        )


@pytest.fixture
def card(tmp_path):
    """A game without a card."""
    return Card(tmp_path)


def test_a_client_counts_once_however_often_it_is_open(card):
    """Descriptors of the same client are one; other files are none; clients are summed."""
    card.put(3, "pos:\t0\nflags:\t0\n")
    for descriptor in (5, 6):
        card.put(descriptor, AMD.format(client=7, busy=1000))
    card.put(8, AMD.format(client=8, busy=50))
    engines, regions = card.read()
    assert engines == {"amdgpu gfx": 1050}
    assert regions == {"amdgpu vram": 4 << 20, "amdgpu gtt": 8 << 10}
    assert drm_descriptors(card.root.files, PID) == ["5", "6", "8"]


def test_cycles_of_xe_become_time(card):
    """A quarter of all cycles in two seconds is half a second of work."""
    card.put(5, XE.format(cycles=100, total=1000))
    assert card.read()[0] == {"xe rcs": 0}
    card.clock.advance(2)
    card.put(5, XE.format(cycles=350, total=2000))
    engines, regions = card.read()
    assert engines == {"xe rcs": 500_000_000}
    assert regions == {"xe vram0": 1 << 30}


def test_a_card_that_rests_adds_no_time(card):
    """Cycles that did not move, or began anew, add nothing."""
    for cycles, total in ((100, 1000), (100, 1000), (5, 2000)):
        card.put(5, XE.format(cycles=cycles, total=total))
        assert card.read()[0] == {"xe rcs": 0}
        card.clock.advance(1)


def test_new_descriptors_are_found_after_a_while(card):
    """The list of descriptors is searched every ten seconds; one that closed is left out."""
    card.put(5, AMD.format(client=7, busy=1000))
    card.read()
    card.put(6, AMD.format(client=8, busy=1))
    card.root.remove(f"/proc/{PID}/fdinfo/5")
    assert card.read()[0] == {}
    card.clock.advance(10)
    assert card.read()[0] == {"amdgpu gfx": 1}


def test_no_game_no_reading(card):
    """While nothing is watched there are no readings; a game without a card has no engines."""
    card.read()
    card.watch.pid = None
    assert card.sampler.read() == ()
    card.watch.pid = 99
    assert card.read() == ({}, {})


@pytest.mark.parametrize("value", ["many ns", "5 parsecs", ""])
def test_a_damaged_line_is_named(value):
    """An amount that cannot be understood raises with its line."""
    text = f"drm-driver:\tamdgpu\ndrm-engine-gfx:\t{value}\n"
    with pytest.raises(KernelFileError) as info:
        parse_fdinfo("/proc/1/fdinfo/2", text.encode())
    assert (info.value.path, info.value.line) == ("/proc/1/fdinfo/2", 2)


@given(st.binary(max_size=80), st.sampled_from([b"", b"drm-driver: x\ndrm-resident-"]))
def test_any_bytes_give_a_client_or_an_error(data, start):
    """No content makes the parser fail in another way."""
    parsed(lambda: parse_fdinfo("/p", start + data), "/p")
