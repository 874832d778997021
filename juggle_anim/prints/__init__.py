"""Prints: pictures to print and read, as files."""

from juggle_anim.prints.printing import print_causal, print_ladder
from juggle_anim.prints.prints import PRINTS, print_lines, print_picture, print_sheet
from juggle_anim.prints.strobe import print_strobe

__all__ = ["PRINTS", "print_causal", "print_ladder", "print_lines", "print_picture", "print_sheet", "print_strobe"]
