"""Values that the tests of clients share."""

import json
import time
from pathlib import Path
from typing import Any

from battlesnake_search.plan import Deadlines

TEXT = (Path(__file__).parents[1] / "fixtures" / "requests" / "standard-move-mid-42.json").read_text()
BODY: dict[str, Any] = json.loads(TEXT)


def deadlines_in(search: float, answer: float) -> Deadlines:
    """Return deadlines that many seconds from now."""
    now = time.monotonic()
    return Deadlines(now + search, now + answer)
