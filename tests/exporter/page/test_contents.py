import base64

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.exporter.page.page import looks, packed
from juggle_anim.scene.people import people_girths, people_paint, people_worn
from juggle_anim.scene.skin import COVERS, PARTS, worn_number

TABLES = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 20), st.integers(1, 5)),
    elements=st.floats(-1e3, 1e3, width=32),
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


def test_a_page_tells_who_wears_what() -> None:
    given = ja.animate("<3|3|3>", people="4,3,4", figure="person")
    told, worn = looks(given), people_paint("4,3,4", 3)
    assert told["people"] == [1, 0, 1]
    assert [worn_number(*(PARTS[part] for part in told["skin"]["worn"][person]))
        for person in told["people"]] == people_worn("4,3,4", 3).tolist()  # fmt: skip
    for key, ours in (("paint", worn), ("girths", people_girths("4,3,4", 3))):
        np.testing.assert_allclose(
            [told["skin"][key][person] for person in told["people"]], ours, atol=1e-4
        )
    shirt = [told["limbs"][0]["paint"][person][:3] for person in told["people"]]
    np.testing.assert_allclose(shirt, worn[:, COVERS.index("shirt"), :3], atol=1e-6)
