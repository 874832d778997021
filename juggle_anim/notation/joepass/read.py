"""Reading JoePass! files: from a document to a score."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from juggle_anim.choreography import BodyMoves, HandMoves, PropStyle, Score, Staging
from juggle_anim.language import _
from juggle_anim.notation.jif.props import PropOrder, prop_style
from juggle_anim.notation.joepass.document import Document, parse_joepass
from juggle_anim.notation.joepass.placement import Timing, place_joepass, read_timing
from juggle_anim.notation.joepass.syntax import LAYOUTS, NUMBER, POINT, Command
from juggle_anim.notation.numbers import decimals, whole_number
from juggle_anim.notation.pattern_list import Entry, Note, PatternList
from juggle_anim.notation.prechac.write import with_own_text
from juggle_anim.notation.settings.colours import Colour
from juggle_anim.notation.settings.moves import STANDING, STYLES, read_body, read_hands
from juggle_anim.notation.settings.settings import Settings
from juggle_anim.parameters import quantity_named
from juggle_anim.pattern import Pattern
from juggle_anim.text_settings import IMPLIED_HAND_STYLE

KINDS = {1: "club", 2: "club", 3: "ball", 4: "ring", 5: "ring"}
"""The kinds of props by JoePass!'s numbers: clubs, fishes, balls, rings and pancakes."""

HANDS = {"reverse": STYLES["outside"], "mills_mess": STYLES["Mills mess"]}
"""Our moves of hands for the styles of JoePass! that are among them."""

_EXACT_KINDS = (1, 3, 4)

_FARTHEST = 100_000.0  # cm

_TITLE = re.compile(r"title:\s*(.*)", re.IGNORECASE)

_ABOUT = re.compile(r"about: ?(.*)", re.IGNORECASE)

_WORDS = re.compile(r"[^\W_]")

# cm: of the circle, between neighbours, and of who drops back
_RADIUS = 200.0
_APART = 150.0
_STEP = 100.0


class _Notes:
    """What is not shown, each once for each line that says it."""

    def __init__(self) -> None:
        self.found: dict[Note, None] = {}

    def add(self, what: str, line: int = 0) -> None:
        self.found[Note(line, _("not shown: {what}", what=_(what)))] = None


def read_joepass(text: str, name: str = "JoePass!") -> PatternList:
    """Read a .pass file of JoePass!

    Throws with their hands, receivers, delays and bounces become the pattern; positions, colours
    and kinds of props, tempo and dwell its settings; comments are its description. What cannot be
    shown is noted with its line.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Returns:
        A list of one pattern.

    Raises:
        FileError: it is no such file, or no pattern; the text says on which line and why.
    """
    document = parse_joepass(text, name)
    timing = read_timing(document, name)
    placed, reading = place_joepass(document, timing, name)
    pattern = with_own_text(placed)
    notes = _Notes()
    if reading.shortens:
        notes.add(_("the values of throws with a *, which land a beat earlier"))
    if reading.by_turns:
        notes.add(
            _(
                "which hands passes go to, as these would be empty; they go to those whose turn "
                "it is"
            )
        )
    for what, line in document.unknown:
        notes.add(what, line)
    for command in document.late:
        notes.add(_("#{name} behind throws", name=command.name), command.line)
    hands, style = _hands(document, notes)
    body = _body(document, pattern, notes)
    props = _props(document, timing, pattern, notes)
    staging = Staging(hands, body, props, style)
    parameters = _parameters(document, notes)
    title = next(
        (found[1].strip() for words in document.comments if (found := _TITLE.fullmatch(words))), ""
    )
    about = [*_words(document), *_info(document)]
    score = Score(pattern, staging=staging, title=title, about="\n".join(about))
    settings = Settings(score, parameters, complete=True)
    return PatternList(
        (Entry(score.name, settings, line=1),), single=True, notes=tuple(notes.found)
    )


def _hands(document: Document, notes: _Notes) -> tuple[HandMoves | None, str]:
    """The moves of all hands, and the style that goes with them."""
    found = None
    for command in document.commands:
        if command.name != "globalStyle":
            continue
        if command.text in HANDS:
            found = read_hands(HANDS[command.text])
        elif command.text != "cascade":
            notes.add(f"#globalStyle {command.text[:30]}", command.line)
    return found, IMPLIED_HAND_STYLE if found else Staging().style


def _words(document: Document) -> list[str]:
    """The comments that say something in words, those that we wrote as they were."""
    ours = [found[1] for words in document.comments if (found := _ABOUT.fullmatch(words))]
    plain = [
        words for words in document.comments if _WORDS.search(words) and not words.startswith("#")
    ]
    return ours or [words for words in plain if not _TITLE.fullmatch(words)]


def _info(document: Document) -> list[str]:
    return [
        command.text for command in document.commands if command.name == "info" and command.text
    ]


def _parameters(document: Document, notes: _Notes) -> Mapping[str, float]:
    """Tempo and dwell. A dwell ratio is of two beats, the time between the throws of a hand."""
    found: dict[str, float] = {}
    for command in document.commands:
        said = {
            "bps": ("bps", 1.0),
            "bps10": ("bps", 0.1),
            "hurried": ("dwell", 1.0),
            "dwellRatio": ("dwell", 2.0),
        }
        if command.name not in said:
            continue
        key, factor = said[command.name]
        quantity = quantity_named(key)
        value = float(command.text[:20]) * factor
        if quantity.low <= value <= quantity.high:
            found[key] = round(value, 9)
        else:
            notes.add(f"#{command.name} {command.text[:20]}", command.line)
    return found


def _props(document: Document, timing: Timing, pattern: Pattern, notes: _Notes) -> PropStyle:
    """The kinds and colours of props. JoePass! numbers them from 1 in the order in which they are
    first thrown.
    """
    order = PropOrder(pattern)
    count = len(order.firsts)
    kinds = ["ball"] * count
    colours: list[Colour | None] = [None] * count
    numbers = joepass_numbers(order, timing.starts)
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
                brightest = max(float(command.text[:20]), 1e-9)
            case "objectColor":
                _colour(command, colours, brightest, notes)
            case "objectKind":
                _kind(command, kinds, notes)
    mine = [colours[number] for number in numbers]
    return prop_style([kinds[number] for number in numbers], mine)


def joepass_numbers(order: PropOrder, starts: Sequence[int]) -> list[int]:
    """For each prop its number in JoePass!, from 0: of a pair, the hand that is written first comes
    first.

    Args:
        order: the props of a pattern.
        starts: the hand with which each juggler begins.
    """
    throws = order.pattern.throws

    def turn(prop: int) -> tuple[int, int, bool, int]:
        loop, index = order.firsts[prop]
        throw = throws[index]
        time = throw.beat + loop * order.pattern.period
        return time, throw.juggler, throw.hand == starts[throw.juggler], index

    numbers = {
        prop: number for number, prop in enumerate(sorted(range(len(order.firsts)), key=turn))
    }
    return [numbers[prop] for prop in range(len(numbers))]


def _colour(
    command: Command, colours: list[Colour | None], brightest: float, notes: _Notes
) -> None:
    for digits, point in re.findall(rf"(?:(\d+)\s*:?\s*)?({POINT})", command.text):
        red, green, blue = (float(part) / brightest for part in re.findall(NUMBER, point))
        if min(red, green, blue) < 0:
            notes.add(_("props that cannot be seen"), command.line)
            continue
        colour = (_byte(red), _byte(green), _byte(blue))
        number = whole_number(digits, 10**9) if digits else None
        if number is None:
            colours[:] = [colour] * len(colours)
        elif 1 <= number <= len(colours):
            colours[number - 1] = colour
        else:
            notes.add(
                _(
                    "the colour of prop {number}, as {count} are thrown",
                    number=number,
                    count=len(colours),
                ),
                command.line,
            )


def _byte(part: float) -> float:
    """A part of a colour as settings write it."""
    return round(255 * min(part, 1.0)) / 255


def _kind(command: Command, kinds: list[str], notes: _Notes) -> None:
    for first, second in re.findall(r"(\d+)(?:\s*:\s*(\d+))?", command.text):
        kind = whole_number(second or first, 9) or 0
        if kind not in _EXACT_KINDS:
            notes.add(_("props of kind {second}", second=(second or first)[:9]), command.line)
        shown = KINDS.get(kind, "ball")
        number = whole_number(first, 10**9) if second else None
        if not second:
            kinds[:] = [shown] * len(kinds)
        elif number and number <= len(kinds):
            kinds[number - 1] = shown


def _body(document: Document, pattern: Pattern, notes: _Notes) -> BodyMoves | None:
    """Where jugglers stand: in a layout, or at points from which they look at others; x is to the
    right on a map.
    """
    jugglers = pattern.jugglers
    layout = ""
    backward = set()
    places: dict[int, tuple[list[float], list[float]]] = {}
    for command in document.commands:
        if command.name in LAYOUTS:
            layout = command.name
            backward = {int(number) for number in re.findall(r"\d{1,4}", command.text)}
        if command.name != "jugglerPosition":
            continue
        for digits, stand, look in re.findall(rf"(\d+)\s*:?\s*({POINT})\s*({POINT})", command.text):
            juggler = whole_number(digits, jugglers)
            at, seen = (
                [float(part[:20]) for part in re.findall(NUMBER, point)] for point in (stand, look)
            )
            if (
                not juggler
                or max(map(abs, (*at, *seen))) > _FARTHEST
                or (at[0], at[2]) == (seen[0], seen[2])
            ):
                notes.add(_("the position of juggler {digits}", digits=digits[:9]), command.line)
            else:
                places[juggler - 1] = at, seen
    if not places and not layout:
        return None
    texts = []
    for juggler in range(jugglers):
        at, seen = places.get(juggler) or _stand(layout, juggler, jugglers)
        turned = juggler + 1 in backward and juggler not in places
        angle = math.degrees(math.atan2(at[0] - seen[0], seen[2] - at[2])) + 180 * turned
        numbers = (angle % 360, at[0], at[2], STANDING + at[1])
        texts.append(f"({','.join(decimals(number, 9) for number in numbers)}).")
    return read_body("|".join(texts))


def _stand(layout: str, juggler: int, jugglers: int) -> tuple[list[float], list[float]]:
    """Where a juggler stands in a layout, and a point that is looked at, (x, y, z) in cm."""
    along = _APART * (juggler - (jugglers - 1) / 2)
    match layout:
        case "sideToSide":
            return [along, 0, 0], [along, 0, 1]
        case "line":
            return [along, 0, 0], [along - 1, 0, 0]
        case "dropbackLine":
            first = juggler == 0
            return [along - _STEP * first, 0, 0], [
                along - _STEP * first + (1 if first else -1),
                0,
                0,
            ]
        case "gorillaFeed":
            row = _APART * (juggler - 1 - (jugglers - 2) / 2)
            return ([0, 0, _APART], [0, 0, 0]) if juggler == 0 else ([row, 0, -_APART], [row, 0, 0])
        case "feed":
            x = _APART * (juggler - (jugglers - 1) / 2) / 2
            side = 1 if juggler % 2 == 0 else -1
            return [x, 0, side * _RADIUS], [x, 0, 0]
    angle = 2 * math.pi * juggler / jugglers
    x = -math.sin(angle)
    z = -math.cos(angle)
    if layout == "backToBack":
        return [10 * jugglers * x, 0, 10 * jugglers * z], [20 * jugglers * x, 0, 20 * jugglers * z]
    return [_RADIUS * x, 0, _RADIUS * z], [0, 0, 0]
