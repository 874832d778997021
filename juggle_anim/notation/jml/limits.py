"""How large a JML file may be: a hostile one ends in a message, not in lost memory."""

MAX_CHARACTERS = 10_000_000
"""Of a file; the largest that people share hold a fiftieth of it."""

MAX_DEPTH = 12
"""Elements within elements; JML needs six."""

MAX_ELEMENTS = 60_000
"""Of a file."""

MAX_NUMBER = 1e7
"""Of a time, a place or an angle, in the units of the file."""

MIN_DELAY = 1e-4
"""The shortest loop, [s]."""

MAX_EVENTS = 20_000
"""Of one loop, all symmetries applied; also places of bodies."""

MAX_ATTRIBUTE = 100_000
"""Characters of a permutation, or of a mod."""

MAX_WORK = 4_000_000
"""Paths × events that the symmetries of a pattern make."""

MAX_STEPS = 10_000
"""Parts into which symmetries divide a loop."""

MAX_ORDER = 12
"""Parts into which a symmetry that is looked for divides a loop."""

MAX_PERMUTATIONS = 200
"""Permutations of jugglers tried for one kind of symmetry."""

MAX_PLACES_MOVED = 12
"""By how many places all jugglers move in those that are tried."""

MAX_FREE_JUGGLERS = 5
"""Of up to so many jugglers each may become any other in those that are tried."""
