"""Settings strings such as `pattern=531;dwell=1`: reading and writing."""

from typing import TYPE_CHECKING

from juggle_anim.lazy_dataclass import imported_at_first_use

if TYPE_CHECKING:
    from juggle_anim.notation.settings.moves import (
        STANDING,
        STYLES,
        first_place,
        read_body,
        read_hands,
    )
    from juggle_anim.notation.settings.settings import (
        Settings,
        parameter_texts,
        read_parameters,
        read_settings,
        with_settings,
        write_parameters,
        write_settings,
    )
    from juggle_anim.notation.settings.staging import (
        DEFAULT_COLOUR,
        MAX_SPINS,
        Colour,
        body_throws,
        braced_text,
        css_colours,
        hex_colour,
        hex_text,
        prop_style,
        read_colour,
        read_colours,
        read_spins,
        read_staging,
        shortest_period,
        staging_texts,
        write_body,
        write_hands,
        write_spins,
    )
    from juggle_anim.notation.settings.syntax import (
        Setting,
        escaped,
        has_other_names,
    )

__all__ = [
    "DEFAULT_COLOUR",
    "MAX_SPINS",
    "STANDING",
    "STYLES",
    "Colour",
    "Setting",
    "Settings",
    "body_throws",
    "braced_text",
    "css_colours",
    "escaped",
    "first_place",
    "has_other_names",
    "hex_colour",
    "hex_text",
    "parameter_texts",
    "prop_style",
    "read_body",
    "read_colour",
    "read_colours",
    "read_hands",
    "read_parameters",
    "read_settings",
    "read_spins",
    "read_staging",
    "shortest_period",
    "staging_texts",
    "with_settings",
    "write_body",
    "write_hands",
    "write_parameters",
    "write_settings",
    "write_spins",
]

# Imported when first used: other notations need the syntax alone.
__getattr__ = imported_at_first_use(
    __name__,
    {
        "moves": (
            "STANDING",
            "STYLES",
            "first_place",
            "read_body",
            "read_hands",
        ),
        "settings": (
            "Settings",
            "parameter_texts",
            "read_parameters",
            "read_settings",
            "with_settings",
            "write_parameters",
            "write_settings",
        ),
        "staging": (
            "DEFAULT_COLOUR",
            "MAX_SPINS",
            "Colour",
            "body_throws",
            "braced_text",
            "css_colours",
            "hex_colour",
            "hex_text",
            "prop_style",
            "read_colour",
            "read_colours",
            "read_spins",
            "read_staging",
            "shortest_period",
            "staging_texts",
            "write_body",
            "write_hands",
            "write_spins",
        ),
        "syntax": (
            "Setting",
            "escaped",
            "has_other_names",
        ),
    },
)
