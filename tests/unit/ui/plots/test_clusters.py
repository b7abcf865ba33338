# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of stutters: none overlap, none is lost, and there are never too many."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.finding import Group, Spike
from destutter.ui.plots.clusters import MOST_LABELS, Cluster, cluster


def spikes(count):
    """Stutters of different lengths."""
    return [Spike(index * 10**9, 50.0 + index % 7, "test") for index in range(count)]


def test_distant_stutters_have_labels_of_their_own():
    """Three stutters far apart are three labels."""
    labels = cluster(spikes(3), [100.0, 400.0, 900.0], 76.0)
    assert [one.x_px for one in labels] == [100.0, 400.0, 900.0]


def test_neighbours_share_a_label():
    """Two stutters at almost the same place are one label, named by the longer one."""
    labels = cluster(spikes(2), [100.0, 130.0], 76.0)
    assert len(labels) == 1
    assert labels[0].worst.duration_ms == 51.0
    assert labels[0].x_px == 115.0


@given(st.lists(st.floats(0, 1000), max_size=120).map(sorted))
def test_no_label_overlaps_and_no_stutter_is_lost(positions):
    """Whatever the positions: at most twelve labels, apart from each other, of all stutters."""
    given_spikes = spikes(len(positions))
    labels = cluster(given_spikes, positions, 76.0)
    assert [spike for one in labels for spike in one.spikes] == given_spikes
    assert len(labels) <= MOST_LABELS
    for left, right in pairwise(labels):
        assert right.x_px - left.x_px >= 76.0


def test_a_label_has_the_sign_of_what_most_of_its_stutters_were():
    """The longest of 26 was a drive's, and all of them had its sign."""
    cores = tuple(Spike(at, 60.0, "mangohud", group=Group.CPU) for at in range(3))
    drive = Spike(9, 300.0, "mangohud", group=Group.STORAGE)
    assert Cluster((*cores, drive), 5.0).group is Group.CPU
    assert Cluster((cores[0], drive), 5.0).group is Group.STORAGE, "as many: that of the longest"
    assert Cluster((Spike(1, 60.0, "mangohud"),), 5.0).group is None
