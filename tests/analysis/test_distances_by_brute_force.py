"""Distances of solids against those of many points of them."""

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.analysis.encounters import (
    THICKNESS,
    Discs,
    RoundCones,
    cone_disc_distance,
    discs_distance,
    round_cone_distance,
    round_cones_distance,
)
from juggle_anim.analysis.prop_solids import PosedProps, PropSolids
from juggle_anim.arrays import Floats
from juggle_anim.scene.props import club_capsules

COUNT = 40
SHARES = np.linspace(0.0, 1.0, 201)


def cones(random: np.random.Generator) -> RoundCones:
    start, radii = random.normal(size=(COUNT, 3)), random.uniform(0.02, 0.2, (2, COUNT))
    return RoundCones(start, radii[0], start + 0.5 * random.normal(size=(COUNT, 3)), radii[1])


def discs(random: np.random.Generator, spread: float = 0.3) -> Discs:
    yaw = random.uniform(0.0, 2 * np.pi, COUNT)
    across = np.stack([np.cos(yaw), 0 * yaw, -np.sin(yaw)], axis=-1)
    return Discs(spread * random.normal(size=(COUNT, 3)), across, random.uniform(0.1, 0.25, COUNT))


def balls(cone: RoundCones, row: int) -> tuple[Floats, Floats]:
    """Centres and radii of many balls of a cone."""
    centres = cone.start[row] + SHARES[:, None] * (cone.end - cone.start)[row]
    return centres, cone.start_radius[row] + SHARES * (cone.end_radius - cone.start_radius)[row]


def points(disc: Discs, row: int) -> Floats:
    angle, size = np.meshgrid(
        np.linspace(0.0, 2 * np.pi, 90), np.linspace(0.0, 1.0, 13) * disc.radius[row]
    )
    level = np.cross((0.0, 1.0, 0.0), disc.across[row])
    flat = (size * np.cos(angle))[..., None] * level + (size * np.sin(angle))[..., None] * (
        0.0,
        1.0,
        0.0,
    )
    made: Floats = (disc.centre[row] + flat).reshape(-1, 3)
    return made


def test_two_round_cones_are_as_far_apart_as_their_nearest_balls() -> None:
    random = np.random.default_rng(1)
    some, others = cones(random), cones(random)
    found = round_cones_distance(some, others)
    assert (found < 0).any()
    assert (found > 0).any()
    for row in range(COUNT):
        (centres, radii), (middles, sizes) = balls(some, row), balls(others, row)
        apart = np.linalg.norm(centres[:, None] - middles, axis=-1) - radii[:, None] - sizes
        assert apart.min() - 4e-4 < found[row] < apart.min() + 1e-9


def test_balls_are_round_cones_without_length() -> None:
    here, there = (
        RoundCones.balls(np.zeros((1, 3)), np.array([0.1])),
        RoundCones.balls(np.ones((1, 3)), np.array([0.2])),
    )
    assert round_cones_distance(here, there) == pytest.approx([np.sqrt(3) - 0.3])


def test_a_round_cone_and_a_disc_are_as_far_apart_as_their_nearest_points() -> None:
    random = np.random.default_rng(2)
    limbs, rings = cones(random), discs(random)
    found = cone_disc_distance(limbs, rings)
    for row in range(COUNT):
        centres, radii = balls(limbs, row)
        apart = (
            np.linalg.norm(centres[:, None] - points(rings, row), axis=-1).min(axis=1)
            - radii
            - THICKNESS / 2
        )
        assert apart.min() - 0.01 < found[row] < apart.min() + 1e-9


def test_two_discs_are_as_far_apart_as_their_nearest_points() -> None:
    random = np.random.default_rng(3)
    some, others = discs(random), discs(random)
    found = discs_distance(some, others)
    for row in np.flatnonzero(found > 0)[:10].tolist():
        apart = (
            np.linalg.norm(points(some, row)[:, None] - points(others, row), axis=-1).min()
            - THICKNESS
        )
        assert apart - 0.015 < found[row] < apart + 1e-9
    assert (found > 0).sum() > 10


def test_parallel_discs_are_as_far_apart_as_their_planes_where_they_face_each_other() -> None:
    across = np.tile([0.0, 0.0, 1.0], (2, 1))
    some = Discs(np.zeros((2, 3)), across, np.full(2, 0.16))
    others = Discs(np.array([[0.1, 0.1, 0.05], [0.3, 0.0, 0.05]]), across, np.full(2, 0.16))
    assert discs_distance(some, others) + THICKNESS == pytest.approx([0.05, 0.05])
    beside = Discs(np.array([[0.4, 0.0, 0.0], [0.32, 0.24, 0.0]]), across, np.full(2, 0.16))
    assert discs_distance(some, beside) + THICKNESS == pytest.approx([0.08, 0.08])


def test_discs_that_cut_each_other_are_apart_after_a_move_as_far_as_they_are_deep() -> None:
    random = np.random.default_rng(4)
    some, others = discs(random, 0.05), discs(random, 0.05)
    deep = -discs_distance(some, others) - THICKNESS
    cut = deep > 0
    parted = np.zeros(COUNT, dtype=bool)
    for way in (np.tile([0.0, 1.0, 0.0], (COUNT, 1)), some.across, others.across):
        for far in (deep + 1e-6, -deep - 1e-6):
            moved = Discs(others.centre + far[:, None] * way, others.across, others.radius)
            parted |= discs_distance(some, moved) + THICKNESS > 0
    assert cut.sum() > 20
    assert parted[cut].all()


def test_discs_come_to_touch_without_a_jump() -> None:
    random = np.random.default_rng(5)
    some, others = discs(random), discs(random, 0.02)
    for step in np.linspace(0.0, 1.0, 40):
        here, there = (
            Discs(
                others.centre + (step + more) * np.array([0.3, 0.2, 0.3]),
                others.across,
                others.radius,
            )
            for more in (0.0, 1e-6)
        )
        jump = np.abs(discs_distance(some, here) - discs_distance(some, there))
        # A rim that just pierces a disc has a bite that deepens as a root.
        assert jump.max() < 2e-3


def test_a_club_counts_as_it_is_drawn() -> None:
    motion = ja.animate("3", prop="club").motion
    solids = PropSolids(motion)
    drawn = club_capsules(
        np.zeros((1, 1, 3)),
        np.array([[[0.0, 0.0, 1.0]]]),
        motion.shapes.size[:1],
        np.ones((1, 3), np.float32),
    )
    axis, count = np.array([0.0, 0.0, 1.0]), 200
    posed = PosedProps(
        np.zeros(count, dtype=np.intp), np.zeros((count, 3)), np.tile(axis, (count, 1))
    )
    points = np.random.default_rng(6).uniform((-0.1, -0.1, -0.3), (0.1, 0.1, 0.3), (count, 3))
    probes = RoundCones.balls(points, np.zeros(count))
    apart = [
        round_cone_distance(
            points, RoundCones(*(np.repeat(each[None], count, axis=0) for each in _ends(row)))
        )
        for row in drawn[0].astype(float)
    ]
    outside = np.min(apart, axis=0) > 0
    assert solids.gap_to_cones(posed, probes)[outside] == pytest.approx(
        np.min(apart, axis=0)[outside], abs=0.005
    )
    assert outside.sum() > 100


def _ends(row: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    return row[:3], row[3], row[4:7], row[7]


def test_the_solids_of_turning_props_turn_with_them() -> None:
    motion = ja.animate("3", prop="club").motion
    solids, times = PropSolids(motion), np.linspace(0.0, 0.3, 7)
    posed = solids.posed(np.zeros(7, dtype=np.intp), times)
    top = posed.centre + 0.244 * posed.axis
    inside = solids.gap_to_cones(posed, RoundCones.balls(top, np.zeros(7)))
    assert inside == pytest.approx(np.full(7, -0.026), abs=1e-6)
    assert np.ptp(posed.axis[:, 1]) > 0.5
