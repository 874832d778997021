"""Other places of throws and catches, so that props pass each other with more room.

The narrow encounters of the true motion are made linear in the places, a program finds places that
widen the narrowest, and the motion with these is measured; so again, until there is room enough or
nothing widens them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from juggle_anim.analysis.body_pairs import ARM_OF, BodyPairs
from juggle_anim.analysis.collisions import Collisions, find_collisions
from juggle_anim.analysis.encounters import find_encounters, time_grid
from juggle_anim.analysis.prop_solids import PropPairs
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.errors import ChoreographyError, ParameterError
from juggle_anim.language import _
from juggle_anim.optimiser.margins import Bound, Margins, maximise_least
from juggle_anim.optimiser.places import FreePlaces
from juggle_anim.short_repr import ShortRepr

GOAL = 0.10
BUDGET = 0.15
"""The clearance that is wanted, and how far a place may move along each axis, [m]."""

MOST = 1.0
"""The greatest goal and budget, [m]."""

# Encounters farther beyond the goal, or beyond the narrowest, are left out [m]; the verified motion
# has them all.
_BEYOND = 0.04
_WIDER = 0.08

# Moving all places by 1 m costs as much as this share of a metre of clearance; the room of all,
# where that of the narrowest counts as 1.
_PULL = 0.15
_SHARE = 0.2

# Up and down, and toward the body, places move less; the two hands of a juggler stay so far from
# the middle, [m].
_LEVEL_SHARE = 0.6
_TOWARD_SHARE = 0.6
_MIDDLE = 0.02

# Steps of places: the first, the greatest, and those that are not worth a further look, [m].
_FIRST = 0.06
_GREATEST = 0.08
_LEAST = 0.002
_ROUNDS = 16
_HALVINGS = 3

# A result may lose so little to rounding; bodies that are this far away are not in the way, [m].
_SLACK = 1e-4
_CLEAR_OF_BODIES = 0.04

# So much nearer than they may be, bodies take so many times as much off the clearance; they are
# looked at up to so far away, and again so often, [m].
_IN_BODY = 20.0
_NEAR_BODIES = 0.05
_BODY_SLACK = 0.003
_ATTEMPTS = 4

# A gap that grows so much faster ahead than back grows both ways, as a change of its slope.
_KINK = 0.6

_BLENDS = (1.0, 0.8, 0.6, 0.4, 0.2)


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
    def of(cls, animation: Animation) -> Room:
        """Measure an animation."""
        found = find_collisions(animation)
        try:
            margins = Margins.of(animation)
            margin = (
                float(margins.at(margins.free.start[:, 0]).min()) if len(margins.prop) else None
            )
        except ChoreographyError:
            margin = None
        clearance, bodies = (_clearance(found, with_bodies) for with_bodies in (False, True))
        return cls(margin, clearance, bodies, float(animation.gaps.max(initial=0.0)))

    def is_no_worse(self, than: Room) -> bool:
        """Whether neither props nor bodies have less room, and hands come to their places as
        before.
        """
        if _or_far(self.clearance) < _or_far(than.clearance) - _SLACK:
            return False
        bodies = _or_far(self.body_clearance) >= than.body_floor - _SLACK
        return bodies and self.short <= than.short + 10 * _SLACK

    @property
    def body_floor(self) -> float:
        """How near bodies may be instead, [m]: as now, or 4 cm, but no nearer than props pass each
        other.
        """
        return min(_or_far(self.body_clearance), max(_CLEAR_OF_BODIES, self.clearance or 0.0))


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
        words = ["Clearance " + _change(self.before.clearance, self.after.clearance, 100, " cm")]
        if self.before.margin is not None and self.after.margin is not None:
            words.append("margin " + _change(self.before.margin, self.after.margin, 1, "°"))
        return ", ".join(words).replace("-", "−")

    def as_text(self) -> str:
        """A report of a few lines, with units, and the settings that open the result."""
        before = self.before
        after = self.after
        rows = [
            (
                "clearance",
                _change(before.clearance, after.clearance, 100, " cm"),
                _("between props"),
            ),
            (
                "",
                _change(before.body_clearance, after.body_clearance, 100, " cm"),
                _("between props and bodies"),
            ),
            (
                "margin",
                _change(before.margin, after.margin, 1, "°"),
                _("by which throws may err, as in Juggling Lab"),
            ),
            (
                "reach",
                _change(before.short, after.short, 100, " cm"),
                _("by which hands come short"),
            ),
            ("moved", _("{moved:.1f} cm", moved=100 * self.moved), _("at most")),
        ]
        rows = [row for row in rows if row[1] != _change(None, None, 1, "")]
        lines = [
            self.animation.title,
            *(f"  {name:<12}{what:<22}{why}" for name, what, why in rows),
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
    """Move throws and catches, as little as serves, until props pass each other with the clearance
    that is wanted.

    Passes, bounces, clubs and rings count with their true shapes and paths, as in the analysis.
    What has no better places stays as it is: the clearance of props is never less than before, nor
    that of bodies within 4 cm, and hands reach as far.

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
    free = FreePlaces.of(exact)
    before = Room.of(exact)
    search = _Search(exact, free, goal, budget)
    steps = np.zeros_like(free.start)
    for attempt in range(_ATTEMPTS if _or_far(before.clearance) < goal else 0):
        steps = search.best(steps)
        if not steps.any():
            break
        # Where bodies are in the way at last, less of the way is gone.
        for blend in _BLENDS if attempt == _ATTEMPTS - 1 else (1.0,):
            changed = _moved(exact, free, blend * steps)
            after = Room.of(changed)
            if after.is_no_worse(before):
                moved = float(np.linalg.norm(blend * steps, axis=1).max())
                return Optimised(
                    Animation(changed.score, animation.parameters), before, after, moved
                )
        search = search.away_from_bodies(steps, before.body_floor)
    return Optimised(animation, before, before, 0.0)


def optimise_like_juggling_lab(animation: Animation) -> Optimised:
    """Move throws and catches sideways until their least margin is as large as can be, then the
    next, and so on.

    The pattern gets Juggling Lab's hand style.

    Raises:
        ChoreographyError: passes or bounces, of which its margins do not speak; or highspy is not
            installed.
    """
    if animation.pattern:
        staging = replace(animation.score.staging, style="juggling-lab")
        animation = Animation(replace(animation.score, staging=staging), animation.parameters)
    margins = Margins.of(animation)
    sideways = margins.widest()
    places = np.column_stack([sideways, margins.free.start[:, 1:]])
    changed = Animation(margins.free.moved(places, digits=2), animation.parameters)
    moved = float(np.abs(sideways - margins.free.start[:, 0]).max(initial=0.0))
    return Optimised(changed, Room.of(animation), Room.of(changed), moved)


def _moved(animation: Animation, free: FreePlaces, steps: Floats) -> Animation:
    return Animation(free.moved(free.start + steps), animation.parameters)


@dataclass(frozen=True)
class _Search:
    """The search for places.

    Args:
        animation: before.
        free: its places, G of them.
        goal, budget: as of `optimise`.
        bodies: weights and constants of values that are below the goal where props come too near to
            bodies.
    """

    animation: Animation
    free: FreePlaces
    goal: float
    budget: float
    bodies: tuple[Bound, ...] = ()

    def away_from_bodies(self, steps: Floats, floor: float) -> _Search:
        """The search that keeps props so far from bodies [m], as near as these are with some steps,
        shape (G, 3).
        """
        moved = _moved(self.animation, self.free, steps)
        gaps, slopes = _body_slopes(moved, self.free, floor + _NEAR_BODIES)
        spare = gaps - slopes @ steps.ravel() - floor - _BODY_SLACK
        bodies = zip(_IN_BODY * slopes, self.goal + _IN_BODY * spare, strict=True)
        return replace(
            self, bodies=(*self.bodies, *((weights, float(value)) for weights, value in bodies))
        )

    def best(self, steps: Floats) -> Floats:
        """By how much places move, shape (G, 3), [m], from some steps on: those of linear programs,
        each verified.
        """
        now = self._encounters(steps)
        worth = self._worth(now, steps)
        trust = _FIRST
        for _round in range(_ROUNDS):
            if self._least(now, steps) >= self.goal or trust < _LEAST:
                break
            wanted = np.round(self._program(now, steps, trust), 3)
            found = self._encounters(wanted)
            if self._worth(found, wanted) > worth + _SLACK:
                now = found
                steps = wanted
                worth = self._worth(found, wanted)
                trust = min(1.5 * trust, _GREATEST)
            else:
                trust /= 2
        return self._trimmed(steps) if self._least(now, steps) >= self.goal else steps

    def _trimmed(self, steps: Floats) -> Floats:
        """The least share of steps with which there is as much room."""
        enough = 1.0
        short = 0.0
        for _round in range(_HALVINGS):
            share = (enough + short) / 2
            less = np.round(share * steps, 3)
            if self._least(self._encounters(less), less) >= self.goal:
                enough = share
            else:
                short = share
        return np.round(enough * steps, 3)

    def _encounters(self, steps: Floats) -> _Encounters:
        return _Encounters.of(_moved(self.animation, self.free, steps), self.goal)

    def _least(self, encounters: _Encounters, steps: Floats) -> float:
        bodies = (float(weights @ steps.ravel()) + constant for weights, constant in self.bodies)
        return min(encounters.least, self.goal, *bodies)

    def _worth(self, encounters: _Encounters, steps: Floats) -> float:
        return self._least(encounters, steps) - _PULL * float(np.abs(steps).mean())

    def _program(self, now: _Encounters, steps: Floats, trust: float) -> Floats:
        """The best steps, shape (G, 3), if gaps were linear; each differs by at most `trust` from
        what it was.
        """
        least, most = self._bounds
        low, high = (
            each.ravel()
            for each in (np.maximum(least, steps - trust), np.minimum(most, steps + trust))
        )
        # Steps up and steps down are variables of their own, so that both cost.
        below = np.concatenate([np.maximum(low, 0.0), np.maximum(-high, 0.0)])
        above = np.concatenate([np.maximum(high, 0.0), np.maximum(-low, 0.0)])
        values = [*now.values(self.free, steps), *([each] for each in self.bodies)]
        choices = [
            [(np.concatenate([row, -row]), constant) for row, constant in each] for each in values
        ]
        cost = np.full(2 * len(low), _PULL / len(low))
        found, _unused = maximise_least(choices, below, above, cost, self.goal, _SHARE)
        return (found[: len(low)] - found[len(low) :]).reshape(-1, 3)

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        """The least and the greatest step of each place, both shape (G, 3), [m]."""
        least = -self.budget * np.tile(
            [1.0, _LEVEL_SHARE, _TOWARD_SHARE], (len(self.free.start), 1)
        )
        most = self.budget * np.tile([1.0, _LEVEL_SHARE, 1.0], (len(self.free.start), 1))
        least[:, 0] = np.maximum(least[:, 0], np.minimum(0.0, _MIDDLE - self.free.start[:, 0]))
        return least, most


@dataclass(frozen=True)
class _Encounters:
    """Narrow encounters of two props: K pairs with their times [s] and gaps [m], each shape (K,).

    Args:
        least: the narrowest gap, of any encounter and of any contact, [m].
    """

    animation: Animation
    pairs: PropPairs
    pair: Integers
    time: Floats
    gap: Floats
    least: float

    @classmethod
    def of(cls, animation: Animation, goal: float) -> _Encounters:
        """Find them all, up to somewhat beyond the goal [m], and of those not far beyond the
        narrowest.
        """
        pairs = PropPairs(animation.motion)
        grid = time_grid(animation.duration)
        approaches, contacts = find_encounters(pairs, pairs.nearness(goal + _BEYOND, grid), grid)
        hits = contacts.gap[~contacts.contact_allowed]
        least = float(
            min(approaches.gap.min(initial=goal + _BEYOND), hits.min(initial=goal + _BEYOND))
        )
        near = approaches.gap <= min(goal + _BEYOND, least + _WIDER)
        return cls(
            animation,
            pairs,
            approaches.pair[near],
            approaches.time[near],
            approaches.gap[near],
            least,
        )

    def values(self, free: FreePlaces, steps: Floats) -> list[list[Bound]]:
        """Each gap as a function of the steps of places, here shape (G, 3), or as the greater of
        two.

        There are two where it grows in both directions, as that of rings in one plane does across
        it.
        """
        ahead, back = self.pairs.slopes(self.pair, self.time)
        kink = ahead - back
        rows = np.arange(len(kink))
        axis = kink.argmax(axis=1)
        both = kink[rows, axis] > _KINK
        found: list[list[Bound]] = [[] for _ in rows]
        for gradient in (ahead, back):
            direction = (ahead + back) / 2
            direction[rows[both], axis[both]] = gradient[rows[both], axis[both]]
            slopes = self._slopes(free, direction)
            constant = self.gap - slopes @ steps.ravel()
            for row in rows if gradient is ahead else rows[both]:
                found[row].append((slopes[row], float(constant[row])))
        return found

    def _slopes(self, free: FreePlaces, direction: Floats) -> Floats:
        """By how much each gap grows with each place, shape (K, 3G), if it grows so with the first
        prop, (K, 3).
        """
        motion, (one, other) = self.animation.motion, self.pairs.props(self.pair)
        return free.follow(motion, one, self.time, direction) - free.follow(
            motion, other, self.time, direction
        )


def _body_slopes(animation: Animation, free: FreePlaces, within: float) -> tuple[Floats, Floats]:
    """Gaps of props and bodies up to `within` [m], shape (K,), and by how much they grow with each
    place, (K, 3G).

    Hands and forearms go along with their places, all else of a body stays.
    """
    pairs = BodyPairs(animation)
    grid = time_grid(animation.duration)
    motion = animation.motion
    found, _unused = find_encounters(pairs, pairs.nearness(within, grid).within(within), grid)
    near = found.gap < within
    pair = found.pair[near]
    time = found.time[near]
    prop, limb = pairs.members(pair)
    side = np.array(ARM_OF)[limb % len(ARM_OF)]
    away = pairs.slopes(pair, time).mean(axis=0)
    slopes = free.follow(motion, prop, time, away)
    arm = side >= 0
    hand = 2 * (limb[arm] // len(ARM_OF)) + side[arm]
    slopes[arm] -= free.follow_hand(motion, hand, time[arm], away[arm])
    return found.gap[near], slopes


def _or_far(clearance: float | None) -> float:
    return np.inf if clearance is None else clearance


def _clearance(found: Collisions, with_bodies: bool) -> float | None:
    """The narrowest gap of props, or of props and bodies, [m]; None where nothing passes."""
    miss = found.body_miss if with_bodies else found.miss
    gaps = [-hit.overlap for hit in found.collisions if (hit.juggler >= 0) is with_bodies]
    return min([*gaps, *([miss.gap] if miss else [])], default=None)


def _change(before: float | None, after: float | None, scale: float, unit: str) -> str:
    decimals = 2 if unit == "°" else 1
    return " → ".join(
        "–" if each is None else f"{scale * each + 0.0:.{decimals}f}{unit}"
        for each in (before, after)
    )
