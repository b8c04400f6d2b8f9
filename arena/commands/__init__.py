"""The arena's commands. A command imports its parts when it runs, so that `--help` stays fast."""
