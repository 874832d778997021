"""People: the colours, cuts of hair and builds of those who juggle.

Clothes are dull, and dark where props pass, so that props of every colour stand out from them in every theme.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Integers, Singles
from juggle_anim.scene.skin import COVERS, HAIR_CUTS

VARIED, SAME = "varied", "same"
"""Options of the parameter `people`: a person for each juggler in turn, and the first for all."""


@dataclass(frozen=True)
class Person:
    """A person. Colours are sRGB, in hexadecimal as `FF8800`.

    Args:
        cut: one of `HAIR_CUTS`.
        skin, hair, irises, lips: colours of the body.
        shirt, trousers, shoes, soles: colours of clothes.
    """

    cut: str
    skin: str
    hair: str
    irises: str
    lips: str
    shirt: str
    trousers: str
    shoes: str
    soles: str

    @property
    def paint(self) -> Singles:
        """Colours, sRGB, and gloss of `COVERS`, shape (covers, 4)."""
        codes = [getattr(self, cover, None) or _EYES[cover] for cover in COVERS]
        colours = [[int(code[place : place + 2], 16) / 255 for place in (0, 2, 4)] for code in codes]
        shines = [_SHINES.get(cover, _SHINE) for cover in COVERS]
        return np.column_stack([colours, shines]).astype(np.float32)


_EYES = {"eyes": "EDEBE6", "pupils": "120F0F"}
_SHINE = 0.12
_SHINES = {"eyes": 0.5, "irises": 0.8, "pupils": 0.8, "hair": 0.2, "shirt": 0.0, "trousers": 0.0}

PEOPLE = (
    Person("short", "DEB091", "3D2B20", "5C3D26", "B97B6C", "37394A", "6E695F", "25272C", "DBDAD5"),
    Person("ponytail", "EDC3A8", "7A3B1E", "5E7A52", "C47F76", "3C4B41", "34363D", "4A3A33", "D6CCBE"),
    Person("crop", "6B4430", "171312", "3A2418", "7A463F", "54333C", "56524A", "C9C6BF", "E4E2DD"),
    Person("bob", "E4BC96", "1C191B", "3E281C", "B9756B", "66625F", "25282F", "5B2F33", "DEDBD4"),
    Person("curly", "C08A62", "2A1D16", "4A3020", "9C6252", "2B4844", "5C5648", "2B2926", "CFC8BA"),
    Person("bun", "8A5A3C", "1B1412", "3A2418", "8C4D43", "493A52", "454349", "E0DDD6", "B9B6AE"),
    Person("bald", "E9C0A6", "9A958F", "6C8C9E", "BE8074", "5A4636", "2E333D", "3B3129", "D2CBBF"),
    Person("long", "F0CBB0", "C49A5C", "6A8FB2", "CB8A80", "5A5560", "413A36", "D9D6D0", "EDEBE7"),
    Person("short", "4F3224", "120F0E", "33201A", "663A36", "4A4E3C", "2F3033", "6E6A64", "D7D3CB"),
    Person("ponytail", "D3A27C", "4A2E1F", "5A3A26", "AC6E60", "333437", "5A5140", "1F2226", "C9C4BB"),
)
"""Everybody, in the order of jugglers."""

_CUTS = np.array([HAIR_CUTS.index(person.cut) for person in PEOPLE])
_PAINTS = np.stack([person.paint for person in PEOPLE])
_CLOTHES = [COVERS.index(cover) for cover in ("shirt", "trousers", "shoes", "soles")]
_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)


@lru_cache(maxsize=64)
def people_numbers(people: str, jugglers: int) -> Integers:
    """Return the places in `PEOPLE` of those who juggle, shape (jugglers,).

    The array is cached and read-only.

    Args:
        people: a value of the parameter of this name; of several numbers each is taken in turn.
        jugglers: how many there are.
    """
    if people == VARIED:
        turn = np.arange(len(PEOPLE))
    else:
        turn = np.array([0] if people == SAME else [int(number) - 1 for number in people.split(",")])
    numbers = np.resize(turn, jugglers)
    numbers.setflags(write=False)
    return numbers


@lru_cache(maxsize=64)
def people_paint(people: str, jugglers: int, vividness: float = 1.0) -> Singles:
    """Return colours, sRGB, and gloss of the `COVERS` of those who juggle, shape (jugglers, covers, 4).

    The array is cached and read-only.

    Args:
        people, jugglers: as of `people_numbers`.
        vividness: of clothes: 1 for their own colours, 0 for greys as light as these.
    """
    paint: Singles = _PAINTS[people_numbers(people, jugglers)]
    worn = paint[:, _CLOTHES, :3]
    grey = (worn @ _LUMA)[..., None]
    paint[:, _CLOTHES, :3] = grey + np.float32(vividness) * (worn - grey)
    paint.setflags(write=False)
    return paint


@lru_cache(maxsize=64)
def people_hair(people: str, jugglers: int) -> Integers:
    """Return the numbers in `HAIR_CUTS` of how those who juggle wear their hair, shape (jugglers,).

    The array is cached and read-only.

    Args:
        people, jugglers: as of `people_numbers`.
    """
    cuts: Integers = _CUTS[people_numbers(people, jugglers)]
    cuts.setflags(write=False)
    return cuts
