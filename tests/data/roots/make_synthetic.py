# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the archives of made-up computers: python -m tests.data.roots.make_synthetic."""

import sys
from pathlib import Path

from tests.data.roots.synthetic import desktop, laptop
from tests.data.roots.synthetic.tree import Tree

HERE = Path(__file__).parent


def trees() -> dict[str, Tree]:
    """Each tree by the name of its archive."""
    return {
        "synthetic-amdgpu-laptop.tar.gz": laptop.build(),
        "synthetic-intel-desktop.tar.gz": desktop.build(),
    }


def main() -> None:
    """Write every archive beside this file."""
    for name, tree in trees().items():
        data = tree.archive()
        (HERE / name).write_bytes(data)
        sys.stdout.write(f"{name}: {len(tree.files)} files, {len(data)} bytes\n")


if __name__ == "__main__":
    main()
