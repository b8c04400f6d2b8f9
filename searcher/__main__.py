"""The searcher: python -m searcher."""

from commandline.launch import Installation, launch

if __name__ == "__main__":
    launch("searcher", "searcher.commands.main", Installation(extra="searcher", target="run"))
