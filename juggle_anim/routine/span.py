"""Spans: a line for a stretch of time, continuous with the span before.

A hand goes from where it was, as fast as it was, to its next throw or catch: what is missing at the
start of a span is taken back by a quintic until then, and that makes of a curve of least jerk
another one. What bodies are posed for is mixed with what it was before for some tenths of a second,
and joints are solved for that; so bones keep their length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import BodyPlan, BodyTargets, plan_bodies
from juggle_anim.body.trunk_and_legs import ANKLES, LEG_CHANNELS
from juggle_anim.lazy_dataclass import dataclass, drop_cached, set_cached
from juggle_anim.motion import Frames
from juggle_anim.parameters import Parameters
from juggle_anim.routine.bridge import Bridge, Playing
from juggle_anim.tosses.stands import TableRest
from juggle_anim.vectors import rotate_about_y, smoother_step, wrap_angle

Copied = TypeVar("Copied", Playing, Bridge, "Span")

MIXING = 0.4
"""How long bodies take to give up how they stood and held their arms before, [s]."""

_LONGEST_FADING = 0.5  # s, longest time until a hand or a prop is on its new path
_SHORTEST_FADING = 1e-3  # s, at least


class _Gaps(NamedTuple):
    """Gaps between two spans at the start of the second, with two derivatives in time.

    The first axis of each array is the value, [m] or [rad], and its first and second derivative.

    Attributes:
        hands: gaps of the H hands, shape (3, H, 3), in the world.
        props: gaps of the P props, shape (3, P, 3), in the world.
        aims: gaps of yaw and pitch of props, shape (3, P, 2); None if one span has no aims.
    """

    hands: Floats
    props: Floats
    aims: Floats | None


@dataclass(frozen=True, eq=False)
class Span:
    """A line from a given time on.

    Args:
        line: the line that plays.
        start: start of the span, [s]; the first span begins at −∞.
        before: the span until then, if this one continues it; None after a cut.
        rests: the props on tables then.
    """

    line: Playing | Bridge
    start: float
    before: Span | None = None
    rests: tuple[TableRest, ...] = ()

    @property
    def props(self) -> tuple[int, ...]:
        """The index among all props of each prop of its motion."""
        return self.line.props or tuple(range(self.line.motion.choreography.props))

    @property
    def parameters(self) -> Parameters:
        """Those of the animation that plays, or that comes."""
        return (
            self.line.after if isinstance(self.line, Bridge) else self.line
        ).animation.parameters

    @property
    def stages(self) -> tuple[Callable[[], object], ...]:
        """Functions that compute and cache palms, the plan of bodies and frames, in this order."""
        start = np.array([self.start if np.isfinite(self.start) else 0.0])
        return lambda: self.line.motion.palms, lambda: self.plan, lambda: self.frames(start)

    @cached_property
    def plan(self) -> BodyPlan:
        """Slow movements of the bodies."""
        if isinstance(self.line, Playing):
            return self.line.animation.plan
        return plan_bodies(self.line.motion, self.parameters)

    def replaced(self, before: Span | None, changes: Mapping[str, float | str | None]) -> Span:
        """The span with other values of parameters that move neither hands nor bodies.

        Paths of hands and bodies that were computed already are kept, as they stay the same.

        Args:
            before: the changed span that plays until the start of this one; None after a cut.
            changes: values by the names of parameters.
        """
        # The parameters are those of the animation of a pattern, which a bridge leads to.
        line = self.line
        playing = line.after if isinstance(line, Bridge) else line
        changed = _copy_with_cache(playing, animation=playing.animation.replace(**changes))
        new_line = _copy_with_cache(line, after=changed) if isinstance(line, Bridge) else changed
        return _copy_with_cache(self, line=new_line, before=before)

    def forget(self, *, with_pattern: bool) -> None:
        """Free the paths of hands and props, which are computed again when needed.

        Args:
            with_pattern: whether to free those of a pattern, too, which other spans may share.
        """
        if isinstance(self.line, Bridge):
            drop_cached(self.line, "motion")
        elif with_pattern:
            drop_cached(self.line.animation, "motion", "_extent", "look")

    def frames(self, times: Floats, derivative: int = 0) -> Frames:
        """Positions of hands and props in the world, [m], continuous with the span before.

        By itself, the motion of this span begins somewhere else than the span before ended. That
        gap, span before minus this one, is measured at the start for each hand and prop. It is
        added to the motion and fades to 0 within half a second, for each in a time of its own. A
        prop that is held at the start gets the gap of the hand that holds it, and its own gap
        relative to that hand. After a cut there is no span before, and nothing is added.

        Args:
            times: shape (T,), [s], absolute.
            derivative: 0 for positions, 1 for velocities, 2 for accelerations.
        """
        # The motion by itself; its own time 0 is at `origin`.
        frames = self.line.motion.sample(times - self.line.origin, derivative)
        frames = replace(frames, times=times)
        if self.before is None:
            return frames
        # Gaps of hands, props and their aims, with two derivatives; and how long each fades, s.
        gaps = self._gaps_at_start
        hand_fade_times, prop_fade_times = self._fade_times
        # After the longest fading nothing is left to add.
        if not (times < self.start + _LONGEST_FADING).any():
            return frames
        since_start = times - self.start
        shape = frames.hands.shape
        # What is left of the gaps at the T times, or a derivative of it: hands (T, H, 3), props
        # (T, P, 3).
        hand_offsets = _fading_gap(gaps.hands, hand_fade_times, since_start, derivative)
        prop_offsets = _fading_gap(gaps.props, prop_fade_times, since_start, derivative)
        # Gaps of held props are relative to the hands that hold them at the start: `_holders` has
        # the hand of each prop, −1 for none.
        held = np.flatnonzero(self._holders >= 0)
        prop_offsets[:, held] += hand_offsets[:, self._holders[held]]
        moved = replace(
            frames,
            hands=frames.hands + hand_offsets.reshape(shape),
            props=frames.props + prop_offsets,
        )
        if gaps.aims is not None and frames.aims is not None:
            aim_offsets = _fading_gap(gaps.aims, prop_fade_times, since_start, derivative)
            moved = replace(moved, aims=frames.aims + aim_offsets)
        return moved

    @cached_property
    def _holders(self) -> Integers:
        """The hand, 2 · juggler + side, that holds each prop at the start; −1 if none does."""
        return self.line.motion.sample(np.array([self.start - self.line.origin])).holders[0]

    @cached_property
    def _fade_times(self) -> tuple[Floats, Floats]:
        """Times from the start until the gaps of hands and of props have faded, [s].

        A gap is how far a hand or prop at the start of this span is from where the span before had
        it. That of a hand fades until its next throw or catch, that of a prop until its next throw.
        All times are from `_SHORTEST_FADING` to `_LONGEST_FADING`, which is also that of hands
        without events and of props that are never thrown.

        Returns:
            The times of the H hands, shape (H,), and those of the P props, shape (P,).
        """
        motion = self.line.motion
        now = self.start - self.line.origin  # in the line's own time, s
        events = motion.choreography.events
        loop = motion.duration
        until_event = (events.time - now) % loop
        hand_times = np.full(len(motion.choreography.rest), _LONGEST_FADING)
        # Points that a hand only passes do not count.
        is_event = events.is_throw_or_catch
        np.minimum.at(hand_times, events.hand[is_event], until_event[is_event])
        hand_times = np.maximum(hand_times, _SHORTEST_FADING)

        # By prop: the flight that it makes, or after which it is held (below 0 for none), and the
        # time since its throw.
        last_throws = motion.last_throws_at(np.array([now]))
        flight = last_throws.flight[0]
        since_throw = last_throws.since[0]
        flights = motion.choreography.flights
        if not len(flights.throw):
            return hand_times, np.full(len(flight), _LONGEST_FADING)
        until_throw = flights.duration[flight] + flights.carry[flight] - since_throw
        prop_times = np.where(
            flight >= 0, np.clip(until_throw, _SHORTEST_FADING, _LONGEST_FADING), _LONGEST_FADING
        )
        return hand_times, prop_times

    @cached_property
    def _gaps_at_start(self) -> _Gaps:
        """The gaps at the start: values of the span before, minus those of this one by itself.

        A prop that was not juggled before has the gap from where it lay on a table, with
        derivatives 0, or no gap at all if it lay nowhere. The gap of a held prop is the one that it
        has beyond that of its hand.
        """
        assert self.before is not None
        now = np.array([self.start])
        before = self.before
        # Position, velocity and acceleration, of the span before and of this motion by itself.
        old_frames = [before.frames(now, order) for order in range(3)]
        own_frames = [self.line.motion.sample(now - self.line.origin, order) for order in range(3)]
        # Each span has rows for its own props. Those of this span that were juggled before have a
        # row in either.
        old_row_of_prop = {prop: row for row, prop in enumerate(before.props)}
        own_rows = [row for row, prop in enumerate(self.props) if prop in old_row_of_prop]
        old_rows = [old_row_of_prop[self.props[row]] for row in own_rows]
        # Of the others, those that lie on tables at the start, by row of this span: a rest is the
        # time in which a prop lies there.
        rest_of_prop = {
            rest.prop: rest for rest in self.rests if rest.appears <= self.start <= rest.until
        }
        rest_of_row = {
            row: rest_of_prop[prop]
            for row, prop in enumerate(self.props)
            if prop in rest_of_prop and prop not in old_row_of_prop
        }

        def gaps_of_props(
            old: Sequence[Floats], own: Sequence[Floats], values_at_rest: dict[int, Floats]
        ) -> Floats:
            """The gaps of P props with C coordinates and their two derivatives, shape (3, P, C).

            Args:
                old: values, first and second derivatives in the span before, shape (1, …, C) each.
                own: values of this motion, shape (1, P, C) each.
                values_at_rest: by own row, the values of props that lie on tables.
            """
            gaps = np.zeros((3, *own[0].shape[1:]))
            for order in range(3):
                gaps[order, own_rows] = old[order][0, old_rows] - own[order][0, own_rows]
            for row, value in values_at_rest.items():
                gaps[0, row] = value - own[0][0, row]
            return gaps

        hands = np.stack(
            [
                (old.hands - own.hands).reshape(-1, 3)
                for old, own in zip(old_frames, own_frames, strict=True)
            ]
        )
        bodies = before.line.places(now)[0]  # where jugglers stand, shape (J, 4)
        props = gaps_of_props(
            [frames.props for frames in old_frames],
            [frames.props for frames in own_frames],
            {row: on_table(rest, bodies[rest.juggler]) for row, rest in rest_of_row.items()},
        )
        # `frames` moves a held prop along with its hand, so only the remainder is its own gap.
        held = np.flatnonzero(self._holders >= 0)
        props[:, held] -= hands[:, self._holders[held]]

        # Yaw and pitch of props; balls have none.
        old_aims = [frames.aims for frames in old_frames if frames.aims is not None]
        own_aims = [frames.aims for frames in own_frames if frames.aims is not None]
        if not old_aims or not own_aims:
            return _Gaps(hands, props, aims=None)
        aims = gaps_of_props(
            old_aims, own_aims, {row: np.array(rest.aim) for row, rest in rest_of_row.items()}
        )
        # The shorter way round. Derivatives of an angle do not depend on whole turns.
        aims[0] = wrap_angle(aims[0])
        return _Gaps(hands, props, aims)

    def targets(self, frames: Frames) -> BodyTargets:
        """The targets for which all bodies are posed, at T times.

        For `MIXING` seconds from the start they go over smoothly from those of the span before.

        Args:
            frames: hands and props in the world, at absolute times, [s].
        """
        motion = self.line.motion
        plan = self.plan  # slow movements of the bodies over a loop
        # At the times of the line, whose own time 0 is at `origin`.
        local = replace(frames, times=frames.times - self.line.origin)
        targets = BodyTargets.from_plan(local, motion, self.parameters, plan, self.line.origin)
        # Of jugglers who do the same, a plan holds one; `pose_index` is the one whom each copies.
        if plan.shared:
            targets = _spread_to_all_jugglers(targets, plan.shared.pose_index)
        is_mixing = frames.times < self.start + MIXING
        if self.before is None or not is_mixing.any():
            return targets
        old = self.before.targets(frames)
        share = smoother_step(np.clip((frames.times - self.start) / MIXING, 0.0, 1.0))
        return _mixed_targets(old, targets, share, frames.hands)


def on_table(rest: TableRest, body: Floats) -> Floats:
    """Return the position of a prop on a table in the world, shape (3,), [m].

    Args:
        rest: the prop; its own `stand`, if known, goes before `body`.
        body: x, y, z under the juggler's feet [m] and turn about +y [rad], shape (4,).
    """
    body = body if rest.stand is None else rest.stand
    position: Floats = rotate_about_y(rest.position[None], body[3:])[0] + body[:3]
    return position


def _copy_with_cache(source: Copied, **changes: object) -> Copied:
    """Return a copy with given fields replaced, and with all cached properties of the original.

    `dataclasses.replace` would drop cached properties.
    """
    new = copy(source)
    set_cached(new, **changes)
    return new


def _fading_gap(gaps: Floats, fade_times: Floats, since_start: Floats, derivative: int) -> Floats:
    """Quintic blends from N gaps to 0, or a derivative of them in time.

    A gap is the distance of a hand or a prop from its new path, after a change of motion. At the
    start value, velocity and acceleration are those given; at the end of the fading all three are
    0, and they stay so.

    Args:
        gaps: shape (3, N, C): value, velocity and acceleration at the start, of C coordinates.
        fade_times: shape (N,), how long each takes to fade, [s].
        since_start: shape (T,), times since the start, [s], 0 or more.
        derivative: 0, 1 or 2.

    Returns:
        Shape (T, N, C), in the unit of the gaps or of their derivative.
    """
    # A quintic in u = t / T with value, slope and curvature as given at 0, and zero at 1:
    #   a + b u + c u² − (10 a + 6 b + 3 c) u³ + (15 a + 8 b + 3 c) u⁴ − (6 a + 3 b + c) u⁵.
    fade_time = fade_times[:, None]  # T
    a = gaps[0]
    b = gaps[1] * fade_time
    c = gaps[2] * fade_time * fade_time / 2
    terms = [a, b, c, -10 * a - 6 * b - 3 * c, 15 * a + 8 * b + 3 * c, -6 * a - 3 * b - c]
    u = np.minimum(since_start[:, None, None] / fade_time, 1.0)
    for _ in range(derivative):
        # d/dt of each power of u; T is the inner derivative.
        terms = [power * term / fade_time for power, term in enumerate(terms)][1:]
    # Horner's scheme.
    total = 0.0 * u * a
    for term in reversed(terms):
        total = total * u + term
    # After the end, also all derivatives are 0.
    return np.where(u < 1.0, total, 0.0)


def _spread_to_all_jugglers(targets: BodyTargets, copied: Integers) -> BodyTargets:
    """Targets of all jugglers, from those that were planned once for all who do the same.

    Targets that have an item for each juggler already, such as where they stand, are left as they
    are.

    Args:
        targets: what hands, trunk, eyes, arms, fingers and legs of the planned jugglers are to do;
            arrays with the axes (time, planned juggler, …).
        copied: for each juggler, the index among the planned ones of the one that is copied.
    """

    def spread(values: Floats) -> Floats:
        """Values of all jugglers, along the second axis."""
        return values.take(copied, axis=1)

    return replace(
        targets,
        hands=spread(targets.hands),
        trunk=spread(targets.trunk),
        looks=spread(targets.looks),
        turns=spread(targets.turns),
        digits=spread(targets.digits),
        legs=None if targets.legs is None else spread(targets.legs),
        poles=None if targets.poles is None else spread(targets.poles),
    )


def _mixed_targets(old: BodyTargets, new: BodyTargets, share: Floats, hands: Floats) -> BodyTargets:
    """Targets between old and new ones, at T times, for J jugglers.

    Hands are not mixed, as they are continuous already. They are only turned from the world into
    the frames of the mixed bodies.

    Args:
        old: the targets of the span before: where bodies stand and face, and what their hands,
            trunk, eyes, arms, fingers and legs are to do; arrays with the axes (T, J, …).
        new: the targets of this span, of the same form.
        share: share of the new ones, from 0 to 1, shape (T,).
        hands: positions of hands in the world, shape (T, J, 2, 3), [m].
    """

    def mix(old_values: Floats, new_values: Floats) -> Floats:
        """Linear between both, with the share along the first axis."""
        share_of_new = share.reshape(-1, *(1,) * (new_values.ndim - 1))
        return old_values + share_of_new * (new_values - old_values)

    # Angles go the shorter way round.
    facing = old.facing + share[:, None, None] * wrap_angle(new.facing - old.facing)
    standing = mix(old.standing, new.standing)
    shape = hands.shape[:3]

    # Where only one of both has feet, poles of elbows or lifted legs, the other has the usual ones.
    feet = None
    if old.feet or new.feet:
        usual_feet = np.broadcast_to(ANKLES, (*shape, 3)), np.zeros(shape)
        old_positions, old_angles = old.feet or usual_feet
        new_positions, new_angles = new.feet or usual_feet
        feet = mix(old_positions, new_positions), mix(old_angles, new_angles)
    poles = None
    if old.poles is not None or new.poles is not None:
        none = np.zeros((*shape, 3))
        poles = mix(*(none if targets.poles is None else targets.poles for targets in (old, new)))
    legs = None
    if old.legs is not None or new.legs is not None:
        standing_legs = np.zeros((*shape[:2], LEG_CHANNELS))
        legs = mix(
            *(standing_legs if targets.legs is None else targets.legs for targets in (old, new))
        )
    return BodyTargets(
        # From the world to the frames of the bodies.
        hands=rotate_about_y(hands - standing, -facing),
        standing=standing,
        facing=facing,
        lids=mix(old.lids, new.lids),
        trunk=mix(old.trunk, new.trunk),
        looks=mix(old.looks, new.looks),
        turns=mix(old.turns, new.turns),
        digits=mix(old.digits, new.digits),
        heels=mix(old.heels, new.heels),
        feet=feet,
        poles=poles,
        legs=legs,
    )
