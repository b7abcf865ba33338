# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct reclaim."""

import pytest

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from tests.support.windows import Given, empty_window, fill, window_of

SPEC = CAUSE_BY_ID["direct_reclaim"]
STALLING = {"memory.allocstall_per_s": 60.0, "memory.direct_reclaim_per_s": 9_000.0}


def _strength(window):
    signal = SPEC.rule(window, SPEC.limits)
    return None if signal is None else signal.strength


@pytest.mark.parametrize(
    ("given", "holds"),
    [
        ({"memory.allocstall_per_s": 4.9}, False),
        ({"memory.allocstall_per_s": 5.0}, True),
        ({"memory.direct_reclaim_per_s": 499.0}, False),
        ({"memory.direct_reclaim_per_s": 500.0}, True),
        ({"memory.allocstall_per_s": 0.0, "memory.direct_reclaim_per_s": 0.0}, False),
    ],
)
def test_thresholds(given, holds):
    """Five stalls or five hundred pages a second are where it begins."""
    assert (_strength(window_of(given)) >= 1.0) is holds


def test_the_alarm_is_fifty_stalls_a_second():
    """Fifty stalls a second reach the strength that counts as out of the ordinary."""
    assert _strength(window_of({"memory.allocstall_per_s": 50.0})) == pytest.approx(SPEC.alarm)


def test_a_share_of_all_reclaim_counts_from_a_thousand_pages():
    """5 % of all reclaim by programs themselves is an alarm, but not of next to nothing."""
    much = {"memory.direct_reclaim_per_s": 1_000.0, "memory.kswapd_reclaim_per_s": 19_000.0}
    little = {"memory.direct_reclaim_per_s": 90.0, "memory.kswapd_reclaim_per_s": 10.0}
    assert _strength(window_of(much)) == pytest.approx(SPEC.alarm)
    assert _strength(window_of(little)) < 1.0


def test_not_measured_is_no_signal():
    """Without the counters there is nothing to say."""
    assert SPEC.rule(empty_window(), SPEC.limits) is None
    assert SPEC.rule(window_of({"pressure.some_pct": {"memory": 90.0}}), SPEC.limits) is None


def test_pressure_is_a_gate():
    """Where PSI says that nobody lost time, stalls were too short; without PSI they count."""
    quiet: Given = {**STALLING, "pressure.some_pct": {"memory": 0.0}}
    felt: Given = {**STALLING, "pressure.some_pct": {"memory": 12.0}}
    assert _strength(window_of(quiet)) < 1.0
    assert _strength(window_of(felt)) >= 1.0
    assert _strength(window_of(STALLING)) >= 1.0


def test_pressure_alone_proves_nothing():
    """kswapd's own run time is in PSI: without reclaim by programs there is no finding."""
    window = window_of(
        {
            "memory.allocstall_per_s": 0.0,
            "memory.direct_reclaim_per_s": 0.0,
            "pressure.some_pct": {"memory": 90.0},
        }
    )
    assert _strength(window) == 0.0


def test_no_signal_while_somebody_drops_the_caches():
    """echo 3 > drop_caches looks like reclaim and is none."""
    window = fill(empty_window(), {**STALLING, "memory.drop_caches_per_s": 10.0}, 1)
    assert SPEC.rule(window, SPEC.limits) is None
    fill(window, {**STALLING, "memory.drop_caches_per_s": 0.0}, 1)
    assert SPEC.rule(window, SPEC.limits) is None
    fill(window, {**STALLING, "memory.drop_caches_per_s": 0.0}, 3)
    assert _strength(window) >= 1.0


def test_evidence_names_metric_value_and_threshold():
    """The worst tick with its unit and its time."""
    signal = SPEC.rule(window_of(STALLING), SPEC.limits)
    assert signal is not None
    first = signal.evidence[0]
    assert (first.metric, first.unit, first.value, first.threshold) == (
        "memory.direct_reclaim_per_s",
        "pages/s",
        9_000.0,
        500.0,
    )
    assert first.monotonic_ns > 0
