"""The ladder diagram: a line for each hand, throws from line to line, and bars while hands hold
props.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.diagrams.drawing import (
    GREY,
    NODE_HEIGHT,
    PRINT_INK,
    WHITE,
    Colour,
    Diagram,
    Label,
    Mark,
    Pill,
    heading,
    node,
    prop_inks,
)
from juggle_anim.diagrams.time_layout import (
    DEFAULT_OPTIONS,
    DiagramOptions,
    HandLines,
    TimeLayout,
    TimePoint,
    hand_lines,
    hand_names,
)
from juggle_anim.diagrams.timeline import NO_PROP, Flight, Timeline

# Lengths are in [mm].
_BEAT_LENGTH = 11.0
_BETWEEN_HANDS = 22.0
_BETWEEN_JUGGLERS = 5.0
_PITCH = 4.9
_LINE = 0.25
_THROW = 0.55
_BAR = 2.0
_LEAST_BOW = 2.0
_BOW_PER_BEAT = 1.5
_MOST_BOW = 13.0
_ABOVE_BOW = 1.0
_SLANT = 0.22
_LETTERS = 2.8
_LETTER = 1.5
_WORD_AT = 4.0
_WORD_ROOM = 3.4
_THROWS_PER_HAND = 6


def ladder(
    score: Score, choreography: Choreography, options: DiagramOptions = DEFAULT_OPTIONS
) -> Diagram:
    """Draw the ladder diagram of a pattern: what happens when in the animation, with time along the
    page.

    Left hands are above right hands, or left of them where time runs down. Each prop has its colour
    all along.

    Args:
        score: what is juggled.
        choreography: of the score; its times are shown.
        options: direction, length and colours.

    Raises:
        ParameterError: the number of loops is below 1 or too large, or the loop is too long to be
            drawn.
    """
    timeline = Timeline.of(
        score, choreography, options.loops, _THROWS_PER_HAND * 2 * choreography.jugglers
    )
    lanes = Lanes(timeline, options.down)
    names = list(zip(lanes.lines.places, hand_names(choreography.jugglers), strict=True))
    layout = TimeLayout.of(
        timeline, options, _scale(timeline, lanes.pitch), lanes.lines.depth, names
    )
    colours = prop_inks(choreography, options.palette)
    return layout.diagram(
        *heading(score, choreography), list(_marks(timeline, layout, lanes, colours))
    )


class Lanes:
    """The positions of hands, and of the props in them, across a row."""

    def __init__(self, timeline: Timeline, down: bool) -> None:
        self.pitch = _PITCH
        if down:
            # Words then stand across the lines, side by side.
            self.pitch = max(
                [_PITCH, *(1.75 * len(flight.text) + 2.4 for flight in timeline.flights)]
            )
        hands = 2 * timeline.choreography.jugglers
        most_held = [1] * hands
        bows = [0.0] * hands
        for hold in timeline.holds:
            most_held[hold.hand] = max(most_held[hold.hand], hold.lane + 1)
        self._beat = (
            timeline.beat
            or timeline.choreography.duration / max(1, len(timeline.choreography.flights.throw)) * 2
        )
        for flight in timeline.flights:
            if flight.hand == flight.to_hand:
                bows[flight.hand] = max(bows[flight.hand], self.bow(flight) + _ABOVE_BOW)
        outside = [
            self.pitch * (most - 1) + max(bow, NODE_HEIGHT)
            for most, bow in zip(most_held, bows, strict=True)
        ]
        self.words = list(_apart(_words(timeline), _scale(timeline, self.pitch), down))
        for word in self.words:
            needed = self.pitch * word.lane + _WORD_AT + (word.width if down else _WORD_ROOM)
            outside[word.hand] = max(outside[word.hand], 0.0 if word.inward else needed)
        self.lines: HandLines = hand_lines(outside, _BETWEEN_HANDS, _BETWEEN_JUGGLERS)

    def across(self, hand: int, lane: int) -> float:
        """Return where a lane of a hand lies, [mm]: each next lane is farther out."""
        return self.lines.places[hand] + self.out(hand) * self.pitch * lane

    def bow(self, flight: Flight) -> float:
        """Return how far a throw to the same hand bows away from its line, [mm]."""
        return min(
            _LEAST_BOW + _BOW_PER_BEAT * (flight.caught - flight.thrown) / self._beat, _MOST_BOW
        )

    def beside(self, word: _Word) -> float:
        """Return where a word lies, [mm], inward of the line of its hand or outward of all that
        this holds.
        """
        side = -1 if word.inward else 1
        return (
            self.across(word.hand, 0 if word.inward else word.lane)
            + side * self.out(word.hand) * _WORD_AT
        )

    @staticmethod
    def out(hand: int) -> int:
        """Return the direction away from the juggler's other hand, −1 or 1."""
        return -1 if hand % 2 == 0 else 1


class _Word(NamedTuple):
    """What a hand does around the body: when [s], which hand, on which side of its line and beyond
    which lane.
    """

    time: float
    hand: int
    inward: bool
    lane: int
    text: str

    @property
    def width(self) -> float:
        """About how wide the word is, [mm]."""
        return _LETTER * len(self.text)


def _words(timeline: Timeline) -> list[_Word]:
    """The words of throws and catches around the body, in order of time, each where its arrow does
    not go.
    """
    events = timeline.choreography.events
    flights = timeline.choreography.flights
    found: dict[tuple[float, int], _Word] = {}
    for flight in timeline.flights if events.body_throw is not None else ():
        ends = (
            (flight.thrown, flight.hand, flight.to_hand, flight.lane, flights.throw),
            (flight.caught, flight.to_hand, flight.hand, flight.to_lane, flights.catch),
        )
        for time, hand, other, lane, numbers in ends:
            row = int(events.manners[numbers[flight.number], 1])
            if row and 0.0 <= time < timeline.span:
                inward = hand == other or (other > hand) == (Lanes.out(hand) > 0)
                # Of a multiplex, one word for all.
                same = found.get((time, hand))
                word = _Word(
                    time, hand, inward, lane, [*THROWS, *CATCHES][row - 1].partition("-")[0]
                )
                if same:
                    word = word._replace(inward=inward and same.inward, lane=max(lane, same.lane))
                found[time, hand] = word
    return [found[key] for key in sorted(found)]


def _apart(words: Iterable[_Word], scale: float, down: bool) -> Iterator[_Word]:
    """Yield words, those that would meet the one before on the other side of their line.

    Args:
        words: in order of time.
        scale: [mm/s].
        down: whether time runs down; then there is room only outward.
    """
    if down:
        yield from (word._replace(inward=False) for word in words)
        return
    ends: dict[tuple[int, bool], float] = {}
    for word in words:
        half = word.width / 2
        first = scale * word.time - half
        sides = (word.inward, not word.inward)
        side = next(
            (each for each in sides if ends.get((word.hand, each), -_WORD_ROOM) <= first),
            word.inward,
        )
        ends[word.hand, side] = scale * word.time + half
        yield word._replace(inward=side)


def _marks(
    timeline: Timeline, layout: TimeLayout, lanes: Lanes, colours: Sequence[Colour]
) -> Iterator[Mark]:
    for across in lanes.lines.places:
        yield from layout.curve([(0.0, across), (timeline.span, across)], GREY, _LINE)
    for flight in timeline.flights:
        yield from layout.curve(throw_curve(flight, lanes), colours[flight.prop], _THROW)
    for hold in timeline.holds:
        yield from layout.bar(
            hold.start, hold.end, lanes.across(hold.hand, hold.lane), colours[hold.prop], _BAR
        )
    for flight in timeline.flights:
        if at := layout.spot(flight.thrown, lanes.across(flight.hand, flight.lane)):
            yield from node(at, flight.text, colours[flight.prop])
    for rest in timeline.rests:
        if at := layout.spot(rest.time, lanes.across(rest.hand, rest.lane)):
            yield from node(at, rest.text, None if rest.prop == NO_PROP else colours[rest.prop])
    for word in lanes.words:
        across = lanes.beside(word)
        if at := layout.spot(word.time, across):
            align = _align(layout, across > lanes.lines.places[word.hand])
            shift = {"start": 0.5, "middle": 0.0, "end": -0.5}[align] * word.width
            # Arrows do not run through its letters.
            yield Pill((at[0] + shift, at[1]), word.width, _LETTERS, WHITE, round_ends=False)
            yield Label(at, word.text, _LETTERS, PRINT_INK, align)


def _align(layout: TimeLayout, beyond: bool) -> Literal["start", "middle", "end"]:
    """How a word beside the line of a hand is aligned, before it or beyond it."""
    return "middle" if not layout.down else "start" if beyond else "end"


def throw_curve(flight: Flight, lanes: Lanes) -> list[TimePoint]:
    """The curve of a throw: to the same hand it bows away from the line, any other leaves and
    arrives at a slant.
    """
    start = lanes.across(flight.hand, flight.lane)
    end = lanes.across(flight.to_hand, flight.to_lane)
    third = (flight.caught - flight.thrown) / 3
    if flight.hand == flight.to_hand:
        # A cubic comes ¾ as far as its inner points.
        bend = lanes.out(flight.hand) * lanes.bow(flight) * 4 / 3
        inner = start + bend, end + bend
    else:
        inner = start + _SLANT * (end - start), end - _SLANT * (end - start)
    return [
        (flight.thrown, start),
        (flight.thrown + third, inner[0]),
        (flight.caught - third, inner[1]),
        (flight.caught, end),
    ]


def _scale(timeline: Timeline, pitch: float) -> float:
    """The scale at which the nodes of one hand don't touch, [mm/s]."""
    if timeline.beat:
        widest = max((len(flight.text) for flight in timeline.flights), default=1)
        return max(_BEAT_LENGTH, 5.0 + 1.2 * widest) / timeline.beat
    throws = max(1, len(timeline.choreography.flights.throw))
    return (
        2
        * _BEAT_LENGTH
        * throws
        / (2 * timeline.choreography.jugglers * timeline.choreography.duration)
    )
