from pathlib import Path

import numpy as np
import pytest
from bvh import Bvh as OtherBvh
from bvh_reader import Bvh, read_bvh
from foreign_programs import three_places
from model_patterns import PATTERNS, animation, file_name, joints_at

import juggle_anim as ja
from juggle_anim.body import BONES, Joint
from juggle_anim.errors import ExportError
from juggle_anim.metadata.documents import read_metadata, read_record

ENDS = {"face": "head_end"} | {
    f"{side}_{joint}": f"{side}_{bone}_end"
    for side in ("left", "right")
    for joint, bone in (
        *(("tips", "fingers"), ("thumb_tip", "thumb"), ("toes", "ankle")),
        *((f"{finger}_tip", f"{finger}_middle") for finger in ("index", "ring", "little")),
    )
}


def read(path: Path) -> Bvh:
    return read_bvh(path.read_text(encoding="ascii"))


@pytest.mark.parametrize("name", PATTERNS)
def test_every_joint_is_where_the_pose_has_it(tmp_path: Path, name: str) -> None:
    *paths, _ = ja.export(animation(name), tmp_path / "a.bvh", fps=20)
    assert len(paths) == animation(name).num_jugglers
    for juggler, path in enumerate(paths):
        bvh = read(path)
        joints = joints_at(name, np.arange(len(bvh.rows)) * bvh.frame_time)[:, juggler]
        places = bvh.places()
        for joint in Joint:
            place = places[ENDS.get(file_name(joint), file_name(joint))]
            np.testing.assert_allclose(place, joints[:, joint], atol=1e-5, err_msg=str(joint))


def test_two_other_programs_read_skeleton_and_motion(tmp_path: Path) -> None:
    path, _table = ja.export(animation("slow"), tmp_path / "a.bvh", fps=20)
    ours, other = read(path), OtherBvh(path.read_text(encoding="ascii"))
    frame = 7
    time = frame * ours.frame_time
    (body,) = joints_at("slow", np.array([time]))[0]
    (places,) = three_places(path, [time])
    for joint in Joint:
        if file_name(joint) not in ENDS:
            np.testing.assert_allclose(
                places[file_name(joint)], body[joint], atol=1e-4, err_msg=str(joint)
            )
    assert (other.nframes, other.frame_time) == (len(ours.rows), pytest.approx(ours.frame_time))
    assert other.get_joints_names() == [bone.name for bone in ours.bones if bone.channels]
    pelvis = other.frame_joint_channels(frame, "pelvis", ["Xposition", "Yposition", "Zposition"])
    np.testing.assert_allclose(pelvis, body[Joint.PELVIS], atol=1e-5)
    assert (
        other.frame_joint_channel(frame, "left_elbow", "Yrotation")
        == ours.rows[frame][column_of(ours, "left_elbow")]
    )


def column_of(bvh: Bvh, bone: str) -> int:
    """The last channel of a bone."""
    return (
        sum(
            len(each.channels)
            for each in bvh.bones[: [each.name for each in bvh.bones].index(bone) + 1]
        )
        - 1
    )


def test_at_rest_a_person_stands_upright_with_bones_of_their_length(tmp_path: Path) -> None:
    path, _ = ja.export("3", tmp_path / "a.bvh", fps=20)
    bvh = read(path)
    bvh.rows = np.zeros((1, bvh.rows.shape[1]))
    places = {name: place[0] for name, place in bvh.places().items()}
    rest = {joint: places[ENDS.get(file_name(joint), file_name(joint))] for joint in Joint}
    for (start, end), length in BONES.items():
        assert np.linalg.norm(rest[end] - rest[start]) == pytest.approx(length, abs=1e-8)
    assert (
        rest[Joint.HEAD][1]
        > rest[Joint.CHEST][1]
        > rest[Joint.PELVIS][1]
        > rest[Joint.LEFT_KNEE][1]
    )
    assert rest[Joint.LEFT_WRIST][0] > rest[Joint.LEFT_ELBOW][0] > 0 > rest[Joint.RIGHT_ELBOW][0]
    assert rest[Joint.FACE][2] > rest[Joint.HEAD][2]
    assert rest[Joint.LEFT_TOES][2] > rest[Joint.LEFT_ANKLE][2]


def test_no_angle_goes_round_between_two_frames(tmp_path: Path) -> None:
    path, _ = ja.export("pattern=3;body=(0)(360)", tmp_path / "a.bvh", fps=60, loops=20)
    angles = read(path).rows[:, 3:]
    assert np.abs(np.diff(angles, axis=0)).max() < 180


def test_frames_follow_each_other_as_the_loop_is_played(tmp_path: Path) -> None:
    path, _ = ja.export(animation("slow"), tmp_path / "a.bvh", fps=30)
    bvh = read(path)
    assert len(bvh.rows) * bvh.frame_time == pytest.approx(
        animation("slow").duration / 0.5, abs=1e-6
    )
    path, _ = ja.export(animation("slow"), tmp_path / "b.bvh", fps=25, start=1, seconds=0.4)
    bvh = read(path)
    assert (len(bvh.rows), bvh.frame_time) == (10, pytest.approx(0.04))
    wanted = joints_at("slow", np.array([1.0]), closes=False)[0, 0, Joint.RIGHT_PALM]
    np.testing.assert_allclose(bvh.places()["right_palm"][0], wanted, atol=1e-5)


def test_the_props_stand_beside_them_in_a_table_that_carries_the_settings(tmp_path: Path) -> None:
    paths = ja.export("<3p 3|3p 3>", tmp_path / "out" / "a.bvh", fps=10)
    assert [path.name for path in paths] == ["a-1.bvh", "a-2.bvh", "a-props.csv"]
    record = read_record(read_metadata(paths[-1]) or "")
    assert record is not None
    assert record.settings == "pattern=<3p 3|3p 3>"
    rows = np.genfromtxt(paths[-1], delimiter=",", skip_header=2)
    assert rows.shape == (len(read(paths[0]).rows), 1 + 6 * 4)
    motion = ja.animate("<3p 3|3p 3>").motion
    np.testing.assert_allclose(rows[3, 1:4], motion.sample(rows[3, :1]).props[0, 0], atol=1e-5)


def test_no_file_of_several_is_replaced_unless_all_may_be(tmp_path: Path) -> None:
    (tmp_path / "a-2.bvh").write_text("mine")
    with pytest.raises(ExportError, match=r"a-2\.bvh already exists"):
        ja.export("<3|3>", tmp_path / "a.bvh", fps=10)
    assert [path.name for path in tmp_path.iterdir()] == ["a-2.bvh"]
    ja.export("<3|3>", tmp_path / "a.bvh", fps=10, force=True)
    assert len(read(tmp_path / "a-2.bvh").rows) > 1


def test_when_resumed_only_what_is_missing_is_written(tmp_path: Path) -> None:
    paths = ja.export("<3|3>", tmp_path / "a.bvh", fps=10)
    before = {path: path.read_bytes() for path in paths}
    seen: list[int] = []
    ja.export(
        "<3|3>", tmp_path / "a.bvh", fps=10, resume=True, progress=lambda done, _: seen.append(done)
    )
    assert seen == []
    paths[0].unlink()
    assert ja.export("<3|3>", tmp_path / "a.bvh", fps=10, resume=True) == paths
    assert {path: path.read_bytes() for path in paths} == before


def test_a_failure_on_the_way_leaves_no_file(tmp_path: Path) -> None:
    def fail(_done: int, _total: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        ja.export("<3|3>", tmp_path / "a.bvh", fps=10, progress=fail)
    assert not list(tmp_path.iterdir())
