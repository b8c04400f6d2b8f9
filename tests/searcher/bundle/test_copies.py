"""The packages of a bundle."""

from searcher.bundle.copies import needed_distributions


def test_a_bundle_has_what_gateway_and_searcher_need() -> None:
    """Neither the compiler nor what only consoles, the arena and tests need comes along."""
    names = needed_distributions(["battlesnake-search"]).keys()
    assert {"battlesnake-search", "aiohttp", "grpcio", "multidict", "numpy", "typing-extensions"} <= names
    assert not names & {
        "numba",
        "llvmlite",
        "sqlalchemy",
        "alembic",
        "scipy",
        "pytest",
        "pip",
        "grpcio-tools",
    }
