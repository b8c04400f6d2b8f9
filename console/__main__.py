"""The command line: python -m console."""

from battlesnake_search.common.launch import EXTRAS, launch


def main() -> None:
    """Run the command line."""
    launch("console", "console.commands.main", EXTRAS["console"])


if __name__ == "__main__":
    main()
