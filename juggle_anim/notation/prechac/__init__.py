"""Prechac notation: passing patterns read and written."""

from typing import TYPE_CHECKING

from juggle_anim.lazy_dataclass import imported_at_first_use
from juggle_anim.notation.prechac.respelling import (
    NUMBER_OF_JUGGLERS,
    has_labelled_sides,
    is_prechac,
    may_be_prechac,
    number_of_jugglers,
    respellings,
    with_sides,
)

if TYPE_CHECKING:
    from juggle_anim.notation.prechac.parser import (
        SearchBudget,
        fitted_value,
        nearest_fraction,
        nearest_value,
        read_delay,
    )
    from juggle_anim.notation.prechac.read import read_prechac
    from juggle_anim.notation.prechac.write import (
        with_own_text,
        write_prechac,
    )

__all__ = [
    "NUMBER_OF_JUGGLERS",
    "SearchBudget",
    "fitted_value",
    "has_labelled_sides",
    "is_prechac",
    "may_be_prechac",
    "nearest_fraction",
    "nearest_value",
    "number_of_jugglers",
    "read_delay",
    "read_prechac",
    "respellings",
    "with_own_text",
    "with_sides",
    "write_prechac",
]

# Few patterns are in prechac notation.
__getattr__ = imported_at_first_use(
    __name__,
    {
        "parser": (
            "SearchBudget",
            "fitted_value",
            "nearest_fraction",
            "nearest_value",
            "read_delay",
        ),
        "read": ("read_prechac",),
        "write": (
            "with_own_text",
            "write_prechac",
        ),
    },
)
