"""Card of beats: the siteswap with the present beat lit, and orbits in their colours."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from operator import add

from imgui_bundle import imgui

from juggle_anim.diagrams import phrase_of
from juggle_anim.language import _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Slot,
    begin_card,
    draw_text,
    draw_text_before,
    ellipsize,
    measure,
    place_button,
    px,
)
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.beats import ShownOrbit, routine_line, shortened
from juggle_anim.viewer.state.keymap import term_tip
from juggle_anim.viewer.state.model import Model

# Sizes of the card at scale 1, [pixels].
_PAD = 12.0
_ROW_HEIGHT = 30.0
_GAP = 16.0  # between the throws and what is beside them
_WORDS_SHARE = 0.5  # of the card, at most, for what is beside the throws
_DISC_STEP = 13.0  # pixels at scale 1, from one prop of an orbit to the next
_LETTER_GAP = 6.0  # pixels at scale 1, between characters
_BAR_GAP = 4.0  # pixels at scale 1, around bars, which would look like carets
_MOST_TOLD = 6  # throws, or orbits, in a tooltip
_MAX_CHARACTERS = 100  # characters on either side of what is lit; the card has no room for more


class BeatCard(Card):
    """The siteswap with its present beat lit, and the orbits."""

    name = "beats"
    slot = Slot.HEAD

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card of beats above the picture: the throws of the pattern, as text.

        At the right are its orbits (closed paths of throws that some props share), or in their
        place what a transition leads to, or the present line of a routine.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        model = frame.model
        line = model.beat_line
        # What is juggled now, and the time in it, [s]. During a transition that is an animation of
        # its own, with so many beats; outside of one, `transition_beats` is 0.
        animation, time, transition_beats = model.moment
        if not (line.is_visible(model.animation) and line.is_visible(animation)):
            return  # since the layout of this frame, events were opened, which have no beats
        begin_card(self.name, place)
        is_transition = bool(transition_beats)
        beat = line.beat(animation, time, uneven_tempo=is_transition)
        beats = line.text(animation)
        if is_transition:
            # What follows the transition is another pattern.
            beats = shortened(beats.until(transition_beats))
        pad = px(_PAD)
        top = place.middle - px(_ROW_HEIGHT / 2)
        row = Rectangle(place.left + pad, top, place.width - 2 * pad, px(_ROW_HEIGHT))
        words = _transition_text(model) if is_transition else routine_line(animation, time)
        if words:
            words = ellipsize(words, _WORDS_SHARE * row.width)
            left = draw_text_before(row.right, ui.line_top(row), words, ui.MUTED)
        else:
            # Of long throws only the part before the orbits is seen, so they leave no more room.
            throws_edges = _edges(beats.text, beats.spans, 0, _MAX_CHARACTERS)
            throws_right = row.left + throws_edges[-1] + px(_GAP)
            left = _draw_orbits_with_tip(line.orbits(animation), row, throws_right)
        # The throws take the room that is left.
        throws_width = max(left - px(_GAP) - row.left, 0.0)
        _draw_line(model, beats.text, beats.spans, beat, replace(row, width=throws_width))
        imgui.end()


def _draw_orbits_with_tip(
    orbits: tuple[ShownOrbit, ...], row: Rectangle, throws_right: float
) -> float:
    """Draw the orbits at the right end of a row, with a tooltip; return their left edge, [pixels].

    Args:
        orbits: orbits of the pattern: closed paths of throws that some props share.
        row: place of the row, [pixels].
        throws_right: where the throws with a gap behind them end, if they have room, [pixels].
    """
    top = ui.line_top(row)
    left = _draw_orbits(orbits, row.right, top, _WORDS_SHARE * row.width)
    # A word says what they are, where there is room.
    label = _("throws of each prop")
    label_width = measure(label).width
    if orbits and left - label_width >= throws_right:
        draw_text(left - label_width, top, label, ui.MUTED)
        left -= label_width
    if orbits:
        values = ", ".join(orbit.values for orbit in orbits[:_MOST_TOLD])
        tip = replace(term_tip("orbits"), notes=values)
        place = replace(row, left=left, width=row.right - left)
        place_button("orbits", place, tip, tab_stop=False)
    return left


def _transition_text(model: Model) -> str:
    """Return the transition that is juggled, as `3 → 4 → 51`."""
    return " → ".join(words for words, _ in model.live.transition_texts(model.playback.clock))


Spans = Sequence[Sequence[tuple[int, int]]]
"""For each beat the ranges of characters, end excluded, of its throws."""


def _draw_line(model: Model, text: str, beats: Spans, beat: int, row: Rectangle) -> None:
    """Draw the throws of the pattern as a line of text, with those of one beat highlighted.

    A line that is wider than the row is scrolled so that this beat is in the middle. A click on a
    throw goes to the beat on which it is made; a tooltip says what the throw does.

    Args:
        model: model of the viewer.
        text: the throws of one loop.
        beats: for each beat the spans of its characters in the text: start and end, end excluded.
        beat: index of the beat whose throws are highlighted (`lit`), from 0.
        row: place of the line, [pixels].
    """
    # The ranges of characters, end excluded, of the throws of the beat; a beat may have none.
    spans = beats[beat]
    # A long text is cut to the characters around the beat, and the ranges are counted from there.
    first = 0
    if spans:
        first_lit, _end = spans[0]
        first = max(first_lit - _MAX_CHARACTERS, 0)
    shown = text[first : first + 2 * _MAX_CHARACTERS]
    lit = [(start - first, end - first) for start, end in spans if end <= first + len(shown)]

    # Scroll so far that the first lit throw is in the middle of the row, but not past either end of
    # the text. `left` is where the first shown character begins, possibly beyond the row.
    edges = _edges(text, beats, first, first + len(shown))
    centre = 0.0
    if lit:
        start, end = lit[0]
        centre = (edges[start] + edges[end]) / 2
    furthest = max(edges[-1] - row.width, 0.0)
    left = row.left - min(max(centre - row.width / 2, 0.0), furthest)
    _draw_characters(shown, lit, edges, left, row)

    # The first character that ends to the right of the mouse; beyond the last, the first.
    mouse = imgui.get_io().mouse_pos
    pattern = model.moment.animation.pattern
    target = None
    phrases: list[str] = []
    if row.covers(mouse.x, mouse.y):
        under_mouse = bisect_right(edges, mouse.x - left, lo=1) - 1
        target = _beat_of(beats, beat, first + under_mouse % max(len(shown), 1))
        throws = [throw for throw in pattern.throws if throw.beat == target] if pattern else []
        phrases = [phrase_of(pattern, throw) for throw in throws[:_MOST_TOLD]] if pattern else []
    tip = replace(term_tip("throws"), notes="\n".join(phrases))
    if place_button("beats", row, tip, tab_stop=False) and target is not None:
        _jump(model, target)


def _draw_characters(
    shown: str, lit: list[tuple[int, int]], edges: list[float], left: float, row: Rectangle
) -> None:
    """Draw the characters of a line of throws that are within a row, some in coloured boxes.

    Args:
        shown: the characters.
        lit: ranges of characters with a box behind them: start and end, end excluded.
        edges: where each character begins and the last one ends, from `left`, [pixels].
        left: where the first character begins, which may be beyond the row, [pixels].
        row: place of the line, [pixels].
    """
    # Boxes behind the lit throws, up to the middle of the gaps beside them.
    space = px(_LETTER_GAP / 2)
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect((row.left - space, row.top), row.high, True)
    tints = dict[int, int]()
    for start, end in lit:
        low = (left + edges[start] - space, row.top + px(2))
        high = (left + edges[end] - space, row.bottom - px(2))
        draw.add_rect_filled(low, high, ui.ACCENT, px(5))
        tints |= dict.fromkeys(range(start, end), ui.ON_ACCENT)

    # Characters are drawn one by one, as they stand farther apart than the font has them. Those
    # beyond the row are skipped, also those that would be cut at its edges.
    top = ui.line_top(row, ui.LARGE)
    leftmost = bisect_left(edges, row.left - left - space)
    beyond = bisect_right(edges, row.right - left + space) - 1
    for index in range(leftmost, beyond):
        character = shown[index]
        if character == " ":
            continue
        x = left + edges[index]
        is_bar = character == "|"
        tint = tints.get(index, ui.MUTED if is_bar else ui.INK)
        if is_bar:
            x += px(_BAR_GAP)
        draw_text(x, top, character, tint, ui.LARGE, strong=True)
    draw.pop_clip_rect()


def _beat_of(beats: Spans, beat: int, character: int) -> int | None:
    """Return the next beat whose throws include a character of the text; None if there is none.

    The same characters may stand for throws of several beats. The search begins after the present
    beat and goes once around, so that repeated clicks go through all of these; the present beat
    itself comes last.

    Args:
        beats: for each beat the spans of its throws in the text: start and end, end excluded.
        beat: index of the present beat, from 0.
        character: index of the character in the text.
    """
    beat_count = len(beats)
    for ahead in range(1, beat_count + 1):
        target = (beat + ahead) % beat_count
        if any(start <= character < end for start, end in beats[target]):
            return target
    return None


def _jump(model: Model, target: int) -> None:
    """Go to the start of a beat in the loop that is juggled now, which may be back in time.

    Does nothing during a transition, as its beats are not evenly spaced.

    Args:
        model: model of the viewer, whose playback time is changed.
        target: index of the beat in the loop, from 0.
    """
    animation, time, transition_beats = model.moment
    if transition_beats:
        return
    duration = animation.choreography.duration
    complete_loops = math.floor(time / duration)
    start = model.beat_line.start(animation, target)  # from the start of the loop, [s]
    # The times of the animation and of the playback differ by a constant, so the playback moves by
    # the difference of two times of the animation.
    model.playback.time += complete_loops * duration + start - time


def _edges(text: str, beats: Spans, first: int, beyond: int) -> list[float]:
    """Return where each character of a part of a text begins, and the last one ends, [pixels].

    Throws stand a little apart, so that the box around lit throws hides nothing of the brackets and
    throws beside them. The characters of one throw, such as `3p`, stand together.

    Args:
        text: the text of throws.
        beats: for each beat the spans of its throws in the text: start and end, end excluded.
        first, beyond: the part of the text: its first character, and the one after its last.

    Returns:
        One number more than there are characters, ascending from 0.
    """
    part = text[first:beyond]
    # Each different character is measured once, as a long text has few of them.
    widths = {character: measure(character, ui.LARGE, strong=True).width for character in set(part)}
    if "|" in widths:
        widths["|"] += 2 * px(_BAR_GAP)
    gaps = [px(_LETTER_GAP)] * len(part)
    for start, end in (span for spans in beats for span in spans):
        for index in range(max(start, first), min(end - 1, beyond)):
            gaps[index - first] = 0.0
    character_widths = map(widths.__getitem__, part)
    return list(accumulate(map(add, character_widths, gaps), initial=0.0))


def _draw_orbits(orbits: tuple[ShownOrbit, ...], right: float, top: float, room: float) -> float:
    """Draw as many orbits as fit, and an ellipsis for the others.

    Args:
        orbits: orbits of the pattern, in order.
        right: edge at which they end, [pixels].
        top: upper edge of their line, [pixels].
        room: width that they may take, [pixels].

    Returns:
        The left edge of the orbits, [pixels], before which other text has to end; `right` if there
        are none.
    """
    # If even the first orbit does not fit, it alone is shown, shortened. Then no ellipsis for the
    # others is needed, as it ends with one.
    ellipsis_width = measure("…").width
    room_for_first = room - ellipsis_width if len(orbits) > 1 else room
    if orbits and _orbit_width(orbits[0]) > room_for_first:
        orbits = (_shorten_orbit(orbits[0], room),)

    # Where each orbit begins, from the left edge of the first one, and where the last one ends.
    edges = list(accumulate(map(_orbit_width, orbits), initial=0.0))
    # All orbits, or those that fit with an ellipsis after them, and the width of what is drawn.
    fitting_count = len(orbits)
    width = edges[-1]
    if width > room:
        fitting_count = sum(end + ellipsis_width <= room for end in edges[1:])
        width = edges[fitting_count] + ellipsis_width

    left = right - width
    for orbit, start in zip(orbits[:fitting_count], edges, strict=False):
        _draw_orbit(orbit, left + start, top)
    if fitting_count < len(orbits):
        draw_text(left + edges[fitting_count], top, "…", ui.MUTED)
    return left


def _shorten_orbit(orbit: ShownOrbit, room: float) -> ShownOrbit:
    """Return an orbit with as many of its props as fit, at least one, and dots for its throws.

    Args:
        orbit: orbit to shorten.
        room: width that it may take, [pixels].
    """
    spare = 2 * measure("…").width + px(16)
    return ShownOrbit(orbit.colours[: max(int((room - spare) / px(_DISC_STEP)), 1)], "…")


def _orbit_width(orbit: ShownOrbit) -> float:
    """Return the width of an orbit with the gap before it, [pixels]."""
    return measure(orbit.values).width + px(_DISC_STEP * len(orbit.colours) + 16)


def _draw_orbit(orbit: ShownOrbit, x: float, top: float) -> None:
    """Draw a disc for each prop of an orbit, and then its throws."""
    draw = imgui.get_window_draw_list()
    middle = top + px(ui.SMALL / 2 + 1)
    x += px(10)
    for red, green, blue in orbit.colours:
        tint = ui.pack_colour((float(red), float(green), float(blue)))
        draw.add_circle_filled((x + px(5), middle), px(5), tint)
        draw.add_circle((x + px(5), middle), px(5), ui.FAINT)
        x += px(_DISC_STEP)
    draw_text(x + px(2), top, orbit.values, ui.MUTED)
