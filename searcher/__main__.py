"""The searcher: python -m searcher, or battlesnake-searcher where the package is installed."""

from commandline.launch import Installation, launch


def main() -> None:
    """Run the command line."""
    launch("searcher", "searcher.commands.main", Installation(extra="searcher", target="run"))


if __name__ == "__main__":
    main()
