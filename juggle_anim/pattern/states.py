"""States of patterns: when the props that are already in the air will land."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from juggle_anim.pattern.pattern import Pattern, Throw, catching_hand

Landings = tuple[tuple[int, ...], ...]
"""Props that land on each coming beat in each hand: shape (beats, 2 × jugglers), the left hand of a
juggler first.
"""


def state_at(pattern: Pattern, beat: int = 0) -> Landings:
    """The state of a pattern just before the throws of a beat, up to the last beat on which a prop
    lands.

    A landing schedule, as in B. Polster, The Mathematics of Juggling (Springer, 2003): since a
    throw is made wherever a prop lands, two patterns that share a state can follow one another.

    Args:
        pattern: a valid pattern.
        beat: any beat, counted from 0.
    """
    counts: dict[tuple[int, int], int] = {}
    for throw in pattern.throws:
        # Beats since this throw was last made, from 1 to the period; in loops before, it was made
        # more periods ago, and may still be in the air.
        beats_ago = (beat - throw.beat - 1) % pattern.period + 1
        for landing in range(throw.value - beats_ago, -1, -pattern.period):
            site = landing, catching_hand(throw)
            counts[site] = counts.get(site, 0) + 1
    beats = max((landing for landing, _ in counts), default=-1) + 1
    hands = range(2 * pattern.jugglers)
    return tuple(
        tuple(counts.get((landing, hand), 0) for hand in hands) for landing in range(beats)
    )


def states_of(pattern: Pattern) -> Iterator[Landings]:
    """The states before the throws of each beat of a loop, as `state_at` gives them."""
    throws_on: list[list[Throw]] = [[] for _ in range(pattern.period)]
    for throw in pattern.throws:
        throws_on[throw.beat].append(throw)
    nothing_due = (0,) * (2 * pattern.jugglers)
    due = [*state_at(pattern)]
    for throws in throws_on:
        while due and due[-1] == nothing_due:
            due.pop()
        yield tuple(due)
        # A beat later: as long as the highest throw needs, and with the throws of this beat.
        highest = max((throw.value for throw in throws), default=0)
        due = [*due[1:], *[nothing_due] * (highest - len(due) + 1)]
        for throw in throws:
            row = due[throw.value - 1]
            hand = catching_hand(throw)
            due[throw.value - 1] = (*row[:hand], row[hand] + 1, *row[hand + 1 :])


def write_state(pattern: Pattern, beat: int = 0) -> str:
    """The state as jugglers write it: one digit a beat, 1 where a prop lands and 0 where none does.

    A digit above 1 is a multiplex to come. Of a hand siteswap it is the state of the objects. Where
    several hands may throw on one beat each hand has a row of its own, the left hand of the first
    juggler first, as `11,101`; where all throws are pairs, a digit stands for two beats. Where
    jugglers throw between each other's beats, each row counts the beats of its own juggler.
    """
    return _writer(pattern)(state_at(pattern, beat), beat)


def written_states(pattern: Pattern) -> Iterator[str]:
    """The states before each beat of a loop, as `write_state` writes them."""
    write = _writer(pattern)
    return (write(landings, beat) for beat, landings in enumerate(states_of(pattern)))


def _writer(pattern: Pattern) -> Callable[[Landings, int], str]:
    """The function that writes a state of a pattern as text, given its landings and its beat."""
    if _is_one_hand_a_beat(pattern):
        # One row for all hands.
        return lambda landings, _: _row([sum(hands) for hands in landings])
    if pattern.division > 1:
        # A row for each hand, with the beats of its juggler.
        return lambda landings, beat: ",".join(
            _row(counts[_parts_until_next_beat(pattern, hand // 2, beat) :: pattern.division])
            for hand, counts in enumerate(zip(*landings, strict=True))
        )
    # A row for each hand. Where all throws are made and land on even beats, odd ones are left out.
    even = all(throw.beat % 2 == throw.value % 2 == 0 for throw in pattern.throws)
    step = 2 if even and pattern.period % 2 == 0 else 1
    return lambda landings, beat: (
        ",".join(_row(hand[beat % step :: step]) for hand in zip(*landings, strict=True)) or "0"
    )


def _is_one_hand_a_beat(pattern: Pattern) -> bool:
    """Whether one hand throws on each beat: of one juggler, the hands alternating, or as a hand
    siteswap says.
    """
    return pattern.hand_siteswap is not None or (
        pattern.jugglers == 1
        and len({(throw.beat + throw.hand) % 2 for throw in pattern.throws}) <= 1
    )


def _parts_until_next_beat(pattern: Pattern, juggler: int, beat: int) -> int:
    """Parts of a beat from one on until a juggler's next beat, 0 if that is it."""
    first_turn = next((turn[0] for turn in pattern.turns if turn[1] == juggler), 0)
    return (first_turn - beat) % pattern.division


def _row(counts: list[int] | tuple[int, ...]) -> str:
    """The counts of the beats of one row as digits, without zeros at the end; "0" for none."""
    digits = [str(count) if count < 10 else f"{{{count}}}" for count in counts]
    while digits and digits[-1] == "0":
        digits.pop()
    return "".join(digits) or "0"
