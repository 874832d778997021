"""Means of pictures as light adds up: for supersampling and motion blur; and straight alpha from premultiplied."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from juggle_anim.arrays import Bytes, Singles


# Light adds up in linear space. As in the shaders, a square is near enough to sRGB.
def mean_light(pictures: Iterable[Bytes], finer: int) -> Bytes:
    """The mean of pictures in linear light, each of whose pixels is the mean of a square of theirs.

    Args:
        pictures: at least one, each of shape (finer · height, finer · width, 3 or, premultiplied with alpha, 4).
        finer: edge of the square, [pixels].
    """
    total: Singles = np.zeros((), dtype=np.float32)
    count = 0
    for picture in pictures:
        total = total + _box_sums(_linear(picture), finer)
        count += 1
    mean = total / np.float32(count * finer * finer)
    kind = picture.dtype
    return np.rint(_encoded(mean) * np.float32(np.iinfo(kind).max)).astype(kind)


def unpremultiplied(picture: Bytes) -> Bytes:
    """A picture with straight instead of premultiplied alpha, converted in place."""
    most = np.iinfo(picture.dtype).max
    edge = np.nonzero((picture[..., 3] > 0) & (picture[..., 3] < most))
    values = picture[edge].astype(np.float32)
    values[:, :3] = np.minimum(np.rint(values[:, :3] * (np.float32(most) / values[:, 3:])), np.float32(most))
    picture[edge] = values.astype(picture.dtype)
    return picture


def _linear(picture: Bytes) -> Singles:
    """Linear light of each pixel, 0 to 1: the square of its colour, times its alpha where it has one."""
    values = picture.astype(np.float32) / np.float32(np.iinfo(picture.dtype).max)
    colour = values[..., :3]
    if values.shape[2] == 3:
        return np.square(colour)
    alpha = values[..., 3:]
    # A premultiplied colour p stands for the colour p / alpha.
    light = np.square(colour) / np.maximum(alpha, np.float32(1e-6))
    return np.concatenate([light, alpha], axis=2)


def _box_sums(light: Singles, finer: int) -> Singles:
    if finer == 1:
        return light
    height, width, channels = light.shape
    total: Singles = light.reshape(height // finer, finer, width // finer, finer, channels).sum(axis=(1, 3))
    return total


def _encoded(mean: Singles) -> Singles:
    if mean.shape[2] == 3:
        return np.sqrt(mean)
    alpha = mean[..., 3:]
    colour = np.sqrt(mean[..., :3] * alpha)
    return np.concatenate([colour, alpha], axis=2)
