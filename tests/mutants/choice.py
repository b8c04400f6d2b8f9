"""Which tests should notice a change of a file: those that mirror it, then those of its package."""

from pathlib import Path

_ELSEWHERE = {
    "gateway/analysis": ("tests/gateway/console/test_analysis.py",),
    "gateway/commands/blunders.py": ("tests/gateway/blunders",),
    "gateway/store/database.py": ("tests/gateway/commands/test_experiments.py",),
    "gateway/health.py": ("tests/infra/test_health_checks.py",),
    "gateway/reflex.py": ("tests/gateway/test_reflex.py",),
    "searcher/textbook/battlesnake": (
        "tests/searcher/textbook/battlesnake",
        "tests/searcher/textbook/test_perfect_play.py",
    ),
}
"""Tests of files and packages that have none with their own name."""


def tests_of(root: Path, file: str) -> tuple[list[str], list[str]]:
    """Return the test files that mirror a file, and those of its package; neither may have any."""
    path = Path(file)
    folder = Path("tests") / path.parent
    own = [
        *(root / folder).glob(f"test_{path.stem}.py"),
        *(root / folder).glob(f"test_{path.stem}_*.py"),
        *(root / folder / path.stem).glob("test_*.py"),
    ]
    package = [*(root / folder).glob("test_*.py")]
    for place, tests in _ELSEWHERE.items():
        if file.startswith(place):
            package += [root / name for name in tests]
    return _names(root, own), _names(root, [each for each in package if each not in own])


def _names(root: Path, paths: list[Path]) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in paths if path.exists())
