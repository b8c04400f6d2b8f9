"""Options that every command has."""

from typing import Any

import click

CONTEXT: dict[str, Any] = {"show_default": True, "help_option_names": ["-h", "--help"]}
"""The context settings of a command or of a whole group: -h, and help that shows defaults."""

_PACKAGE = "battlesnake-search"

version_option = click.version_option(package_name=_PACKAGE, message="%(prog)s %(version)s")
"""The option --version."""


def version_text(context: click.Context) -> str:
    """Return what --version prints."""
    # Every command would wait for this import.
    from importlib.metadata import version

    return f"{context.find_root().info_name} {version(_PACKAGE)}"
