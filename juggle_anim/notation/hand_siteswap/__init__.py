"""Hand siteswap: the throws of the objects and the turns of the hands, written apart."""

from juggle_anim.notation.hand_siteswap.read import read_hand_siteswap

__all__ = ["read_hand_siteswap"]
