"""Variations: nine versions of an animation, itself in the middle, to go on from one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.language import _, within_sentence
from juggle_anim.notation import Settings, read_siteswap, with_settings, write_siteswap
from juggle_anim.parameters import Quantity, row_named
from juggle_anim.pattern.cycle import Cycle, CycleThrow, state_cycle

KINDS = ("mixed", "throws", "times", "places")
"""The kinds of variations: one of three kinds of changes, or several."""

COUNT = 9
MIDDLE = 4
"""The number of versions, and the index of the original."""

_LEAST_BEATS = 3, 6  # of a pattern whose throws vary, by chance
_TRIES = 40  # for each version; some cannot be juggled, or are there already

# The greatest changes, at full amount.
_MAX_TEMPO_CHANGE = 0.4  # of the logarithm of the tempo
_MAX_DWELL_CHANGE = 0.5  # beats
_MAX_WIDTH_CHANGE = 0.7  # of the logarithm of the width
_MAX_HEIGHT_CHANGE = 40.0  # cm, of throws and catches
_MAX_POINT_SHIFT = 16.0  # cm, of a point where a hand throws or catches
_USUAL_POINTS = (10.0, 32.5)  # where Juggling Lab throws and catches, outward [cm]

_Vary = Callable[[Animation, float, np.random.Generator, int], Animation]


def vary(
    animation: Animation, kind: str = "mixed", amount: float = 0.5, seed: int = 0
) -> tuple[Animation, ...]:
    """Return nine versions of an animation, changed at random; the fifth is the original.

    The public function is `juggle_anim.variations`. The same arguments give the same versions. All
    that the kind of change does not concern is kept.

    Args:
        animation: the original, with a pattern of throws.
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
    """Return an iterator over the versions of `vary`; errors are raised at once, not on the way.

    Arguments are those of `vary`.
    """
    if kind not in KINDS:
        raise ParameterError.of("kind", kind, ", ".join(KINDS))
    if not 0 < amount <= 1:
        raise ParameterError.of("amount", amount, _("above 0 and at most 1"))
    if not isinstance(seed, int) or seed < 0:
        raise ParameterError.of("seed", seed, _("a whole number, 0 or more"))
    if animation.pattern is None:
        raise ParameterError(_("timed events cannot be varied; use a pattern of throws"))
    return _grid_of_versions(animation, kind, amount, seed)


def _grid_of_versions(
    animation: Animation, kind: str, amount: float, seed: int
) -> Iterator[Animation]:
    """Yield the nine versions, row by row from the upper left, with the original in the middle.

    Arguments are those of `vary`.
    """
    seen_settings = {animation.settings}
    last = animation
    for cell in range(COUNT):
        if cell == MIDDLE:
            yield animation
            continue
        # Each cell has random numbers of its own, whatever the others took.
        rng = np.random.default_rng([seed, cell])
        # Few patterns are near some: where no version is new, the last one comes again, which is
        # better than a gap.
        last = next(_versions(animation, kind, amount, rng, cell, seen_settings), last)
        seen_settings.add(last.settings)
        yield last


def _versions(
    animation: Animation,
    kind: str,
    amount: float,
    rng: np.random.Generator,
    cell: int,
    seen_settings: set[str],
) -> Iterator[Animation]:
    """Yield versions of an animation that can be juggled and are new.

    Args:
        animation: the original.
        kind: kind of the changes, as for `vary`.
        amount: amount of change, 0 to 1, of the first try; each later one changes more, up to 1.
        rng: makes the random choices.
        cell: cell of the grid of 3 × 3 versions, row by row from 0.
        seen_settings: settings strings of versions that are there already; the caller adds those
            that it takes.
    """
    for trial in range(_TRIES):
        version = animation
        for change in _random_changes(kind, rng):
            try:
                version = _VARY[change](version, min(amount * (1 + trial / 10), 1.0), rng, cell)
                version.motion  # noqa: B018 - raises here if it is impossible
            except JuggleError:
                break
        # Only if all changes were possible.
        else:
            if version.settings not in seen_settings:
                yield version


def _random_changes(kind: str, rng: np.random.Generator) -> list[str]:
    """Return the kinds of changes of one version."""
    if kind != "mixed":
        return [kind]
    return [varied for varied in ("throws", "times", "places") if rng.random() < 0.5] or ["throws"]


def _vary_times(
    animation: Animation, amount: float, rng: np.random.Generator, cell: int
) -> Animation:
    """Vary tempo and dwell.

    Versions are slower to the left and faster to the right; hands hold less in the upper row, and
    more in the lower.

    Args:
        animation: the original.
        amount: amount of change, 0 to 1.
        rng: makes the random choices.
        cell: cell of the grid of 3 × 3 versions, row by row from 0.
    """
    row = cell // 3 - 1  # −1 to 1
    column = cell % 3 - 1
    # Signed changes, by chance somewhat more or less than the amount; tempo by a factor, dwell
    # [beats] by a difference.
    faster = column * amount * rng.uniform(0.6, 1.4)
    longer = row * amount * rng.uniform(0.6, 1.4)
    changes = {}
    if column:
        bps = animation.choreography.bps * np.exp(_MAX_TEMPO_CHANGE * faster)
        changes["bps"] = _rounded_value("bps", bps, 0.05)
    dwell = animation.parameters.dwell
    if row and dwell is not None:
        changes["dwell"] = _rounded_value("dwell", dwell + _MAX_DWELL_CHANGE * longer, 0.05)
    return animation.with_values(**changes)


def _vary_places(
    animation: Animation, amount: float, rng: np.random.Generator, cell: int
) -> Animation:
    """Vary two of width, heights and the swing of hands; or else each point of a hand by itself.

    Args:
        animation: the original.
        amount: amount of change, 0 to 1.
        rng: makes the random choices.
        cell: of the grid of versions; all cells vary alike.
    """
    staging = animation.score.staging
    parameters = animation.parameters

    # Points by themselves, now and then, unless hands have paths of their own that would be lost.
    if staging.hands is None and rng.random() < 0.4:
        period = animation.pattern.written_period if animation.pattern else 1
        hands = _random_points(min(period, 4), amount, rng)
        settings = with_settings(Settings(animation.score, {}), hands=hands, style=staging.style)
        return Animation(settings.score, parameters)

    # Two of the parameters, each with its new value and the step to which that is rounded. Ratios
    # change by a factor, lengths by centimetres.
    values_and_steps = {
        "width": (parameters.width * np.exp(_MAX_WIDTH_CHANGE * amount * rng.uniform(-1, 1)), 5.0),
        "throw_height": (
            parameters.throw_height + _MAX_HEIGHT_CHANGE * amount * rng.uniform(-1, 1),
            1.0,
        ),
        "catch_height": (
            parameters.catch_height + _MAX_HEIGHT_CHANGE * amount * rng.uniform(-1, 1),
            1.0,
        ),
        "scoop": (parameters.scoop * np.exp(amount * rng.uniform(-1, 1)), 5.0),
    }
    chosen = map(str, rng.choice(list(values_and_steps), size=2, replace=False))
    return animation.replace(
        **{name: _rounded_value(name, *values_and_steps[name]) for name in chosen}
    )


def _random_points(beats: int, amount: float, rng: np.random.Generator) -> str:
    """Return points where a hand throws and catches on some beats, as the setting `hands`."""
    points = np.round(
        np.array(_USUAL_POINTS) + _MAX_POINT_SHIFT * amount * rng.uniform(-1, 1, (beats, 2))
    )
    return "".join(f"({throw:g})({catch:g})." for throw, catch in points)


def _rounded_value(name: str, value: float, step: float) -> float:
    """Round a value of a parameter to a step, within the parameter's range."""
    row = row_named(name)
    assert isinstance(row, Quantity)
    return float(np.clip(round(round(value / step) * step, 6), row.low, row.high))


def _vary_throws(
    animation: Animation, amount: float, rng: np.random.Generator, cell: int
) -> Animation:
    """Vary throws: one to three times, two props land in each other's place.

    Args:
        animation: the original.
        amount: amount of change, 0 to 1.
        rng: makes the random choices.
        cell: of the grid of versions; all cells vary alike.

    Raises:
        ParameterError: no other pattern was found.
    """
    assert animation.pattern
    cycle = state_cycle(animation.pattern)
    # A cycle of few throws has few patterns near it, so it is repeated until it has at least a
    # random number of beats. `phase` is the number of its units of time in a beat.
    least = int(rng.integers(*_LEAST_BEATS)) * cycle.phase
    cycle = cycle.times(max(1, least // cycle.period))

    # Swap landings of two throws at a time, until as many swaps succeed as are wanted.
    highest = cycle.highest + max(round(2 * amount), 1) * cycle.phase
    swaps = 1 + rng.binomial(2, 0.6 * amount)
    throws = list(cycle.throws)
    for _try in range(_TRIES):
        if not swaps:
            break
        swapped = _with_swapped_landings(cycle, throws, highest, rng)
        if swapped:
            throws = swapped
            swaps -= 1

    # In standard form, beginning with its lowest state, to compare it with the original.
    varied = cycle.canonical().with_throws(throws).right_first()
    varied = state_cycle(varied.pattern()).standard()
    if swaps or state_cycle(animation.pattern).is_same(varied):
        raise ParameterError(_("no similar pattern was found"))
    pattern = read_siteswap(write_siteswap(varied.right_first().pattern()))
    score = replace(animation.score, pattern=pattern, title="", about="", tags=())
    return Animation(score, animation.parameters)


def _with_swapped_landings(
    cycle: Cycle, throws: list[CycleThrow], highest: int, rng: np.random.Generator
) -> list[CycleThrow] | None:
    """Let each of two random throws of a cycle land where and when the other one did.

    An empty hand counts as a throw of 0 that lands at once. This is the site swap that siteswap is
    named after.

    Args:
        cycle: has the slots, pairs of beat and row, in which throws are made. A row is a hand, or
            a pair of hands that throw in turn.
        throws: the throws in these slots, in the order of their beats.
        highest: the greatest value that a throw may get.
        rng: chooses the two throws.

    Returns:
        The throws in the order of their beats; None if the two cannot land so.
    """
    # All throws, and a 0 for each empty slot, (beat, row), in an order that is always the same.
    thrown_slots = {throw.slot for throw in throws}
    empty = sorted(cycle.row_slots - thrown_slots, key=lambda slot: (slot[1], slot[0]))
    choices = [*throws, *(CycleThrow(beat, row, 0, row) for beat, row in empty)]
    if len(choices) < 2:
        return None
    first, second = (choices[index] for index in rng.choice(len(choices), size=2, replace=False))

    # The second throw is taken in this round of the cycle, the one before or the next.
    second_beat = second.beat + cycle.period * int(rng.integers(-1, 2))
    swapped = (
        first._replace(value=second_beat + second.value - first.beat, to_row=second.to_row),
        second._replace(value=first.beat + first.value - second_beat, to_row=first.to_row),
    )
    # A 0 cannot change hands.
    for throw in swapped:
        if not 0 <= throw.value <= highest or (not throw.value and throw.row != throw.to_row):
            return None

    # Put the two in place of the old ones; a 0 is no throw, and what was held may now fly.
    new_throws = list(throws)
    for throw in (first, second):
        if throw.value:
            new_throws.remove(throw)
    new_throws += [throw._replace(held=None) for throw in swapped if throw.value]
    return sorted(new_throws, key=lambda throw: throw.beat)


_VARY: dict[str, _Vary] = {"throws": _vary_throws, "times": _vary_times, "places": _vary_places}


def difference(version: Animation, animation: Animation) -> str:
    """Describe in words how a version differs from the original: `441 · dwell 0.8`.

    Args:
        version: one of those that `vary` returns.
        animation: the original.

    Returns:
        What differs; the pattern of the version if nothing does.
    """
    words: list[str] = []
    if version.pattern and version.pattern != animation.pattern:
        words.append(version.pattern.text)
    for name in ("bps", "dwell", "width", "throw_height", "catch_height", "scoop"):
        value = getattr(version.parameters, name)
        if value != getattr(animation.parameters, name):
            words.append(f"{within_sentence(row_named(name).label)} {value:g}")
    if version.score.staging.hands != animation.score.staging.hands:
        words.append(_("hand positions"))
    return " · ".join(words) or version.text
