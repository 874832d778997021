"""Prints: diagrams, state graphs, line drawings, contact sheets and multi-exposures, written as
SVG, PDF and PNG.
"""

from juggle_anim.prints.prints import (
    PRINTS,
    PrintOptions,
    print_causal,
    print_ladder,
    print_lines,
    print_picture,
    print_sheet,
    print_states,
    print_strobe,
    print_variations,
)

__all__ = [
    "PRINTS",
    "PrintOptions",
    "print_causal",
    "print_ladder",
    "print_lines",
    "print_picture",
    "print_sheet",
    "print_states",
    "print_strobe",
    "print_variations",
]
