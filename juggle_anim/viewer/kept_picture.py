"""A kept picture: what the window shows is written to a file, and the window says where."""

from __future__ import annotations

from juggle_anim.arrays import Bytes
from juggle_anim.errors import JuggleError
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.screen import picture_folder, save_picture


def keep_picture(model: Model, picture: Bytes) -> None:
    """Write a picture, shape (height, width, 3), into the folder of pictures, and say so, or what went wrong."""
    notice = model.notice
    try:
        path = save_picture(picture, model.animation, model.playback.time, picture_folder())
    except JuggleError as error:
        notice.say(str(error), bad=True)
    else:
        notice.say(f"Kept as {path}")
