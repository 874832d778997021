"""People: the colours, cuts of hair and builds of those who juggle.

Clothes are dull, and dark where props pass, so that props of every colour stand out from them in
every theme.

Palettes: colours of props, paths and ghosts for each theme, apart for colour-blind eyes too.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene.skin import COVERS, GIRTHS, bone_girths, worn_number

VARIED = "varied"
SAME = "same"
"""Options of the parameter `people`: a person for each juggler in turn, and the first for all."""

WOODEN = "wooden"
"""Whom `people_indices` takes for a mannequin, which is no choice of that parameter."""


@dataclass(frozen=True)
class Build:
    """Weights of the directions in which bodies differ: 0 for the original skin, 1 for much.

    Bones are as long for all, so that all juggle alike.

    Args:
        heavy: slim below 0.
        belly: a round one.
        broad: broad shoulders; narrow ones below 0.
        curved: a bust, a waist and hips.
        aged: a round back and thinner limbs.
        small: a large head for the body, as small people have; tall below 0.
        square: a square face with a broad jaw; an oval one below 0.
        long: a long face with a long chin; a short one below 0.
        nose: a large one; a small one below 0.
        flat: a flat, wide nose; a narrow one below 0.
        eyes: large ones; small ones below 0.
        brows: high ones; low ones below 0.
        mouth: a wide one; a narrow one below 0.
    """

    heavy: float = 0.0
    belly: float = 0.0
    broad: float = 0.0
    curved: float = 0.0
    aged: float = 0.0
    small: float = 0.0
    square: float = 0.0
    long: float = 0.0
    nose: float = 0.0
    flat: float = 0.0
    eyes: float = 0.0
    brows: float = 0.0
    mouth: float = 0.0

    @property
    def girths(self) -> Floats:
        """Girths of all bones, see `bone_girths`: each part is as much more as all directions
        together say.
        """
        changes = dict.fromkeys(GIRTHS, 0.0) | _OF_ALL
        for direction, share in vars(self).items():
            for part, change in _DIRECTIONS[direction].items():
                changes[part] += share * change
        return bone_girths(**{part: 1.0 + change for part, change in changes.items()})


# How much more girth everybody has of a part than the skin at rest.
_OF_ALL = {"jaw": -0.08, "neck": -0.04}

# How much more girth a body has of its parts that is by 1 in a direction.
_DIRECTIONS = {
    "heavy": {
        "waist": 0.18,
        "hips": 0.15,
        "chest": 0.11,
        "arms": 0.18,
        "legs": 0.17,
        "neck": 0.16,
        "jaw": 0.10,
        "shoulders": 0.05,
    },
    "belly": {"belly": 0.34, "back": -0.04},
    "broad": {"shoulders": 0.10, "chest": 0.08, "arms": 0.10, "neck": 0.10, "hips": -0.03},
    "curved": {
        "bust": 0.17,
        "waist": -0.10,
        "hips": 0.09,
        "shoulders": -0.08,
        "arms": -0.10,
        "neck": -0.12,
        "jaw": -0.05,
        "chest": -0.05,
    },
    "aged": {"back": 0.22, "arms": -0.08, "legs": -0.08, "nose": 0.08},
    "small": {"head": 0.07},
    "square": {"jaw": 0.08},
    "long": {"chin": 0.12},
    "nose": {"nose": 0.16},
    "flat": {"nostrils": 0.22},
    "eyes": {"eyes": 0.10},
    "brows": {"brow": 0.09},
    "mouth": {"mouth": 0.15},
}


def _rgb(code: str) -> list[float]:
    """Red, green and blue, sRGB from 0 to 1, of a hexadecimal code such as "FF8800"."""
    return [int(code[digit : digit + 2], 16) / 255 for digit in (0, 2, 4)]


@dataclass(frozen=True)
class Person:
    """A person. Colours are sRGB, in hexadecimal as `FF8800`, with spaces between.

    Args:
        cut: one of `skin.HAIR_CUTS`; "" for none.
        body: colours of skin, hair and irises.
        clothes: colours of shirt, trousers, shoes and soles; and, where they are not the shirt's,
            of sleeves, and of the collar and a stripe on the chest.
        build: girths.
        sleeves: "short" or "long".
        legs: "trousers" or "shorts".
        face: one of `skin.MOUTHS`; "beard" and "glasses", if any.
    """

    cut: str
    body: str
    clothes: str
    build: Build
    sleeves: str = "short"
    legs: str = "trousers"
    face: tuple[str, ...] = ("smile",)

    @property
    def worn(self) -> int:
        """The number of the parts that this person wears or shows, see `skin.worn_number`."""
        parts = [f"{self.sleeves} sleeves", self.legs, *self.face]
        if self.cut:
            parts.append(self.cut)
        parts.append("bare arms" if self.sleeves == "short" else "bare hands")
        if self.legs == "shorts":
            parts.append("bare legs")
        return worn_number(*parts)

    @property
    def paint(self) -> Singles:
        """Colour, sRGB from 0 to 1, and gloss of each of `COVERS`, shape (covers, 4).

        Eyes and pupils are the same for all, and lips and the line between them are darker skin. A
        cover is what a part of the figure is made of, such as skin or a shirt.
        """
        # The hexadecimal code of each cover, by name: those of body and clothes are in the order of
        # `_BODY` and `_CLOTHES`.
        clothes = self.clothes.split()
        # Those at the end that are left out, sleeves or trim, have the colour of the shirt.
        shirt = clothes[0]
        clothes += [shirt] * (len(_CLOTHES) - len(clothes))
        code_of_cover = _EYES | dict(
            zip(_BODY + _CLOTHES, self.body.split() + clothes, strict=True)
        )
        code_of_cover |= dict.fromkeys(("lips", "mouth", "stubble"), code_of_cover["skin"])
        colours = np.array([_rgb(code_of_cover[cover]) for cover in COVERS])
        stubble = _STUBBLE_SHARE * colours[COVERS.index("hair")]
        stubble += (1.0 - _STUBBLE_SHARE) * colours[COVERS.index("skin")]
        colours[COVERS.index("stubble")] = stubble
        colours[COVERS.index("lips")] *= _LIP_SHARE
        colours[COVERS.index("mouth")] *= _MOUTH_SHARE
        glosses = [_GLOSSES.get(cover, _USUAL_GLOSS) for cover in COVERS]
        return np.column_stack([colours, glosses]).astype(np.float32)


_BODY = ("skin", "hair", "irises")
_CLOTHES = ("shirt", "trousers", "shoes", "soles", "sleeves", "trim")
_EYES = {"eyes": "EAE4DA", "pupils": "120F0F", "socks": "D9D4CA"}
_LIP_SHARE = 0.80, 0.70, 0.67  # of the skin's sRGB: a mouth that is drawn tone on tone
_MOUTH_SHARE = 0.48, 0.34, 0.32
_STUBBLE_SHARE = 0.62  # of hair in the colour of what is shaved, through which skin is seen
_USUAL_GLOSS = 0.05
_GLOSSES = {"skin": 0.09, "lips": 0.09, "eyes": 0.3, "irises": 0.03, "pupils": 0.05}
_GLOSSES |= dict.fromkeys(("hair", "stubble", "shirt", "trousers", "socks", "sleeves", "trim"), 0.0)

PEOPLE = (
    Person(
        "short",
        "DEB091 54392A 5C3D26",
        "287373 39444C E2DCD0 9A938A 287373 E2DCD0",
        Build(broad=0.4, flat=-0.3, brows=0.3),
    ),
    Person(
        "ponytail",
        "EDC3A8 9A4E2A 5E7A52",
        "993671 46424F 4A4F57 D6CCBE",
        Build(
            heavy=-0.5,
            curved=1.0,
            small=-0.3,
            square=-0.8,
            long=-0.4,
            nose=-0.7,
            eyes=1.0,
            brows=0.9,
        ),
        face=("grin",),
    ),
    Person(
        "crop",
        "8A5A3E 3A302B 33201A",
        "7F6B2D 2E3944 E2DCD0 4A4F57 2E3944 2E3944",
        Build(
            heavy=1.1,
            belly=0.8,
            broad=0.6,
            small=0.4,
            square=0.8,
            nose=0.6,
            flat=0.9,
            eyes=-0.7,
            brows=-0.9,
        ),
        legs="shorts",
        face=("calm", "beard"),
    ),
    Person(
        "bob",
        "E4BC96 382F33 3E281C",
        "A63A5A 3A3A3E 5B4438 CFC8BA",
        Build(
            heavy=-0.9,
            curved=0.7,
            small=0.8,
            square=-0.9,
            long=-0.9,
            nose=-0.9,
            eyes=0.8,
            brows=0.5,
            mouth=-0.8,
        ),
        sleeves="long",
        face=("smile", "glasses"),
    ),
    Person(
        "curly",
        "C08A62 42301F 4A3020",
        "246648 6E695F 4A4F57 CFC8BA CFC8BA CFC8BA",
        Build(
            heavy=-1.2,
            broad=-0.3,
            small=-0.9,
            square=0.7,
            long=0.7,
            nose=0.5,
            flat=-0.8,
            eyes=0.3,
            brows=1.0,
        ),
        legs="shorts",
        face=("intent",),
    ),
    Person(
        "bun",
        "A06B49 402F31 33201A",
        "6542A6 39444C E2DCD0 9A938A 6542A6 A6A6D9",
        Build(
            heavy=1.0,
            belly=0.3,
            curved=1.1,
            small=0.3,
            square=-0.4,
            long=-0.5,
            flat=0.8,
            eyes=0.6,
            mouth=0.8,
        ),
        face=("grin",),
    ),
    Person(
        "balding",
        "E9C0A6 B9B5AF 6C8C9E",
        "283B73 8A8378 5B4438 D2CBBF",
        Build(
            heavy=0.3,
            belly=0.8,
            broad=-0.4,
            aged=1.2,
            square=0.5,
            long=0.4,
            nose=1.0,
            eyes=-1.0,
            brows=-0.5,
            mouth=-0.4,
        ),
        sleeves="long",
        face=("smile", "beard", "glasses"),
    ),
    Person(
        "long",
        "F0CBB0 D6B07A 6A8FB2",
        "8C4B3F 2E3944 E2DCD0 5B4438 E2DCD0 E2DCD0",
        Build(
            heavy=-0.4,
            curved=0.9,
            small=-0.5,
            square=-0.8,
            long=0.3,
            nose=-0.5,
            flat=-0.8,
            eyes=0.6,
            brows=0.6,
            mouth=-0.3,
        ),
        face=("calm",),
    ),
    Person(
        "afro",
        "7A503A 382D28 2A1A14",
        "A6A6D9 55453F 4A4F57 D7D3CB 46424F 46424F",
        Build(
            heavy=0.1,
            broad=1.2,
            small=-0.9,
            square=0.7,
            long=0.5,
            nose=0.5,
            flat=1.0,
            eyes=-0.3,
            brows=-0.6,
            mouth=0.7,
        ),
        sleeves="long",
        face=("grin",),
    ),
    Person(
        "curly",
        "D3A27C BEBAB6 5A3A26",
        "5E6A2F 3A3A3E 5B4438 C9C4BB",
        Build(
            heavy=0.5,
            belly=0.5,
            curved=0.4,
            aged=0.9,
            small=0.9,
            long=-0.6,
            nose=0.2,
            eyes=-0.6,
            mouth=-0.5,
        ),
        face=("smile", "glasses"),
    ),
)
"""Everybody, in the order of jugglers."""

_MANNEQUIN = Person("", "", "", Build(), sleeves="long", face=("calm",))
_WOOD = (0.68, 0.50, 0.35, 0.08)  # of a mannequin, beech: sRGB, and gloss
_WORN = np.array([person.worn for person in (*PEOPLE, _MANNEQUIN)])
_GIRTHS = np.stack([person.build.girths for person in (*PEOPLE, _MANNEQUIN)])
_PAINTS = np.stack(
    [
        *(person.paint for person in PEOPLE),
        np.tile(np.array(_WOOD, dtype=np.float32), (len(COVERS), 1)),
    ]
)
_CLOTHES_COVERS = [COVERS.index(cover) for cover in _CLOTHES]
_LIGHTEST_GREY = np.float32(0.43)  # of clothes with less colour: props are lighter or vivid then
_LUMA_WEIGHTS = np.array([0.299, 0.587, 0.114], dtype=np.float32)


@lru_cache(maxsize=64)
def people_indices(people: str, juggler_count: int) -> Integers:
    """Return for each juggler the index in `PEOPLE` of the person shown, shape (jugglers,).

    The array is cached and read-only.

    Args:
        people: `VARIED` for all people in turn, `SAME` for the first person for every juggler,
            `WOODEN` for mannequins, or numbers of people from 1, with commas between, that are
            taken in turn.
        juggler_count: number of jugglers.
    """
    if people == VARIED:
        cycle = np.arange(len(PEOPLE))
    elif people == WOODEN:
        cycle = np.array([len(PEOPLE)])  # the mannequin comes after all people
    elif people == SAME:
        cycle = np.array([0])
    else:
        cycle = np.array([int(number) - 1 for number in people.split(",")])
    # `np.resize` repeats the cycle as often as needed, and cuts it off.
    indices = np.resize(cycle, juggler_count)
    indices.setflags(write=False)
    return indices


@lru_cache(maxsize=64)
def people_paint(people: str, juggler_count: int, vividness: float = 1.0) -> Singles:
    """Return what each juggler's `COVERS` look like, shape (jugglers, covers, 4).

    A cover is what a part of the figure is made of, such as skin or a shirt. The array is cached
    and read-only.

    Args:
        people: `VARIED`, `SAME`, or numbers of people from 1, with commas between, taken in turn.
        juggler_count: number of jugglers.
        vividness: saturation of clothes: 1 for their own colours, 0 for greys of the same luma, but
            none lighter than `_LIGHTEST_GREY`.

    Returns:
        Red, green and blue, sRGB from 0 to 1, and gloss, 0 to 1, of each cover of each juggler.
    """
    # Indexing with an array makes a copy, which is changed below.
    paint: Singles = _PAINTS[people_indices(people, juggler_count)]
    if people == WOODEN:
        paint.setflags(write=False)
        return paint
    # Colours of clothes are mixed from the grey of equal luma, or a darker one, and their own.
    clothes = paint[:, _CLOTHES_COVERS, :3]
    grey = np.minimum(clothes @ _LUMA_WEIGHTS, _LIGHTEST_GREY)[..., None]
    paint[:, _CLOTHES_COVERS, :3] = grey + np.float32(vividness) * (clothes - grey)
    paint.setflags(write=False)
    return paint


@lru_cache(maxsize=64)
def people_worn(people: str, juggler_count: int) -> Integers:
    """Return what each juggler wears, shape (jugglers,): bit n is set for part n of `PARTS`.

    The array is cached and read-only.

    Args:
        people: `VARIED`, `SAME`, or numbers of people from 1, with commas between, taken in turn.
        juggler_count: number of jugglers.
    """
    worn: Integers = _WORN[people_indices(people, juggler_count)]
    worn.setflags(write=False)
    return worn


@lru_cache(maxsize=64)
def people_girths(people: str, juggler_count: int) -> Floats:
    """Return the factors by which bones widen the skin along their axes, (jugglers, bones, 3).

    The array is cached and read-only.

    Args:
        people: `VARIED`, `SAME`, or numbers of people from 1, with commas between, taken in turn.
        juggler_count: number of jugglers.
    """
    girths: Floats = _GIRTHS[people_indices(people, juggler_count)]
    girths.setflags(write=False)
    return girths


# The qualitative set of M. Okabe and K. Ito, "Color Universal Design" (2008), with violet in place
# of black, which clothes come near to. Of the first four, five and six colours no two are nearer
# than 37, 35 and 20 in CIEDE2000, nor than 33, 28 and 20 as inks on white paper.
_OKABE_ITO = ("D55E00", "56B4E9", "F0E442", "CC79A7", "009E73", "AB63FD", "0072B2", "E69F00")


# Found by simulated annealing: no two of these, of those of hands, throws and ghost included, are
# nearer than 16 in CIEDE2000 for any dichromat, and props are 20 apart for other eyes, too. From
# clothes and from the floors and walls of the stages props differ by 20, and by 15 for dichromats.
_FOR_ALL_EYES = ("C84EF3", "003D05", "B6FF1A", "330052", "46B400", "600FD7", "6DD9FF", "935F00")
# Found likewise, all of them bright enough for the dark stage.
_FOR_ALL_EYES_DARK = (
    "A181FF",
    "FFFF00",
    "D49285",
    "A7FFC1",
    "8A18FA",
    "8FBD00",
    "467F14",
    "E1BFF6",
)

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """Colours that mean something in a picture, sRGB.

    Args:
        props: colours of props in turn, in hexadecimal as `FF8800`.
        left, right: colours of the paths of left and right hands.
        thrown: colour of the paths of throws.
        ghost: colour of the arms of a second solver.
        line_scale: thickness of paths over the default.
        clothes: saturation of clothes, 0 (grey) to 1.
    """

    props: tuple[str, ...] = _OKABE_ITO
    left: Colour = (0.0, 0.62, 0.45)
    right: Colour = (0.80, 0.42, 0.63)
    thrown: Colour = (0.42, 0.53, 0.66)
    ghost: Colour = (0.96, 0.16, 0.66)
    line_scale: float = 1.0
    clothes: float = 1.0


STANDARD = Palette()
PALETTES = {
    "standard": STANDARD,
    "projected": Palette(
        left=(0.0, 0.42, 0.28),
        right=(0.66, 0.10, 0.42),
        thrown=(0.10, 0.22, 0.40),
        ghost=(0.80, 0.0, 0.50),
        line_scale=1.9,
    ),
    "colour-blind": Palette(
        _FOR_ALL_EYES,
        left=(0.992, 0.051, 0.502),
        right=(0.584, 0.58, 0.643),
        thrown=(0.333, 0.353, 0.306),
        ghost=(0.004, 0.051, 0.0),
        line_scale=1.3,
        clothes=0.1,
    ),
}
"""Palettes by theme."""

_IN_THE_DARK = {
    "projected": Palette(
        left=(0.35, 0.95, 0.70),
        right=(1.0, 0.60, 0.85),
        thrown=(0.75, 0.85, 1.0),
        ghost=(1.0, 0.35, 0.80),
        line_scale=1.9,
    ),
    "colour-blind": Palette(
        _FOR_ALL_EYES_DARK,
        left=(0.427, 0.443, 0.396),
        right=(0.937, 1.000, 1.000),
        thrown=(0.490, 0.345, 0.498),
        ghost=(0.231, 0.639, 0.655),
        line_scale=1.3,
        clothes=0.1,
    ),
}


def palette_of(theme: str, stage: str) -> Palette:
    """Return the palette of a theme on a stage, both by name.

    On the dark stage some themes have a palette of their own.
    """
    return _IN_THE_DARK.get(theme, PALETTES[theme]) if stage == "dark" else PALETTES[theme]


@lru_cache(maxsize=64)
def prop_colours(count: int, palette: Palette = STANDARD) -> Singles:
    """Return a colour for each prop, shape (count, 3), sRGB from 0 to 1.

    Props take the colours of the palette in turn. After the last of them come the same colours
    paler, then darker, then as they are again, and so on. The array is cached and read-only.

    Args:
        count: number of props.
        palette: the palette with the colours of `props`.
    """
    named = np.array([_rgb(code) for code in palette.props])
    prop = np.arange(count)
    colours = named[prop % len(named)]
    # The round in which a prop takes its colour: in round 0 colours are as they are, in round 1
    # paler, in round 2 darker; then round 0 again.
    round_index = (prop // len(named) % 3)[:, None]
    paler = 0.5 + 0.5 * colours  # halfway to white
    darker = 0.55 * colours  # nearly halfway to black
    shaded = np.where(round_index == 1, paler, np.where(round_index == 2, darker, colours))
    shared: Singles = shaded.astype(np.float32)
    shared.setflags(write=False)
    return shared
