"""OpenGL 3.3 core contexts for offscreen rendering: EGL on Linux, a hidden window elsewhere.

GLVND, which dispatches OpenGL calls to drivers, refuses to make an EGL context current while a GLX
one is, so the context of a window is released in the meantime.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable, Iterator
from ctypes import c_char_p, c_int, c_uint, c_ulong, c_void_p
from typing import Any

from juggle_anim.errors import RenderError
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass

INSTALL_HINT = N_("on Debian or Ubuntu: apt-get install libegl1 libgl1")
"""How to install OpenGL's system libraries."""

_EXTENSIONS = 0x3055
_NONE = 0x3038
_OPENGL_API = 0x30A2
_OPENGL_BIT = 0x0008
_RENDERABLE_TYPE = 0x3040
_SURFACE_TYPE = 0x3033
_MAJOR = 0x3098
_MINOR = 0x30FB
_PROFILE_MASK = 0x30FD
_CORE = 0x1
_PLATFORM_DEVICE = 0x313F
_PLATFORM_SURFACELESS = 0x31DD


class EglContext:
    """An OpenGL 3.3 core context without a surface: draw into a framebuffer object.

    A reentrant context manager: it is current inside; afterwards the context that was current
    before is so again.

    Raises:
        RenderError: EGL is not installed, or no driver offers such a context.
    """

    def __init__(self) -> None:
        self._egl = _egl_library()
        self._context: int | None
        self._display, self._context = _display_and_context(self._egl)
        self._entries = 0
        self._glx_before: CurrentGlx | None = None
        self._egl_before: int | None = None

    def __enter__(self) -> EglContext:
        if self._entries == 0:
            self._glx_before = CurrentGlx.release()
            self._egl_before = self._egl.eglGetCurrentContext()
            self._make_current(self._context)
        # Last, so that after a signal in between the context doesn't count as current.
        self._entries += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._entries -= 1
        if self._entries == 0:
            self._make_current(self._egl_before)
            if self._glx_before:
                self._glx_before.restore()

    def close(self) -> None:
        """Destroy the context."""
        if self._context:
            self._egl.eglDestroyContext(self._display, self._context)
            self._context = None

    @property
    def closed(self) -> bool:
        """Whether the context was destroyed."""
        return self._context is None

    def _make_current(self, context: int | None) -> None:
        if not self._egl.eglMakeCurrent(self._display, None, None, context):
            raise RenderError(
                _(
                    "EGL cannot make its context current (error 0x{eglgeterror:x})",
                    eglgeterror=self._egl.eglGetError(),
                )
            )


@functools.cache
def _egl_library() -> Any:
    """Load EGL and declare its functions; the library is cached.

    Raises:
        RenderError: EGL is not installed.
    """
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError as error:
        raise RenderError(
            _(
                "OpenGL without a display needs libEGL.so.1, which is missing; {install_hint}",
                install_hint=_(INSTALL_HINT),
            )
        ) from error
    # Without these, ctypes would cut pointers to 32 bits.
    egl.eglGetProcAddress.restype = c_void_p
    egl.eglQueryString.restype = c_char_p
    egl.eglQueryString.argtypes = [c_void_p, c_int]
    egl.eglGetCurrentContext.restype = c_void_p
    egl.eglGetDisplay.restype = c_void_p
    egl.eglGetDisplay.argtypes = [c_void_p]
    egl.eglInitialize.argtypes = [c_void_p, c_void_p, c_void_p]
    egl.eglChooseConfig.argtypes = [c_void_p, c_void_p, c_void_p, c_int, c_void_p]
    egl.eglCreateContext.restype = c_void_p
    egl.eglCreateContext.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
    egl.eglMakeCurrent.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
    egl.eglDestroyContext.argtypes = [c_void_p, c_void_p]
    return egl


def _display_and_context(egl: Any) -> tuple[int, int]:
    """Return the first display that offers a context, and that context.

    Args:
        egl: the library of EGL, as `_egl_library` loads it.

    Raises:
        RenderError: none does.
    """
    for display in _displays(egl):
        context = _surfaceless_context(egl, display)
        if context:
            return display, context
    raise RenderError(
        _(
            "no driver provides OpenGL 3.3 without a display; {install_hint}, or update the "
            "graphics driver",
            install_hint=_(INSTALL_HINT),
        )
    )


def _surfaceless_context(egl: Any, display: int) -> int | None:
    """Create an OpenGL 3.3 core context that needs no surface to draw on.

    Args:
        egl: the library of EGL.
        display: one of its displays, not 0.

    Returns:
        The context; None if the display offers none.
    """
    # A display is never terminated: EGL gives the same one to all callers, and others may still use
    # it.
    if not egl.eglInitialize(display, None, None) or not egl.eglBindAPI(_OPENGL_API):
        return None
    # Attributes are a list of names and values with an end mark. The first config (format of
    # pixels) will do, since pictures are drawn into framebuffers of their own.
    config_attributes = (c_int * 5)(_SURFACE_TYPE, 0, _RENDERABLE_TYPE, _OPENGL_BIT, _NONE)
    config = c_void_p()
    count = c_int()
    if (
        not egl.eglChooseConfig(
            display, config_attributes, ctypes.byref(config), 1, ctypes.byref(count)
        )
        or not count.value
    ):
        return None
    context_attributes = (c_int * 7)(_MAJOR, 3, _MINOR, 3, _PROFILE_MASK, _CORE, _NONE)
    context = egl.eglCreateContext(display, config, None, context_attributes)
    return int(context) if context else None


def _displays(egl: Any) -> Iterator[int]:
    """Yield displays of EGL (connections to a driver) to try, the best first.

    They are those of graphics cards, those of software devices, that of Mesa without a device, and
    the default display.

    Args:
        egl: the library of EGL, as `_egl_library` loads it.
    """
    extensions = _words(egl.eglQueryString(None, _EXTENSIONS))
    open_display = _extension_function(
        egl, "eglGetPlatformDisplayEXT", c_void_p, c_uint, c_void_p, c_void_p
    )
    candidates: list[tuple[int, int | None]] = []
    if "EGL_EXT_platform_device" in extensions:
        candidates += [(_PLATFORM_DEVICE, device) for device in _devices(egl)]
    if "EGL_MESA_platform_surfaceless" in extensions:
        candidates.append((_PLATFORM_SURFACELESS, None))
    # A driver may offer an extension without its function, or a device without a display.
    for platform, device in candidates:
        display = open_display(platform, device, None) if open_display else None
        if display:
            yield display
    default = egl.eglGetDisplay(None)
    if default:
        yield default


def _devices(egl: Any) -> list[int]:
    """Return EGL's devices (graphics cards and software renderers), hardware before software.

    Args:
        egl: the library of EGL, as `_egl_library` loads it.

    Returns:
        Handles of the devices; none if the driver cannot list them.
    """
    query = _extension_function(egl, "eglQueryDevicesEXT", c_uint, c_int, c_void_p, c_void_p)
    describe = _extension_function(egl, "eglQueryDeviceStringEXT", c_char_p, c_void_p, c_int)
    # Room for more devices than a computer has.
    devices = (c_void_p * 32)()
    count = c_int()
    if not query or not query(len(devices), devices, ctypes.byref(count)):
        return []
    valid_devices = [device for device in devices[: count.value] if device]
    if not describe:
        return valid_devices
    # False, for hardware, sorts before True.
    return sorted(
        valid_devices,
        key=lambda device: "EGL_MESA_device_software" in _words(describe(device, _EXTENSIONS)),
    )


def _extension_function(egl: Any, name: str, *types: Any) -> Callable[..., Any] | None:
    """An EGL extension function; None if the driver lacks it."""
    address = egl.eglGetProcAddress(name.encode())
    return ctypes.CFUNCTYPE(*types)(address) if address else None


def _words(text: bytes | None) -> list[str]:
    return (text or b"").decode().split()


@dataclass(frozen=True)
class CurrentGlx:
    """A GLX context that was current, with its window."""

    display: int
    drawable: int
    reading: int
    context: int

    @staticmethod
    def release() -> CurrentGlx | None:
        """Release the GLX context that is current in this thread, to be restored later.

        Returns:
            The context with its window; None if none was current.
        """
        # Without Xlib in the process there is no window, and loading GLX would load Xlib.
        if "pyglet.libs.x11" not in sys.modules:
            return None
        glx = _glx_library()
        context = glx.glXGetCurrentContext() if glx else None
        if not context:
            return None
        current = CurrentGlx(
            glx.glXGetCurrentDisplay(),
            glx.glXGetCurrentDrawable(),
            glx.glXGetCurrentReadDrawable(),
            context,
        )
        # No drawables and no context: none is current in this thread afterwards.
        glx.glXMakeContextCurrent(current.display, 0, 0, None)
        return current

    def restore(self) -> None:
        """Make it current again."""
        _glx_library().glXMakeContextCurrent(
            self.display, self.drawable, self.reading, self.context
        )


@functools.cache
def _glx_library() -> Any:
    """Load GLX and declare its functions; None if it is not installed."""
    try:
        glx = ctypes.CDLL("libGL.so.1")
    except OSError:
        return None
    glx.glXGetCurrentContext.restype = glx.glXGetCurrentDisplay.restype = c_void_p
    glx.glXGetCurrentDrawable.restype = glx.glXGetCurrentReadDrawable.restype = c_ulong
    glx.glXMakeContextCurrent.argtypes = [c_void_p, c_ulong, c_ulong, c_void_p]
    return glx


class HiddenWindow:
    """A window that is never shown, for its OpenGL 3.3 core context. Used like `EglContext`.

    Raises:
        RenderError: no window with OpenGL 3.3 can be opened.
    """

    def __init__(self) -> None:
        """Open the window; the context that was current before stays so."""
        import pyglet  # slow to load, and not needed where there is EGL

        self._gl = pyglet.gl
        # The contexts to restore at the end of each `with` block, the innermost last.
        self._contexts_before: list[Any] = []
        before = pyglet.gl.current_context
        try:
            # Of any size: pictures are drawn into framebuffer objects.
            config = pyglet.gl.Config(major_version=3, minor_version=3, double_buffer=False)
            self._window = pyglet.window.Window(
                16, 16, visible=False, config=config, caption="juggle-anim"
            )
        except Exception as error:  # of a type that depends on the platform
            raise RenderError(_("OpenGL 3.3 is not available: {error}", error=error)) from error
        self.closed = False
        # A new window makes its own context current.
        if before:
            before.set_current()

    def __enter__(self) -> HiddenWindow:
        self._contexts_before.append(self._gl.current_context)
        self._window.switch_to()
        return self

    def __exit__(self, *_: object) -> None:
        before = self._contexts_before.pop()
        if before and before is not self._window.context:
            before.set_current()

    def close(self) -> None:
        """Close the window."""
        self._window.close()
        self.closed = True
