"""The pattern: who throws what to whom, on whole beats or equal parts of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from juggle_anim.pattern.hand_siteswap import HandSiteswap
from juggle_anim.pattern.landings import find_landings
from juggle_anim.pattern.orbits import Orbit, find_orbits
from juggle_anim.pattern.throw import Throw, Turn


@dataclass(frozen=True)
class Pattern:
    """A valid pattern: throws on beats, repeated for ever.

    Args:
        text: the pattern as it was typed.
        throws: all throws of one loop, in the order of their beats; those of one hand on one beat are a multiplex.
        period: beats after which every hand does the same again.
        written_period: beats that the text spells out; `531` writes 3 and swaps hands, so its period is 6.
        jugglers: how many people throw and catch.
        division: into how many parts each beat is divided, for jugglers who throw between each other's beats; the beats
            and values of throws and both periods count the parts.
        turns: every hand on every beat on which something is written for it, be it that it throws nothing; sorted. Left
            out, these are the hands and beats that throw.
        hand_siteswap: what the hands follow, where they have a siteswap of their own.

    Raises:
        PatternError: the throws of a loop do not land one for one where throws are made.
    """

    text: str
    throws: tuple[Throw, ...]
    period: int
    written_period: int
    jugglers: int = 1
    division: int = 1
    turns: tuple[Turn, ...] = field(default=(), repr=False, compare=False)
    hand_siteswap: HandSiteswap | None = None
    landings: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """For each throw, the index of the throw that its prop makes next."""

    def __post_init__(self) -> None:
        # At once and not when first asked for, since this is what finds an impossible pattern.
        if not self.turns:
            object.__setattr__(self, "turns", tuple(sorted({throw[:3] for throw in self.throws})))
        object.__setattr__(self, "landings", find_landings(self.throws, self.period, self.jugglers))

    @property
    def props(self) -> int:
        """Number of props: the sum of the throws over the beats, a whole number since every throw is caught."""
        return sum(throw.value for throw in self.throws) // self.period

    @cached_property
    def orbits(self) -> tuple[Orbit, ...]:
        """The separate paths that props take: no prop ever leaves its orbit."""
        return find_orbits(self.throws, self.landings, self.period)
