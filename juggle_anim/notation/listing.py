"""Patterns of the library or of a file as rows of a list, which can be searched; and how difficult
each is.

Difficulty is by a rule on a pattern's throws and on what hands and bodies do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from juggle_anim.choreography import Score, Staging
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.dwell import holds
from juggle_anim.notation.library import LibraryPattern, count_tags, library
from juggle_anim.notation.open import FileReference, find_file_reference
from juggle_anim.notation.pattern_list import Entry, Note
from juggle_anim.notation.search import search
from juggle_anim.pattern import Pattern, Throw

_EASIEST = 1
_HARDEST = 10
"""Learnt in an hour; years of practice."""

WEIGHTS = {
    "always": -5.2,
    "props": 0.5,
    "logarithm of props": 2.2,
    "root of the highest throw": 2.2,
    "holds": -2.3,
    "hand-overs": 0.5,
    "kinds of throws": 0.2,
    "crossed arms": 1.9,
    "hands high or low": 2.0,
    "claws": 0.3,
    "penguins": 2.4,
    "around the body": 3.0,
    "one hand": 1.4,
    "forced bounces": 1.0,
    "clubs": 1.4,
    "uneven hands": 1.6,
    "passes": 2.7,
    "props passed": 0.25,
    "more jugglers": 0.5,
}
"""What each of the figures adds, fitted to what people say of 560 patterns; docs/library.md
explains them.
"""

# A hand that is farther than this beyond the middle has crossed the other arm, [m].
_CROSSED = 0.06

# Easy patterns lie this much farther apart than their figures; below how many points, and by what
# factor.
_EASY = 3.5
_SPREAD = 1.5


@dataclass(frozen=True)
class ListedPattern:
    """One row of a list of patterns.

    Args:
        pattern: its names and what else it is found by; the difficulty is 0 for events, where it is
            unknown.
        text: a settings string; empty for events.
        number: by which `file#3` opens it, from 1; 0 in the library.
        reason: why it is not valid, if it is not.
        file: that holds it, where a list is made of several.
        notes: what in its file is not read; only the first pattern of a file has them.
    """

    pattern: LibraryPattern
    text: str
    number: int = 0
    reason: str = ""
    file: str = ""
    notes: tuple[Note, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        pattern = self.pattern
        counts = (
            {"error": self.reason}
            if self.reason
            else {"props": pattern.props, "jugglers": pattern.jugglers}
        )
        return {
            **({"number": self.number} if self.number else {}),
            "name": pattern.name,
            "aliases": list(pattern.aliases),
            "siteswap": pattern.siteswap,
            "settings": self.text,
            **counts,
            "tags": list(pattern.tags),
            "difficulty": pattern.difficulty or None,
            "description": pattern.description,
        }


@cache
def listed_in_library() -> tuple[ListedPattern, ...]:
    """The patterns that come with the program, few props and easy ones first."""
    ordered = sorted(library(), key=lambda pattern: (pattern.props, pattern.difficulty))
    return tuple(ListedPattern(pattern, pattern.settings_text) for pattern in ordered)


def listed_in_file(path: str | Path) -> tuple[ListedPattern, ...]:
    """The patterns of a file in its order, or the one of them that `tricks.jml#3` names.

    Raises:
        FileError: it cannot be read, or holds no such pattern.
    """
    place = find_file_reference(str(path)) or FileReference(Path(path))
    numbered, notes = place.numbered()
    rows = [_of_file(entry, number) for number, entry in numbered]
    return (replace(rows[0], notes=notes), *rows[1:])


def search_listed(text: str, among: Sequence[ListedPattern]) -> tuple[ListedPattern, ...]:
    """Return the patterns that match every word of a text, best first; without words all, in their
    order.
    """
    if not text.strip():
        return tuple(among)
    # Two lines of a file may be equal in all that is searched.
    by_pattern: dict[LibraryPattern, list[ListedPattern]] = {}
    for each in among:
        by_pattern.setdefault(each.pattern, []).append(each)
    return tuple(each for pattern in search(text, list(by_pattern)) for each in by_pattern[pattern])


def listed_score(score: Score, text: str, name: str = "", number: int = 0) -> ListedPattern:
    """A score that a text opens, as a row; `name` stands for the score's own where it is given."""
    pattern = LibraryPattern(
        name=name or score.name,
        siteswap=score.pattern.text if score.pattern else "",
        tags=(*count_tags(score.props, score.jugglers), *score.tags),
        difficulty=difficulty(score),
        description=score.about,
        aliases=(score.title,) if score.title not in ("", name) else (),
        props=score.props,
        jugglers=score.jugglers,
    )
    return ListedPattern(pattern, text, number)


def _of_file(entry: Entry, number: int) -> ListedPattern:
    name = entry.display.strip()
    if entry.settings:
        return listed_score(entry.settings.score, entry.text, name, number)
    pattern = LibraryPattern(name or entry.text, entry.text, tags=(), difficulty=0, description="")
    return ListedPattern(pattern, entry.text, number, reason=str(entry.error).splitlines()[0])


def difficulty(score: Score) -> int:
    """The difficulty from 1 to 10: the sum of the figures of a pattern, each times its weight; 0
    for mere events.
    """
    if score.pattern is None or not score.pattern.throws:
        return 0
    figures = _difficulty_figures(score.pattern, score.staging)
    points = sum(weight * figures[name] for name, weight in WEIGHTS.items())
    spread = points if points >= _EASY else _EASY - _SPREAD * (_EASY - points)
    return min(max(round(spread), _EASIEST), _HARDEST)


def _difficulty_figures(pattern: Pattern, staging: Staging) -> dict[str, float]:
    """The figures that the difficulty of a pattern follows from, by their names in `WEIGHTS`;
    places in m.
    """
    jugglers = pattern.jugglers
    props = pattern.props / pattern.jugglers
    thrown = [throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held]
    moving = len(thrown) / len(pattern.throws)
    # Where more than two hands share the beats, a throw takes fewer beats as two hands would count
    # them.
    pace = 2 * len(pattern.turns) / (pattern.period * len({turn[1:] for turn in pattern.turns}))
    hands = [beat for beats in staging.hands.beats for beat in beats] if staging.hands else []
    places = [point for beat in hands for point in beat.points if point]
    catches = [word for side in staging.catches for word in side]
    passes = sum(throw.to_juggler != throw.juggler for throw in pattern.throws)
    return {
        "always": 1.0,
        "props": props,
        "logarithm of props": math.log(max(props, 0.5)),
        "root of the highest throw": math.sqrt(
            pace * max((throw.value for throw in thrown), default=0)
        ),
        "holds": 1.0 - moving,
        "hand-overs": _share([_is_hand_over(throw, pace) for throw in thrown]),
        "kinds of throws": len({(throw.value, throw.to_hand != throw.hand) for throw in thrown}),
        # A hand that carries a prop has time for it.
        "crossed arms": moving * any(point[0] < -_CROSSED for point in places),
        "hands high or low": moving * max((abs(point[1]) for point in places), default=0.0),
        "claws": float("claw" in catches),
        "penguins": float("penguin" in catches),
        "around the body": min(
            _share([word in THROWS for side in staging.throws for word in side])
            + _share([word in CATCHES and word != "penguin" for word in catches]),
            1.0,
        ),
        "one hand": float(jugglers == 1 and len({throw.hand for throw in pattern.throws}) == 1),
        "forced bounces": _share(
            [throw.bounce_style in ("force", "hyper_lift", "hyper_force") for throw in thrown]
        ),
        "clubs": float(jugglers == 1 and staging.props.kinds == ("club",)),
        "uneven hands": float(jugglers == 1 and pattern.hand_siteswap is not None),
        "passes": passes / len(pattern.throws),
        "props passed": props * (jugglers > 1),
        "more jugglers": max(jugglers - 2.0, 0.0),
    }


def _is_hand_over(throw: Throw, pace: float) -> bool:
    return pace * throw.value <= 1 or (pace * throw.value <= 2 and throw.to_hand != throw.hand)


def _share(cases: Sequence[bool]) -> float:
    return sum(cases) / max(len(cases), 1)
