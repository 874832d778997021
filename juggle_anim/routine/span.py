"""Spans: what plays for some time, continuous with what played before.

A hand goes from where it was, as fast as it was, to its next throw or catch: what is missing at the
start of a span is taken back by a quintic until then, and that makes of a curve of least jerk
another one. What bodies are posed for is mixed with what it was before for some tenths of a second,
and joints are solved for that; so bones keep their length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import BodyPlan, BodyTargets, plan_bodies
from juggle_anim.body.arms.closed_form import SWIVEL_CHANNELS
from juggle_anim.body.trunk_and_legs import ANKLES, POSTURE_CHANNELS
from juggle_anim.choreography import EventKind
from juggle_anim.motion import Frames
from juggle_anim.parameters import Parameters
from juggle_anim.routine.bridge import Bridge
from juggle_anim.routine.playing import Playing
from juggle_anim.tosses.stands import Rest
from juggle_anim.vectors import rotate_about_y, smoother_step, wrap_angle

Kept = TypeVar("Kept", Playing, Bridge, "Span")

MIXING = 0.4
"""How long bodies take to give up how they stood and held their arms before, [s]."""

_LONGEST_FADING = 0.5  # s, at most until a hand or a prop is where its motion has it
_SHORTEST_FADING = 1e-3  # s, at least


@dataclass(frozen=True, eq=False)
class Span:
    """A line from some time on.

    Args:
        line: what plays.
        start: from when, [s]; the first span begins at −∞.
        before: what played until then, if this goes on from it; None after a cut.
        rests: what lay on tables then.
    """

    line: Playing | Bridge
    start: float
    before: Span | None = None
    rests: tuple[Rest, ...] = ()

    @property
    def props(self) -> tuple[int, ...]:
        """For each prop of its motion the number that it has among all."""
        return self.line.props or tuple(range(self.line.motion.choreography.props))

    @property
    def parameters(self) -> Parameters:
        """Those of the animation that plays, or that comes."""
        return (
            self.line.after if isinstance(self.line, Bridge) else self.line
        ).animation.parameters

    @property
    def stages(self) -> tuple[Callable[[], object], ...]:
        """What is computed once, in order."""
        now = np.array([self.start if np.isfinite(self.start) else 0.0])
        return lambda: self.line.motion.palms, lambda: self.plan, lambda: self.frames(now)

    @cached_property
    def plan(self) -> BodyPlan:
        """Slow movements of the bodies."""
        if isinstance(self.line, Playing):
            return self.line.animation.plan
        return plan_bodies(self.line.motion, self.parameters)

    def replaced(self, before: Span | None, changes: Mapping[str, float | str | None]) -> Span:
        """The span with other values of parameters that move neither hands nor bodies; what was
        computed is kept.

        Args:
            before: what then played until its start.
            changes: values by name.
        """
        line = self.line
        own = line.after if isinstance(line, Bridge) else line
        changed = _sharing(own, animation=own.animation.replace(**changes))
        new = _sharing(line, after=changed) if isinstance(line, Bridge) else changed
        return _sharing(self, line=new, before=before)

    def forget(self, with_pattern: bool) -> None:
        """Free the paths of hands and props, perhaps also those of the pattern by itself, which
        others may use.
        """
        if isinstance(self.line, Bridge):
            self.line.__dict__.pop("motion", None)
        elif with_pattern:
            for name in ("motion", "_extent", "look"):
                self.line.animation.__dict__.pop(name, None)

    def frames(self, times: Floats, derivative: int = 0) -> Frames:
        """Hands and props of its motion, as `Motion.sample`, at times of all time."""
        frames = self.line.motion.sample(times - self.line.origin, derivative)
        frames = replace(frames, times=times)
        if self.before is None:
            return frames
        (ends, hands, props, aims), of_props = self._missing, self._ends[1]
        if not (times < self.start + _LONGEST_FADING).any():
            return frames
        since = (times - self.start)[:, None, None]
        shape = frames.hands.shape
        hand = _fading(hands, ends, since, derivative)
        # A prop goes along with the hand that holds it.
        held = np.flatnonzero(self._holders >= 0)
        moved = _fading(props, of_props, since, derivative)
        moved[:, held] += hand[:, self._holders[held]]
        fixed = replace(
            frames, hands=frames.hands + hand.reshape(shape), props=frames.props + moved
        )
        if aims is not None and frames.aims is not None:
            fixed = replace(fixed, aims=frames.aims + _fading(aims, of_props, since, derivative))
        return fixed

    @cached_property
    def _holders(self) -> Integers:
        """The hand that holds each prop at the start, or −1."""
        return self.line.motion.sample(np.array([self.start - self.line.origin])).holders[0]

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        """How long after the start each hand has its next event, and each prop is thrown next,
        [s].
        """
        motion = self.line.motion
        now = self.start - self.line.origin
        events = motion.choreography.events
        loop = motion.duration
        until = (events.time - now) % loop
        hands = np.full(len(motion.choreography.rest), _LONGEST_FADING)
        is_event = events.kind <= EventKind.CATCH
        np.minimum.at(hands, events.hand[is_event], until[is_event])
        hands = np.maximum(hands, _SHORTEST_FADING)
        flight, since, _unused = (values[0] for values in motion.thrown(np.array([now])))
        flights = motion.choreography.flights
        if not len(flights.throw):
            return hands, np.full(len(flight), _LONGEST_FADING)
        left = flights.duration[flight] + flights.carry[flight] - since
        props = np.where(
            flight >= 0, np.clip(left, _SHORTEST_FADING, _LONGEST_FADING), _LONGEST_FADING
        )
        return hands, props

    @cached_property
    def _missing(self) -> tuple[Floats, Floats, Floats, Floats | None]:
        """When hands are as the motion has them; and what is missing at the start, with two
        derivatives.
        """
        assert self.before is not None
        now = np.array([self.start])
        before = self.before
        # Position, velocity and acceleration, as before the start and by the own motion.
        was = [before.frames(now, order) for order in range(3)]
        here = [self.line.motion.sample(now - self.line.origin, order) for order in range(3)]
        # For each prop its row in the frames before; −1 for one that was not juggled then.
        row_before = {prop: row for row, prop in enumerate(before.props)}
        rows = np.array([row_before.get(prop, -1) for prop in self.props], dtype=np.intp)
        lay = {rest.prop: rest for rest in self.rests if rest.appears <= self.start <= rest.until}

        def gap(old: Floats, own: Floats, lying: Callable[[Rest], Floats] | None) -> Floats:
            """How far each prop is from where it was, if it was juggled before or lay somewhere."""
            missing: Floats = np.zeros_like(own[0])
            was_juggled = rows >= 0
            missing[was_juggled] = old[0][rows[was_juggled]] - own[0][was_juggled]
            for row, prop in enumerate(self.props):
                if not was_juggled[row] and prop in lay and lying:
                    missing[row] = lying(lay[prop]) - own[0, row]
            return missing

        bodies = before.line.places(now)[0]
        hands = np.stack(
            [(a.hands - b.hands).reshape(-1, 3) for a, b in zip(was, here, strict=True)]
        )
        lies = (lambda rest: on_table(rest, bodies[rest.juggler]), None, None)
        props = np.stack(
            [gap(a.props, b.props, lie) for a, b, lie in zip(was, here, lies, strict=True)]
        )
        # A held prop is moved with its hand anyway.
        held = np.flatnonzero(self._holders >= 0)
        props[:, held] -= hands[:, self._holders[held]]
        if was[0].aims is None or here[0].aims is None:
            return self._ends[0], hands, props, None
        points = (lambda rest: np.array(rest.aim), None, None)
        turned = []
        for a, b, lie in zip(was, here, points, strict=True):
            if a.aims is not None and b.aims is not None:
                turned.append(gap(a.aims, b.aims, lie))
        turned[0] = wrap_angle(turned[0])
        return self._ends[0], hands, props, np.stack(turned)

    def targets(self, frames: Frames) -> BodyTargets:
        """What bodies are posed for, all jugglers, with the hands of some frames."""
        motion = self.line.motion
        plan = self.plan
        local = replace(frames, times=frames.times - self.line.origin)
        targets = BodyTargets.of(local, motion, self.parameters, plan)
        if plan.shared:
            targets = _for_all(targets, plan.shared.copied)
        mixed = frames.times < self.start + MIXING
        if self.before is None or not mixed.any():
            return targets
        old = self.before.targets(frames)
        share = smoother_step(np.clip((frames.times - self.start) / MIXING, 0.0, 1.0))
        return _mixed(old, targets, share, frames.hands)


def on_table(rest: Rest, body: Floats) -> Floats:
    """Where a prop lies, for a body at a place and with a facing, shape (4,), as `Bodies.places`
    has it, [m].
    """
    body = body if rest.stand is None else rest.stand
    place: Floats = rotate_about_y(rest.position[None], body[3:])[0] + body[:3]
    return place


def _sharing(source: Kept, **changes: object) -> Kept:
    """A copy with other fields and all that was computed for the first."""
    new = copy(source)
    new.__dict__.update(changes)
    return new


def _fading(missing: Floats, ends: Floats, since: Floats, derivative: int) -> Floats:
    """What is missing of N things that are as they should be after some time, shape (T, N, C), or a
    derivative of it.

    Args:
        missing: shape (3, N, C), at first, with two derivatives.
        ends: shape (N,), [s].
        since: shape (T, 1, 1), [s].
        derivative: 0, 1 or 2.
    """
    # A quintic in u = t / T with value, slope and curvature as given at 0, and zero at 1:
    #   a + b u + c u² − (10 a + 6 b + 3 c) u³ + (15 a + 8 b + 3 c) u⁴ − (6 a + 3 b + c) u⁵.
    lasts = ends[:, None]
    a = missing[0]
    b = missing[1] * lasts
    c = missing[2] * lasts * lasts / 2
    terms = [a, b, c, -10 * a - 6 * b - 3 * c, 15 * a + 8 * b + 3 * c, -6 * a - 3 * b - c]
    share = np.minimum(since / lasts, 1.0)
    for _ in range(derivative):
        # d/dt of each power of u; T is the inner derivative.
        terms = [power * term / lasts for power, term in enumerate(terms)][1:]
    # Horner's scheme.
    total = 0.0 * share * a
    for term in reversed(terms):
        total = total * share + term
    return np.where(share < 1.0, total, 0.0)


def _for_all(targets: BodyTargets, copied: Integers) -> BodyTargets:
    """Targets of all jugglers, some of which share theirs."""

    def spread(values: Floats) -> Floats:
        return values.take(copied, axis=1)

    lift = spread(targets.lift) if isinstance(targets.lift, np.ndarray) else targets.lift
    return replace(
        targets,
        hands=spread(targets.hands),
        reach=spread(targets.reach),
        looks=spread(targets.looks),
        turns=spread(targets.turns),
        lift=lift,
        posture=None if targets.posture is None else spread(targets.posture),
    )


def _mixed(old: BodyTargets, new: BodyTargets, share: Floats, hands: Floats) -> BodyTargets:
    """Targets between old and new ones, by shares of the new ones (T,), for hands in the world (T,
    J, 2, 3).
    """

    def mix(a: Floats, b: Floats) -> Floats:
        part = share.reshape(-1, *(1,) * (b.ndim - 1))
        return a + part * (b - a)

    facing = old.facing + share[:, None, None] * wrap_angle(new.facing - old.facing)
    standing = mix(old.standing, new.standing)
    shape = hands.shape[:3]
    feet = None
    if old.feet or new.feet:
        feet_of = [
            targets.feet or (np.broadcast_to(ANKLES, (*shape, 3)), np.zeros(shape))
            for targets in (old, new)
        ]
        feet = mix(feet_of[0][0], feet_of[1][0]), mix(feet_of[0][1], feet_of[1][1])
    guided = None
    if old.guided or new.guided:
        tracks = [_dense(targets, shape) for targets in (old, new)]
        guided = np.arange(2 * shape[1]), mix(*tracks)
    posture = None
    if old.posture is not None or new.posture is not None:
        usual = np.zeros((*shape[:2], POSTURE_CHANNELS))
        posture = mix(
            *(usual if targets.posture is None else targets.posture for targets in (old, new))
        )
    lifts = [
        np.broadcast_to(np.asarray(targets.lift, dtype=float), shape) for targets in (old, new)
    ]
    return BodyTargets(
        hands=rotate_about_y(hands - standing, -facing),
        standing=standing,
        facing=facing,
        reach=mix(old.reach, new.reach),
        looks=mix(old.looks, new.looks),
        turns=mix(old.turns, new.turns),
        lift=mix(*lifts),
        feet=feet,
        guided=guided,
        posture=posture,
        settled=mix(
            *(np.broadcast_to(_settled(targets), (len(share), 1)) for targets in (old, new))
        ),
    )


def _settled(targets: BodyTargets) -> Floats | float:
    """By what share pelvises come down for feet or a posture; those that have neither do not."""
    return targets.settled if targets.feet or targets.posture is not None else 0.0


def _dense(targets: BodyTargets, shape: tuple[int, ...]) -> Floats:
    """The guided elbows of all arms, shape (T, A, `SWIVEL_CHANNELS`)."""
    track = np.zeros((shape[0], 2 * shape[1], SWIVEL_CHANNELS))
    if targets.guided:
        track[:, targets.guided[0]] = targets.guided[1]
    return track
