"""Routines: patterns one after another, joined by legal throws."""

from juggle_anim.routine.routine import Part, Routine

__all__ = ["Part", "Routine"]
