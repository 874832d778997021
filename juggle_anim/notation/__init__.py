"""Notation: patterns read from texts and files, written, searched and checked."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from juggle_anim.notation.beats import BeatText, Span, beat_at, beat_text
    from juggle_anim.notation.body_tricks import spaced_throws, spaced_word
    from juggle_anim.notation.facts import (
        Check,
        Facts,
        bounce_advice,
        check,
        check_all,
        check_completions,
        dual_cycle,
        fact_lines,
        facts_of,
        inverse_cycle,
        orbit_values,
    )
    from juggle_anim.notation.files import (
        FileReference,
        broken_entry_error,
        decoded_text,
        find_file_reference,
        open_first,
        open_pattern,
        open_patterns,
        read_exported,
        read_file,
        read_stream,
        read_text,
        record_of,
        shown_path,
        write_file,
        write_found,
        write_patterns,
        write_routine,
    )
    from juggle_anim.notation.hand_siteswap import read_hand_siteswap
    from juggle_anim.notation.jml import read_jml, write_jml
    from juggle_anim.notation.lessons import FIRST_GRAVITY, Lesson, LessonStep, lesson, lesson_of
    from juggle_anim.notation.library import LibraryPattern, find_pattern
    from juggle_anim.notation.listing import (
        ListedPattern,
        listed_in_file,
        listed_in_library,
        listed_score,
        search_listed,
    )
    from juggle_anim.notation.pattern_list import (
        Entry,
        Note,
        PatternList,
        list_of_one,
        note_sentences,
    )
    from juggle_anim.notation.prechac.read import read_prechac
    from juggle_anim.notation.prechac.write import write_prechac
    from juggle_anim.notation.rewriting import with_events
    from juggle_anim.notation.routine import (
        lengthened,
        lines_below,
        read_routine,
        with_length,
        with_lines,
    )
    from juggle_anim.notation.search import nearest_names
    from juggle_anim.notation.settings.settings import (
        Settings,
        parameter_texts,
        read_settings,
        with_settings,
        write_settings,
    )
    from juggle_anim.notation.settings.staging import (
        DEFAULT_COLOUR,
        MAX_SPINS,
        body_throws,
        prop_style,
        read_colour,
        read_colours,
        shortest_period,
        staging_texts,
        write_body,
        write_hands,
    )
    from juggle_anim.notation.siteswap.read import read_siteswap
    from juggle_anim.notation.siteswap.wildcard import completions
    from juggle_anim.notation.siteswap.write import throw_text, write_siteswap, write_throws
    from juggle_anim.notation.transitions import (
        JoinedPatterns,
        TransitionLine,
        join_line,
        join_patterns,
        read_transition_line,
    )

__all__ = [
    "DEFAULT_COLOUR",
    "FIRST_GRAVITY",
    "MAX_SPINS",
    "BeatText",
    "Check",
    "Entry",
    "Facts",
    "FileReference",
    "JoinedPatterns",
    "Lesson",
    "LessonStep",
    "LibraryPattern",
    "ListedPattern",
    "Note",
    "PatternList",
    "Settings",
    "Span",
    "TransitionLine",
    "beat_at",
    "beat_text",
    "body_throws",
    "bounce_advice",
    "broken_entry_error",
    "check",
    "check_all",
    "check_completions",
    "completions",
    "decoded_text",
    "dual_cycle",
    "fact_lines",
    "facts_of",
    "find_file_reference",
    "find_pattern",
    "inverse_cycle",
    "join_line",
    "join_patterns",
    "lengthened",
    "lesson",
    "lesson_of",
    "lines_below",
    "list_of_one",
    "listed_in_file",
    "listed_in_library",
    "listed_score",
    "nearest_names",
    "note_sentences",
    "open_first",
    "open_pattern",
    "open_patterns",
    "orbit_values",
    "parameter_texts",
    "prop_style",
    "read_colour",
    "read_colours",
    "read_exported",
    "read_file",
    "read_hand_siteswap",
    "read_jml",
    "read_prechac",
    "read_routine",
    "read_settings",
    "read_siteswap",
    "read_stream",
    "read_text",
    "read_transition_line",
    "record_of",
    "search_listed",
    "shortest_period",
    "shown_path",
    "spaced_throws",
    "spaced_word",
    "staging_texts",
    "throw_text",
    "with_events",
    "with_length",
    "with_lines",
    "with_settings",
    "write_body",
    "write_file",
    "write_found",
    "write_hands",
    "write_jml",
    "write_patterns",
    "write_prechac",
    "write_routine",
    "write_settings",
    "write_siteswap",
    "write_throws",
]

# Where each name lives; it is imported when first used, so that a siteswap is read without loading
# files, lists and checks.
_HOMES = {
    "beats": (
        "BeatText",
        "Span",
        "beat_at",
        "beat_text",
    ),
    "body_tricks": (
        "spaced_throws",
        "spaced_word",
    ),
    "facts": (
        "Check",
        "Facts",
        "bounce_advice",
        "check",
        "check_all",
        "check_completions",
        "dual_cycle",
        "fact_lines",
        "facts_of",
        "inverse_cycle",
        "orbit_values",
    ),
    "files": (
        "FileReference",
        "broken_entry_error",
        "decoded_text",
        "find_file_reference",
        "open_first",
        "open_pattern",
        "open_patterns",
        "read_exported",
        "read_file",
        "read_stream",
        "read_text",
        "record_of",
        "shown_path",
        "write_file",
        "write_found",
        "write_patterns",
        "write_routine",
    ),
    "hand_siteswap": ("read_hand_siteswap",),
    "jml": (
        "read_jml",
        "write_jml",
    ),
    "lessons": (
        "FIRST_GRAVITY",
        "Lesson",
        "LessonStep",
        "lesson",
        "lesson_of",
    ),
    "library": (
        "LibraryPattern",
        "find_pattern",
    ),
    "listing": (
        "ListedPattern",
        "listed_in_file",
        "listed_in_library",
        "listed_score",
        "search_listed",
    ),
    "pattern_list": (
        "Entry",
        "Note",
        "PatternList",
        "list_of_one",
        "note_sentences",
    ),
    "prechac.read": ("read_prechac",),
    "prechac.write": ("write_prechac",),
    "rewriting": ("with_events",),
    "routine": (
        "lengthened",
        "lines_below",
        "read_routine",
        "with_length",
        "with_lines",
    ),
    "search": ("nearest_names",),
    "settings.settings": (
        "Settings",
        "parameter_texts",
        "read_settings",
        "with_settings",
        "write_settings",
    ),
    "settings.staging": (
        "DEFAULT_COLOUR",
        "MAX_SPINS",
        "body_throws",
        "prop_style",
        "read_colour",
        "read_colours",
        "shortest_period",
        "staging_texts",
        "write_body",
        "write_hands",
    ),
    "siteswap.read": ("read_siteswap",),
    "siteswap.wildcard": ("completions",),
    "siteswap.write": (
        "throw_text",
        "write_siteswap",
        "write_throws",
    ),
    "transitions": (
        "JoinedPatterns",
        "TransitionLine",
        "join_line",
        "join_patterns",
        "read_transition_line",
    ),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"juggle_anim.notation.{home}"), name)
    raise AttributeError(f"module 'juggle_anim.notation' has no attribute {name!r}")
