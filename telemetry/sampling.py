"""Which games are traced: all moves of a game or none."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.trace_context import TraceContext

_RATIOS: Mapping[str, float | None] = {
    "always_on": 1.0,
    "always_off": 0.0,
    # The ratio is that of OTEL_TRACES_SAMPLER_ARG.
    "traceidratio": None,
}
_PARENT_BASED = "parentbased_"
_DEFAULT = "parentbased_always_on"
_RANGE = 2**64


class SamplerError(ValueError):
    """The environment names no sampler; the message has the valid names."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """Samples a share of the games, from 0 to 1.

    With `by_parent`, a request that belongs to a trace already is sampled if that trace is.
    """

    ratio: float
    by_parent: bool = True

    def samples(self, game: str, parent: TraceContext | None) -> bool:
        """Return whether a request of a game is sampled. Every gateway says the same of a game."""
        if self.by_parent and parent is not None:
            return parent.sampled
        digest = hashlib.blake2b(game.encode(errors="surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.ratio * _RANGE


def from_environment(environment: Mapping[str, str] = os.environ) -> Sampler:
    """Return the sampler that OpenTelemetry's variables describe. Raises SamplerError."""
    name = environment.get("OTEL_TRACES_SAMPLER") or _DEFAULT
    kind = name.removeprefix(_PARENT_BASED)
    if kind not in _RATIOS:
        valid = ", ".join([*_RATIOS, *(f"{_PARENT_BASED}{kind}" for kind in _RATIOS)])
        raise SamplerError(f"OTEL_TRACES_SAMPLER is {name!r}; valid: {valid}")
    ratio = _RATIOS[kind]
    if ratio is None:
        ratio = _ratio(environment.get("OTEL_TRACES_SAMPLER_ARG") or "1")
    return Sampler(ratio, name != kind)


def _ratio(text: str) -> float:
    try:
        ratio = float(text)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 1:
        raise SamplerError(f"OTEL_TRACES_SAMPLER_ARG is {text!r}; valid: a number from 0 to 1")
    return ratio
