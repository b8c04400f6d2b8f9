"""Options that every command has."""

from typing import Any

import click

CONTEXT: dict[str, Any] = {"show_default": True, "help_option_names": ["-h", "--help"]}
"""The context settings of a command or of a whole group: -h, and help that shows defaults."""

version_option = click.version_option(package_name="battlesnake-search", message="%(prog)s %(version)s")
"""The option --version."""
