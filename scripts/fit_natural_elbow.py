"""Fits the natural elbow to measured human arms (tests/data/human_arms.md).

    .venv/bin/python scripts/fit_natural_elbow.py

Prints how it does, beside simple rules, on clips that it has not seen, and the numbers for `body/arms/natural.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arms.natural import FITTED, outward_turn, resting_direction
from juggle_anim.vectors import column_cross, column_dot, column_norm, wrap_angle

DATA = Path(__file__).parents[1] / "tests" / "data" / "human_arms.npz"

# Where hardly anyone in the clips has a hand, and where the elbow is then: (out, up, ahead) of the wrist and of the
# elbow's direction from the line to it. Judged, not measured: both go to the outside when hands are at the head.
_IMAGINED = (
    ((-0.30, 0.42, -0.20), (0.75, 0.45, 0.45)),  # at the back of the head
    ((-0.25, 0.30, 0.10), (0.75, 0.25, 0.60)),  # at the other ear
    ((-0.15, 0.90, 0.05), (0.80, 0.00, 0.60)),  # over the head
    ((-0.20, 0.20, -0.30), (0.60, 0.75, 0.20)),  # between the shoulder blades
)
# What one imagined arm counts for, as a share of all measured ones together, and how far its elbow is from the line
# between shoulder and wrist, [m].
_IMAGINED_WEIGHT, _IMAGINED_RADIUS = 0.01, 0.20
# What the numbers but the first cost, as a share of what a turn of all elbows costs: with less, elbows turn more wildly
# where nobody had a hand.
_COST_OF_SLOPE = 0.01
# Elbows that miss by more than this pull with the same force however far they miss, [m].
_FAR = 0.05
_OFFSETS = np.radians(np.arange(-90.0, 90.5, 0.5))


@dataclass(frozen=True)
class Arms:
    """Measured arms, all as if they were left ones.

    Args:
        axis: shape (3, N), unit columns from shoulder to wrist.
        radius: shape (N,), how far the elbow is from the line between them, [m].
        elbow: shape (3, N), unit columns at right angles to `axis`, from that line to the elbow.
        clip: shape (N,), which clip each is from.
        kind: shape (N,), which kind of clip: the same but for the number in its name.
        weight: shape (N,): a clip's weights sum to the root of its length, so that no clip rules.
        in_box: shape (N,), whether it is much as jugglers hold theirs.
    """

    axis: Floats
    radius: Floats
    elbow: Floats
    clip: Integers
    kind: Integers
    weight: Floats
    in_box: Booleans

    def __getitem__(self, chosen: Booleans) -> Arms:
        return Arms(*(getattr(self, name)[..., chosen] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Figures:
    """How far elbows are off, shape (N,), [m]: as a rule has it, and with the best offset for each clip."""

    missed: Floats
    with_offset: Floats


Rule = Callable[[Floats], Floats]
"""Where elbows lie: from unit columns toward wrists to unit columns at right angles to them."""


def hanging(axis: Floats) -> Floats:
    """Elbows as low as they can be."""
    return toward(axis, (0.0, -1.0, 0.0))


def constant(axis: Floats) -> Floats:
    """Elbows lifted outward by 30°."""
    return turned(axis, hanging(axis), np.radians(30.0))


def fixed(axis: Floats) -> Floats:
    """Elbows toward one direction: out, down and back."""
    return toward(axis, (0.5, -1.0, -0.5))


def read(path: Path = DATA) -> Arms:
    """Measured arms from the file."""
    data = np.load(path)
    mirror = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]])[data["side"]]
    elbow, wrist = (np.array(data[name] * mirror, dtype=float).T for name in ("elbow", "wrist"))
    upper, lower, distance = (column_norm(each) for each in (elbow, wrist - elbow, wrist))
    axis = wrist / distance
    across = elbow - column_dot(elbow, axis) * axis
    radius = column_norm(across)
    out, up, ahead = wrist / (upper + lower)
    bent = np.degrees(np.arccos(np.clip((distance**2 - upper**2 - lower**2) / (2 * upper * lower), -1, 1))) > 40
    in_front = (ahead > 0.20) & (ahead < 0.85) & (up < -0.05) & (up > -0.70) & (np.abs(out) < 0.5)
    clip = np.array(data["clip"], dtype=np.intp)
    kinds = [re.sub(r"_\d+$", "", name) if "txt" in name else name for name in data["names"]]
    kind = np.unique(kinds, return_inverse=True)[1][clip]
    weight = 1 / np.sqrt(np.bincount(clip))[clip]
    return Arms(axis, radius, across / radius, clip, kind, weight, in_front & bent & (data["upright"] > 0.9))


def fit(arms: Arms) -> Floats:
    """The numbers of `outward_turn`, shape (9,), [rad].

    Weighted least squares of how far elbows are off, again and again with weights that make far ones count by their
    distance instead of its square.
    """
    axis, target, radius, weight = _with_imagined(arms)
    terms = features(axis)
    cost = np.diag([0.0] + [_COST_OF_SLOPE] * (len(FITTED) - 1))
    numbers = np.zeros(len(FITTED))
    for _ in range(200):
        off = wrap_angle(target - terms @ numbers)
        pull = weight * radius**2 / np.maximum(2 * radius * np.abs(np.sin(off / 2)), _FAR)
        pull *= np.sinc(off / (2 * np.pi))
        pull /= pull.sum()
        change = np.linalg.solve((terms.T * pull) @ terms + cost, terms.T @ (pull * off) - cost @ numbers)
        numbers = numbers + change
        if np.abs(change).max() < 1e-7:
            break
    return numbers


def features(axis: Floats) -> Floats:
    """What each number of `outward_turn` multiplies, shape (N, 9)."""
    return np.stack([np.broadcast_to(outward_turn(*axis, row), axis.shape[1]) for row in np.eye(len(FITTED))], axis=1)


def natural_rule(numbers: Floats) -> Rule:
    """The natural elbow with these numbers."""
    return lambda axis: turned(axis, resting_direction(axis), features(axis) @ numbers)


def judge(arms: Arms, rule: Rule) -> Figures:
    """How far one rule is off on all arms."""
    return _figures(arms, rule(arms.axis))


def judge_held_out(arms: Arms, group: Integers) -> Figures:
    """How far the natural elbow is off on each group of arms when it is fitted to the others."""
    elbow = np.empty_like(arms.axis)
    for each in np.unique(group):
        here = group == each
        elbow[:, here] = natural_rule(fit(arms[~here]))(arms.axis[:, here])
    return _figures(arms, elbow)


def toward(axis: Floats, direction: tuple[float, float, float]) -> Floats:
    """One direction, made perpendicular to each axis."""
    given = np.array(direction)[:, None]
    across = given - column_dot(given, axis) * axis
    return across / column_norm(across)


def turned(axis: Floats, side: Floats, angle: Floats | float) -> Floats:
    """Directions turned outward about the axes."""
    return side * np.cos(angle) + column_cross(axis, side) * np.sin(angle)


def _with_imagined(arms: Arms) -> tuple[Floats, Floats, Floats, Floats]:
    """Axes, turns from `resting_direction` [rad], radii and weights of measured and imagined arms."""
    wrist, elbow = np.array(_IMAGINED, dtype=float).transpose(1, 2, 0)
    imagined = wrist / column_norm(wrist)
    axis = np.concatenate([arms.axis, imagined], axis=1)
    side = np.concatenate([arms.elbow, elbow - column_dot(elbow, imagined) * imagined], axis=1)
    more = np.ones(len(_IMAGINED))
    radius = np.append(arms.radius, _IMAGINED_RADIUS * more)
    weight = np.append(arms.weight, _IMAGINED_WEIGHT * arms.weight.sum() * more)
    return axis, _angle(axis, resting_direction(axis), side), radius, weight


def _figures(arms: Arms, elbow: Floats) -> Figures:
    off = _angle(arms.axis, elbow, arms.elbow)
    with_offset = np.empty_like(off)
    for each in np.unique(arms.clip):
        here = arms.clip == each
        tried = _missed(off[here] - _OFFSETS[:, None], arms.radius[here])
        with_offset[here] = tried[tried.mean(axis=1).argmin()]
    return Figures(_missed(off, arms.radius), with_offset)


def _angle(axis: Floats, start: Floats, end: Floats) -> Floats:
    """Angles from one direction to another about the axes, [rad]."""
    return np.arctan2(column_dot(end, column_cross(axis, start)), column_dot(end, start))


def _missed(angle: Floats, radius: Floats) -> Floats:
    return 2 * radius * np.abs(np.sin(angle / 2))


def _row(name: str, arms: Arms, figures: Figures) -> str:
    cells = []
    for errors in (figures.missed, figures.missed[arms.in_box]):
        mean, (median, most) = errors.mean(), np.percentile(errors, [50, 95])
        cells.append(f"{100 * mean:5.2f} / {100 * median:4.2f} / {100 * most:5.2f}")
    offsets = f"{100 * figures.with_offset.mean():.2f} | {100 * figures.with_offset[arms.in_box].mean():.2f}"
    return f"| {name:42} | {' | '.join(cells)} | {offsets} |"


def main() -> None:
    """Print the table and the numbers."""
    arms = read()
    numbers = fit(arms)
    print(f"Elbow error, mean / median / 95 % [cm]; {arms.clip.size} poses, {arms.in_box.sum()} in the juggling box")
    print("| rule | all | juggling box | mean with an offset per clip: all | box |")
    print("|---|---|---|---|---|")
    for rule in (hanging, constant, fixed):
        print(_row(str(rule.__doc__).rstrip("."), arms, judge(arms, rule)))
    print(_row("Natural, each clip held out once", arms, judge_held_out(arms, arms.clip)))
    print(_row("Natural, each kind of clip held out once", arms, judge_held_out(arms, arms.kind)))
    print(_row("Natural, fitted to all", arms, judge(arms, natural_rule(numbers))))
    print(f"FITTED = ({', '.join(f'{number:.3f}' for number in numbers)})")


if __name__ == "__main__":
    main()
