"""Composition of scenes: poses and props become rows of instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import Pose
from juggle_anim.choreography import Choreography
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.scene.camera import OFF, Camera
from juggle_anim.scene.figure import (
    SEE_THROUGH,
    figure_capsules,
    lighten_on_dark_stage,
    low_detail_capsules,
    smooth_bodies,
    unseen_limbs,
)
from juggle_anim.scene.people import (
    STANDARD,
    VARIED,
    Palette,
    people_girths,
    people_paint,
    people_worn,
    prop_colours,
)
from juggle_anim.scene.props import ball_rows, club_capsules, ring_rows
from juggle_anim.scene.scene import (
    STUDIO,
    Cone,
    Flying,
    Scene,
    Stage,
    Traces,
    axis_arrows,
    ghost_arms,
    no_rows,
    reach_bubbles,
    spheres,
)

_BOX_GLOSS = 0.2


@dataclass(frozen=True)
class Look:
    """The appearance of people, stage and paths.

    Args:
        figure: how people are drawn, an option of the parameter `figure`.
        stage: floor, backdrop and light.
        traces: paths of props and hands; None for none.
        stereo: an option of the parameter `stereo`.
        aids: an option of the parameter `aids`.
        palette: colours of props, paths and ghosts.
        people: a value of the parameter `people`.
        shown: jugglers who are drawn, by number from 0; None for all.
        stands: tables and stands for props, rows of `Cone`.
    """

    figure: str = "person"
    stage: Stage = STUDIO
    traces: Traces | None = None
    stereo: str = OFF
    aids: str = "none"
    palette: Palette = STANDARD
    people: str = VARIED
    shown: tuple[int, ...] | None = None
    stands: Singles = field(default_factory=lambda: no_rows(0, Cone.WIDTH))

    def paint(self, jugglers: int) -> Singles:
        """Return colours and gloss of skin and clothes of people, as `people_paint`."""
        return people_paint(self.people, jugglers, self.palette.clothes)

    def shown_of(self, jugglers: int) -> Integers:
        """Return the numbers, from 0, of the jugglers who are drawn."""
        return np.arange(jugglers) if self.shown is None else np.array(self.shown, dtype=np.intp)


DEFAULT_LOOK = Look()
"""The default look."""


@dataclass(frozen=True)
class Scenes(Scene):
    """Scenes at T times from one camera; `scenes[i]` is one scene.

    The first axis of each array is time.
    """

    def __len__(self) -> int:
        return len(self.spheres)

    def __getitem__(self, index: int) -> Scene:
        # Arrays have an axis of time; the camera, the stage and so on are the same at all times.
        return Scene(
            **{
                name: part[index] if isinstance(part, np.ndarray) else part
                for name, part in vars(self).items()
            }
        )

    def __iter__(self) -> Iterator[Scene]:
        return map(self.__getitem__, range(len(self)))


def compose(
    frames: Frames,
    pose: Pose,
    motion: Motion,
    camera: Camera,
    ghost: Pose | None = None,
    look: Look = DEFAULT_LOOK,
) -> Scenes:
    """Compose the scene at each of T times: rows of instances for all that is drawn.

    Args:
        frames: hands and props at T times.
        pose: joints of all jugglers at the same times.
        motion: the motion of which both are samples; it has the shapes of the props.
        camera: the camera of all scenes.
        ghost: poses of all jugglers at the same times by another solver, whose arms are drawn over
            the others; None for no ghosts.
        look: how people, props, paths and stage are drawn.
    """
    # Arrays of rows begin with the axis of the T times; this one has no rows at any of them.
    nothing = no_rows(len(frames.times), 0, Cone.WIDTH)
    colours = drawn_colours(motion.choreography, look.palette)

    # People: only the jugglers who are shown have limbs and bodies. `shown_pose`, `joints`, `paint`
    # and `worn` have an item for each of these alone, while `juggler_count` is the number of all.
    juggler_count = pose.joints.shape[1]
    shown = look.shown_of(juggler_count)
    shown_pose = _pose_of_jugglers(pose, shown)
    joints = shown_pose.joints
    paint = look.paint(juggler_count)[shown]
    worn = people_worn(look.people, juggler_count)[shown]
    limbs = lighten_on_dark_stage(
        look.stage, figure_capsules(joints, look.figure, paint), look.figure
    )
    low_detail = lighten_on_dark_stage(
        look.stage, low_detail_capsules(joints, look.figure, paint, worn), look.figure
    )
    limbs_each = limbs.shape[1] // len(shown)  # all jugglers have the same number
    # See-through limbs are drawn apart from solid ones.
    is_see_through = look.figure == SEE_THROUGH
    solid_limbs = nothing if is_see_through else limbs
    # Smooth bodies of all who are shown, or of nobody if the figure consists of limbs.
    bodies, body_paint = smooth_bodies(joints, look.figure, paint)
    body_count = bodies.shape[1]  # so this is the number of jugglers shown, or 0

    props = prop_rows(frames, motion, colours)
    # Stands do not move: a view that repeats the same rows at all times, without copies.
    stands = np.broadcast_to(look.stands, (len(frames.times), *look.stands.shape))
    return Scenes(
        spheres=props.balls,
        # Limbs come first and clubs last, since `limb_count` counts from the first on and
        # `club_parts` from the last; stands are between them.
        capsules=np.concatenate([solid_limbs, stands, props.clubs], axis=1),
        camera=_camera_among_shown(camera, shown),
        stage=look.stage,
        rings=props.rings,
        boxes=props.boxes,
        ghosts=nothing if ghost is None else ghost_arms(ghost.joints[:, shown], look.palette.ghost),
        traces=look.traces.rows(frames.times) if look.traces else nothing,
        arcs=look.traces.arcs(frames.times) if look.traces else nothing,
        see_through=limbs if is_see_through else nothing,
        stereo=look.stereo,
        axes=axis_arrows(joints) if look.aids in ("axes", "both") else nothing,
        bubbles=reach_bubbles(shown_pose) if look.aids in ("reach", "both") else nothing,
        low_detail=low_detail,
        club_parts=props.clubs.shape[1],
        limb_count=solid_limbs.shape[1],
        limbs_each=limbs_each,
        unseen_limbs=unseen_limbs(look.figure),
        bodies=bodies,
        paint=body_paint,
        gaze=shown_pose.gaze[:, :body_count],
        lids=shown_pose.lids[:, :body_count],
        girths=_at_all_times(people_girths(look.people, juggler_count)[shown], bodies),
        worn=_at_all_times(worn, bodies),
        flying=_flying(frames, motion, colours),
    )


class PropRows(NamedTuple):
    """Rows of instances of the props of each kind, at each of T times.

    Args:
        balls, boxes, rings, clubs: shape (T, N, …), N rows of a kind; a club has several.
    """

    balls: Singles
    boxes: Singles
    rings: Singles
    clubs: Singles


def prop_rows(frames: Frames, motion: Motion, colours: Singles) -> PropRows:
    """Return the rows of all props, by the kind of instances with which they are drawn.

    Args:
        frames: hands and props at T times.
        motion: the motion of which they are samples, with the shapes of its P props.
        colours: colours of the props, shape (P, 3), sRGB.
    """
    # The indices of the props that are drawn in each shape. Frames have aims, the yaw and pitch of
    # each prop, if there are clubs or rings; if not, there are no rows of these.
    kinds = drawn_kinds(motion)
    ball_props, box_props, ring_props, club_props = (
        np.flatnonzero(kinds == kind) for kind in ("ball", "square", "ring", "club")
    )
    size = motion.shapes.size
    ball_aims = motion.ball_aims(ball_props, frames.times[:, None], frames.holders[:, ball_props])
    clubs = no_rows(len(frames.times), 0, Cone.WIDTH)
    rings = no_rows(len(frames.times), 0, Cone.WIDTH)
    if frames.aims is not None:
        axes = aim_directions([frames.aims[:, club_props]])
        clubs = club_capsules(
            frames.props[:, club_props], axes, size[club_props], colours[club_props]
        )
        yaws = frames.aims[:, ring_props, 0]
        rings = ring_rows(frames.props[:, ring_props], yaws, size[ring_props], colours[ring_props])
    return PropRows(
        balls=ball_rows(
            frames.props[:, ball_props], ball_aims, size[ball_props], colours[ball_props]
        ),
        boxes=spheres(frames.props[:, box_props], size[box_props], colours[box_props], _BOX_GLOSS),
        rings=rings,
        clubs=clubs,
    )


def _flying(frames: Frames, motion: Motion, colours: Singles) -> Singles:
    """Return rows for marks of props that fly above the picture, shape (T, P, `Flying.WIDTH`).

    A row of `Flying` has a ball around a prop, to tell whether all of it is above the picture; its
    colour and kind; and the time until it is caught, [s], 0 if it is held.

    Args:
        frames: hands and props at T times.
        motion: the motion of which they are samples, with the shapes of its P props.
        colours: colours of the props, shape (P, 3), sRGB.
    """
    # The reach is the distance from the centre of a prop to its farthest point.
    rows = spheres(frames.props, 2 * motion.shapes.reach, colours, gloss=0.0)
    last_throws = motion.last_throws_at(frames.times)
    # A prop that is never thrown has −1 for the index of its flight, which picks the last item of
    # an array: so a duration of 0 is appended for it. `since` is the time since the throw, [s].
    durations = np.append(motion.choreography.flights.duration, 0.0)
    time_left = np.maximum(durations[last_throws.flight] - last_throws.since, 0.0)
    rows[..., Flying.UNTIL] = np.where(frames.holders < 0, time_left, 0.0)
    kinds = [Flying.KINDS.index(kind) for kind in drawn_kinds(motion).tolist()]
    return np.concatenate([rows, np.broadcast_to(kinds, rows.shape[:-1])[..., None]], axis=-1)


def _pose_of_jugglers(pose: Pose, jugglers: Integers) -> Pose:
    """A pose with some of its jugglers only, by their indices."""
    return replace(
        pose,
        joints=pose.joints[:, jugglers],
        gaps=pose.gaps[:, jugglers],
        gaze=pose.gaze[:, jugglers],
        lids=pose.lids[:, jugglers],
    )


def _camera_among_shown(camera: Camera, shown: Integers) -> Camera:
    """Return the camera with its juggler counted among those who are drawn, not among all.

    Args:
        camera: `inside` is the index of the juggler through whose eyes it sees, and whose head is
            therefore not drawn; None for a camera outside.
        shown: indices of the jugglers who are drawn, in the order in which they are drawn. If
            `inside` is not among them it becomes None, as there is no head to leave out.
    """
    if camera.inside is None:
        return camera
    shown_indices = shown.tolist()
    if camera.inside not in shown_indices:
        return replace(camera, inside=None)
    return replace(camera, inside=shown_indices.index(camera.inside))


def _at_all_times(values: NDArray[Any], bodies: Floats) -> NDArray[Any]:
    """Values of each smooth body, repeated at all T times, shape (T, F, …).

    Args:
        values: values of each juggler who is drawn, shape (J, …).
        bodies: shape (T, F, …), of which only T and F are used. F is J if jugglers are smooth
            bodies, and 0 if they are not.
    """
    shown = values[: bodies.shape[1]]
    return np.broadcast_to(shown, (len(bodies), *shown.shape))


def drawn_kinds(motion: Motion) -> NDArray[np.str_]:
    """Return the shape in which each prop is drawn: "ball", "square", "ring" or "club".

    A square moves as a ball does, and its kind in the motion is "ball"; only its look says that it
    is a square.

    Args:
        motion: the motion of P props.

    Returns:
        Shape (P,).
    """
    looks = motion.choreography.looks_of_props
    return np.array(
        [
            "square" if look.kind == "square" else kind
            for look, kind in zip(looks, motion.shapes.kind, strict=True)
        ],
        dtype=str,
    )


def drawn_colours(choreography: Choreography, palette: Palette = STANDARD) -> Singles:
    """Return the colour of each prop, shape (P, 3) for P props, sRGB from 0 to 1.

    Args:
        choreography: whose props have looks, or none at all. A look may have a colour.
        palette: colours of props without a colour of their own.
    """
    colours = prop_colours(choreography.props, palette).copy()
    for prop, look in enumerate(choreography.looks):
        if look.colour is not None:
            colours[prop] = look.colour
    return colours
