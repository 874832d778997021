"""What there is to tell of the throws of a diagram: whose hand, what, to whom, and from when to when."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.diagrams.course import NO_ORBIT, Course
from juggle_anim.diagrams.lines import hand_names


@dataclass(frozen=True)
class Told:
    """A throw, or a beat without one.

    Args:
        time: in the loop, [s].
        hand: 2 · juggler + side.
        text: as one writes it; empty where nobody counted beats.
        words: what it is.
        times: from when to when; empty of what does not fly.
    """

    time: float
    hand: int
    text: str
    words: str
    times: str = ""


@dataclass(frozen=True)
class DiagramThrows:
    """All throws of a loop.

    Args:
        told: each of them.
        jugglers: how many there are.
        loop: how long it is, [s].
    """

    told: tuple[Told, ...]
    jugglers: int
    loop: float

    @classmethod
    def of(cls, course: Course) -> DiagramThrows:
        """Those of one loop."""
        jugglers = course.choreography.jugglers
        names = hand_names(jugglers)
        told = []
        for each in course.flown:
            if 0.0 <= each.thrown < course.span:
                words = f"{names[each.hand]} throws {each.text}".rstrip() + f" to {names[each.to_hand]}"
                times = f"{each.thrown:.2f} s – {each.caught:.2f} s"
                told.append(Told(each.thrown, each.hand, each.text, _sentence(words), times))
        for beat in course.written:
            empty = beat.orbit == NO_ORBIT
            words = f"{names[beat.hand]} is empty" if empty else f"{names[beat.hand]} holds {beat.text}"
            told.append(Told(beat.time, beat.hand, beat.text, _sentence(words)))
        return cls(tuple(told), jugglers, course.span)

    def near(self, time: float, line: int, lines: int, text: str) -> list[Told]:
        """What a throw of a diagram is: one, or those of a hand that throws several at once.

        Args:
            time: at which it stands, in the loop, [s].
            line: the number of the line it stands on.
            lines: how many there are: one for each hand, or one for each juggler.
            text: what is written in it.
        """
        by_hand = lines == 2 * self.jugglers
        mine = [each for each in self.told if (each.hand if by_hand else each.hand // 2) == line]
        fitting = [each for each in mine if each.text == text] or [each for each in mine if each.text in text] or mine
        if not fitting:
            return []
        nearest = min(fitting, key=lambda each: self._apart(each.time, time))
        together = [
            each for each in fitting if each.hand == nearest.hand and self._apart(each.time, nearest.time) < _SAME
        ]
        return together if len(text) > len(nearest.text) else [nearest]

    def _apart(self, one: float, other: float) -> float:
        between = abs(one - other) % self.loop
        return min(between, self.loop - between)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


_SAME = 0.05  # s; what leaves a hand within it leaves together
