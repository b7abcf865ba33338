# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters on a strip: which get a label of their own, and which share one. No Qt."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from destutter.diagnosis.finding import Group, Spike

# More labels cover each other; from here on they are told as one number.
MOST_LABELS = 12


@dataclass(frozen=True, slots=True)
class Cluster:
    """Stutters that share a label, in order, and where it is: the middle, in pixels."""

    spikes: tuple[Spike, ...]
    x_px: float

    @property
    def worst(self) -> Spike:
        """The longest of them."""
        return max(self.spikes, key=lambda spike: spike.duration_ms)

    @property
    def group(self) -> Group | None:
        """What most of them were caused by, of the same number that of the longest; None: unknown.

        By the longest alone, 25 that waited for a core and one for a drive had the drive's sign.
        """
        counts = Counter(spike.group for spike in self.spikes)
        longest = self.worst.group
        return max(counts, key=lambda group: (counts[group], group is longest))


def cluster(
    spikes: Sequence[Spike],
    positions_px: Sequence[float],
    label_px: float,
    width_px: float = math.inf,
) -> list[Cluster]:
    """Labels for stutters at these positions (in order), none overlapping, at most 12.

    Neighbours whose labels would overlap are joined first; if more than 12 labels are left, the
    closest neighbours are joined until 12 remain. A label that would reach over an end of a strip
    of ``width_px`` is drawn further inside.
    """

    def middle(one: Cluster) -> float:
        return max(min(one.x_px, width_px - label_px / 2), label_px / 2)

    clusters = _close_ones_joined(spikes, positions_px, label_px / 4)
    while len(clusters) > 1:
        gaps = [middle(right) - middle(left) for left, right in pairwise(clusters)]
        closest = min(range(len(gaps)), key=gaps.__getitem__)
        if gaps[closest] >= label_px and len(clusters) <= MOST_LABELS:
            break
        clusters[closest : closest + 2] = [_joined(clusters[closest], clusters[closest + 1])]
    return clusters


def _close_ones_joined(
    spikes: Sequence[Spike], positions_px: Sequence[float], reach_px: float
) -> list[Cluster]:
    """One pass over all, so that a storm of stutters costs no more than the labels it makes."""
    clusters: list[Cluster] = []
    start_px = 0.0
    group: list[tuple[Spike, float]] = []
    for spike, x in zip(spikes, positions_px, strict=True):
        if group and x - start_px > reach_px:
            clusters.append(_of_group(group))
            group = []
        if not group:
            start_px = x
        group.append((spike, x))
    if group:
        clusters.append(_of_group(group))
    return clusters


def _of_group(group: list[tuple[Spike, float]]) -> Cluster:
    return Cluster(tuple(spike for spike, _ in group), sum(x for _, x in group) / len(group))


def _joined(left: Cluster, right: Cluster) -> Cluster:
    weight = len(right.spikes) / (len(left.spikes) + len(right.spikes))
    return Cluster(left.spikes + right.spikes, left.x_px + (right.x_px - left.x_px) * weight)
