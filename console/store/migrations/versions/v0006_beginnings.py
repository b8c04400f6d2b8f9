"""The beginning of a game, because experiments count games in the order in which they began."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column; it is null in existing rows."""
    op.add_column("outcomes", sa.Column("began_at", sa.DateTime(timezone=True)))
