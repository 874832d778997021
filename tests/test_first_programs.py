"""What people write who guess the names of the library: it runs as they expect."""

import csv
import io
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.errors import ParameterError

SMALL = {"fps": 5, "size": (32, 24)}


def test_a_pattern_says_what_it_is() -> None:
    pattern = ja.Pattern("<3p 3 3|3p 3 3>", prop="club")
    assert isinstance(pattern, ja.Animation)
    assert (pattern.num_props, pattern.num_balls, pattern.num_jugglers) == (6, 6, 2)
    assert pattern.siteswap == "<3p 3 3|3p 3 3>"
    assert {
        (throw.from_juggler, throw.to_juggler) for throw in pattern.throws if throw.is_pass
    } == {
        (0, 1),
        (1, 0),
    }
    assert pattern.max_height() == max(throw.apex for throw in pattern.throws)


def test_a_siteswap_has_a_period_and_a_state() -> None:
    pattern = ja.Pattern("531")
    assert (pattern.period, pattern.state, pattern.is_valid()) == (3, "111", True)
    assert ja.animate("3 2 loops\n441 1 loop\n").period is None


def test_whether_a_text_is_valid() -> None:
    assert [text for text in ("531", "543", "(6x,4)*", "no such thing") if ja.is_valid(text)] == [
        "531",
        "(6x,4)*",
    ]
    with pytest.raises(ja.SiteswapError, match="two props would land"):
        ja.Pattern("543")


def test_points_have_z_up() -> None:
    pattern = ja.Pattern("441")
    times = np.linspace(0, pattern.duration, 7)
    stages = pattern.sample(times)
    right, up, toward = np.moveaxis(stages.props, -1, 0)
    assert np.array_equal(pattern.ball_positions(times), np.stack([right, -toward, up], axis=-1))
    assert pattern.ball_positions(0.25).shape == (3, 3)
    hands = pattern.hand_positions(times)
    assert hands["left"].shape == (7, 3)
    assert np.array_equal(hands["right"], pattern.hand_positions(times, hand="right"))
    assert np.array_equal(hands["right"][3], pattern.hand_positions(times[3], "right"))
    assert hands["left"][:, 0].mean() > hands["right"][:, 0].mean()


def test_a_pose_has_its_joints_by_name() -> None:
    pattern = ja.Pattern("3", elbow_angle=60)
    pose = pattern.pose(t=0.5)
    assert pose.left_elbow.shape == pose.right_hand.shape == (3,)
    assert np.array_equal(pose.left_elbow, pose["left elbow"])
    assert np.array_equal(pose.left_elbow, pose.joints["left_elbow"])
    assert pose.left_elbow[2] == pose.joints[0, 0, Joint.LEFT_ELBOW, 1]
    assert pattern.pose(np.linspace(0, 1, 4)).head.shape == (4, 3)
    assert pattern.pose(0.5, solver="two-link").left_elbow != pytest.approx(pose.left_elbow)
    assert not hasattr(pose, "left_wing")
    assert np.array_equal(pickle.loads(pickle.dumps(pose)).joints, pose.joints)
    assert "natural" in ja.elbow_solvers()


def test_settings_have_everyday_names_and_units() -> None:
    assert ja.Pattern("3", bpm=180, gravity=9.81, colors=["red", "gold"]).settings == (
        "pattern=3;bps=3;gravity=981;colors=red,gold"
    )
    assert (
        ja.Pattern("<3p|3p>", distance=2).settings == "pattern=<3p|3p>;body=(90,100).|(270,-100)."
    )
    assert ja.Pattern("3", gravity=162).parameters.gravity == 162


def test_an_animation_keeps_the_options_of_its_film(tmp_path: Path) -> None:
    animation = ja.animate(ja.Pattern("3"), duration=0.6, **SMALL)
    assert len(animation) == len(animation.replace(dwell=1)) == 3
    assert [frame.shape for frame in animation.frames()] == [(24, 32, 3)] * 3
    assert len(ja.Animation("3", fps=10, duration=2.0)) == 20
    assert bool(ja.Animation("0"))
    # It may be saved again.
    for _round in range(2):
        assert animation.save(tmp_path / "a.gif") == [tmp_path / "a.gif"]
    assert animation.export(tmp_path / "a.glb", time=0.2) == [tmp_path / "a.glb"]
    ja.save(animation, tmp_path / "a.jml")
    assert ja.load(str(tmp_path / "a.jml")).siteswap == "3"


def test_one_picture_is_drawn() -> None:
    picture = ja.picture("shower", 0.5, width=32, height=24, camera="left", background="white")
    assert (picture.size, picture.mode) == ((32, 24), "RGB")
    assert picture.getpixel((0, 0)) == (255, 255, 255)
    render: Any = ja.render
    assert render("shower", 0.5, size=(32, 24)).shape == (24, 32, 3)


def test_the_library_is_a_mapping() -> None:
    assert ja.library["mills mess"].title == "Mills mess"
    assert "mills mess" in ja.library
    assert ja.library.get("no such pattern") is None
    assert len(ja.library) == len(ja.library.names()) > 600


def test_patterns_are_generated_and_joined() -> None:
    guessed: Any = ja.generate
    assert list(guessed(balls=3, max_height=5, period=3)) == list(ja.generate(3, 5, 3))
    into = ja.transition("3", ja.Pattern("51"))
    assert ja.Pattern(f"333{into}51{ja.transition('51', '3')}").num_balls == 3


def test_kinds_and_limits_of_what_is_generated_and_joined() -> None:
    assert list(ja.generate(4, 6, 2, kind="sync")) == list(ja.generate(4, 6, 2, synchronous=True))
    assert list(ja.generate(3, 5, 3, limit=2)) == list(ja.generate(3, 5, 3))[:2]
    assert list(ja.transitions("51", "3", limit=1)) == list(ja.transitions("51", "3"))[:1]


def test_names_and_settings_have_what_animations_have() -> None:
    name = next(iter(ja.library))
    assert name.siteswap == ja.library[name].siteswap
    settings = ja.animate("531", gravity=162).settings
    assert settings["gravity"] == settings.gravity == 162


def test_a_routine_is_made_of_patterns() -> None:
    routine = ja.Routine(["3"])
    routine.add("51", repeats=2)
    assert routine.siteswap == "(3^4)34(51^2)"
    assert len(ja.Routine.through(["3", "51"]).parts) == 2
    assert len(ja.Routine.of(ja.animate("3")).parts) == 1
    assert routine.duration == ja.animate("3 4 loops\n51 2 loops\n").duration


def test_states_are_a_graph() -> None:
    guessed: Any = ja.state_graph
    graph = guessed(balls=3, max_height=5)
    assert len(graph.states) == 10
    assert graph.edges("11100") == [("3", "11100"), ("4", "11010"), ("5", "11001")]
    assert ja.ground_state(3, 5) == graph.states[0] == "11100"


def test_balls_that_are_too_large_collide() -> None:
    pattern = ja.Pattern("3")
    assert pattern.collisions() == []
    hit = pattern.collisions(radius=0.2)[0]
    assert hit.ball1 != hit.ball2
    places = pattern.ball_positions(hit.time)
    assert hit.position == pytest.approx((places[hit.ball1] + places[hit.ball2]) / 2)


def test_what_an_animation_has_is_also_a_function_of_a_pattern() -> None:
    pattern = ja.Pattern("531")
    assert ja.collisions(pattern) == ja.find_collisions("531") == pattern.get_collisions() == []
    assert ja.period("531") == pattern.period == 3
    assert pattern.analyze().hands[0].speed == ja.analyse("531").hands[0].speed
    assert pattern.lesson().steps
    assert ja.arm_solvers() == ja.elbow_solvers()


def test_positions_have_names_for_one_and_for_many() -> None:
    pattern = ja.Pattern("441")
    times = np.array([0.1, 0.2])
    left = pattern.hand_positions(times)["left"]
    for guess in (
        pattern.hand_position("left", times),
        pattern.get_hand_pos(times, "left"),
        pattern.left_hand(t=times),
        ja.hand_trajectory("441", "left", time=times),
    ):
        assert np.array_equal(guess, left)
    props = pattern.prop_positions(times)
    assert np.array_equal(pattern.props_at(times), props)
    assert np.array_equal(pattern.ball_trajectories(times), props)
    assert np.array_equal(pattern.ball_position(2, 0.2), props[1, 2])
    assert np.array_equal(pattern.ball_position(ball=2, t=0.2), props[1, 2])


def test_every_joint_has_its_positions() -> None:
    pattern = ja.Pattern("3")
    elbow = pattern.pose(0.3).left_elbow
    for guess in (
        pattern.joint_position("left elbow", 0.3),
        pattern.elbow("left", 0.3),
        pattern.elbows(0.3)["left"],
        pattern.left_elbow(0.3),
        pattern.elbow_positions([0.3], "left")[0],
        pattern.skeleton(0.3)["left_elbow"],
        ja.elbow_position("3", side="left", t=0.3),
    ):
        assert np.array_equal(guess, elbow)
    with pytest.raises(ja.JuggleError, match="did you mean"):
        pattern.joint_position("left elbw", 0.3)


def test_facts_settings_and_the_library_are_there_by_name() -> None:
    pattern = ja.Pattern("97531")
    assert (pattern.max_throw, pattern.is_prime, pattern.is_ground) == (9, True, True)
    assert pattern.states[0] == pattern.state
    assert (pattern.dwell, pattern.name) == (pattern.parameters.dwell, "97531")
    assert ja.library["mills mess"].difficulty == 5
    assert ja.Pattern("3").difficulty is None or ja.Pattern("3").title


def test_formats_have_methods(tmp_path: Path) -> None:
    pattern = ja.Pattern("531")
    assert pattern.export_csv(tmp_path / "a.csv", fps=5) == [tmp_path / "a.csv"]
    assert pattern.to_csv(fps=5) == (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert pattern.gif(**SMALL).startswith(b"GIF8")
    ja.save_jml("531", tmp_path / "b")
    assert pattern.to_jml() == (tmp_path / "b.jml").read_text(encoding="utf-8")
    assert ja.read_jml(tmp_path / "b.jml").siteswap == ja.from_siteswap("531").siteswap
    ja.write(["3", "51"], tmp_path / "c.jml")
    with pytest.raises(AttributeError, match=r"\[0\]"):
        _ = ja.load_jml(tmp_path / "c.jml").siteswap


def test_diagrams_are_svg_or_files(tmp_path: Path) -> None:
    svg: Any = ja.ladder("(6x,4)*")
    assert svg._repr_svg_() == svg
    assert "</svg>" in svg
    svg.save(tmp_path / "a.svg")
    assert ja.draw_ladder("(6x,4)*", tmp_path / "b.svg") == tmp_path / "b.svg"
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()
    assert "</svg>" in ja.Pattern("3").causal_diagram()


def test_the_library_is_searched() -> None:
    assert ja.library("mills mess")[0].title == "Mills mess"
    library: Any = ja.library
    assert {pattern.num_props for pattern in library(balls=7)} == {7}
    assert ja.search is ja.patterns is ja.library


def test_edges_of_states_are_listed() -> None:
    graph = ja.state_graph(3, 5)
    assert graph.edges[0] == ("11100", "3", "11100")
    assert len(graph.edges) == sum(len(graph.edges(state)) for state in graph.nodes)


def test_a_state_graph_is_saved_and_walked(tmp_path: Path) -> None:
    graph = ja.state_graph(balls=3, max_height=5)
    assert graph.ground == graph.ground_state == "11100"
    assert [way.target for way in graph.edges_from("11100")] == ["11100", "11010", "11001"]
    assert graph.save(tmp_path / "a.svg").read_text().startswith("<?xml")
    dot = graph.save(tmp_path / "a.dot").read_text()
    assert dot == graph.to_dot()
    assert '  "11100" -> "11010" [label="4"];\n' in dot
    with pytest.raises(AttributeError, match="States has no 'colour'"):
        _ = graph.colour


def test_people_stand_and_pose() -> None:
    animation = ja.animate("<3p 3|3p 3>", distance=3.0)
    first, second = animation.jugglers
    assert (first.name, second.name) == ("Juggler 1", "Juggler 2")
    assert np.linalg.norm(first.position - second.position) == pytest.approx(3.0)
    assert abs(first.facing - second.facing) == pytest.approx(180.0)
    head = second.pose(0.3).joints["head"]
    assert np.array_equal(head, animation.joint_position("head", 0.3, juggler=1))
    assert np.linalg.norm(head[:2] - second.position[:2]) < 0.3


@pytest.mark.parametrize("siteswap", ["97531", "423", "(6x,4)*", "[34]1", "<3p 3|3p 3>"])
def test_throws_have_their_values_and_hands(siteswap: str) -> None:
    pattern = ja.animate(siteswap)
    assert pattern.pattern is not None
    flown = [throw for throw in pattern.pattern.throws if throw.value != 2]
    given = sorted((throw.value, ("left", "right")[throw.hand]) for throw in flown)
    assert sorted((throw.value, throw.hand) for throw in pattern.throws) == given
    throw = max(pattern.throws, key=lambda throw: throw.value)
    assert throw.air_time == throw.flight
    assert ja.throw_height(7, bpm=240) > ja.throw_height(5, bpm=240) > ja.throw_height(5, bpm=300)


def test_collisions_say_which_balls() -> None:
    (hit, *_others) = ja.animate("(4x,4x)").collisions()
    assert hit.balls == (hit.a, hit.b) == (hit.ball1, hit.ball2)
    assert ja.analyse("(4x,4x)").collisions[0].balls == hit.balls
    assert hit.distance < 0.07
    assert len(ja.animate("531", ball_radius=0.15).collisions()) > 0


def test_generated_patterns_have_what_animations_have() -> None:
    found = list(ja.generate(balls=3, period=3, max_height=5, exclude=[0, 2]))
    assert found == ["441", "531"]
    assert [pattern.num_balls for pattern in found] == [3, 3]
    assert found[0].is_ground_state
    prime = set(ja.generate(3, 5, 3, prime=True, ground=True))
    assert "531" in prime
    assert "522" not in set(ja.generate(3, 5, 3, exclude=[2]))
    with pytest.raises(ja.JuggleError, match=r"generate\(\) has no 'colour'"):
        ja.generate(3, 5, 3, colour="red")


def test_pictures_are_arrays() -> None:
    pattern = ja.animate("531")
    still = pattern.render(t=0.3, size=(64, 48), camera="side")
    assert (still.shape, still.dtype) == ((48, 64, 3), np.uint8)
    film = pattern.render(width=64, height=48, fps=5)
    assert film.shape[1:] == (48, 64, 3)
    assert len(film) == len(ja.animate("531", fps=5, loop=True))


def test_settings_have_the_names_that_people_guess() -> None:
    pattern = ja.animate("423", beat=0.25, trick="behind the back")
    assert (pattern.bps, pattern.settings.bps) == (4.0, 4.0)
    assert "throws=backcross" in pattern.settings
    assert pattern.with_settings(bpm=120).bps == 2.0
    assert ja.library["Mill's Mess"].hands


def test_a_notebook_shows_the_player() -> None:
    assert "<iframe" in (ja.Pattern("423")._repr_html_() or "")


def test_nouns_are_functions_though_parts_of_the_package_are_called_so() -> None:
    nouns: Any = ja
    assert nouns.pattern("531") == nouns.animation("531") == ja.Pattern("531")
    assert nouns.analysis("3").throws == ja.analyse("3").throws
    assert list(nouns.generator(3, 5, 3)) == list(ja.generate(3, 5, 3))
    assert nouns.routine(["3", "51"]).duration == ja.Routine(["3", "51"]).duration
    assert nouns.errors.JuggleError is ja.JuggleError


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("hand_posi", r"hand_position\(hand, time, juggler\)"),
        ("colision", r"collisions\(radius\)"),
        ("num_jugglrs", "num_jugglers"),
    ],
)
def test_an_unknown_name_of_an_animation_is_told_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=rf"Animation has no '{name}'; did you mean {hint}"):
        getattr(ja.Pattern("3"), name)
    assert not hasattr(ja.Pattern("3"), "_ipython_display_")


def test_an_unknown_name_of_the_package_is_told_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"did you mean collisions\(pattern, radius\)"):
        _ = ja.colision
    guessed: Any = ja.state_graph
    with pytest.raises(ja.JuggleError, match="there are props, max_throw"):
        guessed(3, colour=5)


def test_what_is_invalid_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="two props would land"):
        ja.Pattern("543")
    with pytest.raises(ValueError, match="chicken_wing is 1000"):
        ja.Pattern("3", chicken_wing=1000)


def test_pictures_have_a_width_and_a_height() -> None:
    assert next(ja.animate("3", width=64, height=48).frames(fps=5)).shape == (48, 64, 3)
    assert next(ja.animate("3", height=36).frames(fps=5)).shape == (36, 64, 3)


def test_an_animation_stays_as_it_is_and_tells_how_to_make_another() -> None:
    pattern: Any = ja.Pattern("531")
    with pytest.raises(AttributeError, match=r"`replace\(chicken_wing=…\)` returns another"):
        pattern.chicken_wing = 30
    assert pattern.replace(chicken_wing=45).parameters.chicken_wing == 45


@pytest.mark.parametrize(
    ("text", "is_passing", "is_sync"),
    [("531", False, False), ("(6x,4)*", False, True), ("<3p|3p>", True, False)],
)
def test_an_animation_tells_whether_it_is_passing_or_synchronous(
    text: str, is_passing: bool, is_sync: bool
) -> None:
    assert ja.animate(text).is_passing is is_passing
    assert ja.animate(text).is_sync is is_sync


def test_a_pattern_is_saved_as_a_drawing_and_into_an_open_file(tmp_path: Path) -> None:
    pattern: Any = ja.Pattern("531")
    assert "<svg" in pattern.to_svg()
    assert pattern.save(tmp_path / "531.svg") == [tmp_path / "531.svg"]
    content = io.BytesIO()
    assert pattern.save(content, format="jml") == []
    assert b"<jml" in content.getvalue()


def test_a_routine_of_one_pattern_is_animated() -> None:
    routine = ja.Routine(["3"])
    assert ja.animate(routine).duration == routine.animation.duration  # type: ignore[arg-type]


def test_a_text_is_checked_and_says_why_it_is_no_pattern() -> None:
    good, bad = ja.check("531"), ja.check("432")
    assert (good.valid, good.message, good.num_props, good.period) == (True, "", 3, 3)
    assert bool(bad) is bad.valid is False
    assert "same hand" in bad.message


def test_a_file_is_opened_as_its_patterns_and_one_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "tricks.txt"
    path.write_text("3\n441\n531\n")
    assert [pattern.siteswap for pattern in ja.load(path)] == ["3", "441", "531"]
    assert [pattern.siteswap for pattern in ja.read(f"{path}#2")] == ["441"]
    assert ja.load("531").siteswap == "531"


def test_an_export_takes_settings_and_its_only_file_is_used_like_a_path(tmp_path: Path) -> None:
    path = tmp_path / "3.png"
    files = ja.export("3", path, camera="left", time=0.3, prop="club", size=(32, 24))
    assert Path(files) == path
    assert ja.read(path).settings.endswith("prop=club")


def test_many_patterns_are_saved(tmp_path: Path) -> None:
    files = ja.batch(["3", ja.animate("441")], tmp_path / "out", format="png", size="32x24")
    assert [path.name for path in files] == ["3.png", "441.png"]


def test_a_pose_has_pairs_of_joints_names_and_single_people() -> None:
    pose = ja.animate("<3p|3p>").pose(np.array([0.0, 0.5]))
    both = np.stack([pose.left_elbow, pose.right_elbow], axis=1)
    np.testing.assert_array_equal(pose.elbows, both)
    assert tuple(pose.names) == ja.JOINT_NAMES == ja.JOINTS
    second = pose[1].joints[:, 0]
    np.testing.assert_array_equal(second, np.asarray(pose.joints)[:, 1])


def test_hands_and_throws_say_which_they_are() -> None:
    analysis = ja.analyse("531")
    assert [hand.name for hand in analysis.hands] == ["left", "right"]
    assert [throw.beat for throw in analysis.throws] == list(range(6))
    for hand in analysis.hands:
        assert 0 < hand.speed.mean < hand.speed.rms < hand.speed.peak


@pytest.mark.parametrize(
    "pattern",
    ["4.5p 3 3", "312", "[33]12", "411", "[51]", "mills mess", "tennis"],
)
def test_beats_of_throws_count_on_and_values_are_those_written_there(pattern: str) -> None:
    animation = ja.animate(pattern)
    assert animation.pattern
    throws = animation.throws
    beats = [throw.beat for throw in throws]
    assert beats == sorted(beats)
    assert len(set(zip(beats, [throw.hand for throw in throws], strict=True))) >= len(
        {round(throw.time, 3) for throw in throws}
    )
    period = animation.pattern.period
    written = {
        (throw.beat, throw.hand, throw.juggler, throw.value) for throw in animation.pattern.throws
    }
    for throw in throws:
        turn = throw.beat % period, throw.hand.__index__(), throw.from_juggler
        assert (*turn, throw.value) in written
    assert ja.analyse(animation).throws == throws


def test_beats_of_a_routine_count_on() -> None:
    throws = ja.Routine(["3", "441"]).throws
    first, *_others = throws
    assert [throw.beat for throw in throws] == [first.beat + index for index in range(len(throws))]


def test_both_wings_and_throws_around_the_body_are_given_as_people_write_them() -> None:
    animation = ja.animate("3", chicken_wing=(30, 60), throws=["under-leg", "-"], hand_width=80)
    parameters = animation.parameters
    assert (parameters.left_wing, parameters.right_wing, parameters.width) == (30, 60, 80)
    assert animation.score.staging.throws == ja.animate("3;throws=underleg,-").score.staging.throws


def test_solvers_are_listed_and_compared() -> None:
    assert "two-link" in ja.ARM_SOLVERS
    assert "two-link" in repr(ja.compare_arms("3"))


def test_a_state_graph_is_drawn(tmp_path: Path) -> None:
    graph = ja.state_graph(3, 4)
    ja.draw(graph, tmp_path / "states.svg", "states")
    assert (tmp_path / "states.svg").stat().st_size
    edge = graph.edges[0]
    assert (edge.start, edge.end) == (edge.source, edge.target)


def test_a_pattern_is_edited_by_the_name_of_an_operation() -> None:
    edited = ja.edit("531", "swap-landings", 0, 1)
    assert str(edited) == edited.siteswap == "441"
    assert ja.check(str(ja.edit(edited, "mirror"))).valid
    assert ja.animate("531").edit("rotate", beats=1).siteswap == "315"
    with pytest.raises(ValueError, match="did you mean mirror"):
        ja.edit("531", "miror")


def test_a_routine_tells_its_parts() -> None:
    routine = ja.routine(["3", "441", "51"], loops=2)
    assert [part.repeats for part in routine.parts] == [2, 2, 2]
    assert [(part.siteswap, part.transition) for part in routine.parts] == [
        ("3", ""),
        ("441", ""),
        ("51", "34"),
    ]
    throws = [throw.value for throw in routine.throws]
    assert throws[:10] == [3, 3, 4, 4, 1, 4, 4, 1, 3, 4]
    assert routine.max_throw == max(throws) == 5
    assert all(
        part.end == after.start
        for part, after in zip(routine.parts, routine.parts[1:], strict=False)
    )


def test_an_analysis_tells_the_narrowest_gap() -> None:
    assert ja.analyse("531").narrowest_gap > 0.05
    crossing = ja.analyse("(4x,4x)")
    deepest = max(collision.overlap for collision in crossing.collisions)
    assert crossing.narrowest_gap == crossing.gap == -deepest
    assert json.loads(json.dumps(crossing.to_dict()))["collisions"][0]["overlap"] == deepest
    assert ja.analyse("2").narrowest_gap is None


def test_patterns_with_other_numbers_of_props_are_an_error_of_values() -> None:
    with pytest.raises(ValueError, match="cannot add or drop"):
        ja.transition("3", "5")


def test_solvers_are_compared_one_by_one() -> None:
    compared = [result.solver for result in ja.compare_arms("3")]
    assert compared == list(ja.elbow_solvers())


def test_the_size_of_a_ball_is_in_metres() -> None:
    assert ja.animate("3", ball_size=0.08) == ja.animate("3", ball_radius=0.04)


def test_patterns_are_compared() -> None:
    compared = ja.compare("3", ja.animate("51"))
    assert compared["pattern"] == ("3", "51")
    assert compared["num_props"] == (3, 3)
    low, high = compared["height"]
    assert low < high
    assert str(compared).splitlines()[0].split() == ["name", "3", "51"]
    assert str(compared).splitlines()[1].split() == ["pattern", "3", "51"]


def test_a_comparison_iterates_over_patterns() -> None:
    compared = ja.compare("531", "441", "51")
    assert [row["pattern"] for row in sorted(compared, key=lambda row: row["max_throw"])] == [
        "441", "531", "51",
    ]  # fmt: skip
    assert len(compared) == 3
    assert compared[1]["speed"] == compared["hand_speed"][1]
    assert dict(compared.items())["pattern"] == compared.pattern


def test_patterns_of_one_name_are_told_apart_by_their_settings() -> None:
    compared = ja.compare("3;bps=3", "3;bps=4", "51")
    assert compared["name"] == ("3;bps=3", "3;bps=4", "51")
    assert [analysis.name for analysis in compared.analyses] == list(compared["name"])


@pytest.mark.parametrize(
    ("guess", "setting"),
    [("juggler_height", "people"), ("body_height", "people"), ("mass", "prop")],
)
def test_what_is_no_setting_by_itself_is_set_by_another(guess: str, setting: str) -> None:
    with pytest.raises(ParameterError, match=f"did you mean {setting}"):
        ja.animate("3", **{guess: 1.65})


def test_settings_have_bounds_by_any_name() -> None:
    gravity = ja.SETTINGS["gravity"]
    assert (gravity.minimum, gravity.maximum) == (gravity.min, gravity.max)
    assert all(setting.minimum is setting.min for setting in map(ja.SETTINGS.get, ["arms", "hss"]))


@pytest.mark.usefixtures("own_solvers")
def test_a_solver_is_registered_by_a_decorator() -> None:
    @ja.register_solver("halfway")
    def halfway(shoulder: Any, hand: Any, arm: Any, side: Any, swivel: Any) -> Any:
        return (shoulder + hand) / 2 + np.array([0, 0.25, 0])

    assert callable(halfway)
    assert "halfway" in ja.elbow_solvers()
    assert ja.animate("3", arms="halfway").parameters.arms == "halfway"


def test_a_routine_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "routine.txt"
    file.write_text("title=Mine\n3\n441 2 loops  # the hard one\n51 3 s\nstop\n", encoding="utf-8")
    routine = ja.Routine.read(file, repeats=3)
    assert [(part.siteswap, part.repeats) for part in routine.parts] == [
        ("3", 3),
        ("441", 2),
        ("51", None),
    ]
    assert (routine.title, routine.num_props) == ("Mine", 3)
    # What a routine saves, it reads again.
    ja.write(ja.Routine(["3", "51"], repeats=2).animation, tmp_path / "saved.txt")
    saved = ja.Routine.read(tmp_path / "saved.txt")
    assert [(part.siteswap, part.repeats) for part in saved.parts] == [("3", 2), ("51", 2)]


def test_throws_have_kinds() -> None:
    def kinds(pattern: str, **settings: Any) -> set[str]:
        return {throw.kind for throw in ja.animate(pattern, **settings).throws}

    assert kinds("3", throws="backcross,-") == {"backcross", "self"}
    assert kinds("<3p 3|3p 3>") == {"pass", "self"}
    assert kinds("3B") == {"bounce"}


def test_settings_are_listed_with_their_defaults() -> None:
    assert ja.SETTINGS["gravity"].default == 980
    assert all(setting.help for setting in ja.SETTINGS.values())
    assert {"prop", "colors", "bps"} <= ja.SETTINGS.keys()


def test_pictures_have_a_background(tmp_path: Path) -> None:
    red = ja.animate("3", background="red", **SMALL)
    assert ja.picture(red).getpixel((0, 0)) == (255, 0, 0)
    frames = list(red.frames(duration=0.4))
    assert {(frame.shape, tuple(frame[0, 0])) for frame in frames} == {((24, 32, 3), (255, 0, 0))}
    with pytest.raises(ja.JuggleError, match="is not a colour"):
        ja.picture("3", background="nocolour")
    with pytest.raises(ja.JuggleError, match="not both"):
        ja.export("3", tmp_path / "a.png", background="red", transparent=True)


def test_throws_are_excluded_by_one_text() -> None:
    assert list(ja.generate(3, 5, 3, exclude="2")) == list(ja.generate(3, 5, 3, exclude=["2"]))


def test_balls_of_a_size_collide() -> None:
    assert len(ja.collisions("(4x,4x)")) > 0
    assert ja.animate("531").collisions() == []
    large = ja.animate("531").collisions(prop_size=0.5)
    assert [hit.balls for hit in ja.collisions("531", ball_size=0.5)] == [
        hit.balls for hit in large
    ]
    assert large


def test_multiplexes_are_asked_for_by_their_kind() -> None:
    two = list(ja.generate(4, 5, 2, multiplex=2))
    assert list(ja.generate(4, 5, 2, kind="multiplex")) == two
    assert any("[" in siteswap for siteswap in two)
    with pytest.raises(ja.JuggleError, match="jugglers is True"):
        list(ja.generate(4, 5, 2, jugglers=True))


def test_periods_and_excluded_throws_are_listed_as_people_write_them() -> None:
    assert list(ja.generate(3, 5, range(1, 4))) == list(ja.generate(3, 5, (1, 3)))
    assert set("".join(ja.generate(4, 7, 3, exclude="0,2"))) == set("134567")
    assert list(ja.generate(3, 5, 3, ground_state=True)) == ["441", "522", "531"]


def test_a_question_mark_has_solutions() -> None:
    assert ja.check("5?1", all=True).solutions[:2] == ("531", "501")
    assert ja.check("5?1").solutions == ()


def test_a_routine_has_repeats_for_each_pattern_and_settings() -> None:
    routine = ja.Routine(["3", "51"], repeats=[3, 2], bps=4, prop="club")
    assert [(part.siteswap, part.repeats) for part in routine] == [("3", 3), ("51", 2)]
    assert (routine.parameters.bps, routine.num_props) == (4, 3)
    with pytest.raises(ja.JuggleError, match="one for each pattern"):
        ja.Routine(["3", "51"], repeats=[3])


def test_facts_of_a_pattern_are_together() -> None:
    guessed: Any = ja
    facts = guessed.facts("51")
    assert (facts.num_props, facts.period, facts.ground_state, facts.prime) == (3, 2, False, True)
    assert guessed.states("531") == ("111", "11001", "1011")


def test_what_is_measured_may_have_other_settings() -> None:
    gap = ja.analyse("51").narrowest_gap
    narrower = ja.analyse("51", ball_size=0.09).narrowest_gap
    assert gap is not None
    assert narrower == pytest.approx(gap - 0.02)
    left, _right = ja.analyse("3").hands
    assert left.dwell.mean == pytest.approx(ja.animate("3").throws[0].dwell)


def test_edges_of_states_are_found_by_state_and_by_number() -> None:
    graph = ja.state_graph(3, 5)
    throws: list[Any] = [way.throw for way in graph.edges["11100"]]
    assert throws == [3, 4, 5]
    assert throws == ["3", "4", "5"]


def test_settings_say_what_they_accept() -> None:
    assert ja.SETTINGS["style"].choices == ("natural", "juggling-lab")
    assert "two-link" in ja.SETTINGS["arms"].choices
    gravity = ja.SETTINGS["gravity"]
    assert (gravity.min, gravity.max, gravity.choices) == (0.1, 100_000, ())
    assert (ja.SETTINGS["prop"].unit, ja.SETTINGS["prop"].min) == ("", None)
    assert ja.SETTINGS["hand_width"] is ja.SETTINGS["width"]
    with pytest.raises(KeyError, match="did you mean gravity"):
        ja.SETTINGS["gravitty"]


def test_patterns_are_compared_under_names() -> None:
    compared = ja.compare("3", "51", names=["cascade", "shower"], bps=3)
    assert compared["name"] == ("cascade", "shower")
    assert compared["height"][1] > compared["height"][0]
    with pytest.raises(ja.JuggleError, match="one for each pattern"):
        ja.compare("3", "51", names=["cascade"])


def test_colours_are_names_codes_or_numbers() -> None:
    listed = ja.animate("3", colors=["red", "#00aa44", (0, 0, 255)])
    typed = ja.animate("3;colors={red}{#00aa44}{0,0,255}")
    spaced = ja.animate("3;colors=red (0,170,68) (0, 0, 255)")
    assert np.array_equal(listed.prop_colours, typed.prop_colours)
    assert np.array_equal(listed.prop_colours, spaced.prop_colours)
    assert ja.picture("3", background=(255, 0, 0), size=(32, 24)).getpixel((0, 0)) == (255, 0, 0)


def test_a_sheet_has_columns_rows_and_a_title(tmp_path: Path) -> None:
    path = ja.draw(
        "3", tmp_path / "a.svg", "sheet", columns=3, rows=2, title="Mine", size=(300, 200)
    )
    text = path.read_text(encoding="utf-8")
    assert text.count("<image") == 6
    assert "Mine" in text
    with pytest.raises(ja.JuggleError, match="columns is 0"):
        ja.draw("3", tmp_path / "b.svg", "sheet", columns=0)


def test_ladders_of_several_patterns_stand_below_each_other(tmp_path: Path) -> None:
    one = ja.draw("3", tmp_path / "one.svg", "ladder").read_text(encoding="utf-8")
    both = ja.draw(["3", "441"], tmp_path / "both.svg", "ladder").read_text(encoding="utf-8")
    assert len(both) > 1.5 * len(one)
    assert "441" in both


def test_the_library_finds_so_many_patterns() -> None:
    low = ja.library.search(props=4, max_throw=5, limit=2)
    assert [pattern.num_props for pattern in low] == [4, 4]
    assert max(pattern.max_throw for pattern in low) <= 5
    settings = ja.animate("531", bps=2, title="Slow").settings
    assert dict(settings) == {"bps": 2, "title": "Slow"}
    assert ja.lesson("441").steps[-1].pattern.startswith("pattern=441")


def test_one_pattern_is_written_whatever_holds_it(tmp_path: Path) -> None:
    for name, pattern in (("a", ja.optimise("3")), ("b", ja.Routine(["3", "51"]))):
        ja.write(pattern, tmp_path / f"{name}.jml")  # type: ignore[arg-type]
        assert ja.read(tmp_path / f"{name}.jml")[0].num_props == 3


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        ja.read(tmp_path / "nothing.jml")


def test_names_of_what_options_take_are_listed() -> None:
    guessed: Any = ja
    assert "top" in guessed.CAMERAS
    assert "mirror" in guessed.EDITS
    assert "ladder" in guessed.DRAWINGS
    assert "natural" in guessed.SOLVERS


def test_settings_are_got_as_of_a_dict() -> None:
    settings = ja.animate("531", bps=2, chicken_wing=(60, 0)).settings
    assert (settings.get("bps"), settings.get("prop"), settings.get("no such", 7)) == (2, "", 7)
    assert settings["chicken_wing"] == (60, 0)
    assert dict(settings.items()) == dict(settings)
    with pytest.raises(AttributeError, match="Animation has no 'get'"):
        ja.animate("531").get  # noqa: B018


def test_names_of_a_file_are_kept_by_its_patterns(tmp_path: Path) -> None:
    table = tmp_path / "tricks.csv"
    table.write_text('name,siteswap\nBox,"(2x,4)(4,2x)"\nMine,531\n', encoding="utf-8")
    names = [("Box", "(2x,4)(4,2x)"), ("Mine", "531")]
    patterns = ja.read(table)
    assert [(pattern.name, pattern.siteswap) for pattern in patterns] == names
    assert ja.animate(f"{table}#2").name == "Mine"
    ja.write(patterns, tmp_path / "all.jml", name="All our tricks")
    assert "<title>All our tricks</title>" in (tmp_path / "all.jml").read_text(encoding="utf-8")
    again = ja.read(tmp_path / "all.jml")
    assert [(pattern.name, pattern.siteswap) for pattern in again] == names
    ja.write({"Box": names[0][1], "Mine": "531"}, tmp_path / "pairs.jml")  # type: ignore[arg-type]
    pairs = ja.read(tmp_path / "pairs.jml")
    assert [(pattern.name, pattern.siteswap) for pattern in pairs] == names
    ja.write("531", tmp_path / "one.jml", title="Three")
    assert ja.read(tmp_path / "one.jml")[0].name == "Three"


def test_each_throw_of_a_text_is_excluded() -> None:
    low = list(ja.generate(3, 7, 4, exclude=["0", "2"]))
    for guess in ("02", "0 2", "0, 2", [0, 2], {0, 2}):
        assert list(ja.generate(3, 7, 4, exclude=guess)) == low
    assert list(ja.generate(3, 5, 3, exclude=2)) == list(ja.generate(3, 5, 3, exclude="2"))
    for more in ({"no_zeros": True}, {"min_throw": 1}, {"without": 0}):
        assert list(ja.generate(3, 7, 4, exclude=2, **more)) == low  # type: ignore[arg-type]
    crossing = list(ja.generate(4, 6, 2, sync=True, exclude="4x"))
    assert any("4" in siteswap for siteswap in crossing)
    assert not any("4x" in siteswap for siteswap in crossing)


def test_as_many_transitions_are_found_as_are_asked_for() -> None:
    assert [joined.throws for joined in ja.transitions("3", "51", limit=4)] == [
        "4", "34", "45", "52",
    ]  # fmt: skip
    assert [joined.throws for joined in ja.transitions("3", "51")] == ["4"]
    start: Any = ja.animate("3")
    assert [joined.throws for joined in ja.transitions(start, ja.animate("51"))] == ["4"]
    assert ja.transition("5", "91", max_throw=8) == ja.transition("5", "91")
    with pytest.raises(ja.JuggleError, match=r"transitions\(\) has no 'colour'"):
        ja.transitions("3", "51", colour=3)


@pytest.mark.parametrize(
    "patterns",
    [
        [("3", 4), ("441", 2)],
        {"3": 4, "441": 2},
        ["3", "441 2 loops"],
        "3\n441 2 loops\n",
        ["3", "441x2"],
    ],
)
def test_a_routine_takes_patterns_with_their_repeats(patterns: Any) -> None:
    assert [(part.siteswap, part.repeats) for part in ja.Routine(patterns)] == [
        ("3", 4),
        ("441", 2),
    ]


def test_a_routine_takes_seconds() -> None:
    (_first, second) = ja.Routine([("3", 2), ("441", "3 s")]).parts
    assert (second.siteswap, second.repeats) == ("441", None)


def test_steps_of_a_lesson_have_their_throws() -> None:
    guessed: Any = ja.lesson("441").steps
    assert [step.siteswap for step in guessed][::5] == ["400040001", "441"]
    with pytest.raises(AttributeError, match="did you mean title"):
        guessed[0].titel  # noqa: B018


def test_measures_are_found_by_a_part_of_their_names(tmp_path: Path) -> None:
    table = ja.compare("3", "51")
    assert table["speed"] == table["hand_speed"]
    rows = table.to_csv(tmp_path / "a.csv").splitlines()
    assert rows == (tmp_path / "a.csv").read_text().splitlines()
    assert [row.split(",")[:3] for row in rows] == [
        ["name", "pattern", "num_props"],
        ["3", "3", "3"],
        ["51", "51", "3"],
    ]
    assert table.gap == table["narrowest_gap"]
    assert [row["pattern"] for row in table.rows] == ["3", "51"]
    assert ja.compare(["3", ja.animate("51")]) == table
    with pytest.raises(KeyError, match="there are name, pattern, num_props"):
        table["colour"]
    with pytest.raises(AttributeError, match="did you mean height"):
        table.heigth  # noqa: B018


@pytest.mark.usefixtures("own_solvers")
def test_some_solvers_are_compared() -> None:
    for guess in ({"solvers": ["two-link"]}, {"arms": "two-link"}):
        compared = ja.compare_arms("3", **guess)  # type: ignore[arg-type]
        assert [result.solver for result in compared] == ["natural", "two-link"]
        assert "two-link" in str(compared)

    def outside(shoulder: Any, hand: Any, _arm: Any, side: int, _swivel: float) -> Any:
        return (shoulder + hand) / 2 + [0.05 if side == 0 else -0.05, 0.0, -0.2]

    left, right = (
        ja.animate("3", arms=outside).pose(0.2)[f"{side}_elbow"] for side in ("left", "right")
    )
    assert left[0] > 0.2
    assert right[0] < -0.2
    with pytest.raises(ja.JuggleError, match="did you mean two-link"):
        ja.compare_arms("3", solvers=["two-lnk"])


def test_velocities_are_the_slopes_of_positions() -> None:
    pattern = ja.animate("441")
    time, step = 0.31, 1e-5
    for velocities, positions in (
        (pattern.hand_velocities, pattern.hand_positions),
        (pattern.hand_accelerations, pattern.hand_velocities),
    ):
        before, after = (positions(time + side * step, "left") for side in (-0.5, 0.5))
        assert velocities(time, "left") == pytest.approx((after - before) / step, abs=1e-3)
    speeds = pattern.hand_speeds([0.1, 0.2])["right"]
    assert speeds == pytest.approx(
        np.linalg.norm(pattern.hand_velocity([0.1, 0.2], "right"), axis=1)
    )
    before, after = pattern.prop_positions([time - step / 2, time + step / 2])
    assert pattern.prop_velocities(time) == pytest.approx((after - before) / step, abs=1e-3)
    with pytest.raises(ja.JuggleError, match="must be seconds"):
        pattern.hand_positions("left")


def test_states_of_a_pattern_are_those_of_the_graph() -> None:
    graph = ja.state_graph(3, 5)
    states: Any = ja.animate("531").states
    assert set(states) == {"111", "11001", "1011"}
    assert all(state in graph.states for state in states)
    assert graph.edges["111"] == graph.edges["11100"]


def test_hands_are_sides_and_numbers() -> None:
    right, left = ja.animate("3").throws[:2]
    assert (right.hand, left.hand) == ("right", "left")
    assert (right.hand, left.hand) == (1, 0)
    assert ["l", "r"][right.hand] == "r"
    assert (right.from_hand, right.to_hand, ja.animate("4").throws[0].to_hand) == (1, 0, 1)
    assert right.catch_time == right.time + right.air_time


def test_what_is_edited_is_valid_and_may_be_rotated_by_one() -> None:
    assert ja.edit("531", "rotate").siteswap == ja.edit("531", "shift").siteswap == "315"
    assert ja.edit("531", "multiply", 2).siteswap == "531531"
    edited: Any = ja.edit("531", "mirror")
    assert str(edited.is_valid) == "True"
    assert edited.animate(bps=2).parameters.bps == 2
    assert edited.animation is edited
    assert ja.animate("531").rotate(2).siteswap == "153"
    assert ja.is_valid(edited)
    assert ja.check(edited).is_valid
    assert "same hand" in ja.check("432").reason
    with pytest.raises(ValueError, match="swap-landings, aim-throw"):
        ja.edit("531", "juggle")


def test_several_processes_save_patterns(tmp_path: Path) -> None:
    files = ja.save_all(["3", "441"], tmp_path / "out", "png", size="32x24", jobs=2)
    assert [path.name for path in files] == ["3.png", "441.png"]


@pytest.mark.parametrize(
    ("guess", "setting"),
    [
        ({"gravity": 1.62}, {"gravity": 162}),
        ({"slow": 2}, {"speed": 0.5}),
        ({"slow_motion": 0.25}, {"speed": 0.25}),
        ({"ball_size": 0.08}, {"prop_diameter": 8}),
        ({"ball_size": 8}, {"prop_diameter": 8}),
        ({"ball_size": "8 cm"}, {"prop_diameter": 8}),
        ({"ball_radius": "40mm"}, {"prop_diameter": 8}),
        ({"throw_height": "-0.1 m"}, {"throw_height": -10}),
        ({"chicken_wing": (30, 10)}, {"left_wing": 30, "right_wing": 10}),
    ],
)
def test_settings_are_replaced_in_the_units_in_which_they_are_given(
    guess: dict[str, Any], setting: dict[str, Any]
) -> None:
    pattern = ja.animate("3")
    assert pattern.replace(**guess).parameters.changed == setting
    assert ja.animate("3", **guess).parameters.changed == setting
    assert ja.animate(pattern, **guess).parameters.changed == setting


def test_an_animation_is_no_picture_whose_size_is_that_of_a_person() -> None:
    for size in ({"height": 1.6}, {"size": 1.8}):
        with pytest.raises(ja.JuggleError, match=r"of a picture|in pixels"):
            ja.animate("5", **size)


def test_a_page_has_no_background(tmp_path: Path) -> None:
    with pytest.raises(ja.JuggleError, match=r"background is for \.mp4"):
        ja.export("3", tmp_path / "page.html", background="white")


def test_frames_are_those_of_a_loop() -> None:
    guessed: Any = ja
    pattern = ja.animate("441")
    frames = list(guessed.frames(pattern, size=(32, 24), fps=30, loops=1))
    assert {frame.shape for frame in frames} == {(24, 32, 3)}
    assert len(frames) == round(30 * pattern.duration)
    assert guessed.frame("441", size=(32, 24)).size == (32, 24)


@pytest.mark.parametrize("text", ["531", "(4x,[44x])*", "<4p|3><2|3p>", "(6x,4)*"])
def test_a_throw_has_its_prop(text: str) -> None:
    pattern = ja.animate(text)
    for throw in pattern.throws:
        velocity = pattern.prop_velocities(throw.time + 1e-7)[throw.ball]
        assert np.linalg.norm(velocity) == pytest.approx(throw.speed, rel=1e-3)
        assert pattern.motion.holders(np.array([throw.time + throw.flight / 2]))[0, throw.prop] < 0


def test_a_transition_prints_as_a_siteswap_that_opens() -> None:
    joined = next(ja.transitions("3", "51"))
    assert ja.animate(str(joined)).siteswap == str(joined) == joined.pattern


def test_an_unknown_name_is_answered_by_those_there_are() -> None:
    with pytest.raises(AttributeError, match=r"there are analyse, .*siteswap"):
        ja.animate("3").url  # noqa: B018


def test_results_are_saved_as_tables_and_as_json(tmp_path: Path) -> None:
    analysis = ja.analyse("531")
    results = {
        "analysis": analysis,
        "throws": analysis.throws,
        "hands": analysis.hands,
        "comparison": ja.compare("3", "mills mess"),
        "arms": ja.compare_arms("3", solvers=["natural", "two-link"]),
        "states": ja.state_graph(3, 4),
        "lesson": ja.lesson("3"),
        "check": ja.check("532"),
        "transition": next(ja.transitions("3", "51")),
        "parts": ja.Routine(["3", "51"]).parts,
        "hits": ja.collisions("3", radius=0.2),
    }
    for name, result in results.items():
        for ending in (".csv", ".json", ".txt"):
            path = tmp_path / (name + ending)
            assert result.save(path) == path
            assert path.stat().st_size > 1
        assert result.to_csv() == (tmp_path / f"{name}.csv").read_text(encoding="utf-8")
        assert json.loads(result.to_json())
        rows = csv.DictReader(io.StringIO(result.to_csv()))
        assert len([*rows]) == len(result.rows)
        with pytest.raises(ja.JuggleError, match=r"saved as \.csv"):
            result.save(tmp_path / "a.xyz")
        with pytest.raises(AttributeError, match=r"there are|did you mean"):
            result.qwertz  # noqa: B018


def test_hands_are_found_by_their_sides_and_statistics_are_numbers() -> None:
    hands = ja.analyse("51").hands
    assert hands["left"] is hands.left is hands[0]
    assert hands["right"] is hands[1]
    with pytest.raises(KeyError, match="there are left, right"):
        hands["middle"]
    speed = hands.left.speed
    assert float(speed) == speed.mean == speed.average
    assert f"{speed:.2f}" == f"{speed.mean:.2f}"
    assert 0 < speed < speed.rms < speed.peak == speed.max
    assert hands.left.peak_speed == speed.peak
    assert hands.left.dwell_ratio == hands.left.carries
    with pytest.raises(AttributeError, match="has no 'least_speed'"):
        hands.left.least_speed  # noqa: B018
    copied = pickle.loads(pickle.dumps(speed))
    assert (copied.peak, copied.rms, copied.mean) == (speed.peak, speed.rms, speed.mean)
    assert ja.analyse("51").to_dict()["hands"][0]["speed"]["peak"] == speed.peak


def test_a_table_has_the_patterns_by_their_names() -> None:
    table = ja.compare("3", "mills mess")
    assert table["name"] == ("3", "Mills mess")
    assert table["peak acceleration"] == table["hand_acceleration"]
    throws = ja.analyse("531").throws
    assert str(throws).splitlines()[0].split() == list(throws.rows[0])


def test_parts_of_a_routine_have_names_and_lengths() -> None:
    routine = ja.Routine([("3", 2), ("mills mess", 1)])
    assert [part.name for part in routine] == ["3", "mills mess"]
    assert [part.siteswap for part in routine] == ["3", "3"]
    part = routine[1]
    assert part.length == part.duration == part.end - part.start
    assert routine["mills mess"] == part
    assert str(routine) == "3 2 loops\nmills mess 1 loops"


def test_a_lesson_has_steps_and_is_saved(tmp_path: Path) -> None:
    lesson = ja.lesson("441")
    assert [step.title for step in lesson] == [step.title for step in lesson.steps]
    assert len(lesson) == len(lesson.steps)
    lesson.save(tmp_path / "lesson.html")
    page = (tmp_path / "lesson.html").read_text(encoding="utf-8")
    assert "<title>441</title>" in page
    assert page.count("<h2>") == len(lesson.steps) + 1  # the full pattern
    # A step is juggled as it says, while its siteswap leaves out the hand that starts, and the end.
    assert ja.animate(lesson.steps[0]).text == ja.animate(lesson.steps[0].text).text
    lesson[-1].save(tmp_path / "step.txt")
    assert ja.animate(str(tmp_path / "step.txt")).siteswap == "441"


def test_what_is_lost_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("name,siteswap,bps,notes\nSlow,3,2.5,easy\nBad,532,3,\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="line 3: average") as warned:
        patterns = ja.read(path)
    assert [str(warning.message) for warning in warned] == list(patterns.problems)
    assert "line 1: column notes is ignored" in patterns.problems
    assert (patterns[0].parameters.bps, patterns["slow"].siteswap) == (2.5, "3")
    with pytest.warns(UserWarning, match="not saved: chicken_wing") as of_writing:
        ja.write(ja.animate("4", chicken_wing=40), tmp_path / "a.pass")
    assert {warning.filename for warning in (*warned, *of_writing)} == {__file__}


def test_a_collision_begins_with_a_contact() -> None:
    hits = [ja.collisions("3", radius=radius)[0] for radius in (0.15, 0.2)]
    assert hits[1].time < hits[0].time < hits[0].deepest
    pattern = ja.animate("3")
    first, second = pattern.prop_positions(hits[1].time)[list(hits[1].balls)]
    assert np.linalg.norm(first - second) == pytest.approx(0.4, abs=1e-3)


def test_units_and_other_names_mean_what_they_say(tmp_path: Path) -> None:
    guessed: Any = ja.animate
    assert guessed("3", bpm="90bpm").bps == guessed("3", tempo=90).bps == 1.5
    assert guessed("3", gravity="9.81 m/s²").gravity == 981
    with pytest.raises(ParameterError, match="bps is"):
        guessed("3", bps="3 kg")
    throw: Any = guessed("531").throws[0]
    assert throw.landing_time == throw.catch_time
    assert throw.throw_height == throw.height
    with pytest.raises(AttributeError):
        throw.peak_time  # noqa: B018
    ja.draw("3", tmp_path / "a.svg", "multi-exposure")


def test_tables_have_columns_and_orders() -> None:
    animation = ja.animate("531", throws="underleg,-,-")
    heights = tuple(throw.height for throw in animation.throws)
    throws: Any = animation.throws
    assert throws["height"] == throws.heights == throws.height == heights
    assert "height" in throws.columns
    assert throws.to_list() == [*throws]
    with pytest.raises(KeyError, match="did you mean height"):
        throws["weight"]
    times = [throw.catch_time for throw in animation.catches]
    assert times == sorted(times)
    assert dict(animation.settings)["throws"] == animation.replace().settings["throws"] != ""
    assert len(animation.times(60)) == 60
    assert animation.velocities(0.5).shape == animation.positions(0.5).shape == (3, 3)


def test_what_numpy_and_matplotlib_have_is_taken(tmp_path: Path) -> None:
    animation = ja.animate("3", colors=[(1, 0, 0), (0, 0, 255)])
    assert np.array_equal(animation.prop_colours[:2], [[1, 0, 0], [0, 0, 1]])
    assert "<svg" in animation.plot()
    assert animation.plot(tmp_path / "a.svg").exists()
    assert animation.savefig(tmp_path / "b.png", size=(32, 24))
    assert animation.set(bps=3).settings == animation.replace(bps=3).settings
    guessed: Any = ja
    assert tuple(ja.library) == guessed.PATTERNS
    assert (guessed.PROPS[0], guessed.version) == ("ball", ja.__version__)
    assert ja.SETTINGS.bps is ja.SETTINGS["bps"]
    assert ja.animate("3", prop="pins,torches").score.staging.props.kinds == ("club",)
    assert ja.library[0].title == next(iter(ja.library))
    with pytest.raises(KeyError, match="did you mean Cascade"):
        ja.library["cascde"]


def test_films_end_at_a_time_and_data_frames_name_their_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ja.export("3", tmp_path / "frames", start=0.2, end=0.6, fps=10, size=(32, 24))
    assert len(list((tmp_path / "frames").glob("*.png"))) == 4
    monkeypatch.setattr("juggle_anim.parameters.find_spec", lambda name: None)
    with pytest.raises(ParameterError, match="pip install pandas"):
        ja.compare("3", "51").to_dataframe()
