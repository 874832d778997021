"""What files of JoePass! are refused with: the line, the reason, and what would be accepted."""

from __future__ import annotations

from error_rows_jml import FileRow

_THROWS = "write throws as in < 3p 3 | 3p 3 >, a multiplex [ 3 4 ], a pair ( 4 , 2x )"

JOEPASS = [
    # The text.
    FileRow("3" * 200_001, "1: this file has 200001 characters; the limit is 200000"),
    FileRow(
        "#replace a " + "3 " * 2_000 + "\n" + "a" * 200,
        "2: the texts for words grow too long; use them less",
    ),
    FileRow(
        "\n".join(f"#replace word{number} 3" for number in range(101)),
        "101: more than 100 words to replace, which is the limit",
    ),
    # Brackets.
    FileRow("! words", f"1: no throws here; {_THROWS}"),
    FileRow("3 5 1\n)", f"2: ) is not allowed here; {_THROWS}"),
    FileRow("3 }", f"1: }} is not allowed here; {_THROWS}"),
    FileRow("[3", "1: this [ is never closed; write a multiplex as [ 3p 4 ]"),
    FileRow("[]", "1: these [] are empty; write a multiplex as [ 3p 4 ]"),
    FileRow("(4,2", "1: this is not a pair; write a pair as ( 4 , 2x ), left hand first"),
    FileRow("(4,", f"1: a throw is missing at the end; {_THROWS}"),
    FileRow("<3p", "1: this < is never closed; < 3p 3 | 3p 3 >, a side for each juggler"),
    FileRow("{} 4", "1: these {} are empty; { 3p 3 } 4 to repeat them four times"),
    FileRow("{3", "1: this { is never closed; { 3p 3 } 4 to repeat them four times"),
    FileRow("{3}", "1: the number of repeats is missing; a count up to 2000"),
    FileRow("{" * 21 + "3", "1: brackets are nested more than 20 deep; use a simpler pattern"),
    # Jugglers.
    FileRow(
        "<3p 3|3p>",
        "1: juggler 2 throws for 1 beat, but juggler 1 for 2; all must throw for the same time; 0",
    ),
    FileRow(
        "<3p|3p>\n3",
        "2: this is for 1 juggler, but the part before it is for 2; write every part "
        "for all jugglers, as in <3p|3p> <3|3>",
    ),
    FileRow("<" + "3|" * 1_000 + "3>", "1: more than 1000 jugglers; use fewer"),
    FileRow("3:2 3", "1: there is no juggler 2 to pass to; a number from 1 to 1"),
    FileRow(
        "<3p|3|3p>",
        "1: who catches this pass is missing; 3p for two jugglers, and 3:1 or 3p1 for more",
    ),
    FileRow(
        "<3:0|3>",
        "1: who catches this pass is missing; 3p for two jugglers, and 3:1 or 3p1 for more",
    ),
    # Commands.
    FileRow("#D\n3", "1: #D is not followed by what it needs; such as #D - or #D +"),
    FileRow(
        "3\n#jugglerDelay r\n3",
        "2: #jugglerDelay is not followed by what it needs; such as #jugglerDelay 2 0.5",
    ),
    FileRow("#emptyBeats 2001\n3", "1: too many beats are empty; up to 2000"),
    FileRow("#jugglerDelay 1 -1\n3", "1: this delay is out of range; use 0 to 9 beats"),
    FileRow("#jugglerDelay 1 9.5\n3", "1: this delay is out of range; use 0 to 9 beats"),
    FileRow(
        "#jugglerDelay 1 0.01, 2 0.013\n<3|3>",
        "1: these delays divide each beat into 1224 parts; the limit is 100",
    ),
    # Throws.
    FileRow("#sx 1001", "1: this throw is too high; values up to 1000"),
    FileRow("3 " * 10_001, "1: more than 10000 throws or 2000 beats; use a shorter pattern"),
    FileRow(
        "{-}2000 {-}2000",
        "1: more than 10000 throws or 2000 beats; use a shorter pattern",
    ),
    FileRow("#sx [" + "1000 " * 6 + "]", "1: this needs 6000 props; the limit is 5000"),
    FileRow(
        "5\n4 3",
        "2: two props would land in the same hand at once: the 5 thrown on beat 1 and the "
        "4 thrown on beat 2, in the left hand on beat 6; on",
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
