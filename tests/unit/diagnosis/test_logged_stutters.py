# SPDX-License-Identifier: GPL-3.0-or-later
"""The stutters of a whole log are those that are found frame by frame."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.sample import Frames
from destutter.diagnosis.stutters.logged_stutters import stutters_of
from destutter.diagnosis.stutters.spikes import SpikeDetector

PIECES = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 2, 3, 29, 30, 31, 200, 254, 255, 256, 700]),
        st.sampled_from([0.0, 6.9, 16.7, 30.0, 49.9, 50.1, 60.0, 900.0, 40_000.0, -1.0, 2e9]),
        st.sampled_from([0.0, 0.0, 3.0, 25.0]),
    ),
    max_size=12,
)


@given(pieces=PIECES, seed=st.integers(0, 99), first_ns=st.sampled_from([0, -(10**9), 10**12]))
def test_whole_log_is_judged_as_frame_by_frame(pieces, seed, first_ns):
    """Menus, loads, freezes at the begin, lengths that no clock tells, a log that is all slow."""
    random = np.random.default_rng(seed)
    parts = [np.full(count, ms) + random.uniform(0, by, count) for count, ms, by in pieces]
    lengths = (np.concatenate([np.empty(0), *parts]) * 1e3).astype(np.int64)
    ends = first_ns + np.cumsum(np.clip(lengths, 0, 10**8)) * 1000
    detector = SpikeDetector(None)
    detector.accept_frames(Frames("", tuple(ends.tolist()), tuple(lengths.tolist())))
    assert stutters_of(ends, lengths) == detector.spikes
