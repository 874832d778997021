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
        text: in the new spelling.
        places: for each of its characters, and for its end, the index in the text as it was typed.
        explains: whether its error is shown where no spelling is valid, rather than that of the one
            before.
    """

    text: str
    places: tuple[int, ...]
    explains: bool = True

    def replaced(
        self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]
    ) -> Respelling:
        """Replace each match; of a longer replacement, the last characters keep their places."""
        text: list[str] = []
        places: list[int] = []
        end = 0
        for match in pattern.finditer(self.text):
            text += [self.text[end : match.start()], piece := replacement(match)]
            places += self.places[end : match.start()]
            longer = len(piece) - len(match[0])
            places += [
                self.places[match.start() + max(0, index - longer)] for index in range(len(piece))
            ]
            end = match.end()
        text.append(self.text[end:])
        places += self.places[end:]
        return Respelling("".join(text), tuple(places))

    def in_original(self, error: NotationError, original: str) -> NotationError:
        """An error of this text as one of the text that was typed."""
        if self.text == original:
            return error
        return NotationError(
            original, self.places[min(error.index, len(self.text))], error.reason, error.accepted
        )


def respellings(text: str) -> Iterator[Respelling]:
    """Yield what a text may mean, the likeliest first: with sides, then respelled.

    A later one is meant only where those before it are no valid pattern.
    """
    spelled = with_sides(text)
    yield spelled
    if len(text) > MAX_LENGTH:
        return
    if "<" in spelled.text:
        yield from _with_sides_respelled(spelled)
        return
    yield from _in_steps(spelled, (_with_pairs, _without_commas_in_line))
    between_commas = _between_comma(spelled)
    if between_commas.text != spelled.text:
        yield between_commas
        yield from (
            sides._replace(explains=False) for sides in _with_sides_respelled(between_commas)
        )


def _with_sides_respelled(spelled: Respelling) -> Iterator[Respelling]:
    """Other spellings of a text with sides in < >."""
    before_receivers = spelled
    for before_receivers in _in_steps(spelled, (_with_pairs, _without_commas, _with_numbers)):
        yield before_receivers
    yield from _in_steps(before_receivers, (_without_missing_receivers, _with_throws_apart))
    yield from _in_steps(before_receivers, (_with_receivers_of_one_digit,))


def _in_steps(
    spelled: Respelling, steps: Iterable[Callable[[Respelling], Respelling]]
) -> Iterator[Respelling]:
    """The spellings after each step that changes something, as long as none is too long."""
    for step in steps:
        changed = step(spelled)
        if len(changed.text) > MAX_LENGTH:
            return
        if changed.text != spelled.text:
            spelled = changed
            yield spelled


def with_sides(text: str) -> Respelling:
    """A text with < > around the sides of jugglers that stand between bars, `vs` or in lines.

    `4p 3 | 3 4p`, `4p 3 vs 3 4p` and the two lines `A: 4p 3` and `B: 3 4p` are `<4p 3|3 4p>`.
    """
    places = tuple(range(len(text) + 1))
    if "<" in text or len(f"<{text}>") > MAX_LENGTH or not _PASS.search(text):
        return Respelling(text, places)
    ending = NUMBER_OF_JUGGLERS.search(text)
    end = ending.start() if ending else len(text)
    sides = _labelled(text, end) or _between_bars(text, end)
    if len(sides) < 2:
        return Respelling(text, places)
    written = "|".join(text[start:stop] for start, stop in sides)
    moved = [place for start, stop in sides for place in places[start : stop + 1]]
    spelled = f"<{written}>{text[end:]}"
    return Respelling(spelled, (sides[0][0], *moved, *places[end:]))


def labelled_lines(lines: Iterable[str]) -> list[str]:
    """The first lines that say together what several jugglers throw, as `A: 3p 3` and `B: 3p 3`.

    Returns:
        Those of two or more jugglers, and empty ones between; none where the lines are something
        else, or where nobody passes.
    """
    block: list[str] = []
    end = 0
    jugglers = 0
    for line in lines:
        label = _LABEL.match(line)
        if label and _ordinal(label[1]) == jugglers < MAX_JUGGLERS:
            jugglers += 1
            end = len(block) + 1
        elif not block or line.strip():
            break
        block.append(line)
    return block[:end] if jugglers > 1 and any(map(_PASS.search, block)) else []


def has_labelled_sides(text: str) -> bool:
    """Whether a text has sides behind letters or numbers, as `A: 3p 3; B: 3p 3`."""
    return (
        "<" not in text and _PASS.search(text) is not None and len(_labelled(text, len(text))) > 1
    )


def names_receivers(text: str) -> bool:
    """Whether passes have letters that may be those of their receivers, as 3pB has."""
    return _RECEIVER_LETTER.search(text) is not None


def _labelled(text: str, end: int) -> list[tuple[int, int]]:
    """The spans of throws behind the letters or numbers of all jugglers, in order; else none.

    A label without a colon counts where each line begins with one.
    """
    labels = list(_LABELS.finditer(text, 0, end))
    if len(labels) < 2:
        labels = list(_LINE_LABELS.finditer(text, 0, end))
        if len(labels) != sum(bool(line.strip()) for line in text[:end].splitlines()):
            return []
    jugglers = [_ordinal(label[1] or label[2]) for label in labels]
    if not labels or text[: labels[0].start()].strip() or jugglers != list(range(len(labels))):
        return []
    ends = [*(label.start() for label in labels[1:]), end]
    return [_trimmed(text, label.end(), stop) for label, stop in zip(labels, ends, strict=True)]


def _between_bars(text: str, end: int) -> list[tuple[int, int]]:
    """The spans between bars or `vs`."""
    bars = list(_BAR.finditer(text, 0, end))
    starts = [0, *(bar.end() for bar in bars)]
    ends = [*(bar.start() for bar in bars), end]
    return [_trimmed(text, start, stop) for start, stop in zip(starts, ends, strict=True)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without blanks around it, and without the full stop or comma of a sentence."""
    side = text[start:end]
    first = start + len(side) - len(side.lstrip())
    return first, max(first, start + len(side.rstrip(_PUNCTUATION)))


def _ordinal(label: str) -> int:
    """The number of a juggler, from 0, by letter or number: A and 1 are the first."""
    return int(label) - 1 if label.isdigit() else ord(label.upper()) - ord("A")


def _with_pairs(spelled: Respelling) -> Respelling:
    """With commas in pairs that have a space instead: (4 2x) is (4,2x)."""
    return spelled.replaced(_SPACED_PAIR, lambda match: f"({match[1]},{match[2]})")


def _without_commas(spelled: Respelling) -> Respelling:
    """With spaces for commas between throws: <3p,3|3p,3> is <3p 3|3p 3>; those in brackets stay."""
    return spelled.replaced(_COMMA, lambda match: " " if match[0] == "," else match[0])


def _without_commas_in_line(spelled: Respelling) -> Respelling:
    """With spaces for commas that stand between all throws of one line: 3p,3,3 is 3p 3 3."""
    in_commas = _IN_COMMAS.fullmatch(_before_number(spelled.text))
    if (
        not in_commas
        or _THROWS_TOGETHER.search(in_commas[0])
        or not _MARKED_PASS.search(in_commas[0])
    ):
        return spelled
    return _without_commas(spelled)._replace(explains=False)


def _between_comma(spelled: Respelling) -> Respelling:
    """Put < > around two sides parted by a comma: 3p33,3p33 is <3p33|3p33>."""
    ending = NUMBER_OF_JUGGLERS.search(spelled.text)
    throws = _before_number(spelled.text)
    sides = throws.split(",")
    if ending and number_of_jugglers(ending) != len(sides):
        return spelled
    if len(sides) != 2 or not all(map(_MARKED_PASS.search, sides)) or _BRACKET.search(throws):
        return spelled
    end = len(throws)
    places = (spelled.places[0], *spelled.places[: end + 1], spelled.places[end])
    return Respelling(f"<{sides[0]}|{sides[1]}>", places, explains=False)


def _before_number(text: str) -> str:
    """A text without the number of jugglers at its end."""
    ending = NUMBER_OF_JUGGLERS.search(text)
    return text[: ending.start()] if ending else text


def _with_numbers(spelled: Respelling) -> Respelling:
    """With numbers for the letters of receivers: <3pB 3|3pA 3> is <3p2 3|3p1 3>.

    Where a letter is no juggler's, none of them names a receiver.
    """
    letters = [_ordinal(match[2]) for match in _RECEIVER_LETTER.finditer(spelled.text)]
    if not letters or max(letters) >= _jugglers(spelled.text):
        return spelled

    def number(match: re.Match[str]) -> str:
        space = " " if match[3] else ""
        return f"p{_ordinal(match[2]) + 1}{match[1]}{space}"

    return spelled.replaced(_RECEIVER_LETTER, number)


def _without_missing_receivers(spelled: Respelling) -> Respelling:
    """Part a p from digits that name no juggler: for two, 3p33 is 3p 3 3."""
    jugglers = _jugglers(spelled.text)

    def throws(match: re.Match[str]) -> str:
        if 1 <= int(match[1][:_MAX_RECEIVER_DIGITS]) <= jugglers:
            return match[0]
        return " ".join((match[0][0], *match[1]))

    apart = spelled.replaced(_RECEIVER, throws)
    # A number in a side with spaces stands there to name a receiver.
    return apart._replace(explains=len(_COMPACT_SIDE.findall(spelled.text)) == jugglers)


def _with_throws_apart(spelled: Respelling) -> Respelling:
    """With each digit in < > a throw of its own: <4px3|3p4> is <4px 3|3p 4>.

    In a side with spaces, a number behind a p stays the number of a receiver.
    """
    compact = {
        index for side in _COMPACT_SIDE.finditer(spelled.text) for index in range(*side.span())
    }

    def apart(match: re.Match[str]) -> str:
        if match[1]:
            return " ".join((match[1], *match[2])) if match.start() in compact else match[0]
        return f" {match[3]}" if match[3] else match[0]

    return spelled.replaced(_DIGITS, apart)


def _with_receivers_of_one_digit(spelled: Respelling) -> Respelling:
    """Take the digit right behind a p as its receiver: <3p23|3p13> is <3p2 3|3p1 3>.

    A digit that is no juggler's is a throw, as the others are.
    """
    jugglers = _jugglers(spelled.text)

    def receiver_apart(side: re.Match[str]) -> str:
        return _DIGITS.sub(throws, side[0])

    def throws(match: re.Match[str]) -> str:
        if not match[1]:
            return f" {match[3]}" if match[3] else match[0]
        receiver = match[2][0]
        space = "" if 1 <= int(receiver) <= jugglers else " "
        return " ".join((match[1] + space + receiver, *match[2][1:]))

    apart = spelled.replaced(_COMPACT_SIDE, receiver_apart)
    return apart._replace(explains=False)


def _jugglers(text: str) -> int:
    """How many jugglers the first < > of a text is for."""
    sides = text.partition("<")[2].partition(">")[0].split("|")
    times = _TIMES.fullmatch(sides[-1])
    return (len(sides) - 1) * int(times[1]) if times else len(sides)


_PASS = re.compile(r"[0-9}xX×?]p|[0-9}x×]P|[0-9]\.[0-9]")
_PUNCTUATION = " \t\r\n.,;"
_MAX_RECEIVER_DIGITS = 6  # of the number of a receiver; a longer one is no juggler's all the same

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

# Of a receiver, of a throw with something before it, or of what else has digits.
_DIGITS = re.compile(
    r"([pP])([0-9]+)|(?<=[^\s<|(\[,])([0-9](?:\.[0-9]+)?)"
    r"|\{[0-9.]*\}|\^\s*[0-9]+|[0-9](?:\.[0-9]+)?"
)
_TIMES = re.compile(r"\s*\^\s*([0-9]{1,4})\s*")
