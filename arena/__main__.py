"""The arena: python -m arena, or battlesnake-arena where the package is installed."""

from battlesnake_search.common.launch import INSTALLATIONS, launch


def main() -> None:
    """Run the command line."""
    launch("arena", "arena.commands.main", INSTALLATIONS["arena"])


if __name__ == "__main__":
    main()
