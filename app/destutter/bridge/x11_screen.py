# SPDX-License-Identifier: GPL-3.0-or-later
"""What the X server says of the window in front and of the tray, by libxcb.

libxcb is there wherever Qt's X11 platform is; a window that vanishes between two questions is an
answer that is missing, never an exit of the program as with Xlib. Extended Window Manager Hints
1.5: _NET_ACTIVE_WINDOW, _NET_WM_STATE; System Tray Protocol: _NET_SYSTEM_TRAY_S0.
"""

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_void_p, cast
from ctypes import c_int16 as i16
from ctypes import c_uint8 as u8
from ctypes import c_uint16 as u16
from ctypes import c_uint32 as u32
from typing import Any, NamedTuple

_LIBRARY = "libxcb.so.1"
_ANY_TYPE = 0
_MOST_WORDS = 64  # of a property: EWMH has 13 states of a window


class Rect(NamedTuple):
    """A place on the screen in the server's pixels."""

    x: int
    y: int
    width: int
    height: int

    def centre_in(self, other: "Rect") -> bool:
        """Whether the middle of this lies within the other."""
        x, y = self.x + self.width / 2, self.y + self.height / 2
        return other.x <= x < other.x + other.width and other.y <= y < other.y + other.height


class X11Error(Exception):
    """No X server, or no libxcb, in words."""


class X11RefusedError(X11Error):
    """There is libxcb, but no server that lets us in."""


class _Cookie(Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Screens(Structure):
    _fields_ = (("data", POINTER(u32)), ("rem", c_int), ("index", c_int))


_HEAD = (("kind", u8), ("pad", u8), ("sequence", u16), ("length", u32))


class _OneNumber(Structure):
    _fields_ = (*_HEAD, ("value", u32))


class _Geometry(Structure):
    _fields_ = (*_HEAD, ("root", u32), ("x", i16), ("y", i16), ("width", u16), ("height", u16))


class _Coordinates(Structure):
    _fields_ = (*_HEAD, ("child", u32), ("x", i16), ("y", i16))


class X11Screen:
    """A connection of its own to the X server; questions take fractions of a millisecond."""

    def __init__(self, display: str) -> None:
        """``display`` as in the variable DISPLAY. Raises ``X11Error``."""
        try:
            self._xcb = ctypes.CDLL(_LIBRARY)
        except OSError:
            raise X11Error(f"{_LIBRARY} is missing") from None
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = (c_void_p,)
        self._declare()
        self._connection = self._xcb.xcb_connect(display.encode(), None)
        if self._xcb.xcb_connection_has_error(self._connection):
            self._xcb.xcb_disconnect(self._connection)
            raise X11RefusedError("the X server does not answer")
        setup = self._xcb.xcb_get_setup(self._connection)
        self._root = int(self._xcb.xcb_setup_roots_iterator(setup).data[0])
        self._atoms: dict[str, int] = {}

    def _declare(self) -> None:
        xcb = self._xcb
        xcb.xcb_connect.restype = c_void_p
        xcb.xcb_connect.argtypes = (c_char_p, POINTER(c_int))
        xcb.xcb_get_setup.restype = c_void_p
        xcb.xcb_setup_roots_iterator.restype = _Screens
        xcb.xcb_get_property_value.restype = c_void_p
        for name in ("connection_has_error", "disconnect", "get_setup"):
            getattr(xcb, f"xcb_{name}").argtypes = (c_void_p,)
        for name in ("setup_roots_iterator", "get_property_value", "get_property_value_length"):
            getattr(xcb, f"xcb_{name}").argtypes = (c_void_p,)
        for name, arguments in (
            ("intern_atom", (u8, u16, c_char_p)),
            ("get_property", (u8, u32, u32, u32, u32, u32)),
            ("get_geometry", (u32,)),
            ("translate_coordinates", (u32, u32, i16, i16)),
            ("get_selection_owner", (u32,)),
        ):
            ask, answer = getattr(xcb, f"xcb_{name}"), getattr(xcb, f"xcb_{name}_reply")
            ask.restype, ask.argtypes = _Cookie, (c_void_p, *arguments)
            answer.restype, answer.argtypes = c_void_p, (c_void_p, _Cookie, POINTER(c_void_p))

    def full_screen(self) -> Rect | None:
        """Where the window in front lies, if it fills a screen; else None."""
        active = self._words(self._root, "_NET_ACTIVE_WINDOW")
        if not active or not active[0]:
            return None
        states = self._words(active[0], "_NET_WM_STATE")
        if self._atom("_NET_WM_STATE_FULLSCREEN") not in states:
            return None
        return self._place(active[0])

    def has_tray(self) -> bool:
        """Whether somebody shows icons by the older protocol of X11."""
        reply = self._ask("get_selection_owner", self._atom("_NET_SYSTEM_TRAY_S0"))
        return bool(self._taken(reply, _OneNumber, "value"))

    def close(self) -> None:
        if self._connection is not None:
            self._xcb.xcb_disconnect(self._connection)
            self._connection = None

    def _ask(self, name: str, *arguments: Any) -> Any:
        """The answer to a question; None when the server has refused it."""
        cookie = getattr(self._xcb, f"xcb_{name}")(self._connection, *arguments)
        error = c_void_p()
        answer = getattr(self._xcb, f"xcb_{name}_reply")(self._connection, cookie, byref(error))
        if error.value:
            self._free(error)
        return answer

    def _taken(self, reply: Any, kind: type[Structure], *fields: str) -> tuple[int, ...]:
        """These fields of an answer, which is freed; empty when all are 0 or there is none."""
        if not reply:
            return ()
        found = cast(reply, POINTER(kind)).contents
        values = tuple(int(getattr(found, field)) for field in fields)
        self._free(reply)
        return values if any(values) or len(fields) > 1 else ()

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            reply = self._ask("intern_atom", 0, len(name), name.encode())
            self._atoms[name] = next(iter(self._taken(reply, _OneNumber, "value")), 0)
        return self._atoms[name]

    def _words(self, window: int, name: str) -> list[int]:
        reply = self._ask("get_property", 0, window, self._atom(name), _ANY_TYPE, 0, _MOST_WORDS)
        if not reply:
            return []
        size = self._xcb.xcb_get_property_value_length(reply) // 4
        place = self._xcb.xcb_get_property_value(reply)
        words = list(cast(place, POINTER(u32))[:size]) if size else []
        self._free(reply)
        return words

    def _place(self, window: int) -> Rect | None:
        size = self._taken(self._ask("get_geometry", window), _Geometry, "width", "height")
        reply = self._ask("translate_coordinates", window, self._root, 0, 0)
        corner = self._taken(reply, _Coordinates, "x", "y")
        return Rect(*corner, *size) if size and corner else None


def refuses_display(display: str) -> bool:
    """Whether the X server is away, or does not let this user in; no, where that is not known."""
    try:
        X11Screen(display).close()
    except X11RefusedError:
        return True
    except X11Error:
        return False
    return False
