"""The camera, its named views, a juggler's eyes, stereo pairs, and the part of a picture that each
fills.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import as_point, cross, dot, unit

LOWEST = 0.1
"""The least height of an eye: lower down, the floor would be gone, and the shadows with it, [m]."""

NEAREST = 0.05
"""The least distance of the near plane, [m]."""

FARTHEST = 60.0
"""The least distance of the far plane, [m]."""

CAMERA_PRESETS: dict[str, tuple[float | None, float | None]] = {
    "default": (None, None),
    "front": (0.0, None),
    "left": (90.0, None),
    "right": (-90.0, None),
    "back": (180.0, None),
    "top": (0.0, 80.0),
}
"""Azimuth, 0 in front of the jugglers and positive toward their left, and elevation of each view,
[°]; None is the default.
"""

_UP = np.array([0.0, 1.0, 0.0])

EYE_VIEW = "eyes"
"""The name of the view through a juggler's eyes; all others are in `CAMERA_PRESETS`."""

_MOST_STRETCH = 1.6
"""By how much a ball at the upper or lower edge of a juggler's view is at most longer than wide."""

# A picture on a plane stretches a ball that is an angle off its axis by one over the cosine.
EYE_FIELDS_OF_VIEW = math.radians(70.0), 2 * math.acos(1 / _MOST_STRETCH)
"""Range of a juggler's vertical field of view, [rad]."""

# The eye's camera is above and behind the middle of the head, from where more is seen of hands and
# throws than from the face, [m].
_EYES_UP = 0.05
_EYES_BACK = 0.25
_EYE_TARGET_DISTANCE = 2.0  # m
_EYE_MARGIN = math.radians(6.0)  # above throws and below hands: the radius of a ball at 0.35 m
_HANDS_SEEN = 0.75  # share of the time in which both hands are to be in the picture
_PITCH_SHARE = 0.6  # of a head's pitch that the camera follows

OFF = "off"
PARALLEL = "parallel"
CROSSED = "crossed"
ANAGLYPH = "anaglyph"
"""Stereo modes: none; side by side for parallel or for crossed eyes; red and cyan."""

EYE_SEPARATION = 1 / 30
"""Distance between the eyes over the distance to the target; a greater one is tiring to look at."""


@dataclass(frozen=True)
class Viewport:
    """A rectangle of a picture, [pixels] from its lower left corner.

    Args:
        left, bottom: its lower left corner.
        width, height: of the camera's picture.
        overhang: how far the picture goes on to the left of that, to fill pixels that would stay
            empty.
    """

    left: int
    bottom: int
    width: int
    height: int
    overhang: int = 0

    @property
    def rectangle(self) -> tuple[int, int, int, int]:
        """All pixels that are drawn: left, bottom, width and height."""
        return self.left - self.overhang, self.bottom, self.width + self.overhang, self.height

    @property
    def halves(self) -> tuple[Viewport, Viewport]:
        """Two viewports of one size side by side, which together fill this one."""
        half_width = self.width // 2
        left = replace(self, width=half_width)
        # In an odd width the column in the middle belongs to the overhang of the right half.
        right = replace(
            self,
            left=self.left + self.width - half_width,
            width=half_width,
            overhang=self.width - 2 * half_width,
        )
        return left, right

    def drawn(self, kept: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the rectangle that is drawn, without the columns and rows that are kept.

        Args:
            kept: how many columns of the framebuffer, from the left, and rows, from below, stay as
                they are.

        Returns:
            Left, bottom, width and height, [pixels]; width or height is 0 if all is kept.
        """
        left, bottom, width, height = self.rectangle
        kept_columns, kept_rows = kept
        drawn_left = max(left, kept_columns)
        drawn_bottom = max(bottom, kept_rows)
        drawn_width = max(left + width - drawn_left, 0)
        drawn_height = max(bottom + height - drawn_bottom, 0)
        return drawn_left, drawn_bottom, drawn_width, drawn_height

    def overlaps(self, other: Viewport) -> bool:
        """Return whether the two have a pixel in common."""
        left, bottom, width, height = self.rectangle
        other_left, other_bottom, other_width, other_height = other.rectangle
        return (
            left < other_left + other_width
            and other_left < left + width
            and bottom < other_bottom + other_height
            and other_bottom < bottom + height
        )


@dataclass(frozen=True)
class Camera:
    """A perspective or orthographic camera, +y up.

    An orthographic camera draws everything at the scale that a perspective camera has at its
    target, and also solids behind its eye.

    Args:
        eye: its position, [m].
        target: the point in the middle of the picture, not straight above or below the eye, [m].
        field_of_view: vertical, [rad].
        near, far: depths of the near and far plane, [m].
        mirrored: whether left and right are exchanged in the picture, as in a mirror.
        orthographic: whether lines of sight are parallel; if not, they meet in the eye.
        eye_offset: distance of one of two stereo eyes to the right of `eye`, [m]. Points as far
            away as the target stay where they are in the picture.
        inside: index of the juggler through whose eyes the scene is seen; of them only forearms and
            hands are drawn.
        off_axis: tangent of the angle of the picture's centre to the right of straight ahead.
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    field_of_view: float = np.radians(30.0)
    near: float = 0.1
    far: float = 200.0
    mirrored: bool = False
    orthographic: bool = False
    eye_offset: float = 0.0
    inside: int | None = None
    off_axis: float = 0.0

    def view(self) -> Floats:
        """Return the matrix from world to camera, shape (4, 4), for column vectors (x, y, z, 1).

        In camera space x is to the right, y up and z back: the camera looks along −z.
        """
        eye = np.asarray(self.eye)
        back = eye - np.asarray(self.target)
        back = back / np.linalg.norm(back)
        right = cross(_UP, back)
        right = right / np.linalg.norm(right)
        rotation = np.array([right, cross(back, right), back])
        # A point p of the world goes to R·(p − eye), where the rows of R are the camera's axes.
        matrix = np.eye(4)
        matrix[:3, :3] = rotation
        matrix[:3, 3] = -rotation @ eye
        return self._offset_view(matrix) if self.eye_offset else matrix

    @property
    def position(self) -> tuple[float, float, float]:
        """Its position with the offset of a stereo eye, [m]."""
        if not self.eye_offset:
            return self.eye
        view = self.view()
        x, y, z = (-view[:3, :3].T @ view[:3, 3]).tolist()
        return x, y, z

    @property
    def lens_shift(self) -> float:
        """The offset of the picture's centre to the right of straight ahead, as a tangent.

        It is that of `off_axis`, and of a stereo eye. Stereo eyes look in the same direction, since
        turning them to the target would tilt the sides of the picture; their frusta are off-axis
        instead. An orthographic camera has no frustum, and turns about the target.
        """
        return 0.0 if self.orthographic else self.off_axis - self.eye_offset / self.distance

    @property
    def distance(self) -> float:
        """Distance from the eye to the target, [m]."""
        return math.dist(self.eye, self.target)

    @property
    def looks_down(self) -> bool:
        """Whether a line of sight may reach the floor from above."""
        return self.eye[1] > (self.target[1] if self.orthographic else 0.0)

    def scales(self, aspect: float) -> tuple[float, float]:
        """Return how large 1 m at a distance of 1 m is in the picture.

        Args:
            aspect: width of the picture over its height.

        Returns:
            Its size across, as a share of half the width, negative in a mirrored picture; and its
            size up, as a share of half the height.
        """
        scale = 1.0 / float(np.tan(self.field_of_view / 2))
        return -scale / aspect if self.mirrored else scale / aspect, scale

    def projection(self, aspect: float) -> Floats:
        """Return the matrix from camera space to OpenGL's clip space, shape (4, 4).

        OpenGL divides x, y and z of clip space by its fourth coordinate w, and draws what is then
        from −1 to 1 along each axis.

        Args:
            aspect: width of the picture over its height.
        """
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = self.scales(aspect)
        # Orthographic: w is the target's distance for all points, so that the scale is everywhere
        # that of a perspective view at the target. Depths from −far to far are drawn, so also what
        # is behind the eye; `near` is not used.
        if self.orthographic:
            matrix[2, 2] = -self.distance / self.far
            matrix[3, 3] = self.distance
            return matrix
        # Perspective: w is the distance in front of the eye, −z. Depths from near to far are drawn.
        depth = self.near - self.far
        matrix[2, 2:] = (self.far + self.near) / depth, 2 * self.far * self.near / depth
        matrix[3, 2] = -1.0
        # The picture is shifted sideways if its centre is not straight ahead, as that of a stereo
        # eye: its frustum is off-axis. `lens_shift` is the tangent of the angle from straight
        # ahead to the centre, positive to the right.
        matrix[0, 2] = matrix[0, 0] * self.lens_shift
        return matrix

    def _offset_view(self, view: Floats) -> Floats:
        """Return the view matrix of a stereo eye, shape (4, 4).

        Args:
            view: shape (4, 4), from the world to the camera space of `eye`, without its offset.
        """
        transform = np.eye(4)
        # A perspective eye is `eye_offset` farther to the right and looks in the same direction, so
        # everything else moves to the left.
        if not self.orthographic:
            transform[0, 3] = -self.eye_offset
            return transform @ view
        # With parallel lines of sight, a step to the side would only shift the picture. So an
        # orthographic eye is turned instead, about the picture's vertical axis through the target:
        # then nothing moves up or down, and the target stays in place.
        angle = np.arctan(self.eye_offset / self.distance)
        transform[0, 0] = np.cos(angle)
        transform[2, 2] = np.cos(angle)
        transform[2, 0] = np.sin(angle)
        transform[0, 2] = -transform[2, 0]
        # A turn R about the target t takes p to R·(p − t) + t, so the translation is t − R·t. In
        # camera space the target is at (0, 0, −distance).
        transform[:3, 3] = (transform[:3, :3] - np.eye(3)) @ (0.0, 0.0, self.distance)
        return transform @ view


@dataclass(frozen=True)
class EyeRange:
    """Elevations that a juggler's eyes have to see: angles above the horizon, [rad].

    Args:
        low: angle above which both their hands are for `_HANDS_SEEN` of the time, as seen from the
            side.
        high: elevation of their highest throw; that of their hands if they make none.
        pitch: mean elevation of where their head is turned.
    """

    low: float
    high: float
    pitch: float

    @classmethod
    def over_loop(
        cls, *, heads: Floats, faces: Floats, hands: Floats, throw_tops: Floats
    ) -> EyeRange:
        """Return the range of a juggler over a loop, from places in the world.

        Args:
            heads, faces: middles of the head and the face at T times, shape (T, 3), [m].
            hands: left and right hand at the same times, shape (T, 2, 3), [m].
            throw_tops: highest points of throws, at any times, shape (N, 3) for N points, [m].
        """
        # Elevations are angles above the horizon, seen from the eyes, [rad].
        eyes = _eyes(heads, faces)
        # The lower edge of a picture is level, so a hand's elevation is taken in the vertical plane
        # straight ahead: from its height and its distance ahead, not aside.
        to_hands = hands - eyes[:, None]
        ahead = unit((faces - heads) * (1.0, 0.0, 1.0))[:, None]
        distance_ahead = dot(to_hands, ahead)[..., 0]  # shape (T, 2)
        hand_elevations = np.arctan2(to_hands[..., 1], distance_ahead)
        # The lower hand is above `low` for a share `_HANDS_SEEN` of the times.
        low = np.quantile(hand_elevations.min(axis=1), 1.0 - _HANDS_SEEN)
        # The times of tops are not known, so they are seen from the mean place of the eyes.
        eyes_to_tops = throw_tops - eyes.mean(axis=0)
        high = _elevations(eyes_to_tops).max(initial=low)  # `low` if nothing is thrown
        pitch = _elevations(faces - heads).mean()
        return cls(low=float(low), high=float(high), pitch=float(pitch))

    @property
    def field_of_view(self) -> float:
        """The vertical field of view that shows all, if it can, [rad]."""
        narrowest, widest = EYE_FIELDS_OF_VIEW
        return min(max(self.high - self.low + 2 * _EYE_MARGIN, narrowest), widest)

    def elevation(self, pitch: float) -> float:
        """The elevation at which the camera looks, [rad], while the head has a pitch, [rad].

        It is halfway between hands and throws, unless the hands would then be below the picture:
        then throws that are too high for the field of view are above the picture. The camera
        follows the pitch of the head in part.
        """
        # Here the hands are at the lower edge of the picture. The camera never looks higher than
        # that, nor so low that more than `_EYE_MARGIN` is free below the hands.
        highest_with_hands = self.low + self.field_of_view / 2
        middle = max((self.low + self.high) / 2, highest_with_hands - _EYE_MARGIN)
        return min(middle, highest_with_hands) + _PITCH_SHARE * (pitch - self.pitch)


def _eyes(heads: Floats, faces: Floats) -> Floats:
    """Places of eyes, from middles of heads and faces, shape (…, 3), [m]."""
    ahead = unit((faces - heads) * (1.0, 0.0, 1.0))
    return heads + (0.0, _EYES_UP, 0.0) - _EYES_BACK * ahead


def _elevations(vectors: Floats) -> Floats:
    """Angles of vectors above the horizon, shape (…, 3) to (…), [rad]."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    elevations: Floats = np.arctan2(y, np.hypot(x, z))
    return elevations


def eye_camera(
    head: Floats,
    face: Floats,
    eye_range: EyeRange,
    juggler: int,
    mirrored: bool = False,
) -> Camera:
    """Return the camera in a juggler's eyes, which turns with the head.

    It sees hands as well as throws, as far as the field of view allows.

    Args:
        head, face: middles of the head and the face, in the world, shape (3,), [m].
        eye_range: elevations that have to be seen.
        juggler: index of the juggler, from 0, whose head is not drawn.
        mirrored: whether left and right are exchanged in the picture, as in a mirror.
    """
    # The head's direction gives the azimuth, an angle about +y that is 0 along +z. The elevation
    # goes by the range to be seen, and follows the head's pitch only in part.
    x, y, z = (face - head).tolist()
    pitch = math.atan2(y, math.hypot(x, z))
    eye = _eyes(head, face)
    return Camera(
        eye=as_point(eye),
        target=_target_ahead(eye, math.atan2(x, z), eye_range.elevation(pitch)),
        field_of_view=eye_range.field_of_view,
        near=NEAREST,
        far=FARTHEST,
        mirrored=mirrored,
        inside=juggler,
    )


def in_part(camera: Camera, right: float, up: float, share: float) -> Camera:
    """Return the camera in a juggler's eyes for a larger picture, of which only a part is free.

    The rest of the picture may be covered, such as by panels. The free part shows what the given
    camera would show in a picture of its own: straight ahead is in its middle from left to right,
    and its lower edge is the same. If the field of view of the whole picture would be too wide for
    this, the part shows less at the top.

    Args:
        camera: in the eyes, whose picture would be the part alone.
        right, up: how far the middle of the part is from the middle of the larger picture, in half
            heights of the larger picture.
        share: height of the part over that of the larger picture.
    """
    _narrowest, widest = EYE_FIELDS_OF_VIEW
    wanted_field_of_view = 2 * math.atan(math.tan(camera.field_of_view / 2) / share)
    field_of_view = max(min(wanted_field_of_view, widest), camera.field_of_view)
    half_height = math.tan(field_of_view / 2)  # at distance 1

    # The elevation at the lower edge of the given camera's picture. In the larger picture this has
    # to be at the lower edge of the part, up − share half heights from the middle, as the part
    # reaches from up − share to up + share.
    x, y, z = np.subtract(camera.target, camera.eye).tolist()
    lowest = math.atan2(y, math.hypot(x, z)) - camera.field_of_view / 2
    elevation = lowest - math.atan((up - share) * half_height)
    # As straight ahead is to be in the middle of the part, the picture's centre is as far to the
    # left of straight ahead as the part is to the right of the centre. In a mirrored picture left
    # and right are exchanged.
    middle_aside = right * half_height
    return replace(
        camera,
        target=_target_ahead(np.array(camera.eye), math.atan2(x, z), elevation),
        field_of_view=field_of_view,
        off_axis=middle_aside if camera.mirrored else -middle_aside,
    )


def _target_ahead(eye: Floats, azimuth: float, elevation: float) -> tuple[float, float, float]:
    """Return the target of a camera in a juggler's eyes.

    Args:
        eye: its position, shape (3,), [m].
        azimuth: direction of view about +y, 0 along +z, [rad].
        elevation: above the horizon, [rad].
    """
    # The direction of sight, as a vector that goes 1 ahead and rises by the tangent of the
    # elevation. Its length is one over the cosine, so times the cosine it is a unit vector.
    ahead = np.array([math.sin(azimuth), math.tan(elevation), math.cos(azimuth)])
    return as_point(eye + _EYE_TARGET_DISTANCE * math.cos(elevation) * ahead)


def stereo_cameras(camera: Camera) -> tuple[Camera, Camera]:
    """Return the cameras of the left and the right eye.

    Points as far away as the target are at the same place in both pictures, so they seem to lie in
    the plane of the picture.

    Args:
        camera: a camera in the middle between the eyes.
    """
    offset = camera.distance * EYE_SEPARATION / 2
    # An offset is to the right of the camera, before its picture is mirrored. In a mirrored picture
    # right and left are exchanged, and so are the eyes.
    left = offset if camera.mirrored else -offset
    return replace(camera, eye_offset=left), replace(camera, eye_offset=-left)


def side_by_side(camera: Camera, stereo: str) -> tuple[Camera, Camera]:
    """Return the cameras of the left and the right half of a side-by-side picture.

    For crossed eyes, the left eye looks at the right half, and the right eye at the left one.

    Args:
        camera: a camera in the middle between the eyes.
        stereo: `PARALLEL` or `CROSSED`.
    """
    left, right = stereo_cameras(camera)
    return (right, left) if stereo == CROSSED else (left, right)


def is_side_by_side(stereo: str) -> bool:
    """Whether a stereo mode shows two pictures side by side."""
    return stereo in (PARALLEL, CROSSED)


def aspect_per_eye(stereo: str, aspect: float) -> float:
    """Return width over height of one eye's picture, given that of the whole."""
    return aspect / 2 if is_side_by_side(stereo) else aspect
