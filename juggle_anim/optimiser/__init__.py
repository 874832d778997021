"""The optimiser: other places of throws and catches, so that props pass each other with more
room.
"""

from juggle_anim.optimiser.optimise import Optimised, Room, optimise, optimise_like_juggling_lab

__all__ = ["Optimised", "Room", "optimise", "optimise_like_juggling_lab"]
