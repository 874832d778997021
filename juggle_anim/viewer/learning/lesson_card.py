"""The card of a lesson: its steps with their speeds, and what to do in the present one.

And the next throws at the hands.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.lessons import LessonStep
from juggle_anim.scene import Camera
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.labels import is_light, separate_labels
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, measure, px
from juggle_anim.viewer.layout import Rectangle, project_points
from juggle_anim.viewer.learning.lesson import LessonView
from juggle_anim.viewer.picture_parts import picture_parts
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import NO_TIP, Action, action_tip, term_tip

_ROW_HEIGHT = 22.0
_MIN_ROWS = 3
_BUTTON_HEIGHT = 30.0
_FOOT_HEIGHT = 58.0 + _BUTTON_HEIGHT
_HEADING_HEIGHT = 17.0
_LARGE_TEXT = 15.0  # size of texts for which there is room
# badges: how far below the hand, and their radii
_BADGE_DISTANCE = 30.0
_NEXT_RADIUS = 14.0
_LATER_RADIUS = 10.0
_EDGE_WIDTH = 3.0  # of the badge of the next throw
_TORSO_WIDTH = 0.3  # m; a badge is not wider
_LEAST_SHARE = 0.6  # of the size of badges: smaller numbers could not be read
_MAX_HANDS = 16

_ABOUT = N_("The full pattern")
_BEGIN = N_("How to begin")
_LOOK = N_("Where to look")
_WRONG = N_("Common mistakes")
_MEND = N_("How to fix it")
_TROUBLE = N_("If it goes wrong")


_SAME_THROW_TOLERANCE = 1e-5  # s; throws nearer than this are made at once


Paragraphs = list[tuple[str, str]]
"""Paragraphs of the card: pairs of a heading, which may be empty, and a text."""


class LessonCard(Card):
    """A lesson in the place of the panel, as high as its content if there is room for that."""

    name = "lesson"
    slot = Slot.PANEL

    def __init__(self) -> None:
        self._height = 0.0

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the part of the panel's room that the card covers, [pixels]."""
        room = frame.layout.panel
        return room and replace(room, height=min(self._height or room.height, room.height))

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw title, steps, advice and buttons.

        Sets `_height`, the height of the card that these need, for the next frame, [pixels].

        Args:
            frame: the frame with the controller and the layout.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        ui.begin_card(self.name, place)
        place = frame.layout.panel or place  # as large as the card may get
        lesson = controller.lesson
        inner = place.inset(px(10))
        left = inner.left
        width = inner.width
        y = inner.top
        y = _draw_head(controller, left, y, width)
        # The list of steps and the texts share the height between the title and the button. The
        # texts of each step have the room that the longest ones need, so that nothing moves from
        # step to step.
        texts = _paragraphs(lesson, lesson.step)
        all_texts = [_paragraphs(lesson, step) for step in (None, *lesson.steps)]
        max_height = place.bottom - y - px(_FOOT_HEIGHT)
        page, list_height = _page_and_list_height(lesson, all_texts, width - px(4), max_height)
        if list_height:
            _draw_rows(lesson, Rectangle(left, y, width, list_height))
            y += list_height + px(8)
        text_height = min(max(map(page.height, all_texts)), max_height - list_height)
        page.draw(texts, Rectangle(left, y, width, text_height))
        y += text_height
        for offer in lesson.offers:
            button = Rectangle(left, y, width, px(_BUTTON_HEIGHT) - px(4))
            if ui.draw_word_button(f"learn {offer}", offer, button, NO_TIP, lit=True):
                lesson.learn(offer)
            y += px(_BUTTON_HEIGHT)
        self._height = _draw_foot(controller, left, y, width) - place.top
        imgui.end()


def _page_and_list_height(
    lesson: LessonView,
    all_texts: list[Paragraphs],
    width: float,
    max_height: float,
) -> tuple[_Page, float]:
    """Divide the height of a lesson between the texts of a step and the list of all steps.

    Texts are large if the whole list then fits above them; otherwise they are small, and the list
    scrolls if it still does not fit.

    Args:
        lesson: the lesson with the steps.
        all_texts: for each step its paragraphs.
        width: width of the texts, [pixels].
        max_height: greatest height of texts and list together, [pixels].

    Returns:
        The page for the texts, and the height of the list, [pixels].
    """
    row_height = px(_ROW_HEIGHT)
    row_count = len(lesson.steps) + 1 if lesson.steps else 0  # with the pattern itself
    for text_size in (_LARGE_TEXT, ui.SMALL):
        page = _Page(width, text_size)
        longest_text = max(map(page.height, all_texts))
        fitting_rows = int((max_height - longest_text) / row_height)
        if fitting_rows >= row_count:
            break  # no need to try the smaller size
    return page, row_height * min(max(fitting_rows, _MIN_ROWS), row_count)


def _draw_head(controller: Controller, left: float, y: float, width: float) -> float:
    """Draw the title and a cross, and a button to other patterns below them.

    Args:
        controller: the controller with the lesson and the library.
        left, y, width: left edge, top and width of the head, [pixels].

    Returns:
        The lower edge of the head, [pixels].
    """
    lesson = controller.lesson
    name = lesson.lesson.title if lesson.lesson else ""
    if ui.draw_title(_("Learn {name}", name=name).rstrip(), left, y, width):
        lesson.end()
    y += px(ui.TITLE_HEIGHT)
    words = _("Other lessons …")
    if ui.draw_link("other lessons", words, left + px(2), y, term_tip("other lessons")):
        lesson.choose()
    return y + px(22)


def _paragraphs(lesson: LessonView, step: LessonStep | None) -> Paragraphs:
    """Return the paragraphs of the card.

    Args:
        lesson: the view of the lesson; if the pattern has none, the only paragraph says why.
        step: the step to describe; None for the whole pattern, before the lesson begins.
    """
    if lesson.problem or lesson.lesson is None:
        return [("", lesson.problem)]
    if step:
        return [("", step.advice), (_TROUBLE, step.trouble)]
    # A pattern of the library has advice of its own, or at least a description.
    about = ("", lesson.lesson.about)
    words = lesson.lesson.words
    if words is None:
        texts = [("", lesson.lesson.description), about]
    else:
        advice = [(_LOOK, words.look), (_WRONG, words.wrong), (_MEND, words.mend)]
        texts = [about, (_BEGIN, words.begin), *advice]
    return [(heading, text) for heading, text in texts if text]


class _Page:
    """Paragraphs with headings in one width, [pixels], and one size of text."""

    def __init__(self, width: float, text_size: float) -> None:
        self._width = width
        self._text_size = text_size

    def height(self, texts: Paragraphs) -> float:
        """Return how high paragraphs are, [pixels]."""
        return sum(self._paragraph_height(words, heading) for heading, words in texts)

    def _paragraph_height(self, words: str, heading: str) -> float:
        height = measure(words, self._text_size, wrap=self._width).height
        return height + px(10 + (_HEADING_HEIGHT if heading else 0.0))

    def draw(self, texts: Paragraphs, place: Rectangle) -> None:
        """Draw paragraphs in a part of the window that scrolls where there is too little room.

        Args:
            texts: the paragraphs.
            place: place of the part, [pixels].
        """
        imgui.set_cursor_screen_pos(place.low)
        imgui.begin_child(
            "words", (place.width, max(place.height, 1.0)), window_flags=imgui.WindowFlags_.no_nav
        )
        origin = imgui.get_cursor_screen_pos()
        x = origin.x + px(2)
        y = origin.y
        for heading, words in texts:
            if heading:
                draw_text(x, y, heading, ui.MUTED, strong=True)
            top = y + px(_HEADING_HEIGHT if heading else 0.0)
            draw_text(x, top, words, ui.INK, self._text_size, wrap=self._width)
            y += self._paragraph_height(words, heading)
        ui.end_contents(origin.x, y)
        ui.draw_fades(place)
        imgui.end_child()


def _draw_rows(lesson: LessonView, place: Rectangle) -> None:
    """Draw the list of steps, which scrolls to the present one; a click goes to a step.

    Args:
        lesson: the lesson with the steps. Row 0 of the list is the pattern as it was before, and
            the steps follow from row 1.
        place: place of the list, [pixels].
    """
    present = lesson.row
    row_height = px(_ROW_HEIGHT)
    imgui.set_cursor_screen_pos(place.low)
    imgui.begin_child("steps", place.size, window_flags=imgui.WindowFlags_.no_nav)
    scrolled = imgui.get_scroll_y()
    top = present * row_height
    # Scroll to the present step, but not under the mouse, where the user may scroll.
    is_seen = scrolled <= top <= scrolled + place.height - row_height + 1
    if not is_seen and not imgui.is_window_hovered():
        imgui.set_scroll_y(max(top - (place.height - row_height) / 2, 0.0))
    origin = imgui.get_cursor_screen_pos()
    names = [_ABOUT, *(step.title for step in lesson.steps)]
    # A list that does not fit has a scrollbar beside its rows.
    bar_width = px(9) if len(names) * row_height > place.height + 1 else 0.0
    for number, title in enumerate(names):
        row = Rectangle(
            place.left,
            origin.y + number * row_height,
            place.width - bar_width,
            row_height - px(1),
        )
        _draw_row(lesson, number, title, row)
    ui.end_contents(place.left, origin.y + len(names) * row_height)
    imgui.end_child()


def _draw_row(lesson: LessonView, number: int, title: str, row: Rectangle) -> None:
    """Draw a step of the lesson as a button; a click juggles it.

    Args:
        lesson: lesson whose present step is marked.
        number: number of the step, 0 for the pattern as it was.
        title: title of the step.
        row: place of the button, [pixels].
    """
    if ui.place_button(f"step {number}", row, term_tip("lesson step", title), tab_stop=False):
        lesson.go_to(number)
    present = number == lesson.row
    ui.fill_row(row, chosen=present, lit=imgui.is_item_hovered())
    tint = ui.ACCENT if present else ui.INK
    y = row.top + px(3)
    left = row.left + px(22)
    draw_text(row.left + px(7), y, str(number) if number else "", ui.MUTED)
    shown = ui.ellipsize(title, row.right - px(6) - left, strong=present)
    draw_text(left, y, shown, tint, strong=present)


def _draw_foot(controller: Controller, left: float, y: float, width: float) -> float:
    """Draw the button to the next step, and keys below it; return the lower edge, [pixels].

    Args:
        controller: performs what the buttons are for.
        left, y: upper left corner, [pixels].
        width: width of the rows, [pixels].
    """
    lesson = controller.lesson
    keys = [(Action.BACK, N_("Close")), (Action.SOUND, N_("Metronome"))]
    if lesson.steps:
        words = N_("Next step") if lesson.row else N_("Start lesson")
        if lesson.is_last:
            words = N_("End lesson")
        button = Rectangle(left, y + px(2), width, px(_BUTTON_HEIGHT) - px(4))
        tip = action_tip(Action.TYPE_VALUE, words)
        if ui.draw_word_button("next step", words, button, tip, lit=True):
            controller.perform(Action.TYPE_VALUE)
        y += px(_BUTTON_HEIGHT)
    tints = {Action.SOUND: ui.ACCENT} if controller.model.sound.on else {}
    return ui.draw_foot(keys, left, y, width, controller.perform, tints=tints)


class NextThrows(Card):
    """Below each hand, which throw it makes next; the hand that is next stands out."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the next throw of each hand as a badge below it, in the colour of the prop.

        Badges lie over the picture, behind all cards. In a split view only the active half has any.

        Args:
            frame: the frame with the model and the layout.
            place: not needed, as the throws are drawn into the picture.
        """
        model = frame.model
        layout = frame.layout
        part = picture_parts(model, layout)[0]
        # The animation at this moment, which is a transition during a change, and the time in it,
        # [s].
        juggled, time, _unused = part.live.moment(model.playback.clock)
        throws = next_throws(juggled, model.throw_values.of(juggled.score), time)[:_MAX_HANDS]
        if not throws:
            return
        # In stereo there is a picture for each eye.
        for camera, area in part.views:
            picture = layout.place_of(area)
            hands = project_points(np.array([throw.place for throw in throws]), camera, picture)
            share = _badge_share(throws, camera, picture)
            below_hands = hands + (0.0, px(share * _BADGE_DISTANCE))
            half_widths = [_badge_half_width(throw, share) for throw in throws]
            half_heights = [px(share * _badge_radius(throw)) for throw in throws]
            sizes = 2 * np.column_stack([half_widths, half_heights])
            # Badges that would overlap move apart sideways.
            centres = separate_labels(below_hands, sizes, px(6), across_only=True)
            for throw, (x, y) in zip(throws, centres.tolist(), strict=True):
                if picture.covers(x, y):
                    _draw_badge(throw, round(x), round(y), share)


def _badge_share(throws: list[NextThrow], camera: Camera, picture: Rectangle) -> float:
    """Return how large badges are, as a share of their usual size: smaller where people are small.

    Args:
        throws: next throws, at least one; the hand of the first tells how far away people are.
        camera: camera of the picture.
        picture: place of the picture in the window, [pixels].
    """
    # The extent in the picture of a line at the hand, as high as a torso is wide, is compared with
    # the full height of a badge.
    hand = np.array(throws[0].place)
    torso = np.array([hand, hand + (0.0, _TORSO_WIDTH, 0.0)])
    seen_width = np.ptp(project_points(torso, camera, picture)[:, 1])
    share = seen_width / px(2 * (_NEXT_RADIUS + _EDGE_WIDTH))
    # A hand behind the camera has no place, and its badge is not drawn.
    return float(np.nan_to_num(np.clip(share, _LEAST_SHARE, 1.0), nan=1.0))


def _badge_radius(throw: NextThrow) -> float:
    return _NEXT_RADIUS if throw.is_next else _LATER_RADIUS


def _badge_half_width(throw: NextThrow, share: float) -> float:
    text_size = share * (ui.LARGE if throw.is_next else ui.SMALL)
    wide = measure(throw.text, text_size, strong=True).width
    return max(px(share * _badge_radius(throw)), wide / 2 + px(share * 6))


def _draw_badge(throw: NextThrow, x: float, y: float, share: float) -> None:
    """Draw the value of a throw in a badge, a box with round ends, behind all cards.

    The badge of the next throw of all hands is filled and larger; those of later ones are outlined.

    Args:
        throw: the throw with its text and colour.
        x, y: middle of the badge, [pixels].
        share: size of the badge as a share of its usual size.
    """
    draw_list = imgui.get_background_draw_list()
    half_width = _badge_half_width(throw, share)
    radius = px(share * _badge_radius(throw))
    low = (x - half_width, y - radius)
    high = (x + half_width, y + radius)
    tint = ui.pack_colour(throw.colour)
    text_size = share * (ui.LARGE if throw.is_next else ui.SMALL)
    text_width, text_height = measure(throw.text, text_size, strong=True)
    if throw.is_next:
        # A light box behind the badge, a little larger, sets it off from the picture.
        edge = px(share * _EDGE_WIDTH)
        draw_list.add_rect_filled(
            (x - half_width - edge, y - radius - edge),
            (x + half_width + edge, y + radius + edge),
            ui.SHEET,
            radius + edge,
        )
        draw_list.add_rect_filled(low, high, tint, radius)
        ink = ui.colour("000000" if is_light(throw.colour) else "FFFFFF")
    else:
        draw_list.add_rect_filled(low, high, ui.SHEET, radius)
        draw_list.add_rect(low, high, tint, rounding=radius, thickness=px(2))
        ink = ui.INK
    left = x - text_width / 2
    draw_text(left, y - text_height / 2, throw.text, ink, text_size, strong=True, draw=draw_list)


@dataclass(frozen=True)
class NextThrow:
    """The throw that a hand makes next.

    Args:
        hand: hand that makes it.
        text: its value, `5`, or all values of a multiplex, `[54]`; empty where events have none.
        colour: colour of the first of its props, sRGB.
        place: place of the hand now, in the world, [m].
        wait: until then, [s].
        is_next: whether no hand throws before.
    """

    hand: int
    text: str
    colour: tuple[float, float, float]
    place: tuple[float, float, float]
    wait: float
    is_next: bool


def next_throws(animation: Animation, values: tuple[str, ...], time: float) -> list[NextThrow]:
    """Return the next throw of each hand that makes any throws, in the order of the hands.

    Args:
        animation: the animation with the throws. Its performance is what is juggled in one loop,
            perhaps several rounds of the pattern.
        values: siteswap values of the flights of one round of the pattern, from
            `beats.throw_values`; those of the performance repeat them. Empty for events without
            values.
        time: present time of the animation, [s].
    """
    performance = animation.performance
    throw_events = performance.flights.throw
    if not len(throw_events):
        return []
    # For each flight, the time until its throw, [s], and the hand that throws. A throw at this
    # moment counts as that of the next loop, so waits are above 0.
    time_to_throw = performance.events.time[throw_events] - time
    waits = (time_to_throw - _SAME_THROW_TOLERANCE) % animation.duration + _SAME_THROW_TOLERANCE
    hands = performance.events.hand[throw_events]
    throwing_hands = np.unique(hands).tolist()
    waits_of_hands = [float(waits[hands == hand].min()) for hand in throwing_hands]
    shortest_wait = min(waits_of_hands)
    # For each hand, just after its next throw: the flight in which each prop is, and how long it
    # has lasted, [s], each of shape (hands, props). A flight that has not just begun is that of an
    # earlier throw.
    just_after = time + np.array(waits_of_hands) + _SAME_THROW_TOLERANCE
    last = animation.motion.last_throws_at(just_after)
    has_begun = last.since < 2 * _SAME_THROW_TOLERANCE
    places = animation.sample(np.array([time])).hands[0].reshape(-1, 3)
    colours = animation.prop_colours
    throws = []
    for hand, wait, flight_of_prop, is_new in zip(
        throwing_hands, waits_of_hands, last.flight, has_begun, strict=True
    ):
        # Flights that begin with the throw; several where the hand throws a multiplex.
        is_of_throw = (hands == hand) & (waits < wait + _SAME_THROW_TOLERANCE)
        flights = np.flatnonzero(is_of_throw).tolist()
        # The colour is that of the first prop that is in one of these flights just afterwards.
        first_prop = int((np.isin(flight_of_prop, flights) & is_new).argmax())
        red, green, blue = colours[first_prop].tolist()
        x, y, z = places[hand].tolist()
        throws.append(
            NextThrow(
                hand=hand,
                text=_throw_text(values, flights),
                colour=(red, green, blue),
                place=(x, y, z),
                wait=wait,
                is_next=wait < shortest_wait + _SAME_THROW_TOLERANCE,
            )
        )
    return throws


def _throw_text(values: tuple[str, ...], flights: list[int]) -> str:
    """Return the value of a throw, or those of a multiplex in brackets; empty without values."""
    if not values:
        return ""
    words = sorted((values[flight % len(values)] for flight in flights), reverse=True)
    return f"[{''.join(words)}]" if len(words) > 1 else "".join(words)
