"""Viewpoints: when, and from where, a still picture shows best what is juggled.

Moments and directions are compared as a photographer would, by balls along limbs and props as they
lie in the picture; nothing is drawn.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.choreography import EventKind
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.scene.framing import MARGIN, STANDING, Framing
from juggle_anim.vectors import unit

MOMENT_HEADROOM = 1.1
"""Space above heads in which the props of a moment are in its picture, [m]: a person is still half
as high as the picture.
"""

_AZIMUTHS = 30  # of candidates, all around: 12° are just another view
_ELEVATIONS = 2.0, 6.0, 10.0  # °, of one or two people: the eyes of somebody near
_GROUP_ELEVATIONS = 12.0, 20.0, 28.0  # °, of more people: none hides another
_MOMENTS = 36  # of a loop
_LONGEST = 20.0  # s, of a long loop in which a moment is sought
_WORK = 2_000_000  # pairs of balls that are compared at most, in a tenth of a second

# After a throw and before a catch its hand is still there, and its prop apart, [s].
_APART = np.array([0.02, 0.05, 0.08, 0.11, 0.14])

_STANDING_HEAD = 1.6  # m, the middle of a head
_HEIGHT = 1.75  # m, of a person who stands
_FACE_RADIUS = 0.12  # m, with some room around it
_HAND_RADIUS = 0.05  # m
_CHEST_RADIUS = 0.12  # m
_ROOM = 0.35  # m, between props that stand well apart
_FAR_OUT = 0.6  # m, from its mean place, of a hand that makes a wide gesture
_CROSSED_BY = 0.1  # m, of hands on the far sides of each other
_LARGE = 0.7  # share of the picture's height, of a person who is large
_TURNED = 0.7  # cosine of the angle from which on a face is turned away
_MAX_THIN = 0.05  # m, radius of the balls along a club

# What is amiss in a picture, and how much it weighs: a face, a prop and a hand that are covered,
# and people behind others; props in one line, before a body, and crowded; people who turn away, are
# small, unlit, at rest or blinking; props outside the picture and in hands; of a throw or catch
# around the body, its hand or its prop covered, its limbs seen from their ends, and the hand gone.
_FACE_COVERED = 3.0
_PROP_COVERED = 1.5
_HAND_COVERED = 0.8
_BEHIND = 2.0
_PROPS_IN_LINE = 1.0
_PROP_BEFORE_BODY = 0.5
_CROWDED = 0.6
_TURNED_AWAY = 1.5
_SMALL = 1.5
_UNLIT = 0.4
_AT_REST = 1.0
_BLINKING = 0.5
_CROSSED = 1.5
_OUTSIDE = 1.5
_HELD = 0.4
_TRICK_COVERED = 4.0
_FORESHORTENED = 0.8
_LATE = 0.5

# Balls along limbs: two joints, without their side, the share of the way between them, and the
# radius [m].
_MIDDLE = (
    ("HEAD", "HEAD", 0.0, 0.115),
    *(("PELVIS", "CHEST", share, 0.15) for share in (0.0, 0.35, 0.7, 1.0)),
)
_SIDED = (
    *(("SHOULDER", "HIP", share, 0.06) for share in (0.2, 0.4, 0.6, 0.8)),
    ("SHOULDER", "ELBOW", 0.1, 0.09),
    ("SHOULDER", "ELBOW", 0.5, 0.07),
    ("ELBOW", "WRIST", 0.0, 0.05),
    ("ELBOW", "WRIST", 0.35, 0.045),
    ("ELBOW", "WRIST", 0.7, 0.04),
    ("WRIST", "TIPS", 0.3, 0.04),
    ("WRIST", "TIPS", 0.7, 0.03),
    ("HIP", "KNEE", 0.0, 0.15),
    ("HIP", "KNEE", 0.2, 0.11),
    ("HIP", "KNEE", 0.4, 0.10),
    ("HIP", "KNEE", 0.7, 0.09),
    ("KNEE", "ANKLE", 0.0, 0.085),
    ("KNEE", "ANKLE", 0.25, 0.075),
    ("KNEE", "ANKLE", 0.5, 0.07),
    ("KNEE", "ANKLE", 0.75, 0.055),
    ("ANKLE", "TOES", 0.3, 0.05),
)
_BALLS = _MIDDLE + tuple(
    (f"{side}_{start}", f"{side}_{end}", share, radius)
    for start, end, share, radius in _SIDED
    for side in ("LEFT", "RIGHT")
)
_STARTS = [Joint[start] for start, *_rest in _BALLS]
_ENDS = [Joint[end] for _start, end, *_rest in _BALLS]
_SHARES = np.array([share for *_joints, share, _radius in _BALLS])
_RADII = np.array([radius for *_rest, radius in _BALLS])
_IS_ARM = np.array(["ELBOW" in start + end or "WRIST" in start for start, end, *_rest in _BALLS])
_IS_HEAD = np.array([start == "HEAD" for start, *_rest in _BALLS])
_PALMS = [Joint.LEFT_PALM, Joint.RIGHT_PALM]
_SHOULDERS = [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]
_HIPS = [Joint.LEFT_HIP, Joint.RIGHT_HIP]
_KNEES = [Joint.LEFT_KNEE, Joint.RIGHT_KNEE]


@dataclass(frozen=True)
class Viewpoint:
    """When a picture is taken, and from where.

    Args:
        time: [s] of the pattern.
        azimuth, elevation: of the camera, as of `Framing`, [rad].
    """

    time: float
    azimuth: float
    elevation: float


@dataclass(frozen=True)
class Moments:
    """Moments at which a picture can be taken.

    Args:
        times: shape (T,), [s].
        hand: of the throw or catch around the body that is shown at each, 2 · juggler + side,
            shape (T,); −1 for none.
        apart: the time from there to that throw or catch, shape (T,), [s].
    """

    times: Floats
    hand: Integers
    apart: Floats

    @classmethod
    def of_loop(cls, motion: Motion) -> Moments:
        """Return moments just after throws and before catches around the body, if there are any,
        and otherwise moments evenly over the loop.
        """
        events = motion.choreography.events
        span = min(motion.duration, _LONGEST)
        (around,) = np.nonzero((events.manners[:, 1] > 0) & (events.time < span))
        if not len(around):
            return cls.at(motion, np.linspace(0.0, span, _MOMENTS, endpoint=False))
        around = around[: _MOMENTS // len(_APART)]
        later = np.where(events.kind[around] == EventKind.THROW, 1.0, -1.0)[:, None] * _APART
        return cls.at(motion, (events.time[around, None] + later).ravel() % motion.duration)

    @classmethod
    def at(cls, motion: Motion, times: Floats) -> Moments:
        """Return moments at some times, shape (T,), [s], with throws and catches around the body
        that are near.
        """
        events = motion.choreography.events
        half = motion.duration / 2
        distance = np.abs((events.time - times[:, None] + half) % motion.duration - half)
        distance = np.where(events.manners[:, 1] > 0, distance, np.inf)
        nearest = distance.min(axis=1)
        hand = np.where(nearest < 2 * _APART[-1], events.hand[distance.argmin(axis=1)], -1)
        return cls(times, hand, nearest)


def moment_top(joints: Floats) -> Floats:
    """Return the height up to which pictures of moments show props, shape (T,), [m].

    It is above the head of somebody who stands, even if all stoop.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
    """
    top: Floats = np.maximum(joints[..., 1].max(axis=(1, 2)), _STANDING_HEAD) + MOMENT_HEADROOM
    return top


def directions(jugglers: int) -> Floats:
    """Return the azimuth and elevation of each candidate, shape (V, 2), [rad]."""
    elevations = _ELEVATIONS if jugglers < 3 else _GROUP_ELEVATIONS
    azimuths = (np.arange(_AZIMUTHS) - _AZIMUTHS // 2) * (360.0 / _AZIMUTHS)
    return np.radians([(azimuth, elevation) for azimuth in azimuths for elevation in elevations])


def best_viewpoint(
    motion: Motion,
    frames: Frames,
    pose: Pose,
    moments: Moments,
    candidates: Floats,
    light: Floats,
    aspect: float,
    *,
    steady: bool = False,
) -> Viewpoint | None:
    """Return the best of some moments and directions; None where there is too much to compare.

    Args:
        motion: of the loop.
        frames, pose: props and people at T times.
        moments: these times.
        candidates: azimuth and elevation, shape (V, 2), [rad].
        light: toward the key light, shape (3,).
        aspect: width of the picture over its height.
        steady: whether all moments are seen, from one direction; the viewpoint has any of them.
    """
    times, jugglers = pose.joints.shape[:2]
    props, radius = _prop_balls(motion, frames)
    balls = props.shape[1] + len(_BALLS) * jugglers
    pairs = (props.shape[1] + 3 * jugglers) * balls * len(candidates)
    if pairs > _WORK:
        return None
    # Of many moments as many as there is time for.
    chosen = np.unique(np.linspace(0, times - 1, min(times, _WORK // pairs)).round().astype(int))
    people = pose.joints[chosen]
    framings = (Framing(aspect, azimuth, elevation, 0.5) for azimuth, elevation in candidates)
    axes = np.array([framing.axes() for framing in framings])
    starts = people[:, :, _STARTS]
    along = starts + _SHARES[:, None] * (people[:, :, _ENDS] - starts)
    bodies = _Balls.seen(along.reshape(len(chosen), -1, 3), np.tile(_RADII, jugglers), axes)
    flying = _Balls.seen(props[chosen], radius, axes)
    cost = (
        _people_cost(people, bodies, flying, axes, light)
        + _props_cost(bodies, flying, props.shape[1] // frames.props.shape[1])
        + _frame_cost(people, props[chosen], axes, aspect)
        + _trick_cost(people, props[chosen], radius, moments.hand[chosen], bodies, axes)
    )
    # Arms that cross, as far as that is seen across the picture.
    across = people[:, :, _SHOULDERS[0]] - people[:, :, _SHOULDERS[1]]
    crossed = people[:, :, _PALMS[1]] - people[:, :, _PALMS[0]]
    share = np.clip((crossed * unit(across)).sum(axis=-1) / _CROSSED_BY, 0.0, 1.0)
    seen_across = np.abs(np.einsum("tjc,vc->tvj", unit(across), axes[:, 0]))
    cost = cost - _CROSSED * (share[:, None] * seen_across).mean(axis=-1)
    means = pose.joints[:, :, _PALMS].mean(axis=0)
    gesture = np.linalg.norm(people[:, :, _PALMS] - means, axis=-1).mean(axis=(1, 2)) / _FAR_OUT
    held = (frames.holders[chosen] >= 0).mean(axis=1)
    lids = pose.lids[chosen].mean(axis=1)
    late = np.where(moments.hand >= 0, moments.apart / _APART[-1], 0.0)[chosen]
    cost = (
        cost
        + (
            _AT_REST * (1 - np.minimum(gesture, 1.0))
            + _HELD * held
            + _BLINKING * lids
            + _LATE * late
        )[:, None]
    )
    if steady:
        cost = cost.mean(axis=0, keepdims=True)
    time, view = np.unravel_index(int(cost.round(5).argmin()), cost.shape)
    azimuth, elevation = candidates[view].tolist()
    return Viewpoint(float(frames.times[chosen[time]]), azimuth, elevation)


@dataclass(frozen=True)
class _Balls:
    """N balls at T times, as they are seen from V directions.

    Args:
        place: right, up and back, toward the camera, shape (T, V, N, 3), [m].
        radius: shape (N,), [m].
    """

    place: Singles
    radius: Singles

    @classmethod
    def seen(cls, points: Floats, radius: Floats | float, axes: Floats) -> _Balls:
        """Return balls around points, shape (T, N, 3), [m], along axes of shape (V, 3, 3)."""
        place = points.astype(np.float32)[:, None] @ np.swapaxes(axes, 1, 2).astype(np.float32)
        return cls(place, np.broadcast_to(radius, points.shape[1]).astype(np.float32))

    def over(self, others: _Balls) -> tuple[Singles, Singles]:
        """Return the shares of these balls that lie over, and that lie under, each other one.

        Returns:
            Shape (T, V, N, O) both, 0 to 1; where one is not 0, the other is.
        """
        # Component by component: a sum over so short an axis is slow.
        right, up, back = (
            others.place[..., None, :, axis] - self.place[..., axis, None] for axis in range(3)
        )
        distance = np.sqrt(right * right + up * up)
        radius = self.radius[:, None]
        less = np.minimum(radius, others.radius)
        share = np.clip((radius + others.radius - distance) / (2 * less), 0.0, 1.0)
        is_under = back > 0
        return share * ~is_under, share * is_under


def _prop_balls(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """Return balls that stand for props: places, shape (T, B, 3), and radii, shape (B,), [m].

    Of balls and rings they are around the centre; of clubs there are two, near both ends. All props
    have equally many, so that those of ball k of all props follow on those of ball k − 1.
    """
    shapes = motion.shapes
    if frames.aims is None:
        return frames.props, shapes.size / 2
    is_club = np.array([kind == "club" for kind in shapes.kind])
    radius = np.where(is_club, _MAX_THIN, shapes.size / 2)
    along = aim_directions([frames.aims]) * np.where(is_club, shapes.reach / 2, 0.0)[:, None]
    return np.concatenate([frames.props + along, frames.props - along], axis=1), np.tile(radius, 2)


def _people_cost(
    people: Floats, bodies: _Balls, props: _Balls, axes: Floats, light: Floats
) -> Floats:
    """What is amiss with people: their faces, hands and light, shape (T, V).

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), [m].
        bodies, props: balls.
        axes: of the candidates, shape (V, 3, 3).
        light: toward the key light.
    """
    times, jugglers = people.shape[:2]
    numbers = np.arange(jugglers)
    owner = np.repeat(numbers, len(_BALLS))
    faces = _Balls.seen(people[:, :, Joint.FACE], _FACE_RADIUS, axes)
    of_body = np.where(
        (owner == numbers[:, None]) & np.tile(_IS_HEAD, jugglers), 0.0, faces.over(bodies)[1]
    )
    covered = np.concatenate([of_body, faces.over(props)[1]], axis=-1).max(axis=-1)
    palms = people[:, :, _PALMS].reshape(times, -1, 3)
    own_arm = (owner == np.repeat(numbers, 2)[:, None]) & np.tile(_IS_ARM, jugglers)
    hands = _Balls.seen(palms, _HAND_RADIUS, axes).over(bodies)[1]
    hidden = np.where(own_arm, 0.0, hands).max(axis=-1)
    others = owner != np.repeat(numbers, 2)[:, None]
    sides = people[:, :, [Joint.CHEST, Joint.PELVIS]].reshape(times, -1, 3)
    bodies_over = _Balls.seen(sides, _CHEST_RADIUS, axes).over(bodies)[1]
    behind = np.where(others, bodies_over, 0.0).max(axis=-1)
    # Where faces look, level, and whether the camera and the lamp are on that side.
    look = unit((people[:, :, Joint.FACE] - people[:, :, Joint.HEAD]) * (1.0, 0.0, 1.0))
    back = axes[:, 2] * (1.0, 0.0, 1.0)
    toward = np.einsum("tjc,vc->tvj", look, back)
    away = np.maximum(_TURNED - toward, 0.0) / (1 + _TURNED)
    unlit = 0.5 - 0.5 * back @ unit(light * (1.0, 0.0, 1.0))
    cost: Floats = (
        _FACE_COVERED * covered.mean(axis=-1)
        + _HAND_COVERED * hidden.mean(axis=-1)
        + _BEHIND * behind.mean(axis=-1)
        + _TURNED_AWAY * away.mean(axis=-1)
        + _UNLIT * unlit
    )
    return cost


def _props_cost(bodies: _Balls, props: _Balls, balls_each: int) -> Floats:
    """What is amiss with props among themselves and with bodies, shape (T, V).

    Args:
        bodies, props: balls.
        balls_each: of a prop.
    """
    before, covered = (part.max(axis=-1) for part in props.over(bodies))
    count = len(props.radius) // balls_each
    number = np.tile(np.arange(count), balls_each)
    is_other = number != number[:, None]
    in_line = np.where(is_other, np.add(*props.over(props)), 0.0).max(axis=-1, initial=0.0)
    level = props.place[..., :2]
    distance = np.linalg.norm(level[..., None, :, :] - level[..., None, :], axis=-1)
    nearest = np.where(is_other, distance, _ROOM).min(axis=-1, initial=_ROOM)
    cost: Floats = (
        _PROP_COVERED * covered.mean(axis=-1)
        + _PROP_BEFORE_BODY * before.mean(axis=-1)
        + _PROPS_IN_LINE * in_line.mean(axis=-1)
        + _CROWDED * (1 - nearest.mean(axis=-1) / _ROOM)
    )
    return cost


def _frame_cost(people: Floats, places: Floats, axes: Floats, aspect: float) -> Floats:
    """What is amiss with the frame: people who are small, and props outside, shape (T, V).

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), [m].
        places: of balls of props, shape (T, B, 3), [m].
        axes: of the candidates, shape (V, 3, 3).
        aspect: width of the picture over its height.
    """
    joints = _Balls.seen(people.reshape(len(people), -1, 3), _HAND_RADIUS, axes)
    # Props that fly too high are left out: they count as being in the first head.
    is_outside = places[..., 1] > moment_top(people)[:, None]
    shown = np.where(is_outside[..., None], people[:, :1, Joint.HEAD], places)
    props = _Balls.seen(shown, _HAND_RADIUS, axes)
    both = np.concatenate([joints.place, props.place], axis=2)
    width = np.ptp(both[..., 0], axis=-1) + 2 * _CHEST_RADIUS
    height = np.ptp(both[..., 1], axis=-1) + 2 * _CHEST_RADIUS
    height = np.maximum(height / (1 - MARGIN - STANDING), width / (aspect * (1 - 2 * MARGIN)))
    small = np.maximum(_LARGE - _HEIGHT / height, 0.0) / _LARGE
    cost: Floats = _SMALL * small + _OUTSIDE * is_outside.mean(axis=-1)[:, None]
    return cost


def _trick_cost(
    people: Floats,
    props: Floats,
    radius: Floats,
    hand: Integers,
    bodies: _Balls,
    axes: Floats,
) -> Floats:
    """What is amiss with a throw or catch around the body, shape (T, V); 0 where there is none.

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), [m].
        props, radius: balls of props, shape (T, B, 3) and (B,), [m].
        hand: shape (T,), as of `Moments`.
        bodies: balls.
        axes: of the candidates, shape (V, 3, 3).
    """
    rows = np.arange(len(people))
    body = people[rows, hand // 2]
    side = hand % 2
    palm = body[rows, np.array(_PALMS)[side]]
    # Its prop is the nearest.
    nearest = np.linalg.norm(props - palm[:, None], axis=-1).argmin(axis=1)
    prop = _Balls.seen(props[rows, nearest][:, None], float(radius.mean()), axes)
    before, covered = (part.max(axis=(-2, -1)) for part in prop.over(bodies))
    owner = np.repeat(np.arange(people.shape[1]), len(_BALLS))
    own_arm = (owner == (hand // 2)[:, None]) & np.tile(_IS_ARM, people.shape[1])
    palms = _Balls.seen(palm[:, None], _HAND_RADIUS, axes).over(bodies)[1][:, :, 0]
    hidden = np.where(own_arm[:, None], 0.0, palms).max(axis=-1)
    # How short its arm and the thighs look.
    limbs = np.concatenate(
        [
            (palm - body[rows, np.array(_SHOULDERS)[side]])[:, None],
            body[:, _KNEES] - body[:, _HIPS],
        ],
        axis=1,
    )
    short = np.abs(np.einsum("tlc,vc->tvl", unit(limbs), axes[:, 2])).mean(axis=-1)
    cost = _TRICK_COVERED * (covered + hidden + before / 8) + _FORESHORTENED * short
    return np.where(hand[:, None] >= 0, cost, 0.0)
