"""Lessons: a pattern taken apart into steps, from one prop to all of them, each of which can be
juggled by itself.

Steps begin slowly: where gravity is a share of its usual value, the tempo is the root of that
share, and paths are the same.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from juggle_anim.choreography import PropStyle, Score, choreograph, holds, repeat_to_full_loop
from juggle_anim.errors import NotationError
from juggle_anim.language import N_, _, translated
from juggle_anim.lazy_dataclass import ShortRepr
from juggle_anim.notation.library import LibraryPattern, find_pattern, library, name_key
from juggle_anim.notation.routine import read_routine, with_parameters
from juggle_anim.notation.settings import Settings, read_settings, staging_texts, write_settings
from juggle_anim.notation.siteswap.write import write_siteswap
from juggle_anim.parameters import (
    BEAT_PARAMETERS,
    DEFAULTS,
    ROWS,
    HasTable,
    Parameters,
    Result,
    Table,
    written,
)
from juggle_anim.pattern import Pattern, repeated
from juggle_anim.resources import resource

FIRST_GRAVITY = 40.0
"""Gravity in the first step, [% of what the pattern has]."""

MOST_PROPS = 5
"""Patterns with more are shown slowly and then faster, but not taken apart."""

_MAX_UNROLLED_THROWS = 240  # of a pattern in which every prop has a path of its own
_MAX_STEP_THROWS = 30  # of a step that is stopped
_MAX_SHOWN_PATHS = 2  # of one prop alone
# Titles of steps with one to four props, by the kind of all props; of kinds without a row, and of
# props of several kinds, those of "prop".
_PROPS = {
    "prop": (N_("One prop"), N_("Two props"), N_("Three props"), N_("Four props")),
    "ball": (N_("One ball"), N_("Two balls"), N_("Three balls"), N_("Four balls")),
    "club": (N_("One club"), N_("Two clubs"), N_("Three clubs"), N_("Four clubs")),
    "ring": (N_("One ring"), N_("Two rings"), N_("Three rings"), N_("Four rings")),
}
_OTHER_PATHS = {
    "prop": N_("One prop, the other path"),
    "ball": N_("One ball, the other path"),
    "club": N_("One club, the other path"),
    "ring": N_("One ring, the other path"),
}
_THROWS = N_("{throws} throws, then stop")
_HALF = N_("Half of it: {throws} throws")
_WHOLE = N_("Once through: {throws} throws")


@dataclass(frozen=True)
class StepPlan:
    """A step before it is written: a pattern, as a loop or for a number of catches.

    Args:
        title: the title of the step.
        advice: what to do.
        trouble: what usually goes wrong, and how to mend it.
        pattern: what is juggled; None for the whole pattern.
        catches: number of catches after which it stops; 0 for a loop.
    """

    title: str
    advice: str
    trouble: str
    pattern: Pattern | None = None
    catches: int = 0


def is_taken_apart(pattern: Pattern) -> bool:
    """Return whether the lesson of a pattern has steps with fewer props or few throws.

    It does if one juggler throws one to `MOST_PROPS` props on whole beats with both hands, and no
    hand siteswap sets the order of the hands.
    """
    alone = pattern.jugglers == 1 and pattern.division == 1 and not pattern.hand_siteswap
    return (
        alone
        and 0 < pattern.props <= MOST_PROPS
        and len({throw.hand for throw in pattern.throws}) > 1
    )


def step_plans(score: Score) -> Iterator[StepPlan]:
    """Yield the steps of a score with a pattern, from the easiest to the whole pattern."""
    pattern = score.pattern
    assert pattern is not None, "a lesson is about throws on beats"
    # A pattern that is taken apart comes first with fewer props, and then with all of them and few
    # throws. Any other pattern is only shown slowly.
    if is_taken_apart(pattern):
        yield from _with_fewer_props(score, pattern)
        yield from _first_throws(pattern)
    else:
        yield StepPlan(
            _("In slow motion"),
            _("Watch just one prop, from hand to hand, then the next."),
            _("Looking at everything at once. Follow a single colour for three rounds."),
        )
        yield StepPlan(
            _("Faster"),
            _("Watch the hands now: where each throws, and where it waits."),
            _("Looking at hands that have nothing to do. Look at the one that throws next."),
        )
    yield StepPlan(
        _("Keep going"),
        _("The whole pattern. Stop on purpose, before you drop."),
        _("It gets faster with every round. Throw higher, not sooner, and breathe."),
    )


def _with_fewer_props(score: Score, pattern: Pattern) -> Iterator[StepPlan]:
    """Yield lesson steps with only some of the props, fewest first.

    Nothing is yielded for a single prop, or if the unrolled loop has too many throws.

    Args:
        score: its staging decides on the length of the full loop.
        pattern: the pattern of the score.
    """
    # If n props share an orbit, each returns to its start after n loops. Unroll the loop until this
    # holds for all orbits, so that each orbit is the path of one prop.
    loop = repeat_to_full_loop(pattern, score.staging)
    loops = math.lcm(*(orbit.props for orbit in loop.orbits))
    if pattern.props < 2 or loops * len(loop.throws) > _MAX_UNROLLED_THROWS:
        return
    unrolled = replace(repeated(loop, loops), text="", written_period=loops * loop.period)
    paths = _prop_paths(unrolled)

    # Hands throw together if there are fewer beats with throws than pairs of a beat and a hand.
    throwing_beats = {throw.beat for throw in unrolled.throws}
    turns = {throw.turn for throw in unrolled.throws}
    together = len(throwing_beats) < len(turns)

    kinds = set(score.staging.props.kinds)
    kind = kinds.pop() if len(kinds) == 1 else "prop"
    if kind not in _PROPS:
        kind = "prop"
    on_paths = score.staging.hands is not None

    # First, one prop alone: a step for each of the first few paths that differ in their throws.
    shown_rounds = list[tuple[int, ...]]()
    for path in paths:
        values = _canonical_values(unrolled, path)
        if values not in shown_rounds and len(shown_rounds) < _MAX_SHOWN_PATHS:
            shown_rounds.append(values)
            first = len(shown_rounds) == 1
            yield _one_prop_step(unrolled, path, kind, first=first, on_paths=on_paths)

    if paths and (step := _one_hand_step(unrolled, paths)):
        yield step

    # Then two props, three, and so on, up to all except one, in the order of their first throws.
    # There may be fewer paths than props, since held props have none.
    for props in range(2, min(len(paths), pattern.props)):
        some_paths = paths[:props]
        yield _some_props_step(unrolled, some_paths, kind, together=together, on_paths=on_paths)


def _one_hand_step(pattern: Pattern, paths: Sequence[tuple[int, ...]]) -> StepPlan | None:
    """Return the lesson step of one hand.

    It is the first hand alone, if two or more props, but not all, never leave it. Otherwise it is
    the first prop that the other hand throws; None if there is no such prop.

    Args:
        pattern: unrolled, so that each prop has a path of its own.
        paths: for each prop the indices of its throws in the pattern; at least one.
    """
    # The hand that makes the first throw, and the props that only this hand throws.
    first_hand = pattern.throws[paths[0][0]].hand
    one_handed = [
        path for path in paths if {pattern.throws[index].hand for index in path} == {first_hand}
    ]
    if 1 < len(one_handed) < len(paths):
        return StepPlan(
            _("One hand alone"),
            _("This hand juggles its own props while the other rests. Then swap hands."),
            _(
                "Props collide above the hand. Throw in circles: up on the inside, down on the "
                "outside."
            ),
            _with_some_paths(pattern, one_handed),
        )
    # Otherwise the props whose first throw is from the other hand; the first of them is the step.
    other_hand_paths = [path for path in paths if pattern.throws[path[0]].hand != first_hand]
    if not other_hand_paths:
        return None
    return StepPlan(
        _("The other hand starts"),
        _("The same from the other hand, most people's weaker one. It must throw just as high."),
        _("One hand throws lower. Say “up” at the top of each throw, in an even rhythm."),
        *_with_stop(pattern, other_hand_paths[:1]),
    )


def _one_prop_step(
    pattern: Pattern, path: tuple[int, ...], kind: str, *, first: bool, on_paths: bool
) -> StepPlan:
    """Return the lesson step of one prop alone.

    Args:
        pattern: unrolled, so that each prop has a path of its own.
        path: indices of the prop's throws in the pattern.
        kind: the kind of the prop, a key of `_PROPS`.
        first: whether this is the first such step; another one says that this path differs.
        on_paths: whether hands move along paths of the pattern's own.
    """
    title = _(_PROPS[kind][0])
    advice = _("Throw it, look at its highest point, catch it. Then rest and start again.")
    trouble = _(
        "It drifts forward and you chase it. Throw as if there were a wall right in front of you."
    )
    if on_paths:
        advice = _("First move both hands without props, then throw this one along the way.")
        trouble = _("The empty hand stops. It goes on along its path, as if it held a prop.")
    if not first:
        title = _(_OTHER_PATHS[kind])
        advice = _("The same with a prop that takes the other path in this pattern.")
        trouble = _(
            "Both paths end up the same height. First look at where the highest point should be."
        )
    return StepPlan(title, advice, trouble, *_with_stop(pattern, [path]))


def _some_props_step(
    pattern: Pattern,
    paths: Sequence[tuple[int, ...]],
    kind: str,
    *,
    together: bool,
    on_paths: bool,
) -> StepPlan:
    """Return the lesson step of two to four props.

    Args:
        pattern: unrolled, so that each prop has a path of its own.
        paths: for each prop of the step the indices of its throws in the pattern.
        kind: the kind of the props, a key of `_PROPS`.
        together: whether both hands throw at once; if not, they take turns.
        on_paths: whether hands move along paths of the pattern's own.
    """
    if on_paths:
        advice = _("Keep both hands on their paths. Where a prop is missing, the hand still goes.")
        trouble = _("Hands take the short way. Stop, and move them once more without props.")
    elif together:
        advice = _("Both hands throw at the same moment. Catch, and stop.")
        trouble = _("One hand is late. Let both hands dip together, then throw.")
    else:
        advice = _(
            "Throw the next prop when the one before it is at its highest. Wait out the gap."
        )
        trouble = _(
            "The next throw comes too early or is handed across. Say “throw, throw, catch, catch”."
        )
    return StepPlan(_(_PROPS[kind][len(paths) - 1]), advice, trouble, *_with_stop(pattern, paths))


def _first_throws(pattern: Pattern) -> Iterator[StepPlan]:
    """Yield lesson steps with all props that stop after a number of throws, fewest throws first.

    Args:
        pattern: the pattern of the lesson.
    """
    # The number of throws, without holds, in the written period.
    written_throws = sum(
        not held and throw.beat < pattern.written_period
        for throw, held in zip(pattern.throws, holds(pattern), strict=True)
    )

    # Titles of the steps by their number of throws: each prop once, each prop twice, half of the
    # written throws, and all of them. If two of these numbers are equal, the last title is used.
    props = pattern.props
    half = math.ceil(written_throws / 2)
    titles = {props: _THROWS, 2 * props: _THROWS} if written_throws else {}
    # With fewer than four throws, half of them would hardly differ from the other steps.
    if written_throws >= 4:
        titles[half] = _HALF
    if props > 1 and written_throws > 1:
        titles[written_throws] = _WHOLE

    # With several props a single throw does not yet show anything of the pattern.
    fewest = 2 if props > 1 else 1
    for throws in sorted(count for count in titles if fewest <= count <= _MAX_STEP_THROWS):
        yield StepPlan(
            _(titles[throws], throws=throws) if throws > 1 else _("One throw, then stop"),
            _("Start with all props in hand. Make these throws, then just catch and hold."),
            _("The last throws are rushed. Make them as high as the first."),
            pattern,
            catches=throws,
        )


def _prop_paths(pattern: Pattern) -> list[tuple[int, ...]]:
    """Return the path of each prop: the indices of its throws in order of time.

    Paths are sorted by their first throw that is not a hold. Props that are held all the time are
    left out.

    Args:
        pattern: unrolled, so that each orbit is the path of one prop.
    """
    held = holds(pattern)

    def beat(index: int) -> int:
        """Return the beat of a throw, by its index."""
        return pattern.throws[index].beat

    paths = [
        tuple(sorted(orbit.throws, key=beat))
        for orbit in pattern.orbits
        if not all(held[index] for index in orbit.throws)
    ]
    return sorted(paths, key=lambda path: min(beat(index) for index in path if not held[index]))


def _canonical_values(pattern: Pattern, path: tuple[int, ...]) -> tuple[int, ...]:
    """Return the values of a path's throws, rotated so that they are least in lexical order.

    Paths with the same throws in the same cyclic order have equal results, wherever they begin.

    Args:
        pattern: unrolled.
        path: indices of a prop's throws in the pattern, in order of time; not empty.
    """
    values = [pattern.throws[index].value for index in path]
    return min(tuple(values[start:] + values[:start]) for start in range(len(values)))


def _with_some_paths(pattern: Pattern, paths: Sequence[tuple[int, ...]]) -> Pattern:
    """Return a pattern with some of its props only.

    Args:
        pattern: unrolled, so that each prop has a path of its own.
        paths: for each prop that stays, the indices of its throws in the pattern.
    """
    indices = sorted(index for path in paths for index in path)
    return replace(pattern, throws=tuple(pattern.throws[index] for index in indices))


def _with_stop(pattern: Pattern, paths: Sequence[tuple[int, ...]]) -> tuple[Pattern, int]:
    """Return a pattern with some of its props, and after how many throws, without holds, to stop.

    The arguments are those of `_with_some_paths`.
    """
    reduced = _with_some_paths(pattern, paths)
    thrown = len(reduced.throws) - sum(holds(reduced))
    # The step stops after one loop, if that has at most four throws for each prop on average; else
    # after two for each.
    two_throws_each = 2 * len(paths)
    return reduced, thrown if thrown <= 2 * two_throws_each else two_throws_each


TAKEN_APART = N_(
    "From one prop to the whole pattern, slowly at first. Each step repeats until you continue."
)
SHOWN_SLOWLY = N_(
    "Shown slowly, then faster, then at full speed. Steps with fewer props are only for one "
    "juggler with two hands and up to five props."
)
"""What a lesson does, of either kind."""

GENERAL = N_("A general lesson, made from the throws.")
"""What is said first of the lesson of a pattern without advice of its own."""

_TIME_TOLERANCE = 1e-6  # s, for rounding


def speed_of_gravity(gravity: float) -> float:
    """Return the speed at which props fly equally high in another gravity, both [%].

    The height of a throw of duration t is g·t²/8, so t is as 1/√g, and the speed as √g.
    """
    return 100 * math.sqrt(gravity / 100)


@dataclass(frozen=True, eq=False)
class LessonStep(Result):
    """One step of a lesson.

    Args:
        title: the title of the step, in a few words.
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

    @property
    def speed(self) -> float:
        """How fast it is, [% of the pattern]; see `speed_of_gravity`."""
        return speed_of_gravity(self.gravity)

    @cached_property
    def text(self) -> str:
        """The text that opens it: lines of a routine, or settings."""
        return self.write()

    @property
    def pattern(self) -> str:
        """The text, as `animate` reads it."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return what it says, and its text."""
        names = ("title", "advice", "trouble", "gravity", "text")
        return {name: getattr(self, name) for name in names}

    @property
    def siteswap(self) -> str:
        """The throws, also where lines of a routine repeat and stop them."""
        pattern = self.settings.score.pattern
        return pattern.text if pattern else re.findall(r"pattern=([^; ]+)", self.text)[0]

    @cached_property
    def settings(self) -> Settings:
        """The score of the step and its parameters."""
        return _routine_settings(self.text) if "\n" in self.text else read_settings(self.text)


@translated("begin", "look", "wrong", "mend")
@dataclass(frozen=True)
class Advice:
    """What a teacher says about one pattern.

    Args:
        look: where to look.
        wrong: what usually goes wrong.
        mend: how to mend it.
        begin: how to begin; empty where the steps of the lesson say enough.
    """

    look: str
    wrong: str
    mend: str
    begin: str = ""


_WIDEST = 80  # characters of a line of a lesson

_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>{title}</title></head>
<body style="font-family: sans-serif; max-width: 40em; margin: 2em auto">
{text}</body></html>
"""
"""A web page with the text of a lesson."""


@dataclass(frozen=True, repr=False)
class Lesson(HasTable, Result, ShortRepr):
    """How to learn a pattern, step by step; it is also saved as a web page.

    Args:
        title: the title of the pattern.
        about: what the lesson does, and whether it is a general one.
        words: the advice on the pattern; None if it has none of its own.
        steps: from the easiest to the whole pattern without end.
        description: what the library says of the pattern; empty if it is not in the library.
    """

    title: str
    about: str
    words: Advice | None
    steps: Table[LessonStep]
    description: str = ""

    _TABLE = "steps"
    _WRITERS: ClassVar[dict[str, str]] = Result._WRITERS | {".md": "to_text", ".html": "to_html"}

    def __str__(self) -> str:
        return self.wrapped()

    def wrapped(self, width: int = _WIDEST) -> str:
        """Return it as text: its title, its steps, and advice on the whole pattern.

        Args:
            width: characters of a line, of which there are at most 80.
        """
        width = min(width, _WIDEST)
        indent = " " * 3
        return "\n\n".join(
            "\n".join(
                (
                    heading,
                    *(
                        textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent)
                        for text in paragraphs
                    ),
                )
            )
            for heading, paragraphs in self._sections()
        )

    def _sections(self) -> Iterator[tuple[str, list[str]]]:
        """Yield a heading and the paragraphs below it: of the whole, each step, and the pattern."""
        description = self.description if self.words is None else ""
        yield _("Learn {name}", name=self.title), [*filter(None, (description, self.about))]
        for number, step in enumerate(self.steps, 1):
            speed = _("{share} speed", share=_("{number}%", number=f"{step.speed:.0f}"))
            trouble = _titled(_("If it goes wrong"), step.trouble)
            yield f"{number}. {step.title} ({speed})", [*filter(None, [step.advice]), *trouble]
        if words := self.words:
            advice = (
                (_("How to begin"), words.begin),
                (_("Where to look"), words.look),
                (_("Common mistakes"), words.wrong),
                (_("How to fix it"), words.mend),
            )
            yield (
                _("The full pattern"),
                [line for title, text in advice for line in _titled(title, text)],
            )

    def to_html(self, path: str | Path | None = None) -> str:
        """Return it as a web page; also write that to a file, or replace it."""
        sections = [
            "".join(
                (f"<h2>{escape(heading)}</h2>\n", *(f"<p>{escape(text)}</p>\n" for text in texts))
            )
            for heading, texts in self._sections()
        ]
        sections[0] = sections[0].replace("h2>", "h1>")
        return written(_PAGE.format(title=escape(self.title), text="".join(sections)), path)


def _titled(title: str, text: str) -> list[str]:
    """Return a paragraph that begins with its title; none without a text."""
    return [f"{title}: {text}"] if text else []


def lesson(pattern: str, first_gravity: float = FIRST_GRAVITY) -> Lesson:
    """Return the lesson of a pattern, in steps from easy to hard.

    Args:
        pattern: a name of the library, a siteswap or settings.
        first_gravity: gravity in the first step, [% of the pattern's]; the last step has 100 %.

    Raises:
        NotationError: the text is not a pattern.
    """
    settings = read_settings(pattern)
    return lesson_of(settings.score, settings.applied_to(DEFAULTS), first_gravity)


def lesson_of(
    score: Score, parameters: Parameters = DEFAULTS, first_gravity: float = FIRST_GRAVITY
) -> Lesson:
    """Return the lesson of a score, in steps from easy to hard.

    Args:
        score: the score of a pattern on beats.
        parameters: the parameters of the pattern.
        first_gravity: gravity in the first step, [% of the pattern's].

    Raises:
        NotationError: the score has no pattern, but events with times and places.
    """
    if score.pattern is None:
        reason = _("timed events cannot be split into steps")
        raise NotationError(
            score.name, 0, reason, _("use a siteswap, settings, or a name from the library")
        )
    # A plan is a step whose text (its pattern in slow motion, perhaps with fewer props) is not
    # written yet.
    plans = list(step_plans(score))
    writer = _StepWriter(score, parameters)
    steps = []
    for index, plan in enumerate(plans):
        # Gravity grows linearly from the first step to the last, [%].
        gravity = first_gravity + (100.0 - first_gravity) * index / max(len(plans) - 1, 1)
        # The text of a step is written only when it is requested, since that takes long.
        write = partial(writer.text, plan, gravity / 100)
        steps.append(
            LessonStep(plan.title, plan.advice, plan.trouble, gravity=gravity, write=write)
        )
    about = _(TAKEN_APART if is_taken_apart(score.pattern) else SHOWN_SLOWLY)
    known = _library_pattern(score)
    words = all_advice().get(name_key(known.name)) if known else None
    if words is None:
        about = f"{_(GENERAL)} {about}"
    description = known.shown_description if known else ""
    return Lesson(score.name, about, words, Table(steps), description)


def _library_pattern(score: Score) -> LibraryPattern | None:
    """Return the pattern of the library that a score is; None if it is none.

    It is recognized by its title or, if it has none, by its throws and the kind of its props.

    Args:
        score: a score with a pattern; its title and staging are read.
    """
    assert score.pattern is not None, "a lesson is about throws on beats"
    # The title or the throws may name a pattern of the library. The siteswap is compared, too, as
    # another pattern may have been given the same title.
    known = find_pattern(score.title or score.pattern.text)
    if known is not None and known.siteswap == score.pattern.text:
        return known

    # Otherwise the throws may be those of such a pattern, typed without its name. With paths of
    # hands or bodies, or a title, it is another pattern.
    if score.staging.hands is not None or score.staging.body is not None or score.title:
        return None
    return _plain_patterns().get((score.pattern.text, score.staging.props.kinds[0]))


@cache
def _plain_patterns() -> MappingProxyType[tuple[str, str], LibraryPattern]:
    """Return the patterns for which there is advice, by siteswap and kind of prop.

    Patterns that need settings beyond the prop and the width are left out, since their throws
    alone are another pattern. Of several with the same throws the first in the library counts.
    """
    patterns: dict[tuple[str, str], LibraryPattern] = {}
    for pattern in library():
        settings = dict(pattern.settings)
        if name_key(pattern.name) in all_advice() and settings.keys() <= {"prop", "width"}:
            patterns.setdefault((pattern.siteswap, settings.get("prop", "ball")), pattern)
    return MappingProxyType(patterns)


@cache
def all_advice() -> MappingProxyType[str, Advice]:
    """Return the advice on patterns of the library, by their names as `name_key` has them."""
    import tomllib

    data = tomllib.loads(resource("patterns", "lessons/advice.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name_key(name): Advice(**words) for name, words in data.items()})


class _StepWriter:
    """Writes steps as texts.

    Args:
        score: the score of the whole pattern.
        parameters: the parameters of the pattern.
    """

    def __init__(self, score: Score, parameters: Parameters) -> None:
        self._score = score
        self._parameters = parameters
        self._tempo = choreograph(score, parameters).bps

    def text(self, plan: StepPlan, gravity_share: float) -> str:
        """Write the text that opens a step: settings, or lines of a routine.

        Paths keep their height if the tempo is multiplied by the root of gravity's share, as a
        flight of height h takes t = 2 √(2 h / g).

        Args:
            plan: the step.
            gravity_share: the part of the pattern's gravity that the step has, above 0 and up to 1.
        """
        slow = self._parameters.replace(
            gravity=round(self._parameters.gravity * gravity_share, 3),
            bps=round(self._tempo * math.sqrt(gravity_share), 4),
        )
        if plan.pattern is None:
            return write_settings(self._score, slow if gravity_share < 1.0 else self._parameters)
        if not plan.catches:
            return write_settings(self._staged_score(plan.pattern), slow)

        # A step that stops after a number of catches is a routine, which is repeated as a whole.
        once = self._routine_text(plan, slow, rounds=1)
        if not _is_thrown_back(once):
            return once
        # Props that end in other hands than those in which they began must be thrown back at the
        # end. A second round, which is the mirror image, may bring them back instead. If it does
        # not, the longer text has no advantage.
        twice = self._routine_text(plan, slow, rounds=2)
        return once if _is_thrown_back(twice) else twice

    def _routine_text(self, plan: StepPlan, parameters: Parameters, *, rounds: int) -> str:
        """Write a step that stops after a number of catches as a routine.

        Args:
            plan: the step.
            parameters: the parameters of the whole routine.
            rounds: number of times the pattern is begun and stopped.
        """
        assert plan.pattern is not None, "it is stopped"
        score = self._staged_score(plan.pattern)

        # A line of a routine can have only parameters of beats; props and all others stand above.
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
            # Names of patterns may be very long, so the title is cut after 200 characters.
            f"title={self._score.name}: {plan.title}"[:200],
            *(f"{key}={text}" for key, text in looks.items()),
        ]
        lines = [f"{line} {plan.catches} catches", "stop"] * rounds
        other_parameters = {
            row.name: getattr(parameters, row.name)
            for row in ROWS
            if row.name not in BEAT_PARAMETERS
        }
        return with_parameters("\n".join([*head, "", *lines]) + "\n", other_parameters)

    def _staged_score(self, pattern: Pattern) -> Score:
        """Return the score of a pattern, or of some of its props, staged as the whole."""
        staging = self._score.staging
        if pattern.text:
            return Score(pattern, staging=staging)
        # The words for catches are taken in turn, catch by catch, and some props alone have fewer
        # catches. So each hand keeps only its first word.
        catches = staging.catches[0][:1], staging.catches[1][:1]
        written = replace(pattern, text=write_siteswap(pattern))
        return Score(written, staging=replace(staging, catches=catches))


def _is_thrown_back(text: str) -> bool:
    """Return whether a routine throws after its last line, to give each hand what it needs."""
    script = _routine_settings(text).score.routine
    assert script is not None, "it was just written"
    thrown = script.choreography.events.time[script.choreography.flights.throw]
    return bool((thrown > script.lines[-1].begins - _TIME_TOLERANCE).any())


def _routine_settings(text: str) -> Settings:
    """Read the settings of a routine."""
    settings = read_routine(text).patterns[0].settings
    assert settings is not None, "a routine is one pattern or an error"
    return settings
