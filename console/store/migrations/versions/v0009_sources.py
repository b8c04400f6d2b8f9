"""The sources of a game's moves, the moves with a failed call, and deaths by late answers."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_COLUMNS = {
    "moves_best_so_far": sa.Integer,
    "moves_stand_in": sa.Integer,
    "moves_failed": sa.Integer,
    "died_late": sa.Boolean,
}


def upgrade() -> None:
    """Add the columns; they are null in existing rows."""
    for name, kind in _COLUMNS.items():
        op.add_column("outcomes", sa.Column(name, kind))
