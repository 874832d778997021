from juggle_anim.viewer.state.prompt import NOTICE_TIME, Notice


def test_a_notice_goes_away_by_itself_and_a_long_one_later() -> None:
    short, long = Notice(), Notice()
    short.say("Saved")
    long.say("x" * 100, bad=True)
    assert not short.advance(NOTICE_TIME / 2)
    assert short.text == "Saved"
    assert short.advance(NOTICE_TIME)
    assert (short.text, short.advance(1.0)) == ("", False)
    assert not long.advance(NOTICE_TIME + 1.0)
    assert long.text
    assert long.is_error


def test_another_notice_takes_the_place_of_the_first() -> None:
    notice = Notice()
    notice.say("One", bad=True)
    notice.advance(NOTICE_TIME - 0.1)
    notice.say("Two")
    assert not notice.advance(1.0)
    assert (notice.text, notice.is_error) == ("Two", False)
