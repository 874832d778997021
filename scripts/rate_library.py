"""Write the difficulty of each pattern into the files of the library, by the rule of
`notation/listing.py`.
"""

import re
from pathlib import Path

from juggle_anim.notation import read_settings
from juggle_anim.notation.library import read_library
from juggle_anim.notation.listing import difficulty

FOLDER = Path(__file__).parents[1] / "patterns"


def main() -> None:
    """Rewrite the lines `difficulty = …` in place, and print the names of the files that change."""
    patterns = iter(read_library(FOLDER))
    for path in sorted(FOLDER.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        # One line for each pattern, in the order in which the library has them.
        rated = re.sub(
            r"(?m)^difficulty = \d+$",
            lambda _: (
                f"difficulty = {difficulty(read_settings(next(patterns).settings_text).score)}"
            ),
            text,
        )
        if rated != text:
            path.write_text(rated, encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main()
