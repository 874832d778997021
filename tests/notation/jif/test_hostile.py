"""Whatever a file holds, it is read or refused with one clear line."""

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jif_documents import cascade, read, refusal, throw, write
from work import LITTLE, at_most

from juggle_anim.errors import FileError
from juggle_anim.notation import read_settings
from juggle_anim.notation.jif import read_jif

WRONG: list[tuple[dict[str, Any] | str, str]] = [
    ("", "line 1: this is not JSON: expecting value, but it ends"),
    ('{"throws": [}', "line 1: this is not JSON: expecting value, not '}'"),
    ('{"throws":\n[3 4]}', "line 2: this is not JSON: expecting ',' delimiter, not '4'"),
    ("[]", "this is not an object; a JIF document is an object, such as"),
    ("{}", "throws: is missing; a list of throws"),
    ({"throws": 3}, "throws: 3 is not a list; write a list as […]"),
    ({"throws": [3]}, "throws[0]: 3 is not an object; write an object as {…}"),
    (
        {"throws": [throw(0, 3, 0, 1), {"time": 1}]},
        "throws[1].duration: is missing; a number of beats",
    ),
    ({"throws": [{"from": 0}, {"time": 1}]}, "throws[0].time: is missing; a number of beats"),
    (
        {"jugglers": [{"becomes": 1}, {}], "throws": [throw(0, 3, 0, 1)]},
        "jugglers[0].becomes: another juggler also becomes juggler 1; each",
    ),
    (
        cascade(throws=[throw(0, 3, 0, 5)], limbs=[{}, {}]),
        "throws[0].to: there is no limb 5; a number from 0 to 1",
    ),
    (
        cascade(throws=[throw(-1, 3, 0, 1)]),
        "throws[0].time: -1 is out of range; a number from 0 to",
    ),
    (
        cascade(throws=[throw(0, True, 0, 1)]),
        "throws[0].duration: true is not a number; a number from 0 to",
    ),
    (cascade(throws=[throw(0, 3, 0.5, 1)]), "throws[0].from: 0.5 is not a whole number"),
    (
        '{"throws":[{"time":0,"duration":1e999,"from":0,"to":1}]}',
        "throws[0].duration: inf is out of range",
    ),
    (
        '{"throws":[{"time":NaN,"duration":3,"from":0,"to":1}]}',
        "throws[0].time: nan is out of range",
    ),
    (
        '{"throws":[{"time":0,"duration":3,"from":-Infinity,"to":1}]}',
        "throws[0].from: -inf is out of range",
    ),
    (
        cascade(throws=[throw(0, 1001, 0, 1)]),
        "throws[0]: this lasts 1001 beats; the limit is 1000",
    ),
    (cascade(throws=[throw(0, 4, 0, 1)]), "throws[0]: the 4 thrown on beat 1"),
    (
        {"throws": [throw(0, 5, 0, 1), throw(1, 4, 1, 1)]},
        "repetition.period: is missing; number of beats before everything",
    ),
    (cascade(repetition={"period": 0}), "repetition.period: 0 is out of range"),
    (
        cascade(repetition={"period": 2}, period=3),
        "period: differs from repetition.period; write only one of them",
    ),
    (
        cascade(repetition={"period": 1, "limbPermutation": [0, 0]}),
        "repetition.limbPermutation: this does not name each limb once; the 2",
    ),
    (
        cascade(limbs=[{"type": "left foot"}, {}]),
        'limbs[0].type: the limb "left foot" is not supported; a limb is',
    ),
    (
        cascade(limbs=[{"juggler": -1}, {}]),
        "limbs[0].juggler: -1 is out of range; a number from 0 to 999",
    ),
    (
        cascade(limbs=[{"type": "left"}] * 2),
        "limbs[1]: juggler 0 already has a left hand; each juggler has a right",
    ),
    (
        cascade(props=[{"color": "ornge"}]),
        'props[0].color: "ornge" is not a colour; did you mean orange?',
    ),
    (
        cascade(props=[{}], throws=[throw(0, 3, 0, 1, prop=1)]),
        "throws[0].prop: there is no prop 1; a number from 0 to 0",
    ),
    (
        cascade(timeStretchFactor=0),
        "timeStretchFactor: 0 is out of range; a number from 0.001 to 1000",
    ),
    (cascade(meta={"name": 3}), "meta.name: 3 is not text"),
    ('{"throws":[],"throws":[]}', "throws: is given twice; give each member once"),
    ('{"throws":[{"to":0,"to":1}]}', "throws[0].to: is given twice; give each member once"),
    (
        cascade(juggleAnim={"parameters": {"bps": 1000}}),
        "juggleAnim.parameters.bps: 1000 is out of range; a number from",
    ),
    (cascade(juggleAnim={"parameters": {"bsp": 1}}), "did you mean bps?"),
    (cascade(juggleAnim={"staging": {"body": "(x)."}}), "juggleAnim.staging: x is not a number"),
    (cascade(juggleAnim={"jml": "<x/>"}), "juggleAnim.jml"),
    (
        cascade(throws=[throw(0, 3, 0, 1, juggleAnim={"bounces": 1, "bounceStyle": "up"})]),
        "unknown bounce style; one of",
    ),
]


@pytest.mark.parametrize(("document", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_mistake_is_named_with_its_place_and_what_would_do(
    document: dict[str, Any] | str, words: str
) -> None:
    said = refusal(document)
    assert words in said
    assert "\n" not in said


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
