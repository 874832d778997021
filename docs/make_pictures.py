"""Make the pictures of the documentation from the program itself; the viewer needs a display
(xvfb-run will do).
"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from diagram_pictures import all_pictures as diagrams
from elbow_pictures import all_pictures as elbows
from PIL import Image
from small_picture import write_small
from viewer_pictures import all_pictures as viewer

from juggle_anim.animation import animate
from juggle_anim.api import analyse, optimise
from juggle_anim.body import Joint
from juggle_anim.exporter.view import FREE_VIEW, compose
from juggle_anim.parameters import BODY_CATCH_NAMES, BODY_THROW_NAMES
from juggle_anim.prints import print_variations
from juggle_anim.render import Offscreen
from juggle_anim.routine import Routine
from juggle_anim.scene.framing import Framing, frame_above_floor
from juggle_anim.variants import vary
from juggle_anim.vectors import as_point

IMAGES = Path(__file__).parent / "images"
ANGLES = range(-15, 105, 15)
SHEETS = ("3", "4", "5", "7", "531", "Mills mess", "Crossed-arm cascade")
PEOPLE = ("3", 0.3, 0.3, 0.03), ("<3p|3p|3p|3p|3p|3p><3|3|3|3|3|3>", 0.2, 0.35, 0.2)
LIVE_TIMES = np.array([1.9, 2.2, 2.7, 3.05, 3.27, 3.45, 3.75, 4.3])
PHASES, CELL = 8, (105, 190)
GALLERY = {
    "columns": (
        *("One-up two-up", "Infinity", "Reverse infinity"),
        *("Columns under an arch", "Crossunder", "Crossed-arm columns"),
    ),
    "carries": ("Factory", "Pendulum drop", "Inverted shower", "Takeouts", "Weave", "Yo-yo"),
    "messes": (
        "Mills mess",
        "Boston mess",
        "Windmill",
        "Burke's barrage",
        "Rubenstein's revenge",
        "Orka's mess",
    ),
    "flourishes": (
        *("Figure eight", "Crossed-arm factory", "Reverse factory"),
        *("Slow shuffle", "Penman's box", "Georgian shuffle"),
    ),
    "weaves": (
        *("Relf's factory", "Relf's revenge 6", "Penman's pandemonium"),
        *("Frances", "Sandbox shuffle", "Flo's mess"),
    ),
    "slams": (
        "Levels",
        "Burst box",
        "Burke's slam",
        "Peter's shuffle",
        "Eriksson's shuffle",
        "Mangham's mangle",
    ),
    "claws": (
        "Claw cascade",
        "Snatch cascade",
        "Claw columns",
        "N-box",
        "Underarm box",
        "Boston shuffle",
    ),
}
# Pictures to hang up: text, and whether they are upright; when and from where is chosen for each.
TO_HANG_UP = (
    ("pattern=Mills mess;people=2", False),
    ("pattern=5;prop=club;stage=gym;people=4", True),
    ("pattern=<3p|3p><3|3>;prop=club;stage=dark;people=8,5", False),
    ("<3p|3p|3p|3p|3p|3p><3|3|3|3|3|3>", False),
    ("pattern=97531;people=5;framing=whole", True),
    ("pattern=7;prop=ring;stage=dark;people=9;framing=whole", True),
    ("pattern=3;prop=club;throws=backcross;stage=gym;people=10", True),
    ("pattern=3;stage=dark;people=6", False),
    ("pattern=3;throws=underleg,-;people=3", True),
    ("pattern=4;prop=club;people=1", True),
)
# What pictures of people were criticised for: text, share of the loop, the joint in the middle,
# height of the picture [m], azimuth and elevation [°].
FAULTS = (
    ("pattern=3;throws=albert,-", 0.0, Joint.PELVIS, 1.9, -80.0, 8.0),
    ("pattern=3;throws=underleg,-", 0.0, Joint.LEFT_KNEE, 1.5, 35.0, 4.0),
    ("3", 0.25, Joint.HEAD, 0.46, -30.0, 3.0),
    ("531", 0.9, Joint.LEFT_ANKLE, 0.7, 30.0, 14.0),
    ("531", 0.9, Joint.CHEST, 1.0, 160.0, 5.0),
    ("pattern=3;stage=gym", 0.4, Joint.PELVIS, 2.4, 18.0, 5.0),
)
FAULT_SIZE = (220, 260)  # pixels
A4 = (3508, 2480)  # pixels, at 300 an inch
MOMENTS, UPPER = (
    6,
    (slice(6, 150), slice(36, 154)),
)  # the rows and columns of a picture in which people and props are
SIDES, BESIDE = (0.0, -np.pi / 2, np.pi), (130, 220)
JUST, REACH = 0.03, 0.5  # s from a throw or catch; m to the sides of a body


def chicken_wings() -> None:
    """One moment of the cascade at eight chicken-wing angles, side by side."""
    animation = animate("3")
    camera = animation.camera(0.62)
    with Offscreen(210, 340) as offscreen:
        pictures = [
            offscreen.image(animation.replace(chicken_wing=angle).scene(0.2, camera))
            for angle in ANGLES
        ]
    Image.fromarray(np.concatenate(pictures, axis=1)).save(
        IMAGES / "chicken_wing.png", optimize=True
    )


def people() -> None:
    """One juggler, and six who pass; `people_before.png` is what an earlier version drew of the
    same.
    """
    with Offscreen(520, 390) as offscreen:
        pictures = []
        for pattern, time, azimuth, elevation in PEOPLE:
            animation = animate(pattern)
            camera = animation.camera(520 / 390, azimuth, elevation=elevation)
            pictures.append(offscreen.image(animation.scene(time, camera)))
    Image.fromarray(np.concatenate(pictures, axis=1)).save(IMAGES / "people.png", optimize=True)


def contact_sheets() -> None:
    """Eight phases of a loop, from the front above and from the juggler's left below, for each
    of some patterns.
    """
    with Offscreen(*CELL) as offscreen:
        for pattern in SHEETS:
            animation = animate(pattern)
            rows = []
            for azimuth in (0.0, np.pi / 2):
                camera = animation.camera(CELL[0] / CELL[1], azimuth, elevation=0.06)
                times = np.arange(PHASES) * (animation.duration / PHASES)
                rows.append(
                    np.concatenate(
                        [offscreen.image(animation.scene(time, camera)) for time in times], axis=1
                    )
                )
            write_small(
                np.concatenate(rows, axis=0),
                IMAGES / f"contact_{pattern.lower().replace(' ', '_')}.png",
            )


def gallery() -> None:
    """Moments of named tricks, a row for each, from the front and half of them from the
    juggler's left.
    """
    with Offscreen(190, 280) as offscreen:
        for family, names in GALLERY.items():
            rows = []
            for name in names:
                animation = animate(name, colors="mixed", paths="arcs")
                times = np.arange(MOMENTS) * (animation.duration / MOMENTS)
                rows.append([])
                for azimuth, some in ((0.0, times), (np.pi / 2, times[::2])):
                    camera = animation.camera(190 / 280, azimuth, elevation=0.06)
                    rows[-1] += [
                        offscreen.image(animation.scene(time, camera))[UPPER] for time in some
                    ]
            write_small(
                np.concatenate([np.concatenate(row, axis=1) for row in rows]),
                IMAGES / f"gallery_{family}.png",
            )


def to_hang_up() -> None:
    """All pictures of `TO_HANG_UP`, a tenth as large as on A4: a row upright, and a row across."""
    long, short = (edge // 10 for edge in A4)
    rows: dict[bool, list[Image.Image]] = {True: [], False: []}
    for text, is_upright in TO_HANG_UP:
        width, height = (short, long) if is_upright else (long, short)
        animation = animate(text, paths="arcs")
        view, time = compose(animation, FREE_VIEW, None, width / height)
        camera = view.camera(animation, width / height)
        with Offscreen(2 * width, 2 * height) as offscreen:
            picture = Image.fromarray(offscreen.image(animation.scene(time, camera)))
        rows[is_upright].append(picture.resize((width, height)))
    sheet = Image.new("RGB", (len(rows[True]) * short, long + short), "white")
    for top, row in ((0, rows[True]), (long, rows[False])):
        room = (sheet.width - sum(picture.width for picture in row)) // 2
        for number, picture in enumerate(row):
            sheet.paste(picture, (room + number * picture.width, top))
    sheet.save(IMAGES / "gallery_to_hang_up.png", optimize=True)


def faults() -> None:
    """Close pictures of `FAULTS`; `faults_before.png` is what an earlier version drew."""
    width, height = FAULT_SIZE
    field_of_view = np.radians(20.0)
    pictures = []
    with Offscreen(2 * width, 2 * height) as offscreen:
        for text, share, joint, size, azimuth, elevation in FAULTS:
            animation = animate(text)
            scene = animation.scene(share * animation.duration)
            framing = Framing(
                width / height, np.radians(azimuth), np.radians(elevation), field_of_view
            )
            back = framing.axes()[2]
            target = scene.bodies[0, joint]
            eye = target + size / 2 / np.tan(field_of_view / 2) * back
            camera = replace(
                scene.camera,
                eye=as_point(eye),
                target=as_point(target),
                field_of_view=field_of_view,
            )
            # Eyes are open, and nothing is marked at the edge.
            scene = replace(scene, camera=camera, lids=0.0 * scene.lids, flying=scene.flying[:0])
            pictures.append(Image.fromarray(offscreen.image(scene)).resize(FAULT_SIZE))
    Image.fromarray(np.concatenate(list(map(np.asarray, pictures)), axis=1)).save(
        IMAGES / "faults.png", optimize=True
    )


def around_the_body() -> None:
    """Each throw and catch around the body of a right hand, from the front, from its side and
    from behind.
    """
    with Offscreen(*BESIDE) as offscreen:
        for key, words in (("throws", BODY_THROW_NAMES), ("catches", BODY_CATCH_NAMES)):
            for word in words:
                said = f"{word},-" if key == "throws" else f"palm|{word}"
                animation = animate("3", **{key: said}, paths="flying")
                events = animation.choreography.events
                time = float(events.time[events.manners[:, 1] > 0][0]) + (
                    JUST if key == "throws" else -JUST
                )
                # Floor and heads alike in all of them; throws may leave the picture.
                corners = np.array([(-REACH, -0.08, -REACH), (REACH, 2.25, REACH)])
                scenes = (
                    animation.scene(
                        time,
                        frame_above_floor(
                            corners,
                            0.0,
                            Framing(BESIDE[0] / BESIDE[1], side, 0.06, np.radians(24.0)),
                        ),
                    )
                    for side in SIDES
                )
                write_small(
                    np.concatenate([*map(offscreen.image, scenes)], axis=1),
                    IMAGES / f"{key}_{word}.png",
                )


def variations() -> None:
    """Nine versions of a pattern."""
    with TemporaryDirectory() as folder:
        path = print_variations(
            vary(animate("531"), "throws", seed=3), Path(folder) / "sheet.png", size=(900, 1200)
        )
        with Image.open(path) as sheet:
            write_small(np.asarray(sheet.convert("RGB")), IMAGES / "variations.png")


def more_room() -> None:
    """A pattern whose balls collide, and the same with more room, at the moment of a collision,
    from the front.
    """
    before = animate("561")
    hit = analyse(before).collisions[0]
    pair = [each.replace(paths="throws") for each in (before, optimise(before).animation)]
    camera = frame_above_floor(*pair[1].extent, Framing(0.7, 0.0, 0.05, np.radians(24.0)))
    with Offscreen(392, 560) as offscreen:
        pictures = [offscreen.image(each.scene(hit.time, camera)) for each in pair]
    write_small(np.concatenate(pictures, axis=1), IMAGES / "optimise.png")


def live() -> None:
    """Moments of a change from three balls to four."""
    routine = Routine.through(["3", "4"], seconds=2.0)
    camera = routine.parts[-1].animation.camera(0.62)
    with Offscreen(210, 340) as offscreen:
        pictures = [offscreen.image(scene) for scene in routine.scenes(LIVE_TIMES, camera)]
    Image.fromarray(np.concatenate(pictures, axis=1)).save(IMAGES / "live.png", optimize=True)


def stands() -> None:
    """Moments of a routine in which a ball is picked up from a stand and put down there again."""
    routine = animate("cascade 8 catches\n4-ball fountain 12 catches\ncascade 6 catches\n")
    flights, events = routine.choreography.flights, routine.choreography.events
    (lies,) = np.flatnonzero([style.rests for style in flights.style]).tolist()
    down, up = (float(events.time[each[lies]]) for each in (flights.throw, flights.catch))
    camera = routine.camera(0.62, azimuth=np.radians(24.0), headroom=0.45)
    with Offscreen(210, 340) as offscreen:
        times = (up - 0.2, up, up + 0.14, up + 0.28, down - 0.12, down + 0.02, down + 0.3)
        pictures = [offscreen.image(routine.scene(time, camera)) for time in times]
    write_small(np.concatenate(pictures, axis=1), IMAGES / "routine_stand.png")


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    chicken_wings()
    contact_sheets()
    gallery()
    to_hang_up()
    faults()
    people()
    around_the_body()
    live()
    stands()
    variations()
    more_room()
    elbows()
    diagrams()
    viewer()
