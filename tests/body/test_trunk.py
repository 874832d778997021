import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.body import Joint
from juggle_anim.body.arm import reach_for
from juggle_anim.body.arms.natural import natural_place
from juggle_anim.body.skeleton import SHOULDER
from juggle_anim.body.trunk_and_legs import TRUNK_CHANNELS, pose_trunk
from juggle_anim.motion.palms import CHANNELS


def girdles(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Elevations of upper arms from hanging [rad] and heights of shoulders over the chest [m],
    shape (T, 2).
    """
    hands = hands[:, None]
    trunk = pose_trunk(hands, np.zeros((len(hands), 1, TRUNK_CHANNELS)))
    turns = np.zeros((len(hands), 1, 2, CHANNELS))
    arms = reach_for(
        hands, turns, trunk.shoulders, lambda _: natural_place, np.radians([30.0, 30.0])
    )
    upper = arms.elbows - trunk.shoulders
    up = trunk.spine[:, :, None]
    elevation = np.arccos(-(upper * up).sum(axis=-1) / np.linalg.norm(upper, axis=-1))
    return elevation[:, 0], ((trunk.shoulders - trunk.chest[:, :, None]) * up).sum(axis=-1)[:, 0]


def raised(ahead: float, out: float) -> np.ndarray:
    """Both hands on an arc around the shoulders from below to above, ahead or to the sides."""
    angle = np.radians(np.linspace(5.0, 150.0, 300))[:, None]
    away = 0.62 * np.concatenate(
        [out * np.sin(angle), -np.cos(angle), ahead * np.sin(angle)], axis=1
    )
    left = np.array([SHOULDER, 1.42, 0.03]) + away
    return np.stack([left, left * (-1.0, 1.0, 1.0)], axis=1)


@pytest.mark.parametrize(("ahead", "out"), [(1.0, 0.0), (0.0, 1.0), (0.7, 0.7)])
def test_shoulders_rise_with_raised_arms_as_peoples_do(ahead: float, out: float) -> None:
    elevation, height = girdles(raised(ahead, out))
    risen = height - height[0]
    for degrees, recorded in ((50, 0.020), (90, 0.060), (130, 0.100)):
        near = np.abs(np.degrees(elevation) - degrees).argmin(axis=0)
        assert risen[near, [0, 1]] == pytest.approx(recorded, abs=0.012)


def test_shoulders_are_mirror_images_and_never_jump() -> None:
    hands = raised(0.7, 0.7)
    _, height = girdles(hands)
    assert height[:, 0] == pytest.approx(height[:, 1], abs=1e-12)
    # Right through the line straight down, on which nothing says where an elbow is.
    under = np.array([SHOULDER, 0.95, 0.03]) + np.linspace(-0.2, 0.2, 401)[:, None] * (
        0.6,
        0.0,
        0.8,
    )
    _, height = girdles(np.stack([under, under * (-1.0, 1.0, 1.0)], axis=1))
    assert np.abs(np.diff(height, n=2, axis=0)).max() < 1e-5


def test_a_body_slows_before_its_knees_are_straight() -> None:
    animation = animate("b3")
    pelvis = animation.pose(np.arange(0.0, animation.duration, 0.0005)).joints[:, 0, Joint.PELVIS]
    assert np.ptp(pelvis[:, 1]) > 0.005
    assert np.linalg.norm(np.diff(pelvis, n=2, axis=0), axis=-1).max() / 0.0005 < 0.1
