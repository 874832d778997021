"""Prechac notation: passing patterns read and written."""

from juggle_anim.notation.prechac.read import is_prechac, may_be_prechac, read_prechac

__all__ = ["is_prechac", "may_be_prechac", "read_prechac"]
