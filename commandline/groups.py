"""Groups of commands that are imported when they are used."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from commandline.nearest import nearest


class LazyGroup(click.Group):
    """A group that gets its commands by `loaders`, each by name, when they are used.

    What serves need not wait for the imports of other commands. An unknown command is a usage error, which
    names the nearest one.
    """

    def __init__(
        self, *args: Any, loaders: Mapping[str, Callable[[], click.Command]], **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self._loaders = loaders

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(context), *self._loaders})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command; None for an unknown one."""
        if name not in self.commands and name in self._loaders:
            self.add_command(self._loaders[name](), name)
        return super().get_command(context, name)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, and what follows it."""
        name = arguments[0]
        if not name.startswith("-") and self.get_command(context, name) is None:
            near = nearest(name, self.list_commands(context))
            hint = f" Did you mean {near!r}?" if near else ""
            context.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(context, arguments)
