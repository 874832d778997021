"""How tables and the props on them look: they rise from the floor while something lies there."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography import PropLook
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, aim_directions
from juggle_anim.motion.prop_shapes import CLUB_WIDTH, prop_shapes
from juggle_anim.routine.span import Span, on_table
from juggle_anim.scene import Scene
from juggle_anim.scene.props import ball_rows, board_table, club_capsules, ring_rows
from juggle_anim.scene.scene import Sphere
from juggle_anim.tosses.stands import LYING_HEIGHT, Rest
from juggle_anim.vectors import smooth_step

RISING = 0.4
"""How long a table takes to rise from the floor, [s], and to go back once nothing lies on it."""

_TABLE_NEAR = 0.42  # m, from the body to the edge of its table
_TABLE_SIDES = (-0.40, 0.40)  # m, its ends to the right and to the left
_DEPTH_FOR_BALLS = 0.24  # m, of the board
_DEPTH_FOR_CLUBS = 0.5  # m
_BALL_RADIUS = 0.035  # m, of what lies on it; so much lower is the board
_CLUB_RADIUS = CLUB_WIDTH / 2  # m


def scenes_with_tables(
    scenes: Iterable[Scene],
    span: Span,
    frames: Frames,
    rests: Sequence[Rest],
    looks: Sequence[PropLook],
) -> Iterator[Scene]:
    """Yield scenes to which tables, and the props that lie on them, are added.

    A prop that the span juggles is in the scene already, even while it lies; only props that the
    span does not juggle are added.

    Args:
        scenes: without them, one for each frame.
        span: what plays.
        frames: hands and props of the scenes.
        rests: props that lie on tables at some time.
        looks: of all props by their numbers, with their colours.
    """
    bodies = span.line.places(frames.times)
    motion = span.line.motion
    choreography = dataclasses.replace(motion.choreography, looks=tuple(looks))
    shapes = prop_shapes(choreography, span.parameters.prop_diameter / 100)  # from cm to m
    balls = [
        prop for prop, kind in zip(span.props, motion.shapes.kind, strict=True) if kind == "ball"
    ]
    for row, without_tables in enumerate(scenes):
        time = float(frames.times[row])
        scene = _with_tables(
            without_tables,
            time,
            rests,
            bodies[row],
            balls=balls,
            has_clubs=motion.shapes.has_clubs,
        )
        lying = {rest.prop: rest for rest in rests if rest.appears <= time < rest.until}
        only_lying = [rest for prop, rest in lying.items() if prop not in span.props]
        if only_lying:
            props = [rest.prop for rest in only_lying]
            lying_props = _LyingProps(
                kind=tuple(shapes.kind[prop] for prop in props),
                size=shapes.size[props],
                colour=np.array(
                    [choreography.looks[prop].colour for prop in props], dtype=np.float32
                ),
                centre=np.array([on_table(rest, bodies[row, rest.juggler]) for rest in only_lying]),
                aim=np.array([rest.aim for rest in only_lying]),
            )
            scene = _with_props(scene, lying_props)
        yield scene


@dataclass(frozen=True)
class _LyingProps:
    """N props that lie on tables, and are drawn by themselves.

    Args:
        kind: of each, as in `PropShapes`.
        size: shape (N,), as there, [m].
        colour: shape (N, 3), sRGB.
        centre: shape (N, 3), in the world, [m].
        aim: shape (N, 2), as in `Frames`, [rad].
    """

    kind: tuple[str, ...]
    size: Floats
    colour: Singles
    centre: Floats
    aim: Floats


def _with_tables(
    scene: Scene,
    time: float,
    rests: Sequence[Rest],
    bodies: Floats,
    *,
    balls: Sequence[int],
    has_clubs: bool,
) -> Scene:
    """A scene to which the tables of all jugglers are added, as far as they have risen.

    Balls of the scene that appear on a table rise and grow together with it.

    Args:
        scene: without tables.
        time: of the scene, [s].
        rests: props that lie on tables at some time.
        bodies: shape (J, 4), where jugglers stand, as `Bodies.places` has it.
        balls: the number of each ball of the scene, in the order of its first spheres.
        has_clubs: whether clubs lie on the tables, which need more room than balls.

    Returns:
        The scene itself if no table has risen.
    """
    # Props lie on a table with their axes at `LYING_HEIGHT`, so that the board is lower by their
    # radius.
    rows = list[Singles]()
    depth = _DEPTH_FOR_CLUBS if has_clubs else _DEPTH_FOR_BALLS
    radius = _CLUB_RADIUS if has_clubs else _BALL_RADIUS
    for juggler in sorted({rest.juggler for rest in rests}):
        rests_of_juggler = [rest for rest in rests if rest.juggler == juggler]
        share = float(risen(rests_of_juggler, np.array([time]))[0])
        if share > 0.0:
            # A table stays where its juggler stood when something was put on it.
            stand = next(
                (rest.stand for rest in rests_of_juggler if rest.stand is not None),
                bodies[juggler],
            )
            rows.append(
                board_table(
                    _TABLE_SIDES,
                    (_TABLE_NEAR, _TABLE_NEAR + depth),
                    share * (LYING_HEIGHT - radius),
                    stand,
                )
            )
    if not rows:
        return scene

    # A ball appears that was never put down: `since` is −∞. Its height and radius are scaled.
    spheres = scene.spheres.copy()
    for rest in rests:
        if rest.prop in balls and not np.isfinite(rest.since) and time < rest.shown + RISING:
            row = balls.index(rest.prop)
            share = float(risen([rest], np.array([time]))[0])
            spheres[row, Sphere.CENTRE.start + 1] *= share
            spheres[row, Sphere.RADIUS] *= share
    # Tables are drawn as capsules; they come after the limbs, which the scene counts.
    limbs = scene.limb_count
    capsules = np.concatenate([scene.capsules[:limbs], *rows, scene.capsules[limbs:]])
    return dataclasses.replace(scene, capsules=capsules, spheres=spheres)


def _with_props(scene: Scene, props: _LyingProps) -> Scene:
    """A scene to which props are added: balls as spheres, clubs as capsules, and rings.

    Args:
        scene: of one moment.
        props: the props, in any order of kinds; their rows come after those of the scene.
    """
    kind = np.array(props.kind, dtype=str)
    ball, ring, club = (np.flatnonzero(kind == shape) for shape in ("ball", "ring", "club"))
    # The drawing functions take and return a first axis of moments, here only one.
    spheres = ball_rows(
        props.centre[None, ball], props.aim[None, ball], props.size[ball], props.colour[ball]
    )[0]
    axes = aim_directions([props.aim[None, club]])
    clubs = club_capsules(props.centre[None, club], axes, props.size[club], props.colour[club])[0]
    rings = ring_rows(
        props.centre[None, ring], props.aim[None, ring, 0], props.size[ring], props.colour[ring]
    )[0]
    return dataclasses.replace(
        scene,
        spheres=np.concatenate([scene.spheres, spheres]),
        capsules=np.concatenate([scene.capsules, clubs]),
        club_parts=scene.club_parts + len(clubs),
        # Reshaped, since a scene without rings may have no columns, either.
        rings=np.concatenate([scene.rings.reshape(-1, rings.shape[1]), rings]),
    )


def risen(rests: Sequence[Rest], times: Floats) -> Floats:
    """Return how far the table of some props has risen at some times.

    For each prop the table rises from when it is shown on, in `RISING` seconds or less if the prop
    is put down or picked up before that. It sinks once the prop is picked up.

    Args:
        rests: of the props on one table.
        times: shape (T,), [s].

    Returns:
        From 0, in the floor, to 1, at its height, shape (T,).
    """
    share = np.zeros_like(times)
    for rest in rests:
        # It is used first when the prop is put down, or picked up if it always lay there. It has
        # risen before that (0.9 leaves some time), however soon it is. `up` and `down` may be
        # beyond 0 and 1, where a smooth step stays.
        used = rest.since if np.isfinite(rest.since) else rest.until
        up = (times - rest.shown) / min(RISING, 0.9 * (used - rest.shown))
        down = (rest.until + RISING - times) / RISING
        # Of several props, the one that needs the table most.
        share = np.maximum(share, smooth_step(up) * smooth_step(down))
    return share
