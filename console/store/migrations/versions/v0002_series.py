"""The columns that distinguish the series of an experiment, and the columns of its draw."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_COLUMNS = (("control", sa.Text), ("shares", sa.JSON), ("setup", sa.Text), ("searched", sa.JSON))


def upgrade() -> None:
    """Add the columns; they are null in existing rows."""
    for name, kind in _COLUMNS:
        op.add_column("outcomes", sa.Column(name, kind))
