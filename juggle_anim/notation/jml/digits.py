"""How many digits after the point JML is written with: as many as matter."""

TIME_DIGITS = 7
"""Of a second: a tenth of a microsecond."""

LOOP_DIGITS = 9
"""Of a second; a long flight goes through many loops, so their duration is written more exactly."""

PLACE_DIGITS = 5
"""Of a centimetre: a tenth of a micrometre."""

ANGLE_DIGITS = 7
"""Of a degree: at arm's length a thousandth of a micrometre."""
