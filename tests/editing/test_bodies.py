"""Operations on bodies."""

from __future__ import annotations

import numpy as np
import pytest
from edit_laws import assert_events_fit, assert_motion_is_lawful

import juggle_anim as ja
from juggle_anim.errors import EditError


def test_a_juggler_who_is_moved_and_turned_is_said_by_settings() -> None:
    animation = ja.animate("<3p|3p>")
    edited = animation.edit().move_body(1, position=(1.2, 0.0, 0.5), facing=-1.0)
    assert edited.settings == "pattern=<3p|3p>;body=(90,100).|(-57.2958,-120,50)."
    bodies = edited.choreography.bodies
    assert bodies.position[1].tolist() == pytest.approx([1.2, 0.0, 0.5])
    assert bodies.facing[1] == pytest.approx(-1.0, abs=1e-5)
    # Who was not moved stands where they stood.
    assert bodies.position[0].tolist() == pytest.approx(
        animation.choreography.bodies.position[0].tolist()
    )
    place = animation.choreography.bodies
    back = edited.edit().move_body(
        1, position=place.position[1].tolist(), facing=float(place.facing[1])
    )
    assert back.score == animation.score
    assert_motion_is_lawful(edited)


def test_jugglers_who_stand_alike_move_along_on_request() -> None:
    facing = (
        ja.animate("<3p|3p>")
        .edit()
        .move_body(0, position=(-0.6, 0.0, 0.2), facing=1.2, symmetric=True)
    )
    bodies = facing.choreography.bodies
    np.testing.assert_allclose(bodies.position, [[-0.6, 0.0, 0.2], [0.6, 0.0, -0.2]], atol=2e-5)
    assert np.degrees(bodies.facing[1] - bodies.facing[0]) % 360 == pytest.approx(180.0)
    ring = ja.animate("<3p|3p|3p>")
    apart = [
        np.linalg.norm(each.choreography.bodies.position[:, [0, 2]], axis=1)
        for each in (ring, nearer(ring, True))
    ]
    assert apart[1] == pytest.approx(0.5 * apart[0], abs=2e-5)
    # Once one of them stands elsewhere, there are no images.
    lone = nearer(ring, False)
    moved = (
        lone.edit()
        .move_body(1, position=(0.0, 0.0, 0.0), symmetric=True)
        .choreography.bodies.position
    )
    np.testing.assert_allclose(moved[[0, 2]], lone.choreography.bodies.position[[0, 2]], atol=2e-5)


def nearer(animation: ja.Animation, symmetric: bool) -> ja.Animation:
    """Move the first juggler halfway to the middle."""
    x, y, z = animation.choreography.bodies.position[0]
    return animation.edit().move_body(0, position=(x / 2, y, z / 2), symmetric=symmetric)


def test_keys_on_steps_of_beats_are_settings_and_others_are_events() -> None:
    animation = ja.animate("3333;bps=3")
    for time, kind in ((1 / 3, "settings"), (0.5, "settings"), (0.1234, "events")):
        keyed = animation.edit().add_body_key(0, time)
        assert keyed.edit().losses() == (
            "1 place of the body",
        )  # a body that never moves needs one key
        moved = keyed.edit().move_body(0, 1, position=(0.5, 0.0, 0.0))
        assert moved.edit().kind() == kind
        assert moved.choreography.bodies.time.tolist() == pytest.approx([0.0, time], abs=5e-4)
        assert_events_fit(moved)
        assert moved.edit().remove_body_key(0, 1).score == animation.score


def test_keys_keep_their_order() -> None:
    animation = ja.animate("pattern=3;bps=3;body=(0).(0,50)..(0,0,50).")
    early, late = (
        animation.edit().move_body(0, 1, time=time).choreography.bodies.time.tolist()
        for time in (-9.0, 9.0)
    )
    assert early[:2] == pytest.approx([0.0, 0.02])
    assert late[1:] == pytest.approx([0.98, 1.0])


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda editor: editor.move_body(2), "there is no juggler 2"),
        (
            lambda editor: editor.move_body(0, 1),
            "juggler 0 has no body position 1; there are 1, counted from 0",
        ),
        (
            lambda editor: editor.move_body(0, position=(0.0, -1.0, 0.0)),
            "a body cannot be below the ground; this is -1 m",
        ),
        (
            lambda editor: editor.move_body(0, position=(1e9, 0.0, 0.0)),
            r"a position can be at most 100 m away; this is 1e\+09 m",
        ),
        (
            lambda editor: editor.move_body(0, facing=float("inf")),
            "inf is not an angle; give it in radians",
        ),
        (
            lambda editor: editor.remove_body_key(0, 0),
            "the only body position cannot be deleted; move it instead",
        ),
        (lambda editor: editor.add_body_key(0, 0.01), "within 0.02 s"),
    ],
)
def test_what_is_impossible_is_refused_with_a_reason(edit: object, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        edit(ja.animate("<3p|3p>").edit())  # type: ignore[operator]


def test_a_new_key_is_on_the_way_of_the_body() -> None:
    animation = ja.animate("pattern=3;bps=3;body=(0)...(90,50)...")
    keyed = animation.edit().add_body_key(0, 0.5)
    x, y, z, turn = animation.motion.body_place(0, 0.5)
    bodies = keyed.choreography.bodies
    assert bodies.position[1].tolist() == pytest.approx([x, y, z], abs=2e-5)
    assert np.isclose(bodies.facing[1], turn, atol=1e-5)


def test_who_holds_all_props_is_moved_by_settings_too() -> None:
    assert (
        ja.animate("20").edit().move_body(0, position=(0.2, 0.0, 0.0)).settings
        == "pattern=20;body=(0,-20)."
    )
