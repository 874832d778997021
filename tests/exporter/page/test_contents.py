import base64

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from juggle_anim.arrays import Floats
from juggle_anim.exporter.page.page_data import packed

TABLES = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 20), st.integers(1, 5)), elements=st.floats(-1e3, 1e3, width=32)
)


@given(TABLES)
def test_every_number_comes_back_as_exactly_as_its_column_allows(table: Floats) -> None:
    told = packed(table)
    columns = np.frombuffer(base64.b64decode(told["data"]), "<u2").reshape(-1, told["rows"])
    step, low = np.array(told["step"]), np.array(told["low"])
    found = np.tile(low, (told["rows"], 1))
    found[:, step > 0] += columns.T * step[step > 0]
    bound = np.ptp(table, axis=0) / 131_070 + 1e-9
    assert (np.abs(found - table) <= bound * 1.001).all()


def test_a_column_that_never_changes_takes_no_room() -> None:
    told = packed(np.array([[1.0, 2.0], [1.0, 3.0]]))
    assert told["step"][0] == 0.0
    assert len(base64.b64decode(told["data"])) == 4
