"""The command `completion`."""

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")
_PROGRAMS = ("battlesnake-search", "battlesnake-gateway", "battlesnake-searcher", "battlesnake-arena")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print what completes the commands of this package in a shell.

    \b
    bash: eval "$(battlesnake-search completion bash)"   in ~/.bashrc
    zsh:  eval "$(battlesnake-search completion zsh)"    in ~/.zshrc
    fish: battlesnake-search completion fish > ~/.config/fish/completions/battlesnake-search.fish
    """
    completes = get_completion_class(shell)
    assert completes is not None
    for program in _PROGRAMS:
        variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
        # Not through `source()`, which starts bash to ask for its version.
        shown = completes(click.Command(program), {}, program, variable)
        click.echo(shown.source_template % shown.source_vars())
