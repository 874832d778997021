"""Figures of carries and wrists, beside what physics and mirrors demand of them."""

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.measure.realism import (
    WRIST_LIMITS,
    _angle_between,
    carries,
    measure,
    palm_tilts,
    shares_within_wrist_limits,
    wrist_angles,
)


def test_a_ball_is_carried_from_catch_to_throw() -> None:
    animation = animate("3")
    found = list(carries(animation))
    dwell = animation.parameters.dwell / animation.choreography.bps
    props = animation.choreography.props
    assert len(found) >= props
    assert {carry.outward for carry in found} == {1, -1}
    for carry in found:
        assert carry.times[-1] - carry.times[0] == pytest.approx(dwell, abs=3e-4)
        for part, slope, off in (
            (carry.place, carry.velocity, 0.02),
            (carry.velocity, carry.acceleration, 1.0),
        ):
            by_differences = np.gradient(part, carry.times, axis=0)
            assert np.abs(by_differences - slope)[1:-1].max() < off
        # Thrown up, toward the other side, and caught farther out than thrown.
        assert carry.velocity[-1, 1] > 0 > carry.velocity[0, 1]
        assert carry.outward * carry.velocity[-1, 0] < 0
        assert carry.outward * (carry.place[0, 0] - carry.place[-1, 0]) > 0


@pytest.mark.parametrize("text", ["3", "5"])
def test_figures_of_a_cascade_fit_each_other(text: str) -> None:
    animation = animate(text)
    figures = measure(text)
    choreography = animation.choreography
    cycle = 2 / choreography.bps
    assert figures["hand cycle [s]"] == pytest.approx(cycle)
    assert figures["dwell ratio"] == pytest.approx(animation.parameters.dwell / 2, abs=2e-3)
    # The flight takes what the dwell leaves of the beats, and comes down as high as it is caught:
    # v t − g t²/2 = h.
    flight = (int(text) - animation.parameters.dwell) / choreography.bps
    up = (figures["caught above throw [cm]"] / 100) / flight + choreography.gravity * flight / 2
    assert figures["height [m]"] == pytest.approx(up**2 / (2 * 9.81), rel=0.01)
    # Speed and angle give the same vertical velocity.
    angle = np.radians(figures["angle of throws [°]"])
    assert figures["release speed [m/s]"] * np.cos(angle) == pytest.approx(up, rel=0.01)
    lower = figures["lowest below catch [cm]"] - figures["caught above throw [cm]"]
    assert figures["lowest below throw [cm]"] == pytest.approx(lower, abs=1e-6)
    assert 0 < figures["lowest at share of dwell"] < 1
    # A ball that falls and is thrown again has to be held by more than its weight.
    assert figures["ball, peak before throw [g]"] > 1
    spine = animation.pose(np.linspace(0.0, cycle, 50)).joints[:, 0]
    leaning = _angle_between(spine[:, 1] - spine[:, 0], np.array([0.0, 1.0, 0.0]))
    assert figures["lean [°]"] == pytest.approx(leaning.mean(), abs=0.1)


def test_angles_between_vectors_do_not_depend_on_their_lengths() -> None:
    degrees = np.array([0.0, 30.0, 90.0, 120.0, 180.0])
    turned = np.stack(
        [np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0 * degrees], axis=-1
    )
    assert _angle_between(3.0 * turned, np.array([0.2, 0.0, 0.0])) == pytest.approx(
        degrees, abs=1e-5
    )


def test_wrists_of_a_mirrored_moment_bend_alike() -> None:
    animation = animate("3").closing_after(1)
    times = np.linspace(0.0, animation.duration, 20)
    # A cascade is its own mirror image one beat later.
    later = times + 1 / animation.choreography.bps
    now, then = (wrist_angles(animation.pose(at).joints) for at in (times, later))
    assert then == pytest.approx(now[..., ::-1, :], abs=0.1)


def test_shares_of_comfort_are_those_of_moments_within_the_limits() -> None:
    shares = shares_within_wrist_limits(["Three-ball cascade"])
    assert shares.shape == (4,)
    assert shares[3] <= shares[:3].min() + 1e-12
    animation = animate("Three-ball cascade")
    times = np.arange(0.0, min(animation.duration, 20.0), 1 / 60)
    angles = wrist_angles(animation.pose(times).joints).reshape(-1, 3).tolist()
    within = [
        [low <= angle <= high for angle, (low, high) in zip(moment, WRIST_LIMITS, strict=True)]
        for moment in angles
    ]
    for kind in range(3):
        assert shares[kind] == pytest.approx(sum(row[kind] for row in within) / len(within))
    assert shares[3] == pytest.approx(sum(all(row) for row in within) / len(within))
    both = shares_within_wrist_limits(["Three-ball cascade", "Five-ball cascade"])
    assert both == pytest.approx((shares + shares_within_wrist_limits(["Five-ball cascade"])) / 2)


def test_tilts_rise_by_percentile_and_are_toward_the_other_hand() -> None:
    low, middle, high = palm_tilts("3")
    assert 0 < low <= middle <= high < 90
