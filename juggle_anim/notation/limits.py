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

MAX_FILE_SIZE = 10_000_000
"""Bytes of a file of patterns; the largest that people share hold a fiftieth of it."""

MAX_LINES = 20_000
"""Lines of a plain text list."""

MAX_LIST_WORK = 3_000_000
"""Of reading a list, in about microseconds: half a million throws, or ten times the longest list that people share."""

MAX_LINE_LENGTH = 250_000
"""Characters in a line of a plain text list: the longest settings, and words beside them."""

MAX_LOOP = 10_000
"""Beats after which the objects and the hands of a hand siteswap begin together again."""

MAX_LOOP_THROWS = 20_000
"""Throws until then."""

MAX_HANDSPEC = 20_000
"""Characters that say whose hands the hands of a hand siteswap are."""

MAX_SETTINGS_LENGTH = 200_000
"""Characters in a settings string."""

MAX_MOVES = 20_000
"""Points, dots and signs in the moves of hands or bodies, repeats written out."""

MAX_DISTANCE = 100_000.0
"""Of a hand or a body, [cm], and its turn, [degrees]."""

MAX_CATCHES = 100
"""Catches of a hand that are listed, until they begin again."""

MAX_COLOURS = 10_000
"""Colours of props, repeats written out."""

MAX_DIVISION = 100
"""Parts of a beat, where jugglers throw between each other's beats."""

MAX_DECIMALS = 6
"""Digits after the point of a pass."""

MAX_WRITTEN_DIGITS = 2
"""Digits before the point of a throw in prechac notation; so `333`, where spaces were forgotten, is found."""

MAX_INFERRED_JUGGLERS = 7
"""Up to how many jugglers are tried where a text does not say how many there are."""

MAX_MATCHING_STEPS = 100_000
"""Places looked at to find out who passes to whom, for a fraction of a second."""
