"""Machines without the compiler, where all code has to be prebuilt."""

from importlib.util import find_spec


def compiler_is_installed() -> bool:
    """Return whether Numba is installed."""
    return find_spec("numba") is not None


class CompilerMissingError(RuntimeError):
    """Code has to be compiled, and Numba is not installed."""

    def __init__(self) -> None:
        super().__init__("it has to be compiled, which needs pip install 'battlesnake-search[compile]'")
