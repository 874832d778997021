"""Still pictures: frames in files of their own, in the format that the ending names, with metadata.

A frame is written by other threads while the next ones are drawn. PNG is compressed quickly (PNG
specification, third edition). OpenEXR holds linear light, as programs that compose films take it,
in floating-point numbers of 16 bits. Its colours have the primaries of BT.709, which are those of
sRGB, and are premultiplied by alpha, as the format requires (Academy Software Foundation,
"Technical Introduction to OpenEXR"); the file says so.

The pictures of a request, drawn with motion blur, supersampling and captions.
"""

from __future__ import annotations

import io
import itertools
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from isal import isal_zlib

from juggle_anim.arrays import Bytes, Floats, Pixels, Singles, Size
from juggle_anim.atomic_file import (
    already_there,
    atomic_file,
    cannot_write,
    is_running,
    sync_folder,
)
from juggle_anim.errors import ExportError, ParameterError, require_library
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, Quality, WriteOptions
from juggle_anim.exporter.overlapped import WRITERS, overlapped
from juggle_anim.exporter.resume import (
    Template,
    claim,
    folder_template,
    frame_metadata,
    is_finished,
)
from juggle_anim.exporter.view import EYES, FrameRequest
from juggle_anim.formats import STILLS, Format, load
from juggle_anim.language import _
from juggle_anim.metadata.images import (
    MAX_EXIF_TEXT,
    PNG_SIGNATURE,
    PNG_TEXT_CHUNK,
    add_jpeg_comments,
    exif,
    exr_texts,
    png_text_content,
)
from juggle_anim.render import Offscreen
from juggle_anim.scene import Camera, Scene, aspect_per_eye, with_room_below

if TYPE_CHECKING:
    from juggle_anim.exporter.captions import CaptionPainter


# Poses are solved for this many exposures at once: enough to be fast, few enough to fit in memory
# with 800 jugglers.
_POSES_AT_ONCE = 64

_BYTE = 8  # bits


class DrawnFrames:
    """The pictures of a request, drawn as they are requested.

    Args:
        request: the frames to draw, and how they look.
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
            frame_numbers: numbers of frames, from 0; None for all, of which those that `sample` has
                drawn are not drawn again.

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
        """Yield all pictures in order; those that `sample` has drawn are not drawn again.

        Sampled pictures are removed from memory as they are yielded.
        """
        sampled = dict(self._sampled)
        self._sampled.clear()
        frames = range(self.request.frames)
        drawn = self._draw([number for number in frames if number not in sampled])
        for number in frames:
            yield sampled.pop(number) if number in sampled else next(drawn)
        # `drawn` has no pictures left, but is suspended inside its drawing context. Asking for one
        # more lets it end and leave the context, which the next export needs.
        for _unused in drawn:
            pass

    def _draw(self, frame_numbers: Sequence[int]) -> Iterator[Bytes]:
        """Draw frames. Each is the mean of its exposures in linear light, with its caption.

        Args:
            frame_numbers: numbers of frames, from 0.

        Yields:
            A picture for each number, an array of shape (height, width, 3; 4 with alpha).
        """
        request = self.request
        width, height = request.size
        # Pictures are drawn `finer` times as wide and high, and averaged.
        finer = request.supersampling
        blur = request.blur  # exposures of each frame
        exposures = request.exposures(frame_numbers)  # s of the pattern, frame after frame
        offscreen = Offscreen(
            width * finer,
            height * finer,
            transparent=request.transparent or bool(request.background),
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
            if backdrop := request.backdrop:
                pictures = map(partial(_laid_over, backdrop), pictures)
            elif request.transparent:
                pictures = map(unpremultiplied, pictures)
            # The painter is None without captions.
            if self._painter:
                pictures = _captioned(pictures, exposures.reshape(-1, blur), self._painter)
            yield from pictures

    def _scenes(self, exposures: Floats) -> Iterator[Scene]:
        """Yield the scenes of exposures, whose poses are solved some at a time."""
        for first in range(0, len(exposures), _POSES_AT_ONCE):
            yield from self._posed_scenes(exposures[first : first + _POSES_AT_ONCE])

    def _posed_scenes(self, times: Floats) -> Iterable[Scene]:
        """Return the scenes at given times, in their order.

        Args:
            times: times of the pattern, shape (N,) for N times, at least one, [s].
        """
        request = self.request
        animation = request.closing_animation
        # The camera is that of the window's animation. The one that is drawn differs in breath and
        # sway, which close over the exported loop.
        framed = request.animation
        aspect = aspect_per_eye(animation.parameters.stereo, request.aspect)
        is_camera_still = request.view != EYES and request.view.path is None
        if is_camera_still:
            camera = self._above_captions(request.view.camera(framed, aspect))
            return animation.scenes(times, camera)
        # The eyes of a juggler, or a camera path. `scenes` takes one camera for all times, so it
        # gets the first one, which is replaced afterwards.
        cameras = self._moving_cameras(times, aspect)
        scenes = animation.scenes(times, cameras[0])
        return (
            replace(scene, camera=camera) for scene, camera in zip(scenes, cameras, strict=True)
        )

    def _moving_cameras(self, times: Floats, aspect: float) -> list[Camera]:
        """Return a camera for each time: that of a juggler's eyes, or one on a path.

        Args:
            times: times of the pattern, shape (N,) for N times, [s].
            aspect: width of the picture of one eye over its height.
        """
        request = self.request
        if request.view.path is None:
            return request.closing_animation.eyes(times)
        # Convert times of the pattern to the time since the first frame, [s] of the film.
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
        painter: draws the captions.

    Yields:
        The pictures.
    """
    times = exposures.mean(axis=1).tolist()
    for picture, time in zip(pictures, times, strict=True):
        painter.paint(picture, time)
        yield picture


# Light adds up in linear space. As in the shaders, a square is near enough to sRGB.
def mean_light(pictures: Iterable[Bytes], finer: int) -> Bytes:
    """Return the mean of pictures in linear light, with fewer pixels (by a box filter).

    Args:
        pictures: one or more arrays of integer sRGB, all of one type and shape: (finer · height,
            finer · width, 3; 4 with colours premultiplied by alpha).
        finer: edge of the square of pixels that becomes one pixel.

    Returns:
        sRGB of the same type, shape (height, width, 3; 4 with colours premultiplied by alpha).
    """
    # 0, which gets its shape from the first picture.
    total: Singles = np.zeros((), dtype=np.float32)
    count = 0
    for picture in pictures:
        total = total + _box_sums(_linear(picture), finer)
        count += 1
    mean = total / np.float32(count * finer * finer)
    # Back to sRGB, in integers of the same type as the pictures.
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
    # Opaque pixels are equal in both, and fully transparent ones have no colour.
    translucent = np.nonzero((alpha > 0) & (alpha < max_value))
    values = picture[translucent].astype(np.float32)
    # By rounding of colour and alpha a quotient may exceed the greatest number.
    straight = np.rint(values[:, :3] * (np.float32(max_value) / values[:, 3:]))
    values[:, :3] = np.minimum(straight, np.float32(max_value))
    picture[translucent] = values.astype(picture.dtype)
    return picture


def _laid_over(background: tuple[float, ...], picture: Bytes) -> Bytes:
    """Return a picture over a plain background, without alpha.

    Args:
        background: red, green and blue from 0 to 1, sRGB.
        picture: premultiplied, shape (height, width, 4), of whole numbers up to the greatest of
            their type.
    """
    max_value = np.iinfo(picture.dtype).max
    uncovered = max_value - picture[..., 3:]
    seen_background = np.rint(uncovered * np.array(background, np.float32))
    # Rounding of colour and alpha may bring a sum above the greatest number.
    laid_over = np.minimum(picture[..., :3] + seen_background, max_value)
    return laid_over.astype(picture.dtype)


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
    # A premultiplied colour p stands for p / alpha. So its light, premultiplied, is
    # alpha · (p / alpha)² = p² / alpha. Where alpha is 0, so is p, and the guard makes the light 0.
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


# Colour types of PNG.
_RGB = 2
_RGBA = 6

# Each row is stored as its difference from the one above: a stage is smooth, so most of it is 0.
_FILTER_UP = 2


Encode = Callable[[Pixels, str, str], bytes]
"""From a picture of shape (height, width, 3 or 4), a quality and metadata in ASCII to a file's
content.
"""

_JPEG_QUALITY: dict[str, int] = {Quality.DRAFT: 75, Quality.GOOD: 93, Quality.BEST: 98}
_WEBP_QUALITY: dict[str, int] = {Quality.DRAFT: 70, Quality.GOOD: 92, Quality.BEST: 75}
_WEBP_EFFORT = 2  # of 6, the method

CHROMATICITIES = 0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290
"""Chromaticities of red, green, blue and white in an EXR, x and y each (ITU-R BT.709)."""

COLOUR_SPACE = "lin_rec709_scene"
"""The colour space of an EXR, as programs agree to call it (ASWF, "Color Interop Forum")."""


def encode_png(image: Pixels, metadata: str = "") -> bytes:
    """Encode a picture as the content of a PNG file.

    Args:
        image: shape (height, width, 3; 4 with alpha), top row first, of bytes or 16-bit numbers.
        metadata: text for the file to carry, in ASCII.
    """
    comment = png_chunk(PNG_TEXT_CHUNK, png_text_content(metadata)) if metadata else b""
    return b"".join(
        [
            PNG_SIGNATURE,
            png_header(image),
            comment,
            png_chunk(b"IDAT", png_pixels(image)),
            png_chunk(b"IEND", b""),
        ]
    )


def png_header(image: Pixels) -> bytes:
    """Return the chunk IHDR of a PNG file, for pictures of this shape and number of bits.

    Args:
        image: shape (height, width, 3; 4 with alpha), of bytes or 16-bit numbers.
    """
    height, width, channels = image.shape
    bit_depth = 8 * image.itemsize
    colour_type = _RGB if channels == 3 else _RGBA
    # PNG has one method of compression and one of filtering; there is no interlacing.
    methods = bytes(3)
    return png_chunk(b"IHDR", struct.pack(">IIBB", width, height, bit_depth, colour_type) + methods)


def png_pixels(image: Pixels) -> bytes:
    """Return the content of the chunk IDAT of a PNG file: rows of pixels, filtered and compressed.

    Args:
        image: shape (height, width, channels), of bytes or 16-bit numbers.
    """
    # PNG has the high byte of a number first; rows of pixels become rows of bytes.
    rows = image.astype(image.dtype.newbyteorder(">")).reshape(len(image), -1).view(np.uint8)
    filtered = np.empty((len(rows), 1 + rows.shape[1]), dtype=np.uint8)
    # The filter "up" stores the difference of each row from the row above. The number of the filter
    # stands before each row. The row above the first one counts as 0, so the first row stays as it
    # is. Differences wrap around, as PNG prescribes.
    filtered[:, 0] = _FILTER_UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, 1))


def png_chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG: length of its data, kind, data, and checksum of kind and data."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join([struct.pack(">I4s", len(data), kind), data, struct.pack(">I", checksum)])


def encode_still(picture: Pixels, ending: str, quality: str, metadata: str) -> bytes:
    """Encode a picture as the content of a file.

    Args:
        picture: shape (height, width, 3; 4 with alpha), top row first.
        ending: ending of the file's name, one of `STILLS` in upper or lower case.
        quality: quality of lossy compression.
        metadata: text for the file to carry, in ASCII.
    """
    encode: Encode = load(STILLS[ending.casefold()].still)
    return encode(picture, quality, metadata)


def check_still(ending: str, size: Size, *, transparent: bool) -> None:
    """Check that a format can hold pictures, and that its library is installed.

    Args:
        ending: ending of the file names.
        size: width and height, [pixels].
        transparent: whether the pictures have alpha; if not, they are opaque.

    Raises:
        ParameterError: the pictures are too large, the format has no alpha, or a library is
            missing.
    """
    row = STILLS[ending.casefold()]
    if row.require:
        load(row.require)()
    if transparent and not row.alpha:
        kinds = ", ".join(other_ending for other_ending, other in STILLS.items() if other.alpha)
        raise ParameterError(
            _("{ending} pictures cannot be transparent; {kinds} can", ending=ending, kinds=kinds)
        )
    check_edges(row, size)


def check_edges(row: Format, size: Size) -> None:
    """Check that a format can have a size, width and height in pixels.

    Raises:
        ParameterError: an edge is too long.
    """
    if max(size) > row.max_edge:
        raise ParameterError(
            _(
                "{name} cannot be {size}x{size2}: each edge can have at most {max_edge} pixels",
                name=row.name,
                size=size[0],
                size2=size[1],
                max_edge=row.max_edge,
            )
        )


def png(picture: Pixels, _quality: str, metadata: str) -> bytes:
    """Encode a PNG, without loss, with the metadata in a text chunk."""
    return encode_png(picture, metadata)


def jpeg(picture: Pixels, quality: str, metadata: str) -> bytes:
    """Encode a JPEG, with the metadata in EXIF if it fits there, and otherwise in comments.

    Args:
        picture: shape (height, width, 3), bytes.
        quality: a value of `Quality`.
        metadata: text for the file to carry, in ASCII.
    """
    # With chroma subsampling red balls and outlines of limbs would have ragged edges.
    options = {"quality": _JPEG_QUALITY[quality], "subsampling": 0}
    if len(metadata) <= MAX_EXIF_TEXT:
        return _encode_with_pillow(picture, "JPEG", metadata, **options)
    content = _encode_with_pillow(picture, "JPEG", "", **options)
    return add_jpeg_comments(content, metadata)


def webp(picture: Pixels, quality: str, metadata: str) -> bytes:
    """Encode a WebP, at the best quality without loss, with the metadata in EXIF.

    Args:
        picture: shape (height, width, 3; 4 with alpha), bytes.
        quality: a value of `Quality`.
        metadata: text for the file to carry, in ASCII; empty for none.
    """
    # Without loss, the colours of fully transparent pixels are kept as well (`exact`), and Pillow
    # takes the number for quality as one for effort.
    best = quality is Quality.BEST
    return _encode_with_pillow(
        picture,
        "WEBP",
        metadata,
        lossless=best,
        quality=_WEBP_QUALITY[quality],
        method=_WEBP_EFFORT,
        exact=best,
    )


def tiff(picture: Pixels, _quality: str, metadata: str) -> bytes:
    """Encode a TIFF, compressed without loss, with the metadata in its description."""
    return _encode_with_pillow(picture, "TIFF", metadata, compression="tiff_adobe_deflate")


def _encode_with_pillow(picture: Pixels, kind: str, metadata: str, **pillow_options: Any) -> bytes:
    """Encode a picture as the content of a file, with Pillow.

    Args:
        picture: shape (height, width, 3; 4 with alpha).
        kind: Pillow's name of the format.
        metadata: text in ASCII for EXIF, or for the tags of a TIFF; empty for none.
        pillow_options: Pillow's options of the format.
    """
    from PIL import Image

    file = io.BytesIO()
    # Pillow writes the entries of EXIF as tags of a TIFF, but takes bytes for other formats.
    entries = exif(metadata) if kind == "TIFF" else exif(metadata).tobytes()
    Image.fromarray(picture).save(file, kind, exif=entries, **pillow_options)
    return file.getvalue()


def write_still(
    request: FrameRequest,
    path: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the first frame of a request as a picture, in the format that the file's ending names.

    Args:
        request: the frames, of which only the first is drawn.
        path: the file; its folder is created.
        force: whether an existing file may be replaced; if not, it is an error.
        progress: called with 1 and 1 when the picture is written.
        options: how to write; with `resume`, an existing file is kept if it is complete and of this
            same export.

    Returns:
        The path.

    Raises:
        ParameterError: the format cannot have such a size or transparency.
        ExportError: the file exists and `force` is not set, or it cannot be written.
    """
    check_still(path.suffix, request.size, transparent=request.transparent)
    request = request.composed()
    metadata = frame_metadata(request.record(options), 0)
    if claim(path, metadata, force=force, resume=options.resume):
        (image,) = DrawnFrames(request).images([0])
        with atomic_file(path, replaces=force or options.resume) as draft:
            draft.write_bytes(encode_still(image, path.suffix, options.quality, metadata))
        if progress:
            progress(1, 1)
    return path


def write_frames(
    request: FrameRequest,
    destination: Path | Template,
    *,
    force: bool = False,
    progress: Progress | None = None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> list[Path]:
    """Write each frame as a file of its own; an interrupted export leaves complete files.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        destination: a folder for `frame_00000.png` and so on, or a template; the folder and its
            parents are created.
        force: whether the folder may hold files already, or frames of these names; the frames are
            removed first.
        progress: called with the number of frames written and of all frames to write, without
            those that are kept.
        options: how to write; with `resume`, existing frames of this same export are kept.

    Returns:
        All files in the order of frames, including those that existed.

    Raises:
        ParameterError: the format allows no transparency or not this size.
        ExportError: files exist and `force` is not set, an existing frame is of another export, or
            a file cannot be written.
    """
    # The names of the files, and a first check before anything is drawn. Numbers in names count
    # from `options.first`, and frames of the request from 0.
    last_number = options.first + request.frames - 1
    if isinstance(destination, Path):
        template = folder_template(destination, ".png", last_number)
        own_folder = True
    else:
        template = destination
        own_folder = False
    check_still(template.suffix, request.size, transparent=request.transparent)
    if not options.resume:
        _refuse_existing(template, force=force, own_folder=own_folder)
    paths = [template.path(options.first + number) for number in range(request.frames)]
    record = request.record(options)

    def metadata(frame: int) -> str:
        """Return the text that a frame carries, from which the export can be repeated."""
        return frame_metadata(record, frame)

    # The frames to write: with `resume`, only those that are not complete yet.
    missing = [
        frame
        for frame, file in enumerate(paths)
        if not (options.resume and is_finished(file, metadata(frame)))
    ]

    def prepare() -> None:
        """Make room for the frames, once the first of them is drawn."""
        if not options.resume:
            # This is checked again, since another export may have begun meanwhile.
            _refuse_existing(template, force=force, own_folder=own_folder)
        _clear_folder(template, keeps_complete=options.resume)

    def write(job: tuple[int, Bytes]) -> None:
        """Write a frame, given its number from 0 and its image."""
        number, image = job
        # That the names of files are stored on the disk is made sure once, at the end.
        with atomic_file(paths[number], sync_name=False, replaces=force or options.resume) as draft:
            draft.write_bytes(
                encode_still(image, template.suffix, options.quality, metadata(number))
            )

    jobs = _numbered_images(request, missing, prepare)
    for done, _result in enumerate(_written(write, jobs), 1):
        if progress:
            progress(done, len(missing))
    sync_folder(template.folder)
    return paths


def _refuse_existing(template: Template, *, force: bool, own_folder: bool) -> None:
    """Raise an error if existing files would be replaced by frames and must not be.

    Args:
        template: the template of the frames' names.
        force: whether existing files may be replaced; if not, they are an error.
        own_folder: whether the folder is for these frames alone, so that any file is in the way.

    Raises:
        ExportError: files are in the way, or the folder is a file.
    """
    folder = template.folder
    with cannot_write(folder):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ExportError(_("{folder} is a file, but frames need a folder", folder=folder))
        existing = [
            entry.name for entry in folder.iterdir() if own_folder or template.is_frame(entry.name)
        ]
    if existing and not force:
        raise already_there(folder, "files" if own_folder else _("such frames"))


def _written(
    write: Callable[[tuple[int, Bytes]], None], jobs: Iterator[tuple[int, Bytes]]
) -> Iterator[None]:
    """Write frames in the background, in several threads.

    Args:
        write: writes a frame, given its number and image.
        jobs: numbers and images of the frames; may be empty.

    Yields:
        None for each frame once it is written, in the order of `jobs`.
    """
    # The first frame is written alone, in this thread. So of two exports to the same names that
    # begin at the same time, one fails at its first frame, before it has written any.
    for first in itertools.islice(jobs, 1):
        write(first)
        yield
    yield from overlapped(write, jobs, WRITERS)


def _numbered_images(
    request: FrameRequest, frame_numbers: list[int], on_first_image: Callable[[], None]
) -> Iterator[tuple[int, Bytes]]:
    """Draw some frames of a request, and yield each with its number.

    Args:
        request: all frames: their animation, times, size and view.
        frame_numbers: numbers of those that are drawn, from 0; distinct and ascending, maybe none.
        on_first_image: called once when the first frame is drawn, before it is yielded. It deletes
            frames of an earlier export, which must stay if this one cannot draw.
    """
    if not frame_numbers:
        return
    drawn = DrawnFrames(request)
    # The numbers are distinct, so if there are as many as frames, these are all frames.
    images = drawn.images() if len(frame_numbers) == request.frames else drawn.images(frame_numbers)
    for index, (number, image) in enumerate(zip(frame_numbers, images, strict=True)):
        if index == 0:
            on_first_image()
        yield number, image


def _clear_folder(template: Template, *, keeps_complete: bool) -> None:
    """Create the folder of frames, and remove files that earlier exports left in it.

    Args:
        template: the template of the frames' names; other files are left alone.
        keeps_complete: whether complete frames stay; partial ones stay only while their writer
            runs.

    Raises:
        ExportError: the folder cannot be written.
    """
    folder = template.folder
    with cannot_write(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            is_stale = False
            if template.is_partial(file.name):
                # A name such as ".frame_00000.4711.part.png" has the ID of the thread that is
                # writing the file, or was.
                before_part, _part, _ending = file.name.rpartition(".part")
                writer_id = int(before_part.rpartition(".")[2])
                is_stale = not is_running(writer_id)
            if is_stale or (not keeps_complete and template.is_frame(file.name)):
                # Another export may have removed the file since it was listed.
                file.unlink(missing_ok=True)


def require_exr() -> None:
    """Check that the library of OpenEXR is installed.

    Raises:
        ParameterError: the library is not installed.
    """
    require_library("OpenEXR", "exr", _("EXR files"))


def exr(picture: Pixels, _quality: str, metadata: str) -> bytes:
    """Encode an EXR of linear light, compressed without loss, with the metadata in attributes.

    Args:
        picture: sRGB, bytes or 16-bit numbers, shape (height, width, 3; 4 with straight alpha).
        _quality: unused, as nothing is lost; the signature is that of other formats.
        metadata: text for the file to carry, in ASCII.
    """
    import OpenEXR

    light = linear_light(picture)
    header = {
        "type": OpenEXR.scanlineimage,
        "compression": OpenEXR.ZIP_COMPRESSION,
        "chromaticities": CHROMATICITIES,
        "colorInteropID": COLOUR_SPACE,
        **exr_texts(metadata),
    }
    channels = {"RGB" if light.shape[2] == 3 else "RGBA": light.astype(np.float16)}
    # The library writes only to files, so the content is read back from a temporary one.
    with tempfile.TemporaryDirectory(prefix="juggle-anim-") as folder:
        path = Path(folder, "picture.exr")
        with OpenEXR.File(header, channels) as file:
            file.write(str(path))
        return path.read_bytes()


def linear_light(picture: Pixels) -> Singles:
    """Return the linear light of each pixel, 0 to 1, premultiplied by alpha where there is one.

    Args:
        picture: sRGB, bytes or 16-bit numbers, shape (height, width, 3; 4 with straight alpha).

    Returns:
        The same shape.
    """
    # There are few sRGB numbers, so their light is looked up in a table. Alpha is linear already.
    light = _light_of(np.iinfo(picture.dtype).max)[picture[..., :3]]
    if picture.shape[2] == 3:
        return light
    alpha = picture[..., 3:].astype(np.float32) / np.float32(np.iinfo(picture.dtype).max)
    return np.concatenate([light * alpha, alpha], axis=2)


@lru_cache(maxsize=2)
def _light_of(max_value: int) -> Singles:
    """Return the linear light, 0 to 1, of each sRGB number up to the greatest (IEC 61966-2-1)."""
    value = np.arange(max_value + 1) / max_value
    light: Singles = np.where(
        value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4
    ).astype(np.float32)
    return light
