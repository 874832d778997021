"""Prints: diagrams, state graphs, line drawings, contact sheets, multi-exposures and posters,
written as SVG, PDF and PNG.
"""

from juggle_anim.prints.prints import (
    PRINTS,
    PrintOptions,
    print_causal,
    print_ladder,
    print_lines,
    print_picture,
    print_poster,
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
    "print_poster",
    "print_sheet",
    "print_states",
    "print_strobe",
    "print_variations",
]
