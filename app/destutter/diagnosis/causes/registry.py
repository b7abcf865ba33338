# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of causes.

A new cause is one function and one entry in a module of this folder, its texts in the catalogue
and a page ``resources/explanations/en/cause.ID.md``. Ids are in users' files: never rename one.
"""

from collections.abc import Iterable

from destutter.diagnosis.causes.cause import CauseSpec
from destutter.diagnosis.causes.cores import CORES
from destutter.diagnosis.causes.drives import DRIVES
from destutter.diagnosis.causes.graphics import GRAPHICS
from destutter.diagnosis.causes.kernel_work import KERNEL_WORK
from destutter.diagnosis.causes.memory import MEMORY
from destutter.diagnosis.causes.power import POWER
from destutter.diagnosis.causes.storage import STORAGE

CAUSES: tuple[CauseSpec, ...] = (
    *MEMORY,
    *STORAGE,
    *DRIVES,
    *CORES,
    *KERNEL_WORK,
    *POWER,
    *GRAPHICS,
)

CAUSE_BY_ID: dict[str, CauseSpec] = {spec.id: spec for spec in CAUSES}


def watched_metrics(causes: Iterable[CauseSpec] = CAUSES) -> frozenset[str]:
    """Every metric that a rule reads."""
    return frozenset(metric for spec in causes for metric in spec.watches)


def remembered_metrics(causes: Iterable[CauseSpec] = CAUSES) -> frozenset[str]:
    """Every metric of which a rule needs the median of the last minutes."""
    return frozenset(metric for spec in causes for metric in spec.remembers)
