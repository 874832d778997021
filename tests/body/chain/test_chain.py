import numpy as np
import pytest
from arm_chain import ARM, LOWER, UPPER, WRIST, random_angles

from juggle_anim.body.chain import Chain, Frame, Revolute
from juggle_anim.errors import ChainError

# Axes that lie askew, in a tree: joints 2 and 3 both hang on 1.
TREE = Chain(
    (
        Revolute("root", -1, (0.1, 1.0, 0.0), (1, 2, 3)),
        Revolute("trunk", 0, (0.0, 0.5, 0.1), (0, 0, -2)),
        Revolute("left", 1, (0.3, 0.0, 0.0), (1, -1, 0)),
        Revolute("right", 1, (-0.3, 0.0, 0.0), (0, 1, 1)),
        Revolute("hand", 3, (0.0, -0.4, 0.0), (1, 0, 0.5)),
    )
)
FRAMES = [Frame(0), Frame(2, (0.1, 0.2, -0.3)), Frame(4, (0.0, -0.2, 0.1))]


def rotation(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    """The exponential of the axis' cross product, summed as a series."""
    x, y, z = np.array(axis) / np.linalg.norm(axis) * angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    term, total = np.eye(3), np.eye(3)
    for power in range(1, 40):
        term = term @ cross / power
        total = total + term
    return total


def test_a_hanging_arm_hangs_and_a_bent_one_points_ahead() -> None:
    straight, turned = ARM.locate(np.zeros(4), WRIST)
    assert straight == pytest.approx([0, -UPPER - LOWER, 0])
    assert turned == pytest.approx(np.eye(3))
    bent, _ = ARM.locate(np.array([0, 0, 0, -np.pi / 2]), WRIST)
    assert bent == pytest.approx([0, -UPPER, LOWER])


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_are_where_the_turns_on_the_way_take_them(frame: Frame) -> None:
    for angles in random_angles(TREE, 5):
        place, turn, way, joint = np.zeros(3), np.eye(3), [], frame.joint
        while joint >= 0:
            way.append(joint)
            joint = TREE.joints[joint].parent
        for joint in reversed(way):
            place = place + turn @ TREE.joints[joint].offset
            turn = turn @ rotation(TREE.joints[joint].axis, angles[joint])
        position, orientation = TREE.locate(angles, frame)
        assert position == pytest.approx(place + turn @ frame.point, abs=1e-12)
        assert orientation == pytest.approx(turn, abs=1e-12)


def test_many_poses_are_located_like_each_alone() -> None:
    angles = random_angles(TREE, 6).reshape(2, 3, 5)
    positions, orientations = TREE.locate(angles, FRAMES[2])
    jacobians = TREE.jacobian(angles, FRAMES[2])
    assert positions.shape == (2, 3, 3)
    assert orientations.shape == (2, 3, 3, 3)
    assert jacobians.shape == (2, 3, 6, 5)
    for index in np.ndindex(2, 3):
        position, orientation = TREE.locate(angles[index], FRAMES[2])
        assert positions[index] == pytest.approx(position, abs=1e-15)
        assert orientations[index] == pytest.approx(orientation, abs=1e-15)
        assert jacobians[index] == pytest.approx(TREE.jacobian(angles[index], FRAMES[2]), abs=1e-15)


@pytest.mark.parametrize("frame", FRAMES)
def test_the_jacobian_is_what_small_turns_of_the_joints_do(frame: Frame) -> None:
    angles, little = random_angles(TREE, 20), 1e-6
    jacobian = TREE.jacobian(angles, frame)
    for joint in range(len(TREE)):
        change = little * np.eye(len(TREE))[joint]
        (after, turned), (before, back) = (
            TREE.locate(angles + change, frame),
            TREE.locate(angles - change, frame),
        )
        assert (after - before) / (2 * little) == pytest.approx(jacobian[:, :3, joint], abs=1e-8)
        between = turned @ back.transpose(0, 2, 1)
        spin = (between - between.transpose(0, 2, 1)) / (4 * little)
        angular = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        assert angular == pytest.approx(jacobian[:, 3:, joint], abs=1e-8)


def test_no_joint_moves_a_frame_that_it_does_not_carry() -> None:
    jacobian = TREE.jacobian(random_angles(TREE, 3), Frame(2, (0.1, 0.2, 0.3)))
    assert not jacobian[..., 3:].any()
    assert TREE.carried.astype(int).tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 0, 1, 0],
        [1, 1, 0, 1, 1],
    ]


def test_reach_is_the_length_of_the_stretched_chain() -> None:
    assert ARM.reach(WRIST) == (0, pytest.approx(UPPER + LOWER))
    root, reach = TREE.reach(FRAMES[2])
    assert root == 0
    away = TREE.locate(random_angles(TREE, 2000), FRAMES[2])[0] - TREE.joints[0].offset
    farthest = np.linalg.norm(away, axis=1).max()
    assert 0.8 * reach < farthest <= reach


def test_joints_are_found_by_name() -> None:
    assert TREE.index("hand") == 4
    with pytest.raises(
        ChainError, match="unknown joint 'foot'; use root, trunk, left, right, hand"
    ):
        TREE.index("foot")


@pytest.mark.parametrize(
    ("joints", "told"),
    [
        (
            [Revolute("a", 0, (0, 0, 0), (1, 0, 0))],
            r"joint 0 \('a'\) has the parent 0, but needs −1",
        ),
        ([Revolute("a", -2, (0, 0, 0), (1, 0, 0))], "has the parent -2"),
        ([Revolute("a", -1, (0, 0, 0), (0, 0, 0))], r"has the axis \(0, 0, 0\)"),
        ([Revolute("a", -1, (0, float("nan"), 0), (1, 0, 0))], "not a finite number"),
        ([Revolute("a", -1, (0, 0, 0), (1, 0, 0), 2.0, 1.0)], "limits from 2 to 1"),
        ([Revolute("a", -1, (0, 0, 0), (1, 0, 0))] * 2, "2 joints are named 'a'"),
    ],
)
def test_what_is_no_chain_is_told(joints: list[Revolute], told: str) -> None:
    with pytest.raises(ChainError, match=told):
        Chain(tuple(joints))
