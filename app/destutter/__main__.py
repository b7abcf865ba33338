# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry of every process of the application.

The sampler and the probes branch off before anything of Qt or the command line is imported:
they are small processes of their own, so that their clock does not stall with the window.
"""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the process that the arguments name; returns its exit status."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    # Else numpy starts a thread for each core of the computer, for algebra that nobody needs here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    child = _child_entry(argv[0]) if argv else None
    if child is not None:
        return child(argv[1:])
    try:
        from destutter.cli import main as command_line

        return command_line(argv)
    except KeyboardInterrupt:  # while the program was still being loaded
        return 128 + signal.SIGINT


def _child_entry(option: str) -> Callable[[list[str]], int] | None:
    if option == "--sampler":
        from destutter.sampling.child import main as sampler

        return partial(sampler, os.environ)
    if option == "--trace-reader":
        from destutter.sampling.trace_child import main as trace_reader

        return partial(trace_reader, os.environ)
    if option == "--wakeup-probe":
        from destutter.sampling.probes.wakeup_probe import main as wakeup_probe

        return wakeup_probe
    if option == "--write-probe":
        from destutter.sampling.probes.write_probe import main as write_probe

        return write_probe
    if option == "--session-reader":
        from destutter.analysis.reading.session_reader import main as session_reader

        return session_reader
    if option == "--memory-burst":
        from destutter.sampling.probes.memory_burst import main as memory_burst

        return memory_burst
    return None


if __name__ == "__main__":
    sys.exit(main())
