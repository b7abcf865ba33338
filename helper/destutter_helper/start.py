# SPDX-License-Identifier: GPL-3.0-or-later
"""The first module of ours that runs: looks at the files of all others before one is imported."""

import os
import sys

from destutter_helper.selfcheck import UntrustedError, check_before_importing


def main(arguments: list[str]) -> int:
    """Run the command line; 1, with the reason on stderr, when others could have changed it."""
    try:
        check_before_importing(os.path.dirname(__file__))
    except UntrustedError as error:
        sys.stderr.write(f"<4>destutter-helper: {ascii(str(error))[1:-1]}\n")
        return 1
    from destutter_helper import __main__ as program

    return program.main(arguments)
