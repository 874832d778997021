"""How far a JIF file may go."""

MAX_CHARACTERS = 3_000_000
"""Characters; ten thousand throws written out take half of it."""

MAX_PERIOD = 100_000
"""Beats of the loop, or parts of beats where throws are made between them."""

MAX_STRETCH = 1_000
"""How much faster or slower the beats of a file may go than a juggler's."""

MAX_METRES = 990.0
"""From the middle to a juggler, or to what one looks at, [m]."""

MAX_TAGS = 1_000
"""Tags of a score."""
