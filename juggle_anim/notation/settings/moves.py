"""Moves of hands and places of bodies as text, with the grammar they share.

`(10)(32.5).` throws at 10 cm and catches at 32.5 cm outward; `(90,75).` stands 75 cm to the right
of the middle, turned left by 90 degrees. A dot ends a beat, `|` stands between jugglers, and
`((10)(25).)^2` repeats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

from juggle_anim.choreography import (
    USUAL_PATH,
    BodyMoves,
    BodyPlace,
    HandBeat,
    HandMoves,
    Point,
)
from juggle_anim.errors import NotationError, character_name, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import (
    MAX_DISTANCE,
    MAX_MOVES,
    MAX_NESTING,
    MAX_SETTINGS_LENGTH,
    whole_number,
)
from juggle_anim.notation.settings.syntax import Setting, indent

_TOKEN = re.compile(r"\((?P<point>[^()]*)\)(?!\s*\^)|\)\s*\^\s*(?P<count>[0-9]+)|\S")

_BEGINS_POINT = re.compile(r"\(\s*[-+]?\.?[0-9]")

_CLOSED = re.compile(r"\([^()]*\)")

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")

_OPENING_OF_FRAME = {"<": "", "{": "", ">": "<", "}": "{"}

_POINT_EXAMPLE = N_("write jugglers as <…|…> or just …|…")

Item = TypeVar("Item")

STYLES = {
    "inside": "(10)(32.5).",
    "outside": "(32.5)(10).",
    "half shower": "(32.5)(10).(10)(32.5).",
    "Mills mess": "(-25)(2.5).(25)(-2.5).(-25)(0).",
}
"""Moves that have a name."""

_WORD = re.compile(r"\s*[^\W\d_]{2}")

_HAND_NUMBERS = {"x": 0.0, "z": 0.0, "y": 0.0}

_HAND_EXAMPLE = "(10)(32.5)."

STANDING = 100.0
"""The height that a text gives a body whose feet are on the floor, [cm]."""

_BODY_NUMBERS = {"angle": 0.0, "x": 0.0, "y": 0.0, "z": STANDING}


class Mark(NamedTuple):
    """A piece of a beat: a point, or a sign that stands between points.

    Args:
        sign: `(` of a point; `-`, which skips one; or another sign, in lower case.
        start: its index in the text.
        numbers: the numbers of a point.
    """

    sign: str
    start: int
    numbers: tuple[float, ...] = ()


Beat = tuple[Mark, ...]


def read_moves(text: str, signs: str, default: Mapping[str, float]) -> list[list[Beat]]:
    """Parse the text of `hands` or `body` into beats of points and signs for each juggler.

    Args:
        text: for example `(10)(32.5).(25)(10).|((12.5)(25).)^2`; blanks, and < > and { } around
            parts, are ignored.
        signs: characters, in lower case, that are allowed beside points in a beat.
        default: name and default value of each number of a point, in order.

    Returns:
        For each juggler a list of beats, at least one; a beat has its marks in order, or none.

    Raises:
        NotationError: the text does not follow the grammar, or exceeds a limit.
    """
    pieces: RepeatExpander[Mark] = RepeatExpander(
        text, MAX_MOVES, noun=_("points, dots and symbols"), example="((10)(25).)^2"
    )
    # The brackets < and { that are open, with their indices, the innermost last. They mean nothing,
    # but must match.
    frames: list[tuple[str, int]] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        index = match.start()
        if token in _OPENING_OF_FRAME:
            if token in "<{":
                frames.append((token, index))
            # A closing bracket must belong to the one that was opened last.
            elif not frames or frames.pop()[0] != _OPENING_OF_FRAME[token]:
                raise NotationError(
                    text,
                    index,
                    _("this {token} closes nothing", token=token),
                    _POINT_EXAMPLE,
                )
        elif match["count"] or token == ")":
            pieces.close(index, match["count"] or "")
        # A point with its brackets is one token; a single ( begins a repeat.
        elif token == "(":
            _refuse_repeated_point(text, index, default)
            pieces.open(index)
        elif match["point"] is not None:
            # The numbers begin one character behind the bracket.
            numbers = _read_point(Setting(text, index + 1, match["point"]), default)
            pieces.add(index, Mark("(", index, numbers))
        elif token.lower() in (".", "|", "!", *signs):
            pieces.add(index, Mark(token.lower(), index))
        else:
            accepted = _("{point_is}, and a dot ends a beat", point_is=_point_form(default))
            raise NotationError(
                text,
                index,
                _("{token} is not allowed here", token=character_name(token)),
                accepted,
            )
    if frames:
        bracket, bracket_index = frames[-1]
        raise NotationError(
            text,
            bracket_index,
            _("this {frames} is never closed", frames=bracket),
            _POINT_EXAMPLE,
        )
    return _beats_of_jugglers(pieces.items())


def one_line(text: str) -> str:
    """Return the same moves with no more than single spaces, so that they fit in a line."""
    return " ".join(text.split())


def _beats_of_jugglers(marks: list[Mark]) -> list[list[Beat]]:
    """Divide the marks of a text into jugglers, at | or !, and these into beats, at dots.

    Args:
        marks: the marks of all jugglers, with repeats written out.

    Returns:
        For each juggler the beats, at least one, without the marks that divide them.
    """
    jugglers: list[list[Beat]] = [[]]
    # The marks so far of the beat that ends with the next dot, or with the juggler.
    beat: list[Mark] = []
    for mark in marks:
        if mark.sign == ".":
            jugglers[-1].append(tuple(beat))
            beat = []
        elif mark.sign in "|!":
            _end_juggler(jugglers[-1], beat)
            jugglers.append([])
            beat = []
        else:
            beat.append(mark)
    _end_juggler(jugglers[-1], beat)
    return jugglers


def _end_juggler(beats: list[Beat], marks: list[Mark]) -> None:
    """End the last beat, whose dot may be left out; a juggler has one empty beat at least."""
    if marks or not beats:
        beats.append(tuple(marks))


def _read_point(point: Setting, default: Mapping[str, float]) -> tuple[float, ...]:
    """Read the numbers of a point, such as `10,32.5`.

    Args:
        point: the text between its brackets.
        default: for each number, in order, its name and its value if it is left out.

    Returns:
        As many numbers as `default` has.

    Raises:
        NotationError: there are too many numbers, or one is malformed or too large.
    """
    numbers = list(default.values())
    # A field between commas that is empty, or missing at the end, keeps the default.
    for position, field in enumerate(point.fields(",")):
        if position == len(numbers):
            reason = _("a point has at most {number} numbers", number=position)
            raise field.error(0, reason, _point_form(default))
        if field.text.strip():
            numbers[position] = _read_number(field, default)
    return tuple(numbers)


def _read_number(field: Setting, default: Mapping[str, float]) -> float:
    """Return a number of a point, checked for its form and range.

    Args:
        field: the number, perhaps with blanks around it.
        default: names of a point's numbers, for errors.
    """
    written = field.text.strip()
    if not _NUMBER.fullmatch(written):
        reason = _("{written} is not a number", written=written[:20])
        raise field.error(field.indent, reason, _point_form(default))
    number = float(written)
    if abs(number) > MAX_DISTANCE:
        accepted = _("numbers up to {max_distance:g}", max_distance=MAX_DISTANCE)
        reason = _("{written} is too far", written=written[:20])
        raise field.error(field.indent, reason, accepted)
    return number


def _refuse_repeated_point(text: str, index: int, default: Mapping[str, float]) -> None:
    """Raise an error if a bracket that begins a repeat was probably meant for a point.

    This is the case if a number follows the bracket: a repeat begins with a bracket or a sign.

    Args:
        text: the whole text.
        index: the index of the opening bracket.
        default: names of a point's numbers, for errors.

    Raises:
        NotationError: the bracket of a point is never closed, or a count follows it, as in (10)^2.
    """
    if not _BEGINS_POINT.match(text, index):
        return
    closed_group = _CLOSED.match(text, index)
    if not closed_group:
        raise NotationError(text, index, _("this ( is never closed"), _point_form(default))
    hint = _("write it in brackets: ({whole})^2", whole=one_line(closed_group[0]))
    raise NotationError(text, closed_group.end(), _("a single point cannot be repeated"), hint)


def _point_form(default: Mapping[str, float]) -> str:
    return _("a point is ({default})", default=",".join(default))


class RepeatExpander(Generic[Item]):
    """Expands a list in which brackets with a count repeat a part.

    Args:
        text: the whole text, for errors.
        limit: number of items there may be, repeats written out.
        noun: for the items, in the plural.
        example: example of brackets with a count.

    Raises:
        NotationError: raised here and in every method if the text or the list is too long or a
            bracket is wrong.
    """

    def __init__(self, text: str, limit: int, *, noun: str, example: str) -> None:
        """Initialise an empty list; a text that is too long is refused at once.

        Args:
            text: the whole text, for errors.
            limit: number of items there may be, repeats written out.
            noun: for the items, in the plural.
            example: example of brackets with a count.
        """
        self.text = text
        self.limit = limit
        self.noun = noun
        self.example = example
        self._items: list[Item] = []
        # A stack with an entry for each open bracket, the innermost last: its index in the text,
        # and the items that stand before it within the bracket around it.
        self._outer: list[tuple[int, list[Item]]] = []
        # The number of all items in `_outer`, which count for the limit as well. Otherwise each
        # open bracket could hold up to the limit.
        self._waiting = 0
        if len(text) > MAX_SETTINGS_LENGTH:
            reason = _("this text is {count} characters long", count=len(text))
            raise self._error(
                MAX_SETTINGS_LENGTH,
                reason,
                _("up to {max_settings_length}", max_settings_length=MAX_SETTINGS_LENGTH),
            )

    def add(self, index: int, item: Item) -> None:
        """Append an item that stands at `index`."""
        self._items.append(item)
        self._check(index, len(self._items))

    def open(self, index: int) -> None:
        """Begin a part to be repeated, with the bracket at `index`."""
        if len(self._outer) >= MAX_NESTING:
            raise self._error(
                index,
                _("brackets are nested more than {max_nesting} deep", max_nesting=MAX_NESTING),
                _("simplify it"),
            )
        self._outer.append((index, self._items))
        self._waiting += len(self._items)
        self._items = []

    def close(self, index: int, count: str) -> None:
        """End the part that was opened last, and repeat it.

        Args:
            index: the index of the closing bracket.
            count: the digits of the count; empty if there is none, which is an error.
        """
        if not self._outer:
            raise self._error(
                index,
                _("this ) closes nothing"),
                _("brackets repeat: {example}", example=self.example),
            )
        if not count:
            raise self._error(
                index,
                _("the count after these brackets is missing"),
                _("write how often to repeat them, such as ^2"),
            )

        # The part around this one is continued: its items so far come before the repeated ones.
        _open_index, outer = self._outer.pop()
        self._waiting -= len(outer)
        times = whole_number(count, self.limit)
        if times == 0:
            raise self._error(
                index, _("these brackets are repeated zero times"), _("use 1 or more")
            )
        # `whole_number` gives None for a count above the limit, for which the smallest such count
        # is taken: any of them is refused below.
        times = self.limit + 1 if times is None else times
        # The length is checked before the items are multiplied, which could fill the memory.
        self._check(index, len(outer) + len(self._items) * times)
        self._items = outer + self._items * times

    def items(self) -> list[Item]:
        """Return all items in order; every part in brackets must have been closed."""
        if self._outer:
            raise self._error(
                self._outer[-1][0],
                _("this ( is never closed"),
                _("brackets repeat: {example}", example=self.example),
            )
        return self._items

    def _check(self, index: int, count: int) -> None:
        if self._waiting + count > self.limit:
            raise self._error(
                index,
                _("more than {limit} {what}", limit=self.limit, what=self.noun),
                _("use fewer"),
            )

    def _error(self, index: int, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, index, reason, accepted)


def read_hands(text: str) -> HandMoves:
    """Read the setting `hands`, the paths of hands.

    Each beat lists points `(x,z,y)` in cm, outward, up and forward, and ends with a dot. The hand
    throws at the first and catches at the last, or at the one after a `c`. A `-` stands for the
    usual point, and an empty beat for all usual points. A beat with a `*` also holds for throws and
    catches around the body. `|` stands between jugglers, and `((10)(25).)^2` repeats.

    Args:
        text: moves in this form, or a name of `STYLES`.

    Returns:
        The moves, with their text on one line; for a name this is the text of its moves.

    Raises:
        NotationError: the text is neither.
    """
    named_moves = _STYLES.get(_style_key(text))
    # Two letters at the beginning show that a name was meant, as moves have single letters only.
    if named_moves is None and _WORD.match(text):
        raise _unknown_style(text)
    jugglers = read_moves(named_moves or text, "-ct*", _HAND_NUMBERS)
    if not any(beat for beats in jugglers for beat in beats):
        raise NotationError(text, len(text), _("the hand moves are missing"), _HAND_EXAMPLE)
    beats = tuple(tuple(_hand_beat(text, beat) for beat in beats) for beats in jugglers)
    return HandMoves(named_moves or one_line(text), beats)


def _hand_beat(text: str, beat: Beat) -> HandBeat:
    """Return the path of a hand in one beat: its points, and the index of the point of the catch.

    Args:
        text: the whole text, for errors.
        beat: marks of the beat; without marks the path is the usual one.

    Returns:
        The path; its points are (outward, up, forward) in m, or None for the usual ones.

    Raises:
        NotationError: marks are in a wrong order, or there are fewer than two points.
    """
    if not beat:
        return USUAL_PATH
    points: list[Point | None] = []
    catch: int | None = None
    for position, mark in enumerate(beat):
        # A t marks the throw. As that is always at the first point, the t changes nothing, but must
        # stand before all other marks except a *.
        if mark.sign == "t" and any(earlier.sign != "*" for earlier in beat[:position]):
            raise NotationError(
                text,
                mark.start,
                _("a hand throws at the first point of a beat"),
                _("write the t before it"),
            )
        if mark.sign == "c":
            # The catch is at the next point, whose index is the number of points so far.
            catch = _marked_catch(text, beat, position, catch, len(points))
        elif mark.sign not in "t*":
            points.append(_hand_place(mark))
    if len(points) < 2:
        reason = _("this beat needs two points: where the hand throws, and where it then catches")
        raise NotationError(
            text, beat[0].start, reason, _("leave one to the default, as in (10)-.")
        )
    around = any(mark.sign == "*" for mark in beat)
    # Without a c the hand catches at the last point.
    return HandBeat(tuple(points), len(points) - 1 if catch is None else catch, around)


def _marked_catch(
    text: str, beat: Beat, position: int, earlier_catch: int | None, point_index: int
) -> int:
    """Check a `c`, which marks where a hand catches, and return the index of the point behind it.

    Args:
        text: the whole text, for errors.
        beat: marks of the beat.
        position: the position of the `c` among them.
        earlier_catch: index of a point that is marked already, or None.
        point_index: index, among the points of the beat, of the one behind the `c`.

    Returns:
        `point_index`, as all checks are passed.

    Raises:
        NotationError: a point is marked already, or no point is before or behind the `c`.
    """
    index = beat[position].start
    if earlier_catch is not None:
        raise NotationError(text, index, _("a hand catches once in a beat"), _("write only one c"))
    if point_index == 0:
        raise NotationError(
            text,
            index,
            _("a hand throws before it catches"),
            _("write a point before the c: (10)c(25)."),
        )
    if all(mark.sign not in "(-" for mark in beat[position + 1 :]):
        raise NotationError(
            text,
            index,
            _("the point after this c is missing"),
            _("write where the hand catches: (10)c(25)."),
        )
    return point_index


def _hand_place(mark: Mark) -> Point | None:
    if mark.sign == "-":
        return None
    outward, up, forward = mark.numbers
    return outward / 100, up / 100, forward / 100


def _unknown_style(text: str) -> NotationError:
    """Return the error for words that are no name of `STYLES`, with a similar name or all."""
    index = indent(text)
    names = {name.casefold(): name for name in STYLES}
    otherwise = _(
        "use {styles}, or moves such as {hand_example}",
        styles=", ".join(STYLES),
        hand_example=_HAND_EXAMPLE,
    )
    hint = did_you_mean(text.strip().casefold(), names, otherwise)
    return NotationError(text, index, _("unknown hand moves {text}", text=text.strip()[:30]), hint)


def _style_key(name: str) -> str:
    return re.sub(r"[\s_'-]", "", name).casefold() if len(name) < 40 else ""


_STYLES = {_style_key(name): moves for name, moves in STYLES.items()}


def read_body(text: str) -> BodyMoves:
    """Read the setting `body`, where jugglers stand and which way they face.

    Each beat lists places `(angle,x,y,z)` and ends with a dot. The angle is the turn to the left
    [degrees]; x is to the right, y forward and z up [cm]. Numbers that are left out are 0, except
    z, which is 100, with the feet on the floor. An empty beat has no place, and a `-` skips one of
    several. `|` stands between jugglers, and `((0,20).(0,-20).)^2` repeats.

    Returns:
        The places in m and radians, None for those skipped, and their text on one line.

    Raises:
        NotationError: the text does not follow this grammar, or has no place at all.
    """
    jugglers = read_moves(text, signs="-", default=_BODY_NUMBERS)
    if not any(mark.numbers for beats in jugglers for beat in beats for mark in beat):
        raise NotationError(
            text,
            len(text),
            _("the position of a body is missing"),
            _("such as (90,75).|(270,-75)."),
        )
    places = (tuple(_body_places(beat) for beat in beats) for beats in jugglers)
    return BodyMoves(one_line(text), tuple(places))


def place_numbers(place: BodyPlace) -> list[float]:
    """Return angle, right, forward and up of a place as `body` has them, [degrees] and [cm]."""
    left, up, forward = place.position
    return [math.degrees(place.facing), -100 * left, 100 * forward, 100 * up + STANDING]


def first_place(moves: BodyMoves, juggler: int) -> BodyPlace | None:
    """Return the first place of a juggler's body, or None if the text states none."""
    beats = moves.beats[juggler % len(moves.beats)]
    return next((place for places in beats for place in places if place), None)


def _body_places(beat: Beat) -> tuple[BodyPlace | None, ...]:
    return tuple(_body_place(mark) for mark in beat)


def _body_place(mark: Mark) -> BodyPlace | None:
    if mark.sign == "-":
        return None
    angle, right, forward, up = mark.numbers
    return BodyPlace(math.radians(angle), (-right / 100, (up - STANDING) / 100, forward / 100))
