# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs of which only one came to rest."""

from pathlib import Path

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.examining.examination import examine_file
from destutter.core.compared import ComparedOutcome
from tests.support.long_flights import TUNED, Flight, write_flight


def test_a_change_that_brings_rest_is_no_reason_to_refuse_a_verdict(tmp_path: Path) -> None:
    """Without reclaim the second run gets steady and the first never does: still comparable."""
    before = write_flight(tmp_path / "a.destutter", Flight(16, 4.0))
    after = write_flight(tmp_path / "b.destutter", Flight(18, 0.0, seed=2), TUNED)
    told = compare_sessions(examine_file(str(before)), examine_file(str(after)))
    assert told.outcome is ComparedOutcome.BETTER
    assert told.phases_compared == ()
    assert {"no_phases", "steady_only_b"} <= set(told.warnings)
