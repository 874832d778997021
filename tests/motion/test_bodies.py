import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.choreography import BodyKeyframes
from juggle_anim.motion.bodies import Bodies, body_paths

LOOP = 3.0
HAIR = 1e-5


def bodies_of(*rows: tuple[float, int, tuple[float, float, float], float], bodies: int = 1) -> Bodies:
    keys = BodyKeyframes(
        time=np.array([row[0] for row in rows]),
        juggler=np.array([row[1] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.radians([row[3] for row in rows]),
    )
    return body_paths(keys, bodies, LOOP)


WALK = bodies_of((0.0, 0, (0.0, 0.0, 0.0), 0.0), (1.0, 0, (1.0, 0.0, 0.5), 100.0), (2.0, 0, (0.0, 0.3, 1.0), 220.0))
BODY = np.zeros(1, dtype=np.intp)


def test_a_body_that_stands_turns_what_is_seen_from_it() -> None:
    # Turned by a quarter it faces +x, and its left is at −z.
    standing = bodies_of((0.0, 0, (1.0, 0.0, 2.0), 90.0))
    assert not standing.has_movement
    place = standing.to_world([np.array([[0.2, 1.0, 0.3]])], BODY, np.array([0.7]))
    assert place == pytest.approx(np.array([[1.3, 1.0, 1.8]]))


def test_a_body_passes_its_keys() -> None:
    places = WALK.places(np.array([0.0, 1.0, 2.0, 3.0]))[:, 0]
    assert places[:3, :3] == pytest.approx(np.array([[0, 0, 0], [1, 0, 0.5], [0, 0.3, 1.0]]), abs=1e-9)
    assert np.degrees(places[:3, 3]) == pytest.approx([0, 100, 220])


def test_a_body_that_turns_round_goes_on_turning() -> None:
    quarters = bodies_of(*((k * LOOP / 4, 0, (0.0, 0.0, 0.0), 90.0 * k) for k in range(4)))
    speeds = quarters.places(np.linspace(0, LOOP, 50), 1)[:, 0, 3]
    assert speeds == pytest.approx(2 * np.pi / LOOP)


@given(st.floats(0.0, 20.0), st.integers(0, 1))
def test_velocities_and_accelerations_are_derivatives_also_while_a_body_moves(time: float, derivative: int) -> None:
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
def test_a_velocity_seen_from_a_body_is_the_same_as_in_the_world(time: float, numbers: list[float]) -> None:
    point, velocity = np.array([numbers[:3]]), np.array([numbers[3:]])
    world = WALK.to_world([point, velocity], BODY, np.array([time]), 1)
    assert WALK.from_world(world, point, BODY, np.array([time])) == pytest.approx(velocity, abs=1e-9)
