"""The optimiser in the viewer: it works in a process of its own."""

from __future__ import annotations

import contextlib
import pickle
import sys
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError, sentence
from juggle_anim.language import N_, _
from juggle_anim.scene.aids import Traces
from juggle_anim.scene.scene import NO_CONES, STAGES
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.worker_process import start_worker, step_back

if TYPE_CHECKING:
    from juggle_anim.optimiser import Optimised

_LOOKING = N_("Looking for more room …")
_GHOST_STRENGTH = 0.35  # share of the colour of old paths; the remainder is the backdrop's


class OptimiserView:
    """What the key of the optimiser does.

    Args:
        model: whose pattern is given more room.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._job: _Job | None = None
        self._ghost_score: Score | None = None
        self._ghost_rows = NO_CONES

    @property
    def is_working(self) -> bool:
        """Whether places are being looked for."""
        return self._job is not None

    def toggle(self) -> None:
        """Look for places with more room; or stop looking, or hide the old and new paths.

        What it does depends on what is under way: a search is stopped, paths that are shown are
        hidden, and otherwise a search begins.
        """
        if self._job:
            self._end()
            self._model.notice.say(_("Stopped looking for more room"))
        elif len(self.ghost):
            self._ghost_score = None
        else:
            self._job = _Job(self._model.animation)
            self._model.notice.say(_LOOKING)

    def update(self) -> bool:
        """Apply the result of the search once it has ended; return whether it has just ended.

        Called in every frame. Changes the pattern if places with more room were found; a notice
        says the result.
        """
        job = self._job
        model = self._model
        answer = job.result() if job else None
        if job is None or answer is None:  # there is no search, or it goes on
            if job and not model.notice.text:
                model.notice.say(_LOOKING)  # once more, as notices disappear after a while
            return False
        self._end()
        if isinstance(answer, str):  # why it failed
            model.notice.say(sentence(answer), bad=True)
        elif model.animation.score is not job.animation.score:
            model.notice.say(_("The pattern changed meanwhile, so nothing was moved"))
        elif not answer.moved:
            model.notice.say(_("No more room found. {summary}", summary=answer.summary))
        else:
            self._take(answer.animation)
            model.notice.say(
                _("{summary}. {key} to undo", summary=answer.summary, key=caption(Action.UNDO))
            )
        return True

    @property
    def ghost(self) -> Singles:
        """The paths of throws, those before pale, as `Cone` rows, shape (N, 12)."""
        return self._ghost_rows if self._ghost_score is self._model.animation.score else NO_CONES

    def close(self) -> None:
        """Stop looking."""
        self._end()

    def _take(self, optimised: Animation) -> None:
        """Juggle the optimised pattern as a step of undo; its old paths stay as a ghost."""
        model = self._model
        before = self._model.animation

        def with_present_parameters(now: Animation) -> Animation:
            # Parameters may have changed during the search; if not, its computed motion is kept.
            if now.parameters == optimised.parameters:
                return optimised
            return Animation(optimised.score, now.parameters)

        # Sealed before and after, so that undo takes back this change alone.
        model.undo.seal()
        model.change(with_present_parameters, "optimise")
        model.undo.seal()
        self._ghost_score = optimised.score
        self._ghost_rows = np.concatenate(
            [_paths(before, strength=_GHOST_STRENGTH), _paths(model.animation, strength=1.0)]
        )

    def _end(self) -> None:
        if self._job:
            self._job.stop()
            self._job = None


def _paths(animation: Animation, strength: float) -> Singles:
    """Return the paths of all throws as `Cone` rows, shape (N, 12).

    Args:
        animation: with the throws.
        strength: share of the colour of throws, 0 to 1; the remainder is that of the backdrop.
    """
    palette = animation.palette
    backdrop = STAGES[animation.parameters.stage].backdrop_bottom
    red, green, blue = (
        strength * thrown + (1 - strength) * behind
        for thrown, behind in zip(palette.thrown, backdrop, strict=True)
    )
    pale = replace(palette, thrown=(red, green, blue))
    traces = Traces(
        animation.motion,
        trails=0.0,
        paths="throws",
        colours=animation.prop_colours,
        palette=pale,
    )
    rows_at_times = traces.rows(np.zeros(1))  # paths of throws are the same at all times
    return rows_at_times[0]


class _Job(Thread):
    """A process that looks for places, and the thread that waits for it."""

    def __init__(self, animation: Animation) -> None:
        super().__init__(daemon=True)
        self.animation = animation
        self._answer: Optimised | str = _("more room cannot be searched for here")
        self._process = start_worker(__name__)
        self.start()

    def run(self) -> None:
        """Hand over the pattern, and wait for the answer."""
        task = pickle.dumps((self.animation.score, self.animation.parameters))
        with contextlib.suppress(OSError, EOFError):
            self._answer = pickle.loads(self._process.communicate(task)[0])

    def result(self) -> Optimised | str | None:
        """Return what it has found, or why it cannot; None as long as it works."""
        return None if self.is_alive() else self._answer

    def stop(self) -> None:
        """End it."""
        self._process.terminate()


def work() -> None:
    """Optimise a pattern in a process of its own: the task on standard input, the answer on output.

    The task is a pickled score and its parameters; the answer a pickled `Optimised`, or a text that
    says why it failed.
    """
    from juggle_anim.optimiser import optimise

    step_back()  # pictures go first
    score, parameters = pickle.load(sys.stdin.buffer)
    answer: Optimised | str
    try:
        optimised = optimise(Animation(score, parameters))
        # With its motion and the plan of its bodies, so that the first picture does not wait for
        # them.
        optimised.animation.plan  # noqa: B018 - cached
        answer = optimised
    except JuggleError as error:
        answer = str(error)
    pickle.dump(answer, sys.stdout.buffer)
