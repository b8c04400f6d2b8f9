"""The command line: python -m console."""

from battlesnake_search.common.launch import INSTALLATIONS, launch


def main() -> None:
    """Run the command line."""
    launch("console", "console.commands.main", INSTALLATIONS["console"])


if __name__ == "__main__":
    main()
