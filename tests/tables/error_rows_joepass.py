"""What files of JoePass! are refused with: the line, the reason, and what would be accepted."""

from __future__ import annotations

from error_rows_jml import FileRow

_THROWS = "throws are written as in < 3p 3 | 3p 3 >, a multiplex [ 3 4 ], a pair ( 4 , 2x )"

JOEPASS = [
    # The text.
    FileRow("3" * 200_001, "1: this file has 200001 characters; up to 200000 are read"),
    FileRow(
        "#replace a " + "3 " * 2_000 + "\n" + "a" * 200,
        "2: the texts for words grow too long; use them less",
    ),
    FileRow(
        "\n".join(f"#replace word{number} 3" for number in range(101)),
        "101: these are more than 100 words to replace; up to so many are",
    ),
    # Brackets.
    FileRow("! words", f"1: there are no throws here; {_THROWS}"),
    FileRow("3 5 1\n)", f"2: the ) cannot stand here; {_THROWS}"),
    FileRow("3 }", f"1: the }} cannot stand here; {_THROWS}"),
    FileRow("[3", "1: this [ is never closed; a multiplex is written [ 3p 4 ]"),
    FileRow("[]", "1: these [] hold no throws; a multiplex is written [ 3p 4 ]"),
    FileRow("(4,2", "1: this is not a pair; a pair is written ( 4 , 2x ), the left hand first"),
    FileRow("(4,", f"1: a throw is missing at the end; {_THROWS}"),
    FileRow("<3p", "1: this < is never closed; < 3p 3 | 3p 3 >, a side for each juggler"),
    FileRow("{} 4", "1: these {} hold no throws; { 3p 3 } 4 to repeat them four times"),
    FileRow("{3", "1: this { is never closed; { 3p 3 } 4 to repeat them four times"),
    FileRow("{3}", "1: it is not said how often to repeat this; a count up to 2000"),
    FileRow("{" * 21 + "3", "1: brackets are nested more than 20 deep; a simpler pattern"),
    # Jugglers.
    FileRow(
        "<3p 3|3p>",
        "1: juggler 2 throws for 1 beat, but juggler 1 for 2; all throw equally long; 0 is an "
        "empty",
    ),
    FileRow(
        "<3p|3p>\n3",
        "2: this is for 1 juggler, but what comes before it for 2; every part for all jugglers, "
        "as in <3p|3p> <3|3>",
    ),
    FileRow("<" + "3|" * 1_000 + "3>", "1: these are more than 1000 jugglers; fewer of them"),
    FileRow("3:2 3", "1: there is no juggler 2 to pass to; a number from 1 to 1"),
    FileRow(
        "<3p|3|3p>",
        "1: it is not said who catches this; 3p for two jugglers, and 3:1 or 3p1 for more",
    ),
    FileRow(
        "<3:0|3>",
        "1: it is not said who catches this; 3p for two jugglers, and 3:1 or 3p1 for more",
    ),
    # Commands.
    FileRow("#D\n3", "1: #D is not followed by what it needs; such as #D - or #D +"),
    FileRow(
        "3\n#jugglerDelay r\n3",
        "2: #jugglerDelay is not followed by what it needs; such as #jugglerDelay 2 0.5",
    ),
    FileRow("#emptyBeats 2001\n3", "1: too many beats are empty; up to 2000"),
    FileRow("#jugglerDelay 1 -1\n3", "1: this delay is out of range; it goes from 0 to 9 beats"),
    FileRow(
        "#jugglerDelay 1 0.01, 2 0.013\n<3|3>",
        "1: these delays divide each beat into 1224 parts; at most 100 are allowed",
    ),
    # Throws.
    FileRow("#sx 1001", "1: no throw can be so high; values up to 1000"),
    FileRow("3 " * 10_001, "1: these are more than 10000 throws or 2000 beats; a shorter pattern"),
    FileRow(
        "{-}2000 {-}2000", "1: these are more than 10000 throws or 2000 beats; a shorter pattern"
    ),
    FileRow("#sx [" + "1000 " * 6 + "]", "1: this takes 6000 props; at most 5000 are allowed"),
    FileRow(
        "5\n4 3",
        "2: the 5 thrown on beat 1 and the 4 thrown on beat 2 both land in the left hand on beat "
        "6; each",
    ),
    FileRow(
        "#sx\n#D - #d 2 0.5\n<3p|3p>",
        "3: the 3 of juggler 1 lands between the beats of juggler 2; a value that fits the delays",
    ),
    FileRow(
        "#d 1 1\n<0p|0p>",
        "2: the 0 of juggler 1 lands before it is thrown; a higher value, or smaller delays",
    ),
]
