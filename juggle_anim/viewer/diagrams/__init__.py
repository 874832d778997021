"""Diagrams beside the picture: ladders, causal diagrams and state graphs, drawn in the
background.
"""
