from juggle_anim.animation import animate
from juggle_anim.choreography import Score
from juggle_anim.diagrams.timeline import Timeline
from juggle_anim.viewer.diagrams.diagrams import DiagramThrows


def throws(text: str) -> DiagramThrows:
    animation = animate(text)
    return DiagramThrows.from_timeline(Timeline(animation.score, animation.choreography, 1))


def test_a_throw_is_told_with_hand_value_receiver_and_times() -> None:
    told = throws("531")
    (five,) = told.at_node(0.0, line=1, line_count=2, text="5")
    assert five.description == "Right throws 5 to left"
    start, end = (float(part.removesuffix(" s")) for part in five.times.split(" – "))
    assert 0 <= start < end


def test_passes_name_both_jugglers_also_where_one_line_stands_for_both_hands() -> None:
    told = throws("<3p 3|3p 3>")
    (by_hand,) = told.at_node(0.0, line=3, line_count=4, text="3p")
    assert by_hand.description == "2 right throws 3p to 1 left"
    assert told.at_node(0.0, line=1, line_count=2, text="3p") == [by_hand]


def test_what_leaves_a_hand_together_is_told_together() -> None:
    told = throws("[34]23")
    words = [each.description for each in told.at_node(0.0, line=0, line_count=1, text="[34]")]
    assert sorted(words) == ["Right throws 3 to left", "Right throws 4 to right"]
    (one,) = told.at_node(0.0, line=1, line_count=2, text="4")
    assert one.description == "Right throws 4 to right"


def test_holds_and_empty_hands_are_told_too() -> None:
    words = [each.description for each in throws("[34]23").throws]
    assert "Left holds 2" in words
    assert "Left is empty" in [each.description for each in throws("40").throws] + [
        each.description for each in throws("(4,0)").throws
    ]


def test_events_without_beats_are_told_without_a_value() -> None:
    choreography = animate("3").choreography
    told = DiagramThrows.from_timeline(
        Timeline(Score(placed=choreography, title="3"), choreography, 1)
    )
    assert {each.description for each in told.throws} == {
        "Right throws to left",
        "Left throws to right",
    }
