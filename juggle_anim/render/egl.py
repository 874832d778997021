"""EGL through ctypes: an OpenGL 3.3 core context without any display, on Linux."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterator
from ctypes import c_char_p, c_int, c_uint, c_void_p
from typing import Any

from juggle_anim.errors import RenderError
from juggle_anim.render.glx import CurrentGlx

LIBRARIES = "on Debian or Ubuntu: apt-get install libegl1 libgl1"
"""What to do where OpenGL's system libraries are missing."""


class EglContext:
    """An OpenGL 3.3 core context that draws into no surface: make a framebuffer object in it.

    Use it as a context manager, again and again: inside, it is current; outside, whatever was current before is.

    Raises:
        RenderError: EGL is not installed, or no driver gives such a context.
    """

    def __init__(self) -> None:
        self._egl = _library()
        self._context: int | None
        self._display, self._context = _display_and_context(self._egl)
        self._depth = 0
        self._before: CurrentGlx | None = None

    def __enter__(self) -> EglContext:
        if self._depth == 0:
            self._before = CurrentGlx.release()
            self._make_current(self._context)
        # Last, so that a signal on the way doesn't make it look as if the context were current.
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._make_current(None)
            if self._before:
                self._before.restore()

    def close(self) -> None:
        """Give the context back to the driver."""
        if self._context:
            self._egl.eglDestroyContext(self._display, self._context)
            self._context = None

    @property
    def closed(self) -> bool:
        """Whether it was given back."""
        return self._context is None

    def _make_current(self, context: int | None) -> None:
        if not self._egl.eglMakeCurrent(self._display, None, None, context):
            raise RenderError(f"EGL refuses to make its context current (error 0x{self._egl.eglGetError():x})")


_EXTENSIONS, _NONE = 0x3055, 0x3038
_OPENGL_API, _OPENGL_BIT = 0x30A2, 0x0008
_RENDERABLE_TYPE, _SURFACE_TYPE = 0x3040, 0x3033
_MAJOR, _MINOR, _PROFILE_MASK, _CORE = 0x3098, 0x30FB, 0x30FD, 0x1
_PLATFORM_DEVICE, _PLATFORM_SURFACELESS = 0x313F, 0x31DD


@functools.cache
def _library() -> Any:
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError as error:
        raise RenderError(f"OpenGL without a display needs libEGL.so.1, which is missing; {LIBRARIES}") from error
    egl.eglGetProcAddress.restype = c_void_p
    egl.eglQueryString.restype = c_char_p
    egl.eglQueryString.argtypes = [c_void_p, c_int]
    egl.eglGetDisplay.restype = egl.eglCreateContext.restype = c_void_p
    egl.eglGetDisplay.argtypes = [c_void_p]
    egl.eglInitialize.argtypes = [c_void_p, c_void_p, c_void_p]
    egl.eglChooseConfig.argtypes = [c_void_p, c_void_p, c_void_p, c_int, c_void_p]
    egl.eglCreateContext.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
    egl.eglMakeCurrent.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
    egl.eglDestroyContext.argtypes = [c_void_p, c_void_p]
    return egl


def _display_and_context(egl: Any) -> tuple[int, int]:
    for display in _displays(egl):
        context = _context(egl, display)
        if context:
            return display, context
    raise RenderError(f"no driver offers OpenGL 3.3 without a display; {LIBRARIES}, or update the graphics driver")


def _context(egl: Any, display: int) -> int | None:
    """A context on this display that can be made current with no surface, or None."""
    # A display is never terminated: EGL hands out the same one to all who ask, and others may use it still.
    if not egl.eglInitialize(display, None, None) or not egl.eglBindAPI(_OPENGL_API):
        return None
    wanted = (c_int * 5)(_SURFACE_TYPE, 0, _RENDERABLE_TYPE, _OPENGL_BIT, _NONE)
    config, count = c_void_p(), c_int()
    if not egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count)) or not count.value:
        return None
    version = (c_int * 7)(_MAJOR, 3, _MINOR, 3, _PROFILE_MASK, _CORE, _NONE)
    context = egl.eglCreateContext(display, config, None, version)
    return int(context) if context else None


def _displays(egl: Any) -> Iterator[int]:
    """Displays to try, the best first: graphics cards, software devices, Mesa with no device, the default."""
    extensions = _words(egl.eglQueryString(None, _EXTENSIONS))
    open_display = _function(egl, "eglGetPlatformDisplayEXT", c_void_p, c_uint, c_void_p, c_void_p)
    candidates: list[tuple[int, int | None]] = []
    if "EGL_EXT_platform_device" in extensions:
        candidates += [(_PLATFORM_DEVICE, device) for device in _devices(egl)]
    if "EGL_MESA_platform_surfaceless" in extensions:
        candidates.append((_PLATFORM_SURFACELESS, None))
    for platform, device in candidates:
        display = open_display(platform, device, None) if open_display else None
        if display:
            yield display
    default = egl.eglGetDisplay(None)
    if default:
        yield default


def _devices(egl: Any) -> list[int]:
    """The devices, hardware before software."""
    query = _function(egl, "eglQueryDevicesEXT", c_uint, c_int, c_void_p, c_void_p)
    describe = _function(egl, "eglQueryDeviceStringEXT", c_char_p, c_void_p, c_int)
    devices, count = (c_void_p * 32)(), c_int()
    if not query or not query(len(devices), devices, ctypes.byref(count)):
        return []
    found = [device for device in devices[: count.value] if device]
    if not describe:
        return found
    return sorted(found, key=lambda device: "EGL_MESA_device_software" in _words(describe(device, _EXTENSIONS)))


def _function(egl: Any, name: str, *types: Any) -> Callable[..., Any] | None:
    address = egl.eglGetProcAddress(name.encode())
    return ctypes.CFUNCTYPE(*types)(address) if address else None


def _words(text: bytes | None) -> list[str]:
    return (text or b"").decode().split()
