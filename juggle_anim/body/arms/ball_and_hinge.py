"""An arm as joints, a ball at the shoulder and a hinge at the elbow, and how their velocities move the hand.

Arms are left ones with their shoulder at the origin and a length of 1; all arrays have the arms last. Three axes that
cross, as many as a shoulder has, are the same as a ball, but the axes are chosen anew at every step, so that no two of
them ever fall together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.vectors import column_cross, column_dot, column_norm

# λ² over the square of what is missing: great far from the goal, gone when it is met (T. Sugihara, "Solvability-
# unconcerned inverse kinematics by the Levenberg-Marquardt method", 2011).
_DAMPING = 0.3


@dataclass
class BallAndHinge:
    """N arms on their way.

    Args:
        upper, lower: lengths of the bones, together 1, shape (N,).
        along: unit columns from shoulder to elbow, shape (3, N).
        hinge: unit columns along the elbow's axis, at right angles to them, shape (3, N).
        flex: by how much each elbow is bent, 0 where the arm is straight, shape (N,), [rad].
        least, most: between which it stays.
    """

    upper: Floats
    lower: Floats
    along: Floats
    hinge: Floats
    flex: Floats
    least: Floats
    most: Floats

    def __post_init__(self) -> None:
        self._posture = self.along, column_cross(self.hinge, self.along), self.hinge

    @property
    def forearm(self) -> Floats:
        """Unit columns from elbow to wrist, shape (3, N)."""
        return np.cos(self.flex) * self.along - np.sin(self.flex) * column_cross(self.hinge, self.along)

    def step(self, toward: Floats, reach: Floats, pull: float) -> None:
        """Move the hands toward their targets, dθ = J⁺ dX, and the elbows toward where they were at first.

        The Jacobian's columns are those of a turn ω, ω × p, and of the elbow, c = dp/dφ, which lies in the arm's plane.
        So J Jᵀ + λ² falls apart into the hinge's direction and two in the plane, p's own and at right angles to it,
        and is inverted by hand. Its null space is the turn about p.

        What is missing is taken as a distance and an arc, so that turning the arm does not seem to lengthen it.

        Args:
            toward: unit columns from shoulder to target, shape (3, N).
            reach: how far away the target is, shape (N,).
            pull: the share of the turn toward the posture that this step does.
        """
        across = column_cross(self.hinge, self.along)
        sine, cosine = np.sin(self.flex), np.cos(self.flex)
        hand = (self.upper + self.lower * cosine) * self.along - self.lower * sine * across
        square = column_dot(hand, hand)
        distance = np.sqrt(square)
        axis = hand / np.maximum(distance, 1e-300)
        beside = column_cross(self.hinge, axis)
        # The elbow's column, in the directions of p and beside it.
        opening = -self.upper * self.lower * sine / np.maximum(distance, 1e-300)
        turning = -self.lower * (self.lower + self.upper * cosine) / np.maximum(distance, 1e-300)
        here, there, aside = reach - distance, *_arcs(toward, axis, beside, self.hinge) * distance
        damping = _DAMPING * (here * here + there * there + aside * aside) + 1e-300
        first, mixed, second = opening * opening + damping, opening * turning, turning * turning + square + damping
        whole = first * second - mixed * mixed
        outward, sideways = (second * here - mixed * there) / whole, (first * there - mixed * here) / whole
        through = aside / (square + damping)
        turn = distance * (sideways * self.hinge - through * beside) + pull * self._toward_posture(axis, across) * axis
        self.flex = np.minimum(np.maximum(self.flex + opening * outward + turning * sideways, self.least), self.most)
        self._turn(turn)

    def _toward_posture(self, axis: Floats, across: Floats) -> Floats:
        """How far about the line to the hand the arm would turn to be as at first, shape (N,), [rad].

        Half the sum of e × e⁰ over the upper arm's axes is the turn's axis times its sine, and smooth everywhere.
        """
        along, beside, hinge = self._posture
        apart = column_cross(self.along, along) + column_cross(across, beside) + column_cross(self.hinge, hinge)
        return 0.5 * column_dot(axis, apart)

    def _turn(self, turn: Floats) -> None:
        """Turn the arms about their shoulders; Rodrigues' formula, exact also for the smallest turns."""
        square = column_dot(turn, turn)
        angle = np.sqrt(square)
        sine, half = np.sinc(angle / np.pi), np.sinc(angle / (2 * np.pi))
        along = _turned(self.along, turn, sine, half)
        hinge = _turned(self.hinge, turn, sine, half)
        self.along = along / column_norm(along)
        hinge = hinge - column_dot(self.along, hinge) * self.along
        self.hinge = hinge / column_norm(hinge)


def _arcs(toward: Floats, axis: Floats, beside: Floats, hinge: Floats) -> Floats:
    """The arc from each axis to where it should point, in the two directions at right angles to it, (2, N), [rad]."""
    parts = np.stack([column_dot(beside, toward), column_dot(hinge, toward)])
    sine = np.sqrt(parts[0] ** 2 + parts[1] ** 2)
    return parts * (np.arctan2(sine, column_dot(axis, toward)) / np.maximum(sine, 1e-300))


def _turned(columns: Floats, turn: Floats, sine: Floats, half: Floats) -> Floats:
    beside = column_cross(turn, columns)
    return columns + sine * beside + 0.5 * half * half * column_cross(turn, beside)
