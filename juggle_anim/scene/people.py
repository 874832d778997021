"""People: the colours, cuts of hair and builds of those who juggle.

Clothes are dull, and dark where props pass, so that props of every colour stand out from them in
every theme.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene.skin import COVERS, bone_girths, worn_number

VARIED = "varied"
SAME = "same"
"""Options of the parameter `people`: a person for each juggler in turn, and the first for all."""


@dataclass(frozen=True)
class Build:
    """Girths of parts of the body, over those of the skin.

    Bones are as long for all, so that all juggle alike.
    """

    head: float = 1.0
    neck: float = 1.0
    shoulders: float = 1.0
    chest: float = 1.0
    waist: float = 1.0
    hips: float = 1.0
    arms: float = 1.0
    legs: float = 1.0
    jaw: float = 1.0
    nose: float = 1.0


@dataclass(frozen=True)
class Person:
    """A person. Colours are sRGB, in hexadecimal as `FF8800`, with spaces between.

    Args:
        cut: one of `skin.HAIR_CUTS`.
        body: colours of skin, hair and irises.
        clothes: colours of shirt, trousers, shoes and soles.
        build: girths.
        sleeves: "short" or "long".
        legs: "trousers" or "shorts".
    """

    cut: str
    body: str
    clothes: str
    build: Build
    sleeves: str = "short"
    legs: str = "trousers"

    @property
    def worn(self) -> int:
        """The number of the parts that this person wears or shows, as of `skin.worn_number`."""
        parts = [self.cut, f"{self.sleeves} sleeves", self.legs]
        parts.append("bare arms" if self.sleeves == "short" else "bare hands")
        if self.legs == "shorts":
            parts.append("bare legs")
        return worn_number(*parts)

    @property
    def paint(self) -> Singles:
        """Colour, sRGB from 0 to 1, and gloss of each of `COVERS`, shape (covers, 4).

        Eyes and pupils are the same for all, and lips are a darker skin.
        """
        # The hexadecimal code of each cover, by name: those of body and clothes are in the order of
        # `_BODY` and `_CLOTHES`.
        codes = _EYES | dict(
            zip(_BODY + _CLOTHES, f"{self.body} {self.clothes}".split(), strict=True)
        )
        codes["lips"] = codes["skin"]
        # A code has two hexadecimal digits each for red, green and blue.
        colours = np.array(
            [
                [int(codes[cover][digit : digit + 2], 16) / 255 for digit in (0, 2, 4)]
                for cover in COVERS
            ]
        )
        colours[COVERS.index("lips")] *= _LIP_SHARE
        glosses = [_GLOSSES.get(cover, _USUAL_GLOSS) for cover in COVERS]
        return np.column_stack([colours, glosses]).astype(np.float32)


_BODY = ("skin", "hair", "irises")
_CLOTHES = ("shirt", "trousers", "shoes", "soles")
_EYES = {"eyes": "EAE4DA", "pupils": "120F0F", "socks": "D9D4CA"}
_LIP_SHARE = 0.80, 0.70, 0.67  # of the skin's sRGB: a mouth that is drawn tone on tone
_USUAL_GLOSS = 0.05
_GLOSSES = {"skin": 0.08, "lips": 0.08, "eyes": 0.5, "irises": 0.8, "pupils": 0.8}
_GLOSSES |= dict.fromkeys(("shirt", "trousers", "socks"), 0.0)

# Faces: girths of jaw and nose.
_SLIM = 0.90, 0.88
_BROAD = 1.08, 1.12

PEOPLE = (
    Person("short", "DEB091 4A3427 5C3D26", "287373 39444C E2DCD0 9A938A", Build()),
    Person(
        "ponytail",
        "EDC3A8 8A4524 5E7A52",
        "993671 46424F 4A4F57 D6CCBE",
        Build(0.95, 0.88, 0.90, 0.92, 0.88, 1.00, 0.88, 0.95, *_SLIM),
    ),
    Person(
        "crop",
        "774B34 241E1C 33201A",
        "7F6B2D 2E3944 E2DCD0 4A4F57",
        Build(1.02, 1.12, 1.10, 1.08, 1.08, 1.05, 1.12, 1.08, *_BROAD),
        legs="shorts",
    ),
    Person(
        "bob",
        "E4BC96 2B2629 3E281C",
        "A63A5A 3A3A3E 5B4438 CFC8BA",
        Build(0.95, 0.88, 0.90, 0.93, 0.89, 1.04, 0.90, 0.98, *_SLIM),
        sleeves="long",
    ),
    Person(
        "curly",
        "C08A62 38271D 4A3020",
        "246648 6E695F 4A4F57 CFC8BA",
        Build(0.98, 0.94, 0.95, 0.92, 0.90, 0.93, 0.90, 0.92),
        legs="shorts",
    ),
    Person(
        "bun",
        "925F40 2A201D 33201A",
        "6542A6 39444C E2DCD0 9A938A",
        Build(0.96, 0.93, 0.96, 1.02, 1.02, 1.10, 0.98, 1.08),
    ),
    Person(
        "crop",
        "E9C0A6 A8A39C 6C8C9E",
        "283B73 8A8378 5B4438 D2CBBF",
        Build(1.00, 1.06, 1.00, 1.06, 1.12, 1.05, 1.00, 1.02, *_BROAD),
        sleeves="long",
    ),
    Person(
        "long",
        "F0CBB0 D6B07A 6A8FB2",
        "8C4B3F 2E3944 E2DCD0 5B4438",
        Build(0.95, 0.89, 0.93, 0.95, 0.89, 1.02, 0.92, 1.00, *_SLIM),
    ),
    Person(
        "short",
        "63402E 1F1A18 2A1A14",
        "A6A6D9 55453F 4A4F57 D7D3CB",
        Build(0.98, 1.06, 1.08, 1.04, 0.95, 0.97, 1.07, 1.03, *_BROAD),
        sleeves="long",
    ),
    Person(
        "ponytail",
        "D3A27C 593826 5A3A26",
        "5E6A2F 3A3A3E 5B4438 C9C4BB",
        Build(0.94, 0.88, 0.88, 0.88, 0.88, 0.94, 0.88, 0.90, *_SLIM),
        legs="shorts",
    ),
)
"""Everybody, in the order of jugglers."""

_WORN = np.array([person.worn for person in PEOPLE])
_GIRTHS = np.stack([bone_girths(**vars(person.build)) for person in PEOPLE])
_PAINTS = np.stack([person.paint for person in PEOPLE])
_CLOTHES_COVERS = [COVERS.index(cover) for cover in _CLOTHES]
_LIGHTEST_GREY = np.float32(0.43)  # of clothes with less colour: props are lighter or vivid then
_LUMA_WEIGHTS = np.array([0.299, 0.587, 0.114], dtype=np.float32)


@lru_cache(maxsize=64)
def people_indices(people: str, jugglers: int) -> Integers:
    """Return for each juggler the index in `PEOPLE` of the person shown, shape (jugglers,).

    The array is cached and read-only.

    Args:
        people: `VARIED` for all people in turn, `SAME` for the first person for every juggler, or
            numbers of people from 1, with commas between, that are taken in turn.
        jugglers: number of jugglers.
    """
    if people == VARIED:
        cycle = np.arange(len(PEOPLE))
    else:
        cycle = np.array(
            [0] if people == SAME else [int(number) - 1 for number in people.split(",")]
        )
    # `np.resize` repeats the cycle as often as needed, and cuts it off.
    indices = np.resize(cycle, jugglers)
    indices.setflags(write=False)
    return indices


@lru_cache(maxsize=64)
def people_paint(people: str, jugglers: int, vividness: float = 1.0) -> Singles:
    """Return what each juggler's `COVERS` look like, shape (jugglers, covers, 4).

    The array is cached and read-only.

    Args:
        people, jugglers: as of `people_indices`.
        vividness: how much colour clothes have: 1 for their own colours, 0 for greys as light as
            these, but never light.

    Returns:
        Red, green and blue, sRGB from 0 to 1, and gloss, 0 to 1, of each cover of each juggler.
    """
    # Indexing with an array makes a copy, which is changed below.
    paint: Singles = _PAINTS[people_indices(people, jugglers)]
    # Colours of clothes are mixed from the grey of equal luma, or a darker one, and their own.
    clothes = paint[:, _CLOTHES_COVERS, :3]
    grey = np.minimum(clothes @ _LUMA_WEIGHTS, _LIGHTEST_GREY)[..., None]
    paint[:, _CLOTHES_COVERS, :3] = grey + np.float32(vividness) * (clothes - grey)
    paint.setflags(write=False)
    return paint


@lru_cache(maxsize=64)
def people_worn(people: str, jugglers: int) -> Integers:
    """Return what each juggler wears, numbers as of `skin.worn_number`, shape (jugglers,).

    The array is cached and read-only.

    Args:
        people, jugglers: as of `people_indices`.
    """
    worn: Integers = _WORN[people_indices(people, jugglers)]
    worn.setflags(write=False)
    return worn


@lru_cache(maxsize=64)
def people_girths(people: str, jugglers: int) -> Floats:
    """Return the girth factors of each juggler's bones, as of `bone_girths`, (jugglers, bones, 3).

    The array is cached and read-only.

    Args:
        people, jugglers: as of `people_indices`.
    """
    girths: Floats = _GIRTHS[people_indices(people, jugglers)]
    girths.setflags(write=False)
    return girths
