from juggle_anim.viewer.state.prompt import LASTS, Notice


def test_a_notice_goes_away_by_itself_and_a_long_one_later() -> None:
    short, long = Notice(), Notice()
    short.say("Saved")
    long.say("x" * 100, bad=True)
    assert not short.advance(LASTS / 2)
    assert short.words == "Saved"
    assert short.advance(LASTS)
    assert (short.words, short.advance(1.0)) == ("", False)
    assert not long.advance(LASTS + 1.0)
    assert long.words
    assert long.bad


def test_another_notice_takes_the_place_of_the_first() -> None:
    notice = Notice()
    notice.say("One", bad=True)
    notice.advance(LASTS - 0.1)
    notice.say("Two")
    assert not notice.advance(1.0)
    assert (notice.words, notice.bad) == ("Two", False)
