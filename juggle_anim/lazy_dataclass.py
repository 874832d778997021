"""Data classes whose methods are made when they are needed.

`dataclasses.dataclass` compiles six methods for each class, which takes a third of the time in
which this package is imported, and most runs use few of its classes, and make few objects of most
of these. This decorator puts that off; in all else its classes are those of the standard library,
as which type checkers see them.

A repr of one line for dataclasses that hold arrays and long tables, and packages that import what
they offer at its first use.
"""

from __future__ import annotations

import dataclasses
from importlib import import_module
from itertools import repeat
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Make a class a data class at its first use, and not now, which takes time.

        Until then stand-ins have the names of the methods that `dataclasses` compiles; the first
        one that is called lets it compile all.

        Args:
            cls: the class; None where the decorator is called with options.
            options: of `dataclasses.dataclass`.
        """
        if cls is None:
            return lambda decorated: dataclass(decorated, **options)
        unfinished = _Unfinished(cls, options)
        names = ["__init__", "__repr__", "__eq__", "__hash__"]
        if options.get("frozen"):
            names += ["__setattr__", "__delattr__"]
        for name in names:
            # A method that the class itself defines is kept, or replaced, as the options have it.
            if name not in cls.__dict__:
                unfinished.put(name, _method(unfinished, name))
        if set(options) <= {"frozen", "eq", "repr"} and unfinished.has_plain_fields:
            unfinished.put("__init__", _plain_init(unfinished))
            # Its objects are told apart by their fields in `match`, too.
            if "__match_args__" not in cls.__dict__:
                unfinished.put("__match_args__", tuple(cls.__annotations__))
        unfinished.put(_FIELDS, unfinished)
        return cls


_FIELDS = "__dataclass_fields__"  # the attribute in which data classes have their fields

_OF_TYPE = "__dict__", "__weakref__"  # attributes that each class gets of its own

_LOCK = RLock()  # of all classes, since one that is compiled may let its bases be compiled

# So many objects of a class are made without compiled methods: compiling takes as long as that
# saves with about 300 of them.
_FEW = 100


class _Unfinished:
    """A class that is no data class yet, and what stands in for its methods.

    As the class's attribute `__dataclass_fields__` it also serves functions that ask for its
    fields, and the data classes that inherit from it.
    """

    def __init__(self, cls: type, options: dict[str, bool]) -> None:
        self.cls = cls
        self._options = options
        self._stand_ins: set[str] = set()

    def put(self, name: str, stand_in: object) -> None:
        """Put something in the place of an attribute that the data class will have."""
        setattr(self.cls, name, stand_in)
        self._stand_ins.add(name)

    @property
    def has_plain_fields(self) -> bool:
        """Whether an object is made from one argument for each annotation, in their order.

        Then `_plain_init` can make the first objects, before the class has its compiled `__init__`.
        """
        has_own_init = "__init__" not in self._stand_ins
        inherits_fields = any(hasattr(base, _FIELDS) for base in self.cls.__bases__)
        has_class_variables = any("ClassVar" in text for text in self.cls.__annotations__.values())
        # Declared with `field(...)`; those with `init=False` or `kw_only=...` are no such argument.
        declared = [v for v in vars(self.cls).values() if isinstance(v, dataclasses.Field)]
        are_arguments = all(v.init and v.kw_only is dataclasses.MISSING for v in declared)
        return are_arguments and not (has_own_init or inherits_fields or has_class_variables)

    def finish(self) -> None:
        """Make the class a data class, unless it is one already.

        Other threads may use the class meanwhile, so it has a working method at any moment: a copy
        of the class is compiled, whose methods then replace the stand-ins one by one.
        """
        with _LOCK:
            if not self._stand_ins:
                return
            own = vars(self.cls)
            kept = {name: own[name] for name in own if name not in {*self._stand_ins, *_OF_TYPE}}
            compiled = type(self.cls)(self.cls.__name__, self.cls.__bases__, kept)
            dataclasses.dataclass(compiled, **self._options)
            attributes = {n: v for n, v in vars(compiled).items() if n not in _OF_TYPE}
            for name, value in attributes.items():
                if own.get(name) is value:
                    continue
                # Methods of a frozen class refer to it, which is the copy so far.
                for cell in getattr(value, "__closure__", None) or ():
                    if cell.cell_contents is compiled:
                        cell.cell_contents = self.cls
                setattr(self.cls, name, value)
            # Fields that were declared without a default are no attributes of a data class.
            for name in {*kept, *self._stand_ins} - attributes.keys():
                delattr(self.cls, name)
            self._stand_ins.clear()

    def __get__(self, instance: object, owner: type) -> dict[str, dataclasses.Field[Any]]:
        """Return the fields of the class, or of one that inherits from it."""
        self.finish()
        fields: dict[str, dataclasses.Field[Any]] = getattr(owner, _FIELDS)
        return fields


def _method(unfinished: _Unfinished, name: str) -> Any:
    """Return a method that finishes the class, and calls the one that it then has."""

    def method(self: object, *arguments: Any, **keywords: Any) -> Any:
        unfinished.finish()
        return getattr(unfinished.cls, name)(self, *arguments, **keywords)

    return method


def _plain_init(unfinished: _Unfinished) -> Any:
    """Return an `__init__` for the first few objects of a class with plain fields.

    A class of which few objects are made never pays for compiling its methods.

    Args:
        unfinished: the class, whose data class methods are not compiled yet.
    """
    cls = unfinished.cls
    names = tuple(cls.__annotations__)
    # The stand-in that lets the class be compiled, and then calls the compiled method.
    finishing = _method(unfinished, "__init__")
    # For each field with a default a function that returns it.
    factories: dict[str, Any] = {}
    for name in names:
        entry: Any = getattr(cls, name, dataclasses.MISSING)
        if not isinstance(entry, dataclasses.Field):
            entry = dataclasses.field(default=entry)
        if entry.default_factory is not dataclasses.MISSING:
            factories[name] = entry.default_factory
        elif entry.default is not dataclasses.MISSING:
            # An endless iterator over the default: each call gives it once more.
            factories[name] = repeat(entry.default).__next__
    after = getattr(cls, "__post_init__", None)
    objects = 0

    def plain_init(self: object, *arguments: Any, **keywords: Any) -> None:
        """Set the fields, as the compiled method would; after a few objects, let that do it."""
        nonlocal objects
        objects += 1
        given = dict(zip(names, arguments, strict=False))
        given.update(keywords)
        values = {
            name: given.pop(name) if name in given else factories[name]()
            for name in names
            if name in given or name in factories
        }
        # Arguments that are not exactly one for each field are left to the compiled method, which
        # refuses them with the usual error.
        one_each = len(values) == len(names) and not given
        given_twice = any(name in keywords for name in names[: len(arguments)])
        if objects > _FEW or not one_each or given_twice:
            finishing(self, *arguments, **keywords)
            return
        vars(self).update(values)
        if after:
            after(self)

    return plain_init


_FEW_ITEMS = 3  # of a sequence; of a longer one their number is shown
_SHORT = 40  # characters of a value; of a longer one its type is shown


def set_cached(instance: object, **values: object) -> None:
    """Set cached properties of an object, frozen or not, so that they are not computed again."""
    vars(instance).update(values)


def drop_cached(instance: object, *names: str) -> None:
    """Drop cached properties of an object, which are computed again when they are asked for."""
    for name in names:
        vars(instance).pop(name, None)


class ShortRepr:
    """A dataclass whose repr is one line, with shapes in place of arrays.

    It is declared with `repr=False`.
    """

    def __repr__(self) -> str:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        shown = (
            f"{field.name}={_short(getattr(self, field.name))}" for field in fields if field.repr
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def _short(value: object) -> str:
    """Return a short text for the value of a field: its repr, or else shape, length or type."""
    kind = type(value).__name__
    shape = getattr(value, "shape", None)
    if shape is not None:  # an array; numpy is not imported for texts that have none
        return f"<{kind} {'×'.join(map(str, shape))}>"
    if isinstance(value, tuple | list) and len(value) > _FEW_ITEMS:
        return f"<{len(value)} {type(value[0]).__name__}>"
    if isinstance(value, str) and len(value) > _SHORT:
        return repr(f"{value[:_SHORT]}…")
    if isinstance(value, ShortRepr):
        # Its own repr lists all of its fields, too much for a field of another one.
        return f"<{kind}>"
    text = repr(value)
    return text if len(text) <= _SHORT else f"<{kind}>"


def imported_at_first_use(
    package: str, homes: Mapping[str, Collection[str]]
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that imports its modules when their names are used.

    Args:
        package: full name of the package.
        homes: for each module of the package, by its name, the names that it defines. None of these
            may be the name of a module in the package, since importing that module would make it
            the value of the name.
    """

    def imported(name: str) -> Any:
        for home, names in homes.items():
            if name in names:
                return getattr(import_module(f"{package}.{home}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return imported
