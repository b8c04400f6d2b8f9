"""The number of moves that a search found."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; it is null in existing rows."""
    op.add_column("outcomes", sa.Column("moves_searched", sa.Integer))
