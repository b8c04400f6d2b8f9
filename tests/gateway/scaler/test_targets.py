"""The metadata of a ScaledObject's trigger."""

import pytest

from gateway.scaler.service import MetadataError, searches_per_pod

OF_KEDA = {"scalerAddress": "scaler.battlesnake:50060", "enableTLS": "false"}


@pytest.mark.parametrize(
    ("metadata", "target"),
    [
        ({}, 2),
        ({"searchesPerPod": ""}, 2),
        ({"searchesPerPod": "4"}, 4),
        ({"searchesPerPod": "0.5"} | OF_KEDA, 0.5),
    ],
)
def test_the_target_is_read(metadata: dict[str, str], target: float) -> None:
    """It may be left out; what KEDA reads itself does not matter."""
    assert searches_per_pod(metadata) == target


@pytest.mark.parametrize("value", ["0", "-1", "many", "nan", "inf", "0.0001", "1,5"])
def test_an_invalid_target_is_an_error(value: str) -> None:
    """It names the field, the value and the valid ones."""
    with pytest.raises(MetadataError) as caught:
        searches_per_pod({"searchesPerPod": value})
    assert str(caught.value) == f"searchesPerPod: {value!r} is invalid; valid: a number of 0.001 or more"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("searchPerPod", "searchPerPod: no such field, did you mean searchesPerPod?; valid: searchesPerPod"),
        ("x", "x: no such field; valid: searchesPerPod"),
    ],
)
def test_an_unknown_field_is_an_error(name: str, problem: str) -> None:
    """A misspelt one would silently be the default."""
    with pytest.raises(MetadataError) as caught:
        searches_per_pod({name: "2"} | OF_KEDA)
    assert str(caught.value) == problem
