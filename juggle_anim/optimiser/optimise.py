"""Other places of throws and catches, so that props pass each other with more room.

The narrow encounters of the true motion are made linear in the places, a program finds places that
widen the narrowest, and the motion with these is measured; so again, until there is room enough or
nothing widens them.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cached_property
from typing import Any

import numpy as np

from juggle_anim.analysis.body_pairs import BodyPairs
from juggle_anim.analysis.collisions import Collisions, find_collisions
from juggle_anim.analysis.encounters import find_encounters, time_grid
from juggle_anim.analysis.prop_solids import PropPairs
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.errors import ChoreographyError, ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.optimiser.margins import LinearFunction, Margins, maximise_least
from juggle_anim.optimiser.places import FreePlaces
from juggle_anim.short_repr import ShortRepr

GOAL = 0.10
BUDGET = 0.15
"""The clearance that is wanted, and how far a place may move along each axis, [m]."""

MOST = 1.0
"""The greatest goal and budget, [m]."""

# Wider encounters are left out of a program; the verified motion has them all.
_BEYOND_GOAL = 0.04  # m, beyond the goal
_BEYOND_NARROWEST = 0.08  # m, beyond the narrowest encounter

# What a program maximises, beside the narrowest gap [m].
_STEP_COST = 0.15  # m of clearance that a mean step of 1 m costs
_MEAN_GAP_WEIGHT = 0.2  # of the mean room, where the narrowest gap counts as 1

_VERTICAL_SHARE = 0.6  # of the budget, for steps up or down
_TOWARD_SHARE = 0.6  # of the budget, for steps toward the body
_MIDDLE_GAP = 0.02  # m, that hands stay away from the middle plane of the body

# The trust region: how far one program may move a place, [m].
_FIRST_TRUST = 0.06
_GREATEST_TRUST = 0.08
_LEAST_TRUST = 0.002  # smaller steps are not worth a further program
_MAX_PROGRAMS = 16
_SHARE_BISECTIONS = 3  # of the share of steps that serves, which finds it to an eighth

_ROUNDING = 1e-4  # m, that a result may lose to the rounding of places
_CLEAR_OF_BODIES = 0.04  # m; bodies that are this far away are not in the way

_BODY_WEIGHT = 20.0  # clearance that each metre too near to a body costs, in metres
_NEAR_BODIES = 0.05  # m beyond the least gap, up to which gaps to bodies become constraints
_BODY_SLACK = 0.003  # m, by which these constraints are stricter, as they are only linear
_MAX_SEARCHES = 4  # searches, each with the constraints of bodies that the last one needed

# A gap whose one-sided slopes differ by more has a kink: it grows in both directions.
_LEAST_KINK = 0.6

_LAST_STEP_SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)  # shares of the steps that the last attempt tries


@dataclass(frozen=True)
class Room:
    """How much room props have in one loop.

    Args:
        margin: Juggling Lab's, by how much throws may err in angle, [°]; None for passes, bounces,
            and where no two arcs meet.
        clearance: the narrowest gap of two props, negative where they overlap, [m]; None where none
            pass each other.
        body_clearance: likewise of a prop and a body.
        short: by how much a hand comes short of its place at worst, [m].
    """

    margin: float | None
    clearance: float | None
    body_clearance: float | None
    short: float

    @classmethod
    def measure(cls, animation: Animation) -> Room:
        """Measure the room in one loop of an animation: margin, clearances and reach."""
        collisions = find_collisions(animation)
        margin = None
        try:
            margins = Margins.from_animation(animation)
            # The least margin at the present places, if any two arcs meet.
            if len(margins.slope):
                margin = float(margins.at(margins.free.start[:, 0]).min())
        except ChoreographyError:
            pass  # passes or bounces, which have no margin
        return cls(
            margin=margin,
            clearance=_clearance(collisions, with_bodies=False),
            body_clearance=_clearance(collisions, with_bodies=True),
            short=float(animation.gaps.max(initial=0.0)),
        )

    def is_no_worse_than(self, before: Room) -> bool:
        """Return whether props have as much room as before, and hands reach as far.

        Each figure may be a little worse, as places are rounded. The gap to bodies may even become
        less than before, as long as it is not below the `body_floor` of the room before.
        """
        if _or_infinite(self.clearance) < _or_infinite(before.clearance) - _ROUNDING:
            return False
        clear_of_bodies = _or_infinite(self.body_clearance) >= before.body_floor - _ROUNDING
        return clear_of_bodies and self.short <= before.short + 10 * _ROUNDING

    @property
    def body_floor(self) -> float:
        """The least gap between props and bodies that a result may have, [m].

        That is the gap which this room has, or less: `_CLEAR_OF_BODIES` is enough, or the clearance
        between props where that is more.
        """
        return min(_or_infinite(self.body_clearance), max(_CLEAR_OF_BODIES, self.clearance or 0.0))


@dataclass(frozen=True, repr=False)
class Optimised(ShortRepr):
    """An animation with other places of throws and catches; `optimise` makes one.

    Args:
        animation: with its new places.
        before, after: the room that props had, and have.
        moved: how far the place that moves farthest does, [m].
    """

    animation: Animation
    before: Room
    after: Room
    moved: float

    @property
    def summary(self) -> str:
        """The clearance and the margin before and after, in a line."""
        before = self.before
        after = self.after
        summary = f"Clearance {_before_and_after(before.clearance, after.clearance, ' cm')}"
        if before.margin is not None and after.margin is not None:
            summary += f", margin {_before_and_after(before.margin, after.margin, '°')}"
        return summary.replace("-", "−")

    def as_text(self) -> str:
        """A report of a few lines: title, figures before and after with their units, settings.

        Figures that are known neither before nor after are left out. The settings are those that
        open the result; placed events have none.
        """
        before = self.before
        after = self.after
        # Rows: name, figures before and after, and what they mean.
        rows = [
            (
                "clearance",
                _before_and_after(before.clearance, after.clearance, " cm"),
                _("between props"),
            ),
            (
                "",
                _before_and_after(before.body_clearance, after.body_clearance, " cm"),
                _("between props and bodies"),
            ),
            (
                "margin",
                _before_and_after(before.margin, after.margin, "°"),
                _("throwing error allowed, as in Juggling Lab"),
            ),
            (
                "reach",
                _before_and_after(before.short, after.short, " cm"),
                _("by which hands fall short"),
            ),
            ("moved", _("{moved:.1f} cm", moved=100 * self.moved), _("at most")),
        ]
        # Without the rows that have no figure before or after.
        no_figures = _before_and_after(None, None, "")
        lines = [
            self.animation.title,
            *(
                f"  {name:<12}{figures:<22}{meaning}"
                for name, figures, meaning in rows
                if figures != no_figures
            ),
        ]
        if self.animation.pattern:
            lines.append(f"  {'settings':<12}{self.animation.settings}")
        return "\n".join(lines)

    def as_data(self) -> dict[str, Any]:
        """JSON data, in units of [°] and [m]."""
        settings = self.animation.settings if self.animation.pattern else None
        figures = {"before": asdict(self.before), "after": asdict(self.after), "moved": self.moved}
        return {"text": self.animation.text, "settings": settings, **figures}


def optimise(animation: Animation, goal: float = GOAL, budget: float = BUDGET) -> Optimised:
    """Move throws and catches, as little as serves, until props have the wanted clearance.

    Passes, bounces, clubs and rings count with their true shapes and paths, as in the analysis.
    The clearance between props is never less than before, nor the gap to bodies where that is less
    than 4 cm, and hands reach as far. Where no better places are found, the animation stays as it
    is.

    Args:
        animation: what is juggled; people who vary count as if they did not.
        goal: the clearance that is wanted, [m].
        budget: how far a place may move outward or forward, [m]; it moves 0.6 of that toward the
            body, up and down.

    Raises:
        ParameterError: a goal or budget out of range.
        ChoreographyError: highspy is not installed.
    """
    for name, value in (("goal", goal), ("budget", budget)):
        if not 0.0 < value <= MOST:
            raise ParameterError.of(
                name, f"{100 * value:g} cm", _("above 0 and at most {most:g} cm", most=100 * MOST)
            )

    exact = animation.replace(human=0.0)
    free = FreePlaces.from_animation(exact)
    before = Room.measure(exact)
    unchanged = Optimised(animation, before=before, after=before, moved=0.0)
    if _or_infinite(before.clearance) >= goal:
        return unchanged

    search = _Search(exact, free, goal=goal, budget=budget)
    steps = np.zeros_like(free.start)
    # Search again while the result is worse than before, mostly as props come too near to bodies.
    # Each search begins with the last result, and has constraints for the bodies in its way.
    for attempt in range(_MAX_SEARCHES):
        steps = search.best(steps)
        if not steps.any():
            break
        # If bodies are still in the way at the last attempt, places go only part of the way.
        shares = _LAST_STEP_SHARES if attempt == _MAX_SEARCHES - 1 else (1.0,)
        for share in shares:
            changed = _animation_with_steps(exact, free, share * steps)
            after = Room.measure(changed)
            if after.is_no_worse_than(before):
                return Optimised(
                    Animation(changed.score, animation.parameters),
                    before=before,
                    after=after,
                    moved=float(np.linalg.norm(share * steps, axis=1).max()),
                )
        search = search.away_from_bodies(steps, before.body_floor)
    return unchanged


def optimise_like_juggling_lab(animation: Animation) -> Optimised:
    """Move throws and catches sideways until the margins are greatest.

    A margin is the angle by which two throws may err before their props touch. The least margin is
    made as great as it can be, then the next one, and so on. A pattern gets Juggling Lab's hand
    style first, and `before` of the result is measured without it. Places stay as high and as far
    forward as they are.

    Args:
        animation: of one juggler, without bounces.

    Raises:
        ChoreographyError: passes or bounces, of which its margins do not speak; or highspy is not
            installed.
    """
    # Events that are placed already have no hand style.
    if animation.pattern:
        staging = replace(animation.score.staging, style="juggling-lab")
        animation = Animation(replace(animation.score, staging=staging), animation.parameters)
    margins = Margins.from_animation(animation)
    outward = margins.widest_places()
    # Up and forward stay.
    places = np.column_stack([outward, margins.free.start[:, 1:]])
    changed = Animation(margins.free.moved(places, digits=2), animation.parameters)
    return Optimised(
        changed,
        before=Room.measure(animation),
        after=Room.measure(changed),
        moved=float(np.abs(outward - margins.free.start[:, 0]).max(initial=0.0)),
    )


def _animation_with_steps(animation: Animation, free: FreePlaces, steps: Floats) -> Animation:
    """The animation whose places have moved by some steps, shape (G, 3), [m]."""
    return Animation(free.moved(free.start + steps), animation.parameters)


@dataclass(frozen=True)
class _Search:
    """The search for places by sequential linear programs within a trust region.

    Args:
        animation: as it was before.
        free: its places, G of them.
        goal, budget: as of `optimise`, [m].
        body_gaps: linear functions of the steps, w·s + b [m], that are below the goal where props
            come too near to bodies.
    """

    animation: Animation
    free: FreePlaces
    goal: float
    budget: float
    body_gaps: tuple[LinearFunction, ...] = ()

    def away_from_bodies(self, steps: Floats, floor: float) -> _Search:
        """Return a search that also keeps props away from the bodies to which steps bring them.

        All gaps to bodies up to a little above the floor become linear constraints, beside those
        that this search has.

        Args:
            steps: those at which gaps to bodies are made linear, shape (G, 3), [m].
            floor: the least gap to bodies that is wanted, [m].
        """
        moved = _animation_with_steps(self.animation, self.free, steps)
        gaps, jacobian = _body_gaps(moved, self.free, within=floor + _NEAR_BODIES)
        # A gap at the steps s' is about gap + J(s' − s), and J s' + spare is by how much that is
        # above the floor. Programs maximise the least of all functions up to the goal. So the
        # function goal + weight · (J s' + spare) limits them exactly where a gap is too small, and
        # by the weight it does so more than any gap between props.
        spare = gaps - jacobian @ steps.ravel() - floor - _BODY_SLACK
        weights = _BODY_WEIGHT * jacobian
        constants = self.goal + _BODY_WEIGHT * spare
        new_gaps = map(LinearFunction, weights, constants.tolist())
        return replace(self, body_gaps=(*self.body_gaps, *new_gaps))

    def best(self, steps: Floats) -> Floats:
        """Return the best steps of places that linear programs find, shape (G, 3), [m], to 1 mm.

        Each program moves places within a trust region around the present steps. If the true motion
        is better by its result, this becomes the present steps and the region grows; if not, the
        region is halved. The search ends once the goal is reached, the region is too small or
        `_MAX_PROGRAMS` programs were solved. Steps that reach the goal are shortened as far as the
        goal allows.

        Args:
            steps: those to begin with, shape (G, 3), [m].
        """
        encounters = self._encounters(steps)
        merit = self._gap_less_cost(encounters, steps)  # m, of the true motion
        trust = _FIRST_TRUST
        for _iteration in range(_MAX_PROGRAMS):
            if self._least_gap(encounters, steps) >= self.goal or trust < _LEAST_TRUST:
                break
            new_steps = np.round(self._linear_program_steps(encounters, steps, trust), 3)
            new_encounters = self._encounters(new_steps)
            new_merit = self._gap_less_cost(new_encounters, new_steps)
            if new_merit > merit + _ROUNDING:
                encounters = new_encounters
                steps = new_steps
                merit = new_merit
                trust = min(1.5 * trust, _GREATEST_TRUST)
            else:
                trust /= 2
        # With more room than the goal, smaller steps may serve.
        return self._shortened(steps) if self._least_gap(encounters, steps) >= self.goal else steps

    def _shortened(self, steps: Floats) -> Floats:
        """Multiply steps by the least share with which there is room enough, found by bisection.

        Args:
            steps: of places, with which there is room enough, shape (G, 3), [m].

        Returns:
            Likewise, rounded to 1 mm.
        """
        enough = 1.0
        too_little = 0.0
        for _bisection in range(_SHARE_BISECTIONS):
            share = (enough + too_little) / 2
            shorter = np.round(share * steps, 3)
            if self._least_gap(self._encounters(shorter), shorter) >= self.goal:
                enough = share
            else:
                too_little = share
        return np.round(enough * steps, 3)

    def _encounters(self, steps: Floats) -> _Encounters:
        """The narrow encounters of props once places have moved by some steps, (G, 3), [m]."""
        return _Encounters.find(_animation_with_steps(self.animation, self.free, steps), self.goal)

    def _least_gap(self, encounters: _Encounters, steps: Floats) -> float:
        """The narrowest gap of props at some steps, (G, 3), at most the goal, [m].

        Where props come too near to bodies it is less, by the weighted functions of `body_gaps`.
        """
        body_gaps = (float(gap.weights @ steps.ravel()) + gap.constant for gap in self.body_gaps)
        return min(encounters.least, self.goal, *body_gaps)

    def _gap_less_cost(self, encounters: _Encounters, steps: Floats) -> float:
        """The narrowest gap less the cost of the steps, [m]."""
        return self._least_gap(encounters, steps) - _STEP_COST * float(np.abs(steps).mean())

    def _linear_program_steps(self, encounters: _Encounters, steps: Floats, trust: float) -> Floats:
        """The best steps if gaps were linear in them, shape (G, 3), [m].

        The linear program maximises the narrowest gap, up to the goal, and a little the mean of the
        gaps beyond it, less the cost of the steps.

        Args:
            encounters: those with the present steps.
            steps: the present steps, shape (G, 3), [m].
            trust: how far each coordinate may differ from them, [m].
        """
        least, most = self._step_bounds
        low = np.maximum(least, steps - trust).ravel()
        high = np.minimum(most, steps + trust).ravel()

        # A step is s = s⁺ − s⁻ with both parts from 0 on, so that |s| = s⁺ + s⁻ can have a cost in
        # a linear program. The variables are all s⁺, then all s⁻: w·s becomes (w, −w)·(s⁺, s⁻).
        parts_low = np.concatenate([np.maximum(low, 0.0), np.maximum(-high, 0.0)])
        parts_high = np.concatenate([np.maximum(high, 0.0), np.maximum(-low, 0.0)])
        gaps = [*encounters.linear_gaps(self.free, steps), *([gap] for gap in self.body_gaps)]
        gaps_of_parts = [
            [
                LinearFunction(np.concatenate([weights, -weights]), constant)
                for weights, constant in gap
            ]
            for gap in gaps
        ]
        parts, _narrowest = maximise_least(
            gaps_of_parts,
            low=parts_low,
            high=parts_high,
            cost=np.full(2 * len(low), _STEP_COST / len(low)),
            most=self.goal,
            mean_weight=_MEAN_GAP_WEIGHT,
        )
        positive, negative = np.split(parts, 2)
        return (positive - negative).reshape(-1, 3)

    @cached_property
    def _step_bounds(self) -> tuple[Floats, Floats]:
        """The least and the greatest step of each place, both shape (G, 3), [m].

        Coordinates are outward, up and forward.
        """
        places = len(self.free.start)
        least = -self.budget * np.tile([1.0, _VERTICAL_SHARE, _TOWARD_SHARE], (places, 1))
        most = self.budget * np.tile([1.0, _VERTICAL_SHARE, 1.0], (places, 1))
        # A hand does not come nearer to the middle than `_MIDDLE_GAP`. If it is nearer already, it
        # does not come nearer still.
        to_middle = np.minimum(0.0, _MIDDLE_GAP - self.free.start[:, 0])
        least[:, 0] = np.maximum(least[:, 0], to_middle)
        return least, most


@dataclass(frozen=True)
class _Encounters:
    """Narrow encounters of two props, K of them, in the motion of an animation.

    Args:
        animation: whose motion it is.
        pairs: all pairs of props.
        pair: the index of the pair of each encounter, shape (K,).
        time: when it is narrowest, shape (K,), [s].
        gap: between the surfaces then, shape (K,), [m].
        least: the narrowest gap of any encounter or contact, [m]; a bound if nothing is near.
    """

    animation: Animation
    pairs: PropPairs
    pair: Integers
    time: Floats
    gap: Floats
    least: float

    @classmethod
    def find(cls, animation: Animation, goal: float) -> _Encounters:
        """Find the narrow encounters of an animation.

        Args:
            animation: with its present places.
            goal: the clearance that is wanted, [m]. Encounters wider than it by more than
                `_BEYOND_GOAL`, or than the narrowest one by more than `_BEYOND_NARROWEST`, are left
                out. Contacts that are allowed, as of props in one hand, do not count.
        """
        pairs = PropPairs(animation.motion)
        grid = time_grid(animation.duration)
        reach = goal + _BEYOND_GOAL
        approaches, contacts = find_encounters(pairs, pairs.nearness(reach, grid), grid)
        collision_gaps = contacts.gap[~contacts.contact_allowed]
        least = float(min(approaches.gap.min(initial=reach), collision_gaps.min(initial=reach)))
        is_near = approaches.gap <= min(reach, least + _BEYOND_NARROWEST)
        return cls(
            animation=animation,
            pairs=pairs,
            pair=approaches.pair[is_near],
            time=approaches.time[is_near],
            gap=approaches.gap[is_near],
            least=least,
        )

    def linear_gaps(self, free: FreePlaces, steps: Floats) -> list[list[LinearFunction]]:
        """Return each gap as one linear function of the steps, or as the greater of two.

        The gap is a function of the position of one prop relative to the other. Where it has a kink
        and grows in both directions along an axis, as that of rings in one plane does across the
        plane, there are two functions: one with the slope ahead along that axis, one with that
        back. Along other axes, and for other gaps, the slope is the mean of both.

        Args:
            free: the places.
            steps: those at which the gaps were measured, shape (G, 3), [m].

        Returns:
            For each of the K gaps its functions, with weights of shape (3G,), [m].
        """
        ahead, back = self.pairs.slopes(self.pair, self.time)  # one-sided gradients, (K, 3)
        # Only along the axis with the sharpest kink does a gap get two slopes.
        slope_change = ahead - back
        rows = np.arange(len(slope_change))
        kink_axis = slope_change.argmax(axis=1)
        kink_rows = np.flatnonzero(slope_change[rows, kink_axis] > _LEAST_KINK)
        at_kinks = kink_rows, kink_axis[kink_rows]

        gaps: list[list[LinearFunction]] = [[] for _row in rows]
        # First a function for each gap, with the slope ahead at a kink; then for those with a kink
        # another one, with the slope back.
        for one_sided, linear_rows in ((ahead, rows), (back, kink_rows)):
            gradient = (ahead + back) / 2
            gradient[at_kinks] = one_sided[at_kinks]
            # gap(s') ≈ gap + J(s' − s) = J s' + (gap − J s)
            jacobian = self._jacobian(free, gradient)
            constant = self.gap - jacobian @ steps.ravel()
            for row in linear_rows:
                gaps[row].append(LinearFunction(jacobian[row], float(constant[row])))
        return gaps

    def _jacobian(self, free: FreePlaces, gradient: Floats) -> Floats:
        """Jacobian of the gaps with respect to places, shape (K, 3G), [m/m].

        Args:
            free: the places.
            gradient: of each gap with respect to the first prop's position, shape (K, 3); that with
                respect to the second is its negative.
        """
        motion = self.animation.motion
        first, second = self.pairs.props(self.pair)
        by_first = free.follow(motion, first, self.time, gradient)
        return by_first - free.follow(motion, second, self.time, gradient)


def _body_gaps(animation: Animation, free: FreePlaces, within: float) -> tuple[Floats, Floats]:
    """Narrow gaps of props and bodies, and their Jacobian with respect to places.

    Hands and forearms go along with their places, all else of a body stays.

    Args:
        animation: whose gaps are measured.
        free: the places, G of them.
        within: gaps of this width or more are left out, [m].

    Returns:
        The K gaps, shape (K,), [m], and their Jacobian, shape (K, 3G), [m/m]: the columns of each
        place are outward, up and forward.
    """
    pairs = BodyPairs(animation)
    grid = time_grid(animation.duration)
    candidates = pairs.nearness(within, grid).within(within)
    approaches, _contacts = find_encounters(pairs, candidates, grid)
    is_near = approaches.gap < within
    pair = approaches.pair[is_near]
    time = approaches.time[is_near]

    # Gaps have kinks, so the gradient is the mean of the one-sided ones.
    ahead, back = pairs.slopes(pair, time)
    gradient = (ahead + back) / 2
    prop, limb = pairs.members(pair)
    jacobian = free.follow(animation.motion, prop, time, gradient)

    # The gap depends on the prop's position less that of the limb. An arm moves with the places of
    # its hand, hence the minus; a side below 0 says that the limb is none of an arm.
    side = pairs.side(limb)
    on_arm = side >= 0
    hand = 2 * pairs.juggler(limb[on_arm]) + side[on_arm]
    jacobian[on_arm] -= free.follow_hand(animation.motion, hand, time[on_arm], gradient[on_arm])
    return approaches.gap[is_near], jacobian


def _or_infinite(clearance: float | None) -> float:
    """A clearance, infinite where nothing passes, [m]."""
    return np.inf if clearance is None else clearance


def _clearance(collisions: Collisions, *, with_bodies: bool) -> float | None:
    """The narrowest gap of props, or of props and bodies, [m]; None where nothing passes."""
    gaps = [-hit.overlap for hit in collisions.collisions if (hit.juggler >= 0) is with_bodies]
    miss = collisions.body_miss if with_bodies else collisions.miss
    if miss:
        gaps.append(miss.gap)
    return min(gaps, default=None)


def _before_and_after(before: float | None, after: float | None, unit: str) -> str:
    """Two figures with an arrow between them, such as `1.2 cm → 3.4 cm`.

    Args:
        before, after: the figures, angles in [°] or lengths in [m]; None becomes a dash.
        unit: the text after each figure. With "°" the figures are angles and have two decimals;
            with any other text they are lengths and shown in centimetres, with one decimal.
    """
    scale, decimals = (1, 2) if unit == "°" else (100, 1)
    # Adding 0.0 makes −0.0 a plain 0.0.
    return " → ".join(
        "–" if figure is None else f"{scale * figure + 0.0:.{decimals}f}{unit}"
        for figure in (before, after)
    )
