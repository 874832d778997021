"""Files: an animation written down."""

from juggle_anim.export.export import export

__all__ = ["export"]
