"""Limits of what a server takes on: a hostile request ends in a clear refusal, not in lost time or memory."""

from __future__ import annotations

MAX_QUERY = 4_096  # characters of a query
MAX_EDGE, MIN_EDGE = 1_920, 16  # width and height of a picture, [pixels]
MAX_FPS = 60.0  # [frames/s]
MAX_PIXELS = 100_000_000  # of all frames of a film
MAX_FRAMES = 900  # of a film, or rows of a table
MAX_PROPS = 40
MAX_JUGGLERS = 12
MAX_BEATS = 120  # beats of a pattern
MAX_JUGGLED = 60.0  # a loop's duration times its jugglers, [s]
MAX_SECONDS = 20.0  # that drawing one answer may take, [s]
MAX_WAIT = 10.0  # that anyone waits, for those before as well, [s]
MAX_WAITING = 64  # requests that wait for a process to draw them; more are refused at once
# A request that arrives just as its connection is closed is lost. So none that is in use is closed, even where the
# machine was held up for a while.
MAX_IDLE = 300  # that a connection is kept open for the next request, [s]
MAX_MEMORY = 4 << 30  # that a process may map, [bytes]
MAX_CACHE = 64 << 20  # that kept answers take, [bytes]
