"""The generator in the viewer: what is looked for, what was found, and what was starred.

No window, no OpenGL.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from juggle_anim.errors import JuggleError, NotationError
from juggle_anim.language import N_, ngettext
from juggle_anim.viewer.panel.values import option_words
from juggle_anim.viewer.state.browser import Browser
from juggle_anim.viewer.state.keymap import GENERATOR, Action, Handlers
from juggle_anim.viewer.state.model import Model

if TYPE_CHECKING:
    from juggle_anim.generator import Generated, Search

MAX_FOUND = 200_000
"""Patterns that are kept; a search ends there."""

# Beginnings of patterns that are extended in one step; with many hands, fewer.
_STATES_PER_STEP = 1024
_MULTIPLEX_STATES_PER_STEP = 128
_SEARCH_TIME_PER_FRAME = 0.004  # s of each frame
_PAGE_SIZE = 8
_MAX_CYCLED_VALUES = 6  # more are numbers, which end at both ends rather than go around
_ANY = "any"
_HIGHEST = 35  # the most props, and the highest throw, which one letter can say
_MAX_JUGGLERS = 4

Options = dict[str, Any]


class Control:
    """Something that can be requested: one of several values.

    Args:
        name: name of the control.
        label: shown for it.
        values: values that it can have, each with its name.
        default: the value that it has at first.
        when: whether it has a meaning, by the values of all controls.
    """

    def __init__(
        self,
        name: str,
        label: str,
        values: Sequence[tuple[str, Any]],
        default: Any,
        when: Callable[[Options], bool] = lambda values: True,
    ) -> None:
        """Create a control of the search that has its default value.

        Args:
            name: the option of `GeneratorOptions` that the control sets, or part of it.
            label: the name of the control on the card.
            values: the possible values in order, each with its text.
            default: the value at first.
            when: whether the control has a meaning, by the values of all controls.
        """
        self.name = name
        self.label = label
        self.values = tuple(values)
        self.when = when
        self.default = default
        self.value = default

    @property
    def shown(self) -> str:
        """The name of its value."""
        return option_words(next(words for words, value in self.values if value == self.value))

    @property
    def is_number(self) -> bool:
        """Whether it counts something, and so ends at its greatest value; others go around."""
        return len(self.values) > _MAX_CYCLED_VALUES

    def step(self, steps: int) -> bool:
        """Go so many values further, back if negative; return whether that changes the value.

        A number stops at its first and last value; other controls go around.
        """
        values = [value for _, value in self.values]
        before = self.value
        index = values.index(self.value) + steps
        index = min(max(index, 0), len(values) - 1) if self.is_number else index % len(values)
        self.value = values[index]
        return bool(self.value != before)


def _numbers(low: int, high: int, more: str = "") -> list[tuple[str, Any]]:
    return [
        *([(more, None)] if more else []),
        *((str(number), number) for number in range(low, high + 1)),
    ]


def _controls() -> tuple[Control, ...]:
    """Return the controls of a search for patterns, each at its default, in the order of the card.

    Each control sets the option of `GeneratorOptions` that has its name, but for `period` and
    `shorter`, which set `periods` together. The function `when` of some controls returns whether
    they have a meaning, given the values of all controls by name.
    """
    switch = ("no", False), ("yes", True)

    def is_passing(values: Mapping[str, Any]) -> bool:
        """Whether several people juggle, so that how they do it together has a meaning."""
        return values["jugglers"] > 1

    def is_multiplex(values: Mapping[str, Any]) -> bool:
        """Whether a hand may throw several props at once."""
        return values["multiplex"] > 1

    return (
        Control("props", N_("Props"), _numbers(1, _HIGHEST), default=3),
        Control("max_throw", N_("Highest"), _numbers(1, _HIGHEST, _ANY), default=5),
        Control("period", N_("Period"), _numbers(1, 60, _ANY), default=5),
        Control(
            "shorter",
            N_("Shorter"),
            switch,
            default=False,
            when=lambda values: values["period"] is not None,
        ),
        Control(
            "kind",
            N_("Kind"),
            [("default", "simple"), ("all", "all"), ("prime", "prime")],
            default="simple",
        ),
        Control(
            "start",
            N_("Start"),
            [("any", "any"), ("ground", "ground"), ("excited", "excited")],
            default="any",
            when=lambda values: values["jugglers"] == 1,
        ),
        Control("multiplex", N_("Multiplex"), [("no", 1), ("of 2", 2), ("of 3", 3)], default=1),
        Control("synchronous", N_("Sync"), switch, default=False),
        Control("jugglers", N_("Jugglers"), _numbers(1, _MAX_JUGGLERS), default=1),
        Control("connected", N_("Connected"), switch, default=True, when=is_passing),
        Control("symmetric_jugglers", N_("All alike"), switch, default=False, when=is_passing),
        Control("true_multiplex", N_("No holds"), switch, default=False, when=is_multiplex),
        Control("squeezes", N_("Squeezes"), switch, default=False, when=is_multiplex),
        Control(
            "clusters",
            N_("Clusters"),
            [("yes", True), ("no", False)],
            default=True,
            when=is_multiplex,
        ),
        Control(
            "symmetric_hands",
            N_("Mirrored"),
            switch,
            default=False,
            when=lambda values: values["synchronous"],
        ),
        Control(
            "neighbouring_ones",
            N_("1 after 1"),
            [("yes", True), ("no", False)],
            default=True,
            when=lambda values: (
                values["jugglers"] == values["multiplex"] == 1 and not values["synchronous"]
            ),
        ),
    )


class Found:
    """Patterns in their order.

    As lists of texts, since hundreds of thousands of tuples would halt the window for a tenth of a
    second whenever memory is cleared up.
    """

    def __init__(self) -> None:
        self._texts: tuple[list[str], list[str], list[str]] = [], [], []

    def add(self, patterns: Sequence[Generated]) -> None:
        """Append patterns, until there are `MAX_FOUND`."""
        # There is a list of texts for each field of the patterns. `zip` turns patterns into fields;
        # there are none if no pattern is added.
        added_by_field = zip(*patterns[: MAX_FOUND - len(self)], strict=True)
        for texts, added_texts in zip(self._texts, added_by_field, strict=False):
            texts += added_texts

    def __len__(self) -> int:
        return len(self._texts[0])

    def __getitem__(self, number: int) -> Generated:
        from juggle_anim.generator import Generated

        return Generated(*(texts[number] for texts in self._texts))

    def __iter__(self) -> Iterator[Generated]:
        return (self[number] for number in range(len(self)))


class GeneratorView:
    """Searches a slice in each frame, and holds what was found.

    Args:
        model: model of the viewer.
        browser: keeps what is starred among its favourites.
    """

    def __init__(self, model: Model, browser: Browser) -> None:
        """Begin with the default values of all controls, and without a search.

        Args:
            model: the state of the viewer, in which a found pattern is shown.
            browser: the list of the library, which has the favourites.
        """
        self._model = model
        self._browser = browser
        self.controls = _controls()
        self.found = Found()
        """What the present search has found."""
        self.stars: dict[str, Generated] = {}
        """What was starred, also in searches before."""
        self.only_stars = False
        self.line = 0
        """The chosen line: the controls come first, then the patterns."""
        self.scroll_to_chosen = False
        self.error = ""
        """Why nothing is looked for."""
        self.stopped = False
        self.search: Search | None = None
        """The search that goes on; None when it has ended."""
        self._steps: Iterator[list[Generated]] = iter(())  # of the search: patterns found in each
        self._starred: tuple[Generated, ...] | None = None  # cache of the values of `stars`

    @property
    def active_controls(self) -> list[Control]:
        """The controls that have a meaning now."""
        values = {control.name: control.value for control in self.controls}
        return [control for control in self.controls if control.when(values)]

    @property
    def listed(self) -> Found | tuple[Generated, ...]:
        """The patterns listed: those found, or those starred."""
        if not self.only_stars:
            return self.found
        if self._starred is None:
            self._starred = tuple(self.stars.values())
        return self._starred

    @property
    def index(self) -> int:
        """The number of the chosen pattern, from 0; negative on a control."""
        return self.line - len(self.active_controls)

    @property
    def chosen(self) -> Generated | None:
        """The chosen pattern."""
        return self.listed[self.index] if 0 <= self.index < len(self.listed) else None

    def toggle(self) -> None:
        """Close the card of the generator, or open it.

        The first time it opens, it starts a search for patterns like the present one.
        """
        if self._model.cards.panel == GENERATOR:
            self.close()
            return
        self._model.cards.open(GENERATOR)
        has_searched = len(self.found) or self.search is not None or self.error
        if not has_searched:
            # Sets the controls to the props, period and so on of the present pattern.
            self._ask_for_similar()
            self.begin()

    def close(self) -> None:
        """Close the card; the search rests."""
        self._model.cards.close(GENERATOR)

    def begin(self) -> None:
        """Start a new search with the values of the controls; `advance` continues it in each frame.

        If the values contradict each other, `error` says why, and there is no search.
        """
        from juggle_anim.generator import GeneratorOptions, Search

        # The list of patterns is empty now. Patterns are the lines after the controls: if one was
        # chosen, the last control is chosen instead.
        self.line = min(self.line, len(self.active_controls) - 1)
        self.found = Found()
        self.search = None
        self.error = ""
        self.only_stars = False
        self.stopped = False

        # Two controls set the range of periods: the longest (None for any), and whether shorter
        # ones count, too. `shorter` is missing if it has no meaning, as for any period.
        values = {control.name: control.value for control in self.active_controls}
        max_period = values.pop("period")
        allows_shorter = values.pop("shorter", False) or max_period is None
        min_period = 1 if allows_shorter else max_period
        try:
            options = GeneratorOptions(periods=(min_period, max_period), **values)
        except JuggleError as error:
            self.error = str(error)
            return
        # A step of the search visits a number of states (when the props in the air will land):
        # fewer for several hands or multiplex throws, where more states can follow each.
        is_simple = options.hands == options.multiplex == 1
        states_per_step = _STATES_PER_STEP if is_simple else _MULTIPLEX_STATES_PER_STEP
        self.search = Search(options, states_per_step)
        self._steps = self.search.steps_with_passages()

    def advance(self, seconds: float = _SEARCH_TIME_PER_FRAME) -> bool:
        """Continue the search for a slice of time; called in every frame.

        Args:
            seconds: duration of the slice, [s]. Its last step may end later.

        Returns:
            Whether to redraw: False if there is no search, or the card is closed.
        """
        if self.search is None or self._model.cards.panel != GENERATOR:
            return False
        deadline = time.perf_counter() + seconds
        while self.search and time.perf_counter() < deadline:
            found_patterns = next(self._steps, None)
            if found_patterns is None:  # the search has ended
                self.search = None
                break
            self.found.add(found_patterns)
            if len(self.found) >= MAX_FOUND:
                self.stop()
        return True

    def stop(self) -> None:
        """End the search; what was found stays."""
        self.stopped = self.search is not None
        self.search = None

    def step(self, control: Control, steps: int) -> None:
        """Change a control, and search again."""
        if control in self.active_controls:
            self.line = self.active_controls.index(control)
        if control.step(steps):
            self.line = self.active_controls.index(control)
            self.begin()

    def play(self, number: int) -> None:
        """Choose a listed pattern, and juggle it."""
        self.line = len(self.active_controls) + number
        chosen = self.chosen
        if chosen and not self._model.type_pattern(chosen.pattern):
            error = self._model.pattern_error
            self._model.drop_pattern()
            self._model.notice.say(
                error.reason if isinstance(error, NotationError) else str(error), bad=True
            )

    def star(self, pattern: Generated | None) -> None:
        """Star a pattern, or take its star away; None does nothing.

        The pattern is also added to the favourites of the browser, or removed from them.
        """
        if pattern is None:
            return
        self._starred = None  # the cached list of starred patterns is out of date
        text = pattern.pattern
        is_starred = text not in self.stars
        if is_starred:
            self.stars[text] = pattern
        else:
            del self.stars[text]
        if self._browser.is_favourite(text) != is_starred:
            self._browser.star(text)  # adds or removes it
        # A list of starred patterns may be shorter now: keep the chosen line within it.
        self.line = min(self.line, len(self.active_controls) + max(len(self.listed) - 1, 0))

    def show_stars(self, *, only: bool) -> None:
        """List what is starred, or what was found."""
        self.only_stars = only
        self.scroll_to_chosen = True
        self.line = min(self.line, len(self.active_controls) + max(len(self.listed) - 1, 0))

    def save(self, path: Path, *, force: bool) -> str:
        """Write the listed patterns to a file.

        Args:
            path: path of the file; its ending names the format.
            force: whether an existing file may be replaced.

        Returns:
            The message to show.

        Raises:
            JuggleError: it cannot be written.
        """
        from juggle_anim.notation import write_found

        write_found(self.listed, path, force)
        return ngettext(
            "{number:,} pattern saved to {path}",
            "{number:,} patterns saved to {path}",
            len(self.listed),
            path=path,
        )

    @property
    def card_actions(self) -> Handlers:
        """Handlers of actions while the card takes keys, by action.

        The lines of the card are the controls of the search, and below them the patterns found. The
        first four actions choose a line, and the next two change the value of a chosen control.
        """
        return {
            Action.CHOOSE_PREVIOUS: lambda: self._move(-1),
            Action.CHOOSE_NEXT: lambda: self._move(1),
            Action.PAGE_UP: lambda: self._move(-_PAGE_SIZE),
            Action.PAGE_DOWN: lambda: self._move(_PAGE_SIZE),
            Action.TURN_DOWN: lambda: self._turn(-1),
            Action.TURN_UP: lambda: self._turn(1),
            Action.RESET_VALUE: self._reset,
            Action.TYPE_VALUE: self._enter,
            Action.STAR: lambda: self.star(self.chosen),
            Action.SHELF: lambda: self.show_stars(only=not self.only_stars),
            Action.BACK: self._leave,
        }

    def _move(self, steps: int) -> None:
        """Choose a line further down, or up if negative, and juggle it if it is a pattern.

        The lines are the controls of the search, and below them the patterns found.

        Args:
            steps: number of lines; more than one at once are a page.
        """
        first_pattern_line = len(self.active_controls)
        last_line = first_pattern_line + len(self.listed) - 1
        line = self.line + steps
        if steps > 1:
            # A page down from a control leads at least to the first pattern.
            line = max(line, first_pattern_line)
        elif steps < -1:
            # A page up stays among the patterns, but from the first of them, or a control, leads
            # to the first control.
            line = max(line, first_pattern_line) if self.line > first_pattern_line else 0
        self.line = min(max(line, 0), last_line)
        self.scroll_to_chosen = True
        if self.chosen:
            self.play(self.index)

    def _turn(self, steps: int) -> None:
        if self.index < 0:
            self.step(self.active_controls[self.line], steps)

    def _reset(self) -> None:
        if self.index < 0:
            control = self.active_controls[self.line]
            if control.value != control.default:
                control.value = control.default
                self.begin()

    def _enter(self) -> None:
        """Juggle the chosen pattern, or from a control the first one."""
        if len(self.listed):
            self.scroll_to_chosen = True
            self.play(max(self.index, 0))

    def _leave(self) -> None:
        if self.search:
            self.stop()
        else:
            self.close()

    def _ask_for_similar(self) -> None:
        """Set the controls to search for patterns that are like the present one.

        The number of props, the highest throw and the number of jugglers follow from the pattern;
        other controls keep their values. Timed events have no pattern, and change nothing.
        """
        pattern = self._model.animation.pattern
        if pattern is None:
            return
        values = {
            "props": min(max(pattern.props, 1), _HIGHEST),
            "max_throw": min(pattern.props + 2, _HIGHEST),
        }
        # For several jugglers a search takes longer: it begins with low throws and a short period.
        if 1 < pattern.jugglers <= _MAX_JUGGLERS:
            values |= {"jugglers": pattern.jugglers, "max_throw": 4, "period": 2}
        for control in self.controls:
            control.value = values.get(control.name, control.value)
