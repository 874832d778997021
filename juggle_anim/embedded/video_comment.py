"""Words in a video: the tag `comment` of its container."""

from __future__ import annotations

from typing import BinaryIO

COMMENT = "comment"
"""The tag, as FFmpeg names it in all containers."""


def read_video_comment(file: BinaryIO, most: int) -> str | None:
    """The words of an MP4, MOV, WebM or Matroska file, at most so many letters; None where it has none."""
    import av

    try:
        with av.open(file) as container:
            tags = {name.casefold(): text for name, text in container.metadata.items()}
    except (av.error.FFmpegError, ValueError):
        return None
    words = tags.get(COMMENT)
    return words if words and len(words) <= most else None
