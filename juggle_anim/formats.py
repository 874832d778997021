"""The one table of file formats: their endings, who writes and reads them, and what each of them can hold.

Writers, readers and checks are named as "module:function" and imported when they are first used, so that the table
costs nothing and every layer may look at it. A new format is a row here and the module that writes it.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Format:
    """A file format.

    Args:
        name: as people call it.
        endings: of the names of files, in small letters; the usual one first.
        film: what begins a moving picture, a `juggle_anim.exporter.film.Open`; empty where there are none.
        still: what encodes one picture, a `juggle_anim.exporter.stills.Encode`.
        page: what writes a web page.
        model: what writes a model or a table from shots to one file, or to all that `paths` names.
        drawn: whether drawings and plots are written in it.
        start: how a file begins, a regular expression for at most 12 bytes.
        words: what reads the words that the file carries, from an open file, of which it reads so many bytes at most.
        complete: how a file ends that is not cut short, a regular expression for at most 64 bytes; or what checks it.
        codecs: those of FFmpeg that a film needs; the last is that of its sound, if it has one.
        fps: the usual rate of a film, [frames/s].
        fastest: the highest rate that its clock can tell, [frames/s].
        repeats: whether players show a film again and again, so that once through is enough.
        alpha: whether pictures can be transparent.
        even: whether width and height of a film must be even.
        sound: whether a film can have sound.
        longest_edge: of a picture, [pixels].
        scene: whether a model has a camera, and a floor that can be left out.
        paths: all files of a model for the one that is named; the last carries the words. Empty for that one alone.
        need: what raises a `ParameterError` where a library that a model needs is missing; empty for none.
    """

    name: str
    endings: tuple[str, ...]
    film: str = ""
    still: str = ""
    page: str = ""
    model: str = ""
    drawn: bool = False
    start: bytes = b""
    words: str = ""
    complete: bytes | str = b""
    codecs: tuple[str, ...] = ()
    fps: float = 60.0
    fastest: float = 1000.0
    repeats: bool = False
    alpha: bool = False
    even: bool = False
    sound: bool = False
    longest_edge: int = 65_535
    scene: bool = False
    paths: str = ""
    need: str = ""

    def begins(self, content: bytes) -> bool:
        """Whether some content begins as that of such a file."""
        return re.match(self.start, content, re.DOTALL) is not None


def load(name: str) -> Any:
    """The writer, reader or check of a row, imported by its name."""
    return pkgutil.resolve_name(name)


_PNG_START, _PNG_END = rb"\x89PNG\r\n\x1a\n", rb"\0\0\0\0IEND\xaeB`\x82"
_VIDEO_WORDS = "juggle_anim.metadata.documents:read_video_comment"

# fmt: off
FORMATS = (
    Format("MP4", (".mp4",), film="juggle_anim.exporter.ffmpeg:mp4", start=rb".{4}ftyp", words=_VIDEO_WORDS,
        complete="juggle_anim.exporter.completeness:boxes_fill", codecs=("libx264", "aac"), even=True,
        sound=True),
    Format("WebM", (".webm",), film="juggle_anim.exporter.ffmpeg:webm", start=rb"\x1aE\xdf\xa3",
        words=_VIDEO_WORDS, complete="juggle_anim.exporter.completeness:segment_fills",
        codecs=("libvpx-vp9", "libopus"), alpha=True, sound=True),
    Format("QuickTime", (".mov",), film="juggle_anim.exporter.ffmpeg:mov", start=rb".{4}ftyp",
        words=_VIDEO_WORDS, complete="juggle_anim.exporter.completeness:boxes_fill",
        codecs=("prores_ks", "pcm_s16le"), alpha=True, even=True, sound=True),
    Format("GIF", (".gif",), film="juggle_anim.exporter.gif:gif", start=rb"GIF8",
        words="juggle_anim.metadata.images:read_gif_comment", complete=rb"\0;", codecs=("gif",), fps=100 / 3,
        fastest=50.0, repeats=True, alpha=True),
    Format("APNG", (".apng",), film="juggle_anim.exporter.png:apng", start=_PNG_START,
        words="juggle_anim.metadata.images:read_png_text", complete=_PNG_END, fps=30.0, repeats=True, alpha=True),
    Format("SVG", (".svg",), drawn=True, start=rb"<\?xml versio",
        words="juggle_anim.metadata.documents:read_svg_description"),
    Format("PDF", (".pdf",), drawn=True, start=rb"%PDF-",
        words="juggle_anim.metadata.documents:read_pdf_keywords"),
    Format("PNG", (".png",), still="juggle_anim.exporter.stills:png", drawn=True, start=_PNG_START,
        words="juggle_anim.metadata.images:read_png_text", complete=_PNG_END, alpha=True, longest_edge=2**31 - 1),
    # In the packed picture a zero would follow ff, and nothing before the picture has ff d9.
    Format("JPEG", (".jpg", ".jpeg"), still="juggle_anim.exporter.stills:jpeg", start=rb"\xff\xd8\xff",
        words="juggle_anim.metadata.images:read_jpeg_words", complete=rb"\xff\xd9"),
    # An edge has 14 bits (RFC 9649, 2.5).
    Format("WebP", (".webp",), film="juggle_anim.exporter.webp:animated_webp",
        still="juggle_anim.exporter.stills:webp", start=rb".{8}WEBP",
        words="juggle_anim.metadata.images:read_webp_exif",
        complete="juggle_anim.exporter.completeness:riff_fills", codecs=("libwebp_anim",), fps=30.0,
        repeats=True, alpha=True, longest_edge=16_383),
    # Other programs may write numbers with the high byte first.
    Format("TIFF", (".tif", ".tiff"), still="juggle_anim.exporter.stills:tiff", start=rb"II\*\0|MM\0\*",
        words="juggle_anim.metadata.images:read_tiff_description",
        complete="juggle_anim.exporter.completeness:tiff_loads", alpha=True, longest_edge=2**32 - 1),
    Format("HTML", (".html",), page="juggle_anim.exporter.page.page:write_page", start=rb"<!doctype ht",
        words="juggle_anim.metadata.documents:read_html_meta", complete=rb"</script>\n</body>\n</html>\n"),
    Format("GLB", (".glb",), model="juggle_anim.exporter.models.gltf:write_glb", start=rb"glTF\x02\0\0\0",
        words="juggle_anim.metadata.documents:read_glb_comment",
        complete="juggle_anim.exporter.completeness:glb_fills", scene=True),
    # The name of the last skin; nowhere else does a name end the list of a list.
    Format("glTF", (".gltf",), model="juggle_anim.exporter.models.gltf:write_gltf", start=rb'\{"extras":\{"',
        words="juggle_anim.metadata.documents:read_gltf_comment", complete=rb'"name":"juggler_\d+"\}\]\}',
        scene=True),
    Format("USDZ", (".usdz",), model="juggle_anim.exporter.models.usd:write_usd", start=rb"PK\x03\x04",
        words="juggle_anim.metadata.usd:read_usd_package",
        complete="juggle_anim.exporter.completeness:zip_fills", scene=True,
        need="juggle_anim.exporter.models.usd:need_usd"),
    Format("USD", (".usdc",), model="juggle_anim.exporter.models.usd:write_usd", start=rb"PXR-USDC",
        words="juggle_anim.metadata.usd:read_usd_binary",
        complete="juggle_anim.exporter.completeness:crate_fills", scene=True,
        need="juggle_anim.exporter.models.usd:need_usd"),
    # The end of the only block that stands in no other.
    Format("USD", (".usda",), model="juggle_anim.exporter.models.usd:write_usd", start=rb"#usda ",
        words="juggle_anim.metadata.usd:read_usd_text", complete=rb"\n\}\n\n", scene=True,
        need="juggle_anim.exporter.models.usd:need_usd"),
    Format("BVH", (".bvh",), model="juggle_anim.exporter.models.bvh:write_bvh", start=rb"HIERARCHY",
        words="juggle_anim.metadata.documents:read_table_beside",
        complete="juggle_anim.exporter.completeness:bvh_has_its_rows",
        paths="juggle_anim.exporter.models.bvh:bvh_paths"),
    Format("NPZ", (".npz",), model="juggle_anim.exporter.models.tables:write_npz", start=rb"PK\x03\x04",
        words="juggle_anim.metadata.documents:read_npz_comment",
        complete="juggle_anim.exporter.completeness:zip_fills"),
    Format("CSV", (".csv",), model="juggle_anim.exporter.models.tables:write_csv", start=rb"# \{",
        words="juggle_anim.metadata.documents:read_csv_comment",
        complete="juggle_anim.exporter.completeness:csv_has_its_rows"),
    Format("JSON", (".json",), model="juggle_anim.exporter.models.tables:write_json", start=rb'\{"made": \{',
        words="juggle_anim.metadata.documents:read_json_comment", complete=rb"\}\n\]\}\n"),
)
# fmt: on
"""All of them, in the order in which messages and helps name them."""


def _by_ending(written: Callable[[Format], object]) -> dict[str, Format]:
    return {ending: row for row in FORMATS if written(row) for ending in row.endings}


BY_ENDING = _by_ending(lambda row: True)
"""Those whose files may carry an animation, by the ending of a name."""

FILMS = _by_ending(lambda row: row.film)
STILLS = _by_ending(lambda row: row.still)
PAGES = _by_ending(lambda row: row.page)
MODELS = _by_ending(lambda row: row.model)
DRAWINGS = _by_ending(lambda row: row.drawn)
EXPORTS = _by_ending(lambda row: row.film or row.still or row.page or row.model)
"""Those that `export` writes, by the ending of a name."""


def usual_endings(rows: dict[str, Format]) -> str:
    """The usual ending of each of some formats, as helps list them."""
    return ", ".join(ending for ending, row in rows.items() if ending == row.endings[0])
