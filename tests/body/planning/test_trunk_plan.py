import numpy as np
import pytest
from juggling_lab import LAYOUTS
from long_cases import sampled

from juggle_anim.animation import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.body.clearance import CollisionVolume, trunk_depth
from juggle_anim.body.planning.trunk_plan import KNOT_RATE, MAX_BACK, MAX_KNOTS, plan_trunks
from juggle_anim.body.trunk_and_legs import GIRDLE, LEAN, SHOULDER_TURN
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.notation.library import library
from juggle_anim.vectors import unit

# The first one takes as long as all others together.
WRITTEN = [row["settings"] for row in LAYOUTS[28::28]]
LIBRARY = [pattern.name for pattern in library()[::68]]
# Once a loop a hand goes far forward; else it is near.
ONE_FAR = "pattern=3;bps=3;hands=" + "(10)(32.5)." * 11 + "(10,0,42)(32.5,0,30)."


def even_times(animation: Animation) -> np.ndarray:
    return np.linspace(0, animation.duration, 40 + round(60 * animation.duration), endpoint=False)


def haste(animation: Animation) -> float:
    """By how much elbows are faster at worst than 1.5 times their palms, [m/s]."""
    joints = animation.pose(np.arange(0, animation.duration + 1 / 240, 1 / 240)).joints
    speed = np.linalg.norm(np.diff(joints, axis=0), axis=-1) * 240
    elbows = speed[..., Joint.LEFT_ELBOW : Joint.RIGHT_ELBOW + 1]
    palms = speed[..., Joint.LEFT_PALM : Joint.RIGHT_PALM + 1]
    return float((elbows - 1.5 * palms).max())


def test_nearly_every_pattern_has_its_hands_within_reach_and_elbows_move_no_faster_than_hands_call_for() -> (
    None
):
    residuals = []
    for text in WRITTEN + LIBRARY:
        animation = animate(text)
        residuals.append(animation.gaps.max() > 0.015)
        assert haste(animation) <= 4.0, text
    assert np.mean(residuals) < 0.05


def test_who_has_all_at_hand_and_does_not_move_with_the_hands_stands_upright() -> None:
    plan = animate("3", throw_height=10.0, body_motion=0.0).plan.trunk
    assert np.abs(plan.track.controls).max() < 0.02
    assert np.ptp(plan.track.controls, axis=0).max() < 0.005
    assert not plan.back.any()


def test_a_body_leans_before_a_hand_is_far_and_comes_back_after_it() -> None:
    animation = animate(ONE_FAR)
    times = even_times(animation)
    pose = animation.pose(times)
    assert pose.gaps.max() < 0.005
    chest = pose.joints[:, 0, Joint.CHEST, 2]
    far = times[animation.sample(times).hands[:, 0, :, 2].max(axis=1).argmax()]
    away = np.abs(
        (times - far + animation.duration / 2) % animation.duration - animation.duration / 2
    )
    upright = np.median(chest)
    assert chest[away < 0.05].min() > upright + 0.05
    assert chest[away > 1.2] == pytest.approx(upright, abs=0.02)
    # It is on its way a fifth of a second before.
    before = (far - times) % animation.duration
    assert (chest[(before > 0.10) & (before < 0.20)] > upright + 0.03).all()


@pytest.mark.parametrize(
    "text", ["b97531", ONE_FAR, "pattern=423;hands=(-25)(2.5).(25)(-2.5).(-25)(0)."]
)
def test_a_body_reaches_slowly_whatever_the_hands_do(text: str) -> None:
    animation = animate(text)
    times = np.arange(0, animation.duration, 1 / 240)
    joints = animation.pose(times).joints[:, 0, [Joint.PELVIS, Joint.CHEST]]
    assert np.linalg.norm(np.diff(joints, axis=0), axis=-1).max() * 240 < 1.9


def test_nobody_reaches_farther_than_a_person_can() -> None:
    for text in (*map(str, range(9)), "pattern=3;hands=(10,-90,90)(90,90,-90)."):
        trunk = animate(text).plan.trunk
        channels = trunk.track.controls
        lean = np.degrees(channels[..., LEAN])
        assert np.abs(lean).max() < 60.0
        assert np.abs(channels[..., GIRDLE]).max() < 0.15
        assert np.degrees(np.abs(channels[..., SHOULDER_TURN])).max() < 80.0
        assert 0 <= trunk.back.min() <= trunk.back.max() <= MAX_BACK


def test_who_has_hands_at_the_shoulders_stands_back() -> None:
    animation = animate("pattern=3;hands=(15,35,-25)(20,35,-25).")
    assert animation.plan.trunk.back[0] > 0.05
    joints = animation.pose(even_times(animation)).joints[:, 0]
    apart = np.linalg.norm(joints[:, Joint.LEFT_WRIST] - joints[:, Joint.LEFT_SHOULDER], axis=-1)
    assert apart.min() > 0.15
    ankles = joints[:, [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE], 2]
    assert ankles.max() < animate("3").pose(np.zeros(1)).joints[0, 0, Joint.LEFT_ANKLE, 2] - 0.05


def test_who_walks_is_where_the_pattern_says() -> None:
    walking = animate("pattern=3;hands=(15,35,-25)(20,35,-25).;body=(0,0,0).(0,100,0).")
    assert not walking.plan.trunk.back.any()


def test_the_plan_is_kept_until_what_it_reads_changes() -> None:
    animation = animate("b97531")
    assert animation.plan is animation.plan
    assert animation.replace(chicken_wing=70.0).plan is animation.plan
    assert animation.replace(speed=0.5).plan is animation.plan
    for change in ({"body_motion": 50.0}, {"scoop": 80.0}, {"dwell": 1.0}):
        assert animation.replace(**change).plan is not animation.plan


def test_a_plan_grows_with_the_loop_and_never_past_its_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def track(text: str, bps: float) -> PeriodicSpline:
        return plan_trunks(animate(text, bps=bps).motion, 1.0, None).track

    short, long, endless = (track("3", bps) for bps in (30.0, 0.5, 0.05))
    assert len(short.controls) < len(long.controls) < len(endless.controls)
    assert long.duration / len(long.controls) == pytest.approx(1 / KNOT_RATE, rel=0.1)
    # A tenth of what is allowed, so that a tenth of a crowd reaches it.
    monkeypatch.setattr("juggle_anim.body.planning.trunk_plan.MAX_KNOTS", MAX_KNOTS // 10)
    crowd = track(f"pattern=<{'|'.join(['4 4 4 4'] * 15)}>", 0.05).controls
    assert crowd.shape[0] * crowd.shape[1] <= MAX_KNOTS // 10


@pytest.mark.parametrize(
    "name",
    sampled(
        ["Four-person ultimates", "Ring of four", "Martin's one-count", "Two balls between two"],
        "Four-person ultimates",
        "Two balls between two",
    ),
)
def test_hands_that_swing_back_for_a_pass_stay_before_the_trunk(name: str) -> None:
    animation = animate(name)
    joints = animation.pose(np.arange(0.0, animation.duration, 1 / 240)).joints
    spine = unit(joints[:, :, Joint.CHEST] - joints[:, :, Joint.PELVIS])
    across = joints[:, :, Joint.LEFT_HIP] - joints[:, :, Joint.RIGHT_HIP]
    across = unit(across - (across * spine).sum(axis=-1, keepdims=True) * spine)
    neck, head = joints[:, :, Joint.NECK], joints[:, :, Joint.HEAD]
    volume = CollisionVolume.from_joints(joints[:, :, Joint.PELVIS], across, spine, neck, head)
    ends = volume.to_local(joints[:, :, Joint.LEFT_WRIST : Joint.RIGHT_PALM + 1])
    assert trunk_depth(np.moveaxis(ends, -1, 0)).max() + 0.026 < 0.01


def test_people_hardly_bend_their_knees_to_reach_down():
    names = [
        each.name
        for each in library()[::17]
        if each.jugglers == 1 and "around the body" not in each.tags
    ]
    mean = np.array([_knees(animate(name)) for name in names])
    assert np.median(mean) < 17.0
    assert mean.max() < 45.0


def test_to_reach_up_people_stay_over_their_feet():
    high = animate("pattern=3;hands=(10,100,0)(25,100,0).;style=natural")
    joints = high.pose(even_times(high)).joints[:, 0]
    assert (joints[:, Joint.CHEST, 2] - joints[:, Joint.PELVIS, 2]).min() > 0.0


def _knees(animation: Animation) -> float:
    """By how much knees bend, in the mean over a loop, [°]."""
    joints = animation.pose(np.arange(50) * (animation.duration / 50)).joints[:, 0]
    thigh = unit(joints[:, Joint.LEFT_KNEE] - joints[:, Joint.LEFT_HIP])
    shank = unit(joints[:, Joint.LEFT_ANKLE] - joints[:, Joint.LEFT_KNEE])
    return float(np.degrees(np.arccos((thigh * shank).sum(axis=-1))).mean())
