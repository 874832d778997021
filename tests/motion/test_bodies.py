import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.choreography import BodyKeyframes
from juggle_anim.motion.bodies import Bodies, body_paths
from juggle_anim.vectors import wrap_angle

LOOP = 3.0
HAIR = 1e-5


def bodies_of(
    *rows: tuple[float, int, tuple[float, float, float], float],
    bodies: int = 1,
    as_juggling_lab: bool = False,
) -> Bodies:
    keys = BodyKeyframes(
        time=np.array([row[0] for row in rows]),
        juggler=np.array([row[1] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.radians([row[3] for row in rows]),
    )
    return body_paths(keys, bodies, LOOP, as_juggling_lab=as_juggling_lab)


WALK = bodies_of(
    (0.0, 0, (0.0, 0.0, 0.0), 0.0),
    (1.0, 0, (1.0, 0.0, 0.5), 100.0),
    (2.0, 0, (0.0, 0.3, 1.0), 220.0),
)
BODY = np.zeros(1, dtype=np.intp)


def test_a_body_that_stands_turns_what_is_seen_from_it() -> None:
    # Turned by a quarter it faces +x, and its left is at −z.
    standing = bodies_of((0.0, 0, (1.0, 0.0, 2.0), 90.0))
    assert not standing.has_movement
    place = standing.to_world([np.array([[0.2, 1.0, 0.3]])], BODY, np.array([0.7]))
    assert place == pytest.approx(np.array([[1.3, 1.0, 1.8]]))


def test_a_body_passes_its_keys() -> None:
    places = WALK.places(np.array([0.0, 1.0, 2.0, 3.0]))[:, 0]
    assert places[:3, :3] == pytest.approx(
        np.array([[0, 0, 0], [1, 0, 0.5], [0, 0.3, 1.0]]), abs=1e-9
    )
    assert np.degrees(places[:3, 3]) == pytest.approx([0, 100, 220])


def test_a_body_that_turns_round_goes_on_turning() -> None:
    quarters = bodies_of(*((k * LOOP / 4, 0, (0.0, 0.0, 0.0), 90.0 * k) for k in range(4)))
    speeds = quarters.places(np.linspace(0, LOOP, 50), 1)[:, 0, 3]
    assert speeds == pytest.approx(2 * np.pi / LOOP)


def test_a_body_never_overshoots_its_keys() -> None:
    quick = bodies_of(
        (0.0, 0, (0.0, 0.0, 0.0), 0.0), (1.4, 0, (0.0, 0.0, 0.0), 0.0),
        (1.6, 0, (1.0, 0.2, 0.0), 170.0),
        (2.8, 0, (1.0, 0.2, 0.0), 170.0),
    )  # fmt: skip
    places = quick.places(np.linspace(0, LOOP, 2000))[:, 0]
    assert places.min(axis=0) == pytest.approx([0, 0, 0, 0], abs=1e-9)
    assert places.max(axis=0) == pytest.approx([1, 0.2, 0, np.radians(170)], abs=1e-9)
    still = quick.places(np.linspace(0, 1.4, 100))[:, 0]
    assert np.ptp(still, axis=0) == pytest.approx([0, 0, 0, 0], abs=1e-12)


def test_a_half_turn_there_and_back_is_made_and_nothing_turns_between_equal_keys() -> None:
    animation = animate("3;bps=2;body=(0)..........(0).(180).(180)..........(180).(0).")
    times = np.linspace(0, animation.duration, 3001)
    turns = np.degrees(np.unwrap(animation.motion.bodies.places(times)[:, 0, 3]))
    assert (turns.min(), turns.max()) == pytest.approx((0.0, 180.0), abs=1e-6)
    assert turns[times < 5.0] == pytest.approx(0.0, abs=1e-9)


def test_in_juggling_lab_s_way_a_body_turns_at_a_steady_rate_between_keys() -> None:
    rows = [
        (0.0, 0, (0.0, 0.0, 0.0), 350.0),
        (1.0, 0, (1.0, 0.0, 0.5), 90.0),
        (2.0, 0, (0.0, 0.3, 1.0), 90.0),
    ]
    bodies = bodies_of(*rows, as_juggling_lab=True)
    turns = np.degrees(bodies.places(np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5]))[:, 0, 3])
    assert np.mod(turns, 360) == pytest.approx([350, 15, 40, 65, 90, 90, 90, 40])
    fine = bodies.places(np.arange(0, 2 * LOOP, 1e-4), 1)[:, 0, 3]
    assert np.abs(np.diff(fine)).max() < 0.02  # rad/s: it changes in a short time, and not at once


@pytest.mark.parametrize("as_juggling_lab", [False, True])
def test_paths_of_bodies_are_smooth_to_the_acceleration(as_juggling_lab: bool) -> None:
    keys = (
        (0.1, 0, (0.0, 0.0, 0.0), 0.0), (0.9, 0, (1.0, 0.0, 0.5), 100.0),
        (2.95, 0, (0.0, 0.3, 1.0), 220.0)
    )  # fmt: skip
    bodies = bodies_of(*keys, as_juggling_lab=as_juggling_lab)
    joints = np.concatenate([bodies.paths.start, [LOOP]])
    for derivative in range(3):
        before, after = (bodies.places(joints + side * 1e-9, derivative) for side in (-1, 1))
        jump = after - before
        if derivative == 0:
            jump[..., 3] = wrap_angle(jump[..., 3])
        assert np.abs(jump).max() < 1e-3


@given(st.floats(0.0, 20.0), st.integers(0, 1))
def test_velocities_and_accelerations_are_derivatives_also_while_a_body_moves(
    time: float, derivative: int
) -> None:
    def seen(moment: float, order: int) -> np.ndarray:
        # A point that runs about before the body.
        wave = 2.0**order * np.sin(2 * moment + order * np.pi / 2)
        return np.array([[0.3 * wave, 1.0 * (order == 0), 0.5 * wave]])

    def world(moment: float, order: int) -> np.ndarray:
        points = [seen(moment, step) for step in range(order + 1)]
        return WALK.to_world(points, BODY, np.array([moment]), order)

    # Not over a joint, where the third derivative jumps.
    moment = time if abs(time - round(time)) > 1e-3 else time + 0.01
    slope = (world(moment + HAIR, derivative) - world(moment - HAIR, derivative)) / (2 * HAIR)
    assert slope == pytest.approx(world(moment, derivative + 1), rel=1e-4, abs=1e-3)


@given(st.floats(0.0, 3.0), st.lists(st.floats(-2, 2), min_size=6, max_size=6))
def test_a_velocity_seen_from_a_body_is_the_same_as_in_the_world(
    time: float, numbers: list[float]
) -> None:
    point, velocity = np.array([numbers[:3]]), np.array([numbers[3:]])
    world = WALK.to_world([point, velocity], BODY, np.array([time]), 1)
    assert WALK.from_world(world, point, BODY, np.array([time])) == pytest.approx(
        velocity, abs=1e-9
    )
