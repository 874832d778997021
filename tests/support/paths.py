"""Where the folders of this checkout are."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
DATA = TESTS / "data"
SUPPORT = TESTS / "support"
