"""The searcher: python -m searcher, or battlesnake-searcher where the package is installed."""

from battlesnake_search.common.launch import INSTALLATIONS, launch


def main() -> None:
    """Run the command line."""
    launch("searcher", "searcher.commands.main", INSTALLATIONS["searcher"])


if __name__ == "__main__":
    main()
