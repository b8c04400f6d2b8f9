"""The table of outcomes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "outcomes",
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("snake_id", sa.Text, primary_key=True),
        sa.Column("snake", sa.Text, nullable=False),
        sa.Column("experiment", sa.Text, nullable=False),
        sa.Column("arm", sa.Text, nullable=False),
        sa.Column("strategy", sa.Text, nullable=False),
        sa.Column("drawn", sa.Boolean, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("map", sa.Text, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("timeout_ms", sa.Integer, nullable=False),
        sa.Column("opponents", sa.JSON, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("place", sa.Integer),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("timeouts", sa.Integer),
        sa.Column("mean_depth", sa.Float),
        sa.Column("seen_from", sa.Integer),
        sa.Column("shadows", sa.JSON, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("outcomes_by_experiment", "outcomes", ["experiment", "ended_at"])
