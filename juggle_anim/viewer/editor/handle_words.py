"""Words about handles in the picture: what one is, how it is moved, and to what a drag snaps."""

from __future__ import annotations

from juggle_anim.choreography.choreography import THROW
from juggle_anim.errors import hand_in_words, sentence
from juggle_anim.language import _, ngettext
from juggle_anim.viewer.editor.handles import HandlePoint, Mark, numbers_of
from juggle_anim.viewer.editor.picture_editor import PictureEditor
from juggle_anim.viewer.editor.sight import FORWARD, LEFT, UP
from juggle_anim.viewer.state.keymap import Action, caption

_HAIR = 1e-6  # s


def hover_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return what a handle is and how it is moved, in plain words, line by line."""
    who = (
        _("Juggler {juggler}", juggler=point.juggler + 1) if picture.animation.jugglers > 1 else ""
    )
    if point.mark is Mark.HEADING:
        does = _("Drag it to turn; it snaps to quarter turns, not with Shift")
        return [
            _("{who} faces this way", who=who or _("The juggler")),
            _numbers(picture, point),
            does,
        ]
    if point.mark is Mark.BODY:
        does = _("Drag it over the floor, or its arrow to turn; Enter types")
        return [_("{who} stands here", who=who or _("The juggler")), _numbers(picture, point), does]
    hand = sentence(hand_in_words(point.hand))
    hand += _(" of juggler {juggler}", juggler=point.juggler + 1) if who else ""
    does = {Mark.THROW: _("throws here"), Mark.CATCH: _("catches here")}.get(
        point.mark, _("passes this point")
    )
    count = len(picture.stack_of(point))
    beat = _beat_words(picture, point)
    lines = [f"{hand} {does}{beat}", _numbers(picture, point)]
    lines += [
        _("Drag it; Ctrl in depth, Shift without snapping; Enter types"),
        _("Right click: all else"),
    ]
    if count > 1:
        lines.append(_("{count} handles are here: click again for the next", count=count))
    return lines


def _beat_words(picture: PictureEditor, point: HandlePoint) -> str:
    """Which beat of the ladder a throw is on, or that before which a prop is caught; nothing for
    events.
    """
    choreography = picture.animation.choreography
    events = picture.animation.choreography.events
    if picture.animation.pattern is None or point.mark not in (Mark.THROW, Mark.CATCH):
        return ""
    thrown = events.time[(events.hand == point.hand) & (events.kind == THROW)]
    if not len(thrown):
        return ""
    # A hair before its own time: a throw is on its own beat.
    later = (thrown - point.time + _HAIR) % choreography.duration
    beat = 1 + round(float(thrown[later.argmin()]) * choreography.bps, 2)
    return (
        _(" on beat {beat:g}", beat=beat)
        if point.mark is Mark.THROW
        else _(" before beat {beat:g}", beat=beat)
    )


def picture_hints(picture: PictureEditor) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what is chosen in the picture, and what keys do with it, as they are shown."""
    chosen = picture.chosen
    if not chosen:
        words = _("Drag a mark in the picture; double click on a path adds a point")
        keys = (
            (caption(Action.HANDLE_AFTER), _("choose")),
            (_("Wheel"), _("nearer")),
            (caption(Action.HANDLE_PLACE), _("ladder")),
        )
        return words, (*keys, (caption(Action.BACK), _("end")))
    words = (
        _("{count} handles", count=len(chosen))
        if len(chosen) > 1
        else hover_words(picture, chosen[0])[0]
    )
    turns = _("turn") if chosen[-1].event < 0 else _("in depth")
    return words, (
        ("← → ↑ ↓", _("move")),
        (caption(Action.PAGE_UP), turns),
        (caption(Action.TYPE_VALUE), _("numbers")),
        (_("Shift"), _("finely")),
        (caption(Action.HANDLE_PLACE), _("ladder")),
        (caption(Action.BACK), _("let go")),
    )


def drag_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return the numbers of a handle that is dragged, and to what it snaps, line by line."""
    reasons = []
    for axis, reason in picture.guides.items():
        name = {LEFT: _("outward"), UP: _("up"), FORWARD: _("forward")}[axis]
        zero = {
            LEFT: _("middle of the body"),
            UP: _("default height"),
            FORWARD: _("default depth"),
        }[axis]
        reasons.append(_("{name} as the other hand", name=name) if reason == "partner" else zero)
    lines = [_numbers(picture, point), *([", ".join(reasons)] if reasons else [])]
    if (count := picture.moved_along) > 0:
        key = caption(Action.SYMMETRIC)
        lines.append(
            ngettext(
                "its mirror image moves along; {key}: alone",
                "{number} mirror images move along; {key}: alone",
                count,
                key=key,
            )
        )
    return lines


def _numbers(picture: PictureEditor, point: HandlePoint) -> str:
    first, second, third = numbers_of(picture.animation, point).split(", ")
    if point.event < 0:
        return _(
            "turned {first}°, right {second} cm, forward {third} cm",
            first=first,
            second=second,
            third=third,
        )
    return _(
        "outward {first}, up {second}, forward {third} cm, at {time:.2f} s",
        first=first,
        second=second,
        third=third,
        time=point.time,
    )
