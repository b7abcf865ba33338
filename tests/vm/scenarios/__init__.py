# SPDX-License-Identifier: GPL-3.0-or-later
"""What is shown inside the guest, one module per subject; see ``tests.vm.inside``."""
