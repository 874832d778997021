"""Variations: nine versions of an animation, itself in the middle, to choose one and to go on
from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.language import _, within_sentence
from juggle_anim.notation import Settings, with_settings
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import write_siteswap
from juggle_anim.parameters import Quantity, row_named
from juggle_anim.pattern.cycle import Cycle, CycleThrow, state_cycle

KINDS = ("mixed", "throws", "times", "places")
"""What varies: one of three kinds of things, or some of all."""

COUNT = 9
MIDDLE = 4
"""How many versions there are, and the number of the one that is as it was."""

_LEAST_BEATS = 3, 6  # of a pattern whose throws vary, by chance
_TRIES = 40  # for each version; some cannot be juggled, or are there already
# at full amount: by the exponent of how much tempo changes, and by how many beats dwell does
_TEMPO = 0.4
_DWELL = 0.5
# width by its exponent, heights of throws and catches, and points [cm]
_WIDTH = 0.7
_HEIGHT = 40.0
_POINT = 16.0
_USUAL_POINTS = (10.0, 32.5)  # where Juggling Lab throws and catches, outward [cm]

_Vary = Callable[[Animation, float, np.random.Generator, int], Animation]


def vary(
    animation: Animation, kind: str = "mixed", amount: float = 0.5, seed: int = 0
) -> tuple[Animation, ...]:
    """Return nine versions of an animation, the fifth of them itself; the public one is
    `juggle_anim.variations`.

    The same arguments give the same versions. All but what is stepped at random is kept.

    Args:
        animation: with a pattern of throws.
        kind: "throws" exchanges the landings of throws, so that props stay as many, "times" changes
            tempo and dwell, "places" changes where hands throw and catch; "mixed" changes one or
            several of these.
        amount: how much, above 0 and up to 1.
        seed: of the random choices, a whole number from 0.

    Raises:
        ParameterError: a value is not possible, or the animation has events of a file in place of
            throws.
    """
    return tuple(each_version(animation, kind, amount, seed))


def each_version(animation: Animation, kind: str, amount: float, seed: int) -> Iterator[Animation]:
    """The versions of `vary`, one after another; the errors are its errors, at once."""
    if kind not in KINDS:
        raise ParameterError.of("kind", kind, ", ".join(KINDS))
    if not 0 < amount <= 1:
        raise ParameterError.of("amount", amount, _("above 0 and at most 1"))
    if not isinstance(seed, int) or seed < 0:
        raise ParameterError.of("seed", seed, _("a whole number from 0 up"))
    if animation.pattern is None:
        raise ParameterError(
            _("these events have their own times and places; variations are of patterns of throws")
        )
    return _each(animation, kind, amount, seed)


def _each(animation: Animation, kind: str, amount: float, seed: int) -> Iterator[Animation]:
    seen = {animation.settings}
    last = animation
    for place in range(COUNT):
        if place == MIDDLE:
            yield animation
            continue
        rng = np.random.default_rng([seed, place])
        # Few patterns are near some; the same version twice is better than a gap.
        last = next(_versions(animation, kind, amount, rng, place, seen), last)
        seen.add(last.settings)
        yield last


def _versions(
    animation: Animation,
    kind: str,
    amount: float,
    rng: np.random.Generator,
    place: int,
    seen: set[str],
) -> Iterator[Animation]:
    """Versions that can be juggled and are not there yet, the farther the more are tried."""
    for turn in range(_TRIES):
        version = animation
        for each in _kinds(kind, rng):
            try:
                version = _VARY[each](version, min(amount * (1 + turn / 10), 1.0), rng, place)
                version.motion  # noqa: B018 - raises here if it is impossible
            except JuggleError:
                break
        else:
            if version.settings not in seen:
                yield version


def _kinds(kind: str, rng: np.random.Generator) -> list[str]:
    if kind != "mixed":
        return [kind]
    return [each for each in ("throws", "times", "places") if rng.random() < 0.5] or ["throws"]


def _vary_times(
    animation: Animation, amount: float, rng: np.random.Generator, place: int
) -> Animation:
    """Slower to the left and faster to the right; hands hold less in the upper row, and more in the
    lower.
    """
    rows = place // 3 - 1
    across = place % 3 - 1
    faster, longer = (size * amount * rng.uniform(0.6, 1.4) for size in (across, rows))
    changes = (
        {"bps": _rounded("bps", animation.choreography.bps * np.exp(_TEMPO * faster), 0.05)}
        if across
        else {}
    )
    dwell = animation.parameters.dwell
    if rows and dwell is not None:
        changes["dwell"] = _rounded("dwell", dwell + _DWELL * longer, 0.05)
    return animation.replace(**changes)


def _vary_places(
    animation: Animation, amount: float, rng: np.random.Generator, place: int
) -> Animation:
    """Two of: how wide, how high throws and catches are, how deep hands swing; or each point by
    itself.
    """
    staging = animation.score.staging
    parameters = animation.parameters
    if staging.hands is None and rng.random() < 0.4:
        hands = _points(
            min(animation.pattern.written_period if animation.pattern else 1, 4), amount, rng
        )
        settings = with_settings(Settings(animation.score, {}), hands=hands, style=staging.style)
        return Animation(settings.score, parameters)
    ways = {
        "width": (parameters.width * np.exp(_WIDTH * amount * rng.uniform(-1, 1)), 5.0),
        "throw_height": (parameters.throw_height + _HEIGHT * amount * rng.uniform(-1, 1), 1.0),
        "catch_height": (parameters.catch_height + _HEIGHT * amount * rng.uniform(-1, 1), 1.0),
        "scoop": (parameters.scoop * np.exp(amount * rng.uniform(-1, 1)), 5.0),
    }
    chosen = rng.choice(list(ways), size=2, replace=False)
    return animation.replace(
        **{str(name): _rounded(str(name), *ways[str(name)]) for name in chosen}
    )


def _points(beats: int, amount: float, rng: np.random.Generator) -> str:
    """Where a hand throws and catches on some beats, as the setting `hands` says it."""
    points = np.round(np.array(_USUAL_POINTS) + _POINT * amount * rng.uniform(-1, 1, (beats, 2)))
    return "".join(f"({throw:g})({catch:g})." for throw, catch in points)


def _rounded(name: str, value: float, step: float) -> float:
    row = row_named(name)
    assert isinstance(row, Quantity)
    return float(np.clip(round(round(value / step) * step, 6), row.low, row.high))


def _vary_throws(
    animation: Animation, amount: float, rng: np.random.Generator, place: int
) -> Animation:
    """One to three times, two props land in each other's place."""
    assert animation.pattern
    cycle = state_cycle(animation.pattern)
    # Few throws have few others near: a cascade is taken as three throws, or some more.
    least = int(rng.integers(*_LEAST_BEATS)) * cycle.phase
    cycle = cycle.times(max(1, least // cycle.period))
    highest = cycle.highest + max(round(2 * amount), 1) * cycle.phase
    swaps = 1 + rng.binomial(2, 0.6 * amount)
    throws = list(cycle.throws)
    for _try in range(_TRIES):
        if swaps and (swapped := _with_swapped_landings(cycle, throws, highest, rng)):
            throws = swapped
            swaps -= 1
    varied = cycle.canonical().with_throws(throws).right_first()
    varied = state_cycle(varied.pattern()).standard()
    if swaps or state_cycle(animation.pattern).is_same(varied):
        raise ParameterError(_("there is no other pattern near"))
    pattern = read_siteswap(write_siteswap(varied.right_first().pattern()))
    score = replace(animation.score, pattern=pattern, title="", about="", tags=())
    return Animation(score, animation.parameters)


def _with_swapped_landings(
    cycle: Cycle, throws: list[CycleThrow], highest: int, rng: np.random.Generator
) -> list[CycleThrow] | None:
    """The throws of which two land where the other one did; None if they cannot.

    An empty hand counts as a throw of 0 that lands at once. This is the site swap that siteswap is
    named after.

    Args:
        cycle: the slots in which throws are made.
        throws: the throws in these slots, in the order of their beats.
        highest: the greatest value that a throw may get.
        rng: chooses the two throws.
    """
    busy = {throw.slot for throw in throws}
    empty = sorted(cycle.row_slots - busy, key=lambda slot: (slot[1], slot[0]))
    choices = [*throws, *(CycleThrow(beat, row, 0, row) for beat, row in empty)]
    if len(choices) < 2:
        return None
    first, second = (choices[index] for index in rng.choice(len(choices), size=2, replace=False))
    later = second.beat + cycle.period * int(rng.integers(-1, 2))
    swapped = (
        first._replace(value=later + second.value - first.beat, to_row=second.to_row),
        second._replace(value=first.beat + first.value - later, to_row=first.to_row),
    )
    for throw in swapped:
        if not 0 <= throw.value <= highest or (not throw.value and throw.row != throw.to_row):
            return None
    others = list(throws)
    for throw in (first, second):
        if throw.value:
            others.remove(throw)
    others += [throw._replace(held=None) for throw in swapped if throw.value]
    return sorted(others, key=lambda throw: throw.beat)


_VARY: dict[str, _Vary] = {"throws": _vary_throws, "times": _vary_times, "places": _vary_places}


def difference(version: Animation, animation: Animation) -> str:
    """What a version has that an animation has not, in words: `441 · dwell 0.8`."""
    words: list[str] = []
    if version.pattern and version.pattern != animation.pattern:
        words.append(version.pattern.text)
    for name in ("bps", "dwell", "width", "throw_height", "catch_height", "scoop"):
        value = getattr(version.parameters, name)
        if value != getattr(animation.parameters, name):
            words.append(f"{within_sentence(row_named(name).label)} {value:g}")
    if version.score.staging.hands != animation.score.staging.hands:
        words.append(_("places of hands"))
    return " · ".join(words) or version.text
