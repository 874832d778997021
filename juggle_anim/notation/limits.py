"""Limits of what is read: a hostile text or file ends in an error message, not in lost memory.

First those of notation, then those of JML files, then those of JIF files.
"""

from __future__ import annotations

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

MAX_WILDCARDS = 12
"""Throws left open with a `?`."""

MAX_WILDCARD_VALUE = 35
"""What a `?` may become: the throws that one character writes."""

MAX_COMPLETION_STEPS = 400_000
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

MAX_JML_CHARACTERS = 10_000_000
"""Of a file; the largest that people share hold a fiftieth of it."""

MAX_XML_DEPTH = 12
"""Elements within elements; JML needs six."""

MAX_XML_ELEMENTS = 60_000
"""Of a file."""

MAX_JML_NUMBER = 1e7
"""Of a time, a place or an angle, in the units of the file."""

MIN_DELAY = 1e-4
"""The shortest loop, [s]."""

MAX_JML_EVENTS = 20_000
"""Of one loop, all symmetries applied; also places of bodies."""

MAX_JML_ATTRIBUTE = 100_000
"""Characters of a permutation, or of a mod."""

MAX_SYMMETRY_WORK = 4_000_000
"""Paths × events that the symmetries of a pattern make."""

MAX_SYMMETRY_STEPS = 10_000
"""Parts into which symmetries divide a loop."""

MAX_SYMMETRY_ORDER = 12
"""Parts into which a symmetry that is looked for divides a loop."""

MAX_PERMUTATIONS = 200
"""Permutations of jugglers tried for one kind of symmetry."""

MAX_PLACES_MOVED = 12
"""By how many places all jugglers move in those that are tried."""

MAX_FREE_JUGGLERS = 5
"""Of up to so many jugglers each may become any other in those that are tried."""

MAX_JIF_CHARACTERS = 3_000_000
"""Characters; ten thousand throws written out take half of it."""

MAX_PERIOD = 100_000
"""Beats of the loop, or parts of beats where throws are made between them."""

MAX_STRETCH = 1_000
"""How much faster or slower the beats of a file may go than a juggler's."""

MAX_JIF_DISTANCE = 990.0
"""From the middle to a juggler, or to what one looks at, [m]."""

MAX_TAGS = 1_000
"""Tags of a score."""
