"""A server of animations: a page to type patterns into, and pictures by address, as Juggling Lab's
GIF server has.
"""

from juggle_anim.server.serve import serve

__all__ = ["serve"]
