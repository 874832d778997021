"""The folder in which the viewer keeps what it knows of its user."""

from __future__ import annotations

from pathlib import Path

from juggle_anim.errors import ViewerError


def settings_folder() -> Path:
    """Where the settings of this user are.

    Raises:
        ViewerError: nobody knows where the user is at home.
    """
    from platformdirs import user_config_path

    try:
        folder = user_config_path("juggle-anim", appauthor=False)
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # as of a ~ that stands for nothing
        raise ViewerError("nothing is remembered: there is no home folder; set HOME or XDG_CONFIG_HOME")
    return folder
