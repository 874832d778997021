"""The description of the figure, and how `scripts/build_figure.py` turns it into triangles."""
