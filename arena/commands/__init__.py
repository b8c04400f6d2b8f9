"""The arena's commands. A command imports what it runs when it runs, so that `--help` stays fast.

Imports every other package of the arena."""
