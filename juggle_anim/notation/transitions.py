"""Transitions as texts: two patterns and the throws between them in one siteswap, and Juggling
Lab's argument lines.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from juggle_anim.errors import NotationError, ParameterError, PatternError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.siteswap import read_siteswap, throw_text, write_throws
from juggle_anim.parameters import Result
from juggle_anim.pattern import (
    LEFT,
    RIGHT,
    Pattern,
    Throw,
    Transition,
    TransitionRules,
    Turn,
    find_transitions,
    grouped,
    state_at,
)

_FLAGS: dict[str, dict[str, Any]] = {
    "-mf": {"squeezes": True},
    "-mc": {"clusters": False},
    "-limits": {},
}
_SHAPE = N_("write A B, such as 5 771, and options after it: -m 2, -mf, -mc, -limits")
_MAX_MULTIPLEX = 10  # props that a hand may throw at once


@dataclass(frozen=True)
class JoinedPatterns(Result):
    """Two patterns, with the throws from one to the other and back.

    Args:
        pattern: all of it as one siteswap, such as `(3^2)4(51^2)2`.
        start: the first pattern, from where it is left.
        throws: the throws that lead into the second pattern; an `R` after them begins it with the
            right hand again.
        end: the second pattern, from where it is entered.
        back: the throws that lead back to the first.
        exit, entry: the beat on which the first pattern is left, and that on which the second is
            entered.
        length: duration of the throws from the first to the second, [beats].
    """

    pattern: str
    start: str
    throws: str
    end: str
    back: str
    exit: int
    entry: int
    length: int

    def __str__(self) -> str:
        """All of it as one siteswap, `pattern`."""
        return self.pattern

    siteswap = property(__str__)


@dataclass(frozen=True)
class TransitionLine:
    """The request of a line of arguments.

    Args:
        start, end: the patterns.
        rules: which throws are allowed.
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
    # The line is divided into words as a shell does, which fails if a quote is not closed.
    try:
        words = shlex.split(line) if isinstance(line, str) else list(line)
    except ValueError as error:
        raise NotationError(
            str(line), 0, _("Cannot read the line: {error}", error=error), _SHAPE
        ) from None
    text = " ".join(words)
    # A lone - is no pattern.
    has_two_words = len(words) >= 2
    if not has_two_words or "-" in words[:2]:
        index = 0 if has_two_words else len(text)
        raise NotationError(text, index, _("Give two patterns"), _SHAPE)

    # The options behind the two patterns, as arguments of `TransitionRules`.
    options = dict[str, Any](any_hand=True)
    remaining_words = iter(enumerate(words[2:], 2))
    for position, word in remaining_words:
        index = len(" ".join(words[:position])) + 1  # of the word in the text, for errors
        if word == "-m":
            # The next word is the number. If there is none, it is empty, and refused below.
            _position, number = next(remaining_words, (0, ""))
            if not number.isdecimal() or not 1 <= int(number) <= _MAX_MULTIPLEX:
                accepted = _(
                    "a number from 1 to {max_multiplex}, as in -m 2", max_multiplex=_MAX_MULTIPLEX
                )
                raise NotationError(
                    text, index, _("-m sets how many props a hand may throw at once"), accepted
                )
            options["multiplex"] = int(number)
        elif word in _FLAGS:
            options |= _FLAGS[word]
        else:
            raise NotationError(
                text,
                index,
                _("Unknown option {word}", word=word),
                did_you_mean(word, ["-m", *_FLAGS], _SHAPE),
            )
    limited = "-limits" not in words[2:]
    return TransitionLine(words[0], words[1], TransitionRules(**options), limited=limited)


def join_line(line: TransitionLine) -> Iterator[JoinedPatterns]:
    """Yield all transitions that Juggling Lab's transitioner lists, hand by hand, shortest first.

    They lead from the beginning of the first pattern to that of the second. The longest take as
    many beats as all props of the first pattern need to come down. Whether only 1000 are listed,
    `line.limited`, is left to the caller.

    Raises:
        NotationError: a text is not a valid siteswap.
        PatternError: no transition exists.
    """
    longest = len(state_at(read_siteswap(line.start)))
    for joined in join_patterns(
        line.start, line.end, line.rules, exits=[0], entries=[0], longest=longest, direct=True
    ):
        yield joined
        # The first is the shortest. If it takes no beats, the patterns follow one another without
        # throws, and longer ways are not listed.
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
        rules: which throws are allowed; None for no multiplexes except those of the patterns.
        exits: beats on which the first pattern may be left; None for all of a period.
        entries: beats on which the second pattern may be entered; None for all of a period.
        longest: also find longer transitions, up to this number of beats; None for the shortest
            only.
        direct: whether, among equally long transitions, those whose throws all land after the
            transition come first; else they are in lexicographic order.
        repeats: number of loops of each pattern in one round.

    Yields:
        The transitions with both patterns, in the order of `find_transitions`.

    Raises:
        NotationError: a text is not a valid siteswap.
        ParameterError: a number is not possible.
        PatternError: no transition exists.
    """
    if repeats < 1:
        raise ParameterError(_("repeats is {repeats}; it must be at least 1", repeats=repeats))
    rules = rules or TransitionRules()

    # Read both patterns, and check the ranges of the beats.
    first = read_siteswap(start)
    second = read_siteswap(end)
    if first.division > 1 or second.division > 1:
        raise PatternError(_("throws on parts of beats have no siteswap"))
    for text, pattern, beats in ((start, first, exits), (end, second, entries)):
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

    takes_turns = _takes_turns(first) and _takes_turns(second) and not rules.any_hand
    writer = _Writer(first, second, repeats=repeats, takes_turns=takes_turns)
    # None means that the second pattern may be entered with left and right hands swapped or not,
    # False that it may not be swapped. If hands take turns, texts do not name them, so both are
    # allowed; otherwise hands are fixed if both beats are given.
    mirrored = None if takes_turns or exits is None or entries is None else False
    for transition in find_transitions(
        first,
        second,
        rules,
        exits=exits,
        entries=entries,
        mirrored=mirrored,
        longest=longest,
        direct=direct,
    ):
        yield writer.joined(transition, rules)


class _Writer:
    """Writes two patterns with the throws from one to the other and back.

    Args:
        first, second: the patterns.
        repeats: number of times that each of them is juggled in one round.
        takes_turns: whether texts leave out which hand throws, since hands take turns.
    """

    def __init__(self, first: Pattern, second: Pattern, *, repeats: int, takes_turns: bool) -> None:
        self._first = first
        self._second = second
        self._jugglers = first.jugglers
        self._repeats = repeats
        self._takes_turns = takes_turns
        self._repeat_alike = _repeats_alike(first) and _repeats_alike(second)
        self._frames: dict[tuple[int, int, bool], _Frame] = {}

    def joined(self, transition: Transition, rules: TransitionRules) -> JoinedPatterns:
        """Write one round as a siteswap and in parts: patterns, transition, and the way back.

        Patterns and the way back are cached by the beats that the transition connects.

        Args:
            transition: the throws from the first pattern to the second.
            rules: which throws are allowed on the way back.
        """
        key = transition.exit, transition.entry, transition.mirrored
        if key not in self._frames:
            self._frames[key] = self._frame(transition, rules)
        frame = self._frames[key]
        throws = frame.write(transition)
        start = f"({frame.start}^{self._repeats})"
        end = f"({frame.end}^{self._repeats})"
        return JoinedPatterns(
            pattern=f"{start}{throws}{end}{frame.back}",
            start=frame.start,
            throws=throws,
            end=frame.end,
            back=frame.back,
            exit=transition.exit,
            entry=transition.entry,
            length=transition.length,
        )

    def _frame(self, transition: Transition, rules: TransitionRules) -> _Frame:
        """Write both patterns and the way back, the same for all transitions between two beats.

        Args:
            transition: any between these beats.
            rules: which throws are allowed on the way back.
        """
        # The shortest way back. Each pattern is written for whole loops, so the second is left on
        # the beat on which it is entered, and the first entered on the beat on which it is left.
        back = next(
            find_transitions(
                self._second,
                self._first,
                rules,
                exits=[transition.entry],
                entries=[transition.exit],
                mirrored=None if self._takes_turns else transition.mirrored,
                direct=True,
            )
        )

        # If hands take turns, values alone say everything.
        if self._takes_turns:
            return _Frame(
                start=_values_from(self._first, transition.exit),
                end=_values_from(self._second, transition.entry),
                back=self._throws_in_turn(back),
                write=self._throws_in_turn,
            )

        # If both patterns begin on their first beats and are not mirrored, their own texts can be
        # used, if these mean the same when they are repeated, or if no throws stand between them.
        begins = (transition.exit, transition.entry, transition.mirrored) == (0, 0, False)
        if begins and (self._repeat_alike or not (transition.length or back.length)):
            returned, _swapped = write_from_right(back.throws, back.length, self._jugglers)
            return _Frame(
                start=self._first.text,
                end=self._second.text,
                back=returned,
                write=self._throws_from_right,
            )

        # Otherwise letters say which hand throws. The way back was found for the second pattern
        # without swapped hands; if it is entered with swapped hands, so are the throws back.
        throws = [throw.mirrored for throw in back.throws] if transition.mirrored else back.throws
        return _Frame(
            start=_with_hands_from(self._first, transition.exit, mirrored=False),
            end=_with_hands_from(self._second, transition.entry, mirrored=transition.mirrored),
            back=write_throws(throws, (), back.length, self._jugglers, named=True),
            write=self._throws_with_hands,
        )

    def _throws_in_turn(self, transition: Transition) -> str:
        return _text_in_turn(transition.throws, transition.length, self._jugglers)

    def _throws_from_right(self, transition: Transition) -> str:
        throws, swapped = write_from_right(transition.throws, transition.length, self._jugglers)
        if not swapped:
            return throws
        right_hands = "R" if self._jugglers == 1 else f"<{'|'.join('R' * self._jugglers)}>"
        return throws + right_hands

    def _throws_with_hands(self, transition: Transition) -> str:
        return write_throws(transition.throws, (), transition.length, self._jugglers, named=True)


class _Frame(NamedTuple):
    """The properties shared by all transitions from one beat to another.

    Attributes:
        start, end: both patterns, from the beats where they are left and entered.
        back: the throws back to the first.
        write: writes the throws between the patterns.
    """

    start: str
    end: str
    back: str
    write: Callable[[Transition], str]


def _values_from(pattern: Pattern, beat: int) -> str:
    """Write a pattern from a beat on, where hands take turns."""
    beats = pattern.written_period
    if beat % beats == 0 and _stands_anywhere(pattern):
        return pattern.text
    throws, _unused = _rotated(pattern, beat)
    return _text_in_turn([throw for throw in throws if throw.beat < beats], beats, pattern.jugglers)


def _with_hands_from(pattern: Pattern, beat: int, *, mirrored: bool) -> str:
    """Write a pattern from a beat on with the hands that throw, perhaps swapped."""
    throws, turns = _rotated(pattern, beat)
    if mirrored:
        throws = [throw.mirrored for throw in throws]
        turns = [(turn_beat, juggler, 1 - hand) for turn_beat, juggler, hand in turns]
    return write_throws(throws, turns, pattern.period, pattern.jugglers, named=True)


def _takes_turns(pattern: Pattern) -> bool:
    """Return whether all right hands throw on the same beats, and all left hands on the others."""
    return len({(beat + hand) % 2 for beat, _, hand in pattern.turns}) <= 1


def _stands_anywhere(pattern: Pattern) -> bool:
    """Return whether the text of a pattern means the same after other throws."""
    return not set(pattern.text) & set("RL*?.") and pattern.text.startswith("<") is (
        pattern.jugglers > 1
    )


def _repeats_alike(pattern: Pattern) -> bool:
    """Return whether a pattern's text means the same again after itself, begun with right hands."""
    if set(pattern.text) & set("RL"):
        return False
    twice = read_siteswap(f"({pattern.text}^2)")
    folded = {throw._replace(beat=throw.beat % pattern.period) for throw in twice.throws}
    return folded == set(pattern.throws)


def _rotated(pattern: Pattern, first: int) -> tuple[list[Throw], list[Turn]]:
    """Return the throws and turns of one loop, with beats counted from `first` and sorted again."""
    throws = [
        throw._replace(beat=(throw.beat - first) % pattern.period) for throw in pattern.throws
    ]
    turns = [
        ((beat - first) % pattern.period, juggler, hand) for beat, juggler, hand in pattern.turns
    ]
    return sorted(throws, key=lambda throw: throw.turn), sorted(turns)


def _text_in_turn(throws: Sequence[Throw], beats: int, jugglers: int) -> str:
    """Write throws of hands that take turns, as if the right ones began."""
    if any((throw.beat + throw.hand) % 2 != RIGHT for throw in throws):
        throws = [throw.mirrored for throw in throws]
    turns = [
        (beat, juggler, (beat + RIGHT) % 2) for beat in range(beats) for juggler in range(jugglers)
    ]
    return write_throws(throws, turns, beats, jugglers)


def write_from_right(throws: Sequence[Throw], length: int, jugglers: int) -> tuple[str, bool]:
    """Write throws in the notation of Juggling Lab's transitioner, beginning with right hands.

    A letter precedes a throw of a hand whose turn it is not, and a `/` follows a pass. A pair lasts
    two beats if no juggler throws on the second one; otherwise one beat, with a `!`.

    Args:
        throws: the throws of a transition, in the order in which they are written.
        length: the length of the transition, in beats.
        jugglers: number of jugglers.

    Returns:
        The text, and whether a left hand of any juggler would have the next turn.
    """
    # Texts of the throws by turn: (beat, juggler, hand).
    texts_by_turn = grouped((throw.turn, throw_text(throw, jugglers)) for throw in throws)

    sides = [""] * jugglers
    next_hands = [RIGHT] * jugglers  # the hand whose turn is next, for each juggler
    beat = 0
    while beat < length:
        # A pair of any juggler takes two beats if nobody throws on the second.
        has_pair = any(
            (beat, juggler, LEFT) in texts_by_turn and (beat, juggler, RIGHT) in texts_by_turn
            for juggler in range(jugglers)
        )
        next_is_empty = beat + 1 < length and not any(
            turn_beat == beat + 1 for turn_beat, _juggler, _hand in texts_by_turn
        )
        duration = 2 if has_pair and next_is_empty else 1
        for juggler in range(jugglers):
            hands = [hand for hand in (LEFT, RIGHT) if (beat, juggler, hand) in texts_by_turn]
            texts = [_multiplex_text(texts_by_turn[beat, juggler, hand]) for hand in hands]
            if len(hands) == 2:
                pair = ",".join(text.rstrip("/") for text in texts)
                sides[juggler] += f"({pair}){'!' if duration == 1 else ''}"
            else:
                # One hand throws, or none, written as a 0. Another 0 fills the second beat if
                # another juggler's pair takes two.
                if hands and hands[0] != next_hands[juggler]:
                    next_hands[juggler] = hands[0]
                    sides[juggler] += "LR"[hands[0]]
                sides[juggler] += (texts[0] if texts else "0") + "0" * (duration - 1)
            # Hands alternate from beat to beat: after two beats the same hand has its turn.
            if duration == 1:
                next_hands[juggler] = 1 - next_hands[juggler]
        beat += duration

    # A / separates a pass from the next throw, so it is removed at the end of a side.
    text = "|".join(side.rstrip("/") for side in sides) if length else ""
    if jugglers > 1 and length:
        text = f"<{text}>"
    return text, LEFT in next_hands


def _multiplex_text(throws: Sequence[str]) -> str:
    """Write the throws of one hand on a beat; a `/` separates a pass from the text after it."""
    texts = [f"{text}/" if "p" in text else text for text in throws]
    if len(texts) == 1:
        return texts[0]
    return f"[{''.join(texts).rstrip('/')}]"
