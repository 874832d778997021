"""Fits the natural elbow to measured human arms (tests/data/human_arms.md).

    .venv/bin/python -m juggle_anim.measure.natural_elbow

Prints how far it is off people that it has not seen, beside simple rules, and the numbers for
`body/arms/natural.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body import (
    AT_EASE,
    OF_HAND,
    SOLVERS,
    Arm,
    ArmPose,
    Elbows,
    elbow_direction,
    natural_place,
    outward_turn,
    turn_with_hand,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import column_cross, column_dot, column_norm, wrap_angle

DATA = Path(__file__).parents[2] / "tests" / "data"

# What the squares of the numbers cost, relative to squares of turns of elbows that are off by less
# than `_OUTLIER_DISTANCE`: the numbers are drawn to 0, at which the rule is one that needs no
# fitting. With less, the rule learns the people whom it is fitted to: their shoulders were placed
# in different ways, which tells most where arms hang.
_RIDGE_COST = 0.07
# The same for the numbers that tell how elbows turn with hands.
_RIDGE_COST_OF_HAND = 0.003
# Elbows that miss by more than this pull with the same force however far they miss, [m].
_OUTLIER_DISTANCE = 0.05

# The juggling box: where the hand is relative to the shoulder, as shares of the arm's length.
_BOX_AHEAD = 0.20, 0.85
_BOX_UP = -0.70, -0.05
_BOX_OUT = -0.5, 0.5
_BOX_BEND = 40  # °, the least bend of the elbow, 0 for a straight arm
_UPRIGHT = 0.9  # the least uprightness of the body, 1 for one that stands straight


@dataclass(frozen=True)
class Arms:
    """Measured arms, all as if they were left ones.

    Args:
        upper, lower: shape (N,) for N arms, lengths of the bones, [m].
        wrist: shape (3, N), columns from shoulder to wrist, [m].
        elbow: shape (3, N), likewise.
        person: shape (N,), index in `names` of the person whose arm it is; clips of one subject or
            of one recording count as one person.
        in_box: shape (N,), whether an arm is in the juggling box: hand before the body and below
            the shoulder, elbow bent, body upright.
        fingers, palm: shape (3, N), unit columns along the fingers and out of the palm; both 0
            where they were not measured.
        names: names of the people, to whom `person` has indices.
    """

    upper: Floats
    lower: Floats
    wrist: Floats
    elbow: Floats
    person: Integers
    in_box: Booleans
    fingers: Floats
    palm: Floats
    names: tuple[str, ...]

    def __getitem__(self, selected: Booleans) -> Arms:
        """Select arms: those True in `selected`, shape (N,) for N arms; all names stay."""
        # Arms are the last axis of every field but the names.
        selected_fields = {
            name: getattr(self, name)[..., selected]
            for name in self.__dataclass_fields__
            if name != "names"
        }
        return replace(self, **selected_fields)

    @property
    def with_hands(self) -> Booleans:
        """Whether the hand of each arm was measured, shape (N,) for N arms."""
        return np.asarray(self.palm.any(axis=0))

    @property
    def axis(self) -> Floats:
        """Unit columns from shoulders toward wrists, shape (3, N) for N arms."""
        return self.wrist / column_norm(self.wrist)

    @property
    def across(self) -> Floats:
        """Columns at right angles from the line of shoulder and wrist to elbows, (3, N) for N arms,
        [m].
        """
        return self.elbow - column_dot(self.elbow, self.axis) * self.axis

    @property
    def radius(self) -> Floats:
        """Radii of the circles on which the elbows of N arms turn about their axes, (N,), [m]."""
        return column_norm(self.across)

    @property
    def weight(self) -> Floats:
        """Weight of each arm, 1 over the number of its person's arms, shape (N,) for N arms.

        So people count alike, however many of their arms were measured.
        """
        return np.asarray(1.0 / np.bincount(self.person)[self.person])


Rule = Callable[[Arms], Floats]
"""How far elbows miss, (N,), [m]."""


def read() -> Arms:
    """Read measured arms from both data files, as left arms with their shoulders at the origin.

    The first file has left and right arms without the directions of their hands; the second has
    arms with these, all as left ones already. Arms of the first file come first.
    """
    arms_without_hands = np.load(DATA / "human_arms.npz")
    arms_with_hands = np.load(DATA / "human_arms_with_hands.npz")
    # Right arms, side 1, are mirrored into left ones: outward is +x.
    mirror = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]])[arms_without_hands["side"]]

    def joint_columns(name: str) -> Floats:
        """Return the places of a joint of all arms, shape (3, N), [m]."""
        rows = np.concatenate([arms_without_hands[name] * mirror, arms_with_hands[name]])
        return rows.astype(float).T.copy()

    elbow = joint_columns("elbow")
    wrist = joint_columns("wrist")
    upper = column_norm(elbow)
    lower = column_norm(wrist - elbow)
    # The name of the person of each arm. People of the second file have no names, and get numbers.
    person_of_clip = _people_of_clips(arms_without_hands["names"])
    person_names = [person_of_clip[clip] for clip in arms_without_hands["clip"]]
    person_names += [f"with hands, {person + 1}" for person in arms_with_hands["person"]]
    names, person = np.unique(person_names, return_inverse=True)
    upright = np.concatenate([arms_without_hands["upright"], arms_with_hands["upright"]])

    def hand_directions(name: str) -> Floats:
        """Return a direction of all hands, unit columns (3, N), or 0 if it was not measured."""
        unknown = np.zeros_like(arms_without_hands["elbow"])
        return np.concatenate([unknown, arms_with_hands[name] / 1000.0]).T  # in thousandths

    return Arms(
        upper=upper,
        lower=lower,
        wrist=wrist,
        elbow=elbow,
        person=person,
        in_box=_in_juggling_box(upper, lower, wrist) & (upright > _UPRIGHT),
        fingers=hand_directions("fingers"),
        palm=hand_directions("palm"),
        names=tuple(names.tolist()),
    )


def _people_of_clips(clip_names: Iterable[str]) -> list[str]:
    """Return the name of the person of each clip, the same for all clips of one person.

    Many clips of the CMU database have names such as "CMUtxt_train_soccer_soccer_1", in which the
    name of the subject is repeated, and the number of the clip comes last. All other clips are of
    different people, and keep their names.
    """
    people = []
    for clip_name in clip_names:
        name = str(clip_name)
        if "txt" in name:
            name = re.sub(r"_\d+$", "", name)
        people.append(re.sub(r"CMUtxt_train_(\w+)_\1$", r"\1", name))
    return people


def _in_juggling_box(upper: Floats, lower: Floats, wrist: Floats) -> Booleans:
    """Return whether hands are where jugglers have them, with elbows bent, shape (N,) for N arms.

    That is in a box before the body and below the shoulder.

    Args:
        upper, lower: lengths of the bones, shape (N,), [m].
        wrist: shape (3, N), from the shoulder outward, up and ahead, [m].
    """
    # The flexion of the elbow, 0 for a straight arm, by the law of cosines.
    distance = column_norm(wrist)
    flexion_cosine = (distance**2 - upper**2 - lower**2) / (2 * upper * lower)
    is_inside = np.degrees(np.arccos(np.clip(flexion_cosine, -1, 1))) > _BOX_BEND
    # Limits of the box are shares of the whole arm.
    shares = wrist / (upper + lower)
    for share, (lowest, highest) in zip(shares, (_BOX_OUT, _BOX_UP, _BOX_AHEAD), strict=True):
        is_inside &= (share > lowest) & (share < highest)
    return is_inside


def solver_rule(solver: str, wing_degrees: float) -> Rule:
    """Return a function that tells how far a solver's elbows are from measured ones, [m].

    Args:
        solver: name of the arm solver, in `SOLVERS`.
        wing_degrees: the chicken-wing angle, by which elbows are lifted outward, [°].

    Returns:
        A function from N measured left arms, with their shoulders at the origin, to distances of
        shape (N,), [m].
    """

    return lambda arms: _elbow_errors(SOLVERS[solver], arms, np.radians(wing_degrees))


def _elbow_errors(solver: Callable[..., ArmPose], arms: Arms, swivel: Floats | float) -> Floats:
    """Return distances of a solver's elbows from the measured ones, shape (N,), [m].

    Args:
        solver: poses arms, as those of `SOLVERS` do.
        arms: N left arms (side 0) with their shoulders at the origin.
        swivel: by which elbows are turned outward from where the solver has them at ease, shape
            (N,) or one for all, [rad].
    """
    pose = solver(np.zeros(3), arms.wrist.T, Arm(arms.upper, arms.lower), 0, swivel)
    return column_norm(pose.elbow.T - arms.elbow)


def natural_rule(hanging: float) -> Rule:
    """Return a function that tells how far elbows of the natural arm miss measured ones, [m].

    Args:
        hanging: angle by which it turns elbows of hanging arms inward, as `HANGING`, [rad].
    """
    # The turn that is still needed is an angle on the elbow's circle; its chord is the distance.
    return lambda arms: _chord_of_turn(_needed_turn(arms) - _hanging_term(arms) @ [hanging], arms)


def leave_one_out_errors(arms: Arms, cost: float = _RIDGE_COST) -> Floats:
    """Return by how far the natural arm's elbows miss those of people not seen, (N,), [m].

    This is leave-one-out cross-validation: the arms of each person are posed with the turn of
    hanging arms, `HANGING`, that fits all other people.

    Args:
        arms: N arms.
        cost: weight of the squared turn beside the squared errors in the fit (ridge regression),
            which keeps it small.
    """
    return _leave_one_out(arms, lambda others: natural_rule(fit(others, cost)))


def _leave_one_out(arms: Arms, fitted_rule: Callable[[Arms], Rule]) -> Floats:
    """Return the error of each of N arms by a rule fitted to all other people, shape (N,), [m].

    Args:
        arms: N arms.
        fitted_rule: fits a rule to arms.
    """
    errors = np.empty(len(arms.person))
    for person in np.unique(arms.person):
        of_person = arms.person == person
        errors[of_person] = fitted_rule(arms[~of_person])(arms[of_person])
    return errors


def fit(arms: Arms, cost: float = _RIDGE_COST) -> float:
    """Fit `HANGING` to measured arms: how far elbows of hanging arms turn inward, [rad].

    An elbow turns about the line from shoulder to wrist; a hanging arm has its hand straight below
    the shoulder.

    Args:
        arms: measured arms.
        cost: weight of the squared turn beside the squared errors (ridge regression), which keeps
            it small.
    """
    coefficients = ridge_coefficients(
        terms=_hanging_term(arms),
        turn=_needed_turn(arms),
        radius=arms.radius,
        weight=arms.weight,
        cost=cost,
    )
    return float(coefficients[0])


def hand_rule(coefficients: Sequence[float]) -> Rule:
    """Return a function that tells how far natural elbows that turn with their hands miss, [m].

    Args:
        coefficients: the three coefficients of `turn_with_hand`, [rad].

    Returns:
        A function from N arms with measured hands to distances from the measured elbows, shape
        (N,), [m].
    """

    def errors(arms: Arms) -> Floats:
        _pose, elbows = _natural_arms_at_ease(arms)
        turn = turn_with_hand(elbows, arms.fingers, arms.palm, coefficients)
        return _elbow_errors(natural_place, arms, AT_EASE + turn)

    return errors


def leave_one_out_errors_with_hand(arms: Arms) -> Floats:
    """Return by how far elbows that turn with their hands miss those of people not seen, (N,), [m].

    This is leave-one-out cross-validation: the arms of each person are posed as natural arms, with
    the coefficients of `turn_with_hand` that fit all other people.

    Args:
        arms: N measured arms whose hands were measured, too.
    """
    return _leave_one_out(arms, lambda others: hand_rule(tuple(fit_hand(others))))


def fit_hand(arms: Arms) -> Floats:
    """Fit the coefficients of `turn_with_hand` to measured arms, shape (3,), [rad].

    By them the outward turn of an elbow depends on the directions of its hand:
    m₀ + m₁ f·t + m₂ p·n. f points along the fingers, p out of the palm, t along the elbow's hinge,
    and n is the hinge × the forearm.

    Args:
        arms: N measured arms, all as left ones, with the directions of their hands.
    """
    # The turns to explain are those from natural arms, posed by the places of the hands alone, to
    # the measured elbows. They are linear in the coefficients, so the turn for the coefficients
    # (1, 0, 0) is the factor of the first one, and likewise for the others.
    pose, elbows = _natural_arms_at_ease(arms)
    terms = np.stack(
        [
            turn_with_hand(elbows, arms.fingers, arms.palm, tuple(row))
            for row in np.eye(len(OF_HAND))
        ],
        axis=1,
    )
    return ridge_coefficients(
        terms=terms,
        turn=_turn_to_elbows(arms, pose.elbow.T),
        radius=arms.radius,
        weight=arms.weight,
        cost=_RIDGE_COST_OF_HAND,
    )


def _natural_arms_at_ease(arms: Arms) -> tuple[ArmPose, Elbows]:
    """Return the poses of natural arms at ease by the places of the hands alone, and their elbows.

    Args:
        arms: N left arms (side 0) with their shoulders at the origin.

    Returns:
        The poses, and for each elbow the axis of its hinge and the forearm's direction.
    """
    # Column z of the upper arm's rotation (bone 0) is the hinge, column x of the forearm's (bone 1)
    # is along it; 1 stands for left arms.
    pose = natural_place(np.zeros(3), arms.wrist.T, Arm(arms.upper, arms.lower), 0, AT_EASE)
    return pose, Elbows(pose.rotations[:, 0, :, 2].T, pose.rotations[:, 1, :, 0].T, 1.0)


def ridge_coefficients(
    *, terms: Floats, turn: Floats, radius: Floats, weight: Floats, cost: float
) -> Floats:
    """Fit coefficients x so that terms · x is near the wanted turns of elbows, shape (K,).

    This is a robust ridge regression, solved by iteratively reweighted least squares of the
    distances by which elbows are off. Elbows farther off than `_OUTLIER_DISTANCE` count by their
    distance instead of its square (Huber's loss).

    Args:
        terms: shape (N, K), by which each of the K coefficients is multiplied for each of N arms.
        turn: shape (N,), wanted turns of the elbows, [rad].
        radius: shape (N,), radii of the circles on which elbows turn, [m].
        weight: shape (N,), how much each arm counts.
        cost: weight of the squares of the coefficients, beside the weighted mean of the squares of
            the turns that are left.

    Returns:
        The coefficients, shape (K,).
    """
    coefficients = np.zeros(terms.shape[1])
    ridge = cost * np.eye(terms.shape[1])
    # Newton-like steps, until they are small; usually far fewer than 200.
    for _iteration in range(200):
        turn_left = wrap_angle(turn - terms @ coefficients)
        # With φ the remaining angle, and d = 2 r sin(φ/2) the distance on a circle of radius r, the
        # pull times φ is weight · r · d / max(d, `_OUTLIER_DISTANCE`): it grows with d, and is
        # constant from `_OUTLIER_DISTANCE` on. NumPy's sinc(x) is sin(π x) / (π x), so that below
        # it is sin(φ/2) / (φ/2).
        distance = 2 * radius * np.abs(np.sin(turn_left / 2))
        pull = weight * radius**2 / np.maximum(distance, _OUTLIER_DISTANCE)
        pull *= np.sinc(turn_left / (2 * np.pi))
        # Their sum is made 1, so that `cost` means the same for any number of arms.
        pull /= pull.sum()
        change = np.linalg.solve(
            (terms.T * pull) @ terms + ridge, terms.T @ (pull * turn_left) - ridge @ coefficients
        )
        coefficients = coefficients + change
        if np.abs(change).max() < 1e-7:
            break
    return coefficients


def _hanging_term(arms: Arms) -> Floats:
    """Factor of the number `HANGING` in the outward turn of elbows, shape (N, 1) for N arms.

    The turn is linear in it: its value for 1 less that for 0 is the factor.
    """
    out, up, _ahead = arms.axis
    return np.asarray(outward_turn(out, up, 1.0) - outward_turn(out, up, 0.0))[:, None]


def _needed_turn(arms: Arms) -> Floats:
    """Return the outward turns from elbows of the natural arm to the measured ones, (N,), [rad].

    The natural arm is at ease (`AT_EASE`), with `HANGING`, the number to fit, as 0. Turns are from
    −π to π.
    """
    turn = _turn_to_elbows(arms, elbow_direction(arms.axis))
    out, up, _ahead = arms.axis
    return np.asarray(wrap_angle(turn - AT_EASE - outward_turn(out, up, 0.0)))


def _turn_to_elbows(arms: Arms, start: Floats) -> Floats:
    """Return turns about arms' axes from given directions to the measured elbows, (N,), [rad].

    An axis goes from shoulder to wrist. Turns are right-handed about it: outward for left arms.

    Args:
        arms: N measured arms, all as left ones.
        start: the directions at which turns start, shape (3, N), none along its axis; only their
            parts across the axes count.
    """
    axis = arms.axis
    to_elbow = arms.across / arms.radius
    from_start = start - column_dot(start, axis) * axis
    sine = column_dot(to_elbow, column_cross(axis, from_start))
    cosine = column_dot(to_elbow, from_start)
    return np.arctan2(sine, cosine)  # both times the length of `from_start`


def _chord_of_turn(turn: Floats, arms: Arms) -> Floats:
    """Distances by which turns, shape (N,) for N arms, [rad], move the elbows of arms, shape (N,),
    [m].
    """
    return 2 * arms.radius * np.abs(np.sin(turn / 2))


def by_person(arms: Arms, errors: Floats) -> Floats:
    """Return the mean elbow errors of each person, shape (P, 2), [m].

    The first column is the mean over all arms of a person, the second that over those in the box
    where jugglers have their hands: before the body and below the shoulder.

    Args:
        arms: N arms of P people; `in_box` says which are in the box.
        errors: distance of the elbow of each arm from the measured one, shape (N,), [m].

    Returns:
        Rows in the order of the people's indices; NaN for a person without arms in the box.
    """
    means = []
    for person in np.unique(arms.person):
        of_person = arms.person == person
        means.append((errors[of_person].mean(), errors[of_person & arms.in_box].mean()))
    return np.array(means)


def errors_by_rule(arms: Arms) -> dict[str, Floats]:
    """Return mean elbow errors of each rule by person, from the simplest to the fitted one, [m].

    Args:
        arms: measured arms.

    Returns:
        For each rule an array of shape (people, 2): all arms, and those in the juggling box.
    """
    rules = {
        "elbows as low as they can be": solver_rule("chicken-wing", 0.0),
        "`chicken-wing`, 30° outward": solver_rule("chicken-wing", 30.0),
        "`two-link`, 30° outward": solver_rule("two-link", 30.0),
        "`two-link-polar`, 30° outward": solver_rule("two-link-polar", 30.0),
        "natural without its number": natural_rule(0.0),
        "natural, each person held out once": leave_one_out_errors,
        "natural, fitted to all": natural_rule(fit(arms)),
    }
    return {name: by_person(arms, rule(arms)) for name, rule in rules.items()}


def main() -> None:
    """Print tables of elbow errors in Markdown, and the fitted constants of the natural elbow."""
    arms = read()
    # Of the people, those whose hands were measured, as `read` names them.
    has_hands = np.array([name.startswith("with hands") for name in arms.names])
    errors_of_rules = errors_by_rule(arms)
    _print_rules(arms, errors_of_rules, has_hands)
    _print_people(arms, errors_of_rules)
    _print_costs(arms, has_hands)
    hand_coefficients = _print_rules_with_hands(arms)
    print(f"\nHANGING = {fit(arms):.3f}")
    print(f"OF_HAND = ({', '.join(f'{number:.3f}' for number in hand_coefficients)})")


def _print_rules(arms: Arms, errors_of_rules: Mapping[str, Floats], has_hands: Booleans) -> None:
    """Print a Markdown table with a row for each rule that places elbows.

    Columns are its mean errors over all people and over those with measured hands, and the largest
    ratio of a person's mean error to that with a simple rule, among those without measured hands.

    Args:
        arms: measured arms.
        errors_of_rules: by the name of each rule, mean errors of P people, of all poses and of
            those in the juggling box, shape (P, 2), [m].
        has_hands: for each person, whether hands were measured, shape (P,).
    """
    simple_errors = errors_of_rules["`chicken-wing`, 30° outward"]
    print(
        f"Mean over {len(arms.names)} people of the mean elbow error [cm], all poses / juggling "
        f"box;"
    )
    print(f"{arms.in_box.size} poses, {arms.in_box.sum()} in the box")
    print("| rule | all people | with hands | worst over 30° outward |\n|---|---|---|---|")
    for name, errors in errors_of_rules.items():
        worst_ratio = (errors[:, 0] / simple_errors[:, 0])[~has_hands].max()
        print(
            f"| {name} | {_cell(errors.mean(axis=0))} | {_cell(errors[has_hands].mean(axis=0))} | "
            f"{worst_ratio:.2f} |"
        )


def _print_people(arms: Arms, errors_of_rules: Mapping[str, Floats]) -> None:
    """Print a Markdown table with a row for each person: numbers of poses, and mean errors.

    Args:
        arms: measured arms of P people.
        errors_of_rules: by the name of each rule that places elbows, mean errors of all poses and
            of those in the juggling box, shape (P, 2), [m]; three rules are shown.
    """
    shown_rules = [
        "`chicken-wing`, 30° outward",
        "`two-link`, 30° outward",
        "natural, each person held out once",
    ]
    print(f"\n| person | poses / in box | {' | '.join(shown_rules)} |")
    print(f"|---|---|{'---|' * len(shown_rules)}")
    pose_counts = np.bincount(arms.person)
    counts_in_box = np.bincount(arms.person, arms.in_box).astype(int)
    for person, name in enumerate(arms.names):
        print(
            f"| {name} | {pose_counts[person]} / {counts_in_box[person]} | "
            f"{' | '.join(_cell(errors_of_rules[rule][person]) for rule in shown_rules)} |"
        )


def _print_costs(arms: Arms, has_hands: Booleans) -> None:
    """Print how much the fitted `HANGING`, and the errors with it, depend on the cost in the fit.

    `HANGING` is how far elbows of hanging arms turn inward, [rad]; the cost is the weight of its
    square beside the squared errors, which keeps it small.

    Args:
        arms: measured arms of people.
        has_hands: for each person, whether directions of hands were measured.
    """
    print("\n| cost | number | all people | with hands |\n|---|---|---|---|")
    for cost in (0.0, 0.02, _RIDGE_COST, 0.2, 0.5, 2.0):
        errors = by_person(arms, leave_one_out_errors(arms, cost))
        cells = _cell(errors.mean(axis=0)), _cell(errors[has_hands].mean(axis=0))
        print(f"| {cost:g} | {fit(arms, cost):.3f} | {' | '.join(cells)} |")


def _print_rules_with_hands(arms: Arms) -> Floats:
    """Print mean errors of rules that place elbows, on those arms alone whose hands were measured.

    The first rule does not use the hands' directions, and is fitted to all arms.

    Returns:
        The coefficients of `turn_with_hand` fitted to the arms with hands, shape (3,), [rad].
    """
    print("\n| with hands known | all poses / juggling box |\n|---|---|")
    arms_with_hands = arms[arms.with_hands]
    hand_coefficients = fit_hand(arms_with_hands)
    rules_with_hands = {
        "natural, from the place alone, fitted to all": natural_rule(fit(arms)),
        "natural, each person held out once": leave_one_out_errors_with_hand,
        "natural, fitted to both": hand_rule(tuple(hand_coefficients)),
    }
    for name, rule in rules_with_hands.items():
        print(
            f"| {name} | {_cell(by_person(arms_with_hands, rule(arms_with_hands)).mean(axis=0))} |"
        )
    return hand_coefficients


def _cell(errors: Floats) -> str:
    """Errors, [m], as text in centimetres: all poses / juggling box."""
    return " / ".join(f"{100 * error:.2f}" for error in errors)


if __name__ == "__main__":
    main()
