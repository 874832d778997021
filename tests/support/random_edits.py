"""Random edits of random patterns: what to begin with, arguments for each operation, and what each
step must keep.

`ARGUMENTS` has a maker of arguments for each operation of `Editor`; a new operation needs one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from edit_laws import assert_events_fit, assert_motion_is_lawful
from paths import ROOT

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.score import HOLD
from juggle_anim.errors import EditError, NotationError
from juggle_anim.notation.files import write_file
from juggle_anim.notation.pattern_list import list_of_one
from juggle_anim.pattern import Pattern

SAVED = 1e-4
"""How near a saved and reopened pattern is to what it was, [m]."""

Chance = np.random.Generator
Arguments = tuple[tuple[Any, ...], dict[str, Any]]

_MOST_THROWS, _HIGHEST = 40, 16  # of a pattern that is edited further

STARTS = (
    "3", "531", "97531", "501", "L51", "7531", "(6x,4)*", "(4,4)", "(4,2x)(2x,4)",
    "(8,2x)(2x,4)(0,2x)(2x,4)",
    "[54]24", "24[54]", "[33]3[43]23", "([44x],[44x])(2,2)", "R3L3R3L3", "<3p 3|3p 3>",
    "<4p 3|3 4p>",
    "<3p [34]2|3p 3 3>", "<(4x,4p)|(4p,4x)>", "<3p|3p|3p>", "726 for 2", "4p 2 3", "3.5p 3", "5B31",
    "7BF31B1",
    "(4xB,4xB)", "<3pB|3pB>", "4H23", "Mills mess",
)  # fmt: skip
"""Patterns of all kinds; many of them are made others before any check."""

FILES = ("jml_1_0.jml", "jml_every_element.jml")
"""Files with events, of `tests/data`."""

STAGINGS = (
    "", "", "", "hands=(10)(32.5).(25)(12)c(20,10,5)(3).", "hands=(-25)(2.5).(25)(-2.5).(-25)(0).",
    "hands=(32.5)(10).(10)(32.5).;style=natural", "catches=palm,claw", "catches=claw,penguin,palm",
    "throws=backcross,-,claw;catches=palm,overhead", "throws=underleg,-|-,lazy,-",
    "body=(0,20).(0,-20).", "body=(0).(90,10)(95).(180,10,-20,110).", "prop=club",
    "prop=ring,ball;colors=mixed",
    "colors=orbits", "dwell=0.9;bps=3.7", "width=140;propdiam=14", "gravity=700;bouncefrac=0.8",
)  # fmt: skip


class Edit(NamedTuple):
    """An operation with its arguments."""

    name: str
    args: tuple[Any, ...]
    named: dict[str, Any]

    def __call__(self, animation: Animation) -> Animation:
        edited: Animation = getattr(animation.edit(), self.name)(*self.args, **self.named)
        return edited


def random_start(chance: Chance) -> Animation:
    """An animation to begin with: a pattern of any kind with some staging, or its events."""
    while True:
        if chance.random() < 0.05:
            return ja.animate(str(ROOT / "tests/data" / str(chance.choice(FILES))))
        text = str(chance.choice(STARTS)) if chance.random() < 0.7 else _vanilla(chance)
        staging = str(chance.choice(STAGINGS))
        try:
            animation = ja.animate(f"pattern={text};{staging}" if staging else text)
            animation.motion  # noqa: B018 - raises here if it cannot be juggled
        except ja.JuggleError:
            continue
        if not may_go_on(animation):
            continue
        return animation.edit().to_events() if chance.random() < 0.2 else animation


def random_edit(animation: Animation, chance: Chance) -> Edit:
    """An operation that makes sense for an animation, though it may be refused."""
    names = sorted(ARGUMENTS)
    name = str(chance.choice(names))
    args, named = ARGUMENTS[name](animation, chance)
    return Edit(name, args, named)


def may_go_on(animation: Animation) -> bool:
    """Whether a pattern is still small enough for more edits."""
    pattern = animation.pattern
    if not animation.score.props or not len(animation.choreography.flights.throw):
        return False
    if pattern is None:
        return len(animation.choreography.events.time) <= 4 * _MOST_THROWS
    return (
        len(_loop(animation).throws) <= _MOST_THROWS
        and max((each.value for each in pattern.throws), default=0) <= _HIGHEST
    )


def edited(animation: Animation, edit: Edit) -> Animation | None:
    """What comes of an edit, None if it is refused; the animation before must stay as it was."""
    before = _fingerprint(animation)
    try:
        after = edit(animation)
        after.motion  # noqa: B018 - raises here if it is impossible
    except EditError:
        after = None
    # To undo is to go back to it.
    assert _fingerprint(animation) == before
    return after


def assert_step_is_sound(animation: Animation, folder: Path, *, lawful: bool) -> None:
    """Events fit together, it is saved and reopened as it is, and, where asked for, the laws of
    motion hold.
    """
    assert_events_fit(animation)
    frames = animation.sample(times := np.linspace(0, animation.duration, 7))
    assert np.isfinite(frames.hands).all()
    assert np.isfinite(frames.props).all()
    again = reopened(animation, folder).sample(times)
    np.testing.assert_allclose(again.hands, frames.hands, atol=SAVED)
    # Files number props by their first throws, so each is only somewhere among the others.
    gaps = np.abs(again.props[:, :, None] - frames.props[:, None]).max(axis=-1)
    assert again.props.shape == frames.props.shape
    assert all(gaps.min(axis=axis).max() < SAVED for axis in (1, 2) if gaps.size)
    if lawful:
        assert_motion_is_lawful(animation)


def reopened(animation: Animation, folder: Path) -> Animation:
    """The animation as a program reads what this one writes."""
    try:
        return ja.animate(animation.settings)
    except NotationError:
        path = folder / "edited.jml"
        write_file(list_of_one(animation.score, animation.parameters), path, force=True)
        return ja.animate(str(path))


def _vanilla(chance: Chance) -> str:
    beats = int(chance.integers(1, 8))
    values = (chance.permutation(beats) - np.arange(beats)) % beats + beats * chance.integers(
        0, 2, beats
    )
    return "".join("0123456789abcdefgh"[value] for value in values)


def _fingerprint(animation: Animation) -> object:
    score, parameters = animation.score, animation.parameters
    if score.placed is None:
        return score, parameters
    shown = score.placed
    arrays = [
        *vars(shown.events).values(),
        *vars(shown.bodies).values(),
        shown.flights.duration,
        shown.flights.carry,
    ]
    return (
        parameters,
        shown.orbits,
        shown.looks,
        [each.tobytes() for each in arrays if isinstance(each, np.ndarray)],
    )


def _loop(animation: Animation) -> Pattern:
    pattern = animation.pattern
    assert pattern is not None
    return repeat_to_full_loop(pattern, animation.score.staging)


def _throw(animation: Animation, chance: Chance) -> int:
    flights = len(animation.choreography.flights.throw)
    return int(
        chance.integers(
            max(1, flights if animation.pattern is None else len(_loop(animation).throws))
        )
    )


def _beat(animation: Animation, chance: Chance) -> int:
    return int(chance.integers(1 + (0 if animation.pattern is None else _loop(animation).period)))


def _event(animation: Animation, chance: Chance, kinds: tuple[int, ...] = (0, 1, 2, 3)) -> int:
    found = np.flatnonzero(np.isin(animation.choreography.events.kind, kinds))
    return int(chance.choice(found)) if len(found) else 0


def _near(animation: Animation, event: int, chance: Chance) -> list[float]:
    place = animation.choreography.events.position[event] + chance.normal(0, 0.1, 3)
    return [round(float(part), 4) for part in place]


def _time(animation: Animation, chance: Chance) -> float:
    return float(chance.uniform(0, animation.choreography.duration))


def _symmetric(chance: Chance) -> dict[str, Any]:
    return {} if chance.random() < 0.8 else {"symmetric": False}


def _two_throws(animation: Animation, chance: Chance) -> Arguments:
    return (_throw(animation, chance), _throw(animation, chance)), _symmetric(chance)


def _aim(animation: Animation, chance: Chance) -> Arguments:
    throw, how = _throw(animation, chance), _symmetric(chance)
    if chance.random() < 0.3 or animation.pattern is None:
        return (throw, _throw(animation, chance)), how
    made = _loop(animation).throws[throw]
    juggler = int(chance.integers(animation.num_jugglers))
    beat = made.beat + int(chance.integers(1, 10)) * animation.pattern.division
    return (throw, (beat, juggler, int(chance.integers(2)))), how


def _set_throw(animation: Animation, chance: Chance) -> Arguments:
    named: dict[str, Any] = {
        0: {
            "bounces": int(chance.integers(3)),
            "bounce_style": str(chance.choice(["lift", "force", "hyper_lift"])),
        },
        1: {"held": bool(chance.integers(2))},
        2: {"crosses": bool(chance.integers(2))},
        3: {"grasp": str(chance.choice(["palm", "claw", "behind", "neck"]))},
    }[int(chance.integers(4))]
    return (_throw(animation, chance),), named | _symmetric(chance)


def _set_props(animation: Animation, chance: Chance) -> Arguments:
    kind = str(chance.choice(["ball", "club", "ring", "square"])) if chance.random() < 0.6 else None
    colour = (
        str(chance.choice(["red", "#12ab34", "default", "10,20,30"]))
        if chance.random() < 0.6
        else None
    )
    orbits = len(animation.choreography.orbits)
    which = [
        {},
        {"orbit": int(chance.integers(orbits))},
        {"prop": int(chance.integers(animation.choreography.props))},
    ]
    return (kind, colour), which[int(chance.integers(3))]


def _move_event(animation: Animation, chance: Chance) -> Arguments:
    event = _event(animation, chance)
    when = float(animation.choreography.events.time[event] + chance.normal(0, 0.05))
    named = [{"time": when}, {"position": _near(animation, event, chance)}][int(chance.integers(2))]
    return (event,), {**named, **_symmetric(chance)}


def _move_events(animation: Animation, chance: Chance) -> Arguments:
    events = sorted({_event(animation, chance) for _ in range(3)})
    offset = [round(float(part), 4) for part in chance.normal(0, 0.05, 3)]
    return (events,), {
        "seconds": float(chance.normal(0, 0.03)),
        "offset": offset,
        **_symmetric(chance),
    }


def _add_point(animation: Animation, chance: Chance) -> Arguments:
    hand, time = int(chance.integers(2 * animation.num_jugglers)), _time(animation, chance)
    return (hand, time), _symmetric(chance)


def _set_dwell(animation: Animation, chance: Chance) -> Arguments:
    if chance.random() < 0.5:
        return (), {"beats": round(float(chance.uniform(0.5, 1.5)), 2)}
    return (_event(animation, chance, (1,)),), {
        "seconds": float(chance.uniform(0.1, 0.5)),
        **_symmetric(chance),
    }


def _body(animation: Animation, chance: Chance) -> tuple[int, int]:
    juggler = int(chance.integers(animation.num_jugglers))
    keys = int((animation.choreography.bodies.juggler == juggler).sum())
    return juggler, int(chance.integers(keys))


def _move_body(animation: Animation, chance: Chance) -> Arguments:
    juggler, key = _body(animation, chance)
    place = [
        round(float(part), 3)
        for part in (*chance.normal(0, 0.3, 1), 0.0, *chance.normal(0, 0.3, 1))
    ]
    named: dict[str, Any] = [
        {"position": place},
        {"facing": float(chance.uniform(-3, 3))},
        {"time": _time(animation, chance)},
    ][int(chance.integers(3))]
    return (juggler, key), {**named, **_symmetric(chance)}


def _nothing(_: Animation, __: Chance) -> Arguments:
    return (), {}


ARGUMENTS: dict[str, Callable[[Animation, Chance], Arguments]] = {
    "swap_landings": _two_throws,
    "aim_throw": _aim,
    "add_period": lambda animation, chance: (
        (_throw(animation, chance), int(chance.choice([-1, 1]))),
        {},
    ),
    "set_throw": _set_throw,
    "set_body_throw": lambda animation, chance: (
        (
            _throw(animation, chance),
            str(
                chance.choice(["-", "backcross", "underleg", "albert", "chop", "claw", "overhead"])
            ),
        ),
        _symmetric(chance),
    ),
    "insert_beat": lambda animation, chance: ((_beat(animation, chance),), {}),
    "delete_beat": lambda animation, chance: ((_beat(animation, chance),), {}),
    "mirror": _nothing,
    "swap_hands": _nothing,
    "reverse": _nothing,
    "rotate": lambda animation, chance: ((int(chance.integers(-3, 4)),), {}),
    "repeat": lambda animation, chance: ((int(chance.integers(1, 3)),), {}),
    "inverse": _nothing,
    "dual": _nothing,
    "set_props": _set_props,
    "move_event": _move_event,
    "move_events": _move_events,
    "set_catch": lambda animation, chance: (
        (
            _event(animation, chance, (0, 1)),
            str(chance.choice(["palm", "claw", "behind", "overhead", "soft", "grab"])),
        ),
        _symmetric(chance),
    ),
    "set_dwell": _set_dwell,
    "add_point": _add_point,
    "remove_point": lambda animation, chance: (
        (_event(animation, chance, (HOLD, 3)),),
        _symmetric(chance),
    ),
    "copy_path": lambda animation, chance: (
        (_event(animation, chance, (0,)), _event(animation, chance, (0,))),
        {"mirrored": bool(chance.integers(2)), **_symmetric(chance)},
    ),
    "move_body": _move_body,
    "add_body_key": lambda animation, chance: (
        (int(chance.integers(animation.num_jugglers)), _time(animation, chance)),
        {"facing": float(chance.uniform(-3, 3))},
    ),
    "remove_body_key": lambda animation, chance: (_body(animation, chance), {}),
    "to_events": _nothing,
    "back_to_settings": _nothing,
}
"""For each operation what makes its arguments, by an animation and chance."""
