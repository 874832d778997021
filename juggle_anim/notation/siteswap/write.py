"""Writing siteswaps: from pattern to text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter

from juggle_anim.errors import JuggleError, PatternError
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BEATS, MAX_LENGTH
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.syntax import modifier_text
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw, Turn, hand_text, value_text


def write_siteswap(pattern: Pattern, *, starred: bool = True) -> str:
    """Return a short siteswap from which `read_siteswap` reads the same throws and period.

    It may differ from the typed text: `531531` becomes `531`. Turns at which a hand throws nothing
    are kept if a candidate text has them all and the pattern has at most `_MAX_THROWS_COMPARED`
    throws.

    Args:
        pattern: the pattern with throws on whole beats.
        starred: whether a `*` may stand for the mirror image of the throws before it; if not, these
            are written out.

    Raises:
        PatternError: no siteswap says this: its beats are divided, or it is longer than a siteswap
            may be.
    """
    if pattern.division != 1:
        raise PatternError(
            _(
                "throws on parts of beats, {division} in each, have no siteswap",
                division=pattern.division,
            )
        )

    # Candidate texts are read back until one gives the same pattern. A text has at most MAX_BEATS
    # beats, or twice as many if the second half is the first with swapped hands.
    candidates = _candidates(pattern) if pattern.period <= 2 * MAX_BEATS else ()
    # `same_throws` is the first text with the same throws, but with other turns of empty hands.
    same_throws = ""
    # `read_siteswap` returns throws sorted by turn, so they are compared in this order.
    ordered = tuple(sorted(pattern.throws, key=attrgetter("turn")))
    expected = ordered, pattern.period, pattern.jugglers
    for text in candidates:
        if "*" in text and not starred:
            continue
        try:
            reread = read_siteswap(text)
        except JuggleError:
            continue
        if (reread.throws, reread.period, reread.jugglers) != expected:
            continue
        # If only the turns of empty hands differ, other candidates are tried, unless there are too
        # many throws to read them quickly.
        if reread.turns == pattern.turns or len(pattern.throws) > _MAX_THROWS_COMPARED:
            return text
        same_throws = same_throws or text
    if not same_throws:
        raise PatternError(
            _(
                "a siteswap for these {period} beats would have more than {max_length} characters",
                period=pattern.period,
                max_length=MAX_LENGTH,
            )
        )
    return same_throws


def write_throws(
    throws: Sequence[Throw],
    turns: Sequence[Turn],
    beats: int,
    jugglers: int = 1,
    *,
    named: bool = False,
) -> str:
    """Write some beats as a part of a siteswap, such as `66`, `(4,6x)` or `<3|4p>`.

    A turn is a beat on which a hand throws or could throw.

    Args:
        throws: throws on whole beats, from beat 0 on.
        turns: (beat, juggler, hand) for each time at which a hand could throw, even if it does not.
        beats: number of beats to write, from beat 0 on.
        jugglers: number of jugglers.
        named: whether the first single throw has a letter for its hand, L or R. Without it the
            right hand has the even beats.

    Returns:
        The text; empty for no beats.
    """
    if not beats:
        return ""
    grid = _Grid(throws, turns, jugglers)
    return grid.named(beats) if named else next(grid.texts(beats))


def throw_text(throw: Throw, jugglers: int = 1, division: int = 1) -> str:
    """Write one throw with flags and modifier, such as `5`, `4xp2`, `cBF` or `2.5p`.

    Args:
        throw: the throw with its value in parts of a beat; a beat has `division` parts.
        jugglers: number of jugglers; a pass between two needs no number of the receiver.
        division: number of parts of a beat; 1 for whole beats.
    """
    # On divided beats throws are written as in prechac notation: value, to three digits, and pass.
    if division > 1:
        return f"{throw.value / division:.3g}{'p' if throw.to_juggler != throw.juggler else ''}"
    # Odd values cross by themselves and even ones return; an x marks the opposite.
    crossing = "x" if (throw.hand + throw.value + throw.to_hand) % 2 else ""
    passed = ""
    if throw.to_juggler != throw.juggler:
        passed = "p" if jugglers == 2 else f"p{throw.to_juggler + 1}"
    flags = "x" if jugglers == 1 else "xp"
    return value_text(throw.value, flags) + crossing + passed + modifier_text(throw)


def _candidates(pattern: Pattern) -> Iterator[str]:
    """Yield texts, the shortest kinds first, some of which may stand for a pattern.

    The caller reads each of them, to see whether the result is the pattern. The last ones write out
    the whole period, so that one of them is the pattern if it is not too long.

    Args:
        pattern: throws on beats.
    """
    grid = _Grid(pattern.throws, pattern.turns, pattern.jugglers)
    for beats in _repeat_lengths(grid, pattern.period):
        times = pattern.period // beats
        for text in grid.texts(beats):
            if times <= 2:
                # Of two repeats the second may be the mirror image of the first. After an odd
                # number of single throws it is; otherwise a `*` says so, and ^2 that it is not.
                yield from (text, f"{text}*", f"({text}^{times})")
            else:
                half = times // 2
                yield from (
                    f"({text}^{half})",
                    f"({text}^{times})",
                    f"({text}^{half})*",
                    f"({text}*^{half})",
                )


def _repeat_lengths(grid: _Grid, period: int) -> list[int]:
    """Return numbers of beats whose throws, repeated, give the whole period.

    They are the fewest beats that repeat unchanged, the fewest that repeat with swapped hands, and
    the whole period, in ascending order.

    Args:
        grid: the throws of a whole period.
        period: period in beats.
    """
    # Lengths below the period that divide it, in ascending order.
    divisors = [beats for beats in range(1, period) if period % beats == 0]
    # If no shorter length repeats, the whole period is taken.
    plain = next(
        (beats for beats in divisors if grid.repeats(beats, period, swapped=False)), period
    )
    swapped = next(
        (beats for beats in divisors if grid.repeats(beats, period, swapped=True)), period
    )
    return sorted({plain, swapped, period})


class _Grid:
    """The throws of each hand on each beat, keyed (beat, juggler, hand)."""

    def __init__(self, throws: Sequence[Throw], turns: Sequence[Turn], jugglers: int) -> None:
        self.jugglers = jugglers
        throws_by_turn: dict[Turn, list[Throw]] = {turn: [] for turn in turns}
        for throw in throws:
            throws_by_turn.setdefault(throw.turn, []).append(throw)
        # Throws in a multiplex are divided, as a digit behind a pass would name its receiver.
        separator = " " if jugglers > 1 else ""
        self.text_by_turn = {
            turn: hand_text([throw_text(throw, jugglers) for throw in throws], separator)
            for turn, throws in throws_by_turn.items()
        }

    def repeats(self, beats: int, period: int, *, swapped: bool) -> bool:
        """Return whether all throws recur some beats later, with `swapped` by the other hands.

        Args:
            beats: how much later.
            period: number of beats of the loop.
            swapped: whether left and right hands are exchanged.
        """
        return all(
            self.text_by_turn.get(((beat + beats) % period, juggler, hand ^ swapped)) == text
            for (beat, juggler, hand), text in self.text_by_turn.items()
        )

    def texts(self, beats: int) -> Iterator[str]:
        """Yield texts of the first beats, all in different forms.

        First pairs of two beats, if nothing is on odd beats; then single throws and pairs mixed,
        without and with a letter for the first hand; last pairs of one beat each.
        """
        if beats % 2 == 0 and not any(beat % 2 for beat, *_unused in self.text_by_turn):
            yield self._sides(partial(self._pairs, beats, step=2))
        yield self._sides(partial(self._mixed, beats))
        yield self.named(beats)
        yield self._sides(partial(self._pairs, beats, step=1))

    def named(self, beats: int) -> str:
        """Write the first beats with a letter before each juggler's first single throw."""
        return self._sides(partial(self._mixed, beats, named=True))

    def _sides(self, side: Callable[[int], list[str]]) -> str:
        sides = [side(juggler) for juggler in range(self.jugglers)]
        joined = [_join_tokens(tokens, spaced=len(sides) > 1) for tokens in sides]
        return joined[0] if len(joined) == 1 else f"<{'|'.join(joined)}>"

    def _pairs(self, beats: int, juggler: int, step: int) -> list[str]:
        return [self._pair(beat, juggler, step) for beat in range(0, beats, step)]

    def _pair(self, beat: int, juggler: int, beats: int) -> str:
        left, right = (self.text_by_turn.get((beat, juggler, hand), "0") for hand in (LEFT, RIGHT))
        return f"({left},{right}){'!' if beats == 1 else ''}"

    def _mixed(self, beats: int, juggler: int, *, named: bool = False) -> list[str]:
        """Write a juggler's first beats as single throws, or as pairs where both hands throw.

        A turn is a beat on which a hand throws. If no letter says otherwise, single throws are made
        by right and left hands in turn, the right hand first.

        Args:
            beats: number of beats.
            juggler: index of the juggler.
            named: whether the first single throw always gets the letter of its hand; if not, only
                where needed.

        Returns:
            The texts of single throws and pairs, in order. A throw out of turn has the letter of
            its hand.
        """
        tokens: list[str] = []
        beat = 0
        # Whether right hands have their turns on even beats (0) or odd ones (1); None if unknown,
        # so that the first single throw gets a letter.
        right_parity = None if named else 0
        while beat < beats:
            hands = [hand for hand in (LEFT, RIGHT) if (beat, juggler, hand) in self.text_by_turn]
            duration = 1
            if len(hands) == 2:
                # A pair takes two beats if neither hand has a turn on the next one, which must be
                # among those written; else it takes one.
                next_is_empty = beat + 1 < beats and not any(
                    (beat + 1, juggler, hand) in self.text_by_turn for hand in hands
                )
                duration = 2 if next_is_empty else 1
                tokens.append(self._pair(beat, juggler, duration))
            elif hands:
                hand = hands[0]
                # If this hand has its turn now, a left one means that the right has the next beat.
                parity_now = beat % 2 if hand == RIGHT else (beat + 1) % 2
                # A hand out of turn gets its letter, and turns alternate from it.
                letter = "" if parity_now == right_parity else "LR"[hand]
                right_parity = parity_now
                tokens.append(letter + self.text_by_turn[beat, juggler, hand])
            else:
                tokens.append("0")
            beat += duration
        return tokens


def _join_tokens(tokens: list[str], *, spaced: bool) -> str:
    """Join throws and pairs of a siteswap, with spaces where two would otherwise be read as one.

    A digit right after a pass would be read as its receiver, and a capital letter right after a
    modifier as a part of that.

    Args:
        tokens: throws and pairs in order, all of them non-empty.
        spaced: whether there may be passes, so that a space goes before each throw. A pair begins
            with a bracket, which needs none.
    """
    text = ""
    for token in tokens:
        apart = (spaced and not token.startswith("(")) or (
            text[-1:].isupper() and token[0].isupper()
        )
        text += f" {token}" if apart and text else token
    return text


_MAX_THROWS_COMPARED = 500
"""For more throws than these, one text that has them will do."""
