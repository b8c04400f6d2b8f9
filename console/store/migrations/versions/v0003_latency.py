"""The latency of a game's answers."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; it is null in existing rows."""
    op.add_column("outcomes", sa.Column("mean_latency_ms", sa.Float))
