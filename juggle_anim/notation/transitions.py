"""Transitions as texts: two patterns and the throws between them in one siteswap, and Juggling
Lab's argument lines.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from juggle_anim.errors import NotationError, ParameterError, PatternError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import throw_text, write_throws
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw, Turn
from juggle_anim.pattern.states import state_at
from juggle_anim.pattern.transitions import Transition, TransitionRules, find_transitions

_FLAGS: dict[str, dict[str, Any]] = {
    "-mf": {"squeezes": True},
    "-mc": {"clusters": False},
    "-limits": {},
}
_SHAPE = N_("a line is A B, such as 5 771, and options after it: -m 2, -mf, -mc, -limits")
_MAX_MULTIPLEX = 10


class JoinedPatterns(NamedTuple):
    """Two patterns that go over into one another.

    Attributes:
        pattern: all of it as one siteswap, such as `(3^2)4(51^2)2`.
        start: the first pattern, from where it is left.
        throws: what leads into the second one; an `R` after it begins that with the right hand
            again.
        end: the second pattern, from where it is entered.
        back: what leads back to the first.
        exit, entry: the beat on which the first pattern is left, and that on which the second is
            entered.
        length: of what leads from the first to the second, in beats.
    """

    pattern: str
    start: str
    throws: str
    end: str
    back: str
    exit: int
    entry: int
    length: int


@dataclass(frozen=True)
class TransitionLine:
    """What a line of arguments asks for.

    Args:
        start, end: the patterns.
        rules: what throws may be.
        limited: whether Juggling Lab stops after 1000 transitions.
    """

    start: str
    end: str
    rules: TransitionRules
    limited: bool = True


def read_transition_line(line: str | Sequence[str]) -> TransitionLine:
    """Read an argument line of Juggling Lab's transitioner.

    Args:
        line: two patterns and options, as `5 771 -m 2`, or its words. A pattern with spaces is
            quoted: `"<3p 3|3 3p>"`.

    Raises:
        NotationError: the line cannot be read.
    """
    try:
        words = shlex.split(line) if isinstance(line, str) else list(line)
    except ValueError as error:
        raise NotationError(
            str(line), 0, _("The line cannot be read: {error}", error=error), _SHAPE
        ) from None
    text = " ".join(words)
    if len(words) < 2 or "-" in words[:2]:
        raise NotationError(
            text, len(text) if len(words) < 2 else 0, _("Two patterns are needed"), _SHAPE
        )
    options = dict[str, Any](any_hand=True)
    limited = True
    rest = iter(enumerate(words[2:], 2))
    for place, word in rest:
        index = len(" ".join(words[:place])) + 1
        if word == "-m":
            number = next(rest, (0, ""))[1]
            if not number.isdecimal() or not 1 <= int(number) <= _MAX_MULTIPLEX:
                accepted = _(
                    "a number from 1 to {max_multiplex}, as in -m 2", max_multiplex=_MAX_MULTIPLEX
                )
                raise NotationError(
                    text, index, _("-m says how many props a hand may throw at once"), accepted
                )
            options["multiplex"] = int(number)
        elif word in _FLAGS:
            options |= _FLAGS[word]
            limited &= word != "-limits"
        else:
            raise NotationError(
                text,
                index,
                _("There is no option {word}", word=word),
                did_you_mean(word, ["-m", *_FLAGS], _SHAPE),
            )
    return TransitionLine(words[0], words[1], TransitionRules(**options), limited)


def join_line(line: TransitionLine) -> Iterator[JoinedPatterns]:
    """All transitions that Juggling Lab's transitioner lists: hand by hand, shortest first, also
    some longer ones.

    They lead from the beginning of the first pattern to that of the second. The longest take as
    many beats as all props of the first pattern need to come down.

    Raises:
        NotationError: a text is no valid siteswap.
        PatternError: no transition exists.
    """
    longest = len(state_at(read_siteswap(line.start)))
    for joined in join_patterns(
        line.start, line.end, line.rules, exits=[0], entries=[0], longest=longest, direct=True
    ):
        yield joined
        if not joined.length:
            return


def join_patterns(
    start: str,
    end: str,
    rules: TransitionRules | None = None,
    *,
    exits: Sequence[int] | None = None,
    entries: Sequence[int] | None = None,
    longest: int | None = None,
    direct: bool = False,
    repeats: int = 2,
) -> Iterator[JoinedPatterns]:
    """Find the shortest transitions between two patterns, each with the shortest throws back.

    Args:
        start, end: siteswaps.
        rules, exits, entries, longest, direct: as for `find_transitions`.
        repeats: how often each pattern is juggled in one round.

    Raises:
        NotationError: a text is no valid siteswap.
        ParameterError: a number is not possible.
        PatternError: no transition exists.
    """
    if repeats < 1:
        raise ParameterError(_("repeats is {repeats}, but must be at least 1", repeats=repeats))
    rules = rules or TransitionRules()
    one = read_siteswap(start)
    other = read_siteswap(end)
    if one.division > 1 or other.division > 1:
        raise PatternError(_("throws on parts of beats have no siteswap"))
    for text, pattern, beats in ((start, one, exits), (end, other, entries)):
        for beat in beats or ():
            if not 0 <= beat < pattern.period:
                raise ParameterError(
                    _(
                        "{text} has no beat {beat}; its beats are 0 to {period}",
                        text=text,
                        beat=beat,
                        period=pattern.period - 1,
                    )
                )
    turning = _takes_turns(one) and _takes_turns(other) and not rules.any_hand
    writer = _Writer(one, other, repeats, turning)
    sides = None if turning or exits is None or entries is None else False
    for found in find_transitions(
        one,
        other,
        rules,
        exits=exits,
        entries=entries,
        mirrored=sides,
        longest=longest,
        direct=direct,
    ):
        yield writer.joined(found, rules)


class _Writer:
    """Writes two patterns with what leads from the one to the other and back."""

    def __init__(self, one: Pattern, other: Pattern, repeats: int, turning: bool) -> None:
        self.patterns = (one, other)
        self.repeats = repeats
        self.turning = turning
        self.plain = _repeats_alike(one) and _repeats_alike(other)
        self.frames: dict[tuple[int, int, bool], _Frame] = {}

    def joined(self, found: Transition, rules: TransitionRules) -> JoinedPatterns:
        """One siteswap, and its parts."""
        key = found.exit, found.entry, found.mirrored
        if key not in self.frames:
            self.frames[key] = self._frame(found, rules)
        first, second, returned, write = self.frames[key]
        throws = write(found)
        text = f"({first}^{self.repeats}){throws}({second}^{self.repeats}){returned}"
        return JoinedPatterns(
            text, first, throws, second, returned, found.exit, found.entry, found.length
        )

    def _frame(self, found: Transition, rules: TransitionRules) -> _Frame:
        """What is the same for all transitions from one beat to another."""
        one, other = self.patterns
        side = None if self.turning else found.mirrored
        exits = [found.entry]
        entries = [found.exit]
        ways = find_transitions(
            other, one, rules, exits=exits, entries=entries, mirrored=side, direct=True
        )
        back = next(ways)
        if self.turning:
            first = self._values(0, found.exit)
            second = self._values(1, found.entry)
            return (
                first,
                second,
                _in_turn(back.throws, back.length, one.jugglers),
                self._throws_in_turn,
            )
        begins = (found.exit, found.entry, found.mirrored) == (0, 0, False)
        if begins and (self.plain or not (found.length or back.length)):
            returned, _unused = write_from_right(back.throws, back.length, one.jugglers)
            return one.text, other.text, returned, self._throws_from_right
        throws = _mirror(back.throws, ())[0] if found.mirrored else back.throws
        returned = write_throws(throws, (), back.length, one.jugglers, named=True)
        first = self._named(0, found.exit, False)
        second = self._named(1, found.entry, found.mirrored)
        return first, second, returned, self._named_throws

    def _throws_in_turn(self, found: Transition) -> str:
        return _in_turn(found.throws, found.length, self.patterns[0].jugglers)

    def _throws_from_right(self, found: Transition) -> str:
        jugglers = self.patterns[0].jugglers
        throws, swapped = write_from_right(found.throws, found.length, jugglers)
        return throws + ("R" if jugglers == 1 else f"<{'|'.join('R' * jugglers)}>") * swapped

    def _named_throws(self, found: Transition) -> str:
        return write_throws(found.throws, (), found.length, self.patterns[0].jugglers, named=True)

    def _values(self, which: int, beat: int) -> str:
        """A pattern from a beat on, where hands take turns."""
        pattern = self.patterns[which]
        beats = pattern.written_period
        if beat % beats == 0 and _stands_anywhere(pattern):
            return pattern.text
        throws, _unused = _from_beat(pattern, beat)
        return _in_turn([throw for throw in throws if throw.beat < beats], beats, pattern.jugglers)

    def _named(self, which: int, beat: int, mirrored: bool) -> str:
        """A pattern from a beat on with the hands that throw, perhaps swapped."""
        pattern = self.patterns[which]
        throws, turns = _from_beat(pattern, beat)
        if mirrored:
            throws, turns = _mirror(throws, turns)
        return write_throws(throws, turns, pattern.period, pattern.jugglers, named=True)


_Frame = tuple[str, str, str, Callable[[Transition], str]]
"""Both patterns and the throws back as texts, and what writes the throws between the patterns."""


def _takes_turns(pattern: Pattern) -> bool:
    """Whether all right hands throw on the same beats, and all left hands on the others."""
    return len({(beat + hand) % 2 for beat, _, hand in pattern.turns}) <= 1


def _stands_anywhere(pattern: Pattern) -> bool:
    """Whether the text of a pattern means the same after other throws."""
    return not set(pattern.text) & set("RL*?.") and pattern.text.startswith("<") is (
        pattern.jugglers > 1
    )


def _repeats_alike(pattern: Pattern) -> bool:
    """Whether the text of a pattern means the same again after itself, and begins with right
    hands.
    """
    if set(pattern.text) & set("RL"):
        return False
    whole = read_siteswap(f"({pattern.text}^2)")
    return {throw._replace(beat=throw.beat % pattern.period) for throw in whole.throws} == set(
        pattern.throws
    )


def _from_beat(pattern: Pattern, first: int) -> tuple[list[Throw], list[Turn]]:
    """The throws and turns of one loop, counted from a beat on."""
    throws = [
        throw._replace(beat=(throw.beat - first) % pattern.period) for throw in pattern.throws
    ]
    turns = [
        ((beat - first) % pattern.period, juggler, hand) for beat, juggler, hand in pattern.turns
    ]
    return sorted(throws, key=lambda throw: throw[:3]), sorted(turns)


def _mirror(throws: Sequence[Throw], turns: Sequence[Turn]) -> tuple[list[Throw], list[Turn]]:
    swapped = [throw._replace(hand=1 - throw.hand, to_hand=1 - throw.to_hand) for throw in throws]
    return swapped, [(beat, juggler, 1 - hand) for beat, juggler, hand in turns]


def _in_turn(throws: Sequence[Throw], beats: int, jugglers: int) -> str:
    """Throws of hands that take turns, as if the right ones began."""
    if any((throw.beat + throw.hand) % 2 != RIGHT for throw in throws):
        throws, _unused = _mirror(throws, ())
    turns = [
        (beat, juggler, (beat + RIGHT) % 2) for beat in range(beats) for juggler in range(jugglers)
    ]
    return write_throws(throws, turns, beats, jugglers)


def write_from_right(throws: Sequence[Throw], length: int, jugglers: int) -> tuple[str, bool]:
    """Throws as Juggling Lab's transitioner writes them, after throws that end with left hands.

    A letter stands where it is not the turn of a hand, a `/` after a pass. A pair lasts two beats
    if none of the jugglers throws on the second, and else one, with a `!`.

    Args:
        throws: of a transition, in the order in which they are written.
        length: in beats.
        jugglers: how many.

    Returns:
        The text, and whether it would be the turn of a left hand after it.
    """
    sites: dict[Turn, list[str]] = {}
    for throw in throws:
        sites.setdefault(throw[:3], []).append(throw_text(throw, jugglers))
    sides = [""] * jugglers
    turns = [RIGHT] * jugglers
    beat = 0
    while beat < length:
        pairs = any(
            (beat, juggler, LEFT) in sites and (beat, juggler, RIGHT) in sites
            for juggler in range(jugglers)
        )
        following = any(site[0] == beat + 1 for site in sites) if beat + 1 < length else True
        lasting = 2 if pairs and not following else 1
        for juggler in range(jugglers):
            hands = [hand for hand in (LEFT, RIGHT) if (beat, juggler, hand) in sites]
            texts = [_hand_text(sites[beat, juggler, hand]) for hand in hands]
            if len(hands) == 2:
                sides[juggler] += (
                    f"({','.join(text.rstrip('/') for text in texts)}){'!' if lasting == 1 else ''}"
                )
            else:
                letter = "LR"[hands[0]] if hands and hands[0] != turns[juggler] else ""
                turns[juggler] = hands[0] if hands else turns[juggler]
                sides[juggler] += letter + (texts[0] if texts else "0") + "0" * (lasting - 1)
            turns[juggler] = turns[juggler] ^ lasting % 2
        beat += lasting
    text = "|".join(side.rstrip("/") for side in sides)
    return (f"<{text}>" if jugglers > 1 and length else text if length else ""), any(
        turn == LEFT for turn in turns
    )


def _hand_text(throws: Sequence[str]) -> str:
    """What one hand throws at once; a `/` keeps a pass from what follows."""
    texts = [f"{text}/" if "p" in text else text for text in throws]
    return f"[{''.join(texts).rstrip('/')}]" if len(texts) > 1 else texts[0]
