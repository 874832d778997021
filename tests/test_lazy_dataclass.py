"""Lazy data classes are those of the standard library, whatever is done with them first."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from threading import Barrier
from types import ModuleType
from typing import Any

import pytest

import juggle_anim
from juggle_anim.lazy_dataclass import dataclass


def made() -> tuple[type[Any], type[Any]]:
    """A class that nobody has used yet, and one that inherits from it."""

    @dataclass(frozen=True)
    class Ball:
        """A ball."""

        colour: str
        radius: float = 3.5
        marks: list[str] = field(default_factory=list, compare=False)

        @cached_property
        def width(self) -> float:
            return 2 * self.radius

    @dataclass(frozen=True)
    class Stage(Ball):
        price: int = 0

    return Ball, Stage


@pytest.mark.parametrize(
    "use",
    [
        lambda ball, stage: ball("red"),
        lambda ball, stage: stage("red"),
        lambda ball, stage: fields(ball),
        lambda ball, stage: fields(stage),
        lambda ball, stage: is_dataclass(stage),
    ],
)
def test_classes_are_what_they_would_have_been_at_once(use: Callable[[Any, Any], Any]) -> None:
    ball, stage = made()
    use(ball, stage)
    red = ball("red")
    assert (red.radius, red.marks, red.width) == (3.5, [], 7.0)
    assert repr(red).endswith("Ball(colour='red', radius=3.5, marks=[])")
    assert red == ball("red", marks=["x"])
    assert hash(red) == hash(ball("red"))
    assert replace(red, radius=2.0) == ball("red", 2.0)
    with pytest.raises(FrozenInstanceError):
        red.radius = 1.0
    with pytest.raises(TypeError):
        ball()
    assert [entry.name for entry in fields(stage)] == ["colour", "radius", "marks", "price"]
    assert stage("red", price=3) != stage("red")
    assert ball.__match_args__ == ("colour", "radius", "marks")


@dataclass(frozen=True)
class Pin:
    height: float


@dataclass
class Counter:
    count: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counter)


def test_an_object_from_elsewhere_finishes_its_class() -> None:
    # As a worker process receives it, whose class has made no object yet.
    pin = object.__new__(Pin)
    pin.__dict__["height"] = 52.0
    other = copy.copy(pin)
    assert repr(other) == "Pin(height=52.0)"
    assert {pin, other, pickle.loads(pickle.dumps(pin))} == {Pin(52.0)}
    assert dataclasses.asdict(pin) == {"height": 52.0}


def test_methods_of_the_class_itself_stay() -> None:
    counter = Counter(1)
    counter.count = 4
    assert counter == Counter(2)
    assert Counter.__hash__ is None


def test_the_first_object_is_matched_by_its_fields() -> None:
    ball, _stage = made()
    match ball("red", 2.0):
        case ball(colour, radius):
            assert (colour, radius) == ("red", 2.0)
        case _:
            pytest.fail("it is a ball")


PACKAGES = [
    package.name
    for package in walk_packages(juggle_anim.__path__, "juggle_anim.")
    if package.ispkg and hasattr(import_module(package.name), "__all__")
]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_offers_what_it_says_and_no_module_of_the_same_name(package: str) -> None:
    module = import_module(package)
    offered = {name: getattr(module, name) for name in module.__all__}
    assert not [name for name, value in offered.items() if isinstance(value, ModuleType)]
    # A module takes the place of a name that is looked up later.
    later = [name for name in offered if name not in vars(module)]
    assert not [name for name in later if (Path(module.__path__[0]) / f"{name}.py").exists()]


def test_a_package_knows_no_other_names() -> None:
    with pytest.raises(AttributeError, match=r"'juggle_anim.pattern' has no attribute 'nothing'"):
        import_module("juggle_anim.pattern").nothing  # noqa: B018


def test_threads_that_use_a_class_first_at_the_same_time_all_find_it_whole() -> None:
    """Plans are made beside the window, of classes that the window uses, too."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(30):
                _ball, stage = made()
                barrier = Barrier(4)

                def use(
                    number: int, stage: type[Any] = stage, barrier: Barrier = barrier
                ) -> tuple[object, ...]:
                    barrier.wait()
                    stages = [stage("red", price=number) for _ in range(30)]
                    with pytest.raises(FrozenInstanceError):
                        stages[0].price = 1
                    equal = stages[0] == stages[1], hash(stages[0]) == hash(stages[1])
                    return (*equal, repr(stages[0]).endswith(f"price={number})"))

                assert set(pool.map(use, range(4))) == {(True, True, True)}
    finally:
        sys.setswitchinterval(interval)
