"""The official Battlesnake engine, built with Go at a pinned version and kept in `.cache`."""

from pathlib import Path

from tests.support.go_build import CACHE, go_build, pinned_version

MODULE = Path(__file__).parent / "engine"
"""The folder of the go.mod that pins the engine and of the go.sum with the checksums of its sources."""

RULES = "github.com/BattlesnakeOfficial/rules"


def build_official_engine() -> Path:
    """Return the path of the engine's binary; build it on the first call.

    Raises GoMissingError if Go is missing, and subprocess.CalledProcessError if the build fails.
    """
    binary = CACHE / f"battlesnake-{pinned_version(MODULE, RULES)}" / "battlesnake"
    if not binary.exists():
        go_build(MODULE, f"{RULES}/cli/battlesnake", binary)
    return binary
