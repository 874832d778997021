"""Exports: an animation written to files."""

from typing import TYPE_CHECKING

from juggle_anim.lazy_dataclass import imported_at_first_use

if TYPE_CHECKING:
    from juggle_anim.exporter.jobs import (
        Job,
        Trial,
        estimate,
        export,
        export_jobs,
        export_path,
        fit_to_max_size,
        run_trial,
    )
    from juggle_anim.exporter.options import (
        ALL_PROPS,
        DEFAULT_OPTIONS,
        SIZES,
        TURNTABLE,
        AddFrame,
        ExportOptions,
        Quality,
        WriteOptions,
        options_as_keywords,
        picture_size,
        read_file_size,
    )
    from juggle_anim.exporter.resume import read_template
    from juggle_anim.exporter.stills import (
        DrawnFrames,
        encode_png,
    )
    from juggle_anim.exporter.video import (
        check_video,
        open_video,
        write_raw,
    )
    from juggle_anim.exporter.view import (
        DEFAULT_VIEW,
        FREE_VIEW,
        FrameRequest,
        View,
        compose,
        loops_until_props_return,
        read_view,
        steady,
    )

__all__ = [
    "ALL_PROPS",
    "DEFAULT_OPTIONS",
    "DEFAULT_VIEW",
    "FREE_VIEW",
    "SIZES",
    "TURNTABLE",
    "AddFrame",
    "DrawnFrames",
    "ExportOptions",
    "FrameRequest",
    "Job",
    "Quality",
    "Trial",
    "View",
    "WriteOptions",
    "check_video",
    "compose",
    "encode_png",
    "estimate",
    "export",
    "export_jobs",
    "export_path",
    "fit_to_max_size",
    "loops_until_props_return",
    "open_video",
    "options_as_keywords",
    "picture_size",
    "read_file_size",
    "read_template",
    "read_view",
    "run_trial",
    "steady",
    "write_raw",
]

# Imported when first used, so that commands read the options of an export without loading the
# exporters.
__getattr__ = imported_at_first_use(
    __name__,
    {
        "jobs": (
            "Job",
            "Trial",
            "estimate",
            "export",
            "export_jobs",
            "export_path",
            "fit_to_max_size",
            "run_trial",
        ),
        "options": (
            "ALL_PROPS",
            "DEFAULT_OPTIONS",
            "SIZES",
            "TURNTABLE",
            "AddFrame",
            "ExportOptions",
            "Quality",
            "WriteOptions",
            "options_as_keywords",
            "picture_size",
            "read_file_size",
        ),
        "resume": ("read_template",),
        "stills": (
            "DrawnFrames",
            "encode_png",
        ),
        "video": (
            "check_video",
            "open_video",
            "write_raw",
        ),
        "view": (
            "DEFAULT_VIEW",
            "FREE_VIEW",
            "FrameRequest",
            "View",
            "compose",
            "loops_until_props_return",
            "read_view",
            "steady",
        ),
    },
)
