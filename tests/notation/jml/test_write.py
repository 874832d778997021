import re
from dataclasses import replace

import lxml.etree
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jml_performances import (
    assert_same,
    choreographies,
    jml,
    read_one,
    rewritten,
    score_of,
    write_one,
)
from paths import DATA

from juggle_anim.choreography import Choreography, EventKind, Score, choreograph
from juggle_anim.errors import NotationError
from juggle_anim.notation import read_settings
from juggle_anim.notation.jml import read_jml, write_jml
from juggle_anim.notation.jml.document import read_tree
from juggle_anim.notation.jml.read import read_words
from juggle_anim.notation.jml.write import element, text_element
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings
from juggle_anim.parameters import Parameters

EVERY_ELEMENT = (DATA / "jml_every_element.jml").read_text()


# Settings strings of many kinds, each with both hands at work, since JML gives an idle one an event
# more.
SETTINGS = [
    "pattern=3",
    "pattern=531;bps=4.7;dwell=0.9",
    "pattern=(6x,4)*;gravity=162",
    "pattern=[34]1;colors=mixed;prop=ring",
    "pattern=([44],[44]);dwell=1.1",
    "pattern=7B5;bouncefrac=0.8",
    "pattern=b97531;colors=orbits",
    "pattern=423;hands=(10,5,3)(32.5).(20)(-30).",
    "pattern=<3p 3 3|3p 3 3|3p 3 3>;body=(90).|(270,125).|(0,0,50,110).",
    "pattern=786;hss=4;handspec=(1,2)(3,4)",
    "pattern={40}",
    "pattern=<3p 3 3 3|3p 3 3 3>",
]


@given(choreographies())
def test_a_choreography_written_and_read_again_shows_the_same(choreography: Choreography) -> None:
    assert_same(rewritten(choreography), choreography)


@given(choreographies())
def test_what_is_read_is_written_as_it_was(choreography: Choreography) -> None:
    once = write_one(Score(placed=rewritten(choreography)))
    assert write_one(score_of(once)) == once


def test_libxml_finds_what_the_document_type_of_juggling_lab_allows() -> None:
    allowed = lxml.etree.DTD(str(DATA / "jml.dtd"))
    written = [write_jml(PatternList(tuple(Entry(text, read_settings(text)) for text in SETTINGS)))]
    for text in SETTINGS:
        settings = read_settings(text)
        written.append(write_one(settings.score))
        written.append(
            write_one(replace(settings.score, placed=choreograph(settings.score, Parameters())))
        )
    for text in (EVERY_ELEMENT, *written):
        read = lxml.etree.fromstring(text.encode())
        assert allowed.validate(read), allowed.error_log


@pytest.mark.parametrize("text", SETTINGS)
def test_a_siteswap_choreographed_written_and_read_again_shows_the_same(text: str) -> None:
    settings = read_settings(text)
    choreography = choreograph(settings.score, settings.applied_to(Parameters()))
    assert_same(rewritten(choreography), choreography)


def test_an_idle_hand_is_written_where_it_rests() -> None:
    settings = read_settings("pattern=[44]0")
    before = choreograph(settings.score, settings.applied_to(Parameters()))
    after = rewritten(before)
    assert set(before.events.hand.tolist()) == set(after.events.hand.tolist()) == {1}
    written = write_one(Score(placed=before))
    assert (
        '<event x="-25" y="0" z="0" t="0" hand="1:left">\n<?juggle-anim idle="true"?>\n</event>'
        in written
    )
    foreign = read_one(re.sub(r"<\?juggle.*\?>", "", written))
    assert [EventKind(kind) for kind in foreign.events.kind[foreign.events.hand == 0]] == [
        EventKind.MOVE
    ]
    assert after.rest == pytest.approx(before.rest, abs=1e-6)
    assert after.flights.duration == pytest.approx(before.flights.duration, abs=1e-6)


@pytest.mark.parametrize("version", ["1", "1.1", "1.2", "2", "3"])
def test_a_list_with_every_element_is_written_and_read_again(version: str) -> None:
    before = read_jml(EVERY_ELEMENT.replace('version="3"', f'version="{version}"'), "f")
    after = read_jml(write_jml(before), "g")
    assert (after.title, after.about, after.single) == (before.title, before.about, before.single)
    for one, other in zip(after.entries, before.entries, strict=True):
        assert (one.display, one.text, one.animprefs, one.error) == (
            other.display,
            other.text,
            other.animprefs,
            None,
        )
        if one.settings is None or other.settings is None:
            assert one.settings == other.settings
            continue
        left, right = one.settings.score, other.settings.score
        assert (left.title, left.about, left.tags, left.base) == (
            right.title,
            right.about,
            right.tags,
            right.base,
        )
        if left.placed and right.placed:
            assert_same(left.placed, right.placed)
    assert write_jml(after) == write_jml(before)


def test_a_pattern_with_no_text_of_its_own_is_written_as_settings() -> None:
    settings = read_settings("pattern=531;dwell=1")
    (entry,) = read_jml(write_jml(PatternList((Entry("One", settings),), single=True)), "f").entries
    assert entry.settings is not None
    assert entry.settings.score.pattern == settings.score.pattern
    assert entry.settings.parameters == {"dwell": 1.0}


def test_a_broken_line_is_written_as_it_was_read() -> None:
    broken = Entry("Broken", error=NotationError("54<", 0, "no"), text="54<")
    (entry,) = read_jml(write_jml(PatternList((broken,))), "f").entries
    assert (entry.display, entry.text, entry.error is not None) == ("Broken", "54<", True)


def test_metadata_survives_whatever_it_holds() -> None:
    placed = choreograph(read_settings("3").score, Parameters())
    text = " <b>&amp;</b> ]]> \t\r\n\"'é\U0001f939 "
    before = Score(
        placed=placed, title=text, about=text, tags=("<a>", 'b"'), base=(text.strip(), text)
    )
    after = score_of(write_one(before))
    assert (after.title, after.about, after.tags, after.base) == (
        before.title,
        before.about,
        before.tags,
        before.base,
    )
    listed = PatternList((Entry(text, Settings(before), animprefs=text),), title=text, about=text)
    again = read_jml(write_jml(listed), "f")
    assert (again.title, again.about, again.entries[0].display, again.entries[0].animprefs) == (
        text,
    ) * 4


LEGAL = st.characters(
    exclude_categories=["Cs"], exclude_characters="".join(map(chr, range(32))) + "\ufffe\uffff"
)


TEXTS = st.text(LEGAL | st.sampled_from("\t\n\r<>&'\"]  "))


@given(TEXTS)
def test_any_words_survive(text: str) -> None:
    assert (
        read_words(read_tree(f"<jml>{text_element('title', text)}</jml>", "f").children[0]) == text
    )


@given(TEXTS)
def test_any_attribute_survives(text: str) -> None:
    assert read_tree(element("jml", version=text), "f").attributes["version"] == text


@given(st.text(st.characters()))
def test_what_no_xml_can_hold_is_replaced(text: str) -> None:
    kept = read_tree(element("jml", version=text), "f").attributes["version"]
    assert len(kept) == len(text)
    assert all(one in (other, "\ufffd") for one, other in zip(kept, text, strict=True))


def test_a_pattern_is_written_with_no_more_digits_than_matter() -> None:
    throw, catch = (
        f'<event x="{x}" y="0.1" z="0.30000000000000004" t="{time}" hand="right"><{doing} '
        f'path="1"/></event>'
        for x, time, doing in ((10, 0.1, "throw"), (32.5, "0.4333333333", "catch"))
    )
    written = write_one(score_of(jml(throw, catch)))
    assert '<event x="10" y="0.1" z="0.3" t="0.1" hand="1:right">' in written
    assert '<event x="32.5" y="0.1" z="0.3" t="0.4333333" hand="1:right">' in written
