"""Respelling: passing patterns as lists and books of passers spell them, in the spelling that the
readers know.

Which texts are, or may be, prechac notation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_JUGGLERS, MAX_LENGTH, NUMBER_WORDS, whole_number

DELAYS = re.compile(r"\s*\{([0-9.,\s]*)\}\s*(?=<)")
"""The delays of jugglers before what they throw."""

NUMBER_OF_JUGGLERS = re.compile(
    rf"(?<!\s)\s*\bfor\s+([0-9]+|{'|'.join(NUMBER_WORDS)})"
    r"(?:\s+(?:jugglers?|passers?|people|persons?))?\s*\Z",
    re.IGNORECASE,
)
"""Number of jugglers, at the end of a pattern, in digits or as a word."""


class Respelling(NamedTuple):
    """A text in another spelling.

    Args:
        text: text in the new spelling.
        original_indices: for each of its characters, and for its end, the index in the text as it
            was typed.
        error_is_shown: whether its error is shown where no spelling is valid, rather than that of
            the one before; not if the spelling is a guess.
    """

    text: str
    original_indices: tuple[int, ...]
    error_is_shown: bool = True

    def replaced(self, pattern: str, replacement: Callable[[re.Match[str]], str]) -> Respelling:
        """Replace each match of a pattern, and update the original index of each character.

        Args:
            pattern: matches the text to replace.
            replacement: returns the new text of a match. Its characters get the original indices of
                those of the match, aligned at the end; additional ones in front get the index of
                the first character of the match.
        """
        text: list[str] = []
        original_indices: list[int] = []
        # Index behind the last match, up to which the text is copied.
        end = 0
        for match in re.finditer(pattern, self.text):
            new_text = replacement(match)
            text += [self.text[end : match.start()], new_text]
            original_indices += self.original_indices[end : match.start()]
            added = len(new_text) - len(match[0])
            original_indices += [
                self.original_indices[match.start() + max(0, index - added)]
                for index in range(len(new_text))
            ]
            end = match.end()
        text.append(self.text[end:])
        original_indices += self.original_indices[end:]
        return Respelling("".join(text), tuple(original_indices))

    def in_original(self, error: NotationError, original: str) -> NotationError:
        """Convert an error in this spelling to one at the same place of the text as typed."""
        if self.text == original:
            return error
        # An index may lie behind the end.
        index = self.original_indices[min(error.index, len(self.text))]
        return NotationError(original, index, error.reason, error.accepted)


def is_prechac(text: str) -> bool:
    """Return whether a text can only be prechac.

    It has delays, or passes together with fractions or with spaces outside < >.
    """
    if DELAYS.match(text):
        return True
    if not _PASS.search(text):
        return False
    return re.search(_FRACTION, text) is not None or (
        "<" not in text and re.search(_SPACE, text.strip()) is not None
    )


def may_be_prechac(text: str) -> bool:
    """Return whether a text that is not a siteswap may be prechac notation: it has passes, as 4p.

    Sides in < > may be a passing siteswap, unless they have a `*`, begin with a pair or have
    crossing passes.
    """
    if "<" not in text:
        return _PASS.search(text) is not None
    return any(re.search(sign, text) for sign in (_STARRED_SIDE, _PAIRED_SIDE, _CROSSING_PASS))


def number_of_jugglers(ending: re.Match[str]) -> int:
    """Return the number in a match of `NUMBER_OF_JUGGLERS`; 0 if it is above MAX_JUGGLERS."""
    written = ending[1].lower()
    if written in NUMBER_WORDS:
        return NUMBER_WORDS.index(written)
    return whole_number(written, MAX_JUGGLERS) or 0


def respellings(text: str) -> Iterator[Respelling]:
    """Yield possible spellings of a text in our notation, the likeliest first.

    The first has < > around the sides of jugglers (what each throws), if there are several; the
    others change how throws are spelled. The caller tries a spelling only if none before it is a
    valid pattern.
    """
    spelled = with_sides(text)
    yield spelled
    # A text that is too long is refused by its reader.
    if len(text) > MAX_LENGTH:
        return
    if "<" in spelled.text:
        yield from _with_sides_respelled(spelled)
        return
    yield from _in_steps(spelled, (_with_pairs, _without_commas_in_line))
    # A comma may also separate two sides. Errors within these are not shown, as this is a guess.
    between_commas = _between_comma(spelled)
    if between_commas.text != spelled.text:
        yield between_commas
        yield from (
            sides._replace(error_is_shown=False) for sides in _with_sides_respelled(between_commas)
        )


def _with_sides_respelled(spelled: Respelling) -> Iterator[Respelling]:
    """Yield other spellings of a text with sides in < >, the likeliest first."""
    # Changes that cannot alter the meaning come first. From there on digits behind a p are tried as
    # throws, or in a separate branch as receivers of one digit.
    before_receivers = spelled
    for respelled in _in_steps(spelled, (_with_pairs, _without_commas, _with_numbers)):
        yield respelled
        before_receivers = respelled
    yield from _in_steps(before_receivers, (_without_missing_receivers, _with_throws_apart))
    yield from _in_steps(before_receivers, (_with_receivers_of_one_digit,))


def _in_steps(
    spelled: Respelling, steps: Iterable[Callable[[Respelling], Respelling]]
) -> Iterator[Respelling]:
    """Yield a text as it becomes by steps one after the other, each time that it changes.

    The iteration ends before a text longer than `MAX_LENGTH`.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed.
        steps: each returns another spelling, which may be the same.
    """
    for step in steps:
        changed = step(spelled)
        if len(changed.text) > MAX_LENGTH:
            return
        if changed.text != spelled.text:
            spelled = changed
            yield spelled


def with_sides(text: str) -> Respelling:
    """Return a text with < > around the sides of jugglers, which bars, `vs` or labels separate.

    `4p 3 | 3 4p`, `4p 3 vs 3 4p` and the two lines `A: 4p 3` and `B: 3 4p` become `<4p 3|3 4p>`.
    A text without sides or passes, or with < > already, stays unchanged.
    """
    original_indices = tuple(range(len(text) + 1))
    if "<" in text or len(f"<{text}>") > MAX_LENGTH or not _PASS.search(text):
        return Respelling(text, original_indices)
    ending = NUMBER_OF_JUGGLERS.search(text)
    end = ending.start() if ending else len(text)
    sides = _labelled(text, end) or _between_bars(text, end)
    if len(sides) < 2:
        return Respelling(text, original_indices)
    joined = "|".join(text[start:stop] for start, stop in sides)
    # Each new character gets the original index of an old one, where errors in it point: the < that
    # of the first character of the first side.
    first_start, _first_stop = sides[0]
    side_indices = [first_start]
    for start, stop in sides:
        # The | or > behind a side gets the index of the character behind the side, hence stop + 1.
        side_indices += range(start, stop + 1)
    return Respelling(f"<{joined}>{text[end:]}", (*side_indices, *original_indices[end:]))


def labelled_lines(lines: Iterable[str]) -> list[str]:
    """Return the first lines if they are labelled with jugglers, as in `A: 3p 3` and `B: 3p 3`.

    Args:
        lines: the lines of a file, in order.

    Returns:
        The lines of two or more jugglers in order, with empty lines between them; empty if the
        lines do not begin with such a block, or nobody passes in it.
    """
    block: list[str] = []
    # Length of the block up to the last juggler's line.
    end = 0
    jugglers = 0
    for line in lines:
        label = re.match(_LABEL, line)
        # Labels must count up: A, B, C or 1, 2, 3.
        has_next_label = label is not None and _ordinal(label[1]) == jugglers
        if has_next_label and jugglers < MAX_JUGGLERS:
            jugglers += 1
            end = len(block) + 1
        elif not block or line.strip():
            # Between labelled lines only empty ones may stand.
            break
        block.append(line)
    return block[:end] if jugglers > 1 and any(map(_PASS.search, block)) else []


def has_labelled_sides(text: str) -> bool:
    """Return whether a text has sides behind letters or numbers, as `A: 3p 3; B: 3p 3`."""
    return (
        "<" not in text and _PASS.search(text) is not None and len(_labelled(text, len(text))) > 1
    )


def names_receivers(text: str) -> bool:
    """Return whether passes have letters that may be those of their receivers, as 3pB has."""
    return re.search(_RECEIVER_LETTER, text) is not None


def _labelled(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans of throws after labels such as `A:` and `B:`, or `1:` and `2:`, in order.

    Args:
        text: the whole text.
        end: index of the number of jugglers, or the length of the text.

    Returns:
        Start and end index of each juggler's throws; empty if the labels do not count up from the
        first juggler, or if there is text before them.
    """
    labels = list(re.compile(_LABELS).finditer(text, 0, end))
    if len(labels) < 2:
        # Labels without a colon may also be throws, so they count only if every line has one.
        labels = list(re.compile(_LINE_LABELS).finditer(text, 0, end))
        if len(labels) != sum(bool(line.strip()) for line in text[:end].splitlines()):
            return []
    jugglers = [_ordinal(label[1] or label[2]) for label in labels]
    if not labels or text[: labels[0].start()].strip() or jugglers != list(range(len(labels))):
        return []
    ends = [*(label.start() for label in labels[1:]), end]
    return [_trimmed(text, label.end(), stop) for label, stop in zip(labels, ends, strict=True)]


def _between_bars(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans (start, end) of the throws between bars or `vs`; one if there are none."""
    bars = list(re.compile(_BAR).finditer(text, 0, end))
    starts = [0, *(bar.end() for bar in bars)]
    ends = [*(bar.start() for bar in bars), end]
    return [_trimmed(text, start, stop) for start, stop in zip(starts, ends, strict=True)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Shrink a span by blanks around it, and by the full stop or comma that ends a sentence."""
    side = text[start:end]
    first = start + len(side) - len(side.lstrip())
    return first, max(first, start + len(side.rstrip(_PUNCTUATION)))


def _ordinal(label: str) -> int:
    """Return the number of a juggler, from 0, by a letter or a number: A and 1 are the first."""
    return int(label) - 1 if label.isdigit() else ord(label.upper()) - ord("A")


def _with_pairs(spelled: Respelling) -> Respelling:
    """Return a text with commas in pairs that have a space instead: (4 2x) is (4,2x)."""
    return spelled.replaced(_SPACED_PAIR, lambda match: f"({match[1]},{match[2]})")


def _without_commas(spelled: Respelling) -> Respelling:
    """Return a text with spaces for commas between throws; commas in brackets stay.

    For example `<3p,3|3p,3>` becomes `<3p 3|3p 3>`.
    """
    return spelled.replaced(_COMMA, lambda match: " " if match[0] == "," else match[0])


def _without_commas_in_line(spelled: Respelling) -> Respelling:
    """Return a text with spaces for the commas between all throws of one line: 3p,3,3 is 3p 3 3.

    The text is returned unchanged if there is no pass, or if throws stand together, as in 3p3,3p3,
    where the comma rather separates the sides of two jugglers.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed.
    """
    in_commas = re.fullmatch(_IN_COMMAS, _before_number(spelled.text))
    if (
        not in_commas
        or re.search(_THROWS_TOGETHER, in_commas[0])
        or not _MARKED_PASS.search(in_commas[0])
    ):
        return spelled
    # The comma may still separate sides, so errors of this guess are not shown.
    return _without_commas(spelled)._replace(error_is_shown=False)


def _between_comma(spelled: Respelling) -> Respelling:
    """Return a text with < > around two sides that a comma separates: 3p33,3p33 is <3p33|3p33>.

    Any other text is returned unchanged: both sides must have passes and no brackets, and the text
    must not state another number of jugglers than two, which is dropped.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has no < >.
    """
    ending = NUMBER_OF_JUGGLERS.search(spelled.text)
    throws = _before_number(spelled.text)
    sides = throws.split(",")
    if ending and number_of_jugglers(ending) != len(sides):
        return spelled
    if len(sides) != 2 or not all(map(_MARKED_PASS.search, sides)) or re.search(_BRACKET, throws):
        return spelled
    # Each new character gets the original index of an old one: the < that of the first character,
    # the > and the end that of the character behind the throws.
    end = len(throws)
    original_indices = (
        spelled.original_indices[0],
        *spelled.original_indices[: end + 1],
        spelled.original_indices[end],
    )
    return Respelling(f"<{sides[0]}|{sides[1]}>", original_indices, error_is_shown=False)


def _before_number(text: str) -> str:
    """Return a text without the number of jugglers at its end."""
    ending = NUMBER_OF_JUGGLERS.search(text)
    return text[: ending.start()] if ending else text


def _with_numbers(spelled: Respelling) -> Respelling:
    """Return a text with numbers for the letters of receivers: <3pB 3|3pA 3> is <3p2 3|3p1 3>.

    If any letter is beyond the last juggler, letters do not name receivers, and the text is
    returned unchanged.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has < >.
    """
    letters = [_ordinal(match[2]) for match in re.finditer(_RECEIVER_LETTER, spelled.text)]
    if not letters or max(letters) >= _jugglers(spelled.text):
        return spelled

    def numbered(match: re.Match[str]) -> str:
        """Return a receiver with a number in place of its letter."""
        # An x before the letter comes after the number; a space separates what follows.
        crossing, letter, next_character = match.groups()
        space = " " if next_character else ""
        return f"p{_ordinal(letter) + 1}{crossing}{space}"

    return spelled.replaced(_RECEIVER_LETTER, numbered)


def _without_missing_receivers(spelled: Respelling) -> Respelling:
    """Return a text in which p is apart from digits that are no juggler: 3p33 for two is 3p 3 3.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed.
    """
    jugglers = _jugglers(spelled.text)

    def separated(match: re.Match[str]) -> str:
        """Return a p and its digits, apart if these are no juggler's number."""
        if 1 <= int(match[1][:_MAX_RECEIVER_DIGITS]) <= jugglers:
            return match[0]
        # The p (or P), and each digit as a throw of its own.
        return " ".join((match[0][0], *match[1]))

    apart = spelled.replaced(_RECEIVER, separated)
    # In a side with spaces a number behind a p was meant as a receiver, so the error about that is
    # shown. The error of this spelling is shown only if no side has spaces.
    return apart._replace(error_is_shown=len(re.findall(_COMPACT_SIDE, spelled.text)) == jugglers)


def _with_throws_apart(spelled: Respelling) -> Respelling:
    """Return a text in which the digits in < > are apart: <4px3|3p4> becomes <4px 3|3p 4>.

    In a side with spaces, a number behind a p stays the number of a receiver.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has < >.
    """
    # Indices of all characters in sides without spaces.
    compact_indices = {
        index for side in re.finditer(_COMPACT_SIDE, spelled.text) for index in range(*side.span())
    }

    def separated(match: re.Match[str]) -> str:
        """Return a p and its digits, or a throw, with spaces inserted before throws."""
        pass_letter, receiver_digits, throw = match.groups()
        if pass_letter and match.start() in compact_indices:
            return " ".join((pass_letter, *receiver_digits))
        # A throw right behind anything else gets a space; any other number stays as it is.
        return f" {throw}" if throw else match[0]

    return spelled.replaced(_DIGITS, separated)


def _with_receivers_of_one_digit(spelled: Respelling) -> Respelling:
    """Return a text in which only one digit behind a p is its receiver: 3p23 becomes 3p2 3.

    A digit that is not the number of a juggler is a throw, like further digits.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has < >.
    """
    jugglers = _jugglers(spelled.text)

    def separated_side(side: re.Match[str]) -> str:
        """Return a side without spaces, with spaces inserted before throws."""
        return re.sub(_DIGITS, separated, side[0])

    def separated(match: re.Match[str]) -> str:
        """Return a p and its digits, or a throw, with spaces inserted before throws."""
        pass_letter, receiver_digits, throw = match.groups()
        if not pass_letter:
            return f" {throw}" if throw else match[0]
        # The first digit is the receiver, if there is such a juggler; the others are throws.
        first_digit = receiver_digits[0]
        space = "" if 1 <= int(first_digit) <= jugglers else " "
        return " ".join((pass_letter + space + first_digit, *receiver_digits[1:]))

    apart = spelled.replaced(_COMPACT_SIDE, separated_side)
    return apart._replace(error_is_shown=False)


def _jugglers(text: str) -> int:
    """Return the number of jugglers in the first < > of a text."""
    # A last side such as ^3 repeats the sides before it.
    sides = text.partition("<")[2].partition(">")[0].split("|")
    times = re.fullmatch(_TIMES, sides[-1])
    return (len(sides) - 1) * int(times[1]) if times else len(sides)


_PASS = re.compile(r"[0-9}xX×?]p|[0-9}x×]P|[0-9]\.[0-9]")
_PUNCTUATION = " \t\r\n.,;"
_MAX_RECEIVER_DIGITS = 6  # of the number of a receiver; a longer one cannot be valid either

# Patterns that few texts need are compiled by `re` when they are first used.
_FRACTION = r"[0-9]\.[0-9]"
_SPACE = r"\s"
_STARRED_SIDE = r"\*\s*[|>]"
_PAIRED_SIDE = r"^\s*<\s*\("
_CROSSING_PASS = r"(?i)p[0-9]*[xX×]"
_BAR = r"(?i)\||\s(?:vs\.?|versus)\s"
_NAME = r"(?:(?:juggler|passer|person)\s+)?([A-Z]|[0-9]{1,3})\s*:"
_LABEL = rf"(?i)\s*{_NAME}"
_LABELS = rf"(?i)(?:^|(?<![\s|;])[\s|;]+){_NAME}()"
_LINE_LABELS = r"(?m)^[^\S\n]*(?:([A-Z])[:.)]?[^\S\n]|([A-Za-z]|[0-9]{1,3})[:)])"

_THROW = r"\[[^\[\](),]*\]|(?:[0-9](?:\.[0-9]+)?|[a-z?]|\{[0-9]+\})(?:[xX×BFHTLb]|[pP][0-9]*)*"
_SPACED_PAIR = rf"\(\s*({_THROW})\s+({_THROW})\s*\)"
_COMMA = r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|,"
_IN_COMMAS = rf"\s*(?:[RL]\s*)?(?:{_THROW})(?:\s*,\s*(?:{_THROW}))+\s*"
_THROWS_TOGETHER = r"(?<![.0-9{])[0-9]{2}|[pP][0-9]"  # digits that may be throws of their own
_MARKED_PASS = re.compile(r"[0-9}xX×]p|[0-9}x×]P")
_BRACKET = r"[()\[\]<>{}|]"

# An X would be a crossing pass.
_RECEIVER_LETTER = r"(?<=[0-9}xX×])[pP]([x×]?)([A-WYZ])(?![A-Za-z])(?=(\S?))"
_RECEIVER = r"[pP]([0-9]+)"
_COMPACT_SIDE = r"(?<=[<|])\s*[^\s<>|]+\s*(?=[|>])"

# Digits of a receiver, of a throw with something before it, or of any other item.
_DIGITS = (
    r"([pP])([0-9]+)|(?<=[^\s<|(\[,])([0-9](?:\.[0-9]+)?)"
    r"|\{[0-9.]*\}|\^\s*[0-9]+|[0-9](?:\.[0-9]+)?"
)
_TIMES = r"\s*\^\s*([0-9]{1,4})\s*"
