"""Words about handles in the picture: what one is, how it is moved, and to what a drag snaps."""

from __future__ import annotations

from juggle_anim.choreography.choreography import THROW
from juggle_anim.viewer.editor.dragging import FORWARD, LEFT, UP
from juggle_anim.viewer.editor.handles import HandlePoint, Mark, numbers_of
from juggle_anim.viewer.editor.picture_editor import PictureEditor
from juggle_anim.viewer.state.keymap import Action, caption

_HAIR = 1e-6  # s


def hover_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return what a handle is and how it is moved, in plain words, line by line."""
    who = f"Juggler {point.juggler + 1}" if picture.animation.jugglers > 1 else ""
    if point.mark is Mark.HEADING:
        does = "Drag it to turn; it snaps to quarter turns, not with Shift"
        return [f"{who or 'The juggler'} faces this way", _numbers(picture, point), does]
    if point.mark is Mark.BODY:
        does = "Drag it over the floor, or its arrow to turn; Enter types"
        return [f"{who or 'The juggler'} stands here", _numbers(picture, point), does]
    hand = f"{('Left', 'Right')[point.hand % 2]} hand{' of juggler ' + str(point.juggler + 1) if who else ''}"
    does = {Mark.THROW: "throws here", Mark.CATCH: "catches here"}.get(point.mark, "passes this point")
    count, beat = len(picture.stack_of(point)), _beat_words(picture, point)
    lines = [f"{hand} {does}{beat}", _numbers(picture, point)]
    lines += ["Drag it; Ctrl in depth, Shift without snapping; Enter types", "Right click: all else"]
    if count > 1:
        lines.append(f"{count} handles are here: click again for the next")
    return lines


def _beat_words(picture: PictureEditor, point: HandlePoint) -> str:
    """Which beat of the ladder a throw is on, or that before which a prop is caught; nothing for events."""
    choreography, events = picture.animation.choreography, picture.animation.choreography.events
    if picture.animation.pattern is None or point.mark not in (Mark.THROW, Mark.CATCH):
        return ""
    thrown = events.time[(events.hand == point.hand) & (events.kind == THROW)]
    if not len(thrown):
        return ""
    # A hair before its own time: a throw is on its own beat.
    later = (thrown - point.time + _HAIR) % choreography.duration
    beat = 1 + round(float(thrown[later.argmin()]) * choreography.bps, 2)
    return f" {'on' if point.mark is Mark.THROW else 'before'} beat {beat:g}"


def picture_hints(picture: PictureEditor) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what is chosen in the picture, and what keys do with it, as they are shown."""
    chosen = picture.chosen
    if not chosen:
        words = "Drag a mark in the picture; double click on a path adds a point"
        keys = (caption(Action.HANDLE_AFTER), "choose"), ("Wheel", "nearer"), (caption(Action.HANDLE_PLACE), "ladder")
        return words, (*keys, (caption(Action.BACK), "end"))
    words = f"{len(chosen)} handles" if len(chosen) > 1 else hover_words(picture, chosen[0])[0]
    turns = "turn" if chosen[-1].event < 0 else "in depth"
    return words, (
        ("← → ↑ ↓", "move"),
        (caption(Action.PAGE_UP), turns),
        (caption(Action.TYPE_VALUE), "numbers"),
        ("Shift", "finely"),
        (caption(Action.HANDLE_PLACE), "ladder"),
        (caption(Action.BACK), "let go"),
    )


def drag_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return the numbers of a handle that is dragged, and to what it snaps, line by line."""
    reasons = []
    for axis, reason in picture.guides.items():
        name = {LEFT: "outward", UP: "up", FORWARD: "forward"}[axis]
        zero = {LEFT: "middle of the body", UP: "default height", FORWARD: "default depth"}[axis]
        reasons.append(f"{name} as the other hand" if reason == "partner" else zero)
    lines = [_numbers(picture, point), *([", ".join(reasons)] if reasons else [])]
    if (count := picture.moved_along) > 0:
        images = "its mirror image moves" if count == 1 else f"{count} mirror images move"
        lines.append(f"{images} along; {caption(Action.SYMMETRIC)}: alone")
    return lines


def _numbers(picture: PictureEditor, point: HandlePoint) -> str:
    first, second, third = numbers_of(picture.animation, point).split(", ")
    if point.event < 0:
        return f"turned {first}°, right {second} cm, forward {third} cm"
    return f"outward {first}, up {second}, forward {third} cm, at {point.time:.2f} s"
