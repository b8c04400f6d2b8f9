"""The arena: python -m arena."""

from commandline.launch import Installation, launch

if __name__ == "__main__":
    launch("arena", "arena.commands.main", Installation(extra="arena", target="arena"))
