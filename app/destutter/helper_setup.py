# SPDX-License-Identifier: GPL-3.0-or-later
"""The root helper out of the AppImage: what is run as root for it, and with which rights."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason

INSTALL, UNINSTALL = "install", "uninstall"
_RIGHTS = (("pkexec", "--disable-internal-agent"), ("run0", "--pipe"), ("sudo",))
"""What may be on a computer, in this order: run0 is there where pkexec is not any more.

The agent within pkexec fails on consoles ("No session for cookie", polkit 122); the desktop's, or
pkttyagent beside it, does not.
"""


_NOT_GIVEN = (126, 127)
"""Of pkexec (pkexec(1)); the installer ends with neither."""


class HelperSetupError(StatementError):
    """The helper cannot be set up, in words."""


@dataclass(frozen=True)
class HelperSetup:
    """An archive of the helper, and the page of shell that puts it there.

    Root reads neither of them: the page is an argument, and the archive comes through a pipe, so
    that nobody can exchange them meanwhile. The page takes only the archive of this sum.
    """

    archive: bytes
    installer: str

    @cached_property
    def sha256(self) -> str:
        """The sum of the archive, as ``sha256sum`` shows it."""
        return hashlib.sha256(self.archive).hexdigest()

    def page(self, verb: str) -> str:
        """The page of shell; pkexec's dialog shows how it begins, and nothing else of it."""
        return f"# Destutter: {verb} its helper\n{self.installer}"

    def command(
        self, verb: str, find: Callable[[str], str | None] = shutil.which
    ) -> tuple[str, ...]:
        """What to run with the archive on its standard input; ``verb`` INSTALL or UNINSTALL.

        Raises ``HelperSetupError`` where nothing asks for the rights of root.
        """
        for rights in _RIGHTS:
            if find(rights[0]):
                return (*rights, "/bin/sh", "-c", self.page(verb), "sh", verb, self.sha256)
        raise HelperSetupError(Statement("setup.nobody_asks"))


def were_rights_refused(command: Sequence[str], status: int) -> bool:
    """Whether a ``command`` of a set-up ended with ``status`` because nobody gave the rights."""
    return command[0] == _RIGHTS[0][0] and status in _NOT_GIVEN


def bundled_helper(resources: Path) -> HelperSetup | None:
    """What this program has brought along; None in a package and in a checkout.

    Raises ``HelperSetupError`` when it cannot be read.
    """
    folder = resources / "helper"
    if not folder.is_dir():
        return None
    try:
        return HelperSetup(
            (folder / "destutter-helper.tar").read_bytes(),
            (folder / "from-bundle").read_text(encoding="utf-8"),
        )
    except OSError as error:
        values: dict[str, Value] = {"path": str(error.filename), "reason": system_reason(error)}
        raise HelperSetupError(Statement("core.file", values)) from error
