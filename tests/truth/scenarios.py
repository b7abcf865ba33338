# SPDX-License-Identifier: GPL-3.0-or-later
"""All scenarios, in the order in which they are played."""

from tests.truth.scenario import Scenario
from tests.truth.scenarios_cpu import CPU
from tests.truth.scenarios_memory import MEMORY
from tests.truth.scenarios_partners import PARTNERS
from tests.truth.scenarios_queues import QUEUES
from tests.truth.scenarios_quiet import QUIET
from tests.truth.scenarios_storage import STORAGE

SCENARIOS: tuple[Scenario, ...] = (*MEMORY, *STORAGE, *QUEUES, *CPU, *PARTNERS, *QUIET)
SCENARIO_BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
