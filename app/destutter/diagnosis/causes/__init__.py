# SPDX-License-Identifier: GPL-3.0-or-later
"""The causes by group: what each watches, its thresholds, its rule and who may be to blame."""
