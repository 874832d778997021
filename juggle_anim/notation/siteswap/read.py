"""Reading siteswaps: from text to pattern, by the average theorem, also with parts of beats.

Throws of parts of beats are those of one juggler, whose hands throw when the prop on its way to
them lands: `(4,5.3x) 4 5.3x 4 5.3x 4` is four throws of one hand against three of the other, and
`3.5 2.5` a gallop.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, lcm
from typing import TYPE_CHECKING, NamedTuple

from juggle_anim.errors import NotationError, PatternError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import MAX_NESTING, MAX_PROPS, MAX_RHYTHM_STEPS, mixed_number
from juggle_anim.notation.prechac import is_prechac, may_be_prechac, respellings
from juggle_anim.notation.siteswap.syntax import (
    ANGLE_BRACKETS,
    HAND_LETTERS,
    Group,
    PlacedThrow,
    Placement,
    Single,
    Start,
    WrittenThrow,
    leaves_of,
    parse,
    place_throws,
    reads_without_end_mark,
)
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw, grouped

if TYPE_CHECKING:
    from juggle_anim.notation.prechac import SearchBudget

# In parts behind one another, <4xp|3><3|4xp>, an x before the p is Juggling Lab's, who has no other
# first hands.
# Patterns that few texts need are compiled by `re` when they are first used.
_CROSSING_PASS = r"(?i)p\d*[x×]|\A[^<]*<[^<]*[x×]p[^<]*\Z"
_HANDS_AT_START = r"\s*<\s*[RL]\s*\|"
_DIGITS_AND_LETTERS = r"(?as)(?=.*\d)(?=.*[A-Za-z])[0-9A-Za-z\[\]\s]+"
_CERTAIN_FLAG = r"[LR]\s*\d|\wx"
_STAR_IN_THE_MIDDLE = r"\*(?=\s*[^\s|>^)])"
_LIST_OF_VALUES = r"(?a)\s*\d{1,2}(\s*,\s*\d{1,2})+\s*"  # longer ones are patterns
_SINGLE = r"\[[^\]]*\]|(?:\{[0-9]+\}|\S)[xX×]?"
_MAX_JUGGLERS_TRIED = 4
"""Of more jugglers, all combinations of first hands are too many to try."""

_MAX_CHARACTERS_TRIED = 8_000
"""Characters of all texts that are tried with other first hands, [characters]."""


@reads_without_end_mark
def read_siteswap(text: str) -> Pattern:
    """Read a siteswap. The grammar is in docs/siteswap.md, and in docs/prechac.md for passing.

    Args:
        text: for example `531`, `(6x,4)*`, `[34]23` or `<3p 3|3p 3>`; spaces between tokens mean
            nothing. If throws are left open with a `?`, the nearest of the `completions` is read.
            A text that is only valid in prechac notation, such as `3.5p` or `4p 2 3`, is read as
            that. A full stop or comma may end the text.

    Returns:
        The pattern. Its text is the one that was read: completed, and without a full stop or comma
        at the end.

    Raises:
        NotationError: the text is not a siteswap, or not a valid one.
    """
    text = text.translate(ANGLE_BRACKETS)
    # Other programs write the same pattern differently, so several spellings of the text are tried,
    # and the first that is a pattern counts. If all fail, the error is that of the last spelling
    # that is close enough to the text as it was typed.
    error: NotationError | None = None
    for spelled in respellings(text):
        try:
            return _read_as_spelled(spelled.text)
        except NotationError as failure:
            if spelled.error_is_shown:
                error = spelled.in_original(failure, text)
    assert error is not None, "the error of the first spelling is shown"
    raise error


def _read_as_spelled(text: str) -> Pattern:
    """Read a siteswap, prechac notation, or one of the ways in which others write siteswaps.

    Raises:
        NotationError: none of these readings succeeds; the error is that of the likeliest one.
    """
    # A value with a point, such as 5.3, is one of prechac notation, or of a rhythm of one juggler,
    # which is tried first.
    if is_prechac(text):
        from juggle_anim.notation.prechac import read_prechac

        return read_rhythm(text) or read_prechac(text)
    try:
        return _read_own_spelling(text)
    except NotationError as error:
        # Other readings are tried only if the text is not a pattern in our own spelling. Each
        # returns None if it does not apply, or gives no pattern either.
        for read_otherwise in (
            _read_crossing_passes,
            _read_letters_as_values,
            _read_list_of_values,
            _read_stars_in_turn,
        ):
            if pattern := read_otherwise(text):
                return pattern
        if not may_be_prechac(text):
            raise
        from juggle_anim.notation.prechac import read_prechac

        try:
            return read_prechac(text)
        except NotationError as prechac_error:
            # With < > the text may be meant in either notation. The siteswap is the more common,
            # so its error is shown.
            raise (error if "<" in text else prechac_error) from None


def _read_crossing_passes(text: str) -> Pattern | None:
    """Read a text with crossing passes, 3px or 3xp, by finding with which hands jugglers begin.

    All jugglers begin with the right hand unless a text says otherwise, as with <R|L> in front. So
    <4px 3|3 4px> is read as <R|L><4px 3|3 4px>.

    Args:
        text: the text as typed.

    Returns:
        The pattern; None if the text has no such passes, says which hands begin, is too long to try
        all first hands, or no choice of them makes a pattern.
    """
    # Each < > has a side for every juggler, so the first one tells their number.
    jugglers = text.partition(">")[0].count("|") + 1
    if not re.search(_CROSSING_PASS, text) or re.match(_HANDS_AT_START, text):
        return None
    if jugglers > _MAX_JUGGLERS_TRIED or len(text) * 2**jugglers > _MAX_CHARACTERS_TRIED:
        return None
    with suppress(NotationError):
        # Other first hands cannot mend an error of grammar, which `parse` raises here.
        parse(text)
        return _with_first_hands(text.strip(), jugglers)
    return None


def _with_first_hands(text: str, jugglers: int) -> Pattern | None:
    """Return the pattern of a text with the first choice of beginning hands that makes one.

    The first juggler begins with the right hand: choices with the left one are mirror images.

    Args:
        text: a passing siteswap that does not say with which hands jugglers begin.
        jugglers: number of jugglers.

    Returns:
        The pattern; None if no choice makes one.
    """
    for other_hands in product("LR", repeat=jugglers - 1):
        first_hands = "|".join(("R", *other_hands))
        # Each repetition begins with these hands again. So that hands alternate, the number of
        # beats must be even; if it is odd, the text is written twice.
        for throws_text in (text, f"({text}^2)"):
            with suppress(NotationError):
                pattern = _read_own_spelling(f"<{first_hands}>{throws_text}")
                written_beats = pattern.written_period // pattern.division
                if written_beats % 2 == 0:
                    return pattern
    return None


def _read_letters_as_values(text: str) -> Pattern | None:
    """Read letters that make no sense as flags as values: 66666B55555 is 66666b55555.

    A flag is a letter that says how a throw is made, such as `L` (left hand), `x` (crossing) or `B`
    (bounce).

    Returns:
        The pattern; None if a letter is certainly a flag (an L or R before a digit, an x behind a
        throw), if the text has words or other signs, or if it is no pattern when read so.
    """
    if not re.fullmatch(_DIGITS_AND_LETTERS, text) or re.search(_CERTAIN_FLAG, text):
        return None
    # Several letters between spaces are a word, and may be a name.
    if any(len(word) > 1 and word.isalpha() for word in text.split()):
        return None
    # A small x would be the flag of a crossing throw, so x is written as {33}, its value.
    plain = "".join("{33}" if letter in "xX" else letter.lower() for letter in text)
    with suppress(NotationError):
        # A text that breaks the grammar has flags in a wrong place, which the user should mend.
        # Then `parse` raises an error, and the letters are not read as values.
        parse(text)
        return _read_own_spelling(plain)
    return None


def _read_list_of_values(text: str) -> Pattern | None:
    """Read a list of values with commas between them: 12,3,0 is {12}30.

    Returns:
        The pattern; None if the text is not such a list, or is no pattern when read as one.
    """
    if not re.fullmatch(_LIST_OF_VALUES, text):
        return None
    values = [value.strip() for value in text.strip().split(",")]
    with suppress(NotationError):
        return _read_own_spelling(
            "".join(value if len(value) == 1 else f"{{{value}}}" for value in values)
        )
    return None


def _read_stars_in_turn(text: str) -> Pattern | None:
    """Read a text with stars in the middle, each of which repeats all throws before it.

    JuggleMaster Pro writes such texts. For example, (4,4)*(6,6) is read as ((4,4)*^1)(6,6).

    Returns:
        The pattern; None if there is no such star, if there are too many, or if no pattern results.
    """
    star_indices = {match.start() for match in re.finditer(_STAR_IN_THE_MIDDLE, text)}
    if not 0 < len(star_indices) <= MAX_NESTING:
        return None

    with suppress(NotationError):
        return _read_own_spelling(_with_starred_parts_in_brackets(text, star_indices))
    return None


def _with_starred_parts_in_brackets(text: str, star_indices: Collection[int]) -> str:
    """Return a text in which the part that each star repeats is in brackets.

    A star repeats all throws before it in the innermost bracket or juggler's side, with hands
    swapped: (4,4)*(6,6) becomes ((4,4)*^1)(6,6).

    Args:
        text: the siteswap.
        star_indices: indices of the stars in it.
    """
    # The text in pieces, one for each character, to which brackets are added. Piece 0 is empty, so
    # that a bracket can be put before the first character.
    pieces = [""]
    # For each open bracket or side, the innermost last, the index of the piece after which it
    # begins.
    beginnings = [0]
    for index, character in enumerate(text):
        if index in star_indices:
            pieces[beginnings[-1]] += "("
            pieces.append("*^1)")
        else:
            pieces.append(character)
        last_piece = len(pieces) - 1
        if character in "(<":
            beginnings.append(last_piece)
        # A | ends one juggler's side, and the next begins behind it.
        elif character == "|":
            beginnings[-1] = last_piece
        elif character in ")>" and len(beginnings) > 1:
            beginnings.pop()
    return "".join(pieces)


# A list may have a pattern many times, and its readers try a text in several ways.
@lru_cache(maxsize=8)
def _read_own_spelling(text: str) -> Pattern:
    """Read a siteswap in our own spelling; throws that are left open with a `?` are chosen.

    Args:
        text: the text with one digit or letter for each throw, perhaps with `?` for open ones.

    Raises:
        NotationError: the text breaks the grammar, its average is not whole, or props do not land
            where props are thrown; then it points at the throw.
    """
    tree = parse(text)
    if "?" in text:
        from juggle_anim.notation.siteswap.wildcard import completions

        text = next(completions(text))
        tree = parse(text)
    placement = place_throws(text, tree)
    check_average(text, placement)
    try:
        return _placed_pattern(text, tree, placement)
    except PatternError as error:
        # An error without a throw has no place in the text, so it is passed on unchanged.
        if error.throw is None:
            raise
        blamed = placement.throws[error.throw]
        raise NotationError(
            text, blamed.start, str(error), _accepted_landing(text, tree, placement, blamed)
        ) from error


def _placed_pattern(text: str, tree: Group, placement: Placement) -> Pattern:
    return Pattern(
        text,
        tuple(placed.throw for placed in placement.throws),
        period=placement.period,
        written_period=placement.written_period,
        jugglers=placement.jugglers,
        turns=placement.turns,
        mirrored=tree.swaps,
    )


def _accepted_landing(text: str, tree: Group, placement: Placement, blamed: PlacedThrow) -> str:
    """Return the advice of an error for a prop that lands where none is thrown.

    It is to name the hand of a throw, or to use even values in pairs, if one of these is likely to
    help, and otherwise the rule of all siteswaps.

    Args:
        text: the siteswap.
        tree: the syntax tree of the text.
        placement: all throws of one loop, with their beats and hands.
        blamed: the throw that lands where no prop is thrown.
    """
    if named := _throw_of_other_hand(text, tree, placement, blamed):
        return _("say which hand throws with a letter: write {throw}", throw=named)
    throws = [placed.throw for placed in placement.throws]
    # A pair of both hands takes two beats, or with a ! one beat. If all throws are on even beats, a
    # throw of odd value lands between them.
    pairs_only = "(" in text and "!" not in text and all(throw.beat % 2 == 0 for throw in throws)
    if pairs_only and any(throw.value % 2 for throw in throws):
        return _("pairs are thrown every two beats, so use even throws, such as (4,2)")
    return _("on every beat, each hand must catch as many props as it throws")


def _throw_of_other_hand(text: str, tree: Group, placement: Placement, blamed: PlacedThrow) -> str:
    """Return a throw that would make a pattern valid if a letter named its hand, such as `L1x`.

    Candidates are throws of one hand on the beat on which a prop lands in the wrong hand, such as
    the 1x of `(2,0)!01x`.

    Args:
        text: the siteswap.
        tree: the syntax tree of the text.
        placement: all throws of one loop, with their beats and hands.
        blamed: the throw that lands in the wrong hand.

    Returns:
        The throw with its letter, as it should be written; empty if there is no such throw, or if
        there are several jugglers.
    """
    if placement.jugglers > 1:
        return ""
    # Indices in the text of the throws on the beat on which the prop lands.
    landing_beat = (blamed.throw.beat + blamed.throw.value) % placement.period
    starts = {placed.start for placed in placement.throws if placed.throw.beat == landing_beat}
    for single in leaves_of(tree.items):
        if (
            not isinstance(single, Single)
            or single.hand is not None
            or single.throws[0].start not in starts
        ):
            continue

        # Try the text with the letter before the throw.
        start = _start_of_throw(text, single.throws[0].start)
        letter = HAND_LETTERS[blamed.throw.to_hand]
        repaired = f"{text[:start]}{letter}{text[start:]}"
        with suppress(NotationError, PatternError):
            repaired_tree = parse(repaired)
            _placed_pattern(repaired, repaired_tree, place_throws(repaired, repaired_tree))
            written = re.compile(_SINGLE).match(text, start)
            return letter + (written[0] if written else "")
    return ""


def _start_of_throw(text: str, value_index: int) -> int:
    """Return where a throw begins in a text: at its value, or at the bracket of a multiplex.

    Args:
        text: the siteswap.
        value_index: the index of the throw's value, the first of a multiplex.
    """
    before = text[:value_index].rstrip()
    return len(before) - 1 if before.endswith("[") else value_index


def check_average(text: str, placement: Placement) -> None:
    """Raise an error if the throws need a fractional number of props, or too many.

    By the average theorem of siteswaps, the mean of the values over all beats is the number of
    props.

    Args:
        text: the text, for errors.
        placement: all throws of one loop, with their beats and hands.

    Raises:
        NotationError: the average is not a whole number, or above the limit; the message has the
            average and the nearest possible totals.
    """
    # A repetition with swapped hands doubles both throws and beats, which does not change the
    # average. So only the written throws are counted, whose sum an error shows.
    values = [
        placed.throw.value
        for placed in placement.throws
        if placed.throw.beat < placement.written_period
    ]
    total = sum(values)
    beats = placement.written_period
    first = len(text) - len(text.lstrip())  # index of the first non-blank character
    if not beats:
        accepted = _("write throws after the hands, as in <R|L><3p|3p>")
        raise NotationError(text, first, _("no throws here"), accepted)
    if total % beats:
        lower = total - total % beats
        # The nearest multiples of the beats below and above; 0 would be no props, and is left out.
        nearest_totals = (
            _("{lower} or {lower2}", lower=lower, lower2=lower + beats) if lower else f"{beats}"
        )

        accepted = _(
            "over {beats} beats, make the throws add up to {near}, not {total}",
            beats=beats,
            near=nearest_totals,
            total=total,
        )
        reason = _(
            "average {fraction}. It must be a whole number: the number of props",
            fraction=mixed_number(Fraction(total, beats)),
        )
        raise NotationError(text, first, reason, accepted, length=len(text.strip()))
    if total // beats > MAX_PROPS:
        accepted = _("the limit is {max_props}", max_props=MAX_PROPS)
        reason = _("this needs {total} props", total=total // beats)
        raise NotationError(text, first, reason, accepted)


_FRACTIONAL_VALUE = re.compile(r"[0-9]\.[0-9]")
_PASSING_OR_OPEN = re.compile(r"[pP<?]")
_DIVISIONS = range(2, 13)  # parts of a beat; nobody counts in smaller ones
_MAX_TURNS = 60  # of hands in a loop; for more the times are not searched
_MAX_STRETCH = Fraction(9, 8)  # by which the loop may be longer or shorter than in the usual rhythm
_USUAL_INTERVAL = 2  # beats from throw to throw of a hand
_WHOSE_TURN_IT_IS = 2  # in place of the hand in which a throw lands


class Stroke(NamedTuple):
    """A moment at which one hand throws, or both do.

    Attributes:
        hands: hands whose turn it is, also if they throw nothing.
        throws: theirs, with values in parts of beats.
        usual_gap: parts of beats from the stroke before in the usual rhythm.
    """

    hands: tuple[int, ...]
    throws: tuple[Throw, ...]
    usual_gap: int = 0


class Rhythm(NamedTuple):
    """The strokes of a loop, their times, [parts of a beat] from the first, and its length."""

    strokes: tuple[Stroke, ...]
    times: tuple[int, ...]
    loop: int


def read_rhythm(text: str) -> Pattern | None:
    """Read a siteswap of one juggler whose throws may last fractions of beats, such as `5.3x`.

    The rhythm (the times at which hands throw) is found: each prop must land when the hand that
    catches it throws. If several rhythms fit, the one nearest to even beats counts. If hands take
    turns, a throw of fractional value goes to the hand whose turn it is when it lands. As in every
    siteswap each digit is a throw; only behind a point do all digits belong to one value. Of a
    polyrhythm, in which each hand repeats one throw, the text may be the beginning only.

    Args:
        text: the text as typed.

    Returns:
        The pattern; None if the text has no value such as 5.3, has passes or a ?, or if no rhythm
        fits it.
    """
    if _PASSING_OR_OPEN.search(text) or not _FRACTIONAL_VALUE.search(text):
        return None
    with suppress(NotationError, PatternError):
        tree = parse(text, fractions=True)
        # One placement for each choice of the first hand; all have the same number of turns, which
        # are the beats on which a hand throws or could throw.
        placements = [place_throws(text, reading) for reading in _with_named_hands(tree)]
        fractions = _fractional_throws(tree)
        # `place_throws` rounds values down, so it would leave out a throw of less than one beat as
        # a 0. Such throws cannot be read.
        too_short = any(throw.value < 1 for throw in fractions.values())
        if too_short or len(placements[0].turns) > _MAX_TURNS:
            return None
        # A polyrhythm is tried first, since it needs no search.
        pattern = _as_polyrhythm(text, placements, fractions)
        return pattern or _as_whole_loop(text, placements, fractions)
    return None


def _as_polyrhythm(
    text: str, placements: list[Placement], fractions: dict[int, WrittenThrow]
) -> Pattern | None:
    """Read a text as the start of a polyrhythm; None if it is none.

    In a polyrhythm each hand repeats one throw, at even intervals of its own. A value such as 5.3
    may stand for several fractions; of those that fit, the ones with the smallest denominator are
    taken.

    Args:
        text: the text as typed.
        placements: ways to give its throws hands, with values rounded down to whole beats.
        fractions: throws with parts of beats, by the index at which each is written.
    """
    for division, placement in product(_DIVISIONS, placements):
        rhythm = _polyrhythm(_strokes(placement, fractions, division), division)
        if rhythm:
            return _rhythm_pattern(text, rhythm, placement, division)
    return None


def _as_whole_loop(
    text: str, placements: list[Placement], fractions: dict[int, WrittenThrow]
) -> Pattern | None:
    """Return the pattern of a text with throws of parts of beats, which is taken as one loop.

    Hands throw on even beats at first. These times are then moved, to a rhythm in which every throw
    lands at a time at which its prop can be thrown again. The first placement that has one counts.

    Args:
        text: the text as typed; unlike in a polyrhythm, it has all throws of the loop.
        placements: ways to give its throws hands, with values rounded down to whole beats.
        fractions: throws with parts of beats, by the index at which each is written.

    Returns:
        The pattern; None if there is no rhythm for any placement, or if beats would have to be
        divided otherwise than `_DIVISIONS` allow.
    """
    division = _simplest_division(fractions)
    if division not in _DIVISIONS:
        return None
    # Imported only here, as few texts need this search.
    from juggle_anim.notation.prechac import SearchBudget

    # All placements share one budget of steps, which bounds the time that reading takes.
    budget = SearchBudget(MAX_RHYTHM_STEPS)
    for placement in placements:
        # Strokes are the moments at which hands throw, here on even beats; the rhythm has them at
        # the fitting times nearest to these.
        strokes = _strokes(placement, fractions, division)
        rhythm = _nearest_rhythm(strokes, placement.period * division, division, budget)
        if rhythm:
            return _rhythm_pattern(text, rhythm, placement, division)
    return None


def _with_named_hands(tree: Group) -> Iterator[Group]:
    """Yield a syntax tree as it is, and with either hand named for the first single throw.

    Throws of one hand alternate from the right hand on, but behind a pair of both hands it is not
    certain which hand throws next. If the text begins with a single throw, or has none, only the
    tree itself is yielded.
    """
    yield tree
    # Index of the first single throw; 0 also if there is none.
    first = next((index for index, item in enumerate(tree.items) if isinstance(item, Single)), 0)
    if first:
        for hand in (LEFT, RIGHT):
            yield tree._replace(items=(*tree.items[:first], Start(hand), *tree.items[first:]))


def _fractional_throws(tree: Group) -> dict[int, WrittenThrow]:
    """Return the throws with parts of beats, by the index at which each is written."""
    leaves = [leaf for leaf in leaves_of(tree.items) if not isinstance(leaf, Start)]
    hands = [leaf.throws if isinstance(leaf, Single) else leaf.left + leaf.right for leaf in leaves]
    return {throw.start: throw for throws in hands for throw in throws if throw.decimals}


def _simplest_division(fractional: dict[int, WrittenThrow]) -> int:
    """Return the fewest parts of a beat in which the simplest fractions are whole numbers."""
    from juggle_anim.notation.prechac import nearest_fraction

    fractions = {
        nearest_fraction(throw.value % 1, throw.decimals, 1) for throw in fractional.values()
    }
    return lcm(*(fraction.denominator for fraction in fractions))


def _strokes(
    placement: Placement, fractional: dict[int, WrittenThrow], division: int
) -> tuple[Stroke, ...]:
    """Return the strokes (moments at which hands throw) of a loop, as yet on evenly spaced beats.

    Args:
        placement: throws and turns on beats, in which each value is rounded down to whole beats. A
            turn is a beat on which a hand throws or could throw.
        fractional: throws with parts of beats, by the index at which each is written.
        division: parts of a beat.

    Returns:
        A stroke for each beat with a turn, in order, with values in parts of beats; empty if a
        value is not a whole number of parts.
    """
    from juggle_anim.notation.prechac import nearest_value

    # The hands take turns if no beat has turns of both. Turns are sorted by beat.
    hands_by_beat = grouped((beat, hand) for beat, _juggler, hand in placement.turns)
    hands_take_turns = all(len(hands) == 1 for hands in hands_by_beat.values())
    throws_by_beat: defaultdict[int, list[Throw]] = defaultdict(list)
    for throw, start in placement.throws:
        written_throw = fractional.get(start, WrittenThrow(Fraction(throw.value)))
        value = nearest_value(written_throw, division) * division
        if value.denominator > 1:
            return ()
        # If hands take turns, a throw of fractional value lands in the hand that throws then. This
        # is known only when strokes have times: `_WHOSE_TURN_IT_IS` stands for it.
        to_hand = throw.to_hand
        if hands_take_turns and value % division:
            to_hand = _WHOSE_TURN_IT_IS
        throws_by_beat[throw.beat].append(throw._replace(value=int(value), to_hand=to_hand))

    # The gap before the first stroke is its beat, 0.
    strokes = []
    previous_beat = 0
    for beat, hands in hands_by_beat.items():
        usual_gap = (beat - previous_beat) * division
        strokes.append(Stroke(tuple(hands), tuple(throws_by_beat[beat]), usual_gap))
        previous_beat = beat
    return tuple(strokes)


def _rhythm_pattern(text: str, rhythm: Rhythm, placement: Placement, division: int) -> Pattern:
    """Return the pattern whose strokes (moments at which hands throw) have the times of a rhythm.

    Args:
        text: the text as typed, for the pattern.
        rhythm: the rhythm with times in parts of beats.
        placement: the throws of the text on even beats, which tells whether the loop repeats the
            written throws with swapped hands.
        division: parts of a beat.
    """
    timed_strokes = list(zip(rhythm.strokes, rhythm.times, strict=True))
    # The hand whose turn it is, by time; used only for loops in which each stroke has one hand.
    hand_by_time = {time: stroke.hands[0] for stroke, time in timed_strokes}
    throws = []
    for stroke, time in timed_strokes:
        for throw in stroke.throws:
            to_hand = throw.to_hand
            # The throw goes to the hand whose turn it is when it lands.
            if to_hand == _WHOSE_TURN_IT_IS:
                to_hand = hand_by_time[(time + throw.value) % rhythm.loop]
            throws.append(throw._replace(beat=time, to_hand=to_hand))

    # If the period is longer than the written throws, the second half of the loop is the first with
    # swapped hands. A loop of an odd number of parts, which the search may find, has no halves.
    swaps = placement.period > placement.written_period and rhythm.loop % 2 == 0
    return Pattern(
        text,
        tuple(throws),
        period=rhythm.loop,
        written_period=rhythm.loop // 2 if swaps else rhythm.loop,
        division=division,
        turns=tuple((time, 0, hand) for stroke, time in timed_strokes for hand in stroke.hands),
    )


def _nearest_rhythm(
    strokes: tuple[Stroke, ...], usual_loop: int, division: int, budget: SearchBudget
) -> Rhythm | None:
    """Return times for the strokes of a loop such that each prop lands where a prop is thrown.

    A stroke is a moment at which hands throw. The loop may be longer or shorter than usual by a
    factor of up to `_MAX_STRETCH` if a throw of whole beats shows how long a beat is; without such
    a throw it must have the usual length.

    Args:
        strokes: the strokes in order, with values in parts of beats; for none the result is None.
        usual_loop: length of the loop with strokes on even beats, [parts of a beat].
        division: parts of a beat.
        budget: steps that all searches together may take.

    Returns:
        The rhythm nearest to the usual one; None if there is none.
    """
    values = [throw.value for stroke in strokes for throw in stroke.throws]
    has_beat = any(value % division == 0 for value in values)
    total = sum(values)
    # By the average theorem of siteswaps, loop = sum of values / number of props. So each number of
    # props that divides the sum gives a loop; those too far from the usual one are left out.
    fewest_props = ceil(total / (usual_loop * _MAX_STRETCH))
    most_props = int(total * _MAX_STRETCH / usual_loop)
    loops = [
        total // props
        for props in range(max(fewest_props, 1), most_props + 1)
        if total % props == 0
    ]
    for loop in sorted(loops, key=lambda loop: abs(loop - usual_loop)):
        # Every stroke needs a time of its own, so the loop must have at least as many parts.
        if len(strokes) <= loop and (has_beat or loop == usual_loop):
            times = _TimeSearch(strokes, loop, highest=max(values), budget=budget).times()
            if times is not None:
                return Rhythm(strokes, times, loop)
    return None


_Sites = Counter[tuple[int, int]]
"""How many props, by time and hand."""


@dataclass(frozen=True)
class _TimeSearch:
    """A depth-first search for the times of strokes.

    Args:
        strokes: the strokes of a loop.
        loop: length of the loop.
        highest: the value of the highest throw.
        budget: the budget of all searches together.
    """

    strokes: tuple[Stroke, ...]
    loop: int
    highest: int
    budget: SearchBudget

    def times(
        self, earlier: tuple[int, ...] = (), room: _Sites | None = None, due: _Sites | None = None
    ) -> tuple[int, ...] | None:
        """Return the times of all strokes, [parts of a beat], found by depth-first search.

        A stroke is a moment at which hands throw; props thrown in it must land in other strokes.
        The method calls itself for each further stroke. Its arguments are the state of the search;
        others call it without any. It returns None if there is no solution, or no budget left.

        Args:
            earlier: increasing times of the strokes that are placed, [parts of a beat].
            room: numbers of props, by time and hand, that must still land where placed strokes
                throw. They are thrown by later strokes, and land in the next repetition of the
                loop.
            due: numbers of props, by time and hand, that land after the last placed stroke in this
                repetition.
        """
        room = Counter() if room is None else room
        due = Counter() if due is None else due
        if len(earlier) == len(self.strokes):
            # Props that are still due would land where nothing is thrown. `room` needs no check,
            # since as many props land as are thrown.
            return None if due else earlier

        # Try each time of the next stroke, and go on from there.
        for time in self._candidates(earlier, due):
            self.budget.steps -= 1
            if self.budget.exhausted:
                return None
            room_and_due = self._with_stroke(self.strokes[len(earlier)], time, room, due)
            if room_and_due is None:
                continue
            new_room, new_due = room_and_due
            if _enough_strokes_left(new_due, self.strokes[len(earlier) + 1 :]):
                times = self.times((*earlier, time), new_room, new_due)
                if times is not None:
                    return times
        return None

    def _candidates(self, earlier: tuple[int, ...], due: _Sites) -> Sequence[int]:
        """Return the times at which the next stroke may come, nearest to the usual rhythm first.

        It must come later than the stroke before, no later than the next prop lands, and so early
        that each further stroke still has a time within the loop.

        Args:
            earlier: times of the strokes before, [parts of a beat]; the first stroke is at 0.
            due: number of props that land later, by time and hand.
        """
        if not earlier:
            return (0,)
        usual = earlier[-1] + self.strokes[len(earlier)].usual_gap
        latest = min([self.loop - len(self.strokes) + len(earlier), *(time for time, _hand in due)])
        return sorted(range(earlier[-1] + 1, latest + 1), key=lambda time: abs(time - usual))

    def _with_stroke(
        self, stroke: Stroke, time: int, room: _Sites, due: _Sites
    ) -> tuple[_Sites, _Sites] | None:
        """Return the counts of a search after a further stroke at a time.

        Args:
            stroke: the throws at that time.
            time: time of the stroke, [parts of a beat].
            room: numbers of props, by time and hand, that must still land in the next repetition.
            due: numbers of props, by time and hand, that land at this time or later.

        Returns:
            New `room` and `due`; None if more props land than the stroke throws, or too few.
        """
        room = room.copy()
        due = due.copy()

        # Each hand throws exactly the props that land in it at this time.
        for hand in (LEFT, RIGHT):
            thrown_count = sum(throw.hand == hand for throw in stroke.throws)
            # Props for this hand, and those for whichever hand has its turn.
            landing_count = due.pop((time, hand), 0)
            landing_count += due.pop((time, _WHOSE_TURN_IT_IS), 0) if hand in stroke.hands else 0
            # Throws of the previous repetition land before the time `highest`. From then on, all
            # props that a hand throws must come from this repetition.
            if landing_count > thrown_count or (
                time >= self.highest and landing_count < thrown_count
            ):
                return None
            # The other props come from the previous repetition: by symmetry, throws of this one
            # must land here in the next repetition.
            room[time, hand] = thrown_count - landing_count

        # The throws of this stroke land later in this repetition, or in the next one, in a stroke
        # that has a time already and must have room for them.
        for throw in stroke.throws:
            landing_time = (time + throw.value) % self.loop
            if landing_time > time:
                due[landing_time, throw.to_hand] += 1
                continue
            hands = (LEFT, RIGHT) if throw.to_hand == _WHOSE_TURN_IT_IS else (throw.to_hand,)
            hands_with_room = [hand for hand in hands if room[landing_time, hand]]
            if not hands_with_room:
                return None
            room[landing_time, hands_with_room[0]] -= 1
        return room, due


def _enough_strokes_left(due: _Sites, later: Sequence[Stroke]) -> bool:
    """Return whether each hand has a stroke left for every time at which props land in it.

    Args:
        due: number of props that land later, by time and hand.
        later: the strokes that have no time yet.
    """
    # Each key of `due` is one time at which props land in a hand. Props for whichever hand has its
    # turn (`_WHOSE_TURN_IT_IS`) count for neither hand.
    for hand in (LEFT, RIGHT):
        landing_times = [time for time, landing_hand in due if landing_hand == hand]
        hand_strokes = [
            stroke for stroke in later if any(throw.hand == hand for throw in stroke.throws)
        ]
        if len(landing_times) > len(hand_strokes):
            return False
    return True


def _polyrhythm(strokes: tuple[Stroke, ...], division: int) -> Rhythm | None:
    """Return the polyrhythm of two hands that each repeat one throw to themselves.

    Both hands throw together at first, and then each at its own constant interval, which is the
    value of its throw divided by its number of props. Of the intervals with which the hands throw
    in the given order, those nearest to the usual ones are chosen.

    Args:
        strokes: moments at which hands throw, with values in parts of beats: the start of the loop,
            in which each hand throws at least twice.
        division: number of parts of a beat.

    Returns:
        The whole loop; None if the strokes do not form a polyrhythm.
    """
    left_throw = _repeated_throw(strokes, LEFT)
    right_throw = _repeated_throw(strokes, RIGHT)
    if left_throw is None or right_throw is None:
        return None
    throw_by_hand = {LEFT: left_throw, RIGHT: right_throw}

    # All pairs of intervals of the two hands, [parts of a beat].
    usual_interval = _USUAL_INTERVAL * division
    interval_pairs = product(
        _candidate_intervals(left_throw.value, usual_interval),
        _candidate_intervals(right_throw.value, usual_interval),
    )
    for left_interval, right_interval in sorted(
        interval_pairs, key=lambda pair: sum(abs(interval - usual_interval) for interval in pair)
    ):
        # The loop lasts until both hands throw together again.
        loop = lcm(left_interval, right_interval)
        times_by_hand = {
            LEFT: range(0, loop, left_interval),
            RIGHT: range(0, loop, right_interval),
        }
        times = sorted({*times_by_hand[LEFT], *times_by_hand[RIGHT]})
        hands_of_strokes = [
            tuple(hand for hand, hand_times in times_by_hand.items() if time in hand_times)
            for time in times
        ]
        # The first pair of intervals with which the hands throw in the given order is chosen.
        if [stroke.hands for stroke in strokes] == hands_of_strokes[: len(strokes)]:
            loop_strokes = (
                Stroke(hands, tuple(throw_by_hand[hand] for hand in hands))
                for hands in hands_of_strokes
            )
            return Rhythm(tuple(loop_strokes), tuple(times), loop)
    return None


def _repeated_throw(strokes: tuple[Stroke, ...], hand: int) -> Throw | None:
    """Return the throw that a hand makes to itself in each of its turns; None if it makes others.

    Args:
        strokes: the start of a loop, in which the hand must have at least two turns.
        hand: 0 left, 1 right.
    """
    turn_count = sum(hand in stroke.hands for stroke in strokes)
    throws = [throw for stroke in strokes for throw in stroke.throws if throw.hand == hand]
    # As many throws as turns: the hand is never empty.
    if turn_count < 2 or turn_count != len(throws):
        return None
    first = throws[0]
    repeats = all(throw.to_hand == hand and throw.value == first.value for throw in throws)
    return first if repeats else None


def _candidate_intervals(value: int, usual: int) -> list[int]:
    """Return possible intervals between the throws of a hand that repeats one throw to itself.

    With n props a hand throws every value / n. There are up to two results, [parts of a beat]: for
    the numbers of props with which the interval is just above and just below the usual one, if it
    is a whole number.

    Args:
        value: the value of the throw, [parts of a beat].
        usual: the usual interval, [parts of a beat].
    """
    prop_counts = (max(value // usual, 1), value // usual + 1)
    return [value // props for props in prop_counts if value % props == 0]
