import numpy as np
import pytest

from juggle_anim.arrays import Floats
from juggle_anim.exporter.models.bodies import (
    Mesh,
    ball,
    cube,
    floor,
    prop_parts,
    ring,
    round_cones,
    skin_weights,
)
from juggle_anim.exporter.models.skeleton import NAMES
from juggle_anim.motion import CLUB_CENTRE, CLUB_LENGTH, CLUB_WIDTH
from juggle_anim.scene.figure import LIMBS

CONES = np.array(
    [
        (0, 0, 0, 0.1, 0, 1, 0, 0.1),
        (1, 2, 3, 0.2, 1.5, 2, 3.5, 0.05),
        (0, 0, 0, 0.03, 0, 0, -0.2, 0.06),
    ]
)


SOLIDS = {
    "ball": ball(0.1),
    "cube": cube(0.2),
    "ring": ring(0.32, 0.24, 0.003),
    "striped": ring(0.32, 0.24, 0.003, (0.3, 0.7)),
    "cones": round_cones(CONES)[0],
}


def volume(mesh: Mesh) -> float:
    first, second, third = (mesh.points[mesh.triangles[:, corner]] for corner in range(3))
    return float(np.einsum("fk,fk->", first, np.cross(second, third)) / 6)


def round_cone_volume(cone: Floats) -> float:
    """Of what two balls and all between them fill, by slices across."""
    length = np.linalg.norm(cone[4:7] - cone[0:3])
    first, second = cone[3], cone[7]
    at = np.linspace(-first, length + second, 20_001)
    steps = np.linspace(0.0, 1.0, 400)[:, None]
    radii = first + steps * (second - first)
    squares = np.maximum(radii**2 - (at - steps * length) ** 2, 0.0).max(axis=0)
    return float(np.pi * squares.sum() * (at[1] - at[0]))


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_closed_and_faces_outward(name: str) -> None:
    mesh = SOLIDS[name]
    places, corner = np.unique(mesh.points.round(9), axis=0, return_inverse=True)
    triangles = corner.ravel()[mesh.triangles]
    edges = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    there, back = ({tuple(edge) for edge in each.tolist()} for each in (edges, edges[:, ::-1]))
    assert len(there) == len(edges)
    assert there == back
    assert len(places) == len(np.unique(triangles))
    sides = np.diff(mesh.points[mesh.triangles], axis=1)
    across = np.cross(sides[:, 0], sides[:, 1])
    assert np.linalg.norm(across, axis=1).min() > 0
    assert np.einsum("fk,fk->f", across, mesh.normals[mesh.triangles].mean(axis=1)).min() > 0
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-12)


def test_solids_have_their_size() -> None:
    assert volume(SOLIDS["ball"]) == pytest.approx(4 / 3 * np.pi * 0.1**3, rel=0.04)
    assert volume(SOLIDS["cube"]) == pytest.approx(0.008)
    assert volume(SOLIDS["ring"]) == pytest.approx(np.pi * (0.16**2 - 0.12**2) * 0.003, rel=0.03)
    assert volume(SOLIDS["cones"]) == pytest.approx(sum(map(round_cone_volume, CONES)), rel=0.05)
    assert np.ptp(SOLIDS["ring"].points, axis=0) == pytest.approx([0.003, 0.32, 0.32])


def test_corners_of_round_cones_lie_on_the_ball_of_their_end() -> None:
    mesh, owner = round_cones(CONES)
    ends = CONES.reshape(-1, 4)
    away = mesh.points - ends[owner, :3]
    np.testing.assert_allclose(away, ends[owner, 3:] * mesh.normals, atol=1e-12)


def test_the_floor_faces_up() -> None:
    mesh = floor(3.0)
    sides = np.diff(mesh.points[mesh.triangles], axis=1)
    np.testing.assert_allclose(np.cross(sides[:, 0], sides[:, 1]), [(0, 36, 0)] * 2)


def carriers(limb: int, end: int) -> set[str]:
    segments, shares = skin_weights()
    return {
        NAMES[each]
        for each, share in zip(segments[limb, end], shares[limb, end], strict=True)
        if share
    }


def test_shares_add_up_and_none_is_of_the_same_segment_twice() -> None:
    segments, shares = skin_weights()
    assert segments.shape == shares.shape == (len(LIMBS), 2, 2)
    np.testing.assert_allclose(shares.sum(axis=-1), 1.0)
    assert shares.min() >= 0
    assert (segments[shares == 0] == 0).all()
    twice = (segments[..., 0] == segments[..., 1]) & (shares[..., 1] > 0)
    assert not twice.any()


def test_long_bones_and_feet_are_rigid() -> None:
    rigid = [
        carriers(limb, 0) for limb in range(len(LIMBS)) if carriers(limb, 0) == carriers(limb, 1)
    ]
    for side in ("left", "right"):
        for part in ("shoulder", "elbow", "wrist", "palm", "fingers", "hip", "knee", "ankle"):
            assert {f"{side}_{part}"} in rigid


def test_covers_are_carried_by_what_they_cover() -> None:
    parts = {"hair": {"neck"}, "shoes": {"left_ankle", "right_ankle"}}
    for number, limb in enumerate(LIMBS):
        if limb.cover in parts:
            assert carriers(number, 0) | carriers(number, 1) <= parts[limb.cover]


def test_no_limb_hangs_on_the_other_side_of_the_body() -> None:
    arms = {"elbow", "wrist", "palm", "fingers", "thumb", "knee", "ankle"}
    for number in range(len(LIMBS)):
        all_of_it = carriers(number, 0) | carriers(number, 1)
        sides = {name.split("_")[0] for name in all_of_it if name.split("_")[-1] in arms}
        assert len(sides) < 2


def test_a_club_is_one_closed_surface_in_bands_with_normals_outward() -> None:
    parts = prop_parts("club", CLUB_WIDTH, (0.9, 0.1, 0.1))
    assert len(parts) == 3
    points, normals = (
        np.concatenate([getattr(part.mesh, name) for part in parts])
        for name in ("points", "normals")
    )
    assert (points[:, 2].min(), points[:, 2].max()) == pytest.approx(
        (-CLUB_CENTRE, CLUB_LENGTH - CLUB_CENTRE)
    )
    assert 2 * np.hypot(points[:, 0], points[:, 1]).max() == pytest.approx(CLUB_WIDTH, rel=2e-3)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    assert (points[:, :2] * normals[:, :2]).sum(axis=1).min() > -1e-9
    # As much as of a solid of revolution, whose circles have 20 corners.
    along = np.linspace(-CLUB_CENTRE, CLUB_LENGTH - CLUB_CENTRE, 2000)
    order = np.argsort(points[:, 2])
    radii = np.interp(along, points[order, 2], np.hypot(points[order, 0], points[order, 1]))
    whole = np.trapezoid(np.pi * radii**2, along) * 10 / np.pi * np.sin(np.pi / 10)
    assert sum(volume(part.mesh) for part in parts) == pytest.approx(whole, rel=0.02)


def test_panels_of_a_ball_are_halves_of_its_surface() -> None:
    one, other = (part.mesh for part in prop_parts("ball", 0.07, (0.2, 0.5, 0.9)))
    assert len(one.triangles) == len(other.triangles)
    assert volume(one) == pytest.approx(volume(other))
