"""The picture of a window: cameras, scenes made ahead by a thread, and pixels."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Singles, Size
from juggle_anim.render import gl
from juggle_anim.render.gl_objects import ColourBuffer, RenderTarget
from juggle_anim.scene import NO_CONES, OFF, STAGES, Camera, Scene, Scenes, Viewport
from juggle_anim.viewer.camera.camera_rig import CameraRig, Orbit, on_one_scale
from juggle_anim.viewer.footage.footage import BEHIND, FRONT
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.picture_parts import PicturePart, picture_parts, sheet_areas
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.playback import FRAME_TIME

if TYPE_CHECKING:
    from juggle_anim.render import Renderer
    from juggle_anim.routine import Routine
    from juggle_anim.viewer.footage.footage import FootageView


_LAST_FRAME_WEIGHT = 0.2  # the share of the last frame in how long they take
_SHEET_PICTURES = 9  # pictures of a sheet


BATCH_SIZE = 16
"""Number of scenes that are solved together."""

_MAX_STEPS = BATCH_SIZE / 2  # the time moved by more steps at once has jumped

GROUP = 4
"""Number of jugglers of whom one sees no soft outlines while they move."""

_SAME_TIME_TOLERANCE = 1e-9


class Picture:
    """Moves the cameras of all parts, and draws the parts."""

    def __init__(self) -> None:
        """Begin without a picture; OpenGL objects are created when the first is drawn.

        A picture has one part, or two in a split view; a sheet of variations has nine pictures.
        """
        # These solve scenes (postures and shapes) ahead, for each part and each picture of a sheet.
        self._prefetches = ScenePrefetch(), ScenePrefetch()
        self._sheet_prefetches = [
            ScenePrefetch(first, _SHEET_PICTURES) for first in range(1, _SHEET_PICTURES + 1)
        ]
        # The model's own camera in the last frame, and its orbit then: that of the other half of a
        # split view follows its changes.
        self._last_own: tuple[CameraRig, Orbit] | None = None
        self._aimed: list[CameraRig] = []  # cameras of the parts in the last frame
        self._canvas: ColourBuffer | None = None
        self._dragging = False  # whether a handle, by which throws are edited, is dragged
        self._draft = False  # whether pictures are drawn in less detail, as frames take long
        self._took = 0.0  # s, smoothed drawing time of a frame
        self._framed: Layout | None = None  # the layout for which cameras were aimed last
        self.kept = 0, 0
        """How many columns of the window, from the left, and rows, from below, stay as they are."""

    def note_motion(self, *, dragging: bool, group_plays: bool, took: float) -> None:
        """Note before each frame what moves, and decide whether pictures are drafts (`is_draft`).

        A draft is drawn in less detail. Pictures are drafts during a drag, or while a group of
        jugglers plays, if frames take longer than `FRAME_TIME`. During a drag, scenes are not
        solved ahead, since each frame shows another animation.

        Args:
            dragging: whether a handle, by which throws are edited, is dragged.
            group_plays: whether `GROUP` or more jugglers are shown while time passes.
            took: how long the last frame took, [s].
        """
        # An exponential moving average of the duration of frames, [s].
        self._took += _LAST_FRAME_WEIGHT * (took - self._took)
        self._dragging = dragging
        # Once a picture is a draft, all are until the motion ends, as outlines would flicker
        # otherwise.
        is_slow = self._draft or self._took > FRAME_TIME
        self._draft = (dragging or group_plays) and is_slow

    @property
    def is_draft(self) -> bool:
        """Whether pictures are drawn more simply, as frames take long while something moves."""
        return self._draft

    def aim_at_sheet(
        self, model: Model, versions: Sequence[Animation], layout: Layout, elapsed: float
    ) -> None:
        """Move the camera that all nine pictures of the variation sheet share.

        It frames the version with the highest throw, which needs most room.

        Args:
            model: model whose camera moves.
            versions: the variations on the sheet; the camera stays if there are none.
            layout: layout of the window.
            elapsed: time since the last frame, [s].
        """
        area = sheet_areas(layout)[0]  # all areas have one size
        if versions:
            largest = max(versions, key=_apex_height)
            layout_of_picture = Layout(area.width, area.height, layout.scale)
            model.rig.aim(largest, layout_of_picture, elapsed, model.playback.time)
        # There are no parts of a split view, whose cameras these are.
        self._aimed = []
        self._last_own = None

    def draw_sheet(
        self, renderer: Renderer, model: Model, versions: Sequence[Animation], layout: Layout
    ) -> None:
        """Draw the nine pictures of the variation sheet into the framebuffer.

        A sheet shows nine versions of a pattern. Their scenes (postures included) are solved ahead,
        several frames in a batch. The first batch of each version has another length, so that in
        each frame only one version has a batch to solve, and no frame takes long.

        Args:
            renderer: draws the scenes.
            model: model whose time and camera all versions share.
            versions: the animations, row by row.
            layout: layout of the window.
        """
        size = layout.width, layout.height
        if min(size) < 1:
            return
        canvas = self._canvas_of(size)
        step = model.playback.time_per_frame(model.animation.parameters.speed)
        # Between the pictures the window has the colour of the stage.
        floor = STAGES[model.animation.parameters.stage].floor
        _fill_area(canvas.framebuffer, (0, 0, *size), floor)
        target = RenderTarget(size, canvas.framebuffer)
        areas = sheet_areas(layout)
        # Each version has a prefetch of its own, which solves its scenes for the coming frames.
        for version, prefetch, area in zip(versions, self._sheet_prefetches, areas, strict=False):
            scene = prefetch.scene(version, model.playback.time, step, model.rig.camera)
            renderer.draw(replace(scene, stereo=OFF), target, area)
        _bind_for_cards(canvas)

    def settled(self, model: Model) -> bool:
        """Return whether all cameras have come to rest."""
        return model.rig.settled and all(rig.settled for rig in self._aimed)

    def aim(self, model: Model, layout: Layout, elapsed: float) -> None:
        """Move the cameras of all parts of the picture toward their goals.

        A split view has two parts, each with a rig that moves its camera. The camera of the other
        half copies the movements of the camera of the active half. During a drag of a handle,
        cameras frame the layout before the drag, so that they do not move when cards appear or
        disappear.

        Args:
            model: model whose cameras move.
            layout: layout of the window.
            elapsed: time since the last frame, [s].
        """
        # The layout of the last frame, unless the window itself has another size now.
        framed_layout = layout
        if self._dragging and self._framed:
            is_same_size = (self._framed.width, self._framed.height) == (
                layout.width,
                layout.height,
            )
            framed_layout = self._framed if is_same_size else layout
        self._framed = framed_layout
        other = model.other
        if other:
            # The orbit of the active camera in the last frame, or the present one if the halves
            # have been exchanged since.
            orbit_before = model.rig.orbit
            if self._last_own:
                last_rig, last_orbit = self._last_own
                orbit_before = last_orbit if last_rig is model.rig else orbit_before
            _follow_camera(other.rig, model.rig, orbit_before)
        parts = picture_parts(model, framed_layout)
        for part, goal in zip(parts, _shared_goals(model, parts), strict=True):
            moment = part.live.moment(model.playback.clock)
            part.rig.is_still = model.window_controls.is_still
            part.rig.aim(
                moment.animation,
                part.layout,
                elapsed,
                moment.time,
                wanted=goal,
            )
        self._aimed = [part.rig for part in parts]
        self._last_own = model.rig, model.rig.orbit

    def draw(
        self,
        renderer: Renderer,
        model: Model,
        layout: Layout,
        traces: Singles = NO_CONES,
        footage: FootageView | None = None,
    ) -> None:
        """Draw all parts of the picture into a framebuffer; `copy` then takes it to the window.

        Like exported pictures, it is not drawn into the window itself, whose rows are counted from
        above: there the same triangles would cover a few other pixels. The framebuffer stays bound,
        so that cards are drawn over the picture.

        Args:
            renderer: draws the scenes.
            model: gives time, cameras and animations.
            layout: layout of the window.
            traces: further tubes in the model's own part, such as paths of throws, rows of `Cone`.
            footage: the film beside, behind or before the model's own part.
        """
        size = layout.width, layout.height
        if min(size) < 1:
            return
        canvas = self._canvas_of(size)
        # The arm lab hides the film; without a film its `place` is empty.
        film = footage if footage and footage.place and not model.lab else None
        self._draw_parts(renderer, model, layout, traces, framebuffer=canvas.framebuffer, film=film)
        # A film behind or before the picture was drawn with it. A film beside the picture has an
        # area of its own at the left edge of the window, which the layout has only then.
        if film and layout.film:
            film_area = 0, 0, int(layout.film.right), layout.height
            floor = STAGES[model.animation.parameters.stage].floor
            _fill_area(canvas.framebuffer, film_area, floor)
            film.draw(layout, Viewport(*film_area))
        _bind_for_cards(canvas)

    def copy(self) -> None:
        """Copy what was drawn into the window."""
        if self._canvas:
            self._canvas.show()

    def read(self) -> Bytes:
        """Return what was drawn: shape (height, width, 3), sRGB, top row first."""
        width, height = self._canvas.size if self._canvas else (0, 0)
        rows = np.empty((height, width, 3), dtype=np.uint8)
        if self._canvas:
            gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._canvas.framebuffer)
            gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)  # rows without padding, as those of the array
            address = ctypes.c_void_p(rows.ctypes.data)
            gl.glReadPixels(0, 0, width, height, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, address)
        return rows[::-1]  # OpenGL's first row is the lowest

    def solve(self, model: Model, layout: Layout) -> list[tuple[PicturePart, Scene]]:
        """Return the parts of the picture, each with its scene at the present time.

        To solve a scene is to find all postures and shapes. Scenes of the same time are solved
        once, however often this is called. In the arm lab, which has a scene of its own, there are
        no parts.

        Args:
            model: gives time, cameras and animations.
            layout: layout of the window.

        Returns:
            Each part of the picture with its scene.
        """
        # The step of time from frame to frame, by which scenes are solved ahead. In a drag none
        # are, as each frame has another animation.
        step = 0.0
        if not self._dragging:
            step = model.playback.time_per_frame(model.animation.parameters.speed)
        parts = [] if model.lab else picture_parts(model, layout)
        scenes = []
        for part, prefetch in zip(parts, self._prefetches, strict=False):
            # What is drawn may be a routine of several patterns, with a time of its own.
            time = part.live.drawn_time(model.playback.clock)
            scene = prefetch.scene(part.live.drawn, time, step, part.rig.camera)
            scenes.append((part, scene))
        return scenes

    def forget_canvas(self) -> None:
        """Draw into another framebuffer from now on: OpenGL has lost the present one."""
        self._canvas = None

    def _canvas_of(self, size: Size) -> ColourBuffer:
        if self._canvas and self._canvas.size != size:
            self._canvas.close()
            self._canvas = None
        if not self._canvas:
            self._canvas = ColourBuffer(*size)
            self._canvas.attach_depth()
        return self._canvas

    def _draw_parts(
        self,
        renderer: Renderer,
        model: Model,
        layout: Layout,
        traces: Singles,
        framebuffer: int,
        film: FootageView | None,
    ) -> None:
        """Draw each part of the picture, or the arm lab alone.

        Args:
            renderer: draws the scenes.
            model: gives time, cameras and animations.
            layout: layout of the window.
            traces: further tubes in the model's own part, such as paths of throws, rows of `Cone`.
            framebuffer: OpenGL's name of the framebuffer to draw into.
            film: drawn behind or before the model's own part; None for no film.
        """
        size = (layout.width, layout.height)
        lab = model.lab
        if lab:
            moment = model.moment
            lab.update(moment.animation, moment.time)
            lab.advance()
            scene = lab.scene(model.rig.camera)
            renderer.draw(replace(scene, stereo=OFF), RenderTarget(size, framebuffer))
            return
        film_place = film.place if film else ""
        for part, scene in self.solve(model, layout):
            is_own_part = part.rig is model.rig  # and not that of the other half of a split view
            drawn_scene = scene
            if is_own_part and len(traces):
                drawn_scene = replace(scene, traces=np.concatenate([scene.traces, traces]))
            draw_film = partial(film.draw, part.layout) if film and is_own_part else None
            target = RenderTarget(
                size,
                framebuffer,
                # The renderer calls this between the backdrop and all else.
                behind=draw_film if film_place == BEHIND else None,
                draft=self._draft,
                kept=self.kept,
                covered=round(part.layout.free.top),
            )
            renderer.draw(drawn_scene, target, part.area)
            # A film in front is drawn over the result.
            if draw_film and film_place == FRONT:
                gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
                draw_film(part.area)


def _bind_for_cards(canvas: ColourBuffer) -> None:
    """Let software OpenGL begin to draw, and bind the framebuffer for the cards."""
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, canvas.framebuffer)
    gl.glFlush()


def _apex_height(version: Animation) -> float:
    """Return the height of a version's highest throw, [m], an estimate of the room it needs."""
    return float(version.motion.flight_paths.parabolas.apexes()[:, 1].max(initial=0.0))


def _fill_area(
    framebuffer: int, area: tuple[int, int, int, int], colour: tuple[float, float, float]
) -> None:
    """Fill an area of a framebuffer, [pixels], with an sRGB colour."""
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(*area)
    gl.glClearColor(*colour, 1.0)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT)
    gl.glDisable(gl.GL_SCISSOR_TEST)


def _shared_goals(model: Model, parts: Sequence[PicturePart]) -> Sequence[Orbit | None]:
    """Return orbits from which the cameras of both halves of a split view show one scale.

    An orbit says from where a camera looks at what: a target, a distance and two angles.

    Args:
        model: tells whether halves share their scale.
        parts: the parts of the picture, each with its camera: one, or two of a split view.

    Returns:
        An orbit for each part. None for each part if each is framed by itself, because

        - the view is not split, or scales are not shared;
        - a camera was moved by hand, or is in a juggler's eyes.
    """
    is_split = len(parts) == 2
    if not is_split or not model.window_controls.shares_scale:
        return [None] * len(parts)
    orbits = []
    for part in parts:
        moment = part.live.moment(model.playback.clock)
        orbit = part.rig.framing_orbit(moment.animation, part.layout, moment.time)
        if orbit is None:
            return [None] * len(parts)
        orbits.append(orbit)
    # The subject is framed in the part of the height that no card covers, equal in both halves.
    layout = parts[0].layout
    return on_one_scale(orbits, layout.free.height / layout.height)


def _follow_camera(rig: CameraRig, own: CameraRig, orbit_before: Orbit) -> None:
    """Apply the user's changes of the active camera to the camera of the other half.

    A split view has two halves. A rig holds a camera where the user has moved it, on an orbit
    around a target, or frames the pattern from a standpoint, its view.

    Args:
        rig: rig of the other half; changed.
        own: rig of the active half.
        orbit_before: the orbit of `own` in the last frame.
    """
    own_orbit = own.orbit
    orbit = rig.orbit
    if own.is_manual and (own_orbit != orbit_before or not rig.is_manual):
        # The same shift of the target, the same factor of the distance, the same direction.
        x, y, z = (
            coordinate + own_now - own_before
            for coordinate, own_now, own_before in zip(
                orbit.target, own_orbit.target, orbit_before.target, strict=True
            )
        )
        distance = orbit.distance * own_orbit.distance / orbit_before.distance
        rig.hold(
            Orbit(
                (x, y, z),
                distance,
                azimuth=own_orbit.azimuth,
                elevation=own_orbit.elevation,
                field_of_view=orbit.field_of_view,
            )
        )
    elif not own.is_manual and (rig.is_manual or rig.view != own.view):
        rig.fly(own.view)
    if rig.following != own.following:
        rig.following = own.following
        rig.settled = False


class ScenePrefetch:
    """Solves scenes ahead in batches while an animation plays in even steps.

    Args:
        first_batch, later_batch: how many are solved at once when it begins to play, and later.
    """

    def __init__(self, first_batch: int = BATCH_SIZE, later_batch: int = BATCH_SIZE) -> None:
        self._first_batch = first_batch
        self._later_batch = later_batch
        self._is_playing = False
        self._source: Animation | Routine | None = None
        self._scenes: Scenes | list[Scene] | None = None
        self._first_time = self._step = self._last_time = 0.0

    def scene(self, source: Animation | Routine, time: float, step: float, camera: Camera) -> Scene:
        """Return the scene at a time, from the batch solved ahead if possible.

        To solve a scene is to find all postures and shapes. A missing scene is solved alone, or in
        a batch with later ones if the animation plays in even steps.

        Args:
            source: what plays; scenes of another source are dropped.
            time: time of the source, [s].
            step: step from picture to picture while it plays, [s]; negative if time runs backwards,
                0 if nothing is to be solved ahead.
            camera: camera of the picture.
        """
        # With a new source or another speed, drop the scenes solved ahead, and solve one scene.
        if self._scenes is None or source is not self._source or step != self._step:
            self._is_playing = False
            self._solve(source, time, step, camera, count=1)
        elif self._index_at(time) is None:
            # The animation plays if the time went on by a few steps, and did not jump.
            batch_size = self._later_batch if self._is_playing else self._first_batch
            self._is_playing = step != 0 and 0 < (time - self._last_time) / step < _MAX_STEPS
            self._solve(source, time, step, camera, count=batch_size if self._is_playing else 1)
        self._last_time = time
        index = self._index_at(time)
        scenes = self._scenes
        assert index is not None  # the scene was there, or has just been solved
        assert scenes is not None
        return replace(scenes[index], camera=camera)

    def _index_at(self, time: float) -> int | None:
        """Return the index of a time among the solved scenes; None if it is not there."""
        index = round((time - self._first_time) / self._step) if self._step else 0
        is_there = abs(self._first_time + index * self._step - time) < _SAME_TIME_TOLERANCE
        return index if is_there and 0 <= index < len(self._scenes or ()) else None

    def _solve(
        self, source: Animation | Routine, time: float, step: float, camera: Camera, count: int
    ) -> None:
        self._source = source
        self._first_time = time
        self._step = step
        self._scenes = source.scenes(time + step * np.arange(float(count)), camera)
