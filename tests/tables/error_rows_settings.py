"""What settings are refused with, key by key. The mark ‸ stands where the caret must."""

from error_rows_siteswap import Row

SETTINGS = [
    Row("‸bps=3", "there is no pattern in these settings", "start with one, such as pattern=531"),
    Row(
        "pattern=" + "3" * 199_992 + "‸3",
        "this text is 200001 characters long",
        "the limit for settings is 200000",
    ),
    Row("bps=3;‸531", "531 has no value", "each setting is key=value"),
    Row(
        "pattern=3; ‸" + "word" * 20,
        "wordwordwordwordwordwordwordwordwordword… has no value",
        "each setting is key=value",
    ),
    Row("pattern=3;‸bsp=3", "there is no setting 'bsp'", "did you mean bps?"),
    Row("pattern=3;‸wxyz=3", "there is no setting 'wxyz'", "there are pattern, "),
    Row("pattern=3;bps=3;‸BPS=4", "bps is given twice", "give each key once"),
    Row(
        "bps=3;pattern= ‸532",
        "average 3⅓. It must be a whole number: the number of props",
        "over 3 beats, make the throws add up to 9 or 12, not 10",
    ),
    Row(
        "‸532 backcross",
        "average 3⅓. It must be a whole number: the number of props",
        "over 3 beats, make the throws add up to 9 or 12, not 10",
    ),
    # Numbers.
    Row(
        "pattern=3;bps= ‸quick",
        "bps is 'quick', which is not a number",
        "a number from 0.05 to 200 beats/s",
    ),
    Row("pattern=3;bps=‸", "bps is '', which is not a number", "a number from 0.05 to 200 beats/s"),
    Row(
        "pattern=3;dwell=‸nan",
        "dwell is 'nan', which is not a number",
        "a number from 0.02 to 1.98 beats",
    ),
    Row(
        "pattern=3;gravity=‸1e999",
        "gravity is '1e999', which is not a number",
        "a number from 0.1 to 100000 cm/s²",
    ),
    Row(
        "pattern=3;dwell=‸2",
        "dwell is 2, but must be a number from 0.02 to 1.98 beats",
        "a number from 0.02 to 1.98",
    ),
    Row(
        "pattern=3;seed=‸1.5",
        "seed is 1.5, but must be a whole number",
        "a whole number from 0 to 100000",
    ),
    Row(
        "pattern=3;chickenwing=30,‸x",
        "rightwing is 'x', which is not a number",
        "a number from -180 to 180 °",
    ),
    Row(
        "pattern=3;chickenwing=‸1,2,3",
        "chickenwing is '1,2,3', which is not a number",
        "a number from -180 to 180 °",
    ),
    Row(
        "pattern=3;rightwing=5;chickenwing=30,‸2", "rightwing is given twice", "give each key once"
    ),
    Row(
        "pattern=3;handpath=‸ovr",
        "handpath cannot be 'ovr'",
        "did you mean over?",
    ),
    Row(
        "pattern=3;people=‸1,99",
        "people cannot be '1,99'",
        "use varied, same, 1, 2, 3, 4, 5, 6, 7,",
    ),
    # Jugglers.
    Row(
        "pattern=4p 3;jugglers= ‸some",
        "the number of jugglers is 'some'",
        "a whole number from 1 to 1000",
    ),
    Row(
        "pattern=4p 3;jugglers=‸",
        "the number of jugglers is missing",
        "a whole number from 1 to 1000",
    ),
    Row(
        "pattern=(4,4);jugglers=‸2",
        "this pattern is for 1 juggler, not for 2",
        "leave out the number of jugglers",
    ),
    Row(
        "‸https://example.org",
        "there is no pattern in this link",
        "a link with pattern=, such as jugglinglab.org/anim?pattern=531;dwell=1, or "
        "passist.org/siteswap/726?jugglers=2",
    ),
    Row(
        "‸http://[",
        "this is not a valid web address",
        "a link with pattern=, such as jugglinglab.org/anim?pattern=531;dwell=1, or "
        "passist.org/siteswap/726?jugglers=2",
    ),
    Row("726 for ‸20", "20 jugglers cannot share a siteswap", "a number from 1 to 17"),
    Row(
        "pattern=<3p|3p>;jugglers=‸3",
        "this pattern is for 2 jugglers, not for 3",
        "leave out the number of jugglers",
    ),
    # Hands with a siteswap of their own.
    Row("pattern=3;handspec=‸(1,2)", "handspec only works with a hand siteswap", "add hss=4"),
    Row("pattern=3;hold=‸true", "hold only works with a hand siteswap", "add hss=4"),
    Row("pattern=3;dwellmax=‸no", "dwellmax only works with a hand siteswap", "add hss=4"),
    Row("pattern=3;hss=4;hold=‸maybe", "maybe is not true or false", "true or false"),
    Row("pattern=3;hss=4;hold=‸", "this is not true or false", "true or false"),
    Row(
        "pattern=3;hss=‸45",
        "the throws add up to 9 over 2 beats. The average must be a whole number: the number "
        "of hands",
        "change the total from 9 to a multiple of 2",
    ),
    Row(
        "pattern=3;hss=‸0",
        "this siteswap has no hands",
        "use a siteswap with at least one hand, such as 4",
    ),
    Row(
        "pattern=3;hss=5‸43",
        "the hands that throw on beats 1 and 2, a 5 and a 4, would both throw next on beat 6",
        "at most one hand can throw on each beat, as in 4 or 423",
    ),
    Row(
        "pattern=3;hss=00‸ae00",
        "the hand that throws on beat 3, a 10, would throw next on beat 13, on which no hand",
        "at most one hand can throw on each beat, as in 4 or 423",
    ),
    Row(
        "pattern=3;hss=‸{28}{36}{44}{52}",
        "the pattern and these hands come back together only after 36036 beats",
        "make one of them shorter: the limit is 10000 beats and 20000 throws",
    ),
    Row(
        "pattern=3;hss=‸{56}{72}{88}{104}{128}{136}{152}{40}",
        "the pattern and these hands come back together after too many beats",
        "make one of them shorter",
    ),
    Row(
        "pattern=3;hss=‸[44]",
        "hands cannot throw a multiplex: one hand throws on each beat",
        "write a hand siteswap as single throws, such as 4 or 423",
    ),
    Row(
        "pattern=3;hss=4‸x",
        "the hand siteswap sets where a throw lands",
        "write a hand siteswap as single throws, such as 4 or 423",
    ),
    Row(
        "pattern=3;hss=4‸B",
        "hands cannot bounce or be held",
        "write a hand siteswap as single throws, such as 4 or 423",
    ),
    Row(
        "pattern=3;hss=‸(4,4)",
        "with a hand siteswap, one hand throws at a time",
        "write a hand siteswap as single throws, such as 4 or 423",
    ),
    Row(
        "pattern=‸<3p|3p>;hss=4",
        "the hand siteswap sets the jugglers and passes",
        "with a hand siteswap, write single",
    ),
    Row(
        "pattern=(‸(4,4)^2);hss=4",
        "with a hand siteswap, one hand throws at a time",
        "with a hand siteswap",
    ),
    Row(
        "pattern=3‸R3;hss=4",
        "the hand siteswap sets which hand throws",
        "with a hand siteswap, write single",
    ),
    Row(
        "pattern=‸L(3^2);hss=4",
        "the hand siteswap sets which hand throws",
        "with a hand siteswap, write single",
    ),
    Row(
        "pattern=3‸×;hss=4",
        "the hand siteswap sets where a throw lands",
        "with a hand siteswap, write single",
    ),
    Row(
        "pattern=53‸*;hss=4",
        "hands cannot be swapped in a hand siteswap",
        "with a hand siteswap, write single",
    ),
    Row(
        "pattern=‸3;hss=40",
        "there is no hand for the 3 thrown on beat 1 on beat 4",
        "where the hand siteswap has a 0, the objects need a 0 too",
    ),
    Row(
        "pattern=33‸3;hss=330",
        "there is no hand to throw the 3 on beat 3",
        "where the hand siteswap has a 0, the objects need a 0 too",
    ),
    Row(
        "pattern=‸510;hss=330",
        "there is no hand for the 5 thrown on beat 1 on beat 6",
        "where the hand siteswap has a 0, the objects need a 0 too",
    ),
    Row(
        "pattern=5‸43;hss=4",
        "two props would land in the same hand at once: the 5 thrown by juggler 1 on beat 1 "
        "and the 4 thrown by juggler 2 on beat 2, in",
        "as many objects must land on a beat as are thrown",
    ),
    Row(
        "pattern=3;hss=4;handspec=" + "(1,2)" * 4_000 + "‸ ",
        "this text is 20001 characters long",
        "give the left and right hand of each",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)(3,‸5)",
        "there is no hand 5",
        "the hands are numbered 1 to 4, each for one juggler",
    ),
    Row(
        "pattern=3;hss=1;handspec=(‸2,)",
        "there is no hand 2",
        "the only hand is 1, each for one juggler",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)(‸1,3)",
        "hand 1 occurs twice",
        "give each hand to one juggler",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)(3,)‸",
        "hand 4 belongs to no juggler",
        "the hands are numbered 1 to 4",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2)‸(,)",
        "juggler 2 has no hand",
        "give one, as in (1,) or (,1)",
    ),
    Row(
        "pattern=3;hss=4;handspec=‸1,2",
        "expected a ( here, not 1",
        "give the left and right hand of each",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1‸)",
        "expected a comma here, not )",
        "give the left and right hand of each",
    ),
    Row(
        "pattern=3;hss=4;handspec=(1,2‸",
        "expected a ) here, but the text ends",
        "give the left and right hand of each",
    ),
    # Moves of hands.
    Row("pattern=3;hands=‸insid", "unknown hand moves insid", "did you mean inside?"),
    Row(
        "pattern=3;hands= ‸xyz",
        "unknown hand moves xyz",
        "use inside, outside, half shower, Mills mess, or moves such as (10)(32.5).",
    ),
    Row("pattern=3;hands=..‸", "the hand moves are missing", "(10)(32.5)."),
    Row(
        "pattern=3;hands=(1)(2).‸(10).",
        "this beat needs two points: where the hand throws, and where it then catches",
        "leave one to the default, as in (10)-.",
    ),
    Row(
        "pattern=3;hands=(1)‸t(2).",
        "a hand throws at the first point of a beat",
        "write the t before it",
    ),
    Row("pattern=3;hands=(1)c(2)‸c(3).", "a hand catches once in a beat", "write only one c"),
    Row(
        "pattern=3;hands=‸c(1)(2).",
        "a hand throws before it catches",
        "write a point before the c: (10)c(25).",
    ),
    Row(
        "pattern=3;hands=(1)(2)‸c.",
        "the point after this c is missing",
        "write where the hand catches: (10)c(25).",
    ),
    Row("pattern=3;hands=(1)(‸wide).", "wide is not a number", "a point is (x,z,y)"),
    Row("pattern=3;hands=(1)(2, ‸nan).", "nan is not a number", "a point is (x,z,y)"),
    Row("pattern=3;hands=(1)(‸1e6).", "1e6 is too far", "numbers up to 100000"),
    Row("pattern=3;hands=(1)(1,2,3,‸4).", "a point has at most 3 numbers", "a point is (x,z,y)"),
    Row("pattern=3;hands=(1)‸(25", "this ( is never closed", "a point is (x,z,y)"),
    Row("pattern=3;hands=‸((1)(2).", "this ( is never closed", "brackets repeat: ((10)(25).)^2"),
    Row(
        "pattern=3;hands=(10)‸^2(2).",
        "a single point cannot be repeated",
        "write it in brackets: ((10))^2",
    ),
    Row(
        "pattern=3;hands=(1)(2).‸)^2",
        "this ) closes nothing",
        "brackets repeat: ((10)(25).)^2",
    ),
    Row(
        "pattern=3;hands=((1)(2).‸)",
        "the count after these brackets is missing",
        "write how often to repeat them, such as ^2",
    ),
    Row(
        "pattern=3;hands=" + "(" * 20 + "‸((1)(2).",
        "brackets are nested more than 20 deep",
        "simplify it",
    ),
    Row("pattern=3;hands=((1)(2).‸)^0", "these brackets are repeated zero times", "use 1 or more"),
    Row(
        "pattern=3;hands=((1)(2).‸)^9999999999",
        "more than 20000 points, dots and symbols",
        "use fewer",
    ),
    Row(
        "pattern=3;hands=‸<(1)(2).",
        "this < is never closed",
        "write jugglers as <…|…> or just …|…",
    ),
    Row(
        "pattern=3;hands=(1)(2).‸>",
        "this > closes nothing",
        "write jugglers as <…|…> or just …|…",
    ),
    Row(
        "pattern=3;hands=(1)‸&(2).",
        "& is not allowed here",
        "a point is (x,z,y), and a dot ends a beat",
    ),
    Row(
        "pattern=3;hands=(1)‸\u200b(2).",
        "character U+200B is not allowed here",
        "a point is (x,z,y), and a dot ends",
    ),
    # Catches.
    Row("pattern=3;catches=‸clw", "there is no catch called clw", "did you mean claw?"),
    Row(
        "pattern=3;catches=claw, ‸potato",
        "there is no catch called potato",
        "there are palm, claw, penguin, behind",
    ),
    Row("pattern=3;catches=claw|‸", "the catch is missing", "there are palm, claw, penguin"),
    Row(
        "pattern=3;catches=palm|claw‸|palm",
        "there are only two hands, so write one |",
        "write left and right as palm|claw",
    ),
    Row(
        "pattern=3;throwspins=1, ‸1.3",
        "1.3 is not a number of turns",
        "use 0 to 20 in halves, such as 1.5, or - for the default",
    ),
    Row(
        "pattern=3;throwspins=1,‸",
        "a number of turns is missing",
        "use 0 to 20 in halves, such as 1.5, or - for the default",
    ),
    Row(
        "pattern=3;throwspins=" + ",".join(["1"] * 100) + "‸,2",
        "more than 100 throws",
        "use fewer",
    ),
    Row(
        "pattern=3;catches=" + ",".join(["claw"] * 100) + "‸,palm",
        "more than 100 catches",
        "use fewer",
    ),
    # Throws around the body.
    Row(
        "pattern=3;throws=-, ‸backcros",
        "there is no throw called backcros",
        "did you mean backcross?",
    ),
    Row(
        "pattern=3;throws=claw|‸potato",
        "there is no throw called potato",
        "there are -, palm, claw, back",
    ),
    Row("pattern=3;throws=lazy,‸", "the throw is missing", "there are -, palm, claw, backcross"),
    Row(
        "pattern=3;throws=" + ",".join(["lazy"] * 100) + "‸,-",
        "more than 100 throws",
        "use fewer",
    ),
    Row(
        "pattern=3;throws=" + "|".join(["-"] * 1000) + "‸|lazy",
        "more than 1000 jugglers",
        "use fewer",
    ),
    # Places of bodies.
    Row("pattern=3;body=.‸", "the position of a body is missing", "such as (90,75).|(270,-75)."),
    Row("pattern=3;body=(‸wide).", "wide is not a number", "a point is (angle,x,y,z)"),
    Row(
        "pattern=3;body=(1)‸c(2).",
        "c is not allowed here",
        "a point is (angle,x,y,z), and a dot ends a beat",
    ),
    # Props.
    Row(
        "pattern=3;style=‸windmill",
        "there is no style called windmill",
        "there are natural, juggling-lab; Windmill is a pattern of the library",
    ),
    Row("pattern=3;prop= ‸rng", "there is no prop called rng", "did you mean ring?"),
    Row(
        "pattern=3;prop=‸potato",
        "there is no prop called potato",
        "there are ball, club, ring, square, image",
    ),
    Row("pattern=3;prop= ‸", "the prop is missing", "there are ball, club, ring, square, image"),
    Row("pattern=3;colors={‸ornge}", "ornge is not a colour", "did you mean orange?"),
    Row(
        "pattern=3;colors={red}‸{}",
        "{} is not allowed in colours",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors={1, ‸256,3}",
        "256 is not a whole number from 0 to 255",
        "red, green and blue, such as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={1,‸,3}",
        "this is not a whole number from 0 to 255",
        "red, green and blue, such as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={‸1,2}",
        "a colour needs three numbers, not 2",
        "red, green and blue, such as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={‸1}",
        "a colour needs three numbers, not 1",
        "red, green and blue, such as {255,140,0}",
    ),
    Row(
        "pattern=3;colors={red}‸{blue",
        "this { is never closed",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors={red}‸&",
        "& is not allowed in colours",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors=‸",
        "the colour is missing",
        "{red}{blue}, {255,140,0}, #ff8c00, mixed or orbits",
    ),
    Row(
        "pattern=3;colors={red}‸)",
        "this ) closes nothing",
        "brackets repeat: ({red}{blue})^2",
    ),
    Row("pattern=3;colors=‸({red}", "this ( is never closed", "brackets repeat: ({red}{blue})^2"),
    Row("pattern=3;colors=({red}‸)^10001", "more than 10000 colours", "use fewer"),
    # Names.
    Row("‸mils mess", "the library has no pattern with this name", "did you mean Mills mess, "),
    Row(
        "‸4-ball showr",
        "the library has no pattern with this name",
        "did you mean Four-ball shower, ",
    ),
    Row(
        "3-bal ‸shower",
        "the library has no pattern with this name",
        "did you mean Three-ball shower, ",
    ),
    Row("‸cascde", "the library has no pattern with this name", "did you mean Cascade?"),
    Row(
        "‸evil zorp",
        "the library has no pattern with this name",
        "run juggle-anim list to see all names",
    ),
    Row(
        "531 ‸zorping",
        "the library has no pattern with this name",
        "run juggle-anim list to see all names",
    ),
    Row(
        "box‸!",
        "! is only allowed after a pair",
        "write it as in (4,3x)!\nor did you mean Box?",
    ),
    # For a number of jugglers.
    Row(
        "cascade for ‸2",
        "this pattern is for 1 juggler, not for 2",
        "leave out the number of jugglers",
    ),
    Row(
        "<3p 3|3p 3> for ‸3",
        "this pattern is for 2 jugglers, not for 3",
        "leave out the number of jugglers",
    ),
    Row(
        "‸zorping for 2",
        "the library has no pattern with this name",
        "run juggle-anim list to see all names",
    ),
    Row(
        "‸532 for 2",
        "average 3⅓. It must be a whole number: the number of props",
        "over 3 beats, make the throws add up to 9 or 12, not 10",
    ),
    Row("pattern=5;jugglers=‸0", "the number of jugglers is '0'", "a whole number from 1 to 1000"),
    Row("pattern=5;jugglers=‸²", "the number of jugglers is '²'", "a whole number from 1 to 1000"),
    Row(
        "pattern=3;bouncefrac=‸0",
        "bounce_fraction is 0, but must be a number from 0.01 to 10 of energy",
        "a number from 0.01 to 10 of energy",
    ),
    Row(
        "pattern=3;colors={255,‸-1,0}",
        "-1 is not a whole number from 0 to 255",
        "red, green and blue, such as {255,140,0}",
    ),
    Row(
        "pattern=3;colors=‸qqqq",
        "qqqq is not a colour",
        "a CSS colour name such as orange, or {red}{blue}, {255,140,0",
    ),
    Row(
        "pattern=3;colors=‸#ff80",
        "#ff80 is not a colour",
        "a CSS colour name such as orange, or {red}{blue}, {255,140,0",
    ),
    Row(
        "pattern=3;colors=({red}‸)",
        "the count after these brackets is missing",
        "write how often to repeat them, such as ^2",
    ),
    Row("pattern=3;hands=(1)(‸-1e999).", "-1e999 is too far", "numbers up to 100000"),
    Row(
        "pattern=5;hss=4;handspec=(‸0,2)(3,4)",
        "there is no hand 0",
        "the hands are numbered 1 to 4, each for one juggler",
    ),
    Row(
        "pattern=5;hss=4;handspec=(1,2)(3,‸5)",
        "there is no hand 5",
        "the hands are numbered 1 to 4, each for one juggler",
    ),
    Row(
        "pattern=(51‸*^2);hss=4",
        "hands cannot be swapped in a hand siteswap",
        "with a hand siteswap, write single throws and multiplexes, s",
    ),
    Row(
        "hss=43‸x;pattern=5",
        "the hand siteswap sets where a throw lands",
        "write a hand siteswap as single throws, such as 4 or 423",
    ),
]
