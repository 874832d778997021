import signal
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foreign_programs import three_places
from glb_reader import read_glb
from long_cases import sampled
from model_patterns import BOUNCING, PATTERNS, animation, contacts_of, file_name, joints_at
from pxr import Gf, Usd, UsdGeom, UsdShade, UsdSkel, UsdValidation, Vt

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.jobs import interrupts_deferred
from juggle_anim.exporter.models.skeleton import ENDS, SEGMENTS
from juggle_anim.exporter.view import read_view
from juggle_anim.metadata.documents import read_metadata
from juggle_anim.motion import aim_directions

ENDINGS = (".usda", ".usdc", ".usdz")
JOINTS = [*(segment.joint for segment in SEGMENTS), *ENDS]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A package of each pattern."""
    folder = tmp_path_factory.mktemp("models")
    return {
        name: ja.export(animation(name), folder / f"{name}.usdz", fps=20)[0] for name in PATTERNS
    }


def opened(path: Path) -> Any:
    return Usd.Stage.Open(str(path))


def some_codes(stage: Any) -> list[float]:
    codes: list[float] = np.linspace(0, stage.GetEndTimeCode(), 5).astype(int).tolist()
    return codes


def joints_of(stage: Any, juggler: int, code: float) -> dict[Joint, Floats]:
    """Where the library of USD has each joint."""
    root = UsdSkel.Root.Get(stage, f"/juggling/juggler_{juggler + 1}")
    cache = UsdSkel.Cache()
    query = cache.GetSkelQuery(
        UsdSkel.Skeleton.Get(stage, f"{root.GetPath()}/{root.GetPrim().GetName()}_skeleton")
    )
    worlds = query.ComputeJointWorldTransforms(UsdGeom.XformCache(code))
    places = [np.array(each.ExtractTranslation()) for each in worlds]
    return dict(zip(JOINTS, places[: len(JOINTS)], strict=True))


def world(stage: Any, name: str, code: float) -> Floats:
    """The matrix of a thing for column vectors."""
    return np.array(
        UsdGeom.XformCache(code).GetLocalToWorldTransform(stage.GetPrimAtPath(f"/juggling/{name}"))
    ).T


@pytest.mark.parametrize("ending", sampled(ENDINGS, ".usdc"))
def test_a_program_without_pixars_library_plays_the_same(tmp_path: Path, ending: str) -> None:
    (path,) = ja.export(animation("slow"), tmp_path / f"a{ending}", fps=20)
    times = [0.0, 0.55]
    for time, places in zip(times, three_places(path, times), strict=True):
        (body,) = joints_at("slow", np.array([time]))[0]
        for joint in Joint:
            np.testing.assert_allclose(
                places[file_name(joint)], body[joint], atol=1e-3, err_msg=str(joint)
            )
        (props,) = animation("slow").motion.sample(np.array([time * 0.5])).props
        for number, place in enumerate(props, 1):
            np.testing.assert_allclose(places[f"prop_{number}"], place, atol=1e-3)


@pytest.mark.parametrize("name", PATTERNS)
def test_every_joint_is_where_the_pose_has_it(files: dict[str, Path], name: str) -> None:
    stage = opened(files[name])
    for code in some_codes(stage):
        for juggler, body in enumerate(
            joints_at(name, np.array([code / stage.GetTimeCodesPerSecond()]))[0]
        ):
            read = joints_of(stage, juggler, code)
            assert max(np.abs(place - body[joint]).max() for joint, place in read.items()) < 1e-4
            assert {file_name(joint) for joint in read} == {file_name(joint) for joint in Joint}


@pytest.mark.parametrize("name", PATTERNS)
def test_every_prop_is_where_the_motion_has_it_and_points_as_it_does(
    files: dict[str, Path], name: str
) -> None:
    stage, motion = opened(files[name]), animation(name).motion
    for code in some_codes(stage):
        played = code / stage.GetTimeCodesPerSecond()
        frames = motion.sample(np.array([played * animation(name).parameters.speed]))
        for prop, centre in enumerate(frames.props[0]):
            matrix = world(stage, f"prop_{prop + 1}", code)
            np.testing.assert_allclose(matrix[:3, 3], centre, atol=1e-4)
            if frames.aims is not None and motion.shapes.oriented[prop]:
                np.testing.assert_allclose(
                    matrix[:3, 2], aim_directions([frames.aims[0, prop]]), atol=1e-4
                )


def test_balls_are_where_they_are_at_every_throw_catch_and_bounce(tmp_path: Path) -> None:
    bouncing = ja.animate(BOUNCING)
    (path,) = ja.export(bouncing, tmp_path / "a.usdc", fps=60, loops=1)
    stage = opened(path)
    for time in contacts_of(bouncing):
        (wanted,) = bouncing.sample(np.array([time * 0.8])).props
        code = time * stage.GetTimeCodesPerSecond()
        found = [
            world(stage, f"prop_{number}", code)[:3, 3] for number in range(1, len(wanted) + 1)
        ]
        np.testing.assert_allclose(found, wanted, atol=1e-3)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_checks_of_the_library_find_nothing_to_say(tmp_path: Path, ending: str) -> None:
    checks = UsdValidation.ValidationContext(
        UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    )
    (path,) = ja.export("<3p|3p>", tmp_path / f"a{ending}", fps=5)
    stage = opened(path)
    assert [error.GetMessage() for error in checks.Validate(stage)] == []
    stage.ClearMetadata("upAxis")
    assert checks.Validate(stage)


@pytest.mark.parametrize("name", PATTERNS)
def test_what_the_checks_would_say_of_any_pattern_is_nothing(
    files: dict[str, Path], name: str
) -> None:
    checks = UsdValidation.ValidationContext(
        UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    )
    assert [error.GetMessage() for error in checks.Validate(opened(files[name]))] == []


def test_units_are_metres_and_up_is_y_and_the_loop_has_its_length(files: dict[str, Path]) -> None:
    stage, slow = opened(files["slow"]), animation("slow")
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y
    assert stage.GetStartTimeCode() == 0
    assert stage.GetEndTimeCode() / stage.GetTimeCodesPerSecond() == pytest.approx(
        slow.duration / 0.5
    )


@pytest.mark.parametrize("name", PATTERNS)
def test_the_end_is_the_beginning(files: dict[str, Path], name: str) -> None:
    stage = opened(files[name])
    first, last = (joints_of(stage, 0, code) for code in (0.0, stage.GetEndTimeCode()))
    assert max(np.abs(first[joint] - last[joint]).max() for joint in JOINTS) < 1e-4


def test_the_skin_goes_along_as_that_of_a_gltf_does(tmp_path: Path) -> None:
    path, other = (
        ja.export("531", tmp_path / f"a{ending}", fps=10)[0] for ending in (".usdc", ".glb")
    )
    stage, glb = opened(path), read_glb(other)
    skinned = glb.skinned("juggler_1_body", 0.5)
    code = 0.5 * stage.GetTimeCodesPerSecond()
    root = UsdSkel.Root.Get(stage, "/juggling/juggler_1")
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(
        UsdSkel.Skeleton.Get(stage, "/juggling/juggler_1/juggler_1_skeleton")
    )
    turns = query.ComputeSkinningTransforms(code)
    found = []
    for prim in root.GetPrim().GetChildren():
        if prim.IsA(UsdGeom.Mesh):
            points = Vt.Vec3fArray(UsdGeom.Mesh(prim).GetPointsAttr().Get())
            assert cache.GetSkinningQuery(prim).ComputeSkinnedPoints(turns, points, code)
            found.append(np.array(points))
    np.testing.assert_allclose(np.concatenate(found), skinned, atol=2e-3)


def test_everything_has_a_name_of_its_own(files: dict[str, Path]) -> None:
    stage = opened(files["passing with props of all sorts"])
    names = [prim.GetName() for prim in stage.Traverse() if prim.GetTypeName() != "Shader"]
    assert len(set(names)) == len(names)
    assert {
        "juggler_2_shirt",
        "juggler_2_skeleton",
        "prop_1",
        "shirt_paint",
        "trousers_paint_2",
    } <= set(names)


def test_people_stay_within_the_boxes_that_are_told_of_them(files: dict[str, Path]) -> None:
    stage = opened(files["walking"])
    low, high = np.array(UsdSkel.Root.Get(stage, "/juggling/juggler_1").GetExtentAttr().Get())
    for code in range(int(stage.GetEndTimeCode()) + 1):
        joints = np.array(list(joints_of(stage, 0, code).values()))
        assert (joints > low).all()
        assert (joints < high).all()


def test_props_and_clothes_have_the_colours_of_a_gltf(tmp_path: Path) -> None:
    path, other = (
        ja.export("<3p 3|3p 3>", tmp_path / f"a{ending}", fps=5)[0] for ending in (".usdc", ".glb")
    )
    stage = opened(path)
    found = set()
    for prim in stage.Traverse():
        shader = UsdShade.Shader(prim)
        if shader and shader.GetIdAttr().Get() == "UsdPreviewSurface":
            colour, rough = (shader.GetInput(each).Get() for each in ("diffuseColor", "roughness"))
            found.add((*colour, rough))
    surfaces = [each["pbrMetallicRoughness"] for each in read_glb(other).document["materials"]]
    wanted = {(*each["baseColorFactor"][:3], each["roughnessFactor"]) for each in surfaces}
    np.testing.assert_allclose(sorted(found), sorted(wanted), atol=2e-5)
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            paint, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
            assert paint, prim.GetPath()


def test_the_camera_is_that_of_pictures(tmp_path: Path) -> None:
    (path,) = ja.export(
        animation("slow"), tmp_path / "a.usdc", fps=5, size=(400, 300), cameras=("30,10",)
    )
    stage, camera = opened(path), read_view("30,10").camera(animation("slow"), 4 / 3)
    np.testing.assert_allclose(world(stage, "camera", 0.0) @ camera.view(), np.eye(4), atol=1e-9)
    lens = UsdGeom.Camera.Get(stage, "/juggling/camera").GetCamera(0.0)
    assert lens.aspectRatio == pytest.approx(4 / 3)
    assert np.radians(lens.GetFieldOfView(Gf.Camera.FOVVertical)) == pytest.approx(
        camera.field_of_view
    )


def test_a_camera_without_perspective_shows_as_much_as_pictures_do(tmp_path: Path) -> None:
    flat = ja.animate("pattern=3;projection=orthographic")
    (path,) = ja.export(flat, tmp_path / "a.usdc", fps=5, size=(400, 300))
    stage, camera = opened(path), flat.camera(4 / 3)
    lens = UsdGeom.Camera.Get(stage, "/juggling/camera").GetCamera(0.0)
    assert lens.projection == Gf.Camera.Orthographic
    # From world to what is seen of it, from −1 to 1 across and up.
    seen = np.array(lens.frustum.ComputeViewMatrix() * lens.frustum.ComputeProjectionMatrix()).T
    wanted = camera.projection(4 / 3) @ camera.view()
    np.testing.assert_allclose(seen[:2] / seen[3, 3], wanted[:2] / wanted[3, 3], atol=1e-6)


def test_a_transparent_model_has_no_floor(files: dict[str, Path], tmp_path: Path) -> None:
    assert opened(files["slow"]).GetPrimAtPath("/juggling/floor")
    (path,) = ja.export(animation("slow"), tmp_path / "a.usda", fps=5, transparent=True)
    assert not opened(path).GetPrimAtPath("/juggling/floor")


def test_a_package_is_one_unpacked_layer_at_a_multiple_of_64_bytes(files: dict[str, Path]) -> None:
    content = files["slow"].read_bytes()
    with zipfile.ZipFile(files["slow"]) as archive:
        (member,) = archive.infolist()
        layer = archive.read(member)
    assert member.compress_type == zipfile.ZIP_STORED
    assert content.index(layer) % 64 == 0


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_animation_makes_the_same_bytes(tmp_path: Path, ending: str) -> None:
    one, other = (ja.export("441", tmp_path / f"{name}{ending}", fps=10)[0] for name in "ab")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_library_finds_the_settings_too_and_they_open_the_same_animation(
    tmp_path: Path, ending: str
) -> None:
    settings = 'pattern=531;chickenwing=60;title=Cascade\'s "é" \\ twist'
    (path,) = ja.export(settings, tmp_path / f"a{ending}", fps=5)
    stage = opened(path)
    assert stage.GetRootLayer().customLayerData == {"juggle-anim": read_metadata(path)}
    assert ja.animate(str(path)).parameters == ja.animate(settings).parameters
    assert ja.animate(str(path)).title == ja.animate(settings).title


def test_a_file_that_the_library_has_written_again_is_still_read(
    files: dict[str, Path], tmp_path: Path
) -> None:
    stage = opened(files["slow"])
    for ending in (".usda", ".usdc"):
        again = tmp_path / f"again{ending}"
        stage.GetRootLayer().Export(str(again))
        assert read_metadata(again) == read_metadata(files["slow"])


def test_without_the_library_an_export_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pxr", None)
    monkeypatch.delitem(sys.modules, "juggle_anim.exporter.models.usd", raising=False)
    with pytest.raises(
        ParameterError, match=r'^USD files need the library pxr: pip install "juggle-anim\[usd\]"'
    ):
        ja.export("3", tmp_path / "a.usdz")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_waits_until_the_library_is_loaded() -> None:
    done = []

    def load() -> None:
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            done.append("loaded")

    with pytest.raises(KeyboardInterrupt):
        load()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
