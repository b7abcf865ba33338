# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading many files of which some may not read as the kernel writes them."""

from collections.abc import Callable
from typing import TypeVar

from destutter.core.kernel_files import KernelFileError

T = TypeVar("T")


class KernelParts:
    """Reads one part after the other; one that cannot be understood costs only itself."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def get(self, read: Callable[[], T]) -> T | None:
        """What it reads; None, and a sentence among ``problems``, where that is not possible."""
        try:
            return read()
        except KernelFileError as error:
            self.problems.append(str(error))
            return None
