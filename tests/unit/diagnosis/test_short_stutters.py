# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies within a stutter that is shorter than the ticks that it overlaps."""

from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metrics import Metrics
from destutter.diagnosis.circumstances.circumstances import circumstances
from destutter.diagnosis.circumstances.span import StutterSpan
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import TickLog

TICK_NS = 100_000_000
START_NS = 20_000_000_000
DELAY = ("game.run_delay_ms_per_s", None)
MIB = 1024.0 * 1024.0


def _log(spent, usual=0.0, metric="game.run_delay_ms_per_s"):
    """Ten quiet seconds, then ticks with this rate each, then one quiet second."""
    log = TickLog()
    rates = [usual] * 100 + list(spent) + [usual] * 10
    first_ns = START_NS - 100 * TICK_NS
    for number, rate in enumerate(rates):
        log.accept_metrics(Metrics(first_ns + (number + 1) * TICK_NS, 0.1, {metric: rate}))
    return log


def _closely(log, start_ms, length_ms):
    start_ns = START_NS + int(start_ms * 1e6)
    end_ns = start_ns + int(length_ms * 1e6)
    spike = Spike(end_ns, length_ms, "frame")
    ticks = log.between(start_ns - TICK_NS // 2, end_ns + 150_000_000)
    return StutterSpan(log, spike, ticks).closely(DELAY)


def test_a_wait_that_every_frame_has_is_not_all_the_late_ones():
    """Eight writers keep the game from a core for a fifth of each frame, long and short."""
    assert 10.0 < _closely(_log([208.0] * 10), 420.0, 64.0) < 20.0


def test_a_wait_that_only_the_late_frame_had_is_all_its_own():
    """It lies in one tick or across two, and nothing is beside it."""
    for spent in ([0, 0, 0, 0, 600.0, 0, 0, 0, 0], [0, 0, 0, 0, 300.0, 300.0, 0, 0, 0]):
        assert 58.0 <= _closely(_log(spent), 450.0, 64.0) <= 64.0


def test_beside_worse_frames_a_wait_is_its_share_of_the_ticks():
    """What the ticks beside it have more of is not taken from it."""
    worse = [900.0, 900.0, 500.0, 500.0, 900.0, 900.0]
    assert _closely(_log(worse), 200.0, 100.0) >= 49.0


@given(
    st.lists(st.floats(0.0, 1000.0), min_size=8, max_size=8),
    st.floats(0.0, 900.0),
    st.floats(10.0, 300.0),
)
def test_nothing_lasts_longer_than_the_stutter_or_less_than_nothing(spent, start_ms, length_ms):
    """Whatever the ticks have."""
    assert 0.0 <= _closely(_log(spent), min(start_ms, 500.0), length_ms) <= length_ms


def _writing(own, drive):
    """A second in which the game writes, and two in which the drive does: bytes per second."""
    log = TickLog()
    first_ns = START_NS - 100 * TICK_NS
    for number in range(130):
        is_saving, is_busy = 85 <= number < 95, 95 <= number < 125
        values = {"game.write_bytes_per_s": own if is_saving else 0.0}
        drives = {
            "disk.write_bytes_per_s": {"sda": drive if is_busy else 0.0},
            "disk.reads_per_s": {"sda": 0.0},
            "disk.writes_per_s": {"sda": 300.0 if is_busy else 0.0},
            "disk.write_await_ms": {"sda": 80.0 if is_busy else 0.0},
            "disk.busy_pct": {"sda": 100.0 if is_busy else 0.0},
        }
        log.accept_metrics(Metrics(first_ns + (number + 1) * TICK_NS, 0.1, values, drives))
    return circumstances(log, Spike(START_NS + 15 * TICK_NS, 500.0, "frame"))


def test_what_the_game_wrote_before_is_its_own_when_the_drive_writes_it():
    """A save is counted when its pages become dirty, and reaches the drive after that."""
    met = _writing(330 * MIB, 165 * MIB)
    assert met.own_written > 0.9
    assert met.others_bytes <= 0.1 * met.drive_bytes
    assert met.own_requests > 8.0


def test_what_still_waits_to_be_written_is_no_proof():
    """The drive wrote a tenth of what the game did: it may be anybody's."""
    met = _writing(3300 * MIB, 50 * MIB)
    assert met.own_written == 0.0
    assert met.others_bytes == met.drive_bytes
