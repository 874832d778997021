"""The pictures of elbows.md, from the program itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.analysis import compare_arms, write_arms
from juggle_anim.analysis.plots import new_figure, write_figure
from juggle_anim.animation import animate
from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import Joint, get_elbow_position
from juggle_anim.body.arms import SOLVERS, Arm
from juggle_anim.body.arms.solvers import AT_EASE
from juggle_anim.body.arms.two_link import angle_axis, polar
from juggle_anim.body.chain import AT_REST, Chain, Frame, Goal, Revolute, SolverOptions, solve
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.measure import natural_elbow
from juggle_anim.render import Offscreen
from juggle_anim.scene import Camera, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IMAGES = Path(__file__).parent / "images"
PERSON = Arm(UPPER_ARM, FOREARM)
# The printed rule wants equal bones.
EVEN = Arm(*[(UPPER_ARM + FOREARM) / 2] * 2)
ANGLES = (-30, 0, 30, 60, 90)
COLOURS = {
    "printed": "#6b7078",
    "chicken-wing": "#D55E00",
    "natural": "#0072B2",
    "two-link": "#009E73",
    "resolved-rate": "#CC79A7",
}
_ORIGIN = np.zeros(3)
_INK, _RED = "#26282c", "#b3261e"


def all_pictures() -> None:
    """Make every one of them."""
    IMAGES.mkdir(exist_ok=True)
    elbow_circle()
    elbow_angles()
    elbow_jump()
    elbow_singular()
    two_link_example()
    resolved_rate_steps()
    natural_errors()
    mills_mess()


def elbow_circle() -> None:
    """The circle on which an elbow can be, around the line from shoulder to hand, drawn over the
    program's scene.
    """
    animation, size = animate("3", arms="chicken-wing", chicken_wing=50), (720, 480)
    times = np.linspace(0.0, animation.duration, 200)
    # When the left hand is highest, the line to it is far from upright and the circle is seen best.
    time = times[animation.pose(times).joints[:, 0, Joint.LEFT_WRIST, 1].argmax()]
    pose = animation.pose(np.array([time])).joints[0, 0]
    shoulder, elbow, wrist = (
        pose[joint] for joint in (Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, Joint.LEFT_WRIST)
    )
    axis = _unit(wrist - shoulder)
    foot = shoulder + axis * ((elbow - shoulder) @ axis)
    lowest = np.linalg.norm(elbow - foot) * _unit(np.array([0.0, -1.0, 0.0]) + axis[1] * axis)
    turns = np.linspace(0.0, 2 * np.pi, 90, endpoint=False)[:, None]
    circle = foot + np.cos(turns) * lowest + np.sin(turns) * np.cross(axis, lowest)
    line = shoulder + np.linspace(0.0, 1.0, 40)[:, None] * (wrist - shoulder)
    radii = [foot + np.linspace(0.0, 1.0, 30)[:, None] * way for way in (lowest, elbow - foot)]
    marks = [_dots(circle, 0.004, _rgb("#0072B2")), _dots(line, 0.003, _rgb("#ffffff"))]
    marks += [_dots(each, 0.003, _rgb("#E69F00")) for each in radii]
    marks.append(_dots(np.stack([shoulder, elbow, wrist]), 0.012, _rgb("#E69F00")))
    camera = Camera((1.15, 0.62, 1.60), (0.16, 1.17, 0.12), np.radians(21.0))
    names = {"S": shoulder, "E": elbow, "H": wrist, "ω": foot + 0.45 * (lowest + elbow - foot)}
    labels = {name: _seen(point, camera, size) for name, point in names.items()}
    _write_labelled(_with_marks(animation.scene(time, camera), np.vstack(marks), size), labels)


def elbow_angles() -> None:
    """One moment of the cascade at five chicken-wing angles, each with its number."""
    animation, size = animate("3"), (230, 300)
    camera = Camera((0.75, 1.50, 3.0), (0.0, 1.25, 0.1), np.radians(20.0))
    with Offscreen(*size) as offscreen:
        wings = [
            offscreen.image(animation.replace(chicken_wing=angle).scene(0.2, camera))
            for angle in ANGLES
        ]
    with new_figure((size[0] * len(ANGLES), size[1] + 44)) as figure:
        figure.set_layout_engine("none")
        for column, (angle, wing) in enumerate(zip(ANGLES, wings, strict=True)):
            axes = figure.add_axes(
                (column / len(ANGLES), 0.0, 1 / len(ANGLES), size[1] / (size[1] + 44))
            )
            axes.imshow(wing)
            axes.set_axis_off()
            axes.set_title(f"{angle}°".replace("-", "−"), loc="center", fontsize=15)
        _write_png(figure, "elbow_angles.png")


def elbow_jump() -> None:
    """Where elbows go while a hand passes under its shoulder, 1 mm beside it, from ahead to
    behind, and how fast.
    """
    z = np.linspace(0.30, -0.30, 2401)
    hands = np.stack([np.full_like(z, 0.001), np.full_like(z, -0.40), z], axis=-1)
    # The printed rule's juggler faces −z, with the left at −x: half a turn about +y.
    turned = np.array([-1.0, 1.0, -1.0])
    elbows = {
        "printed": turned
        * get_elbow_position(_ORIGIN, turned * hands, float(EVEN.upper), AT_EASE, 0)
    }
    for name in ("chicken-wing", "natural"):
        elbows[name] = SOLVERS[name](_ORIGIN, hands, EVEN, 0, AT_EASE).elbow
    with new_figure((860, 620)) as figure:
        above, below = figure.subplots(2, 1, sharex=True)
        for name, points in elbows.items():
            rate = np.linalg.norm(np.diff(points, axis=0), axis=-1) / np.abs(np.diff(z))
            above.plot(100 * z, 100 * points[:, 2], color=COLOURS[name], label=name)
            below.semilogy(100 * (z[1:] + z[:-1]) / 2, rate, color=COLOURS[name])
        _plain_numbers(below)
        above.set_title("Elbow ahead of the shoulder, cm")
        below.set_title("Speed of the elbow over that of the hand")
        below.set_xlabel("hand ahead of its shoulder, cm; it passes 40 cm below it")
        below.set_xlim(30, -30)
        above.legend(loc="upper left")
        write_figure(figure, IMAGES / "elbow_jump.svg", "")


def elbow_singular() -> None:
    """How fast each rule turns the elbow, for every direction to the hand, ahead in the middle
    of each map.
    """
    azimuth, height = np.meshgrid(
        np.radians(np.arange(-180, 181, 2.0)), np.radians(np.arange(-90, 91, 2.0))
    )
    level = np.cos(height)
    # Maps have the juggler's left on the left, as if seen by the juggler.
    axis = np.stack([-np.sin(azimuth) * level, np.sin(height), np.cos(azimuth) * level], axis=-1)
    people = _measured()
    with new_figure((1100, 680)) as figure:
        maps: Any = figure.subplots(2, 2, subplot_kw={"projection": "mollweide"})
        for axes, name in zip(
            maps.flat, ("printed", "chicken-wing", "two-link", "natural"), strict=True
        ):
            rate = np.log10(_turning(name, axis))
            look: Any = {
                "vmin": np.log10(0.5),
                "vmax": np.log10(20),
                "cmap": "magma_r",
                "shading": "gouraud",
            }
            shown = axes.pcolormesh(azimuth, height, rate, **look)
            if name == "natural":
                axes.plot(*people, ".", markersize=0.8, color="#56B4E9")
            axes.set_title(name, loc="left")
            axes.set_xticklabels([])
            axes.set_yticklabels([])
        bar = figure.colorbar(shown, ax=maps, ticks=np.log10([0.5, 1, 2, 5, 10, 20]), shrink=0.7)
        bar.ax.set_yticklabels(["½", "1", "2", "5", "10", "20 or more"])
        bar.set_label("turn of the elbow over turn of the hand")
        _write_png(figure, "elbow_singular.png")


def two_link_example() -> None:
    """The worked example in both ways: the limb bent, and then pointed."""
    limb, target = Arm(3.0, 2.0), np.array([-3.0, np.sqrt(7.0), 0.0])
    one, other = polar(limb, target), angle_axis(limb, target)
    with new_figure((1000, 430)) as figure:
        ways: Any = figure.subplots(1, 2)
        sine, cosine = np.sin(one.bend.first), np.cos(one.bend.first)
        first = np.array([[cosine, -sine], [sine, cosine]])
        bent = np.array([[0.0, 0.0], [3.0, 0.0], other.start[:2]])
        for axes, name, solved, start in (
            (
                ways[0],
                "polar: bent, with its end on +x; then turned by γ and β",
                one,
                bent @ first.T,
            ),
            (ways[1], "angle/axis: bent; then turned by the one angle", other, bent),
        ):
            done = np.array([[0.0, 0.0], solved.joint[:2], solved.end[:2]])
            axes.plot(*start.T, "o-", color="#a9adb3", linewidth=2.5)
            axes.plot(*done.T, "o-", color="#0072B2", linewidth=3.5)
            axes.plot(*target[:2], "x", color=_RED, markersize=11, markeredgewidth=2.5)
            axes.set_title(name)
            axes.set_aspect("equal")
            axes.set_xlim(-4.2, 4.6)
            axes.set_ylim(-2.4, 3.4)
        write_figure(figure, IMAGES / "elbow_two_link.svg", "")


def resolved_rate_steps() -> None:
    """Errors step by step, and an elbow that is led out of reach and back, with our method and
    with the plain one.
    """
    arm, wrist, neutral = example_arm()
    lower, upper = arm.limits
    angles = np.random.default_rng(4).uniform(lower, upper, (40, len(arm)))
    targets = arm.locate(angles, wrist)[0]
    outcome = solve(
        arm, [Goal(wrist, targets)], neutral, effort=SolverOptions(restarts=0), trace=True
    )
    distances, ours, plain = there_and_back()
    assert outcome.trace is not None
    with new_figure((1000, 420)) as figure:
        steps, flex = figure.subplots(1, 2)
        errors = np.maximum(outcome.trace.errors[..., 0], 1e-7)
        steps.semilogy(1e3 * errors, color="#0072B2", alpha=0.35, linewidth=1.0)
        steps.axhline(1e3 * SolverOptions().tolerance, color=_RED, linestyle="--", linewidth=1.0)
        _plain_numbers(steps)
        steps.set_title("Distance of 40 hands to their goals, mm")
        steps.set_xlabel("step")
        for name, each, colour in (
            ("plain J⁺", plain, COLOURS["printed"]),
            ("ours", ours, COLOURS["natural"]),
        ):
            flex.plot(np.arange(len(each)), -np.degrees(each[:, 3]), color=colour, label=name)
        out = np.flatnonzero(distances > 0.58)
        flex.axvspan(out[0], out[-1], color="#d9dce0", alpha=0.6)
        flex.set_ylim(-100, 160)
        flex.set_title("Bend of the elbow, °; grey: the goal is out of reach")
        flex.set_xlabel("goal, from 40 to 75 cm and back")
        flex.legend(loc="lower left")
        write_figure(figure, IMAGES / "elbow_resolved_rate.svg", "")


def natural_errors() -> None:
    """How far each rule is from the elbows of people, as shares of all measured arms, people
    weighing alike.
    """
    arms = natural_elbow.read()
    figures = {
        "hanging": (natural_elbow.solver_rule("chicken-wing", 0.0)(arms), "#a9adb3"),
        "30° outward": (
            natural_elbow.solver_rule("chicken-wing", 30.0)(arms),
            COLOURS["chicken-wing"],
        ),
        "natural, person held out": (natural_elbow.leave_one_out_errors(arms), COLOURS["natural"]),
    }
    with new_figure((900, 400)) as figure:
        everywhere, box = figure.subplots(1, 2, sharey=True)
        for name, (found, colour) in figures.items():
            for axes, chosen in ((everywhere, np.ones_like(arms.in_box)), (box, arms.in_box)):
                order = np.argsort(found[chosen])
                share = np.cumsum(arms.weight[chosen][order])
                few = slice(None, None, max(1, order.size // 300))
                axes.plot(
                    100 * found[chosen][order][few],
                    (100 * share / share[-1])[few],
                    color=colour,
                    label=name,
                )
        for axes, title in ((everywhere, "All measured arms, %"), (box, "In the juggling box, %")):
            axes.set_title(title)
            axes.set_xlim(0, 20)
            axes.set_ylim(0, 100)
            axes.set_xlabel("elbow off by less than, cm")
        box.legend(loc="lower right")
        write_figure(figure, IMAGES / "elbow_natural.svg", "")


def mills_mess() -> None:
    """What `juggle-anim arms compare "pattern=3;hands=Mills mess;style=natural;title=Mills mess"
    --plot` draws.
    """
    solvers = ("natural", "chicken-wing", "two-link")
    mess = animate("pattern=3;hands=Mills mess;style=natural;title=Mills mess")
    write_arms(
        mess, compare_arms(mess, solvers), IMAGES / "elbow_compare.png", (1000, 860), force=True
    )
    _fewer_colours(IMAGES / "elbow_compare.png")


def example_arm() -> tuple[Chain, Frame, Floats]:
    """A left arm of four joints, its wrist, and where its joints are at ease, [rad]."""
    axes = {
        "outward": (0, 0, 1),
        "backward": (1, 0, 0),
        "about itself": (0, 1, 0),
        "elbow": (1, 0, 0),
    }
    limits = np.radians([(-60, 170), (-150, 60), (-90, 90), (-145, 0)])
    joints = tuple(
        Revolute(name, index - 1, (0.0, -0.30 * (index == 3), 0.0), axis, *limits[index])
        for index, (name, axis) in enumerate(axes.items())
    )
    return Chain(joints), Frame(3, (0.0, -0.28, 0.0)), np.radians([15.0, -20.0, 0.0, -80.0])


def there_and_back() -> tuple[Floats, Floats, Floats]:
    """A goal that leaves the reach of `example_arm` and returns: distances (61,), [m], and angles
    (61, 4), [rad].

    The angles are first ours, then those of one plain step dθ = J⁺ dX for each goal.
    """
    arm, wrist, neutral = example_arm()
    distances = 0.40 + 0.35 * (1 - np.cos(np.linspace(0, 2 * np.pi, 61))) / 2
    goals = distances[:, None] * _unit(np.array([0.1, -0.2, 0.95]))
    ours = [neutral]
    for goal in goals:
        ours.append(
            solve(
                arm,
                [Goal(wrist, goal)],
                ours[-1],
                neutral,
                SolverOptions(iterations=300, rest=AT_REST),
            ).angles[0]
        )
    plain = [ours[1]]
    for goal in goals[1:]:
        jacobian = arm.jacobian(plain[-1], wrist)[:3]
        plain.append(
            plain[-1] + np.linalg.pinv(jacobian) @ (goal - arm.locate(plain[-1], wrist)[0])
        )
    return distances, np.array(ours[1:]), np.array(plain)


def _turning(name: str, axis: Floats) -> Floats:
    """The greatest turn of an elbow's direction for a turn of the hand's, in any of sixteen
    ways, (...).
    """
    step = 1e-4
    beside = np.cross(
        axis, np.where(np.abs(axis[..., 1:2]) < 0.9, (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )
    beside = beside / np.linalg.norm(beside, axis=-1, keepdims=True)
    above = np.cross(axis, beside)
    here, most = _elbow_direction(name, axis), np.zeros(axis.shape[:-1])
    for way in np.linspace(0.0, np.pi, 16, endpoint=False):
        moved = axis * np.cos(step) + (np.cos(way) * beside + np.sin(way) * above) * np.sin(step)
        most = np.maximum(
            most, np.linalg.norm(_elbow_direction(name, moved) - here, axis=-1) / step
        )
    return np.clip(most, 0.1, 100.0)


def _elbow_direction(name: str, axis: Floats) -> Floats:
    """The unit direction from the line to the hand toward a left elbow, for unit directions to
    the hand, (..., 3).
    """
    reach = 1.4 * float(EVEN.upper)
    if name == "printed":
        turned = np.array([-1.0, 1.0, -1.0])
        elbow = turned * get_elbow_position(
            _ORIGIN, turned * reach * axis, float(EVEN.upper), AT_EASE, 0
        )
    else:
        elbow = SOLVERS[name](_ORIGIN, reach * axis, EVEN, 0, AT_EASE).elbow
    across = elbow - (elbow * axis).sum(axis=-1, keepdims=True) * axis
    return across / np.linalg.norm(across, axis=-1, keepdims=True)


def _measured() -> tuple[Floats, Floats]:
    """Azimuth and height of every fourth measured hand, as left ones, [rad]."""
    left, up, ahead = natural_elbow.read().axis[:, ::4]
    return -np.arctan2(left, ahead), np.arcsin(up)


def _plain_numbers(axes: Axes) -> None:
    """Numbers at the height's axis as people write them, since our style draws no formulas."""
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


def _unit(vector: Floats) -> Floats:
    return vector / np.linalg.norm(vector)


def _rgb(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def _dots(points: Floats, radius: float, colour: list[float]) -> Singles:
    """Rows of spheres for a scene."""
    rows = np.empty((len(points), 8), dtype=np.float32)
    rows[:, :3], rows[:, 3], rows[:, 4:7], rows[:, 7] = points, radius, colour, 0.1
    return rows


def _with_marks(scene: Scene, marks: Singles, size: tuple[int, int]) -> Any:
    """A picture of a scene with spheres over it, also where they would lie inside the body."""
    with Offscreen(*size) as offscreen:
        plain = offscreen.image(scene)
        empty = replace(scene, spheres=scene.spheres[:0], capsules=scene.capsules[:0])
        bare = offscreen.image(empty).astype(int)
        marked = offscreen.image(replace(empty, spheres=marks))
    drawn = np.abs(marked - bare).max(axis=2, keepdims=True) > 40
    return np.where(drawn, marked, plain)


def _seen(point: Floats, camera: Camera, size: tuple[int, int]) -> tuple[float, float]:
    """Where a point is in a picture, [pixels] from its upper left."""
    x, y, _, w = camera.projection(size[0] / size[1]) @ camera.view() @ np.append(point, 1.0)
    return size[0] * (1 + x / w) / 2, size[1] * (1 - y / w) / 2


def _write_labelled(picture: Any, labels: dict[str, tuple[float, float]]) -> None:
    from matplotlib.patheffects import withStroke

    with new_figure(picture.shape[1::-1]) as figure:
        figure.set_layout_engine("none")
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.imshow(picture)
        axes.set_axis_off()
        for name, place in labels.items():
            place = place if name == "ω" else (place[0] + 14, place[1] - 12)
            letter = axes.text(
                *place, name, fontsize=15, weight="bold", color="white", ha="center", va="center"
            )
            letter.set_path_effects([withStroke(linewidth=4, foreground=_INK)])
        _write_png(figure, "elbow_circle.png")


def _write_png(figure: Figure, name: str) -> None:
    write_figure(figure, IMAGES / name, "")
    _fewer_colours(IMAGES / name)


def _fewer_colours(path: Path) -> None:
    """Write a picture anew with a palette, which is a third of the size."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(
            256, Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG
        )
    small.save(path, optimize=True)


if __name__ == "__main__":
    all_pictures()
