"""The heading of a diagram: what is juggled, in two lines."""

from __future__ import annotations

from juggle_anim.choreography import Choreography, Score
from juggle_anim.printable import printable

_LONGEST = 70


def heading(score: Score, choreography: Choreography) -> tuple[str, str]:
    """Title and subtitle."""
    jugglers = f"{choreography.jugglers} jugglers  ·  " if choreography.jugglers > 1 else ""
    props = f"{choreography.props} prop{'s' * (choreography.props != 1)}"
    tempo = f"  ·  {choreography.bps:.2g} beats a second" if score.pattern else ""
    text = score.pattern.text if score.pattern and score.pattern.text != score.name else ""
    siteswap = f"{printable(text, _LONGEST)}  ·  " if text else ""
    return printable(
        score.name, _LONGEST
    ), f"{siteswap}{jugglers}{props}{tempo}  ·  a loop of {choreography.duration:.2f} s"
