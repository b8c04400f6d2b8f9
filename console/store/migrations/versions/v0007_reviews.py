"""Reviews of recorded games."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "game_reviews",
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("snake_id", sa.Text, primary_key=True),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("review", sa.LargeBinary, nullable=False),
    )
