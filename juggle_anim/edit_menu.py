"""Lines of a menu of editing: what can be done with a throw, a catch or the whole pattern."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.choreography import holds, items_of_turns, repeat_to_full_loop, throw_word
from juggle_anim.errors import JuggleError, counted, sentence
from juggle_anim.language import N_, _, pgettext
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import BODY_CATCH_NAMES, BODY_THROW_NAMES, GRASP_KINDS
from juggle_anim.scene import prop_colours

if TYPE_CHECKING:
    from juggle_anim.editing.editor import Editor

UNCHANGED = N_("unchanged")
"""The result of a change that changes nothing."""

_EVENTS = N_("events")
_SAME_THROWS = N_("same throws")
_MAX_COLOURED_PROPS = 24  # more props get no line that gives each a colour of its own
# turns of a club in the air that the menu offers
_SPINS = 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0

Change = Callable[["Editor[Animation]"], Animation]
"""Calls one operation of an editor."""


@dataclass(frozen=True)
class Entry:
    """A line of the menu.

    Args:
        words: what it does.
        change: made when the line is taken; None for a line that leads to others.
        result: the result of the change: a siteswap, or settings that change; of a line that leads
            to others, the present choice among them.
        refused: why it cannot be done; empty if it can.
        colours: the colours of the props that come of it, shape (P, 3), sRGB; None where they stay.
        lines: the lines to which it leads.
    """

    words: str
    change: Change | None = None
    result: str = ""
    refused: str = ""
    colours: Singles | None = None
    lines: tuple[Entry, ...] = ()

    @classmethod
    def from_trial(
        cls, words: str, change: Change, before: Animation, shows_colours: bool = False
    ) -> Entry:
        """Return the line of a menu that makes a change, with its result or why it fails.

        To find these, the change is tried on a copy of the animation, which is dropped.

        Args:
            words: text of the line.
            change: the change that the line makes when a user chooses it.
            before: the animation to change.
            shows_colours: whether the line shows the colours that props get, instead of a result in
                words.
        """
        try:
            after = change(before.edit())
            if shows_colours:
                return cls(words, change, colours=after.prop_colours)
        except JuggleError as error:
            return cls(words, change, refused=sentence(str(error)))
        return cls(words, change, result=_result(before, after))


def _result(before: Animation, after: Animation) -> str:
    """Return the result of a change in a few words, as a menu shows it.

    That is the new siteswap; if the throws stay the same, the changed settings, such as
    `bps=3;dwell=1.2`; or words for no change, and for timed events, which have no siteswap.

    Args:
        before, after: the animation before and after the change.
    """
    if after.pattern is None:  # events
        return UNCHANGED if before.score is after.score else _EVENTS
    if before.pattern is None:  # events have become a pattern
        return after.text
    if after.settings == before.settings:
        return UNCHANGED
    old = before.pattern.text
    new = after.pattern.text

    # The throws are the same if both texts are repeats of one text, as 3 and 333 are. This is so if
    # and only if each, repeated as often as the other has characters, gives the same text.
    has_same_throws = old * len(new) == new * len(old)
    if has_same_throws:
        # A settings string is the pattern and then `name=value`, separated by semicolons. Only
        # those that are new or have another value count; settings that are gone are not shown.
        old_settings = before.settings.split(";")[1:]
        new_settings = after.settings.split(";")[1:]
        changed = ";".join(setting for setting in new_settings if setting not in old_settings)
        if changed:
            return changed
    return new if new != old else _SAME_THROWS


def pattern_lines(before: Animation) -> tuple[Entry, ...]:
    """Return the lines of a menu for the whole pattern: transformations, and looks of props.

    Args:
        before: the animation to change; lines show what the change of each makes of it.
    """
    lines = _lines(
        before,
        (_("Mirror"), operation("mirror")),
        (_("Swap hands"), operation("swap_hands")),
        (_("Reverse time"), operation("reverse")),
        (_("Start a beat later"), operation("rotate", 1)),
        (_("Start a beat earlier"), operation("rotate", -1)),
        (_("Expand to two repeats"), operation("repeat", 2)),
        (_("Expand to three repeats"), operation("repeat", 3)),
        (_("Dual"), operation("dual")),
        (_("Inverse"), operation("inverse")),
    )
    looks: tuple[tuple[str, Change], ...] = (
        (_("One colour per orbit"), _coloured("orbit", len(before.choreography.orbits))),
        (_("One colour per prop"), _coloured("prop", before.choreography.props)),
        (_("Default colours"), operation("set_props", colour="default")),
    )
    kinds = _lines(
        before,
        (_("Balls"), operation("set_props", kind="ball")),
        (_("Clubs"), operation("set_props", kind="club")),
        (_("Rings"), operation("set_props", kind="ring")),
    )
    if before.choreography.props > _MAX_COLOURED_PROPS:
        looks = looks[-1:]  # only the default colours
    coloured = tuple(
        Entry.from_trial(words, change, before, shows_colours=True) for words, change in looks
    )
    return (*lines, Entry(_("Props"), lines=(*coloured, *kinds)))


def _coloured(by: str, count: int) -> Change:
    """Return the change that gives each orbit or each prop a colour of its own.

    Args:
        by: "orbit" or "prop", the argument of `set_props` that takes the number of one.
        count: how many of these there are.
    """

    def change(edit: Editor[Animation]) -> Animation:
        after = edit.make(edit.draft)
        for number, shades in enumerate(prop_colours(count).tolist()):
            code = "#" + "".join(f"{round(255 * shade):02x}" for shade in shades)
            after = operation("set_props", colour=code, **{by: number})(after.edit())
        return after

    return change


def throw_lines(before: Animation, throw: int, *, symmetric: bool) -> tuple[Entry, ...]:
    """Return the lines of a menu for a throw, without lines that would leave it as it is.

    Args:
        before: the animation.
        throw: index of the throw in the full loop, after which hands and props repeat; for timed
            events without a pattern, index of the flight.
        symmetric: whether its repeats and mirror images are changed in the same way.
    """
    around = _around_line(before, throw, symmetric=symmetric)
    if before.pattern is None:
        return (around,)  # events have no beats, to which the other lines refer
    set_throw = partial(operation, "set_throw", throw, symmetric=symmetric)
    add_period = partial(operation, "add_period", throw, symmetric=symmetric)
    full = repeat_to_full_loop(before.pattern, before.score.staging)
    # A throw that is higher by a period, in beats, takes one more prop.
    beats = full.beats(before.pattern.written_period if symmetric else full.period)
    prop = counted(1, before.score.staging.props.thing(before.score.props))
    periods = _lines(
        before,
        (_("{beats} higher: {prop} more", beats=beats, prop=prop), add_period(periods=1)),
        (_("{beats} lower: {prop} fewer", beats=beats, prop=prop), add_period(periods=-1)),
    )
    # Four lines, in the order of `is_already` below.
    kinds = _lines(
        before,
        (_("Bounce once"), set_throw(bounces=1)),
        (_("No bounce"), set_throw(bounces=0)),
        (_("To the other hand"), set_throw(crosses=True)),
        (_("To the same hand"), set_throw(crosses=False)),
    )
    present = full.throws[throw]
    is_already = (  # whether the throw is so already, for each of `kinds` in their order
        present.bounces == 1,
        present.bounces == 0,
        present.hand != present.to_hand,
        present.hand == present.to_hand,
    )
    possible_kinds = [
        kind for kind, same in zip(kinds, is_already, strict=True) if not same and not kind.refused
    ]
    # Only the turns of clubs can be set.
    if any(look.kind == "club" for look in before.choreography.looks):
        periods = (*periods, _turns_line(before, throw, symmetric=symmetric))
    return *periods, around, *possible_kinds, *beat_lines(before, present.beat)


def _around_line(before: Animation, throw: int, *, symmetric: bool) -> Entry:
    """Return the line that leads to the ways in which a hand may throw around the body.

    Args:
        before: the animation.
        throw: its number, as for `throw_lines`.
        symmetric: whether its repeats change along.
    """
    present = thrown_word(before, throw)
    # Each word of the setting `throws`, with what it means; "-" is an ordinary throw.
    meanings = {
        "-": _("Default"),
        **{word: _(name) for word, name in BODY_THROW_NAMES.items()},
        **{word: _("From a {word}", word=pgettext("choice", word)) for word in GRASP_KINDS},
    }
    # To try each word would take long. Whether the throw can be set does not depend on the word, so
    # one trial, with the present word, tells for all lines why they are refused, if they are.
    set_word = partial(operation, "set_body_throw", throw, symmetric=symmetric)
    trial = Entry.from_trial("", set_word(word=present), before)
    lines = (
        Entry(
            words,
            set_word(word=word),
            result=UNCHANGED if word == present else word,
            refused=trial.refused,
        )
        for word, words in meanings.items()
    )
    result = present if present != "-" else ""
    return Entry(_("Body throw"), result=result, lines=tuple(lines))


def thrown_word(animation: Animation, throw: int) -> str:
    """Return the word for how a hand throws around the body, as in the setting `throws`.

    Args:
        animation: the animation with the throw.
        throw: index of the throws of the full loop; for events without a pattern, of the flights.

    Returns:
        The word; `-` for an ordinary throw.
    """
    pattern = animation.pattern
    if pattern is None:
        throw_event = animation.choreography.flights.throw[throw]
        _grasp, body_throw = animation.choreography.events.manners[throw_event]
        return throw_word(int(body_throw)) or "-"
    loop = repeat_to_full_loop(pattern, animation.score.staging)
    setting = animation.score.staging.throws
    if not setting:
        return "-"
    turn = loop.throws[throw].turn
    return items_of_turns(loop, setting)[turn] or "-"


def _turns_line(before: Animation, throw: int, *, symmetric: bool) -> Entry:
    """Return the line that leads to the numbers of turns that the club of a throw may make.

    Args:
        before: the animation.
        throw: its number, as for `throw_lines`.
        symmetric: whether its repeats change along.
    """
    present_turns = turns_of_club(before, throw)
    lines = list[Entry]()
    for spin in _SPINS:
        words = counted(spin, "turn")
        change = operation("set_throw", throw, spin=spin, symmetric=symmetric)
        lines.append(
            Entry(words, change, result=UNCHANGED)
            if spin == present_turns
            else Entry.from_trial(words, change, before)
        )
    # If the written period is one beat, as of 3, all throws are repeats of one and change together.
    pattern = before.pattern
    all_throws_alike = pattern is not None and pattern.written_period == pattern.division
    title = _("Spins of all clubs") if all_throws_alike else _("Spins of the club")
    result = f"{present_turns:g}" if present_turns in _SPINS else ""
    return Entry(title, result=result, lines=tuple(lines))


def turns_of_club(animation: Animation, throw: int) -> float | None:
    """Return how many turns the club of a throw makes in the air, rounded to halves.

    Args:
        animation: the animation of a pattern, not of events.
        throw: index of the throws of the full loop.

    Returns:
        The number of turns, 0 or more. None for a throw that is held, where props do not turn, and
        where there are props of several kinds, so that which one is thrown is not known.
    """
    motion = animation.motion
    pattern = animation.pattern
    assert pattern is not None
    held = holds(repeat_to_full_loop(pattern, animation.score.staging))
    # Props do not turn, there are several kinds of them, or the throw is held.
    if motion.spin is None or len(motion.shapes.flight_kinds.first_prop) > 1 or held[throw]:
        return None
    flight_links = motion.choreography.flight_links
    flight = throw - sum(held[:throw])  # held throws have no flights
    duration = float(motion.choreography.flights.duration[flight])  # s

    # The rate of turn in the middle of the flight, where it is steady. `along` returns angles and
    # their rates, each shape (1, 2) for one flight; the second column is the turn.
    middle = flight_links.throw_time[[flight]] + duration / 2
    (_angles, rates), _unused = motion.spin.along(flight_links.orbit[[flight]], middle, 1)
    turn_rate = abs(float(rates[0, 1]))  # rad/s
    half_turns = round(turn_rate * duration / math.pi)
    return half_turns / 2


def beat_lines(before: Animation, beat: int) -> tuple[Entry, ...]:
    """Return the lines for a beat of the full loop: to insert one before it, or to delete it."""
    return _lines(
        before,
        (_("Insert beat before"), operation("insert_beat", beat)),
        (_("Delete beat"), operation("delete_beat", beat)),
    )


def catch_lines(before: Animation, event: int, *, symmetric: bool) -> tuple[Entry, ...]:
    """Return the lines of a menu for a catch: the ways to catch, which `set_catch` takes.

    Args:
        before: the animation to change.
        event: index of the catch among the events of the choreography.
        symmetric: whether the repeats and mirror images of the catch are changed in the same way.
    """
    # First how the hand is held, then how softly it catches, with the default first.
    label_of_kind = {
        "palm": _("Palm up"),
        "claw": _("Claw from above"),
        **{kind: _(name) for kind, name in BODY_CATCH_NAMES.items()},
        "natural": _("Default"),
        "soft": _("Soft catch"),
        "grab": _("Grab"),
    }
    changes = (
        (label, operation("set_catch", event, kind, symmetric=symmetric))
        for kind, label in label_of_kind.items()
    )
    return _lines(before, *changes)


def point_lines(
    before: Animation, hand: int, time: float, event: int | None, *, symmetric: bool
) -> tuple[Entry, ...]:
    """Return the line of a menu that removes a point which a hand passes, or adds one.

    Args:
        before: the animation.
        hand: 2 · juggler + side (0 left, 1 right); used only to add a point.
        time: the time of the new point, [s]; used only to add one.
        event: index of the point to remove among the events of the choreography; None to add one.
        symmetric: whether mirror images are changed in the same way.
    """
    if event is not None:
        words = _("Delete point")
        change = operation("remove_point", event, symmetric=symmetric)
    else:
        words = _("Add hand point at {time:.2f} s", time=time)
        change = operation("add_point", hand, time, symmetric=symmetric)
    return (Entry.from_trial(words, change, before),)


def body_lines(before: Animation, juggler: int, time: float, key: int | None) -> tuple[Entry, ...]:
    """Return the line of a menu that removes a key from the path of a body, or adds one.

    Args:
        before: the animation.
        juggler: the juggler whose body it is, from 0.
        time: the time of the new key, [s]; used only to add one.
        key: number of the key to remove among this juggler's; None to add one.
    """
    if key is not None:
        words = _("Delete body position")
        change = operation("remove_body_key", juggler, key)
    else:
        words = _("Add body position at {time:.2f} s", time=time)
        change = operation("add_body_key", juggler, time)
    return (Entry.from_trial(words, change, before),)


def whole_pattern(before: Animation, lines: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the given lines, and one more that opens the menu for the whole pattern.

    If there are none, the lines for the whole pattern themselves are returned.
    """
    whole = pattern_lines(before)
    return (*lines, Entry(_("Whole pattern"), lines=whole)) if lines else whole


def operation(name: str, *arguments: Any, **keywords: Any) -> Change:
    """Return a change that calls a method of `Editor` by its name, with some arguments."""

    def change(edit: Editor[Animation]) -> Animation:
        after: Animation = getattr(edit, name)(*arguments, **keywords)
        return after

    return change


def _lines(before: Animation, *rows: tuple[str, Change]) -> tuple[Entry, ...]:
    """Return a line for each pair of words and a change, which is tried on an animation."""
    return tuple(Entry.from_trial(words, change, before) for words, change in rows)
