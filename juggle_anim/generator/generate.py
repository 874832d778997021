"""The generator: all patterns that options ask for, one after another, written as siteswaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import DIGITS, GeneratorOptions
from juggle_anim.generator.search import AT_ONCE, Loops, Space, States, find_loops, search_space

Throws = Sequence[tuple[int, int]]
"""Of one hand: beats until a prop lands, and the hand that it lands in."""


class Generated(NamedTuple):
    """A pattern that was found.

    Attributes:
        pattern: as it is written.
        entry, exit: the throws from the ground state into it and back, empty where it starts in the
            ground state.
    """

    pattern: str
    entry: str
    exit: str


class Search:
    """A search for all patterns, in short steps: it can be followed, and left at any of them.

    Args:
        options: what is looked for.
        at_once: how many beginnings of patterns are extended together; with fewer, steps are
            shorter.
    """

    def __init__(self, options: GeneratorOptions, at_once: int = AT_ONCE) -> None:
        self.options = options
        self._at_once = at_once
        self.period, self.last_period = options.periods[0], _last_period(options)
        """The period that is searched now, and the last one, in beats."""
        self.done = 0.0
        """How much of this period is done, 0 to 1: an estimate that never falls, and ends at 1."""

    def steps(self) -> Iterator[list[str]]:
        """The patterns found in each step, as they are written, often none; shorter ones come
        first.
        """
        for _, _, texts in self._found():
            yield texts

    def steps_with_passages(self) -> Iterator[list[Generated]]:
        """The same, each with the shortest throws from the ground state into it and back."""
        space = write = None
        for now, loops, texts in self._found():
            if now is not space or write is None:
                space = now
                write = PassageWriter(self.options, now)
            starts = loops.states[:, 0].tolist() if texts else ()
            yield [
                Generated(text, *write.passages(start))
                for text, start in zip(texts, starts, strict=True)
            ]

    def _found(self) -> Iterator[tuple[Space, Loops, list[str]]]:
        options = self.options
        for length in range(self.period, self.last_period + 1):
            if length % options.step:
                continue
            self.period = length
            self.done = 0.0
            space = search_space(options, length)
            for done, loops in find_loops(options, length, self._at_once):
                self.done = max(self.done, done)
                yield space, *_written(loops, options, space)
        self.done = 1.0


def find_patterns(options: GeneratorOptions) -> Iterator[str]:
    """Find all patterns, as they are written; shorter ones come first.

    They are found while they are asked for, a few at once. Patterns are counted as Juggling Lab's
    generator counts them, except that of those in which jugglers only change places one is found,
    and always one.
    """
    return chain.from_iterable(Search(options).steps())


def find_with_passages(options: GeneratorOptions) -> Iterator[Generated]:
    """Find all patterns, each with the shortest throws from the ground state into it and back."""
    return chain.from_iterable(Search(options).steps_with_passages())


def _written(loops: Loops, options: GeneratorOptions, space: Space) -> tuple[Loops, list[str]]:
    """The loops that are wanted, and their texts."""
    for keep in (wanted, one_of_rotations, one_of_permutations):
        if not len(loops):
            break
        chosen = keep(loops, options, space)
        if not chosen.all():
            loops = loops[chosen]
    if not len(loops):
        return loops, []
    texts = write_loops(loops, options, space)
    if options.exclude or options.include:
        matching = [_matches(text, options) for text in texts]
        loops = loops[np.array(matching, dtype=bool)]
        texts = [text for text, matches in zip(texts, matching, strict=True) if matches]
    return loops, texts


def _last_period(options: GeneratorOptions) -> int:
    low, high = options.periods
    # A prime pattern is not longer than there are states.
    return options.step * _count_states(search_space(options, low)) if high is None else high


def _count_states(space: Space) -> int:
    ways = [1] + [0] * space.props
    for _ in range(space.beats * space.hands):
        ways = [
            sum(ways[max(0, props - space.several) : props + 1]) for props in range(space.props + 1)
        ]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    return all(re.search(each, text) for each in options.include) and not any(
        re.search(each, text) for each in options.exclude
    )


def write_loops(loops: Loops, options: GeneratorOptions, space: Space) -> list[str]:
    """Write each loop, as `531`, `(4,2x)*` or `<3p|3>`; of throws of one hand the highest comes
    first.
    """
    if options.hands == options.multiplex == 1:
        return _write_digits(loops, space)
    starred = (
        hands_mirrored(loops, options, space) if options.star else np.zeros(len(loops), dtype=bool)
    )
    write = _Writer(options, space).__getitem__
    return [
        "".join(map(write, throws[: len(throws) // 2])) + "*"
        if star
        else "".join(map(write, throws))
        for throws, star in zip(_as_tuples(loops), starred.tolist(), strict=True)
    ]


def _as_tuples(loops: Loops) -> list[list[tuple[int, ...]]]:
    """The numbers of throws of each beat, those of all hands in one tuple."""
    count, beats, *_ = loops.throws.shape
    return [list(map(tuple, throws)) for throws in loops.throws.reshape(count, beats, -1).tolist()]


def _write_digits(loops: Loops, space: Space) -> list[str]:
    digits = np.frombuffer(("0" + DIGITS[1:]).encode(), dtype=np.uint8)
    if space.beats < len(digits):
        rows = np.full((len(loops), loops.throws.shape[1] + 1), ord("\n"), dtype=np.uint8)
        rows[:, :-1] = digits[loops.throws[:, :, 0, 0] + 1]
        return rows.tobytes().decode().splitlines()
    return [
        "".join(_digit(value) for value in row) for row in (loops.throws[:, :, 0, 0] + 1).tolist()
    ]


def _digit(value: int) -> str:
    return DIGITS[value] if value < len(DIGITS) else f"{{{value}}}"


class _Writer(dict[tuple[int, ...], str]):
    """Texts of beats, each made when it is first looked up."""

    def __init__(self, options: GeneratorOptions, space: Space, rising: bool = False) -> None:
        super().__init__()
        self._options = options
        self._space = space
        self._rising = rising
        self._throws = list(map(tuple, space.throws.tolist()))

    def __missing__(self, numbers: tuple[int, ...]) -> str:
        several = self._space.several
        hands = [
            [self._throws[number] for number in numbers[low : low + several] if number >= 0]
            for low in range(0, len(numbers), several)
        ]
        text = self[numbers] = self.beat(hands)
        return text

    def beat(self, hands: Sequence[Throws]) -> str:
        texts = [self._hand(hand, throws) for hand, throws in enumerate(hands)]
        if self._options.synchronous:
            texts = [
                f"({left},{right})" for left, right in zip(texts[::2], texts[1::2], strict=True)
            ]
        return texts[0] if len(texts) == 1 else f"<{'|'.join(texts)}>"

    def _hand(self, hand: int, throws: Throws) -> str:
        texts = [
            self._throw(hand, *throw) for throw in (throws if self._rising else reversed(throws))
        ]
        if len(texts) > 1:
            # The next value would be taken for the juggler whom a pass goes to.
            spaced = [f"{text} " if "p" in text else text for text in texts]
            return f"[{''.join(spaced).strip()}]"
        return texts[0] if texts else "0"

    def _throw(self, hand: int, beats: int, to: int) -> str:
        step = self._options.step
        jugglers = self._options.jugglers
        crossing = "x" if to % step != hand % step else ""
        passed = to // step != hand // step
        return (
            _digit(beats * step)
            + crossing
            + passed * (f"p{to // step + 1}" if jugglers > 2 else "p")
        )


class PassageWriter:
    """Writes the shortest throws from the ground state into a state, and back; every prop goes
    where it ends up.
    """

    def __init__(self, options: GeneratorOptions, space: Space) -> None:
        self._space, self._write = space, _Writer(options, space, rising=True)
        self._known: dict[int, tuple[str, str]] = {}

    def passages(self, state: int) -> tuple[str, str]:
        """The throws into a state and out of it, both empty for the ground state."""
        if state not in self._known:
            ground = self._space.ground
            self._known[state] = self._passage(ground, state), self._passage(state, ground)
        return self._known[state]

    def _passage(self, start: int, end: int) -> str:
        before, after = (
            self._space.counts(self._space.numbers(np.array(each))) for each in (start, end)
        )
        beats = len(before)
        late = np.concatenate([before, np.zeros_like(before)])
        length = next(
            each for each in range(beats + 1) if (late[each : each + beats] <= after).all()
        )
        missing = after - late[length : length + beats]
        places = iter(
            [
                (length + beat, hand)
                for beat, hand in np.argwhere(missing).tolist()
                for _ in range(missing[beat, hand])
            ]
        )
        made = []
        for beat, counts in enumerate(before[:length].tolist()):
            landings = [[next(places) for _ in range(count)] for count in counts]
            made.append(
                self._write.beat([[(at - beat, hand) for at, hand in hands] for hands in landings])
            )
        return "".join(made)


Chosen = NDArray[np.bool_]


def wanted(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Say which loops pass all filters that do not compare them with others, shape (N,)."""
    chosen = np.ones(len(loops), dtype=bool)
    if options.hands == options.multiplex == 1 and options.neighbouring_ones and not options.delay:
        return chosen
    made = _Made(loops, space)
    if not options.neighbouring_ones and options.hands == 1 and options.multiplex == 1:
        ones = made.values[:, :, 0, 0] == 1
        chosen &= ~(ones[:, 1:] & ones[:, :-1]).any(axis=1)
    if options.multiplex > 1:
        chosen &= _multiplexes_wanted(made, options)
    if options.symmetric_hands:
        chosen &= hands_mirrored(loops, options, space)
    if options.connected and options.jugglers > 1:
        chosen &= _connected(made, options)
    if options.symmetric_jugglers and options.jugglers > 1:
        chosen &= _jugglers_alike(made, options)
    if options.delay:
        chosen &= _usual_at_first(made, options, space)
    return chosen


class _Made:
    """The throws of loops.

    Args:
        loops: N of them.
        space: that they were found in.
    """

    def __init__(self, loops: Loops, space: Space) -> None:
        self.there = loops.throws >= 0
        """Whether there is one, shape (N, beats, hands, several), as all that follow."""
        self.values, self.to = np.moveaxis(
            np.where(self.there[..., None], space.throws[loops.throws], 0), -1, 0
        )
        """Beats until a prop lands, and in which hand."""
        self.hands = np.arange(space.hands)[:, None]
        """That throw, shape (hands, 1)."""
        self.held = self.there & (self.values * space.step == 2) & (self.to == self.hands)
        """Whether it is a hold: a 2 to the same hand."""


def _multiplexes_wanted(made: _Made, options: GeneratorOptions) -> Chosen:
    several = np.asarray(made.there[..., 1:].any(axis=-1))
    chosen = np.ones(len(several), dtype=bool)
    if not options.clusters:
        alike = (made.values[..., 1:] == made.values[..., :-1]) & (
            made.to[..., 1:] == made.to[..., :-1]
        )
        chosen &= ~(alike & made.there[..., 1:]).any(axis=(1, 2, 3))
    if options.true_multiplex:
        chosen &= (several & ~made.held.any(axis=-1)).any(axis=(1, 2))
    if not options.squeezes:
        chosen &= ~_squeezes(made)
    return chosen


def _squeezes(made: _Made) -> Chosen:
    """Whether props land together that were thrown apart, holds aside."""
    count, beats, hands, several = made.there.shape
    flat = (count, beats * hands * several)
    lands = ((np.arange(beats)[:, None, None] + made.values) % beats * hands + made.to).reshape(
        flat
    )
    source = np.broadcast_to(
        np.arange(hands)[:, None] + hands * made.values, made.values.shape
    ).reshape(flat)
    thrown = (made.there & ~made.held).reshape(flat)
    found = np.zeros(count, dtype=bool)
    for one in range(1, flat[1]):
        together = (lands[:, :one] == lands[:, one, None]) & thrown[:, :one] & thrown[:, one, None]
        found |= (together & (source[:, :one] != source[:, one, None])).any(axis=1)
    return found


def hands_mirrored(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Whether the second half of loops is the first with left and right exchanged, shape (N,)."""
    beats = loops.throws.shape[1]
    if beats % 2 or options.jugglers > 1 or not options.synchronous:
        return np.zeros(len(loops), dtype=bool)
    mirrored = np.where(loops.throws >= 0, loops.throws ^ 1, -1)[:, :, ::-1]
    # Throws of a hand go up by value, and then by hand.
    second = np.sort(mirrored[:, beats // 2 :], axis=-1)
    first = np.sort(loops.throws[:, : beats // 2], axis=-1)
    equal: Chosen = (first == second).all(axis=(1, 2, 3))
    return equal


def _connected(made: _Made, options: GeneratorOptions) -> Chosen:
    count = len(made.there)
    joined = np.broadcast_to(
        np.eye(options.jugglers, dtype=bool), (count, options.jugglers, options.jugglers)
    ).copy()
    rows = np.arange(count)[:, None, None, None]
    own = np.broadcast_to(made.hands // options.step, made.to.shape)
    there = made.there
    joined[
        np.broadcast_to(rows, there.shape)[there], own[there], (made.to // options.step)[there]
    ] = True
    joined |= np.swapaxes(joined, 1, 2)
    for _ in range(options.jugglers):
        joined = np.einsum("nij,njk->nik", joined, joined)
    return np.asarray(joined.all(axis=(1, 2)))


def throws_of_jugglers(loops: Loops, options: GeneratorOptions, space: Space) -> NDArray[np.int64]:
    """What each juggler throws, no matter to whom.

    Returns:
        Shape (N, jugglers, beats, throws on a beat): 0 where nothing is thrown, else higher for
        higher throws, and of equal ones for passes.
    """
    return _by_juggler(_Made(loops, space), options)


def _by_juggler(made: _Made, options: GeneratorOptions) -> NDArray[np.int64]:
    passed = made.to // options.step != made.hands // options.step
    numbers = np.where(made.there, 2 * made.values + passed, 0)
    count, beats, _, several = numbers.shape
    parted = numbers.reshape(count, beats, options.jugglers, options.step * several)
    return np.moveaxis(parted, 2, 1)


def _jugglers_alike(made: _Made, options: GeneratorOptions) -> Chosen:
    rows = _by_juggler(made, options)
    turned = np.stack(
        [np.roll(rows[:, 0], shift, axis=1) for shift in range(rows.shape[2])], axis=1
    )
    alike = (rows[:, :, None] == turned[:, None]).all(axis=(3, 4))
    chosen: Chosen = alike.any(axis=2).all(axis=1)
    return chosen


def _usual_at_first(made: _Made, options: GeneratorOptions, space: Space) -> Chosen:
    """Whether all but the leader throw as from the ground state, to where the next props would be
    due.
    """
    beats = np.arange(made.values.shape[1])[:, None, None]
    place = (beats + made.values) * space.hands + made.to - space.props
    usual = (place >= beats * space.hands) & (place < (beats + 1) * space.hands)
    others = made.hands // options.step != options.leader - 1
    early = beats < options.delay
    chosen: Chosen = (usual | ~made.there | ~others | ~early).all(axis=(1, 2, 3))
    return chosen


def one_of_rotations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that are back at their start before the end, choose the rotation whose parts are
    greatest.

    Parts, from start to start, compare by their length and then by their throws.
    """
    chosen = np.ones(len(loops), dtype=bool)
    if options.kind == "all" and not options.rotations:
        back = loops.states == loops.states[:, :1]
        for index in np.flatnonzero(back[:, 1:].any(axis=1)):
            throws = loops.throws[index].tolist()
            turns = np.flatnonzero(back[index]).tolist()
            chosen[index] = _parts(throws, turns, 0) == max(
                _parts(throws, turns, first) for first in range(len(turns))
            )
    return chosen


def _parts(throws: list[Any], turns: list[int], first: int) -> list[tuple[int, list[Any]]]:
    """The parts of a loop between turns, from one of them on, each with its length."""
    bounds = [*turns, len(throws)]
    parts = [(high - low, throws[low:high]) for low, high in pairwise(bounds)]
    return parts[first:] + parts[:first]


def one_of_permutations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that differ only in who is who, choose one.

    It is the one in which the first juggler has the highest throws, compared from the highest down,
    then the second, and so on. It can be missing: the search finds a loop from its least state
    only, and drops it if that state comes twice, which may depend on who is who. Then the best of
    those found is chosen. Of equally good ones it is the one with the lowest throws, compared from
    the start on.
    """
    chosen = np.ones(len(loops), dtype=bool)
    if not options.compares_jugglers:
        return chosen
    rows = throws_of_jugglers(loops, options, space)
    rows = -np.sort(-rows.reshape(len(loops), options.jugglers, -1), axis=2)
    orders = list(permutations(range(options.jugglers)))[1:]
    doubtful = np.zeros(len(loops), dtype=bool)
    for order in orders:
        above = _compare(rows[:, order].reshape(len(loops), -1), rows.reshape(len(loops), -1))
        better = above > 0
        if options.kind == "simple" and not options.rotations and better.any():
            better[better] = _found(loops.states[better], order, options, space)
        chosen &= ~better
        doubtful |= above == 0
    for index in np.flatnonzero(chosen & doubtful):
        chosen[index] = _least(loops, int(index), rows[index], orders, options, space)
    return chosen


def _compare(ones: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whether rows are lexicographically greater (above 0), equal (0) or less, shape (N,)."""
    signs = np.sign(ones - others)
    first = np.argmax(signs != 0, axis=1)
    found: NDArray[np.int64] = np.take_along_axis(signs, first[:, None], axis=1)[:, 0]
    return found


def _exchanged(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> States:
    """States with jugglers in another order."""
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    return space.states(space.counts(states)[..., hands])


def _found(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> Chosen:
    """Whether loops through these states are found with jugglers in another order: the least state
    comes once.
    """
    exchanged = space.order(_exchanged(states, order, options, space))
    once: Chosen = (exchanged == exchanged.min(axis=1, keepdims=True)).sum(axis=1) == 1
    return once


def _least(
    loops: Loops,
    index: int,
    rows: NDArray[np.int64],
    orders: list[tuple[int, ...]],
    options: GeneratorOptions,
    space: Space,
) -> bool:
    """Whether no exchange that keeps the sorted throws gives lower throws, told from the start
    on.
    """
    states = loops.states[index]
    throws = loops.throws[index]
    for order in orders:
        if (rows[list(order)] != rows).any():
            continue
        exchanged = space.order(_exchanged(states, order, options, space))
        least = np.flatnonzero(exchanged == exchanged.min()).tolist()
        if options.kind == "simple" and not options.rotations and len(least) > 1:
            continue
        other = _exchange_throws(throws, order, options, space).tolist()
        if not options.rotations:
            other = other[least[0] :] + other[: least[0]]
            turns = [each - least[0] for each in least]
            other = [
                beat
                for _, part in max(_parts(other, turns, first) for first in range(len(turns)))
                for beat in part
            ]
        if other < throws.tolist():
            return False
    return True


def _exchange_throws(
    throws: NDArray[np.int16], order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> NDArray[np.int16]:
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    values, to = np.divmod(throws[:, hands], space.hands)
    exchanged = values * space.hands + np.argsort(hands)[to]
    return np.sort(np.where(throws[:, hands] >= 0, exchanged, -1), axis=-1).astype(np.int16)
