"""What Juggling Lab 1.7.7 makes of 409 settings strings that people use, without their titles.

Each has `settings`, numbers of `jugglers` and `props`, `period` [beats], `loop` [s] and `bps`.
`events` are rows of time [s], juggler from 1, hand, kind (as in EventKind) and place [cm] to the
juggler's right, forward and up from the usual place of the hands; `flying` are rows of time and
place [cm] of props in flight, in the world.
"""

import gzip
import json
from typing import Any

from paths import DATA

_DATA = gzip.decompress((DATA / "juggling_lab_layouts.jsonl.gz").read_bytes())

LAYOUTS: list[dict[str, Any]] = [json.loads(line) for line in _DATA.decode().splitlines()]
