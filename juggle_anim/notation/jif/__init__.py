"""JIF, the juggling interchange format: files read and written."""

from juggle_anim.notation.jif.scores import read_jif, write_jif

__all__ = ["read_jif", "write_jif"]
