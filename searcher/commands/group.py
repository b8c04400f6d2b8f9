"""The group of the commands that compile."""

from typing import Any

import click


class CompilingGroup(click.Group):
    """A group whose commands end with one line if they need a compiler that is not installed."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command that was given."""
        try:
            return super().invoke(context)
        except RuntimeError as error:
            # Only what has failed needs to know the engine.
            from searcher.engine.jit.function import CompilerMissingError

            if isinstance(error, CompilerMissingError):
                raise click.ClickException(f"code is missing: {error}") from error
            raise
