# SPDX-License-Identifier: GPL-3.0-or-later
"""The snapshots of scripted scenes, for all windows of a test process made once."""

import functools
from collections.abc import Callable

from destutter.analysis.examining.pipeline import Snapshot
from tests.support.engine_scenes import EngineScene
from tests.support.live_scenes import Scene, snapshots


@functools.cache
def snapshots_of(scene: Callable[[], Scene | EngineScene]) -> tuple[Snapshot, ...]:
    """The snapshots of a scene; half a second of a core for each that is new."""
    return tuple(snapshots(scene().script.messages))
