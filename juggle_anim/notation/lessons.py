"""Lessons: a pattern taken apart into steps, from one prop to all of them, each of which can be
juggled by itself.

Steps begin slowly: where gravity is a share of its usual value, the tempo is the root of that
share, and paths are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from types import MappingProxyType

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import choreograph
from juggle_anim.choreography.score import PropStyle
from juggle_anim.errors import NotationError
from juggle_anim.language import N_, _, translated
from juggle_anim.notation.lesson_steps import FIRST_GRAVITY, StepPlan, is_taken_apart, step_plans
from juggle_anim.notation.library import find_pattern, library, name_key
from juggle_anim.notation.routine import read_routine
from juggle_anim.notation.routine_lines import with_parameters
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.notation.settings.staging import staging_texts
from juggle_anim.notation.siteswap.write import write_siteswap
from juggle_anim.parameters import BEAT_PARAMETERS, DEFAULTS, ROWS, Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.resources import resource
from juggle_anim.short_repr import ShortRepr

TAKEN_APART = N_(
    "From one prop to the whole pattern, slowly first. Each step repeats until you go on."
)
SHOWN_SLOWLY = N_(
    "Shown slowly, then faster, and as it is. One juggler's patterns of two hands and up to five "
    "props are "
    "taken apart into steps with fewer props; this is none of these."
)
"""What a lesson does, of either kind."""

_MOMENT = 1e-6  # s


@dataclass(frozen=True, eq=False)
class LessonStep:
    """One step of a lesson.

    Args:
        title: of the step, in a few words.
        advice: what to do.
        trouble: what usually goes wrong, and how to mend it.
        gravity: [% of what the pattern has].
        write: returns its text, when it is first asked for.
    """

    title: str
    advice: str
    trouble: str
    gravity: float
    write: Callable[[], str]

    @cached_property
    def text(self) -> str:
        """The text that opens it: lines of a routine, or settings."""
        return self.write()

    @cached_property
    def settings(self) -> Settings:
        """The score of the step and its parameters."""
        return _laid_out(self.text) if "\n" in self.text else read_settings(self.text)


@translated("look", "wrong", "mend")
@dataclass(frozen=True)
class StarterWords:
    """What is said about one pattern: where to look, what usually goes wrong, and how to mend
    it.
    """

    look: str
    wrong: str
    mend: str


@dataclass(frozen=True, repr=False)
class Lesson(ShortRepr):
    """How to learn a pattern.

    Args:
        title: of the pattern.
        about: what the lesson does.
        words: about the pattern; None where there are none of its own.
        steps: from the easiest to the whole pattern without end.
    """

    title: str
    about: str
    words: StarterWords | None
    steps: tuple[LessonStep, ...]


def lesson(pattern: str, first_gravity: float = FIRST_GRAVITY) -> Lesson:
    """Take a pattern apart into steps.

    Args:
        pattern: a name of the library, a siteswap or settings.
        first_gravity: in the first step, [% of what the pattern has]; the last has all of it.

    Raises:
        NotationError: the text is no pattern.
    """
    settings = read_settings(pattern)
    return lesson_of(settings.score, settings.applied_to(DEFAULTS), first_gravity)


def lesson_of(
    score: Score, parameters: Parameters = DEFAULTS, first_gravity: float = FIRST_GRAVITY
) -> Lesson:
    """Take a score apart into steps, as `lesson` does.

    Args:
        score: of a pattern on beats.
        parameters: with which it is juggled.
        first_gravity: in the first step, [% of what the pattern has].

    Raises:
        NotationError: the score has no pattern, but events with times and places.
    """
    if score.pattern is None:
        reason = _("events that have their own times and places cannot be taken apart")
        raise NotationError(
            score.name, 0, reason, _("a siteswap, settings, or a name of the library")
        )
    plans = list(step_plans(score))
    writer = _Writer(score, parameters)
    steps = []
    for number, plan in enumerate(plans):
        share = first_gravity + (100.0 - first_gravity) * number / max(len(plans) - 1, 1)
        write = partial(writer.text, plan, share / 100)
        steps.append(LessonStep(plan.title, plan.advice, plan.trouble, share, write))
    about = TAKEN_APART if is_taken_apart(score.pattern) else SHOWN_SLOWLY
    return Lesson(score.name, about, starter_words(score), tuple(steps))


def starter_words(score: Score) -> StarterWords | None:
    """What is said about a pattern of the library, by its title or its throws; None where nothing
    is.
    """
    if score.pattern is None:
        return None
    known = find_pattern(score.title or score.pattern.text)
    if known is not None and known.siteswap == score.pattern.text:
        return all_words().get(name_key(known.name))
    plain = score.staging.hands is None and score.staging.body is None and not score.title
    name = _starters().get((score.pattern.text, score.staging.props.kinds[0])) if plain else None
    return all_words().get(name) if name else None


@cache
def _starters() -> MappingProxyType[tuple[str, str], str]:
    """Names of the patterns of which something is said, by throws and props, where they need
    nothing else.
    """
    found = dict[tuple[str, str], str]()
    for pattern in library():
        settings = dict(pattern.settings)
        if name_key(pattern.name) in all_words() and settings.keys() <= {"prop", "width"}:
            found.setdefault(
                (pattern.siteswap, settings.get("prop", "ball")), name_key(pattern.name)
            )
    return MappingProxyType(found)


@cache
def all_words() -> MappingProxyType[str, StarterWords]:
    """What is said about patterns of the library, by their names as `name_key` has them."""
    import tomllib

    data = tomllib.loads(resource("patterns", "lessons/starters.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name_key(name): StarterWords(**words) for name, words in data.items()})


class _Writer:
    """Writes steps as texts.

    Args:
        score: of the whole pattern.
        parameters: with which it is juggled.
    """

    def __init__(self, score: Score, parameters: Parameters) -> None:
        self._score = score
        self._parameters = parameters
        self._tempo = choreograph(score, parameters).bps

    def text(self, plan: StepPlan, share: float) -> str:
        """The text that opens a step with a share of gravity, 0 to 1."""
        slow = self._parameters.replace(
            gravity=round(self._parameters.gravity * share, 3),
            bps=round(self._tempo * math.sqrt(share), 4),
        )
        if plan.pattern is None:
            return write_settings(self._score, slow if share < 1.0 else self._parameters)
        if not plan.catches:
            return write_settings(self._part_of(plan.pattern), slow)
        once = self._routine(plan, slow, 1)
        if not _is_thrown_back(once):
            return once
        # Where props end in other hands than they began, the next round begins there: it is the
        # mirror image.
        twice = self._routine(plan, slow, 2)
        return once if _is_thrown_back(twice) else twice

    def _routine(self, plan: StepPlan, parameters: Parameters, rounds: int) -> str:
        assert plan.pattern is not None, "it is stopped"
        score = self._part_of(plan.pattern)
        line = write_settings(
            replace(score, staging=replace(score.staging, props=PropStyle())),
            DEFAULTS.replace(**{name: getattr(parameters, name) for name in BEAT_PARAMETERS}),
        )
        looks = {
            key: text
            for key, text in staging_texts(score.staging).items()
            if key in ("prop", "colors")
        }
        head = [
            f"title={self._score.name}: {plan.title}"[:200],
            *(f"{key}={text}" for key, text in looks.items()),
        ]
        lines = [f"{line} {plan.catches} catches", "stop"] * rounds
        others = {
            row.name: getattr(parameters, row.name)
            for row in ROWS
            if row.name not in BEAT_PARAMETERS
        }
        return with_parameters("\n".join([*head, "", *lines]) + "\n", others)

    def _part_of(self, pattern: Pattern) -> Score:
        """The score of a pattern, or of some of its props, staged as the whole."""
        staging = self._score.staging
        if pattern.text:
            return Score(pattern, staging=staging)
        # Catches are counted by hand, and with fewer props there are fewer.
        catches = staging.catches[0][:1], staging.catches[1][:1]
        written = replace(pattern, text=write_siteswap(pattern))
        return Score(written, staging=replace(staging, catches=catches))


def _is_thrown_back(text: str) -> bool:
    """Whether a routine throws more after its last line has ended, so that each hand begins with
    what it needs.
    """
    script = _laid_out(text).score.routine
    assert script is not None, "it was just written"
    thrown = script.choreography.events.time[script.choreography.flights.throw]
    return bool((thrown > script.lines[-1].begins - _MOMENT).any())


def _laid_out(text: str) -> Settings:
    settings = read_routine(text).patterns[0].settings
    assert settings is not None, "a routine is one pattern or an error"
    return settings
