"""Which games are traced."""

import pytest

from battlesnake_search.common.tracing import Sampler, SamplerError, from_environment, new_trace

GAMES = [f"game {number}" for number in range(2000)]


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5, 1.0])
def test_a_share_of_the_games_is_sampled(ratio: float) -> None:
    """Each game always or never, by whoever decides."""
    sampled = [game for game in GAMES if Sampler(ratio).samples(game, None)]
    assert abs(len(sampled) / len(GAMES) - ratio) < 0.04
    assert [game for game in GAMES if Sampler(ratio, by_parent=False).samples(game, None)] == sampled


def test_a_trace_that_exists_has_decided() -> None:
    """Unless the sampler is told to decide for itself."""
    recorded, unrecorded = new_trace(True), new_trace(False)
    assert Sampler(0.0).samples("game", recorded) and not Sampler(1.0).samples("game", unrecorded)
    assert not Sampler(0.0, by_parent=False).samples("game", recorded)
    assert Sampler(1.0, by_parent=False).samples("game", unrecorded)


@pytest.mark.parametrize(
    ("environment", "sampler"),
    [
        ({}, Sampler(1.0)),
        ({"OTEL_TRACES_SAMPLER": "always_off"}, Sampler(0.0, by_parent=False)),
        ({"OTEL_TRACES_SAMPLER": "parentbased_always_on"}, Sampler(1.0)),
        (
            {"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25"},
            Sampler(0.25),
        ),
        ({"OTEL_TRACES_SAMPLER": "traceidratio"}, Sampler(1.0, by_parent=False)),
    ],
)
def test_the_environment_names_the_sampler(environment: dict[str, str], sampler: Sampler) -> None:
    """With the names and the default of OpenTelemetry."""
    assert from_environment(environment) == sampler


@pytest.mark.parametrize(
    ("name", "argument", "said"),
    [
        ("sometimes", "1", "OTEL_TRACES_SAMPLER is 'sometimes'; valid: always_on, always_off, traceidratio"),
        ("traceidratio", "1.5", "OTEL_TRACES_SAMPLER_ARG is '1.5'; valid: a number from 0 to 1"),
        ("traceidratio", "half", "OTEL_TRACES_SAMPLER_ARG is 'half'"),
    ],
)
def test_an_unknown_sampler_is_refused(name: str, argument: str, said: str) -> None:
    """The error names the variable and the valid values."""
    with pytest.raises(SamplerError, match=f"^{said}"):
        from_environment({"OTEL_TRACES_SAMPLER": name, "OTEL_TRACES_SAMPLER_ARG": argument})
