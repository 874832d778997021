"""The generator: all patterns that options ask for, one after another, written as siteswaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.generator.options import DIGITS, GeneratorOptions
from juggle_anim.generator.search import AT_ONCE, Loops, Space, States, find_loops, search_space


class Throw(NamedTuple):
    """A throw: the beats until the prop lands, and the hand that it lands in."""

    beats: int
    to_hand: int


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
        self.period = options.periods[0]
        """The period that is searched now, in beats."""
        self.last_period = _last_period(options)
        """The longest period that is searched, in beats."""
        self.done = 0.0
        """How much of this period is done, 0 to 1: an estimate that never falls, and ends at 1."""

    def steps(self) -> Iterator[list[str]]:
        """Yield the patterns found in each step, as they are written, often none; shorter ones
        come first.
        """
        for _space, _loops, texts in self._loops_with_texts():
            yield texts

    def steps_with_passages(self) -> Iterator[list[Generated]]:
        """Yield the same, each with the shortest throws from the ground state into it and back."""
        writer = None
        for space, loops, texts in self._loops_with_texts():
            # Passages depend on the states, which are others for each length.
            if writer is None or writer.space is not space:
                writer = PassageWriter(self.options, space)
            starts = loops.states[:, 0].tolist() if texts else ()
            yield [
                Generated(text, *writer.passages(start))
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
    """Return the loops that pass all filters, and their texts, in the same order.

    Filters of single loops come first, then those that choose one of several rotations or orders of
    jugglers, and last, as writing takes time, the expressions that texts must match or not.

    Args:
        loops: that were found.
        options: what is looked for.
        space: in which they were found.
    """
    for is_kept in (passes_filters, is_listed_rotation, is_listed_permutation):
        if not len(loops):
            break
        kept = is_kept(loops, options, space)
        if not kept.all():
            loops = loops[kept]
    if not len(loops):
        return loops, []
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

    A place, a hand on a beat, has room for `space.multiplex`.
    """
    # For each number of props, the ways to distribute them over the places so far.
    ways = [1] + [0] * space.props
    for _ in range(space.beats * space.hands):
        ways = [
            sum(ways[max(0, props - space.multiplex) : props + 1])
            for props in range(space.props + 1)
        ]
    return ways[-1]


def _matches(text: str, options: GeneratorOptions) -> bool:
    """Whether a text has all expressions that it should include, and none of the excluded ones."""
    return all(re.search(expression, text) for expression in options.include) and not any(
        re.search(expression, text) for expression in options.exclude
    )


def write_loops(loops: Loops, options: GeneratorOptions, space: Space) -> list[str]:
    """Write each loop as siteswap, as `531`, `(4,2x)*` or `<3p|3>`.

    Of throws of one hand the highest comes first. A star stands for a second half that mirrors the
    first.

    Args:
        loops: to be written.
        options: what was looked for; `star` says whether stars are written.
        space: in which the loops were found.
    """
    if options.hands == options.multiplex == 1:
        # The plain case, which is quick for all loops at once.
        return _write_digits(loops, space)
    count, beats, *_ = loops.throws.shape
    has_star = np.zeros(count, dtype=bool)
    if options.star:
        has_star = hands_mirrored(loops, options, space)
    text_of_beat = _BeatTexts(options, space)
    texts = []
    # Of each loop and beat the numbers of throws of all hands in a row.
    for throws, star in zip(
        loops.throws.reshape(count, beats, -1).tolist(), has_star.tolist(), strict=True
    ):
        written = throws[: beats // 2] if star else throws
        text = "".join(text_of_beat[tuple(numbers)] for numbers in written)
        texts.append(text + "*" if star else text)
    return texts


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


class _BeatTexts(dict[tuple[int, ...], str]):
    """Texts of beats by the numbers of their throws, each written when it is first looked up."""

    def __init__(self, options: GeneratorOptions, space: Space, *, rising: bool = False) -> None:
        super().__init__()
        self._options = options
        self._space = space
        self._rising = rising
        self._throws = [Throw(*row) for row in space.throws.tolist()]

    def __missing__(self, numbers: tuple[int, ...]) -> str:
        """Write and remember a beat.

        Args:
            numbers: of the throws, `space.multiplex` for each hand, -1 where none is made.
        """
        multiplex = self._space.multiplex
        throws_of_hands = [
            [self._throws[number] for number in numbers[first : first + multiplex] if number >= 0]
            for first in range(0, len(numbers), multiplex)
        ]
        text = self[numbers] = self.beat(throws_of_hands)
        return text

    def beat(self, throws_of_hands: Sequence[Sequence[Throw]]) -> str:
        """Write a beat from the throws of each hand.

        Hands of one juggler stand in parentheses, jugglers in angle brackets.
        """
        texts = [self._hand(hand, throws) for hand, throws in enumerate(throws_of_hands)]
        if self._options.synchronous:
            texts = [
                f"({left},{right})" for left, right in zip(texts[::2], texts[1::2], strict=True)
            ]
        return texts[0] if len(texts) == 1 else f"<{'|'.join(texts)}>"

    def _hand(self, hand: int, throws: Sequence[Throw]) -> str:
        """Write the throws of one hand, several in brackets.

        Args:
            hand: its index among all hands.
            throws: from the lowest up; written from the highest down, unless `rising`.
        """
        ordered = throws if self._rising else reversed(throws)
        texts = [self._throw(hand, throw) for throw in ordered]
        if len(texts) > 1:
            # The next value would be taken for the juggler whom a pass goes to.
            spaced = [f"{text} " if "p" in text else text for text in texts]
            return f"[{''.join(spaced).strip()}]"
        return texts[0] if texts else "0"

    def _throw(self, hand: int, throw: Throw) -> str:
        """Write a throw: its value, an x if it crosses, and a p if it is a pass.

        Args:
            hand: index of the throwing hand; `step` hands of a juggler throw on each beat.
            throw: its beats are of `step` of siteswap.
        """
        step = self._options.step
        juggler, side = divmod(hand, step)
        to_juggler, to_side = divmod(throw.to_hand, step)
        crossing = "x" if to_side != side else ""
        passing = ""
        if to_juggler != juggler:
            # Of two jugglers, it can only go to the other one.
            passing = f"p{to_juggler + 1}" if self._options.jugglers > 2 else "p"
        return _digit(throw.beats * step) + crossing + passing


class PassageWriter:
    """Writes the shortest throws from the ground state into a state, and back; every prop goes
    where it ends up.
    """

    def __init__(self, options: GeneratorOptions, space: Space) -> None:
        self.space = space
        self._beat_texts = _BeatTexts(options, space, rising=True)
        self._known_passages: dict[int, tuple[str, str]] = {}

    def passages(self, state: int) -> tuple[str, str]:
        """Return the throws into a state and out of it, both empty for the ground state."""
        if state not in self._known_passages:
            ground = self.space.ground
            self._known_passages[state] = self._passage(ground, state), self._passage(state, ground)
        return self._known_passages[state]

    def _passage(self, start: int, end: int) -> str:
        """Write the shortest throws that lead from one state to another.

        They take as few beats as let all props that are still in the air fit into the other state.
        Props that are due in these beats are thrown in order, each to the next place of the other
        state that no prop reaches yet.

        Args:
            start, end: states as integers.
        """
        before, after = (
            self.space.counts(self.space.in_state_type(np.array(state))) for state in (start, end)
        )
        beats = len(before)
        # The least number of beats after which all props of the first state that are still in the
        # air are due in the other one, too.
        due = np.concatenate([before, np.zeros_like(before)])
        length = next(
            elapsed
            for elapsed in range(beats + 1)
            if (due[elapsed : elapsed + beats] <= after).all()
        )

        # The places that are still missing, in order of beats and hands.
        missing = after - due[length : length + beats]
        landings = iter(
            [
                (length + beat, hand)
                for beat, hand in np.argwhere(missing).tolist()
                for _ in range(missing[beat, hand])
            ]
        )
        texts = []
        for beat, counts in enumerate(before[:length].tolist()):
            throws_of_hands = [
                [
                    Throw(landing_beat - beat, to_hand)
                    for landing_beat, to_hand in islice(landings, count)
                ]
                for count in counts
            ]
            texts.append(self._beat_texts.beat(throws_of_hands))
        return "".join(texts)


Mask = NDArray[np.bool_]


def passes_filters(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Say which loops pass all filters that look at each loop by itself, shape (N,).

    Args:
        loops: N loops.
        options: what is looked for.
        space: in which the loops were found.
    """
    passes = np.ones(len(loops), dtype=bool)
    # Plain patterns, of one hand a beat without multiplexes, have only two filters. Neither is
    # asked for.
    if options.hands == options.multiplex == 1 and options.neighbouring_ones and not options.delay:
        return passes
    throws = _ThrowArrays(loops, space)
    if not options.neighbouring_ones and options.hands == 1 and options.multiplex == 1:
        is_one = throws.beats[:, :, 0, 0] == 1
        passes &= ~(is_one[:, 1:] & is_one[:, :-1]).any(axis=1)
    if options.multiplex > 1:
        passes &= _have_wanted_multiplexes(throws, options)
    if options.symmetric_hands:
        passes &= hands_mirrored(loops, options, space)
    if options.connected and options.jugglers > 1:
        passes &= _are_jugglers_connected(throws, options)
    if options.symmetric_jugglers and options.jugglers > 1:
        passes &= _do_jugglers_throw_alike(throws, options)
    if options.delay:
        passes &= _is_start_usual(throws, options, space)
    return passes


class _ThrowArrays:
    """The throws of loops.

    Args:
        loops: N of them.
        space: that they were found in.
    """

    def __init__(self, loops: Loops, space: Space) -> None:
        self.is_thrown = loops.throws >= 0
        """Whether there is a throw, shape (N, beats, hands, multiplex), as all that follow."""
        self.beats, self.to_hand = np.moveaxis(
            np.where(self.is_thrown[..., None], space.throws[loops.throws], 0), -1, 0
        )
        """Beats until a prop lands, and in which hand."""
        self.hand = np.arange(space.hands)[:, None]
        """The hand that throws, shape (hands, 1)."""
        is_two = self.beats * space.step == 2
        self.is_hold = self.is_thrown & is_two & (self.to_hand == self.hand)
        """Whether it is a hold: a 2 to the same hand."""


def _have_wanted_multiplexes(throws: _ThrowArrays, options: GeneratorOptions) -> Mask:
    """Whether each loop has only such multiplexes as are looked for, shape (N,).

    Args:
        throws: of N loops.
        options: `clusters`, `true_multiplex` and `squeezes` count.
    """
    is_multiplex = np.asarray(throws.is_thrown[..., 1:].any(axis=-1))
    passes = np.ones(len(is_multiplex), dtype=bool)
    if not options.clusters:
        # Throws of a hand go up, so equal ones stand beside each other.
        alike = (throws.beats[..., 1:] == throws.beats[..., :-1]) & (
            throws.to_hand[..., 1:] == throws.to_hand[..., :-1]
        )
        passes &= ~(alike & throws.is_thrown[..., 1:]).any(axis=(1, 2, 3))
    if options.true_multiplex:
        # One multiplex at least holds nothing.
        passes &= (is_multiplex & ~throws.is_hold.any(axis=-1)).any(axis=(1, 2))
    if not options.squeezes:
        passes &= ~_has_squeezes(throws)
    return passes


def _has_squeezes(throws: _ThrowArrays) -> Mask:
    """Whether props land together in a hand that were thrown apart, shape (N,).

    Props are thrown together by one hand on one beat. Holds, 2s to the same hand, do not count.
    """
    count, beats, hands, multiplex = throws.is_thrown.shape
    throws_per_loop = beats * hands * multiplex
    flat = (count, throws_per_loop)
    # For each throw its landing place in the loop (a beat and a hand), and a number that two throws
    # with the same landing share if they come from the same hand and beat: for these, equal beats
    # in the air mean equal beats of the throw.
    landing_beat = (np.arange(beats)[:, None, None] + throws.beats) % beats
    landing = (landing_beat * hands + throws.to_hand).reshape(flat)
    source = (throws.hand + hands * throws.beats).reshape(flat)
    is_flying = (throws.is_thrown & ~throws.is_hold).reshape(flat)
    squeezes = np.zeros(count, dtype=bool)
    # Each throw is compared with all before it.
    for index in range(1, throws_per_loop):
        land_together = (
            (landing[:, :index] == landing[:, index, None])
            & is_flying[:, :index]
            & is_flying[:, index, None]
        )
        come_apart = source[:, :index] != source[:, index, None]
        squeezes |= (land_together & come_apart).any(axis=1)
    return squeezes


def hands_mirrored(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Whether the second half of loops is the first with left and right exchanged, shape (N,).

    Only synchronous loops of one juggler with an even number of beats can be so; all others get
    False.

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
    mirrored_second_half = np.sort(mirrored[:, beats // 2 :], axis=-1)
    first_half = np.sort(loops.throws[:, : beats // 2], axis=-1)
    equal: Mask = (first_half == mirrored_second_half).all(axis=(1, 2, 3))
    return equal


def _are_jugglers_connected(throws: _ThrowArrays, options: GeneratorOptions) -> Mask:
    """Whether passes, perhaps by way of others, connect all jugglers, shape (N,).

    Args:
        throws: of N loops.
        options: number of jugglers and hands of each.
    """
    count = len(throws.is_thrown)
    # Matrices of who is connected with whom, shape (N, jugglers, jugglers): each with himself, and
    # thrower and catcher of each throw, in both directions.
    connected = np.broadcast_to(
        np.eye(options.jugglers, dtype=bool), (count, options.jugglers, options.jugglers)
    ).copy()
    loop = np.nonzero(throws.is_thrown)[0]
    thrower = np.broadcast_to(throws.hand // options.step, throws.to_hand.shape)
    catcher = throws.to_hand // options.step
    connected[loop, thrower[throws.is_thrown], catcher[throws.is_thrown]] = True
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
    is_pass = throws.to_hand // options.step != throws.hand // options.step
    heights = np.where(throws.is_thrown, 2 * throws.beats + is_pass, 0)
    count, beats, _hands, multiplex = heights.shape
    # From (N, beats, hands, multiplex) to (N, beats, jugglers, throws on a beat).
    by_juggler = heights.reshape(count, beats, options.jugglers, options.step * multiplex)
    return np.moveaxis(by_juggler, 2, 1)


def _do_jugglers_throw_alike(throws: _ThrowArrays, options: GeneratorOptions) -> Mask:
    """Whether all jugglers throw the same, perhaps at other beats, shape (N,).

    Each juggler's throws have to be a rotation of the first juggler's. To whom passes go does not
    count.
    """
    throws_by_juggler = _by_juggler(throws, options)
    beats = throws_by_juggler.shape[2]
    # The throws of the first juggler, begun on each of the beats.
    rotations = np.stack(
        [np.roll(throws_by_juggler[:, 0], shift, axis=1) for shift in range(beats)], axis=1
    )
    is_equal = (throws_by_juggler[:, :, None] == rotations[:, None]).all(axis=(3, 4))
    all_alike: Mask = is_equal.any(axis=2).all(axis=1)
    return all_alike


def _is_start_usual(throws: _ThrowArrays, options: GeneratorOptions, space: Space) -> Mask:
    """Whether at first all jugglers but the leader throw as in the ground state, shape (N,).

    In the ground state, places (a hand on a beat) are taken in order by the props. A usual throw
    made on a beat lands in one of the places that the hands of that beat would take next. "At
    first" is for `options.delay` beats.

    Args:
        throws: of N loops.
        options: what is looked for.
        space: in which the loops were found.
    """
    beat = np.arange(throws.beats.shape[1])[:, None, None]
    # Places in order of beats and hands, counted from the first that is empty in the ground state.
    # On beat b, the `hands` places from b · hands on are the next ones.
    place = (beat + throws.beats) * space.hands + throws.to_hand - space.props
    is_usual = (place >= beat * space.hands) & (place < (beat + 1) * space.hands)
    # Leaders are counted from 1.
    is_leader = throws.hand // options.step == options.leader - 1
    is_late = beat >= options.delay
    start_is_usual: Mask = (is_usual | ~throws.is_thrown | is_leader | is_late).all(axis=(1, 2, 3))
    return start_is_usual


def is_listed_rotation(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Whether each loop is the one to list of its rotations, shape (N,).

    A loop that is back at its start state before the end is found in several rotations. It consists
    of parts, from one such beat to the next, which compare by their length and then by their
    throws. The rotation with the greatest list of parts is listed. All other loops are found once,
    and are listed.

    Args:
        loops: N loops.
        options: what is looked for.
        space: unused; all filters are called alike.
    """
    is_listed = np.ones(len(loops), dtype=bool)
    # Only where a state may come again is a loop found in several rotations.
    if options.kind == "all" and not options.rotations:
        is_start = loops.states == loops.states[:, :1]
        for index in np.flatnonzero(is_start[:, 1:].any(axis=1)):
            throws = loops.throws[index].tolist()
            starts = np.flatnonzero(is_start[index]).tolist()
            is_listed[index] = _rotated_parts(throws, starts, 0) == _greatest_parts(throws, starts)
    return is_listed


def _greatest_parts(throws: list[Any], starts: list[int]) -> list[tuple[int, list[Any]]]:
    """The greatest of all rotations of a loop's parts, as `_rotated_parts` returns them."""
    return max(_rotated_parts(throws, starts, first) for first in range(len(starts)))


def _rotated_parts(throws: list[Any], starts: list[int], first: int) -> list[tuple[int, list[Any]]]:
    """The parts of a loop from one of its beats to the next, each with its length.

    Args:
        throws: of each beat of the loop.
        starts: beats on which parts begin, in order, from 0 on.
        first: index of the part that comes first; those before it come last.
    """
    bounds = [*starts, len(throws)]
    parts = [(high - low, throws[low:high]) for low, high in pairwise(bounds)]
    return parts[first:] + parts[:first]


def is_listed_permutation(loops: Loops, options: GeneratorOptions, space: Space) -> Mask:
    """Whether each loop is the one to list of those that differ only in who is who, shape (N,).

    It is the one in which the first juggler has the highest throws, compared from the highest down,
    then the second, and so on. It can be missing: the search finds a loop from its least state
    only, and drops it if that state comes twice, which may depend on who is who. Then the best of
    those that are found is listed. Of equally good ones it is the one with the lowest throws,
    compared from the start on. Where permutations are asked for, or with one juggler, all are
    listed.

    Args:
        loops: N loops.
        options: what is looked for.
        space: in which the loops were found.
    """
    is_listed = np.ones(len(loops), dtype=bool)
    if not options.compares_jugglers:
        return is_listed
    # The throws of each juggler from the highest down, shape (N, jugglers, throws).
    throws_by_juggler = throws_of_jugglers(loops, options, space)
    sorted_throws = -np.sort(-throws_by_juggler.reshape(len(loops), options.jugglers, -1), axis=2)

    # A loop is dropped if it is better with its jugglers in another order, and found so. The first
    # permutation changes nothing.
    orders = list(permutations(range(options.jugglers)))[1:]
    is_doubtful = np.zeros(len(loops), dtype=bool)
    for order in orders:
        comparison = _compare_rows(
            sorted_throws[:, order].reshape(len(loops), -1), sorted_throws.reshape(len(loops), -1)
        )
        is_better = comparison > 0
        if options.kind == "simple" and not options.rotations and is_better.any():
            is_better[is_better] = _is_found(loops.states[is_better], order, options, space)
        is_listed &= ~is_better
        is_doubtful |= comparison == 0

    # Where an order is as good, the throws decide.
    for index in np.flatnonzero(is_listed & is_doubtful):
        is_listed[index] = _has_lowest_throws(
            loops, int(index), sorted_throws[index], orders, options, space
        )
    return is_listed


def _compare_rows(rows: NDArray[np.int64], other_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Compare rows with other rows lexicographically, shape (N,).

    The result is 1 where a row is greater than the other, 0 where both are equal, −1 where it is
    less.
    """
    signs = np.sign(rows - other_rows)
    # The first column that differs decides; if none does, the sign of column 0 is 0.
    column = np.argmax(signs != 0, axis=1)
    comparison: NDArray[np.int64] = np.take_along_axis(signs, column[:, None], axis=1)[:, 0]
    return comparison


def _exchanged_states(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> States:
    """States with jugglers in another order: juggler j becomes the one that was `order[j]`.

    Args:
        states: as integers, of any shape.
        order: of the jugglers.
        options: which say how many hands a juggler has.
        space: of the states.
    """
    return space.states(space.counts(states)[..., _hands_in_order(order, options)])


def _hands_in_order(order: tuple[int, ...], options: GeneratorOptions) -> list[int]:
    """The hands of jugglers in another order."""
    return [options.step * juggler + side for juggler in order for side in range(options.step)]


def _is_found(
    states: States, order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> Mask:
    """Whether the search also finds loops with their jugglers in another order, shape (N,).

    For simple patterns without rotations, it does if the least state of a loop comes only once in
    it.

    Args:
        states: of the loops before each beat, shape (N, beats).
        order: of the jugglers.
        options: which say how many hands a juggler has.
        space: of the states.
    """
    exchanged = space.sort_keys(_exchanged_states(states, order, options, space))
    once: Mask = (exchanged == exchanged.min(axis=1, keepdims=True)).sum(axis=1) == 1
    return once


def _has_lowest_throws(
    loops: Loops,
    index: int,
    sorted_throws: NDArray[np.int64],
    orders: list[tuple[int, ...]],
    options: GeneratorOptions,
    space: Space,
) -> bool:
    """Whether no other order of jugglers with the same sorted throws gives lower throws.

    Throws are compared from the start on, in the rotation in which the search would find the loop
    with that order. Orders in which it would not find it do not count.

    Args:
        loops: all that were found.
        index: of the loop.
        sorted_throws: its throws by juggler, sorted, shape (jugglers, throws).
        orders: the other orders.
        options: what is looked for.
        space: in which the loops were found.
    """
    states = loops.states[index]
    throws = loops.throws[index]
    for order in orders:
        if (sorted_throws[list(order)] != sorted_throws).any():
            continue
        exchanged = space.sort_keys(_exchanged_states(states, order, options, space))
        least = np.flatnonzero(exchanged == exchanged.min()).tolist()
        if options.kind == "simple" and not options.rotations and len(least) > 1:
            # In that order it is not found, as its least state comes several times.
            continue
        exchanged_throws = _exchange_throws(throws, order, options, space).tolist()
        if not options.rotations:
            # It is found from its least state on, and listed in the rotation with the greatest
            # parts, from one such state to the next.
            start = least[0]
            exchanged_throws = exchanged_throws[start:] + exchanged_throws[:start]
            starts = [beat - start for beat in least]
            parts = _greatest_parts(exchanged_throws, starts)
            exchanged_throws = [throw for _length, part in parts for throw in part]
        if exchanged_throws < throws.tolist():
            return False
    return True


def _exchange_throws(
    throws: NDArray[np.int16], order: tuple[int, ...], options: GeneratorOptions, space: Space
) -> NDArray[np.int16]:
    """The throws of a loop with jugglers in another order, both as throwers and as catchers.

    Args:
        throws: numbers of throws, shape (beats, hands, multiplex), -1 where none is made.
        order: the jugglers in the new order.
        options: what is looked for.
        space: in which the loop was found.
    """
    hands = _hands_in_order(order, options)
    # A number stands for a height and a catching hand. `argsort` gives the inverse order: for each
    # hand before the place that it has now.
    height, to_hand = np.divmod(throws[:, hands], space.hands)
    exchanged = height * space.hands + np.argsort(hands)[to_hand]
    # Throws of one hand go up.
    return np.sort(np.where(throws[:, hands] >= 0, exchanged, -1), axis=-1).astype(np.int16)
