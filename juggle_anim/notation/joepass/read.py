"""Reading JoePass! files: from a document to a pattern, with its hands, and to a score."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from juggle_anim.choreography import BodyMoves, HandMoves, PropStyle, Score, Staging
from juggle_anim.errors import FileError, PatternError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.jif.scores import PropOrder, prop_style
from juggle_anim.notation.joepass.document import (
    LAYOUTS,
    NUMBER,
    POINT,
    Beat,
    Command,
    Document,
    MarkedThrow,
    parse_joepass,
)
from juggle_anim.notation.limits import (
    MAX_DIVISION,
    MAX_PROPS,
    decimals,
    whole_number,
)
from juggle_anim.notation.pattern_list import Entry, Note, PatternList
from juggle_anim.notation.prechac import fitted_value, read_delay, with_own_text
from juggle_anim.notation.settings import STANDING, STYLES, Colour, Settings, read_body, read_hands
from juggle_anim.notation.siteswap.syntax import Modifier, WrittenThrow
from juggle_anim.parameters import IMPLIED_HAND_STYLE, quantity_named
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw, Turn

KINDS = {1: "club", 2: "club", 3: "ball", 4: "ring", 5: "ring"}
"""The kinds of props by JoePass!'s numbers: clubs, fishes, balls, rings and pancakes."""

HANDS = {"reverse": STYLES["outside"], "mills_mess": STYLES["Mills mess"]}
"""Our moves of hands for the styles of JoePass! that are among them."""

# Kinds that are shown as they are: clubs, balls and rings.
_EXACT_KINDS = (1, 3, 4)

_LAST_KIND = 9  # JoePass! has the kinds 0 to 9

_MAX_DIGITS_SHOWN = 9  # of a number in a note, as files may have numbers of any length

# A kind, perhaps behind the number of a prop and a colon.
_KIND_OF_PROPS = re.compile(r"(?:(\d+)\s*:\s*)?(\d+)")

_MAX_DISTANCE = 100_000.0  # cm

_TITLE = re.compile(r"title:\s*(.*)", re.IGNORECASE)

_ABOUT = re.compile(r"about: ?(.*)", re.IGNORECASE)

_WORDS = re.compile(r"[^\W_]")

_CIRCLE_RADIUS = 200.0  # cm, of the circle of jugglers
_BACK_TO_BACK_RADIUS = 10  # cm for each juggler, of the circle of those who stand back to back
_NEIGHBOUR_DISTANCE = 150.0  # cm, between neighbours in a line
_DROPBACK_STEP = 100.0  # cm, by which the first of a dropback line stands back


class _Notes:
    """Notes for the user on what is not shown, without repetitions.

    Attributes:
        notes: the notes, a dict as an ordered set.
    """

    def __init__(self) -> None:
        self.notes: dict[Note, None] = {}

    def add(self, what: str, line: int = 0) -> None:
        """Note that something in a line of the file, 0 for none, is not shown."""
        self.notes[Note(line, _("not shown: {what}", what=_(what)))] = None


def read_joepass(text: str, name: str = "JoePass!") -> PatternList:
    """Read a .pass file of JoePass!

    Throws with their hands, receivers, delays and bounces become the pattern; positions, colours
    and kinds of props, tempo and dwell its settings; comments are its description. There is a note
    on everything that cannot be shown, with its line.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Returns:
        A list of one pattern.

    Raises:
        FileError: the text is not such a file, or holds no pattern; the message tells the line and
            the reason.
    """
    # The throws. The format is ambiguous, so they are placed in the first interpretation that can
    # be juggled.
    document = parse_joepass(text, name)
    timing = read_timing(document, name)
    placed, interpretation = place_joepass(document, timing, name)
    # The pattern gets a text in our notation.
    pattern = with_own_text(placed)

    # Notes on an unusual interpretation, and on what was skipped.
    notes = _Notes()
    if interpretation.star_shortens:
        notes.add(_("the values of throws with a *, which land a beat earlier"))
    if interpretation.passes_to_hand_in_turn:
        notes.add(
            _(
                "the hands passes go to, which would be empty; passes go to the hand whose "
                "turn it is"
            )
        )
    for what, line in document.unknown:
        notes.add(what, line)
    for command in document.late:
        notes.add(_("#{name} after throws", name=command.name), command.line)

    # Hand movements, positions, props and tempo, then the texts.
    hands, style = _hand_moves(document, notes)
    body = _body(document, pattern, notes)
    props = _props(document, timing, pattern, notes)
    staging = Staging(hands=hands, body=body, props=props, style=style)
    parameters = _parameters(document, notes)
    # The first comment such as "! title: Cascade".
    title = next(
        (match[1].strip() for comment in document.comments if (match := _TITLE.fullmatch(comment))),
        "",
    )
    about = [*_words(document), *_info(document)]
    score = Score(pattern, staging=staging, title=title, about="\n".join(about))
    settings = Settings(score, parameters, complete=True)
    return PatternList(
        (Entry(score.name, settings, line=1),), single=True, notes=tuple(notes.notes)
    )


def _hand_moves(document: Document, notes: _Notes) -> tuple[HandMoves | None, str]:
    """Return how hands move, as the last known `#globalStyle` command says, and their hand style.

    The style "cascade" is the usual movement and changes nothing.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        notes: a note is added for each style that this program does not have.

    Returns:
        The moves, None for the usual ones, and the name of the hand style that goes with them.
    """
    moves = None
    for command in document.commands:
        if command.name != "globalStyle":
            continue
        if command.text in HANDS:
            moves = read_hands(HANDS[command.text])
        elif command.text != "cascade":
            notes.add(f"#globalStyle {command.text[:30]}", command.line)
    return moves, IMPLIED_HAND_STYLE if moves else Staging().style


def _words(document: Document) -> list[str]:
    """Return the lines of the pattern's description, from comments.

    A file written by this program has it in comments that begin with "about:". In any other file it
    is all comments with words, except the title and commands that were commented out.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
    """
    our_comments = [
        match[1] for comment in document.comments if (match := _ABOUT.fullmatch(comment))
    ]
    other_comments = [
        comment
        for comment in document.comments
        if _WORDS.search(comment) and not comment.startswith("#")
    ]
    return our_comments or [comment for comment in other_comments if not _TITLE.fullmatch(comment)]


def _info(document: Document) -> list[str]:
    return [
        command.text for command in document.commands if command.name == "info" and command.text
    ]


def _parameters(document: Document, notes: _Notes) -> Mapping[str, float]:
    """Return the parameters `bps` [beats/s] and `dwell` [beats] that commands set.

    The last of several commands for a parameter counts. Values out of range are noted.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        notes: gets notes on values out of range.
    """
    # The parameter that each command sets, and the factor from the command's unit to that of the
    # parameter. A dwell ratio is a share of two beats, the time between the throws of a hand.
    parameter_of_command = {
        "bps": ("bps", 1.0),
        "bps10": ("bps", 0.1),
        "hurried": ("dwell", 1.0),
        "dwellRatio": ("dwell", 2.0),
    }
    parameters: dict[str, float] = {}
    for command in document.commands:
        if command.name not in parameter_of_command:
            continue
        key, factor = parameter_of_command[command.name]
        quantity = quantity_named(key)
        value = float(command.text[:20]) * factor
        if quantity.low <= value <= quantity.high:
            parameters[key] = round(value, 9)
        else:
            notes.add(f"#{command.name} {command.text[:20]}", command.line)
    return parameters


def _props(document: Document, timing: Timing, pattern: Pattern, notes: _Notes) -> PropStyle:
    """Return the kinds and colours of props that are set by commands.

    Commands number the props from 1 in the order of their first throws. Later commands override
    earlier ones.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        timing: with which hand jugglers begin; it decides on the numbers of props.
        pattern: pattern with the props.
        notes: gets notes on what cannot be shown.
    """
    order = PropOrder(pattern)
    count = len(order.firsts)
    # Lists by JoePass!'s numbers of props, less 1.
    kinds = ["ball"] * count
    colours: list[Colour | None] = [None] * count
    numbers = joepass_numbers(order, timing.starts)
    # The number that stands for full red, green or blue in the commands that follow.
    brightest = 1.0
    for command in document.commands:
        match command.name:
            case "objectCount" if whole_number(command.text, count) != count:
                notes.add(
                    _(
                        "#objectCount {number}, since {count} are thrown",
                        number=command.text[:9],
                        count=count,
                    ),
                    command.line,
                )
            case "objectColorRange":
                # Not 0, since colours are divided by it.
                brightest = max(float(command.text[:20]), 1e-9)
            case "objectColor":
                _apply_colour(command, colours, brightest, notes)
            case "objectKind":
                _apply_kind(command, kinds, notes)
    # From JoePass!'s order of props to ours.
    colours_by_prop = [colours[joepass_index] for joepass_index in numbers]
    return prop_style([kinds[joepass_index] for joepass_index in numbers], colours_by_prop)


def joepass_numbers(order: PropOrder, starts: Sequence[int]) -> list[int]:
    """Return the number of each prop in JoePass!, from 0.

    JoePass! numbers props by the time of their first throw, then by juggler, then by hand.

    Args:
        order: the props of a pattern as this program numbers them; `firsts` has the loop and the
            index of each prop's first throw.
        starts: the hand with which each juggler begins. It is written second in a pair, and so its
            props come second.
    """
    throws = order.pattern.throws

    def first_throw_key(prop: int) -> tuple[int, int, bool, int]:
        """Sort key of props; False comes before True."""
        loop, index = order.firsts[prop]
        throw = throws[index]
        time = throw.beat + loop * order.pattern.period
        return time, throw.juggler, throw.hand == starts[throw.juggler], index

    props_in_order = sorted(range(len(order.firsts)), key=first_throw_key)
    numbers = {prop: number for number, prop in enumerate(props_in_order)}
    return [numbers[prop] for prop in range(len(numbers))]


def _apply_colour(
    command: Command, colours: list[Colour | None], brightest: float, notes: _Notes
) -> None:
    """Apply `#objectColor` to the colours of props, in place.

    Args:
        command: such as `#objectColor 1 (1,0,0)`, which has any number of colours; one without a
            number is for all props.
        colours: the colours of the props, by their numbers less 1; updated.
        brightest: the value that stands for full red, green or blue.
        notes: gets a note on invisible props and on numbers beyond the last prop.
    """
    for digits, point in re.findall(rf"(?:(\d+)\s*:?\s*)?({POINT})", command.text):
        red, green, blue = (float(value) / brightest for value in re.findall(NUMBER, point))
        # JoePass! hides props of negative colours.
        if min(red, green, blue) < 0:
            notes.add(_("invisible props"), command.line)
            continue
        colour = (_byte(red), _byte(green), _byte(blue))
        # `digits` is empty where the number of the prop is left out.
        if not digits:
            colours[:] = [colour] * len(colours)
            continue
        # None for a number beyond the last prop.
        number = whole_number(digits, len(colours))
        if number:
            colours[number - 1] = colour
        else:
            notes.add(
                _(
                    "the colour of prop {number}, as {count} are thrown",
                    # No more digits than a line of the report has room for.
                    number=digits[:12],
                    count=len(colours),
                ),
                command.line,
            )


def _byte(part: float) -> float:
    """Return a colour component from 0 on, cut to 1 and rounded to a 255th as settings do."""
    return round(255 * min(part, 1.0)) / 255


def _apply_kind(command: Command, kinds: list[str], notes: _Notes) -> None:
    """Apply `#objectKind` to the kinds of props, in place.

    Args:
        command: its text has numbers of kinds, as `3` for all props or `1:3` for prop 1 alone.
        kinds: names of the kinds, such as "ball", by the number of the prop less 1; updated.
        notes: gets a note on each kind that is shown as another one.
    """
    for prop_digits, kind_digits in _KIND_OF_PROPS.findall(command.text):
        # Without the number of a prop, the kind is that of all props.
        props = range(len(kinds))
        if prop_digits:
            prop = whole_number(prop_digits, len(kinds))
            # A kind for a prop that does not exist is skipped.
            if not prop:
                continue
            props = range(prop - 1, prop)
        # Higher numbers count as kind 0.
        kind = whole_number(kind_digits, _LAST_KIND) or 0
        if kind not in _EXACT_KINDS:
            shortened = kind_digits[:_MAX_DIGITS_SHOWN]
            notes.add(_("props of kind {kind}", kind=shortened), command.line)
        for prop_index in props:
            kinds[prop_index] = KINDS.get(kind, "ball")


def _body(document: Document, pattern: Pattern, notes: _Notes) -> BodyMoves | None:
    """Return where the jugglers stand, from commands that name points or a layout of all.

    A juggler without a point stands where the layout has them, or else on a circle.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        pattern: the pattern, for its number of jugglers.
        notes: gets notes on positions that cannot be used.

    Returns:
        The positions and facing directions; None if commands name neither a point nor a layout.
    """
    jugglers = pattern.jugglers
    layout = ""
    # Numbers, from 1, of jugglers in the layout who face the opposite way.
    reversed_numbers = set()
    for command in document.commands:
        if command.name in LAYOUTS:
            layout = command.name
            reversed_numbers = {int(number) for number in re.findall(r"\d{1,4}", command.text)}
    places = _juggler_positions(document, jugglers, notes)
    if not places and not layout:
        return None
    # The setting `body` is made as a text: for each juggler an angle [degrees], and distances to
    # the right, forward and up [cm].
    texts = []
    for juggler in range(jugglers):
        place = places.get(juggler) or _place_in_layout(layout, juggler, jugglers)
        x, y, z = place.stands_at
        to_x, _to_y, to_z = place.looks_at
        # Angle about the vertical axis, counterclockwise from above, 0 along +z.
        angle = math.degrees(math.atan2(x - to_x, to_z - z))
        # A point states the direction itself.
        if juggler + 1 in reversed_numbers and juggler not in places:
            angle += 180
        numbers = (angle % 360, x, z, STANDING + y)
        texts.append(f"({','.join(decimals(number, 9) for number in numbers)}).")
    return read_body("|".join(texts))


def _juggler_positions(
    document: Document, jugglers: int, notes: _Notes
) -> dict[int, _JoepassPlace]:
    """Return the places that `#jugglerPosition` commands name, by the index of the juggler.

    A command has the number of a juggler from 1, the point where they stand, and the point at which
    they look: `#jugglerPosition 1: (-1,0,0) (1,0,0)`. The last command for a juggler counts.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        jugglers: number of jugglers.
        notes: gets notes on positions that cannot be used.
    """
    places: dict[int, _JoepassPlace] = {}
    for command in document.commands:
        if command.name != "jugglerPosition":
            continue
        for digits, position_text, target_text in re.findall(
            rf"(\d+)\s*:?\s*({POINT})\s*({POINT})", command.text
        ):
            # None or 0 if there is no such juggler.
            juggler = whole_number(digits, jugglers)
            # Of long numbers 20 characters are enough.
            coordinates = re.findall(NUMBER, position_text + target_text)
            x, y, z, to_x, to_y, to_z = (float(number[:20]) for number in coordinates)
            is_too_far = max(map(abs, (x, y, z, to_x, to_y, to_z))) > _MAX_DISTANCE
            has_no_direction = (x, z) == (to_x, to_z)
            if not juggler or is_too_far or has_no_direction:
                notes.add(_("the position of juggler {digits}", digits=digits[:9]), command.line)
            else:
                places[juggler - 1] = _JoepassPlace((x, y, z), (to_x, to_y, to_z))
    return places


class _JoepassPlace(NamedTuple):
    """Where a juggler stands, and the point at which they look, in the axes of JoePass!, [cm].

    Points are (x, y, z) with y up. On a plan seen from above, x is to the right and z to the top.
    """

    stands_at: Sequence[float]
    looks_at: Sequence[float]


def _place_in_layout(layout: str, juggler: int, jugglers: int) -> _JoepassPlace:
    """Return where a juggler stands in a layout, and a point at which they look, [cm].

    Args:
        layout: one of `LAYOUTS`; any other text is a circle.
        juggler: index of the juggler.
        jugglers: number of jugglers.
    """
    # The juggler's x in a line of all, whose middle is the origin.
    along = _NEIGHBOUR_DISTANCE * (juggler - (jugglers - 1) / 2)
    match layout:
        case "sideToSide":
            return _JoepassPlace((along, 0, 0), (along, 0, 1))
        case "line":
            return _JoepassPlace((along, 0, 0), (along - 1, 0, 0))
        case "dropbackLine":
            # The first stands a step back, and faces all others.
            if juggler == 0:
                x = along - _DROPBACK_STEP
                return _JoepassPlace((x, 0, 0), (x + 1, 0, 0))
            return _JoepassPlace((along, 0, 0), (along - 1, 0, 0))
        case "gorillaFeed":
            # The first faces a row of all others.
            if juggler == 0:
                return _JoepassPlace((0, 0, _NEIGHBOUR_DISTANCE), (0, 0, 0))
            x = _NEIGHBOUR_DISTANCE * (juggler - 1 - (jugglers - 2) / 2)
            return _JoepassPlace((x, 0, -_NEIGHBOUR_DISTANCE), (x, 0, 0))
        case "feed":
            # Two rows that face each other, with jugglers alternating between them, so that
            # neighbours in a row are two numbers apart.
            x = along / 2
            side = 1 if juggler % 2 == 0 else -1
            return _JoepassPlace((x, 0, side * _CIRCLE_RADIUS), (x, 0, 0))
    # On a circle, the first juggler at the smallest z; all look at its centre, or away from it.
    angle = 2 * math.pi * juggler / jugglers
    x = -math.sin(angle)
    z = -math.cos(angle)
    if layout == "backToBack":
        # A small circle, which grows with the number of jugglers.
        radius = _BACK_TO_BACK_RADIUS * jugglers
        return _JoepassPlace((radius * x, 0, radius * z), (2 * radius * x, 0, 2 * radius * z))
    return _JoepassPlace((_CIRCLE_RADIUS * x, 0, _CIRCLE_RADIUS * z), (0, 0, 0))


Delays = list[list[Fraction]]
"""For each juggler and hand, by how many beats the hand throws late."""

_DELAYED = re.compile(rf"(\d+)\s*((?:[lr]?\s*(?:{NUMBER}|=)\s*)+)", re.ASCII)

_SIDE_DELAYED = re.compile(rf"([lr]?)\s*({NUMBER}|=)", re.ASCII)

_LONGEST_DELAY = 9  # beats; more is a mistake

_MAX_REPETITIONS = 8
"""Repetitions of a document after which the hands have returned to an earlier state."""


@dataclass(frozen=True)
class Timing:
    """Settings of hands and time from the commands of a document.

    Args:
        starts: the hand with which each juggler begins.
        delays: the delays of each juggler's hands.
        adds_delay: whether the delay between two hands is added to the value of a pass (`#D +`). To
            a hand half a beat late, a pass written 3 then lasts 3.5 beats. Without it, a value is
            the duration itself: that pass has to be written 3.5.
        bounce_from: values from which on throws bounce; None for none.
    """

    starts: list[int]
    delays: Delays
    adds_delay: bool
    bounce_from: Fraction | None


class Interpretation(NamedTuple):
    """One way to understand a document where the format is ambiguous.

    JoePass! decides such cases by where the props happen to be, or by settings outside the file. A
    turn is a beat on which a hand may throw; a pair is a beat on which both hands throw.

    Attributes:
        star_hurries: whether a throw with a `*` is made by the hand that threw last; if not, by the
            hand whose turn it is.
        star_shortens: whether a throw with a `*` lands one beat early, as in `#mhn*`.
        keeps_turn_after_1x: whether the hand that throws a `1x` throws next, too; if not, the other
            hand does, as after other throws.
        other_hand_after_pair: whether the first single throw after a pair is made by the hand that
            is written second in the pair; if not, by the one written first. An empty beat between
            them exchanges the two.
        passes_to_hand_in_turn: whether a pass goes to the hand that throws when it lands; if not,
            to the hand that its value and its `x` tell.
    """

    star_hurries: bool
    star_shortens: bool
    keeps_turn_after_1x: bool
    other_hand_after_pair: bool
    passes_to_hand_in_turn: bool = False


class _Placed(NamedTuple):
    """A throw on a whole beat, by a hand and to a hand (LEFT or RIGHT), before delays."""

    beat: int
    juggler: int
    hand: int
    to_juggler: int
    to_hand: int
    throw: MarkedThrow


def read_timing(document: Document, name: str) -> Timing:
    """Read starting hands, delays and bounces from the commands of a document.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        name: the name of the file, for errors.

    Raises:
        FileError: a delay is beyond the limits.
    """
    jugglers = len(document.jugglers)
    # For each juggler the hand that begins, and the delays of both hands, [beats].
    starts = [RIGHT] * jugglers
    delays = [[Fraction(0)] * 2 for _ in range(jugglers)]
    adds_delay = True
    bounce_from = None
    for command in document.commands:
        match command.name:
            case "jugglerStartLeft":
                # Named twice, a juggler starts with the right hand again.
                for number in map(int, re.findall(r"\d{1,4}", command.text)):
                    if 1 <= number <= jugglers:
                        starts[number - 1] = _other_hand(starts[number - 1])
            case "jugglerDelay":
                for digits, sides in _DELAYED.findall(command.text):
                    # Negative if there is no such juggler.
                    juggler = (whole_number(digits, jugglers) or 0) - 1
                    if juggler >= 0:
                        _set_delays(
                            delays[juggler],
                            sides,
                            start=starts[juggler],
                            jugglers=jugglers,
                            place=f"{name}:{command.line}",
                        )
            case "delayMode":
                adds_delay = command.text == "+"
            case "bounceFrom":
                bounce_from = Fraction(command.text[:20])
    return Timing(starts, delays, adds_delay=adds_delay, bounce_from=bounce_from)


def _other_hand(hand: int) -> int:
    return LEFT if hand == RIGHT else RIGHT


def _set_delays(
    delays: list[Fraction], sides: str, *, start: int, jugglers: int, place: str
) -> None:
    """Set the delays of a juggler's hands, in place, from the text of a command.

    Args:
        delays: the delays of the left and the right hand, [beats]; updated.
        sides: such as "0.5" for both hands, or "r 0.5 l ="; = leaves a delay as it is.
        start: the hand with which the juggler begins, which "r" means.
        jugglers: number of jugglers, the likeliest denominator of fractions that were rounded.
        place: file and line, for messages.

    Raises:
        FileError: a delay below 0 or above 9 beats.
    """
    for side, written in _SIDE_DELAYED.findall(sides):
        if written == "=":
            continue
        # JoePass! also writes a plus, and a point without decimals.
        delay = read_delay(written.removeprefix("+").removesuffix("."), _LONGEST_DELAY, jugglers)
        if delay is None:
            raise FileError(_("{place}: this delay is out of range; use 0 to 9 beats", place=place))
        # The hand that begins is called the right one, whichever it is.
        hands_of_side = {"": (LEFT, RIGHT), "r": (start,), "l": (_other_hand(start),)}
        for hand in hands_of_side[side]:
            delays[hand] = delay


def place_joepass(document: Document, timing: Timing, name: str) -> tuple[Pattern, Interpretation]:
    """Place the throws of a document as a pattern, in the first interpretation that can be juggled.

    Hands take turns. A value of even whole beats is caught by the hand that throws, of odd ones by
    the other; an `x` reverses this, and so do different first hands of thrower and receiver.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        timing: starting hands and delays.
        name: the name of the file, for errors.

    Returns:
        The pattern, without a text, and the interpretation.

    Raises:
        FileError: the throws cannot be juggled, or exceed a limit; the message names the throw and
            its line.
    """
    _check_receivers(document, name)
    # If no interpretation can be juggled, report the error of the usual one.
    first_error: FileError | None = None
    for interpretation in _interpretations(document):
        try:
            return _placed_pattern(document, timing, interpretation, name), interpretation
        except FileError as error:
            first_error = first_error or error
    assert first_error is not None
    raise first_error


def _interpretations(document: Document) -> Iterator[Interpretation]:
    """Yield the possible interpretations of a document, the usual one first.

    The format leaves the meaning of a `*`, of a `1x`, and of single throws after pairs (beats on
    which both hands throw) to the state of the program that reads it.

    Args:
        document: only what occurs in its throws is interpreted in several ways.
    """
    # Which of these occur; `hurried` marks a throw with a `*`.
    has_star = any(throw.hurried for throw in document.throws)
    has_1x = any(throw.written.value == 1 and throw.written.crossing for throw in document.throws)
    is_mixed = any(len({len(beat.hands) for beat in beats}) > 1 for beats in document.jugglers)
    in_pairs = document.hands_in_pairs
    # Where hands take turns, a `*` lets one hand throw twice in succession. In pairs both hands
    # throw anyway, so a `*` means nothing there, or that the throw lands a beat early.
    usual = Interpretation(
        star_hurries=not in_pairs,
        star_shortens=False,
        keeps_turn_after_1x=True,
        other_hand_after_pair=False,
    )
    star_meanings = [False, True] if has_star and in_pairs else [False]
    for star_shortens in star_meanings:
        interpretation = usual._replace(star_shortens=star_shortens)
        yield interpretation
        if has_1x:
            yield interpretation._replace(keeps_turn_after_1x=False)
        if is_mixed:
            yield interpretation._replace(other_hand_after_pair=True)
    # Passes may also go to the hand that throws when they land, if there are several jugglers and
    # no pair.
    has_pair = any(len(beat.hands) > 1 for beats in document.jugglers for beat in beats)
    if len(document.jugglers) > 1 and not has_pair:
        yield usual._replace(star_hurries=True, passes_to_hand_in_turn=True)


def _check_receivers(document: Document, name: str) -> None:
    """Check that the receivers of all passes exist.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        name: the name of the file, for errors.

    Raises:
        FileError: a receiver does not exist.
    """
    jugglers = len(document.jugglers)
    for throw in document.throws:
        receiver = throw.written.receiver
        if receiver is not None and receiver > jugglers:
            reason = _("there is no juggler {receiver} to pass to", receiver=receiver)
            raise FileError(
                _(
                    "{name}:{line}: {reason}; a number from 1 to {jugglers}",
                    name=name,
                    line=throw.line,
                    reason=reason,
                    jugglers=jugglers,
                )
            )


def _placed_pattern(
    document: Document, timing: Timing, interpretation: Interpretation, name: str
) -> Pattern:
    """Return the pattern of a document in one interpretation of its ambiguous throws.

    Hands may be delayed by fractions of a beat. So each beat is divided into equal parts, the
    fewest with which all delays are whole numbers of parts.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        timing: starting hands and delays.
        interpretation: how to read ambiguous throws.
        name: the name of the file, for errors.

    Raises:
        FileError: the throws cannot be juggled in this interpretation, or are beyond the limits.
    """
    # A turn is a beat on which a hand throws: (beat, juggler, hand).
    placed, beats, turns = _unrolled(document, timing, interpretation)
    # Passes go to the hand that throws when they land, whichever hand the file names.
    if interpretation.passes_to_hand_in_turn:
        turns_of_loop = frozenset(turns)
        placed = [_to_hand_in_turn(timing, throw, turns_of_loop, beats) for throw in placed]

    division = _division(timing, name)
    period = beats * division

    def in_parts(beat: int, juggler: int, hand: int) -> int:
        """Return the time in the loop at which a hand throws on a beat, [parts of a beat]."""
        return int((beat + timing.delays[juggler][hand]) * division) % period

    # The throws in parts of beats, each with its line in the file, sorted by beat, juggler and
    # hand. Throws of value 0, empty hands, are left out.
    throws_and_lines: list[tuple[Throw, int]] = []
    for placed_throw in placed:
        beat, juggler, hand, to_juggler, to_hand, marked = placed_throw
        value = _value_in_beats(timing, interpretation, placed_throw, name)
        throw = Throw(
            in_parts(beat, juggler, hand),
            juggler,
            hand,
            int(value * division),
            to_juggler,
            to_hand,
            *_modifier(timing, marked.written),
        )
        if throw.value:
            throws_and_lines.append((throw, marked.line))
    throws_and_lines.sort(key=lambda throw_and_line: throw_and_line[0].turn)
    throws = tuple(throw for throw, _line in throws_and_lines)
    _check_props(sum(throw.value for throw in throws) // period, name)

    # A throw with an `h` is made by the hand whose turn it is not; this hand has a turn then, too.
    turns_in_parts = {
        (in_parts(beat, juggler, hand), juggler, hand) for beat, juggler, hand in turns
    }
    turns_in_parts |= {throw.turn for throw in throws}
    jugglers = len(document.jugglers)
    try:
        return Pattern(
            "",
            throws,
            period=period,
            written_period=period,
            jugglers=jugglers,
            division=division,
            turns=tuple(sorted(turns_in_parts)),
        )
    except PatternError as error:
        line = 1
        if error.throw is not None:
            _throw, line = throws_and_lines[error.throw]
        raise FileError(
            _(
                "{name}:{line}: {error}; on every beat, each hand must catch as many props as "
                "it throws",
                name=name,
                line=line,
                error=error,
            )
        ) from error


def _check_props(props: int, name: str) -> None:
    if props > MAX_PROPS:
        raise FileError(
            _(
                "{name}:1: this needs {props} props; the limit is {max_props}",
                name=name,
                props=props,
                max_props=MAX_PROPS,
            )
        )


def _division(timing: Timing, name: str) -> int:
    """Return the fewest parts of a beat in which all delays are whole numbers.

    Args:
        timing: the delays, in beats.
        name: the name of the file, for errors.

    Raises:
        FileError: too many parts.
    """
    division = lcm(*(delay.denominator for hands in timing.delays for delay in hands))
    if division > MAX_DIVISION:
        reason = _(
            "these delays divide each beat into {division} parts; the limit is {max_division}",
            division=division,
            max_division=MAX_DIVISION,
        )
        raise FileError(f"{name}:1: {reason}")
    return division


def _to_hand_in_turn(
    timing: Timing, placed: _Placed, turns: frozenset[Turn], beats: int
) -> _Placed:
    """Redirect a pass to the hand of its receiver that throws when the pass lands.

    A throw that is not a pass is returned unchanged, and so is a pass that lands when neither hand
    throws.

    A turn is a beat on which a hand throws or could throw.

    Args:
        timing: delays of all hands.
        placed: any throw.
        turns: beat, juggler and hand of all throws of the loop, without delays.
        beats: duration of the loop, [beats].
    """
    receiver = placed.to_juggler
    if receiver == placed.juggler:
        return placed
    # The hand as written is preferred.
    for hand in (placed.to_hand, _other_hand(placed.to_hand)):
        # Delay of the catching hand relative to the throwing one, [beats]. The value minus this
        # delay is the difference of the beat numbers of thrower and catcher.
        catch_delay = timing.delays[receiver][hand] - timing.delays[placed.juggler][placed.hand]
        value = _exact_value(timing, placed.throw.written, catch_delay)
        if value is None:
            continue
        catch_beat = (placed.beat + int(value - catch_delay)) % beats
        if (catch_beat, receiver, hand) in turns:
            return placed._replace(to_hand=hand)
    return placed


def _exact_value(timing: Timing, written: WrittenThrow, catch_delay: Fraction) -> Fraction | None:
    """Return the exact value of a throw: the time until the prop is thrown again, [beats].

    If `timing.adds_delay`, a pass written 3 to a hand half a beat late (`catch_delay` 1/2) lasts
    3.5 beats. Otherwise 3 would land between that hand's beats, and only 2.5, 3.5 and so on fit.

    Args:
        timing: its `adds_delay` decides about the delay between the hands.
        written: the throw.
        catch_delay: delay of the catching hand minus that of the throwing hand, [beats].

    Returns:
        The value; None if the throw would land between the beats of the catching hand.
    """
    if not timing.adds_delay:
        return fitted_value(written, catch_delay)
    value = fitted_value(written, Fraction(0))
    return None if value is None else value + catch_delay


def _value_in_beats(
    timing: Timing, interpretation: Interpretation, placed: _Placed, name: str
) -> Fraction:
    """Return the exact value of a throw: the time until the prop is thrown again, [beats].

    Args:
        timing: the delays of hands.
        interpretation: its `star_shortens` decides about a `*`.
        placed: the throw, with beat, hands and receiver.
        name: the name of the file, for errors.

    Raises:
        FileError: the throw lands between beats of its receiver, or before it is thrown.
    """
    _beat, juggler, hand, to_juggler, to_hand, marked = placed
    written = marked.written
    catch_delay = timing.delays[to_juggler][to_hand] - timing.delays[juggler][hand]
    value = _exact_value(timing, written, catch_delay)
    what = _("the {value:g} of juggler {juggler}", value=float(written.value), juggler=juggler + 1)
    if value is None:
        reason = _(
            "{what} lands between the beats of juggler {to_juggler}",
            what=what,
            to_juggler=to_juggler + 1,
        )
        raise FileError(
            _(
                "{name}:{line}: {reason}; a value that fits the delays",
                name=name,
                line=marked.line,
                reason=reason,
            )
        )
    # In `#mhn*`, where both hands throw on every beat, a prop thrown with a `*` lands a beat early.
    lands_early = interpretation.star_shortens and marked.hurried
    if lands_early and value > 0:
        value -= 1
    if value < 0:
        raise FileError(
            _(
                "{name}:{line}: {what} lands before it is thrown; a higher value, or smaller "
                "delays",
                name=name,
                line=marked.line,
                what=what,
            )
        )
    return value


def _modifier(timing: Timing, written: WrittenThrow) -> Modifier:
    """Return the modifier of a throw; high throws without a bounce of their own get a lift."""
    modifier = written.modifier
    is_high = timing.bounce_from is not None and written.value >= timing.bounce_from
    if is_high and not modifier.bounces:
        return modifier._replace(bounces=1, bounce_style="lift")
    return modifier


class _Loop(NamedTuple):
    """A loop of a document's throws.

    Attributes:
        placed: the throws.
        beats: duration of the loop, [beats].
        turns: beat, juggler and hand of each turn: of each time at which a hand throws.
    """

    placed: list[_Placed]
    beats: int
    turns: list[Turn]


def _unrolled(document: Document, timing: Timing, interpretation: Interpretation) -> _Loop:
    """Return one loop of a document: its throws, repeated until the state of the hands repeats.

    Args:
        document: the parsed file: its commands, and the beats of each juggler.
        timing: the hands with which jugglers begin.
        interpretation: how to read ambiguous throws.

    Returns:
        The loop; it begins with the first repetition whose state recurs.
    """
    jugglers = [
        _Hands(juggler, timing.starts, interpretation) for juggler in range(len(document.jugglers))
    ]
    beats_per_repetition = sum(beat.beats for beat in document.jugglers[0])
    # Which hand throws next depends on what was thrown before: the hands are a finite state
    # machine. The throws are repeated until a state recurs. `earlier_states` has the state before
    # each repetition.
    earlier_states: list[tuple[object, ...]] = []
    while (state := tuple(hands.state for hands in jugglers)) not in earlier_states and len(
        earlier_states
    ) < _MAX_REPETITIONS:
        earlier_states.append(state)
        for hands, beats in zip(jugglers, document.jugglers, strict=True):
            hands.throw_all(beats)
    # The loop begins with the repetition before which the recurring state was seen first. If no
    # state recurred within the limit, the last repetition alone is the loop.
    first = earlier_states.index(state) if state in earlier_states else len(earlier_states) - 1
    loop_start = first * beats_per_repetition
    period = (len(earlier_states) - first) * beats_per_repetition
    placed = [
        throw._replace(beat=throw.beat % period)
        for hands in jugglers
        for throw in hands.placed
        if throw.beat >= loop_start
    ]
    turns = [
        (beat % period, juggler, hand)
        for hands in jugglers
        for beat, juggler, hand in hands.turns
        if beat >= loop_start
    ]
    return _Loop(placed, period, turns)


class _Hands:
    """State machine of the hands of one juggler, which places throws beat by beat.

    Attributes:
        next_hand: the hand whose turn it is.
        first_of_pair: the hand that is written first in a pair.
        has_thrown: whether the juggler has thrown.
        after_pair: whether the last beat was a pair.
        beat: the current beat.
        placed: throws so far.
        turns: beat, juggler and hand of each turn on which `placed` has throws.
    """

    def __init__(self, juggler: int, starts: Sequence[int], interpretation: Interpretation) -> None:
        self.juggler = juggler
        self.starts = starts
        self.interpretation = interpretation
        self.next_hand = starts[juggler]
        self.first_of_pair = _other_hand(starts[juggler])
        self.has_thrown = False
        self.after_pair = False
        self.beat = 0
        self.placed: list[_Placed] = []
        self.turns: list[Turn] = []

    @property
    def state(self) -> tuple[int, int, bool]:
        return self.next_hand, self.first_of_pair, self.after_pair

    def throw_all(self, beats: Sequence[Beat]) -> None:
        """Place the throws of one repetition of the juggler's beats.

        Args:
            beats: all beats of the juggler.
        """
        for beat in beats:
            if len(beat.hands) == 2:
                self._place_pair(beat)
            else:
                self._place_single(beat)
            self.beat += beat.beats

    def _place_pair(self, beat: Beat) -> None:
        """Place the throws of both hands, and pass on the turn.

        Args:
            beat: the beat with the throws of both hands, and perhaps empty beats after it.
        """
        first_throws, second_throws = beat.hands
        self._add(self.first_of_pair, first_throws)
        self._add(_other_hand(self.first_of_pair), second_throws)
        # After a pair it is the turn of the hand that is written first. Each empty beat that
        # follows passes the turn to the other hand, and so does a switch, which also exchanges the
        # hands in later pairs.
        empty_beats = beat.beats - 1
        self.next_hand = self.first_of_pair
        if empty_beats % 2 == 1:
            self.next_hand = _other_hand(self.next_hand)
        if beat.switches:
            self.next_hand = _other_hand(self.next_hand)
            self.first_of_pair = _other_hand(self.first_of_pair)
        self.after_pair = True

    def _place_single(self, beat: Beat) -> None:
        """Place the throws of the hand whose turn it is, and pass on the turn.

        Args:
            beat: the beat with the throws of one hand.
        """
        (throws,) = beat.hands
        # In some interpretations the other hand continues after a pair.
        if self.after_pair and self.interpretation.other_hand_after_pair:
            self.next_hand = _other_hand(self.next_hand)
        self.after_pair = False
        # A hurried throw is made by the hand that threw last, if any hand has thrown.
        is_hurried = self.interpretation.star_hurries and any(throw.hurried for throw in throws)
        if is_hurried and self.has_thrown:
            self.next_hand = _other_hand(self.next_hand)
        if throws:
            self.has_thrown = True
        self._add(self.next_hand, throws)
        # The other hand is next, unless a `1x` keeps the turn. A switch reverses either case, so
        # the turn passes to the other hand if both apply or neither.
        first = throws[0].written if throws else None
        is_short_cross = first is not None and first.value == 1 and first.crossing
        keeps_turn = is_short_cross and self.interpretation.keeps_turn_after_1x
        if keeps_turn == beat.switches:
            self.next_hand = _other_hand(self.next_hand)

    def _add(self, hand: int, throws: Sequence[MarkedThrow]) -> None:
        """Append the throws of a hand on the current beat, with the hands that catch them.

        Args:
            hand: the hand whose turn it is. A throw with an `h` is made by the other hand, but its
                catching hand is still computed from this one.
            throws: the throws of a multiplex; empty if the hand throws nothing.
        """
        if throws:
            self.turns.append((self.beat, self.juggler, hand))
        for throw in throws:
            # Receivers beyond the last juggler go on around the circle.
            to_juggler = throw.receiver(self.juggler) % len(self.starts)
            # The hand that catches is the other one after an odd number of exchanges. There is one
            # for each beat of the value, for an x, and for different first hands.
            starts_differ = self.starts[to_juggler] != self.starts[self.juggler]
            exchanges = int(throw.written.value) + throw.written.crossing + starts_differ
            self.placed.append(
                _Placed(
                    beat=self.beat,
                    juggler=self.juggler,
                    hand=_other_hand(hand) if throw.other_hand else hand,
                    to_juggler=to_juggler,
                    to_hand=_other_hand(hand) if exchanges % 2 == 1 else hand,
                    throw=throw,
                )
            )
