"""Footage: a film of a person juggling, shown with the animation and marked to copy its tempo."""
