"""States: when the props that are already in the air will land."""

from __future__ import annotations

from juggle_anim.pattern.pattern import Pattern

Landings = tuple[tuple[int, ...], ...]
"""Props that land on each coming beat in each hand: shape (beats, 2 × jugglers), the left hand of a juggler first."""


def state_at(pattern: Pattern, beat: int = 0) -> Landings:
    """The state of a pattern just before the throws of a beat, up to the last beat on which a prop lands.

    A landing schedule, as in B. Polster, The Mathematics of Juggling (Springer, 2003): since a throw is made wherever a
    prop lands, two patterns that share a state can follow one another.

    Args:
        pattern: a valid pattern.
        beat: any beat, counted from 0.
    """
    found: dict[tuple[int, int], int] = {}
    for throw in pattern.throws:
        ago = (beat - throw.beat - 1) % pattern.period + 1
        for landing in range(throw.value - ago, -1, -pattern.period):
            site = landing, 2 * throw.to_juggler + throw.to_hand
            found[site] = found.get(site, 0) + 1
    beats = max((landing for landing, _ in found), default=-1) + 1
    hands = range(2 * pattern.jugglers)
    return tuple(tuple(found.get((landing, hand), 0) for hand in hands) for landing in range(beats))


def write_state(pattern: Pattern, beat: int = 0) -> str:
    """The state as jugglers write it: one digit a beat, 1 where a prop lands and 0 where none does.

    A digit above 1 is a multiplex to come. Where several hands may throw on one beat each hand has a row of its own,
    the left hand of the first juggler first, as `11,101`; where all throws are pairs, a digit stands for two beats.
    Where jugglers throw between each other's beats, each row counts the beats of its own juggler.
    """
    landings = state_at(pattern, beat)
    if _in_turn(pattern):
        return _row([sum(hands) for hands in landings])
    if pattern.division > 1:
        rows = enumerate(zip(*landings, strict=True))
        return ",".join(_row(hand[_wait(pattern, number // 2, beat) :: pattern.division]) for number, hand in rows)
    even = all(throw.beat % 2 == throw.value % 2 == 0 for throw in pattern.throws)
    step = 2 if even and pattern.period % 2 == 0 else 1
    return ",".join(_row(hand[beat % step :: step]) for hand in zip(*landings, strict=True))


def is_ground(pattern: Pattern) -> bool | None:
    """Whether a pattern passes through the ground state, so that it can be entered from a cascade or a fountain.

    None where hands throw together or several props at once: there is no one ground state then.
    """
    sites = {(throw.beat, throw.juggler, throw.hand) for throw in pattern.throws}
    if not _in_turn(pattern) or len(sites) < len(pattern.throws):
        return None
    lands = {throw.beat: throw.beat + throw.value for throw in pattern.throws}
    last = max(lands.values(), default=pattern.period - 1) - pattern.period
    for beat in range(pattern.written_period):
        # The last prop to land does so after exactly as many beats as there are props, so none of them is empty.
        if last + 1 - beat == pattern.props:
            return True
        last = max(last, lands.get(beat, last))
    return False


def _in_turn(pattern: Pattern) -> bool:
    """Whether one juggler throws with one hand a beat, the hands alternating."""
    return pattern.jugglers == 1 and len({(throw.beat + throw.hand) % 2 for throw in pattern.throws}) <= 1


def _wait(pattern: Pattern, juggler: int, beat: int) -> int:
    """Parts of a beat from one on until a juggler's next beat."""
    own = next((turn[0] for turn in pattern.turns if turn[1] == juggler), 0)
    return (own - beat) % pattern.division


def _row(counts: list[int] | tuple[int, ...]) -> str:
    digits = [str(count) if count < 10 else f"{{{count}}}" for count in counts]
    while digits and digits[-1] == "0":
        digits.pop()
    return "".join(digits) or "0"
