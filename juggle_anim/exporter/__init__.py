"""Files: an animation written down."""

from juggle_anim.exporter.export import export
from juggle_anim.exporter.png import encode_png

__all__ = ["encode_png", "export"]
