# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings and changes: the helper's client, the model that pages share, and what feeds it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtDBus import QDBusConnection

from destutter.bridge.helper_client import HelperClient
from destutter.bridge.pipeline import Snapshot
from destutter.bridge.tuning_model import TuningModel
from destutter.bridge.tuning_state import read_tuning
from destutter.core.kernel_files import KernelFiles


class TuningWiring(QObject):
    """Owns the client and the model. ``read_kernel`` gives the values by "ID" or "ID@DEVICE"."""

    def __init__(
        self,
        bus: QDBusConnection,
        files: KernelFiles,
        read_kernel: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.client = HelperClient(bus, read_kernel, self)
        self.model = TuningModel(self.client, partial(read_tuning, files), parent=self)

    def start(self, *, asks_helper: bool) -> None:
        """Read the kernel, and ask the helper of this computer if that is the one read."""
        self.model.refresh(asks_helper=asks_helper)

    def accept(self, snapshot: Snapshot) -> None:
        """Advice follows what was measured last."""
        self.model.accept_metrics(snapshot.metrics)
        self.model.accept_findings(snapshot.assessment.findings)

    def stop(self) -> None:
        """Let go of a trial, and read no more."""
        self.model.stop()
