"""The pictures of diagrams.md, states.md, transitions.md and editing.md, from the program
itself.
"""

from __future__ import annotations

from pathlib import Path

from juggle_anim.animation import animate
from juggle_anim.api import draw_states
from juggle_anim.prints import (
    print_causal,
    print_ladder,
    print_lines,
    print_poster,
    print_sheet,
    print_strobe,
)

IMAGES = Path(__file__).parent / "images"


def all_pictures() -> None:
    """Make every one of them."""
    IMAGES.mkdir(exist_ok=True)
    print_ladder(animate("531"), IMAGES / "ladder_531.svg", force=True)
    print_ladder(
        animate("531").edit().swap_landings(0, 1), IMAGES / "ladder_edited.svg", force=True
    )
    print_ladder(animate("[34]23"), IMAGES / "ladder_multiplex.svg", force=True)
    print_ladder(animate("<3p 3|3p 3>"), IMAGES / "ladder_passing.svg", force=True)
    print_ladder(animate("(3^2)4(51^2)2"), IMAGES / "ladder_transition.svg", force=True)
    print_causal(animate("531"), IMAGES / "causal_531.svg", force=True)
    print_causal(animate("<3p 3|3p 3>"), IMAGES / "causal_passing.svg", force=True)
    print_lines(
        animate("pattern=5;prop=club"), IMAGES / "lines.png", time=0.3, size=(480, 480), force=True
    )
    print_sheet(animate("531"), IMAGES / "sheet.png", frames=8, size=(960, 500), force=True)
    draw_states(3, 5, IMAGES / "states_3_5.svg", force=True)
    draw_states(3, 5, IMAGES / "states_531.svg", pattern="531", force=True)
    draw_states(3, 5, IMAGES / "states_simplified.svg", simplified=True, force=True)
    draw_states(4, 6, IMAGES / "states_pairs.svg", sync=True, force=True)
    draw_states(3, 6, IMAGES / "states_3_6.svg", force=True)
    draw_states(5, 10, IMAGES / "states_rings.png", size=(420, 420), force=True)
    print_poster(
        animate("mills mess"),
        IMAGES / "poster.png",
        layout="landscape",
        size=(840, 594),
        force=True,
    )
    first, *others = map(animate, ("3", "51", "441", "531", "mills mess", "423", "box", "shower"))
    print_poster(
        first,
        IMAGES / "poster_of_several.png",
        layout="landscape",
        size=(840, 594),
        others=others,
        force=True,
    )
    print_strobe(animate("531"), IMAGES / "strobe.png", size=(640, 480), force=True)


if __name__ == "__main__":
    all_pictures()
