import base64
import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from colour_vision import linear
from foreign_programs import three_places
from glb_reader import Glb, read_glb
from model_patterns import (
    BOUNCING,
    PATTERNS,
    SOLID,
    animation,
    closing,
    contacts_of,
    file_name,
    joints_at,
)
from paths import ROOT, SUPPORT

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.models import tracks
from juggle_anim.exporter.view import read_view
from juggle_anim.motion import aim_directions
from juggle_anim.scene.figure import figure_capsules
from juggle_anim.scene.people import people_paint
from juggle_anim.scene.skin import COVERS, load_skin


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A GLB of each pattern."""
    folder = tmp_path_factory.mktemp("models")
    return {
        name: ja.export(animation(name), folder / f"{name}.glb", fps=20)[0] for name in PATTERNS
    }


def some_keys(glb: Glb) -> Floats:
    return glb.times[np.linspace(0, len(glb.times) - 1, 5).astype(int)]


@pytest.mark.parametrize("name", PATTERNS)
def test_every_joint_is_where_the_pose_has_it(files: dict[str, Path], name: str) -> None:
    glb = read_glb(files[name])
    for time in some_keys(glb):
        places, joints = glb.places(time), joints_at(name, np.array([time]))[0]
        for juggler, body in enumerate(joints):
            read = np.array(
                [places[f"juggler_{juggler + 1}_{file_name(joint)}"] for joint in Joint]
            )
            np.testing.assert_allclose(read, body, atol=1e-5)


@pytest.mark.parametrize("ending", [".glb", ".gltf"])
def test_another_program_plays_the_same(tmp_path: Path, ending: str) -> None:
    name = "passing with props of all sorts"
    (path,) = ja.export(animation(name), tmp_path / f"a{ending}", fps=20)
    times = [0.0, 0.5]
    for time, places in zip(times, three_places(path, times), strict=True):
        bodies = joints_at(name, np.array([time]))[0]
        for juggler, body in enumerate(bodies, 1):
            read = [places[f"juggler_{juggler}_{file_name(joint)}"] for joint in Joint]
            np.testing.assert_allclose(read, body, atol=1e-3)
        for prop, centre in enumerate(animation(name).motion.sample(np.array([time])).props[0], 1):
            np.testing.assert_allclose(places[f"prop_{prop}"], centre, atol=2e-3)


def test_a_title_that_looks_like_the_address_of_the_content_is_a_title(tmp_path: Path) -> None:
    title = '"uri":"data:application/octet-stream;base64,'
    cascade = ja.animate("3")
    named = replace(cascade, score=replace(cascade.score, title=title))
    (path,) = ja.export(named, tmp_path / "a.gltf", fps=10)
    document = json.loads(path.read_text())
    assert document["animations"][0]["name"] == title
    assert len(document["buffers"][0]["uri"]) > document["buffers"][0]["byteLength"]


@pytest.mark.parametrize("name", PATTERNS)
def test_every_prop_is_where_the_motion_has_it_and_points_as_it_does(
    files: dict[str, Path], name: str
) -> None:
    glb, motion = read_glb(files[name]), animation(name).motion
    for time in some_keys(glb):
        worlds = glb.worlds(time)
        frames = motion.sample(np.array([time * animation(name).parameters.speed]))
        for prop, centre in enumerate(frames.props[0]):
            world = worlds[glb.number[f"prop_{prop + 1}"]]
            np.testing.assert_allclose(world[:3, 3], centre, atol=1e-5)
            if frames.aims is not None and motion.shapes.oriented[prop]:
                np.testing.assert_allclose(
                    world[:3, 2], aim_directions([frames.aims[0, prop]]), atol=1e-5
                )


def test_between_keys_bodies_and_props_stay_near_their_paths(tmp_path: Path) -> None:
    name = "clubs that turn over"
    (path,) = ja.export(animation(name), tmp_path / "a.glb", fps=60)
    glb = read_glb(path)
    for time in (glb.times[:-1] + np.diff(glb.times) / 2)[::5]:
        places, frames = glb.worlds(time), animation(name).sample(np.array([time]))
        joints = joints_at(name, np.array([time]))[0, 0]
        read = np.array(
            [places[glb.number[f"juggler_1_{file_name(joint)}"], :3, 3] for joint in Joint]
        )
        # Fingers that open for a prop, and palms that draw back from it, are the fastest of all.
        assert np.abs(read - joints).max() < 0.009
        assert frames.aims is not None
        wanted = aim_directions([frames.aims[0]])
        clubs = np.array([places[glb.number[f"prop_{prop + 1}"], :3, 2] for prop in range(3)])
        # A club whose aim is told the other way round must not be seen to turn about.
        assert np.einsum("pk,pk->p", wanted, clubs).min() > np.cos(np.radians(3))


def test_balls_are_where_they_are_at_every_throw_catch_and_bounce_and_never_below_the_floor(
    tmp_path: Path,
) -> None:
    bouncing = ja.animate(BOUNCING)
    (path,) = ja.export(bouncing, tmp_path / "a.glb", fps=60, start=0.3, seconds=2)
    glb, contacts = read_glb(path), contacts_of(bouncing)
    contacts = contacts[(contacts > 0.3) & (contacts < 2.3)]
    assert len(contacts) > 10
    for time in contacts:
        (wanted,) = bouncing.sample(np.array([time * 0.8])).props
        places = glb.places(time - 0.3)
        found = np.array([places[f"prop_{number}"] for number in range(1, len(wanted) + 1)])
        np.testing.assert_allclose(found, wanted, atol=1e-3)
        # Some ball has a key right there.
        keys = [glb.keys(f"prop_{number}") for number in range(1, len(wanted) + 1)]
        assert min(np.abs(each - (time - 0.3)).min() for each in keys) < 1e-4
    shown = [glb.places(time) for time in np.linspace(0, 2, 200)]
    assert min(places["prop_1"][1] for places in shown) > 0.0349


@pytest.mark.parametrize("name", PATTERNS)
def test_the_end_is_the_beginning(files: dict[str, Path], name: str) -> None:
    glb = read_glb(files[name])
    first, last = glb.worlds(0.0), glb.worlds(glb.times[-1])
    np.testing.assert_allclose(first[..., 3], last[..., 3], atol=2e-5)
    bones = [number for each, number in glb.number.items() if each.startswith("juggler")]
    np.testing.assert_allclose(first[bones], last[bones], atol=2e-5)


def test_a_loop_lasts_until_all_props_are_back_as_it_is_played(files: dict[str, Path]) -> None:
    slow, claws = animation("slow"), animation("claws")
    assert read_glb(files["slow"]).times[-1] == pytest.approx(slow.duration / 0.5)
    assert read_glb(files["claws"]).times[-1] == pytest.approx(3 * claws.duration)


@pytest.mark.parametrize("name", sorted({*PATTERNS} - {*SOLID}))
def test_smooth_bodies_are_those_of_pictures(files: dict[str, Path], name: str) -> None:
    glb, skin = read_glb(files[name]), load_skin()
    for time in some_keys(glb)[:3]:
        scene = closing(name).scene(float(time) * animation(name).parameters.speed)
        bones = skin.skeleton.transforms(scene.bodies, scene.gaze, scene.girths, scene.lids)
        for juggler, worn in enumerate(scene.worn.tolist()):
            wanted = skin.levels[0].wearing(worn).carried(bones[juggler])
            read = glb.skinned(f"juggler_{juggler + 1}_body", time)
            # Their corners are the same in another order.
            assert len(read) == len(wanted)
            # Builds are those of people at rest.
            near = 1e-5 if (scene.girths[juggler] == 1.0).all() else 1e-3
            for summary in (np.mean, np.std, np.min, np.max):
                np.testing.assert_allclose(
                    summary(read, axis=0), summary(wanted, axis=0), atol=near
                )


def test_solid_people_wear_what_is_theirs(tmp_path: Path) -> None:
    (path,) = ja.export(
        "pattern=<3|3|3>;people=1,2;figure=solid", tmp_path / "a.glb", fps=5, seconds=0.4
    )
    glb = read_glb(path)
    meshes = [glb.nodes[glb.number[f"juggler_{number}_body"]]["mesh"] for number in (1, 2, 3)]
    assert meshes[0] == meshes[2] != meshes[1]
    for mesh, paint in zip(meshes, people_paint("1,2", 3), strict=True):
        worn = [
            glb.document["materials"][part["material"]]
            for part in glb.document["meshes"][mesh]["primitives"]
        ]
        shirt = next(
            each["pbrMetallicRoughness"]["baseColorFactor"]
            for each in worn
            if each["name"] == "shirt"
        )
        np.testing.assert_allclose(shirt[:3], linear(paint[COVERS.index("shirt"), :3]), atol=1e-4)


def test_jugglers_share_meshes_and_have_fewer_triangles_the_more_they_are(tmp_path: Path) -> None:
    sizes = []
    for text in ("<3p|3p>", "<3p|3p|3p>", "<" + "|".join(["3p"] * 21) + ">"):
        (path,) = ja.export(
            f"pattern={text};people=1,2;figure=person",
            tmp_path / "a.glb",
            fps=5,
            seconds=0.4,
            force=True,
        )
        glb = read_glb(path)
        meshes = {
            glb.nodes[glb.number[name]]["mesh"] for name in glb.number if name.endswith("_body")
        }
        sizes.append(len(glb.skinned("juggler_1_body", 0.0)))
        assert len(meshes) == 2
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 4 * sizes[-1]


@pytest.mark.parametrize("name", SOLID)
def test_the_skin_lies_on_the_limbs_that_pictures_show(files: dict[str, Path], name: str) -> None:
    glb = read_glb(files[name])
    for time in some_keys(glb)[:3]:
        rows = figure_capsules(joints_at(name, np.array([time]))[:, :1])[0].astype(float)
        corners = glb.skinned("juggler_1_body", time)[::7]
        depth = outside(corners, rows)
        # The trunk of pictures gives a little with shrugs and bends, where its skin is carried by
        # two bones.
        assert depth.max() < 0.03
        assert np.quantile(depth, 0.9) < 0.005


def outside(points: Floats, cones: Floats) -> Floats:
    """How far points are outside the nearest of some round cones at most, shape (N,), [m]."""
    start, end = cones[:, 0:3], cones[:, 4:7]
    along = end - start
    share = np.einsum("nlk,lk->nl", points[:, None] - start, along) / np.einsum(
        "lk,lk->l", along, along
    )
    steps = np.clip(share[..., None] + np.linspace(-0.6, 0.6, 13), 0.0, 1.0)
    centres = start[:, None] + steps[..., None] * along[:, None]
    radii = cones[:, 3][:, None] + steps * (cones[:, 7] - cones[:, 3])[:, None]
    gaps = np.linalg.norm(points[:, None, None] - centres, axis=-1) - radii
    nearest: Floats = gaps.min(axis=(1, 2))
    return nearest


def test_khronos_validator_finds_nothing_to_say(files: dict[str, Path], tmp_path: Path) -> None:
    (text,) = ja.export("3", tmp_path / "a.gltf", fps=10)
    (bare,) = ja.export("(4,4)", tmp_path / "b.glb", fps=10, transparent=True, seconds=0.5, start=2)
    (still,) = ja.export("0", tmp_path / "c.glb", fps=10)
    paths = [*map(str, files.values()), str(text), str(bare), str(still)]
    place = str(ROOT / ".venv/node_modules/gltf-validator")
    ran = subprocess.run(
        ["node", SUPPORT / "gltf_validity.js", place, *paths], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert dict(zip(paths, json.loads(ran.stdout), strict=True)) == {path: [] for path in paths}


def test_a_text_file_holds_the_same_with_its_numbers_in_it(tmp_path: Path) -> None:
    (path,) = ja.export("3", tmp_path / "a.gltf", fps=10)
    (binary,) = ja.export("3", tmp_path / "a.glb", fps=10)
    document, other = json.loads(path.read_text()), read_glb(binary)
    kind, numbers = document["buffers"][0].pop("uri").split(",")
    assert kind == "data:application/octet-stream;base64"
    assert base64.b64decode(numbers, validate=True) == other.numbers
    assert document == other.document


def test_the_camera_is_that_of_pictures(tmp_path: Path) -> None:
    (path,) = ja.export(
        animation("slow"), tmp_path / "a.glb", fps=5, size=(400, 300), cameras=("30,10",)
    )
    glb, camera = read_glb(path), read_view("30,10").camera(animation("slow"), 4 / 3)
    np.testing.assert_allclose(
        glb.worlds(0.0)[glb.number["camera"]] @ camera.view(), np.eye(4), atol=1e-9
    )
    (lens,) = glb.document["cameras"]
    assert lens["perspective"]["aspectRatio"] == pytest.approx(4 / 3)
    assert lens["perspective"]["yfov"] == pytest.approx(camera.field_of_view)


def test_a_transparent_model_has_no_floor(files: dict[str, Path], tmp_path: Path) -> None:
    assert "floor" in read_glb(files["slow"]).number
    (path,) = ja.export(animation("slow"), tmp_path / "a.glb", fps=5, transparent=True)
    assert "floor" not in read_glb(path).number


def test_props_have_their_colours(tmp_path: Path) -> None:
    (path,) = ja.export("pattern=3;colors={red}{0,0,255}{188,188,188}", tmp_path / "a.glb", fps=5)
    glb = read_glb(path)
    colours = [colour_of(glb, f"prop_{number}") for number in (1, 2, 3)]
    # 188 of 255 of sRGB is half of the light.
    np.testing.assert_allclose(colours, [(1, 0, 0), (0, 0, 1), (0.5029, 0.5029, 0.5029)], atol=1e-4)


def colour_of(glb: Glb, node: str) -> Any:
    primitive, _ = glb.document["meshes"][glb.nodes[glb.number[node]]["mesh"]]["primitives"]
    return glb.document["materials"][primitive["material"]]["pbrMetallicRoughness"][
        "baseColorFactor"
    ][:3]


def test_a_span_of_time_is_exactly_so_long(tmp_path: Path) -> None:
    (path,) = ja.export(animation("slow"), tmp_path / "a.glb", fps=20, start=0.7, seconds=0.5)
    glb = read_glb(path)
    np.testing.assert_allclose(glb.times, np.arange(11) / 20, atol=1e-6)
    wanted = joints_at("slow", np.array([0.7]), closes=False)[0, 0, Joint.LEFT_WRIST]
    np.testing.assert_allclose(glb.places(0.0)["juggler_1_left_wrist"], wanted, atol=1e-5)


def test_a_model_that_would_be_too_large_is_refused_before_any_room_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ParameterError, match="fewer loops or seconds, or a lower rate"):
        ja.export("3", tmp_path / "a.glb", seconds=10_000, fps=100)
    monkeypatch.setattr(tracks, "MAX_NUMBERS", 100)
    with pytest.raises(ParameterError):
        ja.export("3", tmp_path / "a.glb")
    assert not list(tmp_path.iterdir())
