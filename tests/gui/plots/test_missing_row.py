# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in a lane without measurements."""

import pytest

from destutter.core.statement import Statement, told
from destutter.sampling.computer.pressure import ABSENT
from destutter.ui.plots.missing_row import MissingRow
from tests.support.window_kit import make_theme


@pytest.mark.parametrize(
    ("reason", "is_kernels"),
    [
        (ABSENT, True),
        (Statement("coverage.no_pressure"), True),
        (told("This log holds frame times only."), False),
        (Statement("coverage.late"), False),
    ],
)
def test_the_kernel_is_blamed_for_its_own_word_only(qapp, reason, is_kernels):
    """An imported log holds no pressure either, and no kernel has to be started anew for it."""
    row = MissingRow(make_theme(qapp))
    row.explain("pressure", reason)
    assert ("psi=1" in row.detail.full_text) == is_kernels
    assert ("kernel" in row.title.full_text) == is_kernels
    assert row.button.isHidden() != is_kernels
    row.deleteLater()
