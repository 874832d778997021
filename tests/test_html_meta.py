import io

from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.exporter.page.page import page_html
from juggle_anim.metadata.documents import read_html_meta
from juggle_anim.metadata.record import Record


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_come_back_whatever_is_in_them_and_in_the_title(settings: str, title: str) -> None:
    words = Record(settings).text
    page = page_html(title, words, {"title": title}).encode("utf-8", "replace")
    assert read_html_meta(io.BytesIO(page), len(page)) == words


def test_a_title_cannot_be_taken_for_the_words() -> None:
    title = '"><meta name="juggle-anim" content="other">'
    page = page_html(title, "mine", {"title": title}).encode()
    assert read_html_meta(io.BytesIO(page), len(page)) == "mine"


def test_a_page_of_others_and_one_that_breaks_off_say_nothing() -> None:
    page = page_html("3", "mine", {}).encode()
    assert read_html_meta(io.BytesIO(b'<!doctype html><meta name="author" content="me">'), 1000) is None
    assert read_html_meta(io.BytesIO(page[: page.index(b"mine") + 4]), 10_000) is None
    assert read_html_meta(io.BytesIO(page), 50) is None
