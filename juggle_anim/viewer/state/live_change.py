"""Live change: patterns juggled one after another without a cut, and the coming one.

That is a row of stretches, one for each chosen pattern, joined by transitions. They have one clock;
each stretch has a time of its own besides, which is 0 if a loop of its pattern begins, so that
cards need not know of stretches.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import replace
from math import inf
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import unplanned_blocks
from juggle_anim.errors import JuggleError
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import ROWS, ParameterValue, Stage

if TYPE_CHECKING:
    from juggle_anim.routine import Routine
    from juggle_anim.routine.bridge import Bridge
    from juggle_anim.routine.change_process import ChangeProcess


from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.editor.documents import Documents
from juggle_anim.viewer.state.undo import History, Undo

_SHORTEST_LEAD = 0.15  # s of real time that a transition is prepared ahead, at least
_LEAD_GROWTH_IF_LATE = 2.0  # times the duration of the last attempt, after one that was too late
_LEAD_MARGIN = 1.3  # times the duration of the last attempt, after one in time
_LONGEST_LEAD = 3.0  # s
_LONGEST_BLOCK = 3.0  # s for which a change of settings waits for the pattern that it changes
# A slow machine cuts to the pattern after so many transitions that were ready too late,
_MAX_LATE_TRANSITIONS = 4
# or after so long, [s] of real time, which people still take for an answer to their choice,
_MAX_PREPARATION_TIME = 1.5
# or if, since it was chosen, the clock has run at less than this share of its speed: a transition
# takes up to 4 s of the clock, which would last too long. Measured over at least so long, [s].
_SLOWEST_PACE = 0.5
_SHORTEST_PACE_TIME = 0.2
_STRETCHES_IN_MEMORY = 4  # stretches at each end whose paths stay in memory
_PLANNED_AHEAD = 3.0  # s of a pattern's time, before pictures need the plan of its bodies
_EVERY = 1.0  # s, shorter than a block of a plan
_SWITCH_INTERVAL = 5e-4  # s; how soon pictures go on while another thread computes


@dataclass(frozen=True)
class Stretch:
    """A pattern among those that are juggled one after another.

    Args:
        animation: animation of the pattern.
        text: text that opens it.
        start: since when it is the chosen one, [s] of the clock.
        base: the clock when its own time is 0, [s].
        routine: all that is juggled up to and including it, perhaps with the looks of then; None
            while that is this pattern alone.
        span: the number of its span in the routine; the transition to it is the span before.
        at_start: whether it begins with its first throw, and not wherever that is soonest.
        cuts: whether it is reached by a cut, and not by a transition.
    """

    animation: Animation
    text: str
    start: float = -inf
    base: float = 0.0
    routine: Routine | None = None
    span: int = 0
    at_start: bool = False
    cuts: bool = False


class Moment(NamedTuple):
    """What is juggled at one time.

    Attributes:
        animation: animation whose throws they are.
        time: in it, [s].
        transition_beats: how many beats the transition from one pattern to another has; 0 for a
            pattern alone.
    """

    animation: Animation
    time: float
    transition_beats: int = 0


class LiveChange:
    """The patterns that are juggled one after another, and the one that is being prepared.

    Args:
        animation: juggled first.
        text: text that opens it.
        base: the clock when its own time is 0, [s].
        in_background: whether transitions are prepared beside the pictures, or at once.
        process: process that prepares them then, if it can; else a thread does.
    """

    def __init__(
        self,
        animation: Animation,
        text: str,
        base: float = 0.0,
        *,
        in_background: bool = False,
        process: ChangeProcess | None = None,
    ) -> None:
        """Begin with one pattern, and no pattern after it.

        Patterns are juggled one after another, joined by transitions. Each of them, with the
        transition that leads to it, is a stretch of time.

        Args:
            animation: the pattern.
            text: the text that opens the pattern, as a user would type it.
            base: time of the clock at which the pattern's own time is 0, [s].
            in_background: whether transitions are prepared in a thread or process, while pictures
                go on, rather than at once.
            process: prepares transitions in the background; None to use a thread. Unused unless
                `in_background`.
        """
        self.in_background = in_background
        self.process = process
        self.stretches: tuple[Stretch, ...] = (Stretch(animation, text, base=base),)
        self.now = self.last
        """The present stretch."""
        # The preparation of the transition to the coming pattern, and the pattern that was chosen
        # meanwhile, to which the next transition will lead.
        self._job: _Preparation | None = None
        self._next: Stretch | None = None
        self._lead = _SHORTEST_LEAD  # s of real time that transitions are prepared ahead
        self._late_count = 0  # transitions in succession that were ready too late
        self._waited = 0.0  # s of real time since the coming pattern was chosen
        self._chosen_at = 0.0  # s on the clock when the coming pattern was chosen
        # The thread that plans bodies (finds their postures ahead), and the animation whose whole
        # loop it is to plan, and not only what is shown soon.
        self._planner: Thread | None = None
        self._wanted_plan: Animation | None = None

    @property
    def last(self) -> Stretch:
        """The stretch of the pattern that is juggled last."""
        return self.stretches[-1]

    @property
    def coming(self) -> Stretch | None:
        """The pattern that is being prepared; it is juggled soon."""
        return self._next or (self._job.stretch if self._job else None)

    @property
    def chosen(self) -> Stretch:
        """The pattern that was chosen last."""
        return self.coming or self.last

    @property
    def drawn(self) -> Routine | Animation:
        """What pictures show, at `drawn_time`."""
        return self.last.routine or self.last.animation

    def drawn_time(self, clock: float) -> float:
        """Return the time of what pictures show, [s]."""
        return clock if self.last.routine else clock - self.last.base

    def plan_ahead(self, clock: float) -> bool:
        """Start to plan the bodies of a long loop in a thread, before they are needed.

        To plan is to find all postures, so that hands reach their props; it takes seconds in a long
        loop, which is therefore planned in blocks of time. The block of the next pictures comes
        first, and then the rest of the loop, if `has_planned` was called for it. This is called in
        each frame, and does nothing while the thread of an earlier call runs.

        Args:
            clock: time of the clock now, [s].

        Returns:
            Whether the last block of the loop has just been planned.
        """
        if not self.in_background or (self._planner and self._planner.is_alive()):
            return False
        plan_block = self._next_block(clock)
        was_planning = self._planner is not None
        self._planner = None
        if plan_block:
            self._planner = Thread(target=plan_block, name="plan of bodies", daemon=True)
            self._planner.start()
        return was_planning and plan_block is None

    def _next_block(self, clock: float) -> Callable[[], None] | None:
        """Return a function that plans the next block of bodies; None if all is planned.

        A plan has the postures of bodies over the loop. That of a long loop is computed in blocks
        of time: first the block of the next pictures, and then the rest if it is wanted.

        Args:
            clock: time of the clock now, [s].
        """
        moment = self.moment(clock)
        # `vars` looks the cached plan up without making one. If there is none yet, no picture has
        # shown bodies.
        plan = vars(moment.animation).get("plan")
        if plan is not None:
            plan_block = unplanned_blocks(plan, np.array([moment.time + _PLANNED_AHEAD]))
            if plan_block:
                return plan_block
        animation = self.now.animation
        if animation is self._wanted_plan and not self.has_planned(animation):
            # One block at a time, so that the block of the next pictures need not wait for all.
            for time in _times_over_loop(animation):
                plan_block = unplanned_blocks(animation.plan, np.array([time]))
                if plan_block:
                    return plan_block
        return None

    @staticmethod
    def unplanned_soon(animation: Animation, time: float) -> Callable[[], None] | None:
        """Return a function that plans the bodies of the next pictures; None if they are planned.

        Args:
            animation: what is shown.
            time: in its loop, [s].
        """
        return unplanned_blocks(animation.plan, np.array([time, time + _PLANNED_AHEAD]))

    def has_planned(self, animation: Animation) -> bool:
        """Return whether the bodies of a whole loop can be used now without waiting.

        If they cannot, later calls of `plan_ahead` plan them.
        """
        self._wanted_plan = animation
        # The gaps of hands, once they are cached, needed the plan of the whole loop.
        return (
            not self.in_background
            or "gaps" in vars(animation)
            or unplanned_blocks(animation.plan, _times_over_loop(animation)) is None
        )

    def restart(self, animation: Animation, text: str, base: float = 0.0) -> None:
        """Restart with a pattern, whose own time is 0 at a time of the clock, [s]: a cut."""
        self.stretches = (Stretch(animation, text, base=base),)
        self.now = self.last
        self._job = None
        self._next = None

    def edit(self, animation: Animation, text: str) -> None:
        """Replace the present pattern by a changed version; later stretches are dropped.

        A stretch is a pattern with the transition that leads to it; patterns that a user chooses
        one after another make stretches one after another. If only looks change, the stretches up
        to the present one are kept, and all get the new looks. If throws, hands or bodies move
        differently, transitions no longer fit, and only the changed pattern remains.

        Args:
            animation: the changed pattern, with the time of the present one.
            text: text that opens it.
        """
        before = self.now.animation
        parameters = animation.parameters

        # An animation is computed in stages. Parameters of those up to the plan of bodies change
        # how hands, props or bodies move; those of later stages only arms, looks and speed.
        moves_differently = animation.score is not before.score or any(
            row.stage <= Stage.PLAN
            and getattr(parameters, row.name) != getattr(before.parameters, row.name)
            for row in ROWS
        )
        if moves_differently or self.now.routine is None:
            self.restart(animation, text, self.now.base)
            return

        # The motion is the same: keep the stretches up to this one, with the new looks.
        earlier = self.stretches[: self.stretches.index(self.now)]
        self.stretches = (*earlier, replace(self.now, text=text))
        self.now = self.last
        self._job = None
        self._next = None
        self.look(
            {row.name: getattr(parameters, row.name) for row in ROWS if row.stage > Stage.PLAN}
        )

    def look(self, values: dict[str, ParameterValue | None]) -> None:
        """Set parameters of looks for all stretches: those that move neither hands nor bodies.

        Args:
            values: values of parameters, by name.
        """
        present_index = self.stretches.index(self.now)
        routine = self.last.routine
        *earlier, last = (
            replace(stretch, animation=stretch.animation.with_values(**values))
            for stretch in self.stretches
        )
        # Each stretch has the routine up to and including it, but only the last one is drawn. The
        # earlier routines are only asked for times, so they keep the old looks: to change all of
        # them would take long.
        last = replace(last, routine=routine and routine.replace(**values))
        self.stretches = (*earlier, last)
        self.now = self.stretches[present_index]

    def go_to_time(self, clock: float) -> bool:
        """Set `now` to the stretch of a time of the clock; return whether it has changed.

        A stretch is a pattern with the transition to it. That of a time is the last one that begins
        before it, or else the first one.

        Args:
            clock: time of the clock, [s].
        """
        stretch_before = self.now
        self.now = next(
            (stretch for stretch in reversed(self.stretches) if stretch.start <= clock),
            self.stretches[0],
        )
        has_changed = self.now is not stretch_before
        if has_changed:
            self._free_distant_paths()
        return has_changed

    def go_to(
        self,
        animation: Animation,
        text: str,
        clock: float,
        speed: float,
        *,
        at_start: bool = False,
        cuts: bool = False,
    ) -> None:
        """Start to prepare the transition to a pattern, which `take_prepared` appends when ready.

        While another pattern is being prepared, this one waits for that to end.

        Args:
            animation: animation of the pattern.
            text: the text that opens the pattern.
            clock: present time of the clock, [s].
            speed: speed of playback, [s] of the clock in a second of real time.
            at_start: whether the pattern begins with its first throw, and not wherever that is
                soonest.
            cuts: whether a cut leads to the pattern, so that only its bodies are prepared.
        """
        self._next = Stretch(animation, text, at_start=at_start, cuts=cuts)
        self._late_count = 0
        self._waited = 0.0
        self._chosen_at = clock
        if self._job is None:
            self._prepare(clock, speed)

    @property
    def waited(self) -> float:
        """How long the coming pattern has been prepared, [s] of real time."""
        return self._waited if self.coming else 0.0

    def wait(self, elapsed: float) -> None:
        """Let real time pass, [s]; the clock may have passed less of it where pictures are late."""
        self._waited += elapsed

    def take_prepared(self, clock: float, speed: float, *, wait: bool = False) -> bool:
        """Append the prepared pattern, by its transition or by a cut, if the preparation has ended.

        A transition whose start has passed when it is ready is prepared again for a later time. The
        pattern is reached by a cut after several such attempts, if the preparation takes too long,
        if pictures are too slow for a transition, or if there is no transition. In the background
        its bodies are planned before that, so that no picture waits for them.

        Args:
            clock: present time of the clock, [s].
            speed: speed of playback, [s] of the clock in a second of real time.
            wait: whether to block until the preparation has ended, but for `_LONGEST_BLOCK` at
                most: then the pattern is cut to.

        Returns:
            Whether a pattern was appended.
        """
        # Each round handles one preparation that has ended. Without threads, a new preparation has
        # ended at once, too.
        while job := self._job:
            chosen = self._next or job.stretch
            if wait:
                job.wait(_LONGEST_BLOCK)
            if job.is_alive() and wait:
                self.restart(chosen.animation, chosen.text)
                return True
            if job.is_alive():
                # Bodies have to be planned in any case, so a cut has no limit of time.
                if not chosen.cuts and self._waited >= _MAX_PREPARATION_TIME:
                    self._next = replace(chosen, cuts=True)
                    self._prepare(clock, speed)
                return False
            self._job = None
            # The job has a routine if there is a transition: all that is juggled up to the end of
            # it. It is late if the transition was to begin at a time that has passed.
            is_late = job.routine is not None and clock > job.time
            self._late_count = self._late_count + 1 if is_late else 0

            # The next transition is prepared ahead by the duration of this preparation with a
            # margin, or more if it was late; within bounds.
            if not job.stretch.cuts:
                lead = (_LEAD_GROWTH_IF_LATE if is_late else _LEAD_MARGIN) * job.seconds_taken
                self._lead = min(max(_SHORTEST_LEAD, lead), _LONGEST_LEAD)

            # Prepare again if another pattern was chosen meanwhile, or if this one was late, but
            # not after too many attempts or too much time.
            may_try_again = (
                self._late_count < _MAX_LATE_TRANSITIONS and self._waited < _MAX_PREPARATION_TIME
            )
            if self._next or (is_late and may_try_again):
                self._next = self._next or job.stretch
                self._prepare(clock, speed)
                continue

            # Cut if the transition is late, if there is none (`reason` says why), or if pictures
            # are too slow for it.
            routine = job.routine
            has_transition = routine is not None and not routine.parts[-1].reason
            if routine and has_transition and not is_late and not self._is_slow(clock, speed):
                self._append(job.stretch, routine, clock)
            elif self.in_background and not (job.stretch.cuts or job.stretch.animation.is_planned):
                self._next = replace(job.stretch, cuts=True)
                self._prepare(clock, speed)
                continue
            else:
                self.restart(job.stretch.animation, job.stretch.text)
            return True
        return False

    def _is_slow(self, clock: float, speed: float) -> bool:
        """Return whether the clock has fallen behind since the coming pattern was chosen.

        It does if pictures take so long that playback is slower than its speed says.

        Args:
            clock: present time of the clock, [s].
            speed: speed of playback, [s] of the clock in a second of real time.
        """
        passed = clock - self._chosen_at
        expected = speed * self._waited
        return self._waited > _SHORTEST_PACE_TIME and passed < _SLOWEST_PACE * expected

    def _prepare(self, clock: float, speed: float) -> None:
        """Start to prepare the transition to the next pattern, which is `_next`.

        In the background that takes some real time. So the transition is to begin later by the
        lead, the time that the preparation is expected to take.

        Args:
            clock: present time of the clock, [s].
            speed: speed of playback, [s] of the clock in a second of real time.
        """
        assert self._next is not None
        # The time of the clock from which on the transition may begin.
        time = clock + self._lead * speed if self.in_background else clock
        self._job = _Preparation(self.last, self._next, time=time, process=self.process)
        self._next = None
        if self.in_background:
            self._job.start()
        else:
            self._job.find()

    def _append(self, stretch: Stretch, routine: Routine, clock: float) -> None:
        """Append a stretch, a pattern with the transition to it, which becomes the present one.

        Args:
            stretch: stretch of the pattern that was prepared.
            routine: all that is juggled up to and including it.
            clock: present time of the clock, [s].
        """
        # Spans of a routine are patterns and transitions in turn. The last one is the pattern; its
        # own time is 0 at its origin. The routine has a part for each stretch; stretches after the
        # one that the new one follows are dropped.
        span = len(routine.spans) - 1
        base = routine.spans[span].line.origin
        self.now = replace(stretch, start=clock, base=base, routine=routine, span=span)
        self.stretches = (*self.stretches[: len(routine.parts) - 1], self.now)
        self._free_distant_paths()

    def _free_distant_paths(self) -> None:
        """Free the cached paths of stretches that are neither near the present nor near the end.

        A stretch is a pattern with the transition to it. This bounds the memory; freed paths are
        computed again if time goes back to their stretch.
        """
        routine = self.last.routine
        if routine is None:
            return
        present_index = self.stretches.index(self.now)
        spans_in_memory = set[int]()
        for index, stretch in enumerate(self.stretches):
            is_near_present = abs(index - present_index) < _STRETCHES_IN_MEMORY
            is_near_end = len(self.stretches) - index <= _STRETCHES_IN_MEMORY
            if is_near_present or is_near_end:
                spans_in_memory.add(stretch.span)
                # The span before it is the transition to it; the first pattern has none.
                if stretch.span > 0:
                    spans_in_memory.add(stretch.span - 1)
            elif stretch.routine:
                stretch.routine.forget(())  # keep none
        # `forget` frees the paths of all other spans.
        routine.forget(spans_in_memory)

    def moment(self, clock: float) -> Moment:
        """Return what is juggled at a time of the clock: an animation, and the time in it.

        A transition leads from one pattern to another: some beats with throws of their own, which
        make an animation of their own. A stretch is a pattern with the transition before it. The
        spans of a routine are patterns and transitions in turn.

        Args:
            clock: time of the clock, [s], from the beginning of the present stretch on.
        """
        now = self.now
        routine = self.last.routine
        if routine is None or now.routine is None:  # a pattern without a transition
            return Moment(now.animation, clock - now.base)
        if clock >= now.routine.parts[-1].ends:  # the transition to the pattern is over
            return Moment(routine.span_animation(now.span), clock - now.base)
        # The transition is the span before that of the pattern. Its own time is 0 at its origin;
        # its span of beats does not include the end.
        bridge = self._bridge(now)
        return Moment(
            routine.span_animation(now.span - 1),
            clock - bridge.origin,
            transition_beats=bridge.end_tick - bridge.first_tick,
        )

    def ahead(self, clock: float) -> tuple[Animation, ...]:
        """Return the animation that follows the transition at a time of the clock, [s].

        A tuple of one animation; empty outside a transition.
        """
        routine = self.last.routine
        return (
            (routine.span_animation(self.now.span),)
            if routine and self.moment(clock).transition_beats
            else ()
        )

    def transition_texts(self, clock: float) -> tuple[tuple[str, bool], ...]:
        """Return what a transition consists of, in words, and what of it is juggled at a time.

        Args:
            clock: time of the clock, [s].

        Returns:
            For each step of the transition its text, and whether it is juggled at that time. Steps
            are the title of the pattern before, the throws of the transition if it has any, and the
            title of the pattern after it; while a transition is being prepared, only the two
            patterns. Empty outside a transition.
        """
        now = self.now
        if self.coming:
            return (now.animation.title, True), (self.coming.animation.title, False)
        if now.routine is None or not self.moment(clock).transition_beats:
            return ()
        part = now.routine.parts[-1]
        before = self.stretches[self.stretches.index(now) - 1]

        # Times of the clock, [s]: the old pattern is left at the first throw that differs from it,
        # and the new one is entered at its first beat. The clock of the transition converts ticks,
        # parts of beats, to times.
        bridge = self._bridge(now)
        leaves_at = part.begins
        enters_at = bridge.clock.time_at(bridge.entry_tick)

        steps = [(before.animation.title, clock < leaves_at)]
        if part.throws:
            steps.append((_throws_text(part.throws), leaves_at <= clock < enters_at))
        # A transition without throws of its own may enter the new pattern before it leaves the old
        # one, while both have the same throws: until they differ, the old one is current.
        is_entered = clock >= max(leaves_at, enters_at)
        steps.append((now.animation.title, is_entered))
        return tuple(steps)

    @staticmethod
    def _bridge(stretch: Stretch) -> Bridge:
        assert stretch.routine is not None, "no transition leads to the first"
        return cast("Bridge", stretch.routine.spans[stretch.span - 1].line)


class _Preparation(Thread):
    """Finds the transition to a pattern; as a thread, also computes what its first pictures need.

    Args:
        last: stretch that it follows.
        stretch: stretch of the pattern.
        time: time of the clock, [s], from which on the transition may begin.
        process: process that computes it, if it can; else the thread does.
    """

    def __init__(
        self, last: Stretch, stretch: Stretch, time: float, process: ChangeProcess | None = None
    ) -> None:
        super().__init__(name="live change", daemon=True)
        self.stretch = stretch
        self.time = time
        self.routine: Routine | None = None
        self.seconds_taken = 0.0
        self._last = last
        self._process = process

    def wait(self, longest: float) -> None:
        """Wait until it is ready, but not longer than some time, [s]."""
        if self.is_alive():
            self.join(longest)

    def find(self) -> None:
        """Find the transition at once; there is no routine afterwards if there is none."""
        stretch = self.stretch
        if stretch.cuts:
            return
        with contextlib.suppress(JuggleError):
            self._keep(
                self._source().changed(self.time, stretch.animation, at_start=stretch.at_start)
            )

    def run(self) -> None:
        """Find the transition, and compute what pictures and cards need first, in the thread.

        `routine` stays None if there is no transition. `seconds_taken` is the time that this took,
        [s]. After a cut, bodies of the first pictures are needed, or of all those of a written
        routine, while the pattern before goes on.
        """
        began_at = perf_counter()
        animation = self.stretch.animation
        if self.stretch.cuts:
            animation.extent  # noqa: B018 - cached
            times = np.array([0.0, _PLANNED_AHEAD])
            if animation.score.routine:
                times = _times_over_loop(animation)
            if plan_blocks := unplanned_blocks(animation.plan, times):
                plan_blocks()
            return
        with contextlib.suppress(JuggleError):
            source = self._source()  # what is juggled so far
            at_start = self.stretch.at_start
            # Another process computes the changed routine, so that pictures need not share the
            # interpreter with it. Without one, or if it fails, this thread does.
            changed = None
            if self._process:
                changed = self._process.change(source, self.time, animation, at_start=at_start)
            self._keep(changed or self._computed(source, self.time, animation, at_start=at_start))
        self.seconds_taken = perf_counter() - began_at

    def _source(self) -> Routine:
        # Imported when first used: the program starts sooner.
        from juggle_anim.routine import Routine

        return self._last.routine or Routine.of(self._last.animation, self._last.base)

    @staticmethod
    def _computed(source: Routine, time: float, animation: Animation, *, at_start: bool) -> Routine:
        """Return a routine with the transition to another pattern, computed in this thread.

        Args:
            source: the routine that is juggled so far.
            time: time from which on the transition may begin, [s] of the clock.
            animation: animation of the pattern to change to.
            at_start: whether the pattern is to begin with its first throw.
        """
        from juggle_anim.routine.change_process import prepared_change

        # Python switches between threads at this interval, [s]; a short one lets the thread of the
        # pictures take its turn soon.
        interval_before = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        try:
            return prepared_change(source, time, animation, at_start=at_start)
        finally:
            sys.setswitchinterval(interval_before)

    def _keep(self, routine: Routine) -> None:
        # A part with a reason enters the pattern without a transition.
        self.routine = None if routine.parts[-1].reason else routine


def _times_over_loop(animation: Animation) -> Floats:
    """Return times over a whole loop, shape (N,), [s]; each block of a plan has one of them."""
    return np.arange(0.0, animation.duration, _EVERY)


def _throws_text(throws: tuple[str, ...]) -> str:
    """Return the throws of a transition as one text."""
    return (" " if max(map(len, throws)) > 1 else "").join(throws)


@dataclass
class Half:
    """The inactive half of a split view, on which panel and keys do not act.

    Args:
        live: what is juggled there.
        undo, history: of that half.
        rig: its camera.
        documents: documents of that half.
    """

    live: LiveChange
    undo: Undo
    history: History
    rig: CameraRig
    documents: Documents

    @property
    def animation(self) -> Animation:
        """What is shown there."""
        return self.live.now.animation

    @property
    def text(self) -> str:
        """The text that opens it."""
        return self.live.now.text


LEFT = 0
RIGHT = 1
"""The halves of a split view."""
