"""A juggler as a mobject of Manim: the joints and props of an animation, drawn from the front as
lines and dots.

    pip install manim
    manim -ql examples/manim_juggler.py Cascade

Without Manim, it prints where the lines of the first frame go.
"""

from __future__ import annotations

import numpy as np

import juggle_anim as ja
from juggle_anim.body import Joint

try:
    from manim import UP, Create, Dot, FadeIn, Line, Scene, Text, VGroup
except ModuleNotFoundError:
    Scene = VGroup = object

HEIGHT = 6.0
"""Of what the juggler needs, in Manim's units, of which a picture is eight high."""

LIMBS = [
    (Joint[f"{side}_{one}"], Joint[f"{side}_{other}"])
    for side in ("LEFT", "RIGHT")
    for one, other in (
        ("SHOULDER", "ELBOW"),
        ("ELBOW", "WRIST"),
        ("WRIST", "PALM"),
        ("HIP", "KNEE"),
        ("KNEE", "ANKLE"),
    )
]
TRUNK = [
    (Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER),
    (Joint.LEFT_HIP, Joint.RIGHT_HIP),
    (Joint.LEFT_SHOULDER, Joint.LEFT_HIP),
    (Joint.RIGHT_SHOULDER, Joint.RIGHT_HIP),
]


class View:
    """Where points of an animation are in a picture, seen from the front.

    Args:
        animation: whose highest throw and feet must fit into `HEIGHT`.
    """

    def __init__(self, animation: ja.Animation) -> None:
        times = np.linspace(0.0, animation.duration, 100)
        self.animation = animation
        top = max(
            animation.sample(times).props[..., 1].max(), animation.pose(times).joints[..., 1].max()
        )
        self.scale = HEIGHT / top
        self.middle = top / 2

    def points(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Joints and props at a time [s], shape (…, 3), in Manim's units."""
        times = np.array([time])
        joints = self.animation.pose(times).joints[0, 0]
        props = self.animation.sample(times).props[0]
        return self._flat(joints), self._flat(props)

    def _flat(self, places: np.ndarray) -> np.ndarray:
        # The juggler looks at us, so their left is on our right.
        return (
            np.stack([places[:, 0], places[:, 1] - self.middle, np.zeros(len(places))], axis=1)
            * self.scale
        )


class Juggler(VGroup):
    """Lines for limbs, a dot for each prop; it juggles from when it is added to a scene.

    Args:
        animation: one juggler, with the tempo and look of the animation's parameters.
    """

    def __init__(self, animation: ja.Animation, **look: object) -> None:
        super().__init__(**look)
        self.view = View(animation)
        self.time = 0.0
        joints, props = self.view.points(0.0)
        self.limbs = VGroup(
            *(Line(joints[a], joints[b], stroke_width=8) for a, b in (*LIMBS, *TRUNK))
        )
        self.head = Dot(joints[Joint.HEAD], radius=0.11 * self.view.scale)
        colours = animation.prop_colours
        radius = animation.motion.prop_radius * self.view.scale
        self.props = VGroup(
            *(
                Dot(at, radius=radius, color=hex_colour(colour))
                for at, colour in zip(props, colours, strict=True)
            )
        )
        self.add(self.limbs, self.head, self.props)
        self.add_updater(Juggler.go_on)

    def go_on(self, dt: float) -> None:
        """Juggle on for some time, [s]; Manim knows by the name that it is one."""
        self.time += dt * self.view.animation.parameters.speed
        joints, props = self.view.points(self.time)
        for line, (a, b) in zip(self.limbs, (*LIMBS, *TRUNK), strict=True):
            line.put_start_and_end_on(joints[a], joints[b])
        self.head.move_to(joints[Joint.HEAD])
        for dot, at in zip(self.props, props, strict=True):
            dot.move_to(at)


def hex_colour(colour: np.ndarray) -> str:
    """Red, green and blue from 0 to 1 as Manim reads them, #ff8c00."""
    return "#" + "".join(f"{round(255 * float(part)):02x}" for part in colour)


class Cascade(Scene):
    """The scene that `manim` renders."""

    def construct(self) -> None:
        """Show a juggler for two loops."""
        animation = ja.animate("531")
        title = Text(animation.title).to_edge(UP)
        self.play(Create(title), FadeIn(Juggler(animation)))
        self.wait(2 * animation.duration)


if __name__ == "__main__":
    joints, props = View(ja.animate("531")).points(0.0)
    for one, other in (*LIMBS, *TRUNK):
        print(f"{one.name:15} {joints[one].round(2)}  {other.name:15} {joints[other].round(2)}")
    print(f"props           {props.round(2).tolist()}")
