# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in a lane without measurements."""

import pytest

from destutter.sampling.pressure import ABSENT
from destutter.ui.plots.missing_row import MissingRow
from tests.support.window_kit import make_theme


@pytest.mark.parametrize(
    ("reason", "is_kernels"),
    [
        (ABSENT, True),
        ("This kernel does not report pressure. Starting it with psi=1 may switch it on.", True),
        ("This log holds frame times only.", False),
        ("No reading of it came in the time that was measured.", False),
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
