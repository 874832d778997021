"""Measures natural jugglers as real ones were recorded, and prints the table of docs/realism.md.

.venv/bin/python -m juggle_anim.measure.realism
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint, arm_axes
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.library import library

CARRY = Path(__file__).parents[2] / "tests" / "data" / "five_ball_carry.csv"

# An accelerometer at a wrist averages over the time of a sample, [s].
_SENSOR_TIME = 0.04
_GRAVITY = 9.8

RECORDED: dict[str, dict[str, str]] = {
    "3": {
        "hand cycle [s]": "0.733", "height [m]": "0.50", "dwell ratio": "0.68",
        "thrown off centre [cm]": "3",
        "caught off centre [cm]": "19", "angle of throws [°]": "8.3",
        "lowest below catch [cm]": "27",
        "lowest below throw [cm]": "32", "slowest in a carry [m/s]": "0.53",
        "wrist, mean peak [g]": "3.4",
        "knees [°]": "13 to 19", "lean [°]": "4",
    },
    "5": {
        "hand cycle [s]": "0.441", "height [m]": "0.83 to 0.87", "dwell ratio": "0.66 to 0.71",
        "release speed [m/s]": "4.0 to 4.1", "angle of throws [°]": "6.0",
        "thrown off centre [cm]": "9",
        "caught off centre [cm]": "27", "caught above throw [cm]": "8",
        "lowest below catch [cm]": "35",
        "lowest below throw [cm]": "26", "lowest at share of dwell": "0.59",
        "ball, peak after catch [g]": "5.1",
        "ball, peak before throw [g]": "4.9", "carry, fore and aft [cm]": "8",
        "wrist, mean peak [g]": "5.5",
        "knees [°]": "13 to 19", "lean [°]": "4",
    },
    "7": {"wrist, mean peak [g]": "6.5", "knees [°]": "13 to 19", "lean [°]": "4"},
    "Mills mess": {"knees [°]": "13 to 19", "lean [°]": "4"},
}  # fmt: skip
"""What was recorded, by pattern and row."""


@dataclass(frozen=True)
class Carry:
    """A ball from catch to throw, sampled at T evenly spaced times.

    Args:
        outward: sign of x (to the left) away from the body's middle: 1 for a ball in a left hand,
            −1 in a right one.
        times: T times, shape (T,), [s]; the first is just after the catch, the last just before the
            throw.
        place, velocity, acceleration: shape (T, 3), [m], [m/s] and [m/s²]; x to the left, y up, z
            ahead.
    """

    outward: int
    times: Floats
    place: Floats
    velocity: Floats
    acceleration: Floats


def carries(animation: Animation) -> Iterator[Carry]:
    """Yield the carries of all props, each from catch to throw, within some cycles of the hands.

    Props are sampled every 0.1 ms from time 0. Carries of the first prop come first, each prop's in
    the order of time. A carry that began before time 0, or whose end is not sampled, is left out.

    Args:
        animation: an animation of one juggler whose hands throw by turns, and each of whose props
            is caught at least once in these cycles.
    """
    choreography = animation.choreography
    motion = animation.motion
    # A cycle of the hands is two beats, since hands throw by turns. Two cycles and one more for
    # each prop are enough for a whole carry of each.
    times = np.arange(0.0, (2 + choreography.props) * 2 / choreography.bps, 1e-4)
    frames, velocities, accelerations = (
        motion.sample(times, derivative) for derivative in (0, 1, 2)
    )
    for prop in range(choreography.props):
        # The holder of a prop is a hand (even for left ones), or −1 in flight. A carry starts at
        # the first sample in a hand, where `is_held` changes by 1, and ends before the first one in
        # flight, where it changes by −1.
        is_held = frames.holders[:, prop] >= 0
        starts, ends = (
            np.flatnonzero(np.diff(is_held.astype(int)) == change) + 1 for change in (1, -1)
        )
        # The end of a carry that began before time 0 is left out; then starts and ends are pairs,
        # but for a last start whose end was not sampled, which the zip drops.
        ends = ends[ends > starts[0]]
        for start, end in zip(starts, ends, strict=False):
            samples = slice(start, end)
            yield Carry(
                outward=1 if frames.holders[start, prop] % 2 == 0 else -1,
                times=times[samples],
                place=frames.props[samples, prop],
                velocity=velocities.props[samples, prop],
                acceleration=accelerations.props[samples, prop],
            )


def measure(text: str) -> dict[str, float]:
    """Measure a pattern of one juggler, and return all figures of the table.

    Args:
        text: settings string of a pattern in which hands throw by turns, such as a cascade.

    Returns:
        Figures by the names of the rows, which give the units; those of carries are means.
    """
    animation = animate(text)
    cycle = 2 / animation.choreography.bps
    carry_figures = [_carry_figures(carry, cycle) for carry in carries(animation)]
    rows = {"hand cycle [s]": cycle}
    rows |= {
        row: float(np.mean([figures[row] for figures in carry_figures])) for row in carry_figures[0]
    }
    return rows | _body_figures(animation, cycle)


def _carry_figures(carry: Carry, cycle: float) -> dict[str, float]:
    """Return the figures of one carry, by the rows of the table.

    Args:
        carry: the carry of a ball, from catch to throw.
        cycle: time from throw to throw of the hand, [s].
    """
    # Coordinates are sideways (x), up (y) and ahead (z); the first row is the catch, the last one
    # the throw. `outward` is the sign of x on the hand's side.
    place = carry.place
    release_velocity = carry.velocity[-1]
    lowest = int(place[:, 1].argmin())
    third = len(place) // 3  # the peak after the catch is sought in the first third of the carry
    # Magnitudes of the acceleration in units of gravity; 0 for a ball at rest.
    acceleration_in_g = np.linalg.norm(carry.acceleration, axis=1) / _GRAVITY
    # The height of the throw is v² / 2g, with v the vertical velocity at the release.
    return {
        "height [m]": release_velocity[1] ** 2 / (2 * _GRAVITY),
        "dwell ratio": (carry.times[-1] - carry.times[0]) / cycle,
        "release speed [m/s]": float(np.linalg.norm(release_velocity)),
        "angle of throws [°]": float(
            np.degrees(
                np.arctan2(np.hypot(release_velocity[0], release_velocity[2]), release_velocity[1])
            )
        ),
        "thrown off centre [cm]": 100 * carry.outward * place[-1, 0],
        "caught off centre [cm]": 100 * carry.outward * place[0, 0],
        "caught above throw [cm]": 100 * (place[0, 1] - place[-1, 1]),
        "lowest below catch [cm]": 100 * (place[0, 1] - place[lowest, 1]),
        "lowest below throw [cm]": 100 * (place[-1, 1] - place[lowest, 1]),
        "lowest at share of dwell": lowest / len(place),
        "slowest in a carry [m/s]": float(np.linalg.norm(carry.velocity, axis=1).min()),
        "ball, peak after catch [g]": acceleration_in_g[:third].max(),
        "ball, peak before throw [g]": acceleration_in_g[third:].max(),
        "carry, fore and aft [cm]": 100 * float(np.ptp(place[:, 2])),
    }


def _body_figures(animation: Animation, cycle: float) -> dict[str, float]:
    """Return the figures of a body over one cycle of its hands, by the rows of the table.

    Args:
        animation: an animation of one juggler, whose hands repeat in each cycle.
        cycle: time from throw to throw of a hand, [s].
    """
    step = cycle / 2000  # s
    # `closing_after(1)` makes breath and sway repeat with the loop, too.
    joints = animation.closing_after(1).pose(np.arange(0.0, cycle, step)).joints[:, 0]
    wrist = joints[:, Joint.LEFT_WRIST]
    # What an accelerometer at the left wrist feels: the acceleration, by second differences of
    # places that repeat with the cycle, plus gravity.
    second_differences = np.roll(wrist, -1, axis=0) - 2 * wrist + np.roll(wrist, 1, axis=0)
    acceleration = second_differences / step**2 + (0.0, _GRAVITY, 0.0)
    # The sensor averages over the time of a sample: a moving mean over `width` steps around each,
    # as a sum of shifted copies, which starts from an array of zeros.
    width = round(_SENSOR_TIME / step)
    shifted = (np.roll(acceleration, shift - width // 2, axis=0) for shift in range(width))
    sensed = sum(shifted, np.zeros_like(acceleration)) / width
    # Vectors of the left leg at each moment, shape (T, 3), [m].
    thigh, shin = (
        joints[:, end] - joints[:, start]
        for start, end in ((Joint.LEFT_HIP, Joint.LEFT_KNEE), (Joint.LEFT_KNEE, Joint.LEFT_ANKLE))
    )
    spine = joints[:, Joint.CHEST] - joints[:, Joint.PELVIS]
    return {
        "wrist, mean peak [g]": float(np.linalg.norm(sensed, axis=1).max()) / _GRAVITY,
        "knees [°]": float(_angle_between(thigh, shin).mean()),
        "lean [°]": float(_angle_between(spine, np.array([0.0, 1.0, 0.0])).mean()),
    }


WRIST_LIMITS = np.array([[-90.0, 85.0], [-70.0, 80.0], [-40.0, 25.0]])
"""Lower and upper limit of the turn of a forearm (below 0 with the palm up, 0 with the thumb up),
of extension (negative) and flexion, and of ulnar (negative) and radial deviation, [°].
"""


def wrist_angles(joints: Floats) -> Floats:
    """Return the joint angles of both wrists, shape (..., 2, 3), left then right, [°].

    The last axis has the turn of the forearm (0 with the thumb up, positive with the palm down),
    the flexion of the wrist (positive toward the palm) and its radial deviation (positive toward
    the thumb): Euler angles about the forearm, the axis of the thumb, and that of the palm, in this
    order.

    Args:
        joints: all joints of bodies, shape (..., `JOINTS`, 3), [m].
    """
    # `arm_axes` has the shape (..., side, joint, coordinate, axis): joint 1 is the elbow, 2 the
    # wrist; axis 0 is along the bone, and axis 2 along the elbow's hinge or, at the wrist, to the
    # side of the thumb.
    axes = arm_axes(joints)
    hinge = axes[..., 1, :, 2]
    forearm = axes[..., 1, :, 0]
    fingers = axes[..., 2, :, 0]
    thumb = axes[..., 2, :, 2]
    # Left and right hands are mirror images: a sign makes cross products alike on both sides.
    outward = np.array([1.0, -1.0])
    palm = outward[:, None] * np.cross(fingers, thumb)
    turn = np.arctan2(_dot(palm, np.cross(hinge, forearm)), -outward * _dot(palm, hinge))
    flexion = np.arcsin(np.clip(-_dot(palm, forearm), -1.0, 1.0))
    deviation = np.arctan2(-_dot(thumb, forearm), _dot(fingers, forearm))
    return np.degrees(np.stack([turn, flexion, deviation], axis=-1))


def shares_within_wrist_limits(names: Sequence[str]) -> Floats:
    """Return the shares of moments at which wrists are within their limits, shape (4,), 0 to 1.

    The shares are those for the turn of the forearm, for flexion, for deviation, and for all three
    at once. Both hands and all moments of a pattern count alike, and so do all patterns, short or
    long.

    Args:
        names: names of one or more library patterns; at most 20 s of each are sampled.
    """
    shares = []
    for name in names:
        animation = animate(name)
        times = np.arange(0.0, min(animation.duration, 20.0), 1 / 60)
        angles = wrist_angles(animation.pose(times).joints)
        within = ((angles >= WRIST_LIMITS[:, 0]) & (angles <= WRIST_LIMITS[:, 1])).reshape(-1, 3)
        shares.append([*within.mean(axis=0), within.all(axis=1).mean()])
    return np.mean(shares, axis=0)


def palm_tilts(text: str) -> Floats:
    """Return how far palms that carry a prop tilt toward the other hand, shape (3,), [°].

    The three numbers are the percentiles 5, 50 and 95 over all pairs of a moment and a prop that is
    held then, of 400 moments of the loop.

    Args:
        text: settings string of a pattern.
    """
    animation = animate(text)
    times = animation.times(400)
    # Channel 2 of palms is the roll, 0 with the palm up, shape (T, hands).
    rolls = animation.motion.palms.at(times)[..., 2]
    # The hand that holds each prop at each time, −1 in flight, shape (T, props).
    holders = animation.sample(times).holders
    moment, prop = np.nonzero(holders >= 0)
    return np.percentile(np.degrees(rolls[moment, holders[moment, prop]]), [5, 50, 95])


def _dot(vectors: Floats, other_vectors: Floats) -> Floats:
    """Dot products, shape (..., 3) to (...)."""
    return (vectors * other_vectors).sum(axis=-1)


def _angle_between(vectors: Floats, other_vectors: Floats) -> Floats:
    """Angles between vectors of any length but 0, shape (..., 3) to (...), from 0 to 180, [°]."""
    lengths = np.linalg.norm(vectors, axis=-1) * np.linalg.norm(other_vectors, axis=-1)
    cosine = _dot(vectors, other_vectors) / lengths
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def carry_beside_recorded() -> tuple[Floats, Floats]:
    """Return how a carry of the five-ball cascade differs from the recorded median carry, [m].

    Returns:
        How much farther outward the animated ball is than the recorded one, and how much farther
        up, each of shape (51,), at 51 shares of the dwell from catch (0) to throw (1). Heights are
        relative to that at the catch, sideways places to the middle of the body.
    """
    recorded = np.genfromtxt(CARRY, delimiter=",", names=True)
    carry = next(carries(animate("5")))
    rows = np.rint(recorded["share_of_dwell"] * (len(carry.times) - 1)).astype(int)
    outward = carry.outward * carry.place[rows, 0]
    up = carry.place[rows, 1] - carry.place[0, 1]
    return outward - recorded["side_m"], up - recorded["up_m"]


def table() -> str:
    """The table in Markdown: for each pattern of `RECORDED`, recorded figures beside those here."""
    lines = ["| balls | what | recorded | natural |", "|---|---|---|---|"]
    for text, recorded_figures in RECORDED.items():
        figures = measure(text)
        lines += [
            f"| {text} | {row} | {recorded} | {figures[row]:.3g} |"
            for row, recorded in recorded_figures.items()
        ]
    return "\n".join(lines)


def main() -> None:
    """Print the table of docs/realism.md, and the figures that its text gives."""
    print(table())
    outward, up = (100 * np.abs(differences).max() for differences in carry_beside_recorded())
    shares = ", ".join(
        f"{share:.1%}"
        for share in shares_within_wrist_limits([pattern.name for pattern in library()])
    )
    print(
        f"\nForearm turn, flexion, deviation, and all within limits: {shares} of the moments of "
        f"all library patterns."
    )
    for text in ("3", "5", "531"):
        print(
            f"{text}: palms that carry tilt inward by "
            f"{' / '.join(f'{tilt:.0f}' for tilt in palm_tilts(text))}° (5/50/95 %)."
        )
    print(
        f"\nFive balls, at any share of the dwell: within {outward:.1f} cm outward and {up:.1f} "
        f"cm up."
    )


if __name__ == "__main__":
    main()
