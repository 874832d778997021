"""How the props of placed events look, as the knobs for props turn it: each prop has its own look there."""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.choreography import Choreography, PropLook, Score
from juggle_anim.notation.staging.colours import read_colours

USUAL, OWN = "usual", "own"
"""The words for the colours that we choose, and for those that a file has."""

Colours = tuple[tuple[float, float, float] | None, ...]


def kind_of(placed: Choreography) -> str:
    """What is juggled: `club`, or `club,ring` where there are several kinds."""
    return ",".join(dict.fromkeys(look.kind for look in _looks(placed)))


def colours_of(placed: Choreography) -> str:
    """The word that stands for the colours: `usual`, `mixed`, `orbits` or `own`."""
    given = tuple(look.colour for look in _looks(placed))
    return next((word for word in (USUAL, "mixed", "orbits") if given == _colours(placed, word)), OWN)


def with_kind(score: Score, kind: str) -> Score:
    """The score with all props of one kind."""
    placed = _placed(score)
    return _with(score, tuple(replace(look, kind=kind) for look in _looks(placed)))


def with_colours(score: Score, word: str) -> Score:
    """The score with props of the colours that `usual`, `mixed` or `orbits` stands for."""
    looks = zip(_looks(_placed(score)), _colours(_placed(score), word), strict=True)
    return _with(score, tuple(replace(look, colour=colour) for look, colour in looks))


def _with(score: Score, looks: tuple[PropLook, ...]) -> Score:
    return replace(score, placed=replace(_placed(score), looks=looks))


def _placed(score: Score) -> Choreography:
    assert score.placed is not None, "throws on beats have a staging"
    return score.placed


def _looks(placed: Choreography) -> tuple[PropLook, ...]:
    return placed.looks or (PropLook(),) * placed.props


def _colours(placed: Choreography, word: str) -> Colours:
    if word == USUAL:
        return (None,) * placed.props
    colours, by_orbit = read_colours(word)
    orbits = [number for number, orbit in enumerate(placed.orbits) for _ in range(orbit.props)]
    return tuple(colours[place % len(colours)] for place in (orbits if by_orbit else range(placed.props)))
