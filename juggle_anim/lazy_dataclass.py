"""Data classes whose methods are made when the first of their objects is.

`dataclasses.dataclass` compiles six methods for each class, which takes a third of the time in
which this package is imported, and most runs use few of its classes. This decorator puts that off;
in all else its classes are those of the standard library, as which type checkers see them.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

_FIELDS = "__dataclass_fields__"  # the attribute in which data classes have their fields

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Make a class a data class, at its first use.

        Args:
            cls: the class; None where the decorator is called with options.
            options: of `dataclasses.dataclass`.
        """
        if cls is None:
            return lambda decorated: dataclass(decorated, **options)
        unfinished = _Unfinished(cls, options)
        for name in ("__init__", "__repr__", "__eq__", "__hash__"):
            # A method that the class itself defines is kept, or replaced, as the options have it.
            if name not in cls.__dict__:
                unfinished.put(name, _method(unfinished, name))
        unfinished.put(_FIELDS, unfinished)
        return cls


class _Unfinished:
    """A class that is no data class yet, and what stands in for its methods.

    As the class's attribute `__dataclass_fields__` it also serves functions that ask for its
    fields, and the data classes that inherit from it.
    """

    def __init__(self, cls: type, options: dict[str, bool]) -> None:
        self.cls = cls
        self._options = options
        self._stand_ins: list[str] = []

    def put(self, name: str, stand_in: object) -> None:
        """Put something in the place of an attribute that the data class will have."""
        setattr(self.cls, name, stand_in)
        self._stand_ins.append(name)

    def finish(self) -> None:
        """Make the class a data class, unless it is one already."""
        if not self._stand_ins:
            return
        for name in self._stand_ins:
            delattr(self.cls, name)
        self._stand_ins.clear()
        dataclasses.dataclass(self.cls, **self._options)

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
