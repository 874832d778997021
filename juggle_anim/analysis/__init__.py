"""Analysis: what a pattern asks of hands, arms and props, in figures and in plots."""

from juggle_anim.analysis.analyse import (
    Analysis,
    analyse,
    as_data,
    as_text,
    collision_text,
    collision_words,
    who_meet,
)
from juggle_anim.analysis.collisions import (
    ARM_OF,
    PARTS,
    BodyPairs,
    Collisions,
    find_collisions,
)
from juggle_anim.analysis.encounters import (
    RoundCones,
    find_encounters,
    round_cones_distance,
    time_grid,
)
from juggle_anim.analysis.measures import Flight
from juggle_anim.analysis.plots import (
    ArmComparison,
    arms_data,
    arms_text,
    check_plots,
    compare_arms,
    write_arms,
    write_plots,
)
from juggle_anim.analysis.prop_solids import (
    PropPairs,
    PropSolids,
)

__all__ = [
    "ARM_OF",
    "PARTS",
    "Analysis",
    "ArmComparison",
    "BodyPairs",
    "Collisions",
    "Flight",
    "PropPairs",
    "PropSolids",
    "RoundCones",
    "analyse",
    "arms_data",
    "arms_text",
    "as_data",
    "as_text",
    "check_plots",
    "collision_text",
    "collision_words",
    "compare_arms",
    "find_collisions",
    "find_encounters",
    "round_cones_distance",
    "time_grid",
    "who_meet",
    "write_arms",
    "write_plots",
]
