"""The pictures of a request, drawn with motion blur, supersampling and captions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.arrays import Bytes, Floats, Singles
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.view import EYES
from juggle_anim.render import Offscreen
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.camera import aspect_per_eye
from juggle_anim.scene.framing import with_room_below

if TYPE_CHECKING:
    from juggle_anim.exporter.captions import CaptionPainter

# Poses are solved for this many exposures at once: enough to be fast, few enough to fit in memory
# with 800 jugglers.
_POSES_AT_ONCE = 64

_BYTE = 8  # bits


class DrawnFrames:
    """The pictures of a request, drawn as they are asked for.

    Args:
        request: which frames, and how they look.
    """

    def __init__(self, request: FrameRequest) -> None:
        self.request = request
        self._painter: CaptionPainter | None = None
        if request.captions:
            # Imported when first used: few pictures have captions.
            from juggle_anim.exporter.captions import CaptionPainter

            self._painter = CaptionPainter(request.animation, request.size)
        self._sampled: dict[int, Bytes] = {}

    def images(self, frame_numbers: Sequence[int] | None = None) -> Iterator[Bytes]:
        """Draw frames one after another, each into its own memory.

        Args:
            frame_numbers: from 0; None for all, of which those that `sample` has drawn are
                not drawn again.

        Returns:
            Pictures in the order of `frame_numbers`, shape (height, width, 3; 4 with straight alpha
            where transparent), of bytes; with a depth of 16 bits, of `Words`.
        """
        if frame_numbers is None and self._sampled:
            return self._images_with_sampled()
        return self._draw(range(self.request.frames) if frame_numbers is None else frame_numbers)

    def sample(self, frame_numbers: Sequence[int]) -> list[Bytes]:
        """Draw frames by number from 0, and keep their pictures until `images` next yields all."""
        self._sampled.update(zip(frame_numbers, self._draw(frame_numbers), strict=True))
        return [self._sampled[number] for number in frame_numbers]

    def _images_with_sampled(self) -> Iterator[Bytes]:
        """Yield all pictures in order; those that were sampled are not drawn again, and let go."""
        sampled = dict(self._sampled)
        self._sampled.clear()
        frames = range(self.request.frames)
        drawn = self._draw([number for number in frames if number not in sampled])
        for number in frames:
            yield sampled.pop(number) if number in sampled else next(drawn)
        # `drawn` has no pictures left, but is suspended behind the last one, inside its drawing
        # context. Asking for one more lets it end and leave the context to the next export.
        for _unused in drawn:
            pass

    def _draw(self, frame_numbers: Sequence[int]) -> Iterator[Bytes]:
        """Draw frames: the exposures of each, their mean in linear light, and then its caption.

        Args:
            frame_numbers: from 0.

        Yields:
            A picture for each number, as `images` returns them.
        """
        request = self.request
        width, height = request.size
        finer = request.supersampling
        blur = request.blur  # exposures of each frame
        exposures = request.exposures(frame_numbers)  # s of the pattern, frame after frame
        offscreen = Offscreen(
            width * finer,
            height * finer,
            transparent=request.transparent,
            shadows=request.shadows,
            deep=request.depth > _BYTE,
        )
        with offscreen:
            exposed = offscreen.images(self._scenes(exposures))
            # A chain of iterators, so that one frame at a time is in memory. Each frame takes its
            # `blur` exposures from the common stream.
            pictures = exposed
            if finer > 1 or blur > 1:
                pictures = (mean_light(islice(exposed, blur), finer) for _frame in frame_numbers)
            if request.transparent:
                pictures = map(unpremultiplied, pictures)
            if self._painter:
                pictures = _captioned(pictures, exposures.reshape(-1, blur), self._painter)
            yield from pictures

    def _scenes(self, exposures: Floats) -> Iterator[Scene]:
        """Yield the scenes of exposures, whose poses are solved some at a time."""
        for first in range(0, len(exposures), _POSES_AT_ONCE):
            yield from self._posed_scenes(exposures[first : first + _POSES_AT_ONCE])

    def _posed_scenes(self, times: Floats) -> Iterable[Scene]:
        """Return the scenes at some times, in their order.

        Args:
            times: of the pattern, shape (N,), at least one, [s].
        """
        request = self.request
        animation = request.closing_animation
        # Pictures are framed as in the window, whatever they close after.
        framed = request.animation
        width, height = request.size
        aspect = aspect_per_eye(animation.parameters.stereo, width / height)
        is_camera_still = request.view != EYES and request.view.path is None
        if is_camera_still:
            camera = self._above_captions(request.view.camera(framed, aspect))
            return animation.scenes(times, camera)
        # The eyes of a juggler, or a camera path. `scenes` takes one camera for all, so the first
        # one serves, and each scene gets its own afterwards.
        cameras = self._moving_cameras(times, aspect)
        scenes = animation.scenes(times, cameras[0])
        return (
            replace(scene, camera=camera) for scene, camera in zip(scenes, cameras, strict=True)
        )

    def _moving_cameras(self, times: Floats, aspect: float) -> list[Camera]:
        """Return a camera for each time: that of a juggler's eyes, or one on a path.

        Args:
            times: of the pattern, shape (N,), [s].
            aspect: width of the picture of one eye over its height.
        """
        request = self.request
        if request.view.path is None:
            return request.closing_animation.eyes(times)
        # From the clock of the pattern to the time since the first frame, [s] of the film.
        film_times = times / request.animation.parameters.speed - request.start
        cameras = request.view.path.cameras(
            request.animation, aspect, film_times, duration=request.duration
        )
        return [self._above_captions(camera) for camera in cameras]

    def _above_captions(self, camera: Camera) -> Camera:
        """Return the camera, farther away where captions would cover feet."""
        return with_room_below(camera, self._painter.height_share) if self._painter else camera


def _captioned(
    pictures: Iterator[Bytes], exposures: Floats, painter: CaptionPainter
) -> Iterator[Bytes]:
    """Paint into each picture the caption at the mean time of its exposures.

    Args:
        pictures: one for each frame; changed in place.
        exposures: times, shape (frames, exposures of a frame), [s] of the pattern.
        painter: of the captions.

    Yields:
        The pictures.
    """
    times = exposures.mean(axis=1).tolist()
    for picture, time in zip(pictures, times, strict=True):
        painter.paint(picture, time)
        yield picture


# Light adds up in linear space. As in the shaders, a square is near enough to sRGB.
def mean_light(pictures: Iterable[Bytes], finer: int) -> Bytes:
    """Return the mean of pictures in linear light, downsampled by a box filter.

    Args:
        pictures: at least one, sRGB of whole numbers, all of one type and of one shape:
            (finer · height, finer · width, 3; 4 with colours premultiplied by alpha).
        finer: edge of the box that becomes one pixel, [pixels].

    Returns:
        sRGB of the same type, shape (height, width, 3; 4 with colours premultiplied by alpha).
    """
    total: Singles = np.zeros((), dtype=np.float32)
    count = 0
    for picture in pictures:
        total = total + _box_sums(_linear(picture), finer)
        count += 1
    mean = total / np.float32(count * finer * finer)
    # Back to sRGB, in whole numbers of the depth of the pictures.
    depth_type = picture.dtype
    max_value = np.float32(np.iinfo(depth_type).max)
    return np.rint(_encoded(mean) * max_value).astype(depth_type)


def unpremultiplied(picture: Bytes) -> Bytes:
    """Convert premultiplied to straight alpha, in place, and return the picture.

    Args:
        picture: shape (height, width, 4), of whole numbers up to the greatest of their type.
    """
    max_value = np.iinfo(picture.dtype).max
    alpha = picture[..., 3]
    # Opaque pixels are the same in both, and clear ones have no colour.
    translucent = np.nonzero((alpha > 0) & (alpha < max_value))
    values = picture[translucent].astype(np.float32)
    # Rounding of colour and alpha may bring a quotient above the greatest number.
    straight = np.rint(values[:, :3] * (np.float32(max_value) / values[:, 3:]))
    values[:, :3] = np.minimum(straight, np.float32(max_value))
    picture[translucent] = values.astype(picture.dtype)
    return picture


def _linear(picture: Bytes) -> Singles:
    """Return the linear light of each pixel, 0 to 1: its colour squared, times its alpha if any.

    Args:
        picture: sRGB of whole numbers, shape (height, width, 3; 4 with colours premultiplied).

    Returns:
        The same shape; alpha itself, which is linear, is only divided by its greatest number.
    """
    values = picture.astype(np.float32) / np.float32(np.iinfo(picture.dtype).max)
    colour = values[..., :3]
    if values.shape[2] == 3:
        return np.square(colour)
    alpha = values[..., 3:]
    # A premultiplied colour p stands for p / alpha, so its light is alpha · (p / alpha)² =
    # p² / alpha. Where alpha is 0, so is p, and the guard makes the light 0.
    light = np.square(colour) / np.maximum(alpha, np.float32(1e-6))
    return np.concatenate([light, alpha], axis=2)


def _box_sums(light: Singles, finer: int) -> Singles:
    """Return the sums of boxes of `finer` by `finer` pixels."""
    if finer == 1:
        return light
    height, width, channels = light.shape
    total: Singles = light.reshape(height // finer, finer, width // finer, finer, channels).sum(
        axis=(1, 3)
    )
    return total


def _encoded(mean: Singles) -> Singles:
    """Return colours of linear light: the inverse of `_linear`."""
    if mean.shape[2] == 3:
        return np.sqrt(mean)
    alpha = mean[..., 3:]
    colour = np.sqrt(mean[..., :3] * alpha)
    return np.concatenate([colour, alpha], axis=2)
