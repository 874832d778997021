"""Pairs of a prop and a limb of a body that may collide, and which hand handles which prop when."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from juggle_anim.analysis.distances import RoundCones, round_cone_distance
from juggle_anim.analysis.encounters import Candidates, TimeGrid
from juggle_anim.analysis.measures import prop_intervals
from juggle_anim.analysis.prop_solids import (
    BoundingBoxes,
    BreakpointTable,
    PropLooks,
    PropSolids,
    overlapping_pairs,
    prop_looks,
)
from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers, Singles
from juggle_anim.body import Joint
from juggle_anim.motion import Motion
from juggle_anim.scene.figure import limb_shapes
from juggle_anim.scene.limbs import LIMBS, Limb
from juggle_anim.scene.scene import Cone

_SIDES = ("left", "right")

# The first joint with a weight in a limb gives the limb its name.
_NAMES = (
    ("HEAD", "head"),
    ("PALM", "hand"),
    ("WRIST", "forearm"),
    ("ELBOW", "upper arm"),
    ("TOES", "foot"),
    ("ANKLE", "shin"),
    ("KNEE", "thigh"),
)

_OF_THE_HAND = ("hand", "forearm")

HANDLING = 0.08
"""Time before a catch and after a throw in which the prop may touch the hand and forearm that
handle it, [s].
"""

_STEP = 0.003
_FEWEST = 64

# Numbers in the table; the motion of many jugglers is sampled less often.
_MOST = 60_000_000

# Fewer jugglers than this have limbs of their own in any case.
_CROWD = 20

# Bodies that are posed together, and gaps that are computed together.
_AT_ONCE = 4_000
_BLOCK = 8_000

# Rounding of single precision makes bounds wrong by less, [m].
_NOISE = 1e-4

_MIDDLE = PropLooks.LOOKS // 2

# Sums over the coordinates of both ends of a limb.
_ENDS = np.zeros((8, 2), dtype=np.float32)
_ENDS[Cone.START, 0] = _ENDS[Cone.END, 1] = 1.0


class BodyPairs:
    """Pairs of a prop and a limb, numbered prop · limbs + limb; limbs are numbered by juggler.

    Props are the solids of `juggle_anim.analysis.prop_solids`.
    """

    def __init__(self, animation: Animation) -> None:
        self._motion = motion = animation.motion
        self._count = animation.jugglers * len(ARM_OF)
        self._limbs, self._solids = LimbTable.of(animation), PropSolids(motion)
        self._breaks = BreakpointTable.of(motion, (-HANDLING, 0.0, HANDLING))
        self._handling = HandlingTable.of(motion)

    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Return the gaps between surfaces, [m]."""
        # Blocks that fit into the processor's caches are three times as fast as one large array.
        blocks = [slice(first, first + _BLOCK) for first in range(0, max(len(pair), 1), _BLOCK)]
        return np.concatenate([self._gap(pair[block], times[block]) for block in blocks])

    def _gap(self, pair: Integers, times: Floats) -> Floats:
        prop, limb = self.members(pair)
        return self._solids.gap_to_cones(
            self._solids.posed(prop, times), self._limbs.cones(limb, times)
        )

    def slopes(self, pair: Integers, times: Floats) -> Floats:
        """By how much each gap grows as the prop moves along each axis, ahead and back, shape (2,
        N, 3).
        """
        prop, limb = self.members(pair)
        cones = self._limbs.cones(limb, times)
        return self._solids.posed(prop, times).slopes(
            lambda moved: self._solids.gap_to_cones(moved, cones)
        )

    def contact_allowed(self, pair: Integers, times: Floats) -> Booleans:
        """Whether the limb is of an arm that holds, throws or catches the prop."""
        prop, limb = self.members(pair)
        juggler = limb // len(ARM_OF)
        number = limb % len(ARM_OF)
        side = np.array(ARM_OF)[number]
        arm = side >= 0
        allowed = np.zeros(len(pair), dtype=bool)
        allowed[arm] = self._handling.handles(prop[arm], (2 * juggler + side)[arm], times[arm])
        return allowed

    def breakpoints(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return when the prop is thrown, caught or bounces, or its handling begins or ends."""
        return self._breaks.within(self.members(pair)[0], start, end)

    def next_loop(self, pair: Integers) -> Integers:
        """Return the pair with the next prop of the orbit, and the same limb."""
        prop, limb = self.members(pair)
        return self._motion.successors()[prop] * self._count + limb

    def members(self, pair: Integers) -> tuple[Integers, Integers]:
        """Return the prop and the limb of each pair."""
        return pair // self._count, pair % self._count

    def nearness(self, reach: float, clock: TimeGrid) -> Candidates:
        """Return which pairs may be nearer than `reach` [m], and when."""
        looks = enumerate(prop_looks(self._motion, clock))
        starts = (
            (seen, block * clock.block, block * clock.block + clock.block) for block, seen in looks
        )
        found = Candidates.of(self._near(seen, reach, start, end) for seen, start, end in starts)
        # A hand that holds a prop at one end of the loop may allow a contact at the other.
        first = found.block == 0
        last = found.block == clock.blocks - 1
        following = self.next_loop(found.pair)
        open_yet = found.needed & (found.bound <= reach)
        beside = first & np.isin(found.pair, following[last & open_yet])
        beside |= last & np.isin(following, found.pair[first & open_yet])
        return replace(found, needed=found.needed | beside)

    def _near(
        self, seen: PropLooks, reach: float, start: float, end: float
    ) -> tuple[Integers, Floats, Booleans]:
        """Jugglers are searched first, then their limbs, of which there may be thousands."""
        boxes, speeds = self._limbs.extents(start, end)
        props = seen.boxes.grown(self._solids.reach + reach)
        low = boxes.low.reshape(-1, len(ARM_OF), 3)
        high = boxes.high.reshape(-1, len(ARM_OF), 3)
        prop, juggler = overlapping_pairs(props, BoundingBoxes(low.min(axis=1), high.max(axis=1)))
        near = props.of(prop)
        meet = (near.low[:, None] <= high[juggler]) & (low[juggler] <= near.high[:, None])
        row, number = np.nonzero(meet.all(axis=2))
        prop = prop[row]
        limb = juggler[row] * len(ARM_OF) + number
        needed = ~self._handled(prop, limb, start, end)
        speed = seen.speed[prop] + speeds[limb]
        # How near they are in the middle, less what both may move until the ends; then where that
        # leaves them near, how near in the middle of each third.
        middle = self._apart(seen, _MIDDLE, prop, limb, start)
        bound = middle - speed * _MIDDLE * seen.step
        open_yet = np.flatnonzero(needed & (bound <= reach))
        apart = [
            self._apart(seen, look, prop[open_yet], limb[open_yet], start)
            for look in (1, PropLooks.LOOKS - 1)
        ]
        nearest = np.minimum.reduce([*apart, middle[open_yet]])
        bound[open_yet] = np.maximum(bound[open_yet], nearest - speed[open_yet] * seen.step)
        return prop * self._count + limb, bound - _NOISE, needed

    def _apart(
        self, seen: PropLooks, look: int, prop: Integers, limb: Integers, start: float
    ) -> Floats:
        """Gaps at a look that hold however the props are turned."""
        cones = self._limbs.cones_at(limb, start + look * seen.step)
        return round_cone_distance(seen.places[look, prop], cones) - self._solids.reach[prop]

    def _handled(self, prop: Integers, limb: Integers, start: float, end: float) -> Booleans:
        """Whether the hand that a limb is of handles a prop all the time."""
        side = np.array(ARM_OF)[limb % len(ARM_OF)]
        held = self._handling.handles(
            prop, 2 * (limb // len(ARM_OF)) + np.maximum(side, 0), start, end
        )
        return (side >= 0) & held


def _part(limb: Limb) -> tuple[str, int]:
    """The name of a limb, and the side (0 left, 1 right) of a hand or forearm, else −1."""
    share = np.abs(limb.start) + np.abs(limb.end)
    for joint, name in _NAMES:
        if joint == "HEAD" and share[Joint.HEAD]:
            return name, -1
        for side, word in enumerate(_SIDES):
            if joint != "HEAD" and share[Joint[f"{word.upper()}_{joint}"]]:
                return f"{word} {name}", side if name in _OF_THE_HAND else -1
    return "trunk", -1


PARTS: tuple[str, ...] = tuple(_part(limb)[0] for limb in LIMBS)
"""The part of the body that each limb belongs to."""

ARM_OF: tuple[int, ...] = tuple(_part(limb)[1] for limb in LIMBS)
"""The side of each limb that belongs to a hand or forearm, −1 for all others."""


@dataclass(frozen=True)
class HandlingTable:
    """Time spans in which a hand holds, throws or catches a prop, sorted by prop, hand and time.

    Args:
        key: shape (N,), (prop · hands + hand) · width + start.
        end: shape (N,), [s].
        hands: their number.
        width: more than any time, [s].
        earliest: before any time, [s].
    """

    key: Floats
    end: Floats
    hands: int
    width: float
    earliest: float

    @classmethod
    def of(cls, motion: Motion) -> Self:
        """Return the spans of one loop, and of what reaches into it."""
        hands = 2 * motion.choreography.jugglers
        loop = motion.duration
        longest = float(motion.props.paths.periods.max(initial=0.0))
        stretches = prop_intervals(
            motion, math.ceil((longest + HANDLING) / loop), 2 + math.ceil(HANDLING / loop)
        )
        held = stretches.holder >= 0
        start = stretches.start[held] - HANDLING
        end = start + stretches.duration[held] + 2 * HANDLING
        earliest = float(start.min(initial=0.0))
        width = float(end.max(initial=0.0)) - earliest + 2 * loop
        key = (stretches.prop[held] * hands + stretches.holder[held]) * width + start - earliest
        order = np.argsort(key)
        return cls(key[order], end[order], hands, width, earliest)

    def handles(
        self, prop: Integers, hand: Integers, times: Floats | float, until: float | None = None
    ) -> Booleans:
        """Whether each hand handles each prop at each time, or from each time on without a break
        `until` one, (N,).
        """
        if not len(self.key):
            return np.zeros(len(prop), dtype=bool)
        base = (prop * self.hands + hand) * self.width
        place = np.searchsorted(self.key, base + times - self.earliest, side="right") - 1
        place = np.maximum(place, 0)
        begun = (self.key[place] >= base) & (self.key[place] <= base + times - self.earliest)
        return begun & (self.end[place] > (times if until is None else until))


@dataclass(frozen=True)
class LimbTable:
    """Limbs at N evenly spaced times of a loop, with cubic interpolation.

    Jugglers who stand still and do what others do share the limbs of one body, seen from where they
    stand.

    Args:
        loop: [s].
        limbs: shape (N, R · limbs, 8), their `Cone.SHAPE`.
        body: shape (J,), which of the R bodies each juggler has.
        places: shape (J, 3), where jugglers stand [m], and `turns`, shape (J, 2), the cosine and
            sine of where they face; None where limbs are those in the world.
    """

    loop: float
    limbs: Singles
    body: Integers
    places: Floats | None = None
    turns: Floats | None = None

    @classmethod
    def of(cls, animation: Animation) -> Self:
        """Return the limbs of all jugglers, by juggler."""
        loop = animation.duration
        shared = animation.plan.shared
        if animation.motion.bodies.has_movement or animation.jugglers < _CROWD:
            shared = None
        body = shared.copied if shared else np.arange(animation.jugglers)
        bodies = len(shared.posed) if shared else animation.jugglers
        count = max(_FEWEST, min(math.ceil(loop / _STEP), _MOST // (animation.jugglers * 8 * 64)))
        times = np.arange(float(count)) * (loop / count)
        part = max(1, _AT_ONCE // bodies)
        limbs = np.empty((count, bodies * len(ARM_OF), 8), dtype=np.float32)
        for first in range(0, count, part):
            now = times[first : first + part]
            joints = animation.pose_bodies(now).joints if shared else animation.pose(now).joints
            limbs[first : first + part] = limb_shapes(joints).reshape(len(joints), -1, 8)
        if not shared:
            return cls(loop, limbs, body)
        posed = animation.pose_bodies(times[:1])
        facing = posed.facing[0]
        return cls(
            loop,
            limbs,
            body,
            posed.standing[0, :, 0],
            np.concatenate([np.cos(facing), np.sin(facing)], axis=1),
        )

    def cones(self, limb: Integers, times: Floats) -> RoundCones:
        """Return some limbs at some times, shape (N,), [s]."""
        count = len(self.limbs)
        place = times * (count / self.loop)
        tick = np.floor(place)
        weights = _weights(place - tick)
        first = tick.astype(np.intp) - 1
        row = self._rows(limb)
        table = self.limbs.reshape(-1, self.limbs.shape[2])
        ends = np.zeros((len(limb), self.limbs.shape[2]))
        for number, weight in enumerate(weights):
            # `take` of rows is twice as fast as two indices.
            ends += weight[:, None] * table.take(
                (first + number) % count * self.limbs.shape[1] + row, axis=0
            )
        return self._placed(ends, limb)

    def cones_at(self, limb: Integers, time: float) -> RoundCones:
        """Return some limbs at one time [s], in single precision."""
        count = len(self.limbs)
        place = time * (count / self.loop)
        first = math.floor(place) - 1
        weights = [np.float32(weight) for weight in _weights(np.array(place - math.floor(place)))]
        ends = sum(
            weight * self.limbs[(first + number) % count] for number, weight in enumerate(weights)
        )
        return self._placed(ends[self._rows(limb)], limb)

    def _rows(self, limb: Integers) -> Integers:
        return self.body[limb // len(ARM_OF)] * len(ARM_OF) + limb % len(ARM_OF)

    def _placed(self, ends: Floats, limb: Integers) -> RoundCones:
        """Limbs in the world, given rows of their `Cone.SHAPE` as the table has them."""
        points = ends.reshape(-1, 2, 4)
        if self.places is not None and self.turns is not None:
            juggler = limb // len(ARM_OF)
            cosine, sine = self.turns[juggler].T[..., None]
            x = points[..., 0]
            z = points[..., 2]
            turned = np.empty(points.shape)
            turned[..., 0], turned[..., 1], turned[..., 2] = (
                x * cosine + z * sine,
                points[..., 1],
                z * cosine - x * sine,
            )
            turned[..., :3] += self.places[juggler, None]
            turned[..., 3] = points[..., 3]
            points = turned
        return RoundCones(points[:, 0, :3], points[:, 0, 3], points[:, 1, :3], points[:, 1, 3])

    def extents(self, start: float, end: float) -> tuple[BoundingBoxes, Floats]:
        """Return a box around each limb from `start` to `end` [s], and what none of its points
        exceeds, [m/s].

        Between two ticks the slope of the cubic is a mean of three differences, with weights of at
        most 4/3 in all.
        """
        scale = len(self.limbs) / self.loop
        count = len(self.limbs)
        first = math.floor(start * scale) - 1
        last = math.ceil(end * scale) + 1
        before = self.limbs[first % count]
        low = before.copy()
        high = before.copy()
        squares = np.zeros_like(before[:, :2])
        # Tick by tick, with both ends of the limbs together.
        for tick in range(first + 1, last + 1):
            limbs = self.limbs[tick % count]
            np.minimum(low, limbs, out=low)
            np.maximum(high, limbs, out=high)
            moves = limbs - before
            moves *= moves
            np.maximum(squares, moves @ _ENDS, out=squares)
            before = limbs
        low = np.minimum(low[:, Cone.START], low[:, Cone.END]).astype(float)
        high = np.maximum(high[:, Cone.START], high[:, Cone.END]).astype(float)
        moved = np.sqrt(squares.max(axis=1).astype(float))
        # Between two samples a limb may be a little beyond both.
        boxes = BoundingBoxes(low, high).grown(before[:, Cone.RADII].max(axis=1) + moved / 2)
        speeds = (moved * (4 / 3 * scale)).reshape(-1, len(ARM_OF))[self.body].ravel()
        return self._boxes_in_world(boxes), speeds

    def _boxes_in_world(self, boxes: BoundingBoxes) -> BoundingBoxes:
        """Boxes of the limbs of all jugglers around boxes of the table's limbs."""
        if self.places is None or self.turns is None:
            return boxes
        shape = (-1, len(ARM_OF), 3)
        middle = (boxes.low + boxes.high) / 2
        half = (boxes.high - boxes.low) / 2
        middle = middle.reshape(shape)[self.body]
        half = half.reshape(shape)[self.body]
        cosine, sine = self.turns.T[..., None]
        aside = np.abs(sine)
        ahead = np.abs(cosine)
        x, y, z = np.moveaxis(middle, -1, 0)
        wide, high, deep = np.moveaxis(half, -1, 0)
        middle = (
            np.stack([x * cosine + z * sine, y, z * cosine - x * sine], axis=-1)
            + self.places[:, None]
        )
        half = np.stack([wide * ahead + deep * aside, high, deep * ahead + wide * aside], axis=-1)
        return BoundingBoxes((middle - half).reshape(-1, 3), (middle + half).reshape(-1, 3))


def _weights(u: Floats) -> tuple[Floats, ...]:
    """Lagrange weights of values at −1, 0, 1 and 2, at a place from 0 to 1."""
    return (
        -u * (u - 1) * (u - 2) / 6,
        (u + 1) * (u - 1) * (u - 2) / 2,
        -(u + 1) * u * (u - 2) / 2,
        (u + 1) * u * (u - 1) / 6,
    )
