"""A reader of BVH that shares nothing with the writer: it plays every channel in the order in which
the file has it.
"""

from dataclasses import dataclass, field

import numpy as np

from juggle_anim.arrays import Floats

AXES = {"X": 0, "Y": 1, "Z": 2}


@dataclass
class Bone:
    name: str
    parent: int
    offset: list[float] = field(default_factory=list)
    channels: list[str] = field(default_factory=list)


@dataclass
class Bvh:
    bones: list[Bone]
    frame_time: float
    rows: Floats

    def places(self) -> dict[str, Floats]:
        """Where each bone begins, shape (frames, 3); the end of a branch has the name of its last
        bone, and _end.
        """
        turns: list[Floats] = []
        places: list[Floats] = []
        column = 0
        for bone in self.bones:
            place = np.tile(bone.offset, (len(self.rows), 1))
            turn = np.broadcast_to(np.eye(3), (len(self.rows), 3, 3))
            for channel in bone.channels:
                value = self.rows[:, column]
                column += 1
                if channel.endswith("position"):
                    place[:, AXES[channel[0]]] += value
                else:
                    turn = turn @ about(AXES[channel[0]], np.radians(value))
            if bone.parent >= 0:
                place = places[bone.parent] + np.einsum("tab,tb->ta", turns[bone.parent], place)
                turn = turns[bone.parent] @ turn
            places.append(place)
            turns.append(turn)
        assert column == self.rows.shape[1]
        return {bone.name: place for bone, place in zip(self.bones, places, strict=True)}


def read_bvh(text: str) -> Bvh:
    words = iter(text.split())
    assert next(words) == "HIERARCHY"
    bones: list[Bone] = []
    above: list[int] = []
    for word in words:
        match word:
            case "ROOT" | "JOINT":
                bones.append(Bone(next(words), above[-1] if above else -1))
            case "End":
                assert next(words) == "Site"
                bones.append(Bone(f"{bones[above[-1]].name}_end", above[-1]))
            case "{":
                above.append(len(bones) - 1)
            case "}":
                above.pop()
            case "OFFSET":
                bones[-1].offset = [float(next(words)) for _ in range(3)]
            case "CHANNELS":
                bones[-1].channels = [next(words) for _ in range(int(next(words)))]
            case "MOTION":
                break
            case _:
                raise AssertionError(word)
    assert not above
    assert next(words) == "Frames:"
    frames = int(next(words))
    assert (next(words), next(words)) == ("Frame", "Time:")
    frame_time = float(next(words))
    return Bvh(bones, frame_time, np.array([float(word) for word in words]).reshape(frames, -1))


def about(axis: int, angle: Floats) -> Floats:
    """Rotations about an axis of the world, shape (frames, 3, 3)."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turn = np.zeros((len(angle), 3, 3))
    turn[:, axis, axis] = 1.0
    turn[:, first, first] = turn[:, second, second] = np.cos(angle)
    turn[:, second, first], turn[:, first, second] = np.sin(angle), -np.sin(angle)
    return turn
