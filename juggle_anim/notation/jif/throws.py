"""Throws of a JIF document: repeated until the limbs are back in place, and put on a grid of
beats.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.errors import FileError, PatternError
from juggle_anim.language import N_, _
from juggle_anim.notation.jif.document import Node
from juggle_anim.notation.jif.extension import read_modifier
from juggle_anim.notation.jif.limbs import Limbs, read_limbs
from juggle_anim.notation.limits import (
    MAX_JUGGLERS,
    MAX_PERIOD,
    MAX_PROPS,
    MAX_STRETCH,
    MAX_THROWS,
    MAX_VALUE,
)
from juggle_anim.notation.siteswap.syntax import Modifier
from juggle_anim.pattern import Pattern, Throw, Turn

FINEST = (
    *range(1, 101),
    120,
    144,
    160,
    192,
    200,
    240,
    250,
    300,
    360,
    400,
    480,
    500,
    600,
    720,
    840,
    960,
    1000,
)
"""The numbers of parts into which a beat of a document may be divided."""

SAME_TIME = 1.01e-3
"""Times that differ by less are simultaneous, [beats]."""

LARGEST_DENOMINATOR = 12
"""The largest denominator of a beat, as a fraction of the document's, that is read as a division of
beats.
"""

_EXACT_TOLERANCE = 1e-6  # beats, for what is no more than rounding of floats

# What each key of a throw holds, for errors.
_EXPECTED = {
    "time": N_("a number of beats"),
    "duration": N_("a number of beats"),
    "from": N_("the number of a limb"),
    "to": N_("the number of a limb"),
}

_USUAL_DURATION = 3.0
"""Of a throw that says nothing of it, [beats]."""

# Tolerance [beats] and most parts of a beat, the likeliest grid first.
_GRIDS_TRIED = (
    (_EXACT_TOLERANCE, 100),
    (SAME_TIME, 24),
    (_EXACT_TOLERANCE, FINEST[-1]),
    (SAME_TIME, 100),
)


@dataclass(frozen=True)
class TimedThrow:
    """A throw of a document; times in the document's own beats."""

    node: Node
    time: float
    duration: float
    limb: int
    to: int
    modifier: Modifier


@dataclass(frozen=True)
class ThrowSource:
    """The place in a document that a throw of the loop comes from.

    Args:
        throw: its index in the document.
        repetition: how often the limbs were permuted before it, from 0.
        loop: whole loops by which it was moved to the front to stand in the first one.
    """

    throw: int
    repetition: int
    loop: int


@dataclass(frozen=True)
class Throws:
    """The throws of a document as a pattern.

    Args:
        pattern: without a text.
        sources: of each throw of the pattern.
        written: all throws of the document.
        repetitions: of the document in the loop.
        stretch: how many beats of the document are one of a juggler.
        tempo: by how much it is faster than usual, where no division of beats says so.
    """

    pattern: Pattern
    sources: tuple[ThrowSource, ...]
    written: tuple[TimedThrow, ...]
    repetitions: int
    stretch: float
    tempo: float


def read_throws(document: Node) -> Throws:
    """The throws of a document, with what it leaves out.

    A period that is nowhere said ends one beat after the last throw, or two, such that all throws
    are caught one for one; two are tried first where all throws are on even beats, as in pairs.
    `timeStretchFactor` says how many beats of the document are one of a juggler, as where several
    jugglers throw in turns; so it divides the beats of the pattern. Where it is below 1, or no
    simple fraction, it is a tempo.

    Where no throw has a time there is one a beat, where none has a duration all last three beats,
    and where none has a limb they are made by all limbs in turn, as in jif-web
    (https://github.com/Bone008/jif-web).

    Raises:
        FileError: something is of the wrong kind or beyond the limits, or a throw is not caught.
    """
    nodes = document.need("throws", _("a list of throws")).items(MAX_THROWS)
    ends = [limb for node in nodes for key in ("from", "to") if (limb := node.get(key))]
    used = max((end.whole(0, 2 * MAX_JUGGLERS - 1) + 1 for end in ends), default=0)
    in_turn = not ends
    limbs = read_limbs(document, max(used, 2 if in_turn and nodes else 0))
    written = tuple(_written(nodes, limbs))
    factor = document.get("timeStretchFactor")
    usual = float(limbs.jugglers if in_turn else 1)
    stretch = factor.number(1 / MAX_STRETCH, MAX_STRETCH) if factor else usual
    failed: tuple[_Unrolled, PatternError] | None = None
    periods = _periods(document, written)
    # Lazily: steps of a later period may be at fault where an earlier one does.
    readings = (
        (period, step)
        for period in periods
        for step in _steps(document, limbs, period, in_turn=in_turn)
    )
    for period, step in readings:
        unrolled = _Unrolled(
            document, limbs, written, period, as_division(stretch) or Fraction(1), step
        )
        try:
            pattern, sources = unrolled.pattern()
        except PatternError as error:
            failed = failed or (unrolled, error)
            continue
        beats, tempo = (stretch, 1.0) if as_division(stretch) else (1.0, stretch)
        return Throws(pattern, sources, written, len(unrolled.permutations), beats, tempo)
    assert failed is not None
    raise _uncaught(document, *failed, guessed=len(periods) > 1)


def _written(nodes: list[Node], limbs: Limbs) -> Iterator[TimedThrow]:
    """Yield the throws of a document, with usual values for keys that no throw has."""
    count = len(limbs.hands)
    values = [node.value if isinstance(node.value, dict) else {} for node in nodes]
    stated_keys = {key for key in _EXPECTED if any(value.get(key) is not None for value in values)}
    stated_keys |= {"from", "to"} if stated_keys & {"from", "to"} else set()
    for index, node in enumerate(nodes):
        # What some throws say must not be guessed for others.
        time, lasts, limb, to = (
            node.need(key, _EXPECTED[key]) if key in stated_keys else None for key in _EXPECTED
        )
        begins = time.number(0, MAX_PERIOD) if time else float(index)
        duration = lasts.number(0, MAX_PERIOD) if lasts else _USUAL_DURATION
        yield TimedThrow(
            node,
            begins,
            duration,
            limb.index(count, "limb") if limb else int(begins) % count,
            to.index(count, "limb") if to else int(begins + duration) % count,
            read_modifier(node),
        )


def _periods(document: Node, written: tuple[TimedThrow, ...]) -> list[float]:
    """Return the periods that a loop may have, [beats]: that of the document, or else guesses."""
    nodes = [document.find("repetition", "period"), document.get("period")]
    periods = [node.number(1 / MAX_PERIOD, MAX_PERIOD) for node in nodes if node]
    if len(periods) > 1 and periods[0] != periods[1]:
        raise document.need("period", "").error(
            _("is not repetition.period"), _("write one of them")
        )
    last = math.floor(max((throw.time for throw in written), default=0))
    in_pairs = all(throw.time % 2 == 0 for throw in written)
    return periods[:1] or ([last + 2.0, last + 1.0] if in_pairs else [last + 1.0, last + 2.0])


def _steps(document: Node, limbs: Limbs, period: float, *, in_turn: bool) -> list[list[int]]:
    """Which limb makes the throws of each limb in the next repetition; the likeliest first.

    In passist's files the throws of limb k become those of limb `limbPermutation[k]`. In jif-web's,
    limb k takes over the throws of limb `limbPermutation[k]`, and juggler k those of juggler
    `becomes`, with hands exchanged after an odd number of beats; where its limbs throw in turn they
    go on to do so, whatever the others do.

    Raises:
        FileError: it is not a permutation, or of other limbs.
    """
    count = len(limbs.hands)
    node = document.find("repetition", "limbPermutation")
    following = _following(document, limbs.jugglers)
    if node is not None:
        step = [item.index(count, "limb") for item in node.items(2 * MAX_JUGGLERS)]
        if sorted(step) != list(range(count)):
            raise node.error(
                _("this names not each limb once"),
                _(
                    "the {count} numbers from 0 to {count2} in some order",
                    count=count,
                    count2=count - 1,
                ),
            )
        steps = [step, [step.index(limb) for limb in range(count)]]
        return steps[::-1] if following else steps
    if in_turn:
        return [[(limb + int(period)) % count for limb in range(count)]]
    # After an odd number of beats that hands take in turn, they are exchanged.
    swaps = int(period) % 2
    if following:
        steps = [_taken_over(limbs, following, exchanged) for exchanged in (swaps, 1 - swaps)]
        if not all(steps):
            raise document.error(
                _("jugglers become others who have other limbs"), _("two hands for each of them")
            )
        return steps
    exchanged = _taken_over(limbs, list(range(limbs.jugglers)), 1) if swaps else []
    return [list(range(count)), *([exchanged] if exchanged else [])]


def _following(document: Node, jugglers: int) -> list[int]:
    """Whose throws each juggler makes in the next repetition; empty where it is not said.

    Raises:
        FileError: two jugglers become the same one.
    """
    nodes = document.list_of("jugglers", MAX_JUGGLERS)
    if not any(node.get("becomes") for node in nodes):
        return []
    becomes = [node.get("becomes") for node in nodes] + [None] * (jugglers - len(nodes))
    following = [
        node.index(jugglers, "juggler") if node else juggler for juggler, node in enumerate(becomes)
    ]
    counts = Counter(following)
    for juggler, node in enumerate(becomes):
        if node and counts[following[juggler]] > 1:
            raise node.error(
                _("another juggler becomes juggler {following}, too", following=following[juggler]),
                _("each juggler once"),
            )
    return following


def _taken_over(limbs: Limbs, following: list[int], exchanged: int) -> list[int]:
    """Return the limbs that take over each limb's throws; empty where hands do not match."""
    # Invert `hands`; -1 stands for a hand that no limb is.
    limb_of_hand = {hand: limb for limb, hand in enumerate(limbs.hands)}
    step = dict.fromkeys(range(len(limb_of_hand)), -1)
    for (juggler, hand), limb in limb_of_hand.items():
        step[limb_of_hand.get((following[juggler], hand ^ exchanged), -1)] = limb
    return (
        [step[limb] for limb in range(len(limb_of_hand))]
        if -1 not in (*step, *step.values())
        else []
    )


def _permutations(step: list[int], document: Node, max_repetitions: int) -> list[list[int]]:
    """Which limb each limb is in each repetition, until all are themselves again."""
    # Powers of the permutation up to the identity.
    identity = list(range(len(step)))
    powers = [identity]
    power = step
    while power != identity:
        if len(powers) >= max_repetitions:
            node = document.find("repetition", "limbPermutation") or document
            raise node.error(
                _("limbs come to be themselves again too late"),
                _("after {most} repetitions of these throws", most=max_repetitions),
            )
        powers.append(power)
        power = [step[limb] for limb in power]
    return powers


class _Unrolled:
    """The throws of a document, repeated until the limbs are themselves again."""

    def __init__(
        self,
        document: Node,
        limbs: Limbs,
        written: tuple[TimedThrow, ...],
        period: float,
        stretch: Fraction,
        step: list[int],
    ) -> None:
        """Choose the grid of beats and the number of repetitions.

        Raises:
            FileError: the grid is too fine, or the loop too long.
        """
        self.document = document
        self.limbs = limbs
        self.written = written
        # All repetitions together stay within the limit of throws.
        max_repetitions = max(1, MAX_THROWS // max(1, len(written)))
        self.permutations = _permutations(step, document, max_repetitions)
        moments = [
            period,
            *(moment for throw in written for moment in (throw.time, throw.duration)),
        ]
        parts = beat_division(np.array(moments))
        # A part is one of `division` in a juggler's beat, of which `stretch` are in a beat of the
        # document.
        self.division = parts * stretch.numerator
        self.scale = parts * stretch.denominator
        self.once = round(period * self.scale)
        # Throws snap to these, so that what is caught is thrown.
        self.moments = sorted({throw.time % period for throw in written} | {period})
        self.period = self.once * len(self.permutations)
        if self.division > MAX_STRETCH:
            accepted = _(
                "times and a timeStretchFactor that divide a beat into up to {max_stretch} parts",
                max_stretch=MAX_STRETCH,
            )
            raise document.error(
                _("its beats have {division} parts", division=self.division), accepted
            )
        if not 0 < self.period <= MAX_PERIOD:
            accepted = _(
                "a loop of up to {max_period} beats or parts of them, limbs permuted until all "
                "begins anew",
                max_period=MAX_PERIOD,
            )
            raise document.error(
                _("its loop has {period} parts of beats", period=self.period), accepted
            )
        self.rows: list[tuple[Throw, ThrowSource]] = []

    def pattern(self) -> tuple[Pattern, tuple[ThrowSource, ...]]:
        """The pattern, and where each of its throws comes from; `rows` holds both."""
        turns: set[Turn] = set()
        for repetition, limbs in enumerate(self.permutations):
            for index, written in enumerate(self.written):
                loop, throw = self._throw(written, repetition, limbs)
                turns.add(throw[:3])
                if throw.value:
                    self.rows.append((throw, ThrowSource(index, repetition, loop)))
        self.rows.sort(key=lambda row: row[0][:3])
        props = sum(throw.value for throw, _ in self.rows) / self.period
        if props > MAX_PROPS:
            raise self.document.error(
                _("this takes {props:.0f} props", props=props),
                _("at most {max_props} are allowed", max_props=MAX_PROPS),
            )
        pattern = Pattern(
            "",
            tuple(throw for throw, _ in self.rows),
            self.period,
            self.period,
            self.limbs.jugglers,
            self.division,
            turns=tuple(sorted(turns)),
        )
        return pattern, tuple(source for _, source in self.rows)

    def _throw(self, written: TimedThrow, repetition: int, limbs: list[int]) -> tuple[int, Throw]:
        begins = self._part(written.time)
        value = self._part(written.time + written.duration) - begins if written.duration else 0
        loop, beat = divmod(begins + repetition * self.once, self.period)
        if value > MAX_VALUE * self.division:
            raise written.node.error(
                _("this lasts {value} beats", value=value // self.division),
                _("up to {max_value} are read", max_value=MAX_VALUE),
            )
        juggler, hand = self.limbs.hands[limbs[written.limb]]
        to_juggler, to_hand = self.limbs.hands[limbs[written.to]]
        return loop, Throw(beat, juggler, hand, value, to_juggler, to_hand, *written.modifier)

    def _part(self, time: float) -> int:
        """Return the part of a beat nearest to a time, snapped to throws at nearly that time."""
        loops, rest = divmod(time, self.moments[-1])
        after = bisect_left(self.moments, rest)
        # The nearest of the moments on both sides.
        near = min(
            self.moments[max(0, after - 1) : after + 1], key=lambda moment: abs(moment - rest)
        )
        if abs(near - rest) < SAME_TIME:
            rest = near
        return round(loops) * self.once + round(rest * self.scale)


def _uncaught(
    document: Node, unrolled: _Unrolled, error: PatternError, *, guessed: bool
) -> FileError:
    """Return the error for throws that are not caught one for one."""
    if guessed:
        period = Node(document.name, "repetition.period", None)
        return period.error(_("is missing"), _("the beats after which all is repeated"))
    node = unrolled.written[unrolled.rows[error.throw or 0][1].throw].node
    parts = (
        _(" (counted in {division} parts a beat)", division=unrolled.division)
        if unrolled.division > 1
        else ""
    )
    return node.error(f"{error}{parts}", _("each hand must catch as many props as it throws then"))


def beat_division(moments: Floats) -> int:
    """Return the fewest parts of a beat of which all moments are whole numbers.

    A third that was rounded to 0.333 counts as a third, since `_GRIDS_TRIED` goes from exact
    hundredths over rougher parts to finer ones. Where nothing fits it is the finest grid, on which
    moments are as good as where they were.

    Args:
        moments: any shape, [beats].
    """
    for error, finest in _GRIDS_TRIED:
        for parts in FINEST:
            if parts <= finest and np.all(
                np.abs(moments * parts - np.rint(moments * parts)) <= error * parts
            ):
                return parts
    return FINEST[-1]


def as_division(stretch: float) -> Fraction | None:
    """Return a stretch as a simple fraction of 1 or more; None where it is none."""
    near = Fraction(stretch).limit_denominator(LARGEST_DENOMINATOR)
    return near if near >= 1 and abs(near - Fraction(stretch)) < _EXACT_TOLERANCE else None
