"""Inputs to fuzz the readers with: random ones, and valid ones with random edits, a kind for each
notation.
"""

from __future__ import annotations

import csv
import gzip
import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from juggling_lab import LAYOUTS
from paths import DATA
from small_exports import small_exports

import juggle_anim as ja
from juggle_anim.notation.library import library

SIGNS = "0123456789abpxzABFHLRTX[](){},*!^/×<|>.?;=-#: \t\n²é\0"
"""What siteswaps and settings are made of, and a few that mean nothing in them."""

_LONGEST_EXPORT = 1_000_000
_BINARY_NUMBERS = (
    b"\0" * 4,
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\0\0\0\1",
    b"\1\0\0\0",
    b"[{[{",
)

WORDS = (
    *(
        "nan",
        "inf",
        "-inf",
        "1e999",
        "-1",
        "1e-320",
        "99999999999999999999",
        "{99999999999999999999}",
        "^999999999)",
    ),
    *(
        "(" * 30,
        "[" * 30,
        "<" * 30,
        "(((" * 400,
        "[3]" * 200,
        "?" * 9,
        "(3?)",
        "3.5p",
        "for 9 jugglers",
        "fed by",
    ),
    *(
        "pattern=",
        ";bps=",
        ";hands=",
        ";body=",
        ";hss=",
        ";handspec=",
        ";colors=",
        ";dwell=",
        ";prop=",
        ";jugglers=",
    ),
    *(
        "mills mess",
        "\r\n",
        "<!--",
        "]]>",
        "&lt;",
        "&a;",
        "<event/>",
        "</pattern>",
        "<line>",
        '"time":',
        "[]",
        "null",
    ),
    *(
        "1:left",
        "path=",
        'x="nan"',
        't="1e9"',
        "bounce",
        "g=0",
        "true",
        "{}",
        "NaN",
        "\ufeff",
        "\u0661",
        "#3",
        "*|",
    ),
)
"""What is most likely to hurt, put in anywhere."""


def changed(rng: Random, text: str, other: str, signs: str = SIGNS) -> str:
    """A text after one to five edits, some of them with a part of the other."""
    for _ in range(1 + int(rng.random() ** 3 * 5)):
        text = rng.choice(_EDITS)(rng, text, other, signs)[:20_000]
    return text


def random_text(rng: Random, signs: str = SIGNS, longest: int = 40) -> str:
    """Some signs in a row; now and then any characters at all."""
    length = int(rng.random() ** 2 * longest)
    if rng.random() < 0.1:
        return "".join(
            chr(rng.choice((rng.randrange(128), rng.randrange(0xD800), 0x1F600)))
            for _ in range(length)
        )
    return "".join(rng.choices(signs, k=length))


def siteswap(rng: Random) -> str:
    return _mostly_changed(rng, siteswaps())


def prechac(rng: Random) -> str:
    return _mostly_changed(rng, prechac_texts(), "0123456789pxb.LR[](),*<|> ")


def settings(rng: Random) -> str:
    return _mostly_changed(rng, settings_texts())


def hand_siteswap(rng: Random) -> str:
    """Settings of which some are those of a hand siteswap."""
    pattern, hss, handspec = (_mostly_changed(rng, texts) for texts in hand_siteswap_texts())
    others = rng.choice(("", ";hold=true", ";dwellmax=false;hold=yes", f";handspec={handspec}"))
    return f"pattern={pattern};hss={hss}{others}"


def staging(rng: Random) -> str:
    """A pattern, mostly a valid one, whose hands, bodies, props, colours and numbers are
    anything.
    """
    keys = rng.sample(tuple(_STAGING), rng.randrange(1, 4))
    texts = {
        key: _mostly_changed(rng, _STAGING[key]) if key == keys[0] else rng.choice(_STAGING[key])
        for key in keys
    }
    pattern = rng.choice(_THROWN) if rng.random() < 0.5 else rng.choice(siteswaps())
    return ";".join((f"pattern={pattern}", *(f"{key}={text}" for key, text in texts.items())))


def name(rng: Random) -> str:
    """A name of the library, mistyped, or one with a number as of a file."""
    text = _mostly_changed(rng, names(), SIGNS + "äß  '")
    return (
        text
        if rng.random() < 0.8
        else f"{text}.{rng.choice(('jml', 'txt', 'jif'))}#{random_text(rng, longest=5)}"
    )


def jml(rng: Random) -> str:
    old = (DATA / "jml_1_0.jml").read_text()
    return _mostly_changed(rng, (*jml_texts(), old), "<>/=\"' &;!-?abexyt0123456789.\n*(),:")


def jif(rng: Random) -> str:
    if rng.random() < 0.4:
        document = json.loads(rng.choice(jif_texts()))
        return json.dumps(_with_anything(rng, document))
    return _mostly_changed(rng, jif_texts(), '{}[]",:/*0123456789e.- \\tn')


def joepass(rng: Random) -> str:
    return _mostly_changed(rng, joepass_texts(), '0123456789ABpxrhb*%:()[]<>|{},.#!" -\n')


def text_list(rng: Random) -> str:
    makers = (siteswap, settings, name, prechac, random_text, list_line)
    lines = [rng.choice(makers)(rng) for _ in range(rng.randrange(1, 6))]
    heads = rng.choice(("", "# title: Mine\n", "# about: x\n# about: y\n", "\ufeff"))
    return heads + rng.choice(("\n", "\r\n", "\r")).join(
        f"{line}{rng.choice(_BESIDE)}" for line in lines
    )


def list_line(rng: Random) -> str:
    """A line of a list as others write them, often changed."""
    line = (
        rng.choice(_LIST_LINES)
        .replace("531", rng.choice(siteswaps()))
        .replace("Tower", rng.choice(names()))
    )
    return line if rng.random() < 0.5 else changed(rng, line, rng.choice(names()))


def jugglemaster(rng: Random) -> str:
    """Lines of a JuggleMaster list in any order, some of them changed."""
    lines = [rng.choice(_JUGGLEMASTER_LINES) for _ in range(rng.randrange(1, 12))]
    lines += [f"{siteswap(rng)}\t{random_text(rng, longest=8)}" for _ in range(rng.randrange(3))]
    rng.shuffle(lines)
    text = "\n".join(lines)
    return (
        text
        if rng.random() < 0.3
        else changed(rng, text, rng.choice(siteswaps()), "{}#%$/^@*;, -0123456789x\n")
    )


def screen_saver(rng: Random) -> str:
    """Patterns of JuggleSaver, or the table in the source of a screen saver, often changed."""
    lines = [
        rng.choice(_SAVER_LINES).replace("531", rng.choice(siteswaps()))
        for _ in range(rng.randrange(1, 8))
    ]
    text = "\n".join(lines)
    return (
        text
        if rng.random() < 0.4
        else changed(rng, text, rng.choice(_SAVER_LINES), '"{}[]@>()*/;,$bcr0123456789 \n')
    )


def file(rng: Random) -> bytes:
    """The bytes of a file: of a text in some encoding, with bytes changed, or of nothing
    sensible.
    """
    if rng.random() < 0.1:
        return rng.choice(_MAGIC) + rng.randbytes(rng.randrange(60))
    text = rng.choice((jml, jif, joepass, text_list, jml_document, jugglemaster, screen_saver))(rng)
    encoding = rng.choice(
        ("utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1", "utf-32", "shift_jis", "cp037")
    )
    data = bytearray(text.encode(encoding, errors="replace"))
    for _ in range(rng.choice((0, 0, 1, 3))):
        data[rng.randrange(len(data) + 1) :][:1] = rng.randbytes(1)
        data.insert(rng.randrange(len(data) + 1), rng.randrange(256))
    return bytes(data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data)


def exported(rng: Random) -> bytes:
    """An exported file of some kind with bytes changed, left out, repeated or taken from another,
    or cut off.

    Most changes are where readers look: at the beginning, at the end, and about the record.
    """
    content = bytearray(rng.choice(exports()))
    for _ in range(rng.choice((0, 1, 1, 2, 4, 8))):
        start = _place_in_export(rng, bytes(content))
        end = min(len(content), start + int(rng.random() ** 3 * 60) + 1)
        match rng.randrange(7):
            case 0:
                content[start:end] = rng.randbytes(end - start)
            case 1:
                del content[start:end]
            case 2:
                content[start:end] *= rng.choice((2, 20, 2_000))
            case 3:
                content[start : start + 4] = rng.choice(_BINARY_NUMBERS)
            case 4:
                content[start : start + 1] = bytes([content[start] ^ 1 << rng.randrange(8)])
            case 5:
                other = rng.choice(exports())
                content[start:] = other[_place_in_export(rng, other) :]
            case 6:
                del content[start + rng.randrange(len(content)) :]
        if not content:
            break
    return bytes(content[:_LONGEST_EXPORT])


def _place_in_export(rng: Random, content: bytes) -> int:
    last = len(content) - 1
    record = max(content.find(b"juggle-anim"), 0)
    near = rng.choice((0, record, max(last - 100, 0))) + rng.randrange(-40, 160)
    return min(max(near, 0), last) if rng.random() < 0.9 else rng.randrange(last + 1)


def jml_document(rng: Random) -> str:
    """A document that says how it is encoded."""
    encoding = rng.choice(("UTF-8", "ISO-8859-1", "UTF-16", "zip", "idna", "x" * 50))
    return (
        f'<?xml version="1.0" encoding="{encoding}"?>\n'
        + rng.choice(jml_texts()).partition("?>")[2]
    )


_SAVER_LINES = (
    *(
        '"Shower (Me)" 531;',
        '"A" 4b@(-2,1)>(1,1)2b3b@(-2,1)>(1,4)\n3c*2 3r/(1,2);',
        "$ 3 balls",
        "$ ------",
        "words",
    ),
    *(
        '{"[+3 x3 =3]", /* +3 */ "Mess"},',
        '{"[3 2 1]"},',
        '{"[0]", "None"},',
        "PatternText[] = {",
        '"3b@(1,0)>(2,0)",',
        "}",
    ),
)

_LIST_LINES = (
    *(
        "531 Tower",
        "Tower (531)",
        "- **531, 441** (easy)",
        "5|531 Tower",
        "Tower,531",
        "| siteswap | name |",
        "|---|---|",
    ),
    *(
        "| 531 | Tower |",
        "name;siteswap;jugglers",
        "Tower;531;2",
        "531\tTower",
        "4p3 | 34p",
        "1. `531` – Tower",
        "5 balls",
    ),
    *(
        "[Tower](http://a.b/c) 531",
        "'531' Tower",
        "Tower\tmode=siteswap;pattern=531;mat_style={-1,0}{-12,0};slowdown=2",
    ),
)

_JUGGLEMASTER_LINES = (
    *(
        "#HR=0.2",
        "#DR=.5",
        "#GA=9.8",
        "#SP=1",
        "#MR=1",
        "#BC=000",
        "#height = 12",
        "#dwell=70",
        "$ROY5",
        "^6",
        "@50",
    ),
    *(
        "%Mills Mess",
        "%A",
        "{ 13,  0}{  4,  0}",
        "{2,-2}",
        "{ 8, ,2}{ ,2,=3 _}",
        "*",
        "%",
        "#style=true",
        "; words",
    ),
    *(
        "/[ 3 balls ]",
        "/---",
        "3\tCascade",
        '"[43]23 *" Multiplex ; 4',
        "(2x,4)(4,2x) Box",
        "423",
        "(4x,2)*",
        "522",
    ),
)

KINDS: dict[str, Callable[[Random], str | bytes]] = {
    each.__name__: each
    for each in (
        *(siteswap, prechac, settings, hand_siteswap, staging, name),
        *(jml, jif, joepass, text_list, jugglemaster, screen_saver, file, exported),
    )
}
"""Makers of inputs by what they are meant for."""


@cache
def exports() -> tuple[bytes, ...]:
    """A small export of each kind that carries its pattern in itself, and drawings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [
            paths[0]
            for ending, paths in small_exports(folder / "small").items()
            if ending != ".bvh"
        ]
        paths += ja.export("531", folder / "a.vtt", seconds=1)
        paths += [
            ja.draw("531", folder / f"ladder{ending}", "ladder") for ending in (".svg", ".pdf")
        ]
        packed = folder / "packed.npz"
        np.savez_compressed(packed, **np.load(folder / "small" / "npz" / "a.npz"))
        return tuple(path.read_bytes() for path in (*paths, packed))


@cache
def siteswaps() -> tuple[str, ...]:
    with gzip.open(DATA / "siteswaps.tsv.gz", "rt", encoding="utf-8") as lines:
        listed = tuple(
            row["siteswap"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        )
    more = (
        "<3p 3|3p 3>",
        "<R|L><4xp 3|3 4xp>",
        "(4,3x)!",
        "4x1(4x,3x)*",
        "R3L3x",
        "5BHF 2T 3H",
        "(51^2)3",
        "5?1",
    )
    return listed + 40 * (*more, *(pattern.siteswap for pattern in library()))


@cache
def prechac_texts() -> tuple[str, ...]:
    patterns = json.loads((DATA / "prechac.json").read_text())["patterns"]
    more = (
        "<4.5 3 3 | 3 4 3.5>",
        "2 0 4 0 3p 0 fed by 4 2 3p",
        "(4x, 4xp)*",
        "[4 3p] 2 1 for 4 jugglers",
        "3.67p 4bf",
    )
    return tuple(row[0] for row in patterns) + 10 * more


@cache
def settings_texts() -> tuple[str, ...]:
    listed = tuple(layout["settings"] for layout in LAYOUTS)
    return listed + tuple(pattern.settings_text for pattern in library())


@cache
def hand_siteswap_texts() -> tuple[tuple[str, ...], ...]:
    layouts = json.loads((DATA / "hand_siteswaps.json").read_text())["layouts"]
    specs = ("(1,2)", "(2,1)(4,3)", "(1,)(,2)", "(1,2)(3,4)(5,6)")
    return (
        tuple(layout["pattern"] for layout in layouts),
        tuple(layout["hss"] for layout in layouts),
        (*(layout["handspec"] for layout in layouts if layout["handspec"]), *specs),
    )


@cache
def names() -> tuple[str, ...]:
    return tuple(each for pattern in library() for each in pattern.names)


@cache
def jml_texts() -> tuple[str, ...]:
    every = (DATA / "jml_every_element.jml").read_text()
    patterns = [
        f'<jml version="{version}">\n<pattern>{inner}'
        for version in ("1", "2", "3")
        for inner in _cut(every)
    ]
    return every, *patterns


def _cut(text: str) -> list[str]:
    """Each pattern of a list with the end of a file."""
    return [
        f"{each.partition('</pattern>')[0]}</pattern>\n</jml>"
        for each in text.split("<pattern>")[1:]
    ]


@cache
def jif_texts() -> tuple[str, ...]:
    from juggle_anim.notation import open_patterns
    from juggle_anim.notation.jif import write_jif
    from juggle_anim.notation.jml import read_jml

    listed = [
        open_patterns(text)
        for text in ("531", "[3 4B]2T3", "(4,2x)(2x,4)", "<3p|3p>", "4p 3", _STAGED)
    ]
    placed = [read_jml(text) for text in jml_texts()[1:]]
    return tuple(map(write_jif, listed + placed)) + (
        '{"throws":[{"time":0,"duration":3,"from":0,"to":1}],"repetition":{"period":1,"limbPermutation":[1,0]}}',
        '{"throws":[{"time":0,"duration":3,"from":0,"to":0,"prop":0},{"time":0.5,"duration":3,"from":0,"to":0}],'
        '"repetition":{"period":1},"props":[{"color":"red","type":"club"}],"jugglers":[{"position":[1,0,2]}]}',
        '{"jugglers":[{"label":"A","becomes":1},{"becomes":0}],"throws":[{"duration":9},{"duration":7},{"duration":5}]}',
        '{"jugglers":[{"becomes":1},{"becomes":0}],"limbs":[{"juggler":0,"kind":"right_hand"},{"juggler":1}],'
        '"objects":[{"type":"club"}],"throws":[{"time":0,"from":0,"to":1},{"time":0,"from":1,"to":0}],"height":3}',
    )


@cache
def joepass_texts() -> tuple[str, ...]:
    from juggle_anim.notation import open_patterns
    from juggle_anim.notation.joepass import write_joepass

    listed = (
        "531",
        "[3 4B]2T3",
        "(4,2x)(2x,4)",
        "<3p 3|3p 3>",
        "4.5p 3 3",
        "R3R3xL3L3x",
        "<3p|^4>",
        _STAGED,
    )
    return tuple(write_joepass(open_patterns(text)).text for text in listed) + (
        "#jugglerStartLeft 2\n#D +\n#jugglerDelay 1 r 0.5, 2 l 0.5\n<4p 3|3 4p>\n",
        "! words\n#replace orbit1 (1,0,0)\n#O 1 orbit1\n#mhn*\n<( -, 3) ( 5, -) | ( -, -) ( -, - "
        ') >\n"\nblock\n"',
        "#sx 5@2 3f(1,2)t2 1x {3 3%} 2 #cameraSetPoi (1,2,3) 3x* {4 4} 0",
        "A= 3Pass 3 B= 3r1 3 END #line r 1; #k 1:4,2 #info words",
        "(6x,4)* 3 #h 1 #- 0 (4,3x)",
    )


def _mostly_changed(rng: Random, texts: tuple[str, ...], signs: str = SIGNS) -> str:
    if rng.random() < 0.15:
        return random_text(rng, signs)
    text = rng.choice(texts)
    return changed(rng, text, rng.choice(texts), signs) if rng.random() < 0.9 else text


def _with_anything(rng: Random, value: object, depth: int = 0) -> object:
    """A JSON value of which some part is another value."""
    if rng.random() < 0.02 + 0.05 * depth:
        return rng.choice(_JSON_VALUES)
    if isinstance(value, dict):
        picked = rng.choice([*value, ""])
        return {
            key: _with_anything(rng, each, depth + 1) if key == picked else each
            for key, each in value.items()
        }
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        return [*value[:place], _with_anything(rng, value[place], depth + 1), *value[place + 1 :]]
    return rng.choice(_JSON_VALUES)


def _span(rng: Random, text: str) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + int(rng.random() ** 3 * 40) + 1)


def _insert(rng: Random, text: str, _other: str, signs: str) -> str:
    start, _ = _span(rng, text)
    return text[:start] + rng.choice(signs) + text[start:]


def _word(rng: Random, text: str, _other: str, _signs: str) -> str:
    start, end = _span(rng, text)
    return text[:start] + rng.choice(WORDS) + text[rng.choice((start, end)) :]


def _delete(rng: Random, text: str, _other: str, _signs: str) -> str:
    start, end = _span(rng, text)
    return text[:start] + text[end:]


def _replace(rng: Random, text: str, _other: str, signs: str) -> str:
    start, _ = _span(rng, text)
    return text[:start] + rng.choice(signs) + text[start + 1 :]


def _repeat(rng: Random, text: str, _other: str, _signs: str) -> str:
    start, end = _span(rng, text)
    return text[:end] + text[start:end] * rng.choice((1, 1, 2, 20, 300)) + text[end:]


def _swap(rng: Random, text: str, _other: str, _signs: str) -> str:
    start, end = _span(rng, text)
    later, last = _span(rng, text[end:])
    return (
        text[:start]
        + text[end + later : end + last]
        + text[end : end + later]
        + text[start:end]
        + text[end + last :]
    )


def _splice(rng: Random, text: str, other: str, _signs: str) -> str:
    return text[: _span(rng, text)[0]] + other[_span(rng, other)[0] :]


_EDITS = (_insert, _insert, _delete, _delete, _replace, _replace, _repeat, _swap, _splice, _word)
_BESIDE = ("", "", "", "  # words", "  #", " : ", "\t", "#3")
_STAGED = "pattern=<3p|3p>;body=(90,-100).(80).|(270,100).;colors=orbits;hands=(10)(32.5).;bps=3"
_THROWN = (
    "3",
    "<3p|3p>",
    "(4,4)",
    "5B",
    "[3BB 4F]1",
    "7BHF",
    "<(4xp,2)|(2,4xp)>*",
    "3.5p 3",
    "4p 2 3",
    "0",
    "744",
)
_STAGING: dict[str, tuple[str, ...]] = {
    "hands": (
        "(10)(32.5).",
        "inside",
        "Mills mess",
        "((10)c(25,5,2)-(30).)^2|t(1)(2).-(3).",
        "<(10)(2).|(3)(4).>",
    ),
    "body": (
        "(90,75,0,100).|(270,-75).",
        "((0,20).(0,-20).)^2",
        "(1e3).-(0).",
        "<{(0,100)..(90,0,0,150).}|.(10).>",
    ),
    "colors": (
        "mixed",
        "orbits",
        "{red}{0,0,255}",
        "({red})^2{#f80}",
        "#ff8c00 blue",
        "({1,2,3}(red)^3)^2",
    ),
    "prop": ("ball", "club", " ring ", "square", "image"),
    "bps": ("4.5", "0.05", "200", "1e1"),
    "dwell": ("1", "0.02", "1.98"),
    "gravity": ("980", "0.1", "100000"),
    "bouncefrac": ("0.9", "10", "0.01"),
    "squeezebeats": ("0", "1", "0.4"),
    "title": (r"a\;b", "x"),
    "jugglers": ("1", "2"),
}
_JSON_VALUES = (
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        -1,
        0.5,
        1 / 3,
        3,
        1e9,
        10**30,
        1e308,
        -0.0,
        float("nan"),
        float("inf"),
        "",
        "3",
    ),
    *(
        "left",
        "red",
        "nan",
        "\0",
        "\ud800",
        [],
        {},
        [0],
        [1, 0],
        [[0]],
        {"time": 0},
        "pattern=3",
        "<jml/>",
        [0] * 50,
    ),
)
_MAGIC = (
    b"",
    b"\x89PNG",
    b"\xff\xfe",
    b"\xfe\xff\0",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"<?xml",
    b"{",
    b"\xef\xbb\xbf",
)
