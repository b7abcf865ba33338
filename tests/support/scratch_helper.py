# SPDX-License-Identifier: GPL-3.0-or-later
"""The real helper's code on a scratch tree and a private bus: what `destutter-helper` cannot do.

`write_program` makes it a program beside an installed helper, whose modules it then runs.
"""

import argparse
import os
import sys
from pathlib import Path

from destutter_helper.__main__ import RUNS, run_once, serve
from destutter_helper.api.names import HelperError
from destutter_helper.log import Log
from tests.support.helper_tree import ScratchTree

CHECKOUT = Path(__file__).resolve().parents[2]
MAIN = "from destutter_helper.start import main"


def write_program(installed: Path) -> Path:
    """The helper's own start, with its search path, but for scratch trees; the new program."""
    text = installed.read_text()
    if MAIN not in text:
        raise ValueError(f"{installed} does not start as expected")
    ours = f"sys.path.append({str(CHECKOUT)!r})\nfrom tests.support.scratch_helper import main"
    program = installed.with_name("scratch-helper")
    program.write_text(text.replace(MAIN, ours))
    program.chmod(0o755)
    return program


def main(arguments: list[str]) -> int:
    """Serve on a private bus, or do one of the helper's short runs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--bus")
    parser.add_argument("--idle-ms", type=int, default=60_000)
    for name in RUNS:
        parser.add_argument(f"--{name}", dest="mode", action="store_const", const=name)
    options = parser.parse_args(arguments)
    os.environ.clear()
    os.umask(0o077)
    log = Log()
    try:
        tree = ScratchTree(options.root)
        if options.mode:
            return run_once(options.mode, tree, log)
        more = {"address": options.bus, "idle_ms": options.idle_ms}
        return serve(tree, log, check=lambda: None, **more)
    except (HelperError, OSError) as error:
        log.alert(str(error))
        return 1


if __name__ == "__main__":
    sys.stdout.write(f"{write_program(Path(sys.argv[1]))}\n")
