"""How long and how high a text may go: a hostile one ends in a message, not in lost memory."""

MAX_LENGTH = 5_000
"""Characters in a pattern."""

MAX_VALUE = 1_000
"""Beats of one throw."""

MAX_BEATS = 2_000
"""Beats of a pattern as written, repeats written out."""

MAX_THROWS = 10_000
"""Throws of a pattern as written, repeats written out."""

MAX_PROPS = 5_000
"""Props in the air and in the hands."""

MAX_NESTING = 20
"""Brackets within brackets."""

MAX_JUGGLERS = 1_000
"""Sides of a passing pattern."""

MAX_BOUNCES = 20
"""Bounces of one throw."""
