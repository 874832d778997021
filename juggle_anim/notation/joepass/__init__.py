"""JoePass! files: reading and writing."""

from juggle_anim.notation.joepass.read import read_joepass
from juggle_anim.notation.joepass.write import write_joepass

__all__ = ["read_joepass", "write_joepass"]
