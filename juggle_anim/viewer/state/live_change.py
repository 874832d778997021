"""Live change: patterns juggled one after another without a cut, and the coming one.

That is a row of stretches, one for each chosen pattern, joined by transitions. They have one clock;
each stretch has a time of its own besides, which is 0 where a loop of its pattern begins, so that
cards need not know of stretches.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, replace
from math import inf
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, cast

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.parameters import ROWS, Stage

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
# A slow machine cuts to the pattern after so many transitions that were ready too late,
_MAX_LATE_TRANSITIONS = 4
# or after so long, [s].
_MAX_PREPARATION_TIME = 4.0
_STRETCHES_IN_MEMORY = 4  # stretches at each end whose paths stay in memory
_SWITCH_INTERVAL = 5e-4  # s; how soon pictures go on while another thread computes


@dataclass(frozen=True)
class Stretch:
    """A pattern among those that are juggled one after another.

    Args:
        animation: of the pattern.
        text: that opens it.
        start: since when it is the chosen one, [s] of the clock.
        base: the clock when its own time is 0, [s].
        routine: all that is juggled up to and including it, perhaps with the looks of then; None
            while that is this pattern alone.
        span: the number of its span in the routine; the transition to it is the span before.
        at_start: whether it begins with its first throw, and not wherever that is soonest.
    """

    animation: Animation
    text: str
    start: float = -inf
    base: float = 0.0
    routine: Routine | None = None
    span: int = 0
    at_start: bool = False


class Moment(NamedTuple):
    """What is juggled at one time.

    Attributes:
        animation: whose throws they are.
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
        text: that opens it.
        base: the clock when its own time is 0, [s].
        beside: whether transitions are prepared beside the pictures, or at once.
        process: that prepares them then, if it can; else a thread does.
    """

    def __init__(
        self,
        animation: Animation,
        text: str,
        base: float = 0.0,
        beside: bool = False,
        process: ChangeProcess | None = None,
    ) -> None:
        self.beside = beside
        self.process = process
        self.stretches: tuple[Stretch, ...] = (Stretch(animation, text, base=base),)
        self.now = self.stretches[0]
        """The present stretch."""
        self._job: _Preparation | None = None
        self._next: Stretch | None = None
        self._lead = _SHORTEST_LEAD
        self._late = 0
        self._asked = 0.0

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

    def restart(self, animation: Animation, text: str, base: float = 0.0) -> None:
        """Begin anew with a pattern, whose own time is 0 at a time of the clock, [s]: a cut."""
        self.stretches = (Stretch(animation, text, base=base),)
        self.now = self.last
        self._job = None
        self._next = None

    def edit(self, animation: Animation, text: str) -> None:
        """Give the present pattern other parameters or props; what was to follow it is dropped.

        Parameters that move nothing apply to all stretches. Where throws, hands or bodies move
        differently, everything begins anew with this pattern.
        """
        before = self.now.animation
        after = animation.parameters
        moves = animation.score is not before.score or any(
            row.stage <= Stage.PLAN
            and getattr(after, row.name) != getattr(before.parameters, row.name)
            for row in ROWS
        )
        if moves or self.now.routine is None:
            self.restart(animation, text, self.now.base)
            return
        self.stretches = (
            *self.stretches[: self.stretches.index(self.now)],
            replace(self.now, text=text),
        )
        self.now = self.last
        self._job = None
        self._next = None
        self.look({row.name: getattr(after, row.name) for row in ROWS if row.stage > Stage.PLAN})

    def look(self, values: dict[str, float | str | None]) -> None:
        """Set parameters of all patterns that move neither hands nor bodies, by name."""
        number = self.stretches.index(self.now)
        routine = self.last.routine
        changed = [
            replace(stretch, animation=stretch.animation.replace(**values))
            for stretch in self.stretches
        ]
        # The others would take long, and only their times are looked at before they are the last.
        changed[-1] = replace(changed[-1], routine=routine and routine.replace(**values))
        self.stretches = tuple(changed)
        self.now = self.stretches[number]

    def follow(self, clock: float) -> bool:
        """Go to the stretch of a time of the clock, [s]; returns whether it is another one."""
        before = self.now
        self.now = next(
            (stretch for stretch in reversed(self.stretches) if stretch.start <= clock),
            self.stretches[0],
        )
        if self.now is not before:
            self._forget()
        return self.now is not before

    def go_to(
        self, animation: Animation, text: str, clock: float, speed: float, at_start: bool = False
    ) -> None:
        """Begin to prepare a pattern that is to follow soon.

        `take` has it follow as soon as it is ready.

        Args:
            animation: of the pattern.
            text: that opens it.
            clock: now, [s].
            speed: of playing.
            at_start: whether it begins with its first throw.
        """
        self._next = Stretch(animation, text, at_start=at_start)
        self._late = 0
        self._asked = perf_counter()
        if self._job is None:
            self._prepare(clock, speed)

    def take(self, clock: float, speed: float, wait: bool = False) -> bool:
        """Let the pattern that was prepared follow, if it is ready.

        Args:
            clock: now, [s].
            speed: of playing.
            wait: for it.

        Returns:
            Whether it does. If no transition leads there, or none is found in time, all begins anew
            with it.
        """
        while job := self._job:
            if job.is_alive() and not wait:
                return False
            job.wait()
            self._job = None
            late = job.routine is not None and clock > job.time
            self._late = self._late + 1 if late else 0
            # The next transition is prepared as far ahead as this one took, and some more.
            lead = (_LEAD_GROWTH_IF_LATE if late else _LEAD_MARGIN) * job.lasted
            self._lead = min(max(_SHORTEST_LEAD, lead), _LONGEST_LEAD)
            patient = (
                self._late < _MAX_LATE_TRANSITIONS
                and perf_counter() - self._asked < _MAX_PREPARATION_TIME
            )
            if self._next or (late and patient):
                self._next = self._next or job.stretch
                self._prepare(clock, speed)
                continue
            if late or job.routine is None or job.routine.parts[-1].reason:
                self.restart(job.stretch.animation, job.stretch.text)
            else:
                self._append(job.stretch, job.routine, clock)
            return True
        return False

    def _prepare(self, clock: float, speed: float) -> None:
        assert self._next is not None
        time = clock + self._lead * speed if self.beside else clock
        self._job = _Preparation(self.last, self._next, time, self.process)
        self._next = None
        if self.beside:
            self._job.start()
        else:
            self._job.find()

    def _append(self, stretch: Stretch, routine: Routine, clock: float) -> None:
        base = routine.spans[-1].line.origin
        span = len(routine.spans) - 1
        self.now = replace(stretch, start=clock, base=base, routine=routine, span=span)
        self.stretches = (*self.stretches[: len(routine.parts) - 1], self.now)
        self._forget()

    def _forget(self) -> None:
        """Free memory of stretches that are neither about now nor among the last."""
        routine = self.last.routine
        now = self.stretches.index(self.now)
        if routine is None:
            return
        kept = set[int]()
        for number, stretch in enumerate(self.stretches):
            if (
                abs(number - now) < _STRETCHES_IN_MEMORY
                or len(self.stretches) - number <= _STRETCHES_IN_MEMORY
            ):
                kept |= {stretch.span, stretch.span - 1} - {-1}
            elif stretch.routine:
                stretch.routine.forget(())
        routine.forget(kept)

    def moment(self, clock: float) -> Moment:
        """Return what is juggled at a time of the clock, [s]."""
        now = self.now
        routine = self.last.routine
        if routine is None or now.routine is None:
            return Moment(now.animation, clock - now.base)
        if clock >= now.routine.parts[-1].ends:
            return Moment(routine.juggled(now.span), clock - now.base)
        bridge = self._bridge(now)
        return Moment(
            routine.juggled(now.span - 1), clock - bridge.origin, bridge.span[1] - bridge.span[0]
        )

    def ahead(self, clock: float) -> tuple[Animation, ...]:
        """Return what follows the present transition after a time of the clock, [s]."""
        routine = self.last.routine
        return (
            (routine.juggled(self.now.span),)
            if routine and self.moment(clock).transition_beats
            else ()
        )

    def transition_texts(self, clock: float) -> tuple[tuple[str, bool], ...]:
        """Return the steps of a transition at a time, [s], and whether each is juggled.

        Empty outside a transition.
        """
        now = self.now
        if self.coming:
            return (now.text, True), (self.coming.text, False)
        if now.routine is None or not self.moment(clock).transition_beats:
            return ()
        part = now.routine.parts[-1]
        before = self.stretches[self.stretches.index(now) - 1]
        bridge = self._bridge(now)
        leaves = part.begins
        enters = bridge.clock.at(bridge.entry[0])
        throws = ((_words(part.throws), leaves <= clock < enters),) if part.throws else ()
        return (before.text, clock < leaves), *throws, (now.text, clock >= max(leaves, enters))

    @staticmethod
    def _bridge(stretch: Stretch) -> Bridge:
        assert stretch.routine is not None, "no transition leads to the first"
        return cast("Bridge", stretch.routine.spans[stretch.span - 1].line)


class _Preparation(Thread):
    """Finds the transition to a pattern.

    Beside the pictures, also all that the first of them need.
    """

    def __init__(
        self, last: Stretch, stretch: Stretch, time: float, process: ChangeProcess | None = None
    ) -> None:
        super().__init__(name="live change", daemon=True)
        self.stretch = stretch
        self.time = time
        self.routine: Routine | None = None
        self.lasted = 0.0
        self._last = last
        self._process = process

    def wait(self) -> None:
        """Wait until it is ready."""
        if self.is_alive():
            self.join()

    def find(self) -> None:
        """Find the transition at once; there is no routine afterwards if there is none."""
        with contextlib.suppress(JuggleError):
            self._keep(
                self._source().changed(self.time, self.stretch.animation, self.stretch.at_start)
            )

    def run(self) -> None:
        """Find it, and compute what pictures and cards need first."""
        began = perf_counter()
        if self.stretch.animation.score.routine:
            # It begins with a cut, but pictures go on until its bodies are planned, which takes
            # seconds.
            self.stretch.animation.plan, self.stretch.animation.extent  # noqa: B018 - cached
            return
        with contextlib.suppress(JuggleError):
            source = self._source()
            process = self._process
            asked = source, self.time, self.stretch.animation, self.stretch.at_start
            self._keep((process.change(*asked) if process else None) or self._computed(*asked))
        self.lasted = perf_counter() - began

    def _source(self) -> Routine:
        # Imported when first used: the program starts sooner.
        from juggle_anim.routine import Routine

        return self._last.routine or Routine.of(self._last.animation, self._last.base)

    @staticmethod
    def _computed(source: Routine, time: float, animation: Animation, at_start: bool) -> Routine:
        """Return the changed routine, computed in this thread."""
        from juggle_anim.routine.change_process import prepared_change

        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        try:
            return prepared_change(source, time, animation, at_start)
        finally:
            sys.setswitchinterval(interval)

    def _keep(self, routine: Routine) -> None:
        self.routine = None if routine.parts[-1].reason else routine


def _words(throws: tuple[str, ...]) -> str:
    """Return the throws of a transition as one text."""
    return (" " if max(map(len, throws)) > 1 else "").join(throws)


@dataclass
class Half:
    """The inactive half of a split view, on which panel and keys do not act.

    Args:
        live: what is juggled there.
        undo, history: of that half.
        rig: its camera.
        documents: of that half.
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
