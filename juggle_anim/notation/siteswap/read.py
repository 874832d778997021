"""Reading siteswaps: from text to pattern, with the average theorem that gives the number of
props.
"""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import product

from juggle_anim.errors import NotationError, PatternError
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_NESTING, MAX_PROPS
from juggle_anim.notation.numbers import mixed_number
from juggle_anim.notation.prechac import is_prechac, may_be_prechac, read_prechac
from juggle_anim.notation.prechac.respelling import respellings
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.rhythm import read_rhythm
from juggle_anim.notation.siteswap.syntax import (
    ANGLE_BRACKETS,
    HAND_LETTERS,
    Group,
    PlacedThrow,
    Placement,
    Single,
    leaves_of,
    place_throws,
    reads_without_end_mark,
)
from juggle_anim.notation.siteswap.wildcard import completions
from juggle_anim.pattern import Pattern

# In parts behind one another, <4xp|3><3|4xp>, an x before the p is Juggling Lab's, who has no other
# first hands.
_CROSSING_PASS = re.compile(r"p\d*[x×]|\A[^<]*<[^<]*[x×]p[^<]*\Z", re.IGNORECASE)
_HANDS_AT_START = re.compile(r"\s*<\s*[RL]\s*\|")
_DIGITS_AND_LETTERS = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[0-9A-Za-z\[\]\s]+", re.ASCII | re.DOTALL)
_CERTAIN_FLAG = re.compile(r"[LR]\s*\d|\wx")
_STAR_IN_THE_MIDDLE = re.compile(r"\*(?=\s*[^\s|>^)])")
_LIST_OF_VALUES = re.compile(r"\s*\d{1,4}(\s*,\s*\d{1,4})+\s*", re.ASCII)
_SINGLE = re.compile(r"\[[^\]]*\]|(?:\{[0-9]+\}|\S)[xX×]?")
_MAX_STARTS = 4
"""Of more jugglers, all combinations of first hands are too many to try."""

_MOST_TRIED = 8_000
"""Characters of all texts that are tried with other first hands, [characters]."""

_LISTED = 12
"""More throws than these are not listed one by one."""


@reads_without_end_mark
def read_siteswap(text: str) -> Pattern:
    """Read a siteswap. The grammar is in docs/siteswap.md, and in docs/prechac.md for passing.

    Args:
        text: for example `531`, `(6x,4)*`, `[34]23` or `<3p 3|3p 3>`; spaces between tokens mean
            nothing. Where throws are left open with a `?`, it is the nearest of the `completions`,
            and the text of the pattern is that. Texts that only prechac notation has, such as
            `3.5p` or `4p 2 3`, are read as that. A full stop or comma may end it, which the text of
            the pattern leaves out.

    Raises:
        NotationError: the text is no siteswap, or not a valid one.
    """
    text = text.translate(ANGLE_BRACKETS)
    error: NotationError | None = None
    for spelled in respellings(text):
        try:
            return _read_as_spelled(spelled.text)
        except NotationError as failure:
            if spelled.explains:
                error = spelled.in_original(failure, text)
    assert error is not None, "the first spelling explains"
    raise error


def _read_as_spelled(text: str) -> Pattern:
    """Read a siteswap, or else passes as others write them, letters and numbers as values, or
    prechac notation.
    """
    if is_prechac(text):
        return read_rhythm(text) or read_prechac(text)
    try:
        return _read(text)
    except NotationError as error:
        for read in (
            _read_crossing_passes,
            _read_letters_as_values,
            _read_list_of_values,
            _read_stars_in_turn,
        ):
            if pattern := read(text):
                return pattern
        if not may_be_prechac(text):
            raise
        try:
            return read_prechac(text)
        except NotationError as other:
            # Sides are written alike in both, so the more common reading explains what is wrong.
            raise (error if "<" in text else other) from None


def _read_crossing_passes(text: str) -> Pattern | None:
    """Read passes that cross, 3px or 3xp, with the first hands that they need: <4px 3|3 4px> is
    <R|L><4px 3|3 4px>.

    An odd number of beats is written twice, since first hands are those of each repetition.
    """
    sides = text.partition(">")[0].count("|") + 1
    if not _CROSSING_PASS.search(text) or _HANDS_AT_START.match(text):
        return None
    if sides > _MAX_STARTS or len(text) * 2**sides > _MOST_TRIED:
        return None
    with suppress(NotationError):
        parse(text)  # no first hands mend what breaks the grammar
        return _with_first_hands(text.strip(), sides)
    return None


def _with_first_hands(text: str, sides: int) -> Pattern | None:
    for others in product("LR", repeat=sides - 1):
        for written in (text, f"({text}^2)"):
            with suppress(NotationError):
                pattern = _read(f"<{'|'.join(('R', *others))}>{written}")
                if pattern.written_period // pattern.division % 2 == 0:
                    return pattern
    return None


def _read_letters_as_values(text: str) -> Pattern | None:
    """Read letters that are no valid flags as values, whether large or small: 66666B55555 is
    66666b55555.
    """
    if not _DIGITS_AND_LETTERS.fullmatch(text) or _CERTAIN_FLAG.search(text):
        return None
    # Several letters between spaces are a word, and may be a name.
    if any(len(part) > 1 and part.isalpha() for part in text.split()):
        return None
    # A small x would be a flag again.
    plain = "".join("{33}" if letter in "xX" else letter.lower() for letter in text)
    with suppress(NotationError):
        parse(text)  # what has flags in a wrong order is mended rather than read otherwise
        return _read(plain)
    return None


def _read_list_of_values(text: str) -> Pattern | None:
    """Read values between commas: 12,3,0 is {12}30."""
    if not _LIST_OF_VALUES.fullmatch(text):
        return None
    values = [value.strip() for value in text.strip().split(",")]
    with suppress(NotationError):
        return _read("".join(value if len(value) == 1 else f"{{{value}}}" for value in values))
    return None


def _read_stars_in_turn(text: str) -> Pattern | None:
    """Read stars that other throws or stars follow, as in JuggleMaster Pro; each repeats all before
    it.

    So (4,4)*(6,6) is ((4,4)*^1)(6,6).
    """
    stars = {match.start() for match in _STAR_IN_THE_MIDDLE.finditer(text)}
    if not 0 < len(stars) <= MAX_NESTING:
        return None
    begins = [0]  # indices in `written` after which what is in the present brackets begins
    written = [""]
    for index, character in enumerate(text):
        if index in stars:
            written[begins[-1]] += "("
        written.append("*^1)" if index in stars else character)
        if character in "(<":
            begins.append(len(written) - 1)
        elif character == "|":
            begins[-1] = len(written) - 1
        elif character in ")>" and len(begins) > 1:
            begins.pop()
    with suppress(NotationError):
        return _read("".join(written))
    return None


# A list may have a pattern many times, and its readers try a text in several ways.
@lru_cache(maxsize=8)
def _read(text: str) -> Pattern:
    tree = parse(text)
    if "?" in text:
        text = next(completions(text))
        tree = parse(text)
    placement = place_throws(text, tree)
    check_average(text, placement)
    try:
        return _pattern(text, tree, placement)
    except PatternError as error:
        if error.throw is None:
            raise
        blamed = placement.throws[error.throw]
        raise NotationError(
            text, blamed.start, str(error), _accepted(text, tree, placement, blamed)
        ) from error


def _pattern(text: str, tree: Group, placement: Placement) -> Pattern:
    return Pattern(
        text,
        tuple(placed.throw for placed in placement.throws),
        placement.period,
        placement.written_period,
        placement.jugglers,
        turns=placement.turns,
        mirrored=tree.swaps,
    )


def _accepted(text: str, tree: Group, placement: Placement, blamed: PlacedThrow) -> str:
    if named := _throw_of_other_hand(text, tree, placement, blamed):
        return _("a letter says which hand throws: write {throw}", throw=named)
    throws = [placed.throw for placed in placement.throws]
    pairs_only = "(" in text and "!" not in text and all(throw.beat % 2 == 0 for throw in throws)
    if pairs_only and any(throw.value % 2 for throw in throws):
        return _("pairs are thrown every two beats, so their throws are even, such as (4,2)")
    return _("each hand must catch, on every beat, as many props as it throws then")


def _throw_of_other_hand(text: str, tree: Group, placement: Placement, blamed: PlacedThrow) -> str:
    """The single throw on the beat when a prop lands in the wrong hand, with the letter that makes
    all of it valid.

    Empty where there is none, as in `L1x` for `(2,0)!01x`.
    """
    lands = (blamed.throw.beat + blamed.throw.value) % placement.period
    starts = {placed.start for placed in placement.throws if placed.throw.beat == lands}
    for single in leaves_of(tree.items) if placement.jugglers == 1 else ():
        if (
            not isinstance(single, Single)
            or single.hand is not None
            or single.throws[0].start not in starts
        ):
            continue
        value = single.throws[0].start
        bracket = len(text[:value].rstrip()) - 1
        start = bracket if text[bracket] == "[" and bracket >= 0 else value
        letter = HAND_LETTERS[blamed.throw.to_hand]
        mended = f"{text[:start]}{letter}{text[start:]}"
        with suppress(NotationError, PatternError):
            mended_tree = parse(mended)
            _pattern(mended, mended_tree, place_throws(mended, mended_tree))
            return letter + "".join(_SINGLE.findall(text, start)[:1])
    return ""


def check_average(text: str, placement: Placement) -> None:
    """Refuse throws that need a fractional number of props, or too many.

    Raises:
        NotationError: with the average, and with totals that would do.
    """
    # The swapped repetition doubles throws and beats alike, so one repetition is enough.
    values = [
        placed.throw.value
        for placed in placement.throws
        if placed.throw.beat < placement.written_period
    ]
    total = sum(values)
    beats = placement.written_period
    first = len(text) - len(text.lstrip())
    if not beats:
        raise NotationError(
            text,
            first,
            _("there are no throws here"),
            _("write throws after the hands, as in <R|L><3p|3p>"),
        )
    if total % beats:
        lower = total - total % beats
        near = _("{lower} or {lower2}", lower=lower, lower2=lower + beats) if lower else f"{beats}"
        accepted = _(
            "it must be whole: over {beats} beats the throws may add up to {near}, but not to "
            "{total}",
            beats=beats,
            near=near,
            total=total,
        )
        raise NotationError(text, first, _reason(values, total, placement), accepted)
    if total // beats > MAX_PROPS:
        raise NotationError(
            text,
            first,
            _("this takes {total} props", total=total // beats),
            _("at most {max_props} are allowed", max_props=MAX_PROPS),
        )


def _reason(values: list[int], total: int, placement: Placement) -> str:
    beats = placement.written_period
    average = _(
        "average {fraction}, and the average is the number of props",
        fraction=mixed_number(Fraction(total, beats)),
    )
    if placement.jugglers == 1 < len(values) == beats <= _LISTED:
        return _("the throws {str} {average}", str=", ".join(map(str, values)), average=average)
    return _(
        "the throws add up to {total} over {beats} beats: on {average}",
        total=total,
        beats=beats,
        average=average,
    )
