import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.analysis.collisions import ARM_OF, PARTS, LimbTable
from juggle_anim.analysis.encounters import RoundCones, round_cone_distance
from juggle_anim.analysis.prop_solids import BoundingBoxes, expand_ranges, overlapping_pairs
from juggle_anim.scene.figure import figure_capsules


def test_overlapping_boxes_are_those_that_comparing_all_finds() -> None:
    random = np.random.default_rng(3)
    some, others = (
        BoundingBoxes(low, low + random.uniform(0, 0.4, (60, 3)))
        for low in (random.uniform(0, 2, (60, 3)) for _ in range(2))
    )
    slow = {
        (one, other)
        for one in range(60)
        for other in range(60)
        if (some.low[one] <= others.high[other]).all()
        and (others.low[other] <= some.high[one]).all()
    }
    assert slow
    assert (
        set(zip(*(each.tolist() for each in overlapping_pairs(some, others)), strict=True)) == slow
    )


def test_ranges_are_written_out() -> None:
    number, value = expand_ranges(np.array([5, 0, 9]), np.array([2, 0, 3]))
    assert number.tolist() == [0, 0, 2, 2, 2]
    assert value.tolist() == [5, 6, 9, 10, 11]


def test_the_distance_to_a_round_cone_is_that_to_its_nearest_ball() -> None:
    random = np.random.default_rng(5)
    points, start, end = (random.normal(size=(50, 3)) for _ in range(3))
    radii = random.uniform(0.05, 0.3, (2, 50))
    share = np.linspace(0.0, 1.0, 20_001)[:, None]
    balls = start[:, None] + share * (end - start)[:, None]
    apart = (
        np.linalg.norm(points[:, None] - balls, axis=-1)
        - (radii[0] + share * (radii[1] - radii[0])).T
    )
    found = round_cone_distance(points, RoundCones(start, radii[0], end, radii[1]))
    assert found == pytest.approx(apart.min(axis=1), abs=1e-6)


def test_limbs_between_the_times_of_the_table_are_where_the_pose_has_them() -> None:
    animation = ja.animate("97531").closing_after(1)
    table = LimbTable.from_animation(animation)
    times = np.random.default_rng(7).uniform(0.0, 2 * animation.duration, 300)
    limbs = figure_capsules(animation.pose(times).joints)[..., :8].astype(float)
    number = np.arange(300) % limbs.shape[1]
    true = limbs[np.arange(300), number]
    points = true[:, :3] + (0.3, 0.2, 0.1)
    wanted = round_cone_distance(
        points, RoundCones(true[:, :3], true[:, 3], true[:, 4:7], true[:, 7])
    )
    assert round_cone_distance(points, table.cones(number, times)) == pytest.approx(
        wanted, abs=1e-4
    )


def test_every_limb_has_a_name_and_only_hands_and_forearms_bring_props_to_hands() -> None:
    assert set(PARTS) == {"head", "trunk"} | {
        f"{side} {part}"
        for side in ("left", "right")
        for part in ("hand", "forearm", "upper arm", "thigh", "shin", "foot")
    }
    for part, side in zip(PARTS, ARM_OF, strict=True):
        assert (side >= 0) == part.endswith(("hand", "forearm"))
        assert side < 0 or part.startswith(("left", "right")[side])
