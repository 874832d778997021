"""Chains of revolute joints, in a line or a tree, with forward kinematics and Jacobians.

The chain of the upper body: a spine and two arms, redundant for the positions of the hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import copysign, hypot, pi, radians
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.body.skeleton import FOREARM, HIP_HEIGHT, PALM, SHOULDER, SPINE, UPPER_ARM
from juggle_anim.body.trunk_and_legs import EASY_LEAN
from juggle_anim.errors import ChainError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import cross_product_matrices

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Revolute:
    """A joint that turns about one axis.

    At angle 0 all joint frames are parallel to the world frame.

    Args:
        name: unique in a chain.
        parent: index of the parent joint, or −1 for the ground.
        offset: from its parent to it, in the parent's frame, [m]; for a parent of −1, its place in
            the world.
        axis: of rotation, right-handed, in the parent's frame, of any length above 0.
        lower, upper: limits of the angle, both included, [rad].
    """

    name: str
    parent: int
    offset: Triple
    axis: Triple
    lower: float = -pi
    upper: float = pi


@dataclass(frozen=True)
class Frame:
    """A frame attached to a joint: the joint's index, and the origin in the joint's frame, [m]."""

    joint: int
    point: Triple = (0.0, 0.0, 0.0)


class AxisRotation(NamedTuple):
    """A joint that turns about the x, y or z axis of its parent's frame.

    Args:
        joint: index of the joint in the chain.
        offset: from its parent to the joint, in the parent's frame, [m]; None if it is 0.
        axis: 0 for x, 1 for y, 2 for z.
        sense: 1.0 for right-handed turns, −1.0 for left-handed ones.
    """

    joint: int
    offset: Triple | None
    axis: int
    sense: float


@dataclass(frozen=True)
class Chain:
    """Joints, each after its parent.

    Raises:
        ChainError: if the joints do not form a chain.
    """

    joints: tuple[Revolute, ...]

    def __post_init__(self) -> None:
        """Check every joint by itself, and that no two have the same name.

        Raises:
            ChainError: a joint does not come after its parent, has values that make no sense, or
                the name of another joint.
        """
        for index, joint in enumerate(self.joints):
            _check_joint(index, joint)
        names = [joint.name for joint in self.joints]
        for name in names:
            if names.count(name) > 1:
                raise ChainError(
                    _(
                        "{count} joints are named {name!r}, but each joint needs its own name",
                        count=names.count(name),
                        name=name,
                    )
                )

    def __len__(self) -> int:
        return len(self.joints)

    def index(self, name: str) -> int:
        """Return the index of the joint with a given name.

        Args:
            name: exactly as the joint has it.

        Raises:
            ChainError: no joint has this name.
        """
        names = [joint.name for joint in self.joints]
        if name not in names:
            raise ChainError(
                _(
                    "unknown joint {name!r}; use {names}",
                    name=name,
                    names=", ".join(names),
                )
            )
        return names.index(name)

    def locate(self, angles: Floats, frame: Frame) -> tuple[Floats, Floats]:
        """Return position and rotation of a frame in the world, by forward kinematics.

        Args:
            angles: angles of the n joints, shape (..., n), [rad].
            frame: a frame that is attached to a joint of the chain.

        Returns:
            Position, shape (..., 3), [m], and rotation, shape (..., 3, 3), whose columns are the
            frame's axes.
        """
        # A placement has all poses on one batch axis B, which is its last, so the leading axes of
        # the angles are flattened to it, and restored in the results.
        leading_shape = angles.shape[:-1]
        placement = self.place(_batch_last(angles))
        position = placement.point(frame.joint, np.asarray(frame.point))
        rotation = np.moveaxis(placement.rotations[frame.joint], -1, 0)
        return position.T.reshape(*leading_shape, 3), rotation.reshape(*leading_shape, 3, 3)

    def jacobian(self, angles: Floats, frame: Frame) -> Floats:
        """Return the geometric Jacobian of a frame: its velocity per velocity of each joint.

        Args:
            angles: angles of the n joints, shape (..., n), [rad].
            frame: a frame that is attached to a joint of the chain.

        Returns:
            Shape (..., 6, n): three rows of the velocity of the frame's origin, [m/rad], then
            three of its angular velocity, [rad/rad]. Columns of joints that do not move the frame
            are 0.
        """
        placement = self.place(_batch_last(angles))
        linear, angular = placement.velocities(
            self.carried[frame.joint], frame.joint, np.asarray(frame.point)
        )
        columns = np.concatenate([linear, angular], axis=1)
        # From (n, 6, B) to (B, 6, n), and B back to the leading shape of the angles.
        return np.transpose(columns, (2, 1, 0)).reshape(*angles.shape[:-1], 6, len(self))

    def place(self, angles: Floats) -> Placement:
        """Return where all n joints are in B poses, computed from parent to child.

        Args:
            angles: shape (n, B), one column for each pose, [rad].
        """
        joint_count, batch = angles.shape
        # Rotations of the joints by themselves, by Rodrigues' formula R = 1 + sin θ [a]× +
        # (1 − cos θ) [a]×², for all joints at once.
        own_rotations = self._rodrigues @ np.stack(
            [np.ones_like(angles), np.sin(angles), 1 - np.cos(angles)], axis=1
        )
        own_rotations = own_rotations.reshape(joint_count, 3, 3, batch)
        placement = Placement(
            origins=np.empty((joint_count, 3, batch)),
            axes=np.empty((joint_count, 3, batch)),
            rotations=np.empty_like(own_rotations),
        )
        # Each joint after its parent: R = R_parent R_own, o = o_parent + R_parent offset. The axis
        # is given in the parent's frame, yet turned by R, which is the same as by R_parent, since
        # R_own leaves its own axis where it is. So no case is needed for joints on the ground.
        for index, joint in enumerate(self.joints):
            if joint.parent < 0:
                placement.rotations[index] = own_rotations[index]
                placement.origins[index] = self._offsets[index][:, None]
            else:
                np.einsum(
                    "ikb,kjb->ijb",
                    placement.rotations[joint.parent],
                    own_rotations[index],
                    out=placement.rotations[index],
                )
                placement.origins[index] = placement.point(joint.parent, self._offsets[index])
            np.einsum(
                "ikb,k->ib",
                placement.rotations[index],
                self._axes[index],
                out=placement.axes[index],
            )
        return placement

    def reach(self, frame: Frame) -> tuple[int, float]:
        """Return the root joint of the path to a frame, and how far the frame reaches from it, [m].

        The reach is that of a straight chain: the sum of the lengths of all offsets between the
        two. Limits of the joints do not count.

        Args:
            frame: a frame that is attached to a joint of the chain.

        Returns:
            The index of the joint on the ground that carries the frame, and the distance, [m].
        """
        distance = hypot(*frame.point)
        joint = frame.joint
        while self.joints[joint].parent >= 0:
            distance += hypot(*self.joints[joint].offset)
            joint = self.joints[joint].parent
        return joint, distance

    @cached_property
    def axis_rotations(self) -> tuple[tuple[AxisRotation, ...], ...] | None:
        """For each joint the rotations on the path from the ground to it, its own the last.

        The solver for one target, which computes with plain numbers, goes through them for its
        forward kinematics. None if the axis of some joint is not along x, y or z.
        """
        paths: list[tuple[AxisRotation, ...]] = []
        for index, joint in enumerate(self.joints):
            nonzero_components = [axis for axis, component in enumerate(joint.axis) if component]
            if len(nonzero_components) != 1:
                return None
            axis = nonzero_components[0]
            rotation = AxisRotation(
                joint=index,
                offset=joint.offset if any(joint.offset) else None,
                axis=axis,
                sense=copysign(1.0, joint.axis[axis]),
            )
            # Parents come before children, so the parent's path is complete.
            path_to_parent = paths[joint.parent] if joint.parent >= 0 else ()
            paths.append((*path_to_parent, rotation))
        return tuple(paths)

    @cached_property
    def one_target_solvers(self) -> dict[Frame, object]:
        """Cache of the solvers for single targets, by frame."""
        return {}

    @cached_property
    def limits(self) -> tuple[Floats, Floats]:
        """Lower and upper limits of the angles, each of shape (n,), [rad]."""
        lower = np.array([joint.lower for joint in self.joints])
        upper = np.array([joint.upper for joint in self.joints])
        return lower, upper

    @cached_property
    def carried(self) -> Booleans:
        """Whether joint i moves when joint j turns, at row i and column j, shape (n, n).

        Each joint moves with itself and with all its ancestors.
        """
        # Parents come before children, so the parent's row is complete when it is copied.
        carried = np.eye(len(self), dtype=bool)
        for index, joint in enumerate(self.joints):
            if joint.parent >= 0:
                carried[index] |= carried[joint.parent]
        return carried

    @cached_property
    def _offsets(self) -> Floats:
        """Offsets from parents, shape (n, 3), [m]."""
        return np.array([joint.offset for joint in self.joints], dtype=float)

    @cached_property
    def _axes(self) -> Floats:
        """Unit axes in the parents' frames, shape (n, 3)."""
        axes = np.array([joint.axis for joint in self.joints], dtype=float)
        return axes / np.linalg.norm(axes, axis=-1, keepdims=True)

    @cached_property
    def _rodrigues(self) -> Floats:
        """Coefficients of 1, sin θ and 1 − cos θ in joints' rotation matrices, (n, 9, 3).

        The 9 are the matrix's entries row by row. With [a]× the cross product matrix of the axis a,
        the coefficients are those of 1, [a]× and [a]×², as Rodrigues' formula has them.
        """
        skew = cross_product_matrices(self._axes)
        return np.stack(
            [np.broadcast_to(np.eye(3), skew.shape), skew, skew @ skew], axis=-1
        ).reshape(-1, 9, 3)


def _batch_last(angles: Floats) -> Floats:
    """Angles of shape (..., n) as contiguous columns (n, B), the leading axes flattened to B."""
    return np.ascontiguousarray(angles.reshape(-1, angles.shape[-1]).T)


def _check_joint(index: int, joint: Revolute) -> None:
    """Check the parent, the values, the axis and the limits of a joint.

    Args:
        index: index of the joint in its chain. Its parent must have a lower one, or be −1 for the
            ground.
        joint: the joint to check.

    Raises:
        ChainError: the joint does not come after its parent, or has values that make no sense.
    """
    name = _("joint {index} ({name!r})", index=index, name=joint.name)
    if not -1 <= joint.parent < index:
        raise ChainError(
            _(
                "{name} has the parent {parent}, but needs −1 (the ground) or an earlier joint",
                name=name,
                parent=joint.parent,
            )
        )
    values = np.array([*joint.offset, *joint.axis, joint.lower, joint.upper])
    if not np.isfinite(values).all():
        raise ChainError(
            _(
                "{name} has an offset, axis or limit that is not a finite number",
                name=name,
            )
        )
    if not np.linalg.norm(joint.axis) > 0:
        raise ChainError(_("{name} has the axis (0, 0, 0), but needs a direction", name=name))
    if joint.lower > joint.upper:
        raise ChainError(
            _(
                "{name} has limits from {lower:g} to {upper:g}, but the lower one must come first",
                name=name,
                lower=joint.lower,
                upper=joint.upper,
            )
        )


@dataclass(frozen=True)
class Placement:
    """Joints of B poses in the world.

    Args:
        origins: shape (n, 3, B), [m].
        axes: shape (n, 3, B), unit axes of rotation.
        rotations: shape (n, 3, 3, B), whose columns are the axes of the joints' frames.
    """

    origins: Floats
    axes: Floats
    rotations: Floats

    def point(self, joint: int, point: Floats) -> Floats:
        """Return the world coordinates of a point in a joint's frame, in B poses, (3, B), [m].

        Args:
            joint: index of the joint in whose frame the point is fixed.
            point: shape (3,), in this frame, [m].

        Returns:
            A new array, or for the frame's origin a view of `origins`.
        """
        if not point.any():
            return self.origins[joint]
        return self.origins[joint] + np.einsum("ikb,k->ib", self.rotations[joint], point)

    def velocities(self, carrying: Booleans, joint: int, point: Floats) -> tuple[Floats, Floats]:
        """Return linear and angular velocity of a point in the world, per velocity of each joint.

        With a the axis and o the origin of a joint, and p the point, they are a × (p − o) and a.

        Args:
            carrying: shape (n,) for n joints, True for those that move the point.
            joint: index of the joint in whose frame the point is fixed.
            point: shape (3,), in this frame, [m].

        Returns:
            Linear velocities, [m/rad], and angular ones, [rad/rad], each of shape (n, 3, B) for
            B poses of the chain; 0 for joints that do not move the point.
        """
        # Axes of joints that do not move the point become 0, and with them both velocities.
        angular = self.axes * carrying[:, None, None]
        x, y, z = np.moveaxis(self.point(joint, point) - self.origins, 1, 0)
        axis_x, axis_y, axis_z = np.moveaxis(angular, 1, 0)
        # The cross product is written out, since the coordinates are the middle axis of the arrays.
        linear = np.empty_like(angular)
        linear[:, 0] = axis_y * z - axis_z * y
        linear[:, 1] = axis_z * x - axis_x * z
        linear[:, 2] = axis_x * y - axis_y * x
        return linear, angular

    def subset(self, columns: Booleans) -> Placement:
        """The placement of some of the poses: those True in `columns`, shape (B,)."""
        return Placement(
            self.origins[..., columns], self.axes[..., columns], self.rotations[..., columns]
        )

    def set_subset(self, columns: Booleans, replacement: Placement) -> None:
        """Replace some of the poses in place.

        Args:
            columns: shape (B,), True for the poses to replace.
            replacement: one pose for each True, in the same order.
        """
        self.origins[..., columns] = replacement.origins
        self.axes[..., columns] = replacement.axes
        self.rotations[..., columns] = replacement.rotations


SIDES = ("left", "right")

LIMITS = {
    "spine flexion": (-25.0, 80.0),
    "spine bending": (-35.0, 35.0),
    "spine rotation": (-45.0, 45.0),
    "clavicle elevation": (-10.0, 45.0),
    "clavicle protraction": (-25.0, 25.0),
    "shoulder flexion": (-60.0, 180.0),
    "shoulder abduction": (-45.0, 120.0),
    "shoulder rotation": (-90.0, 70.0),
    "elbow flexion": (0.0, 150.0),
    "wrist flexion": (-70.0, 80.0),
    "wrist deviation": (-30.0, 20.0),
}
"""Ranges of motion of the joints, [°].

Source: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording"
(1965), for spine, shoulder, elbow and wrist; D. A. Neumann, "Kinesiology of the Musculoskeletal
System", for the clavicle and for the abduction of the upper arm alone, since the clavicle has
joints of its own here. Positive directions, in order: forward, to the left, turned to the left; up,
forward; forward, outward, inward; bent; toward palm, toward thumb.
"""

AT_EASE = {
    "spine flexion": np.degrees(EASY_LEAN),
    "shoulder abduction": 20.0,
    "shoulder flexion": 5.0,
    "elbow flexion": 90.0,
}
"""Joint angles of the default posture, [°]; the others are 0."""

_LAST_OF_SPINE = 2  # index of the last joint of the spine, which has three

_SAME_PLACE = (0.0, 0.0, 0.0)  # offset of a joint that is where the one before it is
_LEFT = (1.0, 0.0, 0.0)
_UP = (0.0, 1.0, 0.0)


def upper_body(sides: Sequence[int] = (0, 1)) -> Chain:
    """Return the chain of joints of an upper body: a spine, and arms, which hang at angles 0.

    Jugglers face +z, with +y up and the left at +x. Joints are, in this order, those of the spine
    (3), and for each side clavicle (2), shoulder (3), elbow (1) and wrist (2); a joint with several
    axes is a chain of revolute joints at the same place.

    Args:
        sides: which arms, in this order along the chain: 0 for the left one, 1 for the right one.
    """
    # Name, offset and axis; right-handed turns about these axes go forward, to the left side, and
    # to the left, as `LIMITS` counts them.
    spine = [
        ("spine flexion", (0.0, HIP_HEIGHT, 0.0), _LEFT),
        ("spine bending", _SAME_PLACE, (0.0, 0.0, -1.0)),
        ("spine rotation", _SAME_PLACE, _UP),
    ]
    # Each joint of the spine is carried by the one before, and the first by the ground, −1.
    joints = [
        _joint(name, name, index - 1, offset, axis)
        for index, (name, offset, axis) in enumerate(spine)
    ]
    for side in sides:
        joints += _arm(side, len(joints))
    return Chain(tuple(joints))


def palm(chain: Chain, side: int) -> Frame:
    """The frame at the middle of a palm, where a hand holds a prop, on the last joint of an arm.

    Args:
        chain: of the upper body, with this arm.
        side: 0 for the left arm, 1 for the right one.
    """
    return Frame(chain.index(f"{SIDES[side]} wrist deviation"), (0.0, -PALM, 0.0))


def posture_at_ease(chain: Chain) -> Floats:
    """Joint angles of the default posture, shape (n,), [rad]."""
    kinds = [joint.name.removeprefix("left ").removeprefix("right ") for joint in chain.joints]
    return np.radians([AT_EASE.get(kind, 0.0) for kind in kinds])


def _arm(side: int, first_index: int) -> list[Revolute]:
    """Return the eight joints of one arm, from the clavicle to the wrist.

    Args:
        side: 0 for the left arm, 1 for the right one.
        first_index: index that the arm's first joint will have in the chain.
    """
    # The arms are mirror images. A reflection from left to right keeps the sense of rotations about
    # the lateral axis x and reverses that about y and z, hence `out` in the axes along these. The
    # names say where a right-handed turn about the axis moves a hanging arm.
    out = 1.0 if side == 0 else -1.0
    raised = (0.0, 0.0, out)
    inward = (0.0, -out, 0.0)
    forward = (-1.0, 0.0, 0.0)
    # Name without the side, offset from the joint before, and axis.
    kinds: list[tuple[str, Triple, Triple]] = [
        ("clavicle elevation", (0.0, SPINE, 0.0), raised),
        ("clavicle protraction", _SAME_PLACE, inward),
        ("shoulder flexion", (out * SHOULDER, 0.0, 0.0), forward),
        ("shoulder abduction", _SAME_PLACE, raised),
        ("shoulder rotation", _SAME_PLACE, inward),
        ("elbow flexion", (0.0, -UPPER_ARM, 0.0), forward),
        ("wrist flexion", (0.0, -FOREARM, 0.0), forward),
        ("wrist deviation", _SAME_PLACE, raised),
    ]
    # The last joint of the spine carries the first of the arm; each other one is carried by the
    # joint before it.
    parents = [_LAST_OF_SPINE, *range(first_index, first_index + len(kinds) - 1)]
    return [
        _joint(f"{SIDES[side]} {kind}", kind, parent, offset, axis)
        for parent, (kind, offset, axis) in zip(parents, kinds, strict=True)
    ]


def _joint(name: str, kind: str, parent: int, offset: Triple, axis: Triple) -> Revolute:
    """A joint with the limits of its kind, a key of `LIMITS`; the rest as in `Revolute`."""
    lower, upper = LIMITS[kind]
    return Revolute(name, parent, offset, axis, lower=radians(lower), upper=radians(upper))
