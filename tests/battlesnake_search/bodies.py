"""A /move body of a real game."""

import json
from pathlib import Path
from typing import Any

TEXT = (Path(__file__).parents[1] / "fixtures" / "requests" / "standard-move-mid-42.json").read_text()
BODY: dict[str, Any] = json.loads(TEXT)
