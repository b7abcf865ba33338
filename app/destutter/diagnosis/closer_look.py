# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the kernel's trace would make sure what is only likely now."""

from destutter.diagnosis.finding import Assessment, Confidence


def is_worth_a_closer_look(assessment: Assessment) -> bool:
    """Whether some stutter has no cause, or one that is not sure."""
    sure = {each.cause for each in assessment.findings if each.confidence is Confidence.HIGH}
    return any(spike.cause not in sure for spike in assessment.spikes)
