"""Strategies for what a camera frames, and from where."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

POINTS = arrays.arrays(
    float, st.tuples(st.integers(1, 12), st.just(3)), elements=st.floats(-8, 8, width=32)
)
ASPECTS = st.floats(0.3, 4.0)
AZIMUTHS, ELEVATIONS = st.floats(-np.pi, np.pi), st.floats(-1.3, 1.3)
VIEWS = st.floats(np.radians(10), np.radians(90))
RADII = st.floats(0.05, 0.5)
