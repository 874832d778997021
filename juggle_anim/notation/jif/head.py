"""The head of a document: what is juggled, and by whom."""

from __future__ import annotations

from typing import Any

from juggle_anim.choreography import BodyMoves, Score
from juggle_anim.notation.jif.limbs import juggler_name, write_limbs
from juggle_anim.notation.jif.places import write_places


def write_head(score: Score, body: BodyMoves | None) -> dict[str, Any]:
    """The members `meta`, which is left out where nothing is said, `jugglers` and `limbs`.

    Args:
        score: its title, description and number of jugglers are written.
        body: where jugglers stand; None where nobody chose a place.
    """
    meta = {key: text for key, text in {"name": score.title, "description": score.about}.items() if text}
    places = enumerate(write_places(body, score.jugglers))
    return {
        **({"meta": meta} if meta else {}),
        "jugglers": [{"name": juggler_name(juggler), **place} for juggler, place in places],
        "limbs": write_limbs(score.jugglers),
    }
