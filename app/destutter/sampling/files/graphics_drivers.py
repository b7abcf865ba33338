# SPDX-License-Identifier: GPL-3.0-or-later
"""The drivers of graphics cards: a card, its sensors and waits for it are known by them."""

DRM_DRIVERS = ("amdgpu", "radeon", "i915", "xe", "nouveau")
"""Those of the kernel, as /sys names them; also what their sensors call themselves. NVIDIA's own
driver is not among them: it has no sensors in hwmon, and its cards are asked through NVML."""

GRAPHICS_WAITS = (
    b"dma_fence",
    b"drm_",
    *(f"{driver}_".encode() for driver in DRM_DRIVERS),
    b"nv",  # NVIDIA's driver (nv_, nvidia_, nvkms_), and what nouveau calls by a card's family
    b"os_acquire",  # the locks of NVIDIA's driver
)
"""How the kernel's functions begin in which a thread waits for a graphics card."""
