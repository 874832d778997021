"""Respelling: passing patterns as lists and books of passers spell them, in the spelling that the
readers know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_JUGGLERS, MAX_LENGTH
from juggle_anim.notation.prechac.parser import NUMBER_OF_JUGGLERS, number_of_jugglers


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

    def replaced(
        self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]
    ) -> Respelling:
        """Replace each match of a pattern, and update the original index of each character.

        Args:
            pattern: matches the text to replace.
            replacement: returns the new text of a match. Its characters get the original indices of
                those of the match, aligned at the end; additional ones in front get the index of
                the first character of the match.
        """
        text: list[str] = []
        original_indices: list[int] = []
        # End of the last match.
        end = 0
        for match in pattern.finditer(self.text):
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


def respellings(text: str) -> Iterator[Respelling]:
    """Yield possible spellings of a text in our notation, the likeliest first.

    The first has < > around the sides of jugglers, if there are sides; the others change how throws
    are spelled. A spelling is tried only if all before it give no valid pattern.
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
    """Apply steps one after the other, and yield the text after each that changes it.

    It ends before a text longer than `MAX_LENGTH`.

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
    """Enclose sides of jugglers that are separated by bars, `vs` or labels in < >.

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
    # The < counts as the first character of the first side.
    first_start, _first_stop = sides[0]
    side_indices = [first_start]
    for start, stop in sides:
        # The | or > behind a side counts as the character behind it, hence stop + 1.
        side_indices += range(start, stop + 1)
    return Respelling(f"<{joined}>{text[end:]}", (*side_indices, *original_indices[end:]))


def labelled_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines at the start that are labelled with jugglers, as `A: 3p 3` and `B: 3p 3`.

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
        label = _LABEL.match(line)
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
    return _RECEIVER_LETTER.search(text) is not None


def _labelled(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans of throws after labels such as `A:` and `B:`, or `1:` and `2:`, in order.

    Args:
        text: the whole text.
        end: index of the number of jugglers, or the length of the text.

    Returns:
        Start and end index of each juggler's throws; empty if the labels do not count up from the
        first juggler, or if there is text before them.
    """
    labels = list(_LABELS.finditer(text, 0, end))
    if len(labels) < 2:
        # Labels without a colon count only if every line begins with one, as they may be throws.
        labels = list(_LINE_LABELS.finditer(text, 0, end))
        if len(labels) != sum(bool(line.strip()) for line in text[:end].splitlines()):
            return []
    jugglers = [_ordinal(label[1] or label[2]) for label in labels]
    if not labels or text[: labels[0].start()].strip() or jugglers != list(range(len(labels))):
        return []
    ends = [*(label.start() for label in labels[1:]), end]
    return [_trimmed(text, label.end(), stop) for label, stop in zip(labels, ends, strict=True)]


def _between_bars(text: str, end: int) -> list[tuple[int, int]]:
    """Spans of the throws between bars or `vs`; only one where there are none of these."""
    bars = list(_BAR.finditer(text, 0, end))
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
    """With commas in pairs that have a space instead: (4 2x) is (4,2x)."""
    return spelled.replaced(_SPACED_PAIR, lambda match: f"({match[1]},{match[2]})")


def _without_commas(spelled: Respelling) -> Respelling:
    """With spaces for commas between throws: <3p,3|3p,3> is <3p 3|3p 3>; those in brackets stay."""
    return spelled.replaced(_COMMA, lambda match: " " if match[0] == "," else match[0])


def _without_commas_in_line(spelled: Respelling) -> Respelling:
    """Replace commas between all throws of one line by spaces: 3p,3,3 is 3p 3 3.

    The text stays if throws stand together, as in 3p3,3p3, where the comma rather separates the
    sides of two jugglers; and if there is no pass.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed.
    """
    in_commas = _IN_COMMAS.fullmatch(_before_number(spelled.text))
    if (
        not in_commas
        or _THROWS_TOGETHER.search(in_commas[0])
        or not _MARKED_PASS.search(in_commas[0])
    ):
        return spelled
    # The comma may still separate sides, so errors of this guess are not shown.
    return _without_commas(spelled)._replace(error_is_shown=False)


def _between_comma(spelled: Respelling) -> Respelling:
    """Enclose two sides that are separated by a comma in < >: 3p33,3p33 becomes <3p33|3p33>.

    Only if both have passes and no brackets, and the text does not state another number of
    jugglers; any other text is returned unchanged. A stated number of jugglers is dropped.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has no < >.
    """
    ending = NUMBER_OF_JUGGLERS.search(spelled.text)
    throws = _before_number(spelled.text)
    sides = throws.split(",")
    if ending and number_of_jugglers(ending) != len(sides):
        return spelled
    if len(sides) != 2 or not all(map(_MARKED_PASS.search, sides)) or _BRACKET.search(throws):
        return spelled
    # The < counts as the first character, the > and the end as the one behind the throws.
    end = len(throws)
    original_indices = (
        spelled.original_indices[0],
        *spelled.original_indices[: end + 1],
        spelled.original_indices[end],
    )
    return Respelling(f"<{sides[0]}|{sides[1]}>", original_indices, error_is_shown=False)


def _before_number(text: str) -> str:
    """A text without the number of jugglers at its end."""
    ending = NUMBER_OF_JUGGLERS.search(text)
    return text[: ending.start()] if ending else text


def _with_numbers(spelled: Respelling) -> Respelling:
    """Replace letters of receivers by numbers: <3pB 3|3pA 3> is <3p2 3|3p1 3>.

    If any letter is beyond the last juggler, letters do not name receivers, and the text stays.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has < >.
    """
    letters = [_ordinal(match[2]) for match in _RECEIVER_LETTER.finditer(spelled.text)]
    if not letters or max(letters) >= _jugglers(spelled.text):
        return spelled

    def numbered(match: re.Match[str]) -> str:
        """A receiver with a number in place of its letter."""
        # An x before the letter is after the number; a space keeps digits that follow apart.
        crossing, letter, next_character = match.groups()
        space = " " if next_character else ""
        return f"p{_ordinal(letter) + 1}{crossing}{space}"

    return spelled.replaced(_RECEIVER_LETTER, numbered)


def _without_missing_receivers(spelled: Respelling) -> Respelling:
    """Separate a p from digits that cannot be a juggler's number: for two jugglers, 3p33 is 3p 3 3.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed.
    """
    jugglers = _jugglers(spelled.text)

    def separated(match: re.Match[str]) -> str:
        """A p and its digits, apart where they name no juggler."""
        if 1 <= int(match[1][:_MAX_RECEIVER_DIGITS]) <= jugglers:
            return match[0]
        # The p (or P), and each digit as a throw of its own.
        return " ".join((match[0][0], *match[1]))

    apart = spelled.replaced(_RECEIVER, separated)
    # In a side with spaces a number behind a p was meant as a receiver, so that the error about it
    # is the one to show; this spelling's error is shown if no side has spaces.
    return apart._replace(error_is_shown=len(_COMPACT_SIDE.findall(spelled.text)) == jugglers)


def _with_throws_apart(spelled: Respelling) -> Respelling:
    """Separate the digits in < > into throws: <4px3|3p4> becomes <4px 3|3p 4>.

    In a side with spaces, a number behind a p stays the number of a receiver.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has < >.
    """
    # Indices of all characters in sides without spaces.
    compact_indices = {
        index for side in _COMPACT_SIDE.finditer(spelled.text) for index in range(*side.span())
    }

    def separated(match: re.Match[str]) -> str:
        """Return a p and its digits, or a throw, with spaces inserted before throws."""
        pass_letter, receiver_digits, throw = match.groups()
        if pass_letter and match.start() in compact_indices:
            return " ".join((pass_letter, *receiver_digits))
        # A throw right behind something else gets a space; any other number stays.
        return f" {throw}" if throw else match[0]

    return spelled.replaced(_DIGITS, separated)


def _with_receivers_of_one_digit(spelled: Respelling) -> Respelling:
    """Read the digit right behind a p as its receiver: <3p23|3p13> becomes <3p2 3|3p1 3>.

    A digit that is not the number of a juggler is a throw, like further digits.

    Args:
        spelled: a text in another spelling, with the index of each character in the text as it was
            typed; this one has < >.
    """
    jugglers = _jugglers(spelled.text)

    def separated_side(side: re.Match[str]) -> str:
        """Return a side without spaces, with spaces inserted before throws."""
        return _DIGITS.sub(separated, side[0])

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
    times = _TIMES.fullmatch(sides[-1])
    return (len(sides) - 1) * int(times[1]) if times else len(sides)


_PASS = re.compile(r"[0-9}xX×?]p|[0-9}x×]P|[0-9]\.[0-9]")
_PUNCTUATION = " \t\r\n.,;"
_MAX_RECEIVER_DIGITS = 6  # of the number of a receiver; a longer one cannot be valid either

_BAR = re.compile(r"\||\s(?:vs\.?|versus)\s", re.IGNORECASE)
_NAME = r"(?:(?:juggler|passer|person)\s+)?([A-Z]|[0-9]{1,3})\s*:"
_LABEL = re.compile(rf"\s*{_NAME}", re.IGNORECASE)
_LABELS = re.compile(rf"(?:^|(?<![\s|;])[\s|;]+){_NAME}()", re.IGNORECASE)
_LINE_LABELS = re.compile(
    r"^[^\S\n]*(?:([A-Z])[:.)]?[^\S\n]|([A-Za-z]|[0-9]{1,3})[:)])", re.MULTILINE
)

_THROW = r"\[[^\[\](),]*\]|(?:[0-9](?:\.[0-9]+)?|[a-z?]|\{[0-9]+\})(?:[xX×BFHTLb]|[pP][0-9]*)*"
_SPACED_PAIR = re.compile(rf"\(\s*({_THROW})\s+({_THROW})\s*\)")
_COMMA = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|,")
_IN_COMMAS = re.compile(rf"\s*(?:[RL]\s*)?(?:{_THROW})(?:\s*,\s*(?:{_THROW}))+\s*")
_THROWS_TOGETHER = re.compile(
    r"(?<![.0-9{])[0-9]{2}|[pP][0-9]"
)  # digits that may be throws of their own
_MARKED_PASS = re.compile(r"[0-9}xX×]p|[0-9}x×]P")
_BRACKET = re.compile(r"[()\[\]<>{}|]")

# An X would be a crossing pass.
_RECEIVER_LETTER = re.compile(r"(?<=[0-9}xX×])[pP]([x×]?)([A-WYZ])(?![A-Za-z])(?=(\S?))")
_RECEIVER = re.compile(r"[pP]([0-9]+)")
_COMPACT_SIDE = re.compile(r"(?<=[<|])\s*[^\s<>|]+\s*(?=[|>])")

# Digits of a receiver, of a throw with something before it, or of any other item.
_DIGITS = re.compile(
    r"([pP])([0-9]+)|(?<=[^\s<|(\[,])([0-9](?:\.[0-9]+)?)"
    r"|\{[0-9.]*\}|\^\s*[0-9]+|[0-9](?:\.[0-9]+)?"
)
_TIMES = re.compile(r"\s*\^\s*([0-9]{1,4})\s*")
