"""Diagrams beside the picture: ladders, causal diagrams and state graphs."""
