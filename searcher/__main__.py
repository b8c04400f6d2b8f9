"""The searcher: python -m searcher, or battlesnake-searcher where the package is installed."""

from battlesnake_search.common.launch import EXTRAS, launch


def main() -> None:
    """Run the command line."""
    launch("searcher", "searcher.commands.main", EXTRAS["searcher"])


if __name__ == "__main__":
    main()
