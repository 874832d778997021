"""Array types of the stages."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Complexes = NDArray[np.complex128]
    Integers = NDArray[np.intp]
    Booleans = NDArray[np.bool_]
    Bytes = NDArray[np.uint8]
    Shorts = NDArray[np.int16]
    Words = NDArray[np.uint16]
    Pixels = NDArray[np.uint8] | NDArray[np.uint16]
else:
    # Only type checkers need them: what makes no arrays runs without numpy.
    Floats = Singles = Complexes = Integers = Booleans = Bytes = Shorts = Words = Pixels = Any

Rule = float | tuple[float, ...] | Floats | Integers
"""A number or several by which a body is posed."""

Size = tuple[int, int]
"""Width and height of a picture, [pixels]."""
