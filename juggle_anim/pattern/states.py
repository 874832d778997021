"""States of patterns: when the props that are already in the air will land."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from juggle_anim.pattern.pattern import Pattern, Throw, catching_hand, juggler_of_hand

Landings = tuple[tuple[int, ...], ...]
"""Props that land on each coming beat in each hand: shape (beats, 2 × jugglers), the left hand of a
juggler first.
"""


def state_at(pattern: Pattern, beat: int = 0) -> Landings:
    """The state of a pattern just before the throws of a beat: where and when its props land.

    A state says on which coming beats a prop is due in each hand. A landing schedule, as in B.
    Polster, The Mathematics of Juggling (Springer, 2003): since a throw is made wherever a prop
    lands, two patterns that share a state can follow one another.

    Args:
        pattern: a valid pattern.
        beat: any beat, counted from 0; beyond the period the states repeat.

    Returns:
        Number of props due in each hand (2 · juggler + side; 0 left, 1 right), for the given beat
        first, then for each coming one up to the last on which a prop is due; empty without props.
    """
    count_by_site: dict[tuple[int, int], int] = {}
    for throw in pattern.throws:
        # Beats since this throw was last made, from 1 to the period (the throw on the beat itself
        # is not yet made). It was also made one period before that, two periods and so on: all of
        # these that land on this beat or later are still in the air.
        beats_ago = (beat - throw.beat - 1) % pattern.period + 1
        for landing in range(throw.value - beats_ago, -1, -pattern.period):
            site = landing, catching_hand(throw)
            count_by_site[site] = count_by_site.get(site, 0) + 1
    beat_count = max((landing for landing, _ in count_by_site), default=-1) + 1
    hands = range(2 * pattern.jugglers)
    return tuple(
        tuple(count_by_site.get((landing, hand), 0) for hand in hands)
        for landing in range(beat_count)
    )


def states_of(pattern: Pattern) -> Iterator[Landings]:
    """Yield the state before the throws of each beat of a loop, as `state_at` does for one beat.

    A state has the counts of props that are due in each hand on each coming beat, the first of
    which is the beat itself. This is quicker than `state_at` for each beat, since each state
    follows from the one before.

    Args:
        pattern: the pattern; beats and values of its throws are in its parts of a beat.
    """
    throws_by_beat: list[list[Throw]] = [[] for _ in range(pattern.period)]
    for throw in pattern.throws:
        throws_by_beat[throw.beat].append(throw)
    nothing_due = (0,) * (2 * pattern.jugglers)
    due = [*state_at(pattern)]
    for throws in throws_by_beat:
        # A state ends with the last beat on which a prop is due.
        while due and due[-1] == nothing_due:
            due.pop()
        yield tuple(due)
        # One beat later: the first beat is over. Empty beats are added, so that the highest throw
        # of this beat has its place; then all its throws are added where they land.
        highest = max((throw.value for throw in throws), default=0)
        due = [*due[1:], *[nothing_due] * (highest - len(due) + 1)]
        for throw in throws:
            # Tuples cannot be changed, so the counts of the beat are put together anew.
            counts = due[throw.value - 1]
            hand = catching_hand(throw)
            due[throw.value - 1] = (*counts[:hand], counts[hand] + 1, *counts[hand + 1 :])


def write_state(pattern: Pattern, beat: int = 0) -> str:
    """The state as jugglers write it: one digit a beat, 1 where a prop lands and 0 where none does.

    A state says on which coming beats a prop is due in each hand. The next beat comes first; a
    digit above 1 is a multiplex to come. If one hand throws on each beat, as in a hand siteswap,
    there is one row of digits for all hands. Otherwise each hand has a row, the left hand of the
    first juggler first, for example `11,101`. In these rows, a digit stands for two beats where all
    throws are made and land on even beats. Where jugglers throw between each other's beats, each
    row counts the whole beats of its own juggler.

    Args:
        pattern: any pattern.
        beat: the beat before whose throws the state is, counted from 0.
    """
    return _writer(pattern)(state_at(pattern, beat), beat)


def written_states(pattern: Pattern) -> Iterator[str]:
    """The states before each beat of a loop, as `write_state` writes them."""
    write = _writer(pattern)
    return (write(landings, beat) for beat, landings in enumerate(states_of(pattern)))


def _writer(pattern: Pattern) -> Callable[[Landings, int], str]:
    """Return a function that writes a state of a pattern as text, given its landings and its beat.

    Landings are the counts of props due, on each coming beat (or part of one) in each hand. The
    text has a digit for each beat, in one row for all hands or, separated by commas, in a row for
    each hand. What can be decided for the pattern as a whole is decided here, once for all states.
    """

    def write_one_row(landings: Landings, _beat: int) -> str:
        """One row for all hands: the sum of their counts on each beat."""
        return _row([sum(counts) for counts in landings])

    def write_whole_beats(landings: Landings, beat: int) -> str:
        """A row for each hand, with only the whole beats of its juggler.

        These are every `division`-th part of a beat, from the juggler's next beat on.
        """
        rows = []
        for hand, counts in enumerate(zip(*landings, strict=True)):
            first = _parts_until_next_beat(pattern, juggler_of_hand(hand), beat)
            rows.append(_row(counts[first :: pattern.division]))
        return ",".join(rows)

    # Where all throws are made and land on even beats, odd beats are left out, unless an odd period
    # would make them even in the next loop.
    even = all(throw.beat % 2 == throw.value % 2 == 0 for throw in pattern.throws)
    step = 2 if even and pattern.period % 2 == 0 else 1

    def write_hands(landings: Landings, beat: int) -> str:
        """A row for each hand, with every beat or every even one; "0" where no prop is due."""
        first = beat % step  # beats until the first that is written
        rows = [_row(counts[first::step]) for counts in zip(*landings, strict=True)]
        return ",".join(rows) or "0"

    if _is_one_hand_a_beat(pattern):
        return write_one_row
    if pattern.division > 1:
        return write_whole_beats
    return write_hands


def _is_one_hand_a_beat(pattern: Pattern) -> bool:
    """Whether one hand throws on each beat, so that a state needs one row for all hands.

    This is the case for a hand siteswap, and for one juggler whose hands alternate.
    """
    return pattern.hand_siteswap is not None or (
        pattern.jugglers == 1
        and len({(throw.beat + throw.hand) % 2 for throw in pattern.throws}) <= 1
    )


def _parts_until_next_beat(pattern: Pattern, juggler: int, beat: int) -> int:
    """Parts of a beat from a given one until the juggler's next beat; 0 if it is one itself."""
    beats = (turn_beat for turn_beat, thrower, _hand in pattern.turns if thrower == juggler)
    return (next(beats, 0) - beat) % pattern.division


def _row(counts: list[int] | tuple[int, ...]) -> str:
    """The counts of the beats of one row as digits, without zeros at the end; "0" for none.

    A count of 10 or more is written as a number in braces.
    """
    digits = [str(count) if count < 10 else f"{{{count}}}" for count in counts]
    while digits and digits[-1] == "0":
        digits.pop()
    return "".join(digits) or "0"
