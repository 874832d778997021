"""Patterns of the library or of a file as rows of a list, which can be searched; and how difficult
each is.

Difficulty is by a rule on a pattern's throws and on what hands and bodies do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from juggle_anim.choreography import CATCHES, THROWS, Score, Staging, holds
from juggle_anim.errors import ParameterError, printable
from juggle_anim.language import N_, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.files import FileReference, find_file_reference
from juggle_anim.notation.library import LibraryPattern, count_tags, library
from juggle_anim.notation.pattern_list import Entry, Note
from juggle_anim.notation.search import english_query, search
from juggle_anim.pattern import Pattern, Throw, grouped

_EASIEST = 1  # learnt in an hour
_HARDEST = 10  # years of practice

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
"""Weight of each feature of a pattern, fitted to what people say of 560 patterns; docs/library.md
explains the features.
"""

_CROSSED_ARM_REACH = 0.06  # m beyond the middle, from where a hand has crossed the other arm

_FEWEST_IN_LOGARITHM = 0.5  # props per juggler: with fewer, the logarithm would fall without bound

_FEWEST_OF_PATTERNS = 3  # props; with fewer they are exercises

# People tell easy patterns farther apart than the features do.
_EASY_POINTS = 3.5  # points below which a pattern is easy
_EASY_SPREAD = 1.5  # factor by which points below lie farther apart


@dataclass(frozen=True)
class ListedPattern:
    """One row of a list of patterns.

    Args:
        pattern: its names and what else it is found by; the difficulty is 0 for events, where it is
            unknown.
        text: a settings string; empty for events.
        number: the number by which `file#3` opens it, from 1; 0 in the library.
        reason: why it is not valid; empty if it is.
        file: the file that holds it, where a list is made of several.
        notes: what in its file is not read; only the first pattern of a file has them.
    """

    pattern: LibraryPattern
    text: str
    number: int = 0
    reason: str = ""
    file: str = ""
    notes: tuple[Note, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the row as JSON values.

        A broken pattern has its error in place of the counts; an unknown difficulty is null, and
        the number is there only for patterns of a file.
        """
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
    """List the patterns that come with the program, those for beginners first.

    All others are sorted by number of jugglers, then by number of props; then patterns with names
    come before bare siteswaps, easy ones before hard ones, and plain ones before their variations.
    """
    ordered = sorted(
        library(),
        key=lambda pattern: (
            "starter" not in pattern.tags or pattern.props < _FEWEST_OF_PATTERNS,
            pattern.jugglers,
            pattern.props,
            pattern.name == pattern.siteswap,
            pattern.difficulty,
            len(pattern.settings),
        ),
    )
    return tuple(ListedPattern(pattern, pattern.settings_text) for pattern in ordered)


def listed_in_file(path: str | Path) -> tuple[ListedPattern, ...]:
    """List the patterns of a file in its order, or the one of them that `tricks.jml#3` names.

    Raises:
        FileError: the file cannot be read, or holds no such pattern.
    """
    reference = find_file_reference(str(path)) or FileReference(Path(path))
    numbered, notes = reference.numbered()
    rows = [_listed_entry(entry, number) for number, entry in numbered]
    return (replace(rows[0], notes=notes), *rows[1:])


def search_listed(text: str, rows: Sequence[ListedPattern]) -> tuple[ListedPattern, ...]:
    """Return the rows that match every word of a text, best first; without words all, in order."""
    if not text.strip():
        return tuple(rows)
    # Two rows of a file may be equal in all that is searched, so each pattern is searched once and
    # stands for all its rows.
    by_pattern = grouped((row.pattern, row) for row in rows)
    return tuple(row for pattern in search(text, list(by_pattern)) for row in by_pattern[pattern])


_MAX_SUGGESTED = 5  # patterns for what is typed


def suggested_patterns(typed: str, *, props: int | None = None) -> tuple[LibraryPattern, ...]:
    """Return patterns of the library whose names may complete a typed one, best first.

    There are none for an empty text and for a whole name.

    Args:
        typed: what is typed so far, in English or the present language.
        props: how many props the patterns have; None for any number.
    """
    return _suggested_patterns(typed.strip(), props, language())


@lru_cache(maxsize=4)  # asked in each frame while one types
def _suggested_patterns(
    typed: str, props: int | None, _language: str
) -> tuple[LibraryPattern, ...]:
    rows = search_listed(english_query(typed), listed_in_library()) if typed else ()
    # Several rows may have one name: the best of them stands for all.
    by_name: dict[str, LibraryPattern] = {}
    for row in rows:
        if props is None or row.pattern.props == props:
            by_name.setdefault(row.pattern.name, row.pattern)
    if any(name.casefold() == typed.casefold() for name in by_name):
        return ()
    return tuple(by_name.values())[:_MAX_SUGGESTED]


def listed_score(score: Score, text: str, name: str = "", number: int = 0) -> ListedPattern:
    """Return a score as a row of a list of patterns, with all that searches and filters need.

    Args:
        score: the pattern.
        text: the text that opens the pattern.
        name: the name to show; empty for the score's own.
        number: number of the pattern in its file, from 1, by which `file#3` opens it; 0 outside of
            files.
    """
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


def _listed_entry(entry: Entry, number: int) -> ListedPattern:
    """Return the row of an entry of a file, valid or broken."""
    name = entry.display.strip()
    if entry.settings:
        return listed_score(entry.settings.score, entry.text, name, number)
    pattern = LibraryPattern(name or entry.text, entry.text, tags=(), difficulty=0, description="")
    return ListedPattern(pattern, entry.text, number, reason=str(entry.error).splitlines()[0])


DIFFICULTY_LEVELS = {N_("easy"): (1, 3), N_("medium"): (4, 6), N_("hard"): (7, 10)}
"""The least and the greatest difficulty of each level."""


def difficulty_range(text: str | int | None) -> range:
    """Return the difficulties that a level or number means; all for None.

    Args:
        text: easy, medium, hard, or a number from 1 to 10.

    Raises:
        ParameterError: it is something else.
    """
    if text is None:
        return range(_HARDEST + 1)  # that of mere events is 0
    words = str(text).strip().lower()
    if words in DIFFICULTY_LEVELS:
        lowest, highest = DIFFICULTY_LEVELS[words]
        return range(lowest, highest + 1)
    if words.isdecimal() and _EASIEST <= int(words) <= _HARDEST:
        return range(int(words), int(words) + 1)
    expected = f"{', '.join(DIFFICULTY_LEVELS)}, {_EASIEST}–{_HARDEST}"
    raise ParameterError.of("difficulty", printable(words, 40), expected)


def difficulty(score: Score) -> int:
    """Return the difficulty of a pattern from 1 to 10; 0 for timed events, and without throws.

    It is a linear model: the rounded sum of the pattern's features, each times its weight.
    """
    if score.pattern is None or not score.pattern.throws:
        return 0
    features = _difficulty_features(score.pattern, score.staging)
    points = sum(weight * features[name] for name, weight in WEIGHTS.items())
    # Most easy patterns have nearly equal points, and would get the same number. So the distance
    # below `_EASY_POINTS` is stretched by the factor `_EASY_SPREAD`.
    if points < _EASY_POINTS:
        points = _EASY_POINTS - _EASY_SPREAD * (_EASY_POINTS - points)
    return min(max(round(points), _EASIEST), _HARDEST)


def _difficulty_features(pattern: Pattern, staging: Staging) -> dict[str, float]:
    """Return the features of a pattern for the estimate of its difficulty, by name in `WEIGHTS`.

    Shares are from 0 to 1, flags are 0 or 1.

    Args:
        pattern: the pattern with at least one throw.
        staging: read for moves of hands, body throws and catches, and kinds of props.
    """
    jugglers = pattern.jugglers
    props_per_juggler = pattern.props / jugglers
    # Throws that leave the hand.
    let_go = [throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held]
    let_go_share = len(let_go) / len(pattern.throws)
    highest = max((throw.value for throw in let_go), default=0)
    # The pace is the mean number of turns of a hand in two beats: 1 for two hands that take turns,
    # less if more hands share the beats. Pace times value is the equivalent value for two hands.
    hands = {(juggler, side) for _beat, juggler, side in pattern.turns}
    pace = 2 * len(pattern.turns) / (pattern.period * len(hands))
    passes = sum(throw.to_juggler != throw.juggler for throw in pattern.throws)
    return _staging_features(staging, let_go_share) | {
        "always": 1.0,
        "props": props_per_juggler,
        "logarithm of props": math.log(max(props_per_juggler, _FEWEST_IN_LOGARITHM)),
        "root of the highest throw": math.sqrt(pace * highest),
        "holds": 1.0 - let_go_share,
        "hand-overs": _share([_is_hand_over(throw, pace) for throw in let_go]),
        "kinds of throws": len({(throw.value, throw.to_hand != throw.hand) for throw in let_go}),
        "one hand": float(jugglers == 1 and len({throw.hand for throw in pattern.throws}) == 1),
        "forced bounces": _share(
            [throw.bounce_style in ("force", "hyper_lift", "hyper_force") for throw in let_go]
        ),
        "clubs": float(jugglers == 1 and staging.props.kinds == ("club",)),
        "uneven hands": float(jugglers == 1 and pattern.hand_siteswap is not None),
        "passes": passes / len(pattern.throws),
        "props passed": props_per_juggler if jugglers > 1 else 0.0,
        "more jugglers": max(jugglers - 2.0, 0.0),
    }


def _staging_features(staging: Staging, let_go_share: float) -> dict[str, float]:
    """Return the features that depend on how hands move, throw and catch, by name in `WEIGHTS`.

    A hand that holds a prop has time to cross and to reach, so features of the moves of hands are
    scaled by the share of throws that leave the hand.

    Args:
        staging: read for moves of hands, and body throws and catches.
        let_go_share: the share of throws that leave the hand, 0 to 1.
    """
    # Points that hands pass, (outward, up, forward) in m; none if hands move in their usual way.
    hand_points = []
    if staging.hands:
        moves = [move for side in staging.hands.beats for move in side]
        hand_points = [point for move in moves for point in move.points if point]
    # A hand more than `_CROSSED_ARM_REACH`, [m], beyond the middle crosses the other arm.
    crossed = any(outward < -_CROSSED_ARM_REACH for outward, _up, _forward in hand_points)
    max_rise = max((abs(up) for _outward, up, _forward in hand_points), default=0.0)

    # The words for throws and catches. Those around the body share a feature, except for penguin
    # catches, which have one of their own.
    throw_words = [word for side in staging.throws for word in side]
    catch_words = [word for side in staging.catches for word in side]
    thrown_around = _share([word in THROWS for word in throw_words])
    caught_around = _share([word in CATCHES and word != "penguin" for word in catch_words])
    return {
        "crossed arms": let_go_share if crossed else 0.0,
        "hands high or low": let_go_share * max_rise,
        "claws": float("claw" in catch_words),
        "penguins": float("penguin" in catch_words),
        "around the body": min(thrown_around + caught_around, 1.0),
    }


def _is_hand_over(throw: Throw, pace: float) -> bool:
    """Return whether a throw is so low that the prop is handed across rather than thrown.

    Args:
        throw: the throw of any hands.
        pace: turns of a hand in two beats; 1 where two hands take turns.
    """
    beats = pace * throw.value
    return beats <= 1 or (beats <= 2 and throw.to_hand != throw.hand)


def _share(cases: Sequence[bool]) -> float:
    """Return the share of cases that hold, 0 if there are none."""
    return sum(cases) / max(len(cases), 1)
