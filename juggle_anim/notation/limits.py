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

MAX_OPEN = 12
"""Throws left open with a `?`."""

MAX_OPEN_VALUE = 35
"""What a `?` may become: the throws that one character writes."""

MAX_STEPS = 400_000
"""Choices tried to complete a pattern, for a fraction of a second. As many single throws as may be open take 50,000."""
