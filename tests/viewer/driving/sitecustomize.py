"""What a process beside a driven window begins with, as it finds modules where the driver does.

Its priority stays that of all else. Where tests keep every core busy, a process of lower priority
prepares a change for minutes, while the window draws what it waits with.
"""

import os

os.nice = lambda _increment: 0  # type: ignore[assignment,misc]
