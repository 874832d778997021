import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import juggle_anim as ja
from juggle_anim.analysis.plots import compare_arms
from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import Joint
from juggle_anim.body.arms import Arm
from juggle_anim.body.arms.closed_form import chicken_wing
from juggle_anim.body.skeleton import UPPER_ARM
from juggle_anim.errors import ExportError, NotationError, ParameterError
from juggle_anim.vectors import z_up


def test_importing_it_loads_neither_numpy_nor_opengl() -> None:
    text = (
        "import sys, juggle_anim; print(*sorted({'numpy', 'OpenGL', 'pyglet', 'av', 'click'} & "
        "set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"


def test_every_public_name_is_there_and_listed() -> None:
    assert {"animate", "show", "export", "get_elbow_position"} <= set(ja.__all__) <= set(dir(ja))
    for name in ja.__all__:
        assert getattr(ja, name).__doc__
    with pytest.raises(AttributeError, match="juggel"):
        ja.juggel  # noqa: B018


def test_public_names_stay_functions_once_everything_is_imported() -> None:
    # A part of the package with the name of a function would take its place as soon as it is
    # imported.
    text = """
import pkgutil, juggle_anim as ja
parts = {part.name for part in pkgutil.iter_modules(ja.__path__)}
print(parts & set(ja.__all__))
"""
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


def test_an_animation_is_exported_as_frames_and_again_as_a_video(tmp_path: Path) -> None:
    animation = ja.animate("531", chicken_wing=60)
    frames = ja.export(animation, tmp_path / "frames", size=(32, 24), fps=5)
    assert frames == sorted((tmp_path / "frames").iterdir())
    assert ja.export(animation, str(tmp_path / "v.mp4"), size=(32, 24), fps=5) == [
        tmp_path / "v.mp4"
    ]


def test_a_siteswap_will_do_for_an_animation(tmp_path: Path) -> None:
    done: list[tuple[int, int]] = []
    frames = ja.export(
        "3", tmp_path, size=(32, 24), fps=5, loops=2, progress=lambda *step: done.append(step)
    )
    assert done[-1] == (len(frames), len(frames))
    with pytest.raises(ExportError, match="holds files"):
        ja.export("3", tmp_path, size=(32, 24))
    assert (
        ja.export("3", tmp_path, size=(32, 24), fps=5, force=True)
        == frames[: (len(frames) + 1) // 2]
    )


def test_a_folder_may_have_a_point_in_its_name_when_it_is_there(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"cannot save \.2 files"):
        ja.export("3", tmp_path / "take.2", size=(32, 24), fps=5)
    (tmp_path / "take.2").mkdir()
    assert ja.export("3", tmp_path / "take.2", size=(32, 24), fps=5)


def test_show_opens_the_viewer_on_an_animation_or_a_siteswap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[ja.Animation] = []
    monkeypatch.setattr("juggle_anim.viewer.show", shown.append, raising=False)
    animation = ja.animate("531")
    ja.show(animation)
    ja.show("441", title="Slow", prop="club")
    assert shown[0] is animation
    assert shown[1].pattern.text == "441"
    with pytest.raises(NotationError):
        ja.show("532")
    with pytest.raises(NotationError):
        ja.show("")


def test_a_picture_to_print_is_drawn_of_an_animation_or_a_siteswap(tmp_path: Path) -> None:
    assert ja.draw("531", tmp_path / "lines.svg") == tmp_path / "lines.svg"
    ja.draw(ja.animate("531"), str(tmp_path / "ladder.svg"), "ladder", down=True, loops=2)
    ja.draw("531", tmp_path / "sheet.png", "sheet", size=(320, 240), camera="left", frames=4)
    with Image.open(tmp_path / "sheet.png") as read:
        assert read.size == (320, 240)
    assert ja.animate(str(tmp_path / "ladder.svg")).text == "531"
    with pytest.raises(ExportError, match="already exists"):
        ja.draw("3", tmp_path / "lines.svg")
    assert ja.draw("3", tmp_path / "lines.svg", force=True)


def test_a_picture_of_no_such_kind_or_manner_is_refused_with_what_could_be(tmp_path: Path) -> None:
    with pytest.raises(
        ParameterError,
        match="unknown kind of picture 'leader'; use ladder, causal, lines, sheet, strobe",
    ):
        ja.draw("3", tmp_path / "a.svg", "leader")
    with pytest.raises(
        ParameterError, match="a ladder has no option camera; use down, loops, size, force"
    ):
        ja.draw("3", tmp_path / "a.svg", "ladder", camera="left")
    with pytest.raises(ParameterError, match="camera is"):
        ja.draw("3", tmp_path / "a.svg", camera="nowhere")
    assert not list(tmp_path.iterdir())


def test_all_patterns_of_a_file_are_animations_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.txt"
    path.write_text(
        "# three balls\n531 tower\n432\npattern=441;chickenwing=60\nwe also drank coffee\n"
    )
    patterns = ja.read(path)
    assert [pattern.text for pattern in patterns] == ["531", "441"]
    assert patterns.names == ("tower", "pattern=441;chickenwing=60")
    assert patterns[1].parameters.chicken_wing == 60
    assert patterns[-1:] == (patterns[1],)
    wrong, skipped = patterns.problems
    assert wrong.startswith(f"{path}, line 3: ")
    assert skipped.startswith("line 5: skipped, as it has no pattern")
    assert repr(patterns) == "<PatternFile: 2 patterns, problems: 2>"


@pytest.mark.parametrize("ending", [".jml", ".txt"])
def test_patterns_that_are_written_are_read_again_as_they_were(tmp_path: Path, ending: str) -> None:
    written = [
        ja.animate("531", chicken_wing=60),
        ja.animate("pattern=3;hands=inside"),
        ja.animate("<3p 3|3p 3>"),
    ]
    assert ja.write(written, tmp_path / f"a{ending}") == ()
    again = ja.read(tmp_path / f"a{ending}")
    assert [one.settings for one in again] == [one.settings for one in written]
    with pytest.raises(ExportError, match="add force=True to replace it"):
        ja.write("3", tmp_path / f"a{ending}")
    ja.write("3", tmp_path / f"a{ending}", force=True)
    assert [one.text for one in ja.read(tmp_path / f"a{ending}")] == ["3"]


def test_an_animation_exports_and_measures_itself(tmp_path: Path) -> None:
    animation = ja.animate("3")
    assert animation.export(tmp_path / "a.png", size="32x24") == [tmp_path / "a.png"]
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (32, 24)
    with pytest.raises(
        ParameterError, match=r"size is 32 by 24, but must be width x height in pixels"
    ):
        animation.export(tmp_path / "b.png", size="32 by 24")
    assert animation.analyse() == ja.analyse("3")


def test_what_animate_takes_replace_takes_too() -> None:
    animation = ja.animate("531")
    for given in (
        {"prop": "club"},
        {"chickenwing": 60},
        {"prop": "ring", "chicken_wing": 20, "title": "Tower"},
    ):
        assert animation.replace(**given).settings == ja.animate("531", **given).settings
    with pytest.raises(NotationError, match="there is no prop"):
        animation.replace(prop="clubb")


def test_whatever_is_typed_in_a_shell_is_shown_in_a_line() -> None:
    animation = ja.animate("531")
    assert repr(animation) == "<Animation 531: 1 juggler, 3 props, 1.65 s>"
    times = np.array([0.0, 0.1])
    shown = [animation.pose(times), animation.sample(times), animation.motion, animation.scene(0.0)]
    shown += [
        animation.score,
        animation.pattern,
        animation.choreography,
        animation.analyse(),
        ja.lesson("3"),
    ]
    for value in shown:
        assert "\n" not in repr(value)
        assert len(repr(value)) < 600, type(value)
    assert "joints=<Joints 2×1×47×3>" in repr(animation.pose(times))


def test_joints_have_names() -> None:
    pose = ja.animate("<3|3>").pose(np.array([0.0, 0.1]))
    elbow = z_up(pose.joints[:, 0, Joint.LEFT_ELBOW])
    assert (pose["left elbow"] == elbow).all()
    assert (pose.joints["left_elbow"] == elbow).all()
    assert (dict(pose.joints.items())["left_elbow"] == elbow).all()
    assert "left_elbow" in pose.joints
    assert "left_elbo" not in pose.joints
    assert pose["Head"].shape == (2, 3)
    with pytest.raises(ParameterError, match="unknown joint 'left elbo': did you mean left elbow"):
        pose["left elbo"]


def beside(
    shoulder: Floats, hand: Floats, _arm: Arm, side: int | Integers, _swivel: float | Floats
) -> Floats:
    """Elbows level with the middle of the line to the hand, and far outward."""
    outward: Floats = (1.0 - 2.0 * np.asarray(side))[..., None] * np.array([1.0, 0.0, 0.0])
    return (shoulder + hand) / 2 + outward


@pytest.mark.usefixtures("own_solvers")
def test_a_function_of_ones_own_places_elbows() -> None:
    animation = ja.animate("531", arms=beside)
    pose = animation.pose(np.linspace(0.0, animation.duration, 50))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        upper = np.linalg.norm(pose[f"{side} elbow"] - pose[f"{side} shoulder"], axis=-1)
        np.testing.assert_allclose(upper, UPPER_ARM, atol=1e-9)
        hanging = ja.animate("531").pose(pose.times)[f"{side} elbow"]
        assert (sign * (pose[f"{side} elbow"] - hanging)[..., 0] > 0.03).all()


@pytest.mark.usefixtures("own_solvers")
def test_a_function_of_one_arm_is_called_for_each() -> None:
    seen = set()

    def low(shoulder: Floats, target: Floats, upper_arm: float, forearm: float) -> Floats:
        seen.add((shoulder.shape, target.shape, round(float(upper_arm), 4), round(forearm, 4)))
        return (shoulder + target) / 2 - (0.0, 0.0, 1.0)

    pose = ja.animate("531", elbow_solver=low).pose(np.linspace(0.0, 1.0, 5))
    assert seen == {((3,), (3,), UPPER_ARM, 0.2555)}
    assert (pose["left elbow"][:, 2] < pose["left shoulder"][:, 2]).all()


@pytest.mark.usefixtures("own_solvers")
def test_a_registered_solver_is_a_choice_like_the_others() -> None:
    ja.register_solver("beside-me", beside)
    animation = ja.animate("pattern=531;arms=beside-me", ghost="natural")
    assert animation.settings == "pattern=531;arms=beside-me;ghost=natural"
    assert animation.replace(arms="natural", ghost="beside-me").ghost is not None
    assert "beside-me" in [result.solver for result in compare_arms(animation).results]
    with pytest.raises(ParameterError, match="name is 'natural', but must be a name"):
        ja.register_solver("natural", beside)
    with pytest.raises(
        ParameterError, match=r"must return finite numbers of shape .*, but returned \(3,\)"
    ):
        ja.animate("3", arms=lambda *_given: np.zeros(3)).pose(np.array([0.0]))


def test_the_axes_of_the_original_formula_are_those_of_animations_after_half_a_turn() -> None:
    shoulder, hand = np.array([0.2, 1.4, 0.0]), np.array([0.25, 1.0, 0.3])
    elbow = ja.get_elbow_position(ja.original_axes(shoulder), ja.original_axes(hand), 0.3, 0.5, 0)
    left = chicken_wing(shoulder, hand, Arm(0.3, 0.3), 0, 0.5)
    np.testing.assert_allclose(ja.original_axes(elbow), left.elbow, atol=1e-9)
