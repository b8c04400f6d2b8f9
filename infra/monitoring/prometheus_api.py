"""Queries of a running Prometheus, as a dashboard makes them."""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

_PATIENCE = 10.0
_VARIABLE = re.compile(r"\$(?!__)\w+")


@dataclass(frozen=True)
class Series:
    """A line of a panel: its labels, and its values at points in time, in seconds since 1970."""

    labels: Mapping[str, str]
    times: list[float]
    values: list[float]


def query_range(url: str, expression: str, seconds: float, step: float = 5.0) -> list[Series]:
    """Return the values of an expression over the last seconds. Raises OSError if Prometheus refuses it.

    In the expression, variables of dashboards stand for all values, and the interval of rates for four steps.
    """
    expression = _VARIABLE.sub(".*", expression.replace("$__rate_interval", f"{4 * step:g}s"))
    end = time.time()
    asked = {"query": expression, "start": end - seconds, "end": end, "step": step}
    with urlopen(f"{url.rstrip('/')}/api/v1/query_range?{urlencode(asked)}", timeout=_PATIENCE) as answer:
        found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
    return [
        Series(
            each["metric"],
            [float(moment) for moment, _ in each["values"]],
            [float(value) for _, value in each["values"]],
        )
        for each in found
    ]
