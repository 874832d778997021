"""Whatever a file holds, it is read or refused with one clear line."""

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jif_documents import cascade, read, throw, write
from work import LITTLE, at_most

from juggle_anim.errors import FileError
from juggle_anim.notation import read_settings
from juggle_anim.notation.jif import read_jif

HOSTILE = {
    "deep lists": "[" * 100_000,
    "deep objects": '{"throws":' * 20_000,
    "many throws": '{"throws":[' + ",".join(['{"time":0,"duration":3,"from":0,"to":1}'] * 100_000) + "]}",
    "many small throws": '{"throws":[' + ",".join(["{}"] * 90_000) + "]}",
    "a long number": '{"throws":[],"period":' + "9" * 100_000 + "}",
    "quotes": "{" + '"\\"' * 70_000,
    "comments": "{/*" * 70_000,
    "commas": "[{" + "," * 200_000,
    "a slow permutation": json.dumps(
        {
            "throws": [],
            "limbs": [{"juggler": limb // 2} for limb in range(41)],
            "repetition": {"period": 1, "limbPermutation": [1, 0, 3, 4, 2, *range(6, 10), 5,
                *range(11, 17), 10]
                           + [*range(18, 28), 17, *range(29, 41), 28]},
        }
    ),
    "many props": '{"throws":[' + ",".join(['{"time":0,"duration":1000,"from":0,"to":0}'] * 2_000) + '],"period":1}',
    "many multiplexes": json.dumps(
        {"throws": [throw(time, 1000, 0, 0) for time in range(500)] * 4,
            "repetition": {"period": 500}}
    ),
    "one long flight": json.dumps(
        {"throws": [throw(0, 1000, 0, 0), *[throw(0, 1, 0, 0)] * 1000], "repetition": {"period": 1}}
    ),
}  # fmt: skip


_USUAL = json.dumps(
    {"throws": [throw(time, 3, 0, 0) for time in range(40)], "repetition": {"period": 40}}
)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_dealt_with_at_once(kind: str) -> None:
    read_jif(_USUAL, "some.jif")  # what is imported and made at first use does not count
    with at_most(2 * LITTLE), contextlib.suppress(FileError):
        read_jif(HOSTILE[kind], "some.jif")


GOOD = [
    cascade(
        props=[{"color": "red", "type": "club"}] * 3,
        jugglers=[{"position": [1, 0, 2], "lookAt": [0, 0, 0]}],
    ),
    write(read_settings("pattern=<3p|3p>;body=(90,-100).(80).|(270,100).;colors=orbits")),
    write(read_settings("pattern=[3 4B]2T3;hands=(10)(32.5).;bps=3")),
    {
        "throws": [throw(time / 2, 3, 0, 0, prop=0) for time in range(2)],
        "repetition": {"period": 1},
    },
]


def ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all members of a document."""
    members = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    return [way, *(found for key, member in members for found in ways(member, (*way, key)))]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([0, 1, 2, 0.5]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(st.data())
def test_a_document_with_anything_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    document = copy.deepcopy(data.draw(st.sampled_from(GOOD)))
    way = data.draw(st.sampled_from(ways(document)[1:]))
    inner: Any = document
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = data.draw(json_values)
    try:
        settings = read(json.dumps(document))
    except FileError:
        return
    assert read(write(settings)) == settings


@given(
    st.sampled_from(GOOD),
    st.integers(0, 500),
    st.integers(0, 3),
    st.text('{}[]",:/*9e.-\\ ', max_size=2),
)
def test_a_document_with_a_few_characters_changed_is_read_or_refused(
    document: dict[str, Any], at: int, removed: int, added: str
) -> None:
    text = json.dumps(document)
    with contextlib.suppress(FileError):
        read_jif(text[:at] + added + text[at + removed :])
