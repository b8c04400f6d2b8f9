"""What tells the series of an experiment apart, and what its draw was."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_COLUMNS = (("control", sa.Text), ("shares", sa.JSON), ("setup", sa.Text), ("searched", sa.JSON))


def upgrade() -> None:
    """Add the columns; they are null in the rows that exist."""
    for name, kind in _COLUMNS:
        op.add_column("outcomes", sa.Column(name, kind))


def downgrade() -> None:
    """Drop the columns."""
    for name, _ in _COLUMNS:
        op.drop_column("outcomes", name)
