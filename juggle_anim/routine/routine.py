"""Routines: what a juggler does from the start of a session on, patterns one after another."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import JOINTS, Pose, pose_targets
from juggle_anim.choreography import PropLook, Score
from juggle_anim.choreography.dwell import MAX_HOLD
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.motion import Frames, Motion
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.routine.bridge import Bridge, bridge_to
from juggle_anim.routine.playing import Playing
from juggle_anim.routine.span import Span, on_table
from juggle_anim.routine.table_scenes import scenes_with_tables
from juggle_anim.scene import Camera, Scene, compose
from juggle_anim.scene.palette import prop_colours
from juggle_anim.tosses.loop import sampled_keyframes, wrapped_loop
from juggle_anim.tosses.stands import Rest
from juggle_anim.tosses.toss import Clock
from juggle_anim.tosses.toss_ring import Loop
from juggle_anim.vectors import rotate_about_y

_BODY_STEP = 0.25  # s, between keyframes of bodies that move
_NOWHERE = np.array([0.0, -10.0, 0.0])  # m, of a prop that is not there: below the floor


@dataclass(frozen=True, eq=False)
class Part:
    """A pattern of a routine.

    Args:
        animation: as it was chosen.
        start: when it was asked for, [s].
        begins: when the first throw is another one than before, [s].
        ends: from when on it plays alone, [s].
        throws: those of the transition, one text for each beat; empty where none are needed.
        reason: why there is a cut and no transition; empty where there is one.
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

    Times are those of the session, [s]; a change later never alters what was before it. Props are
    numbered from 0 on, as long as the session lasts; so colours go with them. What costs time is
    computed when first asked for, or by `prepare`, which another thread may run: until it is done,
    nothing after the change should be drawn.

    Args:
        parts: the patterns, in order.
        spans: what plays, in order.
        looks: of all props by their numbers; a colour of None is that of the palette.
        rests: props that lie on tables.
    """

    parts: tuple[Part, ...]
    spans: tuple[Span, ...]
    looks: tuple[PropLook, ...]
    rests: tuple[Rest, ...] = ()

    @classmethod
    def of(cls, animation: Animation, start: float = 0.0) -> Routine:
        """The routine of one pattern, whose own time 0 is `start` [s]."""
        choreography = animation.choreography
        props = tuple(range(choreography.props))
        looks = choreography.looks or (PropLook(),) * len(props)
        part = Part(animation, start, start, start)
        return cls((part,), (Span(Playing(animation, start, props), -np.inf),), looks)

    @classmethod
    def through(
        cls, patterns: Sequence[Animation | str], seconds: float | Sequence[float] = 5.0
    ) -> Routine:
        """The routine of several patterns, one after another.

        Args:
            patterns: animations, or texts as for `animate`.
            seconds: how long each is juggled before the next is asked for, one number for all or
                one for each but the last.

        Raises:
            NotationError: a text is no valid pattern.
            ParameterError: there are no patterns, or not as many times as changes.
        """
        if not patterns:
            raise ParameterError(_("a routine has one pattern or more"))
        lasting = (
            [seconds] * (len(patterns) - 1) if isinstance(seconds, int | float) else list(seconds)
        )
        if len(lasting) != len(patterns) - 1:
            raise ParameterError(
                _(
                    "{count} patterns need {count2} times, not {count3}",
                    count=len(patterns),
                    count2=len(patterns) - 1,
                    count3=len(lasting),
                )
            )
        animations = [
            animate(pattern) if isinstance(pattern, str) else pattern for pattern in patterns
        ]
        routine = cls.of(animations[0])
        time = 0.0
        for animation, lasts in zip(animations[1:], lasting, strict=True):
            time += lasts
            routine = routine.changed(time, animation)
        return routine

    def changed(self, time: float, animation: Animation, at_start: bool = False) -> Routine:
        """Go to another pattern by the shortest legal transition, from a time on.

        The first throw that differs is made at least `LEAD` later, and as soon as the transition
        allows. A change that is asked for while another is still going on replaces what of that has
        not happened yet. What cannot be joined is cut, and the part says why.

        Args:
            time: [s]; nothing before it changes.
            animation: of the pattern.
            at_start: whether it begins with its first throw, by either hand if it goes on alike
                then; by default it begins wherever that is soonest.
        """
        past = self._until(time)
        reason = past._obstacle(animation)
        if reason:
            return past._cut(time, animation, reason)
        last = past.spans[-1]
        bridge = bridge_to(last.line, time, animation, past.rests, past.looks, at_start)
        middle = Span(bridge, time, last, past.rests)
        after = Span(bridge.after, bridge.settled, middle)
        part = Part(animation, time, bridge.clock.at(bridge.exit), bridge.settled, bridge.written)
        return Routine(
            (*past.parts, part), (*past.spans, middle, after), bridge.looks, _left(last, bridge)
        )

    def cut(self, time: float, animation: Animation) -> Routine:
        """Go to another pattern without a transition: it begins anew at a time [s]."""
        return self._until(time)._cut(time, animation, "")

    def replace(self, **changes: float | str | None) -> Routine:
        """The same with other parameters that move neither hands nor bodies, such as looks, arms
        and speed.

        Raises:
            ParameterError: a name that is not in the table, or a value outside its range.
        """
        spans: list[Span] = []
        for span in self.spans:
            spans.append(span.replaced(spans[-1] if span.before else None, changes))
        parts = (
            dataclasses.replace(part, animation=part.animation.replace(**changes))
            for part in self.parts
        )
        return dataclasses.replace(self, parts=tuple(parts), spans=tuple(spans))

    def juggled(self, number: int) -> Animation:
        """What one of the spans plays as an animation: its loop, in the colours that props have
        here.

        Its time 0 is the `origin` of the span's line. The loop of a bridge begins before its first
        throw, and ends with throws that are never seen, after `span` beats of it.
        """
        number %= len(self.spans)
        if number not in self._juggled:
            self._juggled[number] = self._as_animation(self.spans[number])
        return self._juggled[number]

    def keep_juggled(self, last: Sequence[Animation]) -> None:
        """Take animations of the last spans, in order, that were computed elsewhere."""
        self._juggled.update(enumerate(last, len(self.spans) - len(last)))

    @cached_property
    def _juggled(self) -> dict[int, Animation]:
        return {}

    def _as_animation(self, span: Span) -> Animation:
        """What a span plays as an animation, with all that is computed for the span already."""
        motion = self._looked(span)
        chosen = self._animation(span)
        score = chosen.score
        written = chosen.choreography
        if isinstance(span.line, Bridge):
            score = dataclasses.replace(score, pattern=_plain(span.line.loop.pattern))
            written = motion.choreography
        animation = Animation(score, chosen.parameters)
        performed = motion.choreography
        written = dataclasses.replace(written, looks=performed.looks)
        # These are cached properties: what is set here is not computed again.
        animation.__dict__.update(
            choreography=written, performance=performed, motion=motion, plan=span.plan
        )
        return animation

    def prepare(self) -> Iterator[None]:
        """Compute what drawing needs after the last change, step by step; between them others may
        work.
        """
        for span in self.spans[-2:]:
            for stage in span.stages:
                stage()
                yield

    def forget(self, kept: Collection[int]) -> None:
        """Free what most memory goes to, of all spans but some; it is computed again, the same,
        when it is needed.
        """
        for number in self._juggled.keys() - set(kept):
            del self._juggled[number]
        needed = {id(self._animation(self.spans[number])) for number in kept}
        for number, span in enumerate(self.spans):
            if number not in kept:
                span.forget(id(self._animation(span)) not in needed)

    def part_at(self, time: float) -> Part:
        """The part that plays at a time [s]: the last one that has been asked for by then."""
        begun = [part for part in self.parts if part.start <= time]
        return begun[-1] if begun else self.parts[0]

    @property
    def title(self) -> str:
        """The titles of the patterns in order."""
        return " → ".join(part.animation.title for part in self.parts)

    def sample(self, times: Floats, derivative: int = 0) -> Frames:
        """Hands and props at some times, shape (T,), [s], as `Motion.sample`, with all props in
        their order.

        A prop that is not there, before it is first used, is far below the floor.
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        count = len(self.looks)
        hands = np.zeros((len(times), self.parts[0].animation.jugglers, 2, 3))
        props = np.zeros((len(times), count, 3)) + (_NOWHERE if derivative == 0 else 0.0)
        holders = np.full((len(times), count), -1, dtype=np.intp)
        aims = np.zeros((len(times), count, 2))
        has_aims = False
        for span, rows in self._by_span(times):
            frames = span.frames(times[rows], derivative)
            hands[rows] = frames.hands
            if derivative == 0:
                for prop, position in self._lying(span, times[rows]):
                    props[rows, prop] = position
            # Cells of the frames of this span and of the props that it has.
            cells = rows[:, None], np.array(span.props, dtype=np.intp)
            props[cells] = frames.props
            holders[cells] = frames.holders
            if frames.aims is not None:
                aims[cells] = frames.aims
                has_aims = True
        return Frames(times, hands, props, holders, aims if has_aims else None)

    def pose(self, times: Floats) -> Pose:
        """Joints of all jugglers at some times, shape (T,), [s]."""
        times = np.atleast_1d(np.asarray(times, dtype=float))
        jugglers = self.parts[0].animation.jugglers
        joints = np.zeros((len(times), jugglers, JOINTS, 3))
        gaps = np.zeros((len(times), jugglers, 2))
        gaze = np.zeros((len(times), jugglers, 3))
        for span, rows in self._by_span(times):
            pose = _posed(span, span.frames(times[rows]))
            joints[rows] = pose.joints
            gaps[rows] = pose.gaps
            gaze[rows] = pose.gaze
        return Pose(times, joints, gaps, gaze)

    def scenes(self, times: Floats, camera: Camera) -> list[Scene]:
        """Scenes to draw at some times, shape (T,), [s]."""
        times = np.atleast_1d(np.asarray(times, dtype=float))
        scene_of_row: dict[int, Scene] = {}
        for span, rows in self._by_span(times):
            frames = span.frames(times[rows])
            animation = self.juggled(self.spans.index(span))
            local = dataclasses.replace(frames, times=frames.times - span.line.origin)
            ghost = None
            parameters = animation.parameters
            if parameters.ghost != "none":
                ghost = _posed(span, frames, parameters.replace(arms=parameters.ghost))
            posed = _posed(span, frames)
            look = animation.look
            scenes: Iterable[Scene] = compose(local, posed, animation.motion, camera, ghost, look)
            if self.rests:
                scenes = scenes_with_tables(
                    scenes, span, frames, self.rests, self._drawn_looks(span)
                )
            scene_of_row.update(zip(rows.tolist(), scenes, strict=True))
        return [scene_of_row[row] for row in range(len(times))]

    def scene(self, time: float, camera: Camera | None = None) -> Scene:
        """The scene to draw at one time [s], from `camera` or by default one that frames the
        pattern 4 : 3.
        """
        return self.scenes(np.array([time]), camera or self.part_at(time).animation.camera(4 / 3))[
            0
        ]

    def _looked(self, span: Span) -> Motion:
        """The motion of a span with the colours that its props have among all."""
        motion = span.line.motion
        looks = self._drawn_looks(span)
        choreography = dataclasses.replace(
            motion.choreography, looks=tuple(looks[prop] for prop in span.props)
        )
        return dataclasses.replace(motion, choreography=choreography)

    def as_animation(self, until: float | None = None) -> Animation:
        """The whole routine as one animation of events, which goes back to the first pattern and so
        repeats.

        Args:
            until: when it goes back, [s]; by default as soon as the last pattern plays alone.

        Raises:
            ParameterError: there is a cut in the routine, or none goes back to its first pattern
                without one.
        """
        first = self.parts[0].animation
        last = self.parts[-1]
        back = self.changed(last.ends if until is None else until, first)
        cuts = [
            part
            for part in (*self.parts[1:], *back.parts[1:])
            if part.reason or part.begins == part.start
        ]
        if cuts:
            reason = cuts[0].reason or _("as was asked for")
            raise ParameterError(
                _(
                    "{title} is cut before {title2}: {reason}; only patterns that are joined by "
                    "throws are "
                    "one animation",
                    title=self.title,
                    title2=cuts[0].animation.title,
                    reason=reason,
                )
            )
        loop = whole_loop(back.spans, first, back._drawn_looks(back.spans[0]))
        return Animation(Score(placed=loop.choreography, title=self.title), first.parameters)

    def _drawn_looks(self, span: Span) -> tuple[PropLook, ...]:
        """The looks of all props, with their colours."""
        looks = []
        for look, (red, green, blue) in zip(
            self.looks,
            prop_colours(len(self.looks), self._animation(span).palette).tolist(),
            strict=True,
        ):
            looks.append(dataclasses.replace(look, colour=look.colour or (red, green, blue)))
        return tuple(looks)

    def _lying(self, span: Span, times: Floats) -> Iterator[tuple[int, Floats]]:
        """Props that lie on tables and are none of a span's, with their places, shape (T, 3),
        [m].
        """
        places = span.line.places(times)
        for prop in sorted({rest.prop for rest in self.rests} - set(span.props)):
            rests = [rest for rest in self.rests if rest.prop == prop]
            rest = next((rest for rest in rests if rest.until > times[0]), rests[-1])
            bodies = places[:, rest.juggler] if rest.stand is None else rest.stand[None]
            yield prop, np.array([on_table(rest, body) for body in bodies])

    @staticmethod
    def _animation(span: Span) -> Animation:
        return (span.line.after if isinstance(span.line, Bridge) else span.line).animation

    def _by_span(self, times: Floats) -> Iterator[tuple[Span, Integers]]:
        """Each span with the rows of times that are its."""
        number = np.searchsorted([span.start for span in self.spans], times, side="right") - 1
        for place in np.unique(number).tolist():
            yield self.spans[place], np.flatnonzero(number == place)

    def _until(self, time: float) -> Routine:
        """What was before a time; the last of it goes on for ever."""
        parts = tuple(part for part in self.parts if part.start < time) or self.parts[:1]
        spans = tuple(span for span in self.spans if span.start < time)
        return dataclasses.replace(self, parts=parts, spans=spans)

    def _cut(self, time: float, animation: Animation, reason: str) -> Routine:
        """Go to another pattern that begins anew at a time [s], and say why; props keep their looks
        as far as the pattern does not say others.
        """
        choreography = animation.choreography
        looks = choreography.looks or (PropLook(),) * choreography.props
        more = self.looks[len(looks) :]
        part = Part(animation, time, time, time, (), reason)
        span = Span(Playing(animation, time, tuple(range(choreography.props))), time)
        return Routine((*self.parts, part), (*self.spans, span), (*looks, *more))

    def _obstacle(self, animation: Animation) -> str:
        """Why a pattern cannot follow what plays last; empty if it can."""
        old = self._animation(self.spans[-1])
        if old.score.pattern is None or animation.score.pattern is None:
            return _("one of them is made of events with their own times, not of throws on beats")
        if old.jugglers != animation.jugglers:
            return _(
                "{jugglers} and {jugglers2} jugglers",
                jugglers=old.jugglers,
                jugglers2=animation.jugglers,
            )
        if _prop_kinds(old) != _prop_kinds(animation):
            return _("their props are of other kinds")
        return ""


def _prop_kinds(animation: Animation) -> set[str]:
    return {look.kind for look in animation.choreography.looks} or {"ball"}


def _left(before: Span, bridge: Bridge) -> tuple[Rest, ...]:
    """What lies on tables; what was to be picked up before a change, and no longer is, stays where
    it lies then.
    """
    now = np.array([bridge.requested])
    left = list[Rest]()
    for rest in bridge.lying:
        if rest.until == np.inf and rest.prop in before.props and rest.prop not in bridge.props:
            frames = before.frames(now)
            prop = before.props.index(rest.prop)
            body = before.line.places(now)[0, rest.juggler]
            away = (frames.props[0, prop] - body[:3])[None]
            position = rotate_about_y(away, -body[3:])[0]
            yaw, pitch = rest.aim if frames.aims is None else frames.aims[0, prop].tolist()
            # Up to the change it lay as was planned, and from then on where it is.
            left.append(rest._replace(until=bridge.requested))
            rest = rest._replace(
                since=bridge.requested, position=position, aim=(yaw, pitch), stand=body
            )
        left.append(rest)
    return tuple(left)


def _posed(span: Span, frames: Frames, parameters: Parameters | None = None) -> Pose:
    return pose_targets(span.targets(frames), parameters or span.parameters).in_world(frames.times)


def _plain(pattern: Pattern) -> Pattern:
    """The pattern without marks on throws that would not be taken for holds anyway."""
    highest = MAX_HOLD * pattern.division

    def plain(throw: Throw) -> Throw:
        same = hand_of(throw) == catching_hand(throw)
        return (
            throw if throw.held or (same and throw.value <= highest) else throw._replace(held=None)
        )

    return dataclasses.replace(pattern, throws=tuple(map(plain, pattern.throws)))


class _Piece(NamedTuple):
    """A line from some beat on.

    Attributes:
        span: with the line.
        shift: its beat 0, counted from the first of the routine, in parts of a beat.
        first: the beat from which on its tosses are made, counted likewise.
    """

    span: Span
    shift: int
    first: int


def whole_loop(spans: Sequence[Span], animation: Animation, looks: Sequence[PropLook]) -> Loop:
    """Lay out a routine that goes back to its first pattern as one loop, from beat 0 of that to
    where that repeats.

    Args:
        spans: what plays, in order, without cuts; the last two are a bridge to the first pattern
            and that.
        animation: of the first pattern.
        looks: of all props by their numbers.
    """
    division = math.lcm(*(span.line.division for span in spans))
    pieces = _pieces(spans, division)
    back = spans[-2].line
    assert isinstance(back, Bridge), "a bridge leads back"
    repeats = back.repeats(math.ceil(back.clock.beat_at(back.settled)))
    end = pieces[-2].shift + repeats * (division // back.division)
    starts = spans[0].line.clock.at(0)
    ends = 0.0
    tosses = []
    points = []
    last = (*(piece.first for piece in pieces[1:]), end)
    for piece, until in zip(pieces, last, strict=True):
        line = piece.span.line
        scale = division // piece.span.line.division
        low = -(-(piece.first - piece.shift) // scale)
        high = -(-(until - piece.shift) // scale)
        if low < high:
            tosses += [toss.scaled(scale, piece.shift) for toss in line.tosses(low, high)]
            points += line.waypoints(line.clock.at(low), line.clock.at(high))
    ends = back.clock.at(repeats)
    times = np.arange(starts, ends, _BODY_STEP)
    number = np.searchsorted([span.start for span in spans], times, side="right") - 1
    places = np.concatenate(
        [spans[place].line.places(times[number == place]) for place in np.unique(number).tolist()]
    )
    rate = end / (ends - starts)
    clock = Clock.steady(rate, starts)
    bodies = sampled_keyframes(times, places)
    return wrapped_loop(tosses, (0, end), division, clock, animation, bodies, looks, points)


def _pieces(spans: Sequence[Span], division: int) -> list[_Piece]:
    """Each line with its first beat; one that another change interrupts makes none afterwards."""
    pieces = [_Piece(spans[0], 0, 0)]
    for before, span in pairwise(spans):
        shift = pieces[-1].shift
        line = span.line
        if isinstance(line, Bridge):
            # Hands may pick up new props before the first throw that differs.
            pick_ups = [toss.throw.beat for toss in line.loop.tosses if toss.picks_up]
            first = shift + min([line.changes, *pick_ups]) * (division // line.division)
        else:
            bridge = before.line
            assert isinstance(bridge, Bridge), "a bridge leads to every other pattern"
            first = shift + math.ceil(bridge.clock.beat_at(bridge.settled)) * (
                division // bridge.division
            )
            shift += (bridge.entry[0] - bridge.entry[1]) * (division // bridge.division)
        pieces.append(_Piece(span, shift, first))
    return pieces
