"""Opening the window where it was, or telling why there is none.

Fixes of memory and dpi for a long-lived window.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, byref, c_int, c_ubyte, c_ulong, string_at
from typing import Any

from juggle_anim.errors import ViewerError, one_line
from juggle_anim.language import N_, _
from juggle_anim.resources import bold_font, resource
from juggle_anim.viewer.layout import HEIGHT, WIDTH

EXPORT_HINT = N_("use `juggle-anim export PATTERN FOLDER` to draw without a window")

_LIBRARIES = N_("on Debian or Ubuntu: apt-get install libx11-6 libxrender1 libgl1")
# of mallopt, see malloc.h of the GNU C library
_MMAP_THRESHOLD = -3
_TRIM_THRESHOLD = -1
_MMAP_BYTES = 256 << 10  # larger arrays are given back to the system once they are freed
_TRIM_BYTES = 1 << 20  # free bytes at the end of the heap that are kept
_MIN_DPI = 48
_MAX_DPI = 768

DEFAULT_DPI = 96.0
"""Dots per inch of a screen of which nothing is known."""

_OPENING_SHARE = 0.03  # height of the first words, over that of the window
_LEAST_LETTERS = 14  # pixels, of their font
_DARK_INK = (45, 50, 56, 255)  # sRGB and opacity, on bright stages
_LIGHT_INK = (225, 230, 236, 255)
_BRIGHT = 0.5  # colours that are brighter in any channel have dark ink
_ICON_EDGES = 16, 32, 48, 128  # pixels
_POLL_INTERVAL = 2.0  # s
# X's numbers of a property and its kind; words of 4 bytes
_RESOURCES = 23
_STRING_TYPE = 31
_MAX_WORDS = 65_536

_MIN_VISIBLE = 80  # pixels of a window that must be on a screen, so that the mouse can drag it
_MIN_SIZE = 320, 240
_SETTLE_TIME = 1.0  # s after which a window manager has placed it

Screen = tuple[int, int, int, int]
"""Left, top, width and height, [pixels]."""


def open_window(
    caption: str,
    size: tuple[int, int] | None = None,
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Any:
    """Open a window with OpenGL 3.3 core, not larger than the screen.

    Args:
        caption: title of the window.
        size: width and height of the window, [pixels]; None for a size that suits the screen.
        colour: sRGB colour, channels from 0 to 1, that fills the window until something is drawn.

    Returns:
        Pyglet's window, which is visible.

    Raises:
        ViewerError: there is no display, no OpenGL 3.3, or a system library is missing.
    """
    try:
        pyglet = _import_pyglet()
        screen = pyglet.display.get_display().get_default_screen()
        fix_screen_dpi(screen)
    except Exception as error:  # each platform raises its own, a missing library an ImportError
        raise ViewerError(f"{_missing_for_display(error)}; {_(EXPORT_HINT)}") from error
    # A size that does not fit any screen is replaced by the default one.
    wanted = fitting_size(size, screens_of(screen.display)) or _default_size(screen)
    config = pyglet.gl.Config(
        major_version=3, minor_version=3, forward_compatible=True, double_buffer=True,
        depth_size=24,
        red_size=8, green_size=8, blue_size=8,
    )  # fmt: skip
    try:
        window = pyglet.window.Window(
            *wanted,
            caption=caption,
            resizable=True,
            vsync=True,
            config=config,
            file_drops=True,
            visible=False,
        )
        _show_filled(window, colour)
    except Exception as error:  # of pyglet or of the graphics driver, differing by platform
        raise ViewerError(
            _(
                "the display does not support OpenGL 3.3 ({error}); {export_hint}",
                error=one_line(error),
                export_hint=_(EXPORT_HINT),
            )
        ) from error
    window.set_minimum_size(320, 240)
    fix_window_recreation(window)
    release_large_arrays()
    return window


def _show_filled(window: Any, colour: tuple[float, float, float]) -> None:
    """Show a window at once, in one colour with a word, as its content takes a second to load.

    Args:
        window: pyglet's window, not visible yet.
        colour: sRGB, each channel from 0 to 1.
    """
    from pyglet import gl

    if hasattr(window, "_x_display"):
        from pyglet.libs.x11 import xlib

        red, green, blue = (round(255 * channel) for channel in colour)
        # The X server itself fills the window with this colour, 0xRRGGBB, before any program draws.
        xlib.XSetWindowBackground(window._x_display, window._window, red << 16 | green << 8 | blue)
    window.set_visible(True)
    gl.glClearColor(*colour, 1.0)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT)
    _write_in_middle(window, _("Opening …"), colour)
    window.flip()


def _write_in_middle(window: Any, words: str, colour: tuple[float, float, float]) -> None:
    """Write words into the middle of a window, before there are cards to do so.

    Args:
        window: pyglet's window, whose OpenGL context is the present one.
        words: a few words.
        colour: what the window is filled with, sRGB, each channel from 0 to 1.
    """
    from PIL import Image, ImageDraw
    from pyglet import gl

    window_width, window_height = window.get_framebuffer_size()
    size = max(round(_OPENING_SHARE * window_height), _LEAST_LETTERS)
    font = bold_font(size)
    width = round(font.getlength(words))
    height = 2 * size
    ground = tuple(round(255 * channel) for channel in colour)
    ink = _DARK_INK if max(colour) > _BRIGHT else _LIGHT_INK
    image = Image.new("RGBA", (width, height), (*ground, 255))
    ImageDraw.Draw(image).text((width / 2, height / 2), words, ink, font, anchor="mm")
    pixels = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes()  # OpenGL begins below

    # A texture is copied into the window as a framebuffer, for which no shader is needed.
    texture = gl.GLuint()
    framebuffer = gl.GLuint()
    gl.glGenTextures(1, texture)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture)
    kind = gl.GL_RGBA, gl.GL_UNSIGNED_BYTE
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, width, height, 0, *kind, pixels)
    gl.glGenFramebuffers(1, framebuffer)
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, framebuffer)
    attachment = gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D
    gl.glFramebufferTexture2D(gl.GL_READ_FRAMEBUFFER, *attachment, texture, 0)
    left = (window_width - width) // 2
    bottom = (window_height - height) // 2
    place = left, bottom, left + width, bottom + height
    gl.glBlitFramebuffer(0, 0, width, height, *place, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, 0)
    gl.glDeleteFramebuffers(1, framebuffer)
    gl.glBindTexture(gl.GL_TEXTURE_2D, 0)
    gl.glDeleteTextures(1, texture)


def _import_pyglet() -> Any:
    """Import pyglet with the options that suit a single window, and return the module.

    Raises:
        ViewerError: pyglet runs headless: it is set to open no windows.
    """
    import pyglet

    if pyglet.options["headless"]:
        raise ViewerError(
            _("pyglet is set to open no windows (option headless, or PYGLET_HEADLESS)")
        )
    # These options only count before `pyglet.gl` and `pyglet.window` are imported.
    # A check for errors after each call of OpenGL takes long.
    pyglet.options["debug_gl"] = False
    # A hidden window would share OpenGL objects among windows, but there is only one.
    pyglet.options["shadow_window"] = False
    import pyglet.gl
    import pyglet.window

    return pyglet


def give_icon(window: Any) -> None:
    """Set the icon of a window in several sizes; the desktop shows it in lists of windows.

    This takes a moment, so call it after the first frame.

    Args:
        window: pyglet's window.
    """
    from PIL import Image
    from pyglet.image import ImageData

    with Image.open(resource("assets", "icon/juggle-anim.png")) as picture:
        whole = picture.convert("RGBA")
    sizes = [whole.resize((edge, edge), Image.Resampling.LANCZOS) for edge in _ICON_EDGES]
    window.set_icon(
        # The pitch is the number of bytes in a row; negative if the first row is the top one.
        *(ImageData(*image.size, "RGBA", image.tobytes(), -4 * image.width) for image in sizes)
    )


def _default_size(screen: Any) -> tuple[int, int]:
    scale = screen.get_dpi() / 96 if hasattr(screen, "get_dpi") else 1.0
    return min(round(WIDTH * scale), screen.width), min(round(HEIGHT * scale), screen.height)


def _missing_for_display(error: Exception) -> str:
    """Return a message about what is missing to open a window, from an error of pyglet.

    Args:
        error: the error that was raised when pyglet was imported or asked for the display.
    """
    if isinstance(error, ViewerError):
        return str(error)
    if isinstance(error, AttributeError):
        # If a library was not found, pyglet has None in its place, which has no functions.
        return missing_libraries(ImportError(error.name or error))
    if isinstance(error, ImportError):
        return missing_libraries(error)
    if type(error).__name__ == "NoSuchDisplayException":
        # Pyglet always calls the display "None" in its message.
        name = os.environ.get("DISPLAY")
        if name:
            return _("the display {name} does not answer", name=name)
        if os.environ.get("WAYLAND_DISPLAY"):
            return _(
                "a window needs X11, but this desktop has only Wayland: install or start Xwayland"
            )
        return _("no display: DISPLAY is not set")
    return _("no display to open a window on ({error})", error=one_line(error))


def missing_libraries(error: Exception) -> str:
    """Return how to install the system libraries that a window lacks, from their error."""
    return _(
        "missing system libraries for a window ({error}); {libraries}",
        error=one_line(error),
        libraries=_(_LIBRARIES),
    )


def release_large_arrays() -> None:
    """Configure GNU's C library to return large arrays to the system as soon as they are freed.

    By default it raises its threshold for doing so whenever a larger array is freed, up to 32 MB,
    and puts arrays below the threshold into the heap. There, small objects that are still in use
    keep the memory of freed arrays between them from being returned: 40 MB after half an hour of
    random use, with crowds that come and go. Fixed thresholds prevent that.
    """
    if not sys.platform.startswith("linux"):
        return
    # The C library that is loaded already; others than GNU's have no mallopt.
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_MMAP_THRESHOLD, _MMAP_BYTES)
        library.mallopt(_TRIM_THRESHOLD, _TRIM_BYTES)


def fix_window_recreation(window: Any) -> None:
    """Free the buffers of the old window whenever pyglet replaces the window, as for full screen.

    The OpenGL library Mesa frees the buffers of a closed window when the context is given another
    window, which it tells from the old one by the address in memory. The new window often has the
    same address. Then the old buffers, four bytes or more for each pixel, are never freed. So this
    detaches the context from the old window, before the new one is created.

    Args:
        window: pyglet's window.
    """
    if not hasattr(window.context, "glx_context"):
        return  # not an X11 window
    create = window._create

    # Pyglet calls this private method whenever it replaces the window.
    def created() -> None:
        _detach_window(window.context)
        create()

    window._create = created


def _detach_window(context: Any) -> None:
    from pyglet.gl import glx

    # OpenGL 3 and later may be current without a window (GLX_ARB_create_context).
    glx.glXMakeContextCurrent(context.x_display, 0, 0, context.glx_context)
    glx.glXMakeContextCurrent(context.x_display, 0, 0, None)


def fix_screen_dpi(screen: Any) -> None:
    """Replace pyglet's `get_dpi` of X screens by a method that accepts any resource `Xft.dpi`.

    The method of pyglet 2.1 raises a ValueError for 115.2, divides by a dpi of 0, and opens no
    window for a negative one. It is replaced in the class, so for all screens. Nothing is done on
    systems without X.

    Args:
        screen: one of pyglet's screens, whose classes are searched for the method.
    """
    for kind in type(screen).__mro__:
        if kind.__name__.startswith("XlibScreen") and "get_dpi" in vars(kind):
            kind.get_dpi = _dpi  # type: ignore[attr-defined]


def _dpi(screen: Any) -> int:
    from pyglet.libs.x11 import xlib

    resources = xlib.XResourceManagerString(screen.display._display) or b""
    dots = dpi_in(resources.decode("latin-1")) or DEFAULT_DPI
    return round(dots if _MIN_DPI <= dots <= _MAX_DPI else DEFAULT_DPI)


class ScreenDpi:
    """Knows the scale of a window, also after the dpi of its screen was changed.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._since = 0.0
        self._dpi = _xft_dpi(window)

    @property
    def scale(self) -> float:
        """Pixels of this screen for each pixel of a screen of 96 dpi."""
        window = self._window
        dpi = self._dpi or window.dpi
        ratio: float = window.get_framebuffer_size()[0] / max(window.width, 1)
        return max(dpi / DEFAULT_DPI, ratio)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and read the dpi from time to time; return whether it has changed."""
        self._since += elapsed
        if self._since < _POLL_INTERVAL:
            return False
        self._since = 0.0
        before = self._dpi
        self._dpi = _xft_dpi(self._window)
        return self._dpi != before


def dpi_in(resources: str) -> float | None:
    """Parse the resource `Xft.dpi` from X resources; None if it is missing or no sensible number.

    Args:
        resources: lines of the form "name: value".
    """
    for line in resources.splitlines():
        name, _unused, value = line.partition(":")
        if name.strip() == "Xft.dpi":
            try:
                dots = float(value)
            except ValueError:
                return None
            return dots if 0 < dots < 10_000 else None
    return None


def _xft_dpi(window: Any) -> float | None:
    """Return the dots per inch in the present resources of the X server; None if it has none.

    The resources are the text in the property RESOURCE_MANAGER of the root window. Pyglet's own
    copy is from the start of the program, and does not follow changes.

    Args:
        window: pyglet's; on other systems than X the result is None.
    """
    handle = getattr(window, "_x_display", None)
    if handle is None:
        return None
    from pyglet.libs.x11 import xlib

    # The call writes its results to these: type of the property, bits of an item, number of items,
    # number of bytes beyond `_MAX_WORDS`, and the content.
    kind = c_ulong()
    form = c_int()
    count = c_ulong()
    left = c_ulong()
    text = POINTER(c_ubyte)()
    arguments = (
        handle,
        xlib.XDefaultRootWindow(handle),
        _RESOURCES,
        0,
        _MAX_WORDS,
        False,
        _STRING_TYPE,
    )
    xlib.XGetWindowProperty(
        *arguments, byref(kind), byref(form), byref(count), byref(left), byref(text)
    )
    if not text:
        return None
    # Items of 8 bits are characters. X returns memory that the caller has to free.
    resources = string_at(text, count.value).decode("latin-1") if form.value == 8 else ""
    xlib.XFree(text)
    return dpi_in(resources)


class WindowPlace:
    """Restores the position of a window, and tracks the position to restore next time.

    A window manager puts the frame around the window at the requested position. So only moves of
    the window are read: its own position would creep from one time to the next.

    Args:
        window: pyglet's.
        wanted: its upper left corner, [pixels]; None for any.
    """

    def __init__(self, window: Any, wanted: tuple[int, int] | None) -> None:
        self._window = window
        self._wanted = wanted
        self._first: tuple[int, int] | None = None
        self._age = 0.0
        if wanted:
            window.set_location(*wanted)

    def advance(self, elapsed: float) -> None:
        """Let time pass, [s]."""
        self._age += elapsed
        if self._first is None and self._age > _SETTLE_TIME:
            self._first = self._window.get_location()

    @property
    def now(self) -> tuple[int, int] | None:
        """The position to restore next time, [pixels]."""
        if self._first is None:
            return self._wanted
        x, y = self._window.get_location()
        if self._wanted is None:
            return x, y
        return self._wanted[0] + x - self._first[0], self._wanted[1] + y - self._first[1]


def fitting_size(size: tuple[int, int] | None, screens: list[Screen]) -> tuple[int, int] | None:
    """Return a size that fits the largest screen, [pixels].

    None if there is none or it is too small.
    """
    if size is None or size[0] < _MIN_SIZE[0] or size[1] < _MIN_SIZE[1]:
        return None
    return min(size[0], max(screen[2] for screen in screens)), min(
        size[1], max(screen[3] for screen in screens)
    )


def fitting_place(
    place: tuple[int, int] | None, size: tuple[int, int], screens: list[Screen]
) -> tuple[int, int] | None:
    """Return a remembered position of a window if enough of the window is visible there, else None.

    Args:
        place: left and top of the window, [pixels]; None if no position is remembered.
        size: width and height of the window, [pixels].
        screens: left, top, width and height of each screen, [pixels].
    """
    if place is None:
        return None
    for left, top, width, height in screens:
        visible_width = min(place[0] + size[0], left + width) - max(place[0], left)
        # `_MIN_VISIBLE` pixels of the title bar, which is at the top, must be on one screen, so
        # that the mouse can drag the window.
        if visible_width >= _MIN_VISIBLE and top <= place[1] <= top + height - _MIN_VISIBLE:
            return place
    return None


def screens_of(display: Any) -> list[Screen]:
    """Return the screens of a display."""
    return [(screen.x, screen.y, screen.width, screen.height) for screen in display.get_screens()]
