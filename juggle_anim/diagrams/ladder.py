"""The ladder diagram: a line for each hand, throws from line to line, and bars while hands hold
props.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from juggle_anim.choreography import CATCHES, THROWS, Choreography, Score
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
    Point,
    Stroke,
    heading,
    node,
    prop_inks,
)
from juggle_anim.diagrams.timeline import (
    DEFAULT_OPTIONS,
    NO_PROP,
    DiagramOptions,
    Flight,
    HandLines,
    TimeLayout,
    Timeline,
    TimePoint,
    hand_lines,
    hand_names,
)

# Lengths are in [mm].
_BEAT_LENGTH = 11.0
_BETWEEN_HANDS = 22.0
_BETWEEN_JUGGLERS = 5.0
_LANE_PITCH = 4.9
_NODE_LETTER_WIDTH = 1.75
_NODE_END_ROOM = 2.4  # of both ends of a node beside another one
_LINE_WIDTH = 0.25
_THROW_WIDTH = 0.55
_BAR_WIDTH = 2.0
_LEAD_WIDTH = 0.4  # of the line from an early throw to its beat
_TICK_HALF_LENGTH = 1.6
_LEAST_BOW = 2.0
_BOW_PER_BEAT = 1.5
_MOST_BOW = 13.0
_ROOM_ABOVE_BOW = 1.0
_SLANT = 0.22  # share of the way across at the first inner point of a throw's curve
_WORD_FONT_SIZE = 2.8
_WORD_LETTER_WIDTH = 1.5
_WORD_DISTANCE = 4.0  # from a line, or from all that its hand holds
_WORD_ROOM = 3.4
_THROWS_PER_HAND = 6


def ladder(
    score: Score, choreography: Choreography, options: DiagramOptions = DEFAULT_OPTIONS
) -> Diagram:
    """Draw the ladder diagram of a pattern: throws, catches and holds, with time along the page.

    Left hands are above right hands, or left of them where time runs down. Each prop has its colour
    all along.

    Args:
        score: the pattern or events.
        choreography: choreography of the score; its times are shown.
        options: direction, length and colours.

    Raises:
        ParameterError: the number of loops is below 1 or too large, or the loop is too long to be
            drawn.
    """
    # By default, enough loops to show `_THROWS_PER_HAND` throws of each hand.
    timeline = Timeline.for_diagram(
        score,
        choreography,
        loops=options.loops,
        enough=_THROWS_PER_HAND * 2 * choreography.jugglers,
    )
    # Where hands, and props within a hand, are across time.
    lanes = Lanes(timeline, down=options.down)
    layout = TimeLayout.of_timeline(
        timeline,
        options,
        scale=_time_scale(timeline),
        depth=lanes.lines.depth,
        names=list(zip(lanes.lines.places, hand_names(choreography.jugglers), strict=True)),
    )
    colours = prop_inks(choreography, options.palette)
    title, subtitle = heading(score, choreography)
    return layout.diagram(title, subtitle, list(_marks(timeline, layout, lanes, colours)))


class Lanes:
    """The positions of hands, and of the props in them, across a row.

    Args:
        timeline: the timeline to draw.
        down: whether time runs down the page.

    Attributes:
        pitch: between two lanes of a hand, [mm].
        words: words of throws and catches around the body.
        lines: places of the lines of hands, by hand.
    """

    def __init__(self, timeline: Timeline, *, down: bool) -> None:
        """Place the lines of hands with space for lanes, curves of throws, and words.

        A hand has a straight line along time. A lane is a parallel to it: props that the hand holds
        at the same time have bars in different lanes.

        Args:
            timeline: flights, holds and empty hands over some loops, with their times.
            down: whether time runs down the page rather than along it.
        """
        self._timeline = timeline
        self.pitch = _lane_pitch(timeline, down=down)
        self.words = list(_without_overlap(_words(timeline), _time_scale(timeline), down=down))
        outside = self._room_outside()
        # A word on the outer side lies beyond the lane of its moment. It may lie over the curve of
        # a throw, as it has a ground of its own; so both share the room.
        for word in self.words:
            needed = self.pitch * word.lane + _WORD_DISTANCE + (word.width if down else _WORD_ROOM)
            if not word.inward:
                outside[word.hand] = max(outside[word.hand], needed)
        self.lines: HandLines = hand_lines(outside, between=_BETWEEN_HANDS, apart=_BETWEEN_JUGGLERS)

    def _room_outside(self) -> list[float]:
        """Return the room beyond the line of each hand, on the side away from the other hand, [mm].

        In it are the hand's lanes, which are parallels to its line, `pitch` apart, for props that
        are held at the same time. Beyond the last lane there is room for a node, the frame of a
        throw's value, or for the highest bow, the curve of a throw to the same hand.
        """
        hand_count = 2 * self._timeline.choreography.jugglers
        last_lanes = [0] * hand_count
        for hold in self._timeline.holds:
            last_lanes[hold.hand] = max(last_lanes[hold.hand], hold.lane)
        rooms = [NODE_HEIGHT] * hand_count
        for flight in self._timeline.flights:
            if flight.hand == flight.to_hand:
                rooms[flight.hand] = max(rooms[flight.hand], self.bow(flight) + _ROOM_ABOVE_BOW)
        return [self.pitch * lane + room for lane, room in zip(last_lanes, rooms, strict=True)]

    def across(self, hand: int, lane: int) -> float:
        """Return where a lane of a hand lies, [mm]: each next lane is farther out."""
        return self.lines.places[hand] + self.outward(hand) * self.pitch * lane

    def bow(self, flight: Flight) -> float:
        """Return how far a throw to the same hand bows away from its line, [mm]."""
        choreography = self._timeline.choreography
        # Without beats, twice the mean time between throws counts as a beat, [s].
        throw_count = max(1, len(choreography.flights.throw))
        beat = self._timeline.beat or choreography.duration / throw_count * 2
        flight_beats = (flight.catch_time - flight.throw_time) / beat
        return min(_LEAST_BOW + _BOW_PER_BEAT * flight_beats, _MOST_BOW)

    def across_of_word(self, word: _Word) -> float:
        """Return where a word lies across the row, [mm].

        It lies inward of the line of its hand, or outward of all that the hand holds.
        """
        if word.inward:
            return self.across(word.hand, 0) - self.outward(word.hand) * _WORD_DISTANCE
        return self.across(word.hand, word.lane) + self.outward(word.hand) * _WORD_DISTANCE

    @staticmethod
    def outward(hand: int) -> int:
        """Return the direction away from the juggler's other hand, −1 or 1."""
        return -1 if hand % 2 == 0 else 1


def _lane_pitch(timeline: Timeline, *, down: bool) -> float:
    """Return the distance between two lanes of a hand, [mm].

    Where time runs down the page, the nodes of throws at one moment are side by side across it, so
    that the widest one must fit a lane.
    """
    if not down:
        return _LANE_PITCH
    letter_count = max((len(flight.text) for flight in timeline.flights), default=0)
    return max(_LANE_PITCH, _NODE_LETTER_WIDTH * letter_count + _NODE_END_ROOM)


class _Word(NamedTuple):
    """A word for a throw or catch around the body, beside the line of a hand.

    Args:
        time: time of the throw or catch, [s].
        hand: 2·juggler + side.
        inward: whether it is on the side of the juggler's other hand.
        lane: the outermost lane of the hand then; outward it lies beyond this.
        text: the word.
    """

    time: float
    hand: int
    inward: bool
    lane: int
    text: str

    @property
    def width(self) -> float:
        """About how wide the word is, [mm]."""
        return _WORD_LETTER_WIDTH * len(self.text)


def _words(timeline: Timeline) -> list[_Word]:
    """Return the words of all throws and catches around the body, sorted by time and hand.

    On the ladder each hand has a straight line, and each throw a curve between two of them. A word
    such as "backcross" is on the side of its hand's line opposite to the curve of the throw. Props
    that a hand holds at one time are side by side, in lanes from 0 on, beside its line.

    Args:
        timeline: flights over some loops, and the events from which and to which they go.
    """
    events = timeline.choreography.events
    flights = timeline.choreography.flights
    if events.body_throw is None:
        return []  # nothing is thrown or caught around the body
    names = [*THROWS, *CATCHES]
    words: dict[tuple[float, int], _Word] = {}
    for flight in timeline.flights:
        throw_event = flights.throw[flight.index]
        catch_event = flights.catch[flight.index]
        # Both ends of the flight: event, time, hand, lane, and the hand at the other end.
        ends = (
            (throw_event, flight.throw_time, flight.hand, flight.lane, flight.to_hand),
            (catch_event, flight.catch_time, flight.to_hand, flight.to_lane, flight.hand),
        )
        for event, time, hand, lane, other_hand in ends:
            # The row in the table of throws and catches around the body, from 1; 0 for none.
            table_row = int(events.body_throw[event])
            if table_row and 0.0 <= time < timeline.span:
                # The word is opposite to the curve. A throw to the same hand bows outward; one to
                # another hand runs toward that hand, which is below if it has a greater number.
                inward = hand == other_hand or (other_hand > hand) == (Lanes.outward(hand) > 0)
                # Only the first part of a name, before a hyphen, is written.
                name, _hyphen, _end = names[table_row - 1].partition("-")
                # Throws of a multiplex (several at once) share one word.
                if earlier_word := words.get((time, hand)):
                    inward = inward and earlier_word.inward
                    lane = max(lane, earlier_word.lane)
                words[time, hand] = _Word(time, hand, inward=inward, lane=lane, text=name)
    return [words[key] for key in sorted(words)]


def _without_overlap(words: Iterable[_Word], scale: float, *, down: bool) -> Iterator[_Word]:
    """Yield words, each moved to the other side of its hand's line if it would overlap another one.

    If both sides are occupied, a word keeps its side.

    Args:
        words: words in order of time.
        scale: scale of time, [mm/s].
        down: whether time runs down the page; then all words go to the outer side.
    """
    if down:
        yield from (word._replace(inward=False) for word in words)
        return
    # Where the last word ends along time, by hand and side (whether inward), [mm].
    ends: dict[tuple[int, bool], float] = {}
    for word in words:
        half_width = word.width / 2
        start = scale * word.time - half_width
        # A side without words is free a little before the beginning, too.
        own_end = ends.get((word.hand, word.inward), -_WORD_ROOM)
        other_end = ends.get((word.hand, not word.inward), -_WORD_ROOM)
        inward = word.inward
        if own_end > start and other_end <= start:
            inward = not inward
        ends[word.hand, inward] = scale * word.time + half_width
        yield word._replace(inward=inward)


def _marks(
    timeline: Timeline, layout: TimeLayout, lanes: Lanes, colours: Sequence[Colour]
) -> Iterator[Mark]:
    """Yield the marks of a ladder, from back to front: hand lines, throws, holds, nodes and words.

    A ladder is the diagram of throws over time: a straight line for each hand, a curve for each
    throw. Props that a hand holds at the same time are in different lanes beside its line. A node
    is a circle with the value of a throw, of a held beat or of an empty hand (a rest).

    Args:
        timeline: flights, holds and empty hands over some loops, with their times.
        layout: converts times to places on the paper, row by row.
        lanes: places across time.
        colours: colours of the props.
    """
    for across in lanes.lines.places:
        # Widths of lines, throws and bars, and the size of words, are in [mm].
        yield from layout.curve([(0.0, across), (timeline.span, across)], GREY, _LINE_WIDTH)
    for flight in timeline.flights:
        yield from layout.curve(throw_curve(flight, lanes), colours[flight.prop], _THROW_WIDTH)
    for hold in timeline.holds:
        yield from layout.bar(
            hold.start, hold.end, lanes.across(hold.hand, hold.lane), colours[hold.prop], _BAR_WIDTH
        )
    for flight in timeline.flights:
        if flight.is_off_beat:
            # A tick where it leaves, and a line from there to its beat, where its value stands.
            across = lanes.across(flight.hand, flight.lane)
            lead = [(flight.throw_time, across), (flight.beat_time, across)]
            yield from layout.curve(lead, GREY, _LEAD_WIDTH)
            if release := layout.point_at(flight.throw_time, across):
                yield _tick(release, layout)
    for flight in timeline.flights:
        if centre := layout.point_at(flight.beat_time, lanes.across(flight.hand, flight.lane)):
            yield from node(centre, flight.text, colours[flight.prop])
    for rest in timeline.rests:
        if centre := layout.point_at(rest.time, lanes.across(rest.hand, rest.lane)):
            yield from node(centre, rest.text, None if rest.prop == NO_PROP else colours[rest.prop])
    for word in lanes.words:
        across = lanes.across_of_word(word)
        if anchor := layout.point_at(word.time, across):
            align = _alignment(layout, is_beyond=across > lanes.lines.places[word.hand])
            # A white ground, so that no curves run through its letters. A label is placed by its
            # start or end, the ground by its middle.
            shift = {"start": 0.5, "middle": 0.0, "end": -0.5}[align] * word.width
            x, y = anchor
            yield Pill((x + shift, y), word.width, _WORD_FONT_SIZE, WHITE, round_ends=False)
            yield Label((x, y), word.text, _WORD_FONT_SIZE, PRINT_INK, align=align)


def _tick(at: Point, layout: TimeLayout) -> Stroke:
    """Return a short line across time, around a place on the paper, [mm]."""
    x, y = at
    right, down = (_TICK_HALF_LENGTH, 0.0) if layout.down else (0.0, _TICK_HALF_LENGTH)
    return Stroke(((x - right, y - down), (x + right, y + down)), PRINT_INK, _THROW_WIDTH)


def _alignment(layout: TimeLayout, *, is_beyond: bool) -> Literal["start", "middle", "end"]:
    """Return how a word beside the line of a hand is aligned.

    Args:
        layout: says whether time runs down.
        is_beyond: whether the word is beyond the line across the row, rather than before it.
    """
    if not layout.down:
        return "middle"
    return "start" if is_beyond else "end"


def throw_curve(flight: Flight, lanes: Lanes) -> list[TimePoint]:
    """Return the cubic Bézier curve of a throw: time [s] and distance across [mm] of four points.

    A throw to the same hand bows away from the line; any other leaves and arrives at a slant.

    Args:
        flight: the throw.
        lanes: places across time.
    """
    start = lanes.across(flight.hand, flight.lane)
    end = lanes.across(flight.to_hand, flight.to_lane)
    third = (flight.catch_time - flight.throw_time) / 3
    if flight.hand == flight.to_hand:
        # In its middle a cubic is 3/4 as far from the line as its inner points are.
        bend = lanes.outward(flight.hand) * lanes.bow(flight) * 4 / 3
        first_inner = start + bend
        second_inner = end + bend
    else:
        # The first inner point of the curve has gone `_SLANT` of the way across.
        first_inner = start + _SLANT * (end - start)
        second_inner = end - _SLANT * (end - start)
    return [
        (flight.throw_time, start),
        (flight.throw_time + third, first_inner),
        (flight.catch_time - third, second_inner),
        (flight.catch_time, end),
    ]


def _time_scale(timeline: Timeline) -> float:
    """Scale of time at which the nodes of one hand don't touch each other, [mm/s].

    Without beats, an average throw of a hand has the length of two beats.
    """
    if timeline.beat:
        widest = max((len(flight.text) for flight in timeline.flights), default=1)
        return max(_BEAT_LENGTH, 5.0 + 1.2 * widest) / timeline.beat
    choreography = timeline.choreography
    throws = max(1, len(choreography.flights.throw))
    return _BEAT_LENGTH * throws / (choreography.jugglers * choreography.duration)
