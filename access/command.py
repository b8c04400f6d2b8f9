"""The command `token` of the services that ask for tokens."""

from datetime import date

import click

_ENTRY = """[[tokens]]
name = "{name}"
digest = "{digest}"
# revoked = true
# expires = {year}-12-31          # the first day, in UTC, on which the token is refused
"""

_LIMITS = """# calls_per_second = 20.0
# searches_at_once = 4
# longest_search = 1.0          # seconds
"""


def token_command(*, has_limits: bool) -> click.Command:
    """Return the command of a service; `has_limits`: whether its tokens may have limits."""
    entry = _ENTRY + _LIMITS if has_limits else _ENTRY

    @click.command()
    @click.argument("name")
    def token(name: str) -> None:
        """Make a token for the caller NAME.

        Prints its entry for the file of tokens, which holds no more than a digest, and on standard error the
        token itself, this once: `token NAME >> FILE` adds a caller and shows what to give it.
        """
        # Other commands of the same line would wait for this import.
        from access.tokens import new_token

        try:
            text, made = new_token(name)
        except ValueError as error:
            raise click.BadParameter(f"{name!r}: {error}", param_hint="NAME") from error
        click.echo(entry.format(name=made.name, digest=made.digest, year=date.today().year + 1), nl=False)
        click.echo(text, err=True)

    return token
