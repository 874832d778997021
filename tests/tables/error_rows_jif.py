"""What JIF is refused with: the way to the place, the reason, and what would be accepted."""

from __future__ import annotations

import json
from typing import Any

from error_rows_jml import FileRow
from jif_documents import cascade, throw


def _row(document: Any, message: str) -> FileRow:
    return FileRow(json.dumps(document), message)


def _ours(**members: Any) -> dict[str, Any]:
    return cascade(juggleAnim=members)


_SLOW = [
    1,
    0,
    3,
    4,
    2,
    *range(6, 10),
    5,
    *range(11, 17),
    10,
    *range(18, 28),
    17,
    *range(29, 41),
    28,
]
"""Cycles of 2, 3, 5, 7, 11 and 13 limbs."""

JIF = [
    # JSON.
    FileRow("", "line 1: this is not JSON: expecting value, but it ends"),
    FileRow('{"throws":\n[3 4]}', "line 2: this is not JSON: expecting ',' delimiter, not '4'"),
    FileRow('{"throws": "\t"}', "line 1: this is not JSON: invalid control character"),
    FileRow("[" * 100_000, "brackets are nested too deeply; a JIF document has about four levels"),
    FileRow("3" * 3_000_001, "the text has 3000001 characters; the limit is 3000000"),
    FileRow("[]", 'this is not an object; a JIF document is an object, such as {"throws": […]}'),
    FileRow('{"throws":[],"throws":[]}', "throws: is given twice; give each member once"),
    # Kinds of values.
    _row({}, "throws: is missing; a list of throws"),
    _row({"throws": 3}, "throws: 3 is not a list; write a list as […]"),
    _row({"throws": [3]}, "throws[0]: 3 is not an object; write an object as {…}"),
    _row({"throws": [{"from": 0}]}, "throws[0].to: is missing; a limb number"),
    _row(
        {"throws": [throw(0, 3, 0, 1), {"from": 0, "to": 0}]},
        "throws[1].time: is missing; a number of beats",
    ),
    _row({"throws": [{}] * 10_001}, "throws: this has 10001; the limit is 10000"),
    _row(
        cascade(throws=[throw(0, True, 0, 1)]),
        "throws[0].duration: true is not a number; a number from 0 to 100000",
    ),
    _row(
        cascade(throws=[throw(-1, 3, 0, 1)]),
        "throws[0].time: -1 is out of range; a number from 0 to 100000",
    ),
    _row(
        cascade(throws=[throw(0, 10**30, 0, 1)]),
        "throws[0].duration: such a large number is out of range; a number",
    ),
    _row(
        cascade(throws=[throw(0, 3, 0.5, 1)]),
        "throws[0].from: 0.5 is not a whole number; a number from 0 to 1999",
    ),
    _row(cascade(meta={"name": 3}), 'meta.name: 3 is not text; write text as "…"'),
    _row(_ours(jml=[]), 'juggleAnim.jml: […] is not text; write text as "…"'),
    # Jugglers and limbs.
    _row(
        cascade(throws=[throw(0, 3, 0, 5)], limbs=[{}, {}]),
        "throws[0].to: there is no limb 5; a number from 0 to 1",
    ),
    _row(
        cascade(limbs=[{"type": "left foot"}, {}]),
        'limbs[0].type: the limb "left foot" is not supported; a limb',
    ),
    _row(
        cascade(limbs=[{"type": "left"}] * 2),
        "limbs[1]: juggler 0 already has a left hand; each juggler has a",
    ),
    _row(
        cascade(limbs=[{"juggler": -1}, {}]),
        "limbs[0].juggler: -1 is out of range; a number from 0 to 999",
    ),
    _row(
        cascade(jugglers=[{"position": [1]}]),
        "jugglers[0].position: this has 1; two numbers, x and z, or three",
    ),
    _row(
        cascade(jugglers=[{"position": [1, 2, "up"]}]),
        'jugglers[0].position[2]: "up" is not a number; a number from',
    ),
    # Props.
    _row(
        cascade(props=[{"color": "ornge"}]),
        'props[0].color: "ornge" is not a colour; did you mean orange?',
    ),
    _row(
        cascade(props=[{"color": "qqq"}]),
        'props[0].color: "qqq" is not a colour; a CSS colour name such as orange, or #ff8c00',
    ),
    _row(
        cascade(props=[{}], throws=[throw(0, 3, 0, 1, prop=1)]),
        "throws[0].prop: there is no prop 1; a number from",
    ),
    _row(
        cascade(props=[{}], throws=[throw(0, 3, 0, 1, prop="a")]),
        'throws[0].prop: "a" is not a prop; a number from 0 to 0',
    ),
    _row(
        cascade(repetition={"period": 1, "limbPermutation": [1, 0], "propPermutation": [0, 0]}),
        "repetition.propPe",
    ),
    _row(
        {"throws": [throw(0, 1, 0, 0, prop=0), throw(0, 1, 1, 1, prop=0)], "period": 1},
        "throws[1]: prop 0 is in two places at",
    ),
    _row(
        {
            "throws": [throw(time, 3, time % 2, 1 - time % 2, prop=time % 3) for time in range(4)],
            "repetition": {"period": 4, "propPermutation": [0, 1, 2]},
        },
        "throws[0].prop: prop 1 is caught for this throw; throw the same prop, or",
    ),
    # Throws.
    _row(
        cascade(throws=[throw(0, 1001, 0, 1)]),
        "throws[0]: this lasts 1001 beats; the limit is 1000",
    ),
    _row(cascade(throws=[throw(0, 4, 0, 1)]), "throws[0]: the 4 thrown on beat 1 lands"),
    _row(cascade(throws=[throw(0.5, 4, 0, 1)]), "throws[0]: the 8 thrown on beat 2 lands"),
    _row(
        cascade(throws=[throw(1 / 97, 3, 0, 1)], timeStretchFactor=12),
        "its beats have 1164 parts; times and a tim",
    ),
    _row(
        cascade(throws=[throw(0.5, 3, 0, 1)], repetition={"period": 99_999}),
        "its loop has 199998 parts of beats;",
    ),
    _row(
        {"throws": [throw(0, 1_000, 0, 0)] * 6, "period": 1},
        "this needs 6000 props; the limit is 5000",
    ),
    _row(
        {"throws": [], "repetition": {"period": 1, "limbPermutation": [0]}},
        "repetition.limbPermutation[0]: there is no limb 0; no limb, since there are none",
    ),
    _row(
        {"throws": [throw(0, 5, 0, 1), throw(1, 4, 1, 1)]},
        "repetition.period: is missing; number of beats before everything repeats",
    ),
    _row(
        {"jugglers": [{"becomes": 1}, {}], "throws": [throw(0, 3, 0, 1)]},
        "jugglers[0].becomes: another juggler also becomes juggler 1; each juggler once",
    ),
    _row(
        {
            "jugglers": [{"becomes": 1}, {"becomes": 0}],
            "limbs": [{}, {}, {}],
            "throws": [throw(0, 3, 0, 1)],
        },
        "jugglers swap with others who have different limbs; two hands for each juggler",
    ),
    _row(
        cascade(repetition={"period": 0}),
        "repetition.period: 0 is out of range; a number from 1e-05 to 100000",
    ),
    _row(
        cascade(repetition={"period": 2}, period=3),
        "period: differs from repetition.period; write only one of them",
    ),
    _row(
        cascade(repetition={"period": 1, "limbPermutation": [0, 0]}),
        "repetition.limbPermutation: this does not name each limb once; the 2 numbers from 0 "
        "to 1 in any order",
    ),
    _row(
        cascade(timeStretchFactor=0),
        "timeStretchFactor: 0 is out of range; a number from 0.001 to 1000",
    ),
    _row(
        cascade(throws=[throw(0, 3, 0, 1, juggleAnim={"bounces": 1, "bounceStyle": "up"})]),
        "throws[0].juggleAnim.bounceStyle: unknown bounce style; one of",
    ),
    _row(
        cascade(throws=[throw(0, 3, 0, 1, juggleAnim={"held": 1})]),
        "throws[0].juggleAnim.held: 1 is not true or false; true or false",
    ),
    _row(
        cascade(
            limbs=[{"juggler": limb // 2} for limb in range(41)],
            repetition={"period": 1, "limbPermutation": _SLOW},
        ),
        "repetition.limbPermutation: the limbs take too long to return to their places; "
        "within 10000 repetitions of these",
    ),
    # What other programs do not write.
    _row(
        _ours(parameters={"bps": 1_000}),
        "juggleAnim.parameters.bps: 1000 is out of range; a number from 0.05 to 2",
    ),
    _row(
        _ours(parameters={"bsp": 1}),
        "juggleAnim.parameters: there is no parameter 'bsp': did you mean bps?; the n",
    ),
    _row(
        _ours(staging={"body": "(x)."}),
        "juggleAnim.staging: x is not a number; a point is (angle,x,y,z)",
    ),
    _row(
        _ours(empty=[[0, 0]]),
        "juggleAnim.empty[0]: this has 2; three numbers: a beat, a juggler and a hand",
    ),
    _row(
        _ours(jml="<jml><patternlist/></jml>"),
        "juggleAnim.jml: has no events; a JML document with one pattern",
    ),
    _row(_ours(jml="<x/>"), "juggleAnim.jml:1: this is not JML: it begins with <x>"),
]
