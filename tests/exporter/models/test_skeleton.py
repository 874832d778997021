import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_patterns import PATTERNS, animation

from juggle_anim.arrays import Floats
from juggle_anim.body import BONES, Joint
from juggle_anim.body.arms import SOLVERS, Arm
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.exporter.models.skeleton import (
    ENDS,
    NAMES,
    OFFSETS,
    PARENTS,
    REST,
    SEGMENTS,
    local_rotations,
    world_rotations,
)


def poses(name: str, count: int = 40) -> Floats:
    return animation(name).pose(np.linspace(0.0, animation(name).duration, count)).joints


def test_the_rest_pose_is_turned_nowhere() -> None:
    joints = REST.copy()
    # Arms that are quite straight have no plane; these are bent a hair forward.
    for side in ("LEFT", "RIGHT"):
        joints[[Joint[f"{side}_WRIST"], Joint[f"{side}_PALM"], Joint[f"{side}_THUMB"]]] += (
            0.0,
            0.0,
            1e-6,
        )
        joints[[Joint[f"{side}_{part}"] for part in ("FINGERS", "TIPS", "THUMB_TIP")]] += (
            0.0,
            0.0,
            1e-6,
        )
    np.testing.assert_allclose(
        local_rotations(joints), np.broadcast_to(np.eye(3), (len(SEGMENTS), 3, 3)), atol=1e-5
    )


def test_bones_at_rest_have_the_length_that_they_have_in_every_pose() -> None:
    for (start, end), length in BONES.items():
        assert np.linalg.norm(REST[end] - REST[start]) == pytest.approx(length, abs=1e-12)


@pytest.mark.parametrize("name", PATTERNS)
def test_turning_the_rest_pose_gives_the_pose(name: str) -> None:
    joints = poses(name)
    local = local_rotations(joints)
    np.testing.assert_allclose(
        local @ np.swapaxes(local, -1, -2), np.broadcast_to(np.eye(3), local.shape), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.det(local), 1.0, atol=1e-12)
    turns: list[Floats] = []
    begins: list[Floats] = []
    for number, segment in enumerate(SEGMENTS):
        if number == 0:
            turns, begins = [local[..., 0, :, :]], [joints[..., Joint.PELVIS, :]]
            continue
        parent = PARENTS[number]
        begins.append(begins[parent] + turns[parent] @ OFFSETS[number])
        turns.append(turns[parent] @ local[..., number, :, :])
        np.testing.assert_allclose(
            begins[-1], joints[..., segment.joint, :], atol=1e-9, err_msg=segment.name
        )
    for joint, name_of_carrier in ENDS.items():
        carrier = NAMES.index(name_of_carrier)
        end = begins[carrier] + turns[carrier] @ (REST[joint] - REST[SEGMENTS[carrier].joint])
        np.testing.assert_allclose(end, joints[..., joint, :], atol=1e-9, err_msg=str(joint))


@pytest.mark.parametrize("name", PATTERNS)
def test_no_bone_turns_at_once(name: str) -> None:
    times = np.linspace(0.0, animation(name).duration, 200)
    local = local_rotations(animation(name).pose(times).joints)
    change = np.swapaxes(local[:-1], -1, -2) @ local[1:]
    angle = np.arccos(np.clip((np.trace(change, axis1=-2, axis2=-1) - 1) / 2, -1.0, 1.0))
    assert np.degrees(angle.max() / (times[1] - times[0])) < 4000


@given(
    place=st.tuples(st.floats(-0.3, 0.3), st.floats(-0.4, 0.2), st.floats(0.1, 0.4)),
    swivel=st.floats(-0.5, 1.5),
    side=st.sampled_from([0, 1]),
)
def test_arms_are_turned_as_the_solver_turns_them(
    place: tuple[float, float, float], swivel: float, side: int
) -> None:
    away = np.array(place)
    away *= min(1.0, 0.95 * (UPPER_ARM + FOREARM) / np.linalg.norm(away))
    name, sign = (("LEFT", 1.0), ("RIGHT", -1.0))[side]
    joints = REST.copy()
    shoulder = REST[Joint[f"{name}_SHOULDER"]]
    solved = SOLVERS["two-link"](
        shoulder, shoulder + away, Arm(UPPER_ARM, FOREARM), np.array(side), np.array(swivel)
    )
    joints[Joint[f"{name}_ELBOW"]], joints[Joint[f"{name}_WRIST"]] = solved.elbow, solved.wrist
    # At rest an arm points to its side and its elbow bends forward: these are the solver's x, y and
    # z then.
    at_rest = np.array([(sign, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, sign, 0.0)]).T
    turned = world_rotations(joints)
    for number, part in enumerate(("shoulder", "elbow")):
        found = turned[NAMES.index(f"{name.lower()}_{part}")] @ at_rest
        np.testing.assert_allclose(found, solved.rotations[number], atol=1e-6)
