from hypothesis import given
from hypothesis import strategies as st
from jml_performances import jml, score_of, write_one

from juggle_anim.notation.jml.pattern_reader import read_words
from juggle_anim.notation.jml.write import element, text_element
from juggle_anim.notation.jml.xml import read_tree

LEGAL = st.characters(exclude_categories=["Cs"], exclude_characters="".join(map(chr, range(32))) + "\ufffe\uffff")
TEXTS = st.text(LEGAL | st.sampled_from("\t\n\r<>&'\"]  "))


@given(TEXTS)
def test_any_words_survive(text: str) -> None:
    assert read_words(read_tree(f"<jml>{text_element('title', text)}</jml>", "f").children[0]) == text


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
        f'<event x="{x}" y="0.1" z="0.30000000000000004" t="{time}" hand="right"><{doing} path="1"/></event>'
        for x, time, doing in ((10, 0.1, "throw"), (32.5, "0.4333333333", "catch"))
    )
    written = write_one(score_of(jml(throw, catch)))
    assert '<event x="10" y="0.1" z="0.3" t="0.1" hand="1:right">' in written
    assert '<event x="32.5" y="0.1" z="0.3" t="0.4333333" hand="1:right">' in written
