"""Routines: what jugglers do from the start of a session on, patterns one after another.

A `Span` is a pattern, or the bridge between two, over a stretch of time. It continues the span
before: a hand goes from where it was, as fast as it was, to its next throw or catch. The gap
between both paths at the start of the span fades by a quintic until then, so a curve of least jerk
stays one. The targets of bodies are mixed with those before for some tenths of a second, and joints
are solved for the mixed targets, so bones keep their length.

A table rises from the floor while props lie on it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import (
    ANKLES,
    JOINTS,
    LEG_CHANNELS,
    BodyPlan,
    BodyTargets,
    Pose,
    plan_bodies,
    pose_targets,
)
from juggle_anim.choreography import MAX_HOLD, PropLook, Score
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass, drop_cached, set_cached
from juggle_anim.motion import (
    CLUB_WIDTH,
    Frames,
    Motion,
    PropShapes,
    aim_directions,
    prop_shapes,
)
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern, Throw, catching_hand, hand_of
from juggle_anim.routine.bridge import Bridge, Line, Playing, bridge_to, in_body_frame
from juggle_anim.scene import (
    Camera,
    Scene,
    Sphere,
    ball_rows,
    board_table,
    club_capsules,
    compose,
    prop_colours,
    ring_rows,
)
from juggle_anim.tosses import LYING_HEIGHT, Clock, Loop, TableRest, sampled_keyframes, wrapped_loop
from juggle_anim.vectors import rotate_about_y, smooth_step, smoother_step, wrap_angle

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

    line: Line
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
        # The parameters are those of the animation of a pattern; a bridge has those of the pattern
        # to which it leads.
        old_line = self.line
        playing = old_line.after if isinstance(old_line, Bridge) else old_line
        animation = playing.animation.with_values(**changes)
        line: Line = _copy_with_cache(playing, animation=animation)
        if isinstance(old_line, Bridge):
            line = _copy_with_cache(old_line, after=line)
        return _copy_with_cache(self, line=line, before=before)

    def forget(self, *, with_pattern: bool) -> None:
        """Free the paths of hands and props, which are computed again when needed.

        Args:
            with_pattern: whether to free those of a pattern, too, which other spans may share.
        """
        if isinstance(self.line, Bridge):
            drop_cached(self.line, "motion")
        elif with_pattern:
            drop_cached(self.line.animation, "motion", "_outermost_points", "look")

    def frames(self, times: Floats, derivative: int = 0) -> Frames:
        """Positions of hands and props in the world, [m], continuous with the span before.

        A span is what plays from a given time on: a pattern, or a bridge to one. The motion of this
        span by itself does not begin where the span before ended. A gap is the position in the span
        before minus that in this one, at the start, for each hand and prop.

        - Gaps are added to the motion, and fade to 0 within half a second, each in its own time.
        - A prop that is held at the start gets the gap of the hand that holds it, and its own gap
          relative to that hand.
        - After a cut there is no span before, and nothing is added.

        A bridge is what is juggled between two patterns, to get from one into the other.

        Args:
            times: T times, shape (T,), [s], absolute.
            derivative: 0 for positions, 1 for velocities, 2 for accelerations.
        """
        # The motion by itself; its own time 0 is at `origin`.
        frames = self.line.motion.sample(times - self.line.origin, derivative)
        frames = replace(frames, times=times)
        if self.before is None:
            return frames
        # Gaps of hands, props and their aims, with two derivatives; and how long each fades, [s].
        gaps = self._gaps_at_start
        hand_fade_times, prop_fade_times = self._fade_times
        # After the longest fading nothing is left to add.
        if not (times < self.start + _LONGEST_FADING).any():
            return frames
        since_start = times - self.start
        hands_shape = frames.hands.shape
        # What is left of the gaps at the T times, or a derivative of it: hands (T, H, 3), props
        # (T, P, 3).
        hand_offsets = _fading_gap(gaps.hands, hand_fade_times, since_start, derivative)
        prop_offsets = _fading_gap(gaps.props, prop_fade_times, since_start, derivative)
        # Gaps of held props are relative to the hands that hold them at the start: `_holders` has
        # the hand of each prop, −1 for none.
        held_props = np.flatnonzero(self._holders >= 0)
        prop_offsets[:, held_props] += hand_offsets[:, self._holders[held_props]]
        moved = replace(
            frames,
            hands=frames.hands + hand_offsets.reshape(hands_shape),
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

        A span is what plays from a given time on: a pattern, or a bridge, the throws between two;
        this is its `line`. A gap is how far a hand or prop at the start of this span is from where
        the span before had it.

        - The gap of a hand fades until its next throw or catch.
        - The gap of a prop fades until its next throw.
        - All times are clipped to the range from `_SHORTEST_FADING` (1 ms) to `_LONGEST_FADING`
          (0.5 s). Hands that neither throw nor catch, and props that are never thrown, get the
          longest time.

        Returns:
            The times of the H hands, shape (H,), and those of the P props, shape (P,).
        """
        motion = self.line.motion
        now = self.start - self.line.origin  # in the line's own time, [s]
        until_event = _times_until_events(motion, now)
        until_throw = _times_until_throws(motion, now)
        return (
            np.clip(until_event, _SHORTEST_FADING, _LONGEST_FADING),
            np.clip(until_throw, _SHORTEST_FADING, _LONGEST_FADING),
        )

    def _rests_at_start(self) -> dict[int, TableRest]:
        """The rests of props that lie on tables as this span starts, by their rows in this span.

        A rest is the time in which a prop lies on a table. Its end counts, too, as a prop that is
        picked up at the very start still comes from its table.
        """
        rest_of_prop = {
            rest.prop: rest for rest in self.rests if rest.appears <= self.start <= rest.until
        }
        return {
            row: rest_of_prop[prop] for row, prop in enumerate(self.props) if prop in rest_of_prop
        }

    @cached_property
    def _gaps_at_start(self) -> _Gaps:
        """The gaps at the start: values of the span before, minus those of this one by itself.

        A span is what plays from a given time on: a pattern, or a bridge. The gap of a prop that is
        held at the start is that relative to its hand. A prop that was not juggled before has the
        gap from where it lay on a table, with derivatives 0, or no gap at all if it lay nowhere.
        """
        assert self.before is not None
        start_times = np.array([self.start])
        before = self.before
        # Position, velocity and acceleration, of the span before and of this motion by itself.
        old_frames = [before.frames(start_times, order) for order in range(3)]
        own_frames = [
            self.line.motion.sample(start_times - self.line.origin, order) for order in range(3)
        ]
        # Each span has rows for its own props. Those of this span that were juggled before have a
        # row in either: the row there by the row here.
        old_row_of_prop = {prop: row for row, prop in enumerate(before.props)}
        old_row_of_own_row = {
            row: old_row_of_prop[prop]
            for row, prop in enumerate(self.props)
            if prop in old_row_of_prop
        }
        # Of the others, those that lie on tables at the start, by row of this span.
        rest_of_row = {
            row: rest
            for row, rest in self._rests_at_start().items()
            if row not in old_row_of_own_row
        }

        hands = np.stack(
            [
                (old.hands - own.hands).reshape(-1, 3)
                for old, own in zip(old_frames, own_frames, strict=True)
            ]
        )
        bodies = before.line.places(start_times)[0]  # where jugglers stand, shape (J, 4)
        props = _prop_gaps(
            [frames.props for frames in old_frames],
            [frames.props for frames in own_frames],
            old_row_of_own_row,
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
        aims = _prop_gaps(
            old_aims,
            own_aims,
            old_row_of_own_row,
            {row: np.array(rest.aim) for row, rest in rest_of_row.items()},
        )
        # The shorter way round. Derivatives of an angle do not depend on whole turns.
        aims[0] = wrap_angle(aims[0])
        return _Gaps(hands, props, aims)

    def targets(self, frames: Frames) -> BodyTargets:
        """The targets for which all bodies are posed: where hands, trunk, eyes and feet should be.

        A span is what plays from a given time on: a pattern, or a bridge. For `MIXING` (0.4)
        seconds from its start, targets go over smoothly from those of the span before.

        Args:
            frames: hands and props in the world, at T absolute times, [s].
        """
        motion = self.line.motion
        plan = self.plan  # slow movements of the bodies over a loop
        # At the times of the line, whose own time 0 is at `origin`.
        local = replace(frames, times=frames.times - self.line.origin)
        targets = BodyTargets.from_plan(local, motion, self.parameters, plan, self.line.origin)
        # Of jugglers who make the same movements, a plan has only one; `pose_index` says for each
        # juggler which one that is.
        if plan.shared:
            targets = _spread_to_all_jugglers(targets, plan.shared.pose_index)
        is_mixing = frames.times < self.start + MIXING
        if self.before is None or not is_mixing.any():
            return targets
        old = self.before.targets(frames)
        share = smoother_step((frames.times - self.start) / MIXING)
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


def _times_until_events(motion: Motion, now: float) -> Floats:
    """The time from a moment until the next throw or catch of each of H hands, shape (H,), [s].

    Points that a hand only passes do not count. For hands without events it is ∞.

    Args:
        motion: a motion that repeats.
        now: the moment, in the motion's own time, [s].
    """
    events = motion.choreography.events
    until_event = (events.time - now) % motion.duration
    hand_times = np.full(len(motion.choreography.rest), np.inf)
    is_event = events.is_throw_or_catch
    np.minimum.at(hand_times, events.hand[is_event], until_event[is_event])
    return hand_times


def _times_until_throws(motion: Motion, now: float) -> Floats:
    """The time from a moment until the next throw of each of P props, shape (P,), [s].

    For props that are never thrown it is ∞.

    Args:
        motion: a motion that repeats.
        now: the moment, in the motion's own time, [s].
    """
    # By prop: the flight that it makes, or after which it is held, and the time since its throw.
    last_throws = motion.last_throws_at(np.array([now]))
    flight = last_throws.flight[0]
    since_throw = last_throws.since[0]
    until_throw = np.full(len(flight), np.inf)
    is_thrown = flight >= 0  # below 0 for props without a flight
    flights = motion.choreography.flights
    thrown = flight[is_thrown]
    # It flies, and is then carried to its next throw.
    between_throws = flights.duration[thrown] + flights.carry[thrown]
    until_throw[is_thrown] = between_throws - since_throw[is_thrown]
    return until_throw


def _prop_gaps(
    old: Sequence[Floats],
    own: Sequence[Floats],
    old_row_of_own_row: Mapping[int, int],
    values_at_rest: Mapping[int, Floats],
) -> Floats:
    """The gaps of P props with C coordinates at the start of a span, shape (3, P, C).

    A span is what plays from a given time on. A gap is a value in the span before minus that in
    this one. The first axis is the value, and its first and second derivative. Props in neither
    mapping have gaps of 0.

    Args:
        old: value, first and second derivative in the span before, shape (1, props there, C) each.
        own: the same in this span by itself, shape (1, P, C) each.
        old_row_of_own_row: for props that are in both spans, by index in `own`, the index in `old`.
        values_at_rest: for props that lie on tables before, by index in `own`, the value there,
            shape (C,); it does not change.
    """
    gaps = np.zeros((3, *own[0].shape[1:]))
    own_rows = list(old_row_of_own_row)
    old_rows = list(old_row_of_own_row.values())
    for order in range(3):
        gaps[order, own_rows] = old[order][0, old_rows] - own[order][0, own_rows]
    # From rest only the value has a gap, and its derivatives have none.
    for row, value in values_at_rest.items():
        gaps[0, row] = value - own[0][0, row]
    return gaps


def _fading_gap(gaps: Floats, fade_times: Floats, since_start: Floats, derivative: int) -> Floats:
    """Quintic blends from N gaps to 0, or a derivative of them in time.

    A gap is the distance of a hand or a prop from its new path, after a change of motion. At the
    start value, velocity and acceleration are those given; at the end of the fading all three are
    0, and they stay so.

    Args:
        gaps: shape (3, N, C): value, velocity and acceleration at the start, of C coordinates.
        fade_times: shape (N,), how long each takes to fade, [s].
        since_start: shape (T,) for T times, times since the start, [s], 0 or more.
        derivative: 0, 1 or 2.

    Returns:
        Shape (T, N, C), in the unit of the gaps or of their derivative.
    """
    # A quintic in u = t / τ, with the fade time τ; value, slope and curvature are as given at 0,
    # and zero at 1:
    #   a + b u + c u² − (10 a + 6 b + 3 c) u³ + (15 a + 8 b + 3 c) u⁴ − (6 a + 3 b + c) u⁵.
    fade_time = fade_times[:, None]  # τ
    a = gaps[0]
    b = gaps[1] * fade_time
    c = gaps[2] * fade_time * fade_time / 2
    terms = [a, b, c, -10 * a - 6 * b - 3 * c, 15 * a + 8 * b + 3 * c, -6 * a - 3 * b - c]
    u = np.minimum(since_start[:, None, None] / fade_time, 1.0)
    for _order in range(derivative):
        # d/dt of each power of u, whose inner derivative is 1 / τ.
        terms = [power * term / fade_time for power, term in enumerate(terms)][1:]
    # Horner's scheme.
    total = np.zeros_like(u * a)
    for term in reversed(terms):
        total = total * u + term
    # After the end, also all derivatives are 0.
    return np.where(u < 1.0, total, 0.0)


def _spread_to_all_jugglers(targets: BodyTargets, copied: Integers) -> BodyTargets:
    """Targets of all jugglers, from those of the jugglers who were planned.

    Of jugglers who make the same movements only one is planned, and the others copy the targets.
    Targets that have an item for each juggler already, such as where jugglers stand, stay as they
    are, and so do those that are None.

    Args:
        targets: what hands, trunk, eyes, arms, fingers and legs of the planned jugglers are to do;
            arrays with the axes (time, planned juggler, …).
        copied: for each juggler, the index among the planned ones of the one that is copied.
    """
    planned = {
        name: getattr(targets, name)
        for name in ("hands", "trunk", "looks", "turns", "digits", "legs", "poles")
    }
    spread = {
        name: values.take(copied, axis=1) for name, values in planned.items() if values is not None
    }
    return replace(targets, **spread)


def _mixed_targets(old: BodyTargets, new: BodyTargets, share: Floats, hands: Floats) -> BodyTargets:
    """Targets between old and new ones, at T times, for J jugglers.

    Hands are not mixed, as they are continuous already. They are only turned from the world into
    the frames of the mixed bodies.

    Args:
        old: the targets of what played before: where bodies stand and face, and what their hands,
            trunk, eyes, arms, fingers and legs are to do; arrays with the axes (T, J, …).
        new: the targets of what plays now, of the same form.
        share: share of the new ones, from 0 to 1, shape (T,).
        hands: positions of hands in the world, shape (T, J, 2, 3), [m].
    """

    def mix(old_values: Floats, new_values: Floats) -> Floats:
        """Linear between both, with the share along the first axis."""
        share_of_new = share.reshape(-1, *(1,) * (new_values.ndim - 1))
        return old_values + share_of_new * (new_values - old_values)

    def mix_optional(
        old_values: Floats | None, new_values: Floats | None, usual: Floats
    ) -> Floats | None:
        """As `mix`, with usual values for one of both that has none; None if neither has any."""
        if old_values is None and new_values is None:
            return None
        return mix(
            usual if old_values is None else old_values,
            usual if new_values is None else new_values,
        )

    # Which way bodies face, shape (T, J, 1), goes the shorter way round; where they stand, shape
    # (T, J, 1, 3), in a straight line.
    facing = old.facing + share[:, None, None] * wrap_angle(new.facing - old.facing)
    standing = mix(old.standing, new.standing)
    shape = hands.shape[:3]  # (T, J, 2): of what each side of a body has

    # Feet, poles (directions in which elbows point) and lifted legs may be None, for the usual
    # ones. If only one of both is None, the usual values stand in for it.
    feet = None
    if old.feet or new.feet:
        usual_feet = np.broadcast_to(ANKLES, (*shape, 3)), np.zeros(shape)
        old_positions, old_angles = old.feet or usual_feet
        new_positions, new_angles = new.feet or usual_feet
        feet = mix(old_positions, new_positions), mix(old_angles, new_angles)
    poles = mix_optional(old.poles, new.poles, usual=np.zeros((*shape, 3)))
    standing_legs = np.zeros((*shape[:2], LEG_CHANNELS))
    legs = mix_optional(old.legs, new.legs, usual=standing_legs)
    mixed: dict[str, Any] = {
        name: mix(getattr(old, name), getattr(new, name))
        for name in ("lids", "trunk", "looks", "turns", "digits", "heels")
    }
    return BodyTargets(
        # From the world to the frames of the bodies.
        hands=rotate_about_y(hands - standing, -facing),
        standing=standing,
        facing=facing,
        feet=feet,
        poles=poles,
        legs=legs,
        **mixed,
    )


RISING = 0.4
"""How long a table takes to rise from the floor, [s], and to go back once nothing lies on it."""

_RISEN_BEFORE_USE = 0.9  # share of the time until the first use in which a table rises at most
_TABLE_NEAR = 0.42  # m, from the body to the edge of its table
_TABLE_SIDES = (-0.40, 0.40)  # m, its ends to the right and to the left
_DEPTH_FOR_BALLS = 0.24  # m, of the board
_DEPTH_FOR_CLUBS = 0.5  # m
_BALL_RADIUS = 0.035  # m, of balls on a table, whose board is this far below their centres
_CLUB_RADIUS = CLUB_WIDTH / 2  # m


def scenes_with_tables(
    scenes: Iterable[Scene],
    span: Span,
    frames: Frames,
    rests: Sequence[TableRest],
    looks: Sequence[PropLook],
) -> Iterator[Scene]:
    """Yield scenes to which tables, and the props that lie on them, are added.

    A span is what plays from a given time on: a pattern, or a bridge. A prop that the span juggles
    is in the scene already, even while it lies; only props that the span does not juggle are added.

    Args:
        scenes: scenes without tables, one for each frame.
        span: what plays: a pattern, or the throws from one into another.
        frames: hands and props of the scenes, at T times.
        rests: props that lie on tables, each from one time until another; a prop has no two rests
            at once.
        looks: looks of all props, by index, with their colours.
    """
    places = span.line.places(frames.times)  # shape (T, J, 4): x, y, z, [m], and facing, [rad]
    motion = span.line.motion
    # Kinds and sizes of all props of the routine, not only of those that the span moves.
    choreography = dataclasses.replace(motion.choreography, looks=tuple(looks))
    shapes = prop_shapes(choreography, span.parameters.prop_diameter / 100)  # from cm to m
    # The index among all props of the routine of each ball of the span. These balls are the first
    # spheres of a scene, in the same order; tables lift those that appear on them.
    ball_indices = [
        prop for prop, kind in zip(span.props, motion.shapes.kind, strict=True) if kind == "ball"
    ]
    for scene, time, bodies in zip(scenes, frames.times.tolist(), places, strict=True):
        with_tables = _with_tables(
            scene,
            time,
            rests,
            bodies,
            ball_indices=ball_indices,
            has_clubs=motion.shapes.has_clubs,  # boards for clubs are deeper
        )
        lying = [
            rest
            for rest in rests
            if rest.appears <= time < rest.until and rest.prop not in span.props
        ]
        yield _with_lying_props(with_tables, lying, bodies, shapes, looks)


def _with_tables(
    scene: Scene,
    time: float,
    rests: Sequence[TableRest],
    bodies: Floats,
    *,
    ball_indices: Sequence[int],
    has_clubs: bool,
) -> Scene:
    """Return a scene with the tables of all jugglers, at the heights to which they have risen.

    Balls of the scene that appear on a table rise and grow together with it.

    Args:
        scene: the scene without tables.
        time: time of the scene, [s].
        rests: props that lie on tables at any time.
        bodies: shape (J, 4) for J jugglers, where each stands: x, y, z, [m], and facing, [rad].
        ball_indices: the index of each ball of the scene among all props, in the order of the
            scene's first spheres, which are these balls.
        has_clubs: whether clubs lie on the tables, which need more room; if not, only balls.

    Returns:
        The scene itself if no table has risen.
    """
    boards = _risen_boards(time, rests, bodies, has_clubs=has_clubs)
    if not boards:
        return scene
    # A ball appears if it was never put down: `since` is −∞. Its height and radius are scaled.
    spheres = scene.spheres.copy()
    height_column = Sphere.CENTRE.start + 1  # y of x, y, z
    for rest in rests:
        appears = not np.isfinite(rest.since)
        if rest.prop in ball_indices and appears and time < rest.shown + RISING:
            sphere_row = ball_indices.index(rest.prop)
            risen_share = raised_share([rest], time)
            spheres[sphere_row, height_column] *= risen_share
            spheres[sphere_row, Sphere.RADIUS] *= risen_share
    # Tables are drawn as capsules; they come after the limbs, which the scene counts.
    limbs = scene.limb_count
    capsules = np.concatenate([scene.capsules[:limbs], *boards, scene.capsules[limbs:]])
    return dataclasses.replace(scene, capsules=capsules, spheres=spheres)


def _risen_boards(
    time: float, rests: Sequence[TableRest], bodies: Floats, *, has_clubs: bool
) -> list[Singles]:
    """The capsules of all tables that have risen from the floor, an array for each.

    Args:
        time: time of the scene, [s].
        rests: props that lie on tables at any time.
        bodies: shape (J, 4) for J jugglers, where each stands: x, y, z, [m], and facing, [rad].
        has_clubs: whether clubs lie on the tables, which need more room; if not, only balls.
    """
    # Props lie on a table with their axes at `LYING_HEIGHT`, so that the board is lower by their
    # radius. It is `board_depth` deep and begins `_TABLE_NEAR` in front of its juggler, [m].
    boards = list[Singles]()
    board_depth = _DEPTH_FOR_CLUBS if has_clubs else _DEPTH_FOR_BALLS
    radius = _CLUB_RADIUS if has_clubs else _BALL_RADIUS
    for juggler in sorted({rest.juggler for rest in rests}):
        rests_of_juggler = [rest for rest in rests if rest.juggler == juggler]
        # From 0, in the floor, to 1, at its height.
        risen_share = raised_share(rests_of_juggler, time)
        if risen_share > 0.0:
            # A table stays where its juggler stood when something was put on it: `stand` of a rest
            # is that position and facing, None before.
            stand = next(
                (rest.stand for rest in rests_of_juggler if rest.stand is not None),
                bodies[juggler],
            )
            depths = _TABLE_NEAR, _TABLE_NEAR + board_depth
            height = risen_share * (LYING_HEIGHT - radius)
            boards.append(board_table(_TABLE_SIDES, depths, height, stand))
    return boards


def _with_lying_props(
    scene: Scene,
    rests: Sequence[TableRest],
    bodies: Floats,
    shapes: PropShapes,
    looks: Sequence[PropLook],
) -> Scene:
    """A scene to which lying props are added: balls as spheres, clubs as capsules, and rings.

    Args:
        scene: scene of one moment.
        rests: the rest of each prop that is added; rows of props come after those of the scene.
        bodies: shape (J, 4) for J jugglers, where each stands: x, y, z, [m], and facing, [rad].
        shapes: kinds and sizes of all props.
        looks: looks of all props, with their colours.
    """
    if not rests:
        return scene
    props = [rest.prop for rest in rests]
    size = shapes.size[props]  # m
    colour = np.array([looks[prop].colour for prop in props], dtype=np.float32)  # sRGB
    # The drawing functions take and return a first axis of moments, here only one.
    centre = np.array([[on_table(rest, bodies[rest.juggler]) for rest in rests]])  # m
    aim = np.array([[rest.aim for rest in rests]])  # yaw and pitch, [rad]
    kind = np.array([shapes.kind[prop] for prop in props])
    ball, ring, club = (np.flatnonzero(kind == shape) for shape in ("ball", "ring", "club"))
    spheres = ball_rows(centre[:, ball], aim[:, ball], size[ball], colour[ball])[0]
    axes = aim_directions([aim[:, club]])
    clubs = club_capsules(centre[:, club], axes, size[club], colour[club])[0]
    rings = ring_rows(centre[:, ring], aim[:, ring, 0], size[ring], colour[ring])[0]
    return dataclasses.replace(
        scene,
        spheres=np.concatenate([scene.spheres, spheres]),
        capsules=np.concatenate([scene.capsules, clubs]),
        club_parts=scene.club_parts + len(clubs),
        # Reshaped, since a scene without rings may have no columns, either.
        rings=np.concatenate([scene.rings.reshape(-1, rings.shape[1]), rings]),
    )


def raised_share(rests: Sequence[TableRest], time: float) -> float:
    """Return the height of a table at a time, [s], as a share of its full height, 0 to 1.

    A rest is the time, from `since` to `until`, in which a prop lies on the table. For each prop
    the table begins to rise at the time `shown`, and takes `RISING` seconds, or less if the prop is
    put down or picked up before that. Once the prop is picked up, it sinks.

    Args:
        rests: rests of the props on one table.
        time: the time.
    """
    share = 0.0
    for rest in rests:
        # The table is used first when the prop is put down, or when it is picked up if it has lain
        # there from the start (`since` is −inf). It has risen before that, however soon it is.
        used = rest.since if np.isfinite(rest.since) else rest.until
        rising_time = min(RISING, _RISEN_BEFORE_USE * (used - rest.shown))
        since_shown = time - rest.shown
        until_sunk = rest.until + RISING - time
        up, down = smooth_step(np.array([since_shown, until_sunk]) / (rising_time, RISING))
        # Of several props, the one that needs the table most.
        share = max(share, float(up * down))
    return share


_BODY_STEP = 0.25  # s, between keyframes of bodies that move
_NOWHERE = np.array([0.0, -10.0, 0.0])  # m, of a prop that is not there: below the floor


@dataclass(frozen=True, eq=False)
class Part:
    """A pattern of a routine.

    Args:
        animation: the animation as it was chosen.
        start: time of the request, [s].
        begins: time of the first changed throw, [s].
        ends: time from which on the pattern plays alone, [s].
        throws: throws of the transition, one text for each beat; empty if none are needed.
        reason: why there is a cut and no transition; empty if there is a transition.
    """

    animation: Animation
    start: float
    begins: float
    ends: float
    throws: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Routine:
    """What a juggler does from the start of a session: patterns one after another, joined by legal
    transitions.

    Times are those of the session, [s]; a change never alters the time before it. Props are
    numbered from 0 on, as long as the session lasts; so colours go with them. What costs time is
    computed when first asked for, or by `prepare`, which another thread may run: until it is done,
    nothing after the change should be drawn.

    Args:
        parts: the patterns, in order.
        spans: what plays, in order.
        looks: the looks of all props by index; a colour of None is that of the palette.
        rests: props that lie on tables.
    """

    parts: tuple[Part, ...]
    spans: tuple[Span, ...]
    looks: tuple[PropLook, ...]
    rests: tuple[TableRest, ...] = ()

    @classmethod
    def of(cls, animation: Animation, start: float = 0.0) -> Routine:
        """The routine of one pattern, whose own time 0 is `start` [s]."""
        choreography = animation.choreography
        props = tuple(range(choreography.props))
        part = Part(animation, start=start, begins=start, ends=start)
        span = Span(Playing(animation, origin=start, props=props), start=-np.inf)
        return cls((part,), (span,), choreography.looks_of_props)

    @classmethod
    def through(
        cls, patterns: Sequence[Animation | str], seconds: float | Sequence[float] = 5.0
    ) -> Routine:
        """The routine of several patterns, one after another, joined as by `changed`.

        Args:
            patterns: animations, or texts as for `animate`.
            seconds: how long each is juggled before the next is asked for, one number for all or
                one for each except the last.

        Raises:
            NotationError: a text is not a valid pattern.
            ParameterError: there are no patterns, or `seconds` is a sequence, but not of one number
                for each pattern except the last.
        """
        if not patterns:
            raise ParameterError(_("a routine needs at least one pattern"))
        # A duration for each pattern except the last.
        durations = (
            [seconds] * (len(patterns) - 1) if isinstance(seconds, int | float) else list(seconds)
        )
        if len(durations) != len(patterns) - 1:
            raise ParameterError(
                _(
                    "{count} patterns need {count2} times, but {count3} were given",
                    count=len(patterns),
                    count2=len(patterns) - 1,
                    count3=len(durations),
                )
            )
        animations = [
            animate(pattern) if isinstance(pattern, str) else pattern for pattern in patterns
        ]
        routine = cls.of(animations[0])
        time = 0.0
        for animation, duration in zip(animations[1:], durations, strict=True):
            time += duration
            routine = routine.changed(time, animation)
        return routine

    def changed(self, time: float, animation: Animation, at_start: bool = False) -> Routine:
        """Go to another pattern by the shortest legal transition, from a time on.

        The first throw that differs is made at least `LEAD` (0.15 s) later, and as soon as the
        transition allows. A change that is asked for while another is still going on replaces the
        part of it that has not happened yet. If no transition can lead to the pattern, as with
        another number of jugglers, it begins at once by a cut, and its `Part` says why.

        Args:
            time: time of the change, [s]; nothing before it changes.
            animation: animation of the pattern.
            at_start: whether it begins with its first throw, which either hand may make if the
                pattern is symmetric; by default it begins wherever that is soonest.
        """
        past = self._until(time)
        reason = past._obstacle_to_join(animation)  # empty if there is none
        if reason:
            return past._cut(time, animation, reason=reason)
        # Two spans more: the bridge (the throws that lead from what plays into the pattern), and
        # the pattern alone from then on. The bridge says where its throws begin, `exit_tick`, and
        # when the pattern goes on alone, `settled_time`.
        last = past.spans[-1]
        bridge = bridge_to(last.line, time, animation, past.rests, past.looks, at_start=at_start)
        middle = Span(bridge, start=time, before=last, rests=past.rests)
        after = Span(bridge.after, start=bridge.settled_time, before=middle)
        part = Part(
            animation,
            start=time,
            begins=bridge.clock.time_at(bridge.exit_tick),
            ends=bridge.settled_time,
            throws=bridge.written,
        )
        return Routine(
            parts=(*past.parts, part),
            spans=(*past.spans, middle, after),
            looks=bridge.looks,
            rests=_table_rests_after_change(last, bridge),
        )

    def cut(self, time: float, animation: Animation) -> Routine:
        """Go to another pattern without a transition: it begins anew at a time [s]."""
        return self._until(time)._cut(time, animation, reason="")

    def replace(self, **changes: float | str | None) -> Routine:
        """The same routine with other values of parameters that move neither hands nor bodies.

        These are parameters of looks, of arms and of speed. They change in all parts and spans. A
        part is a pattern of the routine; a span is what plays from a given time on, a pattern or
        the throws that lead from one into the next.

        Args:
            changes: values by the names of parameters.

        Raises:
            ParameterError: a name that is not in the table, or a value outside its range.
        """
        spans: list[Span] = []
        for span in self.spans:
            # A span goes on from the changed one before it; after a cut, from none.
            spans.append(span.replaced(spans[-1] if span.before else None, changes))
        parts = (
            dataclasses.replace(part, animation=part.animation.with_values(**changes))
            for part in self.parts
        )
        return dataclasses.replace(self, parts=tuple(parts), spans=tuple(spans))

    def span_animation(self, index: int) -> Animation:
        """Return a span as an animation of its loop, with the colours of props in the routine.

        A span is what plays from a given time on: a pattern, or a bridge, the throws that lead from
        one pattern into the next. The animation's time 0 is the `origin` of the span's line. The
        loop of a bridge begins before its first throw, and ends with throws back to the start,
        which are never seen.

        Args:
            index: index of the span; from the last on if it is below 0.
        """
        # One key for each span, whichever way it is counted.
        index %= len(self.spans)
        if index not in self._span_animations:
            self._span_animations[index] = self._animation_of_span(self.spans[index])
        return self._span_animations[index]

    def keep_span_animations(self, last: Sequence[Animation]) -> None:
        """Take animations of the last spans, in order, that were computed elsewhere."""
        self._span_animations.update(enumerate(last, len(self.spans) - len(last)))

    @cached_property
    def _span_animations(self) -> dict[int, Animation]:
        """The results of `span_animation` so far, by the indices of spans."""
        return {}

    def _animation_of_span(self, span: Span) -> Animation:
        """Return a span as an `Animation` that shares the span's motion and plan of bodies.

        A span is what plays from a given time on: a pattern, or a bridge, the throws from one
        pattern into another. The animation of a bridge has the pattern of all throws that were laid
        out, also those which lead back and are never seen. Props have the looks (kind, size and
        colour) that they have in the routine.
        """
        motion = self._coloured_motion(span)
        performance = motion.choreography
        pattern_animation = self._pattern_animation(span)
        score = pattern_animation.score
        if isinstance(span.line, Bridge):
            pattern = _without_needless_marks(span.line.loop.pattern)
            score = dataclasses.replace(score, pattern=pattern)
            choreography = performance
        else:
            # Without the variation of people that the performance has.
            choreography = dataclasses.replace(
                pattern_animation.choreography, looks=performance.looks
            )
        animation = Animation(score, pattern_animation.parameters)
        set_cached(
            animation,
            choreography=choreography,
            performance=performance,
            motion=motion,
            plan=span.plan,
        )
        return animation

    def prepare(self) -> Iterator[None]:
        """Compute all that drawing the last two spans needs; yields after each step."""
        for span in self.spans[-2:]:
            for stage in span.stages:
                stage()
                yield

    def forget(self, kept: Collection[int]) -> None:
        """Free the memory of most spans: their animations and paths, which take most of it.

        A span is what plays from a given time on: a pattern, or the throws that lead into one. What
        is freed is computed again, the same, when it is needed.

        Args:
            kept: indices of the spans of which nothing is freed.
        """
        for span_index in self._span_animations.keys() - set(kept):
            del self._span_animations[span_index]
        # Several spans may share one animation, which is freed only if none of them needs it.
        needed_animation_ids = {
            id(self._pattern_animation(self.spans[span_index])) for span_index in kept
        }
        for span_index, span in enumerate(self.spans):
            if span_index not in kept:
                span.forget(
                    with_pattern=id(self._pattern_animation(span)) not in needed_animation_ids
                )

    def part_at(self, time: float) -> Part:
        """The part that plays at a time [s]: the last one that has been asked for by then."""
        begun = [part for part in self.parts if part.start <= time]
        return begun[-1] if begun else self.parts[0]

    @property
    def title(self) -> str:
        """The titles of the patterns in order."""
        return " → ".join(part.animation.title for part in self.parts)

    def sample(self, times: Floats, derivative: int = 0) -> Frames:
        """Hands and props at given times, with all P props of the routine by index.

        The aim of a prop is the yaw and pitch of its axis. Positions are in the world, [m]. A prop
        on a table is where it lies. A prop that is not there, before it is first used, is far below
        the floor. Derivatives of both are 0.

        Args:
            times: T times, shape (T,), [s]; in any order.
            derivative: 0 for positions, 1 for velocities and so on.

        Returns:
            Frames with hands (T, J, 2, 3) for J jugglers, props (T, P, 3), holders (T, P), −1 where
            no hand holds a prop, and aims (T, P, 2), [rad], or None if all props are balls.
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        prop_count = len(self.looks)
        hands = np.zeros((len(times), self.parts[0].animation.num_jugglers, 2, 3))
        props = np.zeros((len(times), prop_count, 3)) + (_NOWHERE if derivative == 0 else 0.0)
        holders = np.full((len(times), prop_count), -1, dtype=np.intp)
        aims = np.zeros((len(times), prop_count, 2))
        has_aims = False
        # A span is what plays from a given time on, a pattern or the throws to one.
        for span, time_rows in self._by_span(times):
            frames = span.frames(times[time_rows], derivative)
            hands[time_rows] = frames.hands
            # Props at rest have positions, and no derivatives.
            if derivative == 0:
                for prop, position in self._props_on_tables(span, times[time_rows]):
                    props[time_rows, prop] = position
            # The rows (times) of this span, and as columns the numbers of the props that it moves.
            cells = time_rows[:, None], np.array(span.props, dtype=np.intp)
            props[cells] = frames.props
            holders[cells] = frames.holders
            if frames.aims is not None:
                aims[cells] = frames.aims
                has_aims = True
        return Frames(
            times, hands=hands, props=props, holders=holders, aims=aims if has_aims else None
        )

    def pose(self, times: Floats) -> Pose:
        """Poses of all jugglers at given times, in the world.

        Args:
            times: T times, shape (T,), [s]; in any order.

        Returns:
            Of J jugglers: joints (T, J, joints, 3), [m]; gaps, by how much hands come short of
            their targets, (T, J, 2), [m]; directions of gaze (T, J, 3); and lids (T, J).
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        jugglers = self.parts[0].animation.num_jugglers
        joints = np.zeros((len(times), jugglers, JOINTS, 3))
        gaps = np.zeros((len(times), jugglers, 2))
        gaze = np.zeros((len(times), jugglers, 3))
        lids = np.zeros((len(times), jugglers))
        # Each span poses the rows of the times at which it plays.
        for span, time_rows in self._by_span(times):
            pose = _posed(span, span.frames(times[time_rows]))
            joints[time_rows] = pose.joints
            gaps[time_rows] = pose.gaps
            gaze[time_rows] = pose.gaze
            lids[time_rows] = pose.lids
        return Pose(times, joints=joints, gaps=gaps, gaze=gaze, lids=lids)

    def scenes(self, times: Floats, camera: Camera) -> list[Scene]:
        """Scenes to draw at given times, in the same order.

        Args:
            times: T times, shape (T,), [s]; in any order.
            camera: the camera that looks at them.

        Returns:
            One scene for each time: jugglers, props, ghosts where the parameters ask for them, and
            tables with the props on them.
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        scene_of_row: dict[int, Scene] = {}
        # Each span that plays at some of the times, with the rows of these.
        for span, time_rows in self._by_span(times):
            frames = span.frames(times[time_rows])
            animation = self.span_animation(self.spans.index(span))
            # The animation of a span has its own time 0.
            line_frames = dataclasses.replace(frames, times=frames.times - span.line.origin)
            # A ghost is the same juggler, posed with other arms for comparison.
            ghost = None
            parameters = animation.parameters
            if parameters.ghost != "none":
                ghost = _posed(span, frames, parameters.replace(arms=parameters.ghost))
            pose = _posed(span, frames)
            look = animation.look
            scenes: Iterable[Scene] = compose(
                line_frames, pose, animation.motion, camera, ghost, look
            )
            if self.rests:
                scenes = scenes_with_tables(
                    scenes, span, frames, self.rests, self._drawn_looks(span)
                )
            scene_of_row.update(zip(time_rows.tolist(), scenes, strict=True))
        return [scene_of_row[row] for row in range(len(times))]

    def scene(self, time: float, camera: Camera | None = None) -> Scene:
        """The scene to draw at one time.

        Args:
            time: time of the change, [s].
            camera: the camera that looks at it; None for one that frames the pattern 4 : 3.
        """
        camera = camera or self.part_at(time).animation.camera(4 / 3)
        return self.scenes(np.array([time]), camera)[0]

    def _coloured_motion(self, span: Span) -> Motion:
        """The motion of a span with the looks that its props have in the whole routine."""
        motion = span.line.motion
        looks = self._drawn_looks(span)
        choreography = dataclasses.replace(
            motion.choreography, looks=tuple(looks[prop] for prop in span.props)
        )
        return dataclasses.replace(motion, choreography=choreography)

    def as_animation(self, until: float | None = None) -> Animation:
        """The whole routine as one animation of events that repeats.

        After the last pattern it goes back to the first one by one more transition, and ends where
        a loop of that pattern begins.

        Args:
            until: time of the return, [s]; None for as soon as the last pattern plays alone.

        Raises:
            ParameterError: there is a cut in the routine, or no throws lead back from its last
                pattern to its first one.
        """
        first = self.parts[0].animation
        last = self.parts[-1]
        # The routine with the way back, as one more change.
        back = self.changed(last.ends if until is None else until, first)
        # A part that was cut to gives a reason, or, if the cut was asked for, begins at the time of
        # its request; a transition begins later.
        cuts = [
            part
            for part in (*self.parts[1:], *back.parts[1:])
            if part.reason or part.begins == part.start
        ]
        if cuts:
            reason = cuts[0].reason or _("as requested")
            raise ParameterError(
                _(
                    "{title} cannot lead to {title2}: {reason}; only patterns joined by throws "
                    "make one animation",
                    title=self.title,
                    title2=cuts[0].animation.title,
                    reason=reason,
                )
            )
        # All spans laid out one after another as one loop, in the colours of the routine.
        loop = whole_loop(back.spans, first, back._drawn_looks(back.spans[0]))
        return Animation(Score(placed=loop.choreography, title=self.title), first.parameters)

    def _drawn_looks(self, span: Span) -> tuple[PropLook, ...]:
        """Return the looks (kind, size and colour) of all props by index, each with a colour.

        A prop without a colour of its own gets the one that the palette has for its index.

        Args:
            span: what plays, a pattern or a bridge; its animation gives the palette.
        """
        looks = []
        for look, (red, green, blue) in zip(
            self.looks,
            prop_colours(len(self.looks), self._pattern_animation(span).palette).tolist(),
            strict=True,
        ):
            looks.append(dataclasses.replace(look, colour=look.colour or (red, green, blue)))
        return tuple(looks)

    def _props_on_tables(self, span: Span, times: Floats) -> Iterator[tuple[int, Floats]]:
        """Yield props that lie on tables and are not juggled in a span, with their positions.

        A span is what plays from a given time on: a pattern, or the throws that lead into one. A
        rest is the time in which a prop lies on a table. Of several rests of a prop, the first that
        ends after `times[0]` gives its position: the one in progress then, else the next. Where all
        are over, it is the last.

        Args:
            span: what plays.
            times: T times, shape (T,), [s].

        Yields:
            The number of a prop, and its positions in the world, shape (T, 3) or, if it does not
            move, (1, 3), [m].
        """
        places = span.line.places(times)
        for prop in sorted({rest.prop for rest in self.rests} - set(span.props)):
            rests = [rest for rest in self.rests if rest.prop == prop]
            rest = next((rest for rest in rests if rest.until > times[0]), rests[-1])
            # A table moves with its juggler unless it has a place of its own, `stand`.
            bodies = places[:, rest.juggler] if rest.stand is None else rest.stand[None]
            yield prop, np.array([on_table(rest, body) for body in bodies])

    @staticmethod
    def _pattern_animation(span: Span) -> Animation:
        """The animation of the pattern that a span plays, or to which its bridge leads."""
        return (span.line.after if isinstance(span.line, Bridge) else span.line).animation

    def _by_span(self, times: Floats) -> Iterator[tuple[Span, Integers]]:
        """Yield each span that plays at given times, with the rows of these times."""
        # A span plays from its start on, which is included.
        span_of_row = np.searchsorted([span.start for span in self.spans], times, side="right") - 1
        for span_index in np.unique(span_of_row).tolist():
            yield self.spans[span_index], np.flatnonzero(span_of_row == span_index)

    def _until(self, time: float) -> Routine:
        """The routine without its parts and spans from a time [s] on; its last span never ends."""
        parts = tuple(part for part in self.parts if part.start < time) or self.parts[:1]
        spans = tuple(span for span in self.spans if span.start < time)
        return dataclasses.replace(self, parts=parts, spans=spans)

    def _cut(self, time: float, animation: Animation, *, reason: str) -> Routine:
        """Go to another pattern that begins anew at a time, without a transition.

        The props of the pattern are numbered from 0 on, with the looks that the pattern says, or
        the usual one. The looks of props beyond these are kept for a later change.

        Args:
            time: time of the change, [s].
            animation: animation of the pattern.
            reason: why there is a cut; empty if it was asked for.
        """
        choreography = animation.choreography
        looks = choreography.looks_of_props
        looks_of_others = self.looks[len(looks) :]
        part = Part(animation, start=time, begins=time, ends=time, reason=reason)
        props = tuple(range(choreography.props))
        # It begins at its own time 0, and without a span before, from which it would fade.
        span = Span(Playing(animation, origin=time, props=props), start=time)
        return Routine(
            parts=(*self.parts, part),
            spans=(*self.spans, span),
            looks=(*looks, *looks_of_others),
        )

    def _obstacle_to_join(self, animation: Animation) -> str:
        """Why throws cannot lead from the last pattern to another one, in words; empty if they can.

        Args:
            animation: the animation of the other pattern.
        """
        old = self._pattern_animation(self.spans[-1])
        if old.score.pattern is None or animation.score.pattern is None:
            return _("one of them consists of timed events rather than throws on beats")
        if old.num_jugglers != animation.num_jugglers:
            return _(
                "{jugglers} and {jugglers2} jugglers",
                jugglers=old.num_jugglers,
                jugglers2=animation.num_jugglers,
            )
        if _prop_kinds(old) != _prop_kinds(animation):
            return _("their props are of different kinds")
        return ""


def _prop_kinds(animation: Animation) -> set[str]:
    """The kinds of props that are juggled, such as balls; without looks all are balls."""
    return {look.kind for look in animation.choreography.looks} or {"ball"}


def _table_rests_after_change(before: Span, bridge: Bridge) -> tuple[TableRest, ...]:
    """Return the rests of all props on tables, once a change of pattern was requested.

    A rest is the time in which a prop lies on a table; a span is what plays from a given time on.
    Most rests are those of the bridge. But the span before may have been about to pick a prop up,
    which the bridge no longer does, so that the prop is in the motion of the former only. The rest
    of this prop is divided at the time of the request: until then the prop lies as planned; from
    then on it lies, without end, where it is in the span before at that time.

    Args:
        before: the span until the change.
        bridge: the throws that lead from there into the next pattern, and the rests during them.
    """
    request_times = np.array([bridge.request_time])
    rests = list[TableRest]()
    for rest in bridge.table_rests:
        if rest.until == np.inf and rest.prop in before.props and rest.prop not in bridge.props:
            # Where it is when the change is asked for, in the frame of its juggler's body.
            frames = before.frames(request_times)
            prop = before.props.index(rest.prop)
            body = before.line.places(request_times)[0, rest.juggler]
            position = in_body_frame(frames.props[0, prop], body)
            yaw, pitch = rest.aim if frames.aims is None else frames.aims[0, prop].tolist()
            rests.append(rest._replace(until=bridge.request_time))
            rests.append(
                rest._replace(
                    since=bridge.request_time, position=position, aim=(yaw, pitch), stand=body
                )
            )
        else:
            rests.append(rest)
    return tuple(rests)


def _posed(span: Span, frames: Frames, other_parameters: Parameters | None = None) -> Pose:
    """Pose the bodies of a span for its frames, in the world, by its parameters or by others."""
    return pose_targets(span.targets(frames), other_parameters or span.parameters).in_world(
        frames.times
    )


def _without_needless_marks(pattern: Pattern) -> Pattern:
    """The pattern with `held` None for all throws for which False says nothing.

    `held` False says that a throw is not a hold. By default (None) only throws of up to `MAX_HOLD`
    beats to the same hand are holds, so for all others False and None mean the same.
    """
    highest_hold = MAX_HOLD * pattern.division

    def unmarked(throw: Throw) -> Throw:
        """The throw, with `held` None where the mark makes no difference."""
        is_to_same_hand = hand_of(throw) == catching_hand(throw)
        if throw.held or (is_to_same_hand and throw.value <= highest_hold):
            return throw
        return throw._replace(held=None)

    return dataclasses.replace(pattern, throws=tuple(map(unmarked, pattern.throws)))


class _Piece(NamedTuple):
    """Ticks, since the start of the routine, on which the line of a span makes its tosses.

    Attributes:
        span: the span with the line.
        origin_tick: the tick of the line's own beat 0.
        first_tick: the tick from which on its tosses are made.
    """

    span: Span
    origin_tick: int
    first_tick: int


def whole_loop(spans: Sequence[Span], animation: Animation, looks: Sequence[PropLook]) -> Loop:
    """Lay out a routine that goes back to its first pattern as one loop.

    A bridge is what is juggled between two patterns, to get from one into the other. The loop
    begins on beat 0 of the first pattern, and ends where a loop of that pattern begins again after
    the last bridge. Tosses (throws and holds) and waypoints (points that hands pass between them)
    are those of the spans, one after another, and bodies are sampled every `_BODY_STEP` seconds.

    Args:
        spans: what plays, in order, without cuts: patterns, and between them bridges, the throws
            that lead from one into the next. The last two are a bridge back to the first pattern,
            and that pattern.
        animation: animation of the first pattern.
        looks: looks (kind, size and colour) of all props, by index.
    """
    # Beats are counted in ticks that suit all lines, `ticks_per_beat` to a beat.
    ticks_per_beat = math.lcm(*(span.line.division for span in spans))
    # For each span the tick of its own beat 0, and the tick from which on its tosses are made.
    pieces = _pieces(spans, ticks_per_beat)
    back = spans[-2].line
    assert isinstance(back, Bridge), "a bridge leads back"
    # The end of the loop, first in ticks of the bridge, then in those of the routine: the first
    # tick, after the last pattern goes on alone (`settled_time`), that begins a loop of it.
    end_in_bridge = back.next_loop_start(math.ceil(back.clock.tick_at(back.settled_time)))
    end_tick = pieces[-2].origin_tick + end_in_bridge * (ticks_per_beat // back.division)

    # Tosses and waypoints of each piece, up to the first of the next one.
    tosses = []
    points = []
    piece_ends = (*(piece.first_tick for piece in pieces[1:]), end_tick)
    for piece, piece_end in zip(pieces, piece_ends, strict=True):
        line = piece.span.line
        ticks_per_part = ticks_per_beat // line.division
        # In the line's own parts of a beat, rounded up.
        first_part = math.ceil((piece.first_tick - piece.origin_tick) / ticks_per_part)
        end_part = math.ceil((piece_end - piece.origin_tick) / ticks_per_part)
        if first_part < end_part:  # if not, the next change came before the piece began
            tosses += [
                toss.scaled(ticks_per_part, piece.origin_tick)
                for toss in line.tosses(first_part, end_part)
            ]
            points += line.waypoints(line.clock.time_at(first_part), line.clock.time_at(end_part))

    # Where bodies are at even intervals.
    start_time = spans[0].line.clock.time_at(0)
    end_time = back.clock.time_at(end_in_bridge)
    times = np.arange(start_time, end_time, _BODY_STEP)
    bodies = sampled_keyframes(times, _places_in_spans(spans, times))

    # The tosses have their times already, so a mean tempo will do.
    mean_rate = end_tick / (end_time - start_time)
    clock = Clock.steady(mean_rate, start_time)
    # The tosses end in the state in which they begin, so no throws have to lead back.
    return wrapped_loop(
        tosses,
        first_tick=0,
        end_tick=end_tick,
        ticks_per_beat=ticks_per_beat,
        clock=clock,
        juggled=animation,
        bodies=bodies,
        looks=looks,
        waypoints=points,
    )


def _places_in_spans(spans: Sequence[Span], times: Floats) -> Floats:
    """Where J bodies are at T times, in the span that plays then: x, y, z, [m], and facing, [rad].

    Args:
        spans: what plays, in order.
        times: T times, shape (T,), ascending, [s]; none before the first span.

    Returns:
        Shape (T, J, 4).
    """
    span_of_time = np.searchsorted([span.start for span in spans], times, side="right") - 1
    places = [
        spans[span_index].line.places(times[span_of_time == span_index])
        for span_index in np.unique(span_of_time).tolist()
    ]
    return np.concatenate(places)


def _pieces(spans: Sequence[Span], ticks_per_beat: int) -> list[_Piece]:
    """Return for each span when, in ticks of the routine, its line makes its tosses.

    A tick is a part of a beat; a toss is a throw, a hold or a move at a table, of one prop. A line
    is what plays in a span: a pattern, or a bridge, the throws from one pattern into another.

    - A line makes its tosses until the next line does, even if that change interrupts another.
    - A bridge begins with the first toss that differs from those of the line before, or with the
      first prop that it picks up.
    - A pattern begins on the first tick after its bridge is settled.

    Args:
        spans: what plays, in order, without cuts. The first plays a pattern, and each other pattern
            comes after its bridge.
        ticks_per_beat: ticks in a beat of the routine, a multiple of the division of each line.
    """
    pieces = [_Piece(spans[0], origin_tick=0, first_tick=0)]
    for span_before, span in pairwise(spans):
        origin_tick = pieces[-1].origin_tick
        line = span.line
        if isinstance(line, Bridge):
            # Hands may pick up new props before the first throw that differs.
            pick_ups = [toss.throw.beat for toss in line.loop.tosses if toss.picks_up]
            first_changed = min([line.first_changed_tick, *pick_ups])
            # A bridge counts beats as the line before it.
            first_tick = origin_tick + first_changed * (ticks_per_beat // line.division)
        else:
            bridge = span_before.line
            assert isinstance(bridge, Bridge), "a bridge leads to every other pattern"
            ticks_per_part = ticks_per_beat // bridge.division
            first_tick = (
                origin_tick + math.ceil(bridge.clock.tick_at(bridge.settled_time)) * ticks_per_part
            )
            # The pattern counts beats from its own beat 0.
            origin_tick += bridge.origin_tick * ticks_per_part
        pieces.append(_Piece(span, origin_tick, first_tick))
    return pieces
