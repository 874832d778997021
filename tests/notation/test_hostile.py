"""Texts and files made to do harm: each ends in one clear error, soon and in little memory."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from error_rows_jml import LAUGHS
from fuzz_inputs import jif_texts, jml_texts
from fuzz_targets import MOST_MEMORY, good, memory
from jif_documents import cascade
from long_cases import sampled
from program import Program
from work import LITTLE, ONE_SECOND, at_most

from juggle_anim.cli.command import flag
from juggle_anim.errors import FileError, JuggleError, NotationError
from juggle_anim.notation import (
    PatternList,
    check_all,
    open_pattern,
    read_file,
    read_prechac,
    read_settings,
    read_siteswap,
)
from juggle_anim.notation.jif import read_jif
from juggle_anim.notation.jml import read_jml
from juggle_anim.notation.routine import read_routine
from juggle_anim.notation.screen_savers import read_screen_saver
from juggle_anim.notation.text_list import read_text_list
from juggle_anim.parameters import QUANTITIES

NO_NUMBERS = ("nan", "inf", "-inf", "1e999", "-1e999", "NaN", "Infinity")
SECRET = "what nobody outside may read"
MANY = 3_000


def setting(key: str) -> Callable[[str], object]:
    return lambda text: read_settings(
        f"pattern=3;{key}={text}" if key != "hss" else f"pattern=3;hss={text}"
    )


def listed(patterns: PatternList) -> None:
    """Raise what is wrong with some pattern of a list, or that there is none, as opening it
    does.
    """
    for entry in patterns.entries:
        if entry.error:
            raise entry.error
    if not patterns.patterns:
        raise FileError("a has no patterns")


READERS: dict[str, Callable[[str], object]] = {
    "siteswap": read_siteswap,
    "prechac": read_prechac,
    "settings": read_settings,
    **{
        key: setting(key)
        for key in ("hss", "hands", "body", "colors", "prop", "jugglers", "bps", "hold")
    },
    "handspec": lambda text: read_settings(f"pattern=3;hss=4;handspec={text}"),
    "name": open_pattern,
    "list": lambda text: listed(read_text_list(text, "a.txt")),
    "JML": read_jml,
    "JIF": read_jif,
}


@pytest.fixture(scope="module", autouse=True)
def all_modules() -> None:
    """What readers import when first needed is there, so that no test counts it."""
    for read in READERS.values():
        for text in ("3", "(", "((", "<3p 3|3p>", "(3p)", "nobody knows this", "3;3", "A: 3p"):
            with contextlib.suppress(JuggleError):
                read(text)


@contextlib.contextmanager
def refused(calls: int = LITTLE) -> Iterator[None]:
    """What is done within is refused with a good error, soon and in little memory."""
    held = memory()
    with at_most(calls), pytest.raises(JuggleError) as caught:
        yield
    assert memory() - held < MOST_MEMORY
    good(caught.value)


def test_brackets_in_brackets_are_refused() -> None:
    for reader in READERS:
        for brackets in ["()", "[]", "{}", "<>", "<|", "(^", "(,"]:
            for closed in [True, False]:
                with refused():
                    READERS[reader](brackets[0] * MANY + closed * ("3" + brackets[1] * MANY))


def test_texts_that_would_take_much_are_refused() -> None:
    for reader in READERS:
        for text in [
            "(3^999999999)",
            f"(3^{'9' * 4_000})",
            "((((3^2000)^2000)^2000)^2000)",
            "((1)(2).)^999999999",
            "(" * 18 + "(1)(2)." + ")^9" * 18,
            "({red})^999999999",
            "{99999999999999999999}",
            f"{{{'9' * 4_990}}}",
            "9" * 20_000,
            "?" * 1_000,
            "3.5p " * 200 + "1",
            "5" + "B" * 1_000,
            "<" + "|" * 2_000 + ">",
            "a" * 2_001,
            "\0",
            "\ud800",
            "\u202e531",
        ]:
            with refused(ONE_SECOND):
                READERS[reader](text)


def test_throws_to_others_beyond_number_are_refused() -> None:
    for read in (read_settings, read_prechac):
        with refused(ONE_SECOND):
            read("9" * 999 + "5p")


def test_a_run_of_blanks_is_read_in_time_that_grows_with_its_length() -> None:
    begun = time.process_time()
    for text in (
        "3p{}3 fed by 3p",
        "3p 3 fed{}by 3 3p",
        "3p 3{}for 2 jugglers",
        "<3p{}3|3p 3>",
        "3p{}fed by{}fed by{}",
    ):
        blanks = " " * (4_900 // text.count("{}"))
        with contextlib.suppress(NotationError):
            read_prechac(text.replace("{}", blanks))
    for text in (
        "531{}2 loops",
        "531{}x",
        "531 for{}2 loops",
        "repeat 2{}times{}x",
        "531 2{}loops{}x",
        "3{}5{}",
    ):
        with contextlib.suppress(JuggleError):
            read_routine(text.replace("{}", " " * 50_000) + "\n3 2 loops")
    # A search that begins again at each blank would take half a second for one of the first, and
    # minutes for others.
    for text in ("531" + ";" * 200_000, "a;" * 100_000 + "\n531"):
        read_text_list(text, "a.txt")
    for text in ('{{ "[531]",{}"name"}}', '{{ "[531]"{}, /* */ {}}}', '{{{}"[531]" /*{}'):
        with contextlib.suppress(JuggleError):
            read_screen_saver(
                text.replace("{}", " " * 50_000).replace("{{", "{").replace("}}", "}"), "a.txt"
            )
    assert time.process_time() - begun < 1.0


def test_many_members_attributes_and_declarations_are_refused() -> None:
    members = ",".join(f'"a{number}":0' for number in range(100_000))
    names = " ".join(f"a{number}='1'" for number in range(300_000))
    events = "<event " + " ".join(f"a{number}='1'" for number in range(9_000)) + "/>"
    with refused(ONE_SECOND):
        read_jif(f'{{{members},"a99999":1}}')
    for jml in (
        f"<jml><pattern {names}></pattern></jml>",
        f"<jml {names}></jml>",
        f"<jml><!--{names}--></jml>",
        f"<jml><pattern>{events * 40}</pattern></jml>",
        f"<!DOCTYPE jml [{'<!ATTLIST a b CDATA #IMPLIED>' * 70_000}]><jml></jml>",
    ):
        with refused(ONE_SECOND):
            read_jml(jml)


def test_elements_in_elements_are_refused() -> None:
    for text in (
        "<pattern>" * MANY,
        "<jml>" * MANY + "</jml>" * MANY,
        '{"throws":' * MANY,
        '{"a":[' * MANY,
    ):
        with refused():
            (read_jif if text[0] == "{" else read_jml)(text)


@pytest.mark.parametrize("name", ["a.txt", "a.jml", "a.jif", "a"])
def test_a_file_of_100_mb_is_refused_unread(tmp_path: Path, name: str) -> None:
    with open(tmp_path / name, "wb") as file:
        file.truncate(100_000_000)
    for reader in (read_file, open_pattern):
        with refused():
            reader(str(tmp_path / name))
    (checked,) = check_all(str(tmp_path / name))
    assert str(checked.error) == f"{tmp_path / name} is larger than the limit of 10 MB"


@pytest.mark.parametrize(
    "head",
    [
        LAUGHS.partition("<jml>")[0],
        '<!DOCTYPE jml [<!ENTITY i SYSTEM "file://{secret}">]>',
        '<!DOCTYPE jml [<!ENTITY i SYSTEM "{secret}">]>',
        '<!DOCTYPE jml [<!ENTITY % i SYSTEM "file://{secret}"> %i;]>',
        '<!DOCTYPE jml [<!ENTITY i SYSTEM "http://127.0.0.1:9/">]>',
        '<!DOCTYPE jml [<!ENTITY % i SYSTEM "http://127.0.0.1:9/"> %i;]>',
        '<!DOCTYPE jml PUBLIC "i" "{secret}">',
        '<!DOCTYPE jml SYSTEM "http://127.0.0.1:9/">',
        f'<!DOCTYPE jml [<!ENTITY i "{"ha" * 50_000}">]>',
    ],
)
def test_entities_are_refused_and_nothing_is_fetched(
    head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_network(*_: object, **__: object) -> None:
        pytest.fail("the network is asked")

    monkeypatch.setattr(socket, "socket", no_network)
    (tmp_path / "secret").write_text(SECRET)
    text = head.replace("{secret}", str(tmp_path / "secret"))
    for inner in ("&i;", "&i;" * MANY):
        (tmp_path / "a.jml").write_text(
            f"<?xml "
            f"version='1.0'?>{text}<jml><patternlist><title>{inner}</title></patternlist></jml>"
        )
        with pytest.raises(FileError) as caught, at_most(ONE_SECOND):
            read_file(tmp_path / "a.jml")
        assert SECRET not in str(caught.value)


def test_no_setting_and_no_flag_is_no_number(program: Program) -> None:
    for quantity in QUANTITIES:
        for number in NO_NUMBERS:
            with refused():
                read_settings(f"pattern=3;{quantity.key}={number}")
    numbers = itertools.cycle(NO_NUMBERS)
    for quantity in QUANTITIES:
        ran = program("export", "3", "out", f"{flag(quantity.name)}={next(numbers)}")
        assert ran.code != 0, quantity.name
        assert ran.err.startswith(f"{flag(quantity.name)} is ")
        assert len(ran.err.splitlines()) == 1, ran.err
        assert not Path("out").exists()


def test_no_number_in_words_is_no_number() -> None:
    for number in NO_NUMBERS:
        for text in [
            *(
                "hands=(?)(2).",
                "hands=(1,?)(2).",
                "hands=(1,2,?)(2).",
                "body=(?).",
                "body=(1,?).",
                "body=(1,2,?).",
                "body=(1,2,3,?).",
            ),
            *(
                "colors={?,2,3}",
                "colors={1,2,?}",
                "jugglers=?",
                "hss=?",
                "hands=((1)(2).)^?",
                "hss=4;handspec=(?,2)(1,3)",
            ),
        ]:
            with refused():
                read_settings(f"pattern=3;{text.replace('?', number)}")


def numbers_of_jml() -> list[tuple[str, str]]:
    """For each number in the attributes and modifiers of a document, what stands before and after
    it.
    """
    text = jml_texts()[0]
    found = re.finditer(r'(?<=[=,(":])-?[0-9][0-9.]*(?=[;",)}*:<])', text)
    places = [(text[: each.start()], text[each.end() :]) for each in found]
    return [(before, after) for before, after in places if not before.endswith(WORDS)]


WORDS = ('xml version="', "width=", "slowdown=", ">pattern=", ";bps=", "inside=")
"""What stands before numbers that are kept as they are written, for other programs."""


def test_no_number_of_a_jml_file_is_no_number() -> None:
    places = numbers_of_jml()
    assert len(places) > 80
    spellings = itertools.cycle(NO_NUMBERS)
    for before, after in places:
        for number in itertools.islice(spellings, 2):
            with refused():
                listed(read_jml(f"{before}{number}{after}"))


def numbers_of_jif(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all numbers of a document."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers_of_jif(inner, (*way, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield way


def test_no_number_of_a_jif_file_is_no_number() -> None:
    spellings = itertools.cycle(["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
    documents = [json.loads(text) for text in jif_texts() if '"jml"' not in text]
    documents.append(
        cascade(
            jugglers=[{"position": [1, 2, 3], "lookAt": [4, 5, 6]}], timeStretchFactor=2, period=1
        )
    )
    for document in documents:
        for way in numbers_of_jif(document):
            for number in itertools.islice(spellings, 2):
                with refused():
                    read_jif(json.dumps(_with(document, way)).replace('"?"', number))


def _with(value: Any, way: tuple[Any, ...]) -> Any:
    """A document with a ? in place of one of its members."""
    if not way:
        return "?"
    if isinstance(value, dict):
        return {
            key: _with(inner, way[1:]) if key == way[0] else inner for key, inner in value.items()
        }
    return [
        _with(inner, way[1:]) if index == way[0] else inner for index, inner in enumerate(value)
    ]


@pytest.mark.parametrize("name", sampled(["a.jml", "a.jif", "a"], "a.jml", "a.jif"))
def test_a_file_that_ends_too_early_is_refused(name: str, tmp_path: Path) -> None:
    whole = (jif_texts()[0] if name == "a.jif" else jml_texts()[-1]).strip().encode()
    for length in range(0, len(whole), 3):
        (tmp_path / name).write_bytes(whole[:length])
        with refused():
            listed(read_file(tmp_path / name))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("3p 3 3 3 fed by 3p 3 for 3 jugglers", marks=pytest.mark.long),
        "pattern=<(4xp,2)|([44],4xp3)(2,4)>*;dwell=1.25;hands=((10,2,3)c(25).)^2|-(1)t;body=(90,75).|(270,-75).",
        "pattern=7862678682;hss=423;handspec=(2,1)(,3);hold=true;colors={red}({0,128,255})^2#f80;prop=ring;title=x",
        "<4.5 3 3 | 3 4 3.5>",
        "3p 3 fed by 3p",
        "(6x,4)*([34]5B^2){12}L3R3x?1",
    ],
)
def test_a_text_that_ends_too_early_is_read_or_refused(text: str) -> None:
    for length in range(len(text)):
        try:
            with at_most(ONE_SECOND):
                read_settings(text[:length])
        except NotationError as error:
            good(error)


@pytest.mark.parametrize("text", ["744 with " + 300 * "rings ", "Reverse " + 380 * "chop "])
def test_many_words_behind_a_pattern_are_not_tried_one_by_one(text: str) -> None:
    with at_most(ONE_SECOND), pytest.raises(NotationError):
        read_settings(text)
