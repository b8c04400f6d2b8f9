"""Recorded games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("header", sa.LargeBinary, nullable=False),
    )
    op.create_index("games_by_age", "games", ["seen_at"])
    op.create_table(
        "game_records",
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True),
        sa.Column("snake_id", sa.Text, primary_key=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
