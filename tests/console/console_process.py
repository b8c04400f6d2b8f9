"""The commands of the console, in this process and as a process of their own."""

from console.commands.main import main
from tests.support.command_process import Program

_CONSOLE = Program("console", main, {"OUTCOMES_URL": "none", "ADMIN": "none"})
"""Commands that have no database and no pages."""

start, fails, refused = _CONSOLE.start, _CONSOLE.fails, _CONSOLE.refused
output, complaint, without = _CONSOLE.output, _CONSOLE.complaint, _CONSOLE.without

PLAIN_COMMAND = without("sqlalchemy", "alembic", "aiosqlite", "asyncpg", "rich")
"""The console without any extra of this project."""
