"""Hypothesis strategies for prechac notation: random valid texts, and texts that are almost in it.

A valid line is made from a permutation: the throws of one round land, one for one, where throws are
made.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from hypothesis import strategies as st


class Drawn(NamedTuple):
    """A valid line: its text, how many throw it, its beats, the throws of a round in beats, and who
    catches each.
    """

    text: str
    jugglers: int
    beats: int
    values: list[Fraction]
    places: list[int]


@st.composite
def prechac_lines(draw: st.DrawFn, max_jugglers: int = 5) -> Drawn:
    """Lines of single throws with at least one pass, each p followed by how many places on its
    receiver is.
    """
    jugglers = draw(st.integers(2, max_jugglers))
    beats = draw(st.integers(2, 7))  # one throw has no space, and then p1 are two throws
    apart = Fraction(beats, jugglers)
    targets = draw(st.permutations(range(beats)))
    places = draw(
        st.lists(st.integers(0, jugglers - 1), min_size=beats, max_size=beats).filter(any)
    )
    values = []
    for beat, (target, place) in enumerate(zip(targets, places, strict=True)):
        value = (target - beat + place * apart) % beats
        values.append(value + beats * draw(st.integers(1 if place and not value else 0, 1)))
    text = " ".join(map(_written, values, places))
    return Drawn(text, jugglers, beats, values, places)


def almost_prechac() -> st.SearchStrategy[str]:
    """Texts of all kinds: wild ones, ones of the characters and words of prechac notation, valid
    ones changed.
    """
    characters = st.sampled_from("0123456789pxbz.LRBFH[](){},*!^/×<|>? \t\n²é")
    words = [
        "3p",
        "2.5p",
        "3.6p",
        "4",
        "0",
        "(4x, 4xp)",
        "[4 3p]",
        "fed by",
        "for 3 jugglers",
        "3p2",
        "*",
        "L",
        "{12}p",
    ]
    return st.one_of(
        st.text(characters, max_size=16),
        st.lists(st.sampled_from([*words, "<", "|", ">"]), max_size=8).map(" ".join),
        st.lists(st.sampled_from("012345").flatmap(_with_flag), min_size=1, max_size=5).map(
            " ".join
        ),
        _changed(characters),
    )


@st.composite
def _changed(draw: st.DrawFn, characters: st.SearchStrategy[str]) -> str:
    text = draw(prechac_lines()).text
    at = draw(st.integers(0, len(text)))
    return (
        text[:at] + draw(st.one_of(st.just(""), characters)) + text[at + draw(st.integers(0, 1)) :]
    )


def _with_flag(value: str) -> st.SearchStrategy[str]:
    return st.sampled_from([value, f"{value}p", f"{value}.5p"])


def _written(value: Fraction, place: int) -> str:
    """Cut off after two decimals, as people do."""
    hundredths = floor(value * 100)
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}p{place}" if rest else f"{whole}p{place}" if place else f"{whole}"
