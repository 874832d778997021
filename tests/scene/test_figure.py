import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from siteswap_strategies import valid_siteswaps

import juggle_anim as ja
from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.skeleton import (
    FINGERS,
    OTHER_FINGERS,
    PALM,
    THUMB,
    THUMB_BACK,
    THUMB_OUT,
    TIPS,
)
from juggle_anim.scene.figure import LIMBS, figure_capsules, lighten_on_dark_stage
from juggle_anim.scene.people import people_paint
from juggle_anim.scene.scene import DARK, STUDIO
from juggle_anim.scene.skin import COVERS

OTHER_SIDE = {"LEFT": "RIGHT", "RIGHT": "LEFT"}
PARTNERS = [
    Joint["_".join(OTHER_SIDE.get(word, word) for word in joint.name.split("_"))] for joint in Joint
]


def joints_of(pattern: str, **parameters: float) -> Floats:
    animation = ja.animate(pattern, **parameters)
    return animation.pose(np.linspace(0, animation.duration, 24)).joints


def mirrored(joints: Floats) -> Floats:
    return joints[..., PARTNERS, :] * (-1.0, 1.0, 1.0)


def with_hand(joints: Floats, side: str, wrist: Floats, fingers: Floats, thumb: Floats) -> Floats:
    """The joints with a flat hand that points along `fingers`, its thumb to the side of `thumb`;
    both unit vectors.
    """
    joints = joints.copy()
    places = {
        "WRIST": wrist,
        "PALM": wrist + PALM * fingers,
        "FINGERS": wrist + (PALM + FINGERS) * fingers,
        "TIPS": wrist + (PALM + FINGERS + TIPS) * fingers,
        "THUMB": wrist + (PALM - THUMB_BACK) * fingers + THUMB_OUT * thumb,
        "THUMB_TIP": wrist + (PALM - THUMB_BACK) * fingers + (THUMB_OUT + THUMB) * thumb,
    }
    for name, (across, share) in OTHER_FINGERS.items():
        places[name] = places["PALM"] + across * thumb
        places[f"{name}_MIDDLE"] = places[name] + share * FINGERS * fingers
        places[f"{name}_TIP"] = places[name] + share * (FINGERS + TIPS) * fingers
    for joint, place in places.items():
        joints[..., Joint[f"{side}_{joint}"], :] = place
    return joints


def covered(capsules: Singles, place: Floats) -> bool:
    """Whether a point is inside any limb."""
    starts, ends = capsules[:, :3], capsules[:, 4:7]
    along = ends - starts
    share = np.clip(
        ((place - starts) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-12), 0, 1
    )
    distance = np.linalg.norm(starts + share[:, None] * along - place, axis=-1)
    return bool((distance < capsules[:, 3] + share * (capsules[:, 7] - capsules[:, 3])).any())


@settings(max_examples=settings.default.max_examples // 4)
@given(valid_siteswaps(7), st.floats(-180, 180), st.floats(0, 300), st.floats(0.05, 1.9))
def test_no_limb_swallows_its_own_thinner_end(
    pattern: str, wing: float, motion: float, dwell: float
) -> None:
    capsules = figure_capsules(
        joints_of(pattern, chicken_wing=wing, body_motion=motion, dwell=dwell)
    )
    length = np.linalg.norm(capsules[..., 4:7] - capsules[..., :3], axis=-1)
    assert (length > np.abs(capsules[..., 7] - capsules[..., 3])).all()


def test_hands_that_hang_straight_down_have_limbs_of_finite_size() -> None:
    joints = joints_of("3")[:1]
    for side, x in (("LEFT", 0.2), ("RIGHT", -0.2)):
        joints = with_hand(
            joints,
            side,
            np.array([x, 1.0, 0.1]),
            np.array([0.0, -1.0, 0.0]),
            np.array([0.0, 0.0, 1.0]),
        )
    capsules = figure_capsules(joints)
    assert np.isfinite(capsules).all()
    assert (np.linalg.norm(capsules[..., 4:7] - capsules[..., :3], axis=-1) > 0.01).all()


def test_a_mirrored_pose_is_drawn_as_a_mirrored_figure() -> None:
    joints = joints_of("531", chicken_wing=20)[5:6]
    figure, reflection = figure_capsules(joints)[0], figure_capsules(mirrored(joints))[0]
    reflection[:, [0, 4]] *= -1
    turned = reflection[:, [4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11]]  # either end may come first
    for capsule in figure:
        off = np.minimum(
            np.abs(reflection - capsule).max(axis=1), np.abs(turned - capsule).max(axis=1)
        )
        assert off.min() < 1e-6


def test_every_joint_is_inside_the_figure() -> None:
    joints = joints_of("b97531")[::6, 0]
    # The middle finger is beside its joints, so that these are in line with the palm.
    beside = [Joint[f"{side}_{name}"] for side in ("LEFT", "RIGHT") for name in ("FINGERS", "TIPS")]
    drawn = figure_capsules(joints[:, None])
    for moment, capsules in zip(np.delete(joints, beside, axis=1), drawn, strict=True):
        assert all(covered(capsules, place) for place in moment)


def test_the_figure_is_as_tall_as_a_person_and_stands_on_the_floor() -> None:
    capsules = figure_capsules(joints_of("3"))
    tops = np.maximum(capsules[..., 1] + capsules[..., 3], capsules[..., 5] + capsules[..., 7]).max(
        axis=1
    )
    soles = np.minimum(
        capsules[..., 1] - capsules[..., 3], capsules[..., 5] - capsules[..., 7]
    ).min(axis=1)
    assert (tops > 1.65).all()
    assert (tops < 1.80).all()
    np.testing.assert_allclose(soles, 0.0, atol=0.003)


def test_the_nose_shows_which_way_a_juggler_looks() -> None:
    joints = joints_of("3")
    capsules = figure_capsules(joints)
    head = joints[:, 0, Joint.HEAD]
    foremost = np.where(capsules[..., 1] > 1.5, capsules[..., 2], -np.inf).argmax(axis=1)
    nose = capsules[np.arange(len(head)), foremost]
    assert (nose[:, 2] - head[:, 2] > 0.08).all()
    # Heads turn a few degrees to the sides, after props.
    assert (np.abs(nose[:, 0] - head[:, 0]) < 0.02).all()


def test_jugglers_come_one_after_the_other() -> None:
    one = joints_of("3")
    two = np.concatenate([one, one + (2.0, 0.0, 0.0)], axis=1)
    assert two.shape[1:] == (2, JOINTS, 3)
    capsules = figure_capsules(two)
    assert capsules.shape == (len(one), 2 * len(LIMBS), 12)
    assert capsules.dtype == np.float32
    moved = capsules[:, : len(LIMBS)].copy()
    moved[..., [0, 4]] += 2.0
    np.testing.assert_allclose(capsules[:, len(LIMBS) :], moved, atol=1e-5)


def test_four_fingers_lie_side_by_side_and_the_thumb_apart_from_them() -> None:
    joints = joints_of("3")[:1]
    for side, x in (("LEFT", 0.2), ("RIGHT", -0.2)):
        out = np.array([np.sign(x), 0.0, 0.0])
        joints = with_hand(joints, side, np.array([x, 1.0, 0.3]), np.array([0.0, 0.0, 1.0]), out)
    capsules = figure_capsules(joints)[0]
    for sign in (1.0, -1.0):
        hand = capsules[
            (np.abs(capsules[:, 1] - 1.0) < 1e-6) & (np.abs(capsules[:, 5] - 1.0) < 1e-6)
        ]
        hand = hand[sign * hand[:, 0] > 0.1]
        across, ahead, thick = sign * hand[:, 4] - 0.2, hand[:, 6] - 0.3, hand[:, 7]
        # Two bones of each finger end there, in line.
        tips = np.unique(across[ahead > PALM + FINGERS].round(5))
        assert len(tips) == 4
        assert (np.diff(tips) > 2 * thick[ahead > PALM + FINGERS].min()).all()
        assert across.max() > 0.08
        assert ahead[across.argmax()] < PALM


def test_hands_are_bare_and_the_trunk_is_dressed() -> None:
    joints = joints_of("3")[:1]
    colours = dict(zip(COVERS, people_paint("same", 1)[0, :, :3], strict=True))
    capsules = figure_capsules(joints)[0]
    for joint, cover in (
        (Joint.LEFT_FINGERS, "skin"),
        (Joint.LEFT_KNEE, "trousers"),
        (Joint.RIGHT_ELBOW, "shirt"),
    ):
        nearest = np.abs(capsules[:, 4:7] - joints[0, 0, joint]).max(axis=1).argmin()
        np.testing.assert_array_equal(capsules[nearest, 8:11], colours[cover])


def test_what_would_be_lost_on_the_dark_stage_is_paler_there_and_nowhere_else() -> None:
    joints = joints_of("3")
    for figure in ("solid", "stick", "see-through"):
        limbs = figure_capsules(joints, figure)
        dark = lighten_on_dark_stage(DARK, limbs, figure)
        assert (dark[..., 8:11] > limbs[..., 8:11] + 0.1 * (1.0 - limbs[..., 8:11])).all()
        assert (np.delete(dark, [8, 9, 10], axis=-1) == np.delete(limbs, [8, 9, 10], axis=-1)).all()
        assert (lighten_on_dark_stage(STUDIO, limbs, figure) == limbs).all()
    wood = people_paint("wooden", 1)
    wooden = ja.animate("3", figure="mannequin", stage="dark").scene(0.0)
    assert (wooden.capsules[: wooden.limb_count, 8:] == wood[0, 0]).all()
