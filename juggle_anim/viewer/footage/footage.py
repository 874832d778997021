"""Footage: a film that follows the clock of the animation, and marks for tempo and dwell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ViewerError, counted
from juggle_anim.language import _
from juggle_anim.parameters import quantity_named
from juggle_anim.viewer.footage.controls import (
    END,
    IN_STEP,
    LEFT_HAND,
    LOOP,
    MARKS,
    OPACITY,
    PLACE,
    RIGHT_HAND,
    START,
    THROWS,
    FilmClock,
    FilmControls,
    Pace,
)
from juggle_anim.viewer.footage.marks import Marks, marked_beats
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.open_cards import FOOTAGE
from juggle_anim.viewer.state.prompt import Purpose, home_path, is_film, local_path

if TYPE_CHECKING:
    from juggle_anim.render.backdrop import FilmLayer
    from juggle_anim.render.framebuffer import Viewport
    from juggle_anim.viewer.footage.film import Film
    from juggle_anim.viewer.footage.marks import Rhythm


class FootageView:
    """A film behind, beside or over the animation, and what its card and keys do.

    Args:
        model: whose clock the film follows, and whose tempo and dwell marks can set.
        library: whose prompt asks for the path of a film.
    """

    def __init__(self, model: Model, library: LibraryController) -> None:
        """Begin without a film, and let the library open films, too.

        Args:
            model: whose clock the film follows, and whose tempo and dwell marks can set.
            library: whose prompt asks for the path of a film.
        """
        self.model = model
        self._library = library
        self.controls = FilmControls(model)
        self.film: Film | None = None
        self.path = Path()
        """Of its file."""
        self.shown_time = math.nan
        """When the picture that was drawn last begins, [s] of the film."""
        self._delay = 0.0  # how late that is, where decoding is slow, [s]
        self.marks = Marks()
        self._layer: FilmLayer | None = None
        self.clock = FilmClock(model, self.controls)
        library.open_film = self.open
        library.is_film = is_film

    @property
    def place(self) -> str:
        """Where the film is, a word of `PLACE`; empty without a film."""
        return str(self.controls.value(PLACE)) if self.film else ""

    @property
    def time(self) -> float:
        """The time of the film that is shown now, [s]."""
        return self.clock.time

    @property
    def is_waiting(self) -> bool:
        """Whether the picture of this time is still being decoded, or is not shown yet."""
        return self.film is not None and self.film.is_waiting

    def pixels(self, size: tuple[float, float]) -> Bytes | None:
        """Return the picture of this time, shape (height, width, 4); None if there is none yet.

        Args:
            size: at which it is shown, width and height, [pixels].
        """
        frame = self.film.frame(self.time, size) if self.film else None
        self.shown_time = frame.start if frame else math.nan
        self._delay = max(self.time - frame.end, 0.0) if frame else 0.0
        return frame.pixels if frame else None

    def draw(self, layout: Layout, area: Viewport) -> None:
        """Draw the film's present picture into an area of the bound framebuffer.

        Args:
            layout: of the area, as if it were the whole window; the film fits into its free part,
                or beside that.
            area: the viewport.
        """
        from juggle_anim.render.backdrop import FilmLayer
        from juggle_anim.render.framebuffer import Viewport

        if self.film is None:
            return
        free = layout.film or layout.free
        # The picture of one eye is narrower than its part of the window.
        if area.width < layout.width and layout.film is None:
            free = replace(free, left=0.0, width=area.width)
        rectangle = self.controls.placed(free, self.film.size)
        pixels = self.pixels(rectangle.size)
        if pixels is not None:
            self._layer = self._layer or FilmLayer()
            # OpenGL counts rows from the lower edge.
            low = round(area.bottom + layout.height - rectangle.bottom)
            size = max(round(rectangle.width), 1), max(round(rectangle.height), 1)
            self._layer.draw(
                pixels,
                Viewport(round(area.left + rectangle.left), low, *size),
                area,
                self.controls.number(OPACITY) / 100.0,
            )

    def open(self, text: str) -> None:
        """Show a film from its beginning, while the pattern goes on; a film before is closed.

        Opens the card of films, and resets their controls.

        Args:
            text: path of the file; ~ is the home folder.

        Raises:
            ViewerError: it is no film that can be read.
        """
        # Only now: few need it, and the program starts faster without.
        from juggle_anim.viewer.footage.film import Film

        path = home_path(text)
        if not path.is_file():
            raise ViewerError(
                _("{text} is a folder; type the path of a video", text=text)
                if path.exists()
                else _("{text} does not exist; type the path of a video", text=text)
            )
        film = Film(path)
        self.remove()
        self.film = film
        self.path = path
        self.controls.begin(film.duration)
        self.clock.begin(film.duration)
        self.controls.entry.cancel()
        self.model.cards.open(FOOTAGE)

    def take_files(self, paths: Sequence[str]) -> bool:
        """Show a film that was dropped on the window; return whether it was one.

        A film that this program exported is left to be opened as its pattern, unless the card of
        films is shown. Errors are shown to the user.

        Args:
            paths: dropped files; more than one are no film.
        """
        path = local_path(paths[0]) if len(paths) == 1 else ""
        if not is_film(path, ours=self.model.cards.panel == FOOTAGE):
            return False
        try:
            self.open(path)
        except ViewerError as error:
            self.model.show_error(error)
        return True

    def remove(self) -> None:
        """Take the film away, and its marks."""
        if self.film:
            self.film.close()
        self.film = None
        self.path = Path()
        self.marks = Marks()
        self.clock.end()

    def close(self) -> None:
        """Release everything; the OpenGL context of the window must be current."""
        self.remove()
        if self._layer:
            self._layer.close()

    def forget_layer(self) -> None:
        """Draw anew from now on: OpenGL has lost what was loaded into it."""
        self._layer = None

    def go_to(self, time: float) -> None:
        """Go to a time of the film, [s], and to what the animation does then."""
        if self.film:
            self.clock.go_to(time)

    def follow(self) -> None:
        """Follow jumps of the animation's clock, and changes of the film's speed."""
        if self.film:
            self.clock.follow()

    @property
    def rhythm(self) -> Rhythm | None:
        """The rhythm of the marks; None if there are too few."""
        return self.marks.rhythm(held=self.controls.value(MARKS) != THROWS)

    @property
    def pace(self) -> Pace | None:
        """Tempo and dwell that the marks give, [beats/s] and [beats]; None if there are too few.

        Where the marks tell no dwell, it is the present one.
        """
        rhythm = self.rhythm
        bps = quantity_named("bps")
        dwell = quantity_named("dwell")
        if rhythm is None:
            return None
        _first, beats_per_mark = self._marked_beats
        beat = rhythm.period / beats_per_mark  # s of the film
        dwell_beats = rhythm.hold / beat if rhythm.hold else self.model.animation.parameters.dwell
        tempo = min(max(self.clock.speed / beat, bps.low), bps.high)
        return round(tempo, 4), round(min(max(dwell_beats, dwell.low), dwell.high), 2)

    @property
    def rhythm_text(self) -> str:
        """Tempo, dwell and deviation that the marks give, in words for the user."""
        pace = self.pace
        rhythm = self.rhythm
        count = len(self.marks.made)
        if pace is None or rhythm is None:
            return (
                _("{marks}; add more to get the tempo", marks=counted(count, "mark"))
                if count
                else _("No marks yet")
            )
        tempo, dwell_beats = pace
        dwell = _(", dwell {pace:.2f}", pace=dwell_beats) if rhythm.hold else ""
        return _(
            "{count} marks: {pace:.2f} beats/s{dwell}, ±{deviation:.0f} ms",
            count=count,
            pace=tempo,
            dwell=dwell,
            deviation=1000 * rhythm.deviation,
        )

    def press(self) -> None:
        """The key of marks goes down."""
        if self._has_film():
            self.marks.press(self.time - self._delay)

    def release(self) -> None:
        """The key of marks comes up."""
        self.marks.release(self.time - self._delay)
        if not self.model.cards.is_visible(FOOTAGE):  # the card would show it
            self.model.notice.say(self.rhythm_text)

    def unmark(self) -> None:
        """Take the last mark away."""
        if self.marks.made:
            self.marks.made.pop()
        else:
            self.model.notice.say(_("No marks to remove"))

    def use(self) -> None:
        """Set the pattern's tempo and dwell to those of the marks, with throws on the marks.

        This is one undo step. Where it is impossible, a notice says why.
        """
        pace = self.pace
        rhythm = self.rhythm
        model = self.model
        if not self._has_film():
            return
        if pace is None or rhythm is None:
            model.notice.say(
                _(
                    "Mark some throws first: press {key} while the video plays",
                    key=caption(Action.MARK_BEAT),
                ),
                bad=True,
            )
            return
        if model.animation.pattern is None:
            model.notice.say(
                _("These events have their own times; marks cannot change them"), bad=True
            )
            return
        # The clock follows before and after the change, which would look like a jump.
        self.follow()
        before = self.clock.pace
        start = self.controls.number(START)
        # Sealed before and after, so that it is a step of its own.
        tempo, dwell = pace
        model.undo.seal()
        model.change(lambda animation: animation.replace(bps=tempo, dwell=dwell), "film")
        model.undo.seal()
        if model.error:
            model.notice.say(_("Not used: {error}", error=model.error), bad=True)
            return
        self.follow()
        # A film that begins again stays in step only after whole loops.
        if self.controls.value(END) == LOOP:
            self.controls.set_value(END, IN_STEP)
        first_beat, _beats_per_mark = self._marked_beats
        self.clock.align(rhythm, first_beat)
        self.clock.note_use(before, start)
        model.notice.say(
            _(
                "{pace:.2f} beats/s, dwell {pace2:.2f}. {key} to undo",
                pace=tempo,
                pace2=dwell,
                key=caption(Action.UNDO),
            )
        )

    def shift(self) -> None:
        """Let the film run a beat ahead, so that the other hand throws with it."""
        if self._has_film():
            self.clock.shift(1.0 / self.model.animation.choreography.bps)

    @property
    def _marked_beats(self) -> tuple[float, float]:
        """The first beat on which the marked hands throw, and the beats from a mark to the next."""
        marked = self.controls.value(MARKS)
        hands = {LEFT_HAND: (0,), RIGHT_HAND: (1,)}.get(str(marked), (0, 1))
        pattern = self.model.animation.pattern
        return marked_beats(pattern, hands) if pattern else (0.0, 2.0 / len(hands))

    def _has_film(self) -> bool:
        """Whether there is a film; if not, a notice says how to open one."""
        if self.film is None:
            self.model.notice.say(
                _(
                    "No video yet: drop one here, or press {key} to open one",
                    key=caption(Action.FOOTAGE),
                ),
                bad=True,
            )
        return self.film is not None

    def toggle(self) -> None:
        """Show the card, or hide it; the film stays."""
        self.model.cards.toggle(FOOTAGE)
        self.controls.entry.cancel()

    def take_away(self) -> None:
        """Take the film away, as a key does."""
        if self._has_film():
            self.remove()
            self.model.notice.say(_("Video removed"))

    @property
    def actions(self) -> dict[Action, Callable[[], None]]:
        """What keys do wherever they are pressed."""
        return {
            Action.FOOTAGE: self.toggle,
            Action.REMOVE_FILM: self.take_away,
            Action.MARK_BEAT: self.press,
            Action.UNMARK: self.unmark,
            Action.USE_MARKS: self.use,
            Action.SHIFT_BEAT: self.shift,
        }

    @property
    def card_actions(self) -> dict[Action, Callable[[], None]]:
        """What keys do while its card takes them."""
        ask = partial(self._library.prompt.ask, Purpose.FILM, "")
        return {Action.OPEN_FILE: ask, Action.BACK: self.toggle, **self.controls.actions}
