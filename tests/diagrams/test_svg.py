from xml.etree import ElementTree

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.diagrams import Drawing, Label, Picture, ladder
from juggle_anim.diagrams.drawing import svg

NAME = "{http://www.w3.org/2000/svg}"


def test_a_ladder_is_a_picture_of_its_size_with_all_its_labels() -> None:
    animation = ja.animate("<3p|3p>")
    drawing = ladder(animation.score, animation.choreography).drawing
    picture = ElementTree.fromstring(svg(drawing))
    assert picture.get("viewBox") == f"0 0 {drawing.width:g} {drawing.height:g}"
    labels = [mark.text for mark in drawing.marks if isinstance(mark, Label)]
    assert [text.text for text in picture.iter(f"{NAME}text")] == labels


def test_signs_of_markup_stay_text_and_pictures_have_no_place() -> None:
    label = Label((1.0, 2.0), "<script>&", 3.0, (0.0, 0.0, 0.0))
    picture = ElementTree.fromstring(svg(Drawing(10.0, 10.0, (label,), "a <b>")))
    assert [part.text for part in picture] == ["a <b>", "<script>&"]
    with pytest.raises(TypeError, match="no pictures"):
        svg(Drawing(1.0, 1.0, (Picture((0.0, 0.0), 1.0, 1.0, np.zeros((1, 1, 3), np.uint8)),)))
