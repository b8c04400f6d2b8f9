"""The options of a console that a gateway passes on to its own console, each by its variable."""

from collections.abc import Callable
from typing import Any, NamedTuple

from battlesnake_search.common.cli import variable_option
from battlesnake_search.common.types import CommandT


class ConsoleOption(NamedTuple):
    """An option: its name, its variable, and its texts in the help."""

    name: str
    variable: str
    metavar: str
    default: str
    """The default value, as a text for people."""
    help: str

    @property
    def parameter(self) -> str:
        """The name of the parameter that has the option's value."""
        return self.name.replace("-", "_")

    def declared(self, **attributes: Any) -> Callable[[CommandT], CommandT]:
        """Return a decorator that adds the option to a command. Without attributes it is a text."""
        return variable_option(
            f"--{self.name}",
            **{"default": None, "show_default": self.default, **attributes},
            metavar=self.metavar,
            envvar=self.variable,
            help=self.help,
        )


OUTCOMES = ConsoleOption(
    "outcomes",
    "OUTCOMES_URL",
    "FILE|URL|none",
    "a file in the user's data directory",
    "Database for the outcomes of games: an SQLite file, or postgresql://user:password@host/database.",
)
OUTCOMES_MEGABYTES = ConsoleOption(
    "outcomes-megabytes",
    "OUTCOMES_MEGABYTES",
    "MB",
    "1000",
    "Megabytes of outcomes to keep in the database.",
)
GAMES = ConsoleOption(
    "games",
    "GAMES",
    "N|none",
    "1000",
    "The most games to keep, turn by turn, with the findings of the searches, in the database for the "
    "outcomes or else in a temporary file.",
)
GAMES_MEGABYTES = ConsoleOption(
    "games-megabytes", "GAMES_MEGABYTES", "MB", "1000", "Megabytes of games to keep in the database."
)
REVIEWS = ConsoleOption(
    "reviews",
    "REVIEWS",
    "losses|none",
    "losses",
    "Games to review by themselves, when no move needs the searcher: all lost ones, or none.",
)
REPLAY_SERVERS = ConsoleOption(
    "replay-servers",
    "REPLAY_SERVERS",
    "HOST[:PORT]...|none",
    "arena.battlesnake.com",
    "Servers from which the console reads games, separated by spaces.",
)
BOARDS = ConsoleOption(
    "boards",
    "BOARDS",
    "ORIGIN...|none",
    "none",
    "Boards that may show recorded games by the paths of the official engine, such as "
    "https://board.battlesnake.com, separated by spaces; * is every board.",
)
PUBLIC = ConsoleOption(
    "public",
    "CONSOLE_PUBLIC",
    "[HOST:]PORT|none",
    "none",
    "Address of a second port of the console, where everybody may watch games and read reviews.",
)
PUBLIC_REMEDY = "Give another address with --public or CONSOLE_PUBLIC, or none."
"""The remedy for a public port in use."""

ALL = (
    OUTCOMES,
    OUTCOMES_MEGABYTES,
    GAMES,
    GAMES_MEGABYTES,
    REVIEWS,
    REPLAY_SERVERS,
    BOARDS,
    PUBLIC,
)
"""All of them, in the order of the help."""
