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
        for _, _, texts in self._loops_with_texts():
            yield texts

    def steps_with_passages(self) -> Iterator[list[Generated]]:
        """The same, each with the shortest throws from the ground state into it and back."""
        space = write = None
        for step_space, loops, texts in self._loops_with_texts():
            # Passages depend on the states, which are others for each length.
            if step_space is not space or write is None:
                space = step_space
                write = PassageWriter(self.options, step_space)
            starts = loops.states[:, 0].tolist() if texts else ()
            yield [
                Generated(text, *write.passages(start))
                for text, start in zip(texts, starts, strict=True)
            ]

    def _loops_with_texts(self) -> Iterator[tuple[Space, Loops, list[str]]]:
        """Yield the space, the wanted loops and their texts after each step of the search.

        Updates `period` and `done`.
        """
        options = self.options
        for length in range(self.period, self.last_period + 1):
            # Synchronous patterns are of even lengths.
            if length % options.step:
                continue
            self.period = length
            self.done = 0.0
            space = search_space(options, length)
            for done, loops in find_loops(options, length, self._at_once):
                # An estimate of what is done could fall.
                self.done = max(self.done, done)
                yield space, *_wanted_with_texts(loops, options, space)
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


def _wanted_with_texts(
    loops: Loops, options: GeneratorOptions, space: Space
) -> tuple[Loops, list[str]]:
    """Return the loops that pass all filters, and their texts.

    Args:
        loops: that were found.
        options: what is looked for.
        space: in which they were found.
    """
    for keep in (wanted, one_of_rotations, one_of_permutations):
        if not len(loops):
            break
        chosen = keep(loops, options, space)
        if not chosen.all():
            loops = loops[chosen]
    if not len(loops):
        return loops, []
    # Last the filters of texts, since writing takes time.
    texts = write_loops(loops, options, space)
    if options.exclude or options.include:
        matching = [_matches(text, options) for text in texts]
        loops = loops[np.array(matching, dtype=bool)]
        texts = [text for text, matches in zip(texts, matching, strict=True) if matches]
    return loops, texts


def _last_period(options: GeneratorOptions) -> int:
    """The longest period that is searched, in beats of siteswap."""
    low, high = options.periods
    # A prime pattern is not longer than there are states.
    return options.step * _count_states(search_space(options, low)) if high is None else high


def _count_states(space: Space) -> int:
    """The number of ways to distribute all props over the places of a state.

    A place, a hand on a beat, has room for `space.several`.
    """
    # For each number of props, the ways to distribute them over the places so far.
    ways = [1] + [0] * space.props
    for _ in range(space.beats * space.hands):
        ways = [
            sum(ways[max(0, props - space.several) : props + 1]) for props in range(space.props + 1)
        ]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    """Whether a text has all expressions that it should include, and none of the excluded ones."""
    return all(re.search(expression, text) for expression in options.include) and not any(
        re.search(expression, text) for expression in options.exclude
    )


def write_loops(loops: Loops, options: GeneratorOptions, space: Space) -> list[str]:
    """Write each loop as siteswap, as `531`, `(4,2x)*` or `<3p|3>`; of throws of one hand the
    highest comes first.

    Args:
        loops: to be written.
        options: what was looked for; `star` says whether stars are written.
        space: in which the loops were found.
    """
    if options.hands == options.multiplex == 1:
        # The plain case, which is quick for all loops at once.
        return _write_digits(loops, space)
    starred = (
        hands_mirrored(loops, options, space) if options.star else np.zeros(len(loops), dtype=bool)
    )
    write = _Writer(options, space).__getitem__
    return [
        # A star stands for the second half.
        "".join(map(write, throws[: len(throws) // 2])) + "*"
        if star
        else "".join(map(write, throws))
        for throws, star in zip(_as_tuples(loops), starred.tolist(), strict=True)
    ]


def _as_tuples(loops: Loops) -> list[list[tuple[int, ...]]]:
    """For each loop and beat the numbers of throws, those of all hands in one tuple."""
    count, beats, *_ = loops.throws.shape
    return [list(map(tuple, throws)) for throws in loops.throws.reshape(count, beats, -1).tolist()]


def _write_digits(loops: Loops, space: Space) -> list[str]:
    """Write loops of one hand that throws one prop on each beat: a value for each beat.

    The number of a throw is its value minus 1, and -1 for no throw.
    """
    digits = np.frombuffer(("0" + DIGITS[1:]).encode(), dtype=np.uint8)
    if space.beats < len(digits):
        # One row of bytes for each loop, with a line end, decoded all at once.
        rows = np.full((len(loops), loops.throws.shape[1] + 1), ord("\n"), dtype=np.uint8)
        rows[:, :-1] = digits[loops.throws[:, :, 0, 0] + 1]
        return rows.tobytes().decode().splitlines()
    # Some values have more characters than one.
    return [
        "".join(_digit(value) for value in row) for row in (loops.throws[:, :, 0, 0] + 1).tolist()
    ]


def _digit(value: int) -> str:
    """A value of siteswap: a digit, a letter, or a number in braces."""
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
        """Write and remember a beat.

        Args:
            numbers: of the throws, `space.several` for each hand, -1 where none is made.
        """
        several = self._space.several
        hands = [
            [self._throws[number] for number in numbers[low : low + several] if number >= 0]
            for low in range(0, len(numbers), several)
        ]
        text = self[numbers] = self.beat(hands)
        return text

    def beat(self, hands: Sequence[Throws]) -> str:
        """Write a beat from the throws of each hand.

        Hands of one juggler stand in parentheses, jugglers in angle brackets.
        """
        texts = [self._hand(hand, throws) for hand, throws in enumerate(hands)]
        if self._options.synchronous:
            texts = [
                f"({left},{right})" for left, right in zip(texts[::2], texts[1::2], strict=True)
            ]
        return texts[0] if len(texts) == 1 else f"<{'|'.join(texts)}>"

    def _hand(self, hand: int, throws: Throws) -> str:
        """Write the throws of one hand, several in brackets.

        Args:
            hand: its index among all hands.
            throws: from the lowest up; written from the highest down, unless `rising`.
        """
        texts = [
            self._throw(hand, *throw) for throw in (throws if self._rising else reversed(throws))
        ]
        if len(texts) > 1:
            # The next value would be taken for the juggler whom a pass goes to.
            spaced = [f"{text} " if "p" in text else text for text in texts]
            return f"[{''.join(spaced).strip()}]"
        return texts[0] if texts else "0"

    def _throw(self, hand: int, beats: int, to_hand: int) -> str:
        """Write a throw: its value, an x if it crosses, and a p if it is a pass.

        Args:
            hand: index of the throwing hand; `step` hands of a juggler throw on each beat.
            beats: until it lands, in beats of `step` of siteswap.
            to_hand: index of the catching hand.
        """
        step = self._options.step
        jugglers = self._options.jugglers
        crossing = "x" if to_hand % step != hand % step else ""
        is_pass = to_hand // step != hand // step
        passing = ""
        if is_pass:
            # Of two jugglers, it can only go to the other one.
            passing = f"p{to_hand // step + 1}" if jugglers > 2 else "p"
        return _digit(beats * step) + crossing + passing


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
        """Write the shortest throws that lead from one state to another.

        Args:
            start, end: states as integers.
        """
        before, after = (
            self._space.counts(self._space.numbers(np.array(state))) for state in (start, end)
        )
        beats = len(before)
        # The least number of beats after which all props of the first state that are still in the
        # air are due in the other one, too.
        later = np.concatenate([before, np.zeros_like(before)])
        length = next(
            wait for wait in range(beats + 1) if (later[wait : wait + beats] <= after).all()
        )

        # The others are thrown in order, each to the next place that is still missing.
        missing = after - later[length : length + beats]
        places = iter(
            [
                (length + beat, hand)
                for beat, hand in np.argwhere(missing).tolist()
                for _ in range(missing[beat, hand])
            ]
        )
        texts = []
        for beat, counts in enumerate(before[:length].tolist()):
            landings = [[next(places) for _ in range(count)] for count in counts]
            throws = [
                [(landing - beat, to_hand) for landing, to_hand in landings_of_hand]
                for landings_of_hand in landings
            ]
            texts.append(self._write.beat(throws))
        return "".join(texts)


Chosen = NDArray[np.bool_]


def wanted(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Say which loops pass all filters that do not compare them with others, shape (N,).

    Args:
        loops: N loops.
        options: what is looked for.
        space: in which the loops were found.
    """
    chosen = np.ones(len(loops), dtype=bool)
    # Of the filters of plain patterns, none is asked for.
    if options.hands == options.multiplex == 1 and options.neighbouring_ones and not options.delay:
        return chosen
    throws = _ThrowArrays(loops, space)
    if not options.neighbouring_ones and options.hands == 1 and options.multiplex == 1:
        ones = throws.values[:, :, 0, 0] == 1
        chosen &= ~(ones[:, 1:] & ones[:, :-1]).any(axis=1)
    if options.multiplex > 1:
        chosen &= _have_wanted_multiplexes(throws, options)
    if options.symmetric_hands:
        chosen &= hands_mirrored(loops, options, space)
    if options.connected and options.jugglers > 1:
        chosen &= _are_jugglers_connected(throws, options)
    if options.symmetric_jugglers and options.jugglers > 1:
        chosen &= _do_jugglers_throw_alike(throws, options)
    if options.delay:
        chosen &= _is_start_usual(throws, options, space)
    return chosen


class _ThrowArrays:
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


def _have_wanted_multiplexes(throws: _ThrowArrays, options: GeneratorOptions) -> Chosen:
    """Whether each loop has only such multiplexes as are looked for, shape (N,).

    Args:
        throws: of N loops.
        options: `clusters`, `true_multiplex` and `squeezes` count.
    """
    is_multiplex = np.asarray(throws.there[..., 1:].any(axis=-1))
    chosen = np.ones(len(is_multiplex), dtype=bool)
    if not options.clusters:
        # Throws of a hand go up, so equal ones stand beside each other.
        alike = (throws.values[..., 1:] == throws.values[..., :-1]) & (
            throws.to[..., 1:] == throws.to[..., :-1]
        )
        chosen &= ~(alike & throws.there[..., 1:]).any(axis=(1, 2, 3))
    if options.true_multiplex:
        chosen &= (is_multiplex & ~throws.held.any(axis=-1)).any(axis=(1, 2))
    if not options.squeezes:
        chosen &= ~_has_squeezes(throws)
    return chosen


def _has_squeezes(throws: _ThrowArrays) -> Chosen:
    """Whether props land together in a hand that were thrown apart, holds aside, shape (N,)."""
    count, beats, hands, several = throws.there.shape
    flat = (count, beats * hands * several)
    # For each throw its landing place in the loop (a beat and a hand), and a number that two throws
    # with the same landing share if they come from the same hand and beat.
    lands = ((np.arange(beats)[:, None, None] + throws.values) % beats * hands + throws.to).reshape(
        flat
    )
    source = np.broadcast_to(
        np.arange(hands)[:, None] + hands * throws.values, throws.values.shape
    ).reshape(flat)
    is_flying = (throws.there & ~throws.held).reshape(flat)
    squeezes = np.zeros(count, dtype=bool)
    # Each throw is compared with all before it.
    for index in range(1, flat[1]):
        land_together = (
            (lands[:, :index] == lands[:, index, None])
            & is_flying[:, :index]
            & is_flying[:, index, None]
        )
        come_apart = source[:, :index] != source[:, index, None]
        squeezes |= (land_together & come_apart).any(axis=1)
    return squeezes


def hands_mirrored(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Whether the second half of loops is the first with left and right exchanged, shape (N,).

    Only synchronous loops of one juggler with an even number of beats can be so.

    Args:
        loops: N loops.
        options: what is looked for.
        space: in which the loops were found.
    """
    beats = loops.throws.shape[1]
    if beats % 2 or options.jugglers > 1 or not options.synchronous:
        return np.zeros(len(loops), dtype=bool)
    # The lowest bit of the number of a throw is the hand that catches; hands are the third axis.
    mirrored = np.where(loops.throws >= 0, loops.throws ^ 1, -1)[:, :, ::-1]
    # Throws of a hand go up by value, and then by hand.
    second = np.sort(mirrored[:, beats // 2 :], axis=-1)
    first = np.sort(loops.throws[:, : beats // 2], axis=-1)
    equal: Chosen = (first == second).all(axis=(1, 2, 3))
    return equal


def _are_jugglers_connected(throws: _ThrowArrays, options: GeneratorOptions) -> Chosen:
    """Whether passes, perhaps by way of others, connect all jugglers, shape (N,).

    Args:
        throws: of N loops.
        options: number of jugglers and hands of each.
    """
    count = len(throws.there)
    # Matrices of who is connected with whom, shape (N, jugglers, jugglers): each with himself, and
    # thrower and catcher of each throw, in both directions.
    connected = np.broadcast_to(
        np.eye(options.jugglers, dtype=bool), (count, options.jugglers, options.jugglers)
    ).copy()
    rows = np.arange(count)[:, None, None, None]
    thrower = np.broadcast_to(throws.hands // options.step, throws.to.shape)
    catcher = throws.to // options.step
    there = throws.there
    connected[np.broadcast_to(rows, there.shape)[there], thrower[there], catcher[there]] = True
    connected |= np.swapaxes(connected, 1, 2)
    # Each product doubles the length of the chains.
    for _ in range(options.jugglers):
        connected = np.einsum("nij,njk->nik", connected, connected)
    return np.asarray(connected.all(axis=(1, 2)))


def throws_of_jugglers(loops: Loops, options: GeneratorOptions, space: Space) -> NDArray[np.int64]:
    """Number the throws of each juggler, no matter to whom they go.

    Returns:
        Shape (N, jugglers, beats, throws on a beat): 0 where nothing is thrown, else higher for
        higher throws, and of equal ones for passes.
    """
    return _by_juggler(_ThrowArrays(loops, space), options)


def _by_juggler(throws: _ThrowArrays, options: GeneratorOptions) -> NDArray[np.int64]:
    """The throws as numbers that compare, by juggler, as `throws_of_jugglers` returns them."""
    is_pass = throws.to // options.step != throws.hands // options.step
    numbers = np.where(throws.there, 2 * throws.values + is_pass, 0)
    count, beats, _, several = numbers.shape
    # From (N, beats, hands, several) to (N, beats, jugglers, throws on a beat).
    parted = numbers.reshape(count, beats, options.jugglers, options.step * several)
    return np.moveaxis(parted, 2, 1)


def _do_jugglers_throw_alike(throws: _ThrowArrays, options: GeneratorOptions) -> Chosen:
    """Whether all jugglers throw the same, perhaps at other beats, shape (N,)."""
    rows = _by_juggler(throws, options)
    # The throws of the first juggler, begun on each of the beats.
    rotations = np.stack(
        [np.roll(rows[:, 0], shift, axis=1) for shift in range(rows.shape[2])], axis=1
    )
    alike = (rows[:, :, None] == rotations[:, None]).all(axis=(3, 4))
    chosen: Chosen = alike.any(axis=2).all(axis=1)
    return chosen


def _is_start_usual(throws: _ThrowArrays, options: GeneratorOptions, space: Space) -> Chosen:
    """Whether all but the leader at first throw as from the ground state, shape (N,).

    That is where the next props would be due. "At first" is for `options.delay` beats.

    Args:
        throws: of N loops.
        options: what is looked for.
        space: in which the loops were found.
    """
    beats = np.arange(throws.values.shape[1])[:, None, None]
    # Places in order of beats and hands, counted from the first that is empty in the ground state.
    place = (beats + throws.values) * space.hands + throws.to - space.props
    usual = (place >= beats * space.hands) & (place < (beats + 1) * space.hands)
    # Leaders are counted from 1.
    is_other = throws.hands // options.step != options.leader - 1
    is_early = beats < options.delay
    chosen: Chosen = (usual | ~throws.there | ~is_other | ~is_early).all(axis=(1, 2, 3))
    return chosen


def one_of_rotations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that are back at their start before the end, choose the rotation whose parts are
    greatest.

    Parts, from start to start, compare by their length and then by their throws. All other loops
    are chosen.

    Returns:
        Shape (N,).
    """
    chosen = np.ones(len(loops), dtype=bool)
    # Only where a state may come again is a loop found in several rotations.
    if options.kind == "all" and not options.rotations:
        is_start = loops.states == loops.states[:, :1]
        for index in np.flatnonzero(is_start[:, 1:].any(axis=1)):
            throws = loops.throws[index].tolist()
            starts = np.flatnonzero(is_start[index]).tolist()
            chosen[index] = _parts(throws, starts, 0) == max(
                _parts(throws, starts, first) for first in range(len(starts))
            )
    return chosen


def _parts(throws: list[Any], starts: list[int], first: int) -> list[tuple[int, list[Any]]]:
    """The parts of a loop from one of its beats to the next, each with its length.

    Args:
        throws: of each beat of the loop.
        starts: beats on which parts begin, in order, from 0 on.
        first: index of the part that comes first; those before it come last.
    """
    bounds = [*starts, len(throws)]
    parts = [(high - low, throws[low:high]) for low, high in pairwise(bounds)]
    return parts[first:] + parts[:first]


def one_of_permutations(loops: Loops, options: GeneratorOptions, space: Space) -> Chosen:
    """Of loops that differ only in who is who, choose one.

    It is the one in which the first juggler has the highest throws, compared from the highest down,
    then the second, and so on. It can be missing: the search finds a loop from its least state
    only, and drops it if that state comes twice, which may depend on who is who. Then the best of
    those found is chosen. Of equally good ones it is the one with the lowest throws, compared from
    the start on.

    Returns:
        Shape (N,).
    """
    chosen = np.ones(len(loops), dtype=bool)
    if not options.compares_jugglers:
        return chosen
    # The throws of each juggler from the highest down, shape (N, jugglers, throws).
    rows = throws_of_jugglers(loops, options, space)
    rows = -np.sort(-rows.reshape(len(loops), options.jugglers, -1), axis=2)

    # A loop is dropped if it is better with its jugglers in another order, and found so. The first
    # permutation changes nothing.
    orders = list(permutations(range(options.jugglers)))[1:]
    is_doubtful = np.zeros(len(loops), dtype=bool)
    for order in orders:
        comparison = _compare(rows[:, order].reshape(len(loops), -1), rows.reshape(len(loops), -1))
        is_better = comparison > 0
        if options.kind == "simple" and not options.rotations and is_better.any():
            is_better[is_better] = _is_found(loops.states[is_better], order, options, space)
        chosen &= ~is_better
        is_doubtful |= comparison == 0

    # Where an order is as good, the throws decide.
    for index in np.flatnonzero(chosen & is_doubtful):
        chosen[index] = _has_lowest_throws(loops, int(index), rows[index], orders, options, space)
    return chosen


def _compare(rows: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Compare rows with others lexicographically: 1 for greater, 0 for equal, -1 for less, shape
    (N,).
    """
    signs = np.sign(rows - others)
    # The first column that differs decides; if none does, the sign of the first is 0.
    first = np.argmax(signs != 0, axis=1)
    comparison: NDArray[np.int64] = np.take_along_axis(signs, first[:, None], axis=1)[:, 0]
    return comparison


def _exchanged_states(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> States:
    """States with jugglers in another order."""
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    return space.states(space.counts(states)[..., hands])


def _is_found(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> Chosen:
    """Whether the search finds loops through some states with jugglers in another order, shape
    (N,).

    It does if the least state comes only once.
    """
    exchanged = space.order(_exchanged_states(states, order, options, space))
    once: Chosen = (exchanged == exchanged.min(axis=1, keepdims=True)).sum(axis=1) == 1
    return once


def _has_lowest_throws(
    loops: Loops,
    index: int,
    rows: NDArray[np.int64],
    orders: list[tuple[int, ...]],
    options: GeneratorOptions,
    space: Space,
) -> bool:
    """Whether no other order of jugglers with the same sorted throws gives lower throws.

    Throws are compared from the start on.

    Args:
        loops: all that were found.
        index: of the loop.
        rows: its throws by juggler, sorted, shape (jugglers, throws).
        orders: the other orders.
        options: what is looked for.
        space: in which the loops were found.
    """
    states = loops.states[index]
    throws = loops.throws[index]
    for order in orders:
        if (rows[list(order)] != rows).any():
            continue
        exchanged = space.order(_exchanged_states(states, order, options, space))
        least = np.flatnonzero(exchanged == exchanged.min()).tolist()
        if options.kind == "simple" and not options.rotations and len(least) > 1:
            # In that order it is not found, as its least state comes twice.
            continue
        exchanged_throws = _exchange_throws(throws, order, options, space).tolist()
        if not options.rotations:
            # It is found from its least state on; if that comes again, in the rotation whose parts
            # are greatest.
            start = least[0]
            exchanged_throws = exchanged_throws[start:] + exchanged_throws[:start]
            starts = [beat - start for beat in least]
            greatest_parts = max(
                _parts(exchanged_throws, starts, first) for first in range(len(starts))
            )
            exchanged_throws = [throw for _length, part in greatest_parts for throw in part]
        if exchanged_throws < throws.tolist():
            return False
    return True


def _exchange_throws(
    throws: NDArray[np.int16], order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> NDArray[np.int16]:
    """The throws of a loop with jugglers in another order.

    Args:
        throws: numbers of throws, shape (beats, hands, several), -1 where none is made.
        order: the jugglers in the new order.
        options: what is looked for.
        space: in which the loop was found.
    """
    hands = [options.step * juggler + side for juggler in order for side in range(options.step)]
    # A number stands for a value and a catching hand; both hands change places.
    values, to = np.divmod(throws[:, hands], space.hands)
    exchanged = values * space.hands + np.argsort(hands)[to]
    # Throws of one hand go up.
    return np.sort(np.where(throws[:, hands] >= 0, exchanged, -1), axis=-1).astype(np.int16)
