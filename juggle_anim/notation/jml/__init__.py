"""JML, the files of Juggling Lab: read and written."""

from juggle_anim.notation.jml.read import read_jml
from juggle_anim.notation.jml.write import write_jml

__all__ = ["read_jml", "write_jml"]
