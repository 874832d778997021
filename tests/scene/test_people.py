from itertools import combinations, pairwise

import numpy as np
import pytest
from colour_vision import EYES, USUAL, Colour, difference, lab, least_difference

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.parameters import PEOPLE as CHOICES
from juggle_anim.scene.figure import LIMBS
from juggle_anim.scene.people import (
    PALETTES,
    PEOPLE,
    palette_of,
    people_girths,
    people_indices,
    people_paint,
    prop_colours,
)
from juggle_anim.scene.props import BALL_TONE, toned
from juggle_anim.scene.scene import STAGES
from juggle_anim.scene.skin import COVERS, MOUTHS, NAMES, PARTS, UNIT, load_skin

LOOKS = [(theme, stage) for theme in PALETTES for stage in STAGES]
APART, CLEAR, CLEAR_TO_ANY_EYES = 20.0, 20.0, 15.0
TO_ANY_EYES = {"standard": 10.5, "projected": 10.5, "colour-blind": 16.0}


def shirts(capsules: Floats, limbs: int) -> Floats:
    """The colour of each juggler's first limb, which is a part of the shirt."""
    return capsules.reshape(-1, limbs, 12)[:, 0, 8:11]


def mix(one: Colour, other: Colour) -> list[float]:
    """Half of either light; sRGB."""
    return [((a**2.2 + b**2.2) / 2) ** (1 / 2.2) for a, b in zip(one, other, strict=True)]


def test_every_person_can_be_chosen_by_number() -> None:
    assert len(PEOPLE) == CHOICES >= 8
    for number in range(1, CHOICES + 1):
        assert people_indices(str(number), 3).tolist() == [number - 1] * 3


def test_jugglers_are_people_in_turn() -> None:
    assert people_indices("varied", CHOICES + 2).tolist() == [*range(CHOICES), 0, 1]
    assert people_indices("same", 3).tolist() == [0, 0, 0]
    assert people_indices("1,4,2", 5).tolist() == [0, 3, 1, 0, 3]


def test_people_are_chosen_as_words_numbers_and_lists() -> None:
    for given, meant in ((3, "3"), ("3", "3"), (" 5, 2", "5,2"), ("same", "same")):
        assert ja.animate("3", people=given).parameters.people == meant
    assert ja.animate("3;people=5, 2").settings == "pattern=3;people=5,2"


def side_by_side(people: int) -> ja.Animation:
    """So many who do the same, of whom one is planned and posed."""
    return ja.animate(f"<{'|'.join(people * '3')}>", figure="person")


@pytest.mark.parametrize("people", ["varied", "same", 3, "5,2"])
def test_each_juggler_wears_the_same_in_whatever_detail(people: str | int) -> None:
    scene = side_by_side(6).replace(people=people).scene(0.0)
    wanted = people_paint(str(people), 6)[:, COVERS.index("shirt"), :3]
    np.testing.assert_array_equal(scene.paint[:, COVERS.index("shirt"), :3], wanted)
    np.testing.assert_array_equal(shirts(scene.capsules[: scene.limb_count], len(LIMBS)), wanted)
    np.testing.assert_array_equal(shirts(scene.low_detail, scene.low_detail.shape[1]), wanted)
    assert len(np.unique(wanted, axis=0)) == {"varied": 6, "same": 1, 3: 1, "5,2": 2}[people]


@pytest.mark.parametrize(("theme", "stage"), LOOKS)
def test_wood_stays_wood(theme: str, stage: str) -> None:
    two = ja.animate("<3|3>", figure="mannequin", theme=theme, stage=stage).scene(0.0)
    paint = two.capsules[: two.limb_count, 8:]
    assert len(np.unique(paint, axis=0)) == 1
    assert len(np.unique(two.low_detail[..., 8:].reshape(-1, 4), axis=0)) == 1
    red, green, blue = paint[0, :3]
    assert red > green > blue
    props = prop_colours(8, palette_of(theme, stage)).tolist()
    assert difference(lab(props), lab([paint[0, :3]] * len(props))).min() >= 14.0


def test_neighbours_differ_in_skin_hair_or_clothes_at_a_glance() -> None:
    for one, other in pairwise(people_paint("varied", CHOICES + 1)[:, :, :3]):
        assert (
            difference(lab(one), lab(other))[
                [COVERS.index(cover) for cover in ("shirt", "trousers")]
            ]
            > 5
        ).all()


@pytest.mark.parametrize(("theme", "stage"), LOOKS)
def test_up_to_eight_props_are_told_apart(theme: str, stage: str) -> None:
    colours = prop_colours(8, palette_of(theme, stage)).tolist()
    assert least_difference(colours, USUAL) >= APART
    for eyes in EYES.values():
        assert least_difference(colours, eyes) >= TO_ANY_EYES[theme]


@pytest.mark.parametrize(("theme", "stage"), LOOKS)
def test_balls_are_told_apart_from_afar_where_their_panels_mix(theme: str, stage: str) -> None:
    colours = [tuple(colour) for colour in prop_colours(8, palette_of(theme, stage)).tolist()]
    mixed = [mix(colour, toned(colour, BALL_TONE)) for colour in colours]
    assert least_difference(mixed, USUAL) >= 18.0
    for eyes in EYES.values():
        assert least_difference(mixed, eyes) >= TO_ANY_EYES[theme] - 2.5


@pytest.mark.parametrize(("theme", "stage"), LOOKS)
def test_props_stand_out_from_all_clothes(theme: str, stage: str) -> None:
    animation = side_by_side(CHOICES).replace(theme=theme, stage=stage)
    names = "shirt", "trousers", "shoes", "soles", "sleeves", "trim"
    covers = [COVERS.index(cover) for cover in names]
    worn = animation.scene(0.0).paint[:, covers, :3].reshape(-1, 3)
    props = prop_colours(8, animation.palette)
    for eyes in EYES if theme == "colour-blind" else ["usual"]:
        ours, theirs = (lab(colours.tolist(), EYES[eyes]) for colours in (worn, props))
        apart = difference(np.repeat(ours, 8, axis=0), np.tile(theirs, (len(ours), 1)))
        assert apart.min() >= (CLEAR if eyes == "usual" else CLEAR_TO_ANY_EYES)


@pytest.mark.parametrize(("theme", "stage"), LOOKS)
def test_props_stand_out_from_floor_and_wall(theme: str, stage: str) -> None:
    around = [STAGES[stage].floor, STAGES[stage].backdrop_bottom]
    props = prop_colours(8, palette_of(theme, stage)).tolist()
    for eyes in EYES if theme == "colour-blind" else ["usual"]:
        ours, theirs = (lab(colours, EYES[eyes]) for colours in (around, props))
        apart = difference(np.repeat(ours, 8, axis=0), np.tile(theirs, (2, 1)))
        assert apart.min() >= (CLEAR if eyes == "usual" else CLEAR_TO_ANY_EYES)


def widths(girths: Floats | None, height: float) -> Floats:
    """Extent of the shirt, less its sleeves, at rest at a height, left to right and front to back,
    [m].
    """
    skin = load_skin()
    level, trunk = skin.levels[0], [NAMES.index(name) for name in ("pelvis", "spine", "waist")]
    points = level.carried(skin.skeleton.transforms(skin.skeleton.joints, girths=girths))
    part = (level.covers == COVERS.index("shirt")) & np.isin(level.bones[:, 0], trunk)
    return np.ptp(points[part & (np.abs(points[:, 1] - height) < 0.012)], axis=0)[[0, 2]]


def test_builds_are_as_wide_as_they_say_and_hands_and_shoes_the_same_for_all() -> None:
    skin = load_skin()
    level, waist = skin.levels[0], skin.skeleton.joints[Joint.PELVIS, 1] + 0.15
    ends = [
        n
        for n, name in enumerate(NAMES)
        if name.endswith(("hand", "finger", "middle", "tip", "thumb", "foot"))
    ]
    same = (np.isin(level.bones, ends) | (level.shares == 0)).all(axis=1)
    plain = level.carried(skin.skeleton.transforms(skin.skeleton.joints))
    for girths in people_girths("varied", CHOICES):
        assert np.abs(girths - 1).max() <= 0.55
        # Hips and chest widen it, too.
        wider = girths[NAMES.index("waist"), 1] - 1
        if abs(wider) >= 0.1:
            share = (widths(girths, waist) / widths(None, waist) - 1)[0] / wider
            assert 0.4 < share < 1.1
        moved = level.carried(skin.skeleton.transforms(skin.skeleton.joints, girths=girths))
        assert same.sum() > 1000
        np.testing.assert_allclose(moved[same], plain[same], atol=1e-6)


def test_faces_differ_and_everybody_has_one_mouth() -> None:
    mouths = [[part for part in person.face if part in MOUTHS] for person in PEOPLE]
    assert {len(mouth) for mouth in mouths} == {1}
    assert {mouth for (mouth,) in mouths} == set(MOUTHS)
    face = [NAMES.index(name) for name in ("jaw", "mouth", "brow", "nose", "left socket")]
    for one, other in combinations(people_girths("varied", CHOICES)[:, face], 2):
        assert np.abs(one - other).max() > 0.04


@pytest.mark.parametrize(
    "person", [number for number, of in enumerate(PEOPLE) if "beard" in of.face]
)
def test_beards_leave_lips_free(person: int) -> None:
    parts = PEOPLE[person].face
    (mouth,) = (part for part in parts if part in MOUTHS)
    level = load_skin().levels[0]

    def seen_from_ahead(part: str) -> Floats:
        """Points that a part adds, to the left and up, [m]."""
        first, end = level.parts[PARTS.index(part)], level.parts[PARTS.index(part) + 1]
        return level.points[np.unique(level.triangles[first:end])][:, :2] * UNIT

    lips, beard = seen_from_ahead(mouth), seen_from_ahead("beard")
    gaps = np.linalg.norm(lips[:, None] - beard, axis=-1)
    assert gaps.min() > 0.0005
    # It is all around them.
    assert beard[:, 1].min() < lips[:, 1].min()
    assert beard[:, 1].max() > lips[:, 1].max()
