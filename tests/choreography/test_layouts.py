"""Events and flights against those of Juggling Lab 1.7.7."""

from dataclasses import replace
from typing import Any

import numpy as np
from juggling_lab import LAYOUTS

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, EventKind, PropLook, choreograph
from juggle_anim.motion import move
from juggle_anim.notation import with_settings
from juggle_anim.parameters import Parameters


def setting_of(layout: dict[str, Any]) -> tuple[Choreography, Parameters]:
    settings = with_settings(layout["settings"], style="juggling-lab")
    parameters = settings.applied_to(Parameters())
    choreography = choreograph(settings.score, parameters)
    if abs(choreography.duration / layout["loop"] % 1) > 1e-4:
        # Its own tempo depends on where the string starts; ours does not.
        parameters = parameters.replace(bps=layout["bps"])
        choreography = choreograph(settings.score, parameters)
    return choreography, parameters


def table(choreography: Choreography, loops: int) -> list[tuple[float, int, str, int, Floats]]:
    events = choreography.events
    right, forward, up = (
        -events.position[:, 0],
        events.position[:, 2] - 0.3,
        events.position[:, 1] - 1.0,
    )
    places = 100 * np.stack([right, forward, up], axis=-1)
    rows = list(
        zip(events.time, events.hand // 2 + 1, events.hand % 2, events.kind, places, strict=True)
    )
    return [
        (time + loop * choreography.duration, int(who), "LR"[side], int(kind), place)
        for loop in range(loops)
        for time, who, side, kind, place in rows
    ]


def apart(one: float, other: float, loop: float) -> float:
    return abs((one - other + loop / 2) % loop - loop / 2)


def test_hands_throw_catch_and_pass_where_juggling_lab_lets_them() -> None:
    for layout in LAYOUTS:
        choreography, _ = setting_of(layout)
        assert (choreography.jugglers, choreography.props) == (
            layout["jugglers"],
            layout["props"],
        ), layout["settings"]
        # One of the loops may be a part of the other.
        longest = max(choreography.duration, layout["loop"])
        ours = table(choreography, round(longest / choreography.duration))
        repeats = range(round(longest / layout["loop"]))
        theirs = [
            (time + loop * layout["loop"], *row)
            for loop in repeats
            for time, *row in layout["events"]
        ]
        if "hands=" not in layout["settings"]:
            # It also marks where hands are on their way; ours find their way without.
            theirs = [row for row in theirs if row[3] < EventKind.HOLD]
        assert len(ours) == len(theirs), layout["settings"]
        for time, juggler, hand, kind, *place in theirs:
            found = [
                row
                for row in ours
                if row[1:4] == (juggler, hand, kind)
                and apart(row[0], time, longest) < 1e-3 + 1e-6 * longest
            ]
            assert any(np.abs(row[4] - place).max() < 0.1 for row in found), (
                time,
                juggler,
                hand,
                kind,
                place,
                found,
            )


# In one string hands catch bounces below the floor; there Juggling Lab lets a prop jump as it is
# caught.
FLYING = [layout for layout in LAYOUTS[::3] if "8BB" not in layout["settings"]]


def test_props_fly_where_juggling_lab_lets_them() -> None:
    for layout in FLYING:
        choreography, parameters = setting_of(layout)
        # There, props are points: those in one hand all start from its middle, and centres come
        # down to the floor.
        points = (PropLook(diameter=1e-4),) * choreography.props
        motion = move(replace(choreography, looks=points), parameters)
        # In any of our loops: ours may be as long as several of theirs.
        repeats = np.arange(max(1, round(choreography.duration / layout["loop"]))) * layout["loop"]
        for time, x, y, z in layout["flying"]:
            props = motion.sample(time + repeats).props.reshape(-1, 3)
            off = np.abs(props - (-x / 100, z / 100, y / 100)).max(axis=1).min()
            assert off < 0.002, (layout["settings"], time, x, y, z)
