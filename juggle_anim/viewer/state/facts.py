"""The facts of a pattern for their card: its states as numbers, and the present one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import field, replace
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import Score
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import beat_at
from juggle_anim.viewer.state.undo import IdentityCache

if TYPE_CHECKING:
    from juggle_anim.analysis import Collisions
    from juggle_anim.notation import Facts

COLLISIONS = "collisions"
"""The name of the fact about collisions."""

CARD_HEIGHT = 188.0
"""Preferred height of the card at scale 1, [pixels]."""

_COUNT = re.compile(r"\{(\d+)\}|(\d)")


@dataclass(frozen=True)
class ShownFacts:
    """What the card shows.

    Args:
        facts: facts of the pattern.
        head: what is said first, in a few words.
        lines: names of facts, and what is said of them.
        opens: by the name of a fact, the pattern that a click on it plays.
        states: the props due on each coming beat in each row of each state, all rows equally long.
        rows: names of the rows; empty if there is one.
        times: by the name of a fact, the time in the loop to which a click on it goes, [s].
        props: by the name of a fact, the numbers of the props that it names, from 0.
    """

    facts: Facts
    head: str
    lines: tuple[tuple[str, str], ...]
    opens: dict[str, str]
    states: tuple[tuple[tuple[int, ...], ...], ...]
    rows: tuple[str, ...]
    times: Mapping[str, float] = field(default_factory=dict)
    props: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Hit:
    """A collision, as picture and ladder mark it.

    Args:
        time: when it is deepest, from 0 up to the loop's duration, [s].
        props: numbers of the props that take part, one or two.
        place: where, shape (3,), [m].
        words: who collides, and how deep.
    """

    time: float
    props: tuple[int, ...]
    place: Floats
    words: str


class FactsView:
    """The facts of patterns for their card, computed once for each pattern."""

    def __init__(self) -> None:
        self._facts = IdentityCache(_shown_facts, size=2)
        self._advice = IdentityCache(_bounce_advice, size=2)
        self._search: _CollisionSearch | None = None
        self._ended: _CollisionSearch | None = None  # as `update` has told last
        self.goes_to_collision = False
        """Whether the window goes to the deepest collision as soon as it is found."""

    @property
    def is_waiting(self) -> bool:
        """Whether collisions are searched for now."""
        return bool(self._search and self._search.is_alive())

    def update(self) -> bool:
        """Return whether collisions have been found since the last call, once for each search."""
        ended = self._search if self._search and not self._search.is_alive() else None
        is_new = ended is not self._ended
        self._ended = ended
        return is_new

    def with_collisions(self, animation: Animation) -> ShownFacts:
        """Return the facts of an animation's pattern, with a first line about collisions.

        The search for collisions takes about a second and runs in a thread; until it has ended, the
        line says so. A new search does not begin before the last one has ended.

        Args:
            animation: animation whose pattern is shown.
        """
        shown = self.of(animation)
        searched = self._search.animation if self._search else None
        if searched is not animation and not self.is_waiting:
            self._search = _CollisionSearch(animation)
            self._search.start()
        # The search may still go on, be that of another pattern, or have failed.
        search = self._search
        is_done = search and search.animation is animation and not search.is_alive()
        collisions = search.found if search and is_done else None
        if collisions is None:
            return replace(shown, lines=((COLLISIONS, _("Checking …")), *shown.lines))
        from juggle_anim.analysis import collision_words

        # The deepest collision, or else where props come nearest to each other.
        words, meeting = collision_words(collisions, animation)
        lines = ((COLLISIONS, words), *shown.lines)
        if meeting is None:
            return replace(shown, lines=lines)
        # A prop meets another one, or a body: then `meeting.other` is −1.
        props = tuple(prop for prop in (meeting.prop, meeting.other) if prop >= 0)
        return replace(
            shown,
            lines=lines,
            times={COLLISIONS: meeting.time % animation.duration},
            props={COLLISIONS: props},
        )

    def hits(self, animation: Animation) -> tuple[Hit, ...]:
        """Return the collisions of an animation; none unless they were searched for."""
        search = self._search
        return search.hits if search and search.animation is animation else ()

    def of(self, animation: Animation) -> ShownFacts:
        """Return the facts of an animation's pattern."""
        shown = self._facts.of(animation.score)
        advice = self._advice.of(animation)
        return replace(shown, lines=(*shown.lines, ("bounces", advice))) if advice else shown

    def state_index(self, animation: Animation, time: float) -> int:
        """Return the index of the state in which a pattern is at a time; −1 if it is not known.

        A state says on which coming beats props land.

        Args:
            animation: animation of the pattern.
            time: [s] since the animation began, in any loop.
        """
        facts = self.of(animation).facts
        pattern = animation.pattern
        if pattern is None or not facts.round:
            return -1
        # States are entered at `facts.beats`, ascending, in a round that repeats. The present one
        # is the last that began by now. Before the first, the remainder makes −1 the last one, of
        # the round before.
        beat = beat_at(pattern, time, animation.choreography.bps) % facts.round
        begun_count = bisect_right(facts.beats, beat)
        return (begun_count - 1) % len(facts.beats)


class _CollisionSearch(Thread):
    """Searches for the collisions of an animation."""

    def __init__(self, animation: Animation) -> None:
        super().__init__(daemon=True)
        self.animation = animation
        self.found: Collisions | None = None
        self.hits: tuple[Hit, ...] = ()

    def run(self) -> None:
        """Search for collisions of a loop, and note when and where props collide.

        `found` becomes the result of the search, and `hits` a list of times within the loop, props
        and places, [m].
        """
        # Imported when first used: the program starts sooner.
        from juggle_anim.analysis import collision_text, find_collisions

        self.found = find_collisions(self.animation)
        collisions = self.found.collisions
        # A prop collides with another one, or with a body: then `hit.other` is −1.
        props_by_hit = [
            (hit.prop, hit.other) if hit.other >= 0 else (hit.prop,) for hit in collisions
        ]
        times = np.array([hit.time for hit in collisions])
        positions = self.animation.sample(times).props  # shape (hits, props, 3), [m]
        self.hits = tuple(
            # The place is the middle of the colliding props.
            Hit(
                hit.time % self.animation.choreography.duration,
                props,
                places[list(props)].mean(axis=0),
                collision_text(hit, self.animation),
            )
            for hit, props, places in zip(collisions, props_by_hit, positions, strict=True)
        )


def _shown_facts(score: Score) -> ShownFacts:
    """Return the facts of a score as their card shows them.

    Args:
        score: score of a pattern or events.
    """
    # Imported when first used: the program starts sooner.
    from juggle_anim.notation import fact_lines, facts_of

    facts = facts_of(score)

    # The card draws states (how many props land on each coming beat) as a grid. All rows are padded
    # with empty beats to the length of the longest one.
    states = tuple(map(_counts, facts.states or ()))
    max_length = max((len(row) for state in states for row in state), default=0)
    padded_states = tuple(
        tuple(row + (0,) * (max_length - len(row)) for row in state) for state in states
    )

    # A state has a row for each hand, or a single one, which needs no name.
    row_count = len(padded_states[0]) if padded_states else 0
    row_names: tuple[str, ...] = ()
    if row_count > 1:
        row_names = tuple(_row_name(number, score.jugglers) for number in range(row_count))

    # Relatives that are worth a click: other patterns than this one, with props.
    relatives = {"inverse": facts.inverse, "dual": facts.dual, "mirror": facts.mirror}
    opens = {
        name: relative.siteswap
        for name, relative in relatives.items()
        if relative and relative.props and not relative.same
    }
    lines = tuple(fact_lines(facts, in_beats=score.pattern is not None))
    return ShownFacts(
        facts, head=_head(facts), lines=lines, opens=opens, states=padded_states, rows=row_names
    )


def _bounce_advice(animation: Animation) -> str:
    """Return how throws bounce that have too little time to do so as written; empty if all do."""
    from juggle_anim.notation import bounce_advice

    return "; ".join(bounce_advice(animation.score, animation.parameters))


def _counts(state: str) -> tuple[tuple[int, ...], ...]:
    """Return the numbers in a state as it is written."""
    return tuple(
        tuple(int(wide or digit) for wide, digit in _COUNT.findall(row)) for row in state.split(",")
    )


def _row_name(number: int, jugglers: int) -> str:
    return (f"{number // 2 + 1} " if jugglers > 1 else "") + "LR"[number % 2]


def _head(facts: Facts) -> str:
    beginnings = {
        True: _("starts straight from the cascade or fountain"),
        False: _("needs throws first"),
        None: "",
    }
    return "  ·  ".join(filter(None, (_("Facts"), beginnings[facts.ground])))
