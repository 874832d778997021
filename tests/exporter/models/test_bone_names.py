import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from bvh_reader import read_bvh
from foreign_programs import three_places
from glb_reader import read_glb
from model_patterns import animation, joints_at
from paths import ROOT, SUPPORT
from pxr import Usd, UsdGeom, UsdSkel

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.models.skeleton import BONES, ENDS, MIXAMO, SEGMENTS, VRM, rig_of

ONE, TWO = "slow", "passing with props of all sorts"

VRM_PARENTS = {
    "hips": "",
    "spine": "hips",
    "chest": "spine",
    "neck": "chest",
    "head": "neck",
    "leftShoulder": "chest",
    "leftUpperArm": "leftShoulder",
    "leftLowerArm": "leftUpperArm",
    "leftHand": "leftLowerArm",
    "leftUpperLeg": "hips",
    "leftLowerLeg": "leftUpperLeg",
    "leftFoot": "leftLowerLeg",
    "leftToes": "leftFoot",
    "leftThumbMetacarpal": "leftHand",
    "leftMiddleProximal": "leftHand",
    "leftMiddleIntermediate": "leftMiddleProximal",
}
"""Of VRM 1.0, for the bones that there are here (`humanoid.md`)."""

JOINTS = {
    bones: dict(zip([s.joint for s in SEGMENTS], rig_of(bones).segments, strict=True))
    for bones in BONES
}


def named(bones: str) -> dict[str, Joint]:
    """The joint at which each bone begins."""
    begins = zip(rig_of(bones).segments, (segment.joint for segment in SEGMENTS), strict=True)
    return dict(begins) | {name: joint for joint, name in rig_of(bones).ends.items()}


@pytest.mark.parametrize("bones", BONES)
def test_names_change_no_pose_as_two_programs_read_it(tmp_path: Path, bones: str) -> None:
    (path,) = ja.export(animation(ONE), tmp_path / "a.glb", fps=20, bones=bones)
    glb = read_glb(path)
    times = glb.times[[0, 7, 23]]
    for time, other in zip(times, three_places(path, times.tolist()), strict=True):
        places, wanted = glb.places(time), joints_at(ONE, np.array([time]))[0, 0]
        for name, joint in named(bones).items():
            np.testing.assert_allclose(places[name], wanted[joint], atol=1e-5, err_msg=name)
            np.testing.assert_allclose(
                other[name.replace(":", "")], wanted[joint], atol=1e-5, err_msg=name
            )


@pytest.mark.parametrize("bones", BONES)
def test_bones_of_a_bvh_are_where_the_pose_has_them_in_centimetres(
    tmp_path: Path, bones: str
) -> None:
    path, _table = ja.export(animation(ONE), tmp_path / "a.bvh", fps=20, bones=bones, scale=100)
    bvh = read_bvh(path.read_text(encoding="ascii"))
    frames = [0, 9, 30]
    times = [frame * bvh.frame_time for frame in frames]
    wanted = 100 * joints_at(ONE, np.array(times))[:, 0]
    places, seen = bvh.places(), three_places(path, times)
    for name, joint in named(bones).items():
        if joint not in ENDS:
            np.testing.assert_allclose(
                places[name][frames], wanted[:, joint], atol=1e-3, err_msg=name
            )
            other = [each[name.replace(":", "")] for each in seen]
            np.testing.assert_allclose(other, wanted[:, joint], atol=1e-2, err_msg=name)


@pytest.mark.parametrize("bones", BONES)
def test_bones_of_a_stage_are_where_the_pose_has_them(tmp_path: Path, bones: str) -> None:
    (path,) = ja.export(animation(ONE), tmp_path / "a.usdc", fps=20, bones=bones)
    stage = Usd.Stage.Open(str(path))
    skeleton = UsdSkel.Skeleton.Get(stage, "/juggling/juggler_1/juggler_1_skeleton")
    names = [joint.rpartition("/")[2] for joint in skeleton.GetJointsAttr().Get()]
    worlds = (
        UsdSkel.Cache().GetSkelQuery(skeleton).ComputeJointWorldTransforms(UsdGeom.XformCache(11))
    )
    places = dict(zip(names, (np.array(each.ExtractTranslation()) for each in worlds), strict=True))
    wanted = joints_at(ONE, np.array([11 / stage.GetTimeCodesPerSecond()]))[0, 0]
    for name, joint in named(bones).items():
        np.testing.assert_allclose(
            places[name.replace(":", "_")], wanted[joint], atol=1e-4, err_msg=name
        )


def test_vrm_bones_hang_together_as_vrm_has_them_and_nodes_are_told_to_be_bones(
    tmp_path: Path,
) -> None:
    (path,) = ja.export(animation(ONE), tmp_path / "a.glb", fps=20, bones=VRM)
    glb = read_glb(path)
    parents = {
        glb.nodes[child]["name"]: node["name"]
        for node in glb.nodes
        for child in node.get("children", [])
    }
    for name, parent in VRM_PARENTS.items():
        assert parents[name] == (parent or "juggler_1")
        other = name.replace("left", "right")
        assert parents[other] == (parent.replace("left", "right") or "juggler_1")
    told = glb.document["extensions"]["VRMC_vrm_animation"]
    bones = {
        name: glb.nodes[bone["node"]]["name"]
        for name, bone in told["humanoid"]["humanBones"].items()
    }
    assert all(name == node for name, node in bones.items())
    assert bones.keys() >= VRM_PARENTS.keys()
    assert glb.document["extensionsUsed"] == ["VRMC_vrm_animation"]


@pytest.mark.parametrize("bones", BONES)
def test_nodes_with_known_names_rest_in_a_t_pose(tmp_path: Path, bones: str) -> None:
    (path,) = ja.export(animation(ONE), tmp_path / "a.glb", fps=20, bones=bones)
    glb = read_glb(path)
    for name in rig_of(bones).segments:
        assert glb.nodes[glb.number[name]]["rotation"] == [0, 0, 0, 1]
    arm = JOINTS[bones][Joint.LEFT_ELBOW], JOINTS[bones][Joint.LEFT_WRIST]
    for name in arm:
        x, y, z = glb.nodes[glb.number[name]]["translation"]
        assert (y, z) == (0, 0)
        assert x > 0.2


def test_several_people_have_names_of_their_own_in_one_file(tmp_path: Path) -> None:
    for bones, first, second in (
        (MIXAMO, "mixamorig1:Hips", "mixamorig2:Hips"),
        (VRM, "juggler_1_hips", "juggler_2_hips"),
    ):
        (path,) = ja.export(animation(TWO), tmp_path / f"{bones}.glb", fps=5, bones=bones)
        assert {first, second} <= read_glb(path).number.keys()
        *paths, _table = ja.export(animation(TWO), tmp_path / f"{bones}.bvh", fps=5, bones=bones)
        heads = [path.read_text().splitlines()[1].removeprefix("ROOT ") for path in paths]
        assert heads == [rig_of(bones).segments[0]] * 2


def test_khronos_validator_knows_all_but_what_vrm_adds(tmp_path: Path) -> None:
    paths = [
        str(ja.export(animation(TWO), tmp_path / f"{bones}.glb", fps=5, bones=bones)[0])
        for bones in BONES
    ]
    place = str(ROOT / ".venv/node_modules/gltf-validator")
    ran = subprocess.run(
        ["node", SUPPORT / "gltf_validity.js", place, *paths], capture_output=True, text=True
    )
    codes = [[message["code"] for message in messages] for messages in json.loads(ran.stdout)]
    assert dict(zip(BONES, codes, strict=True)) == {MIXAMO: [], VRM: ["UNSUPPORTED_EXTENSION"]}


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("a.mp4", {"bones": VRM}, r"bones is for \.glb, \.gltf, \.usdz, \.usdc, \.usda, \.bvh"),
        ("a.csv", {"bones": VRM}, "bones is for"),
        ("frames", {"bones": VRM}, "bones is for"),
        ("a.glb", {"bones": "vmr"}, "did you mean vrm"),
        ("a.glb", {"scale": 100.0}, r"scale is for \.bvh"),
        ("a.bvh", {"scale": 0.0}, "from 0.001 to 10,000 units per metre"),
        ("a.bvh", {"scale": float("nan")}, "units per metre"),
    ],
)
def test_names_and_units_are_refused_where_there_are_none(
    tmp_path: Path, name: str, given: dict[str, object], said: str
) -> None:
    with pytest.raises(ParameterError, match=said):
        ja.export("3", tmp_path / name, **given)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
