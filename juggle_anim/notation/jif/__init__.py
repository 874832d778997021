"""JIF, the juggling interchange format: files read and written."""

from juggle_anim.notation.jif.read import read_jif
from juggle_anim.notation.jif.write import write_jif

__all__ = ["read_jif", "write_jif"]
