"""Hand siteswap: one siteswap for the objects, another for the hands that throw them."""

from juggle_anim.notation.hand_siteswap.read import read_hand_siteswap

__all__ = ["read_hand_siteswap"]
