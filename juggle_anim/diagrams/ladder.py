"""The ladder: a line for each hand, throws from line to line, and bars while hands hold what they throw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from juggle_anim.choreography import Choreography, Score
from juggle_anim.diagrams.drawing import Colour, Diagram, Mark, Point
from juggle_anim.diagrams.nodes import GREY, NODE_HEIGHT, empty_node, heading, node, orbit_colours
from juggle_anim.diagrams.time_layout import LONGEST_ROW, HandLines, TimeLayout, hand_lines, hand_names
from juggle_anim.diagrams.timeline import NO_ORBIT, Flight, Rest, Timeline, loops_to_show
from juggle_anim.scene.palette import STANDARD, Palette


def ladder(
    score: Score,
    choreography: Choreography,
    down: bool = False,
    loops: int | None = None,
    longest: float = LONGEST_ROW,
    palette: Palette = STANDARD,
) -> Diagram:
    """The ladder diagram of a pattern: what really happens when, time along the page.

    Left hands are above right ones, or left of them where time runs down. Colours are of orbits.

    Args:
        score: what is juggled.
        choreography: of it, whose times are shown.
        down: whether time runs down, and not to the right.
        loops: how often the pattern is gone through; None for as often as it takes to be seen.
        longest: that a row may be, [mm].
        palette: colours of props that nobody chose.

    Raises:
        ParameterError: there are none, or too many, or the loop is too long to be drawn.
    """
    course = Timeline(
        score, choreography, loops_to_show(choreography, loops, _THROWS_OF_A_HAND * 2 * choreography.jugglers)
    )
    room, inks = _Room(course, down), orbit_colours(choreography, palette)
    staves = TimeLayout(
        loop=choreography.duration,
        loops=course.loops,
        scale=_scale(course, room.pitch),
        depth=room.lines.depth,
        beat=course.beat,
        names=list(zip(room.lines.places, hand_names(choreography.jugglers), strict=True)),
        down=down,
        longest=longest,
    )
    return staves.diagram(*heading(score, choreography), list(_marks(course, staves, room, inks)))


class _Room:
    """How much room there is across a row, and what lies where in it."""

    def __init__(self, course: Timeline, down: bool) -> None:
        self.pitch = _PITCH
        if down:
            # Words lie across the lines then, and side by side.
            self.pitch = max([_PITCH, *(1.75 * len(each.text) + 2.4 for each in course.flights)])
        hands = 2 * course.choreography.jugglers
        lanes, bows = [1] * hands, [0.0] * hands
        for stay in course.holds:
            lanes[stay.hand] = max(lanes[stay.hand], stay.lane + 1)
        self._beat = course.beat or course.choreography.duration / max(1, len(course.choreography.flights.throw)) * 2
        for each in course.flights:
            if each.hand == each.to_hand:
                bows[each.hand] = max(bows[each.hand], self.bow(each) + _ABOVE_BOW)
        outside = [self.pitch * (most - 1) + max(bow, NODE_HEIGHT) for most, bow in zip(lanes, bows, strict=True)]
        self.lines: HandLines = hand_lines(outside, _BETWEEN_HANDS, _BETWEEN_JUGGLERS)

    def across(self, hand: int, lane: int) -> float:
        """Where a lane of a hand lies: each further one is further out, [mm]."""
        return self.lines.places[hand] + self.out(hand) * self.pitch * lane

    def bow(self, each: Flight) -> float:
        """How far a throw to the same hand bends away from it, [mm]."""
        return min(_LEAST_BOW + _BOW * (each.caught - each.thrown) / self._beat, _MOST_BOW)

    @staticmethod
    def out(hand: int) -> int:
        """The direction away from the juggler's other hand."""
        return -1 if hand % 2 == 0 else 1


def _marks(course: Timeline, staves: TimeLayout, room: _Room, inks: Sequence[Colour]) -> Iterator[Mark]:
    for across in room.lines.places:
        yield from staves.curve([(0.0, across), (course.span, across)], GREY, _LINE)
    for each in course.flights:
        yield from staves.curve(_throw(each, room), inks[each.orbit], _THROW)
    for stay in course.holds:
        yield from staves.bar(stay.start, stay.end, room.across(stay.hand, stay.lane), inks[stay.orbit], _BAR)
    for each in course.flights:
        if at := staves.spot(each.thrown, room.across(each.hand, each.lane)):
            yield from node(at, each.text, inks[each.orbit])
    for held in course.rests:
        if at := staves.spot(held.time, room.across(held.hand, held.lane)):
            yield from _written(at, held, inks)


def _written(at: Point, held: Rest, inks: Sequence[Colour]) -> Iterator[Mark]:
    if held.orbit == NO_ORBIT:
        return empty_node(at, held.text)
    return node(at, held.text, inks[held.orbit])


def _throw(each: Flight, room: _Room) -> list[tuple[float, float]]:
    """A throw to the same hand bows away from its line; any other leaves and comes at a slant."""
    start, end = room.across(each.hand, each.lane), room.across(each.to_hand, each.to_lane)
    third = (each.caught - each.thrown) / 3
    if each.hand == each.to_hand:
        # A cubic reaches ¾ of the way to its inner points.
        bend = room.out(each.hand) * room.bow(each) * 4 / 3
        inner = start + bend, end + bend
    else:
        inner = start + _SLANT * (end - start), end - _SLANT * (end - start)
    return [(each.thrown, start), (each.thrown + third, inner[0]), (each.caught - third, inner[1]), (each.caught, end)]


def _scale(course: Timeline, pitch: float) -> float:
    """So long that nodes of one hand don't touch, [mm/s]."""
    if course.beat:
        widest = max((len(each.text) for each in course.flights), default=1)
        return max(_A_BEAT, 5.0 + 1.2 * widest) / course.beat
    throws = max(1, len(course.choreography.flights.throw))
    return 2 * _A_BEAT * throws / (2 * course.choreography.jugglers * course.choreography.duration)


_A_BEAT = 11.0
_BETWEEN_HANDS, _BETWEEN_JUGGLERS = 22.0, 5.0
_PITCH = 4.9
_LINE, _THROW, _BAR = 0.25, 0.55, 2.0
_LEAST_BOW, _BOW, _MOST_BOW, _ABOVE_BOW = 2.0, 1.5, 13.0, 1.0
_SLANT = 0.22
_THROWS_OF_A_HAND = 6
