"""Steps of a lesson before they are written as texts: which props of a pattern are there, and for
how many throws.

A prop alone keeps the beats and heights that it has in the pattern, so a step is that pattern with
the other props left out, or its first throws, after which all is collected.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import holds
from juggle_anim.language import N_, _
from juggle_anim.pattern import Pattern

FIRST_GRAVITY = 40.0
"""Gravity in the first step, [% of what the pattern has]."""

MOST_PROPS = 5
"""Patterns with more are shown slowly and then faster, but not taken apart."""

_MAX_THROWS = 240  # of a pattern in which every prop has a path of its own
_LONGEST = 30  # throws of a step
_DISTINCT = 2  # paths of one prop that are shown
_PROPS = {2: N_("Two props"), 3: N_("Three props"), 4: N_("Four props")}
_THROWS = N_("{throws} throws, then stop")
_HALF = N_("Half of it: {throws} throws")
_WHOLE = N_("Once through: {throws} throws")


@dataclass(frozen=True)
class StepPlan:
    """A step before it is written: the whole pattern, or another one for some catches or as a loop.

    Args:
        title: of the step.
        advice: what to do.
        trouble: what usually goes wrong, and how to mend it.
        pattern: what is juggled; None for the whole pattern.
        catches: after so many it is stopped; 0 for a loop.
    """

    title: str
    advice: str
    trouble: str
    pattern: Pattern | None = None
    catches: int = 0


def is_taken_apart(pattern: Pattern) -> bool:
    """Whether a lesson has steps with fewer props: one juggler has two hands and up to five
    props.
    """
    alone = pattern.jugglers == 1 and pattern.division == 1 and not pattern.hand_siteswap
    return (
        alone
        and 0 < pattern.props <= MOST_PROPS
        and len({throw.hand for throw in pattern.throws}) > 1
    )


def step_plans(score: Score) -> Iterator[StepPlan]:
    """Yield the steps of a score with a pattern, from the easiest to the whole without end."""
    pattern = score.pattern
    assert pattern is not None, "a lesson is about throws on beats"
    if is_taken_apart(pattern):
        yield from _with_fewer_props(score, pattern)
        yield from _first_throws(pattern)
    else:
        yield StepPlan(
            _("In slow motion"),
            _("Watch one prop only, from hand to hand, and then the next one."),
            _("One looks at everything at once. Follow a single colour for three rounds."),
        )
        yield StepPlan(
            _("Faster"),
            _("Watch the hands now: where each throws, and where it waits."),
            _("One looks at hands that have nothing to do. Look at the one that throws next."),
        )
    yield StepPlan(
        _("Without end"),
        _("The whole pattern, as it is juggled. Stop on purpose, before it stops you."),
        _("It grows faster from round to round. Throw higher, not sooner, and breathe."),
    )


def _with_fewer_props(score: Score, pattern: Pattern) -> Iterator[StepPlan]:
    """Steps in which only some of the props are there."""
    whole = repeat_to_full_loop(pattern, score.staging)
    times = math.lcm(*(orbit.props for orbit in whole.orbits))
    if pattern.props < 2 or times * len(whole.throws) > _MAX_THROWS:
        return
    unrolled = _unrolled(whole, times)
    paths = _paths(unrolled)
    together = len({throw.beat for throw in unrolled.throws}) < len(
        {throw[:3] for throw in unrolled.throws}
    )
    seen = list[tuple[int, ...]]()
    for path in paths:
        values = _round(unrolled, path)
        if values not in seen and len(seen) < _DISTINCT:
            seen.append(values)
            yield _alone(unrolled, path, first=len(seen) == 1)
    hands = [{unrolled.throws[index].hand for index in path} for path in paths]
    first = unrolled.throws[paths[0][0]].hand if paths else 0
    stays = [path for path, used in zip(paths, hands, strict=True) if used == {first}]
    other = next((path for path in paths if unrolled.throws[path[0]].hand != first), None)
    if 1 < len(stays) < len(paths):
        yield StepPlan(
            _("One hand alone"),
            _(
                "This hand juggles its own props without end, the other one rests. Then let your "
                "other hand "
                "do the same."
            ),
            _("Props meet above the hand. Let each go round, outward when it falls."),
            _part(unrolled, stays)[0],
        )
    elif other is not None:
        yield StepPlan(
            _("The other hand begins"),
            _(
                "The same from the other hand, which is the weaker one of most people. It must "
                "throw as high."
            ),
            _("One hand throws lower. Say “up” at both highest points: they come equally late."),
            *_part(unrolled, [other]),
        )
    for props in range(2, min(len(paths), pattern.props)):
        yield _some(unrolled, paths[:props], together)


def _alone(pattern: Pattern, path: tuple[int, ...], first: bool) -> StepPlan:
    title = _("One prop")
    advice = _("Throw it, look at its highest point, catch it. Then rest, and begin again.")
    trouble = _(
        "It flies away from you, and you walk after it. Throw as if a wall stood right before you."
    )
    if not first:
        title = _("One prop, the other path")
        advice = _("The same with a prop that goes another way in this pattern.")
        trouble = _("Both paths become equally high. Look first where it has to be at its highest.")
    return StepPlan(title, advice, trouble, *_part(pattern, [path]))


def _some(pattern: Pattern, paths: Sequence[tuple[int, ...]], together: bool) -> StepPlan:
    if together:
        advice = _("What both hands throw leaves them at the same moment. Catch it, and stop.")
        trouble = _("One hand is late. Let both hands dip together, and then throw.")
    else:
        advice = _(
            "Throw the next prop when the one before is at its highest. Where a prop is left out, "
            "wait."
        )
        trouble = _(
            "The next throw comes too early, or is handed across. Say “throw, throw, catch, catch”."
        )
    return StepPlan(_(_PROPS[len(paths)]), advice, trouble, *_part(pattern, paths))


def _first_throws(pattern: Pattern) -> Iterator[StepPlan]:
    """Steps in which all props are there, and are collected after some throws."""
    held = holds(pattern)
    written = sum(
        not each and throw.beat < pattern.written_period
        for throw, each in zip(pattern.throws, held, strict=True)
    )
    props = pattern.props
    half = math.ceil(written / 2)
    titles = {props: _THROWS, 2 * props: _THROWS} if written else {}
    if written >= 4:
        titles[half] = _HALF
    if props > 1 and written > 1:
        titles[written] = _WHOLE
    for throws in sorted(each for each in titles if each <= _LONGEST and each > (props > 1)):
        yield StepPlan(
            _(titles[throws], throws=throws) if throws > 1 else _("One throw, then stop"),
            _(
                "Begin with all props in the hands. Make these throws, then only catch, and hold "
                "what you have caught."
            ),
            _(
                "The last throws are hurried, since nothing follows. Give them the height of the "
                "first."
            ),
            pattern,
            throws,
        )


def _unrolled(pattern: Pattern, times: int) -> Pattern:
    """A pattern written out so many times, so that each orbit is that of one prop."""
    laps = [lap * pattern.period for lap in range(times)]
    throws = tuple(
        throw._replace(beat=throw.beat + lap) for lap in laps for throw in pattern.throws
    )
    turns = tuple((beat + lap, *rest) for lap in laps for beat, *rest in pattern.turns)
    period = times * pattern.period
    return Pattern("", throws, period, period, turns=turns)  # type: ignore[arg-type]


def _paths(pattern: Pattern) -> list[tuple[int, ...]]:
    """For each prop that is thrown at all its throws, in order of time; props in that of their
    first throws.
    """
    held = holds(pattern)
    flying = [
        orbit.throws for orbit in pattern.orbits if not all(held[index] for index in orbit.throws)
    ]
    ordered = [tuple(sorted(path, key=lambda index: pattern.throws[index].beat)) for path in flying]
    begins = {
        path: min(pattern.throws[index].beat for index in path if not held[index])
        for path in ordered
    }
    return sorted(ordered, key=lambda path: begins[path])


def _round(pattern: Pattern, path: tuple[int, ...]) -> tuple[int, ...]:
    """The values of a path, begun where that is the smallest tuple, so that equal paths are
    equal.
    """
    values = [pattern.throws[index].value for index in path]
    return min(tuple(values[place:] + values[:place]) for place in range(len(values)))


def _part(pattern: Pattern, paths: Sequence[tuple[int, ...]]) -> tuple[Pattern, int]:
    """A pattern with these props only, and after how many throws it is stopped."""
    chosen = sorted(index for path in paths for index in path)
    part = replace(pattern, throws=tuple(pattern.throws[index] for index in chosen))
    flying = len(chosen) - sum(holds(part))
    least = 2 * len(paths)
    return part, flying if flying <= 2 * least else least
